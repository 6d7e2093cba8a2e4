//! `s2s ask`: one more question to one seat, once its session is over or paused.
//! Given an id, a seat and a question; asks with the whole session as the seat's memory and prints the answer, or lists
//! what was asked before. Minutes and tape are read, never written. Deliberately absent: the prompt, the call and the
//! keeping (`s2s::asides`).

use s2s::asides::{self, Prepared, Request, seat_named};
use s2s::config::{self, FlagValue};
use s2s::prompts::Charter;
use s2s::roundtable::{Budgets, recall};
use s2s::store::{Asides, Minutes, Panel as PanelKind, Sessions, TapeLine};
use s2s::{Failure, FailureKind};
use serde_json::json;

use super::opening::{refuse_found, refuse_secrets, secret_in};
use crate::args::Ask;
use crate::asking;
use crate::console::Console;
use crate::pager;
use crate::run::now;
use crate::screen;
use crate::seating::models::runtime;
use crate::seating::{self, Seating};
use crate::signals::{self, Listening};
use crate::workplace::{Workplace, here, project_at, session_meant};

/// Who asks, in the file of what was asked.
const PERSON: &str = "person";

/// Asks a seat, or lists what was asked.
pub fn ask(typed: &Ask, console: &Console) -> Result<u8, Failure> {
    let workplace = workplace(typed)?;
    let (id, typed) = &meant(typed, &workplace.sessions)?;
    let id = id.as_str();
    let minutes = workplace.sessions.read(id)?;
    let asides = workplace.sessions.asides(id)?;
    let Some(seat) = &typed.seat else { return list(id, &asides, typed, console) };
    let seat = seat_named(&minutes, seat)?;
    refuse_person(&minutes, &seat)?;
    refuse_driven(&workplace, id)?;
    let question = question(typed, &seat, console)?;
    let tape = workplace.sessions.tape(id)?.lines;
    let prepared = prepared(&workplace, &minutes, &tape, &asides, &seat, &question)?;
    let seating = seated(&workplace, &minutes, &seat, console)?;
    if seating.panel.kind() == PanelKind::Models && !typed.allow_secrets {
        refuse_found(s2s::secrets::scan("the question", &question))?;
        refuse_found(s2s::secrets::scan(&format!("the role {seat}"), &prepared.prompt().system))?;
        refuse_secrets("", &prepared.prompt().user, &Charter::default(), &[])?;
    }
    seating.notes.iter().for_each(|note| console.note(note));
    let budgets = budgets(&workplace.settings.config);
    let Listening { mut interrupt, .. } = signals::listen()?;
    let panel = &*seating.panel;
    let aside = runtime()?.block_on(async {
        let asking = prepared.carry_out(&workplace.sessions, panel, budgets, PERSON, &now);
        tokio::select! {
            biased;
            aside = asking => aside,
            () = interrupt.requested() => Err(left(id)),
        }
    });
    if aside.is_err() {
        s2s::models::end_all_children();
    }
    let aside = aside?;
    match console.json {
        true => console.print_json(&json!({ "schema": 1, "session": id, "aside": aside })),
        false => console.print(&screen::aside(&aside, &console.style)),
    }
    .map(|()| 0)
}

/// The session that is asked, and what was typed with it in its place. Where the first word names no session but a seat
/// of the current one, else of the newest, that one is meant.
fn meant(typed: &Ask, sessions: &Sessions) -> Result<(String, Ask), Failure> {
    let Some(first) = &typed.id else { return Ok((session_meant(sessions, None)?, typed.clone())) };
    let unknown = match sessions.resolve(first) {
        Ok(id) => return Ok((id, typed.clone())),
        Err(error) => error,
    };
    let newest = session_meant(sessions, None).and_then(|id| Ok((sessions.read(&id)?, id)));
    let Ok((minutes, id)) = newest else { return Err(unknown.into()) };
    if seat_named(&minutes, first).is_err() {
        return Err(unknown.into());
    }
    let question = typed.seat.iter().chain(&typed.question).cloned().collect();
    Ok((id, Ask { seat: Some(first.clone()), question, ..typed.clone() }))
}

fn left(id: &str) -> Failure {
    Failure {
        kind: FailureKind::Interrupted,
        ..Failure::failed("left before the answer came; the session is as it was")
            .next(format!("see what was asked: s2s ask {id}"))
    }
}

fn workplace(typed: &Ask) -> Result<Workplace, Failure> {
    let cwd = here()?;
    let project = project_at(&cwd)?;
    let given = [
        ("--panel", "panel", typed.panel.as_deref()),
        ("--model", "models.default", typed.model.as_deref()),
        ("--model", "models.facilitator", typed.model.as_deref()),
        ("--max-cost", "roundtable.limits.max_cost_usd", typed.max_cost.as_deref()),
        ("--max-calls", "roundtable.limits.max_calls", typed.max_calls.as_deref()),
        ("--max-tokens", "roundtable.limits.max_tokens", typed.max_tokens.as_deref()),
        ("--max-minutes", "roundtable.limits.max_minutes", typed.max_minutes.as_deref()),
    ];
    let flags: Vec<FlagValue<'_>> =
        given.into_iter().filter_map(|(flag, path, text)| Some(FlagValue { flag, path, text: text? })).collect();
    Workplace::open(cwd, project, &flags)
}

fn list(id: &str, asides: &Asides, typed: &Ask, console: &Console) -> Result<u8, Failure> {
    if console.json {
        return console.print_json(&json!({ "schema": 1, "session": id, "asides": asides.list })).map(|()| 0);
    }
    if asides.torn {
        console.note("the last line of asides.jsonl is unfinished and does not count");
    }
    pager::show(&screen::asides(id, &asides.list, &console.style), !typed.no_pager, console).map(|()| 0)
}

/// A person is not asked by a program, and nobody is asked for a question that goes nowhere.
fn refuse_person(minutes: &Minutes, seat: &str) -> Result<(), Failure> {
    match minutes.seats().iter().any(|other| &*other.id == seat && other.is_human()) {
        true => Err(Failure::bad_input(format!("{seat} is a person")).next("speak to them, or ask another seat")),
        false => Ok(()),
    }
}

/// While a session is driven, its memory changes, and a seat has its turn in the rounds.
fn refuse_driven(workplace: &Workplace, id: &str) -> Result<(), Failure> {
    match workplace.sessions.holder(id)? {
        None => Ok(()),
        Some(holder) => {
            let pid = holder.pid.map(|pid| format!(" (process {pid})")).unwrap_or_default();
            Err(Failure::bad_input(format!(
                "session {id} is under way{pid}; a seat is asked once it is over or paused"
            ))
            .next(format!("follow it: s2s watch {id}")))
        }
    }
}

fn question(typed: &Ask, seat: &str, console: &Console) -> Result<String, Failure> {
    let typed_so_far = typed.question.join(" ");
    if typed_so_far.trim().is_empty() && console.attended {
        let doubt = if typed.allow_secrets { |_: &str| None } else { secret_in };
        return asking::text(&format!("What do you ask {seat}?"), "", doubt);
    }
    Ok(typed_so_far)
}

fn prepared(
    workplace: &Workplace,
    minutes: &Minutes,
    tape: &[TapeLine],
    asides: &Asides,
    seat: &str,
    question: &str,
) -> Result<Prepared, Failure> {
    let id = minutes.id();
    if minutes.settings().is_none() {
        return Err(Failure::bad_input(format!(
            "session {id} was written by the original plugin: nobody can be asked"
        ))
        .next(format!("read it: s2s show {id}")));
    }
    let session = recall(minutes, tape)?.session;
    let charter = Charter::on_tape(tape).unwrap_or_else(|| {
        // The tape is gone: the role's text in force now has to do.
        let role = workplace.catalog.role(seat).ok().map(|entry| (seat.to_owned(), entry.value.body));
        Charter { roles: role.into_iter().collect(), ..Charter::default() }
    });
    asides::prepare(Request {
        minutes,
        session: &session,
        charter: &charter,
        catalog: &workplace.catalog,
        asides,
        seat,
        question,
    })
}

/// The panel that the session was held with.
fn seated(workplace: &Workplace, minutes: &Minutes, seat: &str, console: &Console) -> Result<Seating, Failure> {
    let scripted = minutes.panel() == Some(PanelKind::Script);
    if scripted && !matches!(workplace.settings.config.panel, config::Panel::Script(_)) {
        let id = minutes.id();
        return Err(Failure::bad_input(format!("session {id} was held with a scripted panel, and no script is named"))
            .next(format!("name it: s2s ask {id} {seat} \"…\" --panel script:FILE")));
    }
    seating::without_people(workplace, minutes, console)
}

fn budgets(config: &config::Config) -> Budgets {
    let limits = &config.roundtable.limits;
    Budgets {
        calls: limits.max_calls,
        usd: limits.max_cost_usd,
        tokens: limits.max_tokens,
        minutes: limits.max_minutes,
    }
}
