//! What a strategy is: who speaks how, in which phases, and how a vote is counted.
//! Given by the catalog (or frozen in the minutes); read by every rule. Holds no branch by name:
//! a strategy is data, and the engine never asks which one it is.

use serde::{Deserialize, Serialize};

/// A way to hold a discussion: participation, voting and the phases in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strategy {
    /// The name by which people choose it, for example `six-hats`.
    pub name: String,
    /// One sentence for lists and prompts.
    pub summary: String,
    /// Whether seats answer at once and blind, or one after the other.
    #[serde(default)]
    pub participation: Participation,
    /// How a ballot is counted.
    pub policy: Policy,
    /// The fewest seats it makes sense with; 0 = it asks none.
    #[serde(default = "two")]
    pub least_participants: u32,
    /// Whether seats are split into a pro and a con side.
    #[serde(default)]
    pub two_sides: bool,
    /// When claimed points are put to the vote (V1).
    #[serde(default)]
    pub votes: Votes,
    /// The phases, in order; at least one.
    #[serde(deserialize_with = "some_phases")]
    pub phases: Vec<Phase>,
}

fn two() -> u32 {
    2
}

fn one() -> u32 {
    1
}

/// A strategy without a phase could not hold a single round.
fn some_phases<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Vec<Phase>, D::Error> {
    let phases = Vec::<Phase>::deserialize(from)?;
    if phases.is_empty() {
        return Err(serde::de::Error::custom("a strategy needs at least one phase"));
    }
    Ok(phases)
}

/// One stage of a strategy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phase {
    /// Identifier, unique in its strategy.
    pub name: String,
    /// What the phase should achieve.
    pub goal: String,
    /// What every seat is told to do in this phase.
    pub directive: String,
    /// Fewest rounds before the phase may be left.
    #[serde(default = "one")]
    pub min_rounds: u32,
    /// Whether the seats are asked, or the facilitator speaks alone.
    #[serde(default)]
    pub asks: Asks,
    /// What of the past a seat gets to see (L3).
    #[serde(default)]
    pub sees: Vec<Sees>,
    /// Whether open conflicts grow older here (E1).
    #[serde(default)]
    pub tracks: bool,
}

impl Phase {
    /// The plainest phase: everyone is asked, everything is seen, conflicts grow older.
    pub fn discussion() -> Self {
        Self {
            name: "discussion".to_owned(),
            goal: "Come to a decision".to_owned(),
            directive: "Answer the question from your role.".to_owned(),
            min_rounds: 1,
            asks: Asks::All,
            sees: vec![Sees::LastSynthesis, Sees::Consensus, Sees::Conflicts],
            tracks: true,
        }
    }
}

/// Whether the answers of a round are given blind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Participation {
    /// All asked seats at once; nobody sees an answer of the same round.
    #[default]
    Parallel,
    /// In seat order; each seat sees the answers given before its own.
    Sequential,
}

/// Who is asked in a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Asks {
    /// The seats.
    #[default]
    All,
    /// Nobody but the facilitator.
    None,
}

/// When claimed points are put to the vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Votes {
    /// Inside the next round that asks all seats.
    #[default]
    WithAnswers,
    /// Only in the ballot round at the end.
    BallotRound,
}

/// A piece of the past that a phase shows to its seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sees {
    /// The synthesis of the round before.
    LastSynthesis,
    /// The consensus points so far.
    Consensus,
    /// The open conflicts.
    Conflicts,
    /// The last synthesis of each earlier phase.
    EarlierSyntheses,
    /// The answers of the phase before, without names.
    PhaseBeforeAnswers,
    /// The answers of the phase before, by side.
    BothSides,
}

/// How votes become a result (V2).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// The counting rule.
    pub rule: PolicyRule,
    /// The share needed by `weighted_majority`.
    #[serde(default = "default_threshold")]
    pub threshold: f64,
}

fn default_threshold() -> f64 {
    0.6
}

/// The counting rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PolicyRule {
    /// Every cast vote supports.
    Unanimous,
    /// More than half of the cast votes support.
    SimpleMajority,
    /// Support weighted by confidence reaches the threshold.
    WeightedMajority,
    /// Nobody blocks.
    Consent,
    /// The tally is recorded; a point carries unless more than half block.
    FacilitatorJudgment,
}

impl PolicyRule {
    /// The name used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unanimous => "unanimous",
            Self::SimpleMajority => "simple_majority",
            Self::WeightedMajority => "weighted_majority",
            Self::Consent => "consent",
            Self::FacilitatorJudgment => "facilitator_judgment",
        }
    }
}

impl Strategy {
    /// The position of the phase with this name.
    pub fn phase_index(&self, name: &str) -> Option<usize> {
        self.phases.iter().position(|phase| phase.name == name)
    }

    /// Whether seats are asked in any phase.
    pub fn asks_seats(&self) -> bool {
        self.first_asking_phase().is_some()
    }

    /// The first phase that asks seats: the one that A4 holds until no topic is pending.
    pub fn first_asking_phase(&self) -> Option<usize> {
        self.phases.iter().position(|phase| phase.asks == Asks::All)
    }
}
