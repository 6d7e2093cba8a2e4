//! Rulings: E8, E10, and the policies of E9.

use expect_test::expect;
use s2s_engine::event::Event;
use s2s_engine::record::{RuledBy, Ruling};

use crate::said::ruling;
use crate::table::{check, play};

#[test]
fn e8_accepting_resolves_the_conflicts_concerned() {
    check(
        "
        limits min=1
        conflict 2
        r
        conflict: cache
        r
        conflict: auth
        next: conclude use a cache
        rule: accept
        r
        resolve: auth
        next: conclude
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              conflict cache []
              continue -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              conflict auth []
              conclude -> escalate: E1 "cache" has been open for 2 rounds: About cache
            X1 E1 cache [accept decide continue] accept by person -> continue: B2 "auth" is still open
            r3 discussion asked [a b c]
              resolved auth (consensus)
              conclude -> conclude: D6 Nothing is open after 3 rounds
            end proposed: summary
              because: The panel has carried no point
        "#]],
    );
}

#[test]
fn e8_without_a_recommendation_accept_is_not_offered_and_a_policy_goes_on() {
    check(
        "
        conflict 1
        on accept
        r
        conflict: cache
        a: 0.8 | doubt: wrong country
        r
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              conflict cache []
              continue -> escalate: E1 "cache" has been open for 1 round: About cache; E5 a challenges the stated context: wrong country
            X1 E1 cache, E5 a in discussion [decide continue accept_context keep_context discuss] continue by policy -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              continue -> escalate: E1 "cache" has been open for 2 rounds: About cache
            X2 E1 cache [decide continue] continue by policy -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn e8_go_on_by_a_person_holds_the_end_back() {
    check(
        "
        limits min=1
        r
        a: 0.2
        next: conclude
        rule: continue 2
        r
        next: conclude
        r
        next: conclude
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              conclude -> escalate: E2 a is not sure: confidence 0.20 is below 0.50
            X1 E2 a in discussion [accept decide continue] continue by person -> continue: E8 A person asked to go on; rounds left: 2
            r2 discussion asked [a b c]
              conclude -> continue: E8 A person asked to go on; rounds left: 1
            r3 discussion asked [a b c]
              conclude -> conclude: D6 Nothing is open after 3 rounds
            end proposed: summary
              because: The panel has carried no point
        "#]],
    );
}

#[test]
fn e8_go_on_by_a_policy_does_not() {
    check(
        "
        limits min=1
        on continue
        r
        a: 0.2
        next: conclude
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              conclude -> escalate: E2 a is not sure: confidence 0.20 is below 0.50
            X1 E2 a in discussion [accept decide continue] continue by policy -> conclude: D6 Nothing is open after 1 round
            end proposed: summary
              because: The panel has carried no point
              because: Not sure in the last round: a (0.20)
        "#]],
    );
}

#[test]
fn e8_accepting_a_challenge_changes_the_context() {
    check(
        "
        r
        a: 0.8 | doubt: we have two teams
        rule: accept_context
        r
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              continue -> escalate: E5 a challenges the stated context: we have two teams
            X1 E5 a in discussion [accept_context keep_context discuss] accept_context by person -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              continue -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn e9_pause_waits_for_a_person() {
    check(
        "
        on pause
        r
        a: 0.2
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              continue -> escalate: E2 a is not sure: confidence 0.20 is below 0.50
            X1 E2 a in discussion [decide continue] waits for a person
        "#]],
    );
}

#[test]
fn e9_accept_takes_the_recommendation() {
    check(
        "
        on accept
        limits min=1
        r
        conflict: cache
        next: escalate use a cache
        r
        next: conclude
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              conflict cache []
              escalate -> escalate: E4 The facilitator asks for a decision: no reason given
            X1 E4 discussion [accept decide continue] accept by policy -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              conclude -> conclude: D6 Nothing is open after 2 rounds
            end proposed: summary
              because: The panel has carried no point
        "#]],
    );
}

#[test]
fn e9_a_policy_never_changes_the_context() {
    check(
        "
        on accept
        r
        a: 0.8 | doubt: we have two teams
        r
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              continue -> escalate: E5 a challenges the stated context: we have two teams
            X1 E5 a in discussion [accept_context keep_context discuss] keep_context by policy -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              continue -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn e9_continue_goes_on() {
    check(
        "
        on continue
        r
        a: 0.8 | doubt: we have two teams
        r
        a: 0.1
        next: escalate do it
        r
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              continue -> escalate: E5 a challenges the stated context: we have two teams
            X1 E5 a in discussion [accept_context keep_context discuss] discuss by policy -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              escalate -> escalate: E2 a is not sure: confidence 0.10 is below 0.50; E4 The facilitator asks for a decision: no reason given
            X2 E2 a in discussion, E4 discussion [accept decide continue] continue by policy -> continue: D7 The discussion goes on
            r3 discussion asked [a b c]
              continue -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn e10_escalations_are_numbered_and_settled_one_at_a_time() {
    check(
        "
        on continue
        r
        a: 0.1
        r
        b: 0.1
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              continue -> escalate: E2 a is not sure: confidence 0.10 is below 0.50
            X1 E2 a in discussion [decide continue] continue by policy -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              continue -> escalate: E2 b is not sure: confidence 0.10 is below 0.50
            X2 E2 b in discussion [decide continue] continue by policy -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn e8_a_ruling_must_be_one_of_the_options_and_say_what_it_decides() {
    let mut session = play("r\na: 0.1\n").session;
    let mut refused = |line: &str, by: RuledBy| {
        let ruling = Ruling { by, ..ruling(line) };
        session.apply(Event::Ruled(Box::new(ruling))).unwrap_err().to_string()
    };
    assert_eq!(refused("accept", RuledBy::Person), "ruling \"accept\" does not fit: X1 offers decide, continue");
    let silent = "ruling \"decide\" does not fit: an own decision on X1 needs its text";
    assert_eq!(refused("decide", RuledBy::Person), silent);
    let policy = "ruling \"decide\" does not fit: only a person may choose \"decide\"";
    assert_eq!(refused("decide so", RuledBy::Policy), policy);
}

#[test]
fn e8_granted_rounds_never_overflow() {
    let lines = format!("conflict 1\nlimits min=1\nr\nconflict: cache\nrule: continue {}\nr\n", u32::MAX);
    let played = play(&lines);
    assert_eq!(played.session.rounds().len(), 2);
}

#[test]
fn e10_a_ruling_without_a_question_does_not_fit() {
    let mut session = play("r\n").session;
    let misfit = session.apply(Event::Ruled(Box::new(ruling("continue")))).unwrap_err();
    assert_eq!(misfit.to_string(), "ruling \"continue\" does not fit: no escalation is pending");
}

#[test]
fn e10_the_record_holds_causes_positions_and_ruling() {
    let played = play("conflict 1\nr\na: 0.3 for it\nconflict: cache b=against\nrule: decide no\n");
    let [escalation] = played.session.escalations() else { panic!("one escalation") };
    assert_eq!((escalation.id.as_str(), escalation.round), ("X1", 1));
    assert_eq!(escalation.causes.iter().map(|cause| cause.rule.as_str()).collect::<Vec<_>>(), ["E1", "E2"]);
    assert_eq!(escalation.positions["a"], "for it");
    assert_eq!(escalation.conflicts, ["cache"]);
    let ruling = escalation.ruling.as_ref().unwrap();
    assert_eq!((ruling.text.as_deref(), ruling.by), (Some("no"), RuledBy::Person));
}
