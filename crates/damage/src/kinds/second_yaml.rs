//! The second set: YAML with a slip.

use crate::kinds::json::main_key;
use crate::kinds::more_yaml::bulleted;
use crate::kinds::more_yaml::lists;
use crate::kinds::more_yaml::with_main;
use serde_json::{Value, json};

use crate::kinds::{EITHER, Kind, PLAIN, RICH, SEAT, kept, kind};
use crate::styles::clean_yaml;
use crate::styles::yaml::{Yaml, clean, plain_is_safe, wrapped, yaml};
use crate::{Form, tree, values, words};

pub(crate) const KINDS: &[Kind] = &[
    kind("second_dash_without_space", "yaml", "no space after the dash", SEAT, PLAIN, |v, _| {
        kept(v, bulleted(v, |_| "-".to_owned()))
    }),
    kind("second_plus_bullets", "yaml", "plus signs as bullets", EITHER, RICH, |v, _| {
        kept(v, bulleted(v, |_| "+ ".to_owned()))
    }),
    kind("second_arrow_bullets", "yaml", "arrows and triangles as bullets", EITHER, RICH, |v, r| {
        if r.percent(50) {
            kept(v, bulleted(v, |_| "→ ".to_owned()))
        } else {
            kept(v, bulleted(v, |_| "▪ ".to_owned()))
        }
    }),
    kind("second_letter_bullets", "yaml", "letters as bullets", SEAT, PLAIN, |v, _| {
        kept(v, bulleted(v, |at| format!("{}) ", ["a", "b", "c", "d", "e"].get(at).unwrap_or(&"z"))))
    }),
    kind("second_check_boxes", "yaml", "boxes to tick as bullets", SEAT, PLAIN, |v, r| {
        if r.percent(50) {
            kept(v, bulleted(v, |_| "- [x] ".to_owned()))
        } else {
            kept(v, bulleted(v, |_| "- [ ] ".to_owned()))
        }
    }),
    kind("second_key_out_of_line", "yaml", "one key stands a space or two to the right", EITHER, RICH, |v, r| {
        let key = if values::form(v) == Form::Participant { "confidence" } else { "output_type" };
        let pad = r.pick(&[" ", "  "]);
        kept(v, clean_yaml(v).replacen(&format!("\n{key}:"), &format!("\n{pad}{key}:"), 1))
    }),
    kind(
        "second_first_key_out_of_line",
        "yaml",
        "the first key stands further right than the rest",
        EITHER,
        RICH,
        |v, _| kept(v, format!("  {}", clean_yaml(v))),
    ),
    kind("second_mixed_indents", "yaml", "every list with an indentation of its own", EITHER, RICH, |v, r| {
        let one = |(key, field): (&String, &Value)| {
            yaml(&json!({key: field}), &Yaml { list_indent: r.pick(&[0, 2, 4]), ..Yaml::CLEAN })
        };
        kept(v, tree::fields(v).iter().map(one).collect::<String>())
    }),
    kind("second_value_below", "yaml", "the text on the line after its key", EITHER, RICH, |v, _| {
        kept(
            v,
            yaml(v, &Yaml { text: |text, pad| format!("\n{pad}{}", clean(text, pad)), ..Yaml::CLEAN })
                .replace(": \n", ":\n")
                .replace("- \n", "-\n"),
        )
    }),
    kind("second_block_at_the_margin", "yaml", "the lines of a block are not indented", EITHER, PLAIN, |v, r| {
        let (one, two) = (words::plain(r), words::plain(r));
        let truth = tree::set(v, main_key(v), format!("{one}.\n{two}."));
        kept(&truth, with_main(v, &format!(": |\n{one}.\n{two}.")))
    }),
    kind("second_quoted_over_lines", "yaml", "a quoted text over several lines", EITHER, RICH, |v, r| {
        let text = tree::text(v, main_key(v));
        let (quote, inner) =
            if r.percent(50) { ('"', text.replace('"', "\\\"")) } else { ('\'', text.replace('\'', "''")) };
        kept(v, with_main(v, &format!(": {quote}{}{quote}", wrapped(&inner, 30).join("\n  "))))
    }),
    kind(
        "second_item_continued_at_the_dash",
        "yaml",
        "the second line of an item starts under its dash",
        SEAT,
        PLAIN,
        |v, _| {
            let items = tree::items(v, "rationale");
            let text = items.iter().fold(clean_yaml(v), |text, item| {
                text.replacen(&format!("  - {item}\n"), &format!("  - {}\n", wrapped(item, 40).join("\n  ")), 1)
            });
            kept(v, text)
        },
    ),
    kind("second_flow_root", "yaml", "all between braces, nothing quoted", SEAT, PLAIN, |v, _| {
        let one = |(key, field): (&String, &Value)| match field {
            Value::String(text) => format!("{key}: {text}"),
            Value::Array(_) => format!("{key}: [{}]", tree::items(v, key).join(", ")),
            other => format!("{key}: {other}"),
        };
        kept(v, format!("{{{}}}", tree::fields(v).iter().map(one).collect::<Vec<_>>().join(", ")))
    }),
    kind("second_items_like_numbers", "yaml", "items that YAML takes for numbers and dates", EITHER, PLAIN, |v, r| {
        let odd = ["2026-05-01", "42", "12:30", "1e3", "0x1F", "yes", "3.10", "007", "true", "1_000"];
        let v = &tree::set(v, lists(v)[0], json!([r.pick(&odd), words::plain(r), r.pick(&odd)]));
        kept(v, yaml(v, &Yaml::PLAIN))
    }),
    kind("second_main_like_number", "yaml", "a main text that YAML takes for a number", EITHER, PLAIN, |v, r| {
        let v = &tree::set(v, main_key(v), r.pick(&["42", "2026", "3.10", "true", "2026-05-01"]));
        kept(v, yaml(v, &Yaml::PLAIN))
    }),
    kind("second_dash_dash", "yaml", "two dashes before each item", SEAT, PLAIN, |v, r| {
        if r.percent(50) {
            kept(v, bulleted(v, |_| "- - ".to_owned()))
        } else {
            kept(v, bulleted(v, |_| "-- ".to_owned()))
        }
    }),
    kind("second_first_item_beside_key", "yaml", "the first item on the line of its key", SEAT, PLAIN, |v, _| {
        kept(v, clean_yaml(v).replace("rationale:\n  - ", "rationale: - "))
    }),
    kind("second_numbered_keys", "yaml", "a number before each key", EITHER, RICH, |v, _| {
        let mut at = 0;
        let numbered = tree::top_keys(v, |key| {
            at += 1;
            format!("{at}. {key}")
        });
        kept(v, clean_yaml(&numbered))
    }),
    kind("second_list_of_keys", "yaml", "a list of maps with one key each", EITHER, RICH, |v, _| {
        let each: Vec<Value> = tree::fields(v).into_iter().map(|(key, field)| json!({key: field})).collect();
        kept(v, clean_yaml(&json!(each)))
    }),
    kind("second_tab_after_colon", "yaml", "a tab after the colon or the dash", EITHER, RICH, |v, r| {
        if r.percent(50) {
            kept(v, yaml(v, &Yaml { colon: ":\t", ..Yaml::CLEAN }))
        } else {
            kept(v, clean_yaml(v).replace("  - ", "  -\t"))
        }
    }),
    kind("second_quoted_with_note", "yaml", "a quoted text with a comment after it", EITHER, RICH, |v, r| {
        let note = r.pick(&["# as discussed", "# (see brief)", "# firm"]);
        kept(v, with_main(v, &format!(": {} {note}", v.get(main_key(v))?)))
    }),
    kind("second_item_quoted_start", "yaml", "items that start with a quoted word", EITHER, PLAIN, |v, r| {
        let v =
            &tree::texts_of(v, &[lists(v)[0]], |text| format!("\"{}\" hides it: {text}", r.pick(&["Later", "Done"])));
        kept(v, yaml(v, &Yaml::PLAIN))
    }),
    kind("second_question_keys", "yaml", "a hash before each key, as comments", SEAT, PLAIN, |v, _| {
        let text = clean_yaml(v);
        let line = |line: &str| if line.starts_with(' ') { line.to_owned() } else { format!("# {line}") };
        kept(v, text.lines().map(line).collect::<Vec<_>>().join("\n"))
    }),
    kind("second_semicolons", "yaml", "a semicolon at the end of each line", EITHER, PLAIN, |v, _| {
        kept(
            v,
            yaml(
                v,
                &Yaml {
                    text: |text, _| if plain_is_safe(text) { format!("\"{text}\";") } else { format!("{text};") },
                    ..Yaml::CLEAN
                },
            ),
        )
    }),
];
