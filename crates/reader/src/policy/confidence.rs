//! The policy for confidence: a number from 0 to 1, on the scale that the text names.
//! Given a text; hands on the number, or why it is none. What could mean two numbers is refused.

use super::{shortened, split_remark, strip_without_case, words};
use crate::schema::half_width;

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
    // `0.` was cut; `1,000` is a thousand; `0.8?` asks.
    let thousands = text
        .split_once(',')
        .is_some_and(|(whole, rest)| whole != "0" && rest.len() == 3 && rest.bytes().all(|b| b.is_ascii_digit()));
    if thousands
        || text.ends_with('?')
        || text.strip_suffix('.').is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()))
    {
        return Err(refusal());
    }
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

/// A number behind words that only introduce it ("I am 80% confident"), or behind a few words and a colon
/// ("fairly sure: 0.9").
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
            let whole_part = number >= 1.0 || number == 0.0 || whole == 1.0;
            return (known && whole_part && number <= whole && remark_only(behind)).then(|| number / whole);
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
    remark.split([' ', '(', ')', ',', ';', '\n']).any(|word| {
        leading_number(word).is_some_and(|(number, rest)| rest.starts_with('%') || (number > 0.0 && number < 1.0))
    })
}

fn behind_is_number(rest: &str) -> bool {
    let inside = rest.trim_matches(|c: char| matches!(c, '(' | ')' | ',' | ';' | '#') || c.is_whitespace());
    leading_number(inside).is_some_and(|(_, tail)| tail.trim().is_empty())
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
}
