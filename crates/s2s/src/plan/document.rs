//! The plan as a document: order, groups, dependencies, tasks with their checks, what no task serves.
//! Given the plans and the register; hands on a living document, whose text around the generated parts is the person's.
//! Deliberately absent: how a document is woven and written (`documents::living`).

use std::collections::{BTreeMap, BTreeSet};

use s2s_engine::artifact::ArtifactId;
use serde::Serialize;

use super::check::unserved;
use super::rule::BY_RULE;
use super::store::current;
use super::task::{Plan, Task, TaskId, TaskStatus};
use crate::documents::escape::inline;
use crate::documents::living::{Asking, Edit, Rack, Written, label};
use crate::failure::Failure;
use crate::register::ProjectRegister;

/// Everything the template may use.
#[derive(Debug, Serialize)]
struct View {
    project: String,
    plan: String,
    status: &'static str,
    date: String,
    by: String,
    /// What people must know about who made it, and who made what it rests on.
    notes: Vec<String>,
    done: usize,
    total: usize,
    groups: Vec<Vec<Item>>,
    tasks: Vec<Item>,
    graph: String,
    unserved: Vec<Lonely>,
    doubts: Vec<String>,
    dropped: Vec<Item>,
    others: Vec<String>,
}

/// A task in words.
#[derive(Debug, Clone, Serialize)]
struct Item {
    id: String,
    title: String,
    text: Vec<String>,
    serves: Vec<String>,
    group: usize,
    depends_on: Vec<String>,
    estimate: Option<String>,
    acceptance: Vec<Check>,
    done: bool,
    closed: String,
    note: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
struct Check {
    from: String,
    text: String,
}

/// A requirement that no task serves.
#[derive(Debug, Serialize)]
struct Lonely {
    shown: String,
    title: String,
}

/// Brings the plan's document up to date; none where there is no plan. `settle` is asked about the generated parts that
/// somebody edited.
///
/// # Errors
/// If two tasks have one id, the document cannot be read or written, or its markers do not pair up.
pub fn write(
    rack: &Rack,
    plans: &[Plan],
    register: &ProjectRegister,
    settle: &mut Asking<'_>,
) -> Result<Option<Written>, Failure> {
    let Some(plan) = current(plans).or(plans.last()) else { return Ok(None) };
    refuse_doubled(plan)?;
    let links = rack.links_from_plan(register)?;
    let view = view(rack.project(), plan, plans, register, &links);
    rack.write_plan(&view, settle).map(Some)
}

/// The generated parts of the plan's document that somebody edited; nothing is written.
///
/// # Errors
/// If two tasks have one id, the document cannot be read, or its markers do not pair up.
pub fn edits(rack: &Rack, plans: &[Plan], register: &ProjectRegister) -> Result<Vec<Edit>, Failure> {
    let Some(plan) = current(plans).or(plans.last()) else { return Ok(Vec::new()) };
    refuse_doubled(plan)?;
    rack.edits_in_plan(&view(rack.project(), plan, plans, register, &rack.links_from_plan(register)?))
}

/// Each task has a part of its own, which is found again by its id.
fn refuse_doubled(plan: &Plan) -> Result<(), Failure> {
    let mut ids = BTreeSet::new();
    match plan.counting().find(|task| !ids.insert(task.id)) {
        None => Ok(()),
        Some(task) => {
            Err(Failure::bad_input(format!(".s2s/plans/{}.yaml: two tasks have the id {}", plan.id, task.id))
                .next("give one of the two another id there; `s2s plan check` names all that is wrong"))
        }
    }
}

fn view(
    project: &str,
    plan: &Plan,
    plans: &[Plan],
    register: &ProjectRegister,
    links: &BTreeMap<ArtifactId, String>,
) -> View {
    let groups = plan.groups();
    let place: BTreeMap<TaskId, usize> =
        groups.iter().enumerate().flat_map(|(at, group)| group.iter().map(move |task| (task.id, at + 1))).collect();
    let item = |task: &Task| item(task, plan, place.get(&task.id).copied().unwrap_or_default(), links);
    let (done, total) = plan.progress();
    let others = plans.iter().filter(|other| other.id != plan.id).map(|other| {
        let (done, total) = other.progress();
        format!("{} ({}): {done} of {total} tasks done", other.id, other.status.as_str())
    });
    let lonely = unserved(plans, register);
    View {
        project: inline(project),
        plan: plan.id.to_string(),
        status: plan.status.as_str(),
        date: plan.made_at.strftime("%Y-%m-%d").to_string(),
        by: inline(&plan.by),
        notes: notes(plan, register),
        done,
        total,
        groups: groups.iter().map(|group| group.iter().map(|task| item(task)).collect()).collect(),
        tasks: plan.counting().map(item).collect(),
        graph: graph(plan),
        unserved: lonely
            .into_iter()
            .map(|entry| Lonely { shown: shown(entry.id(), links), title: inline(&entry.artifact().title) })
            .collect(),
        doubts: plan.doubts().iter().map(|doubt| inline(doubt)).collect(),
        dropped: plan.tasks.iter().filter(|task| !task.counts()).map(item).collect(),
        others: others.collect(),
    }
}

/// Who planned, where no model did, and the panels of the sessions that the tasks rest on.
fn notes(plan: &Plan, register: &ProjectRegister) -> Vec<String> {
    let served = plan.counting().flat_map(|task| &task.serves).filter_map(|id| register.get(*id));
    let made: BTreeSet<&str> =
        served.flat_map(|entry| &entry.versions).map(|version| version.session.as_str()).collect();
    let mut panels: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for seen in register.sessions.iter().filter(|seen| made.contains(seen.id.as_str()) && !seen.panel_note.is_empty()) {
        panels.entry(&seen.panel_note).or_default().push(format!("`{}`", inline(&seen.id)));
    }
    let by_rule = (plan.by == BY_RULE)
        .then(|| "No language model planned this: the tasks follow from the artifacts by rule.".to_owned());
    let rests = panels.iter().map(|(note, ids)| format!("The panel of {}: {}", ids.join(", "), inline(note)));
    by_rule.into_iter().chain(rests).collect()
}

fn item(task: &Task, plan: &Plan, group: usize, links: &BTreeMap<ArtifactId, String>) -> Item {
    let there = |id: &&TaskId| plan.task(**id).is_some_and(Task::counts);
    let text = |text: &Option<String>| text.as_deref().map(inline).filter(|text| !text.is_empty());
    Item {
        id: task.id.to_string(),
        title: inline(&task.title),
        text: task.text.lines().map(inline).filter(|line| !line.is_empty()).collect(),
        serves: task.serves.iter().map(|id| shown(*id, links)).collect(),
        group,
        depends_on: task.depends_on.iter().filter(there).map(ToString::to_string).collect(),
        estimate: text(&task.estimate),
        acceptance: task
            .acceptance
            .iter()
            .map(|criterion| Check { from: shown(criterion.from, links), text: inline(&criterion.text) })
            .collect(),
        done: task.status == TaskStatus::Done,
        closed: task.closed_at.map(|at| at.strftime("%Y-%m-%d").to_string()).unwrap_or_default(),
        note: text(&task.note),
    }
}

fn shown(id: ArtifactId, links: &BTreeMap<ArtifactId, String>) -> String {
    links.get(&id).cloned().unwrap_or_else(|| id.to_string())
}

/// The tasks as a Mermaid flowchart: an arrow leads to what can be done next.
fn graph(plan: &Plan) -> String {
    let tasks: Vec<&Task> = plan.counting().collect();
    if tasks.is_empty() {
        return String::new();
    }
    let node = |id: TaskId| format!("TASK_{:03}", id.0);
    let mut lines = vec!["flowchart LR".to_owned()];
    lines.extend(tasks.iter().map(|task| format!("    {}[\"{} {}\"]", node(task.id), task.id, label(&task.title))));
    for task in &tasks {
        let before = task.depends_on.iter().filter(|id| plan.task(**id).is_some_and(Task::counts));
        lines.extend(before.map(|id| format!("    {} --> {}", node(*id), node(task.id))));
    }
    let done: Vec<String> =
        tasks.iter().filter(|task| task.status == TaskStatus::Done).map(|task| node(task.id)).collect();
    if !done.is_empty() {
        lines.push("    classDef done stroke-dasharray: 4".to_owned());
        lines.push(format!("    class {} done", done.join(",")));
    }
    lines.join("\n")
}
