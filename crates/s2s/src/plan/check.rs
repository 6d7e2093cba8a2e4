//! What is wrong with a plan: cycles, unknown ids, doubled titles, tasks for nothing, requirements without a task.
//! Given plans and the register; hands on findings with their place and what to do. Nothing is changed here.
//! Deliberately absent: mending (`draft.rs`, `merge.rs`).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use s2s_engine::artifact::{ArtifactId, ArtifactKind, Priority};
use serde::Serialize;

use super::acceptance;
use super::task::{Plan, PlanId, PlanStatus, Task, TaskId, TaskStatus, folded};
use crate::register::{Entry, ProjectRegister};

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Weight {
    /// The plan cannot be worked from as it is.
    Error,
    /// Somebody should look at it.
    Warning,
}

/// Something wrong with a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// How bad it is.
    pub weight: Weight,
    /// Where: the plan, and the task if it is about one.
    pub place: String,
    /// What.
    pub what: String,
    /// What to do.
    pub next: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; {}", self.place, self.what, self.next)
    }
}

const REFRESH: &str = "run `s2s plan` to bring the plan up to date";

/// All that is wrong with the plan in force, and with what the plans leave out.
pub fn check(plans: &[Plan], register: &ProjectRegister) -> Vec<Finding> {
    let mut findings = Vec::new();
    for plan in plans.iter().filter(|plan| plan.status == PlanStatus::Open) {
        findings.extend(check_plan(plan, register));
    }
    findings.extend(unserved(plans, register).into_iter().map(|entry| Finding {
        weight: Weight::Error,
        place: entry.id().to_string(),
        what: format!("no task serves \"{}\"", entry.artifact().title),
        next: REFRESH.to_owned(),
    }));
    findings
}

/// All that is wrong with one plan.
pub fn check_plan(plan: &Plan, register: &ProjectRegister) -> Vec<Finding> {
    let mut looking = Looking { plan: plan.id, findings: Vec::new() };
    if plan.counting().next().is_none() {
        looking.plan_wide("the plan has no task".to_owned(), REFRESH);
    }
    let mut titles: BTreeMap<String, TaskId> = BTreeMap::new();
    let mut ids: BTreeSet<TaskId> = BTreeSet::new();
    for task in &plan.tasks {
        if !ids.insert(task.id) {
            let next = "give one of the two another title and id by hand in the plan's file";
            looking.error(task, "two tasks have this id".to_owned(), next);
        }
        if !task.counts() {
            continue;
        }
        if let Some(first) = titles.insert(folded(&task.title), task.id) {
            let what = format!("it has the same title as {first}: \"{}\"", task.title);
            looking.error(task, what, "give it a title of its own in the plan's file");
        }
        looking.edges(task, plan);
        looking.served(task, register);
    }
    for cycle in cycles(plan) {
        let what = format!("these tasks wait for each other: {}", shown_cycle(&cycle));
        looking.plan_wide(what, "take one `depends_on` of them out of the plan's file");
    }
    looking.findings
}

struct Looking {
    plan: PlanId,
    findings: Vec<Finding>,
}

impl Looking {
    fn add(&mut self, weight: Weight, place: String, what: String, next: &str) {
        self.findings.push(Finding { weight, place, what, next: next.to_owned() });
    }

    fn plan_wide(&mut self, what: String, next: &str) {
        self.add(Weight::Error, self.plan.to_string(), what, next);
    }

    fn error(&mut self, task: &Task, what: String, next: &str) {
        self.add(Weight::Error, format!("{} {}", self.plan, task.id), what, next);
    }

    fn warning(&mut self, task: &Task, what: String, next: &str) {
        self.add(Weight::Warning, format!("{} {}", self.plan, task.id), what, next);
    }

    fn edges(&mut self, task: &Task, plan: &Plan) {
        let mut early: Vec<String> = Vec::new();
        for id in &task.depends_on {
            let next = "take it out of `depends_on` in the plan's file";
            match plan.task(*id) {
                _ if *id == task.id => self.error(task, "it waits for itself".to_owned(), next),
                None => self.error(task, format!("it waits for {id}, which is not in this plan"), next),
                // What is done needed nothing of it.
                Some(other) if !other.counts() && task.status == TaskStatus::Done => {}
                Some(other) if !other.counts() => {
                    self.error(task, format!("it waits for {id}, which was dropped"), next);
                }
                Some(other) if task.status == TaskStatus::Done && other.status == TaskStatus::Open => {
                    early.push(id.to_string());
                }
                Some(_) => {}
            }
        }
        match &early[..] {
            [] => {}
            [id] => {
                let what = format!("it is done, but {id}, which it waits for, is not");
                self.warning(task, what, &format!("close {id}, or take it out of `depends_on`"));
            }
            many => {
                let what =
                    format!("it is done, but {} tasks that it waits for are not: {}", many.len(), many.join(", "));
                self.warning(task, what, "close them, or take them out of `depends_on`");
            }
        }
    }

    fn served(&mut self, task: &Task, register: &ProjectRegister) {
        if task.serves.is_empty() {
            let next = "name the artifact it is there for under `serves` in the plan's file";
            self.error(task, "it serves nothing".to_owned(), next);
        }
        for id in &task.serves {
            let Some(entry) = register.get(*id) else {
                let next = "take it out of `serves` in the plan's file";
                self.error(task, format!("it serves {id}, which is not in the register"), next);
                continue;
            };
            if task.status == TaskStatus::Done {
                if is_newer(entry, task) {
                    let what = format!("it was closed before {id} was changed");
                    self.warning(task, what, "see whether it still meets it");
                }
            } else if !entry.is_live() {
                self.warning(task, format!("it serves {id}, which is {} by now", entry.status()), REFRESH);
            }
        }
        if task.status == TaskStatus::Open && task.acceptance != acceptance(&task.serves, register) {
            let what = "its acceptance is not what the requirements it serves say".to_owned();
            self.warning(task, what, REFRESH);
        }
    }
}

/// Whether what a task serves was changed after the task was closed.
pub(super) fn is_newer(entry: &Entry, task: &Task) -> bool {
    task.closed_at.is_some_and(|closed| entry.current().at > closed)
}

/// The requirements that are to be met and that no task serves.
pub fn unserved<'r>(plans: &[Plan], register: &'r ProjectRegister) -> Vec<&'r Entry> {
    let served: BTreeSet<ArtifactId> = plans
        .iter()
        .flat_map(|plan| plan.counting().map(move |task| (plan, task)))
        .filter(|(plan, task)| match task.status {
            TaskStatus::Open => plan.status == PlanStatus::Open,
            _ => true,
        })
        .flat_map(|(_, task)| &task.serves)
        .copied()
        .collect();
    register.live().filter(|entry| is_wanted(entry) && !served.contains(&entry.id())).collect()
}

/// Whether somebody has to do something for it in this release.
fn is_wanted(entry: &Entry) -> bool {
    let kind = entry.id().kind;
    let meant = matches!(kind, ArtifactKind::Req | ArtifactKind::Nfr);
    meant && entry.artifact().details.priority != Some(Priority::Wont)
}

/// Tasks that wait for each other: each cycle once, from its first task on.
pub(super) fn cycles(plan: &Plan) -> Vec<Vec<TaskId>> {
    let tasks: Vec<&Task> = plan.counting().collect();
    let place: BTreeMap<TaskId, usize> = tasks.iter().enumerate().map(|(at, task)| (task.id, at)).collect();
    let mut edges: Vec<Vec<usize>> = tasks
        .iter()
        .map(|task| {
            task.depends_on.iter().filter(|id| **id != task.id).filter_map(|id| place.get(id)).copied().collect()
        })
        .collect();
    let mut found = Vec::new();
    while let Some(cycle) = cycle(&edges) {
        cut(&mut edges, &cycle);
        found.push(cycle.into_iter().map(|at| tasks[at].id).collect());
    }
    found
}

/// A cycle in a graph, as the places it goes through; its last edge leads back to the first place.
pub(super) fn cycle(edges: &[Vec<usize>]) -> Option<Vec<usize>> {
    // 0 = not seen, 1 = on the way here, 2 = done.
    let mut seen = vec![0_u8; edges.len()];
    for start in 0..edges.len() {
        let mut way: Vec<(usize, usize)> = Vec::new();
        if seen[start] == 0 {
            seen[start] = 1;
            way.push((start, 0));
        }
        while let Some((at, next)) = way.pop() {
            let Some(&to) = edges[at].get(next) else {
                seen[at] = 2;
                continue;
            };
            way.push((at, next + 1));
            match seen[to] {
                0 => {
                    seen[to] = 1;
                    way.push((to, 0));
                }
                1 => {
                    let from = way.iter().position(|(place, _)| *place == to).unwrap_or_default();
                    return Some(way[from..].iter().map(|(place, _)| *place).collect());
                }
                _ => {}
            }
        }
    }
    None
}

/// Takes one edge out of a cycle; gives its ends.
pub(super) fn cut(edges: &mut [Vec<usize>], cycle: &[usize]) -> (usize, usize) {
    let (from, to) = weakest(cycle).unwrap_or_default();
    if let Some(out) = edges.get_mut(from) {
        out.retain(|place| *place != to);
    }
    (from, to)
}

/// The edge of a cycle that is given up: the one by which the first of its tasks waits for a later one. Whoever lists
/// tasks lists them more or less in their order.
pub(super) fn weakest<T: Ord + Copy>(cycle: &[T]) -> Option<(T, T)> {
    let (at, from) = cycle.iter().enumerate().min_by_key(|(_, place)| **place)?;
    Some((*from, cycle[(at + 1) % cycle.len()]))
}

/// `TASK-001 → TASK-002 → TASK-001`.
pub(super) fn shown_cycle(cycle: &[impl fmt::Display]) -> String {
    let words: Vec<String> = cycle.iter().chain(cycle.first()).map(ToString::to_string).collect();
    words.join(" → ")
}
