//! Finds the answer in a reply: every place where a record may stand is tried, and one answer must be left.
//! Given the text and the schema; hands on a value with its doubts, or the reason for the refusal.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::align::{Aligner, Flaw};
use crate::block::{self, Place};
use crate::budget::Budget;
use crate::flow;
use crate::layers;
use crate::lines::{self, Line, Style, field_head};
use crate::node::{Doubts, Node};
use crate::policy::shortened;
use crate::schema::{Schema, Shape};
use crate::xml;

/// A place that was tried.
struct Found {
    value: Result<Map<String, Value>, Flaw>,
    /// How many fields stand there.
    known: usize,
    /// What stands before it, in lower case: "draft:", "final answer".
    label: String,
    cut: bool,
    doubts: Doubts,
    /// The fields of a part that lacks others.
    pairs: Node<'static>,
}

/// More lines than these are no reply: one of a megabyte has a tenth of them.
const MOST_LINES: usize = 40_000;

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
        // Some of the layers take several looks at the whole text.
        self.budget.pay(4 * text.len());
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
            self.harvest(&listed, &Around { label: String::new(), cut: false, doubts, depth: DEEPEST });
        }
        let parts = self.found.iter().filter_map(|found| match &found.pairs {
            Node::Map(pairs) => Some(pairs),
            _ => None,
        });
        let parts: Vec<_> = parts.collect();
        let any_cut = self.found.iter().any(|found| found.cut);
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
            self.found.push(Found { value: Ok(value), known, label, cut: false, doubts, pairs });
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
            self.harvest(&elements.node, &Around { label: String::new(), cut: elements.cut, doubts, depth });
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
            self.harvest(&node, &Around { label, cut: false, doubts: Doubts::default(), depth });
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
                self.harvest(&document.node, &Around { label, cut: document.cut, doubts: document.doubts, depth });
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
                self.harvest(&parsed.node, &Around { label, cut: parsed.cut, doubts: parsed.doubts, depth });
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
                    let part = matches!(value, Err(Flaw::Missing(_))) && !around.cut;
                    let pairs = if part { node.clone().into_owned() } else { Node::plain("") };
                    let label = around.label.clone();
                    self.found.push(Found { value, known, label, cut: around.cut, doubts, pairs });
                    if done {
                        return;
                    }
                }
                self.read_envelope(pairs, around.cut);
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
                if text.len() >= 12 && around.depth < DEEPEST && text.contains(['{', '<', '\n']) && !around.cut {
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

    /// What an envelope says about the reply in it: cut off, filtered, failed; and the piece of text it carries.
    fn read_envelope(&mut self, pairs: &[(Cow<'_, str>, Node<'_>)], cut: bool) {
        let mut piece = String::new();
        for (key, node) in pairs {
            let word = match node {
                Node::Scalar(scalar) => scalar.text.trim(),
                _ => "",
            };
            match key.as_ref() {
                "stop_reason" | "finish_reason" | "done_reason" | "finishReason" | "stopReason" => self.read_stop(word),
                "status" if ["incomplete", "failed", "cancelled"].contains(&word) => self.stop = Some(CUT.into()),
                "incomplete_details" if matches!(node, Node::Map(_)) => self.stop = Some(CUT.into()),
                "is_error" | "isError" if word == "true" => {
                    self.stop = Some("the call failed and brought no answer".into())
                }
                "truncated" | "is_truncated" if word == "true" => self.stop = Some(CUT.into()),
                "error" if !matches!(word, "null" | "false" | "") || matches!(node, Node::Map(_)) => {
                    self.error = Some(format!("the reply is an error, not an answer: {}", shortened(&message(node))));
                }
                "text" | "content" | "partial_json" | "response" | "arguments" | "token" | "delta" => {
                    if let Node::Scalar(scalar) = node
                        && (scalar.quoted || word != "null")
                    {
                        piece.push_str(&scalar.text);
                    }
                }
                _ => {}
            }
        }
        if !piece.is_empty() && !cut {
            self.budget.pay(piece.len());
            self.pieces.push(piece);
        }
        let of = |names: &[&str]| pairs.iter().find(|(key, _)| names.contains(&key.as_ref())).map(|(_, node)| node);
        if let (Some(Node::Scalar(name)), Some(value), true) =
            (of(&["field", "key", "name"]), of(&["value", "content"]), pairs.len() == 2)
            && self.listed.len() < 32
        {
            self.listed.push((name.text.to_string().into(), value.clone().into_owned()));
        }
    }

    fn read_stop(&mut self, word: &str) {
        const WHOLE: [&str; 8] = ["stop", "end", "complete", "eos", "tool", "function", "finish", "success"];
        let word = word.to_ascii_lowercase();
        if word.contains("length") || word.contains("token") && word != "eos_token" || word == "incomplete" {
            self.stop = Some(CUT.into());
        } else if !matches!(word.as_str(), "" | "null" | "none") && !WHOLE.iter().any(|whole| word.contains(whole)) {
            self.stop = Some(format!("the reply was stopped by the provider ({})", shortened(&word)));
        }
    }
}

/// Keys of an envelope that hold thoughts or what was asked, never the answer.
fn is_aside(key: &str) -> bool {
    const ASIDES: [&str; 12] = [
        "reasoning",
        "reasoning_content",
        "thinking",
        "thought",
        "thoughts",
        "chain_of_thought",
        "prompt",
        "instructions",
        "system",
        "request",
        "usage",
        "stats",
    ];
    ASIDES.iter().any(|aside| aside.eq_ignore_ascii_case(key))
}

/// A turn of somebody else, or a thought, in a list of turns and parts.
fn is_not_the_answer(pairs: &[(Cow<'_, str>, Node<'_>)]) -> bool {
    pairs.iter().any(|(key, node)| match (key.as_ref(), node) {
        ("role", Node::Scalar(role)) => ["user", "system", "developer"].contains(&role.text.as_ref()),
        ("type", Node::Scalar(kind)) => ["reasoning", "thinking", "redacted_thinking"].contains(&kind.text.as_ref()),
        ("thought", Node::Scalar(thought)) => thought.text == "true",
        _ => false,
    })
}

const TANGLED: &str = "the reply is too tangled to read; give the fields once, in plain YAML";
const CUT: &str = "the reply breaks off before its end; keep it shorter and give all fields";

fn message(node: &Node<'_>) -> String {
    match node {
        Node::Scalar(scalar) => scalar.text.to_string(),
        Node::Map(pairs) => {
            let told = pairs.iter().find(|(key, _)| matches!(key.as_ref(), "message" | "type" | "code"));
            told.map(|(_, node)| message(node)).unwrap_or_default()
        }
        Node::List(items) => items.first().map(message).unwrap_or_default(),
    }
}

/// What surrounds a tree that was found.
struct Around {
    label: String,
    cut: bool,
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

/// A table with the fields in its first row and the answer in the next; how many lines it takes.
fn table<'t>(lines: &[Line<'t>], schema: &Schema) -> Option<(Node<'t>, usize)> {
    fn cells<'t>(line: &Line<'t>) -> Option<Vec<&'t str>> {
        let inside = line.body.strip_prefix('|')?.strip_suffix('|')?;
        Some(inside.split('|').map(str::trim).collect())
    }
    let names = cells(&lines[0])?;
    let known = names.iter().filter(|name| schema.field(name).is_some()).count();
    let rule = cells(lines.get(1)?)?
        .iter()
        .all(|cell| !cell.is_empty() && cell.bytes().all(|b| matches!(b, b'-' | b':' | b' ')));
    let row = cells(lines.get(2)?).filter(|row| known >= 2 && rule && row.len() == names.len())?;
    let more = lines.get(3).is_some_and(|line| line.body.starts_with('|'));
    let pairs = names.into_iter().zip(row).map(|(name, cell)| (name.into(), Node::plain(cell)));
    (!more).then(|| (Node::Map(pairs.collect()), 3))
}

/// Whether a document begins on this line: it has a key, and does not only announce what stands below it.
fn begins_document(lines: &[Line<'_>], walk: &Walk, schema: &Schema) -> bool {
    let line = walk.line(lines);
    if walk.from > line.start {
        return false;
    }
    let Some((field, head)) = field_head(&line, schema) else { return false };
    let below = lines[walk.at + 1..].iter().find(|line| !line.is_blank());
    // A key that should have a text, with keys below it, only wraps them.
    let wraps = |below: &Line<'_>| {
        let inner = lines::head(below).filter(|inner| inner.spaced && inner.style == Style::Plain);
        let keyed = inner.is_some_and(|inner| inner.rest.is_blank() || schema.field(inner.name).is_some());
        below.indent > line.indent && below.behind_bullet().is_none() && keyed
    };
    if head.rest.is_blank() && matches!(schema.fields[field].shape, Shape::Text) && below.is_some_and(wraps) {
        return false;
    }
    let announces = head
        .rest
        .body
        .strip_prefix('{')
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['"', '\'', ' ', '\\']));
    !(announces
        || head.rest.is_blank() && below.is_some_and(|line| line.fence().is_some() || line.body.starts_with('{')))
}

/// The place of an opening brace, or of the parenthesis of a call like `Response(position=…`, up to `end`.
fn opening(text: &str, from: usize, end: usize) -> Option<usize> {
    let called = |at: usize| {
        let inside = text[at + 1..].trim_start();
        let name = inside.bytes().take(48).take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        let called = text[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
        called && name > 0 && inside[name..].trim_start_matches(' ').starts_with(['=', ':'])
    };
    let bytes = &text.as_bytes()[from..end];
    let opens = |(at, byte): (usize, &u8)| match byte {
        b'{' => true,
        // The first byte of the wide brace.
        0xEF => text[from + at..].starts_with('\u{FF5B}'),
        b'[' => {
            matches!(bytes.get(at + 1), None | Some(b'\'' | b'"' | b' ' | b'\n')) && flow::holds_pairs(text, from + at)
        }
        b'(' => called(from + at),
        _ => false,
    };
    bytes.iter().enumerate().find(|item| opens(*item)).map(|(at, _)| from + at)
}

const PROVISIONAL: [&str; 12] = [
    "draft",
    "schema",
    "example",
    "template",
    "format",
    "previous",
    "earlier",
    "initial",
    "first attempt",
    "old ",
    "sketch",
    "for instance",
];
const FINAL: [&str; 12] = [
    "final",
    "revised",
    "correct",
    "updated",
    "actual",
    "instead",
    "change my",
    "reconsider",
    "on reflection",
    "improved",
    "better",
    "my answer",
];

/// The one answer among what was found.
fn choose(mut found: Vec<Found>, schema: &Schema, doubts: &mut Doubts) -> Result<Map<String, Value>, String> {
    if found.last().is_some_and(|last| last.cut && (last.known > 1 || found.len() == 1)) {
        return Err(CUT.into());
    }
    let good: Vec<usize> = (0..found.len()).filter(|&at| found[at].value.is_ok() && !found[at].cut).collect();
    let Some(&last) = good.last() else { return Err(reason(found, schema)) };
    let chosen = if good.iter().all(|&at| same(&found[at], &found[last])) {
        if good.len() > 1 {
            doubts.add("the answer was given more than once");
        }
        last
    } else {
        pick(&found, &good).ok_or("the reply holds two different answers; give one")?
    };
    if good.len() > 1 && !good.iter().all(|&at| same(&found[at], &found[chosen])) {
        doubts.add("took the final one of several answers");
    }
    let Found { value, doubts: own, label, .. } = found.swap_remove(chosen);
    let prose = label.lines().any(|line| line.contains(char::is_alphanumeric));
    if prose && !ends_in_fence(&label) {
        doubts.add("left out the text before the answer");
    }
    doubts.extend(own);
    value.map_err(Flaw::into_reason)
}

/// Whether the answer stands in a fence of its own: then it is clear where it begins.
fn ends_in_fence(label: &str) -> bool {
    let last = label.trim_end().lines().next_back().unwrap_or_default().trim_start();
    last.starts_with("```") || last.starts_with("~~~")
}

fn same(a: &Found, b: &Found) -> bool {
    matches!((&a.value, &b.value), (Ok(a), Ok(b)) if a == b)
}

/// The answer that the words before it call the final one.
fn pick(found: &[Found], good: &[usize]) -> Option<usize> {
    let says = |at: usize, words: &[&str]| words.iter().any(|word| found[at].label.contains(word));
    let standing: Vec<usize> = good.iter().copied().filter(|&at| says(at, &FINAL) || !says(at, &PROVISIONAL)).collect();
    match standing.as_slice() {
        [] => None,
        [one] => Some(*one),
        [.., last] if says(*last, &FINAL) => Some(*last),
        [first, ..] if standing.iter().all(|at| same(&found[*at], &found[*first])) => Some(*first),
        _ => None,
    }
}

/// Whether a reply says itself that it breaks off.
fn says_cut(text: &str) -> bool {
    let last = text.trim_end().lines().next_back().unwrap_or_default();
    let last = last.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let told =
        ["truncated", "continued", "to be continued", "output truncated", "response truncated", "output limit reached"];
    last.len() < 60 && told.iter().any(|told| last.starts_with(told) || last.ends_with(told))
}

/// Why nothing that was found will do: the flaw of what came nearest.
fn reason(found: Vec<Found>, schema: &Schema) -> String {
    if found.iter().any(|found| found.cut) {
        return CUT.into();
    }
    let nearest = found.into_iter().filter(|found| found.value.is_err()).max_by_key(|found| found.known);
    match nearest.map(|found| found.value) {
        Some(Err(flaw)) => flaw.into_reason(),
        _ => {
            let names: Vec<&str> =
                schema.fields.iter().filter(|field| field.required).map(|field| field.name).collect();
            format!("the reply is prose, not YAML: none of the fields was found ({})", names.join(", "))
        }
    }
}
