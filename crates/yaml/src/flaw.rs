//! What is wrong with a YAML text, and where.
//! Made by the reader and the writer; shown to people by the catalog, the store and the command
//! line. Deliberately absent: file names, which only the caller knows, and the library's own error
//! type, which must not leak out of this crate.

use std::fmt;

use serde_saphyr::budget::BudgetBreach;
use serde_saphyr::{DefaultMessageFormatter, Error, MessageFormatter};

use crate::{MAX_ALIASES, MAX_BYTES, MAX_DEPTH, MAX_NODES};

/// A flaw in a YAML text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// From 1; 0 where there is no place to point at.
    pub line: u32,
    /// From 1, in characters; 0 where there is no place to point at.
    pub column: u32,
    /// What is wrong, in words for a person.
    pub what: String,
}

impl std::error::Error for Flaw {}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}, column {}: ", self.line, self.column)?;
        }
        f.write_str(&self.what)
    }
}

impl Flaw {
    /// A flaw of the text as a whole.
    pub fn nowhere(what: impl Into<String>) -> Self {
        Self { line: 0, column: 0, what: what.into() }
    }

    /// A flaw at a line and column, both from 1.
    pub fn at(line: u32, column: u32, what: impl Into<String>) -> Self {
        Self { line, column, what: what.into() }
    }

    pub(crate) fn of_reading(error: &Error, text: &str) -> Self {
        let (line, column) = error.location().map_or((0, 0), |place| {
            (u32::try_from(place.line()).unwrap_or(u32::MAX), u32::try_from(place.column()).unwrap_or(u32::MAX))
        });
        let what = words(error.without_snippet());
        let is_word = |word: &str| matches!(word, "tab" | "tabs");
        if what.split(|c: char| !c.is_alphabetic()).any(is_word)
            && let Some(flaw) = Self::of_tab(text, line)
        {
            return flaw;
        }
        Self { line, column, what }
    }

    /// The library points at the value before a tab; a person looks for the tab itself.
    fn of_tab(text: &str, from: u32) -> Option<Self> {
        let skipped = from.saturating_sub(1);
        let (line, indent) = (from.max(1)..).zip(text.lines().skip(skipped as usize)).find_map(|(line, content)| {
            let indent = content.len() - content.trim_start_matches([' ', '\t']).len();
            content[..indent].find('\t').map(|at| (line, at))
        })?;
        let column = u32::try_from(indent).ok()?.saturating_add(1);
        Some(Self { line, column, what: "a tab at the start of a line; YAML is indented with spaces".to_owned() })
    }
}

/// The library's words speak to programmers in the cases below; these speak to whoever wrote the file.
fn words(error: &Error) -> String {
    match error {
        Error::DuplicateMappingKey { key: Some(key), .. } => {
            format!("the key `{key}` appears twice in the same map; keep one")
        }
        Error::DuplicateMappingKey { key: None, .. } => "a key appears twice in the same map; keep one".to_owned(),
        Error::MultipleDocuments { .. } => second_document(),
        Error::Eof { .. } => "the text ends too early".to_owned(),
        Error::UnknownAnchor { .. } => "an alias (`*name`) without its anchor (`&name`)".to_owned(),
        Error::NullIntoString { .. } => "text expected, nothing found; write \"\" for empty text".to_owned(),
        Error::InvalidBooleanStrict { .. } => "expected `true` or `false`".to_owned(),
        Error::NonFiniteFloat { value, .. } => format!("`{value}` is not a number that can be used here"),
        Error::SerdeMissingField { field, .. } => format!("the field `{field}` is missing"),
        Error::SerdeUnknownField { field, expected, .. } => {
            format!("unknown field `{field}`; known: {}", listed(expected))
        }
        Error::SerdeUnknownVariant { variant, expected, .. } => {
            format!("`{variant}` is not allowed here; allowed: {}", listed(expected))
        }
        Error::InvalidScalar { ty, .. } => match *ty {
            "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => "a whole number from 0 up is expected here".to_owned(),
            "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => "a whole number is expected here".to_owned(),
            "f32" | "f64" => "a number is expected here".to_owned(),
            ty => format!("this is not what is expected here ({ty})"),
        },
        Error::SerdeInvalidType { unexpected, expected, .. } => format!("{expected} expected, found {unexpected}"),
        Error::AliasReplayLimitExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. } => aliases(),
        Error::Budget { breach, .. } => breached(breach),
        Error::AliasError { error, .. } => words(error.without_snippet()),
        other => DefaultMessageFormatter.format_message(other).into_owned(),
    }
}

fn breached(breach: &BudgetBreach) -> String {
    match breach {
        BudgetBreach::Documents { .. } => second_document(),
        BudgetBreach::Depth { .. } => format!("nested more than {MAX_DEPTH} levels deep"),
        BudgetBreach::Nodes { .. } | BudgetBreach::Events { .. } => {
            format!("more than {MAX_NODES} values in one text")
        }
        BudgetBreach::Aliases { .. }
        | BudgetBreach::Anchors { .. }
        | BudgetBreach::AliasAnchorRatio { .. }
        | BudgetBreach::RecordedAnchorEvents { .. }
        | BudgetBreach::RecordedAnchorBytes { .. }
        | BudgetBreach::MergeKeys { .. } => aliases(),
        BudgetBreach::SequenceUnbalanced => "a list or map that is not closed".to_owned(),
        _ => format!("larger than {} MB once read", MAX_BYTES / (1024 * 1024)),
    }
}

fn second_document() -> String {
    "a second document starts here (`---`); one is expected".to_owned()
}

fn aliases() -> String {
    format!("aliases (`*name`) that unfold to too much; at most {MAX_ALIASES} are read")
}

fn listed(names: &[&str]) -> String {
    names.join(", ")
}
