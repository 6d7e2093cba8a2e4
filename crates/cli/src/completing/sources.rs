//! What an argument can be completed with: sessions, roles, strategies, artifacts, plans, tasks, decisions, models.
//! Given an argument's place and what is typed of it; hands on candidates with a few words on each. A project whose
//! sessions are many is not folded: ids are then found as they stand in the text. Deliberately absent: errors. What
//! cannot be read has no candidates.

use std::collections::BTreeSet;
use std::ffi::OsStr;

use clap::Arg;
use clap_complete::CompletionCandidate;
use s2s::catalog::{Catalog, Kind};
use s2s::decisions::Decisions;
use s2s::engine::artifact::ArtifactId;
use s2s::engine::opening::{FACILITATOR, HUMAN, Seat};
use s2s::plan::Plans;
use s2s::project::{self, Project};
use s2s::register::ProjectRegister;
use s2s::store::{Listed, Minutes, Sessions};

use crate::way::is_light;
use crate::workplace::{self, here, session_meant};

/// The most sessions that are offered at once.
const MOST: usize = 100;

/// What an argument names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Sessions,
    Strategies,
    Roles,
    /// Who was at the table of the session that is named before, or of the current one.
    Seats,
    /// Those of them that can be asked afterwards: everybody but people.
    Asked,
    /// The same with `=` after them, without the facilitator: `SEAT=TEXT`.
    FollowUp,
    /// The people at that table.
    People,
    /// Roles with commas.
    RoleList,
    /// `NAME:ROLE`.
    Person,
    /// The rounds of that session.
    Rounds,
    /// `SEAT=MODEL`.
    SeatModel,
    Models,
    Panels,
    Artifacts,
    Plans,
    PlansAndTasks,
    Decisions,
    Kinds,
    /// Items of the kind that was typed before.
    Items,
    Providers,
}

/// What an argument of a command names, told by its name: a new command that takes a session's `id` needs nothing here.
pub fn of(path: &str, arg: &Arg) -> Option<Source> {
    let id = arg.get_id().as_str();
    Some(match (path, id) {
        ("trace", "id") => Source::Artifacts,
        ("role new", "from") | ("role show", "name") => Source::Roles,
        ("adr show" | "adr reopen", "name") | ("adr supersede", "old" | "by") => Source::Decisions,
        ("plan show", "plan") => Source::Plans,
        ("plan close", "name") => Source::PlansAndTasks,
        ("catalog show", "kind") => Source::Kinds,
        ("catalog show", "name") => Source::Items,
        ("models trust", "provider") => Source::Providers,
        ("ask", "seat") => Source::Asked,
        ("roundtable resume", "ask") => Source::FollowUp,
        ("roundtable answer", "person") => Source::People,
        (_, "id" | "session" | "from") => Source::Sessions,
        (_, "strategy") => Source::Strategies,
        (_, "human") => Source::Person,
        ("show" | "roundtable show" | "session show", "round") => Source::Rounds,
        (_, "participants" | "pro" | "con") => Source::RoleList,
        (_, "seat") if arg.get_long().is_some_and(|_| shows(arg, "SEAT=MODEL")) => Source::SeatModel,
        (_, "seat") => Source::Seats,
        (_, "model" | "facilitator_model") => Source::Models,
        (_, "panel") => Source::Panels,
        _ => return None,
    })
}

fn shows(arg: &Arg, name: &str) -> bool {
    arg.get_value_names().is_some_and(|names| names.iter().any(|one| one.as_str() == name))
}

/// The candidates for what is typed of an argument, after the words `before`.
pub fn offers(source: Source, before: &[String], current: &OsStr) -> Vec<CompletionCandidate> {
    let Some(typed) = current.to_str() else { return Vec::new() };
    let Ok(cwd) = here() else { return Vec::new() };
    let project = project::find(&cwd);
    let (done, part) = match source {
        Source::RoleList => typed.rsplit_once(',').map_or(("", typed), |(done, part)| (done, part)),
        Source::SeatModel => typed.split_once('=').unwrap_or(("", typed)),
        // A name is the person's own.
        Source::Person => match typed.split_once(':') {
            Some(parts) => parts,
            None => return Vec::new(),
        },
        _ => ("", typed),
    };
    let known = match source {
        Source::SeatModel if typed.contains('=') => offered(Source::Models, before, project.as_ref()),
        Source::SeatModel => with_equals(roles(&workplace::catalog(project.as_ref()))),
        source => offered(source, before, project.as_ref()),
    };
    let taken: Vec<&str> = done.split(',').collect();
    let start = &typed[..typed.len() - part.len()];
    let fits = |(value, _): &(String, String)| value.starts_with(part) && !taken.contains(&value.as_str());
    let candidate = |(value, help): (String, String)| {
        let help = (!help.is_empty()).then(|| super::short(&help).into());
        CompletionCandidate::new(format!("{start}{value}")).help(help)
    };
    known.into_iter().filter(fits).take(MOST).map(candidate).collect()
}

/// All there is, with a few words on each.
fn offered(source: Source, before: &[String], project: Option<&Project>) -> Vec<(String, String)> {
    let catalog = workplace::catalog(project);
    let sessions = project.map(|project| Sessions::new(&project.dir));
    let found = match source {
        Source::Sessions => sessions.map(|sessions| listed(&sessions)),
        Source::Artifacts => sessions.and_then(|sessions| artifacts(&sessions, project?)),
        Source::Strategies => Some(strategies(&catalog)),
        Source::Roles | Source::RoleList | Source::Person => Some(roles(&catalog)),
        Source::Rounds => sessions.and_then(|sessions| rounds(&sessions, before)),
        Source::Seats => sessions.and_then(|sessions| seated(&sessions, before, |_| true, true)),
        Source::Asked => sessions.and_then(|sessions| seated(&sessions, before, |seat| !seat.is_human(), true)),
        Source::FollowUp => {
            sessions.and_then(|sessions| seated(&sessions, before, |seat| !seat.is_human(), false)).map(with_equals)
        }
        Source::People => sessions.and_then(|sessions| seated(&sessions, before, Seat::is_human, false)),
        Source::SeatModel | Source::Models => models(&catalog),
        Source::Panels => Some(panels()),
        Source::Plans => project.and_then(plans),
        Source::PlansAndTasks => project.and_then(|project| Some([tasks(project)?, plans(project)?].concat())),
        Source::Decisions => project.and_then(decisions),
        Source::Kinds => Some(Kind::ALL.iter().map(|kind| named(kind.as_str())).collect()),
        Source::Items => before
            .last()
            .and_then(|word| word.parse().ok())
            .map(|kind: Kind| catalog.names(kind).iter().map(|name| named(name)).collect()),
        Source::Providers => providers(project),
    };
    found.unwrap_or_default()
}

fn named(name: &str) -> (String, String) {
    (name.to_owned(), String::new())
}

/// Sessions, the newest first.
fn listed(sessions: &Sessions) -> Vec<(String, String)> {
    let rows = sessions.list().unwrap_or_default();
    let says = |row: Listed| {
        let status = row.status.map(|status| format!("{status}: ")).unwrap_or_default();
        (row.id, format!("{status}{}", row.topic))
    };
    rows.into_iter().rev().map(says).collect()
}

fn strategies(catalog: &Catalog) -> Vec<(String, String)> {
    let summary = |name: &str| catalog.strategy(name).ok().filter(|entry| entry.value.asks_seats());
    let names = catalog.names(Kind::Strategy).into_iter();
    names.filter_map(|name| summary(&name).map(|entry| (name, entry.value.summary))).collect()
}

/// Whoever can be seated.
fn roles(catalog: &Catalog) -> Vec<(String, String)> {
    let rows = catalog.roles().0.into_iter().filter(|row| row.id != FACILITATOR && row.id != HUMAN);
    rows.filter_map(|row| Some((row.id, row.role?.description))).collect()
}

fn with_equals(names: Vec<(String, String)>) -> Vec<(String, String)> {
    names.into_iter().map(|(name, says)| (format!("{name}="), says)).collect()
}

/// The session that one of the words before names, else the current one.
fn meant(sessions: &Sessions, before: &[String]) -> Option<Minutes> {
    // The first word is the program.
    let named = before.iter().skip(1).find_map(|word| sessions.resolve(word).ok());
    let id = named.or_else(|| session_meant(sessions, None).ok())?;
    sessions.read(&id).ok()
}

/// The rounds of that session, with what each was about.
fn rounds(sessions: &Sessions, before: &[String]) -> Option<Vec<(String, String)>> {
    let minutes = meant(sessions, before)?;
    Some(minutes.rounds().iter().map(|round| (round.number.to_string(), round.focus.clone())).collect())
}

/// Who was at the table of that session.
fn seated(
    sessions: &Sessions,
    before: &[String],
    wanted: fn(&Seat) -> bool,
    facilitator: bool,
) -> Option<Vec<(String, String)>> {
    let minutes = meant(sessions, before)?;
    let seats = minutes.seats().iter().filter(|seat| wanted(seat));
    let mut found: Vec<(String, String)> = seats.map(|seat| (seat.id.to_string(), seat.name.clone())).collect();
    if facilitator {
        found.push((FACILITATOR.to_owned(), "who asked and summed up".to_owned()));
    }
    Some(found)
}

fn models(catalog: &Catalog) -> Option<Vec<(String, String)>> {
    let known = catalog.known_models().ok()?.value;
    Some(known.models.iter().map(|model| named(&format!("{}:{}", model.provider, model.name))).collect())
}

fn panels() -> Vec<(String, String)> {
    let says = [
        ("auto", "models where a key is there, else offline"),
        ("models", "models only"),
        ("offline", "playbooks, no model"),
        ("script:", "replies from a file"),
    ];
    says.map(|(name, what)| (name.to_owned(), what.to_owned())).into()
}

/// Artifacts and tasks; by their titles where that is quick.
fn artifacts(sessions: &Sessions, project: &Project) -> Option<Vec<(String, String)>> {
    let mut found: Vec<(String, String)> = match is_light(sessions) {
        true => {
            let register = ProjectRegister::read(sessions).ok()?;
            register.live().map(|entry| (entry.id().to_string(), entry.artifact().title.clone())).collect()
        }
        false => in_text(sessions)?.into_iter().map(|id| named(&id)).collect(),
    };
    found.extend(tasks(project).unwrap_or_default());
    Some(found)
}

/// The ids of artifacts as they stand in the minutes.
fn in_text(sessions: &Sessions) -> Option<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    for id in sessions.ids().ok()? {
        let Ok(text) = std::fs::read_to_string(sessions.minutes_path(&id)) else { continue };
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        let ids = words.filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase()) && word.contains('-'));
        found.extend(ids.filter(|word| word.parse::<ArtifactId>().is_ok()).map(str::to_owned));
    }
    Some(found)
}

fn plans(project: &Project) -> Option<Vec<(String, String)>> {
    let plans = Plans::new(&project.dir).all().ok()?;
    Some(plans.iter().rev().map(|plan| (plan.id.to_string(), format!("{} tasks", plan.tasks.len()))).collect())
}

fn tasks(project: &Project) -> Option<Vec<(String, String)>> {
    let plans = Plans::new(&project.dir).all().ok()?;
    let plan = s2s::plan::current(&plans).or(plans.last())?;
    Some(plan.tasks.iter().map(|task| (task.id.to_string(), task.title.clone())).collect())
}

fn decisions(project: &Project) -> Option<Vec<(String, String)>> {
    let config = workplace::settings(&here().ok()?, Some(project), &[]).ok()?.config;
    let all = Decisions::read(&project.root, &config).ok()?;
    Some(all.rows.into_iter().map(|row| (row.name, row.title)).collect())
}

/// Providers that the settings define: only those wait for a confirmation.
fn providers(project: Option<&Project>) -> Option<Vec<(String, String)>> {
    let config = workplace::settings(&here().ok()?, project, &[]).ok()?.config;
    Some(config.providers.keys().map(|name| named(name)).collect())
}
