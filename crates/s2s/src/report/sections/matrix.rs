//! The decision matrix: how the options do, how much each criterion counts for whom, the result, and what would flip it.
//! Given the matrices kept beside the session; writes a section. Deliberately absent: counting, and sentences (`crate::matrix`).

use super::super::html::Html;
use super::super::view::View;
use super::{cell, table};
use crate::matrix::{Matrix, named, number, percent};

/// Every matrix of the session.
pub(in super::super) fn matrices(html: &mut Html, view: &View<'_>) {
    for matrix in view.matrices {
        if view.matrices.len() > 1 {
            html.leaf("h3", &[("dir", "auto")], &named(&matrix.subject));
        }
        sentences(html, matrix);
        result(html, matrix);
        options(html, matrix);
        weights(html, matrix);
    }
}

fn sentences(html: &mut Html, matrix: &Matrix) {
    html.leaf("p", &[("dir", "auto")], &matrix.came_out());
    html.within("ul", &[], |html| {
        let flips = matrix.flips();
        let all = matrix.ruled().into_iter().chain(flips).chain(matrix.shifted()).chain(matrix.left_out());
        all.for_each(|text| {
            html.leaf("li", &[("dir", "auto")], &text);
        });
    });
}

/// What each seat's count comes to.
fn result(html: &mut Html, matrix: &Matrix) {
    let mut heads = vec![("Option", "")];
    heads.extend(matrix.seats.iter().map(|seat| (seat.name.as_str(), "number")));
    heads.extend([("On average", "number"), ("Favourite of", "number")]);
    table(html, "What each seat's count comes to", &heads, |html| {
        for (at, option) in matrix.options.iter().enumerate() {
            html.within("tr", &[], |html| {
                html.leaf("th", &[("scope", "row"), ("dir", "auto")], &named(&option.name));
                for seat in &matrix.seats {
                    let score = format!("{:.2}", seat.scores[at]);
                    match seat.favourite == at {
                        true => {
                            html.open("td", &[("class", "number")]).leaf("strong", &[], &score).close();
                        }
                        false => cell(html, "number", &score),
                    }
                }
                cell(html, "number", &format!("{:.2}", matrix.result.means[at]));
                cell(html, "number", &format!("{} of {}", matrix.result.votes[at], matrix.seats.len()));
            });
        }
        for aside in matrix.set_aside() {
            html.within("tr", &[], |html| {
                let shown = |score: Option<f64>| score.map_or_else(|| "–".to_owned(), |score| format!("{score:.2}"));
                html.leaf("th", &[("scope", "row"), ("dir", "auto")], &aside.name);
                (0..matrix.seats.len()).for_each(|seat| cell(html, "number", &shown(aside.scores.get(seat).copied())));
                cell(html, "number", &shown(aside.mean()));
                cell(html, "", &aside.told());
            });
        }
    });
}

/// How each option does on each criterion.
fn options(html: &mut Html, matrix: &Matrix) {
    let text = format!(
        "How each option does on each criterion, from 1 to 5 (playbook {}, as of {}). In brackets: how much of it comes from \
         what the topic or the project says.",
        matrix.playbook, matrix.as_of
    );
    html.leaf("p", &[("class", "soft")], &text);
    let mut names: Vec<String> = matrix.options.iter().map(|option| named(&option.name)).collect();
    let out: Vec<_> = matrix.set_aside().filter(|aside| aside.weighed.is_some()).collect();
    names.extend(out.iter().map(|aside| format!("{} ({})", aside.name, aside.became)));
    let mut heads = vec![("Criterion", "")];
    heads.extend(names.iter().map(|name| (name.as_str(), "number")));
    table(html, "How each option does on each criterion", &heads, |html| {
        for (at, criterion) in matrix.criteria.iter().enumerate() {
            html.within("tr", &[], |html| {
                html.leaf("th", &[("scope", "row"), ("dir", "auto")], &named(&criterion.name));
                for option in matrix.options.iter().chain(out.iter().filter_map(|aside| aside.weighed)) {
                    let lift = option.lifts[at];
                    let sign = if lift > 0.0 { "+" } else { "−" };
                    let lifted = format!(" ({sign}{})", number(lift.abs()));
                    let shown = format!("{}{}", number(option.cells[at]), if lift == 0.0 { "" } else { &lifted });
                    cell(html, "number", &shown);
                }
            });
        }
    });
}

/// How much each criterion counts for each seat.
fn weights(html: &mut Html, matrix: &Matrix) {
    html.leaf(
        "p",
        &[("class", "soft")],
        "How much each criterion counts for each seat: its weight, and its share of the whole once raised to the power 1.5.",
    );
    let mut heads = vec![("Criterion", "")];
    heads.extend(matrix.seats.iter().map(|seat| (seat.name.as_str(), "number")));
    table(html, "How much each criterion counts for each seat", &heads, |html| {
        for (at, criterion) in matrix.criteria.iter().enumerate() {
            html.within("tr", &[], |html| {
                html.leaf("th", &[("scope", "row"), ("dir", "auto")], &named(&criterion.name));
                for seat in &matrix.seats {
                    cell(html, "number", &format!("{} ({})", number(seat.weights[at]), percent(seat.shares[at])));
                }
            });
        }
    });
}
