//! A session as text: its discussion, its outcome, its documents.
//! Given the sessions of a project; hands on Markdown and the fields of the result tool. What models wrote is cleaned;
//! a document is read only where it lies inside the project. Deliberately absent: running, and the minutes themselves.

use std::fs;
use std::path::Path;

use s2s::Failure;
use s2s::clean::{clean_line, clean_text};
use s2s::engine::record::{Escalation, Round, RuledBy, RulingChoice, SeatResponse, Tally};
use s2s::roundtable::recall;
use s2s::store::{Minutes, Sessions, Status};

use crate::ruling::word;
use crate::tools::told::{Document, Outcome, Tallied};

/// The most characters of one document in a result; the resource has all of it.
const MOST_TEXT: usize = 40_000;
/// The largest document that is read.
const MOST_BYTES: u64 = 8 << 20;

/// How a session ended.
pub(crate) fn outcome(sessions: &Sessions, root: &Path, id: &str) -> Result<Outcome, Failure> {
    let minutes = sessions.read(id)?;
    let Some(outcome) = minutes.outcome().filter(|_| minutes.status() == Status::Completed) else {
        return Err(Failure::bad_input(format!("session {id} has no result yet: it is {}", minutes.status()))
            .next(format!("call roundtable_wait with session {id}")));
    };
    let tallies = last_tallies(minutes.rounds());
    let blocks = tallies.iter().flat_map(|tally| {
        let about = point(minutes.rounds(), &tally.point.to_string());
        let blocks = tally.block.iter().map(|block| format!("{} blocks: {}", block.seat, clean_line(&block.reason)));
        let aside = tally.stand_aside.iter().map(|seat| format!("{seat} stands aside"));
        blocks.chain(aside).map(move |line| format!("{line} ({about})")).collect::<Vec<_>>()
    });
    Ok(Outcome {
        session: id.to_owned(),
        status: outcome.status.to_string(),
        decision: decision(&minutes, outcome.recommendation.as_deref()),
        panel: clean_line(minutes.panel_note()).into_owned(),
        rulings: minutes.escalations().iter().filter_map(ruled).collect(),
        reasons: outcome.reasons.iter().map(|line| clean_line(line).into_owned()).collect(),
        dissent: blocks.collect(),
        unresolved: outcome.unresolved.iter().map(|line| clean_line(line).into_owned()).collect(),
        tallies: tallies
            .iter()
            .map(|tally| Tallied {
                point: point(minutes.rounds(), &tally.point.to_string()),
                carried: tally.carried,
                support: count(tally.support.len()),
                stand_aside: count(tally.stand_aside.len()),
                block: count(tally.block.len()),
            })
            .collect(),
        documents: outcome.files.iter().map(|file| document(root, id, file)).collect(),
    })
}

/// What holds: a person's own decision where one was given, the last one, else what the facilitator recommends.
fn decision(minutes: &Minutes, recommended: Option<&str>) -> String {
    let own = minutes.escalations().iter().rev().find_map(|escalation| {
        let ruling = escalation.ruling.as_ref().filter(|ruling| ruling.choice == RulingChoice::Decide)?;
        ruling.text.as_deref()
    });
    own.or(recommended).map(|text| clean_text(text).into_owned()).unwrap_or_default()
}

/// How an escalation was settled, and by whom.
fn ruled(escalation: &Escalation) -> Option<String> {
    let ruling = escalation.ruling.as_ref()?;
    let by = match (ruling.by, &ruling.name) {
        (RuledBy::Person, _) => "the person".to_owned(),
        (_, Some(name)) => clean_line(name).into_owned(),
        (_, None) => "the settings".to_owned(),
    };
    let said = ruling.text.as_deref().map(|text| format!(": {}", clean_line(text))).unwrap_or_default();
    Some(format!("{} after round {}, {by} chose {}{said}", escalation.id, escalation.round, word(ruling.choice)))
}

/// A point with its text: `C2.1` is the first that round 2 claimed.
fn point(rounds: &[Round], id: &str) -> String {
    let numbers = id.strip_prefix('C').and_then(|rest| rest.split_once('.'));
    let text = numbers.and_then(|(round, at)| {
        let held = rounds.get(round.parse::<usize>().ok()?.checked_sub(1)?)?;
        held.consensus.get(at.parse::<usize>().ok()?.checked_sub(1)?)
    });
    text.map_or_else(|| id.to_owned(), |text| format!("{id}: {}", clean_line(text)))
}

fn count(many: usize) -> i64 {
    i64::try_from(many).unwrap_or(i64::MAX)
}

/// The last count of each point, in the order of points.
fn last_tallies(rounds: &[Round]) -> Vec<&Tally> {
    let mut last: Vec<&Tally> = Vec::new();
    for tally in rounds.iter().flat_map(|round| &round.tallies) {
        match last.iter_mut().find(|kept| kept.point == tally.point) {
            Some(kept) => *kept = tally,
            None => last.push(tally),
        }
    }
    last
}

fn document(root: &Path, id: &str, file: &str) -> Document {
    let text = read_inside(root, file).unwrap_or_else(|why| format!("({why})"));
    let text = match text.char_indices().nth(MOST_TEXT) {
        Some((end, _)) => {
            format!("{}\n\n(cut here; the resource s2s://session/{id}/document has it all)", &text[..end])
        }
        None => text,
    };
    Document { file: clean_line(file).into_owned(), text }
}

/// The main document of a session, whole.
pub(crate) fn main_document(sessions: &Sessions, root: &Path, id: &str) -> Result<String, Failure> {
    let minutes = sessions.read(id)?;
    let file = minutes.outcome().and_then(|outcome| outcome.file.clone());
    let Some(file) = file else {
        return Err(Failure::bad_input(format!("session {id} has written no document; it is {}", minutes.status()))
            .next("wait until the session is complete"));
    };
    read_inside(root, &file).map_err(|why| Failure::failed(format!("the document {file} of session {id}: {why}")))
}

/// Reads a file that the minutes name: a file may have been edited by anybody, so it must lie inside the project.
fn read_inside(root: &Path, file: &str) -> Result<String, String> {
    let gone = |error: std::io::Error| format!("cannot be read: {error}");
    let inside = root.canonicalize().map_err(gone)?;
    let path = inside.join(file).canonicalize().map_err(gone)?;
    if !path.starts_with(&inside) {
        return Err("lies outside of the project, and is not read".to_owned());
    }
    let about = fs::metadata(&path).map_err(gone)?;
    if !about.is_file() || about.len() > MOST_BYTES {
        return Err("is not a file of at most 8 MB".to_owned());
    }
    fs::read_to_string(&path).map(|text| clean_text(&text).into_owned()).map_err(gone)
}

/// The discussion as Markdown: every round in short, or one with its responses.
pub(crate) fn shown(sessions: &Sessions, id: &str, round: u32) -> Result<String, Failure> {
    let minutes = sessions.read(id)?;
    if round == 0 {
        return Ok(whole(&minutes));
    }
    let Some(held) = minutes.rounds().iter().find(|held| held.number == round) else {
        return Err(Failure::bad_input(format!("session {id} has no round {round}: {} held", minutes.total_rounds()))
            .next("leave `round` out to see them all in short"));
    };
    let mut text = one(held);
    // A tape that cannot be read takes the answers away, not the round.
    let recalled = sessions.tape(id).ok().and_then(|tape| recall(&minutes, &tape.lines).ok());
    let kept = recalled.as_ref().and_then(|recalled| recalled.session.answers_of(round));
    for answer in held.responses.as_deref().or(kept).unwrap_or_default() {
        text.push_str(&response(answer));
    }
    Ok(text)
}

fn whole(minutes: &Minutes) -> String {
    let mut text = format!("# {}\n\n", clean_line(minutes.topic()));
    let seats: Vec<&str> = minutes.seats().iter().map(|seat| seat.name.as_str()).collect();
    text.push_str(&format!(
        "Session {}, {}, strategy {}, {}. Seats: {}. {}\n",
        minutes.id(),
        minutes.workflow(),
        minutes.strategy(),
        minutes.status(),
        clean_line(&seats.join(", ")),
        clean_line(minutes.panel_note())
    ));
    minutes.rounds().iter().for_each(|round| text.push_str(&one(round)));
    if let Some(pending) = minutes.pending() {
        text.push_str(&format!(
            "\n## A person must decide ({})\n\n{}\n",
            pending.id,
            crate::standing::question(pending)
        ));
    }
    if let Some(outcome) = minutes.outcome() {
        text.push_str(&format!("\n## Outcome: {}\n\n", outcome.status));
        outcome.recommendation.iter().for_each(|line| text.push_str(&format!("{}\n\n", clean_text(line))));
        outcome.consensus.iter().for_each(|line| text.push_str(&format!("- {}\n", clean_line(line))));
        outcome.unresolved.iter().for_each(|line| text.push_str(&format!("- open: {}\n", clean_line(line))));
    }
    text
}

fn one(round: &Round) -> String {
    let mut text = format!(
        "\n## Round {} ({}, {})\n\nAsked: {}\n\n{}\n\n",
        round.number,
        round.phase,
        round.kind,
        clean_line(&round.question),
        clean_text(&round.synthesis)
    );
    round.consensus.iter().for_each(|point| text.push_str(&format!("- agreed: {}\n", clean_line(point))));
    for conflict in &round.conflicts {
        text.push_str(&format!("- conflict {}: {}\n", conflict.id, clean_line(&conflict.description)));
    }
    for tally in &round.tallies {
        let carried = if tally.carried { "carried" } else { "not carried" };
        let (for_it, aside, against) = (tally.support.len(), tally.stand_aside.len(), tally.block.len());
        text.push_str(&format!(
            "- vote on {}: {for_it} for, {aside} aside, {against} against: {carried}\n",
            tally.point
        ));
    }
    text
}

fn response(answer: &SeatResponse) -> String {
    let mut text =
        format!("\n### {} ({:.2})\n\n{}\n\n", answer.participant, answer.confidence, clean_text(&answer.position));
    answer.rationale.iter().for_each(|line| text.push_str(&format!("- {}\n", clean_line(line))));
    answer.concerns.iter().for_each(|line| text.push_str(&format!("- concern: {}\n", clean_line(line))));
    text
}
