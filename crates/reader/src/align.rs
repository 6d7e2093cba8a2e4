//! From a tree to the fields of a record: the schema says what each piece must be.
//! Given a node and a schema; hands on the canonical value, or the first flaw that speaks against it.
//! A field that the text does not carry is missing, never made up.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::clean::clean_text;
use crate::flow::{self, Budget};
use crate::lines::bullet;
use crate::node::{Doubts, Node, Scalar};
use crate::policy::{self, is_carrier, is_counter, is_number};
use crate::scalar::{unmarked, without_ornament};
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
            if let Some(at) = schema.field(key) {
                self.claim(&mut found, at, node, schema)?;
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

    /// A list of texts, from a list, a text with bullets in it, a single text, or entries by number.
    fn texts(&mut self, name: &str, node: &Node<'_>) -> Result<Vec<String>, Flaw> {
        let mut texts = Vec::new();
        match node {
            Node::Scalar(scalar) => {
                if let Some(text) = self.cleaned(name, scalar) {
                    return self.split(name, text);
                }
            }
            Node::List(items) if items.len() == 1 && matches!(items[0], Node::List(_)) => {
                self.doubts.about(name, "read a list inside a list");
                return self.texts(name, &items[0]);
            }
            Node::List(items) => {
                for item in items {
                    if let Some(text) = self.item(name, item)? {
                        texts.push(text);
                    }
                }
            }
            Node::Map(pairs) => {
                self.doubts.about(name, "read entries with keys as a list");
                let numbered = pairs.iter().all(|(key, _)| is_number(key));
                for (key, node) in pairs {
                    let Some(text) = self.item(name, node)? else { continue };
                    texts.push(if numbered || is_carrier(key) { text } else { format!("{key}: {text}") });
                }
            }
        }
        if let Some(text) = texts.iter().find(|text| policy::is_elision(text)) {
            return Err(Flaw::Bad(format!(
                "`{name}` leaves items out (\"{}\"); give them all",
                policy::shortened(text)
            )));
        }
        self.without_ornaments(name, &mut texts);
        self.without_bullets(name, &mut texts);
        let before = texts.len();
        texts.retain(|text| !policy::is_placeholder(text));
        if texts.len() < before {
            self.doubts.about(name, "left out placeholders");
        }
        Ok(texts)
    }

    /// Names: a list of them, or one text with commas.
    fn names(&mut self, name: &str, node: &Node<'_>) -> Result<Vec<String>, Flaw> {
        let Node::Scalar(scalar) = node else { return self.texts(name, node) };
        let text = self.cleaned(name, scalar).unwrap_or_default();
        if text.contains('\n') {
            return self.split(name, text);
        }
        Ok(text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect())
    }

    fn item(&mut self, name: &str, node: &Node<'_>) -> Result<Option<String>, Flaw> {
        match node {
            Node::Scalar(scalar) => Ok(self.cleaned(name, scalar)),
            Node::List(items) if items.len() == 1 => self.item(name, &items[0]),
            Node::Map(pairs) if pairs.len() == 1 && is_number(&pairs[0].0) => self.item(name, &pairs[0].1),
            Node::Map(pairs) if carried(pairs).is_none() && pairs.len() == 1 => {
                // `- Cost: it doubles` in a language that takes this for a record.
                let (key, node) = &pairs[0];
                let text = self.text(name, node)?;
                self.doubts.about(name, "read a record of one field as a text");
                Ok(text.map(|text| format!("{key}: {text}")))
            }
            Node::List(_) | Node::Map(_) => self.text(name, node),
        }
    }

    /// A text that is a list after all: bullets on its lines, or a list in brackets.
    fn split(&mut self, name: &str, text: String) -> Result<Vec<String>, Flaw> {
        if text.starts_with('[') && text.ends_with(']') {
            let parsed =
                flow::in_yaml(&text, &NO_FIELDS, self.budget).filter(|parsed| !parsed.cut && parsed.end == text.len());
            if let Some(parsed) = parsed {
                self.doubts.about(name, "read a list written inside a text");
                return self.texts(name, &parsed.node.into_owned());
            }
        }
        let broken = text.contains("<br");
        let text = if broken { unbroken(&text) } else { text };
        if let Some(items) = numbered_in_line(&text) {
            self.doubts.about(name, "read a text with numbers as a list");
            return Ok(items);
        }
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let items: Option<Vec<&str>> = lines.iter().map(|line| bullet(line.trim_start())).collect();
        let inline =
            || text.strip_prefix('\u{2022}').map(|rest| rest.split('\u{2022}').map(str::trim).collect::<Vec<_>>());
        let several = broken || lines.len() > 1 && !lines.iter().any(|line| line.trim_start().starts_with("```"));
        let begins = |line: &&str| line.trim_start().starts_with(|c: char| c.is_uppercase() || !c.is_alphabetic());
        let rows = || (several && lines.iter().all(begins) && items_unmarked(&lines)).then(|| lines.clone());
        if let Some(items) = items.or_else(inline).or_else(rows) {
            self.doubts.about(name, "read a text with bullets as a list");
            let mut texts = Vec::new();
            for item in items {
                let behind = bullet(item.trim()).unwrap_or(item);
                texts.extend(self.cleaned(name, &Scalar { text: Cow::Borrowed(behind), quoted: true }));
            }
            self.without_ornaments(name, &mut texts);
            return Ok(texts);
        }
        self.doubts.about(name, "read a text as a list of one");
        Ok(Some(text).filter(|text| !policy::is_placeholder(text)).into_iter().collect())
    }

    /// Takes off the ornament that stands before every item.
    fn without_ornaments(&mut self, name: &str, texts: &mut [String]) {
        if texts.is_empty() || !texts.iter().all(|text| without_ornament(text).is_some()) {
            return;
        }
        self.doubts.about(name, "left out ornaments before the items");
        for text in texts {
            if let Some(rest) = without_ornament(text) {
                *text = rest.to_owned();
            }
        }
    }

    /// Takes off the bullets that stand inside the items of a list.
    fn without_bullets(&mut self, name: &str, texts: &mut [String]) {
        let counted = |at: usize, text: &str| match text.bytes().next() {
            Some(b'0'..=b'9') => {
                text.starts_with(&format!("{}. ", at + 1)) || text.starts_with(&format!("{}) ", at + 1))
            }
            _ => bullet(text).is_some(),
        };
        if texts.is_empty() || !texts.iter().enumerate().all(|(at, text)| counted(at, text)) {
            return;
        }
        self.doubts.about(name, "left out bullets inside the items");
        for text in texts {
            let numbered = || text.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(": ");
            if let Some(rest) = bullet(text).or_else(numbered) {
                *text = rest.trim_start().to_owned();
            }
        }
    }

    /// A list of records, however it was written: a list, one record, entries by key, or texts.
    fn records(
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
                        records.push(self.from_text(name, &text, schema, texts)?);
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
                Some(text) => self.from_text(name, &text, schema, texts).map(Some),
                None => Ok(None),
            },
            Node::Map(pairs) if pairs.is_empty() => Ok(None),
            Node::Map(pairs) if pairs.len() == 1 && !is_field(schema, &pairs[0].0, &pairs[0].1) => {
                self.entry(name, &pairs[0].0, &pairs[0].1, schema, texts)
            }
            Node::Map(pairs) => self.small_record(name, pairs, schema).map(Some),
            Node::List(items) if items.len() == 1 => self.record_item(name, &items[0], schema, texts),
            Node::List(_) => Err(Flaw::Bad(format!("`{name}` must be a list of records"))),
        }
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
                    Some(text) => self.from_text(name, &text, schema, texts).map(Some),
                    None => Ok(None),
                };
            }
            other => pairs.push((Cow::Borrowed(schema.main), other.clone())),
        }
        self.small_record(name, &pairs, schema).map(Some)
    }

    /// A record written as one text: `C1: the cache`, `auth tokens: covered`, or just its main field.
    fn from_text(&mut self, name: &str, text: &str, schema: &'static Schema, texts: bool) -> Result<Value, Flaw> {
        if text.starts_with('<') && policy::is_placeholder(text) {
            return Err(Flaw::Form(format!("`{name}` holds the placeholder \"{}\"", policy::shortened(text))));
        }
        if texts {
            return Ok(Value::String(text.to_owned()));
        }
        let marks = [":", " - ", " \u{2013} ", " \u{2014} ", " = "];
        let cut = marks.iter().filter_map(|mark| text.find(mark).map(|at| (at, mark.len()))).min();
        let short = cut.filter(|(at, _)| *at > 0 && *at <= 40);
        let whole = |schema: &'static Schema| schema.place(schema.key).is_some_and(|at| schema.fields[at].required);
        let pairs: Vec<(Cow<'_, str>, Node<'_>)> = match short {
            Some((at, len)) if whole(schema) || !text[..at].contains(' ') => vec![
                (Cow::Borrowed(schema.key), Node::plain(text[..at].trim())),
                (Cow::Borrowed(schema.main), Node::plain(text[at + len..].trim())),
            ],
            _ => vec![(Cow::Borrowed(schema.main), Node::plain(text))],
        };
        self.doubts.about(name, "read a text as a record");
        self.small_record(name, &pairs, schema)
    }

    /// One entry per key.
    fn pairs(&mut self, name: &str, node: Option<&Node<'_>>, schema: &'static Schema) -> Result<Value, Flaw> {
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
        if empty {
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

/// `1) this 2) that`, in one line.
fn numbered_in_line(text: &str) -> Option<Vec<String>> {
    let mark = [") ", ". "].into_iter().find(|mark| text.starts_with(&format!("1{mark}")))?;
    let mut rest = text.strip_prefix('1')?.strip_prefix(mark)?;
    let mut items = Vec::new();
    for number in 2..100 {
        let Some((item, more)) = rest.split_once(&format!(" {number}{mark}")) else { break };
        items.push(item.trim().to_owned());
        rest = more;
    }
    items.push(rest.trim().to_owned());
    (items.len() > 1 && !text.contains('\n')).then_some(items)
}

/// Lines that are items without bullets: none of them has one.
fn items_unmarked(lines: &[&str]) -> bool {
    lines.iter().all(|line| bullet(line.trim_start()).is_none())
}

/// A text whose line breaks were written as tags.
fn unbroken(text: &str) -> String {
    ["<br>", "<br/>", "<br />"].iter().fold(text.to_owned(), |text, tag| text.replace(tag, "\n"))
}

static NO_FIELDS: Schema = Schema { fields: &[], key: "", main: "" };

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
