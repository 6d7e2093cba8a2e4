//! Where an item comes from, and its text: from the binary, or from a file of the project.
//! Given: a path. Hands on: text, or the [`Problem`] that stopped the reading; a file is never
//! trusted to be small, regular, readable or text. Deliberately absent: what the text means.

use std::fmt;
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};

use crate::Problem;

/// The largest data file that is read, in bytes.
pub const MAX_FILE_BYTES: u64 = 1 << 20;

/// Where an item comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Embedded in the binary.
    BuiltIn,
    /// A file of the project.
    File(PathBuf),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn => f.write_str("built-in"),
            Self::File(path) => write!(f, "{}", path.display()),
        }
    }
}

impl Serialize for Source {
    /// As the words a person sees.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// An item in force: its value, where it comes from, and the text it was read from.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry<T> {
    /// What the text says.
    pub value: T,
    /// Where it comes from.
    pub source: Source,
    /// The text as written.
    pub text: String,
}

/// Reads a file that may not be there.
pub(crate) fn read_if_there(path: &Path) -> Result<Option<String>, Problem> {
    let problem = |what: String| Problem::of_file(path.display().to_string(), what);
    let unreadable = |error: std::io::Error| problem(format!("cannot be read: {error}"));
    let meta = match fs::metadata(path) {
        Ok(meta) => meta,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    };
    // Opening a pipe or a device would wait for ever.
    if !meta.is_file() {
        return Err(problem("is not a regular file".to_owned()));
    }
    let too_large = |size: u64| problem(format!("is too large: {size} bytes, at most {MAX_FILE_BYTES} are read"));
    if meta.len() > MAX_FILE_BYTES {
        return Err(too_large(meta.len()));
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(unreadable)?;
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(too_large(bytes.len() as u64));
    }
    as_text(bytes).map(Some).map_err(|(line, what)| Problem { line, ..problem(what.to_owned()) })
}

fn as_text(bytes: Vec<u8>) -> Result<String, (u32, &'static str)> {
    let line_of = |at: usize| {
        let breaks = bytes[..at].iter().filter(|byte| **byte == b'\n').count();
        u32::try_from(breaks + 1).unwrap_or(u32::MAX)
    };
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        return Err((line_of(at), "is a binary file (it holds a zero byte); text is expected"));
    }
    if let Err(error) = std::str::from_utf8(&bytes) {
        return Err((line_of(error.valid_up_to()), "is not UTF-8 text; save it as UTF-8"));
    }
    // A byte order mark is no part of the text.
    let text = String::from_utf8(bytes).map_err(|_| (0, "is not UTF-8 text; save it as UTF-8"))?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}
