//! What is left over, on screen: by kind, with sizes, and what is kept although it is old.
//! Given leftovers and what is spared; hands on text. Deliberately absent: asking, and putting away.

use jiff::Timestamp;
use s2s::store::{Leftover, LeftoverKind, Spared};

use super::marks::Tone;
use super::page::Page;
use super::wrap::{clipped, one_line};
use super::{Style, words};

/// What would be put away, and what would not.
pub fn leftovers(found: &[Leftover], spared: &[Spared], purge: bool, now: Timestamp, style: &Style) -> String {
    let mut page = Page::new(style);
    if found.is_empty() {
        page.paragraph(0, "Nothing is left over that is old enough.", Tone::Plain);
    }
    use LeftoverKind::{Orphan, Session, Temporary, Torn, Trash};
    for kind in [Session, Orphan, Torn, Temporary, Trash] {
        let rows: Vec<&Leftover> = found.iter().filter(|leftover| leftover.kind == kind).collect();
        if rows.is_empty() {
            continue;
        }
        page.gap();
        let size = words::bytes(rows.iter().map(|leftover| leftover.bytes).sum());
        page.line(0, &[(&format!("{} ({}, {size})", heading(kind), rows.len()), Tone::Title)]);
        rows.iter().for_each(|leftover| one(&mut page, leftover, now));
    }
    if !spared.is_empty() {
        page.gap();
        page.line(0, &[(&format!("Kept all the same ({})", spared.len()), Tone::Title)]);
        for spared in spared {
            page.line(2, &[(&one_line(&spared.name), Tone::Plain)]);
            page.paragraph(4, &spared.why, Tone::Quiet);
        }
    }
    if !found.is_empty() {
        page.gap();
        let size = words::bytes(found.iter().map(|leftover| leftover.bytes).sum());
        let what = if purge { "would be deleted for good" } else { "would be moved to .s2s/trash" };
        page.paragraph(0, &format!("{} ({size}) {what}.", words::count(found.len(), "thing")), Tone::Plain);
    }
    page.finish()
}

fn heading(kind: LeftoverKind) -> &'static str {
    match kind {
        LeftoverKind::Session => "Ended sessions",
        LeftoverKind::Orphan => "Session folders without minutes (are these on another branch?)",
        LeftoverKind::Torn => "Unfinished lines of tapes",
        LeftoverKind::Temporary => "Temporary files",
        LeftoverKind::Trash => "In the trash",
    }
}

fn one(page: &mut Page<'_>, leftover: &Leftover, now: Timestamp) {
    let style = *page.style();
    let dot = if style.ascii { " | " } else { " · " };
    let status = leftover.status.filter(|_| leftover.kind == LeftoverKind::Session).map(|status| status.to_string());
    let since = leftover.since.map(|since| words::ago(since, now));
    let facts: Vec<String> = status.into_iter().chain(since).chain([words::bytes(leftover.bytes)]).collect();
    page.line(2, &[(&one_line(&leftover.name), Tone::Plain), ("  ", Tone::Plain), (&facts.join(dot), Tone::Quiet)]);
    if leftover.kind == LeftoverKind::Session && !leftover.topic.is_empty() {
        page.paragraph(4, &clipped(&leftover.topic, style.columns() - 4, style.ascii), Tone::Quiet);
    }
}
