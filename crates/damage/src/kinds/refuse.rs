//! Replies that carry no lawful value and must be refused: wrong texts, wrong fields, answers that contradict.

use serde_json::{Value, json};

use super::envelope::shown;
use super::fence::fenced;
use super::json::main_key;
use super::several::template;
use super::{CHAIR, EITHER, Kind, RICH, SEAT, another, kind, patched, patched_raw, refused};
use crate::styles::{clean_yaml, either, json as json_text};
use crate::{Form, tree, values, words};

pub(crate) const KINDS: &[Kind] = &[
    kind("empty", "refuse_text", "nothing at all", EITHER, RICH, |_, r| {
        refused(r.pick(&[
            "",
            " ",
            "\n\n",
            "```\n```",
            "```json\n\n```",
            "\u{feff}",
            "{}",
            "[]",
            "null",
            "---\n",
            "<response></response>",
        ]))
    }),
    kind("prose_only", "refuse_text", "prose without a value", EITHER, RICH, |_, r| {
        refused(format!("{} {}", words::sentences(r), words::sentences(r)))
    }),
    kind("question_back", "refuse_text", "a question in place of an answer", EITHER, RICH, |_, r| {
        let ask =
            ["Could you tell me who owns", "Before I answer: what do you mean by", "Which of these matters most for"];
        refused(format!("{} this? {}?", r.pick(&ask), words::plain(r)))
    }),
    kind("apology", "refuse_text", "the model declines", EITHER, RICH, |_, r| {
        refused(r.pick(&[
            "I'm sorry, but I can't help with that.",
            "I cannot take a position on this topic.",
            "As an AI language model, I don't have personal opinions.",
            "I'm unable to produce the requested output: the context is empty.",
        ]))
    }),
    kind("schema_only", "refuse_text", "the format with its placeholders", EITHER, RICH, |v, r| {
        let text = either(&template(values::form(v)), r);
        refused(if r.percent(50) { fenced("", &text) } else { text })
    }),
    kind("json_schema_echo", "refuse_text", "a JSON Schema in place of a value", EITHER, RICH, |v, r| {
        let property = |(key, field): (String, Value)| {
            let kind = match field {
                Value::Array(_) => json!({"type": "array", "items": {"type": "string"}}),
                Value::Number(_) => json!({"type": "number", "minimum": 0, "maximum": 1}),
                _ => json!({"type": "string", "description": format!("the {key}")}),
            };
            (key, kind)
        };
        let properties: serde_json::Map<String, Value> = tree::fields(v).into_iter().map(property).collect();
        let schema = json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": properties,
            "required": [main_key(v)]});
        refused(shown(&schema, r))
    }),
    kind("wrong_schema", "refuse_text", "JSON of something else", EITHER, RICH, |_, r| {
        let others = [
            json!({"title": "Meeting notes", "attendees": ["Ana", "Bo"], "date": "2026-01-12"}),
            json!({"status": "ok", "data": {"items": [1, 2, 3]}}),
            json!({"question": "What is the deadline?", "options": ["May", "June"]}),
            json!([{"name": "a", "value": 1}]),
        ];
        refused(shown(&others[r.below(others.len())], r))
    }),
    kind("other_form", "refuse_field", "the other form's value", EITHER, RICH, |v, r| {
        let other = if values::form(v) == Form::Participant { Form::Facilitator } else { Form::Participant };
        let other = values::value(r, other, crate::words::Texts::Rich);
        refused(either(&other, r))
    }),
    kind("confidence_out_of_range", "refuse_field", "1.5, -0.2, 7, 150 %", SEAT, RICH, |v, r| {
        let word = r.pick(&["1.5", "-0.2", "7", "-1", "1.01", "2", "180", "-50"]);
        refused(patched_raw(v, "confidence", word, word, r))
    }),
    kind("confidence_percent_out_of_range", "refuse_field", "150 %, -10 %, 12/10", SEAT, RICH, |v, r| {
        refused(patched(v, "confidence", r.pick(&["150%", "-10%", "12/10", "110 percent", "1.2/1"]), r))
    }),
    kind("confidence_range", "refuse_field", "two numbers", SEAT, RICH, |v, r| {
        refused(patched(
            v,
            "confidence",
            r.pick(&["0.6-0.8", "0.6 to 0.8", "60-70%", "0.5 or 0.9", "between 0.3 and 0.6"]),
            r,
        ))
    }),
    kind("confidence_unknown_word", "refuse_field", "a word that is no measure", SEAT, RICH, |v, r| {
        refused(patched(v, "confidence", r.pick(&["depends", "unknown", "see above", "yes", "growing", "TBD", "?"]), r))
    }),
    kind("confidence_missing", "refuse_field", "no confidence", SEAT, RICH, |v, r| {
        refused(either(&tree::without(v, "confidence"), r))
    }),
    kind("confidence_null", "refuse_field", "confidence without a value", SEAT, RICH, |v, r| {
        refused(patched_raw(v, "confidence", r.pick(&["null", "\"\"", "\"N/A\""]), r.pick(&["null", "", "N/A"]), r))
    }),
    kind("confidence_not_a_number", "refuse_field", "NaN and infinity", SEAT, RICH, |v, r| {
        let (json, yaml) = r.pick(&[("NaN", ".nan"), ("Infinity", ".inf"), ("-Infinity", "-.inf")]);
        refused(patched_raw(v, "confidence", json, yaml, r))
    }),
    kind("action_unknown", "refuse_field", "a next action that does not exist", CHAIR, RICH, |v, r| {
        refused(patched(v, "next_action", r.pick(&["vote", "reconsider", "ask finance", "TBD", "none", "3"]), r))
    }),
    kind("action_negated", "refuse_field", "what the next action is not", CHAIR, RICH, |v, r| {
        let next = tree::text(v, "next_action");
        let frame = r.pick(&["do not {}", "not {}", "don't {} yet", "never {}", "anything but {}"]);
        refused(patched(v, "next_action", &frame.replace("{}", next), r))
    }),
    kind("action_two", "refuse_field", "two next actions", CHAIR, RICH, |v, r| {
        let words = r.pick(&[
            "continue or conclude",
            "phase/escalate",
            "conclude, escalate",
            "either phase or continue",
            "continue | phase",
        ]);
        refused(patched(v, "next_action", words, r))
    }),
    kind("action_missing", "refuse_field", "no next action", CHAIR, RICH, |v, r| {
        refused(either(&tree::without(v, "next_action"), r))
    }),
    kind("action_null", "refuse_field", "next action without a value", CHAIR, RICH, |v, r| {
        refused(patched_raw(v, "next_action", r.pick(&["null", "\"\""]), r.pick(&["null", "", "~"]), r))
    }),
    kind("main_text_missing", "refuse_field", "no position, no synthesis", EITHER, RICH, |v, r| {
        refused(either(&tree::without(v, main_key(v)), r))
    }),
    kind("main_text_empty", "refuse_field", "an empty or null position or synthesis", EITHER, RICH, |v, r| {
        refused(patched_raw(v, main_key(v), r.pick(&["null", "\"\"", "\"  \""]), r.pick(&["null", "", "\"\""]), r))
    }),
    kind("main_text_placeholder", "refuse_field", "a placeholder as position or synthesis", EITHER, RICH, |v, r| {
        let word = r.pick(&["<your position>", "<string>", "...", "TBD", "[insert text here]", "{{position}}"]);
        refused(patched_raw(v, main_key(v), &format!("\"{word}\""), &format!("\"{word}\""), r))
    }),
    kind("two_answers", "several", "two different answers, no word which is final", EITHER, RICH, |v, r| {
        let other = another(v, r);
        match r.below(3) {
            0 => refused(format!("{}\n\n{}", json_text(v), json_text(&other))),
            1 => refused(format!(
                "Option A:\n{}\n\nOption B:\n{}",
                fenced("json", &json_text(v)),
                fenced("json", &json_text(&other))
            )),
            _ => refused(format!("{}---\n{}", clean_yaml(v), clean_yaml(&other))),
        }
    }),
    kind("two_answers_in_a_list", "several", "a list of two different answers", EITHER, RICH, |v, r| {
        let other = another(v, r);
        refused(json_text(&json!([v, other])))
    }),
];
