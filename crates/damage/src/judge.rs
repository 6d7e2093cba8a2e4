//! The canonical comparison: given a form, a truth and what a reader made, the verdict.

use serde_json::{Map, Value};

use crate::values::{FACILITATOR, PARTICIPANT};
use crate::{Form, Truth};

/// What became of one reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Every field equal.
    Recovered,
    /// Accepted with a field different.
    Wrong,
    /// Refused although it can be read.
    Refused,
    /// Refused as it must be.
    RightlyRefused,
    /// Accepted although it must be refused.
    Accepted,
}

/// Judges what a reader made of a reply; `got` is none when it refused.
pub fn judge(form: Form, truth: &Truth, got: Option<&Value>) -> Verdict {
    match (truth, got) {
        (Truth::MustRefuse, None) => Verdict::RightlyRefused,
        (Truth::MustRefuse, Some(_)) => Verdict::Accepted,
        (Truth::Value(_), None) => Verdict::Refused,
        (Truth::Value(truth), Some(got)) if canonical(form, truth) == canonical(form, got) => Verdict::Recovered,
        (Truth::Value(_), Some(_)) => Verdict::Wrong,
    }
}

/// The keys whose truth and reading differ.
pub fn differing(form: Form, truth: &Value, got: &Value) -> Vec<String> {
    let (truth, got) = (canonical(form, truth), canonical(form, got));
    let keys = truth.as_object().map(|map| map.keys().cloned().collect::<Vec<_>>()).unwrap_or_default();
    keys.into_iter().filter(|key| truth.get(key) != got.get(key)).collect()
}

/// The value as it is compared: every key of the form in its order, texts cleaned, nothing as null or an empty list.
pub fn canonical(form: Form, value: &Value) -> Value {
    let keys: &[&str] = if form == Form::Participant { &PARTICIPANT } else { &FACILITATOR };
    let field = |key: &&str| ((*key).to_owned(), of_key(key, value.get(*key).unwrap_or(&Value::Null)));
    Value::Object(keys.iter().map(field).collect())
}

fn of_key(key: &str, value: &Value) -> Value {
    match key {
        "rationale" | "concerns" | "consensus" | "context_challenges" => each(value, text),
        "conflicts" => each(value, |one| object(one, &["id", "description", "positions"])),
        "resolved" => each(value, |one| object(one, &["conflict_id", "resolution", "resolution_type"])),
        "agenda_coverage" => each(value, |one| object(one, &["topic", "status"])),
        "confidence" => number(value),
        _ => text(value),
    }
}

fn each(value: &Value, one: impl Fn(&Value) -> Value) -> Value {
    match value {
        Value::Null => Value::Array(Vec::new()),
        Value::Array(items) => items.iter().map(one).collect(),
        other => other.clone(),
    }
}

fn object(value: &Value, keys: &[&str]) -> Value {
    let Some(map) = value.as_object() else { return text(value) };
    let field = |key: &&str| {
        let field = map.get(*key).unwrap_or(&Value::Null);
        ((*key).to_owned(), if *key == "positions" { positions(field) } else { text(field) })
    };
    Value::Object(keys.iter().map(field).collect())
}

fn positions(value: &Value) -> Value {
    let Some(map) = value.as_object() else { return Value::Object(Map::new()) };
    let mut sorted: Vec<_> = map.iter().map(|(seat, words)| (clean(seat), text(words))).collect();
    sorted.sort_by(|one, other| one.0.cmp(&other.0));
    Value::Object(sorted.into_iter().collect())
}

fn number(value: &Value) -> Value {
    value.as_f64().map_or_else(|| value.clone(), |number| Value::String(format!("{number:.6}")))
}

fn text(value: &Value) -> Value {
    match value {
        Value::String(words) => match clean(words) {
            words if words.is_empty() => Value::Null,
            words => Value::String(words),
        },
        other => other.clone(),
    }
}

/// A text as it is compared: CRLF = LF, NBSP = space, invisible characters gone, line ends and outer space trimmed.
pub fn clean(text: &str) -> String {
    let invisible = |c: char| {
        (c.is_control() && c != '\n' && c != '\t')
            || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
    };
    let text: String =
        text.replace("\r\n", "\n").replace(['\u{a0}', '\u{202f}'], " ").chars().filter(|c| !invisible(*c)).collect();
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim().to_owned()
}
