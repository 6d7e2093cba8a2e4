//! The settings file itself: reading it within a bound, and the two files that `s2s init` writes.
//! Given a path; hands on the text, nothing where there is no file, or a problem with what to do.
//! Deliberately absent: what the text says (`read.rs`) and where the user's file is (the caller knows).

use std::fs;
use std::io::{ErrorKind, Read};
use std::path::Path;

use super::Problem;

/// The largest settings file that is read.
pub const MAX_FILE_BYTES: u64 = 1 << 20;

/// The settings file of a new project: every setting, commented out, with its default.
pub const COMMENTED: &str = include_str!("config.yaml");

/// The JSON Schema (draft 2020-12) of the settings file, for editors.
pub const SCHEMA: &str = include_str!("../../schema/config.schema.json");

/// Reads a settings file. No file is no settings: `Ok(None)`.
///
/// # Errors
/// A [`Problem`] where it is not a file, is too large (said before it is read), is not text, or cannot be read.
pub fn read_file(path: &Path) -> Result<Option<String>, Problem> {
    let name = path.display().to_string();
    let refuse = |what: String, allowed: &str| {
        Err(Problem { allowed: Some(allowed.to_owned()), ..Problem::of_file(name.clone(), what) })
    };
    let unreadable = |error: std::io::Error| refuse(format!("cannot be read: {error}"), "a file that you may read");
    let about = match fs::metadata(path) {
        Ok(about) => about,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return unreadable(error),
    };
    if !about.is_file() {
        let what = if about.is_dir() { "is a folder, not a file" } else { "is not a regular file" };
        return refuse(what.into(), "a settings file; move this one away and run `s2s init`");
    }
    if about.len() > MAX_FILE_BYTES {
        return refuse(too_large(about.len()), "a settings file of a few kB; `s2s init` writes one");
    }
    let mut bytes = Vec::new();
    // The bound holds even if the file grows while it is read.
    let read = fs::File::open(path).and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes));
    if let Err(error) = read {
        return unreadable(error);
    }
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return refuse(too_large(bytes.len() as u64), "a settings file of a few kB; `s2s init` writes one");
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Some(text)),
        Err(error) => {
            let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = good.iter().filter(|byte| **byte == b'\n').count() + 1;
            refuse(format!("is not UTF-8 text (line {line})"), "a text file saved as UTF-8")
        }
    }
}

fn too_large(bytes: u64) -> String {
    let mb = bytes as f64 / f64::from(1 << 20);
    format!("has {mb:.1} MB; at most 1 MB is read")
}
