//! The names in the settings that nothing in the catalog has: strategies and roles.
//! Given the settings and the catalog; hands on every such name with the place it was set. Deliberately
//! absent: names that are known and files that are bad, which the catalog tells by itself.

use s2s::catalog::{Catalog, CatalogError};
use s2s::config::{Problem, Resolved};
use s2s::engine::opening::{FACILITATOR, Workflow};

/// Every name that is not known: the strategy's, and the participants' of these workflows.
pub fn unknown(settings: &Resolved, catalog: &Catalog, workflows: &[Workflow]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let strategy = catalog.strategy(&settings.config.roundtable.strategy);
    if let Err(error @ CatalogError::Unknown { .. }) = strategy {
        problems.push(problem(settings, "roundtable.strategy", error.to_string()));
    }
    for workflow in workflows {
        let strategy = catalog.strategy(settings.config.strategy_of(*workflow));
        if let Err(error @ CatalogError::Unknown { .. }) = strategy {
            problems.push(problem(settings, &format!("roundtable.strategies.{workflow}"), error.to_string()));
        }
        let strangers: Vec<CatalogError> = settings
            .config
            .participants(*workflow)
            .iter()
            .filter_map(|id| catalog.role(id).err())
            .filter(|error| matches!(error, CatalogError::Unknown { .. }))
            .collect();
        if !strangers.is_empty() {
            let key = format!("roundtable.participants.{workflow}");
            problems.push(problem(settings, &key, nobody(strangers)));
        }
    }
    problems
}

/// One sentence for all roles that are not there; who is known is said once, without who always chairs.
fn nobody(strangers: Vec<CatalogError>) -> String {
    let mut everyone = Vec::new();
    let said: Vec<String> = strangers
        .into_iter()
        .map(|error| {
            let said = error.to_string();
            if let CatalogError::Unknown { known, .. } = error {
                everyone = known;
            }
            said.split("; known: ").next().unwrap_or(&said).to_owned()
        })
        .collect();
    everyone.retain(|name| name != FACILITATOR);
    format!("{}; known: {}", said.join(", "), everyone.join(", "))
}

fn problem(settings: &Resolved, key: &str, what: String) -> Problem {
    match settings.origin(key) {
        Some(origin) => {
            Problem { line: origin.line, column: origin.column, ..Problem::of_file(origin.file.as_str(), what) }
        }
        None => Problem::of_file(key, what),
    }
}
