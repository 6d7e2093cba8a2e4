//! Closing a task or a plan.
//! Given its id as it was typed; hands on what was closed. What happened is added to the plan's history and never
//! changed. Deliberately absent: opening again, which is an edit of the file.

use jiff::Timestamp;
use serde::Serialize;

use super::store::Plans;
use super::task::{Happening, Plan, PlanId, PlanStatus, TaskId, TaskStatus};
use crate::clean::clean_line;
use crate::failure::Failure;

/// What was closed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Closed {
    /// The plan.
    pub plan: PlanId,
    /// The task, if it was one.
    pub task: Option<TaskId>,
    /// The open tasks that a closed task waits for, or that a closed plan still has.
    pub open: Vec<TaskId>,
    /// Whether it was closed before; then nothing changed.
    pub already: bool,
}

/// Closes a task (`TASK-003`) or a plan (`PLAN-001`).
///
/// # Errors
/// If there is none of this name, it was dropped or superseded, or the file cannot be written.
pub fn close(plans: &Plans, name: &str, note: Option<&str>, at: Timestamp) -> Result<Closed, Failure> {
    let alone = plans.lock()?;
    let mut all = plans.all()?;
    let note = note.map(|note| clean_line(note).to_string()).filter(|note| !note.trim().is_empty());
    let (plan, closed) = if let Ok(id) = name.parse::<TaskId>() {
        close_task(&mut all, id, note, at)?
    } else if let Ok(id) = name.parse::<PlanId>() {
        close_plan(&mut all, id, note, at)?
    } else {
        return Err(Failure::bad_input(format!("\"{name}\" is neither a plan nor a task"))
            .next("name one such as PLAN-001 or TASK-003; `s2s plan show` lists them"));
    };
    if !closed.already {
        plans.write(plan, &alone)?;
    }
    Ok(closed)
}

fn close_task(plans: &mut [Plan], id: TaskId, note: Option<String>, at: Timestamp) -> Result<(&Plan, Closed), Failure> {
    let none = || Failure::bad_input(format!("there is no task {id}")).next("`s2s plan show` lists the tasks");
    let plan = plans.iter_mut().find(|plan| plan.task(id).is_some()).ok_or_else(none)?;
    let waits: Vec<TaskId> = plan.task(id).map(|task| task.depends_on.clone()).unwrap_or_default();
    let is_open = |id: &TaskId| plan.task(*id).is_some_and(|task| task.status == TaskStatus::Open);
    let open = waits.into_iter().filter(is_open).collect();
    let plan_id = plan.id;
    let task = plan.tasks.iter_mut().find(|task| task.id == id).ok_or_else(none)?;
    if task.status == TaskStatus::Dropped {
        let why = task.note.clone().unwrap_or_default();
        return Err(Failure::bad_input(format!("{id} was dropped: {why}")).next("there is nothing to close"));
    }
    let already = task.status == TaskStatus::Done;
    if !already {
        task.status = TaskStatus::Done;
        task.closed_at = Some(at);
        task.note.clone_from(&note);
        plan.history.push(Happening { at, what: "closed".to_owned(), task: Some(id), note, doubts: Vec::new() });
    }
    Ok((plan, Closed { plan: plan_id, task: Some(id), open, already }))
}

fn close_plan(plans: &mut [Plan], id: PlanId, note: Option<String>, at: Timestamp) -> Result<(&Plan, Closed), Failure> {
    let none = || Failure::bad_input(format!("there is no plan {id}")).next("`s2s plan list` lists the plans");
    let plan = plans.iter_mut().find(|plan| plan.id == id).ok_or_else(none)?;
    if plan.status == PlanStatus::Superseded {
        return Err(Failure::bad_input(format!("{id} is superseded by a later plan")).next("there is nothing to close"));
    }
    let open = plan.tasks.iter().filter(|task| task.status == TaskStatus::Open).map(|task| task.id).collect();
    let already = plan.status == PlanStatus::Closed;
    if !already {
        plan.status = PlanStatus::Closed;
        plan.history.push(Happening { at, what: "closed the plan".to_owned(), task: None, note, doubts: Vec::new() });
    }
    Ok((plan, Closed { plan: id, task: None, open, already }))
}
