//! The session: everything that has happened, folded, and the one function that says what is next.
//! Given an opening, then events; hands on steps. Resuming and running are the same path: the minutes
//! and the tape are folded into the same state that a run without a crash would have.
//! Deliberately absent: how calls are made, what prompts say, where anything is kept.

use crate::closing::{self, Closed};
use crate::decide::{Situation, decide, unused_probe};
use crate::event::Event;
use crate::ledger::Ledger;
use crate::open_round::{OpenRound, Slot};
use crate::opening::{Opening, Seat, SeatId};
use crate::outcome::outcome;
use crate::record::{
    Because, Decision, Escalation, Intervention, InterventionKind, Outcome, Round, RoundKind, Ruling, RulingChoice,
    SeatResponse,
};
use crate::reply::{Action, Question, Response};
use crate::step::{Brief, CallId, CallKind, PauseCause, Step};
use crate::strategy::Participation;
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

/// A folded session.
#[derive(Debug, Clone)]
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
#[derive(Debug, Clone)]
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
    /// A session in which nothing has happened yet.
    pub fn open(opening: Opening) -> Self {
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
            ending: None,
            outcome: None,
        };
        session.open_next(RoundKind::Discussion, None);
        session
    }

    /// The session that this record tells of (S4).
    pub fn fold(opening: Opening, past: Past) -> Self {
        let mut session = Self::open(opening);
        let mut escalations = past.escalations.into_iter().peekable();
        let mut interventions = past.interventions.into_iter().peekable();
        let legacy_phase = past.current_phase.and_then(|name| session.opening.settings.method.phase_index(&name));
        for round in past.rounds {
            let number = round.number;
            session.ledger.absorb(&session.opening, &round);
            let mut decision = round.decision.clone();
            session.answers.push(round.responses.clone());
            session.rounds.push(round);
            if let Some(escalation) = escalations.next_if(|escalation| escalation.round <= number) {
                if let Some(ruling) = escalation.ruling.clone() {
                    decision = session.take_ruling(&escalation, &ruling);
                }
                session.escalations.push(escalation);
            }
            session.carry_out(&decision);
            while let Some(intervention) = interventions.next_if(|intervention| intervention.after_round <= number) {
                session.intervene(intervention);
            }
        }
        interventions.for_each(|intervention| session.intervene(intervention));
        let undecided = session.rounds.last().is_some_and(|round| round.decision.because.is_empty());
        if let (true, Some(phase)) = (undecided, legacy_phase) {
            session.enter_phase(phase);
        }
        session.outcome = past.outcome;
        session
    }

    /// Gives back the answers of a committed round that the minutes do not hold.
    pub fn remember(&mut self, round: u32, answers: Vec<SeatResponse>) {
        let index = round.saturating_sub(1) as usize;
        if let Some(slot) = self.answers.get_mut(index) {
            slot.get_or_insert(answers);
        }
    }

    /// Takes an event into the session.
    pub fn apply(&mut self, event: Event) -> Result<(), Misfit> {
        match event {
            Event::Asked { call, at } => {
                self.expect_round(&call)?;
                self.open.note(at);
                self.open.usage.calls += 1;
                if let Some(slot @ Slot::Lost(_)) = self.open.response(&call.seat)
                    && call.kind == CallKind::Response
                {
                    *slot = Slot::Missing { attempt: call.attempt, reason: None };
                }
            }
            Event::Answered { call, at, answer, doubts, usage } => {
                self.expect_call(&call)?;
                self.open.note(at);
                self.open.spend(usage);
                for doubt in doubts {
                    self.open.doubt(&call.seat, doubt);
                }
                self.take_answer(&call, answer)?;
            }
            Event::Refused { call, at, reason, usage } => {
                self.expect_call(&call)?;
                self.open.note(at);
                self.open.spend(usage);
                self.open.doubt(&call.seat, format!("reply {} refused: {reason}", call.attempt));
                self.refuse(&call, reason);
            }
            Event::Failed { call, at, error } => {
                self.expect_call(&call)?;
                self.open.note(at);
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

    fn expect_round(&self, call: &CallId) -> Result<(), Misfit> {
        if call.round == self.open.number && self.ready.is_none() {
            return Ok(());
        }
        Err(Misfit { event: call.to_string(), state: format!("round {} is under way", self.open.number) })
    }

    fn expect_call(&self, call: &CallId) -> Result<(), Misfit> {
        self.expect_round(call)?;
        let attempt = match call.kind {
            CallKind::Sides => attempt_of(&self.open.sides),
            CallKind::Question => attempt_of(&self.open.posed),
            CallKind::Synthesis => attempt_of(&self.open.synthesis),
            CallKind::Response => {
                let slot = self.open.responses.iter().find(|(seat, _)| *seat == call.seat);
                slot.and_then(|(_, slot)| attempt_of(slot))
            }
        };
        if attempt == Some(call.attempt) {
            return Ok(());
        }
        let state = match attempt {
            Some(attempt) => format!("attempt {attempt} is awaited"),
            None => "this call is not awaited".to_owned(),
        };
        Err(Misfit { event: call.to_string(), state })
    }

    fn all_heard(&self) -> bool {
        self.open.posed.value().is_some()
            && !self.open.responses.iter().any(|(_, slot)| matches!(slot, Slot::Missing { .. }))
    }

    fn nobody_answered(&self) -> bool {
        !self.open.responses.is_empty() && !self.open.responses.iter().any(|(_, slot)| matches!(slot, Slot::Done(_)))
    }

    /// Once every reply is in: counts, checks, decides, and holds the round ready for its commit.
    fn close_round_if_complete(&mut self) {
        let waits = self.ready.is_some() || self.is_over() || self.pending().is_some();
        if waits || !self.all_heard() || self.nobody_answered() {
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

    fn committed(&mut self) -> Result<(), Misfit> {
        let Some(ready) = self.ready.take() else {
            return Err(Misfit { event: "committed".into(), state: "no round is ready".into() });
        };
        let decision = ready.round.decision.clone();
        self.rounds.push(ready.round);
        self.answers.push(Some(ready.answers));
        self.escalations.extend(ready.escalation);
        self.carry_out(&decision);
        Ok(())
    }

    fn ruled(&mut self, mut ruling: Ruling) -> Result<(), Misfit> {
        let Some(escalation) = self.pending().cloned() else {
            return Err(Misfit { event: "ruling".into(), state: "no escalation is pending".into() });
        };
        if !escalation.options.contains(&ruling.choice) {
            let options: Vec<&str> = escalation.options.iter().map(|choice| choice.as_str()).collect();
            let event = format!("ruling \"{}\"", ruling.choice);
            return Err(Misfit { event, state: format!("{} offers {}", escalation.id, options.join(", ")) });
        }
        ruling.then = None;
        let decision = self.take_ruling(&escalation, &ruling);
        ruling.then = Some(decision.clone());
        if let Some(pending) = self.escalations.last_mut() {
            pending.ruling = Some(ruling);
        }
        self.carry_out(&decision);
        Ok(())
    }

    /// The effects of a ruling, and the decision on the same proposal without the settled causes (D8).
    fn take_ruling(&mut self, escalation: &Escalation, ruling: &Ruling) -> Decision {
        self.ledger.rule(&self.opening, escalation, ruling);
        if ruling.choice == RulingChoice::AcceptContext {
            let challenge = escalation.causes.iter().find(|cause| cause.rule == "E5");
            let text = ruling.text.clone().or_else(|| challenge.map(|cause| cause.text.clone()));
            let change = ContextChange { round: escalation.round, text: text.unwrap_or_default() };
            self.context_changes.push(change);
        }
        if let Some(then) = &ruling.then {
            return then.clone();
        }
        let Some(round) = self.rounds.last() else { return Decision::default() };
        let situation = Situation { opening: &self.opening, ledger: &self.ledger, round, causes: &[] };
        let verdict = decide(&situation);
        let mut decision = Decision { taken: verdict.taken, because: verdict.because, ..round.decision.clone() };
        if verdict.target.is_some() {
            decision.next_focus = verdict.target;
        }
        decision
    }

    fn intervene(&mut self, intervention: Intervention) {
        match intervention.kind {
            InterventionKind::Skip => {
                if let Some(round) = self.rounds.last() {
                    let text = "A person asked to skip to the end".to_owned();
                    let because = vec![Because { rule: "D1".into(), text }];
                    let decision = Decision { taken: Action::Conclude, because, ..round.decision.clone() };
                    self.ending = Some(decision);
                }
            }
            InterventionKind::Resume => self.open.ask_again(),
            InterventionKind::Interjection | InterventionKind::Pause => {}
        }
        self.interventions.push(intervention);
    }

    /// Carries out a decision: the end, or the next round in its phase.
    fn carry_out(&mut self, decision: &Decision) {
        match decision.taken {
            Action::Conclude => self.ending = Some(decision.clone()),
            Action::Escalate => {}
            Action::Phase => self.enter_phase(self.ledger.phase + 1),
            Action::Continue => {
                let rule = |id: &str| decision.because.iter().any(|because| because.rule == id);
                if rule("B6") {
                    self.open_next(RoundKind::Ballot, None);
                } else if rule("B5") {
                    let probe = unused_probe(&self.ledger);
                    self.open_next(RoundKind::Discussion, probe);
                } else {
                    self.open_next(RoundKind::Discussion, None);
                }
            }
        }
    }

    fn enter_phase(&mut self, index: usize) {
        let last = self.opening.settings.method.phases.len() - 1;
        if index != self.ledger.phase {
            self.ledger.phase = index.min(last);
            self.ledger.rounds_in_phase = 0;
        }
        self.open_next(RoundKind::Discussion, None);
    }

    fn open_next(&mut self, kind: RoundKind, probe: Option<&'static str>) {
        let needs_sides = self.opening.settings.method.two_sides && self.opening.sides.is_none();
        self.open = OpenRound {
            number: self.rounds.len() as u32 + 1,
            kind,
            probing: probe.is_some(),
            sides: if needs_sides { Slot::default() } else { Slot::Done(()) },
            ..OpenRound::default()
        };
        let fixed = |question: &str, focus: &str| Question {
            question: question.to_owned(),
            focus: focus.to_owned(),
            ..Question::default()
        };
        match (kind, probe) {
            (RoundKind::Ballot, _) => self.pose(fixed(closing::BALLOT_QUESTION, "Votes")),
            (_, Some(question)) => self.pose(fixed(question, "Testing our assumptions")),
            _ => {}
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.ending.is_some() || self.outcome.is_some()
    }
}

fn attempt_of<T>(slot: &Slot<T>) -> Option<u32> {
    match slot {
        Slot::Missing { attempt, .. } => Some(*attempt),
        _ => None,
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
    if session.nobody_answered() {
        let error = |slot: &Slot<Response>| match slot {
            Slot::Lost(error) => error.clone(),
            _ => String::new(),
        };
        let errors = open.responses.iter().map(|(seat, slot)| (seat.clone(), error(slot))).collect();
        return Step::Pause(PauseCause::NobodyAnswered(errors));
    }
    Step::Ask(open.facilitator_brief(CallKind::Synthesis, &open.synthesis).into_iter().collect())
}
