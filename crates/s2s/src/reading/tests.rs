//! Raw replies and what is read from them.

use expect_test::{Expect, expect};
use s2s_engine::step::CallKind;
use s2s_models::Stop;

use super::read;

fn check(kind: CallKind, text: &str, expected: Expect) {
    let got = match read(kind, text, Stop::End) {
        Ok(reading) => format!("{:?}\ndoubts: {:?}", reading.answer, reading.doubts),
        Err(refusal) => format!("refused: {refusal}"),
    };
    expected.assert_eq(&got);
}

#[test]
fn l4_a_fenced_reply_with_prose_around_it_is_read() {
    check(
        CallKind::Question,
        "Sure!\n```yaml\naction: question\nquestion: Which one?\nparticipants: all\nfocus: cost\n```\nDone.",
        expect![[r#"
            Question(Question { question: "Which one?", focus: "cost", context_summary: "", participants: [] })
            doubts: []"#]],
    );
}

#[test]
fn l4_a_wrong_action_is_refused_with_what_is_expected() {
    check(
        CallKind::Question,
        "action: synthesis\nquestion: Which one?",
        expect![[r#"refused: `action` is "synthesis"; it must be "question""#]],
    );
}

#[test]
fn l4_missing_fields_are_refused_by_name() {
    check(
        CallKind::Synthesis,
        "action: synthesis\nsynthesis: We met.",
        expect!["refused: `next_action` is missing; allowed: continue, phase, conclude, escalate"],
    );
}

#[test]
fn a_confidence_out_of_range_is_refused_not_bent() {
    check(
        CallKind::Response,
        "position: yes\nconfidence: 8",
        expect![[r#"refused: `confidence` must be a number from 0.0 to 1.0, not "8""#]],
    );
}

#[test]
fn v1_votes_come_with_their_reasons() {
    check(
        CallKind::Response,
        "position: hold\nconfidence: 0.7\nvotes:\n  C1.1: support\n  C1.2: {vote: block, reason: too slow}\n  C1.3: stand aside",
        expect![[r#"
            Response(Response { position: "hold", rationale: [], concerns: [], confidence: 0.7, context_challenge: None, votes: {"C1.1": Vote { choice: Support, reason: None }, "C1.2": Vote { choice: Block, reason: Some("too slow") }, "C1.3": Vote { choice: StandAside, reason: None }} })
            doubts: []"#]],
    );
}

#[test]
fn v1_a_vote_that_is_no_vote_is_refused() {
    check(
        CallKind::Response,
        "position: hold\nconfidence: 0.7\nvotes: {C1.1: maybe}",
        expect![[r#"refused: the vote on C1.1 is "maybe"; allowed: support, stand_aside, block"#]],
    );
}

#[test]
fn terminal_escapes_never_come_through() {
    check(
        CallKind::Response,
        "position: \u{1b}[31mred\u{1b}[0m flag\nconfidence: 0.7",
        expect![[r#"
            Response(Response { position: "red flag", rationale: [], concerns: [], confidence: 0.7, context_challenge: None, votes: {} })
            doubts: ["took out 2 terminal sequences"]"#]],
    );
}

#[test]
fn escaped_control_characters_never_come_through() {
    check(
        CallKind::Response,
        r#"{"position": "a\u001b[2Jb", "confidence": 0.7}"#,
        expect![[r#"
            Response(Response { position: "ab", rationale: [], concerns: [], confidence: 0.7, context_challenge: None, votes: {} })
            doubts: []"#]],
    );
}

#[test]
fn prose_garbage_and_nothing_are_refused() {
    check(
        CallKind::Response,
        "I think so.",
        expect!["refused: the reply is prose, not YAML: none of the fields was found (position, confidence)"],
    );
    check(CallKind::Response, " \n\t ", expect!["refused: the reply is empty"]);
    let cut = read(CallKind::Response, "position: yes\nconfidence: 0.8", Stop::Length);
    assert!(cut.is_err(), "a reply cut by length is never whole");
    let huge = "x".repeat(super::MAX_REPLY_BYTES + 1);
    assert!(read(CallKind::Response, &huge, Stop::End).is_err());
}
