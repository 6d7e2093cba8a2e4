//! Two sides: T3. (T1, T2 and T4 are settings, read by the catalog and the command line.)

use expect_test::expect;

use crate::table::{check, play};

#[test]
fn t3_without_flags_the_facilitator_assigns_the_sides() {
    check(
        "
        strategy debate
        show asks
        r
        sides: b | a c
        ",
        expect![[r#"
              ask r1.sides.facilitator.1
              ask r1.question.facilitator.1
              ask r1.response.a.1
              ask r1.response.b.1
              ask r1.response.c.1
              ask r1.synthesis.facilitator.1
            r1 opening asked [a b c]
              continue -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn t3_an_assignment_that_does_not_fit_is_refused_then_dealt_in_seat_order() {
    check(
        "
        strategy debate
        show asks
        seats a b c d
        r
        sides: a b c | d; a b | c z
        ",
        expect![[r#"
              ask r1.sides.facilitator.1
              ask r1.sides.facilitator.2 again: the sides must be of equal size, or differ by one: 3 for, 1 against
              ask r1.question.facilitator.1
              ask r1.response.a.1
              ask r1.response.b.1
              ask r1.response.c.1
              ask r1.response.d.1
              ask r1.synthesis.facilitator.1
            r1 opening asked [a b c d]
              doubt facilitator: reply 1 refused: the sides must be of equal size, or differ by one: 3 for, 1 against
              doubt facilitator: reply 2 refused: "z" is not at the table
              doubt facilitator: gave no usable sides; they were dealt in seat order
              continue -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn t3_no_reply_deals_the_sides_in_seat_order() {
    check(
        "
        strategy debate
        r
        sides: fail
        ",
        expect![[r#"
            r1 opening asked [a b c]
              doubt facilitator: gave no usable sides; they were dealt in seat order
              continue -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn t3_every_seat_is_on_one_side_in_every_phase() {
    let rounds = "next: phase\nr\n".repeat(2);
    let session = play(&format!("strategy debate\nr\nsides: c | a b\n{rounds}")).session;
    let sides = ["a", "b", "c"].map(|seat| session.side_of(seat));
    assert_eq!(sides, [Some("con"), Some("con"), Some("pro")]);
    assert_eq!(session.opening().sides.as_ref().unwrap().proposal, "the topic");
    assert_eq!(session.rounds().len(), 3);
}

#[test]
fn t3_refusals_say_what_is_wrong() {
    for (sides, expected) in [
        ("a b c d |", "the sides must be of equal size, or differ by one: 4 for, 0 against"),
        ("a b | c", "\"d\" must be on exactly one side"),
        ("a b | b c d", "\"b\" must be on exactly one side"),
        ("a b | c d e", "\"e\" is not at the table"),
    ] {
        let played = play(&format!("strategy debate\nseats a b c d\nr\nsides: {sides}; a b | c d\n"));
        assert_eq!(played.session.rounds()[0].doubts[0].what, format!("reply 1 refused: {expected}"));
        assert_eq!(played.session.side_of("b"), Some("pro"));
    }
}
