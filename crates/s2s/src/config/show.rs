//! The settings as a list for `s2s config show`: each value, its layer and its place.
//! Given [`Resolved`]; hands on rows, an aligned text, or JSON. Deliberately absent: colours and printing.

use serde::Serialize;
use serde_json::{Value, json};

use super::keys::{KEYS, Key};
use super::layers::{Layer, Resolved, pointer};

/// One setting as `s2s config show` lists it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The setting, with dots.
    pub key: &'static str,
    /// Its value.
    pub value: Value,
    /// The layer that set it.
    pub layer: Layer,
    /// File, line and column, variable or flag; empty for a built-in value.
    pub place: String,
    /// What the value means where null says nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub means: Option<&'static str>,
}

impl Row {
    /// The value in one line for people.
    pub fn value_text(&self) -> String {
        match (&self.value, self.means) {
            (_, Some(means)) => format!("({means})"),
            (Value::String(text), None) => text.clone(),
            (Value::Array(items), None) if items.is_empty() => "(none)".into(),
            (Value::Array(items), None) => items
                .iter()
                .map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned))
                .collect::<Vec<_>>()
                .join(", "),
            (value, None) => value.to_string(),
        }
    }
}

impl Resolved {
    /// Every setting in the order of the file.
    pub fn rows(&self) -> Vec<Row> {
        KEYS.iter().filter(|key| key.target() == key.path).filter_map(|key| self.row(key)).collect()
    }

    fn row(&self, key: &'static Key) -> Option<Row> {
        let value = self.values.pointer(&pointer(key.path))?.clone();
        let origin = self.origin(key.path)?;
        let means = if value.is_null() { key.null } else { None };
        Some(Row { key: key.path, value, layer: origin.layer, place: origin.place(), means })
    }

    /// The settings as aligned lines, notes last.
    pub fn to_text(&self) -> String {
        let rows = self.rows();
        let width = |text: fn(&Row) -> usize| rows.iter().map(text).max().unwrap_or(0);
        let key_width = width(|row| row.key.chars().count());
        // One long list must not push every origin off the screen.
        let value_width = width(|row| row.value_text().chars().count()).min(34);
        let mut text = String::new();
        for row in &rows {
            let from = match row.layer {
                Layer::BuiltIn => "built-in".to_owned(),
                layer => format!("{layer}: {}", row.place),
            };
            text.push_str(&format!("{:key_width$}  {:value_width$}  {from}\n", row.key, row.value_text()));
        }
        for note in &self.notes {
            text.push_str(&format!("\nNote: {note}\n"));
        }
        text
    }

    /// The settings as one JSON object: `settings` (a list of rows) and `notes`.
    pub fn to_json(&self) -> Value {
        json!({ "settings": self.rows(), "notes": self.notes })
    }
}
