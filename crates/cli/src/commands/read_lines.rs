//! `s2s read --jsonl`: many replies, one on each line, read as they come and in constant memory.
//! Given lines `{id, schema, text}`; prints lines `{id, value, doubts, refusal}` in the same order. A line
//! that cannot be used is refused under its id; without an id nobody could tell which it was, so the run stops.

use std::fmt;
use std::io::{BufRead, BufReader, Read};

use s2s::Failure;
use s2s::reading::{Kind, examine};
use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};
use serde_json::{Value, json};

use super::read::{Source, unreadable};
use crate::console::Console;
use crate::screen::harmless;

/// The longest line: a reply of the largest size fits with every character escaped, and with room to be refused.
const LONGEST_LINE: u64 = 16 << 20;

/// A line that came in; other fields are left alone.
#[derive(Debug, Deserialize)]
struct Line {
    #[serde(default)]
    id: Value,
    #[serde(default)]
    schema: Value,
    #[serde(default)]
    text: Text,
}

/// The text of a line.
#[derive(Debug, Default, PartialEq)]
enum Text {
    #[default]
    Missing,
    /// With half a surrogate pair in it, as some writers leave behind: that one is replaced.
    Mended(String),
    Whole(String),
}

/// Reads replies line by line until there are no more, or nobody wants more.
pub fn read_lines(source: Source, console: &Console) -> Result<u8, Failure> {
    let Source { name, bytes } = source;
    let mut lines = BufReader::new(bytes);
    let mut buffer = Vec::new();
    for number in 1_u64.. {
        buffer.clear();
        let read = (&mut lines).take(LONGEST_LINE + 1).read_until(b'\n', &mut buffer);
        if read.map_err(|error| unreadable(&name, &error))? == 0 {
            break;
        }
        if buffer.len() as u64 > LONGEST_LINE {
            let what = format!("line {number} of {name} is longer than {} MB", LONGEST_LINE >> 20);
            return Err(Failure::bad_input(what).next("a line holds one reply of at most 1 MB"));
        }
        let line = buffer.strip_prefix(b"\xEF\xBB\xBF").filter(|_| number == 1).unwrap_or(&buffer);
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let answer = answered(line, number).map_err(|what| {
            Failure::bad_input(format!("line {number} of {name} {what}"))
                .next("each line is one object: {\"id\": …, \"schema\": …, \"text\": …}; the lines above were read")
        })?;
        if !console.print_on(&format!("{}\n", harmless(answer.to_string())))? {
            break;
        }
    }
    Ok(0)
}

/// Of a line that does not fit, what is left to answer it under.
#[derive(Debug, Deserialize)]
struct Named {
    #[serde(default)]
    id: Value,
}

/// The line to write for a line that was read, or why it has no id to be answered under.
fn answered(line: &[u8], number: u64) -> Result<Value, String> {
    let (id, read) = match serde_json::from_slice(line) {
        Ok(Line { id, schema, text }) => (id, examined(line, &schema, text)),
        Err(error) => match serde_json::from_slice(line) {
            Ok(Named { id }) => (id, Err(Unread::Line(said(&error)))),
            Err(error) => return Err(format!("cannot be read as JSON: {}", said(&error))),
        },
    };
    if !matches!(id, Value::String(_) | Value::Number(_)) {
        return Err("has no id, which is a string or a number".to_owned());
    }
    let (value, doubts, refusal) = match read {
        Ok((value, doubts)) => (value, doubts, None),
        Err(Unread::Reply(reason)) => (Value::Null, Vec::new(), Some(reason)),
        Err(Unread::Line(what)) => (Value::Null, Vec::new(), Some(format!("line {number} cannot be used: {what}"))),
    };
    Ok(json!({ "id": id, "value": value, "doubts": doubts, "refusal": refusal }))
}

/// What is wrong with a line and where in it; that it is "line 1" of one line would only mislead.
fn said(error: &serde_json::Error) -> String {
    let what = error.to_string();
    let what = what.rsplit_once(" at line ").map_or(what.as_str(), |(what, _)| what);
    format!("{what} (column {})", error.column())
}

/// Why nothing was read.
enum Unread {
    /// The reply is refused.
    Reply(String),
    /// The line says not enough to read its reply.
    Line(String),
}

fn examined(line: &[u8], schema: &Value, text: Text) -> Result<(Value, Vec<String>), Unread> {
    let kind = schema.as_str().and_then(kind).ok_or_else(|| {
        let kinds = "question, response, synthesis, sides, participant or facilitator";
        Unread::Line(match schema {
            Value::Null => format!("it has no schema ({kinds})"),
            other => format!("its schema is {other}, not {kinds}"),
        })
    })?;
    if std::str::from_utf8(line).is_err() {
        return Err(Unread::Line("it is not UTF-8 text".to_owned()));
    }
    let (text, mended) = match text {
        Text::Missing => return Err(Unread::Line("it has no text".to_owned())),
        Text::Mended(text) => (text, true),
        Text::Whole(text) => (text, false),
    };
    let reading = examine(kind, &text).map_err(|refusal| Unread::Reply(refusal.0))?;
    let mut doubts = reading.doubts;
    if mended {
        doubts.insert(0, "the text holds half a surrogate pair, which is no character; it was replaced".to_owned());
    }
    Ok((Value::Object(reading.value), doubts))
}

fn kind(schema: &str) -> Option<Kind> {
    match schema {
        "question" => Some(Kind::Question),
        "response" | "participant" => Some(Kind::Response),
        "synthesis" | "facilitator" => Some(Kind::Synthesis),
        "sides" => Some(Kind::Sides),
        _ => None,
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        // As bytes, because a string would refuse half a surrogate pair and the whole line with it.
        from.deserialize_bytes(TextVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Text, E> {
        Ok(match std::str::from_utf8(bytes) {
            Ok(text) => Text::Whole(text.to_owned()),
            // Three bytes make half a pair, and each of them comes out as one replacement character.
            Err(_) => Text::Mended(String::from_utf8_lossy(bytes).replace("\u{FFFD}\u{FFFD}\u{FFFD}", "\u{FFFD}")),
        })
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Text, E> {
        Ok(Text::Whole(text.to_owned()))
    }
}
