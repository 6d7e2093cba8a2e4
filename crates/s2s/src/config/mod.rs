//! The settings of a run: what they are, what they are by default, and where each one came from.
//! Given the texts of the layers (built-in, user file, project file, environment, flags); hands on one
//! plain [`Config`] and, for `s2s config show`, the layer and place of every value ([`Resolved`]).
//!
//! A higher layer wins, value by value (T1): flag > environment > project > user > strategy file >
//! built-in. The strategy file's part is the counting policy: [`Consensus::policy`] is null unless a
//! layer sets it, and [`Config::policy`] then takes the strategy's own.
//!
//! Deliberately absent: the environment, the home folder and the command line themselves (the caller
//! hands them in), and whether a strategy or a role exists (the catalog knows).

pub(crate) mod address;
mod fields;
mod file;
mod keys;
mod layers;
mod models;
mod open;
mod read;
mod show;
mod value;

use std::collections::BTreeMap;
use std::path::PathBuf;

use s2s_engine::opening::{Limits, RequirementsFormat, Triggers, Workflow};
use s2s_engine::strategy::{Policy, PolicyRule};
use serde::{Deserialize, Serialize};

pub use fields::{Field, FieldShape, PROVIDER_FIELDS};
pub use file::{COMMENTED, MAX_FILE_BYTES, SCHEMA, read_file};
pub use keys::{KEYS, Key, Shape};
pub use layers::{Layer, Origin, Resolved};
pub use models::{Api, Effort, FALLBACK_DEFAULT, Models, Price, Provider};
pub use read::{FlagValue, Source};
pub use s2s_catalog::Problem;
pub use show::Row;

/// The settings in force. Its shape is that of `.s2s/config.yaml`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Version of the file's shape.
    pub version: u32,
    /// How discussions run.
    pub roundtable: Roundtable,
    /// Who uses which model, and how models are asked.
    pub models: Models,
    /// How providers are reached, over the built-in ones.
    pub providers: BTreeMap<String, Provider>,
    /// What models cost, over the known prices, by `provider:model`.
    pub prices: BTreeMap<String, Price>,
    /// Where documents go.
    pub docs: Docs,
    /// How files are named.
    pub naming: Naming,
    /// Who answers.
    pub panel: Panel,
}

/// How discussions run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Roundtable {
    /// Name of the strategy; whether it exists is for the catalog to say.
    pub strategy: String,
    /// Whether the minutes keep every response (S2).
    pub verbose: bool,
    /// Whether a person is asked after each round.
    pub interactive: bool,
    /// Whether a terminal shows a round while it runs.
    pub live: bool,
    /// Limits on length and cost.
    pub limits: Limits,
    /// When a person must decide, and what happens if none is there.
    pub escalation: Escalation,
    /// How ballots are counted.
    pub consensus: Consensus,
    /// How the workflows' own commands discuss.
    pub strategies: Strategies,
    /// Who sits at the table, by workflow.
    pub participants: Participants,
}

/// When a person must decide, and what happens if none is there.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Escalation {
    /// What makes an escalation (E1 to E3).
    #[serde(flatten)]
    pub triggers: Triggers,
    /// What is done without a terminal (E9).
    pub on_escalation: OnEscalation,
    /// Whether an agent that calls the table may answer in a person's place (docs/agents.md).
    pub agents_may_answer: bool,
    /// What is done without a terminal where a person has a seat (H3).
    pub on_absent: OnAbsent,
}

/// What becomes of a person's seat when the person cannot be asked (H3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnAbsent {
    /// The session waits for them.
    #[default]
    Pause,
    /// Their seat is silent in this round.
    Pass,
}

/// What an escalation leads to when nobody can be asked (E9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnEscalation {
    /// The session waits for a person.
    #[default]
    Pause,
    /// The facilitator's recommendation is taken.
    Accept,
    /// The discussion goes on.
    Continue,
}

impl OnEscalation {
    /// The name used in files and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pause => "pause",
            Self::Accept => "accept",
            Self::Continue => "continue",
        }
    }
}

/// How ballots are counted (V2).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Consensus {
    /// The counting rule; null = the strategy's own.
    pub policy: Option<PolicyRule>,
    /// The share that `weighted_majority` needs; null = the strategy's own.
    pub threshold: Option<f64>,
    /// The most weight one model family may have.
    pub family_share: f64,
}

/// How `s2s specs`, `s2s design` and `s2s brainstorm` discuss: names of strategies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strategies {
    /// For requirements.
    pub specs: String,
    /// For architecture.
    pub design: String,
    /// For free discussion.
    pub brainstorm: String,
}

/// Who sits at the table, by workflow. Both places that a file may use for it (T4) end up here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Participants {
    /// For requirements.
    pub specs: Vec<String>,
    /// For architecture.
    pub design: Vec<String>,
    /// For free discussion.
    pub brainstorm: Vec<String>,
}

/// Where documents go: folders inside the project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Docs {
    /// Decision records and summaries.
    pub decisions: PathBuf,
    /// Requirements.
    pub specifications: PathBuf,
    /// Architecture descriptions.
    pub architecture: PathBuf,
    /// Summaries of brainstorms.
    pub brainstorms: PathBuf,
    /// Plans.
    pub plans: PathBuf,
    /// How requirements are laid out.
    pub requirements_format: RequirementsFormat,
}

/// How files are named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Naming {
    /// The time at the front of a document's name, as in `strftime`.
    pub timestamp_format: String,
}

/// Who answers for the seats.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Panel {
    /// The configured models; the offline panel where there are none.
    #[default]
    Auto,
    /// Roles and playbooks, no language model.
    Offline,
    /// The configured models, and nothing else.
    Models,
    /// Replies from a file. A relative path starts at the project from a settings file, and at the
    /// current folder from the environment or a flag: [`Resolved::origin`] tells which.
    Script(PathBuf),
}

impl TryFrom<String> for Panel {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        match text.as_str() {
            "auto" => Ok(Self::Auto),
            "offline" => Ok(Self::Offline),
            "models" => Ok(Self::Models),
            _ => match text.strip_prefix("script:").map(str::trim) {
                Some("") => Err("`script:` names no file"),
                Some(file) => Ok(Self::Script(file.into())),
                None => Err("no such panel"),
            },
        }
    }
}

impl From<Panel> for String {
    fn from(panel: Panel) -> Self {
        match panel {
            Panel::Auto => "auto".into(),
            Panel::Offline => "offline".into(),
            Panel::Models => "models".into(),
            Panel::Script(file) => format!("script:{}", file.display()),
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        let names = |ids: [&str; 3]| ids.map(String::from).to_vec();
        Self {
            version: 1,
            roundtable: Roundtable {
                strategy: "standard".into(),
                verbose: false,
                interactive: false,
                live: true,
                limits: Limits::default(),
                escalation: Escalation::default(),
                consensus: Consensus { policy: None, threshold: None, family_share: 0.5 },
                strategies: Strategies {
                    specs: "consensus-driven".into(),
                    design: "debate".into(),
                    brainstorm: "disney".into(),
                },
                participants: Participants {
                    specs: names(["product-manager", "business-analyst", "qa-lead"]),
                    design: names(["software-architect", "technical-lead", "devops-engineer"]),
                    brainstorm: names(["product-manager", "software-architect", "technical-lead"]),
                },
            },
            models: Models::default(),
            providers: BTreeMap::new(),
            prices: BTreeMap::new(),
            docs: Docs {
                decisions: "docs/decisions".into(),
                specifications: "docs/specifications".into(),
                architecture: "docs/architecture".into(),
                brainstorms: "docs/brainstorms".into(),
                plans: "docs/plans".into(),
                requirements_format: RequirementsFormat::Srs,
            },
            naming: Naming { timestamp_format: "%Y%m%d-%H%M%S".into() },
            panel: Panel::Auto,
        }
    }
}

impl Config {
    /// The seats for a workflow.
    pub fn participants(&self, workflow: Workflow) -> &[String] {
        let all = &self.roundtable.participants;
        match workflow {
            Workflow::Specs => &all.specs,
            Workflow::Design => &all.design,
            Workflow::Brainstorm => &all.brainstorm,
        }
    }

    /// The strategy of a workflow's own command.
    pub fn strategy_of(&self, workflow: Workflow) -> &str {
        let all = &self.roundtable.strategies;
        match workflow {
            Workflow::Specs => &all.specs,
            Workflow::Design => &all.design,
            Workflow::Brainstorm => &all.brainstorm,
        }
    }

    /// The policy in force over a strategy that brings its own.
    pub fn policy(&self, own: Policy) -> Policy {
        let set = &self.roundtable.consensus;
        Policy { rule: set.policy.unwrap_or(own.rule), threshold: set.threshold.unwrap_or(own.threshold) }
    }
}
