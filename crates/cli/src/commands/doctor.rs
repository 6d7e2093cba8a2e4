//! `s2s doctor`: looks at everything a roundtable needs, and asks every configured model for a word.
//! Given the current folder; prints what was found, and ends with 1 if anything is not well. Deliberately absent: the
//! single looks (`checkup.rs`), the calls (`roll_call.rs`), and any repair.

use std::collections::BTreeSet;

use s2s::Failure;
use s2s::catalog::Catalog;
use s2s::config::{Panel, Resolved};
use s2s::engine::opening::Workflow;
use s2s::lineup::Lineup;
use s2s::panel::Means;
use s2s::project::{self, Project};
use serde_json::json;

use super::models::{KEY, OFFLINE, other_panel};
use super::{checkup, roll_call};
use crate::args::Doctor;
use crate::console::Console;
use crate::screen::{self, Called, Check, Checkup, State};
use crate::seating::models::{lineup, runtime, variables};
use crate::workplace;

/// Checks everything.
pub fn doctor(typed: &Doctor, console: &Console) -> Result<u8, Failure> {
    let cwd = workplace::here()?;
    let project = project::find(&cwd);
    let catalog = workplace::catalog(project.as_ref());
    let settings = workplace::settings(&cwd, project.as_ref(), &[]);
    let mut checks = vec![
        checkup::settings(settings.as_ref()),
        checkup::catalog(&catalog, settings.as_ref().ok()),
        checkup::store(&cwd, project.as_ref()),
        checkup::terminal(console),
        checkup::git(&cwd, project.as_ref()),
        checkup::keys(&catalog, settings.as_ref().ok()),
        checkup::secrets(&cwd, &catalog, project.as_ref()),
    ];
    let models = match &settings {
        Ok(settings) => models(typed, settings, &catalog, project.as_ref(), console, &mut checks)?,
        Err(_) => {
            checks.push(Check::note("models", "Nobody was asked: the settings come first."));
            Vec::new()
        }
    };
    let found = Checkup { checks, models };
    let failed = found.failed();
    if console.json {
        let value = json!({"schema": 1, "well": failed == 0, "checks": found.checks, "models": found.models});
        console.print_json(&value)?;
    } else {
        console.print(&screen::checkup(&found, &console.style))?;
    }
    Ok(u8::from(failed > 0))
}

/// Every configured model; what can be said without asking goes to the checks.
fn models(
    typed: &Doctor,
    settings: &Resolved,
    catalog: &Catalog,
    project: Option<&Project>,
    console: &Console,
    checks: &mut Vec<Check>,
) -> Result<Vec<Called>, Failure> {
    if let Some((_, says)) = other_panel(settings) {
        checks.push(Check::ok("models", says));
        return Ok(Vec::new());
    }
    let lineups = lineups(settings, catalog, checks);
    let mut roll = roll_call::Roll::of(&lineups);
    if roll.is_empty() {
        if checks.iter().all(|check| check.check != "models") {
            let nobody = Check::ok("models", OFFLINE).next(KEY);
            let needed = settings.config.panel == Panel::Models;
            checks.push(if needed { Check { state: State::Failed, ..nobody } } else { nobody });
        }
        return Ok(Vec::new());
    }
    if typed.offline {
        return Ok(roll.not_asked("not asked (--offline)"));
    }
    let variables = variables();
    let project = project.map(|project| project.root.as_path());
    let means = Means { variables: &variables, project, models: &settings.config.models };
    runtime()?.block_on(roll_call::call(&mut roll, &lineups, means, console))?;
    Ok(roll.called())
}

/// The lineup of everyone who can sit at a table of this project. Where it does not stand, what stands of it, seat by
/// seat, and a check for each thing in the way.
fn lineups(settings: &Resolved, catalog: &Catalog, checks: &mut Vec<Check>) -> Vec<Lineup> {
    let seats = everyone(settings);
    let failure = match lineup(settings, catalog, &seats) {
        Ok(whole) => return whole.into_iter().collect(),
        Err(failure) => failure,
    };
    let mut failures = vec![failure];
    let mut standing = Vec::new();
    for seat in &seats {
        match lineup(settings, catalog, std::slice::from_ref(seat)) {
            Ok(one) => standing.extend(one),
            Err(failure) if failures.contains(&failure) => {}
            Err(failure) => failures.push(failure),
        }
    }
    checks.extend(failures.into_iter().map(|failure| Check::failed("models", failure)));
    standing
}

/// The seats of every workflow, and those that have a model of their own.
fn everyone(settings: &Resolved) -> Vec<String> {
    let all = Workflow::ALL.iter().flat_map(|workflow| settings.config.participants(*workflow));
    let mut seen = BTreeSet::new();
    let all = all.chain(settings.config.models.seats.keys());
    all.filter(|seat| seen.insert(seat.as_str())).cloned().collect()
}
