//! Markdown of a reply, for the terminal: headings, lists, quotes, code, emphasis, links, tables.
//! Given text from anywhere; hands on lines of toned pieces that fit the columns, without control characters. What is
//! drawn is the same with and without colour. A text without any Markdown in it is left to the plain wrapping.
//! Deliberately absent: HTML (shown as it was written), pictures, and following links.

mod flow;
mod table;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use s2s::clean::clean_text;
use unicode_width::UnicodeWidthStr;

use super::marks::Tone;
use flow::Flow;
use table::Table;

/// A line of pieces, each with its tone.
pub(super) type Line = Vec<(String, Tone)>;

/// Text is never set in deeper than this part of the room.
const DEEPEST: usize = 2;
/// No room is taken for narrower than this.
const NARROWEST: usize = 8;

/// The lines of a text; none where it holds no Markdown.
pub(super) fn lines(text: &str, room: usize, ascii: bool) -> Option<Vec<Line>> {
    let text = clean_text(text).trim().replace('\t', "    ");
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let is_plain = |event: &Event<'_>| {
        use Event::{End, HardBreak, SoftBreak, Start, Text};
        matches!(event, Start(Tag::Paragraph) | End(TagEnd::Paragraph) | Text(_) | SoftBreak | HardBreak)
    };
    if Parser::new_ext(&text, options).all(|event| is_plain(&event)) {
        return None;
    }
    let mut drawing = Drawing::new(room.max(NARROWEST), ascii);
    Parser::new_ext(&text, options).for_each(|event| drawing.take(event));
    Some(drawing.finish())
}

/// What stands before the lines of a list item or a quotation.
struct Set {
    /// Before the next line, once; then `rest`.
    first: Option<String>,
    rest: String,
}

struct Drawing {
    room: usize,
    ascii: bool,
    lines: Vec<Line>,
    sets: Vec<Set>,
    /// The columns that all of them take.
    taken: usize,
    /// The number that the next item has, for each list around; none = a bullet.
    lists: Vec<Option<u64>>,
    flow: Flow,
    tones: Vec<Tone>,
    links: Vec<String>,
    code: Option<String>,
    table: Option<Table>,
    /// Whether an empty line is due before the next block.
    gap: bool,
}

impl Drawing {
    fn new(room: usize, ascii: bool) -> Self {
        Self {
            room,
            ascii,
            lines: Vec::new(),
            sets: Vec::new(),
            taken: 0,
            lists: Vec::new(),
            flow: Flow::default(),
            tones: Vec::new(),
            links: Vec::new(),
            code: None,
            table: None,
            gap: false,
        }
    }

    fn finish(mut self) -> Vec<Line> {
        self.flush();
        while self.lines.last().is_some_and(|line| line.iter().all(|(text, _)| text.trim().is_empty())) {
            self.lines.pop();
        }
        self.lines
    }

    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.say(&text, self.tone()),
            Event::Code(text) => self.say(&format!("`{text}`"), Tone::Label),
            Event::Html(text) | Event::InlineHtml(text) => self.say(&text, Tone::Plain),
            Event::SoftBreak | Event::HardBreak => match &mut self.table {
                Some(table) => table.say(" "),
                None => self.flush(),
            },
            Event::Rule => {
                self.block();
                let line = if self.ascii { "-" } else { "─" };
                self.push(vec![(line.repeat(self.width().min(24)), Tone::Quiet)]);
                self.gap = true;
            }
            Event::TaskListMarker(done) => self.say(if done { "[x] " } else { "[ ] " }, Tone::Plain),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.block(),
            Tag::Heading { .. } => {
                self.gap = !self.lines.is_empty();
                self.block();
                self.tones.push(Tone::Title);
            }
            Tag::BlockQuote(_) => {
                self.block();
                let bar = if self.ascii { "> " } else { "│ " };
                self.set(bar.to_owned(), bar.to_owned());
            }
            Tag::CodeBlock(kind) => {
                self.block();
                if let CodeBlockKind::Fenced(name) = kind {
                    let name = flow::clean(&name);
                    if !name.trim().is_empty() {
                        self.push(vec![(flow::clipped(name.trim(), self.width()), Tone::Quiet)]);
                    }
                }
                self.code = Some(String::new());
            }
            Tag::List(first) => {
                // A list stands right below the text that leads to it.
                self.flush();
                self.gap = false;
                self.lists.push(first);
            }
            Tag::Item => self.item(),
            Tag::Table(_) => {
                self.block();
                self.table = Some(Table::default());
            }
            Tag::TableHead | Tag::TableRow => self.table.iter_mut().for_each(Table::row),
            Tag::TableCell => self.table.iter_mut().for_each(Table::cell),
            Tag::Emphasis => self.tones.push(Tone::Emphasis),
            Tag::Strong => self.tones.push(Tone::Title),
            Tag::Strikethrough => self.tones.push(Tone::Quiet),
            Tag::Link { dest_url, .. } => self.links.push(flow::clean(&dest_url)),
            Tag::Image { dest_url, .. } => {
                self.links.push(flow::clean(&dest_url));
                self.say("picture: ", Tone::Quiet);
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => {
                self.flush();
                self.gap = true;
            }
            TagEnd::Heading(level) => self.underline(level),
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.unset();
                self.gap = true;
            }
            TagEnd::CodeBlock => self.code_block(),
            TagEnd::List(_) => {
                self.lists.pop();
                self.gap = self.lists.is_empty();
            }
            TagEnd::Item => {
                self.flush();
                // An item without any text still shows its bullet.
                if self.sets.last().is_some_and(|set| set.first.is_some()) {
                    self.push(Line::new());
                }
                self.unset();
                self.gap = false;
            }
            TagEnd::Table => {
                let (room, ascii) = (self.width(), self.ascii);
                let lines = self.table.take().map(|table| table.lines(room, ascii)).unwrap_or_default();
                lines.into_iter().for_each(|line| self.push(line));
                self.gap = true;
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {
                self.tones.pop();
            }
            TagEnd::Link | TagEnd::Image => {
                let url = self.links.pop().unwrap_or_default();
                if !url.is_empty() && !self.flow.ends_with(&url) {
                    self.say(&format!(" ({url})"), Tone::Quiet);
                }
            }
            _ => {}
        }
    }

    /// The bullet or number of an item, and how far what follows is set in.
    fn item(&mut self) {
        self.flush();
        self.gap = false;
        let mark = match self.lists.last_mut() {
            Some(Some(number)) => {
                *number = number.saturating_add(1);
                format!("{}. ", *number - 1)
            }
            _ => "- ".to_owned(),
        };
        let rest = " ".repeat(mark.width());
        self.set(mark, rest);
    }

    /// Sets in what follows, unless there is no room left to set it in.
    fn set(&mut self, first: String, rest: String) {
        let columns = rest.width();
        match self.taken + columns <= self.room / DEEPEST {
            true => {
                self.taken += columns;
                self.sets.push(Set { first: Some(first), rest });
            }
            false => self.sets.push(Set { first: None, rest: String::new() }),
        }
    }

    fn unset(&mut self) {
        self.taken -= self.sets.pop().map_or(0, |set| set.rest.width());
    }

    fn underline(&mut self, level: HeadingLevel) {
        let widest = self.flow.width().min(self.width());
        self.flush();
        self.tones.pop();
        let line = match (level, self.ascii) {
            (HeadingLevel::H1, false) => "═",
            (HeadingLevel::H1, true) => "=",
            (_, false) => "─",
            (_, true) => "-",
        };
        if matches!(level, HeadingLevel::H1 | HeadingLevel::H2) && widest > 0 {
            self.push(vec![(line.repeat(widest), Tone::Quiet)]);
        }
        self.gap = !matches!(level, HeadingLevel::H1 | HeadingLevel::H2);
    }

    fn code_block(&mut self) {
        let code = self.code.take().unwrap_or_default();
        let indent = (self.width() / 4).min(4);
        let room = self.width() - indent;
        for line in code.trim_end_matches('\n').split('\n') {
            for part in flow::cut(&flow::clean(line.trim_end()), room) {
                self.push(vec![(" ".repeat(indent), Tone::Plain), (part, Tone::Label)]);
            }
        }
        self.gap = true;
    }

    fn say(&mut self, text: &str, tone: Tone) {
        match (&mut self.code, &mut self.table) {
            (Some(code), _) => code.push_str(text),
            (None, Some(table)) => table.say(&flow::clean(text)),
            (None, None) => self.flow.say(&flow::clean(text), tone),
        }
    }

    fn tone(&self) -> Tone {
        self.tones.last().copied().unwrap_or(Tone::Plain)
    }

    /// Ends the text before, and leaves a line where one is due.
    fn block(&mut self) {
        self.flush();
        // The first block of an item stands beside its bullet.
        let beside = self.sets.last().is_some_and(|set| set.first.is_some());
        if self.gap && !beside && self.lines.last().is_some_and(|line| !line.is_empty()) {
            self.push(Line::new());
        }
        self.gap = false;
    }

    fn flush(&mut self) {
        let room = self.width();
        let flow = std::mem::take(&mut self.flow);
        flow.lines(room).into_iter().for_each(|line| self.push(line));
    }

    /// The columns that are left beside what is set in.
    fn width(&self) -> usize {
        self.room - self.taken
    }

    fn push(&mut self, line: Line) {
        let before: String =
            self.sets.iter_mut().map(|set| set.first.take().unwrap_or_else(|| set.rest.clone())).collect();
        let mut whole = Line::new();
        if !before.trim().is_empty() || !line.is_empty() {
            whole.push((before, Tone::Plain));
            whole.extend(line);
        }
        whole.retain(|(text, _)| !text.is_empty());
        self.lines.push(whole);
    }
}
