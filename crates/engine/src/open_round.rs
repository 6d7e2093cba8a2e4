//! The round under way: which calls are answered, which are missing, what has been said so far.
//! Given events about its calls; hands on the missing briefs. Deliberately absent: what the answers
//! mean, which is judged when the round is closed.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

use crate::opening::{FACILITATOR, SeatId};
use crate::record::{Degraded, Doubt, RoundKind, StandIn, Usage};
use crate::reply::{PointId, Question, Response, Synthesis};
use crate::step::{Brief, CallId, CallKind};

/// Attempts at one call before its reply is given up (L4).
pub const ATTEMPTS: u32 = 2;

/// One call of the round.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Slot<T> {
    /// Not answered: the attempt to make, and why the one before was refused.
    Missing { attempt: u32, reason: Option<String> },
    /// Answered.
    Done(T),
    /// Given up, with the last error.
    Lost(String),
}

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self::Missing { attempt: 1, reason: None }
    }
}

impl<T> Slot<T> {
    pub(crate) fn value(&self) -> Option<&T> {
        match self {
            Self::Done(value) => Some(value),
            _ => None,
        }
    }

    /// The attempt that is awaited, where one is.
    pub(crate) fn attempt(&self) -> Option<u32> {
        match self {
            Self::Missing { attempt, .. } => Some(*attempt),
            _ => None,
        }
    }

    /// A reply that cannot be used: one more attempt, or none.
    pub(crate) fn refuse(&mut self, reason: String) {
        *self = match self {
            Self::Missing { attempt, .. } if *attempt < ATTEMPTS => {
                Self::Missing { attempt: *attempt + 1, reason: Some(reason) }
            }
            _ => Self::Lost(reason),
        };
    }
}

/// The question of the round with the seats it goes to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Posed {
    pub question: Question,
    pub asked: Vec<SeatId>,
    pub ballot: Arc<[PointId]>,
}

/// The round under way.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct OpenRound {
    pub number: u32,
    pub kind: RoundKind,
    pub probing: bool,
    pub sides: Slot<()>,
    pub posed: Slot<Posed>,
    pub responses: Vec<(SeatId, Slot<Response>)>,
    pub synthesis: Slot<Box<Synthesis>>,
    pub degraded: Vec<Degraded>,
    pub doubts: Vec<Doubt>,
    pub usage: Usage,
    pub usage_by_seat: BTreeMap<SeatId, Usage>,
    pub stand_ins: BTreeMap<SeatId, StandIn>,
    pub first_at: Option<Timestamp>,
    pub last_at: Option<Timestamp>,
}

impl OpenRound {
    /// No round under way: this one is in the minutes, and what follows is not decided.
    pub(crate) fn over(number: u32) -> Self {
        Self { number, sides: Slot::Done(()), ..Self::default() }
    }

    pub(crate) fn note(&mut self, at: Timestamp) {
        self.first_at.get_or_insert(at);
        self.last_at = Some(self.last_at.map_or(at, |last| last.max(at)));
    }

    /// Adds what a call cost. The call itself was counted when it was asked; its further tries count here.
    pub(crate) fn spend(&mut self, seat: &SeatId, usage: Usage) {
        self.usage.calls += usage.calls.saturating_sub(1);
        self.usage.add_tokens(&usage);
        if usage.input_tokens + usage.output_tokens > 0 || usage.cost_usd > 0.0 {
            let own = self.usage_by_seat.entry(seat.clone()).or_default();
            own.calls += usage.calls.max(1);
            own.add_tokens(&usage);
        }
    }

    pub(crate) fn doubt(&mut self, seat: &str, what: impl Into<String>) {
        self.doubts.push(Doubt { seat: SeatId::from(seat), what: what.into() });
    }

    pub(crate) fn response(&mut self, seat: &str) -> Option<&mut Slot<Response>> {
        self.responses.iter_mut().find(|(id, _)| &**id == seat).map(|(_, slot)| slot)
    }

    /// The briefs for facilitator's calls of this kind.
    pub(crate) fn facilitator_brief<T>(&self, kind: CallKind, slot: &Slot<T>) -> Option<Brief> {
        brief(self.number, kind, FACILITATOR.into(), slot, Arc::default())
    }

    /// The briefs for the seats that have not answered, in seat order.
    pub(crate) fn seat_briefs(&self, ballot: &Arc<[PointId]>) -> impl Iterator<Item = Brief> {
        self.responses
            .iter()
            .filter_map(|(seat, slot)| brief(self.number, CallKind::Response, seat.clone(), slot, ballot.clone()))
    }

    /// Whether seats were asked and every one of them failed (L5).
    pub(crate) fn all_lost(&self) -> bool {
        !self.responses.is_empty() && self.responses.iter().all(|(_, slot)| matches!(slot, Slot::Lost(_)))
    }

    /// Forgets that seats failed, where every one did: a resumed session asks them again (L5). Where
    /// the round can still go on, a failure stands, or a crash would change the minutes.
    pub(crate) fn ask_again(&mut self) {
        if self.all_lost() {
            self.responses.iter_mut().for_each(|(_, slot)| *slot = Slot::default());
        }
    }

    /// The same, and the question with them where nobody gave one: what kept the seats from answering kept
    /// the facilitator from asking, and a question of its own is better than the fallback.
    pub(crate) fn start_again(&mut self) {
        if self.all_lost() && self.degraded.contains(&Degraded::Question) {
            self.degraded.retain(|part| *part != Degraded::Question);
            self.posed = Slot::default();
            self.responses.clear();
        }
        self.ask_again();
    }
}

fn brief<T>(round: u32, kind: CallKind, seat: SeatId, slot: &Slot<T>, ballot: Arc<[PointId]>) -> Option<Brief> {
    let Slot::Missing { attempt, reason } = slot else { return None };
    let call = CallId { round, kind, seat, attempt: *attempt };
    Some(Brief { call, retry_reason: reason.clone(), ballot })
}
