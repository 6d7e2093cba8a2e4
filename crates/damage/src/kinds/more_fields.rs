//! More keys, numbers, actions and lists in another shape.

use super::json::main_key;
use serde_json::{Value, json};

use super::{CHAIR, EITHER, Kind, LINES, PLAIN, RICH, SEAT, kept, kind, patched, patched_raw};
use crate::styles::either;
use crate::{Form, tree, values, words};

pub(crate) fn is_participant(value: &Value) -> bool {
    values::form(value) == Form::Participant
}

pub(crate) fn empty_list(value: &Value) -> &'static str {
    if is_participant(value) { "concerns" } else { "context_challenges" }
}

pub(crate) fn number(value: &Value) -> String {
    value.get("confidence").map(ToString::to_string).unwrap_or_default()
}

/// The value with the list that every form has in another shape.
pub(crate) fn reshaped(value: &Value, shape: impl Fn(&[String]) -> Value) -> Value {
    let key = if is_participant(value) { "rationale" } else { "consensus" };
    tree::set(value, key, shape(&tree::items(value, key)))
}

fn inner_synonym(key: &str) -> &str {
    match key {
        "description" => "summary",
        "resolution_type" => "type",
        "topic" => "name",
        "status" => "coverage",
        other => other,
    }
}

pub(crate) const KINDS: &[Kind] = &[
    kind("loose_keys", "keys", "spaces and colons inside quoted keys", EITHER, LINES, |v, r| {
        let frame = r.pick(&[" {}", "{} ", "{}:", "{} :"]);
        kept(v, crate::styles::json(&tree::top_keys(v, |key| frame.replace("{}", key))))
    }),
    kind("inner_synonyms_policy", "keys", "other words for the keys of objects", CHAIR, RICH, |v, r| {
        kept(v, either(&tree::keys(v, |key| inner_synonym(key).to_owned()), r))
    }),
    kind("word_then_number", "confidence", "a word and the number in brackets", SEAT, RICH, |v, r| {
        let frame = r.pick(&["high ({})", "Moderate - {}", "fairly sure: {}", "Medium/High ({})"]);
        kept(v, patched(v, "confidence", &frame.replace("{}", &number(v)), r))
    }),
    kind("label_again", "confidence", "the word again before the number", SEAT, RICH, |v, r| {
        let frame = r.pick(&["confidence {}", "Confidence: {}", "= {}", "{} confidence"]);
        kept(v, patched(v, "confidence", &frame.replace("{}", &number(v)), r))
    }),
    kind("number_with_reason", "confidence", "an object with the number and a reason", SEAT, RICH, |v, r| {
        let (key, why) = r.pick(&[("score", "reason"), ("value", "explanation"), ("level", "justification")]);
        kept(v, either(&tree::set(v, "confidence", json!({key: v.get("confidence")?, why: words::plain(r)})), r))
    }),
    kind("action_object", "enum", "the next action in an object", CHAIR, RICH, |v, r| {
        let (key, why) = r.pick(&[("type", "reason"), ("action", "rationale"), ("value", "why")]);
        kept(
            v,
            either(&tree::set(v, "next_action", json!({key: tree::text(v, "next_action"), why: words::plain(r)})), r),
        )
    }),
    kind("action_colon", "enum", "the next action, a colon, and why", CHAIR, RICH, |v, r| {
        let why = r.pick(&[": the budget is open", ", because two topics are open", " because nobody objects"]);
        kept(
            v,
            patched_raw(
                v,
                "next_action",
                &format!("\"{}{why}\"", tree::text(v, "next_action")),
                &format!("\"{}{why}\"", tree::text(v, "next_action")),
                r,
            ),
        )
    }),
    kind("list_single_maps", "lists", "each item under a key with its number", EITHER, RICH, |v, r| {
        let name = r.pick(&["point_", "reason_", ""]);
        let shape = |items: &[String]| {
            let one = |(at, item): (usize, &String)| json!({format!("{name}{}", at + 1): item});
            items.iter().enumerate().map(one).collect::<Vec<_>>().into()
        };
        kept(v, either(&reshaped(v, shape), r))
    }),
    kind("positions_as_texts", "lists", "positions as `seat: text`", CHAIR, PLAIN, |v, r| {
        let conflicts = v.get("conflicts")?.as_array()?;
        (!conflicts.is_empty()).then_some(())?;
        let one = |conflict: &Value| {
            let seats = tree::fields(conflict.get("positions").unwrap_or(&Value::Null));
            let lines: Vec<String> =
                seats.iter().map(|(seat, said)| format!("{seat}: {}", said.as_str().unwrap_or_default())).collect();
            tree::set(conflict, "positions", lines)
        };
        kept(v, either(&tree::set(v, "conflicts", conflicts.iter().map(one).collect::<Vec<_>>()), r))
    }),
    kind("text_in_list", "lists", "a text in a list of one", EITHER, RICH, |v, r| {
        let key = main_key(v);
        kept(v, either(&tree::set(v, key, json!([tree::text(v, key)])), r))
    }),
    kind("list_of_null_words", "nothing", "a list with a word for nothing", EITHER, RICH, |v, r| {
        let v = &tree::set(v, empty_list(v), json!([]));
        kept(v, either(&tree::set(v, empty_list(v), json!([r.pick(&["None", "N/A", "", "none", "n/a"])])), r))
    }),
];
