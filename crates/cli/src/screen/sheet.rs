//! What a person with a seat is shown before they answer: the same that every seat is told, and nothing else (H1).
//! Given the sheet; hands on text. Deliberately absent: the asking.

use s2s::panel::Sheet;

use super::Style;
use super::marks::Tone;
use super::page::Page;

/// The sheet of one person.
pub fn sheet(sheet: &Sheet, style: &Style) -> String {
    let mut page = Page::new(style);
    page.title(&format!("Your turn, {}: round {}", sheet.name, sheet.round), Tone::Title);
    page.row("Topic", &sheet.topic);
    if let Some(reason) = &sheet.retry_reason {
        page.row("Again", &format!("your last answer could not be used: {reason}"));
    }
    let mut below: Vec<&str> = Vec::new();
    for line in sheet.told.lines() {
        match line.strip_prefix("# ") {
            Some(heading) => {
                part(&mut page, &mut below);
                page.heading(&super::wrap::one_line(heading));
            }
            None => below.push(line),
        }
    }
    part(&mut page, &mut below);
    page.finish()
}

fn part(page: &mut Page<'_>, lines: &mut Vec<&str>) {
    let text = lines.join("\n");
    lines.clear();
    if !text.trim().is_empty() {
        page.paragraph(4, &text, Tone::Plain);
    }
}
