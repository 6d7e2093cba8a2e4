//! Digests: each round is tied to everything before it, the seal to everything after (S3).
//! Is given the raw document; hands on hexadecimal BLAKE3 digests, or the first round that does not
//! hold. They show an edit, an exchange or a cut; they are no signature. Deliberately absent: repair.

use serde::Serialize;
use serde_json::{Map, Value};

/// The head fields that never change once the first round is committed.
pub(crate) const FROZEN: &[&str] = &[
    "schema_version",
    "id",
    "topic",
    "workflow_type",
    "strategy",
    "started",
    "panel",
    "panel_note",
    "participants",
    "debate_sides",
    "settings",
    "context",
    "agenda",
    "register",
    "parent",
    "reopens",
];

/// What the seal covers besides the rounds.
const SEALED: &[&str] = &["escalations", "interventions", "outcome"];

/// JSON with sorted keys and no spaces: one text for one value.
pub fn canonical_json(value: &Value) -> String {
    let mut out = Vec::new();
    write_canonical(value, &[], &mut out);
    String::from_utf8(out).unwrap_or_default()
}

/// The digest before round 1: that of the frozen head. `context.changes` grows, so it is left out.
pub fn digest_of_head(document: &Map<String, Value>) -> String {
    let inside = |key: &str| if key == "context" { &["changes"][..] } else { &[] };
    let fields = FROZEN.iter().filter_map(|key| Some((*key, document.get(*key)?, inside(key))));
    let mut out = Vec::new();
    write_fields(fields.collect(), &mut out);
    digest("", &out)
}

/// The digest of a round, given the one before it. A `digest` field of the round itself is left out.
pub fn digest_of_round(before: &str, round: &Value) -> String {
    let mut out = Vec::new();
    write_canonical(round, &["digest"], &mut out);
    digest(before, &out)
}

/// The seal, given the digest of the last round (or of the head where there is none).
pub fn seal_of(last: &str, document: &Map<String, Value>) -> String {
    let fields = SEALED.iter().map(|key| (*key, document.get(*key).unwrap_or(&Value::Null), &[][..]));
    let mut out = Vec::new();
    write_fields(fields.collect(), &mut out);
    digest(last, &out)
}

fn digest(before: &str, text: &[u8]) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(before.as_bytes());
    hasher.update(text);
    hasher.finalize().to_hex().to_string()
}

/// `skipped` holds for the outermost object only.
fn write_canonical(value: &Value, skipped: &[&str], out: &mut Vec<u8>) {
    match value {
        Value::Object(map) => {
            let fields = map.iter().filter(|(key, _)| !skipped.contains(&key.as_str()));
            write_fields(fields.map(|(key, value)| (key.as_str(), value, &[][..])).collect(), out);
        }
        Value::Array(items) => {
            out.push(b'[');
            for (n, item) in items.iter().enumerate() {
                if n > 0 {
                    out.push(b',');
                }
                write_canonical(item, &[], out);
            }
            out.push(b']');
        }
        scalar => write_json(scalar, out),
    }
}

/// An object of these fields; with each, what is left out of it.
fn write_fields(mut fields: Vec<(&str, &Value, &[&str])>, out: &mut Vec<u8>) {
    fields.sort_unstable_by_key(|(key, ..)| *key);
    out.push(b'{');
    for (n, (key, value, skipped)) in fields.into_iter().enumerate() {
        if n > 0 {
            out.push(b',');
        }
        write_json(key, out);
        out.push(b':');
        write_canonical(value, skipped, out);
    }
    out.push(b'}');
}

fn write_json(scalar: &(impl Serialize + ?Sized), out: &mut Vec<u8>) {
    // A key or a scalar, into memory: there is nothing in it that could fail.
    let _ = serde_json::to_writer(out, scalar);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn canonical_json_sorts_keys_at_every_level_and_keeps_kinds() {
        let value = json!({ "b": [1.0, 1, -0.5, null, { "z": "é\n\"", "a": true }], "a": {} });
        assert_eq!(canonical_json(&value), r#"{"a":{},"b":[1.0,1,-0.5,null,{"a":true,"z":"é\n\""}]}"#);
    }

    #[test]
    fn s3_a_digest_ties_in_the_one_before_and_ignores_its_own_field() {
        let round = json!({ "number": 1, "inner": { "digest": "kept" } });
        let with_own = json!({ "inner": { "digest": "kept" }, "digest": "x", "number": 1 });
        assert_eq!(digest_of_round("a", &round), digest_of_round("a", &with_own));
        assert_ne!(digest_of_round("a", &round), digest_of_round("b", &round));
        assert_ne!(digest_of_round("a", &round), digest_of_round("a", &json!({ "number": 1, "inner": {} })));
    }

    #[test]
    fn s3_the_recipe_is_blake3_of_the_text_before_plus_canonical_json() {
        let expected = blake3::hash(b"before{\"number\":1}").to_hex().to_string();
        assert_eq!(digest_of_round("before", &json!({ "number": 1 })), expected);
    }

    #[test]
    fn the_head_digest_covers_the_context_but_not_its_changes() {
        let head = |context: Value| digest_of_head(json!({ "id": "a", "context": context }).as_object().unwrap());
        let plain = head(json!({ "text": "t" }));
        assert_eq!(plain, head(json!({ "text": "t", "changes": [1] })));
        assert_ne!(plain, head(json!({ "text": "u" })));
    }
}
