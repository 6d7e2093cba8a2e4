//! `s2s roundtable answer --as NAME`: a person's answer from a file, for whoever does not sit at the terminal (H3).
//! Given the filled form, or a pass; checks that the session waits for this person, and goes on with the answer. Without
//! either it hands out the form, with all that a seat is told. Deliberately absent: the form itself (the library), and
//! the run.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use s2s::Failure;
use s2s::engine::next_step;
use s2s::engine::step::{CallKind, Step};
use s2s::panel::{Sheet, Wrote, form, read_form, written};
use s2s::prompts::{Charter, prompt_for};
use s2s::roundtable::recall;
use s2s::secrets;
use s2s::store::{Minutes, Panel as PanelKind, Status};
use serde_json::json;

use super::opening;
use super::resume::{self, Given};
use crate::args::Answer;
use crate::console::Console;
use crate::run::Backstage;
use crate::seating;
use crate::workplace::Workplace;

/// The longest answer that is read.
const MAX_BYTES: u64 = 1 << 20;

/// Answers for a person, or says what they are asked.
pub fn answer(
    typed: &Answer,
    person: &str,
    minutes: &Minutes,
    workplace: &Workplace,
    console: &Console,
) -> Result<u8, Failure> {
    let sheet = sheet(person, minutes, workplace)?;
    let wrote = match &typed.file {
        _ if typed.pass => Some(Wrote::Pass),
        Some(file) => Some(filled(file, &sheet, minutes, typed.run.allow_secrets)?),
        None if console.attended => None,
        None => {
            hand_out(&sheet, minutes, console)?;
            return Ok(0);
        }
    };
    let answers: BTreeMap<String, Wrote> = wrote.into_iter().map(|wrote| (sheet.seat.clone(), wrote)).collect();
    let backstage = Backstage::ready(workplace, &typed.run, console)?;
    let given = Given { answers, ..Given::default() };
    resume::go_on(minutes.id(), workplace, backstage, &typed.run, console, given)
}

/// What the session asks this person now.
fn sheet(person: &str, minutes: &Minutes, workplace: &Workplace) -> Result<Sheet, Failure> {
    let id = minutes.id();
    let people: Vec<_> = minutes.seats().iter().filter(|seat| seat.is_human()).collect();
    let is = |text: &str| text.eq_ignore_ascii_case(person.trim());
    let Some(seat) = people.iter().find(|seat| is(&seat.id) || is(&seat.name)) else {
        let names: Vec<&str> = people.iter().map(|seat| &*seat.id).collect();
        let failure = Failure::bad_input(format!("no person \"{person}\" has a seat in session {id}"));
        return Err(match names.is_empty() {
            true => failure.next("people are seated at the start: --human NAME"),
            false => failure.next(format!("the people at this table: {}", names.join(", "))),
        });
    };
    let tape = workplace.sessions.tape(id)?.lines;
    let session = recall(minutes, &tape)?.session;
    let asked = match next_step(&session) {
        Step::Ask(briefs) => briefs.into_iter().find(|brief| brief.call.seat == seat.id),
        _ => None,
    };
    let Some(brief) = asked.filter(|brief| brief.call.kind == CallKind::Response) else {
        return Err(Failure::bad_input(format!("session {id} does not wait for {} now", seat.id))
            .next(format!("go on with it: s2s roundtable resume {id}{}", seating::script_named(minutes))));
    };
    let charter = Charter::on_tape(&tape).unwrap_or_default();
    let prompt = prompt_for(&session, &brief, &charter)?;
    Ok(Sheet::of(&session, &brief, &prompt))
}

/// The people whose answers the session waits for now; nobody where its record does not say.
pub fn awaited(minutes: &Minutes, workplace: &Workplace) -> Vec<String> {
    let is_open = matches!(minutes.status(), Status::Active | Status::Paused) && minutes.settings().is_some();
    let tape = is_open.then(|| workplace.sessions.tape(minutes.id()).ok()).flatten();
    let Some(recalled) = tape.and_then(|tape| recall(minutes, &tape.lines).ok()) else { return Vec::new() };
    recalled.session.people_missing().map(ToString::to_string).collect()
}

/// The answer in a file, checked.
fn filled(file: &Path, sheet: &Sheet, minutes: &Minutes, allow_secrets: bool) -> Result<Wrote, Failure> {
    let name = if file.as_os_str() == "-" { "standard input".to_owned() } else { file.display().to_string() };
    let bytes: Box<dyn io::Read> = match file.as_os_str() == "-" {
        true => Box::new(io::stdin().lock()),
        false => Box::new(File::open(file).map_err(|error| unusable(&name, &error.to_string()))?),
    };
    let mut text = String::new();
    let read = bytes.take(MAX_BYTES + 1).read_to_string(&mut text);
    read.map_err(|error| unusable(&name, &error.to_string()))?;
    if text.len() as u64 > MAX_BYTES {
        return Err(unusable(&name, "it is longer than 1 MB"));
    }
    let answer = read_form(&text, sheet).map_err(|why| unusable(&name, &why))?;
    if minutes.panel() == Some(PanelKind::Models) && !allow_secrets {
        opening::refuse_found(secrets::scan(&name, &text))?;
    }
    Ok(answer.map_or(Wrote::Pass, |answer| Wrote::Answer(written(answer))))
}

fn unusable(name: &str, why: &str) -> Failure {
    Failure::bad_input(format!("the answer in {name} cannot be used: {why}"))
        .next("get the form to fill in: leave --file out, and send the output to a file")
}

/// The form on standard output, or all of it as JSON.
fn hand_out(sheet: &Sheet, minutes: &Minutes, console: &Console) -> Result<(), Failure> {
    let form = form(sheet, None);
    if !console.json {
        return console.print(&form);
    }
    let ballot: Vec<_> = sheet.ballot.iter().map(|(id, text)| json!({ "id": id, "text": text })).collect();
    console.print_json(&json!({
        "session": minutes.id(), "seat": sheet.seat, "round": sheet.round, "question": sheet.question,
        "focus": sheet.focus, "told": sheet.told, "ballot": ballot, "form": form,
    }))
}
