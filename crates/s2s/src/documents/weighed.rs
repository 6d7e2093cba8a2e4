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
    /// The result: a row for an option, a cell for a seat. The last rows are options that were not weighed.
    pub scores: Vec<ScoreRow>,
    /// Who leads, and by how much.
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
    /// On average, or that it was not weighed.
    pub mean: String,
    /// How many seats like it best.
    pub votes: String,
}

/// The views of matrices.
pub(super) fn matrices(matrices: &[Matrix]) -> Vec<MatrixView> {
    matrices.iter().map(view).collect()
}

fn view(matrix: &Matrix) -> MatrixView {
    MatrixView {
        subject: inline(&matrix.subject),
        source: inline(&format!("playbook {}, as of {}", matrix.playbook, matrix.as_of)),
        options: matrix.options.iter().map(|option| cell(&named(&option.name))).collect(),
        rows: by_criterion(matrix, |at| {
            matrix.options.iter().map(move |option| lifted(option.cells[at], option.lifts[at]))
        }),
        seats: matrix.seats.iter().map(|seat| cell(&seat.name)).collect(),
        weights: by_criterion(matrix, |at| {
            matrix.seats.iter().map(move |seat| format!("{} ({})", number(seat.weights[at]), percent(seat.shares[at])))
        }),
        scores: scores(matrix),
        leads: inline(&matrix.leads()),
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
    let aside = matrix.set_aside().map(|(name, became)| ScoreRow {
        name: cell(name),
        cells: vec!["–".to_owned(); matrix.seats.len()],
        mean: became.to_owned(),
        votes: "–".to_owned(),
    });
    known.chain(aside).collect()
}
