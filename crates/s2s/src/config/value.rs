//! Checks one value against the shape of its setting.
//! Given a setting and the YAML node that should fill it; hands on the value, or everything that is wrong
//! with it. Deliberately absent: where the node came from.

use std::path::{Component, Path};

use s2s_yaml::node::{Kind, Misfit, Node};
use serde_json::{Value, json};

use super::keys::{Key, Shape};
use super::{Panel, open};
use crate::clean::clean;

/// Longer than any name or keyword a person would choose.
const MAX_WORD_CHARS: usize = 64;
/// More seats than any table has use for; the bound keeps a slip from costing a hundred calls a round.
const MAX_SEATS: usize = 24;

const NAME_RULE: &str = "lower-case letters, digits and hyphens, at most 64";
const SEAT_RULE: &str = "role names such as qa-lead, or project:NAME";

pub(super) fn read(key: &Key, node: &Node) -> Result<Value, Vec<Misfit>> {
    if node.is_nothing() {
        return match key.null {
            Some(_) => Ok(Value::Null),
            None => Err(vec![with(node.misfit("there is no value"), "a value, or remove the line")]),
        };
    }
    match key.shape {
        Shape::Seats => seats(node),
        Shape::Words => list(node, word),
        _ => single(key.shape, node).map_err(|misfit| vec![misfit]),
    }
}

fn single(shape: Shape, node: &Node) -> Result<Value, Misfit> {
    Ok(match shape {
        Shape::Version => match version_number(node) {
            Some(1) => json!(1),
            _ => return Err(node.unexpected("the version of this file, 1")),
        },
        Shape::Flag => node.flag()?.into(),
        Shape::Whole(low, high) => node.whole(low..=high)?.into(),
        Shape::Number(low, high) => node.number(low..=high)?.into(),
        Shape::Choice(words) => {
            let words: Vec<_> = words.iter().map(|word| (*word, *word)).collect();
            node.one_of(&words)?.into()
        }
        Shape::Name => name(node)?.into(),
        Shape::Folder => folder(node)?.into(),
        Shape::TimeFormat => time_format(node)?.into(),
        Shape::Panel => panel(node)?.into(),
        Shape::Model => open::model(node)?.into(),
        Shape::Seats | Shape::Words => Value::Null,
        Shape::SeatModels | Shape::Fallback | Shape::Providers | Shape::Prices => Value::Null,
    })
}

/// The version, however it is written: the original plugin's files say `"1.0"`.
pub(super) fn version_number(node: &Node) -> Option<u64> {
    let Kind::Scalar { text, .. } = &node.kind else {
        return None;
    };
    text.strip_suffix(".0").unwrap_or(text).parse().ok()
}

pub(super) fn with(misfit: Misfit, allowed: &str) -> Misfit {
    Misfit { allowed: Some(allowed.to_owned()), ..misfit }
}

pub(super) fn name(node: &Node) -> Result<&str, Misfit> {
    let text = node.text()?;
    if is_name(text) { Ok(text) } else { Err(with(node.misfit(format!("{text:?} is not a name")), NAME_RULE)) }
}

pub(super) fn is_name(text: &str) -> bool {
    text.len() <= MAX_WORD_CHARS
        && text.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

pub(super) fn seat(node: &Node) -> Result<&str, Misfit> {
    let text = node.text()?;
    let fits = match text.strip_prefix("project:") {
        Some(rest) => {
            rest.starts_with(|c: char| c.is_ascii_alphanumeric())
                && rest.len() <= MAX_WORD_CHARS
                && rest.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
        }
        None => is_name(text),
    };
    match text {
        "facilitator" => Err(with(node.misfit("the facilitator leads the table and has no seat"), SEAT_RULE)),
        _ if fits => Ok(text),
        _ => Err(with(node.misfit(format!("{text:?} is not the name of a role")), SEAT_RULE)),
    }
}

fn word(node: &Node) -> Result<&str, Misfit> {
    let text = node.text()?;
    if text.chars().count() > MAX_WORD_CHARS {
        return Err(with(node.misfit("the keyword is too long"), "a word or short phrase of at most 64 characters"));
    }
    if is_hidden(text) {
        return Err(with(node.misfit("the keyword holds characters that nobody can see"), "visible text in one line"));
    }
    Ok(text)
}

/// Whether a text holds what a screen would hide or obey.
pub(super) fn is_hidden(text: &str) -> bool {
    text.contains(['\n', '\t']) || clean(text).removed.any()
}

fn seats(node: &Node) -> Result<Value, Vec<Misfit>> {
    let value = list(node, seat)?;
    match value.as_array().map_or(0, Vec::len) {
        0 | 1 => {
            Err(vec![with(node.misfit("a roundtable needs at least two participants, people not counted"), SEAT_RULE)])
        }
        n if n > MAX_SEATS => {
            let what = format!("{n} participants are too many for one table");
            Err(vec![with(node.misfit(what), &format!("2 to {MAX_SEATS} participants"))])
        }
        _ => Ok(value),
    }
}

/// A list without repeats; every flaw in it is said.
fn list(node: &Node, item: fn(&Node) -> Result<&str, Misfit>) -> Result<Value, Vec<Misfit>> {
    let items = node.items().map_err(|misfit| vec![misfit])?;
    let (mut found, mut misfits) = (Vec::<&str>::new(), Vec::new());
    for node in items {
        match item(node) {
            Ok(text) if found.contains(&text) => {
                misfits.push(with(node.misfit(format!("{text:?} is given twice")), "each once"));
            }
            Ok(text) => found.push(text),
            Err(misfit) => misfits.push(misfit),
        }
    }
    if misfits.is_empty() { Ok(json!(found)) } else { Err(misfits) }
}

/// A project's file must not be able to send documents anywhere else on the disk.
fn folder(node: &Node) -> Result<String, Misfit> {
    const RULE: &str = "a folder inside the project, such as docs/decisions";
    let text = node.text()?;
    let mut parts = Vec::new();
    for part in Path::new(text).components() {
        match part {
            Component::Normal(name) => parts.push(name.to_string_lossy()),
            Component::CurDir => {}
            _ => {
                return Err(with(node.misfit(format!("{text:?} leads out of the project")), RULE));
            }
        }
    }
    if parts.is_empty() || text.contains(['\\', ':']) || is_hidden(text) {
        return Err(with(node.misfit(format!("{text:?} is not a folder inside the project")), RULE));
    }
    Ok(parts.join("/"))
}

/// Tried on one moment: what it gives becomes the front of a file's name.
fn time_format(node: &Node) -> Result<&str, Misfit> {
    const RULE: &str = "strftime codes that give letters, digits, '-', '_' or '.', such as %Y%m%d-%H%M%S";
    let text = node.text()?;
    let tried = jiff::fmt::strtime::BrokenDownTime::from(jiff::Timestamp::UNIX_EPOCH).to_string(text);
    match tried {
        Ok(name)
            if (1..=MAX_WORD_CHARS).contains(&name.len())
                && name.starts_with(|c: char| c.is_ascii_alphanumeric())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) =>
        {
            Ok(text)
        }
        Ok(name) => Err(with(node.misfit(format!("the format gives {name:?}, which cannot start a file name")), RULE)),
        Err(error) => Err(with(node.misfit(format!("the format cannot be used: {error}")), RULE)),
    }
}

fn panel(node: &Node) -> Result<&str, Misfit> {
    const RULE: &str = "auto, offline, models, script:FILE";
    let text = node.text()?;
    match Panel::try_from(text.to_owned()) {
        Ok(_) if is_hidden(text) => {
            Err(with(node.misfit("the file's name holds characters that nobody can see"), RULE))
        }
        Ok(_) => Ok(text),
        Err(what) => Err(with(node.misfit(format!("{text:?}: {what}")), RULE)),
    }
}
