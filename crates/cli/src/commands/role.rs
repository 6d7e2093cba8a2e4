//! `s2s role new|list|show`: who can be seated.
//! Works in a project and, but for `new`, outside of one. Given a name; writes a starting file or prints.
//! Deliberately absent: what makes a role good, which the catalog knows, and the starting text, which is data.

use std::path::Path;

use s2s::Failure;
use s2s::catalog::{Catalog, FOREIGN_PREFIX, Kind, Problem, RoleRow, Source};
use s2s::project::{self, WrittenRole};
use serde_json::{Value, json};

use crate::args::{NewRole, Role};
use crate::console::Console;
use crate::screen::{self, Style};
use crate::workplace::{catalog, here, project_at, shown};

/// Writes, lists or shows roles.
pub fn role(typed: &Role, console: &Console) -> Result<u8, Failure> {
    match typed {
        Role::New(typed) => new(typed, console),
        Role::List { verbose } => list(*verbose, console),
        Role::Show { name } => show(name, console),
    }
}

fn new(typed: &NewRole, console: &Console) -> Result<u8, Failure> {
    let cwd = here()?;
    let project = project_at(&cwd)?;
    let catalog = catalog(Some(&project));
    let asked = project::NewRole {
        name: &typed.name,
        title: typed.title.as_deref(),
        from: typed.from.as_deref(),
        description: typed.description.as_deref(),
    };
    let WrittenRole { path, role, overrides } = project::new_role(&project, &catalog, &asked)?;
    let (name, path) = (role.id.as_str(), shown(&cwd, &path));
    let seat = match name {
        s2s::engine::opening::FACILITATOR => "s2s roundtable start \"your question\"".to_owned(),
        _ => {
            let others = ["software-architect", "qa-lead", "technical-lead"].into_iter().filter(|other| *other != name);
            let others: Vec<&str> = others.take(2).collect();
            format!("s2s roundtable start \"your question\" --participants {name},{}", others.join(","))
        }
    };
    if console.json {
        let value = json!({
            "schema": 1, "name": name, "title": role.title, "path": path, "overrides": overrides, "next": seat,
        });
        return console.print_json(&value).map(|()| 0);
    }
    let over = if overrides { "It takes the place of the built-in role of this name.\n" } else { "" };
    let text = format!(
        "made  {path}\n{over}\nNext:\n  1. Open it, and make it this person: what they care about, ask, leave to others\n     \
         and would not accept.\n  2. s2s role show {name}\n  3. {seat}\n"
    );
    console.print(&text).map(|()| 0)
}

fn list(verbose: bool, console: &Console) -> Result<u8, Failure> {
    let cwd = here()?;
    let project = project::find(&cwd);
    let (rows, problems) = catalog(project.as_ref()).roles();
    if console.json {
        let rows: Vec<Value> = rows.iter().map(|row| as_json(&cwd, row)).collect();
        return console.print_json(&json!({ "schema": 1, "roles": rows, "problems": problems })).map(|()| 0);
    }
    let rows: Vec<RoleRow> = rows.into_iter().map(|row| nearer(&cwd, row)).collect();
    let problems: Vec<Problem> = problems.into_iter().map(|problem| nearer_problem(&cwd, problem)).collect();
    let style = Style { verbose, ..console.style };
    console.print(&screen::roles(&rows, &problems, &style)).map(|()| 0)
}

fn show(name: &str, console: &Console) -> Result<u8, Failure> {
    let cwd = here()?;
    let catalog = catalog(project::find(&cwd).as_ref());
    let row = row_of(&catalog, name)?;
    let text = catalog.show(Kind::Role, &row.id).map(|shown| shown.text).unwrap_or_default();
    if console.json {
        let mut value = as_json(&cwd, &row);
        value["text"] = json!(text);
        return console.print_json(&value).map(|()| 0);
    }
    console.print(&screen::role(&nearer(&cwd, row), &text, &console.style)).map(|()| 0)
}

/// The role of this name, good or not. A project's own role may be named with its prefix.
fn row_of(catalog: &Catalog, name: &str) -> Result<RoleRow, Failure> {
    let (mut rows, problems) = catalog.roles();
    let bare = name.strip_prefix(FOREIGN_PREFIX);
    let found = rows.iter().position(|row| row.id == name).or_else(|| {
        let own = |row: &RoleRow| Some(row.id.as_str()) == bare && matches!(row.source, Source::File(_));
        rows.iter().position(own)
    });
    if let Some(at) = found {
        return Ok(rows.swap_remove(at));
    }
    match (rows.is_empty(), problems.first(), catalog.role(name)) {
        (true, Some(problem), _) => Err(Failure::bad_input(problem.to_string())),
        (_, _, Err(error)) => Err(Failure::from(error).next("`s2s role list` shows all of them")),
        (_, _, Ok(_)) => Err(Failure::failed(format!("the role {name} changed while it was read")).next("try again")),
    }
}

fn as_json(cwd: &Path, row: &RoleRow) -> Value {
    let role = row.role.as_ref();
    json!({
        "name": row.id,
        "origin": row.origin,
        "file": match &row.source {
            Source::BuiltIn => None,
            Source::File(path) => Some(shown(cwd, path)),
        },
        "overrides": row.overrides,
        "usable": role.is_some(),
        "title": role.map(|role| &role.title),
        "description": role.map(|role| &role.description),
        "model": role.and_then(|role| role.model.as_ref()),
        "skills": role.map(|role| &role.skills),
        "ignored": row.ignored,
        "problems": row.problems,
    })
}

/// The same row with its file as short as it can be said from here.
fn nearer(cwd: &Path, row: RoleRow) -> RoleRow {
    let source = match row.source {
        Source::File(path) => Source::File(shown(cwd, &path).into()),
        built_in @ Source::BuiltIn => built_in,
    };
    let problems = row.problems.into_iter().map(|problem| nearer_problem(cwd, problem)).collect();
    RoleRow { source, problems, ..row }
}

fn nearer_problem(cwd: &Path, problem: Problem) -> Problem {
    Problem { file: shown(cwd, Path::new(&problem.file)), ..problem }
}
