//! Makes any text safe inside Markdown, and leaves prose looking like prose.
//! Given what a model or a person wrote; hands on text that renders as the same words and can open no
//! heading, list, table cell, fence, tag, comment, link or emphasis of its own. Short code spans stay.
//! Every text of a document goes through here on its way into the view, so that a project's own
//! template cannot forget it. Deliberately absent: control characters, which the reader of replies removes.

/// The longest code span that is kept as one.
const MAX_CODE_CHARS: usize = 80;

/// The text on one line, safe at the start of a line, in a list, a heading, a quote or a table cell.
pub fn inline(text: &str) -> String {
    escaped(text, false)
}

/// The same for a table cell, where a code span may hold a bar: tables take `\|` for one even there.
pub fn cell(text: &str) -> String {
    escaped(text, true)
}

fn escaped(text: &str, in_table: bool) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let chars: Vec<char> = words.join(" ").chars().collect();
    let mut safe = String::with_capacity(chars.len() + 8);
    let mut at = guard_start(&chars, &mut safe);
    // Up to where backticks belong to a span that is not kept: none of them may open another.
    let mut plain_until = 0;
    while at < chars.len() {
        if at >= plain_until && chars[at] == '`' {
            if let Some(end) = code_span(&chars, at, in_table) {
                for c in &chars[at..=end] {
                    safe.push_str(if *c == '|' { "\\" } else { "" });
                    safe.push(*c);
                }
                at = end + 1;
                continue;
            }
            plain_until = span_end(&chars, at);
        }
        if needs_escape(&chars, at) {
            safe.push('\\');
        }
        safe.push(chars[at]);
        at += 1;
    }
    safe
}

/// The text as paragraphs and flat lists, each safe as [`inline`] makes it. For places where a block
/// of its own can stand; never inside a list or a table.
pub fn blocks(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut paragraph = String::new();
    let mut in_list = false;
    for line in text.lines().map(str::trim).chain([""]) {
        let item = bullet(line);
        if (line.is_empty() || item.is_some()) && !paragraph.is_empty() {
            let gap = if out.is_empty() { "" } else { "\n\n" };
            out.push_str(&format!("{gap}{}", inline(&paragraph)));
            paragraph.clear();
            in_list = false;
        }
        match item {
            Some(item) => {
                let gap = if out.is_empty() {
                    ""
                } else if in_list {
                    "\n"
                } else {
                    "\n\n"
                };
                out.push_str(&format!("{gap}- {}", inline(item)));
                in_list = true;
            }
            None => {
                paragraph.push_str(line);
                paragraph.push(' ');
                if line.is_empty() {
                    paragraph.clear();
                }
            }
        }
    }
    out
}

/// A text as a YAML scalar, for front matter: JSON strings are YAML.
pub fn yaml(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    serde_json::Value::from(words.join(" ")).to_string()
}

/// What stands after the marker of a list item; a number stays with its words.
fn bullet(line: &str) -> Option<&str> {
    let after_number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    if after_number.len() < line.len() && (after_number.starts_with(". ") || after_number.starts_with(") ")) {
        return Some(line);
    }
    let rest = line.strip_prefix(['-', '*', '+', '•'])?;
    let item = rest.strip_prefix(' ')?.trim();
    (!item.is_empty()).then_some(item)
}

/// Escapes what would mean something only at the start of a line; gives the first place not written yet.
fn guard_start(chars: &[char], safe: &mut String) -> usize {
    match chars.first() {
        Some('#' | '-' | '+' | '=' | '>' | ':') => {
            safe.push('\\');
            safe.push(chars[0]);
            1
        }
        Some(first) if first.is_ascii_digit() => {
            let digits = chars.iter().take_while(|c| c.is_ascii_digit()).count();
            let opens_list =
                matches!(chars.get(digits), Some('.' | ')')) && chars.get(digits + 1).is_none_or(|next| *next == ' ');
            if !opens_list {
                return 0;
            }
            safe.extend(&chars[..digits]);
            safe.push('\\');
            safe.push(chars[digits]);
            digits + 1
        }
        _ => 0,
    }
}

fn needs_escape(chars: &[char], at: usize) -> bool {
    let before = at.checked_sub(1).map(|place| chars[place]);
    let after = chars.get(at + 1).copied();
    let blank = |c: Option<char>| c.is_none_or(char::is_whitespace);
    match chars[at] {
        '\\' => after.is_none_or(|c| c.is_ascii_punctuation()),
        '`' | '[' | ']' | '|' => true,
        // At the end of a heading it would be taken for the heading's own.
        '#' => blank(before) && chars[at..].iter().all(|c| *c == '#'),
        '*' => !(blank(before) && blank(after)),
        // Inside a word it is a plain character, as in `snake_case`.
        '_' => !(before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric)),
        // It can only strike words out where something before it is struck.
        '~' => !blank(before) || after == Some('~'),
        '<' => after.is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')),
        '&' => is_entity(&chars[at + 1..]),
        _ => false,
    }
}

fn is_entity(rest: &[char]) -> bool {
    let name = rest.iter().take(33).take_while(|c| c.is_ascii_alphanumeric() || **c == '#').count();
    name > 0 && rest.get(name) == Some(&';')
}

/// The end of a short code span that starts here and holds nothing which could reach out of it.
fn code_span(chars: &[char], at: usize, in_table: bool) -> Option<usize> {
    if chars[at] != '`' || at.checked_sub(1).is_some_and(|place| matches!(chars[place], '`' | '\\')) {
        return None;
    }
    let inside = chars[at + 1..]
        .iter()
        .take(MAX_CODE_CHARS + 1)
        .take_while(|c| fits_code(**c) || (in_table && **c == '|'))
        .count();
    let end = at + 1 + inside;
    let alone = chars.get(end) == Some(&'`') && chars.get(end + 1) != Some(&'`');
    let visible = chars[at + 1..end.min(chars.len())].iter().any(|c| !c.is_whitespace());
    (alone && visible && inside <= MAX_CODE_CHARS).then_some(end)
}

/// The place after the span that the backticks here open, or after these backticks if nothing closes it.
fn span_end(chars: &[char], at: usize) -> usize {
    let run = |from: usize| chars[from..].iter().take_while(|c| **c == '`').count();
    let opening = run(at);
    let mut next = at + opening;
    while next < chars.len() {
        match run(next) {
            0 => next += 1,
            length if length == opening => return next + length,
            length => next += length,
        }
    }
    at + opening
}

fn fits_code(c: char) -> bool {
    c.is_alphanumeric() || " _-./:{}=,()\"'?+@%#*$;".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(cases: &[(&str, &str)]) {
        for (raw, safe) in cases {
            assert_eq!(inline(raw), *safe, "{raw:?}");
        }
    }

    #[test]
    fn prose_stays_prose() {
        for text in [
            "Use REST, because p95 < 200 ms is met by a plain cache (see RFC 9110).",
            "Keep `GET /users/{id}` and snake_case names; 5 * 3 = 15 & more, ~10 ms.",
            "Naïve café – 東京 – עברית – 👩‍💻",
            "3.5 of 5, 2026-01-02; C1.2 is carried!",
            "R&D, a -> b; x > y; issue #12; https://example.org/a_b",
        ] {
            assert_eq!(inline(text), text);
        }
    }

    #[test]
    fn the_start_of_a_line_opens_nothing() {
        check(&[
            ("# Status: accepted", "\\# Status: accepted"),
            ("- a list", "\\- a list"),
            ("---", "\\---"),
            ("=== x", "\\=== x"),
            ("> quote", "\\> quote"),
            ("1. first", "1\\. first"),
            ("12) twelfth", "12\\) twelfth"),
            ("    indented", "indented"),
            (": defined", "\\: defined"),
            ("Go for C ##", "Go for C \\##"),
        ]);
    }

    #[test]
    fn nothing_inside_a_line_has_a_meaning_of_its_own() {
        check(&[
            ("a | b", "a \\| b"),
            ("a\n\n## b", "a ## b"),
            ("```sh\nrm\n```", "\\`\\`\\`sh rm \\`\\`\\`"),
            ("<!-- s2s session: X -->", "\\<!-- s2s session: X -->"),
            ("<script>alert(1)</script>", "\\<script>alert(1)\\</script>"),
            ("[click](javascript:x) ![i](u)", "\\[click\\](javascript:x) !\\[i\\](u)"),
            ("**bold** _it_ ~~no~~", "\\*\\*bold\\*\\* \\_it\\_ \\~\\~no\\~\\~"),
            ("&lt;b&gt; &#35;", "\\&lt;b\\&gt; \\&#35;"),
            ("a \\| b \\", "a \\\\\\| b \\\\"),
            ("`a|b` `` x ``", "\\`a\\|b\\` \\`\\` x \\`\\`"),
            ("\\`GET /x`", "\\\\\\`GET /x\\`"),
        ]);
    }

    #[test]
    fn backticks_of_a_span_that_is_not_kept_open_no_other() {
        check(&[
            ("`a|b` and `c`", "\\`a\\|b\\` and `c`"),
            ("``x`` or `y|z` or w", "\\`\\`x\\`\\` or \\`y\\|z\\` or w"),
            ("one ` alone, then `c`", "one ` alone, then `c\\`"),
        ]);
        assert_eq!(cell("`a|b` and `c` | d"), "`a\\|b` and `c` \\| d");
        assert_eq!(cell("`[x]|` y `z`"), "\\`\\[x\\]\\|\\` y `z`");
    }

    #[test]
    fn paragraphs_and_flat_lists_survive_and_nothing_else() {
        let text = "First\nline.\n\n- one\n- # two\n\n# Heading\n| a |\n\n```\nx\n```\n* three";
        let safe = "First line.\n\n- one\n- \\# two\n\n\\# Heading \\| a \\|\n\n\\`\\`\\` x \\`\\`\\`\n\n- three";
        assert_eq!(blocks(text), safe);
        assert_eq!(blocks(" \n "), "");
    }

    #[test]
    fn front_matter_holds_any_text() {
        assert_eq!(yaml("a: \"b\"\n--- # c"), "\"a: \\\"b\\\" --- # c\"");
    }
}
