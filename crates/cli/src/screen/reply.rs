//! One reply as it was read: every field by its name, then the doubts; or the refusal.
//! Given the value of a reading; hands on text in the manner of YAML, made for eyes and not for parsers.
//! Deliberately absent: reading, and the names of the fields, which come with the value.

use serde_json::{Map, Value};
use unicode_width::UnicodeWidthStr;

use super::Style;
use super::marks::Tone;
use super::page::Page;
use super::wrap::{one_line, wrapped};

/// How far a level is set in.
const STEP: usize = 2;
/// What stands where a reply gives nothing.
const NOTHING: &str = "(none)";

/// A reply that was read, with what had to be repaired in it.
pub fn examined(value: &Map<String, Value>, doubts: &[String], style: &Style) -> String {
    let mut page = Page::new(style);
    fields(&mut page, "", 0, value);
    page.gap();
    match doubts {
        [] => page.line(0, &[("No doubts.", Tone::Quiet)]),
        doubts => {
            page.line(0, &[("Doubts", Tone::Warning)]);
            doubts.iter().for_each(|doubt| text(&mut page, "  - ", doubt));
        }
    }
    page.finish()
}

/// Why a reply was refused.
pub fn refused(reason: &str, style: &Style) -> String {
    let mut page = Page::new(style);
    page.line(0, &[("Refused", Tone::Bad)]);
    text(&mut page, "  ", reason);
    page.finish()
}

/// The fields of a mapping, each on its line; the first may stand behind the dash of a list.
fn fields(page: &mut Page<'_>, dash: &str, indent: usize, map: &Map<String, Value>) {
    let mut lead = format!("{dash:>indent$}");
    for (key, value) in map {
        field(page, &lead, key, value);
        lead = " ".repeat(indent);
    }
}

fn field(page: &mut Page<'_>, lead: &str, key: &str, value: &Value) {
    let key = one_line(key);
    let below = lead.width() + STEP;
    let name = |page: &mut Page<'_>, beside: &str| {
        let space = if beside.is_empty() { "" } else { " " };
        let tone = if beside == NOTHING { Tone::Quiet } else { Tone::Plain };
        page.line(0, &[(lead, Tone::Plain), (&key, Tone::Label), (":", Tone::Plain), (space, tone), (beside, tone)]);
    };
    match value {
        Value::Null => name(page, NOTHING),
        Value::Array(items) if items.is_empty() => name(page, NOTHING),
        Value::Object(map) if map.is_empty() => name(page, NOTHING),
        Value::Array(items) => {
            name(page, "");
            items.iter().for_each(|value| item(page, below, value));
        }
        Value::Object(map) => {
            name(page, "");
            fields(page, "", below, map);
        }
        Value::String(words) => {
            let room = page.style().columns().saturating_sub(lead.width() + key.width() + 2);
            match wrapped(words, room.max(1)).as_slice() {
                [] => name(page, NOTHING),
                [line] if line.width() <= room => name(page, line),
                _ => {
                    name(page, "");
                    text(page, &" ".repeat(below), words);
                }
            }
        }
        Value::Bool(_) | Value::Number(_) => name(page, &value.to_string()),
    }
}

fn item(page: &mut Page<'_>, indent: usize, value: &Value) {
    let dash = format!("{}- ", " ".repeat(indent));
    match value {
        Value::Object(map) if !map.is_empty() => fields(page, "- ", indent + STEP, map),
        Value::String(words) => text(page, &dash, words),
        other => text(page, &dash, &other.to_string()),
    }
}

/// A text behind its lead; further lines are set in below it.
fn text(page: &mut Page<'_>, lead: &str, words: &str) {
    let room = page.style().columns().saturating_sub(lead.width()).max(8);
    let mut lead = lead.to_owned();
    for line in wrapped(words, room) {
        page.line(0, &[(format!("{lead}{line}").trim_end(), Tone::Plain)]);
        lead = " ".repeat(lead.width());
    }
}
