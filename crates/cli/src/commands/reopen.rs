//! `s2s adr reopen`: a past decision before the panel again.
//! Given a name; holds a roundtable with the old record as context, and marks the old record only if the new one is
//! accepted. Everything that could keep it from being marked is found before anybody is asked. Deliberately absent:
//! the roundtable itself (`start.rs`), and how records are marked (the library).

use s2s::Failure;
use s2s::config::Config;
use s2s::decisions::{self, Decision, Decisions};
use s2s::project::Project;
use s2s::store::{Sessions, Status};

use super::{adr, start};
use crate::args::{Reopen, Sitting, Start};
use crate::console::Console;
use crate::workplace::{here, up_to};

/// Puts a decision to the panel again.
pub fn reopen(typed: Reopen, console: &Console) -> Result<u8, Failure> {
    let (project, config) = adr::place()?;
    let all = Decisions::read(&project.root, &config)?;
    let old = all.find(&typed.name)?;
    decisions::markable(&all, old)?;
    let sessions = Sessions::new(&project.dir);
    let typed = with_record(typed.start, old, &project, &sessions)?;
    let before: Vec<String> = sessions.list()?.into_iter().map(|row| row.id).collect();
    let ended = start::start(&typed, console);
    if typed.sitting.dry_run || typed.sitting.show_prompts {
        return ended;
    }
    let record = typed.sitting.context[0].display().to_string();
    let held = sessions.list()?.into_iter().filter(|row| !before.contains(&row.id));
    let of_this = |id: &String| sessions.read(id).is_ok_and(|minutes| minutes.context().source.contains(&record));
    let Some(id) = held.map(|row| row.id).find(of_this) else { return ended };
    // How the session ended matters more than what follows from it.
    let followed = follow_up(old, &id, &sessions, &project, &config, console);
    ended.and_then(|code| followed.map(|()| code))
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
        sitting: Sitting { context: [vec![record.into()], typed.sitting.context].concat(), ..typed.sitting },
        ..typed
    })
}

/// Marks the old record, or says what is left to do.
fn follow_up(
    old: &Decision,
    id: &str,
    sessions: &Sessions,
    project: &Project,
    config: &Config,
    console: &Console,
) -> Result<(), Failure> {
    let name = &old.name;
    if sessions.read(id)?.status() != Status::Completed {
        console.note(&format!(
            "{name} stays as it is. Once the session is complete and its ADR accepted: s2s adr supersede {name} --by {id}"
        ));
        return Ok(());
    }
    let all = Decisions::read(&project.root, config)?;
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
        return Ok(());
    }
    if old.generated {
        console.note(&format!(
            "{name} is generated from the project's register and is not marked: only a session that keeps artifacts can \
             supersede it. Take {} to `s2s design` as context.",
            new.path
        ));
        return Ok(());
    }
    let done = decisions::supersede(&project.root, config, name, &new.name, Some(&format!("decided anew in {id}")))?;
    adr::tell(&done, project, config, console)
}
