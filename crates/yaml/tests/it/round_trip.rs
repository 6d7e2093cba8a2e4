//! Whatever a model or a person says must survive a trip through a file.

use proptest::prelude::*;
use serde_json::{Value, json};

fn check(value: &Value) {
    let text = s2s_yaml::to_string(value).unwrap();
    let back = s2s_yaml::to_value(&text).unwrap_or_else(|flaw| panic!("{flaw}\n{text}"));
    assert_eq!(&back, value, "\n{text}");
    // What YAML calls printable; other readers refuse a file with anything else in it.
    let odd = text.chars().find(|c| {
        !matches!(c, '\n' | ' '..='~' | '\u{A0}'..='\u{D7FF}' | '\u{E000}'..='\u{FEFE}' | '\u{FF00}'..='\u{FFFD}' | '\u{10000}'..='\u{10FFFF}' | '\t')
    });
    assert_eq!(odd, None, "\n{text}");
}

/// In every place a string can stand: alone, in a map, in a list, in a list of maps, as a key.
fn check_everywhere(s: &str) {
    check(&json!(s));
    check(&json!({ "a": s, "b": [s, { "c": s, "d": [[s]] }], "e": s }));
    check(&json!({ "k": { s: s, "z": 1 } }));
}

pub const NASTY: &[&str] = &[
    "",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\t",
    "\ttab first",
    "tab\tinside",
    "trailing ",
    "trailing\t",
    " leading",
    "yes",
    "no",
    "on",
    "off",
    "y",
    "n",
    "true",
    "True",
    "false",
    "null",
    "Null",
    "~",
    "12:30",
    "12:30:45",
    "1_000",
    "0x1F",
    "0o17",
    "017",
    "0b11",
    "1e3",
    "1.0",
    ".5",
    "5.",
    "-1",
    "+1",
    ".inf",
    "-.inf",
    ".nan",
    "2026-11-15",
    "2026-11-15T10:00:00Z",
    "=",
    "<<",
    "-",
    "--",
    "---",
    "...",
    "- a",
    "? a",
    ": a",
    "a: b",
    "a:",
    ":",
    "a #b",
    "#",
    "# a",
    " #",
    "&a",
    "*a",
    "!a",
    "!!str a",
    "%a",
    "@a",
    "`a",
    "|",
    ">",
    "|-",
    "[",
    "]",
    "{",
    "}",
    "[a]",
    "{a: b}",
    "'",
    "\"",
    "it's",
    "\"quoted\"",
    "\\",
    "\\n",
    "a\\",
    "a\nb",
    "a\n",
    "a\n\n",
    "a\n\nb\n",
    "\na",
    "\n a\nb",
    "  a\nb",
    "a\n  b\n c",
    "a \nb",
    "a\n \nb",
    "a\n\tb",
    "\ta\nb",
    "a\rb",
    "a\r\nb",
    "\r",
    "a\u{85}b",
    "a\u{2028}b",
    "a\u{2029}b",
    "\u{85}\n",
    "\u{feff}a",
    "a\u{feff}",
    "\u{0}",
    "\u{7}",
    "\u{1b}[31m",
    "\u{7f}",
    "\u{80}",
    "\u{9f}",
    "\u{a0}",
    "\u{fffe}",
    "\u{ffff}",
    "\u{200b}",
    "\u{202e}abc",
    "😀",
    "👩‍👩‍👧‍👦\n😀",
    "é",
    "日本語",
    "שלום",
    "a\n---\nb",
    "a\n...\nb",
    "a\n# b",
    "# a\nb",
    "- a\n- b",
    "key: |\n  text",
    "%YAML 1.2\n---\na",
    "a,b",
    "a, b",
    "0",
    "00",
    "1.",
    "1e",
    "e1",
    "0x",
    "0x1G",
    "1__0",
    "1:2",
    "190:20:30",
    "<",
    "!!binary aGk=",
    "x: &a [*a]",
];

#[test]
fn nasty_strings_survive_everywhere() {
    for s in NASTY {
        check_everywhere(s);
    }
}

#[test]
fn numbers_keep_their_kind() {
    let cases = [
        ("1.0", json!({ "v": 1.0 })),
        ("0.0", json!({ "v": 0.0 })),
        ("0.72", json!({ "v": 0.72 })),
        ("3", json!({ "v": 3 })),
        ("-7", json!({ "v": -7 })),
        ("18446744073709551615", json!({ "v": u64::MAX })),
        ("-9223372036854775808", json!({ "v": i64::MIN })),
    ];
    for (written, value) in cases {
        assert_eq!(s2s_yaml::to_string(&value).unwrap(), format!("v: {written}\n"));
        check(&value);
    }
    for v in [1e-7, 1e21, 1.5e300, 5e-324, f64::MAX, f64::MIN_POSITIVE, -0.0, 0.1 + 0.2] {
        let text = s2s_yaml::to_string(&json!({ "v": v })).unwrap();
        let back = s2s_yaml::to_value(&text).unwrap();
        assert_eq!(back["v"].as_f64().map(f64::to_bits), Some(v.to_bits()), "{text}");
    }
}

#[test]
fn multi_line_text_is_a_literal_block_and_long_lines_stay_whole() {
    let long = "word ".repeat(200) + "end";
    let text = s2s_yaml::to_string(&json!({ "a": "one\ntwo", "b": long })).unwrap();
    assert_eq!(text, format!("a: |-\n  one\n  two\nb: {long}\n"));
}

#[test]
fn empty_collections_and_order_are_kept() {
    let value = json!({ "z": [], "a": {}, "m": null, "b": [{ "y": 1, "x": [] }] });
    check(&value);
    let keys: Vec<_> = s2s_yaml::to_value(&s2s_yaml::to_string(&value).unwrap())
        .unwrap()
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect();
    assert_eq!(keys, ["z", "a", "m", "b"]);
}

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => prop::sample::select(NASTY).prop_map(str::to_owned),
        2 => "[ -~]{0,12}",
        1 => any::<char>().prop_map(String::from),
        2 => prop::sample::select(&["\n", "\n\n", " ", "\t", ": ", " #", "- ", "\r\n", "\u{2028}"][..]).prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn random_nasty_strings_survive_everywhere(pieces in prop::collection::vec(piece(), 0..6)) {
        check_everywhere(&pieces.concat());
    }
}
