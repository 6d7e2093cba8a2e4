//! From a reply to a typed answer with its doubts, or a refusal with the reason.
//! Given the kind of call and what came back for it; hands on what the engine can take. The grammar is the
//! reader's (`s2s-reader`); here its fields become engine words. Deliberately absent: whether the claims are
//! true, which is the engine's to check.

mod answer;
mod artifacts;

pub use s2s_reader::{Kind, MAX_REPLY_BYTES, Refusal, read as examine};

use s2s_engine::reply::Answer;
use s2s_engine::step::CallKind;
use s2s_models::Stop;

/// A reply that could be read.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// What it says.
    pub answer: Answer,
    /// What had to be repaired or left out.
    pub doubts: Vec<String>,
}

/// Reads the reply to a call of this kind.
pub fn read(kind: CallKind, text: &str, stop: Stop) -> Result<Reading, Refusal> {
    match stop {
        Stop::End => {}
        Stop::Length => return Err(Refusal("the reply was cut off; keep it shorter".into())),
        Stop::Filter => return Err(Refusal("the reply was cut by a content filter".into())),
        Stop::Oversize => {
            let most = MAX_REPLY_BYTES / 1024;
            return Err(Refusal(format!("the reply is longer than {most} kB; keep it short")));
        }
    }
    let s2s_reader::Reading { value, mut doubts } = examine(shape(kind), text)?;
    let answer = answer::answer(kind, &value, &mut doubts)?;
    Ok(Reading { answer, doubts })
}

/// What the reader calls a kind of call.
pub(crate) fn shape(kind: CallKind) -> Kind {
    match kind {
        CallKind::Sides => Kind::Sides,
        CallKind::Question => Kind::Question,
        // A follow-up is answered in plain words, and never read.
        CallKind::Response | CallKind::Followup => Kind::Response,
        CallKind::Synthesis => Kind::Synthesis,
    }
}

#[cfg(test)]
mod tests;
