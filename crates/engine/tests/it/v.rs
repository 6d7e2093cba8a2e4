//! The ballot: V1 to V4.

use std::fmt::Write as _;

use expect_test::expect;

use crate::table::{check, play};

#[test]
fn v1_points_are_voted_on_in_the_next_round_that_asks_all() {
    check(
        "
        show asks
        r
        claim: Use REST
        r
        q: only you -> a
        claim: Use JSON
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
              ask r2.response.a.1
              ask r2.synthesis.facilitator.1
            r2 discussion asked [a]
              point C2.1 Use JSON
              continue -> continue: D7 The discussion goes on
              ask r3.question.facilitator.1
              ask r3.response.a.1 on ["C1.1", "C2.1"]
              ask r3.response.b.1 on ["C1.1", "C2.1"]
              ask r3.response.c.1 on ["C1.1", "C2.1"]
              ask r3.synthesis.facilitator.1
            r3 discussion asked [a b c]
              vote C1.1 +[a b c] ~[] -[] ?[] share 1 carried
              vote C2.1 +[a b c] ~[] -[] ?[] share 1 carried
              continue -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn v1_a_phase_that_asks_nobody_carries_no_ballot() {
    check(
        "
        strategy six-hats
        show asks
        r
        claim: Use REST
        r
        next: phase
        ",
        expect![[r#"
              ask r1.question.facilitator.1
              ask r1.synthesis.facilitator.1
            r1 blue-opening asked []
              point C1.1 Use REST
              continue -> phase: L2 "blue-opening" asks no seats and is done
              ask r2.question.facilitator.1
              ask r2.response.a.1 on ["C1.1"]
              ask r2.response.b.1 on ["C1.1"]
              ask r2.response.c.1 on ["C1.1"]
              ask r2.synthesis.facilitator.1
            r2 white asked [a b c]
              vote C1.1 +[a b c] ~[] -[] ?[] share 1 carried
              phase -> phase: D5 "white" has done its work; "red" comes next
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn v1_a_debate_votes_only_in_its_ballot_round() {
    check(
        "
        strategy debate
        limits min=1
        show asks
        r
        sides: a b | c
        claim: Use REST
        next: phase
        r
        next: phase
        r
        next: conclude
        r
        ",
        expect![[r#"
              ask r1.sides.facilitator.1
              ask r1.question.facilitator.1
              ask r1.response.a.1
              ask r1.response.b.1
              ask r1.response.c.1
              ask r1.synthesis.facilitator.1
            r1 opening asked [a b c]
              point C1.1 Use REST
              phase -> phase: D5 "opening" has done its work; "rebuttal" comes next
              ask r2.question.facilitator.1
              ask r2.response.a.1
              ask r2.response.b.1
              ask r2.response.c.1
              ask r2.synthesis.facilitator.1
            r2 rebuttal asked [a b c]
              phase -> phase: D5 "rebuttal" has done its work; "closing" comes next
              ask r3.question.facilitator.1
              ask r3.response.a.1
              ask r3.response.b.1
              ask r3.response.c.1
              ask r3.synthesis.facilitator.1
            r3 closing asked [a b c]
              conclude -> continue: B6 1 point without a vote: a ballot round
              ask r4.response.a.1 on ["C1.1"]
              ask r4.response.b.1 on ["C1.1"]
              ask r4.response.c.1 on ["C1.1"]
            r4 closing ballot asked [a b c]
              vote C1.1 +[a b c] ~[] -[] ?[] share 1 carried
              conclude -> conclude: D6 Nothing is open after 4 rounds
            end accepted: summary
              point C1.1: Use REST
        "#]],
    );
}

#[test]
fn v1_votes_on_points_that_were_not_put_are_dropped() {
    check(
        "
        r
        claim: Use REST
        r
        a: 0.8 | +C9.9 -C1.2
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              point C1.1 Use REST
              continue -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              vote C1.1 +[a b c] ~[] -[] ?[] share 1 carried
              doubt a: voted on a point that was not put to it
              continue -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn v2_stand_asides_and_missing_votes_are_not_cast() {
    check(
        "
        policy unanimous
        seats a b c d
        r
        claim: Use REST
        r
        a: 0.8 | ~C1.1
        b: fail
        ",
        expect![[r#"
            r1 discussion asked [a b c d]
              point C1.1 Use REST
              continue -> continue: D7 The discussion goes on
            r2 discussion asked [a b c d]
              no response [b]
              vote C1.1 +[c d] ~[a] -[] ?[b] share 1 carried
              continue -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn v2_fewer_than_half_casting_carries_nothing() {
    check(
        "
        policy consent
        seats a b c d e
        r
        claim: Use REST; Use JSON
        r
        a: 0.8 | ~C1.1 ~C1.2
        b: 0.8 | ?C1.1 ?C1.2
        c: 0.8 | ~C1.1
        ",
        expect![[r#"
            r1 discussion asked [a b c d e]
              point C1.1 Use REST
              point C1.2 Use JSON
              continue -> continue: D7 The discussion goes on
            r2 discussion asked [a b c d e]
              vote C1.1 +[d e] ~[a c] -[] ?[b] share 1 failed
              vote C1.2 +[c d e] ~[a] -[] ?[b] share 1 carried
              conflict use-rest []
              continue -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn v3_a_failed_point_becomes_a_conflict_with_the_reasons() {
    check(
        "
        policy unanimous
        r
        claim: Use REST for the API
        r
        a: 0.8 | -C1.1=slow
        b: 0.8 I want queues | -C1.1
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              point C1.1 Use REST for the API
              continue -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              vote C1.1 +[c] ~[] -[a=slow b=I want queues] ?[] share 0.3333 failed
              conflict use-rest-for-the-api [a=slow b=I want queues]
              continue -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn v3_points_that_begin_alike_become_two_conflicts() {
    check(
        "
        policy unanimous
        r
        claim: Keep every order event in the primary database store for a year; Keep every order event in the primary database store for good
        r
        a: 0.8 | -C1.1=long -C1.2=longer
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              point C1.1 Keep every order event in the primary database store for a year
              point C1.2 Keep every order event in the primary database store for good
              continue -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              vote C1.1 +[b c] ~[] -[a=long] ?[] share 0.6667 failed
              vote C1.2 +[b c] ~[] -[a=longer] ?[] share 0.6667 failed
              conflict keep-every-order-event-in-the-primary-database [a=long]
              conflict keep-every-order-event-in-the-primary-database-c1-2 [a=longer]
              continue -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn v3_a_point_claimed_again_is_voted_on_anew_and_closes_its_conflict() {
    check(
        "
        policy unanimous
        limits min=1
        r
        claim: Use REST
        r
        a: 0.8 | -C1.1=slow
        r
        claim: use rest.
        r
        conflict: use-rest
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
              point C3.1 use rest.
              continue -> continue: D7 The discussion goes on
            r4 discussion asked [a b c]
              vote C3.1 +[a b c] ~[] -[] ?[] share 1 carried
              resolved use-rest (consensus)
              conclude -> conclude: D6 Nothing is open after 4 rounds
            end accepted: summary
              point C3.1: use rest.
        "#]],
    );
}

#[test]
fn v3_claims_in_other_scripts_do_not_become_one_conflict() {
    check(
        "
        policy unanimous
        r
        claim: 書き込みは一か所; 読み取りは三か所
        r
        a: 0.8 | -C1.1 -C1.2
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              point C1.1 書き込みは一か所
              point C1.2 読み取りは三か所
              continue -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              vote C1.1 +[b c] ~[] -[a=view of a] ?[] share 0.6667 failed
              vote C1.2 +[b c] ~[] -[a=view of a] ?[] share 0.6667 failed
              conflict 書き込みは一か所 [a=view of a]
              conflict 読み取りは三か所 [a=view of a]
              continue -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn v4_a_ballot_round_needs_no_facilitator_and_adds_no_points() {
    check(
        "
        limits min=1
        show asks
        r
        claim: Use REST
        next: conclude
        r
        claim: Sneaked in
        ",
        expect![[r#"
              ask r1.question.facilitator.1
              ask r1.response.a.1
              ask r1.response.b.1
              ask r1.response.c.1
              ask r1.synthesis.facilitator.1
            r1 discussion asked [a b c]
              point C1.1 Use REST
              conclude -> continue: B6 1 point without a vote: a ballot round
              ask r2.response.a.1 on ["C1.1"]
              ask r2.response.b.1 on ["C1.1"]
              ask r2.response.c.1 on ["C1.1"]
            r2 discussion ballot asked [a b c]
              vote C1.1 +[a b c] ~[] -[] ?[] share 1 carried
              conclude -> conclude: D6 Nothing is open after 2 rounds
            end accepted: summary
              point C1.1: Use REST
        "#]],
    );
}

#[test]
fn v4_a_ballot_round_asks_all_seats_even_where_the_phase_asks_nobody() {
    check(
        "
        strategy six-hats
        limits min=1 phase=1
        r
        r
        r
        r
        r
        r
        claim: Use REST
        r
        next: conclude
        r
        ",
        expect![[r#"
            r1 blue-opening asked []
              continue -> phase: L2 "blue-opening" asks no seats and is done
            r2 white asked [a b c]
              continue -> phase: D4 "white" has held its 1 round
            r3 red asked [a b c]
              continue -> phase: D4 "red" has held its 1 round
            r4 black asked [a b c]
              continue -> phase: D4 "black" has held its 1 round
            r5 yellow asked [a b c]
              continue -> phase: D4 "yellow" has held its 1 round
            r6 green asked [a b c]
              point C6.1 Use REST
              continue -> phase: D4 "green" has held its 1 round
            r7 blue-closing asked []
              conclude -> continue: B6 1 point without a vote: a ballot round
            r8 blue-closing ballot asked [a b c]
              vote C6.1 +[a b c] ~[] -[] ?[] share 1 carried
              conclude -> conclude: D6 Nothing is open after 8 rounds
            end accepted: summary
              point C6.1: Use REST
        "#]],
    );
}

/// Votes as `seat=choice,confidence,family` in words: `+.8one` = support, 0.8, family `one`.
fn carried(policy: &str, votes: &str) -> (f64, bool) {
    let mut seats = String::new();
    let mut round = String::new();
    for (index, vote) in votes.split_whitespace().enumerate() {
        let seat = ["a", "b", "c", "d", "e"][index];
        let (choice, rest) = vote.split_at(1);
        let (confidence, family) = rest.split_at(2);
        let _ = write!(seats, " {seat}={family}");
        let _ = writeln!(round, "{seat}: 0{confidence} x | {choice}C1.1");
    }
    let played = play(&format!("floor 0\npolicy {policy}\nseats{seats}\nr\nclaim: Use REST\nr\n{round}"));
    let tally = &played.session.rounds()[1].tallies[0];
    (tally.share, tally.carried)
}

#[test]
fn v2_each_policy_counts_its_own_way() {
    for (policy, votes, share, result) in [
        ("unanimous", "+.8x +.1x +.5x", 1.0, true),
        ("unanimous", "+.8x +.8x -.1x", 0.6667, false),
        ("simple_majority", "+.1x +.1x -.9x", 0.6667, true),
        ("simple_majority", "+.9x +.9x -.1x -.1x", 0.5, false),
        ("weighted_majority 0.6", "+.6x -.4x", 0.6, true),
        ("weighted_majority 0.6", "+.5x -.4x", 0.5556, false),
        ("weighted_majority 0.6", "+.9x -.1x -.1x", 0.8182, true),
        ("weighted_majority 0.6", "+.0x +.0x", 0.0, false),
        ("consent", "+.1x ~.9x +.1x", 1.0, true),
        ("consent", "+.9x +.9x -.1x", 0.6667, false),
        ("facilitator_judgment", "+.9x -.9x", 0.5, true),
        ("facilitator_judgment", "+.9x -.9x -.9x", 0.3333, false),
    ] {
        assert_eq!(carried(policy, votes), (share, result), "{policy}: {votes}");
    }
}

#[test]
fn v2_one_family_is_capped_where_several_vote() {
    for (votes, share, result) in [
        ("+.8x +.8x +.8x -.8x", 0.75, true),
        ("+.8x +.8x +.8x -.8y", 0.5, false),
        ("+.8x +.8x +.8x ~.8y", 1.0, true),
        ("+.8x +.8x +.8x +.8x -.0y", 1.0, true),
        ("+.8x +.8x +.8x -.8y -.8z", 0.5, false),
        ("+.8x +.8x +.8x -.4y +.4z", 0.75, true),
    ] {
        assert_eq!(carried("weighted_majority 0.6", votes), (share, result), "{votes}");
    }
}

#[test]
fn v3_tallies_are_stored_in_the_round_that_voted() {
    let played = play("r\nclaim: Use REST\nr\nr\n");
    let votes: Vec<usize> = played.session.rounds().iter().map(|round| round.tallies.len()).collect();
    assert_eq!(votes, [0, 1, 0]);
}

#[test]
fn v4_a_ballot_round_counts_for_the_total_and_not_for_the_phase() {
    let session = play("limits min=1\nr\nclaim: Use REST\nnext: conclude\nr\nall: 0.8 | -C1.1=no\nr\n").session;
    assert_eq!((session.rounds().len(), session.rounds_in_phase()), (3, 2));
}

/// Three seats of one family and one of another, which alone blocks: under the cap it weighs as much as they do. Where
/// a model of the first family stood in for it, there is one family, and four votes count one each.
#[test]
fn v2_a_vote_counts_for_the_family_that_cast_it() {
    let share = |more: &str| {
        let head = "seats a=x b=x c=x d=y\npolicy simple_majority 0.6\nlimits min=1\nr\nclaim: Use REST\nr\n";
        let session = play(&format!("{head}d: 0.8 | -C1.1=slow\n{more}")).session;
        let round = &session.rounds()[1];
        (round.tallies[0].share, round.stand_ins.len())
    };
    assert_eq!(share(""), (0.5, 0));
    assert_eq!(share("standin: d x\n"), (0.75, 1));
}
