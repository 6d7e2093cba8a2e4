//! Texts come out clean, and as they were meant.

use s2s_reader::{Kind, read};

fn position(text: &str) -> String {
    match read(Kind::Response, text) {
        Ok(reading) => reading.value["position"].as_str().unwrap_or_default().to_owned(),
        Err(refusal) => panic!("{refusal}\n{text}"),
    }
}

#[test]
fn no_control_character_survives_even_when_escaped() {
    let reply = r#"{"position": "a\u001b[31mb\u202ec\u200bd\u0000e", "confidence": 0.5}"#;
    assert_eq!(position(reply), "abcde");
}

#[test]
fn zero_width_characters_do_not_reach_a_refusal() {
    let reply = r#"{"position": "yes", "confidence": "no\u200b\u202enumber"}"#;
    let refusal = read(Kind::Response, reply).err().map(|refusal| refusal.to_string()).unwrap_or_default();
    assert!(refusal.contains("nonumber"), "{refusal}");
}

#[test]
fn quotes_hashes_and_breaks_stay_where_they_are_meant() {
    for (reply, text) in [
        ("position: “just this once” is how it starts\nconfidence: 0.5", "“just this once” is how it starts"),
        ("position: \"Local first\" beats \"cloud\"\nconfidence: 0.5", "\"Local first\" beats \"cloud\""),
        ("position: Fix issue #12 and the C # bindings\nconfidence: 0.5", "Fix issue #12 and the C # bindings"),
        ("position: Use it  # my own view\nconfidence: 0.5", "Use it"),
        ("position: |\n  one\n    two\n  three\nconfidence: 0.5", "one\n  two\nthree"),
        ("position: >\n  one\n  two\n\n  three\nconfidence: 0.5", "one two\nthree"),
        ("{\"position\": \"It is called \"boring\" here\", \"confidence\": 0.5}", "It is called \"boring\" here"),
        ("{\"position\": \"Match \\d+ in C:\\new\\logs\", \"confidence\": 0.5}", "Match \\d+ in C:\\new\\logs"),
        ("position: on\nconfidence: 0.5", "on"),
    ] {
        assert_eq!(position(reply), text, "{reply}");
    }
}

#[test]
fn a_last_item_about_truncation_is_no_truncation() {
    let reply = "position: yes\nconfidence: 0.5\nconcerns:\n  - The log is truncated";
    assert_eq!(position(reply), "yes");
}

#[test]
fn a_message_cut_at_a_joiner_stays_clean() {
    let reply = format!("position: yes\nconfidence: {}\u{6cc}\u{200c}\u{62e} and more", "\u{645}".repeat(58));
    let refusal = read(Kind::Response, &reply).err().map(|refusal| refusal.to_string()).unwrap_or_default();
    assert_eq!(s2s_reader::clean::clean_text(&refusal), refusal);
}
