//! Artifacts: what a session leaves behind for a team to work from, typed and numbered.
//! Requirements, decisions, components, risks, open questions; each with the fields of its kind. An id is given
//! by the engine, never changes and is never used twice in a project. Given by nobody but `registering.rs`.
//! Deliberately absent: how they are proposed, and what documents make of them.

mod change;
mod details;
mod id;
mod kind;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::opening::SeatId;
use crate::reply::PointId;

pub use change::{ArtifactStatus, Change};
pub use details::{Details, Level, Priority};
pub use id::ArtifactId;
pub use kind::{ArtifactKind, FieldRule};

/// One version of an artifact, as the round that made it keeps it. Never changed; a later one is added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Artifact {
    /// Given by the engine.
    pub id: ArtifactId,
    /// What this version does.
    #[serde(default)]
    pub change: Change,
    /// In a few words.
    pub title: String,
    /// What it says.
    #[serde(default)]
    pub text: String,
    /// The agenda topic it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic: Option<String>,
    /// The fields of its kind.
    #[serde(flatten)]
    pub details: Details,
    /// What it is there for: REQ of an ARCH, RISK of a MIT.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub serves: Vec<ArtifactId>,
    /// COMP: the components it needs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uses: Vec<ArtifactId>,
    /// What stands in its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<ArtifactId>,
    /// CONF: the conflict's id in this session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflict: Option<String>,
    /// The seats whose answers it rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proposed_by: Vec<SeatId>,
    /// The consensus point by which the panel votes on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<PointId>,
}

impl Artifact {
    /// The required fields of its kind that it does not have.
    pub fn missing(&self) -> Vec<&'static str> {
        let has = |field: &str| match field {
            "serves" => !self.serves.is_empty(),
            "uses" => !self.uses.is_empty(),
            other => self.details.has(other),
        };
        self.id.kind.fields().iter().filter(|rule| rule.required && !has(rule.name)).map(|rule| rule.name).collect()
    }
}

/// What a session may propose, and what the project has already.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Register {
    /// The kinds it may propose.
    pub kinds: Vec<ArtifactKind>,
    /// The highest number of each kind that the project has used; new ones go on from there.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub last: BTreeMap<ArtifactKind, u32>,
    /// The artifacts it may refer to or amend.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<Artifact>,
    /// The artifacts that are superseded once it is complete: it starts over.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub retired: Vec<ArtifactId>,
}

/// The most artifacts of one kind that one session may add. Sessions that run side by side are given numbers
/// this far apart, so that an id is never given twice.
pub const MOST_OF_A_KIND: u32 = 100;

/// An artifact as a reply proposes it: nothing of it is trusted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Proposal {
    /// The id it claims to have: an amendment, if the project knows it.
    pub id: Option<String>,
    /// The kind's name.
    pub kind: Option<String>,
    /// In a few words.
    pub title: String,
    /// What it says.
    pub text: String,
    /// The agenda topic.
    pub topic: Option<String>,
    /// What becomes of it: withdrawn or resolved.
    pub status: Option<String>,
    /// The fields of its kind.
    pub details: Details,
    /// Ids or titles.
    pub serves: Vec<String>,
    /// Ids or titles.
    pub uses: Vec<String>,
    /// Ids or titles of those it stands in for.
    pub supersedes: Vec<String>,
    /// Seats.
    pub proposed_by: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_of_a_kind_can_be_missed_and_had() {
        let full = Details {
            priority: Some(Priority::Must),
            acceptance: vec!["a".into()],
            characteristic: Some("c".into()),
            target: Some("t".into()),
            measure: Some("m".into()),
            source: Some("s".into()),
            reason: Some("r".into()),
            options: vec!["o".into()],
            consequences: vec!["c".into()],
            severity: Some(Level::Low),
            likelihood: Some(Level::High),
            impact: Some(Level::Low),
            effort: Some(Level::Low),
            answer: Some("a".into()),
            between: vec!["a".into(), "b".into()],
        };
        for &kind in ArtifactKind::ALL {
            let id = ArtifactId { kind, number: 1 };
            let mut artifact = Artifact {
                id,
                change: Change::Created,
                title: "t".into(),
                text: String::new(),
                topic: None,
                details: Details::default(),
                serves: vec![],
                uses: vec![],
                superseded_by: None,
                conflict: None,
                proposed_by: vec![],
                point: None,
            };
            let required = kind.fields().iter().filter(|rule| rule.required).count();
            assert_eq!(artifact.missing().len(), required, "{kind}");
            artifact.details = full.clone();
            artifact.serves = vec![id];
            assert_eq!(artifact.missing(), Vec::<&str>::new(), "{kind}");
            assert_eq!(Details::default().over(&full), full);
        }
    }
}
