//! From a tree to the fields of a record: the schema says what each piece must be.
//! Given a node and a schema; hands on the canonical value, or the first flaw that speaks against it.
//! A field that the text does not carry is missing, never made up.

mod lists;
mod records;

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::budget::Budget;
use crate::clean::clean_text;
use crate::node::{Doubts, Node, Scalar};
use crate::policy::{self, is_carrier, is_counter};
use crate::scalar::unmarked;
use crate::schema::{Field, Schema, Shape};

/// Why a tree is not the record that was asked for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Flaw {
    /// A required field is not there.
    Missing(String),
    /// A field is there and cannot be taken.
    Bad(String),
    /// It holds placeholders: a form, not an answer.
    Form(String),
}

impl Flaw {
    pub(crate) fn into_reason(self) -> String {
        match self {
            Self::Missing(what) | Self::Bad(what) | Self::Form(what) => what,
        }
    }
}

pub(crate) struct Aligner<'b> {
    pub budget: &'b mut Budget,
    pub doubts: Doubts,
}

impl Aligner<'_> {
    /// The record of a reply: every field of the schema, in its order.
    pub(crate) fn record(
        &mut self,
        pairs: &[(Cow<'_, str>, Node<'_>)],
        schema: &'static Schema,
    ) -> Result<Map<String, Value>, Flaw> {
        let mut found: Vec<Option<&Node<'_>>> = vec![None; schema.fields.len()];
        for (key, node) in pairs {
            if let Some(at) = schema.own(key) {
                self.claim(&mut found, at, node, schema)?;
            }
        }
        // Another name counts only where the field's own name is not there.
        let own: Vec<bool> = found.iter().map(|node| node.is_some_and(|node| !says_nothing(node))).collect();
        for (key, node) in pairs.iter().filter(|(key, _)| schema.own(key).is_none()) {
            match schema.field(key) {
                Some(at) if own[at] => {
                    let name = schema.fields[at].name;
                    self.doubts.about(name, format!("left out what stands under `{}`", policy::shortened(key)));
                }
                Some(at) => self.claim(&mut found, at, node, schema)?,
                // Only a reply has no key field of its own.
                None if schema.key.is_empty()
                    && !key.is_empty()
                    && !is_empty(node)
                    && !matches!(node, Node::Map(_)) =>
                {
                    self.doubts.add(format!("left out what stands under `{}`", policy::shortened(key)));
                }
                None => {}
            }
        }
        self.look_inside(&mut found, pairs, schema);
        let mut record = Map::with_capacity(schema.fields.len());
        for (field, node) in schema.fields.iter().zip(found) {
            record.insert(field.name.to_owned(), self.field(field, node)?);
        }
        Ok(record)
    }

    /// Gives a field its node. Of two for one field the later stands if the earlier says nothing, or the same.
    fn claim<'n>(
        &mut self,
        found: &mut [Option<&'n Node<'n>>],
        at: usize,
        node: &'n Node<'n>,
        schema: &Schema,
    ) -> Result<(), Flaw> {
        let name = schema.fields[at].name;
        match found[at] {
            None => found[at] = Some(node),
            Some(earlier) if says_nothing(earlier) || earlier == node => {
                if !is_empty(earlier) {
                    self.doubts.about(name, "given twice; the later one counts");
                }
                found[at] = Some(node);
            }
            Some(_) if says_nothing(node) => self.doubts.about(name, "given twice; the empty one is left out"),
            Some(_) => return Err(Flaw::Bad(format!("`{name}` is given twice with different values; give it once"))),
        }
        Ok(())
    }

    /// A field that is missing may stand one level down, in a part nobody asked for.
    fn look_inside<'n>(
        &mut self,
        found: &mut [Option<&'n Node<'n>>],
        pairs: &'n [(Cow<'n, str>, Node<'n>)],
        schema: &Schema,
    ) {
        for (key, node) in pairs {
            let Node::Map(inner) = node else { continue };
            if schema.field(key).is_some() {
                continue;
            }
            for (name, node) in inner {
                if let Some(at) = schema.field(name)
                    && found[at].is_none()
                {
                    self.doubts.about(schema.fields[at].name, format!("found inside `{}`", policy::shortened(key)));
                    found[at] = Some(node);
                }
            }
        }
    }

    fn field(&mut self, field: &'static Field, node: Option<&Node<'_>>) -> Result<Value, Flaw> {
        let missing = || Flaw::Missing(format!("`{}` is missing or empty", field.name));
        match field.shape {
            Shape::Text => match node.map(|node| self.text(field.name, node)).transpose()?.flatten() {
                Some(text) if policy::is_placeholder(&text) && (field.required || text.starts_with('<')) => {
                    Err(Flaw::Form(format!("`{}` is the placeholder \"{}\"", field.name, policy::shortened(&text))))
                }
                Some(text) if policy::is_placeholder(&text) => {
                    self.doubts.about(field.name, "a placeholder was left out");
                    Ok(Value::Null)
                }
                Some(text) if field.required && !text.contains(char::is_alphanumeric) => Err(missing()),
                Some(text) => Ok(Value::String(text)),
                None if field.required => Err(missing()),
                None => Ok(Value::Null),
            },
            Shape::Confidence => {
                let told =
                    || Flaw::Missing(format!("`{}` is missing; it must be a number from 0.0 to 1.0", field.name));
                let text = node.and_then(one_word).ok_or_else(told)?;
                self.confidence(field.name, text)
            }
            Shape::NextAction => {
                let allowed = || policy::NEXT_ACTIONS.join(", ");
                let told = || Flaw::Missing(format!("`{}` is missing; allowed: {}", field.name, allowed()));
                let text = node.and_then(one_word).ok_or_else(told)?;
                let action = policy::next_action(&text.text);
                let action = action.map_err(|why| Flaw::Bad(format!("`{}` {why}", field.name)))?;
                if action != text.text.trim() {
                    self.doubts.about(field.name, format!("read \"{}\" as {action}", policy::shortened(&text.text)));
                }
                Ok(Value::from(action))
            }
            Shape::Texts => {
                let texts = node.map_or(Ok(Vec::new()), |node| self.texts(field.name, node))?;
                if texts.is_empty() && field.required {
                    return Err(missing());
                }
                Ok(Value::from(texts))
            }
            Shape::Names => {
                let names = node.map_or(Ok(Vec::new()), |node| self.names(field.name, node))?;
                if names.is_empty() && field.required {
                    return Err(missing());
                }
                Ok(Value::from(names))
            }
            Shape::Records(schema) => self.records(field.name, node, schema, false),
            Shape::Remarks(schema) => self.records(field.name, node, schema, true),
            Shape::Pairs(schema) => self.pairs(field.name, node, schema),
        }
    }

    fn confidence(&mut self, name: &str, text: &Scalar<'_>) -> Result<Value, Flaw> {
        let bad = |why| Flaw::Bad(format!("`{name}` {why}"));
        if policy::is_placeholder(&text.text) {
            return Err(Flaw::Form(format!("`{name}` is the placeholder \"{}\"", policy::shortened(&text.text))));
        }
        let value = policy::confidence(&text.text).map_err(bad)?;
        let plain = !text.quoted && text.text.parse::<f64>().is_ok_and(|number| number == value);
        if !plain {
            self.doubts.about(name, format!("read \"{}\" as {value}", policy::shortened(&text.text)));
        }
        Ok(serde_json::Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    /// One text; none if it says nothing.
    fn text(&mut self, name: &str, node: &Node<'_>) -> Result<Option<String>, Flaw> {
        match node {
            Node::Scalar(scalar) => Ok(self.cleaned(name, scalar)),
            Node::List(items) if items.is_empty() => Ok(None),
            Node::List(items) if items.len() == 1 => {
                self.doubts.about(name, "read a list of one as a text");
                self.text(name, &items[0])
            }
            Node::Map(pairs) if pairs.is_empty() => Ok(None),
            Node::Map(pairs) => match carried(pairs) {
                Some(inner) => {
                    self.doubts.about(name, "read a record of one field as a text");
                    self.text(name, inner)
                }
                None => Err(Flaw::Bad(format!("`{name}` must be one text"))),
            },
            Node::List(_) => Err(Flaw::Bad(format!("`{name}` must be one text, not a list"))),
        }
    }

    /// A scalar without marks and invisible characters; none if it is empty or a word for nothing.
    fn cleaned(&mut self, name: &str, scalar: &Scalar<'_>) -> Option<String> {
        let clean = clean_text(&scalar.text);
        let text = unmarked(&clean);
        if text.len() < clean.trim().len() {
            self.doubts.about(name, "left out marks of emphasis");
        }
        if policy::is_nothing(text) {
            if !text.is_empty() && !matches!(text, "null" | "~" | "None" | "none") {
                self.doubts.about(name, format!("read \"{text}\" as nothing"));
            }
            return None;
        }
        if !text.contains('\n') {
            return Some(text.to_owned());
        }
        Some(text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n"))
    }
}

fn is_empty(node: &Node<'_>) -> bool {
    match node {
        Node::Scalar(scalar) => scalar.text.trim().is_empty(),
        Node::List(items) => items.is_empty(),
        Node::Map(pairs) => pairs.is_empty(),
    }
}

fn says_nothing(node: &Node<'_>) -> bool {
    is_empty(node)
        || matches!(node, Node::Scalar(scalar) if policy::is_nothing(&scalar.text) || policy::is_placeholder(&scalar.text))
}

/// The scalar of a value that is one word or number; a list of one and a record around it are seen through.
fn one_word<'n, 't>(node: &'n Node<'t>) -> Option<&'n Scalar<'t>> {
    match node {
        Node::Scalar(scalar) => Some(scalar).filter(|scalar| !policy::is_nothing(&scalar.text)),
        Node::List(items) if items.len() == 1 => one_word(&items[0]),
        Node::List(_) => None,
        Node::Map(pairs) => {
            let named = |key: &str| {
                matches!(key.to_ascii_lowercase().as_str(), "value" | "score" | "level" | "action" | "type" | "name")
            };
            pairs.iter().find(|(key, _)| named(key)).and_then(|(_, node)| one_word(node))
        }
    }
}

/// The text that a record of one field carries.
fn carried<'n, 't>(pairs: &'n [(Cow<'t, str>, Node<'t>)]) -> Option<&'n Node<'t>> {
    let mut texts = pairs.iter().filter(|(key, _)| is_carrier(key));
    let (_, node) = texts.next().filter(|_| texts.next().is_none())?;
    // Beside its text it may have a number, as lists that are counted do.
    pairs.iter().all(|(key, _)| is_carrier(key) || is_counter(key)).then_some(node)
}
