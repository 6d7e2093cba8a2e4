//! The settings as a list for `s2s config show`: each value, its layer and its place.
//! Given [`Resolved`]; hands on rows, YAML with the origins as comments, or JSON. Deliberately absent:
//! colours and printing.

use serde::Serialize;
use serde_json::{Value, json};

use super::keys::{KEYS, Key, Shape};
use super::layers::{Layer, Resolved, pointer};

/// The screen that must be enough.
const WIDTH: usize = 80;

/// One setting as `s2s config show` lists it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The setting, with dots.
    pub key: String,
    /// The parts of its path; a name that a person chose may hold dots itself.
    #[serde(skip)]
    pub path: Vec<String>,
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
    /// Where the value comes from, in words.
    pub fn from(&self) -> String {
        let means = self.means.map_or_else(String::new, |means| format!(": {means}"));
        match self.layer {
            Layer::BuiltIn => format!("built-in{means}"),
            layer => format!("{layer}, {}{means}", self.place),
        }
    }

    /// One line of YAML; the origin stands above it where it would not fit beside it.
    fn line(&self, name: &str, depth: usize) -> String {
        let indent = "  ".repeat(depth);
        let setting = format!("{indent}{}: {}", word(name), yaml(&self.value));
        let from = self.from();
        if setting.chars().count() + from.chars().count() + 4 <= WIDTH {
            format!("{setting}  # {from}\n")
        } else {
            format!("{indent}# {from}\n{setting}\n")
        }
    }
}

/// A value in one line of YAML.
fn yaml(value: &Value) -> String {
    match value {
        Value::String(text) if is_plain(text) => text.clone(),
        Value::Array(items) => format!("[{}]", items.iter().map(yaml).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| format!("{}: {}", word(key), yaml(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        // JSON is YAML: quotes and escapes mean the same in both.
        _ => value.to_string(),
    }
}

/// A key in YAML.
fn word(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { Value::from(text).to_string() }
}

/// Whether a text needs no quotes: it starts like a word, holds no sign of YAML and is no other value.
fn is_plain(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c))
        && !["true", "false", "null", "yes", "no", "on", "off"].contains(&text.to_lowercase().as_str())
}

impl Resolved {
    /// Every setting in the order of the file.
    pub fn rows(&self) -> Vec<Row> {
        KEYS.iter().filter(|key| key.target() == key.path).flat_map(|key| self.rows_of(key)).collect()
    }

    /// One row; for a map that holds something, one for each value in it.
    fn rows_of(&self, key: &'static Key) -> Vec<Row> {
        let Some(value) = self.values.pointer(&pointer(key.path)) else { return Vec::new() };
        let path: Vec<String> = key.path.split('.').map(str::to_owned).collect();
        let entries = value.as_object().filter(|map| key.shape.is_open() && !map.is_empty());
        let Some(entries) = entries else { return self.row(key, path, value).into_iter().collect() };
        let below = |name: &String| [path.as_slice(), std::slice::from_ref(name)].concat();
        let rows = entries.iter().flat_map(|(name, value)| match (key.shape, value) {
            (Shape::Providers, Value::Object(fields)) => {
                let field = |(field, value)| self.row(key, [below(name), vec![String::clone(field)]].concat(), value);
                fields.iter().filter_map(field).collect::<Vec<_>>()
            }
            _ => self.row(key, below(name), value).into_iter().collect(),
        });
        rows.collect()
    }

    fn row(&self, key: &'static Key, path: Vec<String>, value: &Value) -> Option<Row> {
        let name = path.join(".");
        let origin = self.origin(&name)?;
        let means = if value.is_null() { key.null } else { None };
        let (value, layer, place) = (value.clone(), origin.layer, origin.place());
        Some(Row { key: name, path, value, layer, place, means })
    }

    /// The settings as the YAML they could be written in, each with its origin as a comment; notes last.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let mut open: Vec<String> = Vec::new();
        for row in self.rows() {
            let Some((name, sections)) = row.path.split_last() else { continue };
            let shared = open.iter().zip(sections).take_while(|(open, section)| open == section).count();
            for (depth, section) in sections.iter().enumerate().skip(shared) {
                text.push_str(&format!("{}{}:\n", "  ".repeat(depth), word(section)));
            }
            open = sections.to_vec();
            text.push_str(&row.line(name, sections.len()));
        }
        for note in &self.notes {
            text.push_str(&format!("# Note: {note}\n"));
        }
        text
    }

    /// The settings as one JSON object: `settings` (a list of rows) and `notes`.
    pub fn to_json(&self) -> Value {
        json!({ "settings": self.rows(), "notes": self.notes })
    }
}
