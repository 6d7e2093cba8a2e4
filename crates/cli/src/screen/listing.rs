//! The list of sessions on screen: grouped by status, the current one marked.
//! Given the rows of the store and the time; hands on text. A file that cannot be read is at the end,
//! with its problem. Deliberately absent: reading the folder.

use jiff::Timestamp;
use s2s::store::{Listed, Status};
use unicode_width::UnicodeWidthStr;

use super::marks::{Mark, Tone};
use super::page::Page;
use super::wrap::{clipped, one_line};
use super::{Style, words};

/// Fewer columns than this are not worth a topic's beginning: it gets its own line.
const SHORTEST_TOPIC: usize = 20;

/// The list of sessions, newest first in each group.
pub fn listing(sessions: &[Listed], current: Option<&str>, now: Timestamp, style: &Style) -> String {
    let mut page = Page::new(style);
    if sessions.is_empty() {
        page.paragraph(0, "No roundtable has been held here yet. Start one with", Tone::Plain);
        page.gap();
        page.commands(&[("s2s roundtable start \"REST or GraphQL for our public API?\"".to_owned(), "")]);
        return page.finish();
    }
    for status in Status::ALL {
        let readable = |row: &&Listed| row.problem.is_none() && row.status == Some(*status);
        let rows: Vec<&Listed> = sessions.iter().filter(readable).rev().collect();
        if !rows.is_empty() {
            group(&mut page, heading(*status), rows.len());
        }
        for row in rows {
            session(&mut page, row, current == Some(row.id.as_str()), now);
        }
    }
    let broken: Vec<&Listed> = sessions.iter().filter(|row| row.problem.is_some() || row.status.is_none()).collect();
    if !broken.is_empty() {
        group(&mut page, "Cannot be read", broken.len());
    }
    for row in broken {
        let mark = Mark::Alert.text(style.ascii);
        page.line(2, &[(mark, Tone::Warning), (" ", Tone::Plain), (&one_line(&row.id), Tone::Plain)]);
        page.paragraph(4, row.problem.as_deref().unwrap_or("its status is not known"), Tone::Quiet);
    }
    page.finish()
}

fn group(page: &mut Page<'_>, name: &str, number: usize) {
    page.gap();
    page.line(0, &[(&format!("{name} ({number})"), Tone::Title)]);
}

fn heading(status: Status) -> &'static str {
    match status {
        Status::Active => "Active",
        Status::Paused => "Paused",
        Status::Completed => "Completed",
        Status::Archived => "Archived",
    }
}

/// Two lines for a session; three where the topic would not fit.
fn session(page: &mut Page<'_>, row: &Listed, is_current: bool, now: Timestamp) {
    let style = *page.style();
    let mark = if is_current { Mark::Current.text(style.ascii) } else { " " };
    let id = one_line(&row.id);
    let note = if is_current { "  (current)" } else { "" };
    let age = age(row, now);
    let taken = 4 + id.width() + note.width();
    let beside = taken + 2 + age.width() <= style.columns();
    let space = " ".repeat(style.columns().saturating_sub(taken + age.width()));
    let mut pieces = vec![(mark, Tone::Title), (" ", Tone::Plain), (id.as_str(), Tone::Plain), (note, Tone::Good)];
    if beside && !age.is_empty() {
        pieces.extend([(space.as_str(), Tone::Plain), (age.as_str(), Tone::Quiet)]);
    }
    page.line(2, &pieces);

    let dot = if style.ascii { " | " } else { " · " };
    let rounds = words::count(row.total_rounds as usize, "round");
    let facts = [row.strategy.as_str(), &row.current_phase, &rounds, if beside { "" } else { &age }];
    let facts: Vec<String> = facts.iter().map(|fact| one_line(fact)).filter(|fact| !fact.is_empty()).collect();
    let facts = facts.join(dot);
    let left = style.columns().saturating_sub(4 + facts.width() + 3);
    if left >= SHORTEST_TOPIC.min(one_line(&row.topic).width()) {
        let topic = format!("{dot}{}", clipped(&row.topic, left, style.ascii));
        page.line(4, &[(&facts, Tone::Quiet), (&topic, Tone::Plain)]);
    } else {
        page.line(4, &[(&clipped(&facts, style.columns() - 4, style.ascii), Tone::Quiet)]);
        page.line(4, &[(&clipped(&row.topic, style.columns() - 4, style.ascii), Tone::Plain)]);
    }
}

/// What happened last, and how long ago.
fn age(row: &Listed, now: Timestamp) -> String {
    let ended = row.completed_at.map(|at| ("ended", at));
    let paused = row.paused_at.map(|at| ("paused", at));
    let last = match row.status {
        Some(Status::Completed | Status::Archived) => ended,
        Some(Status::Paused) => paused,
        _ => None,
    };
    let last = last.or(row.started.map(|at| ("started", at)));
    last.map(|(what, at)| format!("{what} {}", words::ago(at, now))).unwrap_or_default()
}
