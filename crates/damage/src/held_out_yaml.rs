//! Held out: YAML with a slip. Run it, do not read it.

use serde_json::{Value, json};

use crate::kinds::{EITHER, Kind, PLAIN, RICH, SEAT, kept, kind};
use crate::styles::yaml::{Yaml, clean, plain_is_safe, wrapped, yaml};
use crate::styles::{clean_yaml, json_line};
use crate::{Form, tree, values, words};

fn main_key(value: &Value) -> &'static str {
    if values::form(value) == Form::Participant { "position" } else { "synthesis" }
}

fn bulleted(value: &Value, bullet: fn(usize) -> String) -> String {
    yaml(value, &Yaml { bullet, ..Yaml::CLEAN })
}

/// The YAML with the main text written as it stands here, after `: `.
fn with_main(value: &Value, written: &str) -> String {
    clean_yaml(&tree::set(value, main_key(value), "MAIN")).replacen(": MAIN", written, 1)
}

fn lists(value: &Value) -> [&'static str; 2] {
    if values::form(value) == Form::Participant {
        ["rationale", "concerns"]
    } else {
        ["consensus", "context_challenges"]
    }
}

pub(crate) const KINDS: &[Kind] = &[
    kind("h_dash_without_space", "yaml", "no space after the dash", SEAT, PLAIN, |v, _| {
        kept(v, bulleted(v, |_| "-".to_owned()))
    }),
    kind("h_long_dashes", "yaml", "long dashes as bullets", EITHER, RICH, |v, r| {
        if r.percent(50) {
            kept(v, bulleted(v, |_| "– ".to_owned()))
        } else {
            kept(v, bulleted(v, |_| "— ".to_owned()))
        }
    }),
    kind("h_plus_bullets", "yaml", "plus signs as bullets", EITHER, RICH, |v, _| {
        kept(v, bulleted(v, |_| "+ ".to_owned()))
    }),
    kind("h_arrow_bullets", "yaml", "arrows and triangles as bullets", EITHER, RICH, |v, r| {
        if r.percent(50) {
            kept(v, bulleted(v, |_| "→ ".to_owned()))
        } else {
            kept(v, bulleted(v, |_| "▪ ".to_owned()))
        }
    }),
    kind("h_letter_bullets", "yaml", "letters as bullets", SEAT, PLAIN, |v, _| {
        kept(v, bulleted(v, |at| format!("{}) ", ["a", "b", "c", "d", "e"].get(at).unwrap_or(&"z"))))
    }),
    kind("h_number_bullets_in_brackets", "yaml", "numbers in brackets as bullets", SEAT, PLAIN, |v, r| {
        if r.percent(50) {
            kept(v, bulleted(v, |at| format!("({}) ", at + 1)))
        } else {
            kept(v, bulleted(v, |at| format!("- {}. ", at + 1)))
        }
    }),
    kind("h_check_boxes", "yaml", "boxes to tick as bullets", SEAT, PLAIN, |v, r| {
        if r.percent(50) {
            kept(v, bulleted(v, |_| "- [x] ".to_owned()))
        } else {
            kept(v, bulleted(v, |_| "- [ ] ".to_owned()))
        }
    }),
    kind("h_key_out_of_line", "yaml", "one key stands a space or two to the right", EITHER, RICH, |v, r| {
        let key = if values::form(v) == Form::Participant { "confidence" } else { "output_type" };
        let pad = r.pick(&[" ", "  "]);
        kept(v, clean_yaml(v).replacen(&format!("\n{key}:"), &format!("\n{pad}{key}:"), 1))
    }),
    kind(
        "h_first_key_out_of_line",
        "yaml",
        "the first key stands further right than the rest",
        EITHER,
        RICH,
        |v, _| kept(v, format!("  {}", clean_yaml(v))),
    ),
    kind("h_rest_out_of_line", "yaml", "all but the first key stand further right", EITHER, RICH, |v, _| {
        let text = clean_yaml(v);
        kept(v, text.trim_end().replace('\n', "\n  "))
    }),
    kind("h_mixed_indents", "yaml", "every list with an indentation of its own", EITHER, RICH, |v, r| {
        let one = |(key, field): (&String, &Value)| {
            yaml(&json!({key: field}), &Yaml { list_indent: r.pick(&[0, 2, 4]), ..Yaml::CLEAN })
        };
        kept(v, tree::fields(v).iter().map(one).collect::<String>())
    }),
    kind("h_value_below", "yaml", "the text on the line after its key", EITHER, RICH, |v, _| {
        kept(
            v,
            yaml(v, &Yaml { text: |text, pad| format!("\n{pad}{}", clean(text, pad)), ..Yaml::CLEAN })
                .replace(": \n", ":\n")
                .replace("- \n", "-\n"),
        )
    }),
    kind("h_block_at_the_margin", "yaml", "the lines of a block are not indented", EITHER, PLAIN, |v, r| {
        let (one, two) = (words::plain(r), words::plain(r));
        let truth = tree::set(v, main_key(v), format!("{one}.\n{two}."));
        kept(&truth, with_main(v, &format!(": |\n{one}.\n{two}.")))
    }),
    kind("h_block_indicators", "yaml", "rare indicators after the bar", EITHER, PLAIN, |v, r| {
        let (one, two) = (words::plain(r), words::rich(r));
        let (mark, gap) = r.pick(&[("|+", "\n"), ("|2-", "\n"), (">+", " "), ("| # as asked", "\n"), (">", " ")]);
        let truth = tree::set(v, main_key(v), format!("{one}.{gap}{two}."));
        kept(&truth, with_main(v, &format!(": {mark}\n  {one}.\n  {two}.")))
    }),
    kind("h_quoted_over_lines", "yaml", "a quoted text over several lines", EITHER, RICH, |v, r| {
        let text = tree::text(v, main_key(v));
        let (quote, inner) =
            if r.percent(50) { ('"', text.replace('"', "\\\"")) } else { ('\'', text.replace('\'', "''")) };
        kept(v, with_main(v, &format!(": {quote}{}{quote}", wrapped(&inner, 30).join("\n  "))))
    }),
    kind(
        "h_item_continued_at_the_dash",
        "yaml",
        "the second line of an item starts under its dash",
        SEAT,
        PLAIN,
        |v, _| {
            kept(
                v,
                yaml(
                    v,
                    &Yaml {
                        text: |text, pad| wrapped(text, 40).join(&format!("\n{}", pad.get(2..).unwrap_or_default())),
                        ..Yaml::CLEAN
                    },
                )
                .replace("\n\n", "\n"),
            )
            .filter(|(text, _)| !text.contains("context_challenge:") || text.contains("context_challenge: null"))
            .and_then(|(text, truth)| {
                let first = text.lines().nth(1)?;
                first.starts_with("rationale").then_some((text, truth))
            })
        },
    ),
    kind("h_flow_root", "yaml", "all between braces, nothing quoted", SEAT, PLAIN, |v, _| {
        let one = |(key, field): (&String, &Value)| match field {
            Value::String(text) => format!("{key}: {text}"),
            Value::Array(_) => format!("{key}: [{}]", tree::items(v, key).join(", ")),
            other => format!("{key}: {other}"),
        };
        kept(v, format!("{{{}}}", tree::fields(v).iter().map(one).collect::<Vec<_>>().join(", ")))
    }),
    kind("h_open_quote_only", "yaml", "a text with an opening quote and no closing one", EITHER, PLAIN, |v, _| {
        kept(v, with_main(v, &format!(": \"{}", tree::text(v, main_key(v)))))
    }),
    kind("h_items_like_numbers", "yaml", "items that YAML takes for numbers and dates", EITHER, PLAIN, |v, r| {
        let odd = ["2026-05-01", "42", "12:30", "1e3", "0x1F", "yes", "3.10", "007", "true", "1_000"];
        let v = &tree::set(v, lists(v)[0], json!([r.pick(&odd), words::plain(r), r.pick(&odd)]));
        kept(v, yaml(v, &Yaml::PLAIN))
    }),
    kind("h_main_like_number", "yaml", "a main text that YAML takes for a number", EITHER, PLAIN, |v, r| {
        let v = &tree::set(v, main_key(v), r.pick(&["42", "2026", "3.10", "true", "2026-05-01"]));
        kept(v, yaml(v, &Yaml::PLAIN))
    }),
    kind("h_dash_dash", "yaml", "two dashes before each item", SEAT, PLAIN, |v, r| {
        if r.percent(50) {
            kept(v, bulleted(v, |_| "- - ".to_owned()))
        } else {
            kept(v, bulleted(v, |_| "-- ".to_owned()))
        }
    }),
    kind("h_odd_starts", "yaml", "texts that start with a mark of YAML", EITHER, PLAIN, |v, r| {
        let starts = [
            "[WIP] the plan is not final",
            "*not* a blocker for us",
            "{id} must stay in the path",
            "#1 priority is the audit",
            "!important rules win",
            "&-signs break the export",
            "? is not an answer",
            "> 5 ms is too slow",
            "| pipes confuse the parser",
            "100% of it, not less",
        ];
        let v = &tree::texts_of(v, &[main_key(v), lists(v)[0]], |_| r.pick(&starts).to_owned());
        kept(v, yaml(v, &Yaml::PLAIN))
    }),
    kind("h_first_item_beside_key", "yaml", "the first item on the line of its key", SEAT, PLAIN, |v, _| {
        kept(v, clean_yaml(v).replace("rationale:\n  - ", "rationale: - "))
    }),
    kind("h_numbered_keys", "yaml", "a number before each key", EITHER, RICH, |v, _| {
        let mut at = 0;
        let numbered = tree::top_keys(v, |key| {
            at += 1;
            format!("{at}. {key}")
        });
        kept(v, clean_yaml(&numbered))
    }),
    kind("h_list_of_keys", "yaml", "a list of maps with one key each", EITHER, RICH, |v, _| {
        let each: Vec<Value> = tree::fields(v).into_iter().map(|(key, field)| json!({key: field})).collect();
        kept(v, clean_yaml(&json!(each)))
    }),
    kind("h_empty_document_first", "yaml", "an empty document before the answer", EITHER, RICH, |v, r| {
        kept(v, format!("---\n{}---\n{}", r.pick(&["", "\n", "# answer\n"]), clean_yaml(v)))
    }),
    kind("h_tab_after_colon", "yaml", "a tab after the colon or the dash", EITHER, RICH, |v, r| {
        if r.percent(50) {
            kept(v, yaml(v, &Yaml { colon: ":\t", ..Yaml::CLEAN }))
        } else {
            kept(v, clean_yaml(v).replace("  - ", "  -\t"))
        }
    }),
    kind("h_quoted_with_note", "yaml", "a quoted text with a comment after it", EITHER, RICH, |v, r| {
        let note = r.pick(&["# as discussed", "# (see brief)", "# firm"]);
        kept(v, with_main(v, &format!(": {} {note}", v.get(main_key(v))?)))
    }),
    kind("h_item_quoted_start", "yaml", "items that start with a quoted word", EITHER, PLAIN, |v, r| {
        let v =
            &tree::texts_of(v, &[lists(v)[0]], |text| format!("\"{}\" hides it: {text}", r.pick(&["Later", "Done"])));
        kept(v, yaml(v, &Yaml::PLAIN))
    }),
    kind("h_json_in_block", "yaml", "JSON in a block under a key", EITHER, RICH, |v, _| {
        kept(v, format!("response: |\n  {}\n", json_line(v)))
    }),
    kind("h_question_keys", "yaml", "a hash before each key, as comments", SEAT, PLAIN, |v, _| {
        let text = clean_yaml(v);
        let line = |line: &str| if line.starts_with(' ') { line.to_owned() } else { format!("# {line}") };
        kept(v, text.lines().map(line).collect::<Vec<_>>().join("\n"))
    }),
    kind("h_semicolons", "yaml", "a semicolon at the end of each line", EITHER, PLAIN, |v, _| {
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
