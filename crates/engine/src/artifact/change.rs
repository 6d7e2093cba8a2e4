//! What one version of an artifact does to it, and where the artifact stands after all of them.
//! Given nothing; hands on names. Deliberately absent: how a status follows from the versions and the votes.

use serde::{Deserialize, Serialize};

use crate::opening::names;

/// What a record of an artifact does to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It is new.
    #[default]
    Created,
    /// It reads differently from here on.
    Amended,
    /// Another one stands in its place.
    Superseded,
    /// It is taken back.
    Withdrawn,
    /// It is answered.
    Resolved,
}

names!(Change {
    Created => "created", Amended => "amended", Superseded => "superseded", Withdrawn => "withdrawn",
    Resolved => "resolved",
});

/// Where an artifact stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArtifactStatus {
    /// As it was proposed.
    Active,
    /// It was changed since.
    Amended,
    /// Another one stands in its place.
    Superseded,
    /// It was taken back, or voted down.
    Withdrawn,
    /// A question without an answer.
    Open,
    /// A question with one.
    Resolved,
}

names!(ArtifactStatus {
    Active => "active", Amended => "amended", Superseded => "superseded", Withdrawn => "withdrawn",
    Open => "open", Resolved => "resolved",
});

impl ArtifactStatus {
    /// Whether it counts: work rests on it, or somebody still has to answer it.
    pub fn is_live(self) -> bool {
        matches!(self, Self::Active | Self::Amended | Self::Open)
    }
}
