//! What a session starts with and keeps (S7): topic, table, settings, agenda, context.
//! Given by whoever convenes; never changed afterwards, except by a ruling on the context (E8) and
//! the sides of a debate (T3). Deliberately absent: anything that happened.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::artifact::Register;
use crate::strategy::{Policy, Strategy};

/// The id of a seat: the id of its role, unique at the table.
pub type SeatId = Arc<str>;

/// The seat id used for the facilitator in calls.
pub const FACILITATOR: &str = "facilitator";

/// The model, and the family, of a seat that a person answers.
pub const HUMAN: &str = "human";

/// A role with a model, at this table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Seat {
    /// Role id.
    pub id: SeatId,
    /// Name for people.
    #[serde(default)]
    pub name: String,
    /// `provider:model`, `offline` where no model takes part, or `human` where a person does.
    #[serde(default)]
    pub model: String,
    /// Model family, for the cap on one family's weight (V2).
    #[serde(default)]
    pub family: String,
}

impl Seat {
    /// Whether a person answers for it.
    pub fn is_human(&self) -> bool {
        self.model == HUMAN
    }
}

/// The sides of a debate (T3).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Sides {
    /// Seats that argue for the proposal.
    pub pro: Vec<SeatId>,
    /// Seats that argue against it.
    pub con: Vec<SeatId>,
    /// What is argued about.
    #[serde(default)]
    pub proposal: String,
}

/// The kind of work a session serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Workflow {
    /// Requirements: what to build.
    Specs,
    /// Architecture: how to build it.
    Design,
    /// Free discussion.
    #[default]
    Brainstorm,
}

/// The kind of document a session ends in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputType {
    /// An architecture decision record.
    Adr,
    /// Requirements.
    Requirements,
    /// An architecture description.
    Architecture,
    /// A summary of the session.
    Summary,
}

/// The way a requirements document is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequirementsFormat {
    /// A software requirements specification.
    #[default]
    Srs,
    /// One card for each requirement, as Volere has it.
    Volere,
    /// A plain list.
    Simple,
}

/// One topic of an agenda.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Topic {
    /// Identifier, unique in its agenda.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Whether it must be covered, not just touched, before the end (B3).
    #[serde(default)]
    pub critical: bool,
    /// The fewest artifacts it must have before it is covered (A5).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub least: u32,
    /// How many criteria must be met before it is covered (A5).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub criteria: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// How far a topic has come (A1). The order matters: coverage never falls back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Coverage {
    /// Not discussed yet.
    #[default]
    Pending,
    /// Touched, not settled.
    Partial,
    /// Settled.
    Covered,
}

/// Limits on a session's length.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// No conclusion before this many rounds (B1).
    pub min_rounds: u32,
    /// Conclusion after this many rounds, whatever is open (D2).
    pub max_rounds: u32,
    /// The most rounds in one phase (D4).
    pub max_rounds_per_phase: u32,
    /// The most model calls, tries included; none = no limit. Budgets are kept by the driver, which
    /// reserves before each call and says when one is reached (D2).
    pub max_calls: Option<u32>,
    /// The most that models may cost, in US dollars.
    pub max_cost_usd: Option<f64>,
    /// The most tokens, sent and received.
    pub max_tokens: Option<u64>,
    /// The most minutes of waiting for models.
    pub max_minutes: Option<f64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            min_rounds: 3,
            max_rounds: 20,
            max_rounds_per_phase: 10,
            max_calls: None,
            max_cost_usd: None,
            max_tokens: None,
            max_minutes: None,
        }
    }
}

/// When a person must be asked (E1 to E3).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Triggers {
    /// Age at which an open conflict escalates (E1); also the rounds granted by "go on".
    pub max_rounds_per_conflict: u32,
    /// Confidence under which a seat escalates (E2).
    pub confidence_below: f64,
    /// Words that escalate when a seat says them (E3).
    pub critical_keywords: Vec<String>,
}

impl Default for Triggers {
    fn default() -> Self {
        Self {
            max_rounds_per_conflict: 3,
            confidence_below: 0.5,
            critical_keywords: ["security", "must-have", "blocking", "legal"].map(String::from).to_vec(),
        }
    }
}

/// The effective settings, frozen when the session starts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Limits on length.
    #[serde(default)]
    pub limits: Limits,
    /// Escalation triggers.
    #[serde(default)]
    pub escalation: Triggers,
    /// How ballots are counted; the strategy's own unless a setting overrides it.
    pub policy: Policy,
    /// The most weight one model family may have in a tally of several (V2).
    #[serde(default = "half")]
    pub family_share: f64,
    /// Whether the minutes keep every response (S2).
    #[serde(default)]
    pub verbose: bool,
    /// Whether a person is asked after each round.
    #[serde(default)]
    pub interactive: bool,
    /// The document a flag asked for (C1).
    #[serde(default)]
    pub output_type: Option<OutputType>,
    /// How its requirements are laid out, where it works them out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requirements_format: Option<RequirementsFormat>,
    /// The whole strategy as it was at the start.
    pub method: Strategy,
}

fn half() -> f64 {
    0.5
}

/// Everything a session is opened with.
#[derive(Debug, Clone, PartialEq)]
pub struct Opening {
    /// Session id (S1).
    pub id: String,
    /// The question before the table.
    pub topic: String,
    /// The kind of work.
    pub workflow: Workflow,
    /// The seats, in order.
    pub seats: Vec<Seat>,
    /// The sides, once known; only where the strategy has two.
    pub sides: Option<Sides>,
    /// Frozen settings, strategy included.
    pub settings: Settings,
    /// Topics to cover; empty = free-form.
    pub agenda: Vec<Topic>,
    /// The project's context as the session knows it.
    pub context: String,
    /// The artifacts it may propose and refer to; none = it keeps no artifacts.
    pub register: Option<Register>,
    /// The session that this one goes on from.
    pub parent: Option<String>,
}

macro_rules! names {
    ($type:ty { $($variant:ident => $name:literal),+ $(,)? }) => {
        impl $type {
            /// Every value, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
            /// The name used in files and on the command line.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
        impl std::str::FromStr for $type {
            type Err = ();
            fn from_str(s: &str) -> Result<Self, ()> {
                match s { $($name => Ok(Self::$variant),)+ _ => Err(()) }
            }
        }
    };
}
pub(crate) use names;

names!(Workflow { Specs => "specs", Design => "design", Brainstorm => "brainstorm" });
names!(OutputType { Adr => "adr", Requirements => "requirements", Architecture => "architecture", Summary => "summary" });
names!(RequirementsFormat { Srs => "srs", Volere => "volere", Simple => "simple" });
names!(Coverage { Pending => "pending", Partial => "partial", Covered => "covered" });
