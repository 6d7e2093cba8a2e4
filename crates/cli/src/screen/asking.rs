//! Asking a person: the escalation, its ruling, and a session that waits.
//! Given an escalation (and the round that raised it, for how sure everyone is); hands on text with the
//! exact commands that answer it. Deliberately absent: the asking itself.

use std::collections::BTreeMap;

use s2s::engine::opening::SeatId;
use s2s::engine::record::{Escalation, Round, Ruling, RulingChoice};

use super::columns::side_by_side;
use super::marks::{Mark, Tone};
use super::page::Page;
use super::wrap::one_line;
use super::{Style, round, words};

/// A question to a person: causes, positions with confidence, recommendation, and the choices unless a menu has them (E8).
pub fn escalation(escalation: &Escalation, raised_by: Option<&Round>, choices: bool, style: &Style) -> String {
    let mut page = Page::new(style);
    let mark = Mark::Alert.text(style.ascii);
    let title = format!("{mark} Escalation Required: {}, after round {}", escalation.id, escalation.round);
    page.title(&title, Tone::Warning);
    body(&mut page, escalation, raised_by.map(|round| &round.confidence));
    if choices && escalation.ruling.is_none() {
        page.label("Choices");
        for option in &escalation.options {
            page.value(&format!("- {}", words::choice(*option)));
        }
    }
    page.finish()
}

/// The causes, positions and recommendation of an escalation.
pub(super) fn body(page: &mut Page<'_>, escalation: &Escalation, sure: Option<&BTreeMap<SeatId, f64>>) {
    page.label("Reason");
    for cause in &escalation.causes {
        page.reason(&cause.rule, &cause.text);
    }
    let name = |seat: &SeatId| {
        let confidence = sure.and_then(|sure| sure.get(seat)).copied();
        let confidence = confidence.map(|value| format!(" (confidence {})", words::confidence(value)));
        format!("{}{}", one_line(seat), confidence.unwrap_or_default())
    };
    let held: Vec<(String, &str)> = escalation.positions.iter().map(|(seat, text)| (name(seat), &**text)).collect();
    if !side_by_side(page, "Positions", &held) {
        page.label("Positions");
        for (name, position) in held {
            page.value(&name);
            page.set_in(2, position);
        }
    }
    let recommended = escalation.recommendation.as_deref().filter(|text| !text.trim().is_empty());
    page.row("Recommended", recommended.unwrap_or("nothing: the facilitator gave no recommendation"));
}

/// How an escalation was settled, and what the engine then took (D8).
pub(super) fn ruling(page: &mut Page<'_>, id: &str, ruling: &Ruling) {
    page.row("Ruling", &format!("{}: {}", one_line(id), words::ruling(ruling)));
    if let Some(text) = ruling.text.as_ref().filter(|text| !text.trim().is_empty()) {
        page.value(text);
    }
    if let Some(then) = &ruling.then {
        round::decision(page, "Then", then);
    }
}

/// A ruling of a policy in one line, for a run that shows little else.
pub(super) fn ruling_line(id: &str, ruling: &Ruling, ruled_by: &str, style: &Style) -> String {
    let mut page = Page::new(style);
    let by = if ruled_by.is_empty() { "the unattended policy" } else { ruled_by };
    let text = format!("Ruling {}: {}, by {by}", one_line(id), words::ruled(ruling));
    page.paragraph(0, &text, Tone::Plain);
    page.finish()
}

/// A session that waits: why, and the exact commands that go on, with the flags they need `again`.
pub fn paused(session_id: &str, reason: &str, pending: Option<&Escalation>, again: &str, style: &Style) -> String {
    let mut page = Page::new(style);
    page.title("Roundtable Paused", Tone::Warning);
    page.row_whole("Session", session_id);
    page.row("Reason", reason);
    page.row("Kept", "every committed round, and every reply that had arrived");
    let id = words::shell(&one_line(session_id));
    if let Some(escalation) = pending {
        page.heading(&format!("Answer {} with one of", one_line(&escalation.id)));
        page.commands(&answers(&id, again, escalation));
    }
    page.heading(if pending.is_some() { "Or be asked at a terminal" } else { "Go on with" });
    page.commands(&[(format!("s2s roundtable resume {id}{again}"), "")]);
    page.finish()
}

/// One command for each choice that is offered.
fn answers(id: &str, again: &str, escalation: &Escalation) -> Vec<(String, &'static str)> {
    let flag = |choice: RulingChoice| match choice {
        RulingChoice::Accept => "--accept",
        RulingChoice::Decide => "--decide \"your decision\"",
        RulingChoice::Continue => "--continue",
        RulingChoice::AcceptContext => "--accept-context",
        RulingChoice::KeepContext => "--keep-context",
        RulingChoice::Discuss => "--discuss",
    };
    let command = |choice: &RulingChoice| (format!("s2s roundtable answer {id} {}{again}", flag(*choice)), "");
    escalation.options.iter().map(command).collect()
}
