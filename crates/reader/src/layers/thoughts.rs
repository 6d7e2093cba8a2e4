//! What a model thought aloud, and what a chat template puts around its turn.
//! Given the text; hands on the text without them. Thoughts that never end refuse the reply.

use std::borrow::Cow;

use crate::node::Doubts;

/// Leaves out what a chat template puts around a turn: `<|im_end|>`, `[/INST]`, `</s>`, and the channels before
/// the final one.
pub(super) fn without_tokens(text: &str) -> Option<String> {
    const TOKENS: [&str; 8] =
        ["[INST]", "[/INST]", "</s>", "<s>", "<start_of_turn>", "<end_of_turn>", "<<SYS>>", "<</SYS>>"];
    const FINAL: &str = "<|channel|>final<|message|>";
    // Most replies have none: one look for what every token has.
    if !text.contains('<') && !text.contains("INST]") {
        return None;
    }
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
pub(super) fn without_thoughts<'t>(text: &'t str, doubts: &mut Doubts) -> Result<Cow<'t, str>, String> {
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
