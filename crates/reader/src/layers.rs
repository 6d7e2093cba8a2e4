//! What stands around a whole reply: thoughts, quotation marks at every line, an encoding of the text as such.
//! Given the text; hands on the text without them. Each layer is seen at the start or on every line, so one
//! look decides; a reply without layers is not copied.

use std::borrow::Cow;

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

/// Leaves out what a chat template puts around a turn: `<|im_end|>`, `[/INST]`, `</s>`, and the channels before
/// the final one.
fn without_tokens(text: &str) -> Option<String> {
    const TOKENS: [&str; 8] =
        ["[INST]", "[/INST]", "</s>", "<s>", "<start_of_turn>", "<end_of_turn>", "<<SYS>>", "<</SYS>>"];
    const FINAL: &str = "<|channel|>final<|message|>";
    if !text.contains("<|") && !TOKENS.iter().any(|token| text.contains(token)) {
        return None;
    }
    // One token in the middle of a sentence is what the sentence is about.
    let lone = text.matches("<|").take(2).count() == 1 && !text.contains(TOKENS[0]) && !text.contains(TOKENS[1]);
    let inside =
        |line: &str| line.contains("<|") && !line.trim_start().starts_with("<|") && !line.trim_end().ends_with("|>");
    if lone && text.lines().any(inside) {
        return None;
    }
    let text = text.rfind(FINAL).map_or(text, |at| &text[at + FINAL.len()..]);
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let mut line = line;
        while let Some(rest) = TOKENS.iter().find_map(|token| line.trim_start().strip_prefix(token)) {
            line = rest.trim_start();
        }
        while let Some(rest) = TOKENS.iter().find_map(|token| line.trim_end().strip_suffix(token)) {
            line = rest;
        }
        without_piped(line, &mut out);
        out.push('\n');
    }
    Some(out).filter(|out| out.trim_end() != text.trim_end())
}

/// A line with `<|…|>` as line breaks.
fn without_piped(line: &str, out: &mut String) {
    let mut rest = line;
    while let Some(at) = rest.find("<|") {
        let inside = &rest[at + 2..];
        let len = inside.bytes().take(40).take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        let piped = inside[len..].starts_with("|>");
        out.push_str(&rest[..if piped { at } else { at + 2 }]);
        if piped {
            out.push('\n');
        }
        rest = if piped { &inside[len + 2..] } else { inside };
    }
    out.push_str(rest);
}

const THOUGHTS: [&str; 12] = [
    "think",
    "thinking",
    "thought",
    "thoughts",
    "reasoning",
    "scratchpad",
    "analysis",
    "reflection",
    "antthinking",
    "seed:think",
    "thought_process",
    "inner_monologue",
];
/// The marks around the names of thoughts.
const BRACKETS: [(&str, &str); 3] = [("<", ">"), ("[", "]"), ("\u{25C1}", "\u{25B7}")];

/// Leaves out what a model thought aloud. Thoughts that never end hide whether an answer was given.
fn without_thoughts<'t>(text: &'t str, doubts: &mut Doubts) -> Result<Cow<'t, str>, String> {
    for (name, (left, right)) in named_thoughts(text) {
        let (open, close) = (format!("{left}{name}{right}"), format!("{left}/{name}{right}"));
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

/// Which thoughts are opened or closed anywhere, by one look at every bracket: their names and brackets.
fn named_thoughts(text: &str) -> Vec<(&'static str, (&'static str, &'static str))> {
    let mut named = Vec::new();
    for (at, mark) in text.match_indices(['<', '[', '\u{25C1}']) {
        let rest = &text[at + mark.len()..];
        let rest = rest.strip_prefix('/').unwrap_or(rest);
        if !rest.starts_with(['t', 'T', 'r', 'R', 's', 'S', 'a', 'A', 'i', 'I']) {
            continue;
        }
        let Some((left, right)) = BRACKETS.into_iter().find(|(left, _)| *left == mark) else { continue };
        for name in THOUGHTS {
            let tag = rest.get(..name.len()).filter(|head| head.eq_ignore_ascii_case(name));
            if tag.is_some() && rest[name.len()..].starts_with(right) && !named.contains(&(name, (left, right))) {
                named.push((name, (left, right)));
            }
        }
    }
    named
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
    let lower = text.to_ascii_lowercase();
    let tag = &tag.to_ascii_lowercase();
    while let Some(at) = lower[..end].rfind(tag) {
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
    for mark in ["<br>", "<br/>", "<br />"] {
        let broken = format!("{mark}\n");
        if trimmed.matches(&broken).take(3).count() == 3 {
            return Some(trimmed.replace(&broken, "\n").trim_end_matches(mark).to_owned());
        }
    }
    if let Some(inner) = printed_text(trimmed) {
        return Some(inner);
    }
    if has_escaped_keys(trimmed) {
        return Some(trimmed.replace("\\_", "_"));
    }
    if let Some(inner) = undoubled(trimmed).or_else(|| unescaped_between(trimmed)) {
        return Some(inner);
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
    let single = inside.replace("\"\"", "");
    (begins && inside.matches("\"\"").take(4).count() == 4 && !single.contains('"'))
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
    const NAMES: [(&str, &str); 9] = [
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&nbsp;", " "),
        ("&mdash;", "\u{2014}"),
        ("&ndash;", "\u{2013}"),
        ("&hellip;", "\u{2026}"),
        ("&amp;", "&"),
    ];
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        let tail = &rest[at..];
        if let Some((name, letter)) = NAMES.iter().find(|(name, _)| tail.starts_with(name)) {
            out.push_str(letter);
            rest = &tail[name.len()..];
        } else if let Some((letter, len)) = numbered_letter(tail) {
            out.push(letter);
            rest = &tail[len..];
        } else {
            out.push('&');
            rest = &tail[1..];
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// `&#39;`, `&#x27;`.
fn numbered_letter(text: &str) -> Option<(char, usize)> {
    let inside = text.strip_prefix("&#")?;
    let len = inside.bytes().take(8).position(|b| b == b';')?;
    let digits = &inside[..len];
    let number = match digits.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some((char::from_u32(number)?, len + 3))
}

/// Takes off what stands before every line: `> `, `+ ` of a diff, `// ` of a comment, a frame, line numbers.
fn without_gutter(text: &str) -> Option<String> {
    const MARKS: [&str; 16] = [
        ">", "+", "//", "|", "\u{2502}", "\u{2503}", "\u{2551}", "data:", "--", "%", ";", "*", "#", "$", "\u{258C}",
        "\u{2595}",
    ];
    let frame = |line: &&str| is_frame(line);
    let lines = || text.lines().filter(|line| !line.trim().is_empty() && !frame(line));
    let count = lines().count();
    let first = lines().next()?;
    let column = first.len() - first.trim_start().len();
    for mark in MARKS {
        // `**Position:**` does not begin with a mark of its own; `+{` and `>>` do.
        let loose = matches!(mark, ">" | "+" | "|" | "data:") || mark.len() == 3;
        let marked = |line: &str| {
            let behind = line.get(column..).and_then(|rest| rest.strip_prefix(mark));
            let blank = line.get(..column).is_some_and(|blank| blank.trim().is_empty());
            blank && behind.is_some_and(|rest| loose || rest.is_empty() || rest.starts_with([' ', '\t']))
        };
        let header = |line: &str| mark == "+" && ["+++", "---", "@@"].iter().any(|head| line.starts_with(head));
        let all = || lines().filter(|line| !header(line)).all(marked);
        // A quotation may follow a word of prose.
        let quotation = mark == ">" && text.contains("\n>");
        if count < 2 || !(quotation || marked(first) || header(first)) {
            continue;
        }
        let most =
            || quotation && lines().filter(|line| line.trim_start().starts_with(mark)).count() >= 3.max(count * 2 / 3);
        let table = mark == "|" && lines().all(|line| line.matches('|').take(3).count() == 3);
        if table || !(all() || most()) {
            continue;
        }
        let taken = text.lines().filter(|line| !header(line) && !frame(line)).map(|line| {
            match line.trim_start().strip_prefix(mark) {
                Some(rest) => {
                    let rest =
                        rest.trim_end().strip_suffix(mark).filter(|_| mark.len() == 3 || mark == "|").unwrap_or(rest);
                    rest.strip_prefix(' ').unwrap_or(rest).trim_end()
                }
                None => line,
            }
        });
        return Some(taken.collect::<Vec<_>>().join("\n"));
    }
    first.trim_start().starts_with(|c: char| c.is_ascii_digit()).then(|| numbered_lines(text, count)).flatten()
}

/// The upper or lower edge of a frame.
fn is_frame(line: &str) -> bool {
    let line = line.trim();
    let edge = |c: char| matches!(c, '\u{2500}'..='\u{257F}');
    line.starts_with(edge) && line.ends_with(edge) && line.chars().filter(|c| edge(*c)).take(3).count() == 3
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
