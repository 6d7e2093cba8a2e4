//! The second set: characters, JSON with a slip, other languages.

use crate::kinds::fence::fenced;
use crate::kinds::json::main_key;
use serde_json::{Value, json};

use crate::kinds::{CHAIR, EITHER, Kind, LINES, PLAIN, RICH, SEAT, kept, kind};
use crate::rng::Rng;
use crate::styles::bracketed::{JSON, Syntax, bare, bracketed, quoted, raw, single};
use crate::styles::{clean_yaml, either, json as json_text, json_line};
use crate::{tree, words};

fn sprinkled(text: &str, marks: &[char], rng: &mut Rng) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        out.push(letter);
        if letter.is_alphabetic() && rng.percent(4) {
            out.push(rng.pick(marks));
        }
    }
    out
}

/// The main text in two pieces, written with this between them.
fn in_two(value: &Value, between: &str) -> Option<String> {
    let text = tree::text(value, main_key(value));
    let at = text.match_indices(' ').nth(2)?.0;
    let (one, two) = text.split_at(at + 1);
    Some(json_text(value).replacen(&quoted(text), &format!("\"{one}\"{between}\"{two}\""), 1))
}

/// One of the keys of the value.
fn one_key(value: &Value, rng: &mut Rng) -> Option<String> {
    let keys: Vec<String> = tree::fields(value).keys().cloned().collect();
    keys.get(rng.below(keys.len())).cloned()
}

fn each_line(text: &str, change: impl FnMut(&str) -> String) -> String {
    text.lines().map(change).collect::<Vec<_>>().join("\n")
}

fn without_nulls(value: &Value) -> Value {
    let mut map = tree::fields(value);
    map.retain(|_, field| !field.is_null());
    Value::Object(map)
}

fn toml_tables(value: &Value) -> String {
    let fields = tree::fields(&without_nulls(value));
    let (mut top, mut tables) = (String::new(), String::new());
    for (key, field) in &fields {
        match field.as_array() {
            Some(items) if items.iter().any(Value::is_object) => {
                for item in items {
                    tables += &format!("\n[[{key}]]\n");
                    for (name, inner) in tree::fields(item) {
                        match inner.as_object() {
                            Some(map) => {
                                tables += &format!("[{key}.{name}]\n");
                                tables +=
                                    &map.iter().map(|(seat, said)| format!("{seat} = {said}\n")).collect::<String>();
                            }
                            None => tables += &format!("{name} = {inner}\n"),
                        }
                    }
                }
            }
            _ => top += &format!("{key} = {}\n", json_line(field)),
        }
    }
    top + &tables
}

pub(crate) const KINDS: &[Kind] = &[
    kind("second_carriage_returns", "characters", "line ends of old", EITHER, RICH, |v, r| {
        kept(v, either(v, r).replace('\n', "\r"))
    }),
    kind("second_fullwidth_colon_yaml", "characters", "colons of full width in YAML", EITHER, PLAIN, |v, _| {
        kept(v, clean_yaml(v).replace(": ", "：").replace(":\n", "：\n"))
    }),
    kind(
        "second_fullwidth_brackets",
        "characters",
        "brackets, colons and commas of full width",
        EITHER,
        RICH,
        |v, _| {
            kept(v, bracketed(v, &Syntax { map: ("｛", "｝"), list: ("［", "］"), colon: "：", comma: "，", ..JSON }))
        },
    ),
    kind("second_wide_indent", "characters", "ideographic spaces for indentation", EITHER, RICH, |v, _| {
        let text = each_line(&clean_yaml(v), |line| {
            let rest = line.trim_start_matches(' ');
            "\u{3000}".repeat((line.len() - rest.len()) / 2) + rest
        });
        kept(v, text)
    }),
    kind(
        "second_escapes_outside_texts",
        "characters",
        "line breaks between the fields as escapes",
        EITHER,
        RICH,
        |v, _| kept(v, json_text(v).replace('\n', "\\n")),
    ),
    kind("second_invisible_marks", "characters", "marks of direction and soft hyphens", EITHER, RICH, |v, r| {
        let text = tree::texts(v, |text| {
            sprinkled(text, &['\u{ad}', '\u{200e}', '\u{202a}', '\u{202c}', '\u{2066}', '\u{2069}'], r)
        });
        kept(v, either(&text, r))
    }),
    kind("second_control_characters", "characters", "control characters in texts", EITHER, RICH, |v, r| {
        let text = tree::texts(v, |text| sprinkled(text, &['\u{0}', '\u{7}', '\u{8}', '\u{1f}'], r));
        kept(v, bracketed(&text, &Syntax { text: |text| format!("\"{}\"", text.replace('"', "\\\"")), ..JSON }))
    }),
    kind("second_missing_colon", "json", "no colon after one key", EITHER, RICH, |v, r| {
        let key = one_key(v, r)?;
        kept(v, json_text(v).replacen(&format!("\n  \"{key}\": "), &format!("\n  \"{key}\" "), 1))
    }),
    kind("second_key_without_open_quote", "json", "one key lacks its opening quote", EITHER, RICH, |v, r| {
        let key = one_key(v, r)?;
        kept(v, json_text(v).replacen(&format!("\n  \"{key}\": "), &format!("\n  {key}\": "), 1))
    }),
    kind("second_key_without_close_quote", "json", "one key lacks its closing quote", EITHER, RICH, |v, r| {
        let key = one_key(v, r)?;
        kept(v, json_text(v).replacen(&format!("\n  \"{key}\": "), &format!("\n  \"{key}: "), 1))
    }),
    kind("second_joined_texts", "json", "a text joined from two with a plus", EITHER, PLAIN, |v, r| {
        kept(v, in_two(v, r.pick(&[" + ", " +\n    "]))?)
    }),
    kind("second_adjacent_texts", "json", "a text in two pieces one after the other", EITHER, PLAIN, |v, _| {
        kept(v, in_two(v, "\n    ")?)
    }),
    kind("second_escaped_closing_quote", "json", "the closing quote of one text is escaped", EITHER, PLAIN, |v, _| {
        let whole = quoted(tree::text(v, main_key(v)));
        kept(v, json_text(v).replacen(&format!("{whole},"), &format!("{}\\\",", whole.trim_end_matches('"')), 1))
    }),
    kind("second_mark_after", "json", "a full stop or semicolon after the last brace", EITHER, LINES, |v, r| {
        kept(v, json_text(v) + r.pick(&[";", ".", ",", ")", " // end"]))
    }),
    kind("second_same_key_twice", "json", "a key twice with the same value", EITHER, LINES, |v, _| {
        let key = main_key(v);
        let field = format!("\n  \"{key}\": {},", v.get(key)?);
        kept(v, json_text(v).replacen('{', &format!("{{{field}"), 1))
    }),
    kind("second_object_per_field_policy", "json", "an object for each field, one on a line", EITHER, RICH, |v, _| {
        let line = |(key, field): (&String, &Value)| format!("{}\n", json!({key: field}));
        kept(v, tree::fields(v).iter().map(line).collect::<String>())
    }),
    kind("second_hash_comments", "json", "comments after a hash", EITHER, RICH, |v, _| {
        kept(
            v,
            each_line(
                &json_text(v),
                |line| if line.ends_with(',') { format!("{line}  # noted") } else { line.to_owned() },
            ),
        )
    }),
    kind("second_quotes_before_commas", "json", "inner quotes with a comma after them", EITHER, PLAIN, |v, r| {
        let frames = [
            "Some call {} \"done\", others call it \"open\", nobody checks",
            "He said \"later\", she said \"now\" about {}",
        ];
        let v =
            &tree::texts_of(v, &[main_key(v)], |_| r.pick(&frames).replace("{}", r.pick(&["it", "the plan", "this"])));
        kept(v, bracketed(v, &Syntax { text: raw, ..JSON }))
    }),
    kind("second_quotes_in_items", "json", "inner quotes at the end of an item", EITHER, PLAIN, |v, r| {
        let v = &tree::texts_of(v, &["rationale", "consensus"], |_| {
            format!("They all call it \"{}\"", r.pick(&["done", "temporary"]))
        });
        kept(v, bracketed(v, &Syntax { text: raw, ..JSON }))
    }),
    kind("second_missing_brace_between", "json", "an object in a list lacks its closing brace", CHAIR, RICH, |v, _| {
        let text = json_text(v);
        let at = text.find("\n    },\n    {\n      \"topic\"")?;
        kept(v, format!("{},{}", &text[..at], &text[at + 7..]))
    }),
    kind("second_bare_words_one_line", "json", "no quotes at all, on one line", SEAT, PLAIN, |v, _| {
        kept(v, bracketed(v, &Syntax { key: bare, text: bare, indent: None, ..JSON }))
    }),
    kind("second_php_array", "languages", "an array with arrows", EITHER, RICH, |v, r| {
        let text = bracketed(
            v,
            &Syntax {
                key: single,
                text: single,
                colon: " => ",
                map: ("[", "]"),
                last: ",",
                indent: Some("    "),
                ..JSON
            },
        );
        kept(v, r.pick(&["<?php\n\nreturn {};", "$response = {};"]).replacen("{}", &text, 1))
    }),
    kind("second_printing_program", "languages", "a program that prints the answer", EITHER, RICH, |v, r| {
        let text = bracketed(v, &Syntax { null: "None", indent: Some("    "), ..JSON });
        let code = format!("import json\n\nresponse = {text}\n\nprint(json.dumps(response, indent=2))");
        let script = format!("console.log(JSON.stringify({}, null, 2));", json_text(v));
        kept(v, if r.percent(50) { fenced("python", &code) } else { fenced("js", &script) })
    }),
    kind("second_toml_tables", "languages", "TOML with tables for objects", CHAIR, RICH, |v, r| {
        let text = toml_tables(v);
        kept(v, if r.percent(50) { fenced("toml", &text) } else { text })
    }),
    kind("second_sections", "languages", "a section in brackets, then lines with equals signs", SEAT, RICH, |v, r| {
        let head = r.pick(&["[response]", "[participant]"]);
        let lines: String = tree::fields(&without_nulls(v))
            .iter()
            .map(|(key, field)| format!("{key} = {}\n", json_line(field)))
            .collect();
        kept(v, format!("{head}\n{lines}"))
    }),
    kind(
        "second_toml_long_texts",
        "languages",
        "TOML with three quotes and lists over several lines",
        SEAT,
        PLAIN,
        |v, r| {
            let v = &tree::set(v, "position", format!("{}.\n{}.", words::plain(r), words::plain(r)));
            let line = |(key, field): (&String, &Value)| match field {
                Value::String(text) => format!("{key} = \"\"\"\n{text}\"\"\"\n"),
                other => format!("{key} = {}\n", bracketed(other, &Syntax { last: ",", ..JSON })),
            };
            kept(v, tree::fields(&without_nulls(v)).iter().map(line).collect::<String>())
        },
    ),
];
