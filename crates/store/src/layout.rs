//! The minutes as text: which field stands where, with a heading over each part.
//! Is given the minutes; hands on YAML in the order of the session schema, unknown fields after the
//! known ones, the seal last. The same minutes always give the same text; rounds, and the parts that stay as they
//! were at the start, are written once and kept. Deliberately absent: values of its own; everything but
//! `total_rounds` and `seal` comes from the document.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use crate::chain;
use crate::error::StoreError;
use crate::minutes::Minutes;

/// Titles, and the fields under each.
type Parts = &'static [(&'static str, &'static [&'static str])];

const FIRST: Parts = &[
    ("IDENTIFICATION", &["schema_version", "id", "topic", "workflow_type", "strategy", "status"]),
    ("TIMESTAMPS", &["started", "paused_at", "completed_at"]),
];

/// What hardly ever changes after the start.
const SETTLED: Parts = &[
    ("PANEL", &["panel", "panel_note"]),
    ("PARTICIPANTS", &["participants"]),
    ("DEBATE", &["debate_sides"]),
    ("SETTINGS (frozen at the start)", &["settings"]),
    ("CONTEXT", &["context"]),
    ("AGENDA", &["agenda"]),
    ("REGISTER (artifacts known at the start)", &["register"]),
    ("LINKS", &["parent", "reopens"]),
];

const BEFORE_ROUNDS: Parts = &[("EXECUTION STATE", &["current_phase", "total_rounds"])];

const AFTER_ROUNDS: Parts =
    &[("ESCALATIONS", &["escalations"]), ("INTERVENTIONS", &["interventions"]), ("OUTPUT", &["outcome"])];

const ROUNDS: &str = "rounds:\n";

impl Minutes {
    /// The text of the session file.
    ///
    /// # Errors
    /// If the text would be larger than is ever read.
    pub fn to_yaml(&self) -> Result<String, StoreError> {
        let total = Value::from(self.rounds.len());
        let mut text = String::new();
        self.write_parts(FIRST, &total, &mut text)?;
        let settled = self.settled.or_write(|| {
            let mut text = String::new();
            self.write_parts(SETTLED, &total, &mut text).map(|()| text)
        })?;
        if !text.is_empty() && !settled.is_empty() {
            text.push('\n');
        }
        text.push_str(&settled);
        self.write_parts(BEFORE_ROUNDS, &total, &mut text)?;
        self.write_rounds(&mut text)?;
        self.write_parts(AFTER_ROUNDS, &total, &mut text)?;
        let unknown = self.document.iter().filter(|(key, _)| !is_known(key));
        let unknown: Vec<_> = unknown.map(|(key, value)| (key.as_str(), value)).collect();
        if !unknown.is_empty() {
            write(&mut text, "OTHER", &Part(unknown))?;
        }
        if let Some(seal) = self.seal() {
            let seal = Value::from(seal);
            write(&mut text, "SEAL", &Part(vec![("seal", &seal)]))?;
        }
        if text.len() > s2s_yaml::MAX_BYTES {
            let what = format!("{} MB", text.len() / (1024 * 1024));
            return Err(StoreError::Full { id: self.head.id.clone(), what });
        }
        Ok(text)
    }

    /// The seal over what is in the minutes now; none while a legacy session has no digest at all.
    pub fn seal(&self) -> Option<String> {
        let ours = !self.is_legacy() || self.undigested() < self.raw_rounds.len();
        ours.then(|| chain::seal_of(&self.chained(), &self.document))
    }

    fn write_parts(&self, parts: Parts, total: &Value, text: &mut String) -> Result<(), StoreError> {
        let field = |key: &str| if key == "total_rounds" { Some(total) } else { self.document.get(key) };
        for (title, keys) in parts {
            let fields: Vec<_> = keys.iter().filter_map(|key| Some((*key, field(key)?))).collect();
            if !fields.is_empty() {
                write(text, title, &Part(fields))?;
            }
        }
        Ok(())
    }

    /// The list of rounds, entry by entry: the same text as that of the whole list.
    fn write_rounds(&self, text: &mut String) -> Result<(), StoreError> {
        head(text, "ROUNDS");
        if self.raw_rounds.is_empty() {
            text.push_str(&yaml(&Part(vec![("rounds", &Value::Array(Vec::new()))]))?);
            return Ok(());
        }
        text.push_str(ROUNDS);
        for round in &self.raw_rounds {
            text.push_str(&round.text()?);
        }
        Ok(())
    }
}

/// The text of a round as one entry of the list.
pub(crate) fn entry(round: &Value) -> Result<String, StoreError> {
    let mut text = yaml(&Part(vec![("rounds", &[round])]))?;
    if !text.starts_with(ROUNDS) {
        return Err(StoreError::refused("a round that is no entry of a list"));
    }
    text.drain(..ROUNDS.len());
    Ok(text)
}

/// The round that such a text tells of.
pub(crate) fn read_entry(text: &str) -> Result<Value, StoreError> {
    let broken = || StoreError::refused("the text of a round that cannot be read back");
    let mut value = s2s_yaml::to_value(&format!("{ROUNDS}{text}")).map_err(|_| broken())?;
    value.get_mut("rounds").and_then(|rounds| rounds.get_mut(0)).map(Value::take).ok_or_else(broken)
}

/// Whether a field is one of those whose text is kept.
pub(crate) fn is_settled(name: &str) -> bool {
    SETTLED.iter().any(|(_, keys)| keys.contains(&name))
}

fn is_known(name: &str) -> bool {
    [FIRST, SETTLED, BEFORE_ROUNDS, AFTER_ROUNDS].into_iter().flatten().any(|(_, keys)| keys.contains(&name))
}

fn head(text: &mut String, title: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str("# === ");
    text.push_str(title);
    text.push_str(" ===\n");
}

fn write<T: Serialize>(text: &mut String, title: &str, part: &Part<'_, T>) -> Result<(), StoreError> {
    head(text, title);
    text.push_str(&yaml(part)?);
    Ok(())
}

fn yaml(part: &impl Serialize) -> Result<String, StoreError> {
    s2s_yaml::to_string(part).map_err(|flaw| StoreError::refused(flaw.to_string()))
}

/// A few fields of the file, borrowed.
struct Part<'m, T>(Vec<(&'m str, T)>);

impl<T: Serialize> Serialize for Part<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, field) in &self.0 {
            map.serialize_entry(key, field)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn rounds_written_one_by_one_are_the_list_of_rounds() {
        let rounds = [
            json!({ "number": 1, "synthesis": "a\n- b: c\n\n  d\n", "list": [], "map": {}, "deep": [[1, { "x": null }], "# no"] }),
            json!({ "number": 2, "rounds": [{ "rounds": "rounds:" }], "text": "  before", "tail": "x\n\n", "empty": "" }),
            json!(["a list", ["in a list"]]),
            json!("only text\nover two lines"),
            json!({}),
        ];
        let whole = yaml(&Part(vec![("rounds", &rounds[..])])).unwrap();
        let parts: String = rounds.iter().map(|round| entry(round).unwrap()).collect();
        assert_eq!(format!("{ROUNDS}{parts}"), whole);
        for round in &rounds {
            assert_eq!(&read_entry(&entry(round).unwrap()).unwrap(), round);
        }
    }
}
