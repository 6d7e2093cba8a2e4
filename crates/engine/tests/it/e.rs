//! Escalation: what fires, and how often: E1 to E7. What is answered is in `rulings.rs`.

use expect_test::expect;
use s2s_engine::has_word;

use crate::table::{check, play};

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
              continue -> escalate: E3 a said "legal": Legal? not my field; E3 b said "must-have": a must-have, and illegal too
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
              escalate -> escalate: E2 a is not sure: confidence 0.20 is below 0.50; E3 a said "legal": legal; E4 The facilitator asks for a decision: no reason given
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
fn e7_a_shorter_grant_takes_no_round_back() {
    let later = "r\nnext: escalate\nrule: continue 1\n";
    let played = play(&format!("conflict 1\nr\nconflict: cache\nrule: continue 4\n{later}r\nr\n"));
    let fired: Vec<u32> = played.session.escalations().iter().map(|escalation| escalation.round).collect();
    assert_eq!(fired, [1, 2]);
    assert_eq!(played.session.rounds().len(), 4);
}
