//! Fills the view from the record of a session.
//! Given the minutes, the folded session where there is one, and the bill; hands on facts in the order of the page. Nothing is
//! added to what the record holds. Each round, vote and artifact is looked at once or a fixed number of times.
//! Deliberately absent: the rounds one by one (`told.rs`), and the numbers (`figures.rs`).

use std::collections::{BTreeSet, HashMap};

use s2s_engine::artifact::ArtifactStatus;
use s2s_engine::opening::Coverage;
use s2s_engine::record::{Because, OutcomeStatus, Tally};
use s2s_engine::{Session, counted};
use s2s_store::{Minutes, Panel, Status};

use super::Record;
use super::figures::figures;
use super::told;
use super::view::{ArtifactView, Badge, Dissent, Ending, Names, PointView, Proof, TableView, TopicView, View};
use crate::panel::StoodIn;

/// The record as the page shows it.
pub(super) fn gather<'a>(record: &Record<'a>) -> View<'a> {
    let Record { minutes, session, bill, follow_ups, asides, notes } = *record;
    let named = minutes.seats().iter().filter(|seat| !seat.name.trim().is_empty());
    let names = Names(named.map(|seat| (&*seat.id, seat.name.as_str())).collect());
    let points = points(minutes, session);
    View {
        id: minutes.id(),
        topic: minutes.topic(),
        badge: badge(minutes),
        partial: told::partial(minutes, session),
        notes: notes.to_vec(),
        ending: ending(minutes, session, &names, &points),
        facts: facts(minutes),
        figures: figures(minutes, &names, &points),
        agenda: agenda(minutes),
        artifacts: session.map(artifacts).unwrap_or_default(),
        before: told::between(minutes, 0),
        rounds: told::rounds(minutes, session, follow_ups),
        asides,
        bill: bill.filter(|bill| bill.total.cost_usd > 0.0 || minutes.panel() == Some(Panel::Models)),
        proof: Proof { digest: minutes.digest(minutes.total_rounds()), seal: minutes.seal() },
        table: TableView { seats: minutes.seats(), sides: minutes.sides(), note: panel_note(minutes), names },
    }
}

fn badge(minutes: &Minutes) -> Badge {
    let (word, tone) = match (minutes.outcome().map(|outcome| outcome.status), minutes.status()) {
        (Some(OutcomeStatus::Accepted), _) => ("Accepted", "good"),
        (Some(OutcomeStatus::Proposed), _) => ("Proposed", "warn"),
        (None, Status::Paused) => ("Paused", "warn"),
        (None, Status::Archived) => ("Closed unfinished", "plain"),
        (None, Status::Active) => ("Under way", "plain"),
        (None, Status::Completed) => ("Complete", "plain"),
    };
    Badge { word, tone }
}

fn panel_note(minutes: &Minutes) -> String {
    let note = match minutes.panel_note().trim() {
        "" => "How the panel answered is not recorded.",
        note => note,
    };
    StoodIn::of(minutes.rounds()).beside(note)
}

/// Every point with the vote that counted, in the order of their claims.
fn points<'a>(minutes: &'a Minutes, session: Option<&'a Session>) -> Vec<PointView<'a>> {
    let mut votes: HashMap<&str, (u32, &Tally)> = HashMap::new();
    for round in minutes.rounds() {
        for tally in &round.tallies {
            votes.entry(&tally.point).or_insert((round.number, tally));
        }
    }
    let all = minutes.rounds().iter().flat_map(|round| {
        round.consensus.iter().enumerate().map(|(at, text)| PointView {
            round: round.number,
            place: at + 1,
            text,
            vote: None,
        })
    });
    all.map(|point| (point.id(), point))
        // A claim that only says again what stands is no point of its own.
        .filter(|(id, _)| session.is_none_or(|session| session.point(id).is_some()))
        .map(|(id, point)| PointView { vote: votes.get(id.as_str()).copied(), ..point })
        .collect()
}

fn ending<'a>(
    minutes: &'a Minutes,
    session: Option<&'a Session>,
    names: &Names<'a>,
    points: &[PointView<'a>],
) -> Ending<'a> {
    let outcome = minutes.outcome();
    let with = |wanted: Option<bool>| {
        let has = |point: &&PointView<'a>| point.vote.map(|(_, tally)| tally.carried) == wanted;
        points.iter().filter(has).copied().collect::<Vec<_>>()
    };
    let said = |text: &&str| !text.trim().is_empty();
    let last = minutes.rounds().iter().rev().find_map(|round| round.decision.recommendation.as_deref());
    let carried = with(Some(true));
    Ending {
        recommendation: outcome.and_then(|outcome| outcome.recommendation.as_deref()).or(last).filter(said),
        rulings: told::decided(minutes),
        because: because(minutes, session),
        reasons: outcome.map_or(&[], |outcome| &outcome.reasons),
        dissent: carried.iter().flat_map(|point| dissent(point, names)).collect(),
        carried,
        unvoted: with(None),
        failed: with(Some(false)),
        unresolved: outcome.map(|outcome| outcome.unresolved.iter().map(String::as_str).collect()).unwrap_or_default(),
    }
}

/// The rules behind the last step.
fn because<'a>(minutes: &'a Minutes, session: Option<&'a Session>) -> &'a [Because] {
    let decision = session.and_then(Session::last_decision);
    decision.or_else(|| minutes.rounds().last().map(|round| &round.decision)).map_or(&[], |decision| &decision.because)
}

fn dissent<'a>(point: &PointView<'a>, names: &Names<'a>) -> Vec<Dissent<'a>> {
    let Some((_, tally)) = point.vote else { return Vec::new() };
    let one = |seat: &'a str, how: &'static str, reason: &'a str| Dissent {
        seat: names.of(seat),
        how,
        point: point.id(),
        claim: point.text,
        reason,
    };
    let blocks = tally.block.iter().map(|block| one(&block.seat, "blocked", block.reason.as_str()));
    blocks.chain(tally.stand_aside.iter().map(|seat| one(seat, "stood aside", ""))).collect()
}

fn facts(minutes: &Minutes) -> Vec<(&'static str, String)> {
    let mut facts = vec![("Started", told::minute(minutes.started()))];
    if let Some(at) = minutes.completed_at() {
        facts.push(("Completed", told::minute(at)));
    }
    let mut phases: Vec<&str> = Vec::new();
    for round in minutes.rounds() {
        if phases.last() != Some(&round.phase.as_str()) {
            phases.push(&round.phase);
        }
    }
    let held = counted(minutes.total_rounds(), "round");
    facts.push(("Strategy", minutes.strategy().to_owned()));
    facts.push(("Rounds", if phases.is_empty() { held } else { format!("{held}: {}", phases.join(", ")) }));
    facts.push(("Workflow", minutes.workflow().to_string()));
    if let Some(settings) = minutes.settings() {
        facts.push(("Votes", settings.policy.rule.as_str().replace('_', " ")));
    }
    if !minutes.context().source.trim().is_empty() {
        facts.push(("Context", minutes.context().source.clone()));
    }
    if let Some(parent) = minutes.parent() {
        facts.push(("Goes on from", parent.to_owned()));
    }
    if let Some(outcome) = minutes.outcome() {
        let files = if outcome.files.is_empty() { outcome.file.as_slice() } else { &outcome.files };
        if !files.is_empty() {
            facts.push((if files.len() == 1 { "Document" } else { "Documents" }, files.join(", ")));
        }
    }
    facts
}

fn agenda(minutes: &Minutes) -> Vec<TopicView<'_>> {
    let agenda = minutes.agenda();
    let place: HashMap<&str, usize> = agenda.iter().enumerate().map(|(at, topic)| (topic.id.as_str(), at)).collect();
    let mut topics: Vec<TopicView<'_>> =
        agenda.iter().map(|topic| TopicView { topic, status: Coverage::Pending, since: None, met: 0 }).collect();
    let mut met = vec![BTreeSet::<u32>::new(); agenda.len()];
    for round in minutes.rounds() {
        for covered in &round.agenda_coverage {
            let Some(&at) = place.get(covered.topic.as_str()) else { continue };
            // Coverage never falls back (A1).
            if covered.status > topics[at].status {
                topics[at].status = covered.status;
                topics[at].since = Some(round.number);
            }
            met[at].extend(&covered.met);
        }
    }
    topics.iter_mut().zip(met).for_each(|(topic, met)| topic.met = met.len());
    topics
}

fn artifacts(session: &Session) -> Vec<ArtifactView<'_>> {
    let own = session.artifacts().filter(|holding| holding.is_own());
    let shown = own.map(|holding| {
        let version = holding.current();
        let status: ArtifactStatus = holding.status();
        ArtifactView { artifact: &version.artifact, status, round: version.round }
    });
    shown.collect()
}
