//! `s2s playbook list|show|check|new`: what the offline panel knows, looked after.
//! Works in a project and, but for `new`, outside of one. Given a name or a file; prints or writes a starting file.
//! Deliberately absent: what makes a playbook good, which the library knows, and its weighing.

use std::fs;
use std::path::Path;

use s2s::Failure;
use s2s::catalog::playbook::{CRITERIA, Playbook as Known};
use s2s::catalog::{Catalog, CatalogError, Kind, Problem, Role, Source};
use s2s::engine::counted;
use s2s::playbooks::{self, Advice};
use s2s::project::{self, Project};
use serde_json::{Value, json};

use crate::args::{NewPlaybook, Playbook};
use crate::asking::{self, Choice};
use crate::console::Console;
use crate::pager;
use crate::screen::{self, PlaybookRow};
use crate::workplace::{catalog, here, project_at, settings, shown};

/// Criteria that are ticked at first: what most decisions are weighed by.
const USUAL: [&str; 6] = ["time-to-value", "simplicity", "operability", "evolvability", "performance", "cost"];

/// The largest file that is checked.
const MAX_BYTES: u64 = 4 << 20;

/// Lists, shows, checks or writes playbooks.
pub fn playbook(typed: &Playbook, console: &Console) -> Result<u8, Failure> {
    match typed {
        Playbook::List => list(console),
        Playbook::Show { name } => show(name, console),
        Playbook::Check { name } => check(name.as_deref(), console),
        Playbook::New(typed) => new(typed, console),
    }
}

fn list(console: &Console) -> Result<u8, Failure> {
    let cwd = here()?;
    let catalog = catalog(project::find(&cwd).as_ref());
    let (mut rows, mut problems) = (Vec::new(), Vec::new());
    for name in catalog.names(Kind::Playbook) {
        match catalog.playbook(&name) {
            Ok(entry) => rows.push(row(&cwd, &entry.value, &entry.source)),
            Err(CatalogError::Bad { problems: found }) => {
                problems.extend(found.into_iter().map(|problem| nearer(&cwd, problem)));
            }
            Err(error) => problems.push(Problem::of_file(&name, error.to_string())),
        }
    }
    rows.sort_by_key(|row| row.file.is_none());
    if console.json {
        let rows: Vec<Value> = rows.iter().map(row_json).collect();
        return console.print_json(&json!({ "schema": 1, "playbooks": rows, "problems": problems })).map(|()| 0);
    }
    console.print(&screen::playbooks(&rows, &problems, &console.style)).map(|()| 0)
}

fn row(cwd: &Path, playbook: &Known, source: &Source) -> PlaybookRow {
    PlaybookRow {
        name: playbook.name.clone(),
        subject: playbook.subject.clone(),
        options: playbook.options.iter().map(|option| option.name.clone()).collect(),
        criteria: playbook.criteria.len(),
        as_of: playbook.as_of.clone(),
        file: match source {
            Source::BuiltIn => None,
            Source::File(path) => Some(shown(cwd, path)),
        },
        unwritten: playbooks::unwritten(playbook),
    }
}

fn row_json(row: &PlaybookRow) -> Value {
    json!({
        "name": row.name,
        "subject": row.subject,
        "options": row.options,
        "criteria": row.criteria,
        "as_of": row.as_of,
        "origin": if row.file.is_some() { "project" } else { "built-in" },
        "file": row.file,
        "unwritten": row.unwritten,
    })
}

fn show(name: &str, console: &Console) -> Result<u8, Failure> {
    let cwd = here()?;
    let catalog = catalog(project::find(&cwd).as_ref());
    let entry = catalog.playbook(name).map_err(unknown)?;
    let row = row(&cwd, &entry.value, &entry.source);
    if console.json {
        return console.print_json(&as_json(&entry.value, &row)).map(|()| 0);
    }
    pager::show(&screen::playbook(&entry.value, &row, &console.style), true, console).map(|()| 0)
}

fn as_json(playbook: &Known, row: &PlaybookRow) -> Value {
    let options = playbook.options.iter().map(|option| {
        let cells = option.cells.iter().map(|(id, cell)| (id.clone(), json!({ "score": cell.score, "why": cell.why })));
        let risks = option.risks.iter();
        let risk = |risk: &s2s::catalog::playbook::Risk| {
            json!({ "risk": risk.risk, "touches": risk.touches, "mitigation": risk.mitigation })
        };
        json!({
            "id": option.id, "name": option.name, "aliases": option.aliases, "what": option.what, "decide": option.decide,
            "at_best": option.at_best, "start_with": option.start_with, "right_when": option.right_when,
            "revisit_when": option.revisit_when, "risks": risks.map(risk).collect::<Vec<_>>(),
            "cells": cells.collect::<serde_json::Map<_, _>>(),
        })
    });
    let criteria = playbook.criteria.iter().map(|criterion| {
        json!({
            "id": criterion.id, "name": criterion.name, "means": criterion.means, "asks": criterion.asks,
            "find_out": criterion.find_out,
        })
    });
    let signals = playbook.signals.iter().map(|signal| {
        json!({
            "id": signal.id, "when": signal.when, "criterion": signal.criterion, "shift": signal.shift,
            "lifts": signal.lifts, "why": signal.why, "contradicts": signal.contradicts,
        })
    });
    let whichever = playbook.whichever.iter().map(|one| json!({ "touches": one.touches, "text": one.text }));
    let mut value = row_json(row);
    value["schema"] = json!(1);
    value["decides"] = json!(playbook.decides);
    value["names"] = json!(playbook.names);
    value["unless"] = json!(playbook.unless);
    value["criteria"] = json!(criteria.collect::<Vec<_>>());
    value["options"] = json!(options.collect::<Vec<_>>());
    value["whichever"] = json!(whichever.collect::<Vec<_>>());
    value["signals"] = json!(signals.collect::<Vec<_>>());
    value["changes"] = json!(playbook.changes);
    value
}

fn unknown(error: CatalogError) -> Failure {
    match error {
        error @ CatalogError::Unknown { .. } => Failure::from(error).next("`s2s playbook list` shows all of them"),
        error => error.into(),
    }
}

/// One playbook that was looked at.
struct Checked {
    name: String,
    file: String,
    problems: Vec<Problem>,
    advice: Vec<Advice>,
}

fn check(name: Option<&Path>, console: &Console) -> Result<u8, Failure> {
    let cwd = here()?;
    let project = project::find(&cwd);
    let catalog = catalog(project.as_ref());
    let settings = settings(&cwd, project.as_ref(), &[])?;
    let critical = &settings.config.roundtable.escalation.triggers.critical_keywords;
    let roles: Vec<Role> =
        catalog.names(Kind::Role).iter().filter_map(|id| Some(catalog.role(id).ok()?.value)).collect();
    let look = |known: Result<(Known, String, String), Failure>, name: String| match known {
        Ok((playbook, file, text)) => {
            let advice = playbooks::advice(&playbook, &text, &roles, critical);
            Ok(Checked { name, file, problems: Vec::new(), advice })
        }
        Err(failure) if !failure.problems.is_empty() => {
            let file = failure.problems[0].file.clone();
            Ok(Checked { name, file, problems: failure.problems, advice: Vec::new() })
        }
        Err(failure) => Err(failure),
    };
    let mut all = Vec::new();
    match name {
        Some(file) if is_file(file) => all.push(look(from_file(file), file.display().to_string())?),
        Some(name) => {
            let name = name.to_string_lossy();
            all.push(look(from_catalog(&catalog, &cwd, &name), name.to_string())?);
        }
        None => {
            for name in names_to_check(&catalog, project.as_ref()) {
                all.push(look(from_catalog(&catalog, &cwd, &name), name)?);
            }
        }
    }
    told(&all, console)
}

/// The project's own playbooks, or all where it has none.
fn names_to_check(catalog: &Catalog, project: Option<&Project>) -> Vec<String> {
    let own = |name: &String| {
        let path = project.map(|project| project.dir.join(Kind::Playbook.folder()).join(format!("{name}.yaml")));
        path.is_some_and(|path| path.exists())
    };
    let all = catalog.names(Kind::Playbook);
    let owned: Vec<String> = all.iter().filter(|name| own(name)).cloned().collect();
    if owned.is_empty() { all } else { owned }
}

/// Whether a file is meant: it has a folder or an ending.
fn is_file(name: &Path) -> bool {
    name.components().count() > 1 || name.extension().is_some_and(|ending| ending == "yaml" || ending == "yml")
}

fn from_catalog(catalog: &Catalog, cwd: &Path, name: &str) -> Result<(Known, String, String), Failure> {
    let entry = catalog.playbook(name).map_err(unknown)?;
    let file = match &entry.source {
        Source::BuiltIn => format!("built-in playbooks/{name}.yaml"),
        Source::File(path) => shown(cwd, path),
    };
    Ok((entry.value, file, entry.text.to_string()))
}

fn from_file(path: &Path) -> Result<(Known, String, String), Failure> {
    let file = path.display().to_string();
    let cannot =
        |what: String| Failure::bad_input(format!("{file} cannot be checked: {what}")).next("name a playbook's file");
    let size = fs::metadata(path).map_err(|error| cannot(error.to_string()))?.len();
    if size > MAX_BYTES {
        return Err(cannot(format!("it is larger than {} MB", MAX_BYTES >> 20)));
    }
    let text = fs::read_to_string(path).map_err(|error| cannot(error.to_string()))?;
    match Known::parse(&text) {
        Ok(playbook) => Ok((playbook, file, text)),
        Err(misfits) => {
            let problems = misfits.into_iter().map(|misfit| Problem::in_file(file.clone(), misfit)).collect();
            Err(Failure::in_files(problems))
        }
    }
}

fn told(all: &[Checked], console: &Console) -> Result<u8, Failure> {
    let problems: Vec<Problem> = all.iter().flat_map(|one| one.problems.clone()).collect();
    let advised: usize = all.iter().map(|one| one.advice.len()).sum();
    if console.json {
        let rows: Vec<Value> = all
            .iter()
            .map(|one| json!({ "name": one.name, "file": one.file, "problems": one.problems, "advice": one.advice }))
            .collect();
        console.print_json(&json!({ "schema": 1, "playbooks": rows }))?;
        return Ok(if problems.is_empty() { 0 } else { 2 });
    }
    let columns = console.terminal.then_some(console.style.width);
    let mut text = format!("{} checked\n", counted(all.len(), "playbook"));
    for one in all {
        let found: Vec<Problem> = one.advice.iter().map(|advice| advice.in_file(&one.file)).collect();
        for problem in &found {
            let told = screen::told(problem, None, "advice: ", columns);
            match console.style.color {
                true => text.push_str(&told),
                false => text.push_str(&anstream::adapter::strip_str(&told).to_string()),
            }
        }
    }
    let advised = match advised {
        0 => String::new(),
        1 => " 1 piece of advice.".to_owned(),
        many => format!(" {many} pieces of advice."),
    };
    if problems.is_empty() {
        text.push_str(&format!("No errors.{advised}\n"));
        return console.print(&text).map(|()| 0);
    }
    console.print(&text)?;
    let next = "mend these and check again: advice is given once there are no errors";
    Err(Failure::in_files(problems).next(next))
}

fn nearer(cwd: &Path, problem: Problem) -> Problem {
    Problem { file: shown(cwd, Path::new(&problem.file)), ..problem }
}

fn new(typed: &NewPlaybook, console: &Console) -> Result<u8, Failure> {
    let cwd = here()?;
    let project = project_at(&cwd)?;
    playbooks::check_name(&project, &typed.called)?;
    let new = playbooks::NewPlaybook {
        name: typed.called.clone(),
        subject: subject(typed, console)?,
        options: options(typed, console)?,
        criteria: criteria(typed, console)?,
        as_of: jiff::Timestamp::now().strftime("%Y-%m").to_string(),
    };
    let written = playbooks::new_playbook(&project, &new)?;
    let (name, path) = (&new.name, shown(&cwd, &written.path));
    let open = playbooks::unwritten(&written.playbook);
    if console.json {
        let value = json!({
            "schema": 1, "name": name, "path": path, "overrides": written.overrides, "unwritten": open,
            "next": format!("s2s playbook check {name}"),
        });
        return console.print_json(&value).map(|()| 0);
    }
    let over = match written.overrides {
        true => "It takes the place of the built-in playbook of this name once it is written.\n",
        false => "",
    };
    let text = format!(
        "made  {path}\n{over}\nNext:\n  1. Open it, and write its {open} sentences; \"To write:\" marks each.\n     \
         Write the reason in a cell first, then its score.\n  2. s2s playbook check {name}\n  3. s2s playbook show {name}\n  \
         4. s2s roundtable start \"a question on it\" --panel offline\n"
    );
    console.print(&text).map(|()| 0)
}

fn missing(flag: &str, what: &str) -> Failure {
    Failure::bad_input(format!("{what}, and there is nobody to ask"))
        .next(format!("give it with {flag}, or run the command at a terminal"))
}

fn subject(typed: &NewPlaybook, console: &Console) -> Result<String, Failure> {
    match &typed.subject {
        Some(subject) => Ok(subject.clone()),
        None if console.attended => {
            asking::text("What is decided, in a few words?", &typed.called.replace('-', " "), |_| None)
        }
        None => Err(missing("--subject", "the subject is missing")),
    }
}

fn options(typed: &NewPlaybook, console: &Console) -> Result<Vec<String>, Failure> {
    if !typed.options.is_empty() {
        return Ok(typed.options.clone());
    }
    if !console.attended {
        return Err(missing("--option", "the options are missing"));
    }
    let mut options = Vec::new();
    while options.len() < 6 {
        let hint = match options.len() {
            0 | 1 => "three to six are good; as it reads in a sentence, such as: a shared cache",
            _ => "Enter alone when these are all",
        };
        let typed = asking::text_or_nothing(&format!("Option {}", options.len() + 1), "", hint)?;
        match (typed.is_empty(), options.len()) {
            (true, 0 | 1) => {}
            (true, _) => break,
            (false, _) => options.push(typed),
        }
    }
    Ok(options)
}

fn criteria(typed: &NewPlaybook, console: &Console) -> Result<Vec<String>, Failure> {
    if !typed.criteria.is_empty() {
        return Ok(typed.criteria.clone());
    }
    if !console.attended {
        return Err(missing("--criterion", "the criteria are missing"));
    }
    let choices = CRITERIA.iter().map(|id| Choice::new((*id).to_owned(), *id)).collect();
    let ticked: Vec<usize> = USUAL.iter().filter_map(|id| CRITERIA.iter().position(|known| known == id)).collect();
    asking::some("What are they compared by? Six to ten are good, four enough to begin.", choices, &ticked, 2)
}
