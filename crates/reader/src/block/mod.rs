//! The grammar of lines: YAML, Markdown with headings or bold keys, tables, and all between them.
//! Given the line where a first known key stands; hands on the map from there to the end of the document.
//! The schema cuts: a field reaches to the next key of its record, whatever its text looks like.

mod anchors;
mod fences;
mod items;
mod keys;
mod values;

use std::borrow::Cow;

use fences::{Fences, Stands};
use keys::{add, belongs, breaks_off, column_of, complete, ends_document, keys_apart, stray_field};

use crate::budget::Budget;
use crate::lines::{Head, Line, Style, field_head, head};
use crate::node::{Doubts, Node};
use crate::plain::{self, Raw};
use crate::schema::Schema;

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
    let (mut regions, end) = block.regions(lines, schema, &head, Some(place.fence));
    block.comments = head.style == Style::Plain && plain::has_comments(&lines[..end]);
    block.cut |= breaks_off(&lines[..end], schema, &head);
    let apart = if complete(&regions, schema) { Vec::new() } else { keys_apart(&lines[..end], schema) };
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
    if place.text[lines[0].start..block.end.max(lines[0].start)].contains('&') {
        anchors::resolve(&mut node);
    }
    Some(Document { node, end: place.first + end, cut: block.cut, doubts: block.doubts })
}

/// More keys than these make no record.
const MOST_FIELDS: usize = 96;

/// A key and the lines up to the next one.
#[derive(Clone, Copy)]
struct Region<'a, 't> {
    /// Its place in the schema of the record it stands in.
    field: Option<usize>,
    /// Whether the record must have it and it is called by its own name.
    main: bool,
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
        let mut fences = Fences::new(top.flatten());
        let mut end = lines.len();
        for (at, line) in lines.iter().enumerate() {
            if line.is_blank() {
                continue;
            }
            match fences.pass(lines, at, first.indent) {
                Stands::Free => {}
                Stands::Fenced => continue,
                Stands::Ends => {
                    end = at;
                    break;
                }
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
            let main = new.0.map(|at| &schema.fields[at]);
            let main = main.is_some_and(|field| field.required && field.name == new.1.name);
            regions.push(Region { field: new.0, main, head: new.1, lines: &[] });
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
            let head = Head {
                name: "",
                style: Style::Plain,
                indent: line.indent,
                rest: *line,
                spaced: true,
                level: 0,
                table: false,
            };
            self.doubts.add("left out a line of the tool around the model");
            return Some((None, head));
        }
        let head = head(line)?;
        // A heading below the level of the fields belongs to the field it stands in.
        if head.level > first.level && first.level > 0 {
            return None;
        }
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
            None => Node::plain(region.head.rest.body),
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
}
