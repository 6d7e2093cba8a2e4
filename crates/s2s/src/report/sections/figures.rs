//! The drawings with their words: confidence by seat and round, who voted alike, the life of conflicts.
//! Given the view; writes sections, each with its numbers as a table or as text. Deliberately absent: the shapes (`charts`).

use s2s_engine::counted;

use super::super::charts::{self, Panel};
use super::super::html::Html;
use super::super::marked;
use super::super::view::{Figures, Span, View};
use super::{cell, table};

/// Confidence by seat and round.
pub(in super::super) fn confidence(html: &mut Html, view: &View<'_>) {
    let figures = &view.figures;
    let asked = figures.floor.map(|floor| format!(" Under {floor:.2} (dashed) a person is asked."));
    let text = format!(
        "How sure each seat was of its answer, from 0 to 1. The pale line is the whole table on average.{}",
        asked.unwrap_or_default()
    );
    html.leaf("p", &[("class", "soft")], &text);
    html.within("div", &[("class", "panels")], |html| {
        for series in &figures.confidence {
            html.within("figure", &[], |html| {
                html.leaf("figcaption", &[], series.seat);
                let label = format!("Confidence of {} over the rounds; the table below has the numbers.", series.seat);
                let (rounds, values) = (&figures.rounds[..], &series.values[..]);
                let panel = Panel { label: &label, rounds, values, mean: &figures.mean, floor: figures.floor };
                charts::confidence(html, &panel);
            });
        }
    });
    html.within("details", &[], |html| {
        html.leaf("summary", &[], "The same as a table");
        numbers(html, figures);
    });
}

fn numbers(html: &mut Html, figures: &Figures<'_>) {
    let rounds: Vec<String> = figures.rounds.iter().map(u32::to_string).collect();
    let mut heads = vec![("Seat \\ Round", "")];
    heads.extend(rounds.iter().map(|round| (round.as_str(), "number")));
    let shown = |value: &Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}"));
    table(html, "Confidence by seat and round", &heads, |html| {
        let all = figures.confidence.iter().map(|series| (series.seat, &series.values));
        for (name, values) in all.chain([("On average", &figures.mean)]) {
            html.within("tr", &[], |html| {
                html.leaf("th", &[("scope", "row")], name);
                values.iter().for_each(|value| cell(html, "number", &shown(value)));
            });
        }
    });
}

/// Who voted alike.
pub(in super::super) fn agreement(html: &mut Html, view: &View<'_>) {
    let Some(agreement) = &view.figures.agreement else { return };
    let text = "On how many of the points that both voted on two seats chose the same: support, stand aside or block. \
                The stronger the colour, the more alike.";
    html.leaf("p", &[("class", "soft")], text);
    let numbers: Vec<String> = (1..=agreement.seats.len()).map(|number| number.to_string()).collect();
    let mut heads = vec![("Seat", "")];
    heads.extend(numbers.iter().map(|number| (number.as_str(), "pair")));
    table(html, "How often two seats voted alike", &heads, |html| {
        for (row, seat) in agreement.seats.iter().enumerate() {
            html.within("tr", &[], |html| {
                html.within("th", &[("scope", "row")], |html| {
                    html.leaf("span", &[("class", "nth")], &numbers[row]).text(" ").text(seat);
                });
                for (column, (alike, both)) in agreement.pairs[row].iter().enumerate() {
                    let class = format!("pair {}", if row == column { "self" } else { shade(*alike, *both) });
                    let shown = if row == column { "·".to_owned() } else { format!("{alike}/{both}") };
                    html.leaf("td", &[("class", &class)], if *both == 0 { "–" } else { &shown });
                }
            });
        }
    });
}

fn shade(alike: u32, both: u32) -> &'static str {
    if both == 0 {
        return "none";
    }
    match alike * 4 / both {
        0 => "a0",
        1 => "a1",
        2 => "a2",
        3 => "a3",
        _ => "a4",
    }
}

/// The life of every conflict.
pub(in super::super) fn conflicts(html: &mut Html, view: &View<'_>) {
    let held = view.figures.held;
    let text = format!("Each bar is the {}; the filled part is where the conflict was open.", counted(held, "round"));
    html.leaf("p", &[("class", "soft")], &text);
    html.within("ol", &[("class", "lives")], |html| {
        for span in &view.figures.conflicts {
            html.within("li", &[], |html| life(html, span, held, view));
        }
    });
}

fn life(html: &mut Html, span: &Span<'_>, held: u32, view: &View<'_>) {
    html.within("p", &[("class", "title"), ("dir", "auto")], |html| {
        let text = if span.description.trim().is_empty() { span.id } else { span.description };
        marked::line(html, text);
    });
    let (class, tone) = if span.end.is_some() { ("ended", "good") } else { ("open", "warn") };
    charts::span(html, class, span.since, span.until, held);
    html.within("p", &[("class", "soft")], |html| {
        html.leaf("code", &[], span.id).text(&format!(" · {} · ", rounds(span)));
        let tone = format!("word {tone}");
        match &span.end {
            None => {
                html.leaf("strong", &[("class", &tone)], "open");
            }
            Some(end) => {
                html.leaf("strong", &[("class", &tone)], "resolved").text(&format!(" {}", end.by));
                if !end.how.trim().is_empty() {
                    html.text(": ").open("span", &[("dir", "auto")]);
                    marked::line(html, end.how);
                    html.close();
                }
            }
        }
    });
    if !span.positions.is_empty() {
        html.within("details", &[], |html| {
            html.leaf("summary", &[], "Who held what");
            html.within("dl", &[("class", "held")], |html| {
                for (seat, text) in &span.positions {
                    html.leaf("dt", &[], view.table.names.of(seat));
                    html.within("dd", &[("dir", "auto")], |html| marked::line(html, text));
                }
            });
        });
    }
}

fn rounds(span: &Span<'_>) -> String {
    match span.since == span.until {
        true => format!("round {}", span.since),
        false => format!("rounds {} to {}", span.since, span.until),
    }
}
