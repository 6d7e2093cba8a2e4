//! Parts of the minutes that were written before and do not change: each becomes text once, and every later save
//! takes the text. Given values; hands on their text. Deliberately absent: how they are written (see `layout.rs`).

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use crate::error::StoreError;
use crate::minutes::count;

/// A committed round as it stands in the file, digest included.
#[derive(Debug)]
pub(crate) struct RawRound {
    value: Value,
    /// How many values it holds.
    pub(crate) count: usize,
    text: Written,
}

impl RawRound {
    pub(crate) fn new(value: Value) -> Self {
        Self { count: count(&value), value, text: Written::default() }
    }

    /// Its text, written by `write` the first time.
    pub(crate) fn text(
        &self,
        write: impl FnOnce(&Value) -> Result<String, StoreError>,
    ) -> Result<Arc<str>, StoreError> {
        self.text.or_write(|| write(&self.value))
    }
}

impl PartialEq for RawRound {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Deref for RawRound {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.value
    }
}

/// The text of something, once it was written. It is no part of what it belongs to: two that hold the same are equal,
/// written or not.
#[derive(Debug, Clone, Default)]
pub(crate) struct Written(OnceLock<Arc<str>>);

impl Written {
    pub(crate) fn or_write(&self, write: impl FnOnce() -> Result<String, StoreError>) -> Result<Arc<str>, StoreError> {
        if let Some(text) = self.0.get() {
            return Ok(Arc::clone(text));
        }
        let text: Arc<str> = write()?.into();
        Ok(Arc::clone(self.0.get_or_init(|| text)))
    }
}

impl PartialEq for Written {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
