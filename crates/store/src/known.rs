//! The register of a session in its file: the artifacts that were known at the start, a line each.
//! They are a copy of what other sessions made, kept so that a session can be checked by itself; a large project has
//! a thousand of them in every file. One line of JSON is read ten times as fast as a map, and is all that a person
//! needs of them here. Given a register or the field; hands on the other. Deliberately absent: the session's own.

use s2s_engine::artifact::{Artifact, Register};
use serde::Deserialize;
use serde_json::Value;

/// The field for a register.
pub(crate) fn folded(register: &Register) -> Result<Value, serde_json::Error> {
    let bare = Register { known: Vec::new(), ..register.clone() };
    let mut value = serde_json::to_value(bare)?;
    if !register.known.is_empty() {
        let lines: Result<Vec<String>, _> = register.known.iter().map(serde_json::to_string).collect();
        value["known"] = Value::from(lines?);
    }
    Ok(value)
}

/// The register of a field; artifacts that are written as maps are taken too.
pub(crate) fn unfolded(value: &Value) -> Result<Register, String> {
    let Value::Object(fields) = value else { return Err("not a map".to_owned()) };
    let bare: serde_json::Map<String, Value> =
        fields.iter().filter(|(key, _)| *key != "known").map(|(key, value)| (key.clone(), value.clone())).collect();
    let mut register: Register = serde_json::from_value(Value::Object(bare)).map_err(|error| error.to_string())?;
    let known = match fields.get("known") {
        None | Some(Value::Null) => return Ok(register),
        Some(Value::Array(known)) => known,
        Some(_) => return Err("`known` is not a list".to_owned()),
    };
    for (at, one) in known.iter().enumerate() {
        let artifact = match one {
            Value::String(line) => serde_json::from_str(line),
            other => Artifact::deserialize(other),
        };
        register.known.push(artifact.map_err(|error| format!("`known`, entry {}: {error}", at + 1))?);
    }
    Ok(register)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_register_comes_back_as_it_was_from_lines_and_from_maps() {
        let artifact = json!({ "id": "REQ-001", "title": "Export: \"all\"", "text": "a\nb", "priority": "must" });
        let maps = json!({ "kinds": ["REQ"], "last": { "REQ": 4 }, "known": [artifact], "retired": ["REQ-002"] });
        let register = unfolded(&maps).unwrap();
        assert_eq!(register.known[0].title, "Export: \"all\"");
        let lines = folded(&register).unwrap();
        assert!(lines["known"][0].is_string(), "{lines}");
        assert_eq!(unfolded(&lines).unwrap(), register);
        for (bad, words) in [
            (json!([]), "not a map"),
            (json!({ "known": 3 }), "`known` is not a list"),
            (json!({ "known": ["{"] }), "`known`, entry 1"),
            (json!({ "known": [{ "id": "REQ-x", "title": "" }] }), "`known`, entry 1"),
        ] {
            assert!(unfolded(&bad).unwrap_err().contains(words), "{bad}");
        }
    }
}
