//! Escalation: E1 to E8, E10, and the policies of E9.

use expect_test::expect;
use s2s_engine::event::Event;
use s2s_engine::has_word;
use s2s_engine::record::{RuledBy, Ruling};

use crate::table::{check, play, ruling};

#[test]
fn e1_a_conflict_that_grows_old_escalates() {
    check(
        "
        conflict 2
        r
        conflict: cache a=yes b=no
        r
        conflict: auth
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              conflict cache [a=yes b=no]
              continue -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              conflict auth []
              continue -> escalate: E1 "cache" has been open for 2 rounds: About cache
            X1 E1 cache [decide continue] waits for a person
        "#]],
    );
}

#[test]
fn e1_only_rounds_that_track_conflicts_count() {
    check(
        "
        strategy disney
        conflict 1
        r
        conflict: cache
        r
        next: phase
        r
        next: phase
        r
        ",
        expect![[r#"
            r1 dreamer asked [a b c]
              conflict cache []
              continue -> continue: D7 The discussion goes on
            r2 dreamer asked [a b c]
              phase -> phase: D5 "dreamer" has done its work; "realist" comes next
            r3 realist asked [a b c]
              phase -> phase: D5 "realist" has done its work; "critic" comes next
            r4 critic asked [a b c]
              continue -> escalate: E1 "cache" has been open for 1 round: About cache
            X1 E1 cache [decide continue] waits for a person
        "#]],
    );
}

#[test]
fn e1_a_ballot_round_does_not_age_a_conflict() {
    check(
        "
        limits min=1
        conflict 2
        r
        claim: Use REST
        next: conclude
        r
        all: 0.8 | -C1.1=slow
        r
        r
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              point C1.1 Use REST
              conclude -> continue: B6 1 point without a vote: a ballot round
            r2 discussion ballot asked [a b c]
              vote C1.1 +[] ~[] -[a=slow b=slow c=slow] ?[] share 0 failed
              conflict use-rest [a=slow b=slow c=slow]
              conclude -> continue: B2 "use-rest" is still open (next: The panel did not carry: Use REST)
            r3 discussion asked [a b c]
              continue -> continue: D7 The discussion goes on
            r4 discussion asked [a b c]
              continue -> escalate: E1 "use-rest" has been open for 2 rounds: The panel did not carry: Use REST
            X1 E1 use-rest [decide continue] waits for a person
        "#]],
    );
}

#[test]
fn e2_a_seat_that_is_not_sure_escalates() {
    check(
        "
        r
        a: 0.5
        b: 0.49
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              continue -> escalate: E2 b is not sure: confidence 0.49 is below 0.50
            X1 E2 b in discussion [decide continue] waits for a person
        "#]],
    );
}

#[test]
fn e3_a_critical_word_escalates() {
    check(
        "
        words legal must-have
        r
        a: 0.8 Legal? not my field
        b: 0.8 fine | worry: a must-have, and illegal too
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              continue -> escalate: E3 a said "legal"; E3 b said "must-have"
            X1 E3 legal, E3 must-have [decide continue] waits for a person
        "#]],
    );
}

#[test]
fn e4_the_facilitator_asks_for_a_person() {
    check(
        "
        r
        next: escalate ask the owner
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              escalate -> escalate: E4 The facilitator asks for a decision: no reason given
            X1 E4 discussion [accept decide continue] waits for a person
        "#]],
    );
}

#[test]
fn e5_a_challenge_to_the_context_escalates() {
    check(
        "
        r
        a: 0.8 no | doubt: we have two teams, not one
        challenge: a plan for two teams
        challenge: c plan for three
        challenge: z nobody said this
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              doubt facilitator: passed on a challenge by "z", who was not asked
              continue -> escalate: E5 a challenges the stated context: we have two teams, not one; E5 c challenges the stated context: heard
            X1 E5 a in discussion, E5 c in discussion [accept_context keep_context discuss] waits for a person
        "#]],
    );
}

#[test]
fn e6_two_degraded_rounds_in_a_row_escalate_once() {
    check(
        "
        on continue
        conflict 9
        r
        s: fail
        r
        q: fail
        r
        q: fail
        r
        r
        s: fail
        r
        s: fail
        ",
        expect![[r#"
            r1 discussion asked [a b c] degraded [Synthesis]
              conflict needs-resolution [a=view of a b=view of b c=view of c]
              continue -> continue: D7 The discussion goes on (next: Where the positions differ, and what they share)
            r2 discussion asked [a b c] degraded [Question]
              resolved needs-resolution (facilitator)
              continue -> escalate: E6 The facilitator has failed in 2 rounds in a row, since round 1
            X1 E6 since round 1 [decide continue] continue by policy -> continue: D7 The discussion goes on
            r3 discussion asked [a b c] degraded [Question]
              continue -> continue: D7 The discussion goes on
            r4 discussion asked [a b c]
              continue -> continue: D7 The discussion goes on
            r5 discussion asked [a b c] degraded [Synthesis]
              conflict needs-resolution [a=view of a b=view of b c=view of c]
              continue -> continue: D7 The discussion goes on (next: Where the positions differ, and what they share)
            r6 discussion asked [a b c] degraded [Synthesis]
              conflict needs-resolution [a=view of a b=view of b c=view of c]
              continue -> escalate: E6 The facilitator has failed in 2 rounds in a row, since round 5 (next: Where the positions differ, and what they share)
            X2 E6 since round 5 [decide continue] continue by policy -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn e6_a_ballot_round_does_not_end_the_streak() {
    check(
        "
        limits min=1
        r
        q: fail
        claim: Use REST
        next: conclude
        r
        all: 0.8 | -C1.1
        r
        q: fail
        ",
        expect![[r#"
            r1 discussion asked [a b c] degraded [Question]
              point C1.1 Use REST
              conclude -> continue: B6 1 point without a vote: a ballot round
            r2 discussion ballot asked [a b c]
              vote C1.1 +[] ~[] -[a=view of a b=view of b c=view of c] ?[] share 0 failed
              conflict use-rest [a=view of a b=view of b c=view of c]
              conclude -> continue: B2 "use-rest" is still open (next: The panel did not carry: Use REST)
            r3 discussion asked [a b c] degraded [Question]
              continue -> escalate: E6 The facilitator has failed in 2 rounds in a row, since round 1
            X1 E6 since round 1 [decide continue] waits for a person
        "#]],
    );
}

#[test]
fn e7_the_same_cause_does_not_fire_twice() {
    check(
        "
        words legal
        on continue
        r
        a: 0.2 legal
        next: escalate
        r
        a: 0.1 legal
        next: escalate
        r
        b: 0.1 fine
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              escalate -> escalate: E2 a is not sure: confidence 0.20 is below 0.50; E3 a said "legal"; E4 The facilitator asks for a decision: no reason given
            X1 E2 a in discussion, E3 legal, E4 discussion [accept decide continue] continue by policy -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              escalate -> continue: D7 The discussion goes on
            r3 discussion asked [a b c]
              continue -> escalate: E2 b is not sure: confidence 0.10 is below 0.50
            X2 E2 b in discussion [decide continue] continue by policy -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn e7_in_another_phase_it_is_another_cause() {
    check(
        "
        strategy disney
        on continue
        r
        a: 0.2
        next: phase
        r
        a: 0.2
        ",
        expect![[r#"
            r1 dreamer asked [a b c]
              phase -> escalate: E2 a is not sure: confidence 0.20 is below 0.50
            X1 E2 a in dreamer [decide continue] continue by policy -> phase: D5 "dreamer" has done its work; "realist" comes next
            r2 realist asked [a b c]
              continue -> escalate: E2 a is not sure: confidence 0.20 is below 0.50
            X2 E2 a in realist [decide continue] continue by policy -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn e7_a_conflict_left_open_fires_again_after_the_rounds_granted() {
    check(
        "
        conflict 1
        r
        conflict: cache
        rule: continue 2
        r
        r
        rule: continue 1
        r
        rule: decide no cache
        r
        conflict: cache
        rule: continue 1
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              conflict cache []
              continue -> escalate: E1 "cache" has been open for 1 round: About cache
            X1 E1 cache [decide continue] continue by person -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              continue -> continue: D7 The discussion goes on
            r3 discussion asked [a b c]
              continue -> escalate: E1 "cache" has been open for 3 rounds: About cache
            X2 E1 cache [decide continue] continue by person -> continue: D7 The discussion goes on
            r4 discussion asked [a b c]
              continue -> escalate: E1 "cache" has been open for 4 rounds: About cache
            X3 E1 cache [decide continue] decide by person -> continue: D7 The discussion goes on
            r5 discussion asked [a b c]
              conflict cache []
              continue -> escalate: E1 "cache" has been open for 1 round: About cache
            X4 E1 cache [decide continue] continue by person -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

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
fn e2_does_not_apply_where_nobody_is_asked() {
    let played = play("strategy six-hats\nfloor 1.1\nr\n");
    assert!(played.session.escalations().is_empty());
}

#[test]
fn e3_words_are_whole_words_in_any_case() {
    for (text, word, expected) in [
        ("Security first", "security", true),
        ("(security)", "security", true),
        ("insecurity", "security", false),
        ("securityless", "security", false),
        ("non-blocking", "blocking", false),
        ("blocking-queue", "blocking", false),
        ("blocking - and slow", "blocking", true),
        ("blocking-", "blocking", true),
        ("security_champion", "security", false),
        ("a MUST-HAVE.", "must-have", true),
        ("look at all angles", "all angles", true),
        ("SÉCURITÉ", "sécurité", true),
        ("insécurité", "sécurité", false),
        ("これは安全の問題です", "安全", true),
        ("보안이 중요하다", "보안", true),
        ("éa", "a", false),
        ("", "legal", false),
        ("legal", "", false),
        ("legal", " legal ", true),
    ] {
        assert_eq!(has_word(text, word), expected, "{word:?} in {text:?}");
    }
}

#[test]
fn e5_an_accepted_challenge_becomes_the_context() {
    let challenge = "r\na: 0.8 | doubt: two teams\nb: 0.8 | doubt: no budget\nchallenge: a Plan for two teams\n";
    let context = |rule: &str| {
        let played = play(&format!("{challenge}rule: {rule}\n"));
        played.session.context_changes().iter().map(|change| change.text.clone()).collect::<Vec<_>>()
    };
    assert_eq!(context("accept_context"), ["Plan for two teams\nno budget"]);
    assert_eq!(context("accept_context We are two teams"), ["We are two teams"]);
    assert!(context("keep_context").is_empty());
    assert!(context("discuss 2").is_empty());
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

#[test]
fn e7_a_shorter_grant_takes_no_round_back() {
    let later = "r\nnext: escalate\nrule: continue 1\n";
    let played = play(&format!("conflict 1\nr\nconflict: cache\nrule: continue 4\n{later}r\nr\n"));
    let fired: Vec<u32> = played.session.escalations().iter().map(|escalation| escalation.round).collect();
    assert_eq!(fired, [1, 2]);
    assert_eq!(played.session.rounds().len(), 4);
}
