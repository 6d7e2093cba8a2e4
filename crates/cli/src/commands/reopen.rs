//! `s2s adr reopen`: a past decision before the panel again; and what any session that ends means for the records.
//! Given a name; holds a roundtable with the old record as context, which its minutes name, and marks the old record
//! only if the new one is accepted. Everything that could keep it from being marked is found before anybody is asked.
//! Deliberately absent: the roundtable itself (`start.rs`), and how records are marked (the library).

use std::path::Path;

use s2s::Failure;
use s2s::config::Config;
use s2s::decisions::{self, Decision, Decisions};
use s2s::project::Project;
use s2s::store::{Minutes, Sessions, Status};

use super::{adr, start};
use crate::args::{Reopen, Sitting, Start};
use crate::console::Console;
use crate::workplace::{Workplace, here, up_to};

/// Puts a decision to the panel again.
pub fn reopen(typed: Reopen, console: &Console) -> Result<u8, Failure> {
    let (project, config) = adr::place()?;
    let all = Decisions::read(&project.root, &config)?;
    let old = all.find(&typed.name)?;
    decisions::markable(&all, old)?;
    let typed = with_record(typed.start, old, &project, &Sessions::new(&project.dir))?;
    start::start(&typed, console)
}

/// What is typed, with the old record as the first text of the context.
fn with_record(typed: Start, old: &Decision, project: &Project, sessions: &Sessions) -> Result<Start, Failure> {
    if let Some(other) = typed.output_type.as_deref().filter(|other| *other != "adr") {
        return Err(Failure::bad_input(format!("a reopened decision ends in an ADR, not in {other}"))
            .next("leave out --output-type"));
    }
    let record = format!("{}{}", up_to(&here()?, &project.root), old.path);
    let topic = if typed.topic.is_empty() { vec![old.title.clone()] } else { typed.topic };
    let known = |id: &String| sessions.minutes_path(id).exists();
    Ok(Start {
        topic,
        output_type: Some("adr".to_owned()),
        parent: old.session.clone().filter(known),
        reopens: Some(old.name.clone()),
        sitting: Sitting { context: [vec![record.into()], typed.sitting.context].concat(), ..typed.sitting },
        ..typed
    })
}

/// What follows from a run for the records: the one that was reopened is marked if the new one is accepted, and an index
/// that lists the records lists the new ones too. Whoever ends the session, and whenever.
pub fn follow(id: &str, workplace: &Workplace, console: &Console) -> Result<(), Failure> {
    let minutes = workplace.sessions.read(id)?;
    let (project, config) = (&workplace.project, &workplace.settings.config);
    if let Some(old) = minutes.reopens() {
        return mark(old, &minutes, project, config, console);
    }
    let records = config.docs.decisions.display().to_string();
    let is_record = |file: &String| Path::new(file).starts_with(&records);
    match minutes.outcome().filter(|_| minutes.status() == Status::Completed) {
        Some(outcome) if outcome.files.iter().chain(&outcome.file).any(is_record) => {
            adr::keep_index(project, config, console)
        }
        _ => Ok(()),
    }
}

/// Marks the old record, or says what is left to do.
fn mark(called: &str, minutes: &Minutes, project: &Project, config: &Config, console: &Console) -> Result<(), Failure> {
    let id = minutes.id();
    if minutes.status() != Status::Completed {
        console.note(&format!(
            "{called} stays as it is for now: it is marked once this session is complete and its ADR accepted."
        ));
        return Ok(());
    }
    let all = Decisions::read(&project.root, config)?;
    let old = all.find(called).map_err(|failure| {
        Failure::failed(format!("the record that session {id} reopened was not marked: {}", failure.what))
            .next(format!("if it has another name now: s2s adr supersede NAME --by {id}"))
    })?;
    let name = &old.name;
    let Some(new) = all.rows.iter().find(|row| !row.generated && row.session.as_deref() == Some(id)) else {
        console.note(&format!("{name} stays as it is: the session wrote no ADR."));
        return Ok(());
    };
    if !new.is_accepted() {
        let status = new.status.as_deref().unwrap_or("without a status");
        console.note(&format!(
            "{name} stays as it is: the new record {} is {status}. When it is accepted: s2s adr supersede {name} --by {}",
            new.path, new.name
        ));
        return adr::keep_index(project, config, console);
    }
    if old.generated {
        console.note(&format!(
            "{name} is generated from the project's register and is not marked: only a session that keeps artifacts can \
             supersede it. Take {} to `s2s design` as context.",
            new.path
        ));
        return adr::keep_index(project, config, console);
    }
    let done = decisions::supersede(&project.root, config, name, &new.name, Some(&format!("decided anew in {id}")))?;
    adr::tell(&done, project, config, console)
}
