//! `s2s trace`: everything about one artifact, or the index of the whole project.
//! Given an id or nothing; prints. Deliberately absent: how artifacts and links are gathered (`s2s::register`).

use s2s::Failure;
use s2s::plan::UnreadPlan;
use s2s::register::{self, Index, Links, ProjectRegister, Unread};
use s2s::store::Sessions;
use serde_json::json;

use crate::args::Trace;
use crate::console::Console;
use crate::screen;
use crate::workplace::{here, project_at};

/// Traces one id, or lists all.
pub fn trace(typed: &Trace, console: &Console) -> Result<u8, Failure> {
    let project = project_at(&here()?)?;
    let register = ProjectRegister::read(&Sessions::new(&project.dir))?;
    let (tasks, unread_plans) = s2s::plan::task_links(&project.root)?;
    let links = Links::of(&register, &tasks);
    let unread = Unread::all(&register);
    let Some(asked) = &typed.id else {
        let index = Index::of(&register, &links);
        if console.json {
            let mut value = json!(index);
            value["unread_plans"] = json!(unread_plans);
            return console.print_json(&value).map(|()| 0);
        }
        warn(&unread_plans, console);
        // Whether a task serves something cannot be said while a plan is not known.
        let planned = !tasks.is_empty() && unread_plans.is_empty();
        return console.print(&screen::index(&index, planned, &console.style)).map(|()| 0);
    };
    if !console.json {
        warn(&unread_plans, console);
    }
    let found = register::trace(&register, &links, asked)?;
    if console.json {
        let value = match found {
            register::Trace::Artifact { artifact, chain } => {
                json!({ "schema": 1, "artifact": artifact, "chain": chain, "unread": unread, "unread_plans": unread_plans })
            }
            register::Trace::Task(task) => {
                json!({ "schema": 1, "task": task, "unread": unread, "unread_plans": unread_plans })
            }
        };
        return console.print_json(&value).map(|()| 0);
    }
    for one in &unread {
        console.note(&format!("session {} is left out: {}", one.session, one.why));
    }
    let text = match &found {
        register::Trace::Artifact { artifact, chain } => screen::artifact(artifact, chain.as_ref(), &console.style),
        register::Trace::Task(task) => screen::task(task, &console.style),
    };
    console.print(&text).map(|()| 0)
}

/// Says which plans are left out, and why.
fn warn(unread: &[UnreadPlan], console: &Console) {
    for UnreadPlan { file, why, next } in unread {
        console.note(&format!("{file} cannot be read, so its tasks are left out: {why}. Next: {next}"));
    }
}
