//! Reading what the original plugin wrote: files that a language model filled in by hand.
//! Is given raw values; hands on as much as makes sense of them. The raw values themselves stay in
//! the document untouched. Deliberately absent: any use for rounds that have a digest.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use s2s_engine::opening::Seat;
use s2s_engine::record::Round;
use serde_json::{Map, Value, json};

/// A time as people and models write it: RFC 3339, or without a zone, which is taken as UTC.
pub(crate) fn timestamp(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    text.parse().ok().or_else(|| utc(text.parse().ok()?))
}

/// The time in a session's id (S1), or the epoch where it has none.
pub(crate) fn started_from_id(id: &str) -> Timestamp {
    let stamp = id.get(..15).unwrap_or_default();
    DateTime::strptime("%Y%m%d-%H%M%S", stamp).ok().and_then(utc).unwrap_or(Timestamp::UNIX_EPOCH)
}

fn utc(at: DateTime) -> Option<Timestamp> {
    at.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
}

/// The seats of the table: `{id, name}`, or the bare id where a model wrote only that.
pub(crate) fn seats(raw: Option<&Value>) -> Vec<Seat> {
    let entries = raw.and_then(Value::as_array).into_iter().flatten();
    let seats = entries.map(|entry| match entry {
        Value::String(id) => serde_json::from_value(json!({ "id": id, "name": id })),
        entry => serde_json::from_value(entry.clone()),
    });
    seats.filter_map(Result::ok).collect()
}

/// A round, field by field: a field or list entry that does not fit is left out, the rest counts.
/// None only where not even its number makes sense.
pub(crate) fn round(raw: &Value, number: u32) -> Option<Round> {
    let mut kept = Map::new();
    kept.insert("number".to_owned(), Value::from(raw.get("number").and_then(Value::as_u64).unwrap_or(number.into())));
    kept.insert("phase".to_owned(), raw.get("phase").filter(|phase| phase.is_string()).cloned().unwrap_or(json!("")));
    for (key, value) in raw.as_object().into_iter().flatten() {
        let value = match (key.as_str(), value) {
            ("number" | "phase", _) | (_, Value::Null) => continue,
            ("timestamp", Value::String(text)) => match timestamp(text) {
                Some(at) => json!(at),
                None => continue,
            },
            ("consensus", Value::String(_)) => json!([value]),
            (_, value) => value.clone(),
        };
        if let Some(value) = fitting(&kept, key, value) {
            kept.insert(key.clone(), value);
        }
    }
    // Each seat's confidence is always kept (S2); the plugin had it inside the responses only.
    if !kept.contains_key("confidence") {
        kept.insert("confidence".to_owned(), confidence(kept.get("responses")));
    }
    read(&kept)
}

/// The value if a round takes it; of a list, the entries that a round takes.
fn fitting(kept: &Map<String, Value>, key: &str, value: Value) -> Option<Value> {
    let takes = |value: &Value| {
        let mut tried = kept.clone();
        tried.insert(key.to_owned(), value.clone());
        read(&tried).is_some()
    };
    if takes(&value) {
        return Some(value);
    }
    match value {
        Value::Array(entries) => Some(entries.into_iter().filter(|entry| takes(&json!([entry]))).collect()),
        _ => None,
    }
}

fn confidence(responses: Option<&Value>) -> Value {
    let responses = responses.and_then(Value::as_array).into_iter().flatten();
    let pairs = responses.filter_map(|response| {
        Some((response.get("participant")?.as_str()?.to_owned(), response.get("confidence")?.clone()))
    });
    Value::Object(pairs.collect())
}

fn read(fields: &Map<String, Value>) -> Option<Round> {
    serde_json::from_value(Value::Object(fields.clone())).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_and_without_a_zone() {
        let expected: Timestamp = "2025-01-11T10:00:00Z".parse().unwrap();
        for text in
            ["2025-01-11T10:00:00Z", "2025-01-11T11:00:00+01:00", "2025-01-11T10:00:00", " 2025-01-11 10:00:00 "]
        {
            assert_eq!(timestamp(text), Some(expected), "{text}");
        }
        assert_eq!(timestamp("yesterday"), None);
        assert_eq!(started_from_id("20250111-100000-rest-vs-graphql"), expected);
        assert_eq!(started_from_id("oddly-named"), Timestamp::UNIX_EPOCH);
    }

    #[test]
    fn what_fits_counts_and_what_does_not_is_left_out() {
        let raw = json!({
            "number": 2, "phase": "critic", "timestamp": "soon", "question": "Why?", "synthesis": null,
            "consensus": "one point",
            "conflicts": ["free text", { "id": "caching", "positions": { "qa-lead": "no" } }],
            "resolved": { "not": "a list" },
            "responses": [{ "participant": "qa-lead", "position": "p", "confidence": 0.7 }],
        });
        let round = round(&raw, 2).unwrap();
        assert_eq!((round.number, round.phase.as_str(), round.question.as_str()), (2, "critic", "Why?"));
        assert_eq!(round.consensus, ["one point"]);
        assert_eq!(round.conflicts.iter().map(|c| c.id.as_str()).collect::<Vec<_>>(), ["caching"]);
        assert!(round.resolved.is_empty());
        assert_eq!(round.confidence.get("qa-lead"), Some(&0.7));
        assert_eq!(super::round(&json!("gone"), 4).unwrap().number, 4);
        assert_eq!(super::round(&json!({ "number": 1e99 }), 4).unwrap().number, 4);
        assert_eq!(super::round(&json!({ "number": u64::MAX }), 4), None);
    }
}
