//! `s2s report`: one HTML page of a session.
//! Given an id and perhaps a file; has the library make the page and keep it, and says where it is. Deliberately absent: what
//! is on the page, and how a file is kept (`s2s::report`).

use std::path::{Path, PathBuf};

use s2s::report::{beside_documents, keep, report as made};
use s2s::store::Sessions;
use s2s::{Failure, project::Project};
use serde_json::json;

use crate::args::Report;
use crate::console::Console;
use crate::workplace::{here, project_at, session_meant, shown};

/// Makes the report of a session.
pub fn report(typed: &Report, console: &Console) -> Result<u8, Failure> {
    let cwd = here()?;
    let project = project_at(&cwd)?;
    let sessions = Sessions::new(&project.dir);
    let id = session_meant(&sessions, typed.id.as_deref())?;
    let to_stdout = typed.output.as_deref() == Some(Path::new("-"));
    if to_stdout && console.json {
        return Err(Failure::bad_input("`-o -` prints the page, and --json prints where it is")
            .next("leave one of the two out"));
    }
    let page = made(&sessions, &id)?;
    page.notes.iter().for_each(|note| console.note(note));
    if to_stdout {
        return console.print(&page.html).map(|()| 0);
    }
    let path = match &typed.output {
        Some(path) if path.is_dir() => path.join(format!("{id}.html")),
        Some(path) => path.clone(),
        None => default_place(&cwd, &project, &sessions, &id)?,
    };
    keep(&path, &page.html, typed.force)?;
    let name = shown(&cwd, &path);
    match console.json {
        true => {
            let bytes = page.html.len();
            let whole = std::path::absolute(&path).unwrap_or(path);
            let file = whole.display().to_string();
            console.print_json(
                &json!({ "schema": 1, "session": id, "file": file, "bytes": bytes, "partial": page.partial }),
            )
        }
        false if page.partial => {
            console.print(&format!("{name}\nThe session has no outcome yet; the report says so.\n"))
        }
        false => console.print(&format!("{name}\n")),
    }
    .map(|()| 0)
}

/// Beside the documents of the session; in this folder if it has none.
fn default_place(cwd: &Path, project: &Project, sessions: &Sessions, id: &str) -> Result<PathBuf, Failure> {
    let minutes = sessions.read(id)?;
    let folder = beside_documents(&project.root, &minutes).unwrap_or_else(|| cwd.to_owned());
    Ok(folder.join(format!("{id}.html")))
}
