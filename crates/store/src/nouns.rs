//! The small nouns of the minutes: status, panel, context, and what a legacy session is given.
//! Plain values with the names used in files. Deliberately absent: the document they stand in.

use s2s_engine::opening::{Seat, Settings, Topic};
use serde::{Deserialize, Serialize};

/// Where a session stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It runs, or its process died.
    Active,
    /// It waits for a person.
    Paused,
    /// It has an outcome.
    Completed,
    /// It was put away unfinished.
    Archived,
}

impl Status {
    /// Every value, in the order of a session's life.
    pub const ALL: &'static [Self] = &[Self::Active, Self::Paused, Self::Completed, Self::Archived];

    /// The name used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Paused => "paused",
            Self::Completed => "completed",
            Self::Archived => "archived",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|status| status.as_str() == name)
    }
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Who answered for the seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Panel {
    /// Playbooks; no language model took part.
    Offline,
    /// A script of ready replies.
    Script,
    /// Language models.
    Models,
}

impl Panel {
    /// The name used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Offline => "offline",
            Self::Script => "script",
            Self::Models => "models",
        }
    }
}

/// The project's context as the session got it, and how rulings changed it (S7, E8).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ContextGiven {
    /// Where it came from, in words.
    #[serde(default)]
    pub source: String,
    /// The text at the start.
    #[serde(default)]
    pub text: String,
    /// The texts that replaced it, in order.
    #[serde(default)]
    pub changes: Vec<ContextChange>,
}

/// A ruling that changed the context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextChange {
    /// The round whose escalation led to it.
    pub round: u32,
    /// The context from there on.
    pub text: String,
    /// Who ruled.
    pub by: String,
}

/// What a legacy session is given when it is taken up again.
#[derive(Debug, Clone, PartialEq)]
pub struct Adoption {
    /// The settings that hold from here on.
    pub settings: Settings,
    /// The seats, in the order of the file, with their models.
    pub seats: Vec<Seat>,
    /// Who answers from here on.
    pub panel: Panel,
    /// The same in words.
    pub panel_note: String,
    /// The context from here on.
    pub context: ContextGiven,
    /// The agenda from here on.
    pub agenda: Vec<Topic>,
}
