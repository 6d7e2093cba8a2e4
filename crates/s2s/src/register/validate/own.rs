//! A session by itself: were its ids given by the engine, do its artifacts fit its workflow, were they put to the
//! vote, are covered topics really covered (A5), and does an accepted outcome leave nothing open (C4).
//! Given the minutes and the folded session; hands on findings. Deliberately absent: other sessions.

use std::collections::{BTreeMap, BTreeSet};

use s2s_engine::artifact::{Artifact, ArtifactId, ArtifactKind, ArtifactStatus, Change, MOST_OF_A_KIND, Register};
use s2s_engine::opening::{Coverage, Topic};
use s2s_engine::record::{OutcomeStatus, Round};
use s2s_engine::{Holding, Session, Standing};
use s2s_store::Minutes;

use super::finding::{Findings, some_of};

const RESTORE: &str = "rounds are only written by s2s: restore the file from a backup or version control";
const MAKE_ANEW: &str = "hold a new session, and make or amend it there";

/// Checks a session that was folded.
pub(super) fn check(minutes: &Minutes, session: &Session, found: &mut Findings) {
    check_outcome(minutes, session, found);
    let Some(register) = minutes.register() else {
        for round in minutes.rounds().iter().filter(|round| !round.artifacts.is_empty()) {
            found.error(
                Some(round.number),
                None,
                "holds artifacts, but the session was not opened to keep any",
                RESTORE,
            );
        }
        return;
    };
    for kind in &register.kinds {
        if !ArtifactKind::of_workflow(minutes.workflow()).contains(kind) {
            let what = format!("was opened to propose {kind}, which {} sessions do not", minutes.workflow());
            found.error(None, None, what, RESTORE);
        }
    }
    let mut ids = Ids::new(register);
    for round in minutes.rounds() {
        for artifact in &round.artifacts {
            ids.check(round.number, artifact, found);
            check_point(round, artifact, found);
            check_names(minutes, round.number, artifact, found);
        }
    }
    for topic in minutes.agenda() {
        check_topic(minutes, session, topic, found);
    }
}

/// The ids met so far, and those that the engine would give next.
struct Ids<'m> {
    register: &'m Register,
    before: BTreeMap<ArtifactKind, u32>,
    last: BTreeMap<ArtifactKind, u32>,
    met: BTreeSet<ArtifactId>,
}

impl<'m> Ids<'m> {
    fn new(register: &'m Register) -> Self {
        let mut before = register.last.clone();
        for known in &register.known {
            let last = before.entry(known.id.kind).or_default();
            *last = (*last).max(known.id.number);
        }
        let met = register.known.iter().map(|known| known.id).collect();
        Self { register, last: before.clone(), before, met }
    }

    fn check(&mut self, round: u32, artifact: &Artifact, found: &mut Findings) {
        let id = artifact.id;
        let ArtifactId { kind, number } = id;
        let mut error = |what: String| found.error(Some(round), Some(id), what, RESTORE);
        if kind != ArtifactKind::Conf && !self.register.kinds.contains(&kind) {
            error(format!("{id}: this session does not keep {kind}"));
        }
        if artifact.change == Change::Created {
            let before = self.before.get(&kind).copied().unwrap_or_default();
            let last = self.last.entry(kind).or_insert(before);
            let due = ArtifactId { kind, number: last.saturating_add(1) };
            let most = ArtifactId { kind, number: before.saturating_add(MOST_OF_A_KIND) };
            if self.met.contains(&id) {
                error(format!("{id} is made a second time"));
            } else if number <= before {
                error(format!("{id} is new here, but the project had used the numbers up to {before} before"));
            } else if number > most.number {
                error(format!("{id} is above {most}, the last number kept for this session"));
            } else if id != due {
                error(format!("{id} stands where {due} is due: the engine gives numbers in order"));
            }
            *last = (*last).max(number);
        } else if !self.met.contains(&id) {
            error(format!("{id} is {} here, but was neither made before nor known at the start", artifact.change));
        }
        self.met.insert(id);
    }
}

/// A claim is a point of its round, and the point names it; a question is none.
fn check_point(round: &Round, artifact: &Artifact, found: &mut Findings) {
    let id = artifact.id;
    let mut error = |what: String| found.error(Some(round.number), Some(id), what, RESTORE);
    let claims = id.kind.is_claim() && artifact.change != Change::Superseded;
    let Some(point) = &artifact.point else {
        if claims {
            error(format!("{id} was not put to the vote: it has no point"));
        }
        return;
    };
    if !claims {
        return error(format!("{id} names the point {point}, but nobody votes on it"));
    }
    let place = point.strip_prefix(&format!("C{}.", round.number)).and_then(|number| number.parse::<usize>().ok());
    let text = place.and_then(|number| round.consensus.get(number.checked_sub(1)?));
    match text {
        None => error(format!("{id} names the point {point}, which this round does not claim")),
        Some(text) if !text.starts_with(&id.to_string()) => {
            error(format!("{id} names the point {point}, which is about something else"));
        }
        Some(_) => {}
    }
}

fn check_names(minutes: &Minutes, round: u32, artifact: &Artifact, found: &mut Findings) {
    let id = artifact.id;
    for seat in &artifact.proposed_by {
        if !minutes.seats().iter().any(|known| known.id == *seat) {
            let what = format!("{id} was proposed by `{seat}`, who is not at the table");
            found.error(Some(round), Some(id), what, RESTORE);
        }
    }
    let Some(topic) = artifact.topic.as_ref().filter(|_| artifact.change == Change::Created) else { return };
    if !minutes.agenda().iter().any(|known| known.id == *topic) {
        let what = format!("{id} belongs to `{topic}`, which is not on the agenda");
        found.error(Some(round), Some(id), what, RESTORE);
    }
}

/// A5: a covered topic has met its criteria and has its least artifacts, questions not counted, when it closes and in
/// the end.
fn check_topic(minutes: &Minutes, session: &Session, topic: &Topic, found: &mut Findings) {
    let covered = minutes.rounds().iter().find_map(|round| {
        let mut topics = round.agenda_coverage.iter();
        topics.find(|said| said.topic == topic.id && said.status == Coverage::Covered).map(|said| (round.number, said))
    });
    let Some((round, said)) = covered else { return };
    let name = &topic.name;
    let met: BTreeSet<u32> = said.met.iter().copied().filter(|number| (1..=topic.criteria).contains(number)).collect();
    if (met.len() as u32) < topic.criteria {
        let what = format!("\"{name}\" is covered with {} of {} criteria met", met.len(), topic.criteria);
        found.error(Some(round), None, what, RESTORE);
    }
    let on = |artifact: &Artifact| artifact.topic.as_ref() == Some(&topic.id) && artifact.id.kind.is_claim();
    let ever = session
        .artifacts()
        .filter(|holding| holding.versions.iter().any(|version| version.round <= round && on(&version.artifact)));
    let ever = ever.count() as u32;
    if ever < topic.least {
        let what = format!("\"{name}\" is covered with {ever} of at least {} artifacts", topic.least);
        return found.error(Some(round), None, what, RESTORE);
    }
    let live = |holding: &&s2s_engine::Holding| on(&holding.current().artifact) && holding.status().is_live();
    let left = session.artifacts().filter(live).count() as u32;
    if left < topic.least && session.has_ended() {
        let what =
            format!("\"{name}\" is covered, but {left} of at least {} artifacts are left in the end", topic.least);
        found.warning(None, None, what, MAKE_ANEW);
    }
}

/// C4: what is accepted has every point carried, and nothing open.
fn check_outcome(minutes: &Minutes, session: &Session, found: &mut Findings) {
    let Some(outcome) = minutes.outcome().filter(|outcome| outcome.status == OutcomeStatus::Accepted) else { return };
    for conflict in session.open_conflicts() {
        let what = format!("the outcome is accepted, but the conflict \"{}\" is open", conflict.id);
        found.error(None, None, what, RESTORE);
    }
    for left in outcome.unresolved.iter().filter(|_| session.open_conflicts().next().is_none()) {
        found.error(None, None, format!("the outcome is accepted, but names as unresolved: {left}"), RESTORE);
    }
    let unvoted: Vec<&str> = session
        .points()
        .iter()
        .filter(|point| point.standing == Standing::Unvoted)
        .map(|point| point.id.as_str())
        .collect();
    if !unvoted.is_empty() {
        let what = format!("the outcome is accepted, but nobody voted on {}", unvoted.join(", "));
        found.error(None, None, what, RESTORE);
    }
    let is_open = |holding: &&Holding| holding.is_own() && holding.status() == ArtifactStatus::Open;
    let open: Vec<&Holding> = session.artifacts().filter(is_open).collect();
    match open[..] {
        [] => {}
        [one] => {
            let current = one.current();
            let what = format!("{} is open in an accepted outcome: {}", one.id(), current.artifact.title);
            let round = Some(current.round).filter(|round| *round > 0);
            found.warning(round, Some(one.id()), what, "answer it in a new session");
        }
        _ => {
            let ids = some_of(open.iter().map(|holding| holding.id()));
            let what = format!("{} questions are open in an accepted outcome: {ids}", open.len());
            found.warning(None, None, what, "answer them in a new session");
        }
    }
}
