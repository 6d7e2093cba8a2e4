//! A value brought into the shape of a JSON Schema.
//! Given what would be said and the schema; hands on a value of that shape, with what was to be said where it
//! has room, and the plainest value where it asks for more. A mapping becomes a list of records where the
//! schema has no mappings. Deliberately absent: checks of the schema.

use serde_json::{Map, Value};

/// The value in this shape.
pub(crate) fn fit(value: &Value, schema: &Value) -> Value {
    if let Some(choices) = schema["enum"].as_array() {
        let plainest = || choices.iter().find(|choice| choice.is_null()).or(choices.first()).cloned();
        return choices.iter().find(|choice| *choice == value).cloned().or_else(plainest).unwrap_or_default();
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let fitting = choices.iter().find(|choice| takes(choice, kind(value)));
        return fitting.or(choices.first()).map(|choice| fit(value, choice)).unwrap_or_default();
    }
    if value.is_null() && takes(schema, "null") {
        return Value::Null;
    }
    match () {
        () if takes(schema, "object") => object(value, schema),
        () if takes(schema, "array") => Value::from(array(value, &schema["items"])),
        () if takes(schema, "string") => match value {
            Value::String(_) => value.clone(),
            Value::Null => Value::from(""),
            other => Value::from(other.to_string()),
        },
        () if takes(schema, "number") || takes(schema, "integer") => match value.is_number() {
            true => value.clone(),
            false => Value::from(0),
        },
        () if takes(schema, "boolean") => Value::from(value.as_bool().unwrap_or(false)),
        () => value.clone(),
    }
}

/// Whether a schema takes values of this type. Gemini writes types in capitals.
fn takes(schema: &Value, name: &str) -> bool {
    let is = |written: &Value| written.as_str().is_some_and(|written| written.eq_ignore_ascii_case(name));
    match &schema["type"] {
        Value::Array(names) => names.iter().any(is),
        written => is(written) || (name == "null" && schema["nullable"] == Value::Bool(true)),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn object(value: &Value, schema: &Value) -> Value {
    let Some(properties) = schema["properties"].as_object() else {
        return if value.is_object() { value.clone() } else { Value::Object(Map::new()) };
    };
    let fields = properties.iter().map(|(name, property)| (name.clone(), fit(&value[name.as_str()], property)));
    Value::Object(fields.collect())
}

fn array(value: &Value, items: &Value) -> Vec<Value> {
    match value {
        Value::Array(all) => all.iter().map(|item| fit(item, items)).collect(),
        Value::Object(pairs) => pairs.iter().map(|(name, value)| pair(name, value, items)).collect(),
        Value::Null => Vec::new(),
        one => vec![fit(one, items)],
    }
}

/// An entry of a mapping as a record: its name goes into the first free text, its value where it fits a choice.
fn pair(name: &str, value: &Value, schema: &Value) -> Value {
    let Some(properties) = schema["properties"].as_object() else { return fit(&Value::from(name), schema) };
    let chosen = |property: &Value| property["enum"].as_array().is_some_and(|choices| choices.contains(value));
    let choice = properties.iter().find(|(_, property)| chosen(property)).map(|(field, _)| field);
    let mut texts =
        properties.iter().filter(|(_, property)| property.get("enum").is_none() && takes(property, "string"));
    let named = texts.next().map(|(field, _)| field);
    let held = choice.or(texts.next().map(|(field, _)| field));
    let fields = properties.iter().map(|(field, property)| {
        let said = match () {
            () if Some(field) == named => Value::from(name),
            () if Some(field) == held => value.clone(),
            () => Value::Null,
        };
        (field.clone(), fit(&said, property))
    });
    Value::Object(fields.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_mapping_becomes_records_where_the_schema_wants_them() {
        let vote = json!({"type": "object", "properties": {
            "point": {"type": "string"}, "vote": {"type": "string", "enum": ["support", "block"]},
            "reason": {"type": ["string", "null"]}}});
        let schema = json!({"type": "object", "properties": {
            "confidence": {"type": "number"}, "votes": {"type": "array", "items": vote},
            "context_challenge": {"type": ["string", "null"]}, "extra": {"type": "array", "items": {"type": "string"}}}});
        let said = json!({"confidence": 0.8, "votes": {"C1.1": "support"}, "context_challenge": null, "dropped": 1});
        let expected = json!({"confidence": 0.8, "context_challenge": null, "extra": [],
            "votes": [{"point": "C1.1", "vote": "support", "reason": null}]});
        assert_eq!(fit(&said, &schema), expected);
    }

    #[test]
    fn anything_gets_the_shape_that_is_asked_for() {
        let schema = json!({"type": "OBJECT", "properties": {
            "a": {"type": "STRING"}, "b": {"type": "INTEGER"}, "c": {"type": "boolean"}, "d": {"enum": ["x", "y"]},
            "e": {"anyOf": [{"type": "null"}, {"type": "string"}]}, "f": {"type": "string", "nullable": true}}});
        let expected = json!({"a": "", "b": 0, "c": false, "d": "x", "e": null, "f": null});
        assert_eq!(fit(&Value::Null, &schema), expected);
    }
}
