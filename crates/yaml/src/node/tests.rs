//! Bad and odd texts against what is said about them.

use proptest::prelude::*;
use serde_json::json;

use super::*;

#[track_caller]
fn refused(text: &str, said: &str) {
    assert_eq!(read(text).expect_err("must be refused").to_string(), said);
}

#[track_caller]
fn misfit<T>(result: Result<T, Misfit>, said: &str) {
    assert_eq!(result.err().map(|misfit| misfit.to_string()).as_deref(), Some(said));
}

#[test]
fn what_is_not_read_is_refused_with_its_place() {
    refused("a: 1\nb: 2\na: 3\n", "line 3, column 1: the key `a` is given twice, first in line 1");
    refused("a:\n\tb: 1\n", "line 2, column 1: a tab stands where YAML wants spaces; indent with spaces");
    refused("a: b\n\tc: 1\n", "line 2, column 1: a tab stands where YAML wants spaces; indent with spaces");
    refused(
        "a: &x [1, 2]\nb: *x\n",
        "line 1, column 7: anchors and aliases (`&name`, `*name`) are not read; write the value out",
    );
    refused(
        "a: *x\n",
        "line 1, column 4: anchors and aliases (`&name`, `*name`) are not read; write the value \
         out, or quote the text if it starts with `*`",
    );
    refused("a: !secret x\n", "line 1, column 12: tags (`!name`) are not read; write the plain value");
    refused("a: 1\n---\nb: 2\n", "line 3, column 1: a second document starts here (`---`); one file holds one");
    refused("[a]: 1\n", "line 1, column 1: a key must be one word or text");
}

#[test]
fn size_depth_and_count_are_bounded() {
    let deep = "[".repeat(MAX_DEPTH + 2) + &"]".repeat(MAX_DEPTH + 2);
    refused(&deep, "line 1, column 34: nested deeper than 32 levels");
    refused(&"[".repeat(200_000), "line 1, column 256: nested deeper than 32 levels");
    let many = "- a\n".repeat(MAX_NODES);
    refused(&many, "line 50000, column 3: more than 50000 values in one file");
    let long = "a".repeat(MAX_BYTES + 1);
    refused(&long, "line 1, column 1: the text has 1048577 bytes; at most 1048576 are read");
}

#[test]
fn an_empty_text_is_nothing() {
    for text in ["", "\n\n", "# only a comment\n", "---\n", "~\n"] {
        assert!(read(text).expect(text).is_nothing(), "{text:?}");
    }
}

#[test]
fn scalars_become_json_as_yaml_1_2_says() {
    let text = "[1, -2, 0x1F, 0o17, 1.5, 1e3, true, ~, no, 12:30, \"1\", inf, 1_000, '', |-]";
    let text = text.replace(", |-", "");
    let want = json!([1, -2, 31, 15, 1.5, 1000.0, true, null, "no", "12:30", "1", "inf", "1_000", ""]);
    assert_eq!(read(&text).expect("reads").to_json(), want);
}

#[test]
fn places_are_those_of_key_and_value() {
    let root = read("# head\na:\n  - é: x\n    b: |\n      text\n").expect("reads");
    let top = root.fields().expect("a map");
    let item = &top.required("a").expect("there").items().expect("a list")[0];
    let entries = item.fields().expect("a map").entries();
    let places: Vec<_> = entries.iter().map(|e| (e.key.as_str(), e.line, e.column, e.value.column)).collect();
    assert_eq!(places[0], ("é", 3, 5, 8));
    assert_eq!((places[1].0, places[1].1, places[1].2), ("b", 4, 5));
}

#[test]
fn a_misfit_says_what_is_expected_and_what_is_there() {
    let root = read("goal: 12\ngaol: x\nrounds: 99\nflag: yes\nrule: consnt\nempty:\n").expect("reads");
    let top = root.fields().expect("a map");
    let goal = top.required("goal").expect("there");
    misfit(
        goal.text(),
        "line 1, column 7: expected text (put it in quotes if it is meant as text), found the number 12",
    );
    misfit(goal.fields(), "line 1, column 7: expected a map of keys and values, found the number 12");
    misfit(goal.items(), "line 1, column 7: expected a list, found the number 12");
    let rounds = top.required("rounds").expect("there");
    misfit(rounds.whole(1..=20), "line 3, column 9: expected a whole number from 1 to 20, found the number 99");
    misfit(rounds.number(0.0..=1.0), "line 3, column 9: expected a number from 0 to 1, found the number 99");
    misfit(
        top.required("flag").and_then(Node::flag),
        "line 4, column 7: expected true or false, found the text \"yes\"",
    );
    misfit(
        top.required("rule").and_then(|n| n.one_of(&[("consent", 1), ("unanimous", 2)])),
        "line 5, column 7: unknown value `consnt`; did you mean `consent`? (allowed: consent, unanimous)",
    );
    misfit(top.required("empty"), "line 6, column 1: the key `empty` has no value");
    misfit(top.required("name"), "line 1, column 1: the key `name` is missing");
    let unknown = top.unknown(&["goal", "rounds", "flag", "rule", "empty"]);
    assert_eq!(
        unknown.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["line 2, column 1: unknown key `gaol`; did you mean `goal`? (allowed: goal, rounds, flag, rule, empty)"]
    );
}

#[test]
fn quoted_numbers_are_text_and_never_numbers() {
    let root = read("a: \"12\"\n").expect("reads");
    let value = root.fields().and_then(|top| top.required("a")).expect("there");
    assert_eq!(value.text(), Ok("12"));
    misfit(value.whole(0..=20), "line 1, column 4: expected a whole number from 0 to 20, found the text \"12\"");
}

#[test]
fn what_is_said_never_steers_a_terminal() {
    let root = read("\"a\\e[2J\\u202E\": \"x\\x1b[0m\"\n").expect("reads");
    let top = root.fields().expect("a map");
    let said = top.unknown(&["b"])[0].to_string() + &top.entries()[0].value.unexpected("b").to_string();
    assert!(said.chars().all(|c| !c.is_control() && c != '\u{202e}'), "{said:?}");
    let twice = read("\"\\e\": 1\n\"\\e\": 2\n").expect_err("twice").to_string();
    assert!(!twice.contains('\u{1b}'), "{twice:?}");
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e9..1e9).prop_map(Value::from),
        "[ -~]{0,12}".prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        "[a-z\n #:*&!|>'\"-]{0,20}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z~ 0-9]{0,6}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn what_the_writer_writes_reads_back_the_same(value in any_value()) {
        let text = crate::to_string(&value).expect("writes");
        let back = read(&text).map_err(|flaw| flaw.to_string());
        prop_assert_eq!(back.map(|node| node.to_json()), Ok(value), "{}", text);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "[\\-\\[\\]{}:,&*!|>'\"%@`#?~ \\t\\r\\na-c0-9é\u{feff}]{0,60}") {
        if let Ok(node) = read(&text) {
            node.to_json();
        }
    }
}
