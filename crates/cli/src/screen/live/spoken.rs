//! The first words of a reply that is still coming: what it says, without the form it says it in.
//! Given the beginning of a reply in YAML or JSON, cut anywhere; hands on the words of the fields that matter, cleaned.
//! It is for watching only: a guess that is wrong costs nothing, because what counts is read again as a whole.
//! Deliberately absent: reading a reply, and every doubt about it.

use s2s::engine::step::CallKind;

use super::super::wrap::one_line;

/// The fields whose words are shown, in order.
fn fields(kind: CallKind) -> &'static [&'static str] {
    match kind {
        CallKind::Sides => &["proposal"],
        CallKind::Question => &["question"],
        CallKind::Response => &["position", "rationale"],
        CallKind::Synthesis => &["synthesis"],
        // Told without a form, and shown whole a moment later.
        CallKind::Followup => &[],
    }
}

/// The words of a reply so far; empty while there are none.
pub(super) fn first_words(kind: CallKind, raw: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for name in fields(kind) {
        words.extend(field(raw, name).map(|text| one_line(&text)).filter(|text| !text.is_empty()));
    }
    if words.is_empty() && !has_form(raw) {
        return one_line(raw);
    }
    words.join(" ")
}

/// Whether a reply begins in a form, or may still do so.
fn has_form(raw: &str) -> bool {
    let raw = raw.trim_start();
    let first = raw.lines().next().unwrap_or_default();
    let key = first.trim_start_matches(['"', '-', ' ']);
    let name = key.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-')));
    let is_key = name.is_none_or(|end| end > 0 && key[end..].trim_start_matches(['"', ' ']).starts_with(':'));
    raw.is_empty() || raw.starts_with(['{', '[', '`', '-', '#', '<']) || is_key
}

/// The text of a field, as far as it has come.
fn field(raw: &str, name: &str) -> Option<String> {
    let mut from = 0;
    while let Some(found) = raw[from..].find(name) {
        let (start, end) = (from + found, from + found + name.len());
        from = end;
        let before = raw[..start].chars().next_back();
        let rest = raw[end..].strip_prefix('"').unwrap_or(&raw[end..]).trim_start_matches(' ');
        let begins = before.is_none_or(|c| c.is_whitespace() || matches!(c, '"' | '{' | ','));
        if let Some(value) = rest.strip_prefix(':').filter(|_| begins) {
            let line = raw[..start].rfind('\n').map_or(0, |at| at + 1);
            let indent = raw[line..start].chars().take_while(|c| *c == ' ').count();
            return Some(value_of(value, indent));
        }
    }
    None
}

/// A value without its quotes, brackets and dashes.
fn value_of(value: &str, indent: usize) -> String {
    let on_line = value.trim_start_matches(' ');
    match on_line.chars().next() {
        Some('"') => quoted(&on_line[1..]).0,
        Some('\'') => on_line[1..].split('\'').next().unwrap_or_default().to_owned(),
        Some('[') => listed(&on_line[1..]),
        Some('|' | '>') => below(on_line.split_once('\n').map_or("", |(_, rest)| rest), indent),
        Some('\n' | '\r') if on_line.trim_start().starts_with('[') => listed(&on_line.trim_start()[1..]),
        Some('\n' | '\r') => below(on_line, indent),
        Some(_) => {
            let (first, rest) = on_line.split_once('\n').unwrap_or((on_line, ""));
            format!("{first} {}", below(rest, indent))
        }
        None => String::new(),
    }
}

/// A text in double quotes from its first character on, with what comes after it.
fn quoted(text: &str) -> (String, &str) {
    let mut out = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return (out, &text[at + 1..]),
            '\\' => match chars.next() {
                Some((_, 'n' | 't' | 'r')) => out.push(' '),
                Some((at, 'u')) => {
                    let code = text.get(at + 1..at + 5).and_then(|hex| u32::from_str_radix(hex, 16).ok());
                    if let Some(code) = code {
                        // Half of a pair is left out: it is a sign that few fonts have.
                        out.extend(char::from_u32(code));
                        chars.nth(3);
                    }
                }
                Some((_, c)) => out.push(c),
                None => break,
            },
            c => out.push(c),
        }
    }
    (out, "")
}

/// The texts of a list in brackets.
fn listed(mut text: &str) -> String {
    let mut items = Vec::new();
    loop {
        text = text.trim_start_matches([' ', '\n', '\r', '\t', ',']);
        if let Some(rest) = text.strip_prefix('"') {
            let (item, rest) = quoted(rest);
            items.push(item);
            text = rest;
        } else {
            let end = text.find([',', ']']).unwrap_or(text.len());
            items.push(text[..end].trim_matches(['\'', ' ']).to_owned());
            text = &text[end..];
        }
        if text.is_empty() || text.starts_with(']') {
            items.retain(|item| !item.is_empty() && !item.starts_with(['{', '[']));
            return items.join("; ");
        }
    }
}

/// The lines below a key that belong to it: those set in deeper, and the items of a list.
fn below(text: &str, indent: usize) -> String {
    let belongs = |line: &&str| {
        let words = line.trim_start_matches(' ');
        words.trim().is_empty() || line.len() - words.len() > indent || words.starts_with("- ")
    };
    let lines = text.lines().take_while(belongs).filter(|line| !line.trim_start().starts_with("```"));
    let bare = |line: &str| {
        let line = line.trim();
        line.strip_prefix("- ").unwrap_or(line).trim_matches(['"', '\'']).to_owned()
    };
    lines.map(bare).filter(|line| !line.is_empty() && line != "-").collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(raw: &str, words: &str) {
        assert_eq!(first_words(CallKind::Response, raw), words, "{raw:?}");
    }

    #[test]
    fn the_words_without_the_form() {
        check("position: Use REST\nrationale:\n  - known\n  - \"cached\"\nconfidence: 0.7", "Use REST known cached");
        check("```yaml\nposition: \"Use \\\"REST\\\"\\nnow\"\nconfid", "Use \"REST\" now");
        check("{\"position\": \"Use REST\", \"rationale\": [\"known\", \"cach", "Use REST known; cach");
        check("{\"position\":\"caf\\u00e9 \\u", "café");
        check("position: |\n  Use REST,\n  then see.\nrationale: []", "Use REST, then see.");
        check("action: response\nposition: >-\n  Use", "Use");
        check("position: 'Use REST'\nconfidence: 1", "Use REST");
        check("position: Use REST\n  on two lines\nvotes:\n  C1.1: support", "Use REST on two lines");
        check("Here it is:\n\nposition: Use REST", "Use REST");
    }

    #[test]
    fn nothing_is_shown_of_a_form_without_words() {
        for raw in
            ["", "{", "{\"confidence\": 0.7", "```yaml\n", "---\nconfidence: 1", "posit", "position", "position:"]
        {
            check(raw, "");
        }
        check("preposition: no\n", "");
    }

    #[test]
    fn prose_is_shown_as_it_is_and_hostile_text_is_cleaned() {
        check("I would say that REST", "I would say that REST");
        check("position: \u{1b}[2JUse\u{202e} REST\u{7}", "Use REST");
        check("position: \"\\u001b[2JUse", "Use");
        let question = first_words(CallKind::Question, "{\"action\":\"question\",\"question\":\"Which");
        assert_eq!(question, "Which");
    }

    #[test]
    fn every_cut_of_a_reply_can_be_shown() {
        let raw = "```json\n{\"position\": \"caf\\u00e9 – 決める\", \"rationale\": [\"a\", 'b', {\"c\": 1}], \"confidence\": 0.7}\n```";
        let ends = raw.char_indices().map(|(at, _)| at).chain([raw.len()]);
        ends.for_each(|end| assert!(!first_words(CallKind::Response, &raw[..end]).contains('{')));
    }
}
