//! `s2s show`, also `s2s roundtable show` and `s2s session show`: a discussion, readable.
//! Given an id, and a round, a seat or the conflicts if these alone are wanted; prints the minutes with the answers that
//! the tape still has, the agenda, the artifacts and what was asked afterwards, through a pager where that is long.
//! Deliberately absent: checks beyond those of reading (`session.rs` has them).

use s2s::Failure;
use s2s::asides::seat_named;
use s2s::conflicts;
use s2s::engine::Session;
use s2s::engine::counted;
use s2s::engine::record::{Round, SeatResponse};
use s2s::matrix;
use s2s::register::{Chain, ProjectRegister};
use s2s::roundtable::{Followed, TopicShown, follow_ups, recall};
use s2s::store::{Aside, Minutes, Panel, Sessions, TapeLine};
use serde_json::{Value, json};

use crate::args::Show;
use crate::console::Console;
use crate::pager;
use crate::screen::{self, Bearings, Style, Wanted};
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
        return chain(&sessions, &id, typed, console);
    }
    check_round(typed, &minutes)?;
    let seat = typed.seat.as_deref().map(|seat| seat_named(&minutes, seat)).transpose()?;
    if typed.conflicts {
        return lives(&minutes, typed, console);
    }
    if typed.matrix {
        return weighed(&sessions, &minutes, typed, console);
    }
    // What was asked beside the record and cannot be read takes nothing away from the record.
    let asides = sessions.asides(&id).map(|asides| asides.list).unwrap_or_else(|error| {
        console.note(&format!("what was asked afterwards cannot be shown: {error}"));
        Vec::new()
    });
    let matrices = matrix::kept(&sessions, &id).unwrap_or_else(|failure| {
        console.note(&format!("the decision matrix cannot be shown: {failure}"));
        Vec::new()
    });
    let tape = tape_of(&sessions, &minutes, console);
    let follow_ups = follow_ups(&tape);
    let wanted = Wanted {
        round: typed.round,
        seat: seat.as_deref(),
        follow_ups: &follow_ups,
        asides: &asides,
        matrices: &matrices,
    };
    let answers = !console.json || wanted.seat.is_some();
    let session = session_of(&minutes, if answers { &tape } else { &[] }, console);
    if console.json {
        return console.print_json(&document(&minutes, session.as_ref(), &wanted)).map(|()| 0);
    }
    let style = Style { verbose: typed.verbose, ..console.style };
    let again = seating::script_named(&minutes).to_owned();
    let driven = sessions.is_held(&id).unwrap_or_default();
    let bearings = Bearings { up: up_to(&cwd, &project.root), again, driven, ..Bearings::default() };
    let text = screen::excerpt(&minutes, session.as_ref(), &wanted, &bearings, &style);
    pager::show(&text, !typed.no_pager, console).map(|()| 0)
}

fn check_round(typed: &Show, minutes: &Minutes) -> Result<(), Failure> {
    let Some(number) = typed.round else { return Ok(()) };
    if minutes.rounds().iter().any(|round| round.number == number) {
        return Ok(());
    }
    let held = counted(minutes.rounds().len(), "round");
    Err(Failure::bad_input(format!("session {} has no round {number}: {held} held so far", minutes.id()))
        .next(format!("see them all: s2s show {}", minutes.id())))
}

/// The tape, which has the answers and the follow-ups. One that cannot be read takes these away, not the discussion.
fn tape_of(sessions: &Sessions, minutes: &Minutes, console: &Console) -> Vec<TapeLine> {
    // The original plugin kept no tape.
    if minutes.settings().is_none() {
        return Vec::new();
    }
    sessions.tape(minutes.id()).map(|tape| tape.lines).unwrap_or_else(|error| {
        console.note(&format!("the answers cannot be shown: {}", Failure::from(error)));
        Vec::new()
    })
}

/// The session with the answers that its tape still has: the agenda and the artifacts are in the minutes alone.
fn session_of(minutes: &Minutes, tape: &[TapeLine], console: &Console) -> Option<Session> {
    minutes.settings()?;
    match recall(minutes, tape) {
        Ok(recalled) => return Some(recalled.session),
        Err(error) => console.note(&format!("the answers cannot be shown: {}", Failure::from(error))),
    }
    recall(minutes, &[]).ok().map(|recalled| recalled.session)
}

/// The minutes for programs, as far as they are wanted.
fn document(minutes: &Minutes, session: Option<&Session>, wanted: &Wanted<'_>) -> Value {
    let mut document = minutes.document().clone();
    let rounds = minutes.rounds().iter().filter(|round| wanted.round.is_none_or(|number| number == round.number));
    let rounds: Vec<Value> = rounds
        .map(|round| match wanted.seat {
            Some(seat) => of_seat(round, seat, session),
            None => json!(round),
        })
        .collect();
    document.insert("total_rounds".to_owned(), json!(minutes.total_rounds()));
    document.insert("rounds".to_owned(), json!(rounds));
    if let Some(session) = session {
        document.insert("artifacts".to_owned(), screen::artifacts_json(session));
        document.insert("coverage".to_owned(), json!(TopicShown::all(session)));
    }
    if let Some(seat) = wanted.seat {
        document.insert("seat".to_owned(), json!(seat));
    }
    let followed = wanted.follow_ups.iter().filter(|followed| {
        wanted.seat.is_none_or(|seat| seat == &*followed.seat) && wanted.round.is_none_or(|held| held == followed.round)
    });
    let followed: Vec<&Followed> = followed.collect();
    if !followed.is_empty() {
        document.insert("follow_ups".to_owned(), json!(followed));
    }
    let of_seat = |aside: &&Aside| wanted.seat.is_none_or(|seat| seat == aside.asked.seat);
    let asides: Vec<&Aside> = wanted.asides.iter().filter(of_seat).collect();
    if !asides.is_empty() {
        document.insert("asides".to_owned(), json!(asides));
    }
    if !wanted.matrices.is_empty() && wanted.round.is_none() && wanted.seat.is_none() {
        document.insert("matrices".to_owned(), json!(wanted.matrices));
    }
    Value::Object(document)
}

/// Shows the decision matrix by itself; where there is none, says why.
fn weighed(sessions: &Sessions, minutes: &Minutes, typed: &Show, console: &Console) -> Result<u8, Failure> {
    let matrices = matrix::kept(sessions, minutes.id())?;
    if console.json {
        let document = json!({ "schema": 1, "session": minutes.id(), "matrices": matrices });
        return console.print_json(&document).map(|()| 0);
    }
    let why_none = match (minutes.panel(), minutes.outcome()) {
        (Some(Panel::Offline), None) => "none yet: it is counted when the session ends",
        (Some(Panel::Offline), Some(_)) => {
            "none: no playbook covers the topic, or the session ended before s2s kept matrices"
        }
        _ => "none: only seats that answer from playbooks weigh, and here a model or a script answered",
    };
    let text = screen::matrices(minutes.id(), minutes.topic(), &matrices, why_none, &console.style);
    pager::show(&text, !typed.no_pager, console).map(|()| 0)
}

/// A round as one seat had it.
fn of_seat(round: &Round, seat: &str, session: Option<&Session>) -> Value {
    let answers = round.responses.as_deref().or_else(|| session?.answers_of(round.number));
    let own: Option<&SeatResponse> = answers.and_then(|all| all.iter().find(|answer| *answer.participant == *seat));
    let asked = round.asked.iter().any(|known| **known == *seat);
    let mut value = json!({
        "number": round.number, "phase": round.phase, "kind": round.kind, "timestamp": round.timestamp,
        "question": round.question, "focus": round.focus, "asked": asked, "response": own,
    });
    if seat == s2s::engine::opening::FACILITATOR {
        value["synthesis"] = json!(round.synthesis);
        value["decision"] = json!(round.decision);
    }
    value
}

/// Shows the life of each conflict.
fn lives(minutes: &Minutes, typed: &Show, console: &Console) -> Result<u8, Failure> {
    let session = minutes.settings().and_then(|_| recall(minutes, &[]).ok()).map(|recalled| recalled.session);
    let lives = conflicts::lives(minutes, session.as_ref());
    match console.json {
        true => console.print_json(&json!({ "schema": 1, "session": minutes.id(), "conflicts": lives })),
        false => pager::show(&screen::conflicts(minutes, &lives, &console.style), !typed.no_pager, console),
    }
    .map(|()| 0)
}

/// Shows the sessions before and after one.
fn chain(sessions: &Sessions, id: &str, typed: &Show, console: &Console) -> Result<u8, Failure> {
    let register = ProjectRegister::read(sessions)?;
    let chain = Chain::of(&register, id)
        .ok_or_else(|| Failure::failed(format!("session {id} cannot be read")).next("s2s session validate"))?;
    match console.json {
        true => console.print_json(&json!({ "schema": 1, "session": id, "chain": chain })),
        false => pager::show(&screen::chain(&chain, &console.style), !typed.no_pager, console),
    }
    .map(|()| 0)
}
