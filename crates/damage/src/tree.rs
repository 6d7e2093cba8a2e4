//! Walks over values: given a value and a change, the value with every text, every key or one field changed.

use serde_json::{Map, Value};

/// Keys whose value is a word of a set or an id, not free text.
const WORDS: [&str; 8] =
    ["action", "id", "conflict_id", "resolution_type", "next_action", "output_type", "topic", "status"];

fn walk(value: &Value, key: &str, change: &mut dyn FnMut(&str) -> String) -> Value {
    match value {
        Value::String(text) if !WORDS.contains(&key) => Value::String(change(text)),
        Value::Array(items) => items.iter().map(|item| walk(item, key, change)).collect(),
        Value::Object(map) => {
            let fields = map.iter().map(|(name, field)| {
                let inner = if key == "positions" { key } else { name };
                (name.clone(), walk(field, inner, change))
            });
            Value::Object(fields.collect())
        }
        other => other.clone(),
    }
}

/// The value with every free text changed.
pub fn texts(value: &Value, mut change: impl FnMut(&str) -> String) -> Value {
    walk(value, "", &mut change)
}

/// The value with the free texts of these top-level fields changed.
pub fn texts_of(value: &Value, keys: &[&str], mut change: impl FnMut(&str) -> String) -> Value {
    let mut changed = value.clone();
    for key in keys {
        if let Some(field) = changed.get_mut(*key) {
            *field = walk(&field.clone(), key, &mut change);
        }
    }
    changed
}

fn rename(value: &Value, seats: bool, change: &mut dyn FnMut(&str) -> String) -> Value {
    match value {
        Value::Array(items) => items.iter().map(|item| rename(item, seats, change)).collect(),
        Value::Object(map) => {
            let fields = map.iter().map(|(name, field)| {
                let renamed = if seats { name.clone() } else { change(name) };
                (renamed, rename(field, name == "positions", change))
            });
            Value::Object(fields.collect())
        }
        other => other.clone(),
    }
}

/// The value with every key changed, names of seats left alone.
pub fn keys(value: &Value, mut change: impl FnMut(&str) -> String) -> Value {
    rename(value, false, &mut change)
}

/// The value with its top-level keys changed.
pub fn top_keys(value: &Value, mut change: impl FnMut(&str) -> String) -> Value {
    let fields = fields(value).into_iter().map(|(name, field)| (change(&name), field));
    Value::Object(fields.collect())
}

/// The value with this field set, in its place if it is there.
pub fn set(value: &Value, key: &str, field: impl Into<Value>) -> Value {
    let mut map = fields(value);
    map.insert(key.to_owned(), field.into());
    Value::Object(map)
}

/// The value without this field.
pub fn without(value: &Value, key: &str) -> Value {
    let mut map = fields(value);
    map.shift_remove(key);
    Value::Object(map)
}

/// The fields of a value.
pub fn fields(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

/// The texts of a list.
pub fn items(value: &Value, key: &str) -> Vec<String> {
    let items = value.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    items.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// A text field, empty where there is none.
pub fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}
