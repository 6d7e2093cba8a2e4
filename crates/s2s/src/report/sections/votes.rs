//! Every vote with its count, and how far the topics came.
//! Given the view; writes sections. Deliberately absent: counting, which the engine did.

use s2s_engine::opening::Coverage;

use super::super::charts;
use super::super::html::Html;
use super::super::marked;
use super::super::view::{PointView, View};
use super::{cell, table};

/// Every vote.
pub(in super::super) fn votes(html: &mut Html, view: &View<'_>) {
    html.within("p", &[("class", "soft key")], |html| {
        for (class, word) in [("support", "support"), ("aside", "stand aside"), ("block", "block"), ("none", "no vote")]
        {
            html.within("span", &[], |html| {
                charts::parts(html, &[(class, 1)]);
                html.text(word);
            });
        }
    });
    let heads = [("Point", ""), ("Result", ""), ("Votes", ""), ("Share", "number"), ("Round", "number")];
    table(html, "Every vote with its count", &heads, |html| {
        view.figures.votes.iter().for_each(|point| vote(html, point, view));
    });
}

fn vote(html: &mut Html, point: &PointView<'_>, view: &View<'_>) {
    let Some((round, tally)) = point.vote else { return };
    html.within("tr", &[("class", "stacks")], |html| {
        html.within("th", &[("scope", "row"), ("class", "point")], |html| {
            html.leaf("span", &[("class", "id")], &point.id()).text(" ");
            html.open("span", &[("dir", "auto")]);
            marked::line(html, point.text);
            html.close();
        });
        let (class, word) = if tally.carried { ("word good", "✓ carried") } else { ("word bad", "✗ not carried") };
        cell(html, class, word);
        let counts = [
            ("support", tally.support.len()),
            ("aside", tally.stand_aside.len()),
            ("block", tally.block.len()),
            ("none", tally.no_vote.len()),
        ];
        html.within("td", &[("class", "count")], |html| {
            charts::parts(html, &counts);
            let blocking: Vec<_> = tally.block.iter().map(|block| block.seat.clone()).collect();
            let who = [
                ("support", &tally.support[..]),
                ("stand aside", &tally.stand_aside[..]),
                ("block", &blocking[..]),
                ("no vote", &tally.no_vote[..]),
            ];
            for (what, seats) in who.iter().filter(|(_, seats)| !seats.is_empty()) {
                let text = format!("{} {what}: {}", seats.len(), view.table.names.all(seats));
                html.leaf("small", &[], &text);
            }
        });
        html.leaf("td", &[("class", "number"), ("data-label", "Share")], &format!("{:.0} %", tally.share * 100.0));
        html.within("td", &[("class", "number"), ("data-label", "Round")], |html| {
            html.leaf("a", &[("href", &format!("#round-{round}"))], &round.to_string());
        });
    });
}

/// How far the topics came.
pub(in super::super) fn agenda(html: &mut Html, view: &View<'_>) {
    let heads = [("Topic", ""), ("Coverage", ""), ("Criteria met", "number"), ("In round", "number")];
    table(html, "The agenda and how far each topic came", &heads, |html| {
        for topic in &view.agenda {
            html.within("tr", &[], |html| {
                html.within("th", &[("scope", "row")], |html| {
                    html.text(&topic.topic.name);
                    if topic.topic.critical {
                        html.text(" ").leaf("small", &[], "critical");
                    }
                });
                let (class, word) = match topic.status {
                    Coverage::Covered => ("word good", "✓ covered"),
                    Coverage::Partial => ("word warn", "◐ partial"),
                    Coverage::Pending => ("word soft", "○ pending"),
                };
                cell(html, class, word);
                let criteria = topic.topic.criteria;
                cell(html, "number", &if criteria > 0 { format!("{} of {criteria}", topic.met) } else { "–".into() });
                cell(html, "number", &topic.since.map_or_else(|| "–".to_owned(), |round| round.to_string()));
            });
        }
    });
}
