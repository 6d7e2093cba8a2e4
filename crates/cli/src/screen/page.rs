//! A page of text being drawn: titles, labelled rows, marked items, wrapped to the style's columns.
//! Given text from anywhere; hands on lines that hold no control character and fit the columns where
//! words allow. Colour is put around finished lines, so it never counts as width. Deliberately
//! absent: what the text says.

use unicode_width::UnicodeWidthStr;

use super::marks::{Mark, Tone};
use super::wrap::{one_line, wrapped, wrapped_after};
use super::{Style, markdown};

/// Where values start when labels stand beside them.
const VALUES: usize = 16;
/// Below this many columns a label stands above its value.
const SIDE_BY_SIDE: usize = 50;
/// A longer name of an item does not set its text in: the lines would get too short.
const LONGEST_NAME: usize = 8;

/// A page being drawn.
pub(super) struct Page<'s> {
    style: &'s Style,
    text: String,
    /// The label that the next line of values starts with.
    label: Option<String>,
    /// How far the text of the last item is set in; remarks on it stand below.
    hang: usize,
}

impl<'s> Page<'s> {
    pub(super) fn new(style: &'s Style) -> Self {
        Self { style, text: String::new(), label: None, hang: 0 }
    }

    /// The finished text: ends with a line break, starts and ends without empty lines.
    pub(super) fn finish(mut self) -> String {
        self.text.truncate(self.text.trim_end_matches('\n').len());
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text
    }

    pub(super) fn style(&self) -> &'s Style {
        self.style
    }

    /// One empty line, unless there is one or nothing stands above.
    pub(super) fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// A title, underlined.
    pub(super) fn title(&mut self, text: &str, tone: Tone) {
        self.label = None;
        self.gap();
        let line = if self.style.ascii { "=" } else { "═" };
        let lines = wrapped(&one_line(text), self.style.columns());
        let widest = lines.iter().map(|line| line.width()).max().unwrap_or(0);
        lines.iter().for_each(|text| self.line(0, &[(text, tone)]));
        self.line(0, &[(&line.repeat(widest), Tone::Quiet)]);
        self.gap();
    }

    /// The head of a part: its name in a line across the page.
    pub(super) fn part(&mut self, text: &str) {
        self.label = None;
        self.gap();
        let line = if self.style.ascii { "-" } else { "─" };
        let lines = wrapped(&one_line(text), self.style.columns() - 3);
        for (number, text) in lines.iter().enumerate() {
            let before = if number == 0 { format!("{} ", line.repeat(2)) } else { " ".repeat(3) };
            let rest = self.style.columns().saturating_sub(text.width() + 4);
            let after =
                if number + 1 == lines.len() && rest > 0 { format!(" {}", line.repeat(rest)) } else { String::new() };
            self.line(0, &[(&before, Tone::Quiet), (text, Tone::Title), (&after, Tone::Quiet)]);
        }
        self.gap();
    }

    /// A heading inside a screen.
    pub(super) fn heading(&mut self, text: &str) {
        self.label = None;
        self.gap();
        self.line(2, &[(text, Tone::Label)]);
    }

    /// Names the values that follow, until the next label.
    pub(super) fn label(&mut self, label: &str) {
        self.label = Some(label.to_owned());
    }

    /// A label with its text.
    pub(super) fn row(&mut self, label: &str, text: &str) {
        self.label(label);
        self.value(text);
    }

    /// A label with a text that somebody may copy: never broken.
    pub(super) fn row_whole(&mut self, label: &str, text: &str) {
        self.label(label);
        let text = one_line(text);
        let lead = self.lead();
        self.put(&lead, &[], 0, &[text], Tone::Plain);
    }

    /// A text in the column of values.
    pub(super) fn value(&mut self, text: &str) {
        self.hang = 0;
        self.hanging(&[], 0, text, Tone::Plain);
    }

    /// A text from a reply in the column of values, its Markdown drawn.
    pub(super) fn rich(&mut self, text: &str) {
        self.hang = 0;
        let lead = self.lead();
        self.drawn(lead, text);
    }

    /// A text with its Markdown drawn, if it has any.
    fn drawn(&mut self, mut lead: Lead, text: &str) {
        let Some(lines) = markdown::lines(text, self.room(&lead), self.style.ascii) else {
            let lines = wrapped(text, self.room(&lead));
            return self.put(&lead, &[], 0, &lines, Tone::Plain);
        };
        for line in lines {
            let pieces: Vec<(&str, Tone)> = line.iter().map(|(text, tone)| (text.as_str(), *tone)).collect();
            self.put(&lead, &pieces, 0, &[], Tone::Plain);
            lead.label.clear();
        }
    }

    /// A label with a text from a reply.
    pub(super) fn rich_row(&mut self, label: &str, text: &str) {
        self.label(label);
        self.rich(text);
    }

    /// A quiet remark on the value or item above.
    pub(super) fn remark(&mut self, text: &str) {
        let hang = self.hang;
        self.hanging(&[(&" ".repeat(hang), Tone::Plain)], hang, text, Tone::Quiet);
    }

    /// A quiet text in the column of values.
    pub(super) fn note(&mut self, text: &str) {
        self.hanging(&[], 0, text, Tone::Quiet);
    }

    /// A text under the value above, set in.
    pub(super) fn set_in(&mut self, columns: usize, text: &str) {
        let lead = self.lead();
        self.drawn(Lead { indent: lead.indent + columns, ..lead }, text);
    }

    /// A marked item in the column of values.
    pub(super) fn item(&mut self, mark: Mark, name: &str, text: &str) {
        let (mark, tone, name) = (mark.text(self.style.ascii), mark.tone(), one_line(name));
        let after = if name.is_empty() { "" } else { "  " };
        let before = [(mark, tone), (" ", Tone::Plain), (name.as_str(), Tone::Title), (after, Tone::Plain)];
        let beside = name.width() <= LONGEST_NAME;
        self.hang = mark.width() + 1 + if beside { name.width() + after.width() } else { 0 };
        self.hanging(&before, self.hang, text, Tone::Plain);
    }

    /// A rule's id and what it says, in the column of values.
    pub(super) fn reason(&mut self, rule: &str, text: &str) {
        let rule = format!("{:<3}", one_line(rule));
        let hang = rule.width() + 1;
        self.hanging(&[(&rule, Tone::Label), (" ", Tone::Plain)], hang, text, Tone::Plain);
    }

    /// Lines in the column of values as they are: what stands under what must stay there. They must be clean.
    pub(super) fn verbatim(&mut self, lines: &[String]) {
        let lead = self.lead();
        self.put(&lead, &[], 0, lines, Tone::Quiet);
    }

    /// Short pieces in the column of values, broken only between them.
    pub(super) fn flow(&mut self, pieces: &[String]) {
        let separator = if self.style.ascii { " | " } else { " · " };
        let lead = self.lead();
        let room = self.room(&lead);
        let mut lines: Vec<String> = Vec::new();
        for piece in pieces.iter().map(|piece| one_line(piece)) {
            match lines.last_mut() {
                Some(line) if line.width() + separator.len().min(3) + piece.width() <= room => {
                    line.push_str(separator);
                    line.push_str(&piece);
                }
                // A piece that is longer than a line is broken like any text.
                _ => lines.extend(wrapped(&piece, room)),
            }
        }
        self.hang = 0;
        self.put(&lead, &[], 0, &lines, Tone::Plain);
    }

    /// A line of its own at this indentation, wrapped.
    pub(super) fn paragraph(&mut self, indent: usize, text: &str, tone: Tone) {
        let lead = Lead { label: String::new(), indent };
        let lines = wrapped(text, self.room(&lead));
        self.put(&lead, &[], 0, &lines, tone);
    }

    /// Commands to copy, one to a line, with what they do where there is room.
    pub(super) fn commands(&mut self, commands: &[(String, &str)]) {
        let widest = commands.iter().map(|(command, _)| command.width()).max().unwrap_or(0);
        let longest = commands.iter().map(|(_, does)| does.width()).max().unwrap_or(0);
        let fits = 4 + widest + 2 + longest <= self.style.columns();
        for (command, does) in commands {
            if fits && !does.is_empty() {
                let padding = " ".repeat(widest - command.width() + 2);
                self.line(4, &[(command, Tone::Plain), (&padding, Tone::Plain), (does, Tone::Quiet)]);
            } else {
                self.line(4, &[(command, Tone::Plain)]);
            }
        }
    }

    /// One line of pieces, not wrapped. The pieces must be clean.
    pub(super) fn line(&mut self, indent: usize, pieces: &[(&str, Tone)]) {
        self.text.push_str(&" ".repeat(indent));
        for (text, tone) in pieces {
            let painted = self.painted(text, *tone);
            self.text.push_str(&painted);
        }
        self.text.push('\n');
    }

    /// A text after something short on its first line; further lines are set in by `hang`.
    fn hanging(&mut self, before: &[(&str, Tone)], hang: usize, text: &str, tone: Tone) {
        let lead = self.lead();
        let taken: usize = before.iter().map(|(text, _)| text.width()).sum();
        let room = self.room(&lead);
        let lines = match taken <= hang {
            true => wrapped(text, room.saturating_sub(hang).max(8)),
            false => wrapped_after(text, room, taken, hang),
        };
        self.put(&lead, before, hang, &lines, tone);
    }

    /// Takes the label, and says where values start.
    fn lead(&mut self) -> Lead {
        let label = self.label.take();
        if self.style.columns() >= SIDE_BY_SIDE {
            return Lead { label: label.unwrap_or_default(), indent: VALUES };
        }
        if let Some(label) = label.filter(|label| !label.is_empty()) {
            self.line(2, &[(&label, Tone::Label)]);
        }
        Lead { label: String::new(), indent: 4 }
    }

    fn room(&self, lead: &Lead) -> usize {
        self.style.columns().saturating_sub(lead.indent).max(8)
    }

    fn put(&mut self, lead: &Lead, before: &[(&str, Tone)], hang: usize, lines: &[String], tone: Tone) {
        let nothing = [String::new()];
        let lines = if lines.is_empty() { &nothing[..] } else { lines };
        for (number, line) in lines.iter().enumerate() {
            let mut drawn = String::new();
            if number > 0 {
                drawn.push_str(&" ".repeat(lead.indent + hang));
            } else if lead.label.is_empty() {
                drawn.push_str(&" ".repeat(lead.indent));
            } else {
                let padding = " ".repeat(lead.indent.saturating_sub(2 + lead.label.width()));
                drawn = format!("  {}{padding}", self.painted(&lead.label, Tone::Label));
            }
            for (text, tone) in before.iter().filter(|_| number == 0) {
                drawn.push_str(&self.painted(text, *tone));
            }
            drawn.push_str(&self.painted(line, tone));
            self.text.push_str(drawn.trim_end());
            self.text.push('\n');
        }
    }

    fn painted(&self, text: &str, tone: Tone) -> String {
        if !self.style.color || tone == Tone::Plain || text.trim().is_empty() {
            return text.to_owned();
        }
        let ansi = tone.ansi();
        format!("{ansi}{text}{ansi:#}")
    }
}

struct Lead {
    label: String,
    indent: usize,
}
