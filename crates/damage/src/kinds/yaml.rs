//! YAML with a slip: quotes, colons, hashes, bullets, indentation.

use serde_json::Value;

use super::fence::fenced;
use super::json::main_key;
use super::{EITHER, Kind, LINES, PLAIN, RICH, SEAT, kept, kind};
use crate::rng::Rng;
use crate::styles::yaml::{Yaml, double, wrapped, yaml};
use crate::styles::{clean_yaml, json_line};
use crate::{tree, words};

/// Plain YAML of a value whose main texts are made by this.
fn with_texts(value: &Value, rng: &mut Rng, make: fn(&mut Rng) -> String) -> Value {
    let keys = ["position", "rationale", "concerns", "context_challenge", "synthesis", "consensus", "recommendation"];
    tree::texts_of(value, &keys, |text| if rng.percent(60) { make(rng) } else { text.to_owned() })
}

fn raw_double(text: &str, _: &str) -> String {
    format!("\"{text}\"")
}

fn raw_single(text: &str, _: &str) -> String {
    format!("'{text}'")
}

fn spread(text: &str, pad: &str) -> String {
    wrapped(text, 40).join(&format!("\n{pad}"))
}

fn bulleted(value: &Value, bullet: fn(usize) -> String) -> String {
    yaml(value, &Yaml { bullet, ..Yaml::CLEAN })
}

pub(crate) const KINDS: &[Kind] = &[
    kind("yaml_hash", "yaml", "` #` in a plain text", EITHER, PLAIN, |v, r| {
        let v = &with_texts(v, r, words::hash);
        kept(v, yaml(v, &Yaml::PLAIN))
    }),
    kind("yaml_colon", "yaml", "`: ` in a plain text", EITHER, PLAIN, |v, r| {
        let v = &with_texts(v, r, words::colon);
        kept(v, yaml(v, &Yaml::PLAIN))
    }),
    kind("yaml_rich_plain", "yaml", "any text, never quoted", EITHER, RICH, |v, _| kept(v, yaml(v, &Yaml::PLAIN))),
    kind("yaml_odd_start", "yaml", "a plain text that starts with a mark", EITHER, PLAIN, |v, r| {
        let starts = [
            "`flush()` must come first",
            "@ops owns the hand-over",
            "%-based limits are unfair",
            "“done” is undefined",
        ];
        let v = &tree::texts_of(v, &[main_key(v), "rationale", "consensus"], |_| r.pick(&starts).to_owned());
        kept(v, yaml(v, &Yaml::PLAIN))
    }),
    kind("yaml_quoted_start", "yaml", "a plain text that starts with a quoted word", EITHER, PLAIN, |v, r| {
        let v = &tree::texts_of(v, &[main_key(v)], |text| {
            format!("\"{}\" is not a plan. {text}", r.pick(&["Later", "Move fast"]))
        });
        kept(v, yaml(v, &Yaml::PLAIN))
    }),
    kind("yaml_quote_inside_quotes", "yaml", "quotes inside double quotes are not escaped", EITHER, PLAIN, |v, r| {
        let v = &with_texts(v, r, words::quotes);
        kept(v, yaml(v, &Yaml { text: raw_double, ..Yaml::CLEAN }))
    }),
    kind(
        "yaml_apostrophe_inside_quotes",
        "yaml",
        "apostrophes inside single quotes are not doubled",
        EITHER,
        PLAIN,
        |v, r| {
            let v = &with_texts(v, r, words::apostrophe);
            kept(v, yaml(v, &Yaml { text: raw_single, ..Yaml::CLEAN }))
        },
    ),
    kind("yaml_bad_escape", "yaml", "backslashes in double quotes", EITHER, PLAIN, |v, r| {
        let odd = ["Files under C:\\data\\sets stay", "Match \\d+\\s* first", "The rule \\w+@\\w+ is too wide"];
        let v = &tree::texts_of(v, &["rationale", "consensus"], |_| r.pick(&odd).to_owned());
        kept(v, yaml(v, &Yaml { text: raw_double, ..Yaml::CLEAN }))
    }),
    kind("yaml_tabs", "yaml", "tabs for indentation", EITHER, RICH, |v, _| {
        let line = |line: &str| {
            let rest = line.trim_start_matches(' ');
            "\t".repeat((line.len() - rest.len()) / 2) + rest
        };
        kept(v, clean_yaml(v).lines().map(line).collect::<Vec<_>>().join("\n"))
    }),
    kind("yaml_spread", "yaml", "plain texts over several indented lines", EITHER, PLAIN, |v, _| {
        kept(v, yaml(v, &Yaml { text: spread, ..Yaml::CLEAN }))
    }),
    kind(
        "yaml_continued_at_the_margin",
        "yaml",
        "the second line of a text starts at the margin",
        EITHER,
        PLAIN,
        |v, r| {
            let (key, more) = (main_key(v), format!("which {} anyway", words::plain(r).to_lowercase()));
            let whole = format!("{} {more}", tree::text(v, key));
            let text = clean_yaml(v).replacen(tree::text(v, key), &format!("{}\n{more}", tree::text(v, key)), 1);
            kept(&tree::set(v, key, whole), text)
        },
    ),
    kind(
        "yaml_block_ragged",
        "yaml",
        "the first line of a block stands further right than the second",
        EITHER,
        PLAIN,
        |v, r| {
            let (key, one, two) = (main_key(v), words::plain(r), words::plain(r));
            let whole = tree::set(v, key, format!("{one}.\n{two}."));
            let text =
                clean_yaml(&tree::set(v, key, "RAGGED")).replacen(": RAGGED", &format!(": |\n    {one}.\n  {two}."), 1);
            kept(&whole, text)
        },
    ),
    kind("yaml_list_at_the_margin", "yaml", "lists are not indented", EITHER, RICH, |v, _| {
        kept(v, yaml(v, &Yaml { list_indent: 0, ..Yaml::CLEAN }))
    }),
    kind("yaml_stars", "yaml", "stars as bullets", EITHER, RICH, |v, _| kept(v, bulleted(v, |_| "* ".to_owned()))),
    kind("yaml_dots", "yaml", "dots as bullets", EITHER, RICH, |v, _| kept(v, bulleted(v, |_| "• ".to_owned()))),
    kind("yaml_numbers", "yaml", "numbers as bullets", EITHER, RICH, |v, r| {
        if r.percent(50) {
            kept(v, bulleted(v, |at| format!("{}. ", at + 1)))
        } else {
            kept(v, bulleted(v, |at| format!("{}) ", at + 1)))
        }
    }),
    kind("yaml_emoji_bullets", "yaml", "pictures as bullets", EITHER, RICH, |v, r| {
        if r.percent(50) {
            kept(v, bulleted(v, |_| "✅ ".to_owned()))
        } else {
            kept(v, bulleted(v, |_| "🔹 ".to_owned()))
        }
    }),
    kind("yaml_dash_emoji", "yaml", "a dash and a picture as bullets", SEAT, PLAIN, |v, r| {
        if r.percent(50) {
            kept(v, bulleted(v, |_| "- ✅ ".to_owned()))
        } else {
            kept(v, bulleted(v, |_| "- ⚠️ ".to_owned()))
        }
    }),
    kind("yaml_no_space_after_colon", "yaml", "no space after the colon", EITHER, PLAIN, |v, _| {
        kept(v, yaml(v, &Yaml { colon: ":", ..Yaml::PLAIN }))
    }),
    kind("yaml_space_before_colon", "yaml", "a space before the colon", EITHER, RICH, |v, _| {
        kept(v, yaml(v, &Yaml { colon: " : ", ..Yaml::CLEAN }))
    }),
    kind("yaml_flow_unquoted", "yaml", "lists between brackets, texts not quoted", SEAT, PLAIN, |v, _| {
        let list = |key: &str| format!("{key}: [{}]", tree::items(v, key).join(", "));
        let rest = tree::without(&tree::without(v, "rationale"), "concerns");
        kept(v, format!("{}\n{}\n{}", list("rationale"), list("concerns"), clean_yaml(&rest)))
    }),
    kind("yaml_custom_tags", "yaml", "a tag before the answer and its number", EITHER, RICH, |v, r| {
        let head = r.pick(&["!Answer", "!<tag:s2s,2026:reply>", "--- !Reply"]);
        kept(v, format!("{head}\n{}", clean_yaml(v).replace("confidence: ", "confidence: !!float ")))
    }),
    kind("yaml_trailing_commas", "yaml", "quoted texts with a comma after them", EITHER, RICH, |v, _| {
        kept(v, yaml(v, &Yaml { text: |text, pad| double(text, pad) + ",", ..Yaml::CLEAN }))
    }),
    kind("yaml_quoted_keys", "yaml", "keys between quotes", EITHER, RICH, |v, r| {
        let key = if r.percent(50) { |key: &str| format!("\"{key}\"") } else { |key: &str| format!("'{key}'") };
        kept(v, yaml(v, &Yaml { key, ..Yaml::CLEAN }))
    }),
    kind("yaml_duplicate_key", "yaml", "a placeholder first, then the same key with a value", EITHER, RICH, |v, r| {
        let word = r.pick(&["TBD", "...", "null", "\"\""]);
        kept(v, format!("{}: {word}\n{}", main_key(v), clean_yaml(v)))
    }),
    kind("yaml_norway", "yaml", "a text that YAML would make a truth value", EITHER, PLAIN, |v, r| {
        let v = &tree::set(v, main_key(v), r.pick(&["no", "Yes", "off", "NO", "on"]));
        kept(v, yaml(v, &Yaml::PLAIN))
    }),
    kind("yaml_anchor", "yaml", "a list by its anchor", SEAT, RICH, |v, _| {
        let shared = tree::set(v, "concerns", v.get("rationale")?.clone());
        let text = clean_yaml(&tree::set(v, "concerns", "ALIAS")).replace("rationale:\n", "rationale: &why\n");
        kept(&shared, text.replace(": ALIAS", ": *why"))
    }),
    kind("yaml_document_marks", "yaml", "document marks around", EITHER, LINES, |v, r| {
        let end = r.pick(&["...", "---", ""]);
        kept(v, format!("---\n{}{end}", clean_yaml(v)))
    }),
    kind("yaml_json_values", "yaml", "YAML keys with JSON values", EITHER, LINES, |v, _| {
        let lines =
            tree::fields(v).iter().map(|(key, field)| format!("{key}: {}", json_line(field))).collect::<Vec<_>>();
        kept(v, lines.join("\n"))
    }),
    kind("yaml_comments", "yaml", "comments on their own lines and after the number", EITHER, RICH, |v, _| {
        let text = clean_yaml(v).replace("\nrationale:", "\n# why\nrationale:  # reasons below");
        let text = text
            .replace("\nconflicts:", "\n# open points\nconflicts:")
            .replace("\noutput_type:", "\n\n# form\noutput_type:");
        let confidence = v.get("confidence").map(ToString::to_string).unwrap_or_default();
        kept(v, text.replace(&format!("confidence: {confidence}"), &format!("confidence: {confidence}  # fairly sure")))
    }),
    kind("yaml_blank_lines", "yaml", "blank lines between items and fields", EITHER, RICH, |v, _| {
        kept(v, clean_yaml(v).replace('\n', "\n\n"))
    }),
    kind("yaml_fenced_in_list", "yaml", "a fence with YAML whose lists stand at the margin", EITHER, RICH, |v, _| {
        kept(v, fenced("yaml", &yaml(v, &Yaml { list_indent: 0, ..Yaml::PLAIN })))
    }),
];
