//! What the tools are asked: the shapes of their arguments.
//! Plain types with a default instead of optional ones, no number without a sign and no union of types: clients that
//! turn arguments into text and back know no others. No path and no command among them. A comment that a client sees
//! is a description, so it is short.

use schemars::JsonSchema;
use serde::Deserialize;

/// `roundtable_start`, `brainstorm_start`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Start {
    pub(crate) topic: String,
    /// Facts the panel needs besides the project's CONTEXT.md
    #[serde(default)]
    pub(crate) context: String,
    #[serde(default)]
    pub(crate) strategy: String,
    #[serde(default)]
    pub(crate) participants: Vec<String>,
    #[serde(default)]
    pub(crate) max_rounds: i64,
}

/// `specs_start`, `design_start`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Work {
    /// Empty: the whole project
    #[serde(default)]
    pub(crate) topic: String,
    #[serde(default)]
    pub(crate) context: String,
    /// A finished session to go on from
    #[serde(default)]
    pub(crate) from: String,
}

/// `roundtable_status`, `roundtable_result`, `roundtable_stop`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Named {
    pub(crate) session: String,
}

/// `roundtable_wait`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wait {
    pub(crate) session: String,
    /// 1 to 50; default 25
    #[serde(default)]
    pub(crate) seconds: i64,
    /// Go on with one that was stopped
    #[serde(default)]
    pub(crate) resume: bool,
}

/// `roundtable_answer`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Answering {
    pub(crate) session: String,
    /// Only where the user lets agents answer
    #[serde(default)]
    pub(crate) choice: String,
    #[serde(default)]
    pub(crate) text: String,
    #[serde(default)]
    pub(crate) rounds: i64,
}

/// `session_list`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct List {
    /// Default 20, newest first
    #[serde(default)]
    pub(crate) limit: i64,
}

/// `session_show`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Show {
    pub(crate) session: String,
    /// One round with every response
    #[serde(default)]
    pub(crate) round: i64,
}

/// `catalog_list`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Catalog {
    /// strategy or role
    #[serde(default)]
    pub(crate) kind: String,
}
