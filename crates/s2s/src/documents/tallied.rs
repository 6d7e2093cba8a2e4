//! What the panel made of each point and conflict: votes, tallies, dissent.
//! Given the session; hands on statements with their counts (C2, V3). A point voted down whose conflict is
//! open is told there, once, with its blocks as positions.

use s2s_engine::counted;
use s2s_engine::record::{Round, Tally};
use s2s_engine::reply::ResolutionType;
use s2s_engine::{OpenConflict, Point, Session, Standing};

use super::escape::inline;
use super::gather::percent;
use super::sorted::{asks, speaks_of_check, speaks_of_review};
use super::view::{ConflictView, PointView, Statement, TallyView};

pub(super) fn checks(session: &Session) -> Vec<String> {
    let checks = |point: &&Point| {
        point.standing == Standing::Carried && speaks_of_check(&point.text) && !speaks_of_review(&point.text)
    };
    session.points().iter().filter(checks).map(|point| point.id.clone()).collect()
}

pub(super) fn reviews(session: &Session) -> Vec<PointView> {
    let reviews = |point: &&Point| point.standing != Standing::Failed && speaks_of_review(&point.text);
    session.points().iter().filter(reviews).map(|point| point_view(session, point)).collect()
}

/// Points that ask rather than decide.
pub(super) fn asked_points(session: &Session) -> Vec<PointView> {
    let asks = |point: &&Point| point.standing != Standing::Failed && asks(&point.text);
    session.points().iter().filter(asks).map(|point| point_view(session, point)).collect()
}

/// Whether a point's failure lives on as an open conflict, which then tells all about it.
fn is_in_conflict(session: &Session, point: &Point) -> bool {
    point.standing == Standing::Failed && session.open_conflicts().any(|conflict| conflict.id == point.conflict)
}

pub(super) fn points(session: &Session, standing: Standing) -> Vec<PointView> {
    let listed = session.points().iter().filter(|point| point.standing == standing && !is_in_conflict(session, point));
    listed.map(|point| point_view(session, point)).collect()
}

fn point_view(session: &Session, point: &Point) -> PointView {
    PointView { id: point.id.clone(), text: inline(&point.text), source: point_source(session, point) }
}

/// Where a point comes from: its round, and the round and tally of its vote.
pub(super) fn point_source(session: &Session, point: &Point) -> String {
    let vote = vote_on(session, point).unwrap_or_else(|| "not voted on".to_owned());
    format!("{}, round {}; {vote}", point.id, point.round)
}

fn vote_on(session: &Session, point: &Point) -> Option<String> {
    session.rounds().iter().find_map(|round| {
        let tally = round.tallies.iter().find(|tally| tally.point == point.id)?;
        Some(format!("{} in round {}", count(tally), round.number))
    })
}

/// Support / stand aside / block.
fn count(tally: &Tally) -> String {
    let carried = if tally.carried { "carried" } else { "not carried" };
    format!("{carried} {}/{}/{}", tally.support.len(), tally.stand_aside.len(), tally.block.len())
}

pub(super) fn tallies<'s>(session: &'s Session, round: &'s Round) -> impl Iterator<Item = TallyView> + 's {
    round.tallies.iter().map(|tally| TallyView {
        point: inline(&tally.point),
        text: session.point(&tally.point).map(|point| inline(&point.text)).unwrap_or_default(),
        round: round.number,
        policy: inline(&tally.policy.replace('_', " ")),
        support: tally.support.len(),
        stand_aside: tally.stand_aside.len(),
        block: tally.block.len(),
        no_vote: tally.no_vote.len(),
        share: percent(tally.share),
        carried: tally.carried,
    })
}

pub(super) fn votes(session: &Session, who: impl Fn(&Tally) -> Vec<(String, String)>) -> Vec<Statement> {
    let mut votes = Vec::new();
    for round in session.rounds() {
        for tally in &round.tallies {
            let point = session.point(&tally.point);
            if point.is_some_and(|point| is_in_conflict(session, point)) {
                continue;
            }
            for (seat, reason) in who(tally) {
                let claim = point.map(|point| inline(&point.text)).unwrap_or_default();
                let text = if reason.trim().is_empty() { claim } else { inline(&reason) };
                let source = format!("{}, {seat}; {} in round {}", tally.point, count(tally), round.number);
                votes.push(Statement { text, source });
            }
        }
    }
    votes
}

pub(super) fn conflicts(session: &Session) -> Vec<ConflictView> {
    session
        .open_conflicts()
        .map(|conflict| ConflictView {
            id: inline(&conflict.id),
            description: inline(if conflict.description.is_empty() { &conflict.id } else { &conflict.description }),
            source: conflict_source(session, conflict),
            positions: conflict
                .positions
                .iter()
                .map(|(seat, text)| Statement { text: inline(text), source: inline(seat) })
                .collect(),
        })
        .collect()
}

/// Since when it is open, how old it is, and the vote that it came from.
fn conflict_source(session: &Session, conflict: &OpenConflict) -> String {
    let point = session.points().iter().rev().find(|point| point.conflict == conflict.id);
    let vote = point.and_then(|point| Some(format!("; {} {}", point.id, vote_on(session, point)?)));
    let (since, age) = (conflict.since, counted(conflict.age, "round"));
    format!("{}, open since round {since}, {age} old{}", inline(&conflict.id), vote.unwrap_or_default())
}

pub(super) fn resolved(session: &Session) -> Vec<Statement> {
    let mut resolved = Vec::new();
    for round in session.rounds() {
        for end in &round.resolved {
            let by = match end.resolution_type {
                ResolutionType::Consensus => "the seats came together",
                ResolutionType::Facilitator => "by the facilitator",
                ResolutionType::User => "by a person",
            };
            let text = inline(&end.resolution);
            let text = if text.is_empty() { inline(&end.conflict_id) } else { text };
            let source = format!("conflict {}, round {}, {by}", inline(&end.conflict_id), round.number);
            resolved.push(Statement { text, source });
        }
    }
    resolved
}
