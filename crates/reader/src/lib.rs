//! Reads what a model wrote: from raw text to a value with its doubts, or a refusal with the reason.
//! Never panics and never guesses: a value that the text does not carry is a refusal, not a default.
//! Given text of any kind; hands on the fields of what was asked for. Deliberately absent: models, sessions,
//! and whether the claims are true. The policy stands in docs/reading.md.
//!
//! ```
//! use s2s_reader::{Kind, read};
//!
//! let reading = read(Kind::Response, "Sure!\n**Position:** Use Postgres\n**Confidence:** 80%")?;
//! assert_eq!(reading.value["position"], "Use Postgres");
//! assert_eq!(reading.value["confidence"], 0.8);
//! assert!(read(Kind::Response, "{\"position\": \"Use Pos").is_err());
//! # Ok::<(), s2s_reader::Refusal>(())
//! ```

mod align;
mod block;
mod budget;
pub mod clean;
mod flow;
mod layers;
mod lines;
mod node;
mod plain;
mod policy;
mod scalar;
mod schema;
mod seek;
mod xml;

use serde_json::{Map, Value};

use crate::node::Doubts;

/// The most text that is read; a longer reply is refused.
pub const MAX_REPLY_BYTES: usize = 1 << 20;

/// What was asked for, and so what the reply must hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Who argues for and who against.
    Sides,
    /// The facilitator's question.
    Question,
    /// A seat's answer, with its ballot.
    Response,
    /// The facilitator's summing up.
    Synthesis,
    /// A plan: tasks that refer to each other.
    Plan,
}

/// A reply that could be read.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// Every field of the kind, in its order; a list that is not given is empty, a text that is not given is null.
    pub value: Map<String, Value>,
    /// What had to be repaired or left out.
    pub doubts: Vec<String>,
}

/// Why a reply could not be read, in words that a retry can use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub String);

/// Reads the reply to a call of this kind.
pub fn read(kind: Kind, text: &str) -> Result<Reading, Refusal> {
    if text.len() > MAX_REPLY_BYTES {
        return Err(Refusal(format!("the reply is longer than {} kB; keep it short", MAX_REPLY_BYTES / 1024)));
    }
    let cleaned = clean::clean(text);
    if cleaned.text.trim().is_empty() {
        return Err(Refusal("the reply is empty".into()));
    }
    let mut doubts = Doubts::default();
    if cleaned.removed.any() {
        doubts.add(format!("took out {}", cleaned.removed.describe()));
    }
    let value = seek::answer(&cleaned.text, schema::of(kind), &mut doubts).map_err(Refusal)?;
    Ok(Reading { value, doubts: doubts.into_list() })
}
