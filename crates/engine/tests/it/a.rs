//! The agenda: A1, A2, A4. (A3 is what the catalog ships and the screen shows.)

use expect_test::expect;
use s2s_engine::opening::Coverage;

use crate::table::{check, play};

#[test]
fn a4_the_first_phase_is_not_left_while_a_topic_is_pending() {
    check(
        "
        strategy disney
        agenda users
        r
        next: phase
        r
        cover: users=partial
        next: phase
        r
        ",
        expect![[r#"
            r1 dreamer asked [a b c]
              phase -> continue: A4 "USERS" is still pending, so "dreamer" is not left (next: USERS)
            r2 dreamer asked [a b c]
              phase -> phase: D5 "dreamer" has done its work; "realist" comes next
            r3 realist asked [a b c]
              continue -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn a4_holds_the_first_phase_that_asks_seats() {
    check(
        "
        strategy six-hats
        agenda users
        r
        next: phase
        r
        next: phase
        r
        cover: users=covered
        next: phase
        r
        next: phase
        r
        ",
        expect![[r#"
            r1 blue-opening asked []
              phase -> phase: L2 "blue-opening" asks no seats and is done
            r2 white asked [a b c]
              phase -> continue: A4 "USERS" is still pending, so "white" is not left (next: USERS)
            r3 white asked [a b c]
              phase -> phase: D5 "white" has done its work; "red" comes next
            r4 red asked [a b c]
              phase -> phase: D5 "red" has done its work; "black" comes next
            r5 black asked [a b c]
              continue -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn a4_a_full_phase_is_left_all_the_same() {
    check(
        "
        strategy disney
        limits phase=1
        agenda users
        r
        next: phase
        ",
        expect![[r#"
            r1 dreamer asked [a b c]
              phase -> phase: D4 "dreamer" has held its 1 round
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn a1_coverage_starts_pending_and_never_falls_back() {
    use Coverage::{Covered, Partial, Pending};
    let after = |rounds: &str| play(&format!("agenda users! rules\n{rounds}")).session.coverage().to_vec();
    assert_eq!(after("r\n"), [Pending, Pending]);
    assert_eq!(after("r\ncover: users=covered RULES=partial\n"), [Covered, Partial]);
    assert_eq!(
        after("r\ncover: users=covered rules=partial\nr\ncover: users=pending rules=pending\n"),
        [Covered, Partial]
    );
    assert_eq!(after("r\ncover: users=covered users=partial else=covered\n"), [Covered, Pending]);
}

#[test]
fn a1_every_round_records_every_topic() {
    let played = play("agenda users! rules\nr\ncover: users=partial\nr\n");
    for round in played.session.rounds() {
        let coverage: Vec<String> =
            round.agenda_coverage.iter().map(|covered| format!("{} {}", covered.topic, covered.status)).collect();
        assert_eq!(coverage, ["users partial", "rules pending"]);
    }
}

#[test]
fn a2_a_question_names_the_first_pending_topic_critical_ones_first() {
    let played = play("agenda rules users! nfr!\nr\nr\nq: Which RULES?\ncover: users=partial nfr=partial\nr\n");
    let focus: Vec<&str> = played.session.rounds().iter().map(|round| round.focus.as_str()).collect();
    assert_eq!(focus, ["USERS: focus 1", "USERS: focus 2", "RULES: focus 3"]);
    let played = play("agenda rules\nr\nq: Which rules are there?\n");
    assert_eq!(played.session.rounds()[0].focus, "focus 1");
}

#[test]
fn a2_the_fallback_question_names_it_too() {
    let played = play("agenda users\nr\nq: fail\n");
    assert_eq!(played.session.rounds()[0].focus, "USERS: Core requirements");
}
