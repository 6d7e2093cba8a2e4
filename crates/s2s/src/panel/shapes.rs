//! The JSON Schemas of the four kinds of reply, for models that can be held to one.
//! The same for every call of a kind, so that they do not disturb a provider's cache: what a prompt asks for
//! as a mapping by name (votes, positions) is a list here, which the reader takes as well. Kept to what every
//! provider takes: types, enums, required properties and nothing else. Deliberately absent: ranges and lengths,
//! which the reader and the engine check for every model alike.

use std::sync::{Arc, OnceLock};

use s2s_engine::step::CallKind;
use s2s_models::Shape;
use serde_json::{Map, Value, json};

/// The shape of a kind of reply.
pub(super) fn shape(kind: CallKind) -> Arc<Shape> {
    static SHAPES: OnceLock<[Arc<Shape>; 4]> = OnceLock::new();
    let shapes = SHAPES.get_or_init(|| [sides(), question(), response(), synthesis()].map(Arc::new));
    let at = match kind {
        CallKind::Sides => 0,
        CallKind::Question => 1,
        CallKind::Response => 2,
        CallKind::Synthesis => 3,
    };
    Arc::clone(&shapes[at])
}

fn sides() -> Shape {
    named("sides", record([("pro", texts()), ("con", texts()), ("proposal", text())]))
}

fn question() -> Shape {
    named(
        "question",
        record([
            ("action", one_of(&["question"])),
            ("question", text()),
            ("context_summary", text()),
            ("participants", texts()),
            ("focus", text()),
        ]),
    )
}

fn response() -> Shape {
    let votes = record([("point", text()), ("vote", one_of(&["support", "stand_aside", "block"])), ("reason", text())]);
    named(
        "response",
        record([
            ("position", text()),
            ("rationale", texts()),
            ("confidence", json!({"type": "number"})),
            ("concerns", texts()),
            ("context_challenge", text()),
            ("votes", list(votes)),
        ]),
    )
}

fn synthesis() -> Shape {
    let positions = record([("participant", text()), ("position", text())]);
    let conflict = record([("id", text()), ("description", text()), ("positions", list(positions))]);
    let resolved = record([("conflict_id", text()), ("resolution", text())]);
    let topic = record([("topic", text()), ("status", one_of(&["pending", "partial", "covered"]))]);
    let challenge = record([("participant", text()), ("challenge", text()), ("suggestion", text())]);
    named(
        "synthesis",
        record([
            ("action", one_of(&["synthesis"])),
            ("synthesis", text()),
            ("consensus", texts()),
            ("conflicts", list(conflict)),
            ("resolved", list(resolved)),
            ("agenda_coverage", list(topic)),
            ("context_challenges", list(challenge)),
            ("next_action", one_of(&["continue", "phase", "escalate", "conclude"])),
            ("next_focus", text()),
            ("escalation_reason", text()),
            ("recommendation", text()),
            ("output_type", one_of(&["", "adr", "requirements", "architecture", "summary"])),
        ]),
    )
}

fn named(name: &str, schema: Value) -> Shape {
    Shape { name: name.to_owned(), schema }
}

fn text() -> Value {
    json!({"type": "string"})
}

fn texts() -> Value {
    list(text())
}

fn list(items: Value) -> Value {
    json!({"type": "array", "items": items})
}

fn one_of(words: &[&str]) -> Value {
    json!({"type": "string", "enum": words})
}

fn record<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let required: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    let properties: Map<String, Value> =
        fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::read;
    use s2s_models::Stop;

    /// The plainest value that a schema allows.
    fn plain(schema: &Value) -> Value {
        match schema["type"].as_str() {
            Some("object") => {
                let fields = schema["properties"].as_object().unwrap();
                Value::Object(fields.iter().map(|(name, schema)| (name.clone(), plain(schema))).collect())
            }
            Some("array") => json!([plain(&schema["items"])]),
            Some("number") => json!(0.7),
            _ => schema["enum"].get(1).or(schema["enum"].get(0)).cloned().unwrap_or_else(|| json!("some words")),
        }
    }

    #[test]
    fn what_keeps_to_a_shape_is_read_without_a_doubt() {
        for kind in [CallKind::Sides, CallKind::Question, CallKind::Response, CallKind::Synthesis] {
            let text = plain(&shape(kind).schema).to_string();
            let reading = read(kind, &text, Stop::End).unwrap_or_else(|refusal| panic!("{kind}: {}", refusal.0));
            assert_eq!(reading.doubts, Vec::<String>::new(), "{kind}: {text}");
        }
    }

    #[test]
    fn every_object_is_closed_and_every_field_required() {
        fn check(schema: &Value) {
            if let Some(fields) = schema["properties"].as_object() {
                assert_eq!(schema["additionalProperties"], json!(false));
                assert_eq!(schema["required"].as_array().unwrap().len(), fields.len());
                fields.values().for_each(check);
            }
            if schema["items"].is_object() {
                check(&schema["items"]);
            }
        }
        [CallKind::Sides, CallKind::Question, CallKind::Response, CallKind::Synthesis]
            .iter()
            .for_each(|kind| check(&shape(*kind).schema));
    }
}
