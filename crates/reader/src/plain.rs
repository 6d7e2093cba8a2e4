//! Texts and lists as lines write them: block scalars, folded lines, bullets, quotes, comments.
//! Given what stands behind a key and the lines below it; hands on a text, or the items of a list.

use std::borrow::Cow;

use crate::lines::{Line, Style, bullet, head};
use crate::node::Node;
use crate::policy::is_number;
use crate::scalar::{quote, unquote};

/// The raw value of a field.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Raw<'a, 't> {
    /// What stands behind the key.
    pub inline: Line<'t>,
    /// The lines below it.
    pub lines: &'a [Line<'t>],
    pub style: Style,
    /// The document has comments, so that ` # ` begins one.
    pub comments: bool,
}

/// A text or a list, and what was odd about it.
pub(crate) struct Plain<'t> {
    pub node: Node<'t>,
    pub doubt: Option<&'static str>,
    /// It, or its last item, begins with a quote that nothing closes.
    pub unclosed: bool,
}

impl<'a, 't> Raw<'a, 't> {
    /// Lines alone.
    pub(crate) fn below(lines: &'a [Line<'t>], style: Style) -> Self {
        Self { inline: Line { start: 0, indent: 0, body: "", title: false }, lines, style, comments: false }
    }

    /// The first line below a key that has nothing beside it.
    pub(crate) fn first_below(&self) -> Option<usize> {
        self.lines.iter().position(|line| !line.is_blank()).filter(|_| self.inline.is_blank())
    }

    /// Where the value ends in the text.
    pub(crate) fn end(&self) -> usize {
        let last = self.lines.iter().rev().find(|line| !line.is_blank()).unwrap_or(&self.inline);
        last.start + last.body.len()
    }
}

/// Whether a document has comments where nothing else can stand: on their own line, behind a key, a number,
/// a closing bracket or quote.
pub(crate) fn has_comments(lines: &[Line<'_>]) -> bool {
    lines.iter().any(|line| {
        let Some((before, _)) = line.body.split_once(" # ") else { return line.body.starts_with("# ") };
        let before = before.trim_end();
        let value = before.rsplit(": ").next().unwrap_or_default();
        before.ends_with([':', ']', '}', '"', '\'']) || value.parse::<f64>().is_ok()
    })
}

/// `|`, `>-`, `|2`: the text is in the lines below.
pub(crate) fn is_block_mark(text: &str) -> bool {
    if !text.starts_with(['|', '>']) {
        return false;
    }
    let text = text.split('#').next().unwrap_or_default().trim();
    let mut letters = text.chars();
    matches!(letters.next(), Some('|' | '>')) && letters.all(|c| matches!(c, '+' | '-' | '0'..='9'))
}

/// A phrase with which models take their leave.
pub(crate) fn is_farewell(line: &str) -> bool {
    let starts = [
        "let me know",
        "i hope",
        "hope this",
        "feel free",
        "happy to",
        "please let",
        "thank",
        "would you like",
        "if you",
    ];
    starts.iter().any(|start| line.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start)))
}

/// A single text.
pub(crate) fn text<'t>(raw: &Raw<'_, 't>) -> Plain<'t> {
    let inline = untagged(raw.inline.body);
    if is_block_mark(inline) {
        let text = if inline.starts_with('>') { folded_block(raw.lines) } else { literal_block(raw.lines) };
        return Plain { node: Node::quoted(text), doubt: None, unclosed: false };
    }
    let inline = if raw.inline.indent > 4 { beside_mark(inline).unwrap_or(inline) } else { inline };
    if let Some(text) = long_text(inline, raw.lines) {
        return Plain { node: Node::quoted(text), doubt: None, unclosed: false };
    }
    let mut doubt = None;
    let joined = joined(inline, raw.lines, raw.style, &mut doubt);
    let text = without_comment(&joined, raw.comments);
    if text.len() < joined.trim_end().len() {
        doubt = Some("left out a comment");
    }
    finish(
        match joined {
            Cow::Borrowed(joined) => Cow::Borrowed(&joined[..text.len()]),
            Cow::Owned(ref joined) => Cow::Owned(joined[..text.len()].to_owned()),
        },
        doubt,
    )
}

/// `position: | Use it`: the mark of a block, and its text beside it instead of below.
fn beside_mark(inline: &str) -> Option<&str> {
    let text = ["| ", "|- ", ">- ", "> "].iter().find_map(|mark| inline.strip_prefix(mark))?;
    text.starts_with(char::is_alphabetic).then_some(text)
}

/// A text in triple quotes, with its line breaks.
fn long_text(inline: &str, lines: &[Line<'_>]) -> Option<String> {
    let mark = ["\"\"\"", "\'\'\'"].into_iter().find(|mark| inline.starts_with(mark))?;
    let text = std::iter::once(inline).chain(lines.iter().map(|line| line.body)).collect::<Vec<_>>().join("\n");
    let inside = text.strip_prefix(mark)?.trim_end().trim_end_matches(',').strip_suffix(mark)?;
    Some(inside.strip_prefix('\n').unwrap_or(inside).to_owned())
}

/// Takes quotes and a trailing comma off a text.
fn finish<'t>(text: Cow<'t, str>, mut doubt: Option<&'static str>) -> Plain<'t> {
    let trimmed = text.trim();
    let opens = trimmed.chars().next().and_then(quote);
    if opens.is_some() {
        let inside = trimmed.trim_end_matches([',', ';']);
        if let Some(inside) = unquote(inside.trim_end()) {
            if trimmed.ends_with([',', ';']) {
                doubt = Some("left out a comma after the quotes");
            }
            return Plain { node: Node::quoted(inside.into_owned()), doubt, unclosed: false };
        }
    }
    if trimmed.starts_with('"') && bare_quotes(trimmed) == 1 {
        let node = Node::plain(trimmed[1..].trim_end_matches(',').to_owned());
        return Plain { node, doubt: Some("a closing quote is missing"), unclosed: true };
    }
    let bare = trimmed.strip_suffix(',').unwrap_or(trimmed);
    if bare.len() < trimmed.len() {
        doubt = Some("left out a comma at the end");
    }
    let node = match text {
        Cow::Borrowed(text) => {
            let from = bare.as_ptr() as usize - text.as_ptr() as usize;
            Node::plain(&text[from..from + bare.len()])
        }
        Cow::Owned(_) => Node::plain(bare.to_owned()),
    };
    Plain { node, doubt, unclosed: false }
}

/// How many quotes stand in a text that are not escaped.
fn bare_quotes(text: &str) -> usize {
    let mut escaped = false;
    let counts = |byte| match byte {
        _ if escaped => {
            escaped = false;
            false
        }
        b'\\' => {
            escaped = true;
            false
        }
        byte => byte == b'"',
    };
    text.bytes().map(counts).filter(|counts| *counts).count()
}

/// A word or a number: lines are kept apart, so that a remark below it stays a remark. Several with bullets
/// are several.
pub(crate) fn word<'t>(raw: &Raw<'_, 't>) -> Node<'t> {
    let inline = untagged(raw.inline.body);
    let mut bullets = raw.lines.iter().filter_map(|line| bullet(line.body));
    if inline.is_empty() && bullets.next().is_some() && bullets.next().is_some() {
        return texts(raw).node;
    }
    let below =
        || raw.lines.iter().find(|line| !line.is_blank()).map_or("", |line| bullet(line.body).unwrap_or(line.body));
    let first = if inline.is_empty() || is_block_mark(inline) { below() } else { inline };
    let first = first.trim_end_matches([',', ';']);
    // A remark below may take the value back.
    let mut below = raw.lines.iter().filter(|line| !line.is_blank() && line.body != first && line.indent > 0);
    if let Some(remark) = below.next().filter(|line| !line.is_noise() && line.fence().is_none()) {
        return Node::plain(format!("{first}\n{}", remark.body));
    }
    match unquote(first) {
        Some(inside) => Node::quoted(inside),
        None => Node::plain(first),
    }
}

/// A text without a tag in front that only names a type: `!!float`, `!str`.
fn untagged(text: &str) -> &str {
    let Some(tag) = text.strip_prefix('!') else { return text };
    let name = tag.strip_prefix('!').unwrap_or(tag);
    let len = name.bytes().take_while(u8::is_ascii_alphabetic).count();
    let types = ["str", "string", "text", "seq", "list", "map", "float", "number", "int"];
    let names = tag.starts_with('!') && len > 0 || types.contains(&&name[..len]);
    if names && name[len..].starts_with(' ') { name[len..].trim_start() } else { text }
}

/// A comment needs a blank after its `#` and two before it, or one where the document has other comments, or
/// closed quotes: `issue #12` is none.
fn without_comment(text: &str, comments: bool) -> &str {
    let text = text.trim_end();
    if let Some(first) = text.chars().next()
        && let Some(kind) = quote(first)
        && let Some(at) = text.rfind(" #").or_else(|| text.rfind(" //"))
    {
        let before = text[..at].trim_end();
        if before.len() > 1 && before.chars().next_back().and_then(quote) == Some(kind) && unquote(before).is_some() {
            return before;
        }
        return text;
    }
    let mark = if comments { " # " } else { "  # " };
    match text.rfind(mark) {
        Some(at) if !text[at..].contains('\n') => text[..at].trim_end(),
        _ => text,
    }
}

/// The lines of a plain text as one: YAML folds them, Markdown means its breaks.
fn joined<'t>(inline: &'t str, lines: &[Line<'t>], style: Style, doubt: &mut Option<&'static str>) -> Cow<'t, str> {
    let quoted = style != Style::Plain
        && inline.is_empty()
        && lines.iter().all(|line| line.is_blank() || line.body.starts_with('>'));
    let mut parts = lines.iter().filter(|line| !line.is_blank());
    match (inline.is_empty(), parts.next(), parts.next()) {
        (false, None, _) => return Cow::Borrowed(inline),
        (true, Some(only), None) if quoted => return Cow::Borrowed(only.body[1..].trim_start()),
        (true, Some(only), None) => return Cow::Borrowed(bullet(only.body).unwrap_or(only.body)),
        _ => {}
    }
    let keeps = style != Style::Plain || lines.iter().any(|line| line.fence().is_some());
    let mut text = inline.to_owned();
    let in_quotes = inline.starts_with(|c| quote(c).is_some());
    let mut blanks = 0;
    for line in lines {
        if line.is_blank() {
            blanks += 1;
            continue;
        }
        if style != Style::Plain && line.is_rule() {
            continue;
        }
        if style == Style::Plain && line.body.starts_with("# ") && !keeps {
            *doubt = Some("left out a comment");
            continue;
        }
        if !text.is_empty() {
            match (keeps, blanks) {
                (true, 0) => text.push('\n'),
                (true, _) => text.push_str("\n\n"),
                (false, 0) if !in_quotes && (bullet(line.body).is_some() || is_entry(line)) => text.push('\n'),
                (false, 0) => text.push(' '),
                (false, _) => text.extend(std::iter::repeat_n('\n', blanks)),
            }
        }
        text.push_str(if quoted { line.body[1..].trim_start() } else { line.body });
        blanks = 0;
    }
    Cow::Owned(text)
}

/// A line that begins with a key of its own, which folding would hide: `detail: …`.
fn is_entry(line: &Line<'_>) -> bool {
    head(line).is_some_and(|head| head.spaced && head.name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'))
}

/// A literal block: lines as they are, less the indentation of the first.
fn literal_block(lines: &[Line<'_>]) -> String {
    let column = lines.iter().find(|line| !line.is_blank()).map_or(0, |line| line.indent);
    let mut text = String::new();
    for (at, line) in lines.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        if !line.is_blank() {
            text.extend(std::iter::repeat_n(' ', line.indent.saturating_sub(column).min(64)));
            text.push_str(line.body);
        }
    }
    trimmed(text)
}

/// A folded block: one line, with a break where a blank line stood.
fn folded_block(lines: &[Line<'_>]) -> String {
    let mut text = String::new();
    let mut blanks = 0;
    for line in lines {
        if line.is_blank() {
            blanks += 1;
            continue;
        }
        if !text.is_empty() {
            match blanks {
                0 => text.push(' '),
                _ => text.extend(std::iter::repeat_n('\n', blanks)),
            }
        }
        text.push_str(line.body);
        blanks = 0;
    }
    text
}

fn trimmed(text: String) -> String {
    let ends = text.trim_matches('\n');
    if ends.len() == text.len() { text } else { ends.to_owned() }
}

/// The items of a list.
pub(crate) fn texts<'t>(raw: &Raw<'_, 't>) -> Plain<'t> {
    let inline = untagged(raw.inline.body);
    let inline = if is_block_mark(inline) || inline.starts_with('#') { "" } else { inline };
    let any_bullet = raw.lines.iter().any(|line| line.behind_bullet().is_some());
    if !any_bullet {
        return tight(inline, raw).unwrap_or_else(|| unbulleted(inline, raw));
    }
    let mut list = Plain { node: Node::List(Vec::new()), doubt: None, unclosed: false };
    let mut items = Vec::new();
    if let Some(item) = raw.inline.behind_bullet() {
        items.push((item, Vec::new()));
    } else if !inline.is_empty() && !inline.ends_with(':') {
        list.doubt = Some("read the text behind the key as an item");
        items.push((raw.inline, Vec::new()));
    }
    gather(raw, &mut items);
    if let Some(carriers) = carriers(&items) {
        list.doubt = Some("read records of one field as texts");
        for ((first, _), carrier) in items.iter_mut().zip(carriers) {
            *first = first.from(carrier);
        }
    }
    let mut nodes = Vec::with_capacity(items.len());
    for (first, more) in &items {
        let item = text(&Raw { inline: *first, lines: more, style: Style::Plain, comments: raw.comments });
        list.doubt = item.doubt.or(list.doubt);
        list.unclosed = item.unclosed;
        nodes.push(item.node);
    }
    list.node = Node::List(nodes);
    list
}

/// Whether bullets below an item are part of its text: it is a block, or announces them.
fn keeps_bullets((first, more): &Item<'_>) -> bool {
    is_block_mark(first.body)
        || more.last().unwrap_or(first).body.ends_with(':')
        || more.iter().any(|line| bullet(line.body).is_some())
}

/// An item: its first line, and those that continue it.
type Item<'t> = (Line<'t>, Vec<Line<'t>>);

/// Sorts lines into items, by the column of the first bullet.
fn gather<'t>(raw: &Raw<'_, 't>, items: &mut Vec<Item<'t>>) {
    let mut column = None;
    let rules = raw.style != Style::Plain;
    let mut fence = None;
    for line in raw.lines {
        let fenced = fence.is_some() || line.fence().is_some() && !items.is_empty();
        if let Some(mark) = line.fence().filter(|_| fenced) {
            fence = if fence == Some(mark) { None } else { fence.or(Some(mark)) };
        }
        let in_block = items.last().is_some_and(|(first, _): &Item<'_>| is_block_mark(first.body))
            && column.is_some_and(|column| line.indent > column);
        if (fenced || in_block)
            && let Some((_, more)) = items.last_mut()
        {
            more.push(*line);
            continue;
        }
        let inner = |column: usize| line.indent > column + 1 && items.last().is_some_and(keeps_bullets);
        let own = line.behind_bullet().filter(|_| column.is_none_or(|column| !inner(column)));
        match own {
            Some(behind) => {
                column.get_or_insert(line.indent);
                items.push((behind, Vec::new()));
            }
            None if (line.body.starts_with("# ") && !rules) || (rules && line.is_rule()) => {}
            None => match items.last_mut() {
                Some((_, more)) => more.push(*line),
                None if line.is_blank() || line.body.ends_with(':') => {}
                None => items.push((*line, Vec::new())),
            },
        }
    }
}

/// The length of the key before each item, if every item has one that only carries it: `text: …`, `1: …`.
fn carriers(items: &[Item<'_>]) -> Option<Vec<usize>> {
    const CARRIERS: [&str; 12] = [
        "text",
        "content",
        "item",
        "value",
        "point",
        "statement",
        "description",
        "message",
        "reason",
        "concern",
        "rationale",
        "argument",
    ];
    let first = items.first()?.0.body.split(':').next()?;
    let length = |(line, _): &Item<'_>| {
        let (key, rest) = line.body.split_once(':')?;
        let carries = is_number(key) || (key == first && CARRIERS.contains(&key));
        (carries && rest.starts_with([' ', '\t'])).then_some(key.len() + 1)
    };
    items.iter().map(length).collect()
}

/// A list whose dashes stand close to the text: `-like this`, on every line.
fn tight<'t>(inline: &str, raw: &Raw<'_, 't>) -> Option<Plain<'t>> {
    let below = || raw.lines.iter().filter(|line| !line.is_blank());
    let dashed =
        |line: &Line<'_>| line.body.strip_prefix('-').is_some_and(|rest| rest.starts_with(char::is_alphabetic));
    if !inline.is_empty() || below().next().is_none() || !below().all(dashed) {
        return None;
    }
    let nodes = below().map(|line| finish(Cow::Borrowed(&line.body[1..]), None).node).collect();
    Some(Plain { node: Node::List(nodes), doubt: Some("read dashes without a blank as bullets"), unclosed: false })
}

/// A list without bullets: one text, entries by number, or one item per line.
fn unbulleted<'t>(inline: &'t str, raw: &Raw<'_, 't>) -> Plain<'t> {
    let below: Vec<&Line<'t>> = raw.lines.iter().filter(|line| !line.is_blank()).collect();
    if below.is_empty() || !inline.is_empty() {
        return text(raw);
    }
    let quoted = below.iter().all(|line| line.body.chars().next().is_some_and(|c| quote(c).is_some()));
    let apart = raw.lines.iter().any(Line::is_blank) && below.len() > 1;
    if quoted || (raw.style != Style::Plain && below.len() > 1) {
        let nodes = below.into_iter().map(|line| finish(Cow::Borrowed(line.body), None).node).collect();
        return Plain { node: Node::List(nodes), doubt: Some("read lines without bullets as a list"), unclosed: false };
    }
    if apart {
        let mut nodes = Vec::new();
        for paragraph in raw.lines.split(Line::is_blank).filter(|lines| !lines.is_empty()) {
            nodes.push(text(&Raw { comments: raw.comments, ..Raw::below(paragraph, raw.style) }).node);
        }
        return Plain { node: Node::List(nodes), doubt: Some("read paragraphs as a list"), unclosed: false };
    }
    text(raw)
}
