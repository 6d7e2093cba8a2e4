//! The names in the settings that nothing in the catalog has: strategies and roles.
//! Given the settings and the catalog; hands on every such name with the place it was set. Deliberately
//! absent: names that are known and files that are bad, which the catalog tells by itself.

use s2s::catalog::{Catalog, CatalogError};
use s2s::config::{Origin, Problem, Resolved};
use s2s::engine::opening::{FACILITATOR, Workflow};

/// Every name that is not known: the strategy's, and the participants' of these workflows.
pub fn unknown(settings: &Resolved, catalog: &Catalog, workflows: &[Workflow]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let strategy = catalog.strategy(&settings.config.roundtable.strategy);
    if let Err(error @ CatalogError::Unknown { .. }) = strategy {
        let name = &settings.config.roundtable.strategy;
        problems.push(problem(settings, "roundtable.strategy", name, error.to_string()));
    }
    for workflow in workflows {
        let strategy = catalog.strategy(settings.config.strategy_of(*workflow));
        if let Err(error @ CatalogError::Unknown { .. }) = strategy {
            let name = settings.config.strategy_of(*workflow);
            problems.push(problem(settings, &format!("roundtable.strategies.{workflow}"), name, error.to_string()));
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
            problems.extend(absent(settings, &key, strangers));
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

/// In a file each name that is not there has its own place; elsewhere one sentence says them all.
fn absent(settings: &Resolved, key: &str, strangers: Vec<CatalogError>) -> Vec<Problem> {
    if settings.origin(key).is_none_or(|origin| origin.line == 0) {
        return vec![problem(settings, key, "", nobody(strangers))];
    }
    let mut found = Vec::new();
    for error in strangers {
        let CatalogError::Unknown { name, .. } = &error else { continue };
        let name = name.clone();
        found.push(problem(settings, key, &name, nobody(vec![error])));
    }
    found
}

/// A problem with a name, at the place where it stands.
fn problem(settings: &Resolved, key: &str, name: &str, what: String) -> Problem {
    match settings.origin(key) {
        Some(origin) => {
            let (line, column) = place_of(origin, name).unwrap_or((origin.line, origin.column));
            Problem { line, column, ..Problem::of_file(origin.file.as_str(), what) }
        }
        None => Problem::of_file(key, what),
    }
}

/// Where a name stands: the settings know the place of its key, and the name follows there or in a line below.
fn place_of(origin: &Origin, name: &str) -> Option<(u32, u32)> {
    if origin.line == 0 || name.is_empty() {
        return None;
    }
    let text = std::fs::read_to_string(&origin.file).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':'));
    let lines = (1u32..).zip(text.lines()).skip_while(|(number, _)| *number < origin.line);
    for (number, line) in lines {
        // The key itself may be called the same.
        let key_end = line.char_indices().nth(origin.column as usize).map_or(line.len(), |(at, _)| at);
        let from = if number == origin.line { line[key_end..].find(':').map_or(0, |at| key_end + at + 1) } else { 0 };
        let whole =
            |at: &usize| !is_part(line[..*at].chars().next_back()) && !is_part(line[at + name.len()..].chars().next());
        let found = line[from..].match_indices(name).map(|(at, _)| from + at).find(whole);
        if let Some(at) = found {
            return Some((number, u32::try_from(line[..at].chars().count()).ok()? + 1));
        }
    }
    None
}
