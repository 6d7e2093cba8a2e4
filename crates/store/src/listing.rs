//! A quick look at every session: the few fields a list shows, without reading the rounds.
//! Is given a folder; hands on one row per session file, in the order they began. A file that
//! cannot be understood is a row with its problem. Deliberately absent: digests and full parsing;
//! whoever opens a session gets those.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use jiff::Timestamp;
use serde_json::Value;

use crate::error::StoreError;
use crate::legacy;
use crate::nouns::Status;

/// One row of the list of sessions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listed {
    /// The id: the file's name.
    pub id: String,
    /// The question before the table.
    pub topic: String,
    /// The kind of work, as in the file.
    pub workflow_type: String,
    /// The strategy's name.
    pub strategy: String,
    /// Where it stands; none where the file does not say.
    pub status: Option<Status>,
    /// The phase it is in.
    pub current_phase: String,
    /// How many rounds are committed.
    pub total_rounds: u32,
    /// When it started.
    pub started: Option<Timestamp>,
    /// When it was paused.
    pub paused_at: Option<Timestamp>,
    /// When it ended.
    pub completed_at: Option<Timestamp>,
    /// Why the row is not to be trusted, in words.
    pub problem: Option<String>,
}

/// The ids of all session files in a folder, sorted. A folder that is not there has none.
pub(crate) fn ids(folder: &Path) -> Result<Vec<String>, StoreError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(StoreError::io("read", folder)(error)),
    };
    let mut ids = Vec::new();
    for entry in entries {
        let name = entry.map_err(StoreError::io("read", folder))?.file_name();
        if let Some(id) = name.to_str().and_then(|name| name.strip_suffix(".yaml"))
            && !id.is_empty()
            && !id.starts_with('.')
        {
            ids.push(id.to_owned());
        }
    }
    ids.sort_unstable();
    Ok(ids)
}

/// What stands in front of a session's id: the second it began in.
const STAMP: usize = "20260101-000000".len();

/// Puts rows in the order their sessions began: by the second in their ids, then by the recorded time, which knows parts of
/// a second, then by the rest of the id.
pub(crate) fn in_order(rows: &mut [Listed]) {
    let key = |row: &Listed| (stamp(&row.id).to_owned(), row.started, row.id.clone());
    rows.sort_by_cached_key(key);
}

/// The second that an id names; the whole of one that is shorter.
pub(crate) fn stamp(id: &str) -> &str {
    id.get(..STAMP).unwrap_or(id)
}

/// The row of one session file.
pub(crate) fn look(path: &Path, id: String) -> Listed {
    let mut row = Listed { id, ..Listed::default() };
    let mut said = None;
    if let Err(problem) = scan(path, |key, value| fill(&mut row, &mut said, key, value)) {
        row.problem = Some(problem);
    } else if said.as_deref() != Some(&*row.id) {
        row.problem = Some(match said {
            Some(other) => format!("the file holds session `{other}`"),
            None => "not a session file: the field `id` is missing".to_owned(),
        });
    } else if row.status.is_none() {
        row.problem = Some("the field `status` is missing".to_owned());
    } else if is_unfinished(path) {
        row.problem = Some("the file is unfinished: it does not end with its seal".to_owned());
    }
    row
}

/// Whether a file of ours is cut: it starts with its version and must end with its seal. The plugin's
/// files have neither. A file that cannot be read has told so already.
fn is_unfinished(path: &Path) -> bool {
    const HEAD: u64 = 512;
    const TAIL: u64 = 256;
    let ends = || -> io::Result<(Vec<u8>, Vec<u8>)> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        let (mut head, mut tail) = (Vec::new(), Vec::new());
        (&mut file).take(HEAD).read_to_end(&mut head)?;
        file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
        file.take(TAIL).read_to_end(&mut tail)?;
        Ok((head, tail))
    };
    let Ok((head, tail)) = ends() else { return false };
    let starts = |line: &[u8], field: &[u8]| line.starts_with(field);
    let ours = head.split(|byte| *byte == b'\n').any(|line| starts(line, b"schema_version:"));
    let last = tail.trim_ascii_end().rsplit(|byte| *byte == b'\n').next();
    ours && !last.is_some_and(|line| starts(line, b"seal:"))
}

/// The fields a row shows.
const SHOWN: &[&str] = &[
    "id",
    "topic",
    "workflow_type",
    "strategy",
    "status",
    "started",
    "paused_at",
    "completed_at",
    "current_phase",
    "total_rounds",
];

fn fill(row: &mut Listed, id: &mut Option<String>, key: &str, value: Option<String>) -> Result<(), String> {
    let Some(value) = value else { return Ok(()) };
    match key {
        "id" => *id = Some(value),
        "topic" => row.topic = value,
        "workflow_type" => row.workflow_type = value,
        "strategy" => row.strategy = value,
        "current_phase" => row.current_phase = value,
        "started" => row.started = legacy::timestamp(&value),
        "paused_at" => row.paused_at = legacy::timestamp(&value),
        "completed_at" => row.completed_at = legacy::timestamp(&value),
        "status" => {
            let status = Status::named(&value).ok_or_else(|| format!("unknown status `{}`", clipped(&value)))?;
            row.status = Some(status);
        }
        _ => {
            let told = |_| format!("`total_rounds` is not a number: `{}`", clipped(&value));
            row.total_rounds = value.parse().map_err(told)?;
        }
    }
    Ok(())
}

fn clipped(text: &str) -> String {
    text.chars().take(40).flat_map(char::escape_default).collect()
}

/// Hands on the shown fields of a file. Reads up to `rounds`, further only if fields are missing.
fn scan(path: &Path, mut found: impl FnMut(&str, Option<String>) -> Result<(), String>) -> Result<(), String> {
    let told = |error: io::Error| format!("cannot be read: {error}");
    let meta = fs::metadata(path).map_err(told)?;
    if !meta.is_file() {
        return Err("cannot be read: not a regular file".to_owned());
    }
    let limited = File::open(path).map_err(told)?.take(s2s_yaml::MAX_BYTES as u64);
    let mut lines = Lines { file: BufReader::with_capacity(16 * 1024, limited), line: Vec::new(), kept: false };
    let mut missing = SHOWN.len();
    while let Some(line) = lines.next().map_err(told)? {
        let Some((key, rest)) = top_level(line) else { continue };
        if key == b"rounds" && missing == 0 {
            break;
        }
        let Some(key) = SHOWN.iter().find(|shown| shown.as_bytes() == key) else { continue };
        let rest = String::from_utf8(rest.to_vec()).map_err(|_| "not UTF-8 text".to_owned())?;
        let more = lines.continuation().map_err(told)?;
        let value = decode(&rest, &more).map_err(|what| format!("`{key}`: {what}"))?;
        missing = missing.saturating_sub(1);
        found(key, value)?;
    }
    Ok(())
}

/// The key and the text after it, of a line that starts a top-level field.
fn top_level(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = line.iter().position(|byte| *byte == b':')?;
    let (key, rest) = line.split_at(colon);
    let bare = key.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    (bare && !key.is_empty()).then_some((key, &rest[1..]))
}

/// The text of a scalar, none for null. Most are plain and quick; the rest goes to the YAML reader.
fn decode(rest: &str, more: &[u8]) -> Result<Option<String>, String> {
    // White space as YAML has it: a no-break space is part of the text.
    let simple = rest.trim_matches([' ', '\t']);
    if more.is_empty() {
        match simple {
            "" | "null" | "~" | "Null" | "NULL" => return Ok(None),
            text if is_plain(text) => return Ok(Some(text.to_owned())),
            text => {
                if let Some(inner) = quoted(text) {
                    return Ok(Some(inner.to_owned()));
                }
            }
        }
    }
    let more = std::str::from_utf8(more).map_err(|_| "not UTF-8 text".to_owned())?;
    let value = s2s_yaml::to_value(&format!("v:{rest}\n{more}")).map_err(|flaw| flaw.what)?;
    match value.get("v") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(value @ (Value::Number(_) | Value::Bool(_))) => Ok(Some(value.to_string())),
        Some(_) => Err("not a single value".to_owned()),
    }
}

/// Whether a text means itself as a plain scalar whatever the reader: a letter first, then nothing
/// that could end it, start a comment or a map.
fn is_plain(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphanumeric())
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.' | ',' | '/' | '(' | ')' | '+' | '?'))
        || text.parse::<Timestamp>().is_ok()
}

/// The inside of a quoted scalar that has no escapes.
fn quoted(text: &str) -> Option<&str> {
    let inner = |quote| text.strip_prefix(quote)?.strip_suffix(quote);
    let (double, single) = (inner('"'), inner('\''));
    let simple = |inner: &&str| !inner.contains(['"', '\'', '\\']) && !inner.chars().any(char::is_control);
    double.or(single).filter(simple)
}

/// Lines of a file, with a look at the one that follows.
struct Lines<R: Read> {
    file: BufReader<R>,
    line: Vec<u8>,
    /// Whether `line` was read ahead and is still to be handed on.
    kept: bool,
}

impl<R: Read> Lines<R> {
    fn next(&mut self) -> io::Result<Option<&[u8]>> {
        if !self.kept {
            self.line.clear();
            self.file.read_until(b'\n', &mut self.line)?;
        }
        self.kept = false;
        if self.line.is_empty() {
            return Ok(None);
        }
        Ok(Some(self.line.trim_ascii_end()))
    }

    /// The lines that belong to the field just read: those set in, and empty ones between them.
    fn continuation(&mut self) -> io::Result<Vec<u8>> {
        let mut more = Vec::new();
        let mut blank = Vec::new();
        loop {
            self.line.clear();
            self.file.read_until(b'\n', &mut self.line)?;
            match self.line.first() {
                Some(b' ' | b'\t') => {
                    more.append(&mut blank);
                    more.extend_from_slice(&self.line);
                }
                Some(b'\n' | b'\r') => blank.extend_from_slice(&self.line),
                _ => break,
            }
        }
        self.kept = true;
        Ok(more)
    }
}
