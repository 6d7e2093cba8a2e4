//! The grammar of lines: YAML, Markdown with headings or bold keys, tables, and all between them.
//! Given the line where a first known key stands; hands on the map from there to the end of the document.
//! The schema cuts: a field reaches to the next key of its record, whatever its text looks like.

mod anchors;

use std::borrow::Cow;

use crate::flow::{self, Budget};
use crate::lines::{Head, Line, Style, field_head, head};
use crate::node::{Doubts, Node};
use crate::plain::{self, Raw};
use crate::policy::{is_carrier, is_counter, is_number};
use crate::scalar::unquote;
use crate::schema::{Schema, Shape};

/// A document that was found.
#[derive(Debug)]
pub(crate) struct Document<'t> {
    pub node: Node<'t>,
    /// The line after its last one.
    pub end: usize,
    /// The text broke off inside it.
    pub cut: bool,
    pub doubts: Doubts,
}

/// Where a document stands.
pub(crate) struct Place<'a, 't> {
    pub text: &'t str,
    pub lines: &'a [Line<'t>],
    /// Its first line, which begins with a key.
    pub first: usize,
    /// The mark of the fence around it.
    pub fence: Option<char>,
}

/// Reads the document that begins here.
pub(crate) fn document<'t>(
    place: &Place<'_, 't>,
    schema: &'static Schema,
    budget: &mut Budget,
) -> Option<Document<'t>> {
    let (_, head) = field_head(&place.lines[place.first], schema)?;
    let mut block =
        Block { text: place.text, schema, budget, doubts: Doubts::default(), cut: false, end: 0, comments: false };
    let lines = &place.lines[place.first..];
    let apart;
    let (mut regions, end) = block.regions(lines, schema, &head, Some(place.fence));
    block.comments = head.style == Style::Plain && plain::has_comments(&lines[..end]);
    block.cut |= breaks_off(&lines[..end], schema, &head);
    apart = if complete(&regions, schema) { Vec::new() } else { keys_apart(&lines[..end], schema) };
    if apart.len() > end {
        block.doubts.add("read several fields on one line");
        regions = block.regions(&apart, schema, &head, None).0;
    }
    block.budget.pay(place.lines[place.first..place.first + end].iter().map(|line| line.body.len() + 1).sum());
    block.end = Raw::below(&place.lines[place.first..place.first + end], Style::Plain).end();
    anchors::share_lines(&mut regions);
    let last_known = regions.iter().rposition(|region| region.field.is_some());
    let mut pairs = Vec::with_capacity(regions.len());
    for (at, region) in regions.iter().enumerate() {
        let node = match region.field {
            Some(field) => block.value(region, schema.fields[field].shape, Some(at) == last_known),
            None => block.unknown(region, schema),
        };
        add(&mut pairs, &region.head, node);
    }
    let mut node = Node::Map(pairs);
    if place.text.contains(['&', '*']) {
        anchors::resolve(&mut node);
    }
    Some(Document { node, end: place.first + end, cut: block.cut, doubts: block.doubts })
}

/// More keys than these make no record.
const MOST_FIELDS: usize = 96;

/// A key and the lines up to the next one.
struct Region<'a, 't> {
    field: Option<usize>,
    head: Head<'t>,
    lines: &'a [Line<'t>],
}

struct Block<'t, 'b> {
    text: &'t str,
    schema: &'static Schema,
    /// Where the document ends.
    end: usize,
    /// It has comments.
    comments: bool,
    budget: &'b mut Budget,
    doubts: Doubts,
    cut: bool,
}

impl<'t> Block<'t, '_> {
    /// Cuts the lines at the keys of the schema; hands on the regions and where the document ends.
    /// `top` is given for the document itself, with its fence; a record inside a field has none.
    fn regions<'a>(
        &mut self,
        lines: &'a [Line<'t>],
        schema: &Schema,
        first: &Head<'t>,
        top: Option<Option<char>>,
    ) -> (Vec<Region<'a, 't>>, usize) {
        let bulleted = top.is_none() || lines[0].indent < first.indent;
        let column = if bulleted { column_of(lines, schema, first) } else { first.indent };
        let first = &mut Head { indent: column, ..*first };
        let mut regions: Vec<Region<'a, 't>> = Vec::new();
        let mut begun = 0;
        let mut inner_fence: Option<char> = None;
        let mut end = lines.len();
        for (at, line) in lines.iter().enumerate() {
            if line.is_blank() {
                continue;
            }
            if let Some(mark) = line.fence()
                && at > 0
            {
                let bare = line.body.trim_matches(mark).is_empty();
                match inner_fence {
                    Some(open) if open == mark && bare => inner_fence = None,
                    Some(_) => {}
                    None if top.is_some_and(|fence| fence == Some(mark)) && bare && line.indent <= first.indent => {
                        end = at;
                        break;
                    }
                    None if bare && !lines[at + 1..].iter().any(|line| line.fence() == Some(mark)) => {
                        end = at;
                        break;
                    }
                    None => inner_fence = Some(mark),
                }
                continue;
            }
            if inner_fence.is_some() {
                continue;
            }
            if top.is_some() && at > 0 && ends_document(lines, at, first) {
                end = at;
                break;
            }
            let stray = if at > 0 { stray_field(line, &regions, &lines[begun.min(at)..at], schema) } else { None };
            if let (Some((_, head)), 1) = (&stray, regions.len()) {
                first.indent = head.indent;
            }
            if regions.last().is_some_and(|open| belongs(line, open, &lines[begun.min(at)..at], schema)) {
                continue;
            }
            let Some(new) = stray.or_else(|| self.region_at(line, schema, first, at == 0)) else { continue };
            let repeats = new.0.is_some() && regions.first().is_some_and(|region| region.field == new.0);
            if top.is_some() && repeats && complete(&regions, schema) {
                end = at;
                break;
            }
            if let Some(last) = regions.last_mut() {
                last.lines = &lines[begun..at];
            }
            if regions.len() >= MOST_FIELDS {
                self.cut = true;
                end = at;
                break;
            }
            self.budget.pay_for_a_look();
            begun = at + 1;
            regions.push(Region { field: new.0, head: new.1, lines: &[] });
        }
        if let Some(last) = regions.last_mut() {
            last.lines = &lines[begun.min(end)..end];
        }
        (regions, end)
    }

    /// The region that a line begins: a known field at the column of the record, or a key nobody knows.
    fn region_at(
        &mut self,
        line: &Line<'t>,
        schema: &Schema,
        first: &Head<'t>,
        is_first: bool,
    ) -> Option<(Option<usize>, Head<'t>)> {
        if line.is_noise() {
            let head =
                Head { name: "", style: Style::Plain, indent: line.indent, rest: *line, spaced: true, table: false };
            self.doubts.add("left out a line of the tool around the model");
            return Some((None, head));
        }
        let head = head(line)?;
        let known = schema.field(head.name);
        if known.is_some() && (is_first || head.indent <= first.indent + 1) {
            return Some((known, head));
        }
        let alike = match head.style {
            // `Note: …` below lower-case keys is a sentence.
            Style::Plain => {
                let lower = |name: &str| name.starts_with(char::is_lowercase);
                let word = head.spaced && !head.name.contains([' ', '.']);
                first.style == Style::Plain && word && lower(head.name) == lower(first.name)
            }
            style => style == first.style,
        };
        let unknown = known.is_none() && alike && head.indent <= first.indent && line.indent <= first.indent;
        unknown.then_some((None, head))
    }

    /// A key nobody knows: only a record nested in it matters.
    fn unknown(&mut self, region: &Region<'_, 't>, schema: &'static Schema) -> Node<'t> {
        if region.head.name.is_empty() {
            return Node::plain("");
        }
        let nested = region.lines.iter().position(|line| !line.is_blank());
        match nested.and_then(|at| Some((at, field_head(&region.lines[at], schema)?))) {
            Some((at, (_, head))) => self.record(&region.lines[at..], schema, &head),
            None if region.head.rest.body.starts_with('{') => {
                self.flow(region, schema).unwrap_or_else(|| Node::plain(""))
            }
            None => Node::plain(""),
        }
    }

    fn record(&mut self, lines: &[Line<'t>], schema: &'static Schema, first: &Head<'t>) -> Node<'t> {
        let (regions, _) = self.regions(lines, schema, first, None);
        let mut pairs = Vec::with_capacity(regions.len());
        for region in &regions {
            if let Some(field) = region.field {
                let node = self.value(region, schema.fields[field].shape, false);
                pairs.push((Cow::Borrowed(region.head.name), node));
            }
        }
        Node::Map(pairs)
    }

    fn value(&mut self, region: &Region<'_, 't>, shape: Shape, last: bool) -> Node<'t> {
        let lines = self.without_tail(region, shape, last);
        let region = &Region { field: region.field, head: region.head, lines };
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

    fn text(&mut self, raw: &Raw<'_, 't>, name: &str) -> Node<'t> {
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
        let at = raw.lines.iter().position(|line| !line.is_blank()).filter(|_| raw.inline.is_blank())?;
        let (_, head) = field_head(&raw.lines[at], self.schema).filter(|(_, head)| head.style == Style::Plain)?;
        Some(self.record(&raw.lines[at..], self.schema, &head))
    }

    /// Entries with any keys where one word should be: `score: 0.8`, or `min` and `max`.
    fn any_keys(&mut self, raw: &Raw<'_, 't>) -> Option<Node<'t>> {
        let at = raw.lines.iter().position(|line| !line.is_blank()).filter(|_| raw.inline.is_blank())?;
        let head = head(&raw.lines[at]).filter(|head| head.spaced && head.style == Style::Plain)?;
        (raw.lines[at].behind_bullet().is_none()).then(|| self.keyed(&raw.lines[at..], &NO_FIELDS, &head))
    }

    /// Items that are small records around a text: `- id: 1` and `text: …` below it.
    fn around_texts(&mut self, raw: &Raw<'_, 't>) -> Option<Node<'t>> {
        let at = raw.lines.iter().position(|line| !line.is_blank()).filter(|_| raw.inline.is_blank())?;
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
        let at = raw.lines.iter().position(|line| !line.is_blank()).filter(|_| raw.inline.is_blank())?;
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
            let outside = line.indent <= region.head.indent && unlisted;
            let paragraph = !listed && region.head.style != Style::Plain;
            if blank && begun && outside && !(paragraph && !plain::is_farewell(line.body)) {
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

    fn first_line(&self, region: &Region<'_, 't>) -> Option<Line<'t>> {
        if region.head.rest.is_blank() {
            return region.lines.iter().find(|line| !line.is_blank()).copied();
        }
        Some(region.head.rest)
    }

    /// Reads a region as braces, if they are all there is in it.
    fn flow(&mut self, region: &Region<'_, 't>, schema: &Schema) -> Option<Node<'t>> {
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
        if parsed.cut && end >= self.end {
            self.cut = true;
        } else if parsed.cut {
            self.doubts.about(region.head.name, "a closing bracket is missing");
        }
        self.doubts.extend(parsed.doubts);
        Some(parsed.node)
    }

    fn texts(&mut self, raw: &Raw<'_, 't>, name: &str) -> Node<'t> {
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

    /// A list of records: with bullets, by their keys, or just one.
    fn records(&mut self, region: &Region<'_, 't>, schema: &'static Schema) -> Node<'t> {
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
            let head =
                Head { name: "", style: Style::Plain, indent: first.indent, rest: *first, spaced: true, table: false };
            if let Some(node) = self.flow(&Region { field: None, head, lines: &item[1..] }, schema) {
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
    fn keyed(&mut self, lines: &[Line<'t>], schema: &'static Schema, first: &Head<'t>) -> Node<'t> {
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
            let region = Region { field: None, head, lines: &lines[at + 1..end] };
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

    /// One entry per key, with bullets or without, or a list of small records.
    fn pairs(&mut self, region: &Region<'_, 't>, schema: &'static Schema) -> Node<'t> {
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
        self.keyed(lines, schema, &start)
    }
}

static NO_FIELDS: Schema = Schema { fields: &[], key: "", main: "" };

/// Adds a field; the tables of one list follow each other.
fn add<'t>(pairs: &mut Vec<(Cow<'t, str>, Node<'t>)>, head: &Head<'t>, node: Node<'t>) {
    let earlier = pairs.iter_mut().find(|(name, _)| head.table && name == head.name);
    match earlier {
        Some((_, Node::List(list))) => list.push(node),
        Some((_, earlier)) => {
            let first = std::mem::replace(earlier, Node::List(Vec::new()));
            *earlier = Node::List(vec![first, node]);
        }
        None => pairs.push((Cow::Borrowed(head.name), node)),
    }
}

/// Whether a line that looks like a key belongs to the field that is open: all of a table does, and the
/// first line below a key that has nothing beside it.
fn belongs(line: &Line<'_>, open: &Region<'_, '_>, between: &[Line<'_>], schema: &Schema) -> bool {
    if open.head.table {
        let inner =
            line.body.trim_start_matches('[').strip_prefix(open.head.name).is_some_and(|rest| rest.starts_with('.'));
        return !line.body.starts_with('[') || inner;
    }
    let unknown = || head(line).is_some_and(|head| schema.field(head.name).is_none());
    // A block of text that nobody indented holds whatever looks like a key.
    let flat = || between.iter().find(|line| !line.is_blank()).is_none_or(|line| line.indent <= open.head.indent);
    if plain::is_block_mark(open.head.rest.body) && flat() && unknown() {
        return true;
    }
    let texts = open.field.is_some_and(|at| matches!(schema.fields[at].shape, Shape::Text | Shape::Texts));
    let first = open.head.rest.is_blank() && between.iter().all(Line::is_blank);
    texts && first && unknown()
}

/// A field that stands too far right: a line with its own name, below a text or a list that needs no keys.
fn stray_field<'t>(
    line: &Line<'t>,
    all: &[Region<'_, 't>],
    between: &[Line<'t>],
    schema: &Schema,
) -> Option<(Option<usize>, Head<'t>)> {
    let open = all.last()?;
    let shape = schema.fields[open.field?].shape;
    let needs_none = matches!(shape, Shape::Text | Shape::Texts | Shape::Confidence | Shape::NextAction);
    // A key without a value of its own may wrap the record below it.
    let below = between.iter().find(|line| !line.is_blank());
    if open.head.rest.is_blank() && below.is_none_or(|line| field_head(line, schema).is_some()) {
        return None;
    }
    if !needs_none || plain::is_block_mark(open.head.rest.body) || line.behind_bullet().is_some() {
        return None;
    }
    let head = head(line).filter(|head| head.style == Style::Plain && head.spaced)?;
    let at = schema.place(head.name)?;
    // A quotation that is still open holds whatever looks like a key.
    let rest = open.head.rest.body;
    let quoted = rest.starts_with('"') && (rest.len() > LONGEST_LINE || !rest[1..].contains('"'));
    (!quoted && !all.iter().any(|region| region.field == Some(at))).then_some((Some(at), head))
}

/// Whether the last line is the beginning of a key, or a bullet without its text: the reply was cut there.
fn breaks_off(lines: &[Line<'_>], schema: &Schema, first: &Head<'_>) -> bool {
    let Some(last) = lines.iter().rev().find(|line| !line.is_blank()) else { return false };
    if matches!(last.body, "-" | "*") {
        return true;
    }
    if first.style == Style::Row {
        return last.body.starts_with('|') && !last.body.ends_with('|');
    }
    let word = last.body.trim_start_matches(['"', '#', '*', ' ']);
    let begun = |name: &str| name.len() > word.len() && name.starts_with(&word.to_ascii_lowercase().replace(' ', "_"));
    last.indent <= first.indent
        && word.len() >= 3
        && word.len() < 24
        && schema.fields.iter().any(|field| begun(field.name))
}

/// The longest line in which several keys are looked for.
const LONGEST_LINE: usize = 16_384;

/// The lines with every key on its own: `position: x; confidence: 0.8`, `**Position:** x **Confidence:** 0.8`.
fn keys_apart<'t>(lines: &[Line<'t>], schema: &Schema) -> Vec<Line<'t>> {
    let mut apart = Vec::with_capacity(lines.len());
    let column = lines.first().map_or(0, |line| line.indent);
    for line in lines {
        let mut line = *line;
        let mut from = 0;
        while line.body.len() < LONGEST_LINE
            && let Some(at) = line.body.get(from..).and_then(|rest| rest.find([',', ';', '|', '.', '*', '/']))
        {
            let at = from + at;
            let sign = line.body.as_bytes()[at];
            from = at + 1;
            let rest = &line.body[if sign == b'*' { at } else { at + 1 }..];
            if at == 0 || (sign == b'*' && !rest.starts_with("**")) {
                continue;
            }
            let body = rest.trim_start();
            let next = Line { start: line.start + line.body.len() - body.len(), indent: column, body, title: false };
            let own = |head: &Head<'_>| schema.place(&head.name.to_ascii_lowercase().replace(' ', "_")).is_some();
            if head(&next).is_some_and(|head| head.spaced && own(&head)) {
                apart.push(Line { body: line.body[..at].trim_end(), ..line });
                line = next;
                from = 2.min(line.body.len());
            }
        }
        apart.push(line);
    }
    apart
}

/// The column of a record's keys. Behind a bullet it is where the next key stands, whatever a tab is wide.
fn column_of(lines: &[Line<'_>], schema: &Schema, first: &Head<'_>) -> usize {
    if first.rest.is_blank() {
        return first.indent;
    }
    let marked = first.style == Style::Marked;
    let mut below = lines.iter().skip(1).filter(|line| !line.is_blank() && (marked || line.behind_bullet().is_none()));
    match below.next().and_then(|line| field_head(line, schema)) {
        Some((_, next)) => next.indent,
        None => first.indent,
    }
}

/// Whether all that is required has been seen.
fn complete(regions: &[Region<'_, '_>], schema: &Schema) -> bool {
    schema.required_missing(|at| regions.iter().any(|region| region.field == Some(at))).next().is_none()
}

/// Whether a line can no longer belong to the document: a rule, a closing tag, an object of its own.
fn ends_document(lines: &[Line<'_>], at: usize, first: &Head<'_>) -> bool {
    let line = &lines[at];
    if line.indent > first.indent {
        return false;
    }
    let after_blank = lines[at - 1].is_blank();
    match first.style {
        Style::Plain if line.is_rule() => return true,
        Style::Row if !line.body.starts_with('|') => return true,
        _ => {}
    }
    (line.body.starts_with("</") && line.body.ends_with('>')) || (after_blank && line.body.starts_with('{'))
}

/// Whether a line begins with the key that the first item begins with: it is an item, however far it stands in.
fn same_key(line: &Line<'_>, lines: &[Line<'_>]) -> bool {
    let first = lines[0].behind_bullet().and_then(|first| head(&first));
    first.is_some_and(|first| head(line).is_some_and(|head| head.name == first.name && head.style == first.style))
}

/// The items of a list with bullets; the first line of each stands behind its bullet.
fn split_items<'t>(lines: &[Line<'t>]) -> Vec<Vec<Line<'t>>> {
    let column = lines[0].indent;
    let mut items: Vec<Vec<Line<'t>>> = Vec::new();
    for line in lines {
        match line.behind_bullet() {
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
