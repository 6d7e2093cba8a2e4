//! What single seats were asked once the session was over: beside the record, and said so.
//! Given the view; writes a section. Deliberately absent: follow-ups between rounds, which stand with their round.

use s2s_engine::opening::FACILITATOR;
use s2s_store::{Aside, AsideEnd};

use super::super::html::Html;
use super::super::told;
use super::super::view::View;
use super::said;

/// Every question and its answer.
pub(in super::super) fn asides(html: &mut Html, view: &View<'_>) {
    html.leaf("p", &[("class", "soft")], "Beside the record: nothing of it counts in the outcome.");
    for aside in view.asides {
        html.within("article", &[("class", "asked")], |html| one(html, aside, view));
    }
}

fn one(html: &mut Html, aside: &Aside, view: &View<'_>) {
    let seat = aside.asked.seat.as_str();
    let name = if seat == FACILITATOR { "Facilitator" } else { view.table.names.of(seat) };
    html.within("h3", &[], |html| {
        html.text(&format!("{name} ")).leaf("small", &[], &told::minute(aside.at));
    });
    said(html, "question", &aside.asked.question);
    match &aside.end {
        Some(AsideEnd::Answered(answered)) => said(html, "said", &answered.reply),
        Some(AsideEnd::Failed(failed)) => {
            html.leaf("p", &[("class", "soft")], &format!("No answer: {}", failed.error));
        }
        None => {
            html.leaf("p", &[("class", "soft")], "No answer: whoever asked was stopped before it came.");
        }
    }
}
