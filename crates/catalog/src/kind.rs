//! The kinds of data the catalog holds, and where a file of each kind lives.
//! Given: a word from a command line. Hands on: a [`Kind`], or the nearest kind as a suggestion.
//! Deliberately absent: what stands in the files.

use std::fmt;
use std::str::FromStr;

use s2s_yaml::node::{nearest, printable};
use serde::Serialize;

use crate::CatalogError;

/// A kind of data file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A way to hold a discussion.
    Strategy,
    /// The topics a workflow has to cover.
    Agenda,
    /// Who sits at the table.
    Role,
    /// What a model is told.
    Prompt,
    /// What a document looks like.
    Template,
    /// What is known about a subject, for the offline panel.
    Playbook,
    /// What a context can say about any project, for the offline panel.
    Constraints,
    /// Word lists of one language.
    Words,
    /// What is known of models: price, size, abilities.
    Models,
}

impl Kind {
    /// Every kind, in the order of lists.
    pub const ALL: &'static [Self] = &[
        Self::Strategy,
        Self::Agenda,
        Self::Role,
        Self::Prompt,
        Self::Template,
        Self::Playbook,
        Self::Constraints,
        Self::Words,
        Self::Models,
    ];

    /// The word for it on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Strategy => "strategy",
            Self::Agenda => "agenda",
            Self::Role => "role",
            Self::Prompt => "prompt",
            Self::Template => "template",
            Self::Playbook => "playbook",
            Self::Constraints => "constraints",
            Self::Words => "words",
            Self::Models => "models",
        }
    }

    /// The folder, under `.s2s/` as among the built-in files.
    pub fn folder(self) -> &'static str {
        match self {
            Self::Strategy => "strategies",
            Self::Agenda => "agendas",
            Self::Role => "roles",
            Self::Prompt => "prompts",
            Self::Template => "templates",
            Self::Playbook => "playbooks",
            Self::Constraints => "constraints",
            Self::Words => "words",
            Self::Models => "models",
        }
    }

    /// How a file's name ends; what stands before it is the item's name.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Strategy | Self::Agenda | Self::Playbook | Self::Constraints | Self::Words | Self::Models => ".yaml",
            Self::Role => ".md",
            Self::Prompt | Self::Template => ".md.j2",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Kind {
    type Err = CatalogError;

    /// Reads the kind's word or its folder's name (`role` and `roles`).
    fn from_str(word: &str) -> Result<Self, CatalogError> {
        let fits = |kind: &&Self| kind.as_str() == word || kind.folder() == word;
        Self::ALL.iter().find(fits).copied().ok_or_else(|| {
            let known: Vec<_> = Self::ALL.iter().map(|kind| kind.as_str()).collect();
            CatalogError::UnknownKind {
                word: printable(word),
                nearest: nearest(word, known.iter().copied()).map(str::to_owned),
                known: known.join(", "),
            }
        })
    }
}
