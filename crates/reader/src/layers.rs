//! What stands around a whole reply: thoughts, quotation marks at every line, an encoding of the text as such.
//! Given the text; hands on the text without them. Each layer is seen at the start or on every line, so one
//! look decides; a reply without layers is not copied.

use std::borrow::Cow;

use crate::node::Doubts;
use crate::scalar::unescape;

/// The text without its layers.
pub(crate) fn peel<'t>(text: &'t str, doubts: &mut Doubts) -> Result<Cow<'t, str>, String> {
    let text = without_thoughts(text, doubts)?;
    let text = match without_tokens(&text) {
        Some(inner) => {
            doubts.add("left out the marks of a chat template");
            Cow::Owned(inner)
        }
        None => text,
    };
    let text = match decoded(&text) {
        Some(inner) => {
            doubts.add("undid the encoding around the reply");
            Cow::Owned(inner)
        }
        None => text,
    };
    Ok(match without_gutter(&text) {
        Some(inner) => {
            doubts.add("took off the marks at the start of every line");
            Cow::Owned(inner)
        }
        None => text,
    })
}

/// Leaves out what a chat template puts around a turn: `<|im_end|>`, `[/INST]`, `</s>`.
fn without_tokens(text: &str) -> Option<String> {
    const TOKENS: [&str; 8] =
        ["[INST]", "[/INST]", "</s>", "<s>", "<start_of_turn>", "<end_of_turn>", "<<SYS>>", "<</SYS>>"];
    if !text.contains("<|") && !TOKENS.iter().any(|token| text.contains(token)) {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['<', '[']) {
        out.push_str(&rest[..at]);
        let tail = &rest[at..];
        let named = TOKENS.iter().find(|token| tail.starts_with(**token)).map(|token| token.len());
        let piped = || {
            let inside = tail.strip_prefix("<|")?;
            let len = inside.bytes().take(40).take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
            inside[len..].starts_with("|>").then_some(len + 4)
        };
        match named.or_else(piped) {
            Some(len) => rest = tail[len..].trim_start_matches([' ', '\t']),
            None => {
                out.push_str(&tail[..1]);
                rest = &tail[1..];
            }
        }
    }
    out.push_str(rest);
    (out.len() < text.len()).then_some(out)
}

const THOUGHTS: [&str; 6] = ["think", "thinking", "thought", "reasoning", "scratchpad", "analysis"];

/// Leaves out what a model thought aloud. Thoughts that never end hide whether an answer was given.
fn without_thoughts<'t>(text: &'t str, doubts: &mut Doubts) -> Result<Cow<'t, str>, String> {
    if !text.contains("</") && !text.contains('<') {
        return Ok(Cow::Borrowed(text));
    }
    for name in THOUGHTS {
        let (open, close) = (format!("<{name}>"), format!("</{name}>"));
        let opens = line_start(text, &open);
        let closes = rfind_tag(text, &close);
        let (from, to) = match (opens, closes) {
            (None, None) => continue,
            (Some(_), None) => {
                return Err("the thoughts in the reply are not closed; give the answer after them".into());
            }
            (Some(from), Some(to)) if from < to => (from, to),
            // Only the end of the thoughts came through.
            (_, Some(to)) => (0, to),
        };
        doubts.add("left out the thoughts before the answer");
        let rest = &text[to + close.len()..];
        if text[..from].trim().is_empty() {
            return without_thoughts(rest, doubts);
        }
        let joined = format!("{}\n{rest}", &text[..from]);
        return without_thoughts(&joined, doubts).map(|text| Cow::Owned(text.into_owned()));
    }
    Ok(Cow::Borrowed(text))
}

/// A tag at the start of a line.
fn line_start(text: &str, tag: &str) -> Option<usize> {
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let body = line.trim_start();
        if body.get(..tag.len()).is_some_and(|head| head.eq_ignore_ascii_case(tag)) {
            return Some(offset + line.len() - body.len());
        }
        offset += line.len();
    }
    None
}

/// The last closing tag that ends a line or begins one.
fn rfind_tag(text: &str, tag: &str) -> Option<usize> {
    let mut end = text.len();
    let mut looks = 0;
    while let Some(at) = text[..end].rfind(tag) {
        let behind = &text[at + tag.len()..];
        let ends_line = behind.trim_start_matches([' ', '\t']).chars().next().is_none_or(|c| c == '\n');
        let begins_line = text[..at].trim_end_matches([' ', '\t']).chars().next_back().is_none_or(|c| c == '\n');
        if ends_line || begins_line {
            return Some(at);
        }
        end = at;
        looks += 1;
        if looks > 64 {
            return None;
        }
    }
    None
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
    let escaped = trimmed.matches("\\\"").take(4).count();
    if escaped >= 4 && !has_bare_quote(trimmed) {
        return Some(unescape(trimmed).into_owned());
    }
    let one_line = !trimmed.contains(['\n', '{', '"']);
    if one_line && trimmed.matches("\\n").take(2).count() == 2 {
        return Some(unescape(trimmed).into_owned());
    }
    if is_html(trimmed) {
        return Some(from_html(trimmed));
    }
    let quoted = trimmed.matches("&quot;").take(2).count() + trimmed.matches("&#34;").take(2).count();
    (quoted >= 2 && !trimmed.contains('"')).then(|| entities(trimmed).into_owned())
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

const HTML_TAGS: [&str; 22] = [
    "p", "div", "ul", "ol", "li", "br", "strong", "b", "em", "i", "h1", "h2", "h3", "h4", "pre", "code", "html",
    "body", "span", "section", "article", "hr",
];

/// Whether the text is a page: it begins with a tag of HTML.
fn is_html(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('<') else { return false };
    let name = rest.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    name.eq_ignore_ascii_case("doctype")
        || rest.starts_with("!DOCTYPE")
        || HTML_TAGS.iter().any(|tag| tag.eq_ignore_ascii_case(name))
}

/// A page as Markdown: what the tags mean, line by line.
fn from_html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        out.push_str(&entities(&rest[..at]));
        let tail = &rest[at + 1..];
        let close = tail.bytes().take(200).position(|b| b == b'>');
        let name: &str =
            tail.trim_start_matches(['/', '!']).split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        let known = HTML_TAGS.iter().any(|tag| tag.eq_ignore_ascii_case(name)) || name.eq_ignore_ascii_case("doctype");
        let (Some(close), true) = (close, known) else {
            out.push('<');
            rest = tail;
            continue;
        };
        let closing = tail.starts_with('/');
        match (name.to_ascii_lowercase().as_str(), closing) {
            ("li", false) => out.push_str("\n- "),
            ("strong" | "b", _) => out.push_str("**"),
            ("em" | "i" | "span" | "code", _) => {}
            ("h1" | "h2" | "h3" | "h4", false) => out.push_str("\n## "),
            ("li", true) => {}
            _ => out.push('\n'),
        }
        rest = &tail[close + 1..];
    }
    out.push_str(&entities(rest));
    out
}

/// The letters that HTML and XML write with names.
pub(crate) fn entities(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    const NAMES: [(&str, &str); 10] = [
        ("&quot;", "\""),
        ("&#34;", "\""),
        ("&#39;", "'"),
        ("&apos;", "'"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&nbsp;", " "),
        ("&#x27;", "'"),
        ("&mdash;", "\u{2014}"),
        ("&amp;", "&"),
    ];
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        let tail = &rest[at..];
        let named = NAMES.iter().find(|(name, _)| tail.starts_with(name));
        let (letter, len) = named.map_or(("&", 1), |(name, letter)| (*letter, name.len()));
        out.push_str(letter);
        rest = &tail[len..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Takes off what stands before every line: `> `, line numbers, `+ ` of a diff, `# ` or `// ` of a comment.
fn without_gutter(text: &str) -> Option<String> {
    let first = text.trim_start().chars().next()?;
    if !matches!(first, '>' | '+' | '/' | '#' | '|' | '@' | '-') && !first.is_ascii_digit() && !text.contains("\n>") {
        return None;
    }
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let count = lines().count();
    for mark in ["> ", ">", "+ ", "+", "// ", "| "] {
        let marked = |line: &str| line.trim_start().starts_with(mark.trim_end());
        let header =
            |line: &str| mark.starts_with('+') && ["+++", "---", "@@"].iter().any(|head| line.starts_with(head));
        let all = lines().filter(|line| !header(line)).all(marked);
        // A quotation may follow a word of prose.
        let most = mark.starts_with('>') && lines().filter(|line| marked(line)).count() >= 3.max(count * 2 / 3);
        if count >= 2 && (all || most) && !(mark == "| " && lines().all(|line| line.trim_end().ends_with('|'))) {
            let taken = text.lines().filter(|line| !header(line)).map(|line| {
                match line.trim_start().strip_prefix(mark.trim_end()) {
                    Some(rest) => rest.strip_prefix(' ').unwrap_or(rest),
                    None => line,
                }
            });
            return Some(taken.collect::<Vec<_>>().join("\n"));
        }
    }
    numbered_lines(text, count)
}

/// Lines that count themselves: `1 | …`, `2: …`, `  3→…`.
fn numbered_lines(text: &str, count: usize) -> Option<String> {
    if count < 3 {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut last: Option<u32> = None;
    let mut mark = None;
    for line in text.lines() {
        if line.trim().is_empty() {
            out.push('\n');
            continue;
        }
        let body = line.trim_start();
        let digits = body.bytes().take_while(u8::is_ascii_digit).count();
        let number: u32 = body[..digits].parse().ok()?;
        let rest = &body[digits..];
        let after = rest.trim_start_matches(' ');
        let sign = after.chars().next().filter(|c| matches!(c, '|' | ':' | '\u{2502}' | '\u{2192}' | '\t'));
        if last.is_some_and(|last| number <= last) || mark.is_some_and(|mark| mark != sign) {
            return None;
        }
        (last, mark) = (Some(number), Some(sign));
        let rest = match sign {
            Some(sign) => &after[sign.len_utf8()..],
            None if rest.starts_with("  ") || rest.starts_with(' ') => rest,
            None if rest.is_empty() => rest,
            None => return None,
        };
        out.push_str(rest.strip_prefix(' ').unwrap_or(rest));
        out.push('\n');
    }
    Some(out)
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
