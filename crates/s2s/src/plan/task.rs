//! A plan and its tasks, as they are kept and shown.
//! Ids are given by the program and never used twice in a project. What a file holds beyond these fields stays in it.
//! Given by `merge.rs`; handed to files, documents and screens. Deliberately absent: files, and how tasks come to be.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use s2s_engine::artifact::ArtifactId;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// An id that is a word and a number, such as `TASK-007`.
macro_rules! numbered {
    ($name:ident, $word:literal, $about:literal) => {
        #[doc = $about]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($word, "-{:03}"), self.0)
            }
        }

        impl FromStr for $name {
            type Err = ();

            /// In any case, with or without leading zeros.
            fn from_str(text: &str) -> Result<Self, ()> {
                let (word, number) = text.trim().split_once('-').ok_or(())?;
                let digits = !number.is_empty() && number.len() < 10 && number.bytes().all(|b| b.is_ascii_digit());
                let number = number.parse().ok().filter(|number| digits && *number > 0).ok_or(())?;
                if word.eq_ignore_ascii_case($word) { Ok(Self(number)) } else { Err(()) }
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                let wrong = || format!("`{text}` is not an id such as {}-001", $word);
                text.parse().map_err(|()| serde::de::Error::custom(wrong()))
            }
        }
    };
}

numbered!(TaskId, "TASK", "The id of a task, such as `TASK-007`.");
numbered!(PlanId, "PLAN", "The id of a plan, such as `PLAN-001`.");

/// Where a task stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    /// To be done.
    #[default]
    Open,
    /// Done.
    Done,
    /// What it was there for is gone.
    Dropped,
}

impl TaskStatus {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Done => "done",
            Self::Dropped => "dropped",
        }
    }
}

/// Where a plan stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanStatus {
    /// It is worked on.
    #[default]
    Open,
    /// Somebody closed it.
    Closed,
    /// A later plan stands in its place.
    Superseded,
}

impl PlanStatus {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Closed => "closed",
            Self::Superseded => "superseded",
        }
    }
}

/// How a task is checked: the words of the requirement it comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Criterion {
    /// The requirement.
    pub from: ArtifactId,
    /// What it says.
    pub text: String,
}

/// One piece of work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// Given by the program.
    pub id: TaskId,
    /// In a few words.
    pub title: String,
    /// What to do.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// What it is there for.
    #[serde(default)]
    pub serves: Vec<ArtifactId>,
    /// What must be done before it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<TaskId>,
    /// How it is checked; taken from what it serves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub acceptance: Vec<Criterion>,
    /// How much work it is, in whoever's words planned it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate: Option<String>,
    /// Where it stands.
    #[serde(default)]
    pub status: TaskStatus,
    /// When it was closed or dropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_at: Option<Timestamp>,
    /// What was said when it was closed or dropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Fields of somebody else.
    #[serde(flatten)]
    pub rest: BTreeMap<String, Value>,
}

impl Task {
    /// Whether it is part of the work: open or done.
    pub fn counts(&self) -> bool {
        self.status != TaskStatus::Dropped
    }
}

/// How the sentences begin that tell of planning.
pub(super) const MADE: &str = "made by ";
pub(super) const RENEWED: &str = "renewed by ";

/// Something that happened to a plan; never changed afterwards.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Happening {
    /// When.
    pub at: Timestamp,
    /// What, in a sentence.
    pub what: String,
    /// The task it is about, if it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<TaskId>,
    /// What was said with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What had to be left out or repaired.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<String>,
}

/// A plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Given by the program.
    pub id: PlanId,
    /// Where it stands.
    #[serde(default)]
    pub status: PlanStatus,
    /// When it was made.
    pub made_at: Timestamp,
    /// Who planned: a model, or the rules.
    pub by: String,
    /// Its tasks, in the order of their ids.
    #[serde(default)]
    pub tasks: Vec<Task>,
    /// What happened to it, the oldest first.
    #[serde(default)]
    pub history: Vec<Happening>,
    /// Fields of somebody else.
    #[serde(flatten)]
    pub rest: BTreeMap<String, Value>,
}

impl Plan {
    /// The task with this id.
    pub fn task(&self, id: TaskId) -> Option<&Task> {
        self.tasks.iter().find(|task| task.id == id)
    }

    /// The tasks that are open or done.
    pub fn counting(&self) -> impl Iterator<Item = &Task> {
        self.tasks.iter().filter(|task| task.counts())
    }

    /// How many tasks are done, and how many there are.
    pub fn progress(&self) -> (usize, usize) {
        (self.tasks.iter().filter(|task| task.status == TaskStatus::Done).count(), self.counting().count())
    }

    /// What was left out or repaired when it was last planned.
    pub fn doubts(&self) -> &[String] {
        let planned = |one: &&Happening| [MADE, RENEWED].iter().any(|word| one.what.starts_with(word));
        self.history.iter().rev().find(planned).map_or(&[], |one| &one.doubts)
    }

    /// The order of work: the tasks of a group can be done side by side, once the groups before are done. Tasks that
    /// wait for each other, which the checks refuse, make the last group.
    pub fn groups(&self) -> Vec<Vec<&Task>> {
        let mut left: Vec<&Task> = self.counting().collect();
        let mut groups = Vec::new();
        while !left.is_empty() {
            let waiting: BTreeSet<TaskId> = left.iter().map(|task| task.id).collect();
            let is_free = |task: &&Task| !task.depends_on.iter().any(|id| waiting.contains(id));
            let (free, rest): (Vec<&Task>, Vec<&Task>) = left.iter().copied().partition(is_free);
            if free.is_empty() {
                groups.push(rest);
                break;
            }
            groups.push(free);
            left = rest;
        }
        groups
    }
}

/// A title as it is compared: without case, marks and doubled blanks.
pub(super) fn folded(title: &str) -> String {
    let letters = title.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' });
    letters.collect::<String>().to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_and_written() {
        assert_eq!("task-7".parse(), Ok(TaskId(7)));
        assert_eq!(TaskId(7).to_string(), "TASK-007");
        for wrong in ["TASK-0", "PLAN-1", "TASK-", "TASK-1x", "TASK-9999999999", "7"] {
            assert_eq!(wrong.parse::<TaskId>(), Err(()), "{wrong}");
        }
    }

    #[test]
    fn what_others_wrote_into_a_plan_stays() {
        let text = "id: PLAN-001\nmade_at: 2026-01-02T03:04:05Z\nby: offline\nowner: Ann\ntasks:\n  - id: TASK-001\n    title: A\n    serves: [REQ-001]\n    assignee: Bob\n    hours: 3\n";
        let plan: Plan = s2s_yaml::from_str(text).unwrap();
        let again = s2s_yaml::to_string(&plan).unwrap();
        assert!(
            again.contains("assignee: Bob") && again.contains("hours: 3") && again.contains("owner: Ann"),
            "{again}"
        );
        assert_eq!(s2s_yaml::from_str::<Plan>(&again).unwrap(), plan);
    }

    #[test]
    fn titles_are_compared_without_case_and_marks() {
        assert_eq!(folded("  Set-up:  the `Store` "), "set up the store");
    }
}
