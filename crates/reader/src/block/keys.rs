//! Which lines begin a field and which belong to the one before: the rules for keys that stand oddly.
//! Given lines and the fields found so far; says where a field, or the document, ends.

use std::borrow::Cow;

use super::Region;
use crate::lines::{Head, Line, Style, field_head, head};
use crate::node::Node;
use crate::plain;
use crate::schema::{Schema, Shape};

/// Adds a field; the tables of one list follow each other.
pub(super) fn add<'t>(pairs: &mut Vec<(Cow<'t, str>, Node<'t>)>, head: &Head<'t>, node: Node<'t>) {
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
pub(super) fn belongs(line: &Line<'_>, open: &Region<'_, '_>, between: &[Line<'_>], schema: &Schema) -> bool {
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
pub(super) fn stray_field<'t>(
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
pub(super) fn breaks_off(lines: &[Line<'_>], schema: &Schema, first: &Head<'_>) -> bool {
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

/// The longest line that is searched for more than what it begins with.
const LONGEST_LINE: usize = 16_384;

/// The lines with every key on its own: `position: x; confidence: 0.8`, `**Position:** x **Confidence:** 0.8`.
pub(super) fn keys_apart<'t>(lines: &[Line<'t>], schema: &Schema) -> Vec<Line<'t>> {
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
pub(super) fn column_of(lines: &[Line<'_>], schema: &Schema, first: &Head<'_>) -> usize {
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
pub(super) fn complete(regions: &[Region<'_, '_>], schema: &Schema) -> bool {
    schema.required_missing(|at| regions.iter().any(|region| region.field == Some(at))).next().is_none()
}

/// Whether a line can no longer belong to the document: a rule, a closing tag, an object of its own.
pub(super) fn ends_document(lines: &[Line<'_>], at: usize, first: &Head<'_>) -> bool {
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
