//! What happens next: the list of everything the engine can ask of the world.
//! Made by `next_step`; carried out by a driver. Together with `event.rs` it explains the product.

use std::fmt;
use std::sync::Arc;

use crate::opening::SeatId;
use crate::record::{Escalation, Outcome, Round};
use crate::reply::PointId;

/// The next thing to do. Imperative: nothing of it has happened yet.
#[derive(Debug, Clone, PartialEq)]
pub enum Step<'s> {
    /// Make these calls, all at once; each reply goes onto the tape before it is used.
    Ask(Vec<Brief>),
    /// Put this round into the minutes, with the escalation it raised, in one write.
    Commit {
        /// The finished round with its decision.
        round: &'s Round,
        /// The question to a person that goes with it, still without a ruling.
        escalation: Option<&'s Escalation>,
    },
    /// Put this question to a person or a policy, or pause with it.
    Escalate(&'s Escalation),
    /// Stop here without a commit; nothing is lost (L5).
    Pause(PauseCause),
    /// Write the documents and close the session.
    Finish(Box<Outcome>),
    /// The session has ended; there is nothing to do.
    Rest,
}

/// Why a session stops in the middle of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PauseCause {
    /// No asked seat gave an answer; the last error of each.
    NobodyAnswered(Vec<(SeatId, String)>),
}

/// One call to make. Small on purpose: the prompt is rendered from the session and this.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brief {
    /// Which call.
    pub call: CallId,
    /// Why the reply before this attempt was refused (L4).
    pub retry_reason: Option<String>,
    /// The points to vote on (V1); only in a response.
    pub ballot: Arc<[PointId]>,
}

/// The name of a call: `r2.response.qa-lead.1`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallId {
    /// Number of the round it belongs to.
    pub round: u32,
    /// What is asked for.
    pub kind: CallKind,
    /// Who is asked.
    pub seat: SeatId,
    /// 1, or 2 after a refusal.
    pub attempt: u32,
}

/// What a call asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CallKind {
    /// The sides of a debate, from the facilitator.
    Sides,
    /// The round's question, from the facilitator.
    Question,
    /// An answer, from a seat.
    Response,
    /// The summing up, from the facilitator.
    Synthesis,
    /// What a person asks one seat after a round; on the tape alone, never part of a round (L9).
    Followup,
}

crate::opening::names!(CallKind { Sides => "sides", Question => "question", Response => "response", Synthesis => "synthesis", Followup => "followup" });

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}.{}.{}.{}", self.round, self.kind, self.seat, self.attempt)
    }
}

impl std::str::FromStr for CallId {
    type Err = ();
    fn from_str(s: &str) -> Result<Self, ()> {
        let (head, attempt) = s.rsplit_once('.').ok_or(())?;
        let mut parts = head.splitn(3, '.');
        let mut next = || parts.next().ok_or(());
        let round = next()?.strip_prefix('r').ok_or(())?.parse().map_err(drop)?;
        let kind = next()?.parse()?;
        let seat = SeatId::from(next()?);
        Ok(Self { round, kind, seat, attempt: attempt.parse().map_err(drop)? })
    }
}
