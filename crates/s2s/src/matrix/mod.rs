//! The decision matrix of a session that was weighed: options × criteria, each seat's weights, the result, and what would
//! flip it. Made once, when the session ends (`crate::offline`), and kept beside the record as it was then: a playbook that
//! changes later changes no matrix. Whoever shows it (documents, screens, the report) shows these numbers and the sentences
//! of `words`. Deliberately absent: how seats come to their weights, and any count of a seat that a model or a person has.

mod aside;
mod count;
mod flip;
#[cfg(test)]
mod tests;
mod words;

use s2s_store::Sessions;
use serde::{Deserialize, Serialize};

pub use aside::Aside;
pub use count::{Count, MOST, POWER};
pub use flip::{Flip, Who, smallest};
pub use words::{named, number, percent};

use crate::failure::Failure;

/// The layout of this matrix; a higher one is of a later s2s. In the first one, flips were looked for up to a weight of 5
/// only, and options that are ruled out had no scores.
pub const SCHEMA: u32 = 2;

/// One subject of a session, weighed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Matrix {
    /// The layout, [`SCHEMA`].
    pub schema: u32,
    /// What it was counted after: a session that went on since has to be counted again.
    pub after: After,
    /// The playbook.
    pub playbook: String,
    /// The subject in a few words.
    pub subject: String,
    /// Year and month of the knowledge.
    pub as_of: String,
    /// What the options are compared by.
    pub criteria: Vec<Measure>,
    /// The options that compete.
    pub options: Vec<Weighed>,
    /// Options that the topic names and no playbook knows.
    pub not_weighed: Vec<String>,
    /// Options that topic or context rule out, with the words that do.
    #[serde(default)]
    pub ruled_out: Vec<RuledOut>,
    /// The seats that weighed.
    pub seats: Vec<Weigher>,
    /// The seats that answered in another way, and how: they have no weights.
    pub others: Vec<Other>,
    /// What topic and context shifted.
    pub shifts: Vec<Shift>,
    /// What they say that other playbooks weigh, as written, and nothing in this one does.
    #[serde(default)]
    pub unweighed: Vec<String>,
    /// Who leads.
    pub result: Standing,
    /// The smallest change of one weight of all seats that changes the winner; none = there is none.
    pub flip_all: Option<Flip>,
    /// The smallest change of one weight of one seat that changes the winner; none = there is none.
    pub flip_one: Option<Flip>,
}

/// An option that may not be chosen, whatever it scores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RuledOut {
    /// Name in running text.
    pub name: String,
    /// What was said, as written.
    pub words: String,
    /// How it does on each criterion; none in the first layout.
    #[serde(default)]
    pub weighed: Option<Weighed>,
    /// What each seat's count of it comes to; empty in the first layout.
    #[serde(default)]
    pub scores: Vec<f64>,
}

/// How far a session was when it was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct After {
    /// Rounds held.
    pub rounds: usize,
    /// Rulings and words of people.
    pub said: usize,
}

/// One criterion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measure {
    /// Its id.
    pub id: String,
    /// Name in running text.
    pub name: String,
}

/// One option with its cells, in the order of the criteria.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Weighed {
    /// Its id in the playbook.
    pub id: String,
    /// The name that the topic gives it, else that of the playbook.
    pub name: String,
    /// From 1 to 5, with what was heard.
    pub cells: Vec<f64>,
    /// How much of each is a lift by what was heard.
    pub lifts: Vec<f64>,
    /// How a point begins that chooses it; empty in a matrix of an earlier s2s.
    #[serde(default)]
    pub decide: String,
    /// The reason in each cell, as a clause.
    #[serde(default)]
    pub why: Vec<String>,
    /// What can go wrong with it.
    #[serde(default)]
    pub risks: Vec<String>,
}

/// One seat that weighed, in the order of the criteria and of the options.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Weigher {
    /// Seat.
    pub seat: String,
    /// Its name for people.
    pub name: String,
    /// Whether its role has weights of its own; else every criterion counts alike.
    pub own: bool,
    /// The weight of each criterion here: the role's, shifted by what was heard.
    pub weights: Vec<f64>,
    /// Its part of the whole, from 0 to 1, once raised to the power.
    pub shares: Vec<f64>,
    /// The score of each option, from 1 to 5.
    pub scores: Vec<f64>,
    /// The option it likes best, by place.
    pub favourite: usize,
}

/// A seat without weights.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Other {
    /// Its name for people.
    pub name: String,
    /// `human`, or the model.
    pub model: String,
}

/// Something heard that shifted a weight.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shift {
    /// The criterion, by name.
    pub criterion: String,
    /// By how much its weight shifts, for every seat.
    pub by: f64,
    /// Options whose score on it changes too: name and by how much it really does, from 1 to 5.
    pub lifts: Vec<(String, i8)>,
    /// The words that were heard.
    pub words: String,
    /// Whether they stand in the topic; else in what the project says.
    pub in_topic: bool,
    /// Why they matter, as a clause.
    pub why: String,
}

/// Who leads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// The option that most seats like best, by place; where that is a tie, the one with the higher scores.
    pub leader: usize,
    /// The next after it.
    pub second: Option<usize>,
    /// How many seats like each option best.
    pub votes: Vec<usize>,
    /// The mean of the seats' scores for each option.
    pub means: Vec<f64>,
    /// The option that a ruling took instead, by name.
    pub ruled: Option<String>,
}

impl Matrix {
    /// What it is counted from, to count again with other weights.
    pub fn count(&self) -> Count {
        Count {
            scores: self.options.iter().map(|option| option.cells.clone()).collect(),
            weights: self.seats.iter().map(|seat| seat.weights.clone()).collect(),
        }
    }

    /// Whether every row has a cell for every column, and every place named is one.
    fn is_whole(&self) -> bool {
        let (criteria, options, seats) = (self.criteria.len(), self.options.len(), self.seats.len());
        let numbers = |list: &[f64], many: usize| list.len() == many && list.iter().all(|number| number.is_finite());
        let flips = || self.flip_all.iter().chain(&self.flip_one);
        let who = |who: Who| matches!(who, Who::All) || matches!(who, Who::Seat(seat) if seat < seats);
        let cells = |option: &Weighed| numbers(&option.cells, criteria) && numbers(&option.lifts, criteria);
        let out = |out: &RuledOut| match &out.weighed {
            Some(option) => cells(option) && numbers(&out.scores, seats),
            None => out.scores.is_empty(),
        };
        self.options.iter().all(cells)
            && self.ruled_out.iter().all(out)
            && self.seats.iter().all(|seat| {
                numbers(&seat.weights, criteria)
                    && numbers(&seat.shares, criteria)
                    && numbers(&seat.scores, options)
                    && seat.favourite < options
            })
            && self.result.leader < options
            && self.result.second.is_none_or(|second| second < options)
            && self.result.votes.len() == options
            && numbers(&self.result.means, options)
            && flips().all(|flip| flip.criterion < criteria && flip.leads < options && who(flip.who))
    }
}

/// The matrices kept beside a session; none where none was made.
///
/// # Errors
/// If the file does not hold together, or is of a later s2s.
pub fn kept(sessions: &Sessions, id: &str) -> Result<Vec<Matrix>, Failure> {
    sessions.matrices(id)?.into_iter().map(|value| read(value, id)).collect()
}

fn read(value: serde_json::Value, id: &str) -> Result<Matrix, Failure> {
    let schema = value.get("schema").and_then(serde_json::Value::as_u64).unwrap_or_default();
    if schema > u64::from(SCHEMA) {
        return Err(Failure::failed(format!(
            "the matrix of session {id} was written by a later s2s (schema {schema})"
        ))
        .next("update s2s to see it"));
    }
    let unreadable = |what: &dyn std::fmt::Display| {
        Failure::failed(format!("the matrix of session {id} cannot be read: {what}"))
            .next("the session itself is whole without it; move its matrices.jsonl away to be told no more")
    };
    let matrix: Matrix = serde_json::from_value(value).map_err(|error| unreadable(&error))?;
    if matrix.is_whole() { Ok(matrix) } else { Err(unreadable(&"its rows do not fit its columns")) }
}
