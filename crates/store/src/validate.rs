//! Does a session make sense? The invariants that hold in every session the engine drove.
//! Is given minutes that parse and whose digests hold; hands on what is wrong in words, oldest
//! first. Deliberately absent: judgement of content, and repair.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use s2s_engine::opening::Coverage;
use s2s_engine::record::{Round, RulingChoice};

use crate::minutes::Minutes;
use crate::nouns::Status;

/// Something in the minutes that cannot be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The round it is about, if one.
    pub round: Option<u32>,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.round {
            Some(round) => write!(f, "round {round}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

/// All that is wrong with the minutes; empty if nothing is.
pub fn validate(minutes: &Minutes) -> Vec<Finding> {
    let mut found = Findings::default();
    check_table(minutes, &mut found);
    check_rounds(minutes, &mut found);
    check_phases(minutes, &mut found);
    check_escalations(minutes, &mut found);
    check_end(minutes, &mut found);
    found.0
}

#[derive(Default)]
struct Findings(Vec<Finding>);

impl Findings {
    fn session(&mut self, what: impl Into<String>) {
        self.0.push(Finding { round: None, what: what.into() });
    }

    fn round(&mut self, round: &Round, what: impl Into<String>) {
        self.0.push(Finding { round: Some(round.number), what: what.into() });
    }
}

fn check_table(minutes: &Minutes, found: &mut Findings) {
    let mut seen = BTreeSet::new();
    for seat in minutes.seats() {
        if !seen.insert(&seat.id) {
            found.session(format!("seat `{}` is at the table twice", seat.id));
        }
    }
    for seat in minutes.sides().into_iter().flat_map(|sides| sides.pro.iter().chain(&sides.con)) {
        if !seen.contains(seat) {
            found.session(format!("`debate_sides` names `{seat}`, who is not at the table"));
        }
    }
    let mut topics = BTreeSet::new();
    for topic in minutes.agenda() {
        if !topics.insert(&topic.id) {
            found.session(format!("topic `{}` is on the agenda twice", topic.id));
        }
    }
}

/// What the rounds up to one have brought forth.
#[derive(Default)]
struct SoFar {
    points: BTreeSet<String>,
    conflicts: BTreeSet<String>,
    coverage: BTreeMap<String, Coverage>,
}

fn check_rounds(minutes: &Minutes, found: &mut Findings) {
    let mut so_far = SoFar::default();
    for (expected, round) in (1..).zip(minutes.rounds()) {
        if round.number != expected {
            found.round(round, format!("stands where round {expected} is due"));
        }
        check_seats(minutes, round, found);
        check_tallies(round, &so_far, found);
        for resolved in &round.resolved {
            if !so_far.conflicts.contains(&resolved.conflict_id) {
                found.round(round, format!("resolves `{}`, which no earlier round names", resolved.conflict_id));
            }
        }
        check_coverage(minutes, round, &mut so_far, found);
        so_far.conflicts.extend(round.conflicts.iter().map(|conflict| conflict.id.clone()));
        so_far.points.extend((1..=round.consensus.len()).map(|n| format!("C{}.{n}", round.number)));
    }
}

fn check_seats(minutes: &Minutes, round: &Round, found: &mut Findings) {
    let known = |id: &str| minutes.seats().iter().any(|seat| &*seat.id == id);
    let named = round
        .asked
        .iter()
        .chain(&round.no_response)
        .chain(round.confidence.keys())
        .chain(round.responses.iter().flatten().map(|response| &response.participant));
    let strangers: BTreeSet<_> = named.filter(|id| !known(id)).collect();
    for id in strangers {
        found.round(round, format!("names `{id}`, who is not at the table"));
    }
    for (id, confidence) in &round.confidence {
        if !(0.0..=1.0).contains(confidence) {
            found.round(round, format!("confidence {confidence} of `{id}` is not between 0 and 1"));
        }
    }
    for id in &round.no_response {
        if round.confidence.contains_key(id) {
            found.round(round, format!("`{id}` has a confidence and no response"));
        }
    }
}

fn check_tallies(round: &Round, so_far: &SoFar, found: &mut Findings) {
    for tally in &round.tallies {
        if !so_far.points.contains(&tally.point) {
            found.round(round, format!("counts votes on `{}`, which no earlier round claims", tally.point));
        }
        let votes = tally.support.iter().chain(&tally.stand_aside).chain(tally.block.iter().map(|block| &block.seat));
        let mut seen = BTreeSet::new();
        for seat in votes.chain(&tally.no_vote) {
            if !seen.insert(seat) {
                found.round(round, format!("`{seat}` is counted twice on `{}`", tally.point));
            }
        }
    }
}

fn check_coverage(minutes: &Minutes, round: &Round, so_far: &mut SoFar, found: &mut Findings) {
    for topic in &round.agenda_coverage {
        if !minutes.is_legacy() && !minutes.agenda().iter().any(|known| known.id == topic.topic) {
            found.round(round, format!("covers `{}`, which is not on the agenda", topic.topic));
        }
        let before = so_far.coverage.insert(topic.topic.clone(), topic.status).unwrap_or_default();
        if topic.status < before {
            found.round(round, format!("`{}` falls back from {before} to {}", topic.topic, topic.status));
        }
    }
}

fn check_phases(minutes: &Minutes, found: &mut Findings) {
    let Some(settings) = minutes.settings() else { return };
    let mut reached = 0;
    for round in minutes.rounds() {
        match settings.method.phase_index(&round.phase) {
            None => found.round(round, format!("phase `{}` is not one of `{}`", round.phase, settings.method.name)),
            Some(index) if index < reached => found.round(round, format!("goes back to phase `{}`", round.phase)),
            Some(index) => reached = index,
        }
    }
    match settings.method.phase_index(minutes.current_phase()) {
        None => found.session(format!("`current_phase` is `{}`, which the strategy has not", minutes.current_phase())),
        Some(index) if index < reached => {
            found.session(format!("`current_phase` is `{}`, but a later phase was held", minutes.current_phase()));
        }
        Some(_) => {}
    }
    if minutes.strategy() != settings.method.name {
        found.session(format!("strategy `{}`, but settings hold `{}`", minutes.strategy(), settings.method.name));
    }
}

fn check_escalations(minutes: &Minutes, found: &mut Findings) {
    let escalations = minutes.escalations();
    for (index, escalation) in escalations.iter().enumerate() {
        if escalation.ruling.is_none() && index + 1 < escalations.len() {
            found.session(format!("escalation {} is pending, and a later one exists", escalation.id));
        }
        if escalation.round == 0 || escalation.round > minutes.total_rounds() {
            found.session(format!(
                "escalation {} is about round {}, which is not there",
                escalation.id, escalation.round
            ));
        }
        if escalations[..index].iter().any(|earlier| earlier.id == escalation.id) {
            found.session(format!("escalation {} is there twice", escalation.id));
        }
    }
    let changing = escalations
        .iter()
        .filter(|escalation| {
            escalation.ruling.as_ref().is_some_and(|ruling| ruling.choice == RulingChoice::AcceptContext)
        })
        .map(|escalation| escalation.round);
    let changed = minutes.context().changes.iter().map(|change| change.round);
    if !changing.eq(changed) {
        found.session("`context.changes` does not match the rulings that accept a change of context");
    }
    for intervention in minutes.interventions() {
        if intervention.after_round > minutes.total_rounds() {
            found.session(format!("an intervention after round {}, which is not there", intervention.after_round));
        }
    }
}

fn check_end(minutes: &Minutes, found: &mut Findings) {
    let completed = minutes.status() == Status::Completed;
    if minutes.outcome().is_some() && !completed {
        found.session(format!("an outcome, but status `{}`", minutes.status()));
    }
    if completed && minutes.outcome().is_none() && !minutes.is_legacy() {
        found.session("status `completed`, but no outcome");
    }
    if completed && minutes.completed_at().is_none() {
        found.session("status `completed`, but no `completed_at`");
    }
    if completed && minutes.pending().is_some() {
        found.session("status `completed`, but an escalation is pending");
    }
    if minutes.status() == Status::Paused && minutes.paused_at().is_none() {
        found.session("status `paused`, but no `paused_at`");
    }
}
