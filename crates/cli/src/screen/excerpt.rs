//! A problem of a file as a person mends it: the place, the line that stands there with carets under it, what would be
//! right. Given problems with line and column; hands on text with colour in it, which the stream or the caller strips.
//! The file is read again for its line: what is told of a place that moved meanwhile is only told less exactly.
//! Deliberately absent: finding problems, and any line that holds what looks like a secret.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anstyle::{AnsiColor, Style as Ansi};
use s2s::catalog::Problem;
use s2s::clean::clean_text;
use s2s::secrets;
use unicode_width::UnicodeWidthChar;

use super::Style;

/// The largest file a line is looked up in, in bytes.
const MAX_BYTES: u64 = 4 << 20;
/// The columns of an excerpt where nobody says how many there are.
const COLUMNS: usize = 80;
/// The columns of a tab.
const TAB: usize = 4;

/// A problem in full: its head, the line with its carets, and what would be right. Where the problem `after` it is of
/// the same place, that one shows the line. Ends with a line break.
pub fn told(problem: &Problem, after: Option<&Problem>, label: &str, columns: Option<usize>) -> String {
    let place = |problem: &Problem| (problem.file.clone(), problem.line, problem.column);
    let shows = after.is_none_or(|after| place(after) != place(problem)) || problem.allowed.is_some();
    let line = if shows { source_line(problem) } else { None };
    let line = line.as_deref();
    let quiet = AnsiColor::Blue.on_default().bold();
    let mut head = problem.file.clone();
    for place in [problem.line, problem.column] {
        if place > 0 {
            head.push_str(&format!(":{place}"));
        }
    }
    let head = clean_text(&format!("{label}{head}: {}", problem.what)).into_owned();
    let head = match columns {
        Some(columns) => textwrap::fill(&head, textwrap::Options::new(columns).break_words(false)),
        None => head,
    };
    let mut text = format!("{head}\n");
    let number = problem.line.to_string();
    let gutter = " ".repeat(number.len());
    if let Some(line) = line {
        let room = columns.unwrap_or(COLUMNS).saturating_sub(number.len() + 6).max(20);
        let (shown, carets) = drawn(line, problem.column, room);
        let mark = AnsiColor::Red.on_default().bold();
        text.push_str(&format!("  {quiet}{number} |{quiet:#} {shown}\n"));
        text.push_str(&format!("  {gutter} {quiet}|{quiet:#} {mark}{carets}{mark:#}\n"));
    }
    if let Some(allowed) = &problem.allowed {
        text.push_str(&help(&gutter, allowed, quiet, columns, line.is_some()));
    }
    text
}

/// What would be right, under the excerpt.
fn help(gutter: &str, allowed: &str, quiet: Ansi, columns: Option<usize>, below: bool) -> String {
    let start = if below { format!("  {gutter} ") } else { "  ".to_owned() };
    let said = format!("allowed: {}", clean_text(allowed));
    let said = match columns {
        Some(columns) => {
            let room = columns.saturating_sub(start.len() + 2).max(20);
            let hanging = format!("{start}  ");
            textwrap::wrap(&said, textwrap::Options::new(room).break_words(false)).join(&format!("\n{hanging}"))
        }
        None => said,
    };
    format!("{start}{quiet}={quiet:#} {said}\n")
}

/// Only the line and its carets, without colour, for a page that says the rest; empty where there is no line.
pub(super) fn excerpt(problem: &Problem, style: &Style) -> Vec<String> {
    let Some(line) = source_line(problem) else { return Vec::new() };
    let number = problem.line.to_string();
    let (shown, carets) = drawn(&line, problem.column, style.columns().saturating_sub(number.len() + 20).max(20));
    vec![format!("{number} | {shown}"), format!("{} | {carets}", " ".repeat(number.len()))]
}

/// The line a problem points at; none where there is none, or where it must not be repeated.
fn source_line(problem: &Problem) -> Option<String> {
    if problem.line == 0 {
        return None;
    }
    let path = Path::new(&problem.file);
    let meta = std::fs::metadata(path).ok()?;
    if !meta.is_file() || meta.len() > MAX_BYTES {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let line = text.lines().nth(usize::try_from(problem.line).ok()?.checked_sub(1)?)?;
    let is_secret = !secrets::scan("", line).is_empty() || line.split_whitespace().any(looks_secret);
    (!line.trim().is_empty() && !is_secret).then(|| line.to_owned())
}

/// Whether a single value is one: without the name before it, which a line may lack.
fn looks_secret(word: &str) -> bool {
    secrets::looks_like_secret(word.trim_matches(['"', '\'', ',', '[', ']', '{', '}'])).is_some()
}

/// A line in so much room, and the carets under what stands at a column (from 1, in characters; 0 = all of it).
fn drawn(line: &str, column: u32, room: usize) -> (String, String) {
    let chars: Vec<char> = line.chars().collect();
    let indent = chars.iter().take_while(|c| c.is_whitespace()).count();
    let (from, to) = match usize::try_from(column).ok().and_then(|column| column.checked_sub(1)) {
        None => (indent, trimmed(&chars, chars.len())),
        Some(at) => (at.min(chars.len()), extent(&chars, at.min(chars.len()))),
    };
    // Each character as it is shown, with its columns.
    let cells: Vec<(String, usize)> = chars.iter().map(|c| cell(*c)).collect();
    let total: usize = cells.iter().map(|(_, width)| width).sum();
    let mut start = 0;
    if total + 1 > room {
        // A third of the room before the place, the rest for it and what follows.
        let mut before = 0;
        start = from;
        while start > 0 && before + cells[start - 1].1 <= room / 3 {
            before += cells[start - 1].1;
            start -= 1;
        }
        // Room that the rest of the line leaves is given back to what stands before.
        let mut rest: usize = cells[start..].iter().map(|(_, width)| width).sum();
        while start > 0 && rest + cells[start - 1].1 + 2 < room {
            rest += cells[start - 1].1;
            start -= 1;
        }
    }
    let (mut shown, mut used) = if start > 0 { ("…".to_owned(), 1) } else { (String::new(), 0) };
    let (mut blank, mut carets) = (used, 0);
    for (at, (text, width)) in cells.iter().enumerate().skip(start) {
        if used + width + 1 > room && at + 1 < cells.len() {
            shown.push('…');
            break;
        }
        shown.push_str(text);
        used += width;
        if at < from {
            blank += width;
        } else if at < to {
            carets += width;
        }
    }
    (shown, format!("{}{}", " ".repeat(blank), "^".repeat(carets.max(1))))
}

/// How a character is shown: tabs as blanks, what steers a terminal as a mark for it.
fn cell(c: char) -> (String, usize) {
    let steers =
        c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    match c {
        '\t' => (" ".repeat(TAB), TAB),
        _ if steers => (char::REPLACEMENT_CHARACTER.to_string(), 1),
        c => (c.to_string(), c.width().unwrap_or(0)),
    }
}

/// Where what begins at `at` ends: a quoted text with its quotes, a word, a value up to its comment.
fn extent(chars: &[char], at: usize) -> usize {
    let Some(first) = chars.get(at) else { return at };
    if first.is_whitespace() {
        return chars[at..].iter().position(|c| !c.is_whitespace()).map_or(chars.len(), |blanks| at + blanks);
    }
    if matches!(first, '"' | '\'') {
        let closes = |(index, c): &(usize, &char)| *c == first && (*first == '\'' || chars[index - 1] != '\\');
        let end = chars.iter().enumerate().skip(at + 1).find(closes);
        return end.map_or_else(|| trimmed(chars, chars.len()), |(index, _)| index + 1);
    }
    if matches!(first, '[' | ']' | '{' | '}' | '-' | '#' | '&' | '*' | '!' | '|' | '>') {
        return at + 1;
    }
    let in_flow = chars[..at].iter().any(|c| matches!(c, '[' | '{'));
    let ends = |index: &usize| {
        let (c, next) = (chars[*index], chars.get(index + 1));
        let before = chars[index - 1];
        (c == ':' && next.is_none_or(|next| next.is_whitespace()))
            || (c == '#' && before.is_whitespace())
            || (in_flow && matches!(c, ',' | ']' | '}'))
    };
    trimmed(chars, (at + 1..chars.len()).find(ends).unwrap_or(chars.len())).max(at + 1)
}

/// An end without the blanks before it.
fn trimmed(chars: &[char], end: usize) -> usize {
    chars[..end].iter().rposition(|c| !c.is_whitespace()).map_or(0, |last| last + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, column: u32, room: usize, expected: [&str; 2]) {
        let (shown, carets) = drawn(line, column, room);
        assert_eq!([shown.as_str(), carets.as_str()], expected);
    }

    #[test]
    fn carets_stand_under_what_is_meant() {
        check("  rounds: many # few", 11, 60, ["  rounds: many # few", "          ^^^^"]);
        check("  stategy: debate", 3, 60, ["  stategy: debate", "  ^^^^^^^"]);
        check(r#"name: "a \"b" # x"#, 7, 60, [r#"name: "a \"b" # x"#, "      ^^^^^^^"]);
        check("name: 'never closed ", 7, 60, ["name: 'never closed ", "      ^^^^^^^^^^^^^"]);
        check("seats: [qa-lead, nobody]", 18, 60, ["seats: [qa-lead, nobody]", "                 ^^^^^^"]);
        check("url: http://a#b", 6, 60, ["url: http://a#b", "     ^^^^^^^^^^"]);
        check("  whole line  ", 0, 60, ["  whole line  ", "  ^^^^^^^^^^"]);
        check("ends: ", 99, 60, ["ends: ", "      ^"]);
        check("", 1, 60, ["", "^"]);
    }

    #[test]
    fn tabs_wide_characters_and_what_steers_keep_their_columns() {
        check("\tname: x", 8, 60, ["    name: x", "          ^"]);
        check("\tname: x", 1, 60, ["    name: x", "^^^^"]);
        check("名\tx: 値", 3, 60, ["名    x: 値", "      ^"]);
        check("名前: 値段が高い", 5, 60, ["名前: 値段が高い", "      ^^^^^^^^^^"]);
        check("a\u{1b}[31m: \u{202e}x", 9, 60, ["a�[31m: �x", "        ^^"]);
    }

    #[test]
    fn a_long_line_is_shown_around_the_place() {
        let line = format!("{}here, {}", "a ".repeat(60), "b ".repeat(60));
        let shown = "… a a a a a a here, b b b b b b b b b b…";
        check(&format!("[{}", &line[1..]), 121, 40, [shown, "              ^^^^"]);
        let (shown, carets) = drawn(&line, 1, 40);
        assert!(shown.ends_with('…') && carets.starts_with('^'), "{shown}\n{carets}");
        for column in [0, 1, 50, 120, 200, 240, 999] {
            for room in [20, 33, 40, 80] {
                let (shown, carets) = drawn(&line, column, room);
                assert!(shown.chars().count() <= room && carets.len() <= room, "{column} {room}: {shown}\n{carets}");
            }
        }
    }
}
