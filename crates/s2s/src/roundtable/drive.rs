//! The loop: carries out each step and tells the session what happened.
//! Given a kept session and its surroundings; hands on how the run ended. Running and resuming are
//! this one function. A write that fails stops the run, and nothing goes on after it (L6).

use std::collections::VecDeque;
use std::sync::Arc;

use s2s_engine::event::Event;
use s2s_engine::opening::SeatId;
use s2s_engine::record::{Escalation, Intervention, InterventionKind, Outcome, Round, RuledBy, Ruling, RulingChoice};
use s2s_engine::reply::Action;
use s2s_engine::step::{PauseCause, Step};
use s2s_engine::{Session, next_step};
use s2s_store::{ContextChange, Keeper, Minutes, Status};
use tracing::Instrument;

use super::ask::Asking;
use super::between::Reviewed;
use super::chair::{Chair, Deciding, Word};
use super::clock::{Clock, Interrupt};
use super::ledger::{Budgets, Ledger, Spent};
use super::notice::{Audience, ConflictShown, Notice, TopicShown};
use super::recall::recall;
use super::spans::{self, RoundSpan};
use crate::failure::Failure;
use crate::panel::Panel;
use crate::prompts::{Charter, Systems};

/// A session that can be run.
pub struct Roundtable<K: Keeper> {
    pub(super) keeper: K,
    pub(super) session: Session,
    pub(super) charter: Charter,
    pub(super) panel: Arc<dyn Panel>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) ledger: Arc<Ledger>,
    pub(super) systems: Systems,
    /// Words of people that came with the command; carried out between rounds.
    pub(super) words: VecDeque<Word>,
    /// Whether this run asks after each round although the session was begun without it.
    pub(super) joined: bool,
    shown_sides: bool,
    shown_round: u32,
    shown_question: u32,
}

/// Everything around a run.
pub struct Surroundings<'a> {
    /// Watches.
    pub audience: &'a mut dyn Audience,
    /// Decides for people.
    pub chair: &'a mut dyn Chair,
    /// Writes the documents.
    pub scribe: &'a dyn Scribe,
    /// Stops the run.
    pub interrupt: Interrupt,
}

impl Surroundings<'_> {
    pub(super) fn tell(&mut self, notice: Notice) {
        self.audience.notice(&notice);
    }
}

/// Writes the documents of a finished session.
pub trait Scribe {
    /// Writes them and gives their paths, the main one first. Called again after a crash, it must
    /// find what it wrote before instead of writing it twice.
    fn write(&self, session: &Session, minutes: &Minutes, outcome: &Outcome) -> Result<Vec<String>, Failure>;
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Ended {
    /// The session is complete.
    Completed(Box<Outcome>),
    /// The session waits.
    Paused(Paused),
}

/// What a paused session waits for.
#[derive(Debug, Clone, PartialEq)]
pub enum Paused {
    /// A ruling on this escalation.
    ForRuling(Box<Escalation>),
    /// The answers of these people.
    ForPeople(Vec<SeatId>),
    /// An answer: no asked seat gave one.
    NobodyAnswered(Vec<(SeatId, String)>),
    /// More budget: what there is does not reach for a first round.
    OverBudget(String),
    /// The person who paused it.
    ByPerson,
    /// Whoever interrupted it.
    Interrupted,
}

impl<K: Keeper> Roundtable<K> {
    /// A session ready to run, new or recalled.
    pub fn new(keeper: K, session: Session, charter: Charter, panel: Arc<dyn Panel>, clock: Arc<dyn Clock>) -> Self {
        let budgets = Budgets::from(&session.opening().settings.limits);
        let ledger = Arc::new(Ledger::new(budgets, &[]));
        Self {
            keeper,
            session,
            charter,
            panel,
            clock,
            ledger,
            systems: Systems::default(),
            words: VecDeque::new(),
            joined: false,
            shown_sides: false,
            shown_round: 0,
            shown_question: 0,
        }
    }

    /// Under these budgets instead of those it started with; what was spent so far counts.
    pub fn set_budgets(&mut self, budgets: Budgets) -> Result<(), Failure> {
        self.ledger = Arc::new(Ledger::new(budgets, &self.keeper.tape()?.lines));
        Ok(())
    }

    /// Whether to ask after each round of this run, also where the session was begun without it.
    pub fn join(&mut self, joins: bool) {
        self.joined = joins;
    }

    /// What the session has spent, over all its runs.
    pub fn spent(&self) -> Spent {
        self.ledger.spent()
    }

    /// A new session: its charter goes onto the tape, and nothing has happened yet.
    pub fn begin(
        mut keeper: K,
        charter: Charter,
        panel: Arc<dyn Panel>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, Failure> {
        let session = Session::open(keeper.minutes().opening()?);
        keeper.append(vec![charter.entry(clock.now())], false)?;
        Ok(Self::new(keeper, session, charter, panel, clock))
    }

    /// A kept session, taken up where its record ends. The charter on the tape holds (S7); the one
    /// given is for sessions without a tape. Tells how many answers need not be asked for again.
    pub fn take_up(
        mut keeper: K,
        charter: Charter,
        panel: Arc<dyn Panel>,
        clock: Arc<dyn Clock>,
    ) -> Result<(Self, usize), Failure> {
        let tape = keeper.tape()?.lines;
        let recalled = recall(keeper.minutes(), &tape)?;
        let charter = match Charter::on_tape(&tape) {
            Some(kept) => kept,
            None => {
                keeper.append(vec![charter.entry(clock.now())], false)?;
                charter
            }
        };
        let mut roundtable = Self::new(keeper, recalled.session, charter, panel, clock);
        let budgets = Budgets::from(&roundtable.session.opening().settings.limits);
        roundtable.ledger = Arc::new(Ledger::new(budgets, &tape));
        Ok((roundtable, recalled.answers_kept))
    }

    /// The session as it stands.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The keeper, for what it holds.
    pub fn keeper(&self) -> &K {
        &self.keeper
    }

    /// Gives the keeper back.
    pub fn into_keeper(self) -> K {
        self.keeper
    }

    /// Runs until the session ends or waits.
    pub async fn run(&mut self, around: &mut Surroundings<'_>) -> Result<Ended, Failure> {
        let span = spans::session(&self.session);
        let ended = self.take_steps(around).instrument(span.clone()).await;
        spans::session_ended(&span, &ended, &self.session, &self.ledger.spent());
        ended
    }

    async fn take_steps(&mut self, around: &mut Surroundings<'_>) -> Result<Ended, Failure> {
        self.wake()?;
        if let Some(ended) = self.carry_out_words(around).await? {
            return Ok(ended);
        }
        let mut round_span = RoundSpan::default();
        loop {
            if around.interrupt.is_requested() {
                return self.pause(Paused::Interrupted, around);
            }
            let step = next_step(&self.session);
            let span = round_span.of(&self.session, &step);
            match step {
                Step::Ask(briefs) => {
                    self.show_progress(around);
                    match self.ask(briefs, around).instrument(span).await? {
                        Asking::Done => {}
                        Asking::Interrupted => return self.pause(Paused::Interrupted, around),
                        Asking::Waiting(people) => return self.wait_for(people, around),
                        Asking::OverBudget(text) => {
                            if let Some(ended) = self.stop_spending(text, around)? {
                                return Ok(ended);
                            }
                        }
                    }
                }
                Step::Commit { round, escalation } => {
                    let (round, escalation) = (round.clone(), escalation.cloned());
                    self.show_progress(around);
                    self.commit(&round, escalation)?;
                    self.show_round(round, around);
                    if let Some(ended) = self.hear_people(around).await? {
                        return Ok(ended);
                    }
                }
                Step::Escalate(escalation) => {
                    let escalation = Box::new(escalation.clone());
                    spans::escalated(&escalation.id);
                    around.tell(Notice::EscalationRaised { escalation: escalation.clone() });
                    let deciding = around.chair.rule(&self.session, &escalation);
                    match unless_stopped(deciding, &mut around.interrupt).await {
                        Some(Some(ruling)) => self.settle(ruling, &escalation.id, around)?,
                        Some(None) => return self.pause(Paused::ForRuling(escalation), around),
                        None => return self.pause(Paused::Interrupted, around),
                    }
                }
                Step::Pause(PauseCause::NobodyAnswered(errors)) => match self.ledger.refusal() {
                    None => return self.pause(Paused::NobodyAnswered(errors), around),
                    Some(text) => {
                        if let Some(ended) = self.stop_spending(text, around)? {
                            return Ok(ended);
                        }
                    }
                },
                Step::Finish(outcome) => match self.review(around).await? {
                    Reviewed::Finish => return self.finish(*outcome, around),
                    Reviewed::GoOn => {}
                    Reviewed::Stop(ended) => return Ok(ended),
                },
                Step::Rest => {
                    let outcome = self.keeper.minutes().outcome().cloned();
                    let missing = || Failure::failed("the session has ended without an outcome");
                    return outcome.map(|outcome| Ended::Completed(Box::new(outcome))).ok_or_else(missing);
                }
            }
        }
    }

    /// Notes that a paused session goes on.
    fn wake(&mut self) -> Result<(), Failure> {
        if self.keeper.minutes().status() != Status::Paused {
            return Ok(());
        }
        let mut minutes = self.keeper.minutes().clone();
        let resumed = self.intervention(InterventionKind::Resume, None);
        minutes.set_status(Status::Active, resumed.at);
        minutes.push_intervention(resumed.clone())?;
        self.keeper.save(minutes)?;
        self.session.apply(Event::Intervened(resumed))?;
        Ok(())
    }

    pub(super) fn intervention(&self, kind: InterventionKind, by: Option<&str>) -> Intervention {
        let after_round = self.session.rounds().len() as u32;
        Intervention { at: self.clock.now(), after_round, kind, text: None, by: by.map(str::to_owned), rounds: None }
    }

    /// Shows the sides once they are known, a round's head once, and its question once it is posed.
    fn show_progress(&mut self, around: &mut Surroundings<'_>) {
        if let Some(sides) = self.session.opening().sides.as_ref().filter(|_| !self.shown_sides) {
            self.shown_sides = true;
            let names = |seats: &[SeatId]| seats.iter().map(ToString::to_string).collect();
            let (pro, con) = (names(&sides.pro), names(&sides.con));
            around.tell(Notice::SidesTaken { proposal: sides.proposal.clone(), pro, con });
        }
        let number = self.session.round_number();
        if self.shown_round < number {
            self.shown_round = number;
            around.tell(Notice::RoundStarted {
                round: number,
                max_rounds: self.session.opening().settings.limits.max_rounds,
                phase: self.session.phase().name.clone(),
                kind: self.session.round_kind(),
                agenda: TopicShown::all(&self.session),
            });
        }
        if let Some(question) = self.session.question()
            && self.shown_question < number
        {
            self.shown_question = number;
            around.tell(Notice::QuestionPosed {
                round: number,
                question: question.question.clone(),
                focus: question.focus.clone(),
                asked: self.session.asked().iter().map(ToString::to_string).collect(),
                probing: self.session.is_probing(),
            });
        }
    }

    /// One atomic write per round, with its decision and its escalation (L1, L6).
    fn commit(&mut self, round: &Round, escalation: Option<Escalation>) -> Result<(), Failure> {
        let mut minutes = self.keeper.minutes().clone();
        if let Some(sides) = &self.session.opening().sides
            && minutes.sides() != Some(sides)
        {
            minutes.set_sides(sides.clone())?;
        }
        minutes.push_round(round.clone())?;
        if let Some(escalation) = escalation {
            minutes.push_escalation(escalation)?;
        }
        minutes.set_phase(&self.phase_after(round.decision.taken));
        self.keeper.save(minutes)?;
        self.session.apply(Event::Committed)?;
        Ok(())
    }

    fn phase_after(&self, taken: Action) -> String {
        let phases = &self.session.opening().settings.method.phases;
        let next = self.session.phase_index() + usize::from(taken == Action::Phase);
        phases[next.min(phases.len() - 1)].name.clone()
    }

    fn show_round(&self, round: Round, around: &mut Surroundings<'_>) {
        around.tell(Notice::RoundCommitted {
            round: Box::new(round),
            open_conflicts: self.session.open_conflicts().map(ConflictShown::from).collect(),
            agenda: TopicShown::all(&self.session),
        });
    }

    /// Puts what was done between rounds into the minutes, then into the session.
    pub(super) fn intervene(&mut self, done: Intervention) -> Result<(), Failure> {
        let mut minutes = self.keeper.minutes().clone();
        minutes.push_intervention(done.clone())?;
        self.keeper.save(minutes)?;
        self.session.apply(Event::Intervened(done))?;
        Ok(())
    }

    /// Skips to the end (D1); an escalation that waits is settled so that the discussion is not longer.
    pub(super) fn skip(&mut self, around: &mut Surroundings<'_>) -> Result<(), Failure> {
        let skip = self.intervention(InterventionKind::Skip, Some("person"));
        if let Some(pending) = self.session.pending() {
            let id = pending.id.clone();
            let choice = pending.options.iter().copied().find(|choice| *choice == RulingChoice::Continue);
            let ruling = Ruling {
                choice: choice.unwrap_or(RulingChoice::KeepContext),
                text: Some("Skipped to the end".to_owned()),
                rounds: Some(0),
                by: RuledBy::Person,
                name: None,
                at: Some(skip.at),
                then: None,
            };
            self.settle(ruling, &id, around)?;
        }
        self.intervene(skip)
    }

    /// Puts a ruling into the minutes, with what the engine then took (D8, E10).
    fn settle(&mut self, mut ruling: Ruling, id: &str, around: &mut Surroundings<'_>) -> Result<(), Failure> {
        ruling.at = Some(self.clock.now());
        let changes_before = self.session.context_changes().len();
        self.session.apply(Event::Ruled(Box::new(ruling)))?;
        let settled = self.session.escalations().last().and_then(|escalation| escalation.ruling.clone());
        let Some(ruling) = settled else {
            return Err(Failure::failed("the ruling did not settle the escalation"));
        };
        let mut minutes = self.keeper.minutes().clone();
        minutes.set_ruling(ruling.clone())?;
        for change in &self.session.context_changes()[changes_before..] {
            let by = if ruling.by == RuledBy::Person { "person" } else { "policy" };
            let change = ContextChange { round: change.round, text: change.text.clone(), by: by.to_owned() };
            minutes.push_context_change(change)?;
        }
        minutes.set_phase(&self.session.phase().name);
        self.keeper.save(minutes)?;
        around.tell(Notice::EscalationSettled { id: id.to_owned(), ruling });
        Ok(())
    }

    /// D2: with a round committed the session concludes with what it has; else it waits for more.
    fn stop_spending(&mut self, text: String, around: &mut Surroundings<'_>) -> Result<Option<Ended>, Failure> {
        if self.session.rounds().is_empty() {
            return self.pause(Paused::OverBudget(text), around).map(Some);
        }
        around.tell(Notice::Warned { text: format!("{text}. The session concludes with what it has.") });
        let stop = Intervention { text: Some(text), ..self.intervention(InterventionKind::Budget, Some("budget")) };
        self.intervene(stop)?;
        Ok(None)
    }

    pub(super) fn pause(&mut self, paused: Paused, around: &mut Surroundings<'_>) -> Result<Ended, Failure> {
        self.leave_words_unsaid(around);
        let mut minutes = self.keeper.minutes().clone();
        let by = match &paused {
            Paused::ByPerson => Some("person"),
            Paused::Interrupted => Some(around.interrupt.by()),
            Paused::OverBudget(_) => Some("budget"),
            Paused::ForRuling(_) | Paused::ForPeople(_) | Paused::NobodyAnswered(_) => None,
        };
        let intervention = self.intervention(InterventionKind::Pause, by);
        minutes.set_status(Status::Paused, intervention.at);
        minutes.push_intervention(intervention.clone())?;
        self.keeper.save(minutes)?;
        self.session.apply(Event::Intervened(intervention))?;
        let session = self.session.opening().id.clone();
        around.tell(Notice::SessionPaused { session, reason: paused.to_string() });
        Ok(Ended::Paused(paused))
    }

    fn finish(&mut self, mut outcome: Outcome, around: &mut Surroundings<'_>) -> Result<Ended, Failure> {
        self.keep_matrices()?;
        outcome.files = around.scribe.write(&self.session, self.keeper.minutes(), &outcome)?;
        outcome.file = outcome.files.first().cloned();
        let mut minutes = self.keeper.minutes().clone();
        minutes.set_outcome(outcome.clone())?;
        minutes.set_status(Status::Completed, self.clock.now());
        self.keeper.save(minutes)?;
        self.session.apply(Event::Finished(Box::new(outcome.clone())))?;
        around.tell(Notice::SessionCompleted {
            session: self.session.opening().id.clone(),
            outcome: outcome.clone(),
            total_rounds: self.session.rounds().len(),
        });
        Ok(Ended::Completed(Box::new(outcome)))
    }
}

/// What a person decides; none if the run must stop first. A decision that is there already holds.
pub(super) async fn unless_stopped<T>(deciding: Deciding<'_, T>, interrupt: &mut Interrupt) -> Option<T> {
    tokio::select! {
        biased;
        decided = deciding => Some(decided),
        () = interrupt.requested() => None,
    }
}

impl std::fmt::Display for Paused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::ForRuling(escalation) => write!(f, "a person must decide {}", escalation.id),
            Self::ForPeople(people) => {
                let have = if people.len() == 1 { "has" } else { "have" };
                write!(f, "{} {have} not answered yet", people.join(", "))
            }
            Self::NobodyAnswered(errors) => {
                f.write_str("no seat answered: ")?;
                let mut by_error: Vec<(&str, Vec<&str>)> = Vec::new();
                for (seat, error) in errors {
                    match by_error.iter_mut().find(|(other, _)| *other == error) {
                        Some((_, seats)) => seats.push(seat),
                        None => by_error.push((error, vec![seat])),
                    }
                }
                let told: Vec<String> =
                    by_error.iter().map(|(error, seats)| format!("{} ({error})", seats.join(", "))).collect();
                f.write_str(&told.join("; "))
            }
            Self::OverBudget(text) => f.write_str(text),
            Self::ByPerson => f.write_str("a person paused it"),
            Self::Interrupted => f.write_str("it was interrupted"),
        }
    }
}
