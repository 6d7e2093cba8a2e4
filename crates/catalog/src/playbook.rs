//! A playbook: what is generally known about one decision that teams often face.
//! Made from a YAML file by `read.rs` beside it, which says every misfit with its line.
//! The offline panel weighs what stands here; it adds no facts of its own. Deliberately absent: roles,
//! weights of roles, and anything about one session.

mod read;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use read::number_range;

use crate::OptionWords;

/// The criteria that roles know how to weigh. A playbook uses six to ten of them.
pub const CRITERIA: [&str; 16] = [
    "time-to-value",
    "simplicity",
    "operability",
    "security",
    "evolvability",
    "performance",
    "scalability",
    "client-fit",
    "team-skill",
    "cost",
    "testability",
    "data-integrity",
    "reliability",
    "tooling",
    "portability",
    "compliance",
];

/// General knowledge about one decision.
#[derive(Debug, Clone, PartialEq)]
pub struct Playbook {
    /// Identifier, the same as the file's name.
    pub name: String,
    /// The subject in a few words.
    pub subject: String,
    /// Year and month of the knowledge.
    pub as_of: String,
    /// What is decided, as a clause: "which style the API has".
    pub decides: String,
    /// Phrases that recognise the subject in a topic. One that starts with `~` is too common to do so
    /// alone: it needs a word of choice ("which", "or", "use") or another phrase beside it.
    pub names: Vec<String>,
    /// Phrases that show that a topic is about something else, though it uses the same words.
    pub unless: Vec<String>,
    /// What the options are compared by.
    pub criteria: Vec<Criterion>,
    /// The options, in no order of preference.
    pub options: Vec<PlaybookOption>,
    /// What is right to do whichever option wins.
    pub whichever: Vec<Practice>,
    /// Words of a topic or a context that shift weights.
    pub signals: Vec<Signal>,
    /// What would date this knowledge.
    pub changes: Vec<String>,
    /// What holds for every subject, as far as it concerns this one; not in the file, see [`crate::Constraints`].
    pub general: General,
}

/// What constraints of any project mean for one playbook.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct General {
    /// Words that shift weights, on criteria that the playbook has.
    pub signals: Vec<Signal>,
    /// Words that rule options out.
    pub limits: Vec<Limit>,
    /// Words beside an option that make it certain, impossible or already there.
    pub words: Arc<OptionWords>,
    /// What a context may say that shifts no criterion of the playbook and rules none of its options out.
    pub unweighed: Vec<Unweighed>,
}

/// Words that say something about a project for which a playbook has no criterion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unweighed {
    /// Phrases that say so.
    pub when: Vec<String>,
    /// What kind of constraint it is.
    pub about: String,
}

/// Words that rule options out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    /// Phrases that say so.
    pub when: Vec<String>,
    /// The options, by id.
    pub options: Vec<String>,
    /// Why, as a clause.
    pub why: String,
}

/// One thing that options are compared by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Criterion {
    /// One of [`CRITERIA`], or an own one.
    pub id: String,
    /// Name in running text, lower case.
    pub name: String,
    /// What it means here.
    pub means: String,
    /// The question that opens it up.
    pub asks: String,
    /// What a team should find out about itself, as a clause: "which clients call the API".
    pub find_out: String,
}

/// One way to decide.
#[derive(Debug, Clone, PartialEq)]
pub struct PlaybookOption {
    /// Identifier, unique in the playbook.
    pub id: String,
    /// Name in running text.
    pub name: String,
    /// Phrases that mean it; `~` as in [`Playbook::names`].
    pub aliases: Vec<String>,
    /// What it is, in one sentence.
    pub what: String,
    /// The decision for it, as an instruction without a full stop.
    pub decide: String,
    /// How it looks when all goes well.
    pub at_best: String,
    /// The smallest useful first step.
    pub start_with: String,
    /// What must be true for it to be right, as clauses.
    pub right_when: Vec<String>,
    /// When to look at the decision again, as a clause.
    pub revisit_when: String,
    /// What is known to go wrong.
    pub risks: Vec<Risk>,
    /// How it does on each criterion.
    pub cells: BTreeMap<String, Cell>,
}

/// How one option does on one criterion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// From 1, poor, to 5, very good.
    pub score: u8,
    /// The reason in one sentence.
    pub why: String,
}

/// Something known to go wrong, with what helps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Risk {
    /// What goes wrong, as a sentence.
    pub risk: String,
    /// The criterion it belongs to.
    pub touches: String,
    /// What helps, as an instruction without a full stop.
    pub mitigation: String,
}

/// Something worth doing whichever option wins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Practice {
    /// The criterion it belongs to.
    pub touches: String,
    /// An instruction without a full stop.
    pub text: String,
}

/// Words that shift the weight of a criterion.
#[derive(Debug, Clone, PartialEq)]
pub struct Signal {
    /// Name, where another signal contradicts it.
    pub id: Option<String>,
    /// Phrases; `{2-5}` stands for a number in that range, in digits or words.
    pub when: Vec<String>,
    /// The criterion whose weight shifts.
    pub criterion: String,
    /// By how much, from -5 to 5.
    pub shift: f64,
    /// Options whose score on this criterion changes too, by -2 to 2.
    pub lifts: BTreeMap<String, i8>,
    /// Why, as a clause.
    pub why: String,
    /// The id of a signal that cannot be true at the same time.
    pub contradicts: Option<String>,
}

impl Playbook {
    /// The criterion with this id.
    pub fn criterion(&self, id: &str) -> Option<&Criterion> {
        self.criteria.iter().find(|criterion| criterion.id == id)
    }

    /// The option with this id.
    pub fn option(&self, id: &str) -> Option<&PlaybookOption> {
        self.options.iter().find(|option| option.id == id)
    }
}
