//! A run for programs: one event per line, as JSON.
//! Given notices; hands on lines, each flushed, so that a reader sees an event when it happens.
//! Deliberately absent: any choice of what to tell (a program filters for itself).

use std::io::{self, Write};

use s2s::clean::clean_text;
use s2s::roundtable::{Audience, Notice};

/// Writes every notice as a line of JSON.
#[derive(Debug)]
pub struct JsonLines<W: Write> {
    out: W,
    broken: Option<io::ErrorKind>,
    /// The command that leads on once the session is complete.
    next: Option<String>,
}

impl<W: Write> JsonLines<W> {
    /// To this output.
    pub fn new(out: W) -> Self {
        Self { out, broken: None, next: None }
    }

    /// With the command that leads on once the session is complete.
    pub fn leading_to(mut self, next: Option<String>) -> Self {
        self.next = next;
        self
    }

    /// Why nothing can be written any more: the reader is gone, the disk is full.
    pub fn broken(&self) -> Option<io::ErrorKind> {
        self.broken
    }
}

impl<W: Write> Audience for JsonLines<W> {
    fn notice(&mut self, notice: &Notice) {
        if self.broken.is_some() {
            return;
        }
        let line = match (notice, &self.next) {
            (Notice::SessionCompleted { .. }, Some(next)) => with_next(notice, next),
            _ => serde_json::to_string(notice),
        };
        let written = line
            .map_err(io::Error::from)
            .and_then(|line| self.out.write_all(format!("{}\n", harmless(line)).as_bytes()))
            .and_then(|()| self.out.flush());
        self.broken = written.err().map(|error| error.kind());
    }
}

/// The end of a session with the command that leads on from it.
fn with_next(notice: &Notice, next: &str) -> serde_json::Result<String> {
    let mut value = serde_json::to_value(notice)?;
    value["next"] = next.into();
    serde_json::to_string(&value)
}

/// The same JSON with every character that could act on a terminal written as an escape. Nothing is
/// lost: a reader of JSON gets the same text.
pub fn harmless(line: String) -> String {
    if clean_text(&line) == line {
        return line;
    }
    let mut out = String::with_capacity(line.len() + 16);
    for c in line.chars() {
        let mut single = [0; 4];
        let single: &str = c.encode_utf8(&mut single);
        if clean_text(single) == single {
            out.push(c);
        } else {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        }
    }
    out
}
