//! The rules a JSON Schema must keep where a provider holds a model to it strictly.
//! Given a schema; hands on the first rule it breaks, in the words of the real server. Deliberately absent:
//! whether a reply fits the schema.

use serde_json::Value;

/// The first broken rule, if any: where, and which.
pub(crate) fn flaw(schema: &Value) -> Option<String> {
    if schema["type"] != "object" {
        return Some("In context=(), schema must be of type 'object'.".to_owned());
    }
    walk(schema, &mut Vec::new())
}

fn walk(schema: &Value, path: &mut Vec<String>) -> Option<String> {
    let says = |what: String| Some(format!("In context=({}), {what}", quoted(path)));
    if let Some(properties) = schema["properties"].as_object() {
        if schema["additionalProperties"] != Value::Bool(false) {
            return says("'additionalProperties' is required to be supplied and to be false.".to_owned());
        }
        let required = schema["required"].as_array().map_or(&[] as &[Value], Vec::as_slice);
        if let Some((missing, _)) = properties.iter().find(|(name, _)| !required.contains(&Value::from(name.as_str())))
        {
            return says(format!(
                "'required' is required to be supplied and to be an array including every key in properties. \
                 Missing '{missing}'."
            ));
        }
        for (name, property) in properties {
            path.extend(["properties".to_owned(), name.clone()]);
            if let Some(found) = walk(property, path) {
                return Some(found);
            }
            path.truncate(path.len() - 2);
        }
    } else if is_object(schema) {
        return says("'additionalProperties' is required to be supplied and to be false.".to_owned())
            .filter(|_| schema["additionalProperties"] != Value::Bool(false));
    }
    let items = schema.get("items").filter(|items| items.is_object());
    if let Some(items) = items {
        path.push("items".to_owned());
        let found = walk(items, path);
        path.pop();
        return found;
    }
    let choices = schema["anyOf"].as_array().map_or(&[] as &[Value], Vec::as_slice);
    choices.iter().find_map(|choice| walk(choice, path))
}

fn is_object(schema: &Value) -> bool {
    schema["type"] == "object" || schema["type"].as_array().is_some_and(|types| types.contains(&Value::from("object")))
}

fn quoted(path: &[String]) -> String {
    path.iter().map(|step| format!("'{step}'")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_strict_schema_passes() {
        let item = json!({"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"], "additionalProperties": false});
        let schema = json!({"type": "object", "additionalProperties": false, "required": ["a", "b"],
            "properties": {"a": {"type": ["string", "null"]}, "b": {"type": "array", "items": item}}});
        assert_eq!(flaw(&schema), None);
    }

    #[test]
    fn a_loose_one_is_named_with_its_place() {
        let loose = json!({"type": "object", "properties": {"a": {"type": "string"}}});
        assert!(flaw(&loose).unwrap().contains("'additionalProperties' is required"));
        let partial = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": [], "additionalProperties": false});
        assert!(flaw(&partial).unwrap().ends_with("Missing 'a'."));
        let inner = json!({"type": "object", "properties": {"a": {"type": "array", "items": {"type": "object"}}},
            "required": ["a"], "additionalProperties": false});
        assert!(flaw(&inner).unwrap().starts_with("In context=('properties', 'a', 'items')"));
        assert!(flaw(&json!({"type": "array"})).is_some());
    }
}
