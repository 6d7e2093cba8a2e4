//! Finds the one mapping a reply is made of: in a fence, as the whole text, or after some prose.
//! Given clean text and the keys that could stand in it; hands on a map with what was passed over.

use serde_json::{Map, Value};

use super::Refusal;

/// The mapping found, and what was odd about finding it.
#[derive(Debug)]
pub(super) struct Found {
    pub map: Map<String, Value>,
    pub doubts: Vec<String>,
}

/// The mapping that holds at least one of the expected keys.
pub(super) fn mapping(text: &str, expected: &[&str]) -> Result<Found, Refusal> {
    let mut last_flaw = None;
    for candidate in candidates(text, expected) {
        match parse(candidate.text) {
            Ok(Value::Object(map)) => {
                if let Some(map) = unwrap_to(map, expected) {
                    return Ok(Found { map, doubts: candidate.doubt.into_iter().collect() });
                }
                last_flaw.get_or_insert(format!("none of the expected fields was found ({})", expected.join(", ")));
            }
            Ok(_) => {}
            Err(flaw) => last_flaw = Some(flaw),
        }
    }
    let what = last_flaw.unwrap_or_else(|| "it is prose, not YAML".to_owned());
    Err(Refusal(format!("the reply could not be read: {what}")))
}

struct Candidate<'t> {
    text: &'t str,
    doubt: Option<String>,
}

/// Where the mapping may be, the most likely place first.
fn candidates<'t>(text: &'t str, expected: &[&str]) -> Vec<Candidate<'t>> {
    let mut candidates: Vec<Candidate<'t>> =
        fences(text).into_iter().map(|text| Candidate { text, doubt: None }).collect();
    candidates.push(Candidate { text, doubt: None });
    if let Some(start) = first_field(text, expected)
        && start > 0
    {
        let doubt = Some("left out the text before the first field".to_owned());
        candidates.push(Candidate { text: &text[start..], doubt });
    }
    candidates
}

/// The bodies of closed code fences.
fn fences(text: &str) -> Vec<&str> {
    let mut bodies = Vec::new();
    let mut open: Option<usize> = None;
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let is_fence = line.trim_start().starts_with("```");
        match (is_fence, open) {
            (true, None) => open = Some(offset + line.len()),
            (true, Some(start)) => {
                bodies.push(&text[start..offset]);
                open = None;
            }
            _ => {}
        }
        offset += line.len();
    }
    bodies
}

/// The place of the first line that begins with one of the expected keys.
fn first_field(text: &str, expected: &[&str]) -> Option<usize> {
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let key = line.split(':').next().unwrap_or_default();
        if line.contains(':') && expected.contains(&key.trim()) {
            return Some(offset);
        }
        offset += line.len();
    }
    None
}

fn parse(text: &str) -> Result<Value, String> {
    let trimmed = text.trim();
    if trimmed.starts_with('{')
        && let Ok(value) = serde_json::from_str(trimmed)
    {
        return Ok(value);
    }
    s2s_yaml::to_value(trimmed).map_err(|flaw| flaw.to_string())
}

/// The map itself, or the one inside its only field.
fn unwrap_to(map: Map<String, Value>, expected: &[&str]) -> Option<Map<String, Value>> {
    if map.keys().any(|key| expected.contains(&key.as_str())) {
        return Some(map);
    }
    match map.into_iter().next() {
        Some((_, Value::Object(inner))) if inner.keys().any(|key| expected.contains(&key.as_str())) => Some(inner),
        _ => None,
    }
}
