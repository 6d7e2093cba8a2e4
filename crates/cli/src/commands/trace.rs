//! `s2s trace`: everything about one artifact, or the index of the whole project.
//! Given an id or nothing; prints. Deliberately absent: how artifacts and links are gathered (`s2s::register`).

use s2s::Failure;
use s2s::project::Project;
use s2s::register::{self, Index, Links, ProjectRegister, TaskLink, Unread};
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
    let tasks = tasks_of(&project)?;
    let links = Links::of(&register, &tasks);
    let unread = Unread::all(&register);
    let Some(asked) = &typed.id else {
        let index = Index::of(&register, &links);
        return match console.json {
            true => console.print_json(&json!(index)),
            false => console.print(&screen::index(&index, !tasks.is_empty(), &console.style)),
        }
        .map(|()| 0);
    };
    let found = register::trace(&register, &links, asked)?;
    if console.json {
        let value = match found {
            register::Trace::Artifact { artifact, chain } => {
                json!({ "schema": 1, "artifact": artifact, "chain": chain, "unread": unread })
            }
            register::Trace::Task(task) => json!({ "schema": 1, "task": task, "unread": unread }),
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

/// The tasks of the project's plans; the register knows none by itself.
pub fn tasks_of(project: &Project) -> Result<Vec<TaskLink>, Failure> {
    s2s::plan::task_links(&project.root)
}
