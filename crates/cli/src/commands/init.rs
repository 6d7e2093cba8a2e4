//! `s2s init`: makes the current folder a project, or completes it.
//! Given the folder; says what was made, what was kept and what could not be made. Deliberately absent:
//! the making, which is the library's.

use std::path::Path;

use s2s::Failure;
use s2s::project::{self, InitReport};
use serde_json::json;

use crate::args::Init;
use crate::asking;
use crate::console::Console;
use crate::workplace::{here, shown};

/// Makes or completes a project here.
pub fn init(typed: &Init, console: &Console) -> Result<u8, Failure> {
    let cwd = here()?;
    if let Some(around) = project::find(&cwd).filter(|found| found.root != cwd) {
        let place = around.root.display();
        let inside = format!("this folder is inside the project {place}");
        if console.attended && !typed.yes {
            if !asking::confirm(&format!("It looks as if {inside}. Make a project of its own here?"), false)? {
                return Ok(0);
            }
        } else if !typed.yes {
            return Err(Failure::bad_input(inside).next("`s2s init --yes` makes a project of its own here"));
        }
    }
    let report = project::init(&cwd);
    if console.json {
        console.print_json(&as_json(&cwd, &report))?;
    } else {
        console.print(&as_text(&cwd, &report))?;
    }
    check(&report).map(|()| 0)
}

/// Makes a project for a session that is about to start; says so in one line.
pub fn for_start(cwd: &Path, console: &Console) -> Result<(), Failure> {
    let report = project::init(cwd);
    check(&report)?;
    console.note("Made .s2s/ in this folder. Tell the panel about your project in .s2s/CONTEXT.md.");
    Ok(())
}

fn check(report: &InitReport) -> Result<(), Failure> {
    if report.problems.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> = report.problems.iter().map(ToString::to_string).collect();
    Err(Failure::failed(lines.join("\n")))
}

fn as_text(cwd: &Path, report: &InitReport) -> String {
    let mut text = String::new();
    for path in &report.created {
        text.push_str(&format!("made  {}\n", shown(cwd, path)));
    }
    for path in &report.kept {
        text.push_str(&format!("kept  {}\n", shown(cwd, path)));
    }
    for note in &report.notes {
        text.push_str(&format!("note: {note}\n"));
    }
    if report.problems.is_empty() {
        text.push_str("\nNext:\n  1. Fill in .s2s/CONTEXT.md: objectives, scope, constraints.\n");
        text.push_str("  2. s2s roundtable start \"your question\"\n");
    }
    text
}

fn as_json(cwd: &Path, report: &InitReport) -> serde_json::Value {
    let names = |paths: &[std::path::PathBuf]| paths.iter().map(|path| shown(cwd, path)).collect::<Vec<_>>();
    let problems: Vec<String> = report.problems.iter().map(ToString::to_string).collect();
    json!({
        "created": names(&report.created), "kept": names(&report.kept),
        "notes": report.notes, "problems": problems,
    })
}
