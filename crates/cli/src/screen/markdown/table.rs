//! A table of a reply: columns side by side where they fit, else a row after the other.
//! Given cells as they are said; hands on lines. The first row is the head. Deliberately absent: alignment, and tones
//! inside a cell.

use unicode_width::UnicodeWidthStr;

use super::super::marks::Tone;
use super::Line;
use super::flow::Flow;

/// A table with more columns is never drawn side by side.
const MOST_COLUMNS: usize = 12;

/// A table being said.
#[derive(Debug, Default)]
pub(super) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn row(&mut self) {
        self.rows.push(Vec::new());
    }

    pub(super) fn cell(&mut self) {
        self.rows.iter_mut().next_back().into_iter().for_each(|row| row.push(String::new()));
    }

    pub(super) fn say(&mut self, text: &str) {
        if let Some(cell) = self.rows.last_mut().and_then(|row| row.last_mut()) {
            cell.extend(text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }));
        }
    }

    /// The lines of it.
    pub(super) fn lines(mut self, room: usize, ascii: bool) -> Vec<Line> {
        self.rows.iter_mut().flatten().for_each(|cell| *cell = cell.trim().to_owned());
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widest = |at: usize| self.rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.width()).max();
        let widths: Vec<usize> = (0..columns).map(|at| widest(at).unwrap_or(0)).collect();
        let whole = widths.iter().sum::<usize>() + 3 * columns.saturating_sub(1);
        match columns <= MOST_COLUMNS && whole <= room {
            true => self.side_by_side(&widths, ascii),
            false => self.one_after_the_other(room),
        }
    }

    fn side_by_side(&self, widths: &[usize], ascii: bool) -> Vec<Line> {
        let (bar, line, cross) = if ascii { (" | ", "-", "-+-") } else { (" │ ", "─", "─┼─") };
        let mut lines = Vec::new();
        for (number, row) in self.rows.iter().enumerate() {
            let tone = if number == 0 { Tone::Title } else { Tone::Plain };
            let mut pieces = Line::new();
            for (at, width) in widths.iter().enumerate() {
                if at > 0 {
                    pieces.push((bar.to_owned(), Tone::Quiet));
                }
                let cell = row.get(at).map_or("", String::as_str);
                pieces.push((cell.to_owned(), tone));
                pieces.push((" ".repeat(width.saturating_sub(cell.width())), Tone::Plain));
            }
            lines.push(pieces);
            if number == 0 {
                let rule: Vec<String> = widths.iter().map(|width| line.repeat(*width)).collect();
                lines.push(vec![(rule.join(cross), Tone::Quiet)]);
            }
        }
        lines
    }

    /// Each row as its cells under each other, each with the name of its column.
    fn one_after_the_other(&self, room: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        let head = self.rows.first().map(Vec::as_slice).unwrap_or_default();
        for row in self.rows.iter().skip(1) {
            if !lines.is_empty() {
                lines.push(Line::new());
            }
            for (at, cell) in row.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
                let mut flow = Flow::default();
                if let Some(name) = head.get(at).filter(|name| !name.is_empty()) {
                    flow.say(&format!("{name}:"), Tone::Title);
                    flow.say(" ", Tone::Plain);
                }
                flow.say(cell, Tone::Plain);
                lines.extend(flow.lines(room));
            }
        }
        lines
    }
}
