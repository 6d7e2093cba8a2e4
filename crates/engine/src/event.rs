//! What has happened: the list of everything a session can be told.
//! Made by a driver, or read back from the tape and the minutes; folded by `Session::apply`.

use jiff::Timestamp;

use crate::record::{Intervention, Outcome, Ruling, StandIn, Usage};
use crate::reply::Answer;
use crate::step::CallId;

/// Something that has happened. Past tense.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A call was put on the tape and is about to be made.
    Asked {
        /// Which call.
        call: CallId,
        /// When.
        at: Timestamp,
    },
    /// A reply arrived and could be read.
    Answered {
        /// Which call.
        call: CallId,
        /// When.
        at: Timestamp,
        /// What it says.
        answer: Answer,
        /// What had to be repaired to read it.
        doubts: Vec<String>,
        /// The model that answered, where it is not the seat's own.
        stand_in: Option<StandIn>,
        /// What it cost.
        usage: Usage,
    },
    /// A reply arrived and could not be read (L4).
    Refused {
        /// Which call.
        call: CallId,
        /// When.
        at: Timestamp,
        /// Why, in words for the retry.
        reason: String,
        /// What it cost.
        usage: Usage,
    },
    /// No reply came, after the model's own retries.
    Failed {
        /// Which call.
        call: CallId,
        /// When.
        at: Timestamp,
        /// Why.
        error: String,
        /// What the tries cost.
        usage: Usage,
    },
    /// The round that `Step::Commit` showed is in the minutes, with its escalation.
    Committed,
    /// The pending escalation was answered.
    Ruled(Box<Ruling>),
    /// A person did something between rounds.
    Intervened(Intervention),
    /// The documents are written and the session is closed.
    Finished(Box<Outcome>),
}
