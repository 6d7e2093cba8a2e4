//! What can be wrong: a flaw in a data file ([`Problem`]), or a request that cannot be met
//! ([`CatalogError`]). Both are written for the person who has to mend them.
//! Deliberately absent: exit codes and colours; the faces choose those.

use std::fmt;

use s2s_yaml::node::{Misfit, printable};
use serde::Serialize;

use crate::Kind;

/// A flaw in a data file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The file: a path, or `built-in strategies/debate.yaml`.
    pub file: String,
    /// Line, from 1; 0 if the whole file is meant.
    pub line: u32,
    /// Column, from 1; 0 if the whole line is meant.
    pub column: u32,
    /// What is wrong.
    pub what: String,
    /// What would be right, where that can be said in a line.
    pub allowed: Option<String>,
}

impl Problem {
    /// A problem of a file as a whole.
    pub fn of_file(file: impl Into<String>, what: impl Into<String>) -> Self {
        // A file's name is as untrusted as what it holds.
        let (file, what) = (printable(&file.into()), printable(&what.into()));
        Self { file, line: 0, column: 0, what, allowed: None }
    }

    /// A misfit, with the file it was found in.
    pub fn in_file(file: impl Into<String>, misfit: Misfit) -> Self {
        let Misfit { line, column, what, allowed } = misfit;
        Self { line, column, allowed, ..Self::of_file(file, what) }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        for place in [self.line, self.column] {
            if place > 0 {
                write!(f, ":{place}")?;
            }
        }
        write!(f, ": {}", self.what)?;
        match &self.allowed {
            Some(allowed) => write!(f, " (allowed: {allowed})"),
            None => Ok(()),
        }
    }
}

/// Why the catalog cannot give what was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CatalogError {
    /// Nothing has this name.
    #[error("there is no {kind} `{name}`{}{}; known: {}", looked_for(*kind, name), did_you_mean(nearest), listed(known))]
    Unknown {
        /// What was looked for.
        kind: Kind,
        /// Under which name.
        name: String,
        /// The name that was probably meant.
        nearest: Option<String>,
        /// Every name there is.
        known: Vec<String>,
    },
    /// No kind has this name.
    #[error("the catalog has no kind `{word}`{}; known: {known}", did_you_mean(nearest))]
    UnknownKind {
        /// The word given.
        word: String,
        /// The kind that was probably meant.
        nearest: Option<String>,
        /// Every kind there is.
        known: String,
    },
    /// The file in force is not usable.
    #[error("{}", lines(problems))]
    Bad {
        /// All that is wrong with it; at least one.
        problems: Vec<Problem>,
    },
    /// A template could not be filled in.
    #[error("{file}, line {line}: {what}")]
    Render {
        /// Which template.
        file: String,
        /// Line, from 1; 0 if unknown.
        line: usize,
        /// What is wrong.
        what: String,
    },
}

/// Where a project's role was looked for: its name does not say which of the two places is meant.
fn looked_for(kind: Kind, name: &str) -> String {
    match name.strip_prefix(crate::catalog::FOREIGN_PREFIX).filter(|_| kind == Kind::Role) {
        Some(name) => format!(" (neither .claude/agents/{name}.md nor .s2s/roles/{name}.md is there)"),
        None => String::new(),
    }
}

fn did_you_mean(nearest: &Option<String>) -> String {
    match nearest {
        Some(near) => format!(" (did you mean `{near}`?)"),
        None => String::new(),
    }
}

fn listed(names: &[String]) -> String {
    match names {
        [] => "none".to_owned(),
        _ => names.join(", "),
    }
}

fn lines(problems: &[Problem]) -> String {
    let lines: Vec<_> = problems.iter().map(Problem::to_string).collect();
    lines.join("\n")
}
