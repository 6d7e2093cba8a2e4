//! `s2s session status`: where a session stands, in short, and what to do next.
//! Given an id, or nothing for the current one; reads minutes and tape. No session at all is an answer too, so it is
//! exit 0. Deliberately absent: the discussion itself (`show.rs`), and any check of the record.

use s2s::Failure;
use s2s::roundtable::recall;
use s2s::store::{Minutes, Sessions, Status};
use serde_json::{Value, json};

use crate::args::Named;
use crate::console::Console;
use crate::run;
use crate::screen::{self, Standing};
use crate::seating::script_named;
use crate::workplace::sessions_here;

/// Says where a session stands.
pub fn status(typed: &Named, console: &Console) -> Result<u8, Failure> {
    let sessions = sessions_here()?;
    let current = sessions.current()?;
    let id = match (&typed.id, &current) {
        (Some(asked), _) => sessions.resolve(asked)?,
        (None, Some(current)) if sessions.minutes_path(current).exists() => current.clone(),
        (None, _) => return nothing_open(&sessions, current.as_deref(), console),
    };
    let minutes = sessions.read(&id)?;
    let holder = sessions.holder(&id)?;
    let standing = Standing {
        running: holder.map(|holder| holder.pid),
        is_current: current.as_deref() == Some(id.as_str()),
        answers_kept: answers_kept(&sessions, &minutes),
        next: next(&minutes, holder.is_some()),
        minutes: &minutes,
    };
    if console.json {
        return console.print_json(&as_json(&standing)).map(|()| 0);
    }
    console.print(&screen::status(&standing, run::now(), &console.style)).map(|()| 0)
}

/// Answers of the open round that will not be asked for again; none where the tape does not say.
fn answers_kept(sessions: &Sessions, minutes: &Minutes) -> usize {
    let open = matches!(minutes.status(), Status::Active | Status::Paused) && minutes.settings().is_some();
    let tape = open.then(|| sessions.tape(minutes.id()).ok()).flatten();
    tape.and_then(|tape| recall(minutes, &tape.lines).ok()).map_or(0, |recalled| recalled.answers_kept)
}

fn next(minutes: &Minutes, running: bool) -> String {
    let (id, again) = (minutes.id(), script_named(minutes));
    match (minutes.status(), minutes.pending()) {
        _ if running => format!("s2s watch {id}"),
        (Status::Completed, _) => format!("s2s session show {id}"),
        (Status::Active | Status::Paused, Some(pending)) => {
            format!("s2s roundtable answer {id}{again} {}", run::answers(pending))
        }
        _ => format!("s2s roundtable resume {id}{again}"),
    }
}

fn nothing_open(sessions: &Sessions, current: Option<&str>, console: &Console) -> Result<u8, Failure> {
    let rows = sessions.list()?;
    let is_open = |status: Option<Status>| matches!(status, Some(Status::Active | Status::Paused));
    let open = rows.iter().filter(|row| row.problem.is_none() && is_open(row.status)).count();
    let next = match open {
        0 => "s2s roundtable start \"your question\"",
        _ => "s2s session list",
    };
    if console.json {
        let value = json!({ "schema": 1, "session": null, "open_sessions": open, "next": next });
        return console.print_json(&value).map(|()| 0);
    }
    let mut text = match current {
        Some(gone) => format!("The current session {gone} is gone.\n"),
        None => "No session is the current one.\n".to_owned(),
    };
    match open {
        0 => {}
        1 => text.push_str("One session can go on.\n"),
        n => text.push_str(&format!("{n} sessions can go on.\n")),
    }
    console.print(&format!("{text}Next: {next}\n")).map(|()| 0)
}

fn as_json(standing: &Standing<'_>) -> Value {
    let minutes = standing.minutes;
    let phases = minutes.settings().map(|settings| &settings.method.phases);
    let pending = minutes.pending().map(|pending| {
        json!({
            "id": pending.id, "round": pending.round, "causes": pending.causes,
            "recommendation": pending.recommendation, "options": pending.options,
        })
    });
    json!({
        "schema": 1,
        "session": minutes.id(),
        "current": standing.is_current,
        "topic": minutes.topic(),
        "workflow_type": minutes.workflow(),
        "strategy": minutes.strategy(),
        "status": minutes.status(),
        "running": standing.running.is_some(),
        "pid": standing.running.flatten(),
        "phase": minutes.current_phase(),
        "phases": phases.map(|phases| phases.iter().map(|phase| phase.name.as_str()).collect::<Vec<_>>()),
        "rounds": minutes.total_rounds(),
        "max_rounds": minutes.settings().map(|settings| settings.limits.max_rounds),
        "answers_kept": standing.answers_kept,
        "pending": pending,
        "outcome": minutes.outcome().map(|outcome| json!({
            "status": outcome.status, "documents": outcome.files,
        })),
        "closed": minutes.closing(),
        "started": minutes.started(),
        "last_at": minutes.last_at(),
        "next": standing.next,
    })
}
