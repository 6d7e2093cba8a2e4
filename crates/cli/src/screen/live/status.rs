//! The status line: which round of how many, its phase, who has answered, what was used so far, for how long.
//! Given the table and the time; hands on one line or two. What matters least goes first where there is no room.
//! Deliberately absent: the seats, which have lines of their own.

use std::time::Duration;

use s2s::roundtable::dollars;
use unicode_width::UnicodeWidthStr;

use super::super::marks::Tone;
use super::super::wrap::one_line;
use super::super::{Style, words};
use super::draw::{clipped_from, elapsed, painted};
use super::table::{Doing, Expected, Spent, Table};

/// The status in at most so many lines.
pub(super) fn lines(table: &Table, now: Duration, columns: usize, most: usize, style: &Style) -> Vec<String> {
    let mut parts = parts(table, now);
    let dot = if style.ascii { " | " } else { " · " };
    let mut ranks: Vec<u8> = parts.iter().map(|(rank, _)| *rank).collect();
    ranks.sort_unstable();
    // One after the other by rank, as long as there is room; the first one stays in any case.
    let mut kept: Vec<u8> = Vec::new();
    for rank in ranks {
        kept.push(rank);
        let tried = flowed(parts.iter().filter(|(rank, _)| kept.contains(rank)), columns, dot);
        let fits = tried.len() <= most && tried.iter().all(|line| line.width() <= columns);
        if !fits && kept.len() > 1 {
            kept.pop();
        }
    }
    parts.retain(|(rank, _)| kept.contains(rank));
    let lines = flowed(parts.iter(), columns, dot);
    let clipped = lines.iter().take(most).map(|line| clipped_from(line, columns, style));
    clipped.map(|line| painted(&[(&line, Tone::Quiet)], style)).collect()
}

/// What there is to say, in its order, each with a rank of its own: the lowest matters most.
fn parts(table: &Table, now: Duration) -> Vec<(u8, String)> {
    let mut parts = Vec::new();
    if table.round > 0 {
        parts.push((0, format!("Round {} of at most {}", table.round, table.max_rounds)));
        let ballot = if table.ballot { ", ballot" } else { "" };
        parts.push((3, format!("{}{ballot}", one_line(&table.phase))));
    }
    if !table.seats.is_empty() {
        parts.push((4, answered(table)));
    }
    let Spent { calls, tokens, usd } = table.spent;
    if calls > 0 {
        parts.push((5, words::count(calls as usize, "call")));
    }
    if tokens > 0 {
        parts.push((6, format!("{} tokens", words::thousands(tokens))));
    }
    if let Some(cost) = cost(usd, table.expected) {
        parts.push((2, cost));
    }
    parts.push((1, elapsed(now.saturating_sub(table.began) + table.before)));
    parts
}

fn answered(table: &Table) -> String {
    let count = |fits: fn(&Doing) -> bool| table.seats.iter().filter(|place| fits(&place.doing)).count();
    let failed = match count(|doing| matches!(doing, Doing::Failed { .. })) {
        0 => String::new(),
        failed => format!(", {failed} failed"),
    };
    let answered = count(|doing| matches!(doing, Doing::Done { .. }));
    format!("{answered} of {} answered{failed}", table.seats.len())
}

/// What it cost so far, and what the whole session will.
pub(in crate::screen) fn cost(usd: f64, expected: Option<Expected>) -> Option<String> {
    let spent = dollars(usd);
    match expected {
        Some(expected) if usd <= expected.likely_usd => {
            Some(format!("{spent} of about {}", dollars(expected.likely_usd)))
        }
        Some(expected) => Some(format!("{spent} of at most {}", dollars(expected.most_usd))),
        None if usd > 0.0 => Some(spent),
        None => None,
    }
}

fn flowed<'a>(parts: impl Iterator<Item = &'a (u8, String)>, columns: usize, dot: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (_, part) in parts {
        match lines.last_mut() {
            Some(line) if line.width() + dot.width() + part.width() <= columns => {
                line.push_str(dot);
                line.push_str(part);
            }
            _ => lines.push(format!("  {part}")),
        }
    }
    lines
}
