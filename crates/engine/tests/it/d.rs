//! The decision: D1 to D8. The blocks of D6 one by one are in `b.rs`.

use expect_test::expect;

use crate::table::check;

#[test]
fn d1_a_person_skips_to_the_end() {
    check(
        "
        r
        claim: Use REST
        conflict: cache
        skip
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              point C1.1 Use REST
              conflict cache []
              continue -> continue: D7 The discussion goes on
            end proposed: summary
              because: The panel has carried no point
              because: Points without a vote: C1.1
              because: Conflict "cache" is open
              point C1.1 (unvoted): Use REST
              unresolved cache: About cache
        "#]],
    );
}

#[test]
fn d1_a_skip_leaves_a_pending_question_unanswered() {
    check(
        "
        r
        next: escalate
        skip
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              escalate -> escalate: E4 The facilitator asks for a decision: no reason given
            end proposed: summary
              because: The panel has carried no point
        "#]],
    );
}

#[test]
fn d2_the_round_limit_concludes_whatever_is_open() {
    check(
        "
        limits min=1 max=2
        r
        claim: Use REST
        conflict: cache
        r
        claim: Use JSON
        a: 0.1 lost
        next: escalate
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              point C1.1 Use REST
              conflict cache []
              continue -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              vote C1.1 +[a b c] ~[] -[] ?[] share 1 carried
              point C2.1 Use JSON
              escalate -> conclude: D2 Reached maximum rounds limit
            end proposed: summary
              because: Points without a vote: C2.1
              because: Conflict "cache" is open
              because: Not sure in the last round: a (0.10)
              point C1.1: Use REST
              point C2.1 (unvoted): Use JSON
              unresolved cache: About cache
        "#]],
    );
}

#[test]
fn d2_a_budget_that_is_reached_concludes() {
    check(
        "
        limits min=1
        r
        r
        budget: Reached the budget of 12 calls
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              continue -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              continue -> continue: D7 The discussion goes on
            end proposed: summary
              because: The panel has carried no point
        "#]],
    );
}

#[test]
fn d3_one_escalation_lists_all_causes() {
    check(
        "
        words legal
        r
        a: 0.3 hm
        b: 0.9 this is a legal question
        c: 0.9 no | doubt: we have no budget
        next: escalate
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              escalate -> escalate: E2 a is not sure: confidence 0.30 is below 0.50; E3 b said "legal": this is a legal question; E4 The facilitator asks for a decision: no reason given; E5 c challenges the stated context: we have no budget
            X1 E2 a in discussion, E3 legal, E4 discussion, E5 c in discussion [accept decide continue accept_context keep_context discuss] waits for a person
        "#]],
    );
}

#[test]
fn d4_a_full_phase_moves_on() {
    check(
        "
        strategy disney
        limits min=1 phase=2
        agenda users!
        r
        r
        r
        r
        r
        r
        ",
        expect![[r#"
            r1 dreamer asked [a b c]
              continue -> continue: D7 The discussion goes on
            r2 dreamer asked [a b c]
              continue -> phase: D4 "dreamer" has held its 2 rounds
            r3 realist asked [a b c]
              continue -> continue: D7 The discussion goes on
            r4 realist asked [a b c]
              continue -> phase: D4 "realist" has held its 2 rounds
            r5 critic asked [a b c]
              continue -> continue: D7 The discussion goes on
            r6 critic asked [a b c]
              continue -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn d5_a_phase_is_left_after_its_min_rounds() {
    check(
        "
        strategy disney
        minround dreamer 2
        r
        next: phase
        r
        next: phase
        r
        ",
        expect![[r#"
            r1 dreamer asked [a b c]
              phase -> continue: D5 "dreamer" has held 1 of at least 2 rounds
            r2 dreamer asked [a b c]
              phase -> phase: D5 "dreamer" has done its work; "realist" comes next
            r3 realist asked [a b c]
              continue -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn d5_a_phase_proposed_in_the_last_phase_is_a_proposal_to_conclude() {
    check(
        "
        limits min=1
        r
        all: 0.7
        next: phase
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              phase -> conclude: D6 Nothing is open after 1 round
            end proposed: summary
              because: The panel has carried no point
        "#]],
    );
}

#[test]
fn d6_three_carried_points_conclude_by_themselves() {
    check(
        "
        limits min=2
        r
        claim: One; Two; Three
        r
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              point C1.1 One
              point C1.2 Two
              point C1.3 Three
              continue -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              vote C1.1 +[a b c] ~[] -[] ?[] share 1 carried
              vote C1.2 +[a b c] ~[] -[] ?[] share 1 carried
              vote C1.3 +[a b c] ~[] -[] ?[] share 1 carried
              continue -> conclude: D6 Nothing is open after 2 rounds
            end accepted: summary
              point C1.1: One
              point C1.2: Two
              point C1.3: Three
        "#]],
    );
}

#[test]
fn d6_b4_a_later_phase_comes_before_the_end() {
    check(
        "
        strategy disney
        limits min=1
        r
        next: conclude
        r
        next: conclude
        r
        next: conclude
        ",
        expect![[r#"
            r1 dreamer asked [a b c]
              conclude -> phase: B4 "realist" has not been held yet
            r2 realist asked [a b c]
              conclude -> phase: B4 "critic" has not been held yet
            r3 critic asked [a b c]
              conclude -> conclude: D6 Nothing is open after 3 rounds
            end proposed: summary
              because: The panel has carried no point
        "#]],
    );
}

#[test]
fn d6_b1_not_before_min_rounds() {
    check(
        "
        r
        next: conclude
        r
        next: conclude
        r
        next: conclude
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              conclude -> continue: B1 Minimum rounds not reached (1/3), continuing
            r2 discussion asked [a b c]
              conclude -> continue: B1 Minimum rounds not reached (2/3), continuing
            r3 discussion asked [a b c]
              conclude -> conclude: D6 Nothing is open after 3 rounds
            end proposed: summary
              because: The panel has carried no point
        "#]],
    );
}

#[test]
fn d6_b2_an_open_conflict_blocks() {
    check(
        "
        limits min=1
        r
        conflict: cache
        next: conclude
        r
        resolve: cache
        next: conclude
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              conflict cache []
              conclude -> continue: B2 "cache" is still open (next: About cache)
            r2 discussion asked [a b c]
              resolved cache (consensus)
              conclude -> conclude: D6 Nothing is open after 2 rounds
            end proposed: summary
              because: The panel has carried no point
        "#]],
    );
}

#[test]
fn d6_b3_a_pending_topic_or_a_critical_partial_one_blocks() {
    check(
        "
        limits min=1
        agenda users! rules
        r
        cover: users=partial
        next: conclude
        r
        cover: rules=partial
        next: conclude
        r
        cover: users=covered
        next: conclude
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              conclude -> continue: B3 "USERS" is partial (next: USERS)
            r2 discussion asked [a b c]
              conclude -> continue: B3 "USERS" is partial (next: USERS)
            r3 discussion asked [a b c]
              conclude -> conclude: D6 Nothing is open after 3 rounds
            end proposed: summary
              because: The panel has carried no point
        "#]],
    );
}

#[test]
fn d6_b5_and_p1_easy_consensus_is_probed() {
    check(
        "
        limits min=1
        show asks
        r
        all: 0.9
        next: conclude
        r
        all: 0.9
        next: conclude
        r
        all: 0.9
        next: conclude
        ",
        expect![[r#"
              ask r1.question.facilitator.1
              ask r1.response.a.1
              ask r1.response.b.1
              ask r1.response.c.1
              ask r1.synthesis.facilitator.1
            r1 discussion asked [a b c]
              conclude -> continue: B5 Everyone agrees at once and is sure: one probing question first
              ask r2.response.a.1
              ask r2.response.b.1
              ask r2.response.c.1
              ask r2.synthesis.facilitator.1
            r2 discussion probing asked [a b c]
              conclude -> continue: B5 Everyone agrees at once and is sure: one probing question first
              ask r3.response.a.1
              ask r3.response.b.1
              ask r3.response.c.1
              ask r3.synthesis.facilitator.1
            r3 discussion probing asked [a b c]
              conclude -> conclude: D6 Nothing is open after 3 rounds
            end proposed: summary
              because: The panel has carried no point
        "#]],
    );
}

#[test]
fn d6_b6_points_without_a_vote_get_a_ballot_round() {
    check(
        "
        limits min=1
        r
        claim: Use REST
        next: conclude
        r
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              point C1.1 Use REST
              conclude -> continue: B6 1 point without a vote: a ballot round
            r2 discussion ballot asked [a b c]
              vote C1.1 +[a b c] ~[] -[] ?[] share 1 carried
              conclude -> conclude: D6 Nothing is open after 2 rounds
            end accepted: summary
              point C1.1: Use REST
        "#]],
    );
}

#[test]
fn d6_all_blocks_are_recorded_in_order_and_only_a_lone_b6_holds_a_ballot() {
    check(
        "
        agenda users
        r
        claim: Use REST
        conflict: cache
        next: conclude
        r
        resolve: cache
        cover: users=covered
        claim: Use JSON
        next: conclude
        r
        next: conclude
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              point C1.1 Use REST
              conflict cache []
              conclude -> continue: B1 Minimum rounds not reached (1/3), continuing; B2 "cache" is still open; B3 "USERS" is pending (next: About cache)
            r2 discussion asked [a b c]
              vote C1.1 +[a b c] ~[] -[] ?[] share 1 carried
              point C2.1 Use JSON
              resolved cache (consensus)
              conclude -> continue: B1 Minimum rounds not reached (2/3), continuing
            r3 discussion asked [a b c]
              vote C2.1 +[a b c] ~[] -[] ?[] share 1 carried
              conclude -> conclude: D6 Nothing is open after 3 rounds
            end accepted: summary
              point C1.1: Use REST
              point C2.1: Use JSON
        "#]],
    );
}

#[test]
fn d7_otherwise_the_discussion_goes_on() {
    check(
        "
        r
        claim: Use REST
        r
        next: escalate
        rule: continue 1
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              point C1.1 Use REST
              continue -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              vote C1.1 +[a b c] ~[] -[] ?[] share 1 carried
              escalate -> escalate: E4 The facilitator asks for a decision: no reason given
            X1 E4 discussion [accept decide continue] continue by person -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn d8_after_a_ruling_the_same_proposal_is_decided_again() {
    check(
        "
        limits min=1
        conflict 1
        r
        conflict: cache a=yes b=no
        next: conclude
        rule: decide no cache
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              conflict cache [a=yes b=no]
              conclude -> escalate: E1 "cache" has been open for 1 round: About cache
            X1 E1 cache [accept decide continue] decide by person -> conclude: D6 Nothing is open after 1 round
            end proposed: summary
              because: The panel has carried no point
        "#]],
    );
}

#[test]
fn d8_blocks_still_hold_after_a_ruling() {
    check(
        "
        limits min=3
        r
        a: 0.2
        next: conclude
        rule: accept
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              conclude -> escalate: E2 a is not sure: confidence 0.20 is below 0.50
            X1 E2 a in discussion [accept decide continue] accept by person -> continue: B1 Minimum rounds not reached (1/3), continuing
            (the scenario ends here)
        "#]],
    );
}
