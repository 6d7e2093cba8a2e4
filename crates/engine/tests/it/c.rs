//! Completion: C1, C3, C4. (C2 is written into documents by the library.)

use expect_test::expect;
use s2s_engine::opening::OutputType;
use s2s_engine::step::Step;
use s2s_engine::{Past, Session, next_step};

use crate::table::{check, play};

#[test]
fn c4_accepted_when_everything_was_carried() {
    check(
        "
        limits min=2
        r
        claim: Use REST
        r
        next: conclude
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              point C1.1 Use REST
              continue -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              vote C1.1 +[a b c] ~[] -[] ?[] share 1 carried
              conclude -> conclude: D6 Nothing is open after 2 rounds
            end accepted: summary
              point C1.1: Use REST
        "#]],
    );
}

#[test]
fn c4_a_recommendation_cannot_raise_the_status() {
    check(
        "
        limits min=1
        r
        next: conclude accepted unanimously
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
fn c4_a_degraded_round_keeps_it_proposed() {
    check(
        "
        limits min=2
        r
        q: fail
        claim: Use REST
        r
        next: conclude
        ",
        expect![[r#"
            r1 discussion asked [a b c] degraded [Question]
              point C1.1 Use REST
              continue -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              vote C1.1 +[a b c] ~[] -[] ?[] share 1 carried
              conclude -> conclude: D6 Nothing is open after 2 rounds
            end proposed: summary
              because: Rounds without a usable reply from the facilitator: 1
              point C1.1: Use REST
        "#]],
    );
}

#[test]
fn c4_a_silent_seat_in_the_last_round_keeps_it_proposed() {
    check(
        "
        limits min=2
        r
        claim: Use REST
        r
        a: fail
        next: conclude
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              point C1.1 Use REST
              continue -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              no response [a]
              vote C1.1 +[b c] ~[] -[] ?[a] share 1 carried
              conclude -> conclude: D6 Nothing is open after 2 rounds
            end proposed: summary
              because: Silent in the last round: a
              point C1.1: Use REST
        "#]],
    );
}

#[test]
fn c4_a_pending_topic_keeps_it_proposed() {
    check(
        "
        limits min=2 max=2
        agenda users
        r
        claim: Use REST
        r
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              point C1.1 Use REST
              continue -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              vote C1.1 +[a b c] ~[] -[] ?[] share 1 carried
              continue -> conclude: D2 Reached maximum rounds limit
            end proposed: summary
              because: Topic "USERS" was not discussed
              point C1.1: Use REST
        "#]],
    );
}

#[test]
fn c4_a_point_voted_down_and_talked_away_keeps_it_proposed() {
    check(
        "
        limits min=1
        policy unanimous
        r
        claim: Use REST; Use JSON
        r
        a: 0.8 | -C1.1=slow
        r
        resolve: use-rest facilitator
        next: conclude
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              point C1.1 Use REST
              point C1.2 Use JSON
              continue -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              vote C1.1 +[b c] ~[] -[a=slow] ?[] share 0.6667 failed
              vote C1.2 +[a b c] ~[] -[] ?[] share 1 carried
              conflict use-rest [a=slow]
              continue -> continue: D7 The discussion goes on
            r3 discussion asked [a b c]
              resolved use-rest (facilitator)
              conclude -> conclude: D6 Nothing is open after 3 rounds
            end proposed: summary
              because: C1.1 was voted down, and nothing was carried in its place
              point C1.2: Use JSON
        "#]],
    );
}

#[test]
fn c4_a_point_carried_in_its_place_earns_it_again() {
    check(
        "
        limits min=1
        policy unanimous
        r
        claim: Use REST
        r
        a: 0.8 | -C1.1=slow
        r
        resolve: use-rest
        claim: Use REST with a cache
        next: conclude
        r
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              point C1.1 Use REST
              continue -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              vote C1.1 +[b c] ~[] -[a=slow] ?[] share 0.6667 failed
              conflict use-rest [a=slow]
              continue -> continue: D7 The discussion goes on
            r3 discussion asked [a b c]
              point C3.1 Use REST with a cache
              resolved use-rest (consensus)
              conclude -> continue: B6 1 point without a vote: a ballot round
            r4 discussion ballot asked [a b c]
              vote C3.1 +[a b c] ~[] -[] ?[] share 1 carried
              conclude -> conclude: D6 Nothing is open after 4 rounds
            end accepted: summary
              point C3.1: Use REST with a cache
        "#]],
    );
}

#[test]
fn c4_a_point_carried_at_the_second_vote_earns_it_again() {
    check(
        "
        limits min=1
        policy unanimous
        r
        claim: Use REST
        r
        a: 0.8 | -C1.1=slow
        r
        claim: Use REST
        r
        next: conclude
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              point C1.1 Use REST
              continue -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              vote C1.1 +[b c] ~[] -[a=slow] ?[] share 0.6667 failed
              conflict use-rest [a=slow]
              continue -> continue: D7 The discussion goes on
            r3 discussion asked [a b c]
              point C3.1 Use REST
              continue -> continue: D7 The discussion goes on
            r4 discussion asked [a b c]
              vote C3.1 +[a b c] ~[] -[] ?[] share 1 carried
              resolved use-rest (consensus)
              conclude -> conclude: D6 Nothing is open after 4 rounds
            end accepted: summary
              point C3.1: Use REST
        "#]],
    );
}

#[test]
fn c4_a_person_may_settle_a_point_voted_down() {
    check(
        "
        limits min=1
        conflict 1
        policy unanimous
        r
        claim: Use REST; Use JSON
        r
        a: 0.8 | -C1.1=slow
        next: conclude so
        rule: decide no REST
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              point C1.1 Use REST
              point C1.2 Use JSON
              continue -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              vote C1.1 +[b c] ~[] -[a=slow] ?[] share 0.6667 failed
              vote C1.2 +[a b c] ~[] -[] ?[] share 1 carried
              conflict use-rest [a=slow]
              conclude -> escalate: E1 "use-rest" has been open for 1 round: The panel did not carry: Use REST
            X1 E1 use-rest [accept decide continue] decide by person -> conclude: D6 Nothing is open after 2 rounds
            end accepted: summary
              point C1.2: Use JSON
        "#]],
    );
}

#[test]
fn c4_a_policy_that_accepts_does_not_earn_it() {
    check(
        "
        limits min=1
        conflict 1
        on accept
        policy unanimous
        r
        claim: Use REST; Use JSON
        r
        a: 0.8 | -C1.1=slow
        next: conclude so
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              point C1.1 Use REST
              point C1.2 Use JSON
              continue -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              vote C1.1 +[b c] ~[] -[a=slow] ?[] share 0.6667 failed
              vote C1.2 +[a b c] ~[] -[] ?[] share 1 carried
              conflict use-rest [a=slow]
              conclude -> escalate: E1 "use-rest" has been open for 1 round: The panel did not carry: Use REST
            X1 E1 use-rest [accept decide continue] accept by policy -> conclude: D6 Nothing is open after 2 rounds
            end proposed: summary
              because: C1.1 was voted down, and nothing was carried in its place
              point C1.2: Use JSON
        "#]],
    );
}

#[test]
fn c1_the_output_type_is_the_flags_then_the_facilitators_then_the_workflows() {
    for (head, round, expected) in [
        ("workflow specs", "", OutputType::Requirements),
        ("workflow design", "", OutputType::Architecture),
        ("workflow brainstorm", "", OutputType::Summary),
        ("workflow specs", "type: adr", OutputType::Adr),
        ("workflow specs\noutput summary", "type: adr", OutputType::Summary),
    ] {
        let session = play(&format!("limits min=1\n{head}\nr\n{round}\nskip\n")).session;
        assert_eq!(session.outcome().map(|outcome| outcome.output_type), Some(expected), "{head} {round}");
    }
}

#[test]
fn c3_a_finished_session_rests_with_its_outcome() {
    let session = play("limits min=1\nr\nnext: conclude use it\n").session;
    assert_eq!(next_step(&session), Step::Rest);
    let outcome = session.outcome().unwrap();
    assert_eq!(outcome.recommendation.as_deref(), Some("use it"));
    let past = Past { rounds: session.rounds().to_vec(), outcome: Some(outcome.clone()), ..Past::default() };
    assert_eq!(next_step(&Session::fold(session.opening().clone(), past)), Step::Rest);
}

#[test]
fn c4_a_seat_that_is_not_sure_keeps_it_proposed_unless_a_person_decides() {
    let scenario = |answer: &str| {
        format!(
            "
        limits min=2
        {answer}
        r
        claim: Use REST
        r
        a: 0.3
        next: conclude it is fine
        {}
        ",
            if answer.is_empty() { "rule: accept" } else { "" }
        )
    };
    check(
        &scenario("on accept"),
        expect![[r#"
        r1 discussion asked [a b c]
          point C1.1 Use REST
          continue -> continue: D7 The discussion goes on
        r2 discussion asked [a b c]
          vote C1.1 +[a b c] ~[] -[] ?[] share 1 carried
          conclude -> escalate: E2 a is not sure: confidence 0.30 is below 0.50
        X1 E2 a in discussion [accept decide continue] accept by policy -> conclude: D6 Nothing is open after 2 rounds
        end proposed: summary
          because: Not sure in the last round: a (0.30)
          point C1.1: Use REST
    "#]],
    );
    check(
        &scenario(""),
        expect![[r#"
        r1 discussion asked [a b c]
          point C1.1 Use REST
          continue -> continue: D7 The discussion goes on
        r2 discussion asked [a b c]
          vote C1.1 +[a b c] ~[] -[] ?[] share 1 carried
          conclude -> escalate: E2 a is not sure: confidence 0.30 is below 0.50
        X1 E2 a in discussion [accept decide continue] accept by person -> conclude: D6 Nothing is open after 2 rounds
        end accepted: summary
          point C1.1: Use REST
    "#]],
    );
}
