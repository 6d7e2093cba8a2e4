//! Quotes, escapes and marks around one text: given the raw text of a value, hands on what it says.
//! Both grammars use it. A flaw is undone only where one reading is possible; the caller notes the doubt.

use std::borrow::Cow;

/// Quotes that open and close a text. Those of one family close each other, because models mix them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quote {
    /// `"` and its typographic forms.
    Double,
    /// `'` and its typographic forms.
    Single,
    /// A backtick.
    Tick,
}

pub(crate) fn quote(c: char) -> Option<Quote> {
    match c {
        '"' | '\u{201C}' | '\u{201D}' | '\u{201E}' | '\u{201F}' | '\u{FF02}' | '\u{AB}' | '\u{BB}' | '\u{300C}'
        | '\u{300D}' | '\u{2033}' | '\u{275D}' | '\u{275E}' | '\u{301D}' | '\u{301E}' => Some(Quote::Double),
        '\'' | '\u{2018}' | '\u{2019}' | '\u{201A}' | '\u{201B}' | '\u{FF07}' | '\u{2032}' => Some(Quote::Single),
        '`' => Some(Quote::Tick),
        _ => None,
    }
}

/// Whether a mark can close what another one opened: plain quotes only their like, typographic ones all of
/// their family.
pub(crate) fn pairs_with(open: char, close: char) -> bool {
    open == close || (!open.is_ascii() && quote(open) == quote(close))
}

/// Undoes backslash escapes. A text with an escape that does not exist (`\d`, `C:\logs`) was written by
/// somebody who does not escape: there a backslash is a backslash, except before a quote or itself.
pub(crate) fn unescape(raw: &str) -> Cow<'_, str> {
    if !raw.contains('\\') {
        return Cow::Borrowed(raw);
    }
    let literal = has_unknown_escape(raw);
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let tail = &rest[at + 1..];
        rest = take_escape(&mut out, tail, literal);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Takes the escape after a backslash into `out`; hands on what follows it.
fn take_escape<'r>(out: &mut String, tail: &'r str, literal: bool) -> &'r str {
    let Some(c) = tail.chars().next() else {
        out.push('\\');
        return tail;
    };
    let after = &tail[c.len_utf8()..];
    let whitespace = match c {
        'n' if !(literal && in_path(out)) => Some('\n'),
        't' if !literal => Some('\t'),
        'r' if !literal => Some('\r'),
        'b' if !literal => Some('\u{8}'),
        'f' if !literal => Some('\u{C}'),
        _ => None,
    };
    match (whitespace, c) {
        (Some(space), _) => out.push(space),
        (None, '"' | '\'' | '`' | '\\' | '/' | '\u{201C}' | '\u{201D}') => out.push(c),
        (None, '\n') => return after.trim_start_matches([' ', '\t']),
        (None, 'u') => {
            if let Some((unit, after)) = hex(after, 4) {
                return take_unit(out, unit, after);
            }
            out.push_str("\\u");
        }
        (None, 'x') => {
            if let Some((unit, after)) = hex(after, 2) {
                out.push(char::from_u32(unit).unwrap_or('\u{FFFD}'));
                return after;
            }
            out.push_str("\\x");
        }
        _ => {
            out.push('\\');
            out.push(c);
        }
    }
    after
}

/// One UTF-16 unit: a letter, the first half of a pair, or a lone half, which stands for no letter.
fn take_unit<'r>(out: &mut String, unit: u32, after: &'r str) -> &'r str {
    if let 0xD800..0xDC00 = unit
        && let Some((low @ 0xDC00..0xE000, after)) = after.strip_prefix("\\u").and_then(|tail| hex(tail, 4))
    {
        let code = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
        out.push(char::from_u32(code).unwrap_or('\u{FFFD}'));
        return after;
    }
    out.push(char::from_u32(unit).unwrap_or('\u{FFFD}'));
    after
}

fn hex(text: &str, digits: usize) -> Option<(u32, &str)> {
    let number = text.get(..digits).filter(|number| number.bytes().all(|b| b.is_ascii_hexdigit()))?;
    Some((u32::from_str_radix(number, 16).ok()?, &text[digits..]))
}

fn has_unknown_escape(raw: &str) -> bool {
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        let tail = &rest[at + 1..];
        let Some(c) = tail.chars().next() else { return true };
        let known = match c {
            'n' | 't' | 'r' | 'b' | 'f' | '"' | '\'' | '`' | '\\' | '/' | '\n' | '\u{201C}' | '\u{201D}' => true,
            'u' => hex(&tail[1..], 4).is_some(),
            'x' => hex(&tail[1..], 2).is_some(),
            _ => false,
        };
        if !known {
            return true;
        }
        rest = &tail[c.len_utf8()..];
    }
    false
}

/// Whether the word being written is a path (`C:`, `C:\logs`), so that `\new` continues it.
fn in_path(out: &str) -> bool {
    let from = out.len() - out.bytes().rev().take(64).take_while(|b| !b.is_ascii_whitespace()).count();
    let word = out.get(from..).unwrap_or_default();
    word.contains('\\') || (word.len() == 2 && word.ends_with(':'))
}

/// A text that stands in quotes as a whole, without them; `None` if it does not. A quote inside that
/// clearly ends the first word or phrase (`"Local first" technology`) means the quotes belong to the text.
pub(crate) fn unquote(text: &str) -> Option<Cow<'_, str>> {
    let first = text.chars().next()?;
    let kind = quote(first)?;
    let mark = match kind {
        Quote::Double => "\"\"\"",
        Quote::Single => "'''",
        Quote::Tick => "```",
    };
    if let Some(inside) = text.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark)) {
        return Some(Cow::Borrowed(inside.strip_prefix('\n').unwrap_or(inside)));
    }
    let last = text.chars().next_back().filter(|last| pairs_with(first, *last))?;
    if text.len() < first.len_utf8() + last.len_utf8() {
        return None;
    }
    let inside = &text[first.len_utf8()..text.len() - last.len_utf8()];
    if ends_inside(inside, first) || ends_in_escape(inside) {
        return None;
    }
    Some(match kind {
        Quote::Double | Quote::Tick => unescape(inside),
        Quote::Single if inside.contains("''") => Cow::Owned(inside.replace("''", "'")),
        Quote::Single if inside.contains("\\'") => Cow::Owned(inside.replace("\\'", "'")),
        Quote::Single => Cow::Borrowed(inside),
    })
}

/// Whether the last quote is escaped and so does not close.
fn ends_in_escape(inside: &str) -> bool {
    inside.bytes().rev().take_while(|b| *b == b'\\').count() % 2 == 1
}

/// Whether the first quote of this kind inside closes: a letter before it, no letter after it.
fn ends_inside(inside: &str, open: char) -> bool {
    let single = quote(open) == Some(Quote::Single);
    let mut before = ' ';
    let mut escaped = false;
    for (at, c) in inside.char_indices() {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if pairs_with(open, c) {
            let after = inside[at + c.len_utf8()..].chars().next().unwrap_or(' ');
            let apostrophe = single && (before.is_alphanumeric() && after.is_alphanumeric());
            let doubled = single && (after == c || before == c);
            if !apostrophe && !doubled {
                return !before.is_whitespace() && (after.is_whitespace() || after.is_ascii_punctuation());
            }
        }
        before = c;
    }
    false
}

/// A text without the marks of emphasis that stand around all of it.
pub(crate) fn unmarked(text: &str) -> &str {
    let mut text = text.trim();
    for mark in ["***", "**", "__", "~~"] {
        if let Some(inside) = text.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark))
            && !inside.is_empty()
            && !inside.contains(mark)
            && (mark != "__" || inside.contains(' '))
        {
            text = inside.trim();
        }
    }
    match text.strip_prefix('*').and_then(|rest| rest.strip_suffix('*')) {
        Some(inside) if !inside.is_empty() && !inside.contains('*') => inside.trim(),
        _ => text,
    }
}

/// Whether a character is a picture or an ornament, as models put before list items.
pub(crate) fn is_ornament(c: char) -> bool {
    matches!(c, '\u{1F000}'..='\u{1FAFF}' | '\u{2190}'..='\u{21FF}' | '\u{2300}'..='\u{23FF}' | '\u{2460}'..='\u{27BF}'
        | '\u{2900}'..='\u{297F}' | '\u{2B00}'..='\u{2BFF}' | '\u{FE0F}' | '\u{200D}' | '\u{20E3}')
}

/// The text behind its ornament, if it begins with one.
pub(crate) fn without_ornament(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(is_ornament);
    // A digit in a key cap: 1️⃣ is `1` with two marks.
    let capped = text.strip_prefix(|c: char| c.is_ascii_digit()).filter(|rest| rest.starts_with('\u{FE0F}'));
    let rest = capped.map_or(rest, |rest| rest.trim_start_matches(is_ornament));
    (rest.len() < text.len() && rest.starts_with([' ', '\t'])).then(|| rest.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_undone() {
        for (raw, text) in [
            (r"plain", "plain"),
            (r"a\nb\t\u00e9", "a\nb\té"),
            (r"\ud83d\ude00 and \ud83d alone", "😀 and \u{FFFD} alone"),
            (r"Match \d+ before \s in C:\logs", r"Match \d+ before \s in C:\logs"),
            (r"C:\new\data", r"C:\new\data"),
            (r"\w+ then\nnext", "\\w+ then\nnext"),
            (r"ends with \", r"ends with \"),
        ] {
            assert_eq!(unescape(raw), text, "{raw}");
        }
    }

    #[test]
    fn quotes_are_taken_off_only_where_they_stand_around_all() {
        for (raw, text) in [
            (r#""all of it""#, Some("all of it")),
            (r#""Local first" technology"#, None),
            (r#""Boring" beats "clever""#, None),
            (r#""It is called "boring" here""#, Some(r#"It is called "boring" here"#)),
            (r"'It's clear we don't need it'", Some("It's clear we don't need it")),
            (r"'it''s'", Some("it's")),
            ("\u{201C}all of it\u{201D}", Some("all of it")),
            ("`all of it`", Some("all of it")),
            ("\"\"\"a \"b\" c\"\"\"", Some("a \"b\" c")),
            ("\"", None),
            ("\"\"", Some("")),
        ] {
            assert_eq!(unquote(raw).as_deref(), text, "{raw}");
        }
    }

    #[test]
    fn marks_around_all_of_a_text_go() {
        assert_eq!(unmarked("**bold**"), "bold");
        assert_eq!(unmarked("**a** and **b**"), "**a** and **b**");
        assert_eq!(unmarked("*a*"), "a");
        assert_eq!(unmarked("2 * 3 * 4"), "2 * 3 * 4");
        assert_eq!(without_ornament("🔹 x"), Some("x"));
        assert_eq!(without_ornament("1️⃣ x"), Some("x"));
        assert_eq!(without_ornament("x 🔹"), None);
    }
}
