//! `s2s roundtable answer`: settles the escalation that waits for a person, then goes on (E8, E10).
//! Given a flag, or the person's choice at the terminal; hands the ruling to the run. Deliberately absent:
//! what a ruling does, which is the engine's.

use s2s::Failure;
use s2s::clean::clean_text;
use s2s::engine::record::{Escalation, Ruling, RulingChoice};
use s2s::secrets;
use s2s::store::{Minutes, Panel as PanelKind};

use super::resume::{self, Given};
use super::{answer_as, opening};
use crate::args::{self, Answer};
use crate::chair::by_person;
use crate::console::Console;
use crate::run::{self, Backstage};
use crate::screen;
use crate::seating;
use crate::workplace::Workplace;

/// Settles what waits, and goes on.
pub fn answer(typed: &Answer, console: &Console) -> Result<u8, Failure> {
    let console = &run::console_for(console, &typed.run, typed.verbose);
    let workplace = resume::workplace(&typed.run)?;
    let id = resume::open_one(&workplace.sessions, typed.id.as_deref())?;
    let minutes = workplace.sessions.read(&id)?;
    if let Some(person) = &typed.person {
        return answer_as::answer(typed, person, &minutes, &workplace, console);
    }
    let Some(pending) = minutes.pending() else { return Err(nothing_waits(&minutes, &workplace)) };
    let given = match given(&typed.ruling)? {
        Some(ruling) => Some(fitting(ruling, pending, &minutes)?),
        None if console.attended || typed.run.yes || typed.run.on_escalation.is_some() => None,
        None if console.json => return Err(unanswered(pending, &minutes)),
        None => {
            let raised_by = minutes.rounds().last().filter(|round| round.number == pending.round);
            console.print(&screen::escalation(pending, raised_by, !console.attended, &console.style))?;
            return Err(unanswered(pending, &minutes));
        }
    };
    let said = given.as_ref().and_then(|ruling: &Ruling| ruling.text.as_deref()).unwrap_or_default();
    if minutes.panel() == Some(PanelKind::Models) && !typed.run.allow_secrets {
        opening::refuse_found(secrets::scan("the answer", said))?;
    }
    let ruling = given.map(|ruling| (pending.id.clone(), ruling));
    let given = Given { ruling, ..Given::default() };
    let backstage = Backstage::ready(&workplace, &typed.run, console)?;
    resume::go_on(&id, &workplace, backstage, &typed.run, console, given)
}

fn unanswered(pending: &Escalation, minutes: &Minutes) -> Failure {
    let id = minutes.id();
    Failure::bad_input(format!("{} of session {id} waits, and no answer is given", pending.id))
        .next(ways(pending, minutes))
}

/// The command with every flag that could answer.
fn ways(pending: &Escalation, minutes: &Minutes) -> String {
    format!("s2s roundtable answer {}{} {}", minutes.id(), seating::script_named(minutes), run::answers(pending))
}

fn nothing_waits(minutes: &Minutes, workplace: &Workplace) -> Failure {
    let id = minutes.id();
    let awaited = answer_as::awaited(minutes, workplace);
    if let Some(person) = awaited.first() {
        let what = format!("session {id} waits for {}, and not for a ruling", awaited.join(", "));
        return Failure::bad_input(what).next(run::answer_as(id, seating::script_named(minutes), person));
    }
    let failure = Failure::bad_input(format!("nothing waits for an answer in session {id} ({})", minutes.status()));
    match minutes.outcome() {
        Some(_) => failure.next(format!("see it: s2s show {id}")),
        None => failure.next(format!("go on with it: s2s roundtable resume {id}{}", seating::script_named(minutes))),
    }
}

/// The ruling that the flags give; clap lets at most one through.
fn given(flags: &args::Ruling) -> Result<Option<Ruling>, Failure> {
    let counted = |choice, rounds: Option<u32>| Ruling { rounds, ..by_person(choice) };
    let ruling = if flags.accept {
        by_person(RulingChoice::Accept)
    } else if let Some(text) = &flags.decide {
        let text = clean_text(text).trim().to_owned();
        if text.is_empty() {
            return Err(Failure::bad_input("--decide needs the decision in words").next("--decide \"what holds now\""));
        }
        Ruling { text: Some(text), ..by_person(RulingChoice::Decide) }
    } else if let Some(rounds) = flags.r#continue {
        counted(RulingChoice::Continue, rounds)
    } else if flags.accept_context {
        by_person(RulingChoice::AcceptContext)
    } else if flags.keep_context {
        by_person(RulingChoice::KeepContext)
    } else if let Some(rounds) = flags.discuss {
        counted(RulingChoice::Discuss, rounds)
    } else {
        return Ok(None);
    };
    Ok(Some(ruling))
}

/// The ruling, if the escalation offers that choice.
fn fitting(mut ruling: Ruling, pending: &Escalation, minutes: &Minutes) -> Result<Ruling, Failure> {
    if !pending.options.contains(&ruling.choice) {
        let why = match ruling.choice {
            RulingChoice::Accept => "there is no recommendation to accept",
            _ => "that choice is not offered",
        };
        return Err(
            Failure::bad_input(format!("{} cannot be answered so: {why}", pending.id)).next(ways(pending, minutes))
        );
    }
    if ruling.choice == RulingChoice::Accept {
        ruling.text.clone_from(&pending.recommendation);
    }
    Ok(ruling)
}
