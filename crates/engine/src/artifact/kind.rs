//! The kinds of artifacts: what each is called, who may propose it, and the fields it has or must have.
//! Given nothing; hands on tables that the rules and the screens read. Deliberately absent: the fields' values
//! (`details.rs`), and the artifacts themselves.

use serde::{Deserialize, Serialize};

use crate::opening::{Workflow, names};

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
