//! The lines of a reply: indentation, bullets, and the key a line may begin with.
//! Given text; hands on lines and what stands at their head. Each line is looked at by its start only.

use crate::scalar::{is_ornament, quote, without_ornament};
use crate::schema::{LONGEST_KEY, Schema};

/// A line without its break.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'t> {
    /// Where it begins in the text.
    pub start: usize,
    /// Columns before its first letter.
    pub indent: usize,
    /// Its text from there, without blanks at the end.
    pub body: &'t str,
    /// It is underlined, or its text follows as a definition: it is a title.
    pub title: bool,
}

impl<'t> Line<'t> {
    pub(crate) fn is_blank(&self) -> bool {
        self.body.is_empty()
    }

    /// The line behind its bullet, moved to the column where it begins.
    pub(crate) fn behind_bullet(&self) -> Option<Line<'t>> {
        let rest = bullet(self.body)?;
        Some(self.from(self.body.len() - rest.len()))
    }

    /// The line with the first `bytes` of its body left out.
    pub(crate) fn from(&self, bytes: usize) -> Line<'t> {
        let rest = &self.body[bytes..];
        let body = rest.trim_start();
        let moved = bytes + (rest.len() - body.len());
        let columns = self.body[..moved].chars().count();
        Line { start: self.start + moved, indent: self.indent + columns, body, title: self.title }
    }

    pub(crate) fn fence(&self) -> Option<char> {
        ["```", "~~~"].iter().find(|mark| self.body.starts_with(**mark)).and_then(|mark| mark.chars().next())
    }

    /// A rule or the end mark of a document: `---`, `...`, `<<<END>>>`, `=== end ===`.
    pub(crate) fn is_rule(&self) -> bool {
        let marks = |bytes: &mut dyn Iterator<Item = u8>| {
            bytes.take_while(|b| matches!(b, b'<' | b'>' | b'=' | b'-' | b'*' | b'#' | b'~')).count()
        };
        if marks(&mut self.body.bytes()) >= 3 && marks(&mut self.body.bytes().rev()) >= 3 {
            return true;
        }
        let same = |mark: u8| self.body.len() >= 3 && self.body.bytes().all(|b| b == mark);
        same(b'-') || same(b'=') || same(b'*') || same(b'_') || self.body == "..."
    }

    /// A line of a tool, not of the model: a time stamp, a spinner.
    pub(crate) fn is_noise(&self) -> bool {
        let mut letters = self.body.chars();
        match letters.next() {
            Some('\u{2800}'..='\u{28FF}') => true,
            Some('[') => {
                let stamp = letters.as_str().split(']').next().unwrap_or_default();
                stamp.len() >= 5 && stamp.starts_with(|c: char| c.is_ascii_digit()) && stamp.contains(':')
            }
            _ => ["INFO ", "WARN ", "DEBUG ", "ERROR ", "TRACE "].iter().any(|level| self.body.starts_with(level)),
        }
    }
}

/// The lines of a text.
pub(crate) fn lines(text: &str) -> Vec<Line<'_>> {
    let mut lines = Vec::with_capacity(text.len() / 32 + 1);
    let mut offset = 0;
    for raw in text.split('\n') {
        lines.push(line(raw, offset));
        offset += raw.len() + 1;
    }
    mark_titles(&mut lines);
    lines
}

/// Finds titles that are underlined with `===` or `---`; the underline itself is no text.
fn mark_titles(lines: &mut [Line<'_>]) {
    for at in 1..lines.len() {
        let under = lines[at].body;
        let underlines = under.len() >= 3 && (under.bytes().all(|b| b == b'=') || under.bytes().all(|b| b == b'-'));
        let above = lines[at - 1].body;
        let alone = at < 2 || lines[at - 2].is_blank();
        let words =
            above.len() <= LONGEST_KEY && above.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '_' | '-'));
        if underlines && alone && !above.is_empty() && words {
            lines[at - 1].title = true;
            lines[at].body = "";
        } else if under.starts_with(": ") && !above.is_empty() && words {
            lines[at - 1].title = true;
            lines[at] = lines[at].from(2);
        }
    }
}

fn line(raw: &str, offset: usize) -> Line<'_> {
    let body = raw.trim_start();
    let blank = raw.len() - body.len();
    let indent = raw[..blank].chars().map(|c| if c == '\t' { 4 } else { 1 }).sum();
    Line { start: offset + blank, indent, body: body.trim_end(), title: false }
}

/// The text behind a bullet: `- `, `* `, `• `, `1. `, `2) `, `(3) `, an ornament; `None` if there is none.
pub(crate) fn bullet(body: &str) -> Option<&str> {
    let mut letters = body.chars();
    let first = letters.next()?;
    let rest = letters.as_str();
    let blank = |rest: &str| rest.is_empty() || rest.starts_with([' ', '\t']);
    match first {
        '-' | '*' | '+' if blank(rest) => Some(unchecked(rest.trim_start())),
        '-' | '=' | '>' if rest.starts_with(['-', '>']) && blank(&rest[1..]) => Some(rest[1..].trim_start()),
        '\u{2022}' | '\u{2023}' | '\u{25E6}' | '\u{25AA}' | '\u{25CF}' | '\u{25CB}' | '\u{00B7}' | '\u{2043}'
        | '\u{2219}' | '\u{25B8}' | '\u{25BA}' => Some(rest.trim_start()),
        '\u{2013}' | '\u{2014}' if blank(rest) && !rest.ends_with(first) => Some(rest.trim_start()),
        '0'..='9' => numbered(body).or_else(|| without_ornament(body)),
        '#' => {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            ((1..=2).contains(&digits) && rest[digits..].starts_with([' ', ')', ':']))
                .then(|| rest[digits + 1..].trim_start())
        }
        '[' => {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let behind = rest[digits..].strip_prefix("] ").filter(|_| digits > 0);
            behind.map(str::trim_start).or_else(|| Some(unchecked(body)).filter(|rest| rest.len() < body.len()))
        }
        'a'..='h' if rest.starts_with(") ") => Some(rest[2..].trim_start()),
        '(' => {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let behind = rest[digits..].strip_prefix(')')?;
            ((1..=3).contains(&digits) && blank(behind)).then(|| behind.trim_start())
        }
        _ if is_ornament(first) => without_ornament(body),
        _ => None,
    }
}

/// A text without the box before it: `[ ] x`, `[x] x`.
fn unchecked(text: &str) -> &str {
    ["[ ] ", "[x] ", "[X] "].iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text)
}

fn numbered(body: &str) -> Option<&str> {
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    let behind = body[digits..].strip_prefix(['.', ')']).or_else(|| {
        let dashed = body[digits..].strip_prefix(" -").or_else(|| body[digits..].strip_prefix(" \u{2013}"));
        dashed.filter(|_| digits < 3)
    })?;
    ((1..=3).contains(&digits) && behind.starts_with([' ', '\t'])).then(|| behind.trim_start())
}

/// How a key was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// `key: value`.
    Plain,
    /// `**Key:** value`, `` `key` ``: marked as a title inside the text.
    Marked,
    /// `## Key`.
    Heading,
    /// `| key | value |`.
    Row,
}

/// A key at the head of a line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head<'t> {
    pub name: &'t str,
    pub style: Style,
    /// Where the key begins, in columns.
    pub indent: usize,
    /// What follows it on the line, as a line of its own.
    pub rest: Line<'t>,
    /// Whether its colon was followed by a blank or the end of the line.
    pub spaced: bool,
    /// How deep a heading is; 0 where it is none.
    pub level: usize,
    /// It is the head of a table of TOML: `[[conflicts]]`, `[conflicts.positions]`.
    pub table: bool,
}

/// The key that a line begins with, whatever its name.
pub(crate) fn head<'t>(line: &Line<'t>) -> Option<Head<'t>> {
    if line.body.starts_with('|') {
        return row(line);
    }
    let line = match line.behind_bullet() {
        Some(behind) if !behind.is_blank() => behind,
        _ => *line,
    };
    let body = line.body;
    if line.title {
        let rest = line.from(body.len());
        return Some(Head {
            name: body,
            style: Style::Heading,
            indent: line.indent,
            rest,
            spaced: true,
            level: 1,
            table: false,
        });
    }
    let mut style = Style::Plain;
    let hashes = body.bytes().take_while(|b| *b == b'#').count();
    let mut at = 0;
    if (1..=6).contains(&hashes) {
        style = Style::Heading;
        at = hashes;
        let behind = body[at..].trim_start();
        let behind = bullet(behind).unwrap_or(behind);
        at = body.len() - behind.len();
    }
    let opened = body.len() - at - body[at..].trim_start_matches(is_mark).len();
    let marks = &body[at..at + opened];
    if style == Style::Plain && marks.contains(['*', '_', '`', '[']) {
        style = Style::Marked;
    }
    at += opened;
    let most = body.len().min(at + LONGEST_KEY + 16);
    let window = body.get(at..most).unwrap_or(&body[at..]);
    let len = window.find(|c: char| !is_key_letter(c)).unwrap_or(window.len());
    if len > LONGEST_KEY {
        return None;
    }
    let len = whole_key(&body[at..], len);
    let name = body[at..at + len].trim();
    if name.is_empty() || !name.starts_with(|c: char| c.is_alphanumeric()) {
        return None;
    }
    let (behind, spaced) = behind_key(&body[at + len..], style, opened > 0)?;
    let rest = line.from(body.len() - behind.len());
    let table = body.starts_with('[') && body.ends_with(']') && rest.is_blank();
    let level = if style == Style::Heading { hashes } else { 0 };
    Some(Head { name, style, indent: line.indent, rest, spaced, level, table })
}

/// The length of a key that may have a colon inside: a name with a prefix, `project:dba: value`. `len` is where its
/// first colon stands. No field of ours is called like the prefix, so nothing else can be meant.
pub(crate) fn whole_key(text: &str, len: usize) -> usize {
    const PREFIX: &str = "project:";
    const LONGEST_NAME: usize = 100;
    let Some(behind) = text.strip_prefix(PREFIX).filter(|_| len + 1 == PREFIX.len()) else { return len };
    let letter = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    let name = behind.bytes().take(LONGEST_NAME).take_while(letter).count();
    let closed = behind[name..].trim_start_matches(|c| matches!(c, '*' | '_' | '`') || quote(c).is_some());
    let colon = closed.trim_start_matches([' ', '\t']).starts_with([':', '=', '\u{FF1A}']);
    if name > 0 && colon { PREFIX.len() + name } else { len }
}

fn is_mark(c: char) -> bool {
    matches!(c, '*' | '_' | '`' | '[' | '<') || quote(c).is_some() || is_ornament(c)
}

fn is_key_letter(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '.' | '\\')
}

/// What follows a key: the rest behind its colon, and whether that was spaced. A heading or a marked key
/// needs none.
fn behind_key(text: &str, style: Style, opened: bool) -> Option<(&str, bool)> {
    let closes = |c: char| matches!(c, '*' | '_' | '`' | ']' | '>') || quote(c).is_some();
    let closed = if opened { text.trim_start_matches(closes) } else { text };
    let mut text = closed.trim_start();
    // `Confidence (0-1): 0.8`
    if let Some(inside) = text.strip_prefix('(')
        && let Some(end) = inside.bytes().take(40).position(|b| b == b')')
        && inside[end + 1..].trim_start_matches(closes).starts_with([':', '\u{FF1A}'])
    {
        text = inside[end + 1..].trim_start_matches(closes);
    }
    let colon = [":=", "=>", "->", ":", "\u{FF1A}", "="].iter().find_map(|colon| text.strip_prefix(colon));
    match colon {
        Some(rest) if text.starts_with("==") => Some((rest, false)).filter(|_| false),
        Some(rest) => {
            let spaced = rest.is_empty() || rest.starts_with([' ', '\t']);
            // `**Key:** value`, `_Key:_ value`; but not `"key": **value**`.
            let marked = style != Style::Plain && rest.starts_with(['*', '_', '`']);
            let rest = if marked { rest.trim_start_matches(['*', '_', '`']) } else { rest };
            // `key:: value`
            Some((rest.strip_prefix(": ").unwrap_or(rest), spaced))
        }
        None if text.is_empty() && (style != Style::Plain) => Some((text, true)),
        None if style == Style::Marked && matches!(text, "-" | "\u{2013}" | "\u{2014}") => Some(("", true)),
        None if style == Style::Marked => ["- ", "\u{2013} ", "\u{2014} ", "\u{2014}"]
            .iter()
            .find_map(|dash| text.strip_prefix(dash))
            .map(|rest| (rest, true)),
        None => None,
    }
}

/// `| key | value |`.
fn row<'t>(line: &Line<'t>) -> Option<Head<'t>> {
    let inside = line.body.strip_prefix('|')?;
    let (name, rest) = inside.split_once('|')?;
    let name = name.trim().trim_matches(|c| matches!(c, '*' | '`' | '_'));
    let cell = rest.trim().strip_suffix('|')?.trim();
    if name.is_empty() || name.len() > LONGEST_KEY {
        return None;
    }
    let at = cell.as_ptr() as usize - line.body.as_ptr() as usize;
    let rest = Line { start: line.start + at, indent: line.indent + 1, body: cell, title: false };
    Some(Head { name, style: Style::Row, indent: line.indent, rest, spaced: true, level: 0, table: false })
}

/// The field of the schema that a line begins, and its head.
pub(crate) fn field_head<'t>(line: &Line<'t>, schema: &Schema) -> Option<(usize, Head<'t>)> {
    let first = line.body.as_bytes().first()?;
    // Nearly all lines of prose and lists are passed here.
    if first.is_ascii_punctuation() && matches!(first, b'{' | b'}' | b']' | b',' | b'>' | b'<') {
        return None;
    }
    let head = head(line)?;
    Some((schema.field(head.name)?, head))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_in_all_their_dresses() {
        for (raw, name, rest) in [
            ("position: use it", "position", "use it"),
            ("position:use it", "position", "use it"),
            ("position : use it", "position", "use it"),
            ("\"position\": \"use it\",", "position", "\"use it\","),
            ("**Position:** use it", "Position", "use it"),
            ("**Position**: use it", "Position", "use it"),
            ("- **Position**: use it", "Position", "use it"),
            ("* **Position** \u{2014} use it", "Position", "use it"),
            ("## Position", "Position", ""),
            ("### 1. Position:", "Position", ""),
            ("1. Position: use it", "Position", "use it"),
            ("`position`: use it", "position", "use it"),
            ("[position]: use it", "position", "use it"),
            ("position = \"use it\"", "position", "\"use it\""),
            ("Confidence (0-1): 0.8", "Confidence", "0.8"),
            ("| position | use it |", "position", "use it"),
            ("\u{1F4CC} Position: use it", "Position", "use it"),
            ("project:dba: use it", "project:dba", "use it"),
            ("- project:Api_Owner.v2: nobody: never", "project:Api_Owner.v2", "nobody: never"),
            ("\"project:dba\": \"use it\"", "project:dba", "\"use it\""),
            ("**project:dba**: use it", "project:dba", "use it"),
            ("project: dba", "project", "dba"),
            ("project:use it", "project", "use it"),
        ] {
            let head = head(&line(raw, 0)).unwrap_or_else(|| panic!("no key in {raw}"));
            assert_eq!((head.name, head.rest.body), (name, rest), "{raw}");
        }
        for raw in ["position first, then reasons", "", "---", "- use it", "position == x", "Use it, because: no"] {
            assert!(head(&line(raw, 0)).is_none_or(|head| head.name != "position"), "{raw}");
        }
    }

    #[test]
    fn bullets_are_known() {
        for raw in
            ["- x", "* x", "+ x", "\u{2022} x", "\u{2022}x", "1. x", "12) x", "(3) x", "🔹 x", "✅ x", "\u{2013} x"]
        {
            assert_eq!(bullet(raw), Some("x"), "{raw}");
        }
        for raw in ["x", "-x", "**x**", "3.5 x", "2026. x", "(a) x"] {
            assert_eq!(bullet(raw), None, "{raw}");
        }
    }
}
