//! The decision matrix on screen: options and seats get a letter or a number, so that five options and ten criteria fit into
//! 60 columns. Given the matrices kept beside a session; hands on text. Deliberately absent: counting, and the sentences
//! (`s2s::matrix`).

use std::ops::Range;

use s2s::matrix::{Matrix, Weighed, named, number};
use unicode_width::UnicodeWidthStr;

use super::marks::Tone;
use super::page::Page;
use super::wrap::{clipped, one_line};
use super::{Style, words};

/// Where tables begin.
const INDENT: usize = 4;
/// The widest first column.
const WIDEST_NAME: usize = 36;
/// The narrowest one.
const NARROWEST_NAME: usize = 8;

/// The matrices of a session by themselves.
pub fn matrices(id: &str, topic: &str, matrices: &[Matrix], why_none: &str, style: &Style) -> String {
    let mut page = Page::new(style);
    page.title("Decision Matrix", Tone::Title);
    page.row_whole("Session", id);
    page.row("Topic", topic);
    if matrices.is_empty() {
        page.row("Matrix", why_none);
        page.heading("Next steps");
        page.commands(&[(format!("s2s show {}", words::shell(&one_line(id))), "read the discussion")]);
    }
    for matrix in matrices {
        if matrices.len() > 1 {
            page.part(&named(&matrix.subject));
        }
        one(&mut page, matrix);
    }
    page.finish()
}

/// The part of the whole discussion that tells of them; nothing where nothing was weighed.
pub(super) fn weighed(page: &mut Page<'_>, matrices: &[Matrix]) {
    for matrix in matrices {
        page.part(&format!("Decision matrix: {}", matrix.subject));
        one(page, matrix);
    }
}

fn one(page: &mut Page<'_>, matrix: &Matrix) {
    page.row(
        "Knowledge",
        &format!("{} (playbook {}, as of {})", named(&matrix.subject), matrix.playbook, matrix.as_of),
    );
    page.row("Result", &matrix.came_out());
    if let Some(ruled) = matrix.ruled() {
        page.value(&ruled);
    }
    page.label("Would flip it");
    matrix.flips().iter().for_each(|flip| page.value(flip));
    page.label("Shifted");
    matrix.shifted().iter().for_each(|shift| page.value(shift));
    if let Some(left_out) = matrix.left_out() {
        page.row("Not counted", &left_out);
    }
    if !matrix.not_weighed.is_empty() {
        page.row("Not weighed", &format!("{} (no playbook knows it)", words::listed(&matrix.not_weighed)));
    }
    page.label("Options");
    for (at, option) in matrix.options.iter().enumerate() {
        page.value(&format!("{}  {}", letter(at), named(&option.name)));
    }
    for (at, aside) in matrix.set_aside().enumerate().filter(|(_, aside)| aside.weighed.is_some()) {
        page.value(&format!("{}  {} ({})", letter(matrix.options.len() + at), aside.name, aside.told()));
    }
    page.label("Seats");
    for (at, seat) in matrix.seats.iter().enumerate() {
        let alike = if seat.own { "" } else { " (every criterion counts alike)" };
        page.value(&format!("{}  {}{alike}", at + 1, seat.name));
    }
    scores(page, matrix);
    cells(page, matrix);
    weights(page, matrix);
}

/// What each seat's count comes to.
fn scores(page: &mut Page<'_>, matrix: &Matrix) {
    let mut table = Table::new("Scores (* the seat's favourite)", "Option");
    table.heads.extend((1..=matrix.seats.len()).map(|seat| seat.to_string()));
    table.heads.extend(["mean".to_owned(), "best".to_owned()]);
    for (at, option) in matrix.options.iter().enumerate() {
        let star = |is: bool| if is { "*" } else { " " };
        let seats = matrix.seats.iter().map(|seat| format!("{:.2}{}", seat.scores[at], star(seat.favourite == at)));
        let (mean, votes) = (matrix.result.means[at], matrix.result.votes[at]);
        let ends = [format!("{mean:.2}"), format!("{votes}/{}", matrix.seats.len())];
        let tone = if at == matrix.result.leader { Tone::Good } else { Tone::Plain };
        table.rows.push((format!("{}: {}", letter(at), named(&option.name)), seats.chain(ends).collect(), tone));
    }
    for (at, aside) in matrix.set_aside().enumerate() {
        let shown = |score: Option<f64>, end: &str| score.map_or("-".to_owned(), |score| format!("{score:.2}{end}"));
        let mut row: Vec<String> =
            (0..matrix.seats.len()).map(|seat| shown(aside.scores.get(seat).copied(), " ")).collect();
        row.extend([shown(aside.mean(), ""), if aside.weighed.is_some() { "out" } else { "-" }.to_owned()]);
        let name = match aside.weighed {
            Some(_) => format!("{}: {}", letter(matrix.options.len() + at), aside.name),
            None => format!("{}: {}", aside.name, aside.became),
        };
        table.rows.push((name, row, Tone::Quiet));
    }
    table.draw(page);
}

/// How each option does on each criterion.
fn cells(page: &mut Page<'_>, matrix: &Matrix) {
    let out = matrix.set_aside().filter_map(|aside| aside.weighed);
    let options: Vec<&Weighed> = matrix.options.iter().chain(out).collect();
    let lifted = options.iter().any(|option| option.lifts.iter().any(|lift| *lift != 0.0));
    let note = if lifted { "Cells, 1 to 5 (^ v lifted or lowered by what was heard)" } else { "Cells, 1 to 5" };
    let mut table = Table::new(note, "Criterion");
    table.heads.extend((0..options.len()).map(letter));
    for (at, criterion) in matrix.criteria.iter().enumerate() {
        let mark = |lift: f64| match lift {
            lift if lift > 0.0 => "^",
            lift if lift < 0.0 => "v",
            _ if lifted => " ",
            _ => "",
        };
        let cells = options.iter().map(|option| format!("{}{}", number(option.cells[at]), mark(option.lifts[at])));
        table.rows.push((named(&criterion.name), cells.collect(), Tone::Plain));
    }
    table.draw(page);
}

/// How much each criterion counts for each seat: weight and share where there is room for both, else the weight alone.
fn weights(page: &mut Page<'_>, matrix: &Matrix) {
    let build = |shares: bool| {
        let note = if shares { "Weights and shares, by seat" } else { "Weights, by seat" };
        let mut table = Table::new(note, "Criterion");
        table.heads.extend((1..=matrix.seats.len()).map(|seat| seat.to_string()));
        for (at, criterion) in matrix.criteria.iter().enumerate() {
            let cells = matrix.seats.iter().map(|seat| match shares {
                true => format!("{} {:>3.0}%", number(seat.weights[at]), seat.shares[at] * 100.0),
                false => number(seat.weights[at]),
            });
            table.rows.push((named(&criterion.name), cells.collect(), Tone::Plain));
        }
        table
    };
    let whole = build(true);
    if whole.fits(page.style().columns()) { whole.draw(page) } else { build(false).draw(page) }
}

fn letter(at: usize) -> String {
    u8::try_from(at)
        .ok()
        .filter(|at| *at < 26)
        .map_or_else(|| (at + 1).to_string(), |at| char::from(b'A' + at).to_string())
}

/// A small table: a name on the left, cells flush right.
struct Table {
    note: &'static str,
    first: &'static str,
    heads: Vec<String>,
    rows: Vec<(String, Vec<String>, Tone)>,
}

impl Table {
    fn new(note: &'static str, first: &'static str) -> Self {
        Self { note, first, heads: Vec::new(), rows: Vec::new() }
    }

    /// The width of each column of cells.
    fn widths(&self) -> Vec<usize> {
        let cell =
            |at: usize| self.rows.iter().filter_map(move |(_, cells, _)| cells.get(at)).map(|cell| cell.width()).max();
        self.heads.iter().enumerate().map(|(at, head)| head.width().max(cell(at).unwrap_or_default())).collect()
    }

    /// The room that the names have beside these columns.
    fn names(&self, columns: usize, widths: &[usize]) -> usize {
        let taken: usize = widths.iter().map(|width| width + 2).sum();
        let longest =
            self.rows.iter().map(|(name, _, _)| name.width()).max().unwrap_or_default().max(self.first.width());
        longest.min(WIDEST_NAME).min(columns.saturating_sub(INDENT + taken)).max(NARROWEST_NAME)
    }

    /// Whether names keep a readable length in this room.
    fn fits(&self, columns: usize) -> bool {
        let taken: usize = self.widths().iter().map(|width| width + 2).sum();
        columns >= INDENT + taken + WIDEST_NAME / 2
    }

    /// The columns of cells in groups that fit beside short names: more seats than that stand in a second table.
    fn groups(&self, columns: usize) -> Vec<Range<usize>> {
        let room = columns.saturating_sub(INDENT + NARROWEST_NAME);
        let (mut groups, mut start, mut taken) = (Vec::new(), 0, 0);
        for (at, width) in self.widths().iter().enumerate() {
            if at > start && taken + width + 2 > room {
                groups.push(start..at);
                (start, taken) = (at, 0);
            }
            taken += width + 2;
        }
        groups.push(start..self.heads.len());
        groups
    }

    fn draw(&self, page: &mut Page<'_>) {
        page.heading(self.note);
        let columns = page.style().columns();
        for (number, group) in self.groups(columns).into_iter().enumerate() {
            if number > 0 {
                page.gap();
            }
            self.draw_group(page, &group);
        }
    }

    fn draw_group(&self, page: &mut Page<'_>, group: &Range<usize>) {
        let widths = &self.widths()[group.clone()];
        let names = self.names(page.style().columns(), widths);
        let ascii = page.style().ascii;
        let line = |name: &str, cells: &[String]| {
            let name = clipped(&one_line(name), names, ascii);
            let mut text = format!("{name}{}", " ".repeat(names.saturating_sub(name.width())));
            for (cell, width) in cells.iter().zip(widths) {
                text.push_str(&" ".repeat(width.saturating_sub(cell.width()) + 2));
                text.push_str(cell);
            }
            text
        };
        page.line(INDENT, &[(line(self.first, &self.heads[group.clone()]).trim_end(), Tone::Label)]);
        for (name, cells, tone) in &self.rows {
            page.line(INDENT, &[(line(name, &cells[group.clone()]).trim_end(), *tone)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use s2s::matrix::{After, Flip, Measure, SCHEMA, Standing, Weigher, Who};

    use super::*;

    /// Five options, ten criteria, five seats, with long names.
    fn large() -> Matrix {
        let option = |at: usize| Weighed {
            id: format!("option-{at}"),
            name: format!("an option with a rather long name, number {at}"),
            cells: (0..10).map(|criterion| ((criterion + at) % 5 + 1) as f64).collect(),
            lifts: (0..10).map(|criterion| if criterion == at { 1.0 } else { 0.0 }).collect(),
            decide: String::new(),
            why: Vec::new(),
            risks: Vec::new(),
        };
        let seat = |at: usize| Weigher {
            seat: format!("seat-{at}"),
            name: format!("Principal Engineer for Area {at}"),
            own: at != 3,
            weights: vec![2.5; 10],
            shares: vec![0.1; 10],
            scores: vec![3.25; 5],
            favourite: at % 5,
        };
        Matrix {
            schema: SCHEMA,
            after: After { rounds: 3, said: 0 },
            playbook: "large".into(),
            subject: "a large subject".into(),
            as_of: "2026-11".into(),
            criteria: (0..10)
                .map(|at| Measure {
                    id: format!("c{at}"),
                    name: format!("time to the first useful version, part {at}"),
                })
                .collect(),
            options: (0..5).map(option).collect(),
            not_weighed: vec!["SOAP \u{1b}[31m".into()],
            ruled_out: Vec::new(),
            seats: (0..5).map(seat).collect(),
            others: Vec::new(),
            shifts: Vec::new(),
            unweighed: Vec::new(),
            result: Standing {
                leader: 1,
                second: Some(0),
                votes: vec![1; 5],
                means: vec![3.25, 3.5, 3.0, 2.0, 1.0],
                ruled: None,
            },
            flip_all: Some(Flip { who: Who::All, criterion: 2, limit: 0.73, by: 0.8, leads: 0 }),
            flip_one: None,
        }
    }

    #[test]
    fn five_options_and_ten_criteria_fit_into_every_width() {
        for width in [60, 80, 120] {
            let style = Style { width, ..Style::PIPE };
            let text = matrices("20260101-000000-x", "A topic", &[large()], "", &style);
            for line in text.lines() {
                assert!(line.width() <= width, "{width}: {} columns in {line:?}", line.width());
            }
            for part in ["A An option", "SOAP", "Not weighed", "3.3 instead of 2.5", "for one seat alone"] {
                let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
                assert!(flat.contains(part), "{width}: {part} in {text}");
            }
            assert!(!text.contains('\u{1b}'), "no control character gets through");
            assert_eq!(text.contains("10%"), width > 60, "shares stand there where there is room: {text}");
        }
    }

    #[test]
    fn without_a_matrix_it_is_said_why() {
        let text = matrices("20260101-000000-x", "A topic", &[], "none yet", &Style::PIPE);
        assert!(text.contains("none yet") && text.contains("s2s show 20260101-000000-x"), "{text}");
    }
}
