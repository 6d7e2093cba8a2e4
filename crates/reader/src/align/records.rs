//! Lists of records and entries by key, however they were written.
//! Given a node and the schema of one record; hands on the records. A record that says nothing is a flaw.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{Aligner, Flaw};
use crate::node::Node;
use crate::policy::{self, is_number};
use crate::schema::{Schema, Shape};

impl Aligner<'_> {
    /// A list of records, however it was written: a list, one record, entries by key, or texts.
    pub(super) fn records(
        &mut self,
        name: &str,
        node: Option<&Node<'_>>,
        schema: &'static Schema,
        texts: bool,
    ) -> Result<Value, Flaw> {
        let mut records = Vec::new();
        match node {
            None => {}
            Some(Node::Scalar(scalar)) => {
                if let Some(text) = self.cleaned(name, scalar) {
                    for text in self.split(name, text)? {
                        records.push(self.record_in_text(name, &text, schema, texts)?);
                    }
                }
            }
            Some(Node::Map(pairs)) if pairs.is_empty() => {}
            Some(Node::Map(pairs)) if pairs.iter().any(|(key, node)| is_field(schema, key, node)) => {
                self.doubts.about(name, "read one record as a list of one");
                records.push(self.small_record(name, pairs, schema)?);
            }
            Some(Node::Map(pairs)) => {
                self.doubts.about(name, "read entries with keys as a list");
                for (key, node) in pairs {
                    records.extend(self.entry(name, key, node, schema, texts)?);
                }
            }
            Some(Node::List(items)) => {
                for item in items {
                    records.extend(self.record_item(name, item, schema, texts)?);
                }
            }
        }
        Ok(Value::Array(records))
    }

    fn record_item(
        &mut self,
        name: &str,
        item: &Node<'_>,
        schema: &'static Schema,
        texts: bool,
    ) -> Result<Option<Value>, Flaw> {
        match item {
            Node::Scalar(scalar) => match self.cleaned(name, scalar) {
                Some(text) => self.record_in_text(name, &text, schema, texts).map(Some),
                None => Ok(None),
            },
            Node::Map(pairs) if pairs.is_empty() => Ok(None),
            Node::Map(pairs) if pairs.len() == 1 && !is_field(schema, &pairs[0].0, &pairs[0].1) => {
                self.entry(name, &pairs[0].0, &pairs[0].1, schema, texts)
            }
            Node::Map(pairs) => match self.keyed_record(pairs, schema) {
                Some(record) => self.small_record(name, &record, schema).map(Some),
                None => self.small_record(name, pairs, schema).map(Some),
            },
            Node::List(items) if items.len() == 1 => self.record_item(name, &items[0], schema, texts),
            Node::List(_) => Err(Flaw::Bad(format!("`{name}` must be a list of records"))),
        }
    }

    /// `{"C1.2": "block", "reason": "…"}`: the one key that is no field names the record, its value is the main field.
    fn keyed_record<'t>(
        &mut self,
        pairs: &[(Cow<'t, str>, Node<'t>)],
        schema: &'static Schema,
    ) -> Option<Vec<(Cow<'t, str>, Node<'t>)>> {
        let mut names =
            pairs.iter().filter(|(key, node)| schema.field(key).is_none() && matches!(node, Node::Scalar(_)));
        let (key, value) = names.next().filter(|_| names.next().is_none())?;
        let has = |name: &str| pairs.iter().any(|(key, _)| schema.field(key) == schema.place(name));
        if schema.key.is_empty() || has(schema.key) || has(schema.main) {
            return None;
        }
        let rest = pairs.iter().filter(|(own, _)| own != key).cloned();
        let named =
            [(Cow::Borrowed(schema.key), Node::quoted(key.clone())), (Cow::Borrowed(schema.main), value.clone())];
        Some(named.into_iter().chain(rest).collect())
    }

    fn small_record(
        &mut self,
        name: &str,
        pairs: &[(Cow<'_, str>, Node<'_>)],
        schema: &'static Schema,
    ) -> Result<Value, Flaw> {
        let record = self.record(pairs, schema).map_err(|flaw| within(name, flaw))?;
        if record.values().all(says_nothing_as_value) {
            return Err(Flaw::Bad(format!("`{name}` holds a record without `{}` and `{}`", schema.key, schema.main)));
        }
        Ok(Value::Object(record))
    }

    /// `C1: …`: the key names the record, what stands behind it is its main field or the rest of it.
    fn entry(
        &mut self,
        name: &str,
        key: &str,
        node: &Node<'_>,
        schema: &'static Schema,
        texts: bool,
    ) -> Result<Option<Value>, Flaw> {
        let key_node = Node::plain(key.to_owned());
        let mut pairs: Vec<(Cow<'_, str>, Node<'_>)> = Vec::new();
        if !is_number(key) {
            pairs.push((Cow::Borrowed(schema.key), key_node));
        }
        match node {
            Node::Map(inner) => pairs.extend(
                inner
                    .iter()
                    .filter(|(name, _)| schema.field(name) != schema.place(schema.key) || is_number(key))
                    .cloned(),
            ),
            Node::Scalar(scalar) if is_number(key) || texts => {
                return match self.cleaned(name, scalar) {
                    Some(text) if texts && !is_number(key) => Ok(Some(Value::String(format!("{key}: {text}")))),
                    Some(text) => self.record_in_text(name, &text, schema, texts).map(Some),
                    None => Ok(None),
                };
            }
            other => pairs.push((Cow::Borrowed(schema.main), other.clone())),
        }
        self.small_record(name, &pairs, schema).map(Some)
    }

    /// A record written as one text: `C1: the cache`, `auth tokens: covered`, or just its main field.
    fn record_in_text(&mut self, name: &str, text: &str, schema: &'static Schema, texts: bool) -> Result<Value, Flaw> {
        if text.starts_with('<') && policy::is_placeholder(text) {
            return Err(Flaw::Form(format!("`{name}` holds the placeholder \"{}\"", policy::shortened(text))));
        }
        if texts {
            return Ok(Value::String(text.to_owned()));
        }
        let marks = [":", " - ", " \u{2013} ", " \u{2014} ", " = "];
        // The state of a topic is its last word, whatever the topic is called.
        let last = schema.main == "status";
        let found = |mark: &&str| if last { text.rfind(*mark) } else { text.find(*mark) }.map(|at| (at, mark.len()));
        let cuts = marks.iter().filter_map(found);
        let cut = if last { cuts.max() } else { cuts.min() };
        let short = cut.filter(|(at, _)| *at > 0 && *at <= 40);
        let whole = |schema: &'static Schema| schema.place(schema.key).is_some_and(|at| schema.fields[at].required);
        let pairs: Vec<(Cow<'_, str>, Node<'_>)> = match short {
            Some((at, len)) if whole(schema) || !text[..at].contains(' ') => vec![
                (Cow::Borrowed(schema.key), Node::plain(text[..at].trim())),
                (Cow::Borrowed(schema.main), Node::plain(text[at + len..].trim())),
            ],
            // What must be there is what a bare word gives: the id of a resolved conflict.
            _ if whole(schema) && !schema.place(schema.main).is_some_and(|at| schema.fields[at].required) => {
                vec![(Cow::Borrowed(schema.key), Node::plain(text))]
            }
            _ => vec![(Cow::Borrowed(schema.main), Node::plain(text))],
        };
        self.doubts.about(name, "read a text as a record");
        self.small_record(name, &pairs, schema)
    }

    /// One entry per key.
    pub(super) fn pairs(
        &mut self,
        name: &str,
        node: Option<&Node<'_>>,
        schema: &'static Schema,
    ) -> Result<Value, Flaw> {
        let records = match node {
            // Entries by key, unless it is one record with its own key field.
            Some(Node::Map(pairs)) if !pairs.iter().any(|(key, _)| schema.field(key) == schema.place(schema.key)) => {
                let mut records = Vec::new();
                for (key, node) in pairs {
                    records.extend(self.pair(name, key, node, schema)?);
                }
                Value::Array(records)
            }
            other => self.records(name, other, schema, false)?,
        };
        let mut out = Map::new();
        for record in records.as_array().into_iter().flatten() {
            let key = record[schema.key].as_str().unwrap_or_default().to_owned();
            let value =
                if schema.fields.len() == 2 { record[schema.main].clone() } else { without(record, schema.key) };
            match out.insert(key.clone(), value.clone()) {
                Some(earlier) if earlier != value => {
                    return Err(Flaw::Bad(format!("`{name}` names \"{}\" twice", policy::shortened(&key))));
                }
                _ => {}
            }
        }
        Ok(Value::Object(out))
    }

    fn pair(&mut self, name: &str, key: &str, node: &Node<'_>, schema: &'static Schema) -> Result<Option<Value>, Flaw> {
        let empty = match node {
            Node::Scalar(scalar) => policy::is_nothing(&scalar.text),
            Node::List(items) => items.is_empty(),
            Node::Map(pairs) => pairs.is_empty(),
        };
        // A seat without a position says nothing; a vote that says nothing is none.
        if empty && schema.fields.len() > 2 {
            return Err(Flaw::Bad(format!("`{name}`: the entry \"{}\" says nothing", policy::shortened(key))));
        }
        if empty {
            self.doubts.about(name, format!("left out the empty entry \"{}\"", policy::shortened(key)));
            return Ok(None);
        }
        let mut pairs: Vec<(Cow<'_, str>, Node<'_>)> = vec![(Cow::Borrowed(schema.key), Node::quoted(key.to_owned()))];
        match node {
            Node::Map(inner) => {
                let key_field = schema.place(schema.key);
                pairs.extend(inner.iter().filter(|(name, _)| schema.field(name) != key_field).cloned());
            }
            other => pairs.push((Cow::Borrowed(schema.main), other.clone())),
        }
        self.small_record(name, &pairs, schema).map(Some)
    }
}

fn within(name: &str, flaw: Flaw) -> Flaw {
    match flaw {
        Flaw::Missing(what) | Flaw::Bad(what) => Flaw::Bad(format!("in `{name}`: {what}")),
        Flaw::Form(what) => Flaw::Form(what),
    }
}

fn without(record: &Value, key: &str) -> Value {
    let mut record = record.clone();
    if let Some(map) = record.as_object_mut() {
        map.shift_remove(key);
    }
    record
}

/// Whether a key is a field of the record itself and not the name of an entry (`id: …`, not `C1: …`).
fn is_field(schema: &Schema, key: &str, node: &Node<'_>) -> bool {
    let field = schema.field(key);
    field.is_some_and(|at| match (&schema.fields[at].shape, node) {
        (Shape::Text, Node::Scalar(_)) => true,
        (Shape::Text, _) => false,
        _ => true,
    })
}

fn says_nothing_as_value(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Object(map) => map.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}
