//! `state.yaml`: which session the command line is at (S5).
//! Is given the `.s2s` folder; hands on the current session's id, and sets it. Fields that others put
//! there are kept. Deliberately absent: whether that session still exists.

use std::path::Path;

use serde_json::{Map, Value};

use crate::disk;
use crate::error::StoreError;

const KEY: &str = "current_session";

/// The file holds a name or two; anything larger is not it.
const MAX_STATE: u64 = 1024 * 1024;

pub(crate) fn current(path: &Path) -> Result<Option<String>, StoreError> {
    match read(path)?.get(KEY) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(id)) => Ok(Some(id.clone()).filter(|id| !id.is_empty())),
        Some(_) => Err(StoreError::unreadable(path, 0, format!("`{KEY}` is not a session id"))),
    }
}

pub(crate) fn set_current(path: &Path, id: Option<&str>) -> Result<(), StoreError> {
    let mut state = read(path)?;
    let value = id.map_or(Value::Null, Value::from);
    if state.get(KEY) == Some(&value) {
        return Ok(());
    }
    state.insert(KEY.to_owned(), value);
    let text = s2s_yaml::to_string(&state).map_err(|flaw| StoreError::refused(flaw.to_string()))?;
    disk::replace(path, text.as_bytes())
}

fn read(path: &Path) -> Result<Map<String, Value>, StoreError> {
    let Some(text) = disk::read_text(path, MAX_STATE)? else { return Ok(Map::new()) };
    match s2s_yaml::to_value(&text) {
        Ok(Value::Object(state)) => Ok(state),
        Ok(Value::Null) => Ok(Map::new()),
        Ok(_) => Err(StoreError::unreadable(path, 1, format!("expected a field such as `{KEY}: null`"))),
        Err(flaw) => Err(StoreError::flawed(path, flaw)),
    }
}
