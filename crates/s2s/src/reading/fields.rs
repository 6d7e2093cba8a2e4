//! Typed access to the fields of a reply: what is required, what may be missing, what was repaired.
//! Given a map; hands on texts, lists, numbers. Deliberately absent: defaults for required fields.

use serde_json::{Map, Value};

use super::Refusal;
use crate::clean::clean_text;

/// The fields of one reply, and the doubts about them.
pub(super) struct Fields {
    map: Map<String, Value>,
    doubts: Vec<String>,
}

impl Fields {
    pub(super) fn new(map: Map<String, Value>, doubts: Vec<String>) -> Self {
        Self { map, doubts }
    }

    pub(super) fn into_doubts(self) -> Vec<String> {
        self.doubts
    }

    pub(super) fn doubt(&mut self, what: impl Into<String>) {
        self.doubts.push(what.into());
    }

    /// The value of a field; null counts as absent.
    pub(super) fn take(&mut self, key: &str) -> Option<Value> {
        self.map.remove(key).filter(|value| !value.is_null())
    }

    /// A text that must be there and not be empty.
    pub(super) fn required_text(&mut self, key: &str) -> Result<String, Refusal> {
        self.text(key)?.ok_or_else(|| Refusal(format!("`{key}` is missing or empty")))
    }

    /// A text that may be missing.
    pub(super) fn text(&mut self, key: &str) -> Result<Option<String>, Refusal> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let text = scalar(&value).ok_or_else(|| Refusal(format!("`{key}` must be text")))?;
        Ok(Some(text).filter(|text| !text.is_empty()))
    }

    /// A list of texts; a single text counts as a list of one.
    pub(super) fn texts(&mut self, key: &str) -> Result<Vec<String>, Refusal> {
        match self.take(key) {
            None => Ok(Vec::new()),
            Some(Value::Array(items)) => {
                let text =
                    |item: &Value| scalar(item).ok_or_else(|| Refusal(format!("`{key}` must be a list of texts")));
                let texts: Result<Vec<String>, Refusal> = items.iter().map(text).collect();
                Ok(texts?.into_iter().filter(|text| !text.is_empty()).collect())
            }
            Some(value) => {
                let text = scalar(&value).ok_or_else(|| Refusal(format!("`{key}` must be a list of texts")))?;
                self.doubt(format!("read the text in `{key}` as a list of one"));
                Ok(Some(text).filter(|text| !text.is_empty()).into_iter().collect())
            }
        }
    }

    /// A list of mappings.
    pub(super) fn maps(&mut self, key: &str) -> Result<Vec<Fields>, Refusal> {
        let refusal = || Refusal(format!("`{key}` must be a list of mappings"));
        match self.take(key) {
            None => Ok(Vec::new()),
            Some(Value::Array(items)) => items
                .into_iter()
                .map(|item| match item {
                    Value::Object(map) => Ok(Fields::new(map, Vec::new())),
                    _ => Err(refusal()),
                })
                .collect(),
            Some(_) => Err(refusal()),
        }
    }

    /// What is left, as pairs.
    pub(super) fn pairs(&mut self, key: &str) -> Result<Vec<(String, Value)>, Refusal> {
        match self.take(key) {
            None => Ok(Vec::new()),
            Some(Value::Object(map)) => Ok(map.into_iter().collect()),
            Some(Value::Array(items)) if items.is_empty() => Ok(Vec::new()),
            Some(_) => Err(Refusal(format!("`{key}` must be a mapping"))),
        }
    }

    /// One word of a closed set.
    pub(super) fn word<T: std::str::FromStr>(&mut self, key: &str, allowed: &[&str]) -> Result<Option<T>, Refusal> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        let word = text.trim().to_lowercase().replace([' ', '-'], "_");
        let refusal = || Refusal(format!("`{key}` is \"{text}\"; allowed: {}", allowed.join(", ")));
        word.parse().map(Some).map_err(|_| refusal())
    }

    /// A number from 0 to 1.
    pub(super) fn unit(&mut self, key: &str) -> Result<f64, Refusal> {
        let range = "a number from 0.0 to 1.0";
        let value = self.take(key).ok_or_else(|| Refusal(format!("`{key}` is missing; it must be {range}")))?;
        let refusal = || Refusal(format!("`{key}` must be {range}, not {value}"));
        let number = match &value {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        let number = number.ok_or_else(refusal)?;
        if !(0.0..=1.0).contains(&number) {
            return Err(refusal());
        }
        if value.is_string() {
            self.doubt(format!("read the text in `{key}` as a number"));
        }
        Ok(number)
    }
}

/// A scalar as text, clean and trimmed; none for lists and mappings. Cleaned again, because an escape
/// inside quotes (`\u001b`) becomes a control character only when it is read.
pub(super) fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(clean_text(text).trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Null => Some(String::new()),
        Value::Array(_) | Value::Object(_) => None,
    }
}
