//! A flaw in the settings: which file, variable or flag, where in it, what is wrong, what is allowed.
//! Made by the readers in this folder; handed on as a list, so that a person mends a file in one go.
//! Deliberately absent: how it is drawn on a screen.

use std::fmt;

use s2s_yaml::node::Misfit;
use serde::Serialize;

use crate::clean::clean_line;

/// A flaw in the settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The file, or the variable (`S2S_PANEL`) or flag (`--panel`) that holds the flaw.
    pub file: String,
    /// From 1; 0 where there are no lines.
    pub line: u32,
    /// From 1; 0 where there are no columns.
    pub column: u32,
    /// What is wrong.
    pub what: String,
    /// What would be right, or what to do.
    pub allowed: Option<String>,
}

impl Problem {
    /// A flaw without a line, for example a file that cannot be read.
    pub fn whole(file: impl Into<String>, what: impl Into<String>, allowed: impl Into<String>) -> Self {
        Self { file: file.into(), line: 0, column: 0, what: what.into(), allowed: Some(allowed.into()) }
    }

    /// A misfit that the YAML reader found in this file. It quotes the file, so it is cleaned.
    pub(super) fn of(file: &str, misfit: Misfit) -> Self {
        let Misfit { line, column, what, allowed } = misfit;
        Self { file: file.to_owned(), line, column, what: clean_line(&what).into_owned(), allowed }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if self.line > 0 {
            write!(f, ":{}:{}", self.line, self.column)?;
        }
        write!(f, ": {}", self.what)?;
        match &self.allowed {
            Some(allowed) => write!(f, " (allowed: {allowed})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Problem {}
