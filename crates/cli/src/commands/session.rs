//! `s2s session verify|replay`: checks the record of a session against its tape.
//! Given an id; says what was checked and everything that does not hold (exit 1 if anything does not).
//! Deliberately absent: the checks, which are the library's, and any repair; `validate` has a file of its own.

use s2s::Failure;
use s2s::audit::{self, Finding};
use s2s::engine::counted;
use s2s::store::{Sessions, TapeLine};
use serde_json::{Value, json};

use crate::args::Named;
use crate::console::Console;
use crate::screen::folded;
use crate::workplace::{session_meant, sessions_here};

/// What a check has to say.
struct Checked {
    /// One line: what was checked.
    summary: String,
    notes: Vec<String>,
    findings: Vec<Finding>,
    report: Value,
}

/// The checks of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// The prompts were the right ones.
    Verify,
    /// The tape leads to the same minutes.
    Replay,
}

/// Checks a session.
pub fn session(check: Check, named: &Named, console: &Console) -> Result<u8, Failure> {
    let sessions = sessions_here()?;
    let id = session_meant(&sessions, named.id.as_deref())?;
    let checked = match check {
        Check::Verify => verified(&sessions, &id)?,
        Check::Replay => replayed(&sessions, &id)?,
    };
    let sound = checked.findings.is_empty();
    if console.json {
        let value = json!({ "session": id, "sound": sound, "report": checked.report });
        console.print_json(&value)?;
    } else {
        let mut text = format!("{id}\n{}\n", checked.summary);
        for note in &checked.notes {
            text.push_str(&format!("note: {note}\n"));
        }
        for finding in &checked.findings {
            text.push_str(&format!("- {}: {}\n", finding.place, finding.what));
        }
        text.push_str(if sound { "Everything holds.\n" } else { "" });
        console.print(&folded(&text, &console.style))?;
    }
    match checked.findings.len() {
        0 => Ok(0),
        _ if console.json => Ok(1),
        1 => Err(Failure::failed(format!("session {id}: one thing does not hold"))),
        n => Err(Failure::failed(format!("session {id}: {n} things do not hold"))),
    }
}

fn verified(sessions: &Sessions, id: &str) -> Result<Checked, Failure> {
    let minutes = sessions.read(id)?;
    let (tape, torn) = tape(sessions, id)?;
    let mut report = audit::verify(&minutes, &tape)?;
    report.notes.extend(torn);
    let summary = format!(
        "{}, {} rendered again, {} shown blind",
        counted(report.rounds, "round"),
        counted(report.prompts, "prompt"),
        counted(report.blind_rounds, "round")
    );
    let (notes, findings) = (report.notes.clone(), report.findings.clone());
    Ok(Checked { summary, notes, findings, report: json!(report) })
}

fn replayed(sessions: &Sessions, id: &str) -> Result<Checked, Failure> {
    let minutes = sessions.read(id)?;
    let (tape, torn) = tape(sessions, id)?;
    let mut report = audit::replay(&minutes, &tape)?;
    report.notes.extend(torn);
    let same = if report.identical { "the same minutes, byte for byte" } else { "not the whole file" };
    let summary = format!("{} from {}; {same}", counted(report.rounds, "round"), counted(report.replies, "reply"));
    let (notes, findings) = (report.notes.clone(), report.findings.clone());
    Ok(Checked { summary, notes, findings, report: json!(report) })
}

/// The tape, and a note if its last line is unfinished.
fn tape(sessions: &Sessions, id: &str) -> Result<(Vec<TapeLine>, Option<String>), Failure> {
    let tape = sessions.tape(id)?;
    let torn = tape.torn.map(|torn| format!("line {} of the tape is unfinished and does not count", torn.line));
    Ok((tape.lines, torn))
}
