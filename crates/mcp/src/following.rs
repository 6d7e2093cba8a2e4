//! What happened in a session so far, and what happens while somebody waits.
//! Given the sessions of a project and an id; tells lines as they come, from the session's files, so that it makes no
//! difference which process runs it. Deliberately absent: deadlines and notifications (`tools/wait.rs`).

use s2s::Failure;
use s2s::clean::clean_line;
use s2s::following::Following;
use s2s::roundtable::{CallEnd, Interrupt, Notice};
use s2s::store::{Minutes, Sessions};
use tokio::sync::mpsc::UnboundedSender;

use crate::standing::{Standing, next, question};
use crate::tools::told::Status;

/// How much of a position or a question is told, in characters.
const SHORT: usize = 200;
/// How much of a synthesis is told.
const SYNTHESIS: usize = 400;
/// The most rounds whose syntheses are told.
const MOST_ROUNDS: usize = 8;

/// Follows a session until it ends, waits, or whoever waits has waited long enough; then says where it stands.
/// Blocks, on a runtime of its own.
pub(crate) fn follow(
    sessions: &Sessions,
    id: &str,
    lines: &UnboundedSender<String>,
    mut interrupt: Interrupt,
) -> Result<Status, Failure> {
    let mut following = match Following::new(sessions, id, false) {
        Ok(following) => following,
        // The plugin's sessions have nothing to follow.
        Err(_) => return look(sessions, id),
    };
    let mut open_round = Vec::new();
    let mut audience = |notice: &Notice| {
        if matches!(notice, Notice::RoundCommitted { .. }) {
            open_round.clear();
        }
        let Some(line) = told(notice) else { return };
        if of_open_round(notice) {
            open_round.push(line.clone());
        }
        // Whoever waited may be gone; the interrupt then comes soon.
        let _ = lines.send(line);
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let runtime = runtime.map_err(|error| Failure::failed(format!("cannot start the runtime: {error}")))?;
    runtime.block_on(following.follow(&mut audience, &mut interrupt))?;
    status(sessions, &sessions.read(id)?, open_round)
}

/// Where a session stands now.
pub(crate) fn look(sessions: &Sessions, id: &str) -> Result<Status, Failure> {
    let mut open_round = Vec::new();
    if let Ok(mut following) = Following::new(sessions, id, false) {
        let mut audience = |notice: &Notice| {
            if matches!(notice, Notice::RoundCommitted { .. }) {
                open_round.clear();
            }
            open_round.extend(told(notice).filter(|_| of_open_round(notice)));
        };
        following.look(&mut audience)?;
    }
    status(sessions, &sessions.read(id)?, open_round)
}

fn status(sessions: &Sessions, minutes: &Minutes, open_round: Vec<String>) -> Result<Status, Failure> {
    let standing = Standing::of(minutes, sessions.is_held(minutes.id())?);
    let rounds = minutes.rounds();
    let from = rounds.len().saturating_sub(MOST_ROUNDS);
    // Who answers is said wherever the panel is heard.
    let note = clean_line(minutes.panel_note()).into_owned();
    let mut progress: Vec<String> = Some(note).filter(|note| !note.is_empty()).into_iter().collect();
    if from > 0 {
        progress.push(format!("Rounds 1 to {from} are left out here: session_show has them."));
    }
    progress.extend(
        rounds[from..]
            .iter()
            .map(|round| format!("Round {} ({}): {}", round.number, round.phase, short(&round.synthesis, SYNTHESIS))),
    );
    if !matches!(standing, Standing::Completed | Standing::Archived) {
        progress.extend(open_round);
    }
    let pending = minutes.pending().filter(|_| standing == Standing::NeedsPerson);
    Ok(Status {
        session: minutes.id().to_owned(),
        status: standing.as_str().to_owned(),
        rounds: i64::from(minutes.total_rounds()),
        max_rounds: minutes.settings().map_or(0, |settings| i64::from(settings.limits.max_rounds)),
        progress,
        question: pending.map(question).unwrap_or_default(),
        choices: pending.map(crate::ruling::choices).unwrap_or_default(),
        next: next(standing, minutes),
    })
}

fn of_open_round(notice: &Notice) -> bool {
    matches!(notice, Notice::RoundStarted { .. } | Notice::QuestionPosed { .. } | Notice::CallEnded { .. })
}

/// One line of what has happened; none where it is nothing to a caller.
pub(crate) fn told(notice: &Notice) -> Option<String> {
    Some(match notice {
        Notice::RoundStarted { round, max_rounds, phase, .. } => {
            format!("Round {round} of at most {max_rounds} begins ({phase}).")
        }
        Notice::QuestionPosed { question, .. } => format!("Asked: {}", short(question, SHORT)),
        Notice::CallEnded { seat, end, .. } => match end {
            CallEnd::Answered { confidence: Some(sure), position: Some(position), .. } => {
                format!("{seat} ({sure:.2}): {}", short(position, SHORT))
            }
            CallEnd::Answered { .. } => return None,
            CallEnd::Refused { reason } => format!("{seat}: the reply could not be read: {}", short(reason, SHORT)),
            CallEnd::Failed { error } => format!("{seat}: no reply: {}", short(error, SHORT)),
        },
        Notice::RoundCommitted { round, .. } => {
            format!("Round {} is held: {}", round.number, short(&round.synthesis, SYNTHESIS))
        }
        Notice::EscalationRaised { .. } => "A person must decide.".to_owned(),
        Notice::EscalationSettled { id, .. } => format!("{id} is settled."),
        Notice::SessionPaused { reason, .. } => format!("Paused: {}", short(reason, SHORT)),
        Notice::SessionCompleted { total_rounds, .. } => format!("Complete after {total_rounds} rounds."),
        Notice::Warned { text } => short(text, SHORT),
        _ => return None,
    })
}

/// The start of a text, on one line.
pub(crate) fn short(text: &str, most: usize) -> String {
    let line = clean_line(text);
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line.into_owned(),
    }
}
