//! The loop: L1, L2, L4, L5, L7. (L3 is rendered and L6 is written by those who drive the engine.)

use expect_test::expect;
use jiff::Timestamp;
use s2s_engine::event::Event;
use s2s_engine::record::Usage;
use s2s_engine::reply::{Answer, Response};
use s2s_engine::step::{Brief, CallId, Step};
use s2s_engine::{NEEDS_RESOLUTION, Past, Session, next_step};

use crate::table::{Table, check, play};

#[test]
fn l1_a_round_is_question_responses_synthesis_decision() {
    check(
        "
        show asks
        r
        claim: Use REST
        r
        ",
        expect![[r#"
              ask r1.question.facilitator.1
              ask r1.response.a.1
              ask r1.response.b.1
              ask r1.response.c.1
              ask r1.synthesis.facilitator.1
            r1 discussion asked [a b c]
              point C1.1 Use REST
              continue -> continue: D7 The discussion goes on
              ask r2.question.facilitator.1
              ask r2.response.a.1 on ["C1.1"]
              ask r2.response.b.1 on ["C1.1"]
              ask r2.response.c.1 on ["C1.1"]
              ask r2.synthesis.facilitator.1
            r2 discussion asked [a b c]
              vote C1.1 +[a b c] ~[] -[] ?[] share 1 carried
              continue -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn l2_seats_that_speak_in_turn_are_asked_one_at_a_time() {
    check(
        "
        strategy sequential
        show asks
        r
        b: refuse; 0.8 second try
        ",
        expect![[r#"
              ask r1.question.facilitator.1
              ask r1.response.a.1
              ask r1.response.b.1
              ask r1.response.b.2 again: not YAML
              ask r1.response.c.1
              ask r1.synthesis.facilitator.1
            r1 discussion asked [a b c]
              doubt b: reply 1 refused: not YAML
              continue -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn l2_a_question_to_some_asks_only_those() {
    check(
        "
        r
        q: Who pays? -> c A
        r
        q: Who else? -> nobody
        r
        q: All -> all
        ",
        expect![[r#"
            r1 discussion asked [a c]
              continue -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              doubt facilitator: asked for "nobody", who is not at the table
              continue -> continue: D7 The discussion goes on
            r3 discussion asked [a b c]
              continue -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn l2_a_phase_that_asks_nobody_moves_on_whatever_is_proposed() {
    check(
        "
        strategy six-hats
        minround blue-opening 2
        r
        next: conclude
        r
        next: continue
        r
        ",
        expect![[r#"
            r1 blue-opening asked []
              conclude -> continue: L2 "blue-opening" has held 1 of 2 rounds
            r2 blue-opening asked []
              continue -> phase: L2 "blue-opening" asks no seats and is done
            r3 white asked [a b c]
              continue -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn l2_the_last_phase_that_asks_nobody_ends_as_proposed() {
    check(
        "
        strategy six-hats
        limits min=1
        r
        r
        next: phase
        r
        next: phase
        r
        next: phase
        r
        next: phase
        r
        next: phase
        r
        claim: Use REST
        next: conclude
        r
        ",
        expect![[r#"
            r1 blue-opening asked []
              continue -> phase: L2 "blue-opening" asks no seats and is done
            r2 white asked [a b c]
              phase -> phase: D5 "white" has done its work; "red" comes next
            r3 red asked [a b c]
              phase -> phase: D5 "red" has done its work; "black" comes next
            r4 black asked [a b c]
              phase -> phase: D5 "black" has done its work; "yellow" comes next
            r5 yellow asked [a b c]
              phase -> phase: D5 "yellow" has done its work; "green" comes next
            r6 green asked [a b c]
              phase -> phase: D5 "green" has done its work; "blue-closing" comes next
            r7 blue-closing asked []
              point C7.1 Use REST
              conclude -> continue: B6 1 point without a vote: a ballot round
            r8 blue-closing ballot asked [a b c]
              vote C7.1 +[a b c] ~[] -[] ?[] share 1 carried
              conclude -> conclude: D6 Nothing is open after 8 rounds
            end accepted: summary
              point C7.1: Use REST
        "#]],
    );
}

#[test]
fn l4_an_unreadable_reply_is_retried_once_with_the_error() {
    check(
        "
        show asks
        r
        q: refuse
        s: refuse
        ",
        expect![[r#"
              ask r1.question.facilitator.1
              ask r1.question.facilitator.2 again: not YAML
              ask r1.response.a.1
              ask r1.response.b.1
              ask r1.response.c.1
              ask r1.synthesis.facilitator.1
              ask r1.synthesis.facilitator.2 again: not YAML
            r1 discussion asked [a b c]
              doubt facilitator: reply 1 refused: not YAML
              doubt facilitator: reply 1 refused: not YAML
              continue -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn l4_a_second_failure_falls_back_and_is_marked() {
    check(
        "
        show asks
        r
        q: refuse; refuse
        s: refuse; refuse
        a: 0.8 the gateway needs caching
        b: 0.8 caching at the gateway
        r
        q: fail
        next: conclude
        r
        ",
        expect![[r#"
              ask r1.question.facilitator.1
              ask r1.question.facilitator.2 again: not YAML
              ask r1.response.a.1
              ask r1.response.b.1
              ask r1.response.c.1
              ask r1.synthesis.facilitator.1
              ask r1.synthesis.facilitator.2 again: not YAML
            r1 discussion asked [a b c] degraded [Question, Synthesis]
              conflict needs-resolution [a=the gateway needs caching b=caching at the gateway c=view of c]
              doubt facilitator: reply 1 refused: not YAML
              doubt facilitator: reply 2 refused: not YAML
              doubt facilitator: reply 1 refused: not YAML
              doubt facilitator: reply 2 refused: not YAML
              continue -> continue: D7 The discussion goes on (next: Where the positions differ, and what they share)
              ask r2.question.facilitator.1
              ask r2.response.a.1
              ask r2.response.b.1
              ask r2.response.c.1
              ask r2.synthesis.facilitator.1
            r2 discussion asked [a b c] degraded [Question]
              resolved needs-resolution (facilitator)
              conclude -> escalate: E6 The facilitator has failed in 2 rounds in a row, since round 1
            X1 E6 since round 1 [accept decide continue] waits for a person
        "#]],
    );
}

#[test]
fn l4_a_missing_field_counts_as_unreadable() {
    check(
        "
        show asks
        r
        q: blank
        s: empty
        r
        next: conclude -
        r
        ",
        expect![[r#"
              ask r1.question.facilitator.1
              ask r1.question.facilitator.2 again: `question` is empty
              ask r1.response.a.1
              ask r1.response.b.1
              ask r1.response.c.1
              ask r1.synthesis.facilitator.1
              ask r1.synthesis.facilitator.2 again: `synthesis` is empty
            r1 discussion asked [a b c]
              doubt facilitator: reply 1 refused: `question` is empty
              doubt facilitator: reply 1 refused: `synthesis` is empty
              continue -> continue: D7 The discussion goes on
              ask r2.question.facilitator.1
              ask r2.response.a.1
              ask r2.response.b.1
              ask r2.response.c.1
              ask r2.synthesis.facilitator.1
              ask r2.synthesis.facilitator.2 again: `recommendation` is required with `next_action: conclude`
            r2 discussion asked [a b c] degraded [Synthesis]
              conflict needs-resolution [a=view of a b=view of b c=view of c]
              doubt facilitator: reply 1 refused: `recommendation` is required with `next_action: conclude`
              doubt facilitator: reply 2 refused: `recommendation` is required with `next_action: conclude`
              continue -> continue: D7 The discussion goes on (next: Where the positions differ, and what they share)
              ask r3.question.facilitator.1
              ask r3.response.a.1
              ask r3.response.b.1
              ask r3.response.c.1
              ask r3.synthesis.facilitator.1
            r3 discussion asked [a b c]
              resolved needs-resolution (facilitator)
              continue -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn l4_a_real_synthesis_after_a_fallback_question_resolves_needs_resolution() {
    check(
        "
        r
        s: fail
        r
        q: fail
        ",
        expect![[r#"
            r1 discussion asked [a b c] degraded [Synthesis]
              conflict needs-resolution [a=view of a b=view of b c=view of c]
              continue -> continue: D7 The discussion goes on (next: Where the positions differ, and what they share)
            r2 discussion asked [a b c] degraded [Question]
              resolved needs-resolution (facilitator)
              continue -> escalate: E6 The facilitator has failed in 2 rounds in a row, since round 1
            X1 E6 since round 1 [decide continue] waits for a person
        "#]],
    );
}

#[test]
fn l5_a_silent_seat_is_recorded_and_the_round_goes_on() {
    check(
        "
        r
        a: fail
        b: refuse; refuse
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              no response [a b]
              doubt b: reply 1 refused: not YAML
              doubt b: reply 2 refused: not YAML
              continue -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn l5_when_nobody_answers_the_session_pauses_and_a_resume_asks_again() {
    check(
        "
        limits min=1
        show asks
        r
        all: fail; 0.8
        next: conclude
        resume
        ",
        expect![[r#"
              ask r1.question.facilitator.1
              ask r1.response.a.1
              ask r1.response.b.1
              ask r1.response.c.1
            paused: nobody answered (a timed out, b timed out, c timed out)
              ask r1.response.a.1
              ask r1.response.b.1
              ask r1.response.c.1
              ask r1.synthesis.facilitator.1
            r1 discussion asked [a b c]
              conclude -> continue: B5 Everyone agrees at once and is sure: one probing question first
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn l5_when_nobody_answers_nothing_is_committed() {
    check(
        "
        r
        q: Who? -> b
        b: fail
        ",
        expect![[r#"
            paused: nobody answered (b timed out)
        "#]],
    );
}

#[test]
fn l1_nothing_of_the_next_round_starts_before_the_commit() {
    let (mut session, _) = at_commit();
    let call: CallId = "r2.question.facilitator.1".parse().unwrap();
    let asked = Event::Asked { call, at: Timestamp::UNIX_EPOCH };
    assert!(matches!(next_step(&session), Step::Commit { .. }));
    let misfit = session.apply(asked.clone()).unwrap_err();
    assert_eq!(misfit.to_string(), "r2.question.facilitator.1 does not fit: round 1 is under way");
    session.apply(Event::Committed).unwrap();
    session.apply(asked).unwrap();
}

#[test]
fn l1_what_a_person_does_never_changes_a_round() {
    let scenario = "limits min=1\nr\nnext: escalate\nrule: decide so\nsay: think of the users\nr\nskip\n";
    let played = play(scenario);
    let alone = play("limits min=1\nr\nnext: escalate\n");
    assert_eq!(played.session.rounds()[0], alone.session.rounds()[0]);
    assert_eq!(played.session.interventions().len(), 2);
    assert_eq!(played.session.escalations().len(), 1);
}

#[test]
fn l2_no_brief_of_a_parallel_round_depends_on_an_answer_of_it() {
    let (mut session, mut table) = asked_everyone();
    let Step::Ask(before) = next_step(&session) else { panic!("seats are asked") };
    let call = before[1].clone();
    let event = table.answer(&call);
    session.apply(event).unwrap();
    let Step::Ask(after) = next_step(&session) else { panic!("two are missing") };
    assert_eq!(after, [before[0].clone(), before[2].clone()]);
}

#[test]
fn l2_a_synthesis_before_the_answers_does_not_fit() {
    let (mut session, mut table) = asked_everyone();
    let call: CallId = "r1.synthesis.facilitator.1".parse().unwrap();
    let event = table.answer(&Brief { call, retry_reason: None, ballot: Default::default() });
    assert!(session.apply(event).unwrap_err().to_string().contains("not awaited"));
}

#[test]
fn l7_a_resumed_round_asks_only_what_is_missing() {
    let (session, mut table) = asked_everyone();
    let Step::Ask(briefs) = next_step(&session) else { panic!("seats are asked") };
    let mut tape = Vec::new();
    let question: CallId = "r1.question.facilitator.1".parse().unwrap();
    tape.push(table.answer(&Brief { call: question, retry_reason: None, ballot: Default::default() }));
    tape.push(table.answer(&briefs[2]));
    let mut resumed = Session::fold(session.opening().clone(), Past::default());
    for event in tape {
        resumed.apply(event).unwrap();
    }
    let Step::Ask(missing) = next_step(&resumed) else { panic!("two are missing") };
    let calls: Vec<String> = missing.iter().map(|brief| brief.call.to_string()).collect();
    assert_eq!(calls, ["r1.response.a.1", "r1.response.b.1"]);
}

#[test]
fn l7_an_answer_is_taken_once() {
    let (mut session, mut table) = asked_everyone();
    let Step::Ask(briefs) = next_step(&session) else { panic!("seats are asked") };
    let event = table.answer(&briefs[0]);
    session.apply(event.clone()).unwrap();
    assert!(session.apply(event).is_err());
    let again = Event::Asked { call: briefs[0].call.clone(), at: Timestamp::UNIX_EPOCH };
    assert!(session.apply(again).is_err());
}

#[test]
fn l5_a_crash_after_the_first_new_question_of_a_resumed_round_asks_the_others_too() {
    let table = Table::read("strategy sequential\nr\n");
    let at = Timestamp::UNIX_EPOCH;
    let call = |text: &str| text.parse::<CallId>().unwrap();
    let mut session = Session::open(table.opening().clone());
    session
        .apply(Event::Failed {
            call: call("r1.question.facilitator.1"),
            at,
            error: "down".into(),
            usage: Default::default(),
        })
        .unwrap();
    for seat in ["a", "b", "c"] {
        let call = call(&format!("r1.response.{seat}.1"));
        session.apply(Event::Failed { call, at, error: "down".into(), usage: Default::default() }).unwrap();
    }
    assert!(matches!(next_step(&session), Step::Pause(_)));
    session.apply(Event::Asked { call: call("r1.response.a.1"), at }).unwrap();
    let response = Response { position: "yes".into(), confidence: 0.8, ..Response::default() };
    let answer = Answer::Response(response);
    let usage = Usage::default();
    session
        .apply(Event::Answered { call: call("r1.response.a.1"), at, answer, doubts: vec![], stand_in: None, usage })
        .unwrap();
    let Step::Ask(briefs) = next_step(&session) else { panic!("b is asked") };
    assert_eq!(briefs[0].call, call("r1.response.b.1"));
}

#[test]
fn l4_the_fallbacks_say_what_the_rules_say() {
    let played = play("r\nq: fail\ns: fail\na: 0.8 the gateway needs caching\nb: 0.8 caching with care\n");
    let round = &played.session.rounds()[0];
    assert_eq!(round.question, "What are the key considerations for the topic?");
    assert_eq!(round.focus, "Core requirements");
    assert!(round.synthesis.contains("Common themes: caching."), "{}", round.synthesis);
    assert!(round.consensus.is_empty());
    let [conflict] = round.conflicts.as_slice() else { panic!("one conflict") };
    assert_eq!((conflict.id.as_str(), conflict.positions.len()), (NEEDS_RESOLUTION, 3));
}

fn asked_everyone() -> (Session, Table) {
    let mut table = Table::read("r\n");
    let mut session = Session::open(table.opening().clone());
    let Step::Ask(briefs) = next_step(&session) else { panic!("the question comes first") };
    let event = table.answer(&briefs[0]);
    session.apply(event).unwrap();
    (session, table)
}

fn at_commit() -> (Session, Table) {
    let (mut session, mut table) = asked_everyone();
    while let Step::Ask(briefs) = next_step(&session) {
        for brief in briefs {
            let event = table.answer(&brief);
            session.apply(event).unwrap();
        }
    }
    (session, table)
}
