//! What stands around a whole reply: thoughts, quotation marks at every line, an encoding of the text as such.
//! Given the text; hands on the text without them. Each layer is seen at the start or on every line, so one
//! look decides; a reply without layers is not copied.

mod gutter;
mod html;
mod thoughts;

use std::borrow::Cow;

use gutter::without_gutter;
pub(crate) use html::entities;
use html::{from_html, is_html};
use thoughts::{without_thoughts, without_tokens};

use crate::node::Doubts;
use crate::scalar::unescape;

/// How many layers are taken off.
const DEEPEST: usize = 4;

/// The text without its layers.
pub(crate) fn peel<'t>(text: &'t str, doubts: &mut Doubts) -> Result<Cow<'t, str>, String> {
    let mut text = without_thoughts(text, doubts)?;
    if let Some(inner) = without_tokens(&text) {
        doubts.add("left out the marks of a chat template");
        text = Cow::Owned(inner);
    }
    for _ in 0..DEEPEST {
        if let Some(inner) = decoded(&text) {
            doubts.add("undid the encoding around the reply");
            text = Cow::Owned(inner);
        } else if let Some(inner) = without_gutter(&text) {
            doubts.add("took off the marks at the start of every line");
            text = Cow::Owned(inner);
        } else {
            break;
        }
    }
    Ok(text)
}

/// A reply that is a text inside a text: in quotes with escapes, with every quote escaped, or in HTML's letters.
fn decoded(text: &str) -> Option<String> {
    let trimmed = text.trim();
    let inside = trimmed.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    if let Some(inside) = inside
        && inside.contains('\\')
        && !has_bare_quote(inside)
    {
        return Some(unescape(inside).into_owned());
    }
    // What a text does not hold at all needs no search.
    let holds = |byte: u8| trimmed.as_bytes().contains(&byte);
    let breaks = if holds(b'<') { &["<br>", "<br/>", "<br />"][..] } else { &[] };
    for mark in breaks {
        let broken = format!("{mark}\n");
        if trimmed.matches(&broken).take(3).count() == 3 {
            return Some(trimmed.replace(&broken, "\n").trim_end_matches(*mark).to_owned());
        }
    }
    if let Some(inner) = printed_text(trimmed) {
        return Some(inner);
    }
    let escapes = holds(b'\\');
    if escapes && has_escaped_keys(trimmed) {
        return Some(trimmed.replace("\\_", "_"));
    }
    if let Some(inner) = undoubled(trimmed).or_else(|| unescaped_between(trimmed)) {
        return Some(inner);
    }
    if escapes && trimmed.matches("\\\"").take(4).count() == 4 && !has_bare_quote(trimmed) {
        return Some(unescape(trimmed).into_owned());
    }
    let one_line = || !trimmed.contains(['\n', '{', '"']);
    if escapes && one_line() && trimmed.matches("\\n").take(2).count() == 2 {
        return Some(unescape(trimmed).into_owned());
    }
    if is_html(trimmed) {
        return Some(from_html(trimmed));
    }
    if !holds(b'&') {
        return None;
    }
    let quoted = trimmed.matches("&quot;").take(2).count() + trimmed.matches("&#34;").take(2).count();
    (quoted >= 2 && !trimmed.contains('"')).then(|| entities(trimmed).into_owned())
}

/// Whether underscores are escaped as Markdown does it, in keys too: `next\_action:`.
fn has_escaped_keys(text: &str) -> bool {
    text.match_indices("\\_").take(64).any(|(at, _)| {
        let behind = text[at + 2..].trim_start_matches(|c: char| c.is_ascii_lowercase() || c == '_' || c == '\\');
        let before = text[..at].trim_end_matches(|c: char| c.is_ascii_lowercase());
        let begins = before.len() < at
            && before.chars().next_back().is_none_or(|c| matches!(c, '\n' | ' ' | '"' | '\'' | '*' | '{'));
        begins && behind.trim_start_matches(['"', '\'', '*']).starts_with(':')
    })
}

/// The text of a printed object: `content='…' id='…'`.
fn printed_text(text: &str) -> Option<String> {
    let inside = ["content=", "text=", "output="].iter().find_map(|name| text.strip_prefix(name))?;
    let mark = inside.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let mut escaped = false;
    let end = inside[1..].find(|c: char| {
        let closes = !escaped && c == mark;
        escaped = !escaped && c == '\\';
        closes
    })?;
    Some(unescape(&inside[1..=end]).into_owned())
}

/// A cell of a table of commas: every quote is written twice.
fn undoubled(text: &str) -> Option<String> {
    let inside = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text);
    let begins = inside.trim_start_matches(['{', '[', ' ', '\n']).starts_with("\"\"");
    let single = || inside.replace("\"\"", "");
    (begins && inside.matches("\"\"").take(4).count() == 4 && !single().contains('"'))
        .then(|| inside.replace("\"\"", "\""))
}

/// Line breaks written as `\n` between the parts of an object, on one line.
fn unescaped_between(text: &str) -> Option<String> {
    if !(text.starts_with("{\\n") || text.starts_with("{\\r\\n") || text.starts_with("{\\t")) || text.contains('\n') {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut quoted = false;
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        match (c, letters.peek()) {
            ('\\', Some('n' | 'r' | 't')) if !quoted => {
                letters.next();
                out.push('\n');
            }
            ('\\', Some(&next)) => {
                out.push(c);
                out.push(next);
                letters.next();
            }
            _ => {
                quoted ^= c == '"';
                out.push(c);
            }
        }
    }
    Some(out)
}

fn has_bare_quote(text: &str) -> bool {
    let mut escaped = false;
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return true,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_come_off() {
        for (raw, text) in [
            ("<think>maybe\nposition: no</think>\nposition: yes", "position: yes"),
            ("wants: position first\n</think>\n\n{}", "{}"),
            ("> a: 1\n> b: 2", "a: 1\nb: 2"),
            ("1 | a: 1\n2 |   b: 2\n3 | c", "a: 1\n  b: 2\nc"),
            ("+{\n+  \"a\": 1\n+}", "{\n \"a\": 1\n}"),
            (r#""{\"a\": 1}""#, r#"{"a": 1}"#),
            (r#"{\"a\": \"b\", \"c\": 1}"#, r#"{"a": "b", "c": 1}"#),
            ("{&quot;a&quot;: 1 &amp; 2}", "{\"a\": 1 & 2}"),
            ("<p><b>A:</b> x</p><ul><li>y</li></ul>", "**A:** x\n\n\n- y"),
        ] {
            let peeled = peel(raw, &mut Doubts::default()).unwrap_or_else(|why| panic!("{raw}: {why}"));
            assert_eq!(peeled.trim(), text, "{raw}");
        }
    }

    #[test]
    fn thoughts_that_never_end_are_refused() {
        assert!(peel("<think>\nposition: no\nconfidence: 0.3", &mut Doubts::default()).is_err());
    }
}
