//! Puts sketches into a plan: new tasks get ids, known ones keep theirs, nothing that was done is touched.
//! Given a plan, sketches and the register; hands on what changed. A task whose artifacts are all gone is dropped, and
//! stays in the file as such; it is open again when one of them is back. Deliberately absent: files.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use s2s_engine::artifact::ArtifactId;
use serde::Serialize;

use super::acceptance;
use super::check::{cycles, shown_cycle, weakest};
use super::draft::{Before, Sketch};
use super::task::{Plan, Task, TaskId, TaskStatus, folded};
use crate::register::ProjectRegister;

/// What became of the tasks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Changes {
    /// New ones.
    pub added: Vec<TaskId>,
    /// Those that read differently now.
    pub changed: Vec<TaskId>,
    /// Those whose artifacts are gone.
    pub dropped: Vec<TaskId>,
    /// Edges that had to be cut so that no tasks wait for each other.
    #[serde(skip)]
    pub doubts: Vec<String>,
}

impl Changes {
    /// Whether nothing changed.
    pub fn is_nothing(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.dropped.is_empty()
    }
}

/// Puts sketches into a plan. `last` is the highest number of a task in the project.
pub fn merge(plan: &mut Plan, sketches: &[Sketch], register: &ProjectRegister, last: u32, at: Timestamp) -> Changes {
    let before: BTreeMap<TaskId, Task> = plan.tasks.iter().map(|task| (task.id, task.clone())).collect();
    let mut changes = Changes::default();
    revive(plan, register);
    let ids = matched(plan, sketches, last);
    for (sketch, id) in sketches.iter().zip(&ids) {
        let depends_on = waits_for(plan, sketch, &ids, &before);
        let found = plan.tasks.iter_mut().find(|task| task.id == *id);
        match found {
            Some(task) if task.status == TaskStatus::Done => {}
            Some(task) => {
                let mut depends_on = depends_on;
                depends_on.extend(task.depends_on.iter().filter(|old| !ids.contains(old)).copied());
                renew(task, sketch, depends_on, register);
            }
            None => {
                let mut task = fresh(*id);
                renew(&mut task, sketch, depends_on, register);
                plan.tasks.push(task);
                changes.added.push(*id);
            }
        }
    }
    for task in plan.tasks.iter_mut().filter(|task| task.status == TaskStatus::Open && !ids.contains(&task.id)) {
        leave(task, register, at, &mut changes);
    }
    forget_dropped(plan);
    changes.doubts = untangled(plan);
    plan.tasks.sort_by_key(|task| task.id);
    let differs = |task: &&Task| before.get(&task.id).is_some_and(|old| old != *task);
    let dropped = &changes.dropped;
    let changed = plan.tasks.iter().filter(differs).map(|task| task.id).filter(|id| !dropped.contains(id));
    changes.changed = changed.collect();
    changes
}

/// Tasks that were dropped here and have an artifact again are open again, unless another task took their place. What
/// a person dropped stays dropped: its note does not name the artifacts.
fn revive(plan: &mut Plan, register: &ProjectRegister) {
    let set = |task: &Task| task.serves.iter().copied().collect::<BTreeSet<_>>();
    let counting: Vec<(String, BTreeSet<ArtifactId>)> =
        plan.counting().map(|task| (folded(&task.title), set(task))).collect();
    for task in plan.tasks.iter_mut().filter(|task| task.status == TaskStatus::Dropped) {
        let ours = |id: &ArtifactId| task.note.as_ref().is_some_and(|note| note.starts_with(&format!("{id} is ")));
        let dropped_here = task.serves.first().is_some_and(ours);
        let back = task.serves.iter().any(|id| register.get(*id).is_some_and(|entry| entry.is_live()));
        let (title, served) = (folded(&task.title), set(task));
        let replaced = counting.iter().any(|(other, serves)| *other == title || *serves == served);
        if dropped_here && back && !replaced {
            (task.status, task.closed_at, task.note) = (TaskStatus::Open, None, None);
        }
    }
}

/// The id of each sketch: of the task that it is, else a new one. A task is the same by its id, by its title, or by
/// being the only one that serves just these artifacts.
fn matched(plan: &Plan, sketches: &[Sketch], last: u32) -> Vec<TaskId> {
    let mut taken: BTreeSet<TaskId> = BTreeSet::new();
    let mut ids: Vec<Option<TaskId>> = vec![None; sketches.len()];
    let mut take = |ids: &mut Vec<Option<TaskId>>, find: &dyn Fn(&Sketch) -> Option<TaskId>| {
        for (at, sketch) in sketches.iter().enumerate() {
            if ids[at].is_none()
                && let Some(id) = find(sketch)
                && taken.insert(id)
            {
                ids[at] = Some(id);
            }
        }
    };
    take(&mut ids, &|sketch| sketch.is);
    take(&mut ids, &|sketch| {
        plan.counting().find(|task| folded(&task.title) == folded(&sketch.title)).map(|task| task.id)
    });
    let set = |serves: &[ArtifactId]| serves.iter().copied().collect::<BTreeSet<_>>();
    take(&mut ids, &|sketch| {
        let own = set(&sketch.serves);
        let alone = sketches.iter().filter(|other| set(&other.serves) == own).count() == 1;
        let mut same = plan.counting().filter(|task| !own.is_empty() && set(&task.serves) == own);
        let first = same.next().filter(|_| alone)?;
        same.next().is_none().then_some(first.id)
    });
    let mut next = last;
    let mut new = || {
        next += 1;
        TaskId(next)
    };
    ids.into_iter().map(|id| id.unwrap_or_else(&mut new)).collect()
}

fn waits_for(plan: &Plan, sketch: &Sketch, ids: &[TaskId], before: &BTreeMap<TaskId, Task>) -> Vec<TaskId> {
    let id = |before: &Before| match before {
        Before::Sketch(at) => ids[*at],
        Before::Task(id) => *id,
    };
    let known = |id: &TaskId| ids.contains(id) || before.contains_key(id) || plan.task(*id).is_some();
    sketch.depends_on.iter().map(id).filter(known).collect()
}

fn fresh(id: TaskId) -> Task {
    Task {
        id,
        title: String::new(),
        text: String::new(),
        serves: Vec::new(),
        depends_on: Vec::new(),
        acceptance: Vec::new(),
        estimate: None,
        status: TaskStatus::Open,
        closed_at: None,
        note: None,
        rest: BTreeMap::new(),
    }
}

fn renew(task: &mut Task, sketch: &Sketch, mut depends_on: Vec<TaskId>, register: &ProjectRegister) {
    depends_on.sort_unstable();
    depends_on.dedup();
    depends_on.retain(|id| *id != task.id);
    task.title.clone_from(&sketch.title);
    task.text.clone_from(&sketch.text);
    task.serves.clone_from(&sketch.serves);
    task.depends_on = depends_on;
    task.acceptance = acceptance(&sketch.serves, register);
    if sketch.estimate.is_some() {
        task.estimate.clone_from(&sketch.estimate);
    }
}

/// An open task that was not drafted again: it stays, unless all that it served is gone.
fn leave(task: &mut Task, register: &ProjectRegister, at: Timestamp, changes: &mut Changes) {
    let is_live = |id: &ArtifactId| register.get(*id).is_some_and(|entry| entry.is_live());
    let gone: Vec<ArtifactId> = task.serves.iter().filter(|id| !is_live(id)).copied().collect();
    if !gone.is_empty() && gone.len() == task.serves.len() {
        let told = |id: &ArtifactId| match register.get(*id) {
            Some(entry) => format!("{id} is {}", entry.status()),
            None => format!("{id} is not in the register"),
        };
        task.status = TaskStatus::Dropped;
        task.closed_at = Some(at);
        task.note = Some(gone.iter().map(told).collect::<Vec<_>>().join(", "));
        changes.dropped.push(task.id);
        return;
    }
    task.serves.retain(|id| !gone.contains(id));
    task.acceptance = acceptance(&task.serves, register);
}

/// No open task waits for one that was dropped.
fn forget_dropped(plan: &mut Plan) {
    let dropped: BTreeSet<TaskId> = plan.tasks.iter().filter(|task| !task.counts()).map(|task| task.id).collect();
    for task in plan.tasks.iter_mut().filter(|task| task.status == TaskStatus::Open) {
        task.depends_on.retain(|id| !dropped.contains(id));
    }
}

/// Cuts what makes tasks wait for each other, over old and new ones.
fn untangled(plan: &mut Plan) -> Vec<String> {
    let mut doubts = Vec::new();
    while let Some(cycle) = cycles(plan).into_iter().next() {
        let Some((from, to)) = weakest(&cycle) else { break };
        if let Some(task) = plan.tasks.iter_mut().find(|task| task.id == from) {
            task.depends_on.retain(|id| *id != to);
        }
        doubts.push(format!("{} wait for each other; {from} no longer waits for {to}", shown_cycle(&cycle)));
    }
    doubts
}
