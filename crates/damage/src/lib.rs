//! What models do wrong with a structured reply, made by the thousand: values, clean styles, damage kinds, a judge.
//! Given a seed, it hands on replies with their truth; it does not know how a reader works.

pub mod form_only;
pub mod judge;
pub mod kinds;
pub mod make;
pub mod report;
pub mod rng;
pub mod styles;
pub mod tree;
pub mod values;
pub mod words;

mod held_out;

use serde_json::Value;

/// Which of the two replies a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Form {
    /// A seat's answer.
    Participant,
    /// The facilitator's summing up.
    Facilitator,
}

impl Form {
    /// The name of the form in a file of replies.
    pub fn name(self) -> &'static str {
        match self {
            Form::Participant => "participant",
            Form::Facilitator => "facilitator",
        }
    }

    /// The form with this name in a file of replies.
    pub fn named(name: &str) -> Option<Form> {
        match name {
            "participant" => Some(Form::Participant),
            "facilitator" => Some(Form::Facilitator),
            _ => None,
        }
    }
}

/// What a reader has to make of a reply.
#[derive(Debug, Clone, PartialEq)]
pub enum Truth {
    /// Exactly this value, in the sense of [`judge::canonical`].
    Value(Value),
    /// Nothing: the text does not carry a whole, lawful value.
    MustRefuse,
}
