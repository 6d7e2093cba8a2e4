//! The session: everything that has happened, folded, and the one function that says what is next.
//! Given an opening, then events; hands on steps. Resuming and running are the same path: the minutes
//! and the tape are folded into the same state that a run without a crash would have.
//! Deliberately absent: how calls are made, what prompts say, where anything is kept; and what
//! follows from a commit or a ruling, which is in `course.rs`.

use crate::closing::{self, Closed};
use crate::decide::{Situation, decide};
use crate::event::Event;
use crate::ledger::Ledger;
use crate::open_round::{OpenRound, Slot};
use crate::opening::{Opening, Seat, SeatId};
use crate::outcome::outcome;
use crate::record::{Decision, Escalation, Intervention, Outcome, Round, RoundKind, SeatResponse};
use crate::reply::{Action, Response};
use crate::step::{Brief, CallId, CallKind, PauseCause, Step};
use crate::strategy::{Participation, Phase};
use crate::triggers;

/// An event that does not fit the session it was given to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{event} does not fit: {state}")]
pub struct Misfit {
    /// What was told.
    pub event: String,
    /// What the session was waiting for.
    pub state: String,
}

/// A folded session. Two that know the same are equal, however they came to know it.
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    pub(crate) opening: Opening,
    pub(crate) ledger: Ledger,
    pub(crate) rounds: Vec<Round>,
    pub(crate) answers: Vec<Option<Vec<SeatResponse>>>,
    pub(crate) escalations: Vec<Escalation>,
    pub(crate) interventions: Vec<Intervention>,
    pub(crate) context_changes: Vec<ContextChange>,
    pub(crate) open: OpenRound,
    pub(crate) ready: Option<Ready>,
    pub(crate) skipped: bool,
    pub(crate) ending: Option<Decision>,
    pub(crate) outcome: Option<Outcome>,
}

/// A change of the context by a ruling (E8).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextChange {
    /// The round after which it holds.
    pub round: u32,
    /// What holds from then on.
    pub text: String,
}

/// A round that is finished and waits for its commit.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ready {
    pub(crate) round: Round,
    pub(crate) escalation: Option<Escalation>,
    pub(crate) answers: Vec<SeatResponse>,
}

/// What a session's record holds; the other half of `Session::fold`.
#[derive(Debug, Clone, Default)]
pub struct Past {
    /// Committed rounds.
    pub rounds: Vec<Round>,
    /// Escalations, the last one perhaps pending.
    pub escalations: Vec<Escalation>,
    /// What people did between rounds.
    pub interventions: Vec<Intervention>,
    /// The phase named by the file; used where the last round has no decision (legacy files).
    pub current_phase: Option<String>,
    /// How it ended, if it has.
    pub outcome: Option<Outcome>,
}

impl Session {
    /// A session in which nothing has happened yet. A strategy without phases, which no file can
    /// hold, is one plain discussion.
    pub fn open(mut opening: Opening) -> Self {
        if opening.settings.method.phases.is_empty() {
            opening.settings.method.phases.push(Phase::discussion());
        }
        let ledger = Ledger::new(&opening);
        let mut session = Self {
            opening,
            ledger,
            rounds: Vec::new(),
            answers: Vec::new(),
            escalations: Vec::new(),
            interventions: Vec::new(),
            context_changes: Vec::new(),
            open: OpenRound::default(),
            ready: None,
            skipped: false,
            ending: None,
            outcome: None,
        };
        session.open_next(RoundKind::Discussion, None);
        session
    }

    /// Takes an event into the session.
    pub fn apply(&mut self, event: Event) -> Result<(), Misfit> {
        match event {
            Event::Asked { call, at } => {
                // All were lost, and one is asked again: the tape of a session that was resumed (L5).
                if call.round == self.open.number {
                    match call.kind {
                        CallKind::Response => self.open.ask_again(),
                        CallKind::Question => self.open.start_again(),
                        CallKind::Sides | CallKind::Synthesis | CallKind::Followup => {}
                    }
                }
                self.expect_call(&call)?;
                self.open.note(at);
                // A person who is asked costs nothing (H1).
                self.open.usage.calls += u32::from(!self.is_human(&call.seat));
            }
            Event::Answered { call, at, answer, doubts, stand_in, usage } => {
                self.expect_call(&call)?;
                if answer.kind() != call.kind {
                    return Err(Misfit { event: call.to_string(), state: format!("a {} came", answer.kind()) });
                }
                self.open.note(at);
                self.open.spend(&call.seat, usage);
                for doubt in doubts {
                    self.open.doubt(&call.seat, doubt);
                }
                match stand_in {
                    Some(stand_in) => self.open.stand_ins.insert(call.seat.clone(), stand_in),
                    None => self.open.stand_ins.remove(&call.seat),
                };
                self.take_answer(&call, answer);
            }
            Event::Refused { call, at, reason, usage } => {
                self.expect_call(&call)?;
                self.open.note(at);
                self.open.spend(&call.seat, usage);
                self.refuse(&call, reason);
            }
            Event::Failed { call, at, error, usage } => {
                self.expect_call(&call)?;
                self.open.note(at);
                self.open.spend(&call.seat, usage);
                self.lose(&call, error);
            }
            Event::Committed => self.committed()?,
            Event::Ruled(ruling) => self.ruled(*ruling)?,
            Event::Intervened(intervention) => self.intervene(intervention),
            Event::Finished(outcome) => self.outcome = Some(*outcome),
        }
        self.close_round_if_complete();
        Ok(())
    }

    /// Whether this very attempt is awaited now. The order of a round is the engine's, not the driver's:
    /// no answer before the question, no synthesis before the answers, and in turn where seats speak so.
    fn expect_call(&self, call: &CallId) -> Result<(), Misfit> {
        let misfit = |state: String| Err(Misfit { event: call.to_string(), state });
        if call.round != self.open.number || self.ready.is_some() {
            return misfit(format!("round {} is under way", self.open.number));
        }
        match self.awaited(call) {
            Some(attempt) if attempt == call.attempt => Ok(()),
            Some(attempt) => misfit(format!("attempt {attempt} is awaited")),
            None => misfit("this call is not awaited".to_owned()),
        }
    }

    fn awaited(&self, call: &CallId) -> Option<u32> {
        let open = &self.open;
        match call.kind {
            CallKind::Sides => open.sides.attempt(),
            CallKind::Question => open.sides.value().and(open.posed.attempt()),
            CallKind::Response => {
                let in_turn = self.opening.settings.method.participation == Participation::Sequential;
                let mut missing = open.responses.iter().filter(|(_, slot)| slot.attempt().is_some());
                let slot = if in_turn { missing.next() } else { missing.find(|(seat, _)| *seat == call.seat) };
                slot.filter(|(seat, _)| *seat == call.seat)?.1.attempt()
            }
            CallKind::Followup => None,
            CallKind::Synthesis => (self.all_heard() && !open.all_lost()).then(|| open.synthesis.attempt())?,
        }
    }

    fn all_heard(&self) -> bool {
        self.open.posed.value().is_some() && self.open.responses.iter().all(|(_, slot)| slot.attempt().is_none())
    }

    /// Once every reply is in: counts, checks, decides, and holds the round ready for its commit.
    fn close_round_if_complete(&mut self) {
        let waits = self.ready.is_some() || self.is_over() || self.pending().is_some();
        if waits || !self.all_heard() || self.open.all_lost() {
            return;
        }
        if self.open.kind == RoundKind::Discussion && self.open.synthesis.value().is_none() {
            return;
        }
        let answers = answers_in(&self.opening, &self.open);
        let phase = &self.opening.settings.method.phases[self.ledger.phase];
        let Closed { mut round, answers: heard } =
            closing::close(&self.opening, &self.ledger, phase, &self.open, &answers);
        self.ledger.absorb(&self.opening, &round);
        let causes = triggers::fired(&self.opening, &self.ledger, &round, &answers);
        let situation = Situation { opening: &self.opening, ledger: &self.ledger, round: &round, causes: &causes };
        let verdict = decide(&situation);
        let escalation = (verdict.taken == Action::Escalate)
            .then(|| triggers::escalation(&self.ledger, &round, &answers, causes, self.escalations.len() + 1));
        round.decision.taken = verdict.taken;
        round.decision.because = verdict.because;
        if verdict.target.is_some() {
            round.decision.next_focus = verdict.target;
        }
        self.ready = Some(Ready { round, escalation, answers: heard });
    }

    pub(crate) fn is_over(&self) -> bool {
        self.ending.is_some() || self.outcome.is_some()
    }
}

/// The answers of the round under way, for every seat at the table.
pub(crate) fn answers_in<'a>(opening: &'a Opening, open: &'a OpenRound) -> Vec<(&'a Seat, Option<&'a Response>)> {
    let response = |id: &SeatId| open.responses.iter().find(|(seat, _)| seat == id)?.1.value();
    opening.seats.iter().map(|seat| (seat, response(&seat.id))).collect()
}

/// What happens next. Pure: the same session always gives the same step.
pub fn next_step(session: &Session) -> Step<'_> {
    if session.outcome.is_some() {
        return Step::Rest;
    }
    if let Some(ready) = &session.ready {
        return Step::Commit { round: &ready.round, escalation: ready.escalation.as_ref() };
    }
    if let Some(ending) = &session.ending {
        return Step::Finish(Box::new(outcome(session, ending)));
    }
    if let Some(pending) = session.pending() {
        return Step::Escalate(pending);
    }
    let open = &session.open;
    if let Some(brief) = open.facilitator_brief(CallKind::Sides, &open.sides) {
        return Step::Ask(vec![brief]);
    }
    if let Some(brief) = open.facilitator_brief(CallKind::Question, &open.posed) {
        return Step::Ask(vec![brief]);
    }
    let ballot = open.posed.value().map(|posed| posed.ballot.clone()).unwrap_or_default();
    let missing: Vec<Brief> = match session.opening.settings.method.participation {
        Participation::Parallel => open.seat_briefs(&ballot).collect(),
        Participation::Sequential => open.seat_briefs(&ballot).take(1).collect(),
    };
    if !missing.is_empty() {
        return Step::Ask(missing);
    }
    if open.all_lost() {
        let error = |slot: &Slot<Response>| match slot {
            Slot::Lost(error) => error.clone(),
            _ => String::new(),
        };
        let errors = open.responses.iter().map(|(seat, slot)| (seat.clone(), error(slot))).collect();
        return Step::Pause(PauseCause::NobodyAnswered(errors));
    }
    Step::Ask(open.facilitator_brief(CallKind::Synthesis, &open.synthesis).into_iter().collect())
}
