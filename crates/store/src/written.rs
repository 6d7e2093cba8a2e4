//! Parts of the minutes that do not change any more: each becomes text once, and every later save takes the text.
//! Given values; hands on their text. A round that is text is held as text alone, which takes a fraction of the
//! memory. Deliberately absent: how parts are written (see `layout.rs`).

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::Value;

use crate::error::StoreError;
use crate::layout;
use crate::minutes::count;

/// A committed round as it stands in the file.
#[derive(Debug)]
pub(crate) struct RawRound {
    /// Its own digest; a round of a legacy session has none.
    pub(crate) digest: Option<String>,
    /// How many values it holds.
    pub(crate) count: usize,
    form: Mutex<Form>,
}

#[derive(Debug)]
enum Form {
    Value(Value),
    Text(Arc<str>),
}

impl RawRound {
    /// A round with its digest in it.
    pub(crate) fn new(value: Value) -> Self {
        let digest = value.get("digest").and_then(Value::as_str).map(str::to_owned);
        Self { digest, count: count(&value), form: Mutex::new(Form::Value(value)) }
    }

    /// Its text, as an entry of the list of rounds.
    pub(crate) fn text(&self) -> Result<Arc<str>, StoreError> {
        let mut form = self.form.lock().unwrap_or_else(PoisonError::into_inner);
        let text: Arc<str> = match &*form {
            Form::Text(text) => return Ok(Arc::clone(text)),
            Form::Value(value) => layout::entry(value)?.into(),
        };
        *form = Form::Text(Arc::clone(&text));
        Ok(text)
    }

    /// What it says, unknown fields included.
    pub(crate) fn value(&self) -> Result<Value, StoreError> {
        match &*self.form.lock().unwrap_or_else(PoisonError::into_inner) {
            Form::Value(value) => Ok(value.clone()),
            Form::Text(text) => layout::read_entry(text),
        }
    }
}

impl PartialEq for RawRound {
    fn eq(&self, other: &Self) -> bool {
        // The digest covers all of a round and of those before it.
        match (&self.digest, &other.digest) {
            (None, None) => matches!((self.value(), other.value()), (Ok(one), Ok(two)) if one == two),
            (one, two) => one == two,
        }
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
