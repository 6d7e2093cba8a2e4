//! Ballots against tallies (V2): each tally is counted anew from what it says itself, and from the votes where the
//! minutes or the tape still have them. Given a folded session; hands on findings, and how many tallies were counted.
//! Deliberately absent: the rules of counting, which are the engine's.

use std::collections::{BTreeMap, BTreeSet};

use s2s_engine::opening::{Opening, SeatId};
use s2s_engine::record::{Round, SeatResponse, Tally};
use s2s_engine::reply::Choice;
use s2s_engine::{Session, recount};
use s2s_store::Minutes;

use super::finding::Findings;

const NEXT: &str = "run `s2s session replay` to see what the replies come to; restore the file if it was changed";

/// Shares are kept to four places.
const AS_GOOD_AS_SAME: f64 = 0.000_2;

/// Counts every tally anew.
pub(super) fn check(minutes: &Minutes, session: &Session, found: &mut Findings) -> usize {
    let opening = session.opening();
    let mut counted = 0;
    for round in minutes.rounds() {
        let answers = round.responses.as_deref().or_else(|| session.answers_of(round.number));
        for tally in &round.tallies {
            counted += 1;
            check_sum(opening, round, tally, found);
            if let Some(answers) = answers {
                check_votes(opening, round, tally, answers, found);
            }
        }
    }
    counted
}

/// Whether a tally's result follows from the votes that it lists.
fn check_sum(opening: &Opening, round: &Round, tally: &Tally, found: &mut Findings) {
    let votes = tally.support.iter().map(|seat| (seat, Choice::Support));
    let votes = votes.chain(tally.stand_aside.iter().map(|seat| (seat, Choice::StandAside)));
    let votes: BTreeMap<&SeatId, Choice> =
        votes.chain(tally.block.iter().map(|block| (&block.seat, Choice::Block))).collect();
    for seat in votes.keys().filter(|seat| !round.confidence.contains_key(**seat)) {
        let what = format!("the tally of {} has a vote of `{seat}`, who gave no answer in this round", tally.point);
        found.error(Some(round.number), None, what, NEXT);
    }
    let answers: Vec<SeatResponse> =
        votes.iter().map(|(seat, choice)| ballot(round, seat, &tally.point, *choice)).collect();
    let anew = recount(opening, round, &tally.point, &answers);
    let point = &tally.point;
    if anew.carried != tally.carried || (anew.share - tally.share).abs() > AS_GOOD_AS_SAME {
        let what = format!(
            "the tally of {point} says {}; its votes give {}",
            result(tally.carried, tally.share),
            result(anew.carried, anew.share)
        );
        found.error(Some(round.number), None, what, NEXT);
    }
    if names(&anew.no_vote) != names(&tally.no_vote) {
        let what = format!("the tally of {point} does not count every seat once");
        found.error(Some(round.number), None, what, NEXT);
    }
    if anew.policy != tally.policy {
        let what = format!(
            "the tally of {point} was counted by `{}`; the session's policy is `{}`",
            tally.policy, anew.policy
        );
        found.error(Some(round.number), None, what, NEXT);
    }
}

fn ballot(round: &Round, seat: &SeatId, point: &str, choice: Choice) -> SeatResponse {
    SeatResponse {
        participant: seat.clone(),
        position: String::new(),
        rationale: Vec::new(),
        concerns: Vec::new(),
        confidence: round.confidence.get(seat).copied().unwrap_or_default(),
        context_challenge: None,
        votes: BTreeMap::from([(point.to_owned(), choice)]),
    }
}

/// Whether a tally lists the votes that were given.
fn check_votes(opening: &Opening, round: &Round, tally: &Tally, answers: &[SeatResponse], found: &mut Findings) {
    let anew = recount(opening, round, &tally.point, answers);
    let blocks = |tally: &Tally| tally.block.iter().map(|block| block.seat.clone()).collect::<Vec<_>>();
    let parts = [
        ("support", names(&tally.support), names(&anew.support)),
        ("stand aside", names(&tally.stand_aside), names(&anew.stand_aside)),
        ("block", names(&blocks(tally)), names(&blocks(&anew))),
    ];
    for (word, said, given) in parts.iter().filter(|(_, said, given)| said != given) {
        let what = format!(
            "the tally of {} lists for `{word}`: {}; the answers give: {}",
            tally.point,
            listed(said),
            listed(given)
        );
        found.error(Some(round.number), None, what, NEXT);
    }
}

fn names(seats: &[SeatId]) -> BTreeSet<SeatId> {
    seats.iter().cloned().collect()
}

fn listed(seats: &BTreeSet<SeatId>) -> String {
    match seats.is_empty() {
        true => "nobody".to_owned(),
        false => seats.iter().map(|seat| &**seat).collect::<Vec<_>>().join(", "),
    }
}

fn result(carried: bool, share: f64) -> String {
    let word = if carried { "carried" } else { "not carried" };
    format!("{word}, {:.0} % support", share * 100.0)
}
