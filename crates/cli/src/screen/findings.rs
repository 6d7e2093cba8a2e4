//! What a validation found, on screen: each finding with its place and what to do next, errors before warnings.
//! Given a report; hands on text. Deliberately absent: the checks.

use s2s::catalog::Problem;
use s2s::register::{Finding, Report, Severity};

use super::excerpt::excerpt;
use super::marks::{Mark, Tone};
use super::page::Page;
use super::wrap::one_line;
use super::{Style, words};

/// More findings of a severity are only counted: a person mends the first ones first. Programs get all.
const MOST: usize = 50;

/// The report; `up` is the way from here to the project's folder.
pub fn findings(report: &Report, only: Option<&str>, up: &str, style: &Style) -> String {
    let mut page = Page::new(style);
    page.paragraph(0, &checked(report, only), Tone::Plain);
    for note in &report.notes {
        page.paragraph(0, &format!("note: {note}"), Tone::Quiet);
    }
    for (severity, name) in [(Severity::Error, "Errors"), (Severity::Warning, "Warnings")] {
        let found: Vec<&Finding> = report.findings.iter().filter(|finding| finding.severity == severity).collect();
        if found.is_empty() {
            continue;
        }
        page.gap();
        page.line(0, &[(&format!("{name} ({})", found.len()), Tone::Title)]);
        found.iter().take(MOST).for_each(|finding| one(&mut page, finding, up));
        if found.len() > MOST {
            let more = format!("and {} more; --json lists all", found.len() - MOST);
            page.paragraph(2, &more, Tone::Quiet);
        }
    }
    page.gap();
    if report.findings.is_empty() {
        page.paragraph(0, "Everything holds.", Tone::Good);
    } else if report.is_sound() {
        page.paragraph(0, "Everything holds. The warnings are for somebody to know.", Tone::Plain);
    }
    page.finish()
}

fn checked(report: &Report, only: Option<&str>) -> String {
    let what = only.map_or_else(|| words::count(report.sessions, "session"), one_line);
    format!(
        "{what}: {}, {}, {} checked; schema, digests, ids, references, agenda, ballots, documents",
        words::count(report.rounds, "round"),
        words::count(report.artifacts, "artifact"),
        match report.tallies {
            1 => "1 tally".to_owned(),
            n => format!("{n} tallies"),
        }
    )
}

fn one(page: &mut Page<'_>, finding: &Finding, up: &str) {
    let style = *page.style();
    let mark = if finding.severity == Severity::Error { Mark::Failed } else { Mark::Alert };
    let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
    let mut place = format!("{up}{}{line}", one_line(&finding.file.display().to_string()));
    if let Some(round) = finding.round {
        place.push_str(&format!(", round {round}"));
    }
    page.line(2, &[(mark.text(style.ascii), mark.tone()), (" ", Tone::Plain), (&place, Tone::Quiet)]);
    page.paragraph(4, &finding.what, Tone::Plain);
    in_file(finding, up, &style).iter().for_each(|line| page.line(4, &[(line, Tone::Quiet)]));
    page.paragraph(4, &format!("next: {}", finding.next), Tone::Quiet);
}

/// The line of a file that does not parse. A round is many lines, and its first says nothing.
fn in_file(finding: &Finding, up: &str, style: &Style) -> Vec<String> {
    let is_yaml = finding.file.extension().is_some_and(|name| name == "yaml");
    match finding.line.filter(|_| is_yaml && finding.round.is_none()) {
        Some(line) => {
            let file = format!("{up}{}", finding.file.display());
            excerpt(&Problem { file, line, column: 0, what: String::new(), allowed: None }, style)
        }
        None => Vec::new(),
    }
}
