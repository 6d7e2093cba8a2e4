//! More replies that must be refused.

use super::cut::last_text;
use super::envelope::shown;
use super::json::main_key;
use serde_json::{Value, json};

use super::{CHAIR, EITHER, Kind, RICH, SEAT, kind, patched, patched_raw, refused};
use crate::rng::Rng;
use crate::styles::{clean_yaml, either, json as json_text, xml};
use crate::{Form, tree, values, words};

pub(crate) fn is_participant(value: &Value) -> bool {
    values::form(value) == Form::Participant
}

/// The text as this writes it, without its end and all that follows.
pub(crate) fn cut(whole: &str, text: &str, write: fn(&str) -> String, rng: &mut Rng) -> Option<String> {
    let at = whole.find(&write(text))?;
    let letters: Vec<char> = write(text).chars().collect();
    (letters.len() > 8).then_some(())?;
    let mut part: String = letters[..rng.within(3, letters.len() - 4)].iter().collect();
    while part.ends_with('\\') {
        part.pop();
    }
    Some(format!("{}{part}", &whole[..at]))
}

pub(crate) const KINDS: &[Kind] = &[
    kind("cli_failure", "refuse_text", "what a CLI says when it fails", EITHER, RICH, |_, r| {
        refused(r.pick(&[
            "Invalid API key · Please run /login",
            "Error: 429 Too Many Requests: limit reset at 15:00",
            "Claude usage limit reached. Your limit will reset at 3pm.",
            "usage: llm [-m MODEL] [prompt]\nllm: error: unrecognized arguments: --json",
            "thread 'main' panicked at src/main.rs:12:5: called `Option::unwrap()` on a `None` value",
        ]))
    }),
    kind("bare_scalar", "refuse_text", "a bare word or number", EITHER, RICH, |_, r| {
        refused(r.pick(&["42", "true", "\"ok\"", "0.8", "conclude", "yes", "[\"a\", \"b\"]", "[1, 2]"]))
    }),
    kind("hollow_fields", "refuse_text", "every field there and empty", EITHER, RICH, |v, r| {
        let empty = |(key, field): (String, Value)| match field {
            Value::Array(_) => (key, json!([])),
            _ => (key, if r.percent(50) { json!("") } else { Value::Null }),
        };
        let hollow = Value::Object(tree::fields(v).into_iter().map(empty).collect());
        refused(if r.percent(50) { xml::fields(&hollow, "response") } else { either(&hollow, r) })
    }),
    kind("confidence_other_number", "refuse_field", "a number that is no confidence", SEAT, RICH, |v, r| {
        refused(patched(v, "confidence", r.pick(&["0.8.1", "2026-05-01", "12:30", "0x10", "1/0", "v0.8", "8/5"]), r))
    }),
    kind("confidence_twice_policy", "refuse_field", "the confidence twice with two values", SEAT, RICH, |v, r| {
        let other = if v.get("confidence")?.as_f64()? < 0.5 { "0.9" } else { "0.2" };
        if r.percent(50) {
            refused(format!("{}confidence: {other}\n", clean_yaml(v)))
        } else {
            refused(json_text(v).replacen('{', &format!("{{\n  \"confidence\": {other},"), 1))
        }
    }),
    kind("action_hollow", "refuse_field", "an empty container or a number as next action", CHAIR, RICH, |v, r| {
        let word = r.pick(&["[]", "{}", "0", "false", "1"]);
        refused(patched_raw(v, "next_action", word, word, r))
    }),
    kind("main_twice_policy", "refuse_field", "the main text twice with two values", EITHER, RICH, |v, r| {
        let other = words::plain(r);
        if r.percent(50) {
            refused(format!("{}: {other}\n{}", main_key(v), clean_yaml(v)))
        } else {
            refused(json_text(v).replacen('{', &format!("{{\n  \"{}\": \"{other}\",", main_key(v)), 1))
        }
    }),
    kind("cut_elements", "cut", "elements that end inside a text", EITHER, RICH, |v, r| {
        let whole = xml::fields(v, "response");
        refused(cut(&whole, &last_text(v)?, xml::escaped, r)?)
    }),
    kind(
        "cut_yaml_in_closed_fence",
        "cut",
        "YAML in a closed fence that lacks its later fields",
        EITHER,
        RICH,
        |v, r| {
            let whole = clean_yaml(v);
            let at = whole.find(if is_participant(v) { "\nconfidence:" } else { "\nnext_action:" })?;
            let letters: Vec<char> = whole[..at].chars().collect();
            refused(format!(
                "```yaml\n{}\n```",
                letters[..r.within(letters.len() / 2, letters.len())].iter().collect::<String>()
            ))
        },
    ),
    kind("cut_in_object", "cut", "JSON that ends between the fields of an object in a list", CHAIR, RICH, |v, _| {
        let whole = json_text(v);
        let at = whole.find("\"topic\"")?;
        refused(whole[..at].trim_end())
    }),
    kind("response_incomplete", "stopped", "a response object that is incomplete", EITHER, RICH, |v, r| {
        let all = json!({"object": "response", "status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"},
            "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": json_text(v)}]}]});
        refused(shown(&all, r))
    }),
    kind("events_failed", "stopped", "events of a CLI that end in a failure", EITHER, RICH, |_, r| {
        let last = [
            json!({"type": "turn.failed", "error": {"message": "stream disconnected before completion"}}),
            json!({"type": "result", "subtype": "error_during_execution", "is_error": true, "num_turns": 2}),
            json!({"type": "error", "message": "unexpected status 401 Unauthorized"}),
        ];
        refused(format!("{}\n{}\n", json!({"type": "thread.started", "thread_id": "0199"}), last[r.below(3)]))
    }),
    kind("empty_input", "stopped", "a tool call without input", EITHER, RICH, |_, r| {
        let all = json!({"type": "message", "role": "assistant", "content": [{"type": "tool_use", "name": "respond", "input": {}}], "stop_reason": "tool_use"});
        refused(shown(&all, r))
    }),
];
