//! Names and links of records, and safe text for them.
//! Given file names and titles; hands on links that resolve, ids and numbers. Deliberately absent: files.

use crate::clean::clean_line;
use crate::documents::escape;

/// The longest run of digits that numbers a record; a longer one is a day.
const MOST_DIGITS: usize = 5;

/// A text on one line, safe in Markdown.
pub(super) fn safe(text: &str) -> String {
    escape::inline(&clean_line(text))
}

/// A text on one line, safe in a cell of a table.
pub(super) fn cell(text: &str) -> String {
    escape::cell(&clean_line(text))
}

/// Markdown's escapes taken out again, for screens; in a code span there are none.
pub(super) fn plain(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '`']) {
        let (before, from) = rest.split_at(at);
        bare.push_str(before);
        let run = from.len() - from.trim_start_matches('`').len();
        let (taken, kept) = match run {
            0 => {
                let escaped = from[1..].chars().next().filter(char::is_ascii_punctuation);
                escaped.map_or((1, &from[..1]), |c| (1 + c.len_utf8(), &from[1..1 + c.len_utf8()]))
            }
            _ => {
                let end = from[run..].find(&from[..run]).map_or(run, |close| run + close + run);
                (end, &from[..end])
            }
        };
        bare.push_str(kept);
        rest = &from[taken..];
    }
    bare.push_str(rest);
    clean_line(&bare).into_owned()
}

/// A file name as the address of a link.
pub(super) fn encoded(file: &str) -> String {
    let keep = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    file.bytes().map(|byte| if keep(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// The file name that such an address means.
pub(super) fn decoded(address: &str) -> String {
    let name = address.rsplit('/').next().unwrap_or(address);
    let bytes = name.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = (bytes[at] == b'%').then(|| name.get(at + 1..at + 3)).flatten();
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The address of the first link in a line.
pub(super) fn target(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("](")?;
    Some(rest.split_once(')')?.0.trim_matches(['<', '>']))
}

/// The id that a generated record's file begins with.
pub(super) fn artifact_id(stem: &str) -> Option<&str> {
    let digits = stem.strip_prefix("ARCH-")?;
    let length = digits.chars().take_while(char::is_ascii_digit).count();
    let ends = digits[length..].is_empty() || digits[length..].starts_with('-');
    (length >= 3 && ends).then(|| &stem[.."ARCH-".len() + length])
}

/// The number that a name gives: `0007-title`, `ADR-7`, `7`; with whether it is one of a generated record.
pub(super) fn number(name: &str) -> Option<(Option<bool>, u32)> {
    let lower = name.to_lowercase();
    let (generated, rest) = match (lower.strip_prefix("arch-"), lower.strip_prefix("adr-")) {
        (Some(rest), _) => (Some(true), rest),
        (_, Some(rest)) => (Some(false), rest),
        _ => (None, lower.as_str()),
    };
    let digits = rest.chars().take_while(char::is_ascii_digit).count();
    let ends = rest[digits..].is_empty() || rest[digits..].starts_with(['-', '_', '.', ' ']);
    if digits == 0 || digits > MOST_DIGITS || !ends {
        return None;
    }
    Some((generated, rest[..digits].parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_leads_back_to_its_file() {
        for file in ["0001-a.md", "a b (c).md", "größe #1 [x]%20.md"] {
            assert_eq!(decoded(&encoded(file)), file);
            assert!(!encoded(file).contains([' ', '(', ')', '#']), "{}", encoded(file));
        }
        assert_eq!(decoded("./x/100%.md"), "100%.md");
    }

    #[test]
    fn numbers_are_numbers_and_days_are_not() {
        assert_eq!(number("0007-kafka"), Some((None, 7)));
        assert_eq!(number("ADR-7"), Some((Some(false), 7)));
        assert_eq!(number("arch-012"), Some((Some(true), 12)));
        for other in ["20260102-030405-kafka", "kafka", "7th", "", "123456"] {
            assert_eq!(number(other), None, "{other}");
        }
        assert_eq!(artifact_id("ARCH-001-use-rest"), Some("ARCH-001"));
        assert_eq!(artifact_id("ARCH-1-x").or(artifact_id("ARCH-001x")), None);
    }

    #[test]
    fn a_title_reads_as_it_was_meant() {
        assert_eq!(plain(r"snake\_case \[x\] C:\dir"), r"snake_case [x] C:\dir");
        assert_eq!(plain(r"`a\|b` or \`c\` \\ `open \*"), r"`a\|b` or `c` \ `open *");
    }
}
