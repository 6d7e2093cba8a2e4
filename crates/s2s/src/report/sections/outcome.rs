//! What came out: the decision and its reason, what stands, who did not go along, what stayed open, and a few facts.
//! Given the view; writes the first section. Deliberately absent: whether it is right.

use super::super::html::Html;
use super::super::marked;
use super::super::view::{Dissent, Ending, PointView, View};
use super::{count, reasons, said};

/// The outcome.
pub(in super::super) fn outcome(html: &mut Html, view: &View<'_>) {
    let ending = &view.ending;
    for (source, text) in &ending.rulings {
        html.leaf("p", &[("class", "label")], &format!("Decided ({source})"));
        said(html, "lead", text);
    }
    if let Some(text) = ending.recommendation {
        let label = if view.partial.is_some() { "Recommended so far" } else { "Recommended by the facilitator" };
        html.leaf("p", &[("class", "label")], label);
        said(html, "lead", text);
    }
    if !ending.because.is_empty() {
        html.leaf("h3", &[], if view.partial.is_some() { "Why it stands here" } else { "Why it ended" });
        reasons(html, ending.because);
    }
    if !ending.reasons.is_empty() {
        html.leaf("h3", &[], "Why it is no more than proposed");
        plain(html, ending.reasons.iter().map(String::as_str));
    }
    points(html, "What the panel carried", "good", &ending.carried);
    dissent(html, ending);
    points(html, "Voted down", "bad", &ending.failed);
    points(html, "Claimed, not put to the vote", "warn", &ending.unvoted);
    if !ending.unresolved.is_empty() {
        html.leaf("h3", &[], "Still open");
        plain(html, ending.unresolved.iter().copied());
    }
    facts(html, view);
}

fn plain<'t>(html: &mut Html, texts: impl Iterator<Item = &'t str>) {
    html.within("ul", &[], |html| {
        for text in texts {
            html.within("li", &[("dir", "auto")], |html| marked::line(html, text));
        }
    });
}

fn points(html: &mut Html, title: &str, tone: &str, points: &[PointView<'_>]) {
    if points.is_empty() {
        return;
    }
    html.leaf("h3", &[], title);
    let class = format!("points {tone}");
    html.within("ul", &[("class", &class)], |html| {
        for point in points {
            html.within("li", &[], |html| {
                html.leaf("span", &[("class", "id")], &point.id()).text(" ");
                html.within("span", &[("dir", "auto")], |html| marked::line(html, point.text));
                if let Some((round, tally)) = point.vote {
                    let vote = format!(" {} (round {round})", count(tally));
                    html.leaf("small", &[], &vote);
                }
            });
        }
    });
}

fn dissent(html: &mut Html, ending: &Ending<'_>) {
    if ending.carried.is_empty() {
        return;
    }
    html.leaf("h3", &[], "Dissent");
    if ending.dissent.is_empty() {
        let points = if ending.carried.len() == 1 { "point that was" } else { "points that were" };
        html.leaf("p", &[], &format!("None: nobody blocked or stood aside on the {points} carried."));
        return;
    }
    html.within("ul", &[("class", "points warn")], |html| {
        for Dissent { seat, how, point, claim, reason } in &ending.dissent {
            html.within("li", &[], |html| {
                html.leaf("strong", &[], seat).text(&format!(" {how} on {point}"));
                match reason.trim() {
                    "" => {
                        html.text(": ").open("span", &[("class", "soft"), ("dir", "auto")]);
                        marked::line(html, claim);
                    }
                    reason => {
                        html.text(": ").open("span", &[("dir", "auto")]);
                        marked::line(html, reason);
                    }
                }
            });
        }
    });
}

fn facts(html: &mut Html, view: &View<'_>) {
    html.leaf("h3", &[], "The session");
    html.within("dl", &[("class", "facts")], |html| {
        for (label, value) in &view.facts {
            html.within("div", &[], |html| {
                html.leaf("dt", &[], label).leaf("dd", &[], value);
            });
        }
    });
}
