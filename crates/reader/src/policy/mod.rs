//! The policy for values that are closed sets: confidence, the next action, words for nothing, placeholders.
//! Given a text; hands on a value or the reason against it. What is ambiguous is refused. See docs/reading.md.

mod action;
mod confidence;

pub(crate) use action::{NEXT_ACTIONS, next_action};
pub(crate) use confidence::confidence;

use crate::clean::clean_line;

/// Lower-case words without marks around them: `**Next_Phase**.`, `nextPhase` → `next phase`.
fn words(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    let mut before = ' ';
    for c in text.trim_matches(|c: char| !c.is_alphanumeric()).chars().take(120) {
        if matches!(c, '_' | '-' | ' ' | '\t') {
            if !words.ends_with(' ') {
                words.push(' ');
            }
        } else {
            if c.is_uppercase() && before.is_lowercase() {
                words.push(' ');
            }
            words.extend(c.to_lowercase());
        }
        before = c;
    }
    words
}

/// A value and the remark behind it: `continue - one more round`, `0.8 (high)`, `conclude because …`.
fn split_remark(text: &str) -> Option<(&str, &str)> {
    let marks = [" - ", " \u{2013} ", "\u{2014}", ":", "(", ",", ";", ". ", "\n", " because ", " since ", "#", "//"];
    let at = marks.iter().filter_map(|mark| text.find(mark)).filter(|at| *at > 0).min()?;
    Some((&text[..at], &text[at..]))
}

/// A word for nothing, where a text may be missing.
pub(crate) fn is_nothing(text: &str) -> bool {
    let text = text.trim();
    let text = if text.bytes().all(|b| b == b'.') { text } else { text.trim_end_matches('.') };
    let nothing = [
        "null",
        "none",
        "nil",
        "n/a",
        "na",
        "n.a",
        "undefined",
        "not applicable",
        "nothing",
        "empty",
        "none at this time",
        "none identified",
        "not specified",
        "not provided",
        "unspecified",
        "none so far",
        "none yet",
    ];
    let text = text.trim_matches(|c| matches!(c, '(' | ')' | '<' | '>' | '[' | ']' | '{' | '}' | ' ' | '"' | '\''));
    matches!(text, "" | "~" | "-" | "--" | "---" | "\u{2014}" | "\u{2013}" | "\u{2205}")
        || nothing.iter().any(|word| word.eq_ignore_ascii_case(text))
}

/// A text that holds the place of one: `<string>`, `...`, `TBD`, `[your position]`, `{{position}}`.
pub(crate) fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    let around = |open, close| text.len() > 2 && text.starts_with(open) && text.ends_with(close);
    let inside = text.get(1..text.len().max(2) - 1).unwrap_or_default();
    // `<Suspense>` is a name.
    let named = inside.starts_with(char::is_uppercase) && !inside.contains(' ');
    if around('<', '>') && !named && !inside.contains(['<', '>']) || text.starts_with("{{") && text.ends_with("}}") {
        return true;
    }
    let asks = ["your ", "insert ", "the position", "position here", "string", "text", "placeholder", "fill in"];
    if around('[', ']') && !inside.contains(['[', ']']) && asks.iter().any(|ask| starts_without_case(inside, ask)) {
        return true;
    }
    let holds = [
        "...",
        "\u{2026}",
        "tbd",
        "todo",
        "tba",
        "to be determined",
        "(to be determined)",
        "string",
        "xxx",
        "???",
        "lorem ipsum",
        "string (required)",
    ];
    holds.iter().any(|word| word.eq_ignore_ascii_case(text.trim_end_matches(':')))
}

fn strip_without_case<'t>(text: &'t str, start: &str) -> Option<&'t str> {
    starts_without_case(text, start).then(|| &text[start.len()..])
}

fn starts_without_case(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
}

/// Keys that only carry a text.
pub(crate) fn is_carrier(key: &str) -> bool {
    const CARRIERS: [&str; 16] = [
        "text",
        "point",
        "reason",
        "item",
        "value",
        "content",
        "description",
        "concern",
        "statement",
        "argument",
        "risk",
        "rationale",
        "position",
        "message",
        "summary",
        "detail",
    ];
    CARRIERS.iter().any(|carrier| carrier.eq_ignore_ascii_case(key))
}

/// A key that only numbers an entry: `1`, `item_2`, `reason 3`.
pub(crate) fn is_number(key: &str) -> bool {
    let digits = key.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let word = &key[..key.len() - digits.len()];
    let digits = digits.trim_start_matches(['_', ' ', '-']);
    let counts = !digits.is_empty() && digits.len() <= 4 && digits.bytes().all(|b| b.is_ascii_digit());
    counts && (word.is_empty() || is_carrier(word))
}

/// Keys that only count, beside one that carries.
pub(crate) fn is_counter(key: &str) -> bool {
    const COUNTERS: [&str; 8] = ["id", "number", "index", "no", "order", "rank", "priority", "weight"];
    COUNTERS.iter().any(|counter| counter.eq_ignore_ascii_case(key))
}

/// A text that stands for parts that were left out: `...`, `… and 3 more`, `(remaining items omitted)`.
pub(crate) fn is_elision(text: &str) -> bool {
    let text = text.trim().trim_start_matches(['/', '#', '*', '(', '[', '<', ' ', '-']);
    let dots = text.starts_with("...") || text.starts_with('\u{2026}');
    let rest = text
        .trim_start_matches(['.', '\u{2026}', ' '])
        .trim_end_matches([')', ']', '>', '.', ' '])
        .to_ascii_lowercase();
    let begins =
        ["more", "and more", "and so on", "etc", "remaining", "rest of the"].iter().any(|word| rest.starts_with(word));
    let ends = ["omitted", "truncated", "for brevity", " more", "more items"].iter().any(|word| rest.ends_with(word));
    let short = rest.len() <= 60;
    rest.is_empty() && dots || short && dots && (begins || ends) || short && begins && ends
}

/// The start of a text, for a message.
pub(crate) fn shortened(text: &str) -> String {
    let text = text.trim();
    let start: String = text.chars().take(60).collect();
    // Cleaned after the cut: a joiner with nothing behind it only hides.
    let mut short = clean_line(&start).into_owned();
    if start.len() < text.len() {
        short.push('\u{2026}');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_known() {
        for text in ["<string>", "<number between 0 and 1>", "...", "TBD", "[your position]", "{{position}}", "string"]
        {
            assert!(is_placeholder(text), "{text}");
        }
        for text in ["<b>bold</b> move", "[RFC 9110] settles it", "to be decided by the team", "on"] {
            assert!(!is_placeholder(text), "{text}");
        }
    }
}
