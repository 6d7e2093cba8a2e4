//! Artifacts: what a session leaves behind for a team to work from, typed and numbered.
//! Requirements, decisions, components, risks, open questions; each with the fields of its kind. An id is given
//! by the engine, never changes and is never used twice in a project. Given by nobody but `registering.rs`.
//! Deliberately absent: how they are proposed, and what documents make of them.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::opening::{SeatId, Workflow, names};
use crate::reply::PointId;

/// The kind of an artifact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum ArtifactKind {
    /// What the system does.
    Req,
    /// A rule of the domain.
    Br,
    /// A quality with a number.
    Nfr,
    /// What is left out on purpose.
    Ex,
    /// A decision on how it is built.
    Arch,
    /// A part of the system.
    Comp,
    /// Two parts, or a part and the outside, and how they talk.
    Int,
    /// An idea.
    Idea,
    /// What may go wrong.
    Risk,
    /// What is done about a risk.
    Mit,
    /// A question nobody at the table could answer.
    Oq,
    /// A conflict of the session.
    Conf,
}

names!(ArtifactKind {
    Req => "REQ", Br => "BR", Nfr => "NFR", Ex => "EX", Arch => "ARCH", Comp => "COMP", Int => "INT",
    Idea => "IDEA", Risk => "RISK", Mit => "MIT", Oq => "OQ", Conf => "CONF",
});

/// A field that only some kinds have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldRule {
    /// Its name in files and replies.
    pub name: &'static str,
    /// Whether an artifact without it is incomplete.
    pub required: bool,
}

const fn must(name: &'static str) -> FieldRule {
    FieldRule { name, required: true }
}

const fn may(name: &'static str) -> FieldRule {
    FieldRule { name, required: false }
}

impl ArtifactKind {
    /// The kinds that a workflow's sessions may propose. Conflicts are not proposed: the engine keeps them.
    pub fn of_workflow(workflow: Workflow) -> &'static [Self] {
        match workflow {
            Workflow::Specs => &[Self::Req, Self::Br, Self::Nfr, Self::Ex, Self::Oq],
            Workflow::Design => &[Self::Arch, Self::Comp, Self::Int, Self::Oq],
            Workflow::Brainstorm => &[Self::Idea, Self::Risk, Self::Mit, Self::Oq],
        }
    }

    /// What it is called for people.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Req => "functional requirement",
            Self::Br => "business rule",
            Self::Nfr => "quality requirement",
            Self::Ex => "exclusion",
            Self::Arch => "architecture decision",
            Self::Comp => "component",
            Self::Int => "interface",
            Self::Idea => "idea",
            Self::Risk => "risk",
            Self::Mit => "mitigation",
            Self::Oq => "open question",
            Self::Conf => "conflict",
        }
    }

    /// The fields of its kind, besides title and text.
    pub fn fields(self) -> &'static [FieldRule] {
        match self {
            Self::Req => const { &[must("priority"), must("acceptance"), may("serves")] },
            Self::Br => const { &[may("source"), may("serves")] },
            Self::Nfr => {
                const { &[must("characteristic"), must("target"), must("measure"), may("priority"), may("serves")] }
            }
            Self::Ex => const { &[must("reason")] },
            Self::Arch => const { &[must("options"), must("consequences"), may("serves")] },
            Self::Comp => const { &[may("serves"), may("uses")] },
            Self::Int => const { &[must("between"), may("serves")] },
            Self::Idea => const { &[may("impact"), may("effort"), may("serves")] },
            Self::Risk => const { &[must("severity"), must("likelihood"), may("serves")] },
            Self::Mit => const { &[must("serves"), may("effort")] },
            Self::Oq => const { &[may("options"), may("answer")] },
            Self::Conf => const { &[may("answer")] },
        }
    }

    /// Whether the panel votes on it. A question and a conflict claim nothing.
    pub fn is_claim(self) -> bool {
        !matches!(self, Self::Oq | Self::Conf)
    }

    /// Whether it has a status of its own kind: open until it is resolved.
    pub fn is_question(self) -> bool {
        !self.is_claim()
    }
}

/// The id of an artifact, such as `REQ-007`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArtifactId {
    /// Its kind.
    pub kind: ArtifactKind,
    /// From 1, over all sessions of the project.
    pub number: u32,
}

impl fmt::Display for ArtifactId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:03}", self.kind, self.number)
    }
}

impl FromStr for ArtifactId {
    type Err = ();

    /// In any case, with or without leading zeros: `req-7` is `REQ-007`.
    fn from_str(text: &str) -> Result<Self, ()> {
        let (kind, number) = text.trim().split_once('-').ok_or(())?;
        if number.is_empty() || number.len() > 9 || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(());
        }
        let number = number.parse().ok().filter(|number| *number > 0).ok_or(())?;
        Ok(Self { kind: kind.to_ascii_uppercase().parse()?, number })
    }
}

impl Serialize for ArtifactId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ArtifactId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|()| serde::de::Error::custom(format!("`{text}` is not an artifact id")))
    }
}

/// How much a requirement matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// Without it the release is pointless.
    Must,
    /// Wanted.
    Should,
    /// Nice to have.
    Could,
    /// Not in this release.
    Wont,
}

names!(Priority { Must => "must", Should => "should", Could => "could", Wont => "wont" });

/// How much of something: of harm, of chance, of effort.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Little.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
}

names!(Level { Low => "low", Medium => "medium", High => "high" });

/// The fields that only some kinds have; what a reply does not give stays empty.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Details {
    /// REQ, NFR: how much it matters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// REQ: how it is checked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub acceptance: Vec<String>,
    /// NFR: the characteristic of ISO/IEC 25010.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub characteristic: Option<String>,
    /// NFR: the number to reach.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// NFR: how it is measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measure: Option<String>,
    /// BR: where the rule comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// EX: why it is left out. Else: why it was changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// ARCH, OQ: what was weighed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// ARCH: what follows, good and bad.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub consequences: Vec<String>,
    /// RISK: the harm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity: Option<Level>,
    /// RISK: the chance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub likelihood: Option<Level>,
    /// IDEA: the good it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impact: Option<Level>,
    /// IDEA, MIT: the work it takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<Level>,
    /// OQ, CONF: how it was answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// INT: its ends, as ids of components or names of outside systems.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub between: Vec<String>,
}

impl Details {
    fn has(&self, field: &str) -> bool {
        match field {
            "priority" => self.priority.is_some(),
            "acceptance" => !self.acceptance.is_empty(),
            "characteristic" => self.characteristic.is_some(),
            "target" => self.target.is_some(),
            "measure" => self.measure.is_some(),
            "source" => self.source.is_some(),
            "reason" => self.reason.is_some(),
            "options" => !self.options.is_empty(),
            "consequences" => !self.consequences.is_empty(),
            "severity" => self.severity.is_some(),
            "likelihood" => self.likelihood.is_some(),
            "impact" => self.impact.is_some(),
            "effort" => self.effort.is_some(),
            "answer" => self.answer.is_some(),
            "between" => self.between.len() > 1,
            _ => false,
        }
    }

    /// These, with what they leave empty taken from the version before.
    pub(crate) fn over(self, before: &Self) -> Self {
        let list = |new: Vec<String>, old: &[String]| if new.is_empty() { old.to_vec() } else { new };
        let text = |new: Option<String>, old: &Option<String>| new.or_else(|| old.clone());
        Self {
            priority: self.priority.or(before.priority),
            acceptance: list(self.acceptance, &before.acceptance),
            characteristic: text(self.characteristic, &before.characteristic),
            target: text(self.target, &before.target),
            measure: text(self.measure, &before.measure),
            source: text(self.source, &before.source),
            reason: text(self.reason, &before.reason),
            options: list(self.options, &before.options),
            consequences: list(self.consequences, &before.consequences),
            severity: self.severity.or(before.severity),
            likelihood: self.likelihood.or(before.likelihood),
            impact: self.impact.or(before.impact),
            effort: self.effort.or(before.effort),
            answer: text(self.answer, &before.answer),
            between: list(self.between, &before.between),
        }
    }
}

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
    fn ids_are_read_leniently_and_written_one_way() {
        for text in ["REQ-007", "req-7", " Req-07 "] {
            assert_eq!(text.parse::<ArtifactId>().map(|id| id.to_string()).as_deref(), Ok("REQ-007"), "{text}");
        }
        assert_eq!("ARCH-1234".parse::<ArtifactId>().unwrap().to_string(), "ARCH-1234");
        for text in ["", "REQ", "REQ-", "REQ-0", "REQ-x", "REQ--1", "FOO-001", "REQ-99999999999", "REQ-+1"] {
            assert!(text.parse::<ArtifactId>().is_err(), "{text}");
        }
    }

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
