//! What people were asked and what they ruled.
//! Given the view; writes a section with every escalation: causes, positions side by side, recommendation, ruling.

use s2s_engine::record::Escalation;

use super::super::html::Html;
use super::super::marked;
use super::super::told;
use super::super::view::View;
use super::{reasons, said};

/// Whether anybody was asked.
pub(in super::super) fn any(view: &View<'_>) -> bool {
    view.rounds.iter().any(|round| !round.escalations.is_empty())
}

/// Every escalation.
pub(in super::super) fn people(html: &mut Html, view: &View<'_>) {
    for escalation in view.rounds.iter().flat_map(|round| &round.escalations) {
        html.within("article", &[("class", "asked")], |html| one(html, escalation, view));
    }
}

fn one(html: &mut Html, escalation: &Escalation, view: &View<'_>) {
    html.leaf("h3", &[], &format!("{}, after round {}", escalation.id, escalation.round));
    html.within("ul", &[("class", "rules")], |html| {
        for cause in &escalation.causes {
            html.within("li", &[("dir", "auto")], |html| {
                html.leaf("span", &[("class", "rule")], &cause.rule).text(" ");
                marked::line(html, &cause.text);
            });
        }
    });
    if !escalation.positions.is_empty() {
        html.within("dl", &[("class", "sides")], |html| {
            for (seat, position) in &escalation.positions {
                html.within("div", &[], |html| {
                    html.leaf("dt", &[], view.table.names.of(seat));
                    html.within("dd", &[("dir", "auto")], |html| marked::blocks(html, position));
                });
            }
        });
    }
    if let Some(text) = escalation.recommendation.as_deref().filter(|text| !text.trim().is_empty()) {
        html.leaf("h4", &[], "Recommended");
        said(html, "said", text);
    }
    html.leaf("h4", &[], "Ruling");
    let Some(ruling) = &escalation.ruling else {
        html.leaf("p", &[("class", "word warn")], "Pending: a person must decide.");
        return;
    };
    html.leaf("p", &[], &format!("{}.", told::ruled(ruling)));
    let repeated = |text: &&str| Some(*text) == escalation.recommendation.as_deref();
    if let Some(text) = ruling.text.as_deref().filter(|text| !text.trim().is_empty() && !repeated(text)) {
        said(html, "said", text);
    }
    if let Some(then) = ruling.then.as_ref().filter(|then| !then.because.is_empty()) {
        html.leaf("h4", &[], "Then");
        reasons(html, &then.because);
    }
}
