//! What was asked of single seats beside the record, on screen.
//! Given asides; hands on text. Deliberately absent: the record itself.

use s2s::store::{Aside, AsideEnd};

use super::marks::{Mark, Tone};
use super::page::Page;
use super::wrap::one_line;
use super::{Style, bill, words};

/// All that was asked beside a session, by itself.
pub fn asides(id: &str, asides: &[Aside], style: &Style) -> String {
    let mut page = Page::new(style);
    page.title("Asked Afterwards", Tone::Title);
    page.row_whole("Session", id);
    if asides.is_empty() {
        page.row("Asked", "nothing yet");
        page.heading("Next steps");
        let id = words::shell(&one_line(id));
        page.commands(&[(format!("s2s ask {id} SEAT \"…\""), "ask one seat")]);
    }
    each(&mut page, asides);
    page.finish()
}

/// One question and its answer, as it has just come.
pub fn aside(aside: &Aside, style: &Style) -> String {
    let mut page = Page::new(style);
    answer(&mut page, aside);
    page.finish()
}

/// The part of the whole discussion that tells of them; nothing where nothing was asked.
pub(super) fn afterwards(page: &mut Page<'_>, asides: &[&Aside]) {
    if !asides.is_empty() {
        page.part("Asked afterwards");
        page.note("Beside the record: nothing of it counts in the outcome.");
        each(page, asides.iter().copied());
    }
}

fn each<'a>(page: &mut Page<'_>, asides: impl IntoIterator<Item = &'a Aside>) {
    for aside in asides {
        page.gap();
        let by = if aside.asked.by == "person" { "a person" } else { aside.asked.by.as_str() };
        page.row("Asked", &format!("{} by {by}, {}", aside.asked.seat, words::minute(aside.at)));
        page.rich_row("Question", &aside.asked.question);
        answer(page, aside);
    }
}

fn answer(page: &mut Page<'_>, aside: &Aside) {
    match &aside.end {
        Some(AsideEnd::Answered(answered)) => {
            let model = answered.answered_by.as_ref().unwrap_or(&aside.asked.model);
            page.row("Answer", &format!("{} ({model})", aside.asked.seat));
            page.rich(&answered.reply);
            if answered.stop != "end" {
                page.label("Warning");
                page.item(Mark::Alert, "", &format!("the answer is not whole ({})", answered.stop));
            }
            if let Some(cost) = bill::usage_line(&answered.usage) {
                page.row("Cost", &cost);
            }
        }
        Some(AsideEnd::Failed(failed)) => {
            page.label("Answer");
            page.item(Mark::Failed, "", &format!("none: {}", failed.error));
        }
        None => {
            page.label("Answer");
            page.item(Mark::Failed, "", "none: whoever asked was stopped before it came");
        }
    }
}
