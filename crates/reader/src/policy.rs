//! The policy for values that are closed sets: confidence, the next action, words for nothing, placeholders.
//! Given a text; hands on a value or the reason against it. What is ambiguous is refused. See docs/reading.md.

use crate::schema::half_width;

/// What a facilitator can propose.
pub(crate) const NEXT_ACTIONS: [&str; 4] = ["continue", "phase", "conclude", "escalate"];

/// Other words for them.
const NEXT_ACTION_WORDS: [(&str, &[&str]); 4] = [
    (
        "continue",
        &[
            "proceed",
            "keep going",
            "go on",
            "carry on",
            "next round",
            "another round",
            "one more round",
            "continue discussion",
            "continue round",
            "continue rounds",
            "continue debate",
            "more discussion",
        ],
    ),
    (
        "phase",
        &[
            "next phase",
            "advance phase",
            "new phase",
            "change phase",
            "switch phase",
            "phase change",
            "phase transition",
            "transition phase",
            "move to next phase",
            "advance to next phase",
            "phase advance",
            "advance the phase",
            "go to next phase",
            "move to the next phase",
            "advance to the next phase",
        ],
    ),
    (
        "conclude",
        &[
            "conclusion",
            "concluded",
            "finish",
            "finished",
            "wrap up",
            "end",
            "done",
            "close",
            "complete",
            "completed",
            "finalize",
            "finalise",
            "conclude discussion",
            "end discussion",
            "conclude session",
        ],
    ),
    (
        "escalate",
        &[
            "escalation",
            "escalated",
            "escalate to human",
            "escalate to user",
            "escalate to person",
            "escalate to a human",
            "escalate to a person",
            "ask human",
            "ask a human",
            "ask user",
            "ask the user",
            "ask a person",
            "human review",
            "needs human",
            "human decision",
        ],
    ),
];

/// The next action a text names: the word, another word for it, or the word with a remark behind it.
pub(crate) fn next_action(text: &str) -> Result<&'static str, String> {
    let refusal = || format!("is \"{}\"; allowed: {}", shortened(text), NEXT_ACTIONS.join(", "));
    // `Action::PHASE`, `NextAction.CONTINUE`
    let word = text.rsplit("::").next().unwrap_or(text);
    if let Some(action) = action_named(&words(word)).or_else(|| action_told(&words(text))) {
        return Ok(action);
    }
    let (lead, tail) = split_remark(text).ok_or_else(refusal)?;
    let action = action_named(&self::words(lead)).ok_or_else(refusal)?;
    let contradicted = self::words(tail).split(' ').any(|word| NEXT_ACTIONS.contains(&word) && word != action);
    if contradicted {
        return Err(format!("is \"{}\", which names two; allowed: {}", shortened(text), NEXT_ACTIONS.join(", ")));
    }
    Ok(action)
}

fn action_named(words: &str) -> Option<&'static str> {
    let own = NEXT_ACTIONS.iter().find(|action| **action == words);
    if words.strip_prefix("escalate to ").is_some_and(|to| !to.contains(" or ")) {
        return Some("escalate");
    }
    own.copied().or_else(|| NEXT_ACTION_WORDS.iter().find(|(_, also)| also.contains(&words)).map(|(action, _)| *action))
}

/// A short sentence that names one action and nothing that could weigh or deny it: "We should conclude".
fn action_told(words: &str) -> Option<&'static str> {
    const NEUTRAL: [&str; 42] = [
        "we",
        "i",
        "us",
        "let's",
        "lets",
        "should",
        "must",
        "will",
        "would",
        "need",
        "needs",
        "propose",
        "suggest",
        "recommend",
        "to",
        "the",
        "a",
        "this",
        "it",
        "is",
        "my",
        "our",
        "move",
        "on",
        "go",
        "next",
        "now",
        "please",
        "with",
        "another",
        "round",
        "discussion",
        "proposal",
        "action",
        "ready",
        "time",
        "human",
        "person",
        "user",
        "session",
        "for",
        "into",
    ];
    let stems = [("continu", "continue"), ("phase", "phase"), ("conclu", "conclude"), ("escalat", "escalate")];
    let mut named = None;
    for (count, word) in words.split([' ', '.', ',']).filter(|word| !word.is_empty()).enumerate() {
        let letters = word.bytes().all(|b| b.is_ascii_alphabetic());
        match stems.iter().find(|(stem, _)| letters && word.starts_with(stem)) {
            Some((_, action)) if named.is_none_or(|named| named == *action) => named = Some(*action),
            None if count <= 10 && NEUTRAL.contains(&word) => {}
            _ => return None,
        }
    }
    named
}

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

/// What words of confidence mean.
const CONFIDENCE_WORDS: [(&str, f64); 9] = [
    ("very low", 0.05),
    ("low", 0.2),
    ("medium", 0.5),
    ("moderate", 0.5),
    ("mid", 0.5),
    ("average", 0.5),
    ("high", 0.8),
    ("very high", 0.95),
    ("strong", 0.8),
];

/// A confidence from 0 to 1. Percent, `x/10`, `x out of 10` and a few words are understood; a bare number
/// above 10 is a percentage. A bare number from 1 to 10 could be either scale and is refused.
pub(crate) fn confidence(text: &str) -> Result<f64, String> {
    let range = "a number from 0.0 to 1.0";
    let told = text;
    let refusal = || format!("must be {range}, not \"{}\"", shortened(told));
    let text: String = text.chars().map(half_width).collect();
    let text =
        text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '`' | '"' | '\'' | '[' | ']' | '_' | '='));
    // `confidence: Confidence: 0.9`
    let text =
        strip_without_case(text, "confidence").map_or(text, |rest| rest.trim_start_matches([':', '=', ' ', '*']));
    let text = text.strip_prefix(['~', '\u{2248}']).unwrap_or(text).trim();
    let about = ["about ", "around ", "approximately ", "approx. ", "approx ", "roughly ", "circa ", "ca. "];
    let text = about.iter().find_map(|word| strip_without_case(text, word)).unwrap_or(text).trim_start();
    if let Some((number, rest)) = leading_number(text) {
        return scaled(number, rest).filter(|value| (0.0..=1.0).contains(value)).ok_or_else(refusal);
    }
    if let Some((number, rest)) = told_number(text) {
        return scaled(number, rest).filter(|value| (0.0..=1.0).contains(value)).ok_or_else(refusal);
    }
    let (lead, tail) = split_remark(text).unwrap_or((text, ""));
    let lead = words(lead);
    let lead = lead.strip_suffix(" confidence").unwrap_or(&lead);
    let (_, meant) = CONFIDENCE_WORDS.iter().find(|(word, _)| *word == lead).ok_or_else(refusal)?;
    // `High (0.85)`: the number is what is meant. Two numbers, or another word, are two answers.
    let tail = tail.trim_matches(|c: char| !c.is_alphanumeric() && c != '.' && c != '%' && c != '-');
    let behind = tail.trim_start_matches(['-', '\u{2013}', '\u{2014}', ' ']);
    if let Some((number, rest)) = leading_number(behind) {
        return scaled(number, rest).filter(|value| (0.0..=1.0).contains(value)).ok_or_else(refusal);
    }
    let second = words(tail).split(' ').any(|word| CONFIDENCE_WORDS.iter().any(|(known, _)| *known == word));
    if second || tail.contains(|c: char| c.is_ascii_digit()) { Err(refusal()) } else { Ok(*meant) }
}

/// A number behind a few words and a colon: "fairly sure: 0.9".
fn told_number(text: &str) -> Option<(f64, &str)> {
    let neutral = |word: &str| ["i", "i'm", "am", "we", "are", "my", "is", "at", "confidence", "it"].contains(&word);
    if let Some(at) = text.find(|c: char| c.is_ascii_digit()).filter(|at| *at > 0)
        && text[..at].to_lowercase().split_whitespace().all(neutral)
    {
        return leading_number(&text[at..]);
    }
    let (lead, number) = text.split_once([':', '=', '('])?;
    let plain =
        lead.split_whitespace().count() <= 4 && lead.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '/' | '-'));
    let number = leading_number(number.trim_start())?;
    plain.then_some(number)
}

/// A number at the start, and what follows it. A comma between digits is a decimal comma.
fn leading_number(text: &str) -> Option<(f64, &str)> {
    let bytes = text.as_bytes();
    let sign = usize::from(matches!(bytes.first(), Some(b'-' | b'+')));
    let mut end = sign;
    let mut points = 0;
    while let Some(&byte) = bytes.get(end) {
        let digit_next = bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
        match byte {
            b'0'..=b'9' => end += 1,
            b'.' | b',' if digit_next && points == 0 => {
                points = 1;
                end += 1;
            }
            b'e' | b'E' if end > sign && exponent(&bytes[end + 1..]) > 0 => {
                end += 1 + exponent(&bytes[end + 1..]);
                break;
            }
            _ => break,
        }
    }
    let number: f64 = text[..end].replace(',', ".").parse().ok()?;
    Some((number, &text[end..]))
}

fn exponent(bytes: &[u8]) -> usize {
    let sign = usize::from(matches!(bytes.first(), Some(b'-' | b'+')));
    let digits = bytes[sign.min(bytes.len())..].iter().take_while(|b| b.is_ascii_digit()).count();
    if digits == 0 || digits > 3 { 0 } else { sign + digits }
}

/// The number on the scale that the words behind it name.
fn scaled(number: f64, behind_number: &str) -> Option<f64> {
    let rest = behind_number.trim_start();
    let lower = rest.get(..rest.len().min(24)).unwrap_or(rest).to_ascii_lowercase();
    for unit in ["%", "percent", "per cent", "pct", "\u{FF05}"] {
        if lower.starts_with(unit) {
            let behind = rest.get(unit.len()..)?;
            return remark_only(behind).then_some(number / 100.0);
        }
    }
    for of in ["/", "out of", "of"] {
        if lower.starts_with(of) {
            let (whole, behind) = leading_number(rest.get(of.len()..)?.trim_start())?;
            let known = [1.0, 2.0, 3.0, 4.0, 5.0, 10.0, 20.0, 100.0].contains(&whole);
            return (known && number <= whole && remark_only(behind)).then(|| number / whole);
        }
    }
    let value = match number {
        n if (0.0..=1.0).contains(&n) => n,
        n if n > 10.0 && n <= 100.0 => n / 100.0,
        _ => return None,
    };
    // `0.8 (80%)` says the same twice.
    let again = rest.strip_prefix('(').and_then(|inside| inside.split(')').next()).and_then(leading_number);
    let same = again.and_then(|(number, rest)| scaled(number, rest)).is_some_and(|again| (again - value).abs() < 1e-9);
    (same || remark_only(behind_number)).then_some(value)
}

/// Whether what follows a number only comments on it, and does not make it a range or another number.
fn remark_only(rest: &str) -> bool {
    // `0x10`, `0.8f`: not a number and a word.
    if rest.starts_with(char::is_alphanumeric) || names_confidence(rest) {
        return false;
    }
    let rest = rest.trim_start();
    let behind =
        rest.trim_start_matches(['-', '\u{2013}', '\u{2014}', '~', '\u{2026}', '.', '/', '+', '\u{B1}', ' ', '|']);
    let mut words = behind.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    if first.starts_with(|c: char| c.is_ascii_digit()) {
        // `0.7 - 0.8`, `0.7/0.8`; but `0.8 (2 teams)` and `0.8, 3 risks` only comment.
        return rest.starts_with(['(', ',', ';', '#']) && !behind_is_number(rest);
    }
    let joins = matches!(first, "to" | "or" | "and" | "till" | "until" | "plus" | "minus" | "x");
    !joins || !words.next().is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether a remark names another confidence: a fraction of one, or a percentage.
fn names_confidence(remark: &str) -> bool {
    remark.split([' ', '(', ')', ',', ';']).any(|word| {
        leading_number(word).is_some_and(|(number, rest)| rest.starts_with('%') || (number > 0.0 && number < 1.0))
    })
}

fn behind_is_number(rest: &str) -> bool {
    let inside = rest.trim_matches(|c: char| matches!(c, '(' | ')' | ',' | ';' | '#') || c.is_whitespace());
    leading_number(inside).is_some_and(|(_, tail)| tail.trim().is_empty())
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
    if around('<', '>') && !inside.contains(['<', '>']) || text.starts_with("{{") && text.ends_with("}}") {
        return true;
    }
    let asks = ["your ", "insert ", "the position", "position here", "string", "text", "placeholder", "fill in"];
    if around('[', ']') && !inside.contains(['[', ']']) && asks.iter().any(|ask| starts_without_case(inside, ask)) {
        return true;
    }
    let holds = ["...", "\u{2026}", "tbd", "todo", "tba", "string", "xxx", "???", "lorem ipsum", "string (required)"];
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
    let rest = text.trim_start_matches(['.', '\u{2026}', ' ']).to_ascii_lowercase();
    let told = ["omitted", "truncated", "remaining", "rest of", "and so on", "more items", "for brevity", "etc"];
    let short = rest.len() <= 60;
    let says = told.iter().any(|word| rest.contains(word)) || rest.ends_with(" more") || rest.starts_with("more");
    (dots && (rest.trim_matches([')', ']', '>']).is_empty() || (short && says)))
        || (short && ["omitted", "truncated"].iter().any(|word| rest.contains(word)) && rest.contains("brevity"))
        || (short && (rest.starts_with("remaining") || rest.starts_with("rest of")) && rest.contains("omitted"))
}

/// The start of a text, for a message.
pub(crate) fn shortened(text: &str) -> String {
    let start: String = text.trim().chars().take(200).collect();
    let text = crate::clean::clean_line(&start);
    let mut short: String = text.chars().take(60).collect();
    if text.chars().nth(60).is_some() {
        short.push('\u{2026}');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confidence_is_read_on_its_scale() {
        for (text, value) in [
            ("0.8", 0.8),
            (".8", 0.8),
            ("0,85", 0.85),
            ("1", 1.0),
            ("0", 0.0),
            ("1e-1", 0.1),
            ("85", 0.85),
            ("80%", 0.8),
            ("80 %", 0.8),
            ("80 percent", 0.8),
            ("9/10", 0.9),
            ("8 out of 10", 0.8),
            ("8.5/10", 0.85),
            ("4/5", 0.8),
            ("85/100", 0.85),
            ("0.8 (high)", 0.8),
            ("High (0.85)", 0.85),
            ("high", 0.8),
            ("LOW", 0.2),
            ("Very high", 0.95),
            ("very-low", 0.05),
            ("**0.8**", 0.8),
            ("~0.8", 0.8),
            ("0.8 # sure", 0.8),
            ("0.8 because of 2 teams", 0.8),
            ("0.8 (2 teams run it)", 0.8),
            ("high confidence", 0.8),
            ("80% - fairly sure", 0.8),
            ("0.8.", 0.8),
            ("High - two teams agree", 0.8),
        ] {
            assert_eq!(confidence(text), Ok(value), "{text}");
        }
    }

    #[test]
    fn an_ambiguous_confidence_is_refused() {
        for text in [
            "7",
            "10",
            "1.5",
            "-0.2",
            "120",
            "150%",
            "0.7-0.8",
            "0.7 - 0.8",
            "0.7 to 0.8",
            "0.6 or 0.8",
            "7/8",
            "NaN",
            ".nan",
            "inf",
            "-.inf",
            "Infinity",
            "medium-high",
            "high to very high",
            "fairly sure",
            "",
            "11/10",
            "0.8 (0.6)",
            "low/high",
            "0.7/0.8",
            "80-90%",
            "0.8 \u{B1} 0.1",
            "high or low",
            "between 0.6 and 0.8",
        ] {
            assert!(confidence(text).is_err(), "{text}: {:?}", confidence(text));
        }
    }

    #[test]
    fn the_next_action_is_one_of_four() {
        for (text, action) in [
            ("continue", "continue"),
            ("CONCLUDE.", "conclude"),
            ("**phase**", "phase"),
            ("[escalate]", "escalate"),
            ("nextPhase", "phase"),
            ("next-phase", "phase"),
            ("wrap_up", "conclude"),
            ("keep going", "continue"),
            ("continue - one more round is needed", "continue"),
            ("escalate_to_human", "escalate"),
            ("\"conclude\"", "conclude"),
            ("conclude (all agree)", "conclude"),
            ("continue because it is open", "continue"),
        ] {
            assert_eq!(next_action(text), Ok(action), "{text}");
        }
        for text in [
            "",
            "continue or conclude",
            "conclude/escalate",
            "either phase or continue",
            "do not conclude",
            "maybe",
            "continue | phase | conclude | escalate",
            "continue, then conclude",
            "contnue",
            "stop",
            "not conclude",
        ] {
            assert!(next_action(text).is_err(), "{text}: {:?}", next_action(text));
        }
    }

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
