//! Random participant and facilitator values: given chance and what their texts may hold, a value that is lawful.

use serde_json::{Map, Value, json};

use crate::rng::Rng;
use crate::words::{Texts, plain, text};
use crate::{Form, words};

/// The keys of a participant value.
pub const PARTICIPANT: [&str; 5] = ["position", "rationale", "confidence", "concerns", "context_challenge"];

/// The keys of a facilitator value.
pub const FACILITATOR: [&str; 12] = [
    "action",
    "synthesis",
    "consensus",
    "conflicts",
    "resolved",
    "next_action",
    "next_focus",
    "escalation_reason",
    "recommendation",
    "output_type",
    "agenda_coverage",
    "context_challenges",
];

/// Names of seats.
pub const SEATS: [&str; 14] = [
    "architect",
    "ops",
    "security",
    "ux",
    "product",
    "qa-lead",
    "data-eng",
    "legal",
    "devil-advocate",
    "finance",
    "mobile-dev",
    "a11y",
    "support-lead",
    "researcher",
];

const TOPICS: [&str; 12] = [
    "data retention",
    "rollout plan",
    "pricing",
    "error handling",
    "access control",
    "team ownership",
    "observability",
    "import and export",
    "accessibility",
    "capacity",
    "naming",
    "backups",
];

/// The actions that may follow.
pub const NEXT: [&str; 4] = ["continue", "phase", "conclude", "escalate"];

/// Which form a value has.
pub fn form(value: &Value) -> Form {
    if value.get("position").is_some() { Form::Participant } else { Form::Facilitator }
}

fn list(rng: &mut Rng, texts: Texts, low: usize, high: usize) -> Vec<String> {
    // Items are of one line: a list item of several lines is a style's affair.
    let texts = if texts == Texts::Lines && rng.percent(85) { Texts::Rich } else { texts };
    (0..rng.within(low, high)).map(|_| text(rng, texts)).collect()
}

fn confidence(rng: &mut Rng) -> Value {
    match rng.below(10) {
        0..=6 => json!(f64::from(u32::try_from(rng.within(2, 19)).unwrap_or(10)) * 5.0 / 100.0),
        7 | 8 => json!(f64::from(u32::try_from(rng.within(11, 97)).unwrap_or(50)) / 100.0),
        _ => json!(0.9),
    }
}

fn sometimes(rng: &mut Rng, share: usize, texts: Texts) -> Value {
    if rng.percent(share) { json!(text(rng, texts)) } else { Value::Null }
}

/// A seat's answer.
pub fn participant(rng: &mut Rng, texts: Texts) -> Value {
    json!({
        "position": text(rng, texts),
        "rationale": list(rng, texts, 1, 4),
        "confidence": confidence(rng),
        "concerns": list(rng, texts, 0, 3),
        "context_challenge": sometimes(rng, 45, texts),
    })
}

fn conflicts(rng: &mut Rng, texts: Texts) -> Value {
    let pattern = rng.pick(&["C", "C", "C", "conflict-", "K-0"]);
    let count = rng.below(3);
    let conflict = |(number, rng): (usize, &mut Rng)| {
        let mut seats = SEATS;
        rng.shuffle(&mut seats);
        let many = rng.within(2, 3);
        let positions: Map<String, Value> = seats
            .iter()
            .take(many)
            .map(|seat| ((*seat).to_owned(), json!(words::text(rng, texts.min(Texts::Rich)))))
            .collect();
        json!({"id": format!("{pattern}{number}"), "description": text(rng, texts), "positions": positions})
    };
    (1..=count).map(|number| conflict((number, rng))).collect()
}

fn resolved(rng: &mut Rng, texts: Texts) -> Value {
    let count = rng.below(3);
    let kinds = ["consensus", "compromise", "majority", "facilitator_call"];
    let one = |(number, rng): (usize, &mut Rng)| json!({"conflict_id": format!("R{number}"), "resolution": text(rng, texts), "resolution_type": rng.pick(&kinds)});
    (1..=count).map(|number| one((number, rng))).collect()
}

fn coverage(rng: &mut Rng) -> Value {
    let mut topics = TOPICS;
    rng.shuffle(&mut topics);
    let count = rng.within(1, 3);
    let one = |topic: &str, rng: &mut Rng| json!({"topic": topic, "status": rng.pick(&["covered", "partial", "open", "pending"])});
    topics.iter().take(count).map(|topic| one(topic, rng)).collect()
}

/// The facilitator's summing up.
pub fn facilitator(rng: &mut Rng, texts: Texts) -> Value {
    let next = rng.pick(&NEXT);
    let focus =
        if matches!(next, "continue" | "phase") { json!(text(rng, texts.min(Texts::Rich))) } else { Value::Null };
    let reason = if next == "escalate" { json!(text(rng, texts)) } else { Value::Null };
    json!({
        "action": rng.pick(&["moderate", "summarize", "synthesize", "facilitate"]),
        "synthesis": text(rng, texts),
        "consensus": list(rng, texts, 1, 3),
        "conflicts": conflicts(rng, texts),
        "resolved": resolved(rng, texts),
        "next_action": next,
        "next_focus": focus,
        "escalation_reason": reason,
        "recommendation": text(rng, texts),
        "output_type": rng.pick(&["adr", "design", "plan", "specs"]),
        "agenda_coverage": coverage(rng),
        "context_challenges": list(rng, texts, 0, 2),
    })
}

/// A value of this form.
pub fn value(rng: &mut Rng, form: Form, texts: Texts) -> Value {
    match form {
        Form::Participant => participant(rng, texts),
        Form::Facilitator => facilitator(rng, texts),
    }
}

/// The value with some of its nulls left out, as a model would.
pub fn without_some_nulls(mut value: Value, rng: &mut Rng) -> Value {
    if let Some(map) = value.as_object_mut() {
        map.retain(|_, field| !field.is_null() || rng.percent(60));
    }
    value
}

/// A short plain remark.
pub fn remark(rng: &mut Rng) -> String {
    plain(rng)
}
