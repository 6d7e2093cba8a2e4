//! Texts side by side, each under its name: two or three columns where the page is wide enough, else one below the
//! other. Given names and texts; draws onto a page. Deliberately absent: what the texts say.

use unicode_width::UnicodeWidthStr;

use super::markdown;
use super::marks::Tone;
use super::page::Page;
use super::wrap::wrapped;

/// The narrowest column that still reads well.
const NARROWEST: usize = 26;
/// Between two columns.
const BETWEEN: usize = 3;
/// Where the columns begin.
const INDENT: usize = 4;

/// Draws the texts side by side; false = there is no room, and nothing was drawn.
pub(super) fn side_by_side(page: &mut Page<'_>, heading: &str, texts: &[(String, &str)]) -> bool {
    let room = page.style().columns().saturating_sub(INDENT);
    let fits = |columns: usize| room >= columns * NARROWEST + (columns - 1) * BETWEEN;
    let most = texts.len().min(3);
    let Some(columns) = (2..=most).rev().find(|columns| fits(*columns)) else { return false };
    let width = (room - (columns - 1) * BETWEEN) / columns;
    page.heading(heading);
    for (at, row) in texts.chunks(columns).enumerate() {
        if at > 0 {
            page.gap();
        }
        let plain = |lines: Vec<String>, tone| lines.into_iter().map(|line| vec![(line, tone)]).collect();
        lines(page, row.iter().map(|(name, _)| plain(wrapped(name, width), Tone::Label)).collect(), width);
        let ascii = page.style().ascii;
        let drawn = |text: &str| {
            markdown::lines(text, width, ascii).unwrap_or_else(|| plain(wrapped(text, width), Tone::Plain))
        };
        lines(page, row.iter().map(|(_, text)| drawn(text)).collect(), width);
    }
    page.gap();
    true
}

/// A line of a column, in pieces with their tones.
type Pieces = Vec<(String, Tone)>;

fn lines(page: &mut Page<'_>, columns: Vec<Vec<Pieces>>, width: usize) {
    for at in 0..columns.iter().map(Vec::len).max().unwrap_or_default() {
        let cells: Vec<&[(String, Tone)]> =
            columns.iter().map(|lines| lines.get(at).map(Vec::as_slice).unwrap_or_default()).collect();
        line(page, &cells, width);
    }
}

fn line(page: &mut Page<'_>, cells: &[&[(String, Tone)]], width: usize) {
    let is_empty = |cell: &&[(String, Tone)]| cell.iter().all(|(text, _)| text.is_empty());
    let Some(last) = cells.iter().rposition(|cell| !is_empty(cell)) else { return page.line(0, &[]) };
    let mut gaps = Vec::with_capacity(last);
    for cell in &cells[..last] {
        let taken: usize = cell.iter().map(|(text, _)| text.width()).sum();
        gaps.push(" ".repeat(width.saturating_sub(taken) + BETWEEN));
    }
    let mut pieces: Vec<(&str, Tone)> = Vec::new();
    for (at, cell) in cells[..=last].iter().enumerate() {
        pieces.extend(cell.iter().map(|(text, tone)| (text.as_str(), *tone)));
        pieces.extend(gaps.get(at).map(|gap| (gap.as_str(), Tone::Plain)));
    }
    page.line(INDENT, &pieces);
}
