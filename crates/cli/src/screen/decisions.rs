//! Decisions on screen: a list of those that hold and those that do not, or one of them with its text.
//! Given rows; hands on text. What is not in order stands with its record. Deliberately absent: reading files.

use s2s::decisions::Decision;

use super::Style;
use super::marks::{Mark, Tone};
use super::page::Page;
use super::wrap::one_line;

/// Where what is said of a decision starts.
const INDENT: usize = 4;

/// Every decision, those that hold first.
pub fn decisions(rows: &[Decision], style: &Style) -> String {
    let mut page = Page::new(style);
    if rows.is_empty() {
        page.paragraph(
            0,
            "There is no decision yet. A roundtable writes one: s2s roundtable start \"your question\"",
            Tone::Plain,
        );
        return page.finish();
    }
    let (live, past): (Vec<&Decision>, Vec<&Decision>) = rows.iter().partition(|row| row.is_live());
    for (title, rows) in [("Decisions", live), ("No longer in force", past)] {
        if !rows.is_empty() {
            page.gap();
            page.line(0, &[(&format!("{title} ({})", rows.len()), Tone::Title)]);
        }
        rows.iter().for_each(|row| listed(&mut page, row));
    }
    page.gap();
    page.paragraph(0, "One of them: s2s adr show NAME. Decide it anew: s2s adr reopen NAME", Tone::Quiet);
    page.finish()
}

fn listed(page: &mut Page<'_>, row: &Decision) {
    let mark = Mark::Alert.text(page.style().ascii);
    page.line(2, &[(&one_line(&row.name), Tone::Label)]);
    if row.title != row.name {
        page.paragraph(INDENT, &row.title, Tone::Plain);
    }
    let from = row.session.as_ref().filter(|session| **session != row.name).map(|session| format!("session {session}"));
    let said = [row.status.clone(), row.date.clone(), supersedes(row), from];
    let said: Vec<String> = said.into_iter().flatten().collect();
    if !said.is_empty() {
        page.paragraph(INDENT, &said.join(", "), Tone::Quiet);
    }
    row.problems.iter().for_each(|problem| page.paragraph(INDENT, &format!("{mark} {problem}"), Tone::Warning));
}

fn supersedes(row: &Decision) -> Option<String> {
    (!row.supersedes.is_empty()).then(|| format!("supersedes {}", row.supersedes.join(" and ")))
}

/// One decision, with the text as it stands in its file.
pub fn decision(row: &Decision, text: &str, style: &Style) -> String {
    let mut page = Page::new(style);
    page.row_whole("Decision", &row.name);
    page.row("Title", &row.title);
    page.row("Status", row.status.as_deref().unwrap_or("none given"));
    let more = [
        ("Date", row.date.clone()),
        ("Session", row.session.clone()),
        ("Took over", (!row.supersedes.is_empty()).then(|| row.supersedes.join(", "))),
    ];
    for (label, value) in more {
        if let Some(value) = value {
            page.row(label, &value);
        }
    }
    page.row_whole("File", &row.path);
    page.label("Problems");
    row.problems.iter().for_each(|problem| page.item(Mark::Alert, "", problem));
    let mut drawn = page.finish();
    let text = s2s::clean::clean_text(text);
    drawn.push_str(&format!("\n{}\n", text.trim_end()));
    drawn
}
