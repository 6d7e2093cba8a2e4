//! Marking that one record took the place of another, in both.
//! Given two names; hands on which files changed. Both files are written or none: both are prepared before either is
//! put in place, and where the second fails the first is put back. A crash in between leaves a newer record that says
//! it supersedes an older one that does not know; the same command then completes it. Deliberately absent: records
//! that are generated from the register, which only a session can supersede.

use std::path::Path;

use super::front;
use super::{Decision, Decisions};
use crate::config::Config;
use crate::failure::Failure;

/// What became of the two records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Superseded {
    /// The name of the record that no longer holds.
    pub old: String,
    /// The name of the one that took its place.
    pub new: String,
    /// The files that changed, below the project; none if all was marked already.
    pub changed: Vec<String>,
    /// What a person should know.
    pub notes: Vec<String>,
}

/// Marks `old` as superseded by `new`, and `new` as superseding `old`.
///
/// # Errors
/// If a name is unknown or ambiguous, the two are one or would go round in a circle, one of them is superseded by
/// something else, or a file cannot be changed safely; then neither is.
pub fn supersede(
    root: &Path,
    config: &Config,
    old: &str,
    new: &str,
    reason: Option<&str>,
) -> Result<Superseded, Failure> {
    let all = Decisions::read(root, config)?;
    let _alone = match all.rows.is_empty() {
        true => None,
        false => Some(all.folder.alone(&all.lock).map_err(|failure| failure.next("mend that, then try again"))?),
    };
    // Read again now that no other process changes them.
    let all = Decisions::read(root, config)?;
    let (old, new) = (all.find(old)?, all.find(new)?);
    check(&all, old, new)?;
    let (old_text, new_text) = (all.text(&old.file)?, all.text(&new.file)?);
    let about_new = front::line_about(false, &new.title, &new.file, reason);
    let about_old = front::line_about(true, &old.title, &old.file, reason);
    let status = format!("superseded by {}", new.name);
    let marked_old = match old.superseded_by.is_some() {
        true => front::with_body_status(&old_text, &status),
        false => front::with_status(&old_text, &status),
    };
    let marked_old =
        marked_old.and_then(|text| front::with_line(&text, &about_new)).map_err(|flaw| refused(old, &flaw))?;
    let marked_new = front::with_line(&new_text, &about_old).map_err(|flaw| refused(new, &flaw))?;
    let mut changed = Vec::new();
    let mut prepared = Vec::new();
    // The older one last: once it says that it no longer holds, both do.
    for (row, before, after) in [(new, &new_text, &marked_new), (old, &old_text, &marked_old)] {
        if before != after {
            let temp = all.folder.prepare(&row.file, after.as_bytes()).map_err(retry)?;
            prepared.push((row, before, temp));
            changed.push(row.path.clone());
        }
    }
    let mut put: Vec<(&Decision, &String)> = Vec::new();
    for (row, before, temp) in prepared {
        if let Err(failure) = all.folder.put_down(&row.file, temp) {
            for (row, before) in put {
                // Where even this fails, the same command completes it later.
                let _ = all.folder.replace(&row.file, before.as_bytes());
            }
            return Err(retry(failure));
        }
        put.push((row, before));
    }
    Ok(Superseded { notes: notes(old, new, &marked_old), old: old.name.clone(), new: new.name.clone(), changed })
}

/// Whether a record can be marked as superseded; the text is tried, and nothing is written.
///
/// # Errors
/// If it is superseded already, is generated, or its text cannot be changed safely.
pub fn markable(all: &Decisions, old: &Decision) -> Result<(), Failure> {
    refuse_generated(old)?;
    unless_superseded(old, None)?;
    let text = all.text(&old.file)?;
    front::with_status(&text, "superseded").map(|_| ()).map_err(|flaw| refused(old, &flaw))
}

/// A record from the register is not edited: the next document run would bring the old status back.
fn refuse_generated(old: &Decision) -> Result<(), Failure> {
    if !old.generated {
        return Ok(());
    }
    let (name, path) = (&old.name, &old.path);
    let what = format!("{name} is generated from the project's register, where only a session can supersede it");
    let next = format!("put the question to one that may: s2s design \"Does {name} still hold?\" --context {path}");
    Err(Failure::bad_input(what).next(next))
}

fn check(all: &Decisions, old: &Decision, new: &Decision) -> Result<(), Failure> {
    if old.name == new.name {
        return Err(Failure::bad_input(format!("{} cannot supersede itself", old.name))
            .next("name the record that took its place: s2s adr list"));
    }
    refuse_generated(old)?;
    unless_superseded(old, Some(&new.name))?;
    if chain(all, new).contains(&old.name) || old.supersedes.contains(&new.name) {
        return Err(Failure::bad_input(format!(
            "{} is superseded by {} already, so this would go round in a circle",
            new.name, old.name
        ))
        .next("look at both: s2s adr show"));
    }
    if let Some(by) = &new.superseded_by {
        return Err(Failure::bad_input(format!("{} no longer holds itself: superseded by {by}", new.name))
            .next(format!("s2s adr supersede {} --by {by}", old.name)));
    }
    Ok(())
}

fn unless_superseded(old: &Decision, by: Option<&str>) -> Result<(), Failure> {
    match &old.superseded_by {
        Some(known) if by != Some(known.as_str()) => {
            Err(Failure::bad_input(format!("{} is superseded by {known} already", old.name))
                .next(format!("take {known} instead; if that mark is wrong, change the status in {}", old.path)))
        }
        _ => Ok(()),
    }
}

/// What took a record's place, and what took that one's, to the end.
fn chain(all: &Decisions, from: &Decision) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut next = from.superseded_by.clone();
    while let Some(name) = next.filter(|name| !names.contains(name)) {
        next = all.rows.iter().find(|row| row.name == name).and_then(|row| row.superseded_by.clone());
        names.push(name);
    }
    names
}

fn notes(old: &Decision, new: &Decision, marked: &str) -> Vec<String> {
    let mut notes = Vec::new();
    if !new.is_accepted() {
        let status = new.status.as_deref().unwrap_or("without a status");
        notes.push(format!("{} is {status}, not accepted; it took the place all the same.", new.name));
    }
    if let Some(line) = front::own_status_line(marked) {
        notes.push(format!("{}, line {line} gives a status of its own; that is your text and stays.", old.path));
    }
    notes
}

fn refused(row: &Decision, flaw: &s2s_yaml::Flaw) -> Failure {
    Failure::bad_input(format!("{}, {flaw}", row.path))
        .next("mend that line, then run the command again; nothing was changed")
}

fn retry(failure: Failure) -> Failure {
    failure.next("mend the cause, then run the same command again: it completes what is missing")
}
