//! Where a session stands, on a few lines.
//! Given the minutes and what else is known; hands on text. Deliberately absent: the discussion (`show.rs`).

use jiff::Timestamp;
use s2s::store::{Minutes, Status};

use super::marks::{Mark, Tone};
use super::page::Page;
use super::{Style, words};

/// What is known of where a session stands.
pub struct Standing<'m> {
    /// Its minutes.
    pub minutes: &'m Minutes,
    /// Who drives it, if somebody does; the process where it said so.
    pub running: Option<Option<u32>>,
    /// Whether it is the current one.
    pub is_current: bool,
    /// Answers of the open round that are on the tape.
    pub answers_kept: usize,
    /// The command that goes on.
    pub next: String,
}

/// Where a session stands.
pub fn status(standing: &Standing<'_>, now: Timestamp, style: &Style) -> String {
    let mut page = Page::new(style);
    let minutes = standing.minutes;
    page.row_whole("Session", minutes.id());
    page.row("Topic", minutes.topic());
    page.row("Status", &state(standing, now));
    if let Some(closing) = minutes.closing() {
        let why = closing.text.as_deref().unwrap_or("no reason was given");
        page.row("Closed", &format!("{}: {why}", words::ago(closing.at, now)));
    }
    let dot = if style.ascii { " | " } else { " · " };
    let mut phase = vec![minutes.strategy().to_owned(), minutes.current_phase().to_owned()];
    if let Some(settings) = minutes.settings() {
        let place = settings.method.phases.iter().position(|phase| phase.name == minutes.current_phase());
        phase.extend(place.map(|at| format!("phase {} of {}", at + 1, settings.method.phases.len())));
    }
    phase.retain(|part| !part.trim().is_empty());
    page.row("Strategy", &phase.join(dot));
    let rounds = words::count(minutes.rounds().len(), "round");
    let most = minutes.settings().map(|settings| format!(", at most {}", settings.limits.max_rounds));
    let kept = match standing.answers_kept {
        0 => String::new(),
        n => format!("; {} of the next one kept", words::count(n, "answer")),
    };
    page.row("Rounds", &format!("{rounds}{}{kept}", most.unwrap_or_default()));
    if let Some(pending) = minutes.pending() {
        page.label("Waits for you");
        for cause in &pending.causes {
            page.item(Mark::Alert, &cause.rule, &cause.text);
        }
        if let Some(recommendation) = &pending.recommendation {
            page.row("Recommended", recommendation);
        }
    }
    if let Some(outcome) = minutes.outcome() {
        page.row("Outcome", outcome.status.as_str());
        page.label("Documents");
        outcome.files.iter().for_each(|path| page.value(path));
    }
    page.gap();
    page.line(0, &[("Next: ", Tone::Label), (&standing.next, Tone::Plain)]);
    page.finish()
}

fn state(standing: &Standing<'_>, now: Timestamp) -> String {
    let minutes = standing.minutes;
    let current = if standing.is_current { "; the current one" } else { "" };
    let what = match (standing.running, minutes.status()) {
        (Some(Some(pid)), _) => format!("running, in process {pid}"),
        (Some(None), _) => "running, in another process".to_owned(),
        (None, Status::Active) => "active, but nobody drives it: its run was ended".to_owned(),
        (None, Status::Paused) => {
            minutes.paused_at().map_or("paused".to_owned(), |at| format!("paused {}", words::ago(at, now)))
        }
        (None, Status::Completed) => {
            minutes.completed_at().map_or("completed".to_owned(), |at| format!("completed {}", words::ago(at, now)))
        }
        (None, Status::Archived) => "archived; it can be taken up again".to_owned(),
    };
    format!("{what}{current}")
}
