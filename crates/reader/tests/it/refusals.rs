//! What is refused, and in which words: they are told to the model in the next attempt.

use expect_test::{Expect, expect};
use s2s_reader::{Kind, read};

fn check(kind: Kind, text: &str, expected: Expect) {
    match read(kind, text) {
        Ok(reading) => panic!("read as {:?}\n{text}", reading.value),
        Err(refusal) => expected.assert_eq(&refusal.to_string()),
    }
}

#[test]
fn a_refusal_says_what_is_wrong() {
    check(Kind::Response, " \n", expect!["the reply is empty"]);
    check(
        Kind::Response,
        "I would use Postgres.",
        expect!["the reply is prose, not YAML: none of the fields was found (position, confidence)"],
    );
    check(Kind::Response, "rationale: [a]\nconfidence: 0.8", expect!["`position` is missing or empty"]);
    check(Kind::Response, "position: yes", expect!["`confidence` is missing; it must be a number from 0.0 to 1.0"]);
    check(
        Kind::Response,
        "position: yes\nconfidence: 7",
        expect![[r#"`confidence` must be a number from 0.0 to 1.0, not "7""#]],
    );
    check(
        Kind::Response,
        "position: <string>\nconfidence: 0.5",
        expect![[r#"`position` is the placeholder "<string>""#]],
    );
    check(
        Kind::Response,
        "position: yes\nposition: no\nconfidence: 0.5",
        expect!["`position` is given twice with different values; give it once"],
    );
    check(
        Kind::Response,
        "position: yes\nconfidence: 0.5\nrationale:\n  - a\n  - ...",
        expect![[r#"`rationale` leaves items out ("..."); give them all"#]],
    );
    check(
        Kind::Synthesis,
        "action: synthesis\nsynthesis: met\nnext_action: continue or conclude",
        expect![[r#"`next_action` is "continue or conclude"; allowed: continue, phase, conclude, escalate"#]],
    );
    check(
        Kind::Response,
        "{\"error\": {\"message\": \"overloaded\"}}",
        expect!["the reply is an error, not an answer: overloaded"],
    );
    check(
        Kind::Response,
        "<think>\nposition: yes\nconfidence: 0.5",
        expect!["the thoughts in the reply are not closed; give the answer after them"],
    );
    check(
        Kind::Response,
        "position: yes\nconfidence: 0.5\n---\nposition: no\nconfidence: 0.5",
        expect!["the reply holds two different answers; give one"],
    );
}

#[test]
fn quotes_that_cannot_be_told_apart_are_not_blamed_on_a_cut() {
    let reply = "{\"position\": \"He said \"yes\", \"no\" and left\", \"confidence\": 0.8, \"rationale\": [\"a\"]}";
    check(
        Kind::Response,
        reply,
        expect!["a text in the reply holds quotes that cannot be told from its own; escape them"],
    );
    let reply = "{\"position\": \"yes\", \"confidence\": 0.8, \"rationale\": [\"a\" // ... remaining items omitted\n]}";
    check(Kind::Response, reply, expect!["the reply leaves parts out; give all items of every list"]);
}

#[test]
fn what_was_cut_off_is_never_taken_as_whole() {
    let whole = r#"{"position": "yes", "confidence": 0.8, "rationale": ["one", "two"], "concerns": ["three"]}"#;
    assert!(read(Kind::Response, whole).is_ok());
    // Without its last brace it is complete; cut anywhere before that it is not.
    assert!(read(Kind::Response, &whole[..whole.len() - 1]).is_ok());
    for end in 1..whole.len() - 1 {
        let refused = read(Kind::Response, &whole[..end]).is_err();
        let complete = ["\"yes\", \"confidence\": 0.8, \"rationale\": [\"one\", \"two\"]"];
        assert!(refused || complete.iter().any(|text| whole[..end].ends_with(text)), "{}", &whole[..end]);
    }
    for cut in [
        "position: yes\nconfidence: 0.8\nconcerns:\n  - \"still op",
        "position: yes\nconfidence: 0.8\nconcerns:\n  -",
        "position: yes\nconfidence: 0.8\ncontext_chall",
        "position: yes\nconfidence: 0.8\nrationale: [one, tw",
        "{\"choices\": [{\"message\": {\"content\": \"position: yes\\nconfidence: 0.8\"}, \"finish_reason\": \"length\"}]}",
        "position: yes\nconfidence: 0.8\n\n[truncated]",
        "<position>yes</position><confidence>0.8</confidence><rationale><item>on",
    ] {
        assert!(read(Kind::Response, cut).is_err(), "{cut}");
    }
}

#[test]
fn a_key_at_the_end_without_a_value_was_cut() {
    let reply =
        "{\n  \"position\": \"yes\",\n  \"confidence\": 0.8,\n  \"rationale\": \"one\",\n  \"context_challenge\"";
    assert!(read(Kind::Response, reply).is_err());
}

#[test]
fn a_part_that_cannot_be_read_is_not_dropped_in_silence() {
    let reply = "{\"confidence\": 0.8, \"position\": \"yes\", :: [\"a\"], \"rationale\": [\"b\"]}";
    assert!(read(Kind::Response, reply).is_err());
}
