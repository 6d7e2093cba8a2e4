//! Fuzzes the reader: any bytes, read as every kind of reply, give a value that holds or a refusal.
//! What holds: no panic, the same twice, clean text, confidence from 0 to 1, a known next action.
#![no_main]

use libfuzzer_sys::fuzz_target;
use s2s_reader::clean::clean_text;
use s2s_reader::{Kind, read};
use serde_json::{Map, Value};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    for kind in [Kind::Sides, Kind::Question, Kind::Response, Kind::Synthesis, Kind::Plan] {
        let first = read(kind, &text);
        assert_eq!(first, read(kind, &text), "read twice, read differently");
        match first {
            Ok(reading) => {
                holds(kind, &reading.value);
                reading.doubts.iter().for_each(|doubt| is_clean(doubt));
            }
            Err(refusal) => {
                assert!(!refusal.0.trim().is_empty(), "a refusal without a reason");
                is_clean(&refusal.0);
            }
        }
    }
});

/// What is true of every value, whatever it was read from.
fn holds(kind: Kind, value: &Map<String, Value>) {
    value.iter().for_each(|(key, value)| all_clean(key, value));
    match kind {
        Kind::Response => {
            let confidence = value.get("confidence").and_then(Value::as_f64).expect("a response has a confidence");
            assert!((0.0..=1.0).contains(&confidence), "confidence {confidence}");
        }
        Kind::Synthesis => {
            let action = value.get("next_action").and_then(Value::as_str).expect("a synthesis has a next action");
            assert!(["continue", "phase", "conclude", "escalate"].contains(&action), "next action {action:?}");
        }
        Kind::Sides | Kind::Question | Kind::Plan => {}
    }
}

fn all_clean(key: &str, value: &Value) {
    is_clean(key);
    match value {
        Value::String(text) => is_clean(text),
        Value::Array(items) => items.iter().for_each(|item| all_clean("", item)),
        Value::Object(map) => map.iter().for_each(|(key, value)| all_clean(key, value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Nothing that acts on a terminal or that nobody sees. A list of its own first, so that the cleaner is not
/// only compared with itself; the cleaner then says where a joiner may stand.
fn is_clean(text: &str) {
    let unsafe_to_show = |c: char| {
        (c.is_control() && c != '\n' && c != '\t')
            || matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
            || matches!(c, '\u{AD}' | '\u{200B}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}' | '\u{E0000}'..='\u{E007F}')
    };
    assert!(!text.contains(unsafe_to_show), "not clean: {text:?}");
    assert_eq!(clean_text(text), text, "not clean");
}
