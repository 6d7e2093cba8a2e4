//! What a session weighed, kept beside its record: `sessions/ID/matrices.jsonl`.
//! Is given values; hands the same values back. One line for each, with a checksum as on the tape, all written in one
//! replace when the session ends, so that a later change of knowledge changes nothing that was said. Neither minutes nor tape
//! know of it. Deliberately absent: what the values mean.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde_json::Value;

use crate::disk;
use crate::error::StoreError;
use crate::sessions::{Sessions, check_id};
use crate::tape::{check_crc, seal};

/// Its name in a session's folder.
pub(crate) const FILE: &str = "matrices.jsonl";

/// The largest file that is read.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

impl Sessions {
    /// What a session weighed; nothing where nothing was kept.
    ///
    /// # Errors
    /// If a line was changed or does not fit.
    pub fn matrices(&self, id: &str) -> Result<Vec<Value>, StoreError> {
        check_id(id)?;
        read(&self.matrices_path(id))
    }
}

/// The values in a file, in order.
pub(crate) fn read(path: &Path) -> Result<Vec<Value>, StoreError> {
    let Some(text) = disk::read_text(path, MAX_BYTES)? else { return Ok(Vec::new()) };
    let mut values = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let flaw = |what: String| StoreError::unreadable(path, u32::try_from(at + 1).unwrap_or(u32::MAX), what);
        check_crc(line.as_bytes()).map_err(flaw)?;
        let mut value: Value = serde_json::from_str(line).map_err(|error| flaw(format!("not a matrix: {error}")))?;
        if let Some(fields) = value.as_object_mut() {
            fields.remove("crc");
        }
        values.push(value);
    }
    Ok(values)
}

/// Replaces the file; without values there is none.
pub(crate) fn write(path: &Path, values: &[Value]) -> Result<(), StoreError> {
    if values.is_empty() {
        return match fs::remove_file(path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(StoreError::io("remove", path)(error)),
            _ => Ok(()),
        };
    }
    let mut bytes = Vec::new();
    for value in values {
        if value.as_object().is_none_or(|fields| fields.is_empty()) {
            return Err(StoreError::refused("a matrix without fields".to_owned()));
        }
        let start = bytes.len();
        serde_json::to_writer(&mut bytes, value).map_err(|error| StoreError::refused(format!("a matrix: {error}")))?;
        seal(&mut bytes, start);
    }
    disk::replace(path, &bytes)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_kept_comes_back_and_a_changed_line_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        assert_eq!(read(&path).unwrap(), Vec::<Value>::new());
        let kept = vec![json!({"a": 1.25}), json!({"b": ["x", "ü"]})];
        write(&path, &kept).unwrap();
        assert_eq!(read(&path).unwrap(), kept);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("1.25", "1.35")).unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("changed"), "the checksum is looked at");
        write(&path, &[]).unwrap();
        assert!(!path.exists());
        write(&path, &[]).unwrap();
    }
}
