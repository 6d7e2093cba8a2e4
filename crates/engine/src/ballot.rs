//! Counting votes (V1 to V4): from the answers of a round to tallies and to the conflicts they leave.
//! Given seats, policy and answers; hands on records. Deliberately absent: when a vote is held.

use std::collections::BTreeMap;

use crate::ledger::Point;
use crate::opening::{HUMAN, Opening, Seat, SeatId};
use crate::record::{Block, Round, SeatResponse, StandIn, Tally};
use crate::reply::{Choice, Conflict, Response, Vote};
use crate::strategy::PolicyRule;
use crate::words::counted;

/// The answers of a round, in seat order.
pub(crate) type Answers<'a> = [(&'a Seat, Option<&'a Response>)];

/// Counts one point over every seat at the table.
pub(crate) fn tally(
    opening: &Opening,
    stand_ins: &BTreeMap<SeatId, StandIn>,
    point: &str,
    answers: &Answers<'_>,
) -> Tally {
    let policy = opening.settings.policy;
    let mut tally = Tally {
        point: point.to_owned(),
        policy: policy.rule.as_str().to_owned(),
        support: Vec::new(),
        stand_aside: Vec::new(),
        block: Vec::new(),
        no_vote: Vec::new(),
        share: 0.0,
        carried: false,
    };
    let mut cast: Vec<Cast<'_>> = Vec::with_capacity(answers.len());
    for (seat, response) in answers {
        let vote = response.and_then(|response| response.votes.get(point).map(|vote| (response, vote)));
        let Some((response, vote)) = vote else {
            tally.no_vote.push(seat.id.clone());
            continue;
        };
        let weight = match policy.rule {
            PolicyRule::WeightedMajority => response.confidence,
            _ => 1.0,
        };
        match vote.choice {
            Choice::Support => tally.support.push(seat.id.clone()),
            Choice::StandAside => {
                tally.stand_aside.push(seat.id.clone());
                continue;
            }
            Choice::Block => {
                let reason = vote.reason.clone().filter(|reason| !reason.trim().is_empty());
                let reason = reason.unwrap_or_else(|| response.position.clone());
                tally.block.push(Block { seat: seat.id.clone(), reason });
            }
        }
        let family = stand_ins.get(&seat.id).map_or(&seat.family, |stand_in| &stand_in.family);
        cast.push(Cast { family, weight, supports: vote.choice == Choice::Support });
    }
    let quorum = cast.len() * 2 >= opening.seats.len() && !cast.is_empty();
    let share = support_share(&mut cast, opening.settings.family_share);
    tally.share = (share * 10_000.0).round() / 10_000.0;
    let carries = match policy.rule {
        PolicyRule::Unanimous | PolicyRule::Consent => tally.block.is_empty(),
        PolicyRule::SimpleMajority => share > 0.5,
        PolicyRule::WeightedMajority => share >= policy.threshold - 1e-9,
        PolicyRule::FacilitatorJudgment => share >= 0.5,
    };
    tally.carried = quorum && carries;
    tally
}

/// Counts a point of a committed round anew, from answers as they are written down (V2): for whoever checks a
/// tally. Reasons of blocks are not written down with the votes, so positions stand in for them.
pub fn recount(opening: &Opening, round: &Round, point: &str, answers: &[SeatResponse]) -> Tally {
    let heard: Vec<(&SeatId, Response)> = answers
        .iter()
        .map(|answer| {
            let votes =
                answer.votes.iter().map(|(point, choice)| (point.clone(), Vote { choice: *choice, reason: None }));
            let response = Response {
                position: answer.position.clone(),
                confidence: answer.confidence,
                votes: votes.collect(),
                ..Response::default()
            };
            (&answer.participant, response)
        })
        .collect();
    let of = |seat: &Seat| heard.iter().find(|(id, _)| **id == seat.id).map(|(_, response)| response);
    let answers: Vec<(&Seat, Option<&Response>)> = opening.seats.iter().map(|seat| (seat, of(seat))).collect();
    tally(opening, &round.stand_ins, point, &answers)
}

struct Cast<'a> {
    family: &'a str,
    weight: f64,
    supports: bool,
}

/// The share of support by weight, with one family's weight capped where several vote (V2).
fn support_share(cast: &mut [Cast<'_>], family_share: f64) -> f64 {
    let mut families: BTreeMap<&str, f64> = BTreeMap::new();
    // A family that is sure of nothing has no weight to hold against another's. People are no family of models: they
    // are not scaled down, and they do not make one family of models into one of several (H1).
    for vote in cast.iter().filter(|vote| vote.weight > 0.0 && vote.family != HUMAN) {
        *families.entry(vote.family).or_default() += vote.weight;
    }
    if families.len() > 1 {
        let cap = family_share.max(1.0 / families.len() as f64);
        let scales = capped(&families, cap);
        for vote in cast.iter_mut() {
            vote.weight *= scales.get(vote.family).copied().unwrap_or(1.0);
        }
    }
    let total: f64 = cast.iter().map(|vote| vote.weight).sum();
    if total <= 0.0 {
        return 0.0;
    }
    // Not `sum`: of no votes it gives -0.0, which would be written down.
    cast.iter().filter(|vote| vote.supports).fold(0.0, |support, vote| support + vote.weight) / total
}

/// How much each heavy family is scaled down, so that none holds more than `cap` of the new total.
fn capped<'a>(families: &BTreeMap<&'a str, f64>, cap: f64) -> BTreeMap<&'a str, f64> {
    let mut heavy: Vec<(&str, f64)> = families.iter().map(|(&name, &weight)| (name, weight)).collect();
    heavy.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut scales = BTreeMap::new();
    for count in 1..heavy.len() {
        let rest: f64 = heavy[count..].iter().map(|(_, weight)| weight).sum();
        let left = 1.0 - cap * count as f64;
        if left <= 0.0 {
            break;
        }
        let level = cap * rest / left;
        if heavy[count - 1].1 <= level {
            break;
        }
        scales.clear();
        scale_down(&mut scales, &heavy[..count], level);
        if heavy[count].1 <= level {
            break;
        }
    }
    scales
}

fn scale_down<'a>(scales: &mut BTreeMap<&'a str, f64>, heavy: &[(&'a str, f64)], level: f64) {
    for &(name, weight) in heavy {
        if weight > level {
            scales.insert(name, level / weight);
        }
    }
}

/// The conflict that a failed point becomes, with the blockers' reasons as positions (V3).
pub(crate) fn conflict_of(point: &Point, tally: &Tally) -> Conflict {
    let positions: BTreeMap<SeatId, String> =
        tally.block.iter().map(|block| (block.seat.clone(), block.reason.clone())).collect();
    let cause =
        if tally.block.is_empty() { "Nobody blocked, but too little was cast on" } else { "The panel did not carry" };
    Conflict { id: point.conflict.clone(), description: format!("{cause}: {}", point.text), positions }
}

/// What the engine writes as the synthesis of a ballot round (V4).
pub(crate) fn summary(tallies: &[Tally]) -> String {
    let voted = counted(tallies.len() as u64, "point");
    let down: Vec<&str> = tallies.iter().filter(|tally| !tally.carried).map(|tally| tally.point.as_str()).collect();
    if down.is_empty() {
        return format!("The panel voted on {voted} and carried all of them.");
    }
    let carried = tallies.len() - down.len();
    format!("The panel voted on {voted} and carried {carried}; not carried: {}.", down.join(", "))
}
