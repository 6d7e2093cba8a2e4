//! The second set: keys, confidence, next action, lists, nothing.

use crate::kinds::json::main_key;
use crate::kinds::more_fields::empty_list;
use crate::kinds::more_fields::is_participant;
use crate::kinds::more_fields::number;
use crate::kinds::more_fields::reshaped;
use serde_json::{Map, Value, json};

use crate::kinds::{CHAIR, EITHER, Kind, LINES, PLAIN, RICH, SEAT, kept, kind, patched, patched_raw};
use crate::rng::Rng;
use crate::styles::either;
use crate::styles::markdown::title;
use crate::tree;

fn optional(value: &Value) -> &'static str {
    if is_participant(value) { "context_challenge" } else { "next_focus" }
}

fn mapped(items: &[String], key: impl Fn(usize) -> String) -> Map<String, Value> {
    items.iter().enumerate().map(|(at, item)| (key(at + 1), json!(item))).collect()
}

fn with_confidence(value: &Value, share: f64, written: &str, rng: &mut Rng) -> Option<(String, crate::Truth)> {
    let value = &tree::set(value, "confidence", json!(share));
    kept(value, patched(value, "confidence", written, rng))
}

fn typo(key: &str) -> &str {
    match key {
        "position" => "positon",
        "rationale" => "rationnale",
        "confidence" => "confidance",
        "concerns" => "conerns",
        "context_challenge" => "contex_challenge",
        "synthesis" => "sythesis",
        "next_action" => "next_acton",
        "recommendation" => "reccomendation",
        "consensus" => "concensus",
        other => other,
    }
}

fn singular(key: &str) -> &str {
    match key {
        "concerns" => "concern",
        "rationale" => "rationales",
        "conflicts" => "conflict",
        "recommendation" => "recommendations",
        other => other,
    }
}

pub(crate) const KINDS: &[Kind] = &[
    kind("second_typos", "keys", "slips of the pen in some keys", EITHER, LINES, |v, r| {
        kept(v, either(&tree::top_keys(v, |key| if r.percent(40) { typo(key).to_owned() } else { key.to_owned() }), r))
    }),
    kind("second_prefixed_keys", "keys", "a prefix before each key", EITHER, LINES, |v, r| {
        let prefix = r.pick(&["response.", "my_", "participant_", "output."]);
        kept(v, either(&tree::top_keys(v, |key| format!("{prefix}{key}")), r))
    }),
    kind("second_pascal_keys", "keys", "`ContextChallenge`", EITHER, LINES, |v, r| {
        kept(v, either(&tree::keys(v, |key| title(key).replace(' ', "")), r))
    }),
    kind("second_singular_keys", "keys", "one for many and many for one", EITHER, LINES, |v, r| {
        kept(v, either(&tree::top_keys(v, |key| singular(key).to_owned()), r))
    }),
    kind("second_spaced_keys", "keys", "keys in lower case with spaces", EITHER, LINES, |v, r| {
        kept(v, either(&tree::keys(v, |key| key.replace('_', " ")), r))
    }),
    kind("second_joined_keys", "keys", "keys without any mark between their words", EITHER, LINES, |v, r| {
        kept(v, either(&tree::keys(v, |key| key.replace('_', "")), r))
    }),
    kind("second_fraction", "confidence", "a fraction", SEAT, RICH, |v, r| {
        let (word, share) = r.pick(&[("4/5", 0.8), ("3/4", 0.75), ("1/2", 0.5), ("3 / 5", 0.6)]);
        with_confidence(v, share, word, r)
    }),
    kind("second_of_hundred_words", "confidence", "so many of a hundred", SEAT, RICH, |v, r| {
        let frame = r.pick(&["{}/100", "{} out of 100", "{} of 100"]);
        let hundred = format!("{:.0}", v.get("confidence")?.as_f64()? * 100.0);
        kept(v, patched(v, "confidence", &frame.replace("{}", &hundred), r))
    }),
    kind("second_number_in_list", "confidence", "the number in a list", SEAT, RICH, |v, r| {
        let word = format!("[{}]", number(v));
        kept(v, patched_raw(v, "confidence", &word, &word, r))
    }),
    kind("second_number_with_full_stop", "confidence", "a full stop after the number", SEAT, RICH, |v, r| {
        kept(v, patched(v, "confidence", &format!("{}.", number(v)), r))
    }),
    kind("second_sentence_policy", "confidence", "a sentence with one percentage", SEAT, RICH, |v, r| {
        let frame = r.pick(&["I am {}% confident", "Roughly {}% sure", "{}% confident in this position"]);
        let hundred = format!("{:.0}", v.get("confidence")?.as_f64()? * 100.0);
        kept(v, patched(v, "confidence", &frame.replace("{}", &hundred), r))
    }),
    kind("second_exponent", "confidence", "the number with an exponent", SEAT, RICH, |v, r| {
        let tenths = r.within(1, 9);
        let value = &tree::set(v, "confidence", json!(f64::from(u32::try_from(tenths).ok()?) / 10.0));
        let word = format!("{tenths}e-1");
        kept(value, patched_raw(value, "confidence", &word, &word, r))
    }),
    kind("second_wide_digits", "confidence", "digits of full width", SEAT, RICH, |v, r| {
        let written = number(v);
        let wide =
            written.chars().map(|c| c.to_digit(10).and_then(|digit| char::from_u32(0xFF10 + digit)).unwrap_or(c));
        kept(v, patched(v, "confidence", &wide.collect::<String>(), r))
    }),
    kind("second_percent_ends", "confidence", "nothing or all in percent", SEAT, RICH, |v, r| {
        let (word, share) = r.pick(&[("100%", 1.0), ("0%", 0.0), ("100 %", 1.0), ("10/10", 1.0)]);
        with_confidence(v, share, word, r)
    }),
    kind("second_percent_decimals", "confidence", "a percentage with decimals", SEAT, RICH, |v, r| {
        let (word, share) = r.pick(&[("82.5%", 0.825), ("82,5 %", 0.825), ("67.5 percent", 0.675), ("91.0%", 0.91)]);
        with_confidence(v, share, word, r)
    }),
    kind("second_action_in_list", "enum", "the next action in a list", CHAIR, RICH, |v, r| {
        kept(v, either(&tree::set(v, "next_action", json!([tree::text(v, "next_action")])), r))
    }),
    kind("second_action_picture", "enum", "a picture or an arrow before the next action", CHAIR, RICH, |v, r| {
        let mark = r.pick(&["✅", "→", "➡️", "🛑"]);
        kept(v, patched(v, "next_action", &format!("{mark} {}", tree::text(v, "next_action")), r))
    }),
    kind("second_action_sentence_policy", "enum", "the next action in a short sentence", CHAIR, RICH, |v, r| {
        let word = match tree::text(v, "next_action") {
            "continue" => "We should continue",
            "phase" => "Move on to the next phase",
            "conclude" => "I propose to conclude",
            _ => "This needs us to escalate",
        };
        kept(v, patched(v, "next_action", word, r))
    }),
    kind("second_action_constant", "enum", "the next action as a constant", CHAIR, RICH, |v, r| {
        let frame = r.pick(&["NextAction.{}", "Action::{}", "ACTION_{}", "NEXT_ACTION.{}"]);
        kept(
            v,
            patched_raw(
                v,
                "next_action",
                &format!("\"{0}\"", frame.replace("{}", &tree::text(v, "next_action").to_uppercase())),
                &frame.replace("{}", &tree::text(v, "next_action").to_uppercase()),
                r,
            ),
        )
    }),
    kind("second_list_in_list", "lists", "a list in a list", EITHER, RICH, |v, _| {
        kept(v, crate::styles::json(&reshaped(v, |items| json!([items]))))
    }),
    kind("second_list_printed", "lists", "a list as Python prints it, in a string", EITHER, PLAIN, |v, r| {
        let shape = |items: &[String]| {
            json!(format!("[{}]", items.iter().map(|item| format!("'{item}'")).collect::<Vec<_>>().join(", ")))
        };
        kept(v, either(&reshaped(v, shape), r))
    }),
    kind("second_list_numbered_in_line", "lists", "numbered items in one line of text", EITHER, PLAIN, |v, r| {
        let key = if is_participant(v) { "rationale" } else { "consensus" };
        (tree::items(v, key).len() > 1).then_some(())?;
        let shape = |items: &[String]| {
            json!(
                items.iter().enumerate().map(|(at, item)| format!("{}) {item}", at + 1)).collect::<Vec<_>>().join(" ")
            )
        };
        kept(v, either(&reshaped(v, shape), r))
    }),
    kind("second_list_numbered_map", "lists", "a map with numbered names", EITHER, RICH, |v, r| {
        let name = r.pick(&["reason_", "point", "item "]);
        kept(v, either(&reshaped(v, |items| mapped(items, |at| format!("{name}{at}")).into()), r))
    }),
    kind("second_list_rich_objects", "lists", "items as objects with a number and a text", EITHER, RICH, |v, r| {
        let shape = |items: &[String]| {
            let one = |(at, item): (usize, &String)| json!({"id": at + 1, "text": item});
            items.iter().enumerate().map(one).collect::<Vec<_>>().into()
        };
        kept(v, either(&reshaped(v, shape), r))
    }),
    kind("second_list_items_numbered", "lists", "items that carry their number in the text", EITHER, RICH, |v, _| {
        let shape = |items: &[String]| {
            items.iter().enumerate().map(|(at, item)| json!(format!("{}. {item}", at + 1))).collect::<Vec<_>>().into()
        };
        let key = if is_participant(v) { "rationale" } else { "consensus" };
        (tree::items(v, key).len() > 1).then_some(())?;
        kept(v, crate::styles::json(&reshaped(v, shape)))
    }),
    kind("second_resolved_as_map", "lists", "what is resolved, by its id", CHAIR, RICH, |v, r| {
        let items = v.get("resolved")?.as_array()?;
        (!items.is_empty()).then_some(())?;
        let map: Map<String, Value> = items
            .iter()
            .map(|one| (tree::text(one, "conflict_id").to_owned(), tree::without(one, "conflict_id")))
            .collect();
        kept(v, either(&tree::set(v, "resolved", map), r))
    }),
    kind("second_coverage_single_maps", "lists", "agenda coverage as a list of topic: status", CHAIR, RICH, |v, r| {
        let items = v.get("agenda_coverage")?.as_array()?;
        let one = |one: &Value| {
            let (topic, status) = (tree::text(one, "topic"), tree::text(one, "status"));
            json!({topic: status})
        };
        kept(v, either(&tree::set(v, "agenda_coverage", items.iter().map(one).collect::<Vec<_>>()), r))
    }),
    kind("second_coverage_texts", "lists", "agenda coverage as texts", CHAIR, RICH, |v, r| {
        let items = v.get("agenda_coverage")?.as_array()?;
        let one = |one: &Value| json!(format!("{}: {}", tree::text(one, "topic"), tree::text(one, "status")));
        kept(v, either(&tree::set(v, "agenda_coverage", items.iter().map(one).collect::<Vec<_>>()), r))
    }),
    kind("second_text_in_object", "lists", "a text in an object of one", EITHER, RICH, |v, r| {
        let (key, name) = (main_key(v), r.pick(&["text", "content", "value", "statement"]));
        kept(v, either(&tree::set(v, key, json!({name: tree::text(v, key)})), r))
    }),
    kind("second_more_null_words", "nothing", "more words for nothing", EITHER, RICH, |v, r| {
        let v = &tree::set(v, optional(v), Value::Null);
        let word = r.pick(&[
            "undefined",
            "Not applicable",
            "(none)",
            "None.",
            "n.a.",
            "*None*",
            "not applicable.",
            "\"none\"",
            "—",
        ]);
        kept(
            v,
            patched_raw(
                v,
                optional(v),
                &format!("\"{}\"", word.trim_matches('"')),
                &format!("\"{}\"", word.trim_matches('"')),
                r,
            ),
        )
    }),
    kind(
        "second_empty_container_for_text",
        "nothing",
        "an empty list or map for an optional text",
        EITHER,
        RICH,
        |v, r| {
            let v = &tree::set(v, optional(v), Value::Null);
            let word = r.pick(&["[]", "{}", "[null]"]);
            kept(v, patched_raw(v, optional(v), word, word, r))
        },
    ),
    kind("second_list_encoded_empty", "nothing", "an empty list as a text", EITHER, RICH, |v, r| {
        let v = &tree::set(v, empty_list(v), json!([]));
        kept(v, patched_raw(v, empty_list(v), "\"[]\"", "\"[]\"", r))
    }),
];
