//! A YAML text as a tree in which every value knows its line and column.
//! Given: one text, written by a person. Hands on: a [`Node`], or the [`Flaw`] that stopped the
//! reading. `access.rs` beside it asks a node for what it should be and says [`Misfit`] otherwise.
//! Deliberately absent: anchors, aliases, tags and second documents (nobody needs them in a file of
//! settings, and an alias can blow a small file up to gigabytes), and any schema.
//!
//! ```
//! use s2s_yaml::node::{Misfits, read};
//! let root = read("max_rounds: 20\nverbos: true\n")?;
//! let top = root.fields()?;
//! let mut misfits = Misfits(top.unknown(&["max_rounds", "verbose"]));
//! let rounds = misfits.keep(top.required("max_rounds").and_then(|node| node.whole(1..=100)));
//! assert_eq!(rounds, Some(20));
//! assert_eq!(
//!     misfits.0[0].to_string(),
//!     "line 2, column 1: unknown key `verbos`; did you mean `verbose`? (allowed: max_rounds, verbose)"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod access;

use serde_json::Value;
use serde_saphyr::granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError, Span};

pub use access::{Fields, Misfit, Misfits, nearest, printable};

use crate::Flaw;

/// The longest text that is read, in bytes.
pub const MAX_BYTES: usize = 1 << 20;
/// How deep lists and maps may be nested.
pub const MAX_DEPTH: usize = 32;
/// How many values one text may hold.
pub const MAX_NODES: usize = 50_000;

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What stands there.
    pub kind: Kind,
}

/// What a value can be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A single value.
    Scalar {
        /// Its text, escapes resolved.
        text: String,
        /// Written without quotes or block mark, so it may stand for a number, a truth value or
        /// nothing.
        plain: bool,
    },
    /// A list.
    Seq(Vec<Node>),
    /// A map, in the order of the file; keys are unique.
    Map(Vec<Entry>),
}

/// One key of a map with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Line of the key, from 1.
    pub line: u32,
    /// Column of the key, from 1.
    pub column: u32,
    /// The value.
    pub value: Node,
}

/// Reads one YAML document. An empty text gives a node that [is nothing](Node::is_nothing).
pub fn read(text: &str) -> Result<Node, Flaw> {
    if text.len() > MAX_BYTES {
        let what = format!("the text has {} bytes; at most {MAX_BYTES} are read", text.len());
        return Err(flaw((1, 1), what));
    }
    let events = Parser::new_from_str(text)
        .filter(|next| !matches!(next, Ok((Event::Comment(..) | Event::StreamStart | Event::DocumentStart(..), _))));
    let mut builder = Builder { events, nodes: 0 };
    builder.document().map_err(|flaw| tab_near(text, &flaw).unwrap_or(flaw))
}

impl Node {
    /// Whether nothing is written here (`key:` alone, `~` or `null`).
    pub fn is_nothing(&self) -> bool {
        matches!(&self.kind, Kind::Scalar { text, plain: true } if is_null(text))
    }

    /// The tree as JSON: plain scalars become numbers, truth values or null where YAML 1.2 says so.
    pub fn to_json(&self) -> Value {
        match &self.kind {
            Kind::Scalar { text, plain: false } => Value::String(text.clone()),
            Kind::Scalar { text, plain: true } => plain_json(text),
            Kind::Seq(items) => items.iter().map(Self::to_json).collect(),
            Kind::Map(entries) => {
                let pairs = entries.iter().map(|entry| (entry.key.clone(), entry.value.to_json()));
                Value::Object(pairs.collect())
            }
        }
    }
}

type Spanned<'t> = (Event<'t>, Span);

struct Builder<'t, I: Iterator<Item = Result<Spanned<'t>, ScanError>>> {
    events: I,
    nodes: usize,
}

impl<'t, I: Iterator<Item = Result<Spanned<'t>, ScanError>>> Builder<'t, I> {
    fn document(&mut self) -> Result<Node, Flaw> {
        let root = match self.next()? {
            (Event::StreamEnd, at) => nothing(at),
            first => self.node(first, 0)?,
        };
        // The document's end, then the stream's: anything else is a second document.
        for next in self.events.by_ref() {
            match next.map_err(scan_flaw)? {
                (Event::DocumentEnd | Event::StreamEnd, _) => {}
                (_, span) => {
                    let what = "a second document starts here (`---`); one file holds one";
                    return Err(flaw(place(span), what.to_owned()));
                }
            }
        }
        Ok(root)
    }

    fn next(&mut self) -> Result<Spanned<'t>, Flaw> {
        match self.events.next() {
            Some(next) => next.map_err(scan_flaw),
            None => Err(flaw((1, 1), "the text ends too early".to_owned())),
        }
    }

    /// Builds the node that starts with `event`. Recursion is bounded by [`MAX_DEPTH`].
    fn node(&mut self, (event, span): Spanned<'t>, depth: usize) -> Result<Node, Flaw> {
        let (line, column) = place(span);
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(flaw((line, column), format!("more than {MAX_NODES} values in one file")));
        }
        if depth > MAX_DEPTH {
            return Err(flaw((line, column), format!("nested deeper than {MAX_DEPTH} levels")));
        }
        if event.anchor_id().is_some_and(|id| id != 0) || event.is_alias() {
            let what = "anchors and aliases (`&name`, `*name`) are not read; write the value out";
            return Err(flaw((line, column), what.to_owned()));
        }
        if event.tag().is_some() {
            let what = "tags (`!name`) are not read; write the plain value";
            return Err(flaw((line, column), what.to_owned()));
        }
        let kind = match event {
            Event::Scalar(text, style, ..) => {
                Kind::Scalar { text: text.into_owned(), plain: style == ScalarStyle::Plain }
            }
            Event::SequenceStart(..) => self.items(depth)?,
            Event::MappingStart(..) => self.entries(depth)?,
            _ => return Ok(nothing(span)),
        };
        Ok(Node { line, column, kind })
    }

    fn items(&mut self, depth: usize) -> Result<Kind, Flaw> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(Kind::Seq(items)),
                event => items.push(self.node(event, depth + 1)?),
            }
        }
    }

    fn entries(&mut self, depth: usize) -> Result<Kind, Flaw> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut seen = std::collections::HashMap::new();
        loop {
            let event = self.next()?;
            if event.0 == Event::MappingEnd {
                return Ok(Kind::Map(entries));
            }
            let key = self.node(event, depth + 1)?;
            let (line, column) = (key.line, key.column);
            let Kind::Scalar { text: key, .. } = key.kind else {
                return Err(flaw((line, column), "a key must be one word or text".to_owned()));
            };
            if let Some(first) = seen.insert(key.clone(), line) {
                let what = format!("the key `{key}` is given twice, first in line {first}");
                return Err(flaw((line, column), what));
            }
            let event = self.next()?;
            let value = self.node(event, depth + 1)?;
            entries.push(Entry { key, line, column, value });
        }
    }
}

fn nothing(span: Span) -> Node {
    let (line, column) = place(span);
    Node { line, column, kind: Kind::Scalar { text: String::new(), plain: true } }
}

fn place(span: Span) -> (u32, u32) {
    place_of(span.start.line(), span.start.col())
}

fn place_of(line: usize, col: usize) -> (u32, u32) {
    let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    (small(line.max(1)), small(col.saturating_add(1)))
}

fn flaw((line, column): (u32, u32), what: String) -> Flaw {
    Flaw { line, column, what: printable(&what) }
}

const TAB: &str = "a tab stands where YAML wants spaces; indent with spaces";
const NOT_YAML: &str = "this is not YAML";

/// A tab in the indentation confuses the scanner before it is seen as what it is: the scanner then
/// blames the line before. So the line it names and the next are looked at. Where it does see the tab, it points
/// behind it.
fn tab_near(text: &str, found: &Flaw) -> Option<Flaw> {
    if !found.what.starts_with(NOT_YAML) && found.what != TAB {
        return None;
    }
    let numbered = (1u32..).zip(text.lines()).skip_while(|(number, _)| *number < found.line);
    numbered.take(2).find_map(|(number, line)| {
        let indent = &line[..line.len() - line.trim_start().len()];
        let column = indent.chars().position(|c| c == '\t')?;
        Some(flaw(place_of(number as usize, column), TAB.to_owned()))
    })
}

fn scan_flaw(error: ScanError) -> Flaw {
    let what = match error.kind() {
        ErrorKind::TabNotAllowed | ErrorKind::TabInBlockIndentation => TAB.to_owned(),
        ErrorKind::RecursionLimitExceeded => format!("nested deeper than {MAX_DEPTH} levels"),
        ErrorKind::UnknownAnchor => {
            "anchors and aliases (`&name`, `*name`) are not read; write the value out, or quote \
             the text if it starts with `*`"
                .to_owned()
        }
        _ => format!("{NOT_YAML}: {}", error.info()),
    };
    flaw(place_of(error.marker().line(), error.marker().col()), what)
}

fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

fn plain_json(text: &str) -> Value {
    match text {
        "true" | "True" | "TRUE" => return Value::Bool(true),
        "false" | "False" | "FALSE" => return Value::Bool(false),
        _ if is_null(text) => return Value::Null,
        _ => {}
    }
    if let Some(number) = whole_number(text) {
        return number;
    }
    // Rust also reads `inf` and `nan` as floats; YAML 1.2 does not, so a digit is asked for.
    let float = text.bytes().any(|byte| byte.is_ascii_digit()).then(|| text.parse::<f64>());
    match float.and_then(Result::ok).and_then(serde_json::Number::from_f64) {
        Some(number) => Value::Number(number),
        None => Value::String(text.to_owned()),
    }
}

fn whole_number(text: &str) -> Option<Value> {
    let radix = |prefix, base| {
        let digits = text.strip_prefix(prefix)?;
        u64::from_str_radix(digits, base).ok().filter(|_| !digits.starts_with('+'))
    };
    radix("0x", 16)
        .or_else(|| radix("0o", 8))
        .or_else(|| text.parse::<u64>().ok())
        .map(Value::from)
        .or_else(|| text.parse::<i64>().ok().map(Value::from))
}

#[cfg(test)]
mod tests;
