//! `s2s` alone: where we are, and the next step.
//! Given the current folder; says whether it is a project and which session is open. Always exit 0: it
//! answers a question. Deliberately absent: help, which `--help` gives.

use s2s::Failure;
use s2s::engine::counted;
use s2s::project;
use s2s::store::{Sessions, Status};
use serde_json::{Value, json};

use crate::console::Console;
use crate::seating;
use crate::workplace::{here, shown};

/// Says where we are.
pub fn home(console: &Console) -> Result<u8, Failure> {
    let cwd = here()?;
    let Some(project) = project::find(&cwd) else {
        let next = "s2s init";
        return say(console, "This folder is not an s2s project yet.", None, Value::Null, next);
    };
    let root = shown(&cwd, &project.root);
    let place = if root.is_empty() { ".".to_owned() } else { root };
    let at = format!("Project: {place}");
    let sessions = Sessions::new(&project.dir);
    let current = sessions.current()?.filter(|id| sessions.minutes_path(id).exists());
    let Some(id) = current else {
        return say(console, &at, None, json!(place), "s2s roundtable start \"your question\"");
    };
    let Ok(minutes) = sessions.read(&id) else {
        let open = format!("{id} (cannot be read)");
        return say(console, &at, Some((&id, &open)), json!(place), &format!("s2s session validate {id}"));
    };
    let verb = match (minutes.pending().is_some(), minutes.status()) {
        (true, _) => "answer",
        (false, Status::Active | Status::Paused) => "resume",
        (false, Status::Completed | Status::Archived) => "show",
    };
    let again = if verb == "show" { "" } else { seating::script_named(&minutes) };
    let open = format!("{id} ({}, {})", minutes.status(), counted(minutes.total_rounds(), "round"));
    say(console, &at, Some((&id, &open)), json!(place), &format!("s2s roundtable {verb} {id}{again}"))
}

fn say(console: &Console, at: &str, session: Option<(&str, &str)>, project: Value, next: &str) -> Result<u8, Failure> {
    if console.json {
        let session = session.map(|(id, _)| id);
        let value = json!({
            "version": env!("CARGO_PKG_VERSION"), "project": project, "current_session": session, "next": next,
        });
        return console.print_json(&value).map(|()| 0);
    }
    let mut text =
        format!("s2s {}: puts a technical question to a panel of experts.\n\n{at}\n", env!("CARGO_PKG_VERSION"));
    if let Some((_, open)) = session {
        text.push_str(&format!("Session: {open}\n"));
    }
    text.push_str(&format!("Next:    {next}\n\nAll commands: s2s --help\n"));
    console.print(&text).map(|()| 0)
}
