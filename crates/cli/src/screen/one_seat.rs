//! A round as one seat had it: what it was asked, what it answered, how it voted, what it held in a conflict.
//! Given a round and its answers; hands on text. The facilitator's part is the question and the synthesis.
//! Deliberately absent: what the others said.

use s2s::engine::opening::FACILITATOR;
use s2s::engine::record::{Round, SeatResponse, Tally};

use super::marks::Mark;
use super::page::Page;
use super::{round, words};

/// A round of one seat.
pub(super) fn round(page: &mut Page<'_>, round: &Round, seat: &str, answers: Option<&[SeatResponse]>) {
    let dot = if page.style().ascii { "|" } else { "·" };
    page.part(&format!("Round {} {dot} {} {dot} {seat}", round.number, round.phase));
    page.rich_row("Question", &round.question);
    if seat == FACILITATOR {
        page.rich_row("Synthesis", &round.synthesis);
        round::decision(page, "Decision", &round.decision);
        return;
    }
    let own = answers.and_then(|answers| answers.iter().find(|answer| *answer.participant == *seat));
    match own {
        Some(response) => round::answer(page, response),
        None => page.row("Answer", &missing(round, seat)),
    }
    page.label("Votes");
    for (tally, vote) in round.tallies.iter().filter_map(|tally| Some((tally, vote(tally, seat)?))) {
        let mark = if tally.carried { Mark::Done } else { Mark::Failed };
        page.item(mark, &tally.point, &vote);
    }
    page.label("Conflicts");
    for conflict in &round.conflicts {
        for (_, position) in conflict.positions.iter().filter(|(holder, _)| ***holder == *seat) {
            page.item(Mark::Alert, &conflict.id, position);
        }
    }
}

/// Why there is no answer to show.
fn missing(round: &Round, seat: &str) -> String {
    let named = |seats: &[s2s::engine::opening::SeatId]| seats.iter().any(|known| **known == *seat);
    match round.confidence.iter().find(|(known, _)| ***known == *seat) {
        Some((_, sure)) => format!("confidence {}; the answer itself is not in the record", words::confidence(*sure)),
        None if named(&round.no_response) => "none: asked, and gave no usable one".to_owned(),
        None if named(&round.asked) => "none in the record".to_owned(),
        None => "not asked in this round".to_owned(),
    }
}

fn vote(tally: &Tally, seat: &str) -> Option<String> {
    let is = |known: &s2s::engine::opening::SeatId| **known == *seat;
    if let Some(block) = tally.block.iter().find(|block| is(&block.seat)) {
        return Some(format!("blocks: {}", block.reason));
    }
    let voted = [(&tally.support, "supports"), (&tally.stand_aside, "stands aside"), (&tally.no_vote, "did not vote")];
    voted.iter().find(|(seats, _)| seats.iter().any(is)).map(|(_, word)| (*word).to_owned())
}
