//! Texts side by side, each under its name: two or three columns where the page is wide enough, else one below the
//! other. Given names and texts; draws onto a page. Deliberately absent: what the texts say.

use unicode_width::UnicodeWidthStr;

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
        lines(page, row.iter().map(|(name, _)| wrapped(name, width)).collect(), width, Tone::Label);
        lines(page, row.iter().map(|(_, text)| wrapped(text, width)).collect(), width, Tone::Plain);
    }
    page.gap();
    true
}

fn lines(page: &mut Page<'_>, columns: Vec<Vec<String>>, width: usize, tone: Tone) {
    for at in 0..columns.iter().map(Vec::len).max().unwrap_or_default() {
        let cells: Vec<String> = columns.iter().map(|lines| lines.get(at).cloned().unwrap_or_default()).collect();
        line(page, &cells, width, tone);
    }
}

fn line(page: &mut Page<'_>, cells: &[String], width: usize, tone: Tone) {
    let Some(last) = cells.iter().rposition(|cell| !cell.is_empty()) else { return page.line(0, &[]) };
    let padded: Vec<String> = cells[..=last]
        .iter()
        .enumerate()
        .map(|(at, cell)| {
            let after = if at == last { 0 } else { width.saturating_sub(cell.width()) + BETWEEN };
            format!("{cell}{}", " ".repeat(after))
        })
        .collect();
    let pieces: Vec<(&str, Tone)> = padded.iter().map(|cell| (cell.as_str(), tone)).collect();
    page.line(INDENT, &pieces);
}
