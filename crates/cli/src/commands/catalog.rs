//! `s2s catalog check|list|show`: the data files in force.
//! Works in a project and outside of one. Given a kind and a name; prints. Deliberately absent: what makes
//! a file good, which the catalog knows.

use s2s::Failure;
use s2s::catalog::{Kind, Report};
use s2s::engine::counted;
use s2s::engine::opening::Workflow;
use s2s::project;
use serde_json::json;

use super::names;
use crate::args::Catalog;
use crate::console::Console;
use crate::workplace;

/// Checks, lists or shows data files.
pub fn catalog(typed: &Catalog, console: &Console) -> Result<u8, Failure> {
    let cwd = workplace::here()?;
    let project = project::find(&cwd);
    let catalog = workplace::catalog(project.as_ref());
    match typed {
        Catalog::Check => {
            let settings = workplace::settings(&cwd, project.as_ref(), &[])?;
            let mut report = catalog.check_with(&settings.config.roundtable.limits, 3);
            report.problems.extend(names::unknown(&settings, &catalog, Workflow::ALL));
            check(&report, console)
        }
        Catalog::List => {
            let rows = catalog.list();
            if console.json {
                return console.print_json(&json!({ "items": rows })).map(|()| 0);
            }
            let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
            let mut text = String::new();
            for row in rows {
                let over = if row.overrides { " (over the built-in one)" } else { "" };
                text.push_str(&format!("{:9} {:width$}  {}{over}\n", row.kind, row.name, row.source));
            }
            console.print(&text).map(|()| 0)
        }
        Catalog::Show { kind, name } => {
            let kind: Kind = kind.parse().map_err(Failure::from)?;
            let shown = catalog.show(kind, name)?;
            if console.json {
                let value = json!({ "kind": kind, "name": name, "source": shown.source, "text": shown.text });
                return console.print_json(&value).map(|()| 0);
            }
            let end = if shown.text.ends_with('\n') { "" } else { "\n" };
            let text = s2s::clean::clean_text(&shown.text).into_owned();
            console.note(&format!("{kind} {name}, from: {}", shown.source));
            console.print(&format!("{text}{end}")).map(|()| 0)
        }
    }
}

fn check(report: &Report, console: &Console) -> Result<u8, Failure> {
    if console.json {
        console.print_json(&json!(report))?;
        return Ok(if report.problems.is_empty() { 0 } else { 2 });
    }
    let mut text = format!("{} checked\n", counted(report.files, "file"));
    for facts in &report.strategies {
        let bounds = &facts.bounds;
        text.push_str(&format!(
            "{}: ends within {}; at most {} with {}; phases: {}\n",
            facts.name,
            counted(bounds.most_rounds, "round"),
            counted(bounds.most_calls, "model call"),
            counted(facts.seats, "seat"),
            facts.phases.join(", ")
        ));
    }
    console.print(&text)?;
    if report.problems.is_empty() {
        return console.print("No problems.\n").map(|()| 0);
    }
    Err(Failure::in_files(report.problems.clone()))
}
