//! What was asked of single seats beside the record: `sessions/ID/asides.jsonl`.
//! Is given questions and their ends; hands them on in order. Two lines for each, with a checksum as on the tape: the
//! question before the call is made, its end once there is one. Neither minutes nor tape know of them, and the
//! session's lock is not needed: each write takes a lock on this file alone. Deliberately absent: the calls.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use jiff::Timestamp;
use s2s_engine::record::Usage;
use serde::{Deserialize, Serialize};

use crate::disk;
use crate::error::StoreError;
use crate::sessions::{Sessions, check_id};
use crate::tape::{check_crc, seal};
use crate::tape_file::set_aside;

/// The largest file that is read.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// All that was asked beside a session.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Asides {
    /// In order.
    pub list: Vec<Aside>,
    /// Whether a dying process left an unfinished line at the end; it does not count.
    pub torn: bool,
}

/// One question to one seat, and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Aside {
    /// From 1.
    pub number: u32,
    /// When it was asked.
    pub at: Timestamp,
    /// What was asked.
    #[serde(flatten)]
    pub asked: AsideAsked,
    /// How it ended; none = whoever asked was stopped before the answer came.
    #[serde(flatten)]
    pub end: Option<AsideEnd>,
}

/// A question, as it is about to be asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AsideAsked {
    /// Who is asked.
    pub seat: String,
    /// What.
    pub question: String,
    /// Who asks.
    pub by: String,
    /// `provider:model`, `offline` …
    pub model: String,
    /// The BLAKE3 digest of the whole prompt.
    pub prompt_digest: String,
    /// The most it can cost.
    #[serde(default)]
    pub reserved_usd: f64,
    /// The most tokens it can take, sent and received.
    #[serde(default)]
    pub reserved_tokens: u64,
}

/// How an aside ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "result", rename_all = "snake_case")]
pub enum AsideEnd {
    /// With a reply.
    Answered(AsideAnswered),
    /// Without one.
    Failed(AsideFailed),
}

/// A reply, as it arrived.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AsideAnswered {
    /// When.
    pub answered_at: Timestamp,
    /// The raw text.
    pub reply: String,
    /// The model that answered, where it is not the one that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<String>,
    /// Why the model stopped.
    #[serde(default)]
    pub stop: String,
    /// What it cost.
    #[serde(default)]
    pub usage: Usage,
    /// The provider's name for the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
}

/// Why there is no reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AsideFailed {
    /// When that was known.
    pub failed_at: Timestamp,
    /// Why.
    pub error: String,
    /// What its tries cost.
    #[serde(default)]
    pub usage: Usage,
}

impl Aside {
    /// The reply, if one came.
    pub fn answer(&self) -> Option<&AsideAnswered> {
        match &self.end {
            Some(AsideEnd::Answered(answered)) => Some(answered),
            _ => None,
        }
    }

    /// What it cost; one without an end counts at what was reserved for it.
    pub fn usage(&self) -> Usage {
        match &self.end {
            Some(AsideEnd::Answered(answered)) => answered.usage,
            Some(AsideEnd::Failed(failed)) => failed.usage,
            None => Usage {
                calls: 1,
                input_tokens: self.asked.reserved_tokens,
                cost_usd: self.asked.reserved_usd,
                ..Usage::default()
            },
        }
    }
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Line {
    seq: u64,
    at: Timestamp,
    aside: u32,
    #[serde(flatten)]
    what: What,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum What {
    Asked(AsideAsked),
    Ended(AsideEnd),
}

/// What a file holds, and where its whole lines end.
#[derive(Default)]
struct Held {
    asides: Asides,
    lines: u64,
    whole: u64,
}

impl Sessions {
    /// What was asked beside a session. One without any has no such file.
    ///
    /// # Errors
    /// If a line other than an unfinished last one does not fit.
    pub fn asides(&self, id: &str) -> Result<Asides, StoreError> {
        check_id(id)?;
        let path = self.asides_path(id);
        match disk::read_text(&path, MAX_BYTES)? {
            Some(text) => Ok(parsed(text.as_bytes(), &path)?.asides),
            None => Ok(Asides::default()),
        }
    }

    /// Keeps a question that is about to be asked; gives its number. It is on the disk when this returns.
    ///
    /// # Errors
    /// If there is no such session, the file does not hold together, or it cannot be written.
    pub fn keep_aside(&self, id: &str, at: Timestamp, asked: AsideAsked) -> Result<u32, StoreError> {
        check_id(id)?;
        if !self.minutes_path(id).exists() {
            return Err(self.unknown(id));
        }
        disk::make_folder(&self.folder().join(id))?;
        append(&self.asides_path(id), at, |held| Ok((next_number(held), What::Asked(asked))))
    }

    /// Keeps how an aside ended.
    ///
    /// # Errors
    /// If there is no such aside without an end, or the file cannot be written.
    pub fn end_aside(&self, id: &str, number: u32, at: Timestamp, end: AsideEnd) -> Result<(), StoreError> {
        check_id(id)?;
        let what =
            |held: &Held| match held.asides.list.iter().any(|aside| aside.number == number && aside.end.is_none()) {
                true => Ok((number, What::Ended(end))),
                false => Err(StoreError::refused(format!("the end of aside {number}, which is not open"))),
            };
        append(&self.asides_path(id), at, what).map(drop)
    }
}

fn next_number(held: &Held) -> u32 {
    held.asides.list.last().map_or(1, |aside| aside.number + 1)
}

/// Appends one line under the file's own lock. What a dying process left unfinished is set aside first.
fn append(
    path: &Path,
    at: Timestamp,
    what: impl FnOnce(&Held) -> Result<(u32, What), StoreError>,
) -> Result<u32, StoreError> {
    let failed = || StoreError::io("write", path);
    let is_new = !path.exists();
    let mut options = disk::private_file();
    let mut file = options.read(true).write(true).create(true).truncate(false).open(path).map_err(failed())?;
    file.lock().map_err(failed())?;
    let mut bytes = Vec::new();
    Read::by_ref(&mut file).take(MAX_BYTES).read_to_end(&mut bytes).map_err(failed())?;
    let held = parsed(&bytes, path)?;
    let (number, what) = what(&held)?;
    if held.asides.torn {
        set_aside(path, held.whole)?;
        file.set_len(held.whole).map_err(failed())?;
    }
    let mut line = Vec::new();
    let entry = Line { seq: held.lines + 1, at, aside: number, what };
    serde_json::to_writer(&mut line, &entry).map_err(|error| StoreError::refused(format!("an aside: {error}")))?;
    seal(&mut line, 0);
    if held.whole + line.len() as u64 > MAX_BYTES {
        return Err(StoreError::refused(format!("more than {} MB of asides", MAX_BYTES / (1024 * 1024))));
    }
    write_at(&mut file, held.whole, &line).map_err(failed())?;
    if is_new {
        disk::sync_folder(disk::parent(path)?)?;
    }
    Ok(number)
}

/// Half a line must not stay: the file is cut back where it could not be written whole.
fn write_at(file: &mut File, at: u64, line: &[u8]) -> std::io::Result<()> {
    file.seek(SeekFrom::Start(at))?;
    let written = file.write_all(line).and_then(|()| file.sync_data());
    if written.is_err() {
        file.set_len(at)?;
    }
    written
}

fn parsed(bytes: &[u8], path: &Path) -> Result<Held, StoreError> {
    let mut held = Held::default();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let Some(whole) = line.strip_suffix(b"\n") else {
            held.asides.torn = true;
            break;
        };
        let number = held.lines + 1;
        let flaw = |what: String| StoreError::unreadable(path, u32::try_from(number).unwrap_or(u32::MAX), what);
        check_crc(whole).map_err(flaw)?;
        let entry: Line = serde_json::from_slice(whole).map_err(|error| flaw(format!("not an aside: {error}")))?;
        if entry.seq != number {
            return Err(flaw(format!("entry {} stands where entry {number} is due", entry.seq)));
        }
        take(&mut held, entry).map_err(flaw)?;
        held.lines = number;
        held.whole += line.len() as u64;
    }
    Ok(held)
}

fn take(held: &mut Held, line: Line) -> Result<(), String> {
    match line.what {
        What::Asked(asked) if line.aside == next_number(held) => {
            held.asides.list.push(Aside { number: line.aside, at: line.at, asked, end: None });
            Ok(())
        }
        What::Asked(_) => Err(format!("aside {} stands where aside {} is due", line.aside, next_number(held))),
        What::Ended(end) => match held.asides.list.iter_mut().find(|aside| aside.number == line.aside) {
            Some(aside) if aside.end.is_none() => {
                aside.end = Some(end);
                Ok(())
            }
            _ => Err(format!("the end of aside {}, which is not open", line.aside)),
        },
    }
}
