//! `s2s roundtable show`: a whole discussion, readable.
//! Given an id; prints the minutes with the answers that the tape still has, the agenda and the artifacts.
//! Deliberately absent: checks beyond those of reading (`session.rs` has them).

use s2s::Failure;
use s2s::engine::Session;
use s2s::register::{Chain, ProjectRegister};
use s2s::roundtable::{TopicShown, recall};
use s2s::store::{Minutes, Sessions};
use serde_json::{Value, json};

use crate::args::Show;
use crate::console::Console;
use crate::screen::{self, Bearings, Style};
use crate::seating;
use crate::workplace::{here, project_at, session_meant, up_to};

/// Shows a session.
pub fn show(typed: &Show, console: &Console) -> Result<u8, Failure> {
    let cwd = here()?;
    let project = project_at(&cwd)?;
    let sessions = Sessions::new(&project.dir);
    let id = session_meant(&sessions, typed.id.as_deref())?;
    let minutes = sessions.read(&id)?;
    if typed.chain {
        return chain(&sessions, &id, console);
    }
    if console.json {
        let mut document = minutes.document().clone();
        document.insert("total_rounds".to_owned(), json!(minutes.total_rounds()));
        document.insert("rounds".to_owned(), json!(minutes.rounds()));
        if let Some(session) = without_tape(&minutes) {
            document.insert("artifacts".to_owned(), screen::artifacts_json(&session));
            document.insert("coverage".to_owned(), json!(TopicShown::all(&session)));
        }
        return console.print_json(&Value::Object(document)).map(|()| 0);
    }
    // A tape that cannot be read takes the answers away, not the discussion.
    let recalled = match minutes.settings() {
        Some(_) => sessions.tape(&id).map_err(Failure::from).and_then(|tape| Ok(Some(recall(&minutes, &tape.lines)?))),
        None => Ok(None),
    };
    let session = recalled.unwrap_or_else(|failure| {
        console.note(&format!("the answers cannot be shown: {failure}"));
        None
    });
    // The agenda and the artifacts are in the minutes alone.
    let session = session.map(|recalled| recalled.session).or_else(|| without_tape(&minutes));
    let style = Style { verbose: typed.verbose, ..console.style };
    let again = seating::script_named(&minutes).to_owned();
    let bearings = Bearings { up: up_to(&cwd, &project.root), again, ..Bearings::default() };
    console.print(&screen::discussion(&minutes, session.as_ref(), &bearings, &style)).map(|()| 0)
}

/// The session as its minutes alone tell it; the plugin's have no settings to fold it by.
fn without_tape(minutes: &Minutes) -> Option<Session> {
    minutes.settings()?;
    recall(minutes, &[]).ok().map(|recalled| recalled.session)
}

/// Shows the sessions before and after one.
fn chain(sessions: &Sessions, id: &str, console: &Console) -> Result<u8, Failure> {
    let register = ProjectRegister::read(sessions)?;
    let chain = Chain::of(&register, id)
        .ok_or_else(|| Failure::failed(format!("session {id} cannot be read")).next("s2s session validate"))?;
    match console.json {
        true => console.print_json(&json!({ "schema": 1, "session": id, "chain": chain })),
        false => console.print(&screen::chain(&chain, &console.style)),
    }
    .map(|()| 0)
}
