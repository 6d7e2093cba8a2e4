//! Markdown: given a participant value, the text with headings, bold keys or bullets.

use serde_json::Value;

use super::yaml::{Yaml, yaml};

/// `context_challenge` as `Context Challenge`.
pub fn title(key: &str) -> String {
    let words = key.split('_').map(|word| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_uppercase().collect::<String>() + letters.as_str()).unwrap_or_default()
    });
    words.collect::<Vec<_>>().join(" ")
}

/// What a heading or bold key is followed by: a text, a number, a list of bullets, or `None`.
pub fn body(field: &Value) -> String {
    match field {
        Value::Null => "None".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) if items.is_empty() => "None".to_owned(),
        Value::Array(items) if items.iter().all(Value::is_string) => {
            items.iter().map(|item| format!("- {}", item.as_str().unwrap_or_default())).collect::<Vec<_>>().join("\n")
        }
        Value::Array(_) | Value::Object(_) => yaml(field, &Yaml::CLEAN).trim_end().to_owned(),
        other => other.to_string(),
    }
}

/// A heading for each key.
pub fn headings(value: &Value, level: &str, name: fn(&str) -> String) -> String {
    let fields = value.as_object().cloned().unwrap_or_default();
    let parts = fields.iter().map(|(key, field)| format!("{level} {}\n\n{}\n", name(key), body(field)));
    parts.collect::<Vec<_>>().join("\n")
}

/// A bold key before each value; `name` writes the key with its colon.
pub fn bold(value: &Value, name: fn(&str) -> String) -> String {
    let fields = value.as_object().cloned().unwrap_or_default();
    let parts = fields.iter().map(|(key, field)| {
        let gap = if field.as_array().is_some_and(|items| !items.is_empty()) { "\n" } else { " " };
        format!("{}{gap}{}\n", name(key), body(field))
    });
    parts.collect::<Vec<_>>().join("\n")
}

/// A bullet with a bold key for each field, lists one step in.
pub fn bullets(value: &Value) -> String {
    let fields = value.as_object().cloned().unwrap_or_default();
    let parts = fields.iter().map(|(key, field)| match field {
        Value::Array(items) if !items.is_empty() => {
            let items = body(field).lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n");
            format!("- **{}**:\n{items}\n", title(key))
        }
        other => format!("- **{}**: {}\n", title(key), body(other)),
    });
    parts.collect()
}
