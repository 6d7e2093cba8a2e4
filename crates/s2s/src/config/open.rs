//! The settings whose keys a person chooses: models of seats, fallbacks, providers, prices.
//! Given the node of such a map; hands on one found value for each entry, or everything that is wrong.
//! Deliberately absent: which layer wins, and whether a name means anything.

use s2s_catalog::Api;
use s2s_yaml::node::{Entry, Misfit, Node};
use serde_json::{Map, Value, json};

use super::address;
use super::fields::{Field, FieldShape, KEY_FIELDS, KEY_HEADERS, PROVIDER_FIELDS};
use super::keys::Shape;
use super::models::FALLBACK_DEFAULT;
use super::value::{is_hidden, is_name, name, seat, with};

/// What to do with a key that stands in a file.
pub(super) const NO_KEYS: &str = "keys do not belong in a file; use api_key_env";
const KEY_PLACES: &str = "api_key_env: NAME, api_key_command: [program, argument], api_key_file: PATH";
const MODEL_RULE: &str = "provider:model such as anthropic:claude-opus-5-5, a provider, opus, sonnet or haiku";
const MOST_NAMES: usize = 100;

/// One value below a map: the keys that lead to it, and where it stands.
#[derive(Debug)]
pub(super) struct Found {
    pub path: Vec<String>,
    pub value: Value,
    pub line: u32,
    pub column: u32,
}

/// Reads a whole map.
pub(super) fn read(shape: Shape, node: &Node) -> Result<Vec<Found>, Vec<Misfit>> {
    let fields = node.fields().map_err(|misfit| vec![misfit])?;
    let (mut found, mut misfits) = (Vec::new(), Vec::new());
    if fields.entries().len() > MOST_NAMES {
        return Err(vec![with(node.misfit("these are too many names"), &format!("at most {MOST_NAMES}"))]);
    }
    for entry in fields.entries() {
        match read_entry(shape, entry) {
            Ok(mut values) => found.append(&mut values),
            Err(mut wrong) => misfits.append(&mut wrong),
        }
    }
    if misfits.is_empty() { Ok(found) } else { Err(misfits) }
}

/// Reads one entry. Nothing behind a name takes away what a lower layer says.
pub(super) fn read_entry(shape: Shape, entry: &Entry) -> Result<Vec<Found>, Vec<Misfit>> {
    let named = |misfit: Misfit| Misfit { what: format!("`{}`: {}", entry.key, misfit.what), ..misfit };
    let one =
        |value: Value| vec![Found { path: vec![entry.key.clone()], value, line: entry.line, column: entry.column }];
    let nothing = entry.value.is_nothing();
    match shape {
        Shape::SeatModels => {
            check_seat(entry, false).map_err(|misfit| vec![misfit])?;
            if nothing {
                return Ok(one(Value::Null));
            }
            model(&entry.value).map(|model| one(model.into())).map_err(|misfit| vec![named(misfit)])
        }
        Shape::Fallback => {
            check_seat(entry, true).map_err(|misfit| vec![misfit])?;
            if nothing {
                return Ok(one(Value::Null));
            }
            let models = entry.value.items().and_then(|items| items.iter().map(model).collect::<Result<Vec<_>, _>>());
            models.map(|models| one(json!(models))).map_err(|misfit| vec![named(misfit)])
        }
        Shape::Prices => {
            model_key(entry).map_err(|misfit| vec![misfit])?;
            if nothing {
                return Ok(one(Value::Null));
            }
            price(&entry.value).map(one).map_err(|misfit| vec![named(misfit)])
        }
        Shape::Providers => provider(entry).map_err(|misfits| misfits.into_iter().map(named).collect()),
        _ => Ok(Vec::new()),
    }
}

fn at(entry: &Entry, what: impl Into<String>, allowed: &str) -> Misfit {
    Misfit { line: entry.line, column: entry.column, what: what.into(), allowed: Some(allowed.to_owned()) }
}

fn check_seat(entry: &Entry, fallback: bool) -> Result<(), Misfit> {
    if fallback && [FALLBACK_DEFAULT, "facilitator"].contains(&entry.key.as_str()) {
        return Ok(());
    }
    if entry.key == "facilitator" {
        return Err(at(entry, "the facilitator has no seat; its model is `models.facilitator`", "names of roles"));
    }
    let node = Node { line: entry.line, column: entry.column, kind: text_kind(&entry.key) };
    seat(&node).map(drop)
}

fn text_kind(text: &str) -> s2s_yaml::node::Kind {
    s2s_yaml::node::Kind::Scalar { text: text.to_owned(), plain: false }
}

/// The name of a model, as a person writes it.
pub(super) fn model(node: &Node) -> Result<&str, Misfit> {
    let text = node.text()?;
    if text.len() > 200 || text.contains(char::is_whitespace) || is_hidden(text) {
        return Err(with(node.misfit("this is not the name of a model"), MODEL_RULE));
    }
    Ok(text)
}

fn model_key(entry: &Entry) -> Result<(), Misfit> {
    let good = entry.key.split_once(':').is_some_and(|(provider, model)| is_name(provider) && !model.is_empty());
    match good && entry.key.len() <= 200 && !entry.key.contains(char::is_whitespace) {
        true => Ok(()),
        false => Err(at(entry, format!("`{}` does not say whose model it is", entry.key), "provider:model")),
    }
}

fn price(node: &Node) -> Result<Value, Misfit> {
    const KEYS: &[&str] = &["input", "cached_input", "cache_write", "output"];
    let fields = node.fields()?;
    if let Some(misfit) = fields.unknown(KEYS).into_iter().next() {
        return Err(misfit);
    }
    fields.required("input").and(fields.required("output"))?;
    let mut price = Map::new();
    for key in KEYS {
        if let Some(node) = fields.get(key) {
            price.insert((*key).to_owned(), node.number(0.0..=100_000.0)?.into());
        }
    }
    Ok(price.into())
}

fn provider(entry: &Entry) -> Result<Vec<Found>, Vec<Misfit>> {
    if !is_name(&entry.key) {
        let what = format!("{:?} is not a name for a provider", entry.key);
        return Err(vec![at(entry, what, "lower-case letters, digits and hyphens, at most 64")]);
    }
    if entry.value.is_nothing() {
        return Ok(Vec::new());
    }
    let fields = entry.value.fields().map_err(|misfit| vec![misfit])?;
    let (mut found, mut misfits) = (Vec::new(), Vec::new());
    let known: Vec<&str> = PROVIDER_FIELDS.iter().map(|field| field.name).collect();
    for misfit in fields.unknown(&known) {
        let key = |item: &&Entry| item.line == misfit.line && item.column == misfit.column;
        let is_key = fields.entries().iter().find(key).is_some_and(|item| KEY_FIELDS.contains(&item.key.as_str()));
        misfits.push(match is_key {
            true => Misfit { what: NO_KEYS.to_owned(), allowed: Some(KEY_PLACES.to_owned()), ..misfit },
            false => misfit,
        });
    }
    for item in fields.entries() {
        let Some(field) = PROVIDER_FIELDS.iter().find(|field| field.name == item.key) else { continue };
        match field_value(field, &item.value) {
            Ok(value) => {
                let path = vec![entry.key.clone(), item.key.clone()];
                found.push(Found { path, value, line: item.line, column: item.column });
            }
            Err(misfit) => misfits.push(Misfit { what: format!("{}: {}", item.key, misfit.what), ..misfit }),
        }
    }
    if misfits.is_empty() { Ok(found) } else { Err(misfits) }
}

fn field_value(field: &Field, node: &Node) -> Result<Value, Misfit> {
    if node.is_nothing() {
        return Ok(Value::Null);
    }
    Ok(match field.shape {
        FieldShape::Api => {
            let words: Vec<_> = Api::ALL.iter().map(|api| (api.as_str(), api.as_str())).collect();
            node.one_of(&words)?.into()
        }
        FieldShape::Address => {
            let text = node.text()?;
            address::read(text).map_err(|what| with(node.misfit(what), address::RULE))?;
            // A slash at the end means nothing, except in a query.
            if text.contains('?') { text.trim() } else { text.trim().trim_end_matches('/') }.into()
        }
        FieldShape::Variable => variable(node)?.into(),
        FieldShape::Variables => json!(node.items()?.iter().map(variable).collect::<Result<Vec<_>, _>>()?),
        FieldShape::Program => program(node)?,
        FieldShape::File => file(node)?.into(),
        FieldShape::Header => header(node)?.into(),
        FieldShape::Headers => headers(node)?,
        FieldShape::Flag => node.flag()?.into(),
        FieldShape::Whole(low, high) => node.whole(low..=high)?.into(),
        FieldShape::Name => name(node)?.into(),
    })
}

/// What is not a name is not shown: it may be the key itself.
fn variable(node: &Node) -> Result<&str, Misfit> {
    let text = node.text()?;
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let good = text.len() <= 100 && text.chars().all(word) && !text.starts_with(|c: char| c.is_ascii_digit());
    match good {
        true => Ok(text),
        false => Err(with(node.misfit("this is not the name of a variable"), "a name such as LOCAL_KEY")),
    }
}

fn program(node: &Node) -> Result<Value, Misfit> {
    const RULE: &str = "a list: the program, then its arguments; no shell reads it";
    let items = node.items().map_err(|misfit| with(misfit, RULE))?;
    let mut words = Vec::new();
    for item in items {
        let kind = &item.kind;
        let s2s_yaml::node::Kind::Scalar { text, .. } = kind else {
            return Err(with(item.unexpected("text"), RULE));
        };
        if is_hidden(text) && !text.contains('\n') {
            return Err(with(item.misfit("this holds characters that nobody can see"), RULE));
        }
        words.push(text.as_str());
    }
    match words.first().map(|word| word.trim()) {
        None | Some("") => Err(with(node.misfit("this names no program"), RULE)),
        Some(_) => Ok(json!(words)),
    }
}

fn file(node: &Node) -> Result<&str, Misfit> {
    let text = node.text()?;
    match (text.starts_with('/') || text.starts_with("~/")) && !is_hidden(text) {
        true => Ok(text),
        false => Err(with(
            node.misfit("a file with a key is named by its full path"),
            "a path from / or ~/ on, outside the project",
        )),
    }
}

fn header(node: &Node) -> Result<&str, Misfit> {
    let text = node.text()?;
    let good = text.len() <= 100 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    match good {
        true => Ok(text),
        false => Err(with(node.misfit("this is not the name of a header"), "letters, digits and hyphens")),
    }
}

fn headers(node: &Node) -> Result<Value, Misfit> {
    let mut found = Map::new();
    for entry in node.fields()?.entries() {
        let name = Node { line: entry.line, column: entry.column, kind: text_kind(&entry.key) };
        header(&name)?;
        if KEY_HEADERS.contains(&entry.key.to_lowercase().as_str()) {
            return Err(at(entry, NO_KEYS, "key_header: NAME says which header carries the key"));
        }
        let value = entry.value.text()?;
        if !value.is_ascii() || is_hidden(value) || value.len() > 1_000 {
            return Err(with(entry.value.misfit("this cannot be sent in a header"), "visible ASCII in one line"));
        }
        found.insert(entry.key.clone(), value.into());
    }
    Ok(found.into())
}
