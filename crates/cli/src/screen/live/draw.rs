//! Draws the table while a round runs: the question, a line for each seat, the facilitator.
//! Given the table, the time, a terminal's size and a style; hands on lines that fit it, however small it is. Pure: the
//! same table at the same time gives the same lines. Deliberately absent: the status line (`status.rs`), and terminals.

use std::time::Duration;

use s2s::engine::step::CallKind;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::super::marks::{Mark, Tone};
use super::super::wrap::{clipped, one_line, wrapped};
use super::super::{Style, words};
use super::region::Size;
use super::status;
use super::table::{Doing, Place, Table};

/// The widest region; wider terminals leave the rest empty.
const WIDEST: usize = 160;
/// The narrowest region that is drawn as such; below it the terminal cuts the lines.
const NARROWEST: usize = 16;
/// The most lines of a question.
const QUESTION: usize = 3;
/// The longest name that is not clipped, where there is room.
const LONGEST_NAME: usize = 24;

/// The most marks on one letter.
const MARKS: usize = 4;

/// The lines of the region.
pub(super) fn lines(table: &Table, now: Duration, size: Size, style: &Style) -> Vec<String> {
    // The last column stays empty: some terminals break a line that fills it.
    let columns = size.columns.clamp(NARROWEST, WIDEST) - 1;
    let rows = size.rows.saturating_sub(1).max(1);
    let status = status::lines(table, now, columns, if rows >= 8 { 2 } else { 1 }, style);
    let mut left = rows - status.len().min(rows);
    let facilitator = table.facilitator.as_ref().filter(|_| left > 0);
    left -= usize::from(facilitator.is_some());
    // The seats come first; the question gets what they leave, and one line where it can.
    let for_question = left.saturating_sub(table.seats.len()).clamp(usize::from(left > 3), QUESTION.min(left));
    let question = question(&table.question, columns, for_question, style);
    left -= question.len();
    let mut lines = Vec::new();
    let seats = seats(table, now, columns, left, style);
    if left > seats.len() {
        lines.push(String::new());
    }
    lines.extend(question);
    lines.extend(seats);
    lines.extend(facilitator.map(|place| place_line(place, names(table, columns), now, columns, style)));
    lines.extend(status);
    lines
}

fn question(text: &str, columns: usize, most: usize, style: &Style) -> Vec<String> {
    if text.trim().is_empty() || most == 0 {
        return Vec::new();
    }
    let (label, indent) = if columns >= 50 { ("Question", 12) } else { ("", 2) };
    let room = columns - indent;
    let mut all = wrapped(&tamed(&one_line(text)), room);
    if all.len() > most {
        let rest = all.split_off(most - 1).join(" ");
        all.push(clipped(&rest, room, style.ascii));
    }
    let mut lines = Vec::new();
    for (at, text) in all.iter().enumerate() {
        let label = if at == 0 { label } else { "" };
        let gap = " ".repeat(indent - 2 - label.width());
        lines.push(painted(
            &[("  ", Tone::Plain), (label, Tone::Label), (&gap, Tone::Plain), (text, Tone::Plain)],
            style,
        ));
    }
    lines
}

/// A line for each seat; those that do not fit are counted, and those with an answer are left out first.
fn seats(table: &Table, now: Duration, columns: usize, most: usize, style: &Style) -> Vec<String> {
    let width = names(table, columns);
    let line = |place: &Place| place_line(place, width, now, columns, style);
    if table.seats.len() <= most {
        return table.seats.iter().map(line).collect();
    }
    let Some(shown) = most.checked_sub(1) else { return Vec::new() };
    let mut by_need: Vec<usize> = (0..table.seats.len()).collect();
    by_need.sort_by_key(|at| need(&table.seats[*at]));
    let mut kept: Vec<usize> = by_need[..shown].to_vec();
    kept.sort_unstable();
    let mut lines: Vec<String> = kept.iter().map(|at| line(&table.seats[*at])).collect();
    let folded = by_need[shown..].iter().map(|at| &table.seats[*at]);
    let text = format!("  and {} more: {}", by_need.len() - shown, counts(folded));
    lines.push(painted(&[(&clipped_from(&text, columns, style), Tone::Quiet)], style));
    lines
}

/// What is worth a line first.
fn need(place: &Place) -> u8 {
    match place.doing {
        Doing::Speaking(_) | Doing::Thinking if place.again.is_some() => 0,
        Doing::Failed { .. } => 1,
        Doing::Speaking(_) => 2,
        Doing::Thinking => 3,
        Doing::Done { .. } => 4,
        Doing::Waiting => 5,
    }
}

/// How many do what, in words.
fn counts<'a>(places: impl Iterator<Item = &'a Place>) -> String {
    let mut counts = [0_usize; 4];
    for place in places {
        counts[match place.doing {
            Doing::Done { .. } => 0,
            Doing::Thinking | Doing::Speaking(_) => 1,
            Doing::Failed { .. } => 2,
            Doing::Waiting => 3,
        }] += 1;
    }
    let words = ["answered", "thinking", "without an answer", "waiting"];
    let told = counts.iter().zip(words).filter(|(count, _)| **count > 0).map(|(count, word)| format!("{count} {word}"));
    words::listed(&told.collect::<Vec<_>>())
}

/// How wide the names are drawn.
fn names(table: &Table, columns: usize) -> usize {
    let all = table.seats.iter().chain(&table.facilitator).map(|place| one_line(&place.name).width());
    all.max().unwrap_or(0).min(LONGEST_NAME).min(columns / 3)
}

/// One line: a mark, the name, what they do.
fn place_line(place: &Place, width: usize, now: Duration, columns: usize, style: &Style) -> String {
    let (mark, tone) = mark(place);
    let mark = mark.text(style.ascii);
    let name = clipped(&tamed(&place.name), width, style.ascii);
    let gap = " ".repeat(width - name.width().min(width) + 2);
    let taken = 2 + mark.width() + 1 + name.width() + gap.width();
    let room = columns.saturating_sub(taken);
    let (before, before_tone, text, text_tone) = said(place, now, columns, style);
    let before = clipped_from(&before, room, style);
    let text = match room.saturating_sub(before.width() + 2) {
        room if room >= 4 && !text.is_empty() => format!("  {}", clipped(&tamed(&text), room, style.ascii)),
        _ => String::new(),
    };
    let pieces = [
        ("  ", Tone::Plain),
        (mark, tone),
        (" ", Tone::Plain),
        (name.as_str(), Tone::Title),
        (gap.as_str(), Tone::Plain),
        (before.as_str(), before_tone),
        (text.as_str(), text_tone),
    ];
    painted(&pieces, style)
}

fn mark(place: &Place) -> (Mark, Tone) {
    let mark = match place.doing {
        Doing::Waiting => Mark::Open,
        Doing::Thinking if place.again.is_some() => Mark::Alert,
        Doing::Thinking | Doing::Speaking(_) => Mark::Partly,
        Doing::Done { .. } => Mark::Done,
        Doing::Failed { .. } => Mark::Failed,
    };
    (mark, mark.tone())
}

/// What is said of somebody: in short, and in their own words or those of a fault.
fn said(place: &Place, now: Duration, columns: usize, style: &Style) -> (String, Tone, String, Tone) {
    let time = elapsed(now.saturating_sub(place.since));
    match &place.doing {
        Doing::Waiting => ("waiting".to_owned(), Tone::Quiet, String::new(), Tone::Plain),
        Doing::Thinking => {
            let verb = verb(place.kind, false);
            match &place.again {
                Some((attempt, why)) => (format!("try {attempt}, {time}"), Tone::Warning, one_line(why), Tone::Warning),
                None => (format!("{verb} {time}"), Tone::Quiet, String::new(), Tone::Plain),
            }
        }
        Doing::Speaking(words) => {
            (format!("{} {time}", verb(place.kind, true)), Tone::Quiet, words.clone(), Tone::Plain)
        }
        Doing::Done { confidence, position, .. } => {
            let bar = confidence.map(|value| bar(value, if columns < 79 { 5 } else { 10 }, style)).unwrap_or_default();
            (bar, Tone::Good, one_line(position), Tone::Plain)
        }
        Doing::Failed { why, took } => (format!("no answer, {}", elapsed(*took)), Tone::Bad, one_line(why), Tone::Bad),
    }
}

fn verb(kind: CallKind, speaks: bool) -> &'static str {
    match (kind, speaks) {
        (CallKind::Sides, _) => "deals the sides",
        (CallKind::Question, false) => "thinks of a question",
        (CallKind::Question, true) => "asks",
        (CallKind::Response | CallKind::Followup, false) => "thinking",
        (CallKind::Response | CallKind::Followup, true) => "answering",
        (CallKind::Synthesis, _) => "sums up",
    }
}

/// A confidence as a bar and a number.
fn bar(value: f64, cells: usize, style: &Style) -> String {
    let full = ((value.clamp(0.0, 1.0) * cells as f64).round() as usize).min(cells);
    let (on, off) = if style.ascii { ("#", ".") } else { ("▰", "▱") };
    format!("{}{} {}", on.repeat(full), off.repeat(cells - full), words::confidence(value))
}

/// A time in whole seconds: it moves once a second.
pub(super) fn elapsed(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds @ 60..3_600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        seconds => format!("{} h {:02} min", seconds / 3_600, seconds / 60 % 60),
    }
}

/// The same text with few marks on each letter: hundreds of them take no column, and fill a screen all the same.
fn tamed(text: &str) -> String {
    let mut marks = 0;
    let few = |c: &char| {
        marks = if c.width() == Some(0) { marks + 1 } else { 0 };
        marks <= MARKS
    };
    text.chars().filter(few).collect()
}

/// As [`clipped`], with the blanks at its start kept. The text must be clean.
pub(super) fn clipped_from(text: &str, columns: usize, style: &Style) -> String {
    let words = text.trim_start();
    let indent = (text.len() - words.len()).min(columns);
    format!("{}{}", " ".repeat(indent), clipped(words, columns - indent, style.ascii))
}

/// Pieces of a line with their colours, without blanks at its end. The pieces must be clean.
pub(super) fn painted(pieces: &[(&str, Tone)], style: &Style) -> String {
    let last = pieces.iter().rposition(|(text, _)| !text.trim().is_empty()).map_or(0, |at| at + 1);
    let mut line = String::new();
    for (text, tone) in &pieces[..last] {
        if !style.color || *tone == Tone::Plain || text.trim().is_empty() {
            line.push_str(text);
        } else {
            let ansi = tone.ansi();
            line.push_str(&format!("{ansi}{text}{ansi:#}"));
        }
    }
    line
}
