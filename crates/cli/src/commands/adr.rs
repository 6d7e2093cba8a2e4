//! `s2s adr list|show|supersede`: the decisions of a project.
//! Given names; prints records, marks what took whose place, and says when the index changed. Deliberately absent:
//! what a record holds (the library), and holding a roundtable again (`reopen.rs`).

use s2s::Failure;
use s2s::decisions::{self, Decision, Decisions, Index, Superseded};
use s2s::documents::living::{Edit, Settle};
use s2s::project::Project;
use serde_json::{Value, json};

use super::reopen;
use crate::args::Adr;
use crate::asking::{self, Choice};
use crate::console::Console;
use crate::screen;
use crate::workplace::{here, project_at, settings};

/// Lists, shows, marks or reopens decisions.
pub fn adr(typed: Adr, console: &Console) -> Result<u8, Failure> {
    match typed {
        Adr::List { write_index } => list(write_index, console),
        Adr::Show { name } => show(&name, console),
        Adr::Supersede { old, by, reason } => supersede(&old, &by, reason.as_deref(), console),
        Adr::Reopen(typed) => reopen::reopen(*typed, console),
    }
}

/// The project here, with its settings.
pub fn place() -> Result<(Project, s2s::config::Config), Failure> {
    let cwd = here()?;
    let project = project_at(&cwd)?;
    let config = settings(&cwd, Some(&project), &[])?.config;
    Ok((project, config))
}

fn list(write_index: bool, console: &Console) -> Result<u8, Failure> {
    let (project, config) = place()?;
    let all = Decisions::read(&project.root, &config)?;
    let index = if write_index { Some(renew_index(&project, &config, console)?) } else { None };
    if console.json {
        let rows: Vec<Value> = all.rows.iter().map(as_json).collect();
        let index = index.map(|index| json!({ "path": index.path, "changed": index.changed, "kept": index.kept }));
        return console.print_json(&json!({ "schema": 1, "decisions": rows, "index": index })).map(|()| 0);
    }
    console.print(&screen::decisions(&all.rows, &console.style))?;
    if let Some(index) = index {
        console.print(&format!("\n{}\n", about(&index)))?;
    }
    Ok(0)
}

fn show(name: &str, console: &Console) -> Result<u8, Failure> {
    let (project, config) = place()?;
    let all = Decisions::read(&project.root, &config)?;
    let row = all.find(name)?;
    let text = all.text(&row.file)?;
    if console.json {
        let mut value = as_json(row);
        value["text"] = json!(text);
        return console.print_json(&value).map(|()| 0);
    }
    console.print(&screen::decision(row, &text, &console.style)).map(|()| 0)
}

fn supersede(old: &str, new: &str, reason: Option<&str>, console: &Console) -> Result<u8, Failure> {
    let (project, config) = place()?;
    let done = decisions::supersede(&project.root, &config, old, new, reason)?;
    tell(&done, &project, &config, console).map(|()| 0)
}

/// Says what was marked, and brings the index along.
pub fn tell(
    done: &Superseded,
    project: &Project,
    config: &s2s::config::Config,
    console: &Console,
) -> Result<(), Failure> {
    done.notes.iter().for_each(|note| console.note(note));
    let index = renew_index(project, config, console)?;
    let Superseded { old, new, changed, .. } = done;
    if console.json {
        let value = json!({
            "schema": 1, "event": "decision_superseded", "old": old, "new": new, "changed": changed,
            "index": { "path": index.path, "changed": index.changed, "kept": index.kept },
        });
        return console.print_json(&value);
    }
    let mut text = match changed.is_empty() {
        true => format!("{old} is marked as superseded by {new} already; nothing changed.\n"),
        false => format!("{old} is superseded by {new} now.\n"),
    };
    changed.iter().for_each(|path| text.push_str(&format!("  changed  {path}\n")));
    text.push_str(&format!("{}\n", about(&index)));
    console.print(&text)
}

/// Brings an index of ours along; a README that people keep by themselves, or none, stays.
pub fn keep_index(project: &Project, config: &s2s::config::Config, console: &Console) -> Result<(), Failure> {
    if !decisions::has_index(&project.root, config)? {
        return Ok(());
    }
    let index = renew_index(project, config, console)?;
    if index.changed {
        console.note(&about(&index));
    }
    Ok(())
}

fn renew_index(project: &Project, config: &s2s::config::Config, console: &Console) -> Result<Index, Failure> {
    let mut left = None;
    let mut settle = |edit: &Edit| match console.attended {
        false => Settle::Mine,
        true => ask(edit).unwrap_or_else(|failure| {
            left = Some(failure);
            Settle::Mine
        }),
    };
    let index = decisions::write_index(&project.root, config, &mut settle)?;
    if index.kept && left.is_none() {
        console.note(&format!(
            "The table in {} was edited and is kept as it is; to have it made anew, delete the lines from `s2s:part` to `s2s:end`.",
            index.path
        ));
    }
    left.map_or(Ok(index), Err)
}

fn ask(edit: &Edit) -> Result<Settle, Failure> {
    let choices = vec![
        Choice::new(Settle::Mine, "Keep it as it was edited"),
        Choice::new(Settle::Generated, "Take the generated table"),
    ];
    asking::choose(&format!("The table in {}, line {} was edited.", edit.file, edit.line), choices)
}

fn about(index: &Index) -> String {
    match index.changed {
        true => format!("Index brought up to date: {}", index.path),
        false => format!("The index is up to date: {}", index.path),
    }
}

fn as_json(row: &Decision) -> Value {
    json!({
        "name": row.name,
        "title": row.title,
        "status": row.status,
        "date": row.date,
        "session": row.session,
        "superseded_by": row.superseded_by,
        "supersedes": row.supersedes,
        "path": row.path,
        "generated": row.generated,
        "problems": row.problems,
    })
}
