//! The minutes as text: which field stands where, with a heading over each part.
//! Is given the minutes; hands on YAML in the order of the session schema, unknown fields after the
//! known ones, the seal last. The same minutes always give the same text. Deliberately absent:
//! values of its own; everything but `total_rounds` and `seal` comes from the document.

use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use crate::chain;
use crate::error::StoreError;
use crate::minutes::Minutes;

const BEFORE_ROUNDS: &[(&str, &[&str])] = &[
    ("IDENTIFICATION", &["schema_version", "id", "topic", "workflow_type", "strategy", "status"]),
    ("TIMESTAMPS", &["started", "paused_at", "completed_at"]),
    ("PANEL", &["panel", "panel_note"]),
    ("PARTICIPANTS", &["participants"]),
    ("DEBATE", &["debate_sides"]),
    ("SETTINGS (frozen at the start)", &["settings"]),
    ("CONTEXT", &["context"]),
    ("AGENDA", &["agenda"]),
    ("REGISTER (artifacts known at the start)", &["register"]),
    ("LINKS", &["parent"]),
    ("EXECUTION STATE", &["current_phase", "total_rounds"]),
];

const AFTER_ROUNDS: &[(&str, &[&str])] =
    &[("ESCALATIONS", &["escalations"]), ("INTERVENTIONS", &["interventions"]), ("OUTPUT", &["outcome"])];

impl Minutes {
    /// The text of the session file.
    ///
    /// # Errors
    /// If the text would be larger than is ever read.
    pub fn to_yaml(&self) -> Result<String, StoreError> {
        let total = Value::from(self.rounds.len());
        let mut text = String::new();
        for (title, keys) in BEFORE_ROUNDS {
            self.write_part(title, keys, &total, &mut text)?;
        }
        write(&mut text, "ROUNDS", &Part(vec![("rounds", Field::Rounds(&self.raw_rounds))]))?;
        for (title, keys) in AFTER_ROUNDS {
            self.write_part(title, keys, &total, &mut text)?;
        }
        let unknown = self.document.iter().filter(|(key, _)| !is_known(key));
        let unknown: Vec<_> = unknown.map(|(key, value)| (key.as_str(), Field::One(value))).collect();
        if !unknown.is_empty() {
            write(&mut text, "OTHER", &Part(unknown))?;
        }
        if let Some(seal) = self.seal() {
            let seal = Value::from(seal);
            write(&mut text, "SEAL", &Part(vec![("seal", Field::One(&seal))]))?;
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

    fn write_part(&self, title: &str, keys: &[&str], total: &Value, text: &mut String) -> Result<(), StoreError> {
        let field = |key: &str| if key == "total_rounds" { Some(total) } else { self.document.get(key) };
        let fields: Vec<_> = keys.iter().filter_map(|key| Some((*key, Field::One(field(key)?)))).collect();
        if fields.is_empty() { Ok(()) } else { write(text, title, &Part(fields)) }
    }
}

fn is_known(name: &str) -> bool {
    BEFORE_ROUNDS.iter().chain(AFTER_ROUNDS).any(|(_, keys)| keys.contains(&name))
}

fn write(text: &mut String, title: &str, part: &Part<'_>) -> Result<(), StoreError> {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str("# === ");
    text.push_str(title);
    text.push_str(" ===\n");
    let yaml = s2s_yaml::to_string(part).map_err(|flaw| StoreError::refused(flaw.to_string()))?;
    text.push_str(&yaml);
    Ok(())
}

/// A few fields of the file, borrowed.
struct Part<'m>(Vec<(&'m str, Field<'m>)>);

enum Field<'m> {
    One(&'m Value),
    Rounds(&'m [Arc<Value>]),
}

impl Serialize for Part<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, field) in &self.0 {
            map.serialize_entry(key, field)?;
        }
        map.end()
    }
}

impl Serialize for Field<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::One(value) => value.serialize(serializer),
            Self::Rounds(rounds) => serializer.collect_seq(rounds.iter().map(|round| &**round)),
        }
    }
}
