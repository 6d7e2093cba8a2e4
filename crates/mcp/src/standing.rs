//! Where a session stands, in the words a calling model acts on: one status, and what to do next.
//! Given minutes and whether somebody runs the session; hands on a [`Standing`]. Deliberately absent: files, and what
//! happened in the rounds (`following.rs`, `reading.rs`).

use s2s::clean::clean_line;
use s2s::engine::opening::Seat;
use s2s::engine::record::{Escalation, InterventionKind};
use s2s::store::{Minutes, Status};

/// What a session is doing, as tools name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Somebody runs it.
    Running,
    /// A person must decide, or answer for a seat.
    NeedsPerson,
    /// Its run was cut short: a crash, or the end of a server.
    Interrupted,
    /// It rests: a person stopped it, a budget is spent, nobody answered.
    Paused,
    /// It has its outcome.
    Completed,
    /// A person set it aside.
    Archived,
}

impl Standing {
    /// The word in tool results.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::NeedsPerson => "needs_person",
            Self::Interrupted => "interrupted",
            Self::Paused => "paused",
            Self::Completed => "completed",
            Self::Archived => "archived",
        }
    }

    /// From the minutes, and whether somebody holds the session.
    pub(crate) fn of(minutes: &Minutes, held: bool) -> Self {
        let has_people = minutes.seats().iter().any(Seat::is_human);
        match minutes.status() {
            Status::Completed => Self::Completed,
            Status::Archived => Self::Archived,
            _ if held => Self::Running,
            _ if minutes.pending().is_some() && stopped_by(minutes).is_none() => Self::NeedsPerson,
            Status::Active => Self::Interrupted,
            Status::Paused if stopped_by(minutes) == Some("server") => Self::Interrupted,
            Status::Paused if has_people && stopped_by(minutes).is_none() => Self::NeedsPerson,
            Status::Paused => Self::Paused,
        }
    }
}

/// Who stopped the session last, where it was stopped.
fn stopped_by(minutes: &Minutes) -> Option<&str> {
    let paused = minutes.status() == Status::Paused;
    let last = minutes.interventions().iter().rfind(|done| done.kind == InterventionKind::Pause);
    last.filter(|_| paused)?.by.as_deref()
}

/// Why it rests, in words.
pub(crate) fn why(minutes: &Minutes) -> &'static str {
    match stopped_by(minutes) {
        Some("person") => "a person stopped it",
        Some("agent") => "it was stopped with roundtable_stop",
        Some("signal") => "it was stopped with Ctrl-C or a signal",
        Some("budget") => "its budget is too small for one round",
        Some(_) => "it was stopped",
        None => "no seat answered",
    }
}

/// What to do next, said to the calling model.
pub(crate) fn next(standing: Standing, minutes: &Minutes) -> String {
    let id = minutes.id();
    match standing {
        Standing::Running => format!("Call roundtable_wait with session {id}."),
        Standing::NeedsPerson if minutes.pending().is_some() => format!(
            "The person must decide, not you. Show them `question`, then call roundtable_answer with session {id}: \
             they are asked through your host."
        ),
        Standing::NeedsPerson => {
            format!("A person with a seat must answer, in a terminal: s2s roundtable answer {id} --as NAME")
        }
        Standing::Interrupted => format!("Call roundtable_wait with session {id}: it goes on where it was cut off."),
        Standing::Paused => format!(
            "It rests: {}. If the person wants it to go on, call roundtable_wait with session {id} and resume true.",
            why(minutes)
        ),
        Standing::Completed => format!("Call roundtable_result with session {id}."),
        Standing::Archived => format!(
            "The person set it aside, and can take it up: s2s roundtable resume {id}. Read it with session_show."
        ),
    }
}

/// An escalation as a question to a person.
pub(crate) fn question(escalation: &Escalation) -> String {
    let mut lines = vec!["The panel asks you to decide.".to_owned()];
    lines.extend(escalation.causes.iter().map(|cause| format!("Why: {}", clean_line(&cause.text))));
    for (seat, position) in &escalation.positions {
        lines.push(format!("{seat}: {}", clean_line(position)));
    }
    if let Some(recommendation) = &escalation.recommendation {
        lines.push(format!("The facilitator recommends: {}", clean_line(recommendation)));
    }
    lines.join("\n")
}
