//! `s2s read`: what a session would make of a reply, for whoever debugs a prompt or a role.
//! Given one reply in a file or on standard input; prints its value and doubts, or the refusal (exit 1).
//! Works in a project and outside of one. Deliberately absent: reading itself, which is the library's.

use std::fs::File;
use std::io::{self, IsTerminal, Read as _};
use std::path::Path;

use s2s::reading::{Kind, MAX_REPLY_BYTES, examine};
use s2s::{Failure, FailureKind};
use serde_json::{Value, json};

use super::read_lines;
use crate::args::{Asked, Read};
use crate::console::Console;
use crate::screen;

/// What a reply, or many of them, come from.
pub struct Source {
    /// The name a person knows it by.
    pub name: String,
    /// Its bytes.
    pub bytes: Box<dyn io::Read>,
}

/// Reads one reply, or with `--jsonl` one on each line.
pub fn read(typed: &Read, console: &Console) -> Result<u8, Failure> {
    let source = open(typed.file.as_deref(), console)?;
    match typed.kind {
        Some(asked) => one(kind(asked), source, console),
        None => read_lines::read_lines(source, console),
    }
}

fn kind(asked: Asked) -> Kind {
    match asked {
        Asked::Question => Kind::Question,
        Asked::Response => Kind::Response,
        Asked::Synthesis => Kind::Synthesis,
        Asked::Sides => Kind::Sides,
    }
}

fn open(file: Option<&Path>, console: &Console) -> Result<Source, Failure> {
    let Some(path) = file.filter(|path| path.as_os_str() != "-") else {
        if io::stdin().is_terminal() {
            console.note("reading from the terminal; end with Ctrl-D on a line of its own");
        }
        return Ok(Source { name: "standard input".to_owned(), bytes: Box::new(io::stdin().lock()) });
    };
    let name = path.display().to_string();
    if path.is_dir() {
        return Err(Failure::bad_input(format!("{name} is a folder")).next("name the file with the reply"));
    }
    match File::open(path) {
        Ok(file) => Ok(Source { name, bytes: Box::new(file) }),
        Err(error) => Err(unreadable(&name, &error)),
    }
}

/// Bytes that could not be had.
pub fn unreadable(name: &str, error: &io::Error) -> Failure {
    Failure::bad_input(format!("{name} cannot be read: {error}")).next("check the path and your right to read it")
}

fn one(kind: Kind, source: Source, console: &Console) -> Result<u8, Failure> {
    let Source { name, bytes } = source;
    let text = whole(&name, bytes)?;
    let read = examine(kind, &text);
    let refused = read.is_err();
    if console.json {
        let (value, doubts, refusal) = match read {
            Ok(reading) => (Value::Object(reading.value), reading.doubts, None),
            Err(refusal) => (Value::Null, Vec::new(), Some(refusal.0)),
        };
        let answer = json!({ "value": value, "doubts": doubts, "refusal": refusal });
        console.print(&format!("{}\n", screen::harmless(answer.to_string())))?;
        return Ok(if refused { FailureKind::Failed.exit_code() } else { 0 });
    }
    match read {
        Ok(reading) => console.print(&screen::examined(&reading.value, &reading.doubts, &console.style)).map(|()| 0),
        Err(refusal) => {
            console.print(&screen::refused(&refusal.0, &console.style))?;
            // At a terminal the screen has just said it; in a pipe standard error must say why the code is not 0.
            if console.terminal {
                return Ok(FailureKind::Failed.exit_code());
            }
            Err(Failure::failed(format!("the reply in {name} is refused: {refusal}")))
        }
    }
}

/// The whole of one reply. Reads no further than one byte past the bound, so an endless source does no harm.
fn whole(name: &str, bytes: impl io::Read) -> Result<String, Failure> {
    let mut raw = Vec::new();
    let read = bytes.take(MAX_REPLY_BYTES as u64 + 1).read_to_end(&mut raw);
    read.map_err(|error| unreadable(name, &error))?;
    if raw.len() > MAX_REPLY_BYTES {
        let most = MAX_REPLY_BYTES / 1024;
        return Err(Failure::bad_input(format!("{name} is larger than {most} kB, the most that a reply may have"))
            .next("cut it down to one reply; many of them are read with --jsonl"));
    }
    String::from_utf8(raw).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = good.iter().filter(|byte| **byte == b'\n').count() + 1;
        Failure::bad_input(format!("{name} is not UTF-8 text (line {line})")).next("save the reply as UTF-8")
    })
}
