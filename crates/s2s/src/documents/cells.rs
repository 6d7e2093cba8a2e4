//! What the cells of a matrix say for and against an option, in sentences with their source.
//! Given a matrix and the place of an option; hands on why it was taken, what it costs, and its pros and cons. How much a
//! cell says is its share of the whole, on average over the seats, times its distance. A score that was lifted by what
//! the project says is told with those words, since the sentence in the cell is about the score without them.
//! Deliberately absent: who said what, and which option was taken.

use super::escape::inline;
use super::view::Statement;
use crate::matrix::{Matrix, named, number};

/// Reasons for a choice; more are in the matrix.
const MOST_REASONS: usize = 3;
/// What it costs.
const MOST_COSTS: usize = 2;
/// Pros, and cons, of an option.
const MOST_OF_AN_OPTION: usize = 3;
/// What a cell has where it speaks neither for nor against.
const MIDDLE: f64 = 3.0;

/// Why an option was taken: where it is ahead of the runner-up, by what that weighs.
pub(super) fn why(matrix: &Matrix, option: usize) -> Vec<Statement> {
    let runner = runner_up(matrix, option);
    let other = |at: usize| runner.map_or(MIDDLE, |runner| score(matrix, runner, at));
    let mut reasons = by_pull(matrix, |at| score(matrix, option, at) - other(at));
    if reasons.is_empty() {
        reasons = by_pull(matrix, |at| score(matrix, option, at) - MIDDLE);
    }
    let told = |at: usize| {
        let worse = runner.filter(|_| score(matrix, option, at) <= MIDDLE && !lifted(matrix, option, at, 1.0));
        let text = match worse {
            Some(worse) => format!("{} does worse: {}", named(name(matrix, worse)), sentence(matrix, worse, at, -1.0)),
            None => sentence(matrix, option, at, 1.0),
        };
        statement(matrix, at, &text, &beside(matrix, option, runner, at))
    };
    reasons.into_iter().take(MOST_REASONS).map(told).collect()
}

/// What an option costs: where the runner-up is ahead of it, else where it does worst.
pub(super) fn costs(matrix: &Matrix, option: usize) -> Vec<Statement> {
    let runner = runner_up(matrix, option);
    let behind = |at: usize| runner.map_or(0.0, |runner| score(matrix, runner, at) - score(matrix, option, at));
    let mut costs = by_pull(matrix, behind);
    if costs.is_empty() {
        let cells = (0..matrix.criteria.len()).filter(|&at| score(matrix, option, at) <= MIDDLE);
        let worst = cells.min_by(|&a, &b| score(matrix, option, a).total_cmp(&score(matrix, option, b)));
        costs.extend(worst);
    }
    let told = |at: usize| {
        let better = runner.filter(|_| score(matrix, option, at) > MIDDLE);
        let text = match better {
            Some(better) => {
                format!("{} does better: {}", named(name(matrix, better)), sentence(matrix, better, at, 1.0))
            }
            None => sentence(matrix, option, at, -1.0),
        };
        statement(matrix, at, &text, &beside(matrix, option, runner, at))
    };
    costs.into_iter().take(MOST_COSTS).map(told).collect()
}

/// What speaks for an option by itself.
pub(super) fn pros(matrix: &Matrix, option: usize) -> Vec<Statement> {
    alone(matrix, option, 1.0)
}

/// What speaks against an option by itself.
pub(super) fn cons(matrix: &Matrix, option: usize) -> Vec<Statement> {
    alone(matrix, option, -1.0)
}

fn alone(matrix: &Matrix, option: usize, sign: f64) -> Vec<Statement> {
    let cells = by_pull(matrix, |at| sign * (score(matrix, option, at) - MIDDLE));
    let told = |at: usize| {
        let text = sentence(matrix, option, at, sign);
        statement(matrix, at, &text, &format!("{} of 5", number(score(matrix, option, at))))
    };
    cells.into_iter().take(MOST_OF_AN_OPTION).map(told).collect()
}

/// The option that an option is measured against: the leader, or for the leader the next.
fn runner_up(matrix: &Matrix, option: usize) -> Option<usize> {
    let result = &matrix.result;
    if result.leader == option { result.second } else { Some(result.leader) }
}

/// The criteria on which something is positive, by what that weighs.
fn by_pull(matrix: &Matrix, distance: impl Fn(usize) -> f64) -> Vec<usize> {
    let share = |at: usize| matrix.seats.iter().map(|seat| seat.shares[at]).sum::<f64>();
    let pull = |at: usize| share(at) * distance(at);
    let mut criteria: Vec<usize> = (0..matrix.criteria.len()).filter(|&at| pull(at) > 1e-9).collect();
    criteria.sort_by(|&a, &b| pull(b).total_cmp(&pull(a)).then(a.cmp(&b)));
    criteria
}

fn score(matrix: &Matrix, option: usize, at: usize) -> f64 {
    matrix.options[option].cells[at]
}

fn name(matrix: &Matrix, option: usize) -> &str {
    &matrix.options[option].name
}

fn lifted(matrix: &Matrix, option: usize, at: usize, sign: f64) -> bool {
    matrix.options[option].lifts[at] * sign > 0.0
}

/// The sentence of a cell, or the words that moved its score in this direction.
fn sentence(matrix: &Matrix, option: usize, at: usize, sign: f64) -> String {
    let why = matrix.options[option].why.get(at).cloned().unwrap_or_default();
    if !lifted(matrix, option, at, sign) {
        return why;
    }
    let moved = |lifts: &[(String, i8)]| {
        lifts.iter().any(|(known, by)| *known == matrix.options[option].name && f64::from(*by) * sign > 0.0)
    };
    let shift = matrix.shifts.iter().find(|shift| shift.criterion == matrix.criteria[at].name && moved(&shift.lifts));
    match shift {
        Some(shift) => {
            let place = if shift.in_topic { "the topic" } else { "the project" };
            format!("{place} says “{}”, and {}", shift.words, shift.why)
        }
        None => why,
    }
}

/// The scores of an option and of the one it is measured against.
fn beside(matrix: &Matrix, option: usize, runner: Option<usize>, at: usize) -> String {
    let mut told = format!("{} {} of 5", named(name(matrix, option)), number(score(matrix, option, at)));
    if let Some(runner) = runner {
        told.push_str(&format!(", {} {}", name(matrix, runner), number(score(matrix, runner, at))));
    }
    told
}

fn statement(matrix: &Matrix, at: usize, text: &str, scores: &str) -> Statement {
    Statement {
        text: inline(&format!("{}: {text}", named(&matrix.criteria[at].name))),
        source: inline(&format!("{scores}; playbook {}, as of {}", matrix.playbook, matrix.as_of)),
    }
}
