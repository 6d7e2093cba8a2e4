//! What blocks a conclusion: B1 to B6, and P1.

use expect_test::expect;
use s2s_engine::PROBING_QUESTIONS;

use crate::table::{check, play};

#[test]
fn b1_says_how_many_rounds_are_missing() {
    check(
        "
        limits min=2
        r
        next: conclude
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              conclude -> continue: B1 Minimum rounds not reached (1/2), continuing
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn b2_names_the_open_conflict_and_targets_it() {
    check(
        "
        limits min=1
        r
        conflict: cache
        conflict: auth
        next: conclude
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              conflict cache []
              conflict auth []
              conclude -> continue: B2 2 conflicts are still open, first "auth" (next: About auth)
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn b3_the_next_question_targets_the_topic() {
    check(
        "
        limits min=1
        agenda rules users!
        r
        next: conclude
        r
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              conclude -> continue: B3 "USERS" is pending (next: USERS)
            r2 discussion asked [a b c]
              continue -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn b4_holds_min_rounds_like_d5() {
    check(
        "
        strategy disney
        limits min=1
        minround dreamer 2
        r
        next: conclude
        r
        next: conclude
        ",
        expect![[r#"
            r1 dreamer asked [a b c]
              conclude -> continue: B4 "dreamer" has held 1 of at least 2 rounds
            r2 dreamer asked [a b c]
              conclude -> phase: B4 "realist" has not been held yet
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn b5_is_not_asked_while_the_agenda_blocks() {
    check(
        "
        limits min=1
        agenda users!
        r
        all: 0.9
        next: conclude
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              conclude -> continue: B3 "USERS" is pending (next: USERS)
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn b6_a_failed_ballot_goes_back_to_discussion() {
    check(
        "
        limits min=1
        r
        claim: Use REST
        next: conclude
        r
        a: 0.8 | -C1.1=slow
        b: 0.8 | -C1.1=old
        r
        resolve: use-rest facilitator
        next: conclude
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              point C1.1 Use REST
              conclude -> continue: B6 1 point without a vote: a ballot round
            r2 discussion ballot asked [a b c]
              vote C1.1 +[c] ~[] -[a=slow b=old] ?[] share 0.3333 failed
              conflict use-rest [a=slow b=old]
              conclude -> continue: B2 "use-rest" is still open (next: The panel did not carry: Use REST)
            r3 discussion asked [a b c]
              resolved use-rest (facilitator)
              conclude -> conclude: D6 Nothing is open after 3 rounds
            end proposed: summary
              because: The panel has carried no point
              because: C1.1 was voted down, and nothing was carried in its place
        "#]],
    );
}

#[test]
fn p1_never_outside_the_last_phase() {
    check(
        "
        strategy disney
        limits min=1
        r
        all: 0.9
        next: conclude
        ",
        expect![[r#"
            r1 dreamer asked [a b c]
              conclude -> phase: B4 "realist" has not been held yet
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn p1_one_seat_that_doubts_is_enough_to_skip_it() {
    check(
        "
        limits min=1
        r
        a: 0.9
        b: 0.9
        c: 0.79
        next: conclude
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              conclude -> conclude: D6 Nothing is open after 1 round
            end proposed: summary
              because: The panel has carried no point
        "#]],
    );
}

#[test]
fn p1_also_fires_together_with_b1() {
    check(
        "
        r
        all: 0.9
        next: conclude
        r
        all: 0.9
        next: conclude
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              conclude -> continue: B1 Minimum rounds not reached (1/3), continuing; B5 Everyone agrees at once and is sure: one probing question first
            r2 discussion probing asked [a b c]
              conclude -> continue: B1 Minimum rounds not reached (2/3), continuing; B5 Everyone agrees at once and is sure: one probing question first
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn b2_the_target_of_a_block_becomes_the_next_focus() {
    let played = play("limits min=1\nr\nconflict: cache\nnext: conclude\n");
    let decision = played.session.last_decision().unwrap();
    assert_eq!(decision.next_focus.as_deref(), Some("About cache"));
}

#[test]
fn p1_asks_each_probing_question_once() {
    let round = "r\nall: 0.9\nnext: conclude\n";
    let played = play(&format!("limits min=1\n{}", round.repeat(3)));
    let probes: Vec<&str> =
        played.session.rounds().iter().filter(|round| round.probing).map(|round| round.question.as_str()).collect();
    assert_eq!(probes, PROBING_QUESTIONS[..2]);
}
