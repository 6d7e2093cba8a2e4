//! Looks for secrets in a text before it is sent anywhere.
//! Given a name and a text; hands on findings with their places. One pass over the text finds the beginnings,
//! and each is looked at once, so the time grows with the length and nothing else. A finding never holds the
//! secret. Deliberately absent: what to do about a finding.

use std::fmt;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};
use serde::Serialize;

use super::password::{is_name, is_password, is_token};
use super::shapes::{BEARER, BEGINNINGS, Kind, PASSWORD_WORDS, PLACEHOLDERS, Signs, WORDS};
use crate::clean::clean_line;

/// Something that looks like a secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The text it stands in, for example `CONTEXT.md`.
    pub name: String,
    /// From 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
    /// What it looks like.
    pub kind: Kind,
    /// Its first characters, at most four; empty where they would tell a part of a password.
    pub start: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: this looks like {}", self.name, self.line, self.column, self.kind)?;
        match self.start.as_str() {
            "" => Ok(()),
            start => write!(f, " ({start}…)"),
        }
    }
}

/// Everything in a text that looks like a secret, in the order of the text.
pub fn scan(name: &str, text: &str) -> Vec<Finding> {
    let mut places = Places { text, at: 0, line: 1, column: 1 };
    let name = clean_line(name);
    let finding = |(at, kind): (usize, Kind)| {
        let (line, column) = places.of(at);
        let tells = matches!(kind, Kind::Key(_) | Kind::Jwt | Kind::PrivateKey);
        let start = if tells { text[at..].chars().take(4).collect() } else { String::new() };
        Finding { name: name.to_string(), line, column, kind, start }
    };
    found(text).into_iter().map(finding).collect()
}

/// What a single value looks like, if it looks like a secret.
pub fn looks_like_secret(text: &str) -> Option<Kind> {
    found(text).first().map(|(_, kind)| *kind)
}

static KEYS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let texts = BEGINNINGS.iter().map(|beginning| beginning.text).chain([PEM, JWT, ADDRESS]);
    AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(texts).ok()
});
static ASSIGNED: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::builder().ascii_case_insensitive(true).match_kind(MatchKind::LeftmostLongest).build(WORDS).ok()
});
static EMPTY: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::builder().ascii_case_insensitive(true).build(PLACEHOLDERS).ok());

const PEM: &str = "-----BEGIN ";
const JWT: &str = "eyJ";
const ADDRESS: &str = "://";
/// The longest value that is taken for a secret.
const LONGEST: usize = 200;
/// The most that is looked at behind a word or an address.
const REACH: usize = 256;

fn found(text: &str) -> Vec<(usize, Kind)> {
    let bytes = text.as_bytes();
    let mut found: Vec<(usize, usize, Kind)> = Vec::new();
    for hit in KEYS.iter().flat_map(|keys| keys.find_iter(text)) {
        let (start, end) = (hit.start(), hit.end());
        if found.last().is_some_and(|(_, until, _)| start < *until) {
            continue;
        }
        found.extend(match BEGINNINGS.get(hit.pattern().as_usize()) {
            Some(shape) if starts_alone(bytes, start, shape.signs) => {
                let until = run(bytes, end, shape.signs, shape.most + 1);
                let body = &text[end..until];
                let fits = (shape.least..=shape.most).contains(&body.len());
                let tells = fits && !is_placeholder(body) && varied(body, 2.5);
                tells.then_some((start, until, Kind::Key(shape.whose)))
            }
            Some(_) => None,
            None => match &text[start..end] {
                PEM => private_key(text, start, end),
                JWT => jwt(text, start),
                _ => address_password(text, end),
            },
        });
    }
    let mut ends = Ends { bytes, from: 0, end: 0 };
    for hit in ASSIGNED.iter().flat_map(|words| words.find_iter(text)) {
        let word = hit.pattern().as_usize();
        found.extend(match word {
            BEARER => bearer(text, hit.end()),
            _ => assigned(text, hit.start(), hit.end(), word < PASSWORD_WORDS, &mut ends),
        });
    }
    // Of two findings that overlap, the one that says more: keys are found first.
    found.sort_by_key(|(start, _, kind)| (*start, *kind));
    let mut until = 0;
    found.retain(|(start, end, _)| {
        let keep = *start >= until;
        until = until.max(*end);
        keep
    });
    found.into_iter().map(|(start, _, kind)| (start, kind)).collect()
}

/// The end of the run of these signs, looked for in at most `most` of them.
fn run(bytes: &[u8], from: usize, signs: Signs, most: usize) -> usize {
    from + bytes.iter().skip(from).take(most).take_while(|byte| signs.hold(**byte)).count()
}

/// Whether no longer word leads up to this place. So no run is looked at twice.
fn starts_alone(bytes: &[u8], at: usize, signs: Signs) -> bool {
    let before = at.checked_sub(1).and_then(|before| bytes.get(before));
    let signs = if signs == Signs::Dotted { signs } else { Signs::Url };
    !before.is_some_and(|byte| signs.hold(*byte))
}

fn private_key(text: &str, start: usize, end: usize) -> Option<(usize, usize, Kind)> {
    let head = cut(text, end, 64).lines().next()?;
    let (label, _) = head.split_once("-----")?;
    let is_private = label.ends_with("PRIVATE KEY") || label == "PGP PRIVATE KEY BLOCK";
    // A heading alone, as in a sentence about keys, holds no secret: the next line does.
    let body = cut(text, end + head.len(), REACH);
    let first = body.lines().map(str::trim).find(|line| !line.is_empty() && !line.contains(": "))?;
    let secret = first.len() >= 16 && first.bytes().all(|byte| Signs::Base64.hold(byte)) && !is_placeholder(first);
    (is_private && secret).then_some((start, end + head.len(), Kind::PrivateKey))
}

fn jwt(text: &str, start: usize) -> Option<(usize, usize, Kind)> {
    let bytes = text.as_bytes();
    if !starts_alone(bytes, start, Signs::Dotted) {
        return None;
    }
    let until = run(bytes, start, Signs::Dotted, 8 * 1024);
    let parts: Vec<&str> = text[start..until].split('.').collect();
    let [head, body, signature] = parts.as_slice() else { return None };
    let long = head.len() >= 12 && body.starts_with("eyJ") && body.len() >= 12 && signature.len() >= 20;
    (long && varied(signature, 3.0)).then_some((start, until, Kind::Jwt))
}

/// `scheme://name:password@host`.
fn address_password(text: &str, from: usize) -> Option<(usize, usize, Kind)> {
    let rest = cut(text, from, REACH);
    let login = rest.split(|c: char| c.is_whitespace() || matches!(c, '/' | '"' | '\'' | '`' | '?' | '#')).next()?;
    let (login, _host) = login.rsplit_once('@')?;
    let (name, password) = login.split_once(':')?;
    let plain = ["password", "pass", "passwd", "pwd", "secret", "postgres", "user", "root", "guest", "admin"];
    let empty = password.len() < 4 || is_placeholder(password) || password == name || plain.contains(&password);
    let start = from + name.len() + 1;
    (!empty).then_some((start, start + password.len(), Kind::AddressPassword))
}

/// `Authorization: Bearer token`.
fn bearer(text: &str, from: usize) -> Option<(usize, usize, Kind)> {
    let rest = cut(text, from, 8 * 1024);
    let value = rest.trim_start_matches([' ', '\t']);
    let start = from + rest.len() - value.len();
    if start == from {
        return None;
    }
    let end = value.find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | ';' | ')' | '}' | '\\'));
    let value = &value[..end.unwrap_or(value.len())];
    let secret = is_token(value) && !is_placeholder(value) && varied(value, 2.5);
    secret.then_some((start, start + value.len(), Kind::Assigned))
}

/// A value behind a word, `:` or `=`: long, without blanks, and mixed as no word is; or, behind a word for
/// passwords, like one that somebody chose.
fn assigned(
    text: &str,
    word: usize,
    from: usize,
    of_password: bool,
    ends: &mut Ends<'_>,
) -> Option<(usize, usize, Kind)> {
    let name = &text[word..from];
    // `pass` alone is a word of many meanings: `DB_PASS`, not `bypass`.
    if name.eq_ignore_ascii_case("pass") && !text[..word].ends_with(['_', '-']) {
        return None;
    }
    let rest = cut(text, from, REACH);
    let after = rest.trim_start_matches(['"', '\'', '`', '*', ']']).trim_start_matches([' ', '\t']);
    let behind = after.strip_prefix(":=").or_else(|| after.strip_prefix([':', '=']))?;
    let value = behind.trim_start_matches([' ', '\t', '"', '\'', '`']);
    let capitals = name.bytes().all(|byte| !byte.is_ascii_lowercase());
    let like_env = capitals && rest.starts_with('=') && !behind.starts_with([' ', '\t']);
    let quoted = behind.len() > value.len() && !behind[..behind.len() - value.len()].ends_with([' ', '\t']);
    let start = from + rest.len() - value.len();
    let end = ends.after(start);
    let value = text.get(start..end).filter(|value| value.len() <= LONGEST)?;
    let has = |is: fn(&u8) -> bool| value.bytes().any(|byte| is(&byte));
    let mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic) && varied(value, 3.2);
    // Unquoted, these are marks of YAML and of shells: aliases, tags, blocks, comments, variables.
    let marked = !quoted && value.starts_with(['!', '*', '&', '#', '|', '>', '%', '[', '(']);
    let called = marked
        || value.contains('(')
        || value.contains("::")
        || value.contains("://")
        || value.starts_with(['$', '/', '.', '@']);
    let chosen = of_password && is_password(value, like_env);
    let called = called || (of_password && is_name(value, like_env));
    let secret = ((12..=LONGEST).contains(&value.len()) && mixed || chosen)
        && !called
        && !is_placeholder(value)
        && !is_dated(value);
    secret.then_some((start, start + value.len(), Kind::Assigned))
}

/// Names with a version or date in them (`gpt-6.1-sol-2026-08-12`) are mixed too, but made of words.
fn is_dated(value: &str) -> bool {
    let parts: Vec<&str> = value.split(['-', '_', '.', ':', '/']).collect();
    let word = |part: &&str| {
        part.bytes().all(|byte| byte.is_ascii_digit()) && part.len() <= 8
            || part.bytes().all(|byte| byte.is_ascii_lowercase()) && part.len() <= 16
            || part.len() <= 4
    };
    parts.len() > 1 && parts.iter().all(word)
}

fn is_placeholder(text: &str) -> bool {
    EMPTY.as_ref().is_some_and(|empty| empty.is_match(text))
}

/// Whether the signs are mixed at least this much, in bits for each.
fn varied(text: &str, bits: f64) -> bool {
    let mut counts = [0u32; 256];
    text.bytes().for_each(|byte| counts[usize::from(byte)] += 1);
    let all = text.len().max(1) as f64;
    let share = counts.iter().filter(|count| **count > 0).map(|count| f64::from(*count) / all);
    share.map(|share| -share * share.log2()).sum::<f64>() >= bits
}

/// At most this many bytes from here, cut between characters.
fn cut(text: &str, from: usize, most: usize) -> &str {
    let rest = text.get(from..).unwrap_or_default();
    let mut end = most.min(rest.len());
    while !rest.is_char_boundary(end) {
        end -= 1;
    }
    &rest[..end]
}

/// Where values end. Asked for in rising order, it looks at each place once, however many words stand before it.
struct Ends<'t> {
    bytes: &'t [u8],
    from: usize,
    end: usize,
}

impl Ends<'_> {
    fn after(&mut self, start: usize) -> usize {
        if !(self.from..self.end).contains(&start) {
            let ends = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`,;)}".contains(byte);
            let length = self.bytes.iter().skip(start).position(ends);
            (self.from, self.end) = (start, length.map_or(self.bytes.len(), |length| start + length));
        }
        self.end
    }
}

/// Turns offsets, asked for in rising order, into lines and columns without starting over.
struct Places<'t> {
    text: &'t str,
    at: usize,
    line: u32,
    column: u32,
}

impl Places<'_> {
    fn of(&mut self, offset: usize) -> (u32, u32) {
        for c in self.text[self.at..offset].chars() {
            (self.line, self.column) = match c {
                '\n' => (self.line.saturating_add(1), 1),
                _ => (self.line, self.column.saturating_add(1)),
            };
        }
        self.at = offset;
        (self.line, self.column)
    }
}
