//! What a reply says once it has been read: plain values, still untrusted.
//! Given by the reader of replies; the session checks every id and claim in them before they count.
//! Deliberately absent: text formats, and any trust.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::artifact::Proposal;
use crate::opening::{Coverage, OutputType, SeatId, Sides, names};
use crate::step::CallKind;

/// The id of a consensus point: `C{round}.{position}`.
pub type PointId = String;

/// The value of a reply, by the kind of call it answers.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// To a `sides` call.
    Sides(Sides),
    /// To a `question` call.
    Question(Question),
    /// To a `response` call.
    Response(Response),
    /// To a `synthesis` call.
    Synthesis(Box<Synthesis>),
}

impl Answer {
    /// The kind of call it answers.
    pub fn kind(&self) -> CallKind {
        match self {
            Self::Sides(_) => CallKind::Sides,
            Self::Question(_) => CallKind::Question,
            Self::Response(_) => CallKind::Response,
            Self::Synthesis(_) => CallKind::Synthesis,
        }
    }
}

/// The facilitator's question.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Question {
    /// The question itself.
    pub question: String,
    /// The aspect to focus on.
    pub focus: String,
    /// The project in a few lines, for the seats.
    pub context_summary: String,
    /// Seats named by the facilitator; empty = all.
    pub participants: Vec<String>,
}

/// A seat's answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Response {
    /// What the seat holds.
    pub position: String,
    /// Why.
    pub rationale: Vec<String>,
    /// What worries it.
    pub concerns: Vec<String>,
    /// From 0 to 1.
    pub confidence: f64,
    /// An objection to the stated context.
    pub context_challenge: Option<String>,
    /// Votes on the points put to it.
    pub votes: BTreeMap<PointId, Vote>,
}

/// One vote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vote {
    /// What was chosen.
    pub choice: Choice,
    /// Why; expected with a block.
    pub reason: Option<String>,
}

/// What a seat can say to a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// For it.
    Support,
    /// Neither for nor against; not a cast vote.
    StandAside,
    /// Against it.
    Block,
}

/// What the facilitator proposes, and what the engine takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Another round in this phase.
    #[default]
    Continue,
    /// On to the next phase.
    Phase,
    /// The end.
    Conclude,
    /// A person must decide.
    Escalate,
}

names!(Action { Continue => "continue", Phase => "phase", Conclude => "conclude", Escalate => "escalate" });
names!(Choice { Support => "support", StandAside => "stand_aside", Block => "block" });

/// The facilitator's summing up.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Synthesis {
    /// The round in a few sentences.
    pub synthesis: String,
    /// Points claimed as agreed.
    pub consensus: Vec<String>,
    /// Disagreements named.
    pub conflicts: Vec<Conflict>,
    /// Conflicts claimed as resolved.
    pub resolved: Vec<Resolution>,
    /// The facilitator's proposal.
    pub next_action: Action,
    /// What the next question should be about.
    pub next_focus: Option<String>,
    /// Why a person should decide.
    pub escalation_reason: Option<String>,
    /// What the facilitator would do.
    pub recommendation: Option<String>,
    /// The document it would write.
    pub output_type: Option<OutputType>,
    /// How far each topic has come.
    pub agenda_coverage: Vec<TopicCoverage>,
    /// Objections to the context it heard.
    pub context_challenges: Vec<ContextChallenge>,
    /// Artifacts it would keep.
    pub artifacts: Vec<Proposal>,
}

/// A disagreement.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Conflict {
    /// Slug, the same over all rounds.
    pub id: String,
    /// What it is about.
    #[serde(default)]
    pub description: String,
    /// Who holds what.
    #[serde(default)]
    pub positions: BTreeMap<SeatId, String>,
}

/// The end of a disagreement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resolution {
    /// The conflict's id.
    pub conflict_id: String,
    /// How it ended.
    #[serde(default)]
    pub resolution: String,
    /// By whom.
    #[serde(default)]
    pub resolution_type: ResolutionType,
}

/// Who ended a disagreement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResolutionType {
    /// The seats came together.
    #[default]
    Consensus,
    /// The facilitator's recommendation.
    Facilitator,
    /// A person.
    User,
}

names!(ResolutionType { Consensus => "consensus", Facilitator => "facilitator", User => "user" });

/// The coverage of one topic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopicCoverage {
    /// Topic id.
    pub topic: String,
    /// How far it has come.
    pub status: Coverage,
    /// The criteria that are met, by their number from 1 (A5).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub met: Vec<u32>,
}

/// An objection to the stated context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextChallenge {
    /// Who objects.
    pub participant: SeatId,
    /// To what.
    pub challenge: String,
    /// What it would put instead.
    #[serde(default)]
    pub suggestion: Option<String>,
}
