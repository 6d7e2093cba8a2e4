//! Asks a node for what it should be: text, a whole number in a range, one of some words, a map.
//! Given: a [`Node`] and what is expected. Hands on: the value, or a [`Misfit`] with the place,
//! what is wrong and what is allowed. [`Misfits`] gathers them, so that one reading of a file shows
//! all that is wrong with it. Deliberately absent: what any file should hold.

use std::fmt;
use std::ops::RangeInclusive;

use serde_json::Value;

use super::{Entry, Kind, Node};
use crate::Flaw;

/// A value that is good YAML but not what is expected there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misfit {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// What is wrong.
    pub what: String,
    /// What would be right, where that can be said in a line.
    pub allowed: Option<String>,
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.what)?;
        match &self.allowed {
            Some(allowed) => write!(f, " (allowed: {allowed})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Misfit {}

impl From<Flaw> for Misfit {
    fn from(flaw: Flaw) -> Self {
        Self { line: flaw.line, column: flaw.column, what: flaw.what, allowed: None }
    }
}

/// All that is wrong with one file, in the order it was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Misfits(pub Vec<Misfit>);

impl Misfits {
    /// Passes a good value on and keeps a misfit for later.
    pub fn keep<T>(&mut self, result: Result<T, Misfit>) -> Option<T> {
        result.map_err(|misfit| self.0.push(misfit)).ok()
    }

    /// Adds one.
    pub fn add(&mut self, misfit: Misfit) {
        self.0.push(misfit);
    }

    /// The value if nothing is wrong, else all misfits in the order of the file.
    pub fn into_result<T>(mut self, value: Option<T>) -> Result<T, Vec<Misfit>> {
        self.0.sort_by_key(|misfit| (misfit.line, misfit.column));
        match value {
            Some(value) if self.0.is_empty() => Ok(value),
            _ => Err(self.0),
        }
    }
}

/// The keys of a map, asked for by name.
#[derive(Debug, Clone, Copy)]
pub struct Fields<'n> {
    node: &'n Node,
    entries: &'n [Entry],
}

impl<'n> Fields<'n> {
    /// The value of a key; a key with nothing behind it counts as not given.
    pub fn get(&self, key: &str) -> Option<&'n Node> {
        let entry = self.entries.iter().find(|entry| entry.key == key)?;
        (!entry.value.is_nothing()).then_some(&entry.value)
    }

    /// The value of a key that must be there.
    pub fn required(&self, key: &str) -> Result<&'n Node, Misfit> {
        if let Some(value) = self.get(key) {
            return Ok(value);
        }
        Err(match self.entries.iter().find(|entry| entry.key == key) {
            Some(Entry { line, column, .. }) => {
                Misfit { line: *line, column: *column, what: format!("the key `{key}` has no value"), allowed: None }
            }
            None => self.node.misfit(format!("the key `{key}` is missing")),
        })
    }

    /// The keys that are not in `allowed`, each with the nearest that is.
    pub fn unknown(&self, allowed: &[&str]) -> Vec<Misfit> {
        let strange = self.entries.iter().filter(|entry| !allowed.contains(&entry.key.as_str()));
        let misfit = |entry: &Entry| Misfit {
            line: entry.line,
            column: entry.column,
            what: unknown("key", &entry.key, allowed),
            allowed: Some(allowed.join(", ")),
        };
        strange.map(misfit).collect()
    }

    /// All keys, in the order of the file.
    pub fn entries(&self) -> &'n [Entry] {
        self.entries
    }

    /// The map itself, for its place.
    pub fn node(&self) -> &'n Node {
        self.node
    }
}

impl Node {
    /// A misfit at this place.
    pub fn misfit(&self, what: impl Into<String>) -> Misfit {
        Misfit { line: self.line, column: self.column, what: printable(&what.into()), allowed: None }
    }

    /// A map.
    pub fn fields(&self) -> Result<Fields<'_>, Misfit> {
        match &self.kind {
            Kind::Map(entries) => Ok(Fields { node: self, entries }),
            _ => Err(self.unexpected("a map of keys and values")),
        }
    }

    /// A list.
    pub fn items(&self) -> Result<&[Node], Misfit> {
        match &self.kind {
            Kind::Seq(items) => Ok(items),
            _ => Err(self.unexpected("a list")),
        }
    }

    /// Text that is not blank. A bare number or truth value is not text: quotes make it one.
    pub fn text(&self) -> Result<&str, Misfit> {
        match (&self.kind, self.to_json()) {
            (Kind::Scalar { text, .. }, Value::String(_)) if text.trim().is_empty() => {
                Err(self.misfit("the text is empty"))
            }
            (Kind::Scalar { text, .. }, Value::String(_)) => Ok(text),
            (_, Value::Number(_) | Value::Bool(_)) => {
                Err(self.unexpected("text (put it in quotes if it is meant as text)"))
            }
            _ => Err(self.unexpected("text")),
        }
    }

    /// A list of texts.
    pub fn texts(&self) -> Result<Vec<String>, Misfit> {
        self.items()?.iter().map(|item| item.text().map(str::to_owned)).collect()
    }

    /// A whole number within a range.
    pub fn whole(&self, range: RangeInclusive<u32>) -> Result<u32, Misfit> {
        let (low, high) = (*range.start(), *range.end());
        let wanted = match high {
            u32::MAX => format!("a whole number from {low} up"),
            _ => format!("a whole number from {low} to {high}"),
        };
        let number = match &self.kind {
            Kind::Scalar { plain: true, .. } => self.to_json().as_u64(),
            _ => None,
        };
        let fits = number.and_then(|n| u32::try_from(n).ok()).filter(|n| range.contains(n));
        fits.ok_or_else(|| self.unexpected(&wanted))
    }

    /// A number within a range, ends included.
    pub fn number(&self, range: RangeInclusive<f64>) -> Result<f64, Misfit> {
        let wanted = format!("a number from {} to {}", range.start(), range.end());
        let number = match &self.kind {
            Kind::Scalar { plain: true, .. } => self.to_json().as_f64(),
            _ => None,
        };
        number.filter(|n| range.contains(n)).ok_or_else(|| self.unexpected(&wanted))
    }

    /// `true` or `false`.
    pub fn flag(&self) -> Result<bool, Misfit> {
        self.to_json().as_bool().ok_or_else(|| self.unexpected("true or false"))
    }

    /// One of some words, each with the value it stands for.
    pub fn one_of<T: Copy>(&self, words: &[(&str, T)]) -> Result<T, Misfit> {
        let allowed = || words.iter().map(|(word, _)| *word).collect::<Vec<_>>();
        let Kind::Scalar { text, .. } = &self.kind else {
            return Err(self.unexpected(&format!("one of {}", allowed().join(", "))));
        };
        words.iter().find(|(word, _)| word == text).map(|(_, value)| *value).ok_or_else(|| Misfit {
            allowed: Some(allowed().join(", ")),
            ..self.misfit(unknown("value", text, &allowed()))
        })
    }

    /// "expected X, found Y" at this place.
    pub fn unexpected(&self, wanted: &str) -> Misfit {
        let found = match (&self.kind, self.to_json()) {
            (Kind::Seq(_), _) => "a list".to_owned(),
            (Kind::Map(_), _) => "a map".to_owned(),
            (_, Value::Null) => "nothing".to_owned(),
            (_, Value::Number(number)) => format!("the number {number}"),
            (_, Value::Bool(flag)) => flag.to_string(),
            (Kind::Scalar { text, .. }, _) => format!("the text {:?}", shortened(text)),
        };
        self.misfit(format!("expected {wanted}, found {found}"))
    }
}

/// The text without characters that would steer a terminal or turn the reading direction: what a
/// file says may end up on a screen.
pub fn printable(text: &str) -> String {
    let steers = |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().map(|c| if steers(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// The candidate most like `word`, if one is like enough to be a slip of the finger.
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let word = word.to_lowercase();
    let likeness = |candidate: &str| strsim::jaro_winkler(&word, &candidate.to_lowercase());
    candidates
        .into_iter()
        .map(|candidate| (likeness(candidate), candidate))
        .filter(|(score, _)| *score > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

fn unknown(noun: &str, word: &str, allowed: &[&str]) -> String {
    let word = shortened(word);
    match nearest(&word, allowed.iter().copied()) {
        Some(near) => format!("unknown {noun} `{word}`; did you mean `{near}`?"),
        None => format!("unknown {noun} `{word}`"),
    }
}

fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((cut, _)) => printable(&text[..cut]) + "…",
        None => printable(text),
    }
}
