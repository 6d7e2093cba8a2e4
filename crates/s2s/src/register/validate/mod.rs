//! Does a project hold together? Every session by itself, and what sessions say of each other.
//! Given the folder of sessions; hands on findings, each with where it is, how bad it is and what to do next. Schema,
//! digests and the invariants of a session are the store's checks; here are those that need the engine, the tape or
//! the other sessions. Deliberately absent: repair, and prompts (`audit::verify`).

mod across;
mod ballots;
mod finding;
mod own;
mod papers;

use std::path::Path;

use s2s_engine::Session;
use s2s_engine::opening::FACILITATOR;
use s2s_engine::record::RoundKind;
use s2s_store::{Leftover, LeftoverKind, Minutes, Sessions, Status, StoreError, validate as invariants};
use serde::Serialize;

pub use finding::{Finding, Severity};
pub(super) use finding::{READ_FIRST, not_here};

use super::folding::{self, Folded};
use super::{ProjectRegister, TaskLink};
use crate::failure::Failure;
use crate::roundtable::{RecallError, recall};
use finding::Findings;

/// What was looked at, and what was found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Sessions that were checked.
    pub sessions: usize,
    /// Their committed rounds.
    pub rounds: usize,
    /// The artifacts that they made or changed.
    pub artifacts: usize,
    /// Tallies that were counted anew.
    pub tallies: usize,
    /// What could not be checked, and why.
    pub notes: Vec<String>,
    /// What does not hold, by session and round.
    pub findings: Vec<Finding>,
}

impl Report {
    /// How many findings are of this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }

    /// Whether nothing is an error.
    pub fn is_sound(&self) -> bool {
        self.count(Severity::Error) == 0
    }
}

/// One session, checked by itself.
struct Looked {
    folded: Folded,
    rounds: usize,
    tallies: usize,
    files: Vec<String>,
    notes: Vec<String>,
    findings: Findings,
}

/// Checks a whole project, or one session in it. `root` is the project's folder, where documents are; `tasks` are
/// those of its plans, whose ids documents may name.
///
/// # Errors
/// If the folder of sessions cannot be read, or the session is not there. A session that cannot be read is a finding.
pub fn validate(sessions: &Sessions, root: &Path, tasks: &[TaskLink], only: Option<&str>) -> Result<Report, Failure> {
    let ids = sessions.ids()?;
    let asked = |id: &str| only.is_none_or(|only| only == id);
    let looked = folding::each(&ids, |id| look(sessions, id, asked(id)));
    let mut report = Report::default();
    let mut found = Findings::default();
    let mut folded = Vec::new();
    let mut papers = Vec::new();
    for (id, looked) in ids.into_iter().zip(looked) {
        let is_asked = asked(&id);
        report.sessions += usize::from(is_asked);
        match looked {
            Ok(looked) => {
                let Looked { folded: one, rounds, tallies, files, notes, findings } = *looked;
                if is_asked {
                    report.rounds += rounds;
                    report.tallies += tallies;
                    report.artifacts += one.own.len();
                    report.notes.extend(notes);
                    found.append(findings);
                }
                papers.push(papers::Papers {
                    session: id.clone(),
                    keeps_artifacts: one.seen.register.is_some(),
                    files,
                });
                folded.push((id, Ok(one)));
            }
            Err(unread) => {
                if is_asked {
                    found.push(unread.finding);
                } else {
                    report.notes.push(format!("session {id} cannot be read; what it holds is not known here"));
                }
                folded.push((id, Err(Failure::failed(unread.why))));
            }
        }
    }
    let register = ProjectRegister::of(folded.into_iter());
    across::check(sessions, &register, &asked, &mut found);
    papers::check(root, &register, tasks, &papers, &asked, &mut found);
    if only.is_none() {
        for leftover in sessions.half_made()? {
            found.push(half_made(&leftover));
        }
    }
    found.within(root, &register.unread);
    report.findings = found.0;
    Ok(report)
}

/// What a killed process left of a session that never was.
fn half_made(leftover: &Leftover) -> Finding {
    let what = match leftover.kind {
        LeftoverKind::Orphan => "a session's folder without minutes: a process was killed while it made the session",
        _ => "a file half written: a process was killed while it wrote",
    };
    Finding {
        severity: Severity::Warning,
        session: None,
        file: leftover.paths.first().cloned().unwrap_or_default(),
        line: None,
        round: None,
        id: None,
        what: what.to_owned(),
        next: "nothing is lost with it; put it away: s2s session cleanup".to_owned(),
    }
}

/// A session that cannot be read: what is said of it, and the reason for whoever asks about its ids.
struct CannotRead {
    why: String,
    finding: Finding,
}

impl CannotRead {
    fn of(sessions: &Sessions, id: &str, error: &StoreError) -> Box<Self> {
        let finding = Finding::unreadable(id, &sessions.minutes_path(id), error);
        Box::new(Self { why: error.to_string(), finding })
    }
}

/// Reads and folds a session; checks it where it was asked for.
fn look(sessions: &Sessions, id: &str, asked: bool) -> Result<Box<Looked>, Box<CannotRead>> {
    let minutes = sessions.read(id).map_err(|error| CannotRead::of(sessions, id, &error))?;
    let mut findings = Findings::of(sessions, id);
    let mut notes = Vec::new();
    let mut tallies = 0;
    let session = match minutes.settings() {
        Some(_) if asked || minutes.register().is_some() => Some(match asked {
            true => with_tape(sessions, &minutes, &mut findings, &mut notes)?,
            false => recall(&minutes, &[]).map_err(|error| misfit(sessions, id, error))?.session,
        }),
        _ => None,
    };
    if asked {
        for finding in invariants(&minutes) {
            let next = "restore the file from a backup or version control, or archive the session and hold it again";
            findings.error(finding.round, None, finding.what, next);
        }
        if let Some(session) = &session {
            own::check(&minutes, session, &mut findings);
            tallies = ballots::check(&minutes, session, &mut findings);
        }
        check_asides(sessions, &minutes, &mut findings);
        notes.extend(digest_note(&minutes));
        findings.find_lines();
    }
    // As in `ProjectRegister::read`: a session without a register has nothing to take.
    let keeper = session.as_ref().filter(|_| minutes.register().is_some());
    let folded = Folded::of(keeper, &minutes, minutes.status() == Status::Completed);
    let files = minutes.outcome().map(|outcome| outcome.files.clone()).unwrap_or_default();
    Ok(Box::new(Looked { folded, rounds: minutes.rounds().len(), tallies, files, notes, findings }))
}

fn misfit(sessions: &Sessions, id: &str, error: RecallError) -> Box<CannotRead> {
    match error {
        RecallError::Store(error) => CannotRead::of(sessions, id, &error),
        tape @ RecallError::Tape { .. } => {
            let next = "run `s2s session verify` to see where the record breaks";
            let finding = Findings::of(sessions, id).made(Severity::Error, None, None, tape.to_string(), next);
            Box::new(CannotRead { why: tape.to_string(), finding })
        }
    }
}

/// The session with the answers that its tape still has, where votes were counted that the minutes do not hold.
fn with_tape(
    sessions: &Sessions,
    minutes: &Minutes,
    findings: &mut Findings,
    notes: &mut Vec<String>,
) -> Result<Session, Box<CannotRead>> {
    let id = minutes.id();
    let without = || recall(minutes, &[]).map(|recalled| recalled.session).map_err(|error| misfit(sessions, id, error));
    let counted = |round: &&s2s_engine::record::Round| !round.tallies.is_empty() && round.responses.is_none();
    let Some(first) = minutes.rounds().iter().find(counted) else { return without() };
    let what = if first.kind == RoundKind::Ballot { "ballots" } else { "votes" };
    match sessions.tape(id) {
        Ok(tape) if tape.lines.is_empty() => {
            notes.push(format!("{id} has no tape; its {what} were only counted from the tallies themselves"));
            without()
        }
        Ok(tape) => match recall(minutes, &tape.lines) {
            Ok(recalled) => Ok(recalled.session),
            Err(error) => {
                findings.tape(&sessions.tape_path(id), None, error.to_string());
                without()
            }
        },
        Err(error) => {
            findings.tape(&sessions.tape_path(id), error.line(), error.to_string());
            without()
        }
    }
}

/// What was asked beside the record: its lines hold, and it was asked of somebody at the table.
fn check_asides(sessions: &Sessions, minutes: &Minutes, findings: &mut Findings) {
    let path = sessions.asides_path(minutes.id());
    match sessions.asides(minutes.id()) {
        Ok(asides) => {
            let seated = |seat: &str| seat == FACILITATOR || minutes.seats().iter().any(|known| *known.id == *seat);
            for aside in asides.list.iter().filter(|aside| !seated(&aside.asked.seat)) {
                let what =
                    format!("aside {} was asked of `{}`, who is not at the table", aside.number, aside.asked.seat);
                findings.beside(&path, None, what);
            }
        }
        Err(error) => findings.beside(&path, error.line(), error.to_string()),
    }
}

fn digest_note(minutes: &Minutes) -> Option<String> {
    let id = minutes.id();
    if minutes.is_legacy() {
        return Some(format!("{id} was written by the plugin: there are no digests to check"));
    }
    let undigested = minutes.undigested();
    (undigested > 0).then(|| format!("{id}: the first {undigested} rounds have no digest: the plugin held them"))
}
