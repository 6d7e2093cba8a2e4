//! Thousands of bad panels against the engine: facilitators and seats that lie, err, stall, disagree,
//! vote nonsense and name strangers, people who skip and rule at random. Every session must end within
//! its limits, break no rule (`invariants.rs`), and survive a crash after any event unchanged.
//!
//! `S2S_SEEDS=10000 cargo test -p s2s-engine --release --test it lies` plays all of them.

use std::collections::HashMap;

use s2s_engine::event::Event;
use s2s_engine::record::{Intervention, InterventionKind, Round};
use s2s_engine::step::{CallId, PauseCause, Step};
use s2s_engine::{Past, Session, next_step};

use crate::invariants::{check_end, check_round};
use crate::liars::{Dice, Liars, ended_call, tick};

/// How often a round in which nobody answers is tried again before the people give up.
const PATIENCE: u32 = 3;

fn seeds() -> u64 {
    std::env::var("S2S_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(300)
}

/// A run: the session, the tape of the round under way, and how often each call was answered.
struct Run<'w> {
    world: &'w Liars,
    session: Session,
    tape: Vec<Event>,
    answered: HashMap<CallId, usize>,
    events: usize,
    resumes: u32,
    people_done: bool,
}

/// Why a run stopped.
#[derive(Debug, PartialEq)]
enum End {
    Finished,
    GaveUp(PauseCause),
}

impl<'w> Run<'w> {
    fn new(world: &'w Liars) -> Self {
        let session = Session::open(world.opening.clone());
        let (tape, answered) = (Vec::new(), HashMap::new());
        Self { world, session, tape, answered, events: 0, resumes: 0, people_done: false }
    }

    fn apply(&mut self, event: Event) {
        self.session.apply(event.clone()).unwrap_or_else(|misfit| panic!("seed {}: {misfit}", self.world.seed));
        self.events += 1;
        match &event {
            Event::Committed => {
                self.tape.clear();
                (self.resumes, self.people_done) = (0, false);
            }
            Event::Asked { .. } => self.tape.push(event),
            _ => {
                if let Some(call) = ended_call(&event) {
                    *self.answered.entry(call.clone()).or_default() += 1;
                    self.tape.push(event);
                }
            }
        }
    }

    fn intervene(&mut self, moment: &str) {
        let after_round = self.session.rounds().len() as u32;
        if let Some(done) = self.world.intervention(moment, after_round, tick(self.events)) {
            self.apply(Event::Intervened(done));
        }
    }

    fn ask_again(&mut self) {
        let (at, after_round) = (tick(self.events), self.session.rounds().len() as u32);
        let kind = InterventionKind::Resume;
        self.apply(Event::Intervened(Intervention { at, after_round, kind, text: None, by: None, rounds: None }));
    }

    /// One step of the loop, with `seen` told after each event; `None` = there is more.
    fn step(&mut self, seen: &mut dyn FnMut(&Self)) -> Option<End> {
        if !self.people_done && matches!(next_step(&self.session), Step::Ask(_) | Step::Escalate(_)) {
            self.people_done = true;
            self.intervene("before the round");
        }
        match next_step(&self.session) {
            Step::Rest => return Some(End::Finished),
            Step::Finish(outcome) => {
                check_end(&self.session, &outcome);
                self.apply(Event::Finished(outcome));
            }
            Step::Commit { .. } => {
                self.intervene("before commit");
                self.apply(Event::Committed);
            }
            Step::Escalate(pending) => {
                let ruling = self.world.ruling(pending);
                self.apply(Event::Ruled(Box::new(ruling)));
            }
            Step::Pause(cause) => {
                if self.resumes == PATIENCE {
                    return Some(End::GaveUp(cause));
                }
                self.resumes += 1;
                self.ask_again();
            }
            Step::Ask(mut briefs) => {
                assert!(!briefs.is_empty(), "seed {}: nothing is asked of nobody", self.world.seed);
                for brief in &briefs {
                    self.apply(Event::Asked { call: brief.call.clone(), at: tick(self.events) });
                    seen(self);
                }
                // Replies arrive in any order, the same one for the same calls.
                let mut dice = Dice::of(self.world.seed, &briefs[0].call);
                while !briefs.is_empty() {
                    let brief = briefs.swap_remove(dice.below(briefs.len()));
                    let before = self.answered.get(&brief.call).copied().unwrap_or(0);
                    let event = self.world.reply(&brief, before, tick(self.events));
                    self.apply(event);
                    seen(self);
                }
            }
        }
        seen(self);
        None
    }

    fn play_out(&mut self, seen: &mut dyn FnMut(&Self)) -> End {
        let limits = &self.world.opening.settings.limits;
        let seats = self.world.opening.seats.len() as u32;
        let calls = 2 + 2 + 2 + 2 * seats * (1 + PATIENCE);
        // Twice the rounds: whatever is said to the table is taken up, even at the limit (L8).
        let bound = 2 * limits.max_rounds.max(1) * (calls + PATIENCE + 2) + 2;
        for _ in 0..bound {
            if let Some(end) = self.step(seen) {
                return end;
            }
        }
        panic!("seed {}: not over after {bound} steps", self.world.seed);
    }

    /// What is left of this run after a crash: the minutes, and the tape of the round under way.
    fn crashed(&self) -> Self {
        let past = Past {
            rounds: self.session.rounds().to_vec(),
            escalations: self.session.escalations().to_vec(),
            interventions: self.session.interventions().to_vec(),
            current_phase: Some(self.session.phase().name.clone()),
            outcome: self.session.outcome().cloned(),
        };
        let opening = if past.rounds.is_empty() { &self.world.opening } else { self.session.opening() };
        let mut session = Session::fold(opening.clone(), past);
        for round in self.session.rounds() {
            session.remember(round.number, self.session.answers_of(round.number).unwrap().to_vec());
        }
        for event in &self.tape {
            session.apply(event.clone()).unwrap_or_else(|misfit| panic!("seed {}: {misfit}", self.world.seed));
        }
        let (tape, answered) = (self.tape.clone(), self.answered.clone());
        Self { session, tape, answered, ..*self }
    }
}

fn plain(rounds: &[Round]) -> Vec<Round> {
    let mut rounds = rounds.to_vec();
    for round in &mut rounds {
        (round.usage.calls, round.usage.duration_ms, round.timestamp) = (0, 0, Default::default());
    }
    rounds
}

#[test]
fn d2_every_session_ends_within_its_limits_and_breaks_no_rule() {
    let (mut finished, mut gave_up, mut accepted, mut rounds, mut escalations) = (0, 0, 0, 0, 0);
    for seed in 0..seeds() {
        let world = Liars::new(seed);
        let mut run = Run::new(&world);
        let mut began = run.session.clone();
        let mut watch = |run: &Run<'_>| match next_step(&run.session) {
            Step::Commit { round, escalation } => check_round(&began, round, escalation),
            Step::Ask(_) if run.session.round_number() as usize != began.rounds().len() + 1 => {
                began = run.session.clone();
            }
            _ => {}
        };
        match run.play_out(&mut watch) {
            End::Finished => finished += 1,
            End::GaveUp(_) => gave_up += 1,
        }
        let outcome = run.session.outcome();
        accepted += usize::from(outcome.is_some_and(|outcome| outcome.reasons.is_empty()));
        rounds += run.session.rounds().len();
        escalations += run.session.escalations().len();
    }
    println!(
        "{} seeds: {finished} finished ({accepted} accepted), {gave_up} gave up, {rounds} rounds, {escalations} escalations",
        seeds()
    );
    assert!(accepted > 0 && gave_up > 0 && escalations > 0, "the liars have become too tame");
}

/// After a resume and before its first call, the folded session still waits for that resume.
fn taken_up<'w>(mut crashed: Run<'w>, lived: &Session) -> Run<'w> {
    if matches!(next_step(&crashed.session), Step::Pause(_)) && !matches!(next_step(lived), Step::Pause(_)) {
        crashed.ask_again();
    }
    crashed
}

#[test]
fn l7_a_crash_after_any_event_changes_nothing() {
    let mut crashes = 0;
    for seed in 0..seeds() {
        let world = Liars::new(seed);
        // What a crash now would leave: folded anew whenever the minutes change, else one reply further.
        let mut left = Run::new(&world).crashed();
        let mut minutes = (0, 0, 0, false);
        Run::new(&world).play_out(&mut |run| {
            crashes += 1;
            let lived = &run.session;
            let rulings = lived.escalations().iter().filter(|x| x.ruling.is_some()).count();
            let now = (lived.rounds().len(), rulings, lived.interventions().len(), lived.outcome().is_some());
            if now != minutes || left.tape.len() + 1 != run.tape.len() {
                minutes = now;
                left = run.crashed();
            } else if let Some(event) = run.tape.last() {
                left.apply(event.clone());
            }
            let resumed = matches!(next_step(&left.session), Step::Pause(_)) && left.session != *lived;
            if resumed {
                let taken_up = taken_up(run.crashed(), lived);
                assert_eq!(next_step(&taken_up.session), next_step(lived), "seed {seed}");
            } else {
                assert!(left.session == *lived, "seed {seed}: another session after {} events", run.events);
            }
        });
    }
    println!("{} seeds: {crashes} crashes", seeds());
    assert!(crashes > 20 * seeds());
}

#[test]
fn l7_a_resumed_run_ends_with_the_same_minutes_and_asks_no_answered_call_again() {
    let mut resumed_runs = 0;
    for seed in 0..seeds() {
        let world = Liars::new(seed);
        let mut undisturbed = Run::new(&world);
        let end = undisturbed.play_out(&mut |_| {});
        let mut dice = Dice::of(seed, "crash");
        for _ in 0..3 {
            let at = dice.below(undisturbed.events);
            let mut halted = None;
            Run::new(&world).play_out(&mut |run| {
                if run.events > at && halted.is_none() {
                    halted = Some(taken_up(run.crashed(), &run.session));
                }
            });
            let Some(mut resumed) = halted else { continue };
            // Every reply of the undisturbed run, once each, wherever the crash fell.
            assert_eq!(resumed.play_out(&mut |_| {}), end, "seed {seed} at {at}");
            assert_eq!(resumed.answered, undisturbed.answered, "seed {seed} at {at}");
            assert_eq!(plain(resumed.session.rounds()), plain(undisturbed.session.rounds()), "seed {seed} at {at}");
            assert_eq!(resumed.session.outcome(), undisturbed.session.outcome(), "seed {seed} at {at}");
            resumed_runs += 1;
        }
    }
    println!("{} seeds: {resumed_runs} resumed runs", seeds());
    assert!(resumed_runs > 0);
}
