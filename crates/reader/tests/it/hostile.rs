//! Hostile replies are refused, or read, without harm. How long that takes is a benchmark's business.

use proptest::prelude::*;
use s2s_reader::{Kind, MAX_REPLY_BYTES, read};

const KINDS: [Kind; 5] = [Kind::Sides, Kind::Question, Kind::Response, Kind::Synthesis, Kind::Plan];

#[test]
fn a_reply_that_is_too_long_is_refused() {
    let reply = format!("position: yes\nconfidence: 0.5\n{}", " ".repeat(MAX_REPLY_BYTES));
    assert!(read(Kind::Response, &reply).is_err());
}

#[test]
fn tangles_are_refused() {
    for piece in [
        "[",
        "{",
        "{\"a\":",
        "word {x} [y] ",
        "\"",
        "\\",
        "position: \n",
        "- \n",
        "```\n",
        "<a>",
        "votes:\n",
        "{\"arguments\": \"{\\\"\n",
    ] {
        let reply = piece.repeat(100_000 / piece.len());
        for kind in KINDS {
            assert!(read(kind, &reply).is_err(), "{piece}");
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused_the_same_way_twice(text in "\\PC{0,200}|[{}\\[\\]:,\"'\\\\\n #*|<>`~=-]{0,120}") {
        for kind in KINDS {
            prop_assert_eq!(read(kind, &text), read(kind, &text));
        }
    }

    #[test]
    fn a_field_with_any_text_is_given_back(text in "[a-zA-Z][ -~]{0,60}[a-z]") {
        let reply = serde_json::json!({ "position": text, "confidence": 0.5 }).to_string();
        let read = read(Kind::Response, &reply);
        // What is a word for nothing, a placeholder or marked all over is another matter.
        prop_assume!(read.is_ok());
        let position = read.map(|reading| reading.value["position"].clone()).unwrap_or_default();
        prop_assert_eq!(position.as_str(), Some(text.as_str()));
    }
}
