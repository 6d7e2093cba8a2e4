//! The value of one field between its key and the next one, by its shape.
//! Given a region of lines; hands on a text, a list, or what stands in braces there.

use super::items::split_items;
use super::{Block, Region};
use crate::flow;
use crate::lines::{Head, Line, Style, field_head, head};
use crate::node::Node;
use crate::plain::{self, Raw};
use crate::policy::{is_carrier, is_counter, is_number};
use crate::schema::{NO_FIELDS, Schema, Shape};

impl<'t> Block<'t, '_> {
    pub(super) fn value(&mut self, region: &Region<'_, 't>, shape: Shape, last: bool) -> Node<'t> {
        let lines = self.without_tail(region, shape, last);
        let region = &Region { lines, ..*region };
        if let Some(node) = self.flow_value(region, shape) {
            return node;
        }
        let raw = Raw { inline: region.head.rest, lines, style: region.head.style, comments: self.comments };
        match shape {
            Shape::Text => match self.wrapped(&raw).or_else(|| self.by_key(&raw)) {
                Some(record) => record,
                None => self.text(&raw, region.head.name),
            },
            Shape::Confidence | Shape::NextAction => match self.any_keys(&raw) {
                Some(entries) => entries,
                None => plain::word(&raw),
            },
            Shape::Texts | Shape::Names => self.texts(&raw, region.head.name),
            Shape::Records(schema) | Shape::Remarks(schema) => self.records(region, schema),
            Shape::Pairs(schema) => self.pairs(region, schema),
        }
    }

    pub(super) fn text(&mut self, raw: &Raw<'_, 't>, name: &str) -> Node<'t> {
        let text = plain::text(raw);
        self.note(raw, name, text.doubt, text.unclosed);
        text.node
    }

    /// Keeps what was odd about a value. Quotes that are open where the document ends were cut off.
    fn note(&mut self, raw: &Raw<'_, 't>, name: &str, doubt: Option<&str>, unclosed: bool) {
        if let Some(doubt) = doubt {
            self.doubts.about(name, doubt);
        }
        if unclosed && raw.end() >= self.end {
            self.cut = true;
        }
    }

    /// A record below a key that should have a text: the key only wraps it.
    fn wrapped(&mut self, raw: &Raw<'_, 't>) -> Option<Node<'t>> {
        let at = raw.first_below()?;
        let (_, head) = field_head(&raw.lines[at], self.schema).filter(|(_, head)| head.style == Style::Plain)?;
        Some(self.record(&raw.lines[at..], self.schema, &head))
    }

    /// Entries with any keys where one word should be: `score: 0.8`, or `min` and `max`.
    fn any_keys(&mut self, raw: &Raw<'_, 't>) -> Option<Node<'t>> {
        let at = raw.first_below()?;
        let head = head(&raw.lines[at]).filter(|head| head.spaced && head.style == Style::Plain)?;
        (raw.lines[at].behind_bullet().is_none()).then(|| self.keyed(&raw.lines[at..], &NO_FIELDS, &head))
    }

    /// Items that are small records around a text: `- id: 1` and `text: …` below it.
    fn around_texts(&mut self, raw: &Raw<'_, 't>) -> Option<Node<'t>> {
        let at = raw.first_below()?;
        let first = raw.lines[at].behind_bullet()?;
        head(&first).filter(|head| head.spaced && (is_carrier(head.name) || is_counter(head.name)))?;
        let items = split_items(&raw.lines[at..]);
        let record = |item: &Vec<Line<'t>>| {
            let mut heads =
                item.iter().filter(|line| !line.is_blank()).map(|line| head(line).filter(|head| head.spaced));
            let named =
                |head: &Option<Head<'_>>| head.is_some_and(|head| is_carrier(head.name) || is_counter(head.name));
            item.iter().filter(|line| !line.is_blank()).count() > 1 && heads.all(|head| named(&head))
        };
        if !items.iter().all(record) {
            return None;
        }
        let mut nodes = Vec::with_capacity(items.len());
        for item in &items {
            let column = item.iter().skip(1).find(|line| !line.is_blank()).map_or(item[0].indent, |line| line.indent);
            let head = Head { indent: column.max(item[0].indent), ..head(&item[0])? };
            nodes.push(self.keyed(item, &NO_FIELDS, &head));
        }
        Some(Node::List(nodes))
    }

    /// Entries with keys where a word or a list should be: `score: 0.8`, `1: …`.
    fn by_key(&mut self, raw: &Raw<'_, 't>) -> Option<Node<'t>> {
        let at = raw.first_below()?;
        let head = head(&raw.lines[at]).filter(|head| raw.lines[at].behind_bullet().is_none() && head.spaced)?;
        let carriers =
            ["value", "score", "level", "text", "content", "statement", "description", "summary", "type", "action"];
        let named = is_number(head.name) || carriers.contains(&head.name);
        named.then(|| self.keyed(&raw.lines[at..], &NO_FIELDS, &head))
    }

    /// The lines of a region without the prose that follows a finished value.
    fn without_tail<'a>(&mut self, region: &Region<'a, 't>, shape: Shape, last: bool) -> &'a [Line<'t>] {
        let lines = region.lines;
        let listed = !matches!(shape, Shape::Text);
        if !listed && !last {
            return lines;
        }
        let mut begun = !region.head.rest.is_blank() && !plain::is_block_mark(region.head.rest.body);
        let mut blank = false;
        let mut column = None;
        for (at, line) in lines.iter().enumerate() {
            if line.is_blank() {
                blank = true;
                continue;
            }
            let dedented = column.is_some_and(|column| line.indent < column);
            let unlisted = !region.head.rest.is_blank() || dedented || line.behind_bullet().is_none();
            column = column.or_else(|| line.behind_bullet().map(|_| line.indent));
            let title = region.head.level > 0 && line.body.starts_with('#');
            let outside = line.indent <= region.head.indent && unlisted && !title;
            let prose = line.body.starts_with(char::is_alphabetic);
            let paragraph = !listed && (region.head.style != Style::Plain || region.main && prose);
            if blank && begun && outside && (!paragraph || plain::is_farewell(line.body)) {
                self.doubts.add("left out the text after the last field");
                return &lines[..at];
            }
            begun = true;
            blank = false;
        }
        lines
    }

    /// A value in brackets or braces.
    fn flow_value(&mut self, region: &Region<'_, 't>, shape: Shape) -> Option<Node<'t>> {
        let first = self.first_line(region)?.body.chars().next()?;
        match (first, shape) {
            ('{', _) | ('[', Shape::Texts | Shape::Names | Shape::Records(_) | Shape::Remarks(_) | Shape::Pairs(_)) => {
                let schema = match shape {
                    Shape::Records(schema) | Shape::Remarks(schema) | Shape::Pairs(schema) => schema,
                    _ => self.schema,
                };
                self.flow(region, schema)
            }
            _ => None,
        }
    }

    pub(super) fn first_line(&self, region: &Region<'_, 't>) -> Option<Line<'t>> {
        if region.head.rest.is_blank() {
            return region.lines.iter().find(|line| !line.is_blank()).copied();
        }
        Some(region.head.rest)
    }

    /// Reads a region as braces, if they are all there is in it.
    pub(super) fn flow(&mut self, region: &Region<'_, 't>, schema: &Schema) -> Option<Node<'t>> {
        let start = self.first_line(region)?.start;
        let last = region.lines.iter().rev().find(|line| !line.is_blank()).unwrap_or(&region.head.rest);
        let end = (last.start + last.body.len()).max(region.head.rest.start + region.head.rest.body.len());
        let text = self.text.get(start..end)?;
        let parsed = flow::in_yaml(text, schema, self.budget)?;
        let behind = text[parsed.end..].trim_start_matches([',', ';', '}', ' ', '\n', '\t']);
        let list_of_its_own = text.starts_with('[') && !behind.is_empty() && !behind.starts_with('#');
        if list_of_its_own {
            return None;
        }
        // Where another field follows, only the bracket was forgotten; what has a reason of its own stands anywhere.
        if parsed.reason.is_some() || parsed.cut && end >= self.end {
            self.cut = true;
        } else if parsed.cut {
            self.doubts.about(region.head.name, "a closing bracket is missing");
        }
        self.doubts.extend(parsed.doubts);
        Some(parsed.node)
    }

    pub(super) fn texts(&mut self, raw: &Raw<'_, 't>, name: &str) -> Node<'t> {
        if let Some(entries) = self.by_key(raw).or_else(|| self.around_texts(raw)) {
            return entries;
        }
        let list = plain::texts(raw);
        self.note(raw, name, list.doubt, list.unclosed);
        if !self.afford(&list.node) {
            self.cut = true;
        }
        list.node
    }

    fn afford(&mut self, node: &Node<'_>) -> bool {
        if let Node::List(items) = node {
            self.budget.nodes = self.budget.nodes.saturating_sub(items.len());
        }
        !self.budget.spent()
    }
}
