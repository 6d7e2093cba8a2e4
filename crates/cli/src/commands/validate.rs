//! `s2s session validate`: checks that the sessions of a project hold together, by themselves and with each other.
//! Given an id, or nothing for all; prints every finding with where it is and what to do next (exit 1 if one is an
//! error). Deliberately absent: the checks (`s2s::register`), and any repair.

use s2s::Failure;
use s2s::plan::UnreadPlan;
use s2s::register::{self, Finding, Report, Severity};
use s2s::store::Sessions;
use serde_json::json;

use crate::args::Validate;
use crate::console::Console;
use crate::screen;
use crate::workplace::{here, project_at, up_to};

/// Checks one session, or all.
pub fn validate(typed: &Validate, console: &Console) -> Result<u8, Failure> {
    let cwd = here()?;
    let project = project_at(&cwd)?;
    let sessions = Sessions::new(&project.dir);
    let only = typed.id.as_deref().map(|asked| sessions.resolve(asked)).transpose()?;
    let (mut tasks, unread) = s2s::plan::task_links(&project.root)?;
    if !unread.is_empty() {
        // Which tasks there are is not known, so that no document names a wrong one.
        tasks.clear();
    }
    let mut report = register::validate(&sessions, &project.root, &tasks, only.as_deref())?;
    report.findings.extend(unread.into_iter().map(about_plan));
    if console.json {
        let value = json!({ "schema": 1, "session": only, "sound": report.is_sound(), "report": report });
        console.print_json(&value)?;
        return Ok(u8::from(!report.is_sound()));
    }
    console.print(&screen::findings(&report, only.as_deref(), &up_to(&cwd, &project.root), &console.style))?;
    match report.is_sound() {
        true => Ok(0),
        false => Err(failed(&report)),
    }
}

fn about_plan(plan: UnreadPlan) -> Finding {
    Finding {
        severity: Severity::Error,
        session: None,
        file: plan.file.into(),
        line: None,
        round: None,
        id: None,
        what: format!("this plan cannot be read: {}", plan.why),
        next: plan.next,
    }
}

fn failed(report: &Report) -> Failure {
    let mut errors = report.findings.iter().filter(|finding| finding.severity == Severity::Error);
    match (errors.next(), errors.next()) {
        (Some(only), None) => {
            let file = || only.file.display().to_string();
            let place = only.session.as_ref().map_or_else(file, |session| format!("session {session}"));
            Failure::failed(format!("{place}: {}", only.what)).next(&only.next)
        }
        _ => Failure::failed(format!("{} things do not hold", report.count(Severity::Error))),
    }
}
