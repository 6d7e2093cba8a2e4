//! The JSON Schemas of the four kinds of reply, for models that can be held to one.
//! The same for every call of a kind, so that they do not disturb a provider's cache: what a prompt asks for
//! as a mapping by name (votes, positions) is a list here, which the reader takes as well. Kept to what every
//! provider takes: types, enums, required properties and nothing else. Deliberately absent: ranges and lengths,
//! which the reader and the engine check for every model alike.

use std::sync::{Arc, OnceLock};

use s2s_engine::Session;
use s2s_engine::artifact::ArtifactKind;
use s2s_engine::opening::Workflow;
use s2s_engine::step::CallKind;
use s2s_models::Shape;
use serde_json::{Map, Value, json};

/// The workflow whose artifacts a session keeps, if it keeps any.
pub(super) fn keeps(session: &Session) -> Option<Workflow> {
    let opening = session.opening();
    opening.register.is_some().then_some(opening.workflow)
}

/// The shape of a kind of reply, if it has one; where artifacts are kept, a synthesis has those of its workflow.
pub(super) fn shape(kind: CallKind, keeps: Option<Workflow>) -> Option<Arc<Shape>> {
    static SHAPES: OnceLock<[Arc<Shape>; 7]> = OnceLock::new();
    let make = || {
        let keeping = |workflow| synthesis(ArtifactKind::of_workflow(workflow));
        let (specs, design, storm) =
            (keeping(Workflow::Specs), keeping(Workflow::Design), keeping(Workflow::Brainstorm));
        [sides(), question(), response(), synthesis(&[]), specs, design, storm].map(Arc::new)
    };
    let at = match (kind, keeps) {
        // In plain words.
        (CallKind::Followup, _) => return None,
        (CallKind::Sides, _) => 0,
        (CallKind::Question, _) => 1,
        (CallKind::Response, _) => 2,
        (CallKind::Synthesis, None) => 3,
        (CallKind::Synthesis, Some(Workflow::Specs)) => 4,
        (CallKind::Synthesis, Some(Workflow::Design)) => 5,
        (CallKind::Synthesis, Some(Workflow::Brainstorm)) => 6,
    };
    Some(Arc::clone(&SHAPES.get_or_init(make)[at]))
}

/// The shape of a plan.
pub(super) fn plan_shape() -> Arc<Shape> {
    static PLAN: OnceLock<Arc<Shape>> = OnceLock::new();
    let make = || {
        let task = record([
            ("key", text()),
            ("title", text()),
            ("text", text()),
            ("serves", texts()),
            ("depends_on", texts()),
            ("estimate", text()),
        ]);
        Arc::new(named("plan", record([("tasks", list(task))])))
    };
    Arc::clone(PLAN.get_or_init(make))
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

fn synthesis(kinds: &[ArtifactKind]) -> Shape {
    let positions = record([("participant", text()), ("position", text())]);
    let conflict = record([("id", text()), ("description", text()), ("positions", list(positions))]);
    let resolved = record([("conflict_id", text()), ("resolution", text())]);
    let status = one_of(&["pending", "partial", "covered"]);
    let topic = match kinds {
        [] => record([("topic", text()), ("status", status)]),
        _ => record([("topic", text()), ("status", status), ("met", texts())]),
    };
    let challenge = record([("participant", text()), ("challenge", text()), ("suggestion", text())]);
    let mut schema = record([
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
    ]);
    if !kinds.is_empty() {
        add(&mut schema, "artifacts", list(artifact(kinds)));
    }
    named("synthesis", schema)
}

/// An artifact of one of these kinds: the fields of all of them, since no provider takes a choice of shapes.
fn artifact(kinds: &[ArtifactKind]) -> Value {
    let names: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
    let mut schema = record([
        ("id", text()),
        ("kind", one_of(&names)),
        ("title", text()),
        ("text", text()),
        ("topic", text()),
        ("status", one_of(&["", "withdrawn", "resolved"])),
        ("proposed_by", texts()),
        ("supersedes", texts()),
    ]);
    for rule in kinds.iter().flat_map(|kind| kind.fields()) {
        let value = match rule.name {
            "priority" => one_of(&["", "must", "should", "could", "wont"]),
            "severity" | "likelihood" | "impact" | "effort" => one_of(&["", "low", "medium", "high"]),
            "acceptance" | "options" | "consequences" | "between" | "serves" | "uses" => texts(),
            _ => text(),
        };
        add(&mut schema, rule.name, value);
    }
    schema
}

/// One more required field of a record.
fn add(record: &mut Value, name: &str, value: Value) {
    if record["properties"].get(name).is_none() {
        record["properties"][name] = value;
        if let Some(required) = record["required"].as_array_mut() {
            required.push(Value::from(name));
        }
    }
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

    fn every() -> impl Iterator<Item = (CallKind, Option<Workflow>)> {
        let plain = [CallKind::Sides, CallKind::Question, CallKind::Response, CallKind::Synthesis];
        let keeping = Workflow::ALL.iter().map(|workflow| (CallKind::Synthesis, Some(*workflow)));
        plain.into_iter().map(|kind| (kind, None)).chain(keeping)
    }

    #[test]
    fn what_keeps_to_a_shape_is_read_without_a_doubt() {
        for (kind, keeps) in every() {
            let text = plain(&shape(kind, keeps).unwrap().schema).to_string();
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
        every().for_each(|(kind, keeps)| check(&shape(kind, keeps).unwrap().schema));
        check(&plan_shape().schema);
    }
}
