//! `s2s session close`: ends an open session on purpose.
//! Given an id, or nothing for the current one, and a reason; the session is archived under its lock, with who
//! closed it and why in its minutes. Nothing is lost: `s2s roundtable resume` takes it up again. Deliberately
//! absent: removing anything (`cleanup.rs`).

use s2s::Failure;
use s2s::clean::clean_line;
use s2s::store::{Keeper, Status};
use serde_json::json;

use super::resume::open_one;
use crate::args::Close;
use crate::console::Console;
use crate::run::now;
use crate::seating::script_named;
use crate::workplace::sessions_here;

/// The longest reason: a sentence or two.
const MAX_REASON: usize = 500;

/// Closes a session.
pub fn close(typed: &Close, console: &Console) -> Result<u8, Failure> {
    let reason = typed.reason.as_deref().map(checked).transpose()?;
    let sessions = sessions_here()?;
    let id = open_one(&sessions, typed.id.as_deref())?;
    // Refused with the process that holds it, if one does.
    let mut held = sessions.open(&id)?;
    let status = held.minutes().status();
    if status == Status::Completed {
        return Err(Failure::bad_input(format!("session {id} is complete; there is nothing to close"))
            .next(format!("see it: s2s session show {id}")));
    }
    if status == Status::Archived {
        console.note("The session was closed already; it stays as it is.");
    } else {
        let mut minutes = held.minutes().clone();
        minutes.close(now(), "person", reason.as_deref())?;
        held.save(minutes)?;
    }
    if sessions.current()?.as_deref() == Some(id.as_str()) {
        sessions.set_current(None)?;
    }
    let minutes = held.minutes();
    let next = format!("s2s roundtable resume {id}{}", script_named(minutes));
    let rounds = minutes.total_rounds();
    if console.json {
        let reason = minutes.closing().and_then(|closing| closing.text.as_deref());
        let value = json!({
            "schema": 1, "session": id, "status": Status::Archived, "was": status, "rounds": rounds,
            "reason": reason, "next": next,
        });
        return console.print_json(&value).map(|()| 0);
    }
    let kept = if rounds == 1 { "1 round is".to_owned() } else { format!("{rounds} rounds are") };
    console.print(&format!("Closed: {id}. {kept} kept.\nTake it up again: {next}\n")).map(|()| 0)
}

fn checked(text: &str) -> Result<String, Failure> {
    let line = clean_line(text).into_owned();
    match line.chars().count() {
        0 => Err(Failure::bad_input("--reason is empty").next("leave it out, or say why")),
        chars if chars > MAX_REASON => {
            Err(Failure::bad_input(format!("--reason has {chars} characters; at most {MAX_REASON} fit"))
                .next("say it in a sentence or two"))
        }
        _ => Ok(line),
    }
}
