//! What is proved of a strategy before anyone speaks.

use expect_test::expect;
use s2s_catalog::Catalog;
use s2s_catalog::bounds::{most_calls, unreachable};
use s2s_engine::opening::Limits;

#[test]
fn every_shipped_strategy_ends_and_its_calls_are_bounded() {
    let report = Catalog::builtin().check();
    let lines = report.strategies.iter().map(|facts| {
        let bounds = &facts.bounds;
        format!(
            "{}: {} seats, {}..{} rounds, {} calls, certain {}/{}\n",
            facts.name,
            facts.seats,
            bounds.least_rounds,
            bounds.most_rounds,
            bounds.most_calls,
            bounds.certain_phases.len(),
            facts.phases.len(),
        )
    });
    expect![[r#"
        standard: 3 seats, 1..20 rounds, 200 calls, certain 1/1
        disney: 3 seats, 3..20 rounds, 200 calls, certain 2/3
        debate: 3 seats, 3..20 rounds, 202 calls, certain 2/3
        consensus-driven: 3 seats, 3..20 rounds, 200 calls, certain 2/3
        six-hats: 3 seats, 7..20 rounds, 194 calls, certain 3/7
        direct: 3 seats, 1..20 rounds, 120 calls, certain 1/1
    "#]]
    .assert_eq(&lines.collect::<String>());
}

#[track_caller]
fn check(strategy: &str, limits: Limits, seats: usize, calls: u64) {
    let entry = Catalog::builtin().strategy(strategy).expect("a strategy");
    assert_eq!(most_calls(&entry.value, &limits, seats), calls);
}

#[test]
fn the_most_calls_follow_from_rounds_seats_and_attempts() {
    let rounds = |max_rounds| Limits { max_rounds, ..Limits::default() };
    // One round: 2 question + 2 per seat + 2 synthesis.
    check("standard", rounds(1), 3, 10);
    check("standard", rounds(5), 3, 50);
    check("standard", rounds(5), 5, 70);
    // The sides come once, in two attempts.
    check("debate", rounds(3), 4, 2 + 3 * 12);
    // The opening of the hats asks nobody and lasts its one round.
    check("six-hats", rounds(1), 3, 4);
    check("six-hats", rounds(4), 3, 4 + 3 * 10);
    // In the closing a ballot (2 per seat) may stand in for the facilitator's round (4).
    let short = Limits { max_rounds: 9, max_rounds_per_phase: 1, ..Limits::default() };
    check("six-hats", short, 3, 4 + 5 * 10 + 3 * 6);
    check("six-hats", short, 2, 4 + 5 * 8 + 3 * 4);
    // A budget of calls is never gone beyond.
    check("standard", Limits { max_calls: Some(21), ..rounds(20) }, 3, 21);
}

#[test]
fn a_short_session_cuts_off_the_last_phases() {
    let entry = Catalog::builtin().strategy("six-hats").expect("a strategy");
    let limits = Limits { max_rounds: 6, ..Limits::default() };
    assert_eq!(
        unreachable(&entry.value, &limits),
        [(
            6,
            "the phase `blue-closing` can never be reached: the phases before it take at least 6 \
             rounds, and max_rounds is 6"
                .to_owned()
        )]
    );
}
