//! What the tools tell: the shapes of their results.
//! Flat and few, because every host pays for the schemas whenever it lists the tools. Optional values are empty rather
//! than null: some clients pass on a union of types as text.

use schemars::JsonSchema;
use serde::Serialize;

/// Where a session stands.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Status {
    pub(crate) session: String,
    pub(crate) status: String,
    pub(crate) rounds: i64,
    pub(crate) max_rounds: i64,
    pub(crate) progress: Vec<String>,
    pub(crate) question: String,
    pub(crate) choices: Vec<String>,
    pub(crate) next: String,
}

/// The same in short, for tools that change it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Short {
    pub(crate) session: String,
    pub(crate) status: String,
    pub(crate) next: String,
}

impl From<Status> for Short {
    fn from(status: Status) -> Self {
        let Status { session, status, next, .. } = status;
        Self { session, status, next }
    }
}

/// How a session ended.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Outcome {
    pub(crate) session: String,
    pub(crate) status: String,
    pub(crate) decision: String,
    pub(crate) panel: String,
    pub(crate) rulings: Vec<String>,
    pub(crate) reasons: Vec<String>,
    pub(crate) tallies: Vec<Tallied>,
    pub(crate) dissent: Vec<String>,
    pub(crate) unresolved: Vec<String>,
    pub(crate) documents: Vec<Document>,
}

/// The votes on one point.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Tallied {
    pub(crate) point: String,
    pub(crate) carried: bool,
    pub(crate) support: i64,
    pub(crate) stand_aside: i64,
    pub(crate) block: i64,
}

/// A document that a session wrote.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Document {
    pub(crate) file: String,
    pub(crate) text: String,
}

/// The sessions of a project.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Listing {
    pub(crate) sessions: Vec<Row>,
}

/// One session of the list.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Row {
    pub(crate) session: String,
    pub(crate) topic: String,
    pub(crate) workflow: String,
    pub(crate) status: String,
    pub(crate) rounds: i64,
}

/// A text.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Text {
    pub(crate) text: String,
}

/// What the catalog has.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Entries {
    pub(crate) entries: Vec<Entry>,
}

/// One entry of the catalog.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Entry {
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) about: String,
}
