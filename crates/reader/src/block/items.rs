//! Records inside a field: with bullets, by their keys, or just one.
//! Given a region of lines; hands on a list of records, or entries by key.

use std::borrow::Cow;

use super::{Block, Region};
use crate::lines::{Head, Line, Style, field_head, head};
use crate::node::Node;
use crate::plain::{Raw, is_block_mark};
use crate::scalar::unquote;
use crate::schema::{Schema, Shape};

impl<'t> Block<'t, '_> {
    /// A list of records: with bullets, by their keys, or just one.
    pub(super) fn records(&mut self, region: &Region<'_, 't>, schema: &'static Schema) -> Node<'t> {
        if let Some(item) = region.head.rest.behind_bullet() {
            // `conflicts: - id: C1`
            let column = region.lines.iter().find_map(|line| line.behind_bullet().map(|_| line.indent));
            let first = Line { indent: column.map_or(item.indent, |column| column + 2), ..item };
            let next =
                region.lines.iter().position(|line| line.behind_bullet().is_some() && Some(line.indent) == column);
            let (own, others) = region.lines.split_at(next.unwrap_or(region.lines.len()));
            let mut items = vec![std::iter::once(first).chain(own.iter().copied()).collect::<Vec<_>>()];
            items.extend(others.first().map(|_| split_items(others)).unwrap_or_default());
            return Node::List(items.iter().map(|item| self.record_item(item, schema)).collect());
        }
        if !region.head.rest.is_blank() && !region.head.rest.body.starts_with('#') {
            let raw = Raw {
                inline: region.head.rest,
                lines: region.lines,
                style: region.head.style,
                comments: self.comments,
            };
            return self.texts(&raw, region.head.name);
        }
        let Some(first) = region.lines.iter().position(|line| !line.is_blank() && !line.body.starts_with("# ")) else {
            return Node::plain("");
        };
        let lines = &region.lines[first..];
        if lines[0].behind_bullet().is_some() {
            let items = split_items(lines);
            return Node::List(items.iter().map(|item| self.record_item(item, schema)).collect());
        }
        if let Some((_, head)) = field_head(&lines[0], schema) {
            return self.record(lines, schema, &head);
        }
        match head(&lines[0]) {
            Some(head) => self.keyed(lines, schema, &head),
            None => {
                self.texts(&Raw { comments: self.comments, ..Raw::below(lines, region.head.style) }, region.head.name)
            }
        }
    }

    fn record_item(&mut self, item: &[Line<'t>], schema: &'static Schema) -> Node<'t> {
        if self.budget.spent() {
            self.cut = true;
            return Node::plain("");
        }
        self.budget.nodes = self.budget.nodes.saturating_sub(1);
        let Some(at) = item.iter().position(|line| !line.is_blank()) else { return Node::plain("") };
        let item = &item[at..];
        let first = &item[0];
        if first.body.starts_with('{') {
            let head = Head {
                name: "",
                style: Style::Plain,
                indent: first.indent,
                rest: *first,
                spaced: true,
                level: 0,
                table: false,
            };
            if let Some(node) = self.flow(&Region { field: None, main: false, head, lines: &item[1..] }, schema) {
                return node;
            }
        }
        if let Some((_, head)) = field_head(first, schema) {
            return self.record(item, schema, &head);
        }
        match head(first) {
            Some(head) if head.rest.is_blank() && item.len() > 1 => self.keyed(item, schema, &head),
            _ => self
                .text(&Raw { inline: *first, lines: &item[1..], style: Style::Plain, comments: self.comments }, "list"),
        }
    }

    /// Entries by their keys: `C1:` and its record below, or its text behind.
    pub(super) fn keyed(&mut self, lines: &[Line<'t>], schema: &'static Schema, first: &Head<'t>) -> Node<'t> {
        let mut pairs = Vec::new();
        let mut at = 0;
        while at < lines.len() && !self.budget.spent() {
            let Some(head) = head(&lines[at]).filter(|head| head.indent <= first.indent) else {
                at += 1;
                continue;
            };
            let next = lines[at + 1..].iter().position(|line| {
                let starts = self::head(line).is_some_and(|head| head.indent <= first.indent);
                !line.is_blank() && starts
            });
            let end = next.map_or(lines.len(), |next| at + 1 + next);
            let region = Region { field: None, main: false, head, lines: &lines[at + 1..end] };
            pairs.push((Cow::Borrowed(head.name), self.entry(&region, schema)));
            self.budget.nodes = self.budget.nodes.saturating_sub(1);
            at = end;
        }
        Node::Map(pairs)
    }

    /// What stands behind the key of an entry.
    fn entry(&mut self, region: &Region<'_, 't>, schema: &'static Schema) -> Node<'t> {
        let first = self.first_line(region);
        if first.is_some_and(|line| line.body.starts_with('{'))
            && let Some(node) = self.flow(region, schema)
        {
            return node;
        }
        if let Some(entry) = self.titled(region, schema) {
            return entry;
        }
        if region.head.rest.is_blank()
            && let Some(at) = region.lines.iter().position(|line| !line.is_blank())
            && let Some((_, head)) = field_head(&region.lines[at], schema)
        {
            return self.record(&region.lines[at..], schema, &head);
        }
        let raw =
            Raw { inline: region.head.rest, lines: region.lines, style: region.head.style, comments: self.comments };
        self.text(&raw, region.head.name)
    }

    /// `### C1: Sharding` with who holds what below it: the title is the main field, the lines are its entries.
    fn titled(&mut self, region: &Region<'_, 't>, schema: &'static Schema) -> Option<Node<'t>> {
        let below = region.lines.iter().position(|line| !line.is_blank()).filter(|_| region.head.level > 0)?;
        let (field, inner) = schema.fields.iter().find_map(|field| match field.shape {
            Shape::Pairs(inner) => Some((field.name, inner)),
            _ => None,
        })?;
        let first = head(&region.lines[below]).filter(|head| head.spaced && !head.rest.is_blank())?;
        let title = Node::plain(region.head.rest.body);
        let held = self.keyed(&region.lines[below..], inner, &first);
        Some(Node::Map(vec![(Cow::Borrowed(schema.main), title), (Cow::Borrowed(field), held)]))
    }

    /// An entry with a bullet and more of its record below: `- C1.2: block` and `reason: …`.
    fn bulleted_pairs(&mut self, lines: &[Line<'t>], schema: &'static Schema) -> Option<Node<'t>> {
        lines[0].behind_bullet()?;
        let mut pairs = Vec::new();
        for item in split_items(lines) {
            let head = head(&item[0])?;
            let below = item.iter().skip(1).position(|line| !line.is_blank()).map(|at| at + 1);
            let more = below.and_then(|at| Some((at, field_head(&item[at], schema)?)));
            let raw = Raw { inline: head.rest, lines: &item[1..], style: head.style, comments: self.comments };
            let node = match more {
                Some((at, (_, first))) if !head.rest.is_blank() => {
                    let main = self.text(&Raw { lines: &[], ..raw }, head.name);
                    let Node::Map(mut fields) = self.record(&item[at..], schema, &first) else { return None };
                    fields.insert(0, (Cow::Borrowed(schema.main), main));
                    Node::Map(fields)
                }
                _ => self.entry(&Region { field: None, main: false, head, lines: &item[1..] }, schema),
            };
            pairs.push((Cow::Borrowed(head.name), node));
        }
        Some(Node::Map(pairs))
    }

    /// One entry per key, with bullets or without, or a list of small records.
    pub(super) fn pairs(&mut self, region: &Region<'_, 't>, schema: &'static Schema) -> Node<'t> {
        let inline = region.head.rest;
        if !inline.is_blank() && !inline.body.starts_with('#') {
            let raw = Raw { inline, lines: region.lines, style: region.head.style, comments: self.comments };
            return self.text(&raw, region.head.name);
        }
        let Some(first) = region.lines.iter().position(|line| !line.is_blank() && !line.body.starts_with("# ")) else {
            return Node::plain("");
        };
        let lines = &region.lines[first..];
        let quoted = lines[0].behind_bullet().is_some_and(|line| unquote(line.body).is_some());
        let Some(start) = head(&lines[0]).filter(|_| !quoted) else {
            return self
                .texts(&Raw { comments: self.comments, ..Raw::below(lines, region.head.style) }, region.head.name);
        };
        if schema.field(start.name).is_some() {
            return self.records(region, schema);
        }
        match self.bulleted_pairs(lines, schema) {
            Some(entries) => entries,
            None => self.keyed(lines, schema, &start),
        }
    }
}

/// Whether a line begins with the key that the first item begins with: it is an item, however far it stands in.
fn same_key(line: &Line<'_>, lines: &[Line<'_>]) -> bool {
    let first = lines[0].behind_bullet().and_then(|first| head(&first));
    first.is_some_and(|first| head(line).is_some_and(|head| head.name == first.name && head.style == first.style))
}

/// The items of a list with bullets; the first line of each stands behind its bullet. What a block of text holds is
/// never an item.
pub(super) fn split_items<'t>(lines: &[Line<'t>]) -> Vec<Vec<Line<'t>>> {
    let column = lines[0].indent;
    let mut items: Vec<Vec<Line<'t>>> = Vec::new();
    let mut block: Option<usize> = None;
    for line in lines {
        let in_block = block.is_some_and(|column| line.is_blank() || line.indent > column);
        if !in_block {
            block = head(line).filter(|head| is_block_mark(head.rest.body)).map(|head| head.indent);
        }
        match line.behind_bullet().filter(|_| !in_block) {
            Some(behind) if line.indent <= column + 1 || items.is_empty() || same_key(&behind, lines) => {
                items.push(vec![behind]);
            }
            _ => {
                if let Some(item) = items.last_mut() {
                    item.push(*line);
                }
            }
        }
    }
    items
}
