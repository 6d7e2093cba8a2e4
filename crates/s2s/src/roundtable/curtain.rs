//! The curtain before an audience while people write: nobody at a screen sees an answer before theirs is in (H1).
//! Given what is to be told of a step of calls; tells it at once, or once the last person has answered. What people
//! leave unanswered stays behind it: of the other answers only their cost is told then. Deliberately absent: asking.

use std::collections::BTreeSet;

use s2s_engine::step::CallId;

use super::drive::Surroundings;
use super::notice::{CallEnd, Notice};

/// What is held back, and for whom.
#[derive(Debug, Default)]
pub(super) struct Curtain {
    writing: BTreeSet<CallId>,
    held: Vec<Notice>,
}

impl Curtain {
    /// Closed while these calls have no end.
    pub(super) fn before(people: impl Iterator<Item = CallId>) -> Self {
        Self { writing: people.collect(), held: Vec::new() }
    }

    pub(super) fn is_closed(&self) -> bool {
        !self.writing.is_empty()
    }

    /// Tells this, now or when the curtain opens.
    pub(super) fn tell(&mut self, notice: Notice, around: &mut Surroundings<'_>) {
        if self.is_closed() { self.held.push(notice) } else { around.tell(notice) }
    }

    /// A call has come to its end; with the last person's the curtain opens.
    pub(super) fn ended(&mut self, call: &CallId, around: &mut Surroundings<'_>) {
        if self.writing.remove(call) && !self.is_closed() {
            self.held.drain(..).for_each(|notice| around.tell(notice));
        }
    }

    /// People have not answered: the others' words stay unsaid, for they are asked again.
    pub(super) fn stays_closed(self, around: &mut Surroundings<'_>) {
        for notice in self.held {
            match notice {
                Notice::CallEnded { call, seat, end: CallEnd::Answered { .. }, duration_ms, cost_usd, spent_usd } => {
                    let end = CallEnd::Answered { confidence: None, position: None, doubts: Vec::new() };
                    around.tell(Notice::CallEnded { call, seat, end, duration_ms, cost_usd, spent_usd });
                }
                // What was kept from before, see `ask`.
                Notice::Noted { .. } => {}
                notice => around.tell(notice),
            }
        }
    }
}
