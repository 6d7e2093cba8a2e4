//! The fields that only some kinds of artifacts have: priorities, levels, acceptance, options, targets.
//! Given what a reply says of them; hands on what is there, also over an earlier version. Deliberately absent:
//! which kind needs which (`kind.rs`).

use serde::{Deserialize, Serialize};

use crate::opening::names;

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
    pub(super) fn has(&self, field: &str) -> bool {
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
