//! The decision matrix for documents: tables as rows of safe Markdown cells, and its sentences.
//! Given the matrices kept beside a session; hands on views for templates. Criteria stand below each other and options
//! beside each other, so that ten criteria stay readable. Deliberately absent: counting (`crate::matrix`).

use serde::Serialize;

use super::escape::{cell, inline};
use crate::matrix::{Matrix, named, number, percent};

/// One matrix, for a template.
#[derive(Debug, Clone, Serialize)]
pub struct MatrixView {
    /// The subject in a few words.
    pub subject: String,
    /// Where the scores come from.
    pub source: String,
    /// The options, by name.
    pub options: Vec<String>,
    /// How each does on each criterion: a row for a criterion, a cell for an option.
    pub rows: Vec<MatrixRow>,
    /// The seats that weighed, by name.
    pub seats: Vec<String>,
    /// How much each criterion counts: a row for a criterion, a cell for a seat.
    pub weights: Vec<MatrixRow>,
    /// The result: a row for an option, a cell for a seat. The last rows are options that did not compete.
    pub scores: Vec<ScoreRow>,
    /// Who leads, by how much, and what the count alone would have said.
    pub leads: String,
    /// That a ruling took another option.
    pub ruled: Option<String>,
    /// What would flip it.
    pub flips: Vec<String>,
    /// What topic and context shifted.
    pub shifted: Vec<String>,
    /// Which seats are not counted.
    pub left_out: Option<String>,
}

/// A row of a table.
#[derive(Debug, Clone, Serialize)]
pub struct MatrixRow {
    /// What it is about.
    pub name: String,
    /// Its cells.
    pub cells: Vec<String>,
}

/// An option's row in the result.
#[derive(Debug, Clone, Serialize)]
pub struct ScoreRow {
    /// The option.
    pub name: String,
    /// Each seat's score; a seat's favourite is in bold.
    pub cells: Vec<String>,
    /// On average.
    pub mean: String,
    /// How many seats like it best, or what became of it.
    pub votes: String,
}

/// The views of matrices.
pub(super) fn matrices(matrices: &[Matrix]) -> Vec<MatrixView> {
    matrices.iter().map(view).collect()
}

fn view(matrix: &Matrix) -> MatrixView {
    let competing = matrix.options.iter().map(|option| named(&option.name));
    let out = matrix.set_aside().filter(|aside| aside.weighed.is_some());
    let out = out.map(|aside| format!("{} ({})", aside.name, aside.became));
    MatrixView {
        subject: inline(&matrix.subject),
        source: inline(&format!("playbook {}, as of {}", matrix.playbook, matrix.as_of)),
        options: competing.chain(out).map(|name| cell(&name)).collect(),
        rows: by_criterion(matrix, |at| {
            let all = matrix.options.iter().chain(matrix.set_aside().filter_map(|aside| aside.weighed));
            all.map(move |option| lifted(option.cells[at], option.lifts[at]))
        }),
        seats: matrix.seats.iter().map(|seat| cell(&seat.name)).collect(),
        weights: by_criterion(matrix, |at| {
            matrix.seats.iter().map(move |seat| format!("{} ({})", number(seat.weights[at]), percent(seat.shares[at])))
        }),
        scores: scores(matrix),
        leads: inline(&matrix.came_out()),
        ruled: matrix.ruled().map(|text| inline(&text)),
        flips: matrix.flips().iter().map(|text| inline(text)).collect(),
        shifted: matrix.shifted().iter().map(|text| inline(text)).collect(),
        left_out: matrix.left_out().map(|text| inline(&text)),
    }
}

fn by_criterion<I: Iterator<Item = String>>(matrix: &Matrix, cells: impl Fn(usize) -> I) -> Vec<MatrixRow> {
    let rows = matrix.criteria.iter().enumerate();
    rows.map(|(at, criterion)| MatrixRow { name: cell(&named(&criterion.name)), cells: cells(at).collect() }).collect()
}

/// A score, with how much of it was lifted by what was heard.
fn lifted(score: f64, lift: f64) -> String {
    match lift {
        lift if lift > 0.0 => format!("{} (+{})", number(score), number(lift)),
        lift if lift < 0.0 => format!("{} (−{})", number(score), number(-lift)),
        _ => number(score),
    }
}

fn scores(matrix: &Matrix) -> Vec<ScoreRow> {
    let result = &matrix.result;
    let known = matrix.options.iter().enumerate().map(|(at, option)| {
        let leads = at == result.leader;
        let bold = |text: String, is: bool| if is { format!("**{text}**") } else { text };
        ScoreRow {
            name: bold(cell(&named(&option.name)), leads),
            cells: matrix
                .seats
                .iter()
                .map(|seat| bold(format!("{:.2}", seat.scores[at]), seat.favourite == at))
                .collect(),
            mean: bold(format!("{:.2}", result.means[at]), leads),
            votes: format!("{} of {}", result.votes[at], matrix.seats.len()),
        }
    });
    let none = || "–".to_owned();
    let aside = matrix.set_aside().map(|aside| ScoreRow {
        name: cell(&aside.name),
        cells: (0..matrix.seats.len())
            .map(|seat| aside.scores.get(seat).map_or_else(none, |score| format!("{score:.2}")))
            .collect(),
        mean: aside.mean().map_or_else(none, |mean| format!("{mean:.2}")),
        votes: cell(&aside.told()),
    });
    known.chain(aside).collect()
}
