//! Finds the answer in a reply: every place where a record may stand is tried, and one answer must be left.
//! Given the text and the schema; hands on a value with its doubts, or the reason for the refusal.

mod choice;
mod envelope;
mod places;

use std::borrow::Cow;

use choice::{choose, is_withdrawn, says_cut};
use envelope::{is_aside, is_not_the_answer};
use places::{begins_document, opening, table};
use serde_json::{Map, Value};

use crate::align::{Aligner, Flaw};
use crate::block::{self, Place};
use crate::budget::Budget;
use crate::flow;
use crate::layers;
use crate::lines::{self, Line};
use crate::node::{Doubts, Node};
use crate::schema::Schema;
use crate::xml;

/// A place that was tried.
struct Found {
    value: Result<Map<String, Value>, Flaw>,
    /// How many fields stand there.
    known: usize,
    /// What stands before it, in lower case: "draft:", "final answer".
    label: String,
    /// Why it cannot be taken as whole.
    cut: Option<&'static str>,
    doubts: Doubts,
    /// The fields of a part that lacks others.
    pairs: Node<'static>,
}

/// More lines than these are no reply: models write lines of forty letters and more.
const MOST_LINES: usize = 20_000;

/// How deep texts inside texts are followed.
const DEEPEST: usize = 5;

/// The one answer of a reply.
pub(crate) fn answer(text: &str, schema: &'static Schema, doubts: &mut Doubts) -> Result<Map<String, Value>, String> {
    if text.bytes().filter(|b| *b == b'\n').count() > MOST_LINES {
        return Err(TANGLED.into());
    }
    if says_cut(text) {
        return Err(CUT.into());
    }
    if is_withdrawn(text) {
        return Err("the reply takes its answer back; give the one that stands".into());
    }
    let mut budget = Budget::for_text(text);
    let mut seeker = Seeker {
        schema,
        budget: &mut budget,
        found: Vec::new(),
        pieces: Vec::new(),
        listed: Vec::new(),
        stop: None,
        error: None,
    };
    let refused = seeker.layers(text, 0, doubts).err();
    if seeker.found.iter().all(|found| found.value.is_err()) && seeker.pieces.len() > 1 {
        // An answer that came in pieces: the events of a stream.
        let joined = std::mem::take(&mut seeker.pieces).concat();
        let earlier = std::mem::take(&mut seeker.found);
        if seeker.layers(&joined, 1, doubts).is_ok() && seeker.found.iter().any(|found| found.known > 0) {
            doubts.add("put the pieces of a stream together");
        } else {
            seeker.found = earlier;
        }
    }
    if seeker.found.iter().all(|found| found.value.is_err()) {
        seeker.join_parts();
    }
    if let Some(stop) = seeker.stop.take() {
        return Err(stop);
    }
    let Seeker { found, error, budget, .. } = seeker;
    if budget.spent() {
        return Err(TANGLED.into());
    }
    match choose(found, schema, doubts) {
        Ok(value) => Ok(value),
        Err(reason) => Err(refused.or(error).unwrap_or(reason)),
    }
}

struct Seeker<'b> {
    schema: &'static Schema,
    budget: &'b mut Budget,
    found: Vec<Found>,
    pieces: Vec<String>,
    /// Fields that came as records of their own: `{"field": "position", "value": …}`.
    listed: Vec<(Cow<'static, str>, Node<'static>)>,
    /// An envelope says that the reply was cut or filtered.
    stop: Option<String>,
    /// An envelope says that the call failed.
    error: Option<String>,
}

impl Seeker<'_> {
    fn layers(&mut self, text: &str, depth: usize, doubts: &mut Doubts) -> Result<(), String> {
        // Some of the layers take several looks at the whole text; texts in texts in texts are seldom worth them.
        self.budget.pay(if depth > 1 { 12 } else { 4 } * text.len());
        if self.budget.spent() {
            return Ok(());
        }
        let peeled = layers::peel(text, doubts)?;
        self.seek(&peeled, depth);
        Ok(())
    }

    /// An answer in several parts: each holds fields that no other holds.
    fn join_parts(&mut self) {
        if !self.listed.is_empty() {
            let listed = Node::Map(std::mem::take(&mut self.listed));
            let mut doubts = Doubts::default();
            doubts.add("read fields that came one by one");
            self.harvest(&listed, &Around { label: String::new(), cut: None, doubts, depth: DEEPEST });
        }
        let parts = self.found.iter().filter_map(|found| match &found.pairs {
            Node::Map(pairs) => Some(pairs),
            _ => None,
        });
        let parts: Vec<_> = parts.collect();
        let any_cut = self.found.iter().any(|found| found.cut.is_some());
        if parts.len() < 2 || parts.len() > 16 || any_cut || self.found.iter().any(|found| found.value.is_ok()) {
            return;
        }
        let mut seen = Vec::new();
        let mut joined = Vec::new();
        for pairs in parts {
            for (key, node) in pairs {
                let Some(field) = self.schema.field(key) else { continue };
                if seen.contains(&field) {
                    return;
                }
                seen.push(field);
                joined.push((key.clone(), node.clone()));
            }
        }
        let mut aligner = Aligner { budget: self.budget, doubts: Doubts::default() };
        aligner.doubts.add("put the parts of the answer together");
        if let Ok(value) = aligner.record(&joined, self.schema) {
            let (doubts, known) = (aligner.doubts, seen.len());
            let (label, pairs) = (String::new(), Node::plain(""));
            self.found.push(Found { value: Ok(value), known, label, cut: None, doubts, pairs });
        }
    }

    fn seek(&mut self, text: &str, depth: usize) {
        if depth > DEEPEST {
            return;
        }
        // Tags around all of it are read first; tags inside something else only if nothing else was found.
        let before = self.found.len();
        if text.trim_start().starts_with('<') && self.tags(text, depth) {
            return;
        }
        self.walk(text, depth);
        if self.found[before..].iter().all(|found| found.value.is_err()) {
            self.tags(text, depth);
        }
    }

    /// Reads fields in tags; whether an answer was found.
    fn tags(&mut self, text: &str, depth: usize) -> bool {
        if let Some(elements) = xml::elements(text, self.schema, self.budget) {
            let before = self.found.len();
            let mut doubts = Doubts::default();
            doubts.add("read fields in tags");
            self.harvest(
                &elements.node,
                &Around { label: String::new(), cut: elements.cut.then_some(CUT), doubts, depth },
            );
            return self.found[before..].iter().any(|found| found.value.is_ok());
        }
        false
    }

    /// Walks the lines and tries what begins on each.
    fn walk(&mut self, text: &str, depth: usize) {
        let lines = lines::lines(text);
        self.budget.pay(text.len());
        let mut walk = Walk { at: 0, from: 0, fence: None, passed: 0 };
        while walk.at < lines.len() && !self.budget.spent() {
            self.step(text, &lines, &mut walk, depth);
        }
    }

    /// Tries what begins on one line.
    fn step(&mut self, text: &str, lines: &[Line<'_>], walk: &mut Walk, depth: usize) {
        let line = walk.line(lines);
        self.budget.pay_for_a_line();
        if line.body.len() < 3 && !line.body.contains('{') {
            walk.at += 1;
            return;
        }
        if let Some((node, rows)) = table(&lines[walk.at..], self.schema) {
            let label = walk.label(text, line.start);
            self.harvest(&node, &Around { label, cut: None, doubts: Doubts::default(), depth });
            walk.at += rows;
            return;
        }
        let mut brace_from = line.start;
        if let Some(mark) = line.fence() {
            match walk.fence {
                Some(open) if open == mark => walk.fence = None,
                Some(_) => {}
                None => walk.fence = Some(mark),
            }
            // ```json {"position": …}```
            brace_from += line.body.len() - line.body.trim_start_matches(mark).len();
        } else if begins_document(lines, walk, self.schema) {
            self.budget.pay_for_a_look();
            let place = Place { text, lines, first: walk.at, fence: walk.fence };
            if let Some(document) = block::document(&place, self.schema, self.budget) {
                let label = walk.label(text, line.start);
                self.harvest(
                    &document.node,
                    &Around { label, cut: document.cut.then_some(CUT), doubts: document.doubts, depth },
                );
                walk.at = document.end.max(walk.at + 1);
                walk.passed = lines.get(walk.at).map_or(text.len(), |line| line.start);
                return;
            }
        }
        let end = line.start + line.body.len();
        let mut from = brace_from;
        while let Some(at) = opening(text, from, end) {
            self.budget.pay_for_a_look();
            if let Some(parsed) = flow::object(text, at, self.schema, self.budget) {
                let label = walk.label(text, at);
                let parsed_end = parsed.end.max(at + 1);
                self.harvest(
                    &parsed.node,
                    &Around {
                        label,
                        cut: parsed.cut.then(|| parsed.reason.unwrap_or(CUT)),
                        doubts: parsed.doubts,
                        depth,
                    },
                );
                walk.skip_to(lines, parsed_end);
                return;
            }
            from = at + text[at..].chars().next().map_or(1, char::len_utf8);
            if self.budget.spent() {
                break;
            }
        }
        walk.at += 1;
    }

    /// Takes a tree as a record if it is one; else looks for one inside it.
    fn harvest(&mut self, node: &Node<'_>, around: &Around) {
        if self.budget.spent() {
            return;
        }
        match node {
            Node::Map(pairs) => {
                let known = pairs.iter().filter(|(key, _)| self.schema.field(key).is_some()).count();
                if known > 0 {
                    let mut aligner = Aligner { budget: self.budget, doubts: around.doubts.clone() };
                    let value = aligner.record(pairs, self.schema);
                    let done = value.is_ok();
                    let doubts = aligner.doubts;
                    // Only a part that lacks something may be put together with others.
                    let part = matches!(value, Err(Flaw::Missing(_))) && around.cut.is_none();
                    let kept = if part { node.clone().into_owned() } else { Node::plain("") };
                    let label = around.label.clone();
                    self.found.push(Found { value, known, label, cut: around.cut, doubts, pairs: kept });
                    if done {
                        self.read_beside(pairs, self.schema);
                        return;
                    }
                }
                self.read_envelope(pairs, around.cut.is_some());
                if is_not_the_answer(pairs) {
                    return;
                }
                let inner = around.unwrapped();
                for (_, child) in pairs.iter().filter(|(key, _)| !is_aside(key)) {
                    self.harvest(child, &inner);
                }
            }
            Node::List(items) => items.iter().for_each(|item| self.harvest(item, around)),
            Node::Scalar(scalar) => {
                let text = scalar.text.as_ref();
                if text.len() >= 12 && around.depth < DEEPEST && may_hold_an_answer(text) && around.cut.is_none() {
                    let mut doubts = around.doubts.clone();
                    let before = self.found.len();
                    // Thoughts that never end inside an envelope leave no answer behind.
                    let _ = self.layers(text, around.depth + 1, &mut doubts);
                    for found in &mut self.found[before..] {
                        let own = std::mem::take(&mut found.doubts);
                        found.doubts = doubts.clone();
                        found.doubts.extend(own);
                    }
                }
            }
        }
    }
}

const TANGLED: &str = "the reply is too tangled to read; give the fields once, in plain YAML";
const CUT: &str = "the reply breaks off before its end; keep it shorter and give all fields";

/// Whether a text can hold an answer of its own: braces, lines, or tags that close.
fn may_hold_an_answer(text: &str) -> bool {
    text.contains(['{', '\n']) || text.contains("</")
}

/// What surrounds a tree that was found.
struct Around {
    label: String,
    cut: Option<&'static str>,
    doubts: Doubts,
    depth: usize,
}

impl Around {
    fn unwrapped(&self) -> Self {
        let mut doubts = self.doubts.clone();
        doubts.add("took the answer out of what stood around it");
        Self { label: self.label.clone(), cut: self.cut, doubts, depth: self.depth }
    }
}

/// Where the search stands.
struct Walk {
    at: usize,
    /// The place from which the current line is still unread.
    from: usize,
    fence: Option<char>,
    /// The end of what was found last.
    passed: usize,
}

impl Walk {
    fn line<'t>(&self, lines: &[Line<'t>]) -> Line<'t> {
        let line = lines[self.at];
        match self.from.checked_sub(line.start) {
            Some(read) if read > 0 => line.from(read.min(line.body.len())),
            _ => line,
        }
    }

    fn skip_to(&mut self, lines: &[Line<'_>], end: usize) {
        (self.from, self.passed) = (end, end);
        while self.at < lines.len() && lines[self.at].start + lines[self.at].body.len() <= end {
            self.at += 1;
        }
    }

    /// The words before a place, back to what was found last.
    fn label(&self, text: &str, at: usize) -> String {
        let mut from = self.passed.max(at.saturating_sub(200)).min(at);
        while !text.is_char_boundary(from) {
            from += 1;
        }
        text[from..at].to_lowercase()
    }
}
