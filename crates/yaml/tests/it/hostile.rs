//! Texts that want to hurt, and texts that are merely wrong: refused fast, with place and words.

use std::time::{Duration, Instant};

use serde::Deserialize;

/// A bad text, the line it is refused at (0 = no place), and a part of the words.
fn check(text: &str, line: u32, words: &str) {
    let begun = Instant::now();
    let flaw = s2s_yaml::to_value(text).expect_err("must be refused");
    assert!(flaw.what.contains(words), "{flaw}");
    assert_eq!(flaw.line, line, "{flaw}");
    assert!(begun.elapsed() < Duration::from_secs(5), "too slow: {:?}", begun.elapsed());
}

#[test]
fn a_key_given_twice_is_refused_with_its_line() {
    check("a: 1\nb: 2\na: 3\n", 3, "`a` appears twice");
    check("x:\n  - k: 1\n    k: 2\n", 3, "`k` appears twice");
}

#[test]
fn an_alias_bomb_is_refused() {
    let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for n in 1..12 {
        let refs = vec![format!("*a{}", n - 1); 9].join(", ");
        text += &format!("a{n}: &a{n} [{refs}]\n");
    }
    let flaw = s2s_yaml::to_value(&text).expect_err("a bomb");
    assert!(flaw.what.contains("aliases") || flaw.what.contains("values") || flaw.what.contains("larger"), "{flaw}");
    let many = format!("a: &a 1\nb: [{}]\n", vec!["*a"; 500].join(", "));
    check(&many, 2, "aliases");
}

#[test]
fn deep_nesting_is_refused() {
    for n in [60, 100_000] {
        let flaw = s2s_yaml::to_value(&"[".repeat(n)).expect_err("too deep");
        assert!(flaw.line == 1, "{flaw}");
    }
    let blocks: String = (0..200).map(|n| " ".repeat(n) + "a:\n").collect();
    assert!(s2s_yaml::to_value(&blocks).is_err());
}

#[test]
fn too_many_values_are_refused() {
    check(&"- 1\n".repeat(s2s_yaml::MAX_NODES + 1), 200_000, "more than 200000 values");
}

#[test]
fn too_long_a_text_is_not_parsed() {
    check(&"a".repeat(s2s_yaml::MAX_BYTES + 1), 0, "at most 16 MB");
}

#[test]
fn plain_mistakes_name_their_place() {
    check("a: 1\n\tb: 2\n", 2, "tab");
    check("a: [1, 2\nb: 3\n", 2, "");
    check("a: 1\n---\nb: 2\n", 2, "second document");
    check("a: *nobody\n", 1, "alias");
    check("a: \"unfinished\n", 2, "quoted");
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read by serde only")]
struct Small {
    name: String,
    size: u32,
}

#[test]
fn a_value_of_the_wrong_shape_names_field_and_what_is_allowed() {
    let cases = [
        ("name: a\nsize: big\n", 2, "a whole number from 0 up"),
        ("name: a\nsizes: 1\nsize: 1\n", 2, "unknown field `sizes`; known: name, size"),
        ("name: a\n", 1, "`size` is missing"),
    ];
    for (text, line, words) in cases {
        let flaw = s2s_yaml::from_str::<Small>(text).expect_err("must be refused");
        assert!(flaw.what.contains(words), "{flaw}");
        assert_eq!(flaw.line, line, "{flaw}");
    }
}

#[test]
fn yes_and_no_are_words() {
    assert_eq!(s2s_yaml::to_value("- yes\n- off\n- true\n").unwrap(), serde_json::json!(["yes", "off", true]));
}
