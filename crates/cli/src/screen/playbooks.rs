//! Playbooks on screen: a list by where they come from, or one of them to read.
//! Given what the catalog has; hands on text. Deliberately absent: reading files, and weighing.

use s2s::catalog::Problem;
use s2s::catalog::playbook::{Playbook, PlaybookOption, Signal};
use s2s::matrix::{named, number};
use unicode_width::UnicodeWidthStr;

use super::excerpt::excerpt;
use super::marks::{Mark, Tone};
use super::page::Page;
use super::wrap::{clipped, one_line};
use super::{Style, words};

/// Where what is said of a playbook starts.
const INDENT: usize = 4;
/// The widest name of a criterion in a table.
const WIDEST_NAME: usize = 32;

/// A playbook in a list.
#[derive(Debug, Clone)]
pub struct PlaybookRow {
    /// Its name.
    pub name: String,
    /// Its subject.
    pub subject: String,
    /// The names of its options.
    pub options: Vec<String>,
    /// How many criteria it has.
    pub criteria: usize,
    /// Year and month.
    pub as_of: String,
    /// Its file, where it is the project's own.
    pub file: Option<String>,
    /// Sentences that are still to be written; with any it is not used.
    pub unwritten: usize,
}

/// Every playbook in force.
pub fn playbooks(rows: &[PlaybookRow], problems: &[Problem], style: &Style) -> String {
    let mut page = Page::new(style);
    for (heading, own) in [("The project's own, .s2s/playbooks", true), ("Built-in", false)] {
        let rows: Vec<&PlaybookRow> = rows.iter().filter(|row| row.file.is_some() == own).collect();
        if !rows.is_empty() {
            page.gap();
            page.line(0, &[(&format!("{heading} ({})", rows.len()), Tone::Title)]);
        }
        for row in rows {
            let about = format!("  {}, as of {}", one_line(&row.subject), one_line(&row.as_of));
            let open = match row.unwritten {
                0 => String::new(),
                open => format!("  (not used: {} still to be written)", words::count(open, "sentence")),
            };
            page.line(2, &[(&one_line(&row.name), Tone::Label), (&about, Tone::Plain), (&open, Tone::Warning)]);
            page.paragraph(INDENT, &words::listed(&row.options), Tone::Quiet);
        }
    }
    if !problems.is_empty() {
        page.gap();
        page.line(0, &[(&format!("Cannot be used ({})", words::count(problems.len(), "problem")), Tone::Title)]);
        let mark = Mark::Alert.text(style.ascii);
        for problem in problems {
            page.paragraph(2, &format!("{mark} {problem}"), Tone::Plain);
            excerpt(problem, style).iter().for_each(|line| page.line(4, &[(line, Tone::Quiet)]));
        }
    }
    page.gap();
    page.paragraph(0, "Read one: s2s playbook show NAME", Tone::Quiet);
    page.paragraph(0, "One of your own: s2s playbook new NAME (docs/playbooks.md)", Tone::Quiet);
    page.finish()
}

/// One playbook, to read.
pub fn playbook(playbook: &Playbook, row: &PlaybookRow, style: &Style) -> String {
    let mut page = Page::new(style);
    page.title(&format!("Playbook: {}", playbook.subject), Tone::Title);
    page.row("Decides", &playbook.decides);
    page.row("As of", &playbook.as_of);
    page.row_whole("File", row.file.as_deref().unwrap_or("built-in"));
    page.label("Found by");
    page.flow(&playbook.names);
    if row.unwritten > 0 {
        page.label("Warning");
        let open = words::count(row.unwritten, "sentence");
        page.item(Mark::Alert, "", &format!("not used: {open} still to be written"));
    }
    table(&mut page, playbook);
    for option in &playbook.options {
        one_option(&mut page, playbook, option);
    }
    page.part("Whichever wins");
    for practice in &playbook.whichever {
        page.item(Mark::Done, "", &practice.text);
    }
    if !playbook.signals.is_empty() {
        page.part("What is listened for");
        playbook.signals.iter().for_each(|signal| heard(&mut page, playbook, signal));
    }
    page.part("When this changes");
    playbook.changes.iter().for_each(|change| page.value(change));
    page.finish()
}

/// Options and criteria side by side; options are letters, so that six of them fit.
fn table(page: &mut Page<'_>, playbook: &Playbook) {
    page.part("Options and criteria, 1 to 5");
    page.label("Options");
    for (at, option) in playbook.options.iter().enumerate() {
        page.value(&format!("{}  {}", letter(at), named(&option.name)));
    }
    page.gap();
    let longest = playbook.criteria.iter().map(|criterion| criterion.name.width()).max().unwrap_or_default();
    let room = page.style().columns().saturating_sub(INDENT + playbook.options.len() * 4);
    let width = longest.min(WIDEST_NAME).min(room).max(8);
    let ascii = page.style().ascii;
    let line = |name: &str, cells: Vec<String>| {
        let name = clipped(&one_line(name), width, ascii);
        let cells: String = cells.iter().map(|cell| format!("{cell:>4}")).collect();
        format!("{name}{}{cells}", " ".repeat(width.saturating_sub(name.width())))
    };
    let letters = (0..playbook.options.len()).map(letter).collect();
    page.line(INDENT, &[(&line("Criterion", letters), Tone::Label)]);
    for criterion in &playbook.criteria {
        let score = |option: &PlaybookOption| {
            option.cells.get(&criterion.id).map_or_else(|| "-".to_owned(), |cell| cell.score.to_string())
        };
        page.line(
            INDENT,
            &[(&line(&named(&criterion.name), playbook.options.iter().map(score).collect()), Tone::Plain)],
        );
    }
}

fn one_option(page: &mut Page<'_>, playbook: &Playbook, option: &PlaybookOption) {
    page.part(&named(&option.name));
    page.value(&option.what);
    page.label("Right when");
    option.right_when.iter().for_each(|clause| page.value(clause));
    page.row("Revisit when", &option.revisit_when);
    page.row("Start with", &option.start_with);
    page.label("Reasons");
    for criterion in &playbook.criteria {
        if let Some(cell) = option.cells.get(&criterion.id) {
            page.value(&format!("{}: {}. {}", named(&criterion.name), cell.score, cell.why));
        }
    }
    page.label("Risks");
    for risk in &option.risks {
        page.item(Mark::Alert, "", &risk.risk);
        page.remark(&risk.mitigation);
    }
    page.label("Also called");
    page.flow(&option.aliases);
}

fn heard(page: &mut Page<'_>, playbook: &Playbook, signal: &Signal) {
    let criterion =
        playbook.criterion(&signal.criterion).map_or(signal.criterion.as_str(), |known| known.name.as_str());
    let sign = if signal.shift < 0.0 { "-" } else { "+" };
    let mut effect = vec![format!("{criterion} {sign}{}", number(signal.shift.abs()))];
    for (option, lift) in &signal.lifts {
        let name = playbook.option(option).map_or(option.as_str(), |known| known.name.as_str());
        effect.push(format!("{name} {lift:+}"));
    }
    page.label("Heard");
    page.flow(&signal.when);
    page.remark(&format!("{}: {}", effect.join(", "), signal.why));
}

fn letter(at: usize) -> String {
    u8::try_from(at).ok().filter(|at| *at < 26).map_or_else(|| "?".to_owned(), |at| char::from(b'A' + at).to_string())
}
