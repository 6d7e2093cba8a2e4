//! What has happened, as it is written down: rounds, escalations, interventions, outcome.
//! Made by the session, kept by the store, folded back by the ledger. Field names are those of the
//! session file. Deliberately absent: digests and unknown fields, which are the store's.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::artifact::Artifact;
use crate::opening::{OutputType, SeatId};
use crate::reply::{Action, Choice, Conflict, ContextChallenge, PointId, Resolution, Response, TopicCoverage};

/// One committed round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Round {
    /// From 1.
    pub number: u32,
    /// Name of the phase it belongs to.
    pub phase: String,
    /// When its last reply arrived.
    #[serde(default)]
    pub timestamp: Timestamp,
    /// Discussion or ballot.
    #[serde(default)]
    pub kind: RoundKind,
    /// Whether it asked one of the probing questions (P1).
    #[serde(default)]
    pub probing: bool,
    /// What was asked.
    #[serde(default)]
    pub question: String,
    /// The aspect in focus.
    #[serde(default)]
    pub focus: String,
    /// The project as told to the seats.
    #[serde(default)]
    pub context_summary: String,
    /// The seats that were asked.
    #[serde(default)]
    pub asked: Vec<SeatId>,
    /// The asked seats that gave no usable answer (L5).
    #[serde(default)]
    pub no_response: Vec<SeatId>,
    /// Confidence of each answer.
    #[serde(default)]
    pub confidence: BTreeMap<SeatId, f64>,
    /// The answers in full; only with `verbose` (S2).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub responses: Option<Vec<SeatResponse>>,
    /// The summing up.
    #[serde(default)]
    pub synthesis: String,
    /// Points claimed.
    #[serde(default)]
    pub consensus: Vec<String>,
    /// Conflicts named.
    #[serde(default)]
    pub conflicts: Vec<Conflict>,
    /// Conflicts resolved.
    #[serde(default)]
    pub resolved: Vec<Resolution>,
    /// Coverage of every topic after this round.
    #[serde(default)]
    pub agenda_coverage: Vec<TopicCoverage>,
    /// Objections to the context.
    #[serde(default)]
    pub context_challenges: Vec<ContextChallenge>,
    /// Artifacts made or changed in this round.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub artifacts: Vec<Artifact>,
    /// Votes counted in this round.
    #[serde(default)]
    pub tallies: Vec<Tally>,
    /// Parts that are a fallback (L4).
    #[serde(default)]
    pub degraded: Vec<Degraded>,
    /// Flaws repaired or dropped in the replies.
    #[serde(default)]
    pub doubts: Vec<Doubt>,
    /// What the round cost.
    #[serde(default)]
    pub usage: Usage,
    /// Seats, or the facilitator, that a fallback model answered for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stand_ins: BTreeMap<SeatId, StandIn>,
    /// Of this, what each seat and the facilitator cost, where models were asked.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub usage_by_seat: BTreeMap<SeatId, Usage>,
    /// What was proposed and what was taken.
    #[serde(default)]
    pub decision: Decision,
}

/// A model that answered in place of a seat's own.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct StandIn {
    /// As `provider:model`.
    pub model: String,
    /// Its family: a vote counts for it, not for the seat's own (V2).
    pub family: String,
}

/// The kind of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoundKind {
    /// Question, responses, synthesis.
    #[default]
    Discussion,
    /// A vote on the points that have none (V4).
    Ballot,
}

/// A response as it is written down.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SeatResponse {
    /// Who answered.
    pub participant: SeatId,
    /// What the seat holds.
    #[serde(default)]
    pub position: String,
    /// Why.
    #[serde(default)]
    pub rationale: Vec<String>,
    /// What worries it.
    #[serde(default)]
    pub concerns: Vec<String>,
    /// From 0 to 1.
    #[serde(default)]
    pub confidence: f64,
    /// An objection to the context.
    #[serde(default)]
    pub context_challenge: Option<String>,
    /// Votes by point.
    #[serde(default)]
    pub votes: BTreeMap<PointId, Choice>,
}

impl SeatResponse {
    /// What a seat said, as it is written down.
    pub fn of(seat: &SeatId, response: &Response) -> Self {
        Self {
            participant: seat.clone(),
            position: response.position.clone(),
            rationale: response.rationale.clone(),
            concerns: response.concerns.clone(),
            confidence: response.confidence,
            context_challenge: response.context_challenge.clone(),
            votes: response.votes.iter().map(|(point, vote)| (point.clone(), vote.choice)).collect(),
        }
    }
}

/// The count of one point (V2).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// The point's id.
    pub point: PointId,
    /// The counting rule in force.
    pub policy: String,
    /// Who supports.
    #[serde(default)]
    pub support: Vec<SeatId>,
    /// Who stands aside.
    #[serde(default)]
    pub stand_aside: Vec<SeatId>,
    /// Who blocks, and why.
    #[serde(default)]
    pub block: Vec<Block>,
    /// Who did not vote.
    #[serde(default)]
    pub no_vote: Vec<SeatId>,
    /// The share of support under the rule.
    pub share: f64,
    /// Whether the point carried.
    pub carried: bool,
}

/// One block with its reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// Who.
    pub seat: SeatId,
    /// Why.
    pub reason: String,
}

/// A part of a round that is a fallback.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Degraded {
    /// The question.
    Question,
    /// The synthesis.
    Synthesis,
}

/// A flaw that was repaired, or a claim that was dropped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubt {
    /// Whose reply.
    pub seat: SeatId,
    /// What about it.
    pub what: String,
}

/// What calls cost.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Calls made.
    pub calls: u32,
    /// Tokens sent.
    pub input_tokens: u64,
    /// Of these, read from the provider's cache.
    pub cached_tokens: u64,
    /// Tokens received.
    pub output_tokens: u64,
    /// In US dollars.
    pub cost_usd: f64,
    /// From the first call to the last reply.
    pub duration_ms: u64,
}

impl Usage {
    /// Adds another's tokens and money, not its calls and its time.
    pub fn add_tokens(&mut self, other: &Self) {
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.cached_tokens = self.cached_tokens.saturating_add(other.cached_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
        // To the billionth: sums of dollars stay short and the same in whatever way they were added up.
        self.cost_usd = ((self.cost_usd + other.cost_usd) * 1e9).round() / 1e9;
    }
}

/// What was proposed, what was taken, and why.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Decision {
    /// The facilitator's proposal.
    #[serde(default)]
    pub proposed: Action,
    /// What the rules allowed.
    #[serde(default)]
    pub taken: Action,
    /// The rules that decided, first one first.
    #[serde(default)]
    pub because: Vec<Because>,
    /// What the next question is about.
    #[serde(default)]
    pub next_focus: Option<String>,
    /// Why the facilitator wants a person to decide.
    #[serde(default)]
    pub escalation_reason: Option<String>,
    /// What the facilitator recommends.
    #[serde(default)]
    pub recommendation: Option<String>,
    /// The document the facilitator would write (C1).
    #[serde(default)]
    pub output_type: Option<OutputType>,
}

/// One reason of a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Because {
    /// Rule id.
    pub rule: String,
    /// In words.
    pub text: String,
}

/// A question to a person (E10).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Escalation {
    /// `X1`, `X2` …
    pub id: String,
    /// The round that raised it.
    pub round: u32,
    /// When.
    #[serde(default)]
    pub at: Option<Timestamp>,
    /// All causes of that round.
    #[serde(default)]
    pub causes: Vec<Cause>,
    /// Who holds what.
    #[serde(default)]
    pub positions: BTreeMap<SeatId, String>,
    /// Conflicts that a ruling resolves.
    #[serde(default)]
    pub conflicts: Vec<String>,
    /// The facilitator's recommendation.
    #[serde(default)]
    pub recommendation: Option<String>,
    /// What can be chosen.
    #[serde(default)]
    pub options: Vec<RulingChoice>,
    /// The answer; none while pending.
    #[serde(default)]
    pub ruling: Option<Ruling>,
}

/// One cause of an escalation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// Rule id, E1 to E6.
    pub rule: String,
    /// What makes the cause the same one again (E7).
    pub subject: String,
    /// In words.
    pub text: String,
}

/// The answer to an escalation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ruling {
    /// What was chosen.
    pub choice: RulingChoice,
    /// The decision in words, where one was given.
    #[serde(default)]
    pub text: Option<String>,
    /// Rounds granted by `continue` or `discuss`.
    #[serde(default)]
    pub rounds: Option<u32>,
    /// A person or a policy.
    pub by: RuledBy,
    /// The person's name, where known.
    #[serde(default)]
    pub name: Option<String>,
    /// When.
    #[serde(default)]
    pub at: Option<Timestamp>,
    /// What the engine then took on the same proposal (D8).
    #[serde(default)]
    pub then: Option<Decision>,
}

/// What can be chosen in an escalation (E8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RulingChoice {
    /// Accept the facilitator's recommendation.
    Accept,
    /// Give an own decision.
    Decide,
    /// Go on for some rounds.
    Continue,
    /// Accept the challenge: the context changes.
    AcceptContext,
    /// Keep the context.
    KeepContext,
    /// Discuss the challenge further.
    Discuss,
}

crate::opening::names!(RulingChoice {
    Accept => "accept", Decide => "decide", Continue => "continue",
    AcceptContext => "accept_context", KeepContext => "keep_context", Discuss => "discuss",
});

/// Who ruled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RuledBy {
    /// A person.
    Person,
    /// An unattended policy (E9).
    Policy,
}

/// Something that was done between rounds, by a person (L1) or by a budget (D2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Intervention {
    /// When.
    pub at: Timestamp,
    /// After which round.
    pub after_round: u32,
    /// What kind.
    pub kind: InterventionKind,
    /// In words.
    #[serde(default)]
    pub text: Option<String>,
    /// By whom.
    #[serde(default)]
    pub by: Option<String>,
    /// Rounds granted, where the session is to go on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
}

impl Intervention {
    /// What it says to the table, where it is an interjection with words in it.
    pub fn said_to_the_table(&self) -> Option<&str> {
        let said = self.text.as_deref().filter(|_| self.kind == InterventionKind::Interjection)?.trim();
        (!said.is_empty()).then_some(said)
    }
}

/// The kinds of intervention.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InterventionKind {
    /// Something said to the table.
    Interjection,
    /// Skip to the end (D1).
    Skip,
    /// A budget was reached (D2).
    Budget,
    /// A person wants more rounds after the end (D9).
    Extend,
    /// The session was paused.
    Pause,
    /// The session was taken up again.
    Resume,
    /// The session was put away unfinished, on purpose.
    Close,
}

/// How a session ended (C3, C4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Earned, never claimed.
    pub status: OutcomeStatus,
    /// Why it is no more than proposed.
    #[serde(default)]
    pub reasons: Vec<String>,
    /// The kind of document.
    pub output_type: OutputType,
    /// The main document's path.
    #[serde(default)]
    pub file: Option<String>,
    /// All paths written.
    #[serde(default)]
    pub files: Vec<String>,
    /// The points that stand, as `C1.1`-style ids with text.
    #[serde(default)]
    pub consensus: Vec<String>,
    /// What stayed open.
    #[serde(default)]
    pub unresolved: Vec<String>,
    /// The facilitator's last recommendation.
    #[serde(default)]
    pub recommendation: Option<String>,
}

/// The status of a decision (C4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeStatus {
    /// The panel carried every point and nothing is open.
    Accepted,
    /// Anything less.
    Proposed,
}

crate::opening::names!(OutcomeStatus { Accepted => "accepted", Proposed => "proposed" });
crate::opening::names!(RoundKind { Discussion => "discussion", Ballot => "ballot" });
