//! From raw reply text to a typed answer with its doubts, or a refusal with the reason.
//! Never panics and never guesses: a value that the text does not carry is a refusal, not a default.
//! Given the kind of call and what came back for it; hands on what the engine can take. Deliberately
//! absent: whether the claims are true, which is the engine's to check.

mod extract;
mod fields;
mod shapes;

use s2s_engine::reply::Answer;
use s2s_engine::step::CallKind;
use s2s_models::Stop;

use crate::clean::clean;

pub use s2s_reader::{Kind, read as examine};

/// The most text that is read; a longer reply is refused.
pub const MAX_REPLY_BYTES: usize = 1 << 20;

/// A reply that could be read.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// What it says.
    pub answer: Answer,
    /// What had to be repaired or left out.
    pub doubts: Vec<String>,
}

/// Why a reply could not be read, in words that a retry can use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub String);

/// Reads the reply to a call of this kind.
pub fn read(kind: CallKind, text: &str, stop: Stop) -> Result<Reading, Refusal> {
    match stop {
        Stop::End => {}
        Stop::Length => return Err(Refusal("the reply was cut off; keep it shorter".into())),
        Stop::Filter => return Err(Refusal("the reply was cut by a content filter".into())),
        Stop::Oversize => return Err(oversize()),
    }
    if text.len() > MAX_REPLY_BYTES {
        return Err(oversize());
    }
    let cleaned = clean(text);
    if cleaned.text.trim().is_empty() {
        return Err(Refusal("the reply is empty".into()));
    }
    let mut doubts = Vec::new();
    if cleaned.removed.any() {
        doubts.push(format!("took out {}", cleaned.removed.describe()));
    }
    let expected = shapes::keys(kind);
    let found = extract::mapping(&cleaned.text, expected)?;
    doubts.extend(found.doubts);
    let mut fields = fields::Fields::new(found.map, doubts);
    let answer = match kind {
        CallKind::Sides => shapes::sides(&mut fields)?,
        CallKind::Question => shapes::question(&mut fields)?,
        CallKind::Response => shapes::response(&mut fields)?,
        CallKind::Synthesis => shapes::synthesis(&mut fields)?,
    };
    Ok(Reading { answer, doubts: fields.into_doubts() })
}

fn oversize() -> Refusal {
    Refusal(format!("the reply is longer than {} kB; keep it short", MAX_REPLY_BYTES / 1024))
}

#[cfg(test)]
mod tests;
