//! Where an answer may begin: a line with a key, an opening brace, a table.
//! Given the text and a place in it; says whether one begins there. It reads no further than it must.

use crate::flow;
use crate::lines::{self, Line, Style, field_head};
use crate::node::Node;
use crate::schema::{Schema, Shape};

use super::Walk;

/// A table with the fields in its first row and the answer in the next; how many lines it takes.
pub(super) fn table<'t>(lines: &[Line<'t>], schema: &Schema) -> Option<(Node<'t>, usize)> {
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
pub(super) fn begins_document(lines: &[Line<'_>], walk: &Walk, schema: &Schema) -> bool {
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
pub(super) fn opening(text: &str, from: usize, end: usize) -> Option<usize> {
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
