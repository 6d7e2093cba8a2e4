//! What `s2s plan` prints: plans, tasks and findings as lines and as JSON.
//! Given plans; hands on text that is safe for a terminal. Deliberately absent: reading and changing plans.

use s2s::clean::clean_text;
use s2s::engine::counted;
use s2s::plan::{Closed, Finding, Made, Plan, Task, TaskStatus, Weight};
use serde_json::{Value, json};

/// A plan for programs: the file's own fields, and the order.
pub fn value(plan: &Plan) -> Value {
    let groups: Vec<Vec<String>> =
        plan.groups().iter().map(|group| group.iter().map(|task| task.id.to_string()).collect()).collect();
    json!({ "schema": 1, "plan": plan, "groups": groups })
}

/// A plan in a list for programs.
pub fn row(plan: &Plan) -> Value {
    let (done, total) = plan.progress();
    json!({ "id": plan.id, "status": plan.status, "made_at": plan.made_at, "by": plan.by, "done": done, "tasks": total })
}

/// The plans, one on a line.
pub fn list(plans: &[Plan]) -> String {
    if plans.is_empty() {
        return "There is no plan yet. Make one: s2s plan\n".to_owned();
    }
    plans.iter().map(|plan| format!("{}\n", head(plan))).collect()
}

fn head(plan: &Plan) -> String {
    let (done, total) = plan.progress();
    let (id, status, date) = (plan.id, plan.status.as_str(), plan.made_at.strftime("%Y-%m-%d"));
    clean_text(&format!("{id} ({status}), made {date} by {}: {done} of {} done", plan.by, counted(total, "task")))
        .into_owned()
}

/// A plan with its tasks in their order.
pub fn show(plan: &Plan) -> String {
    let mut text = format!("{}\n", head(plan));
    for (at, group) in plan.groups().iter().enumerate() {
        text.push_str(&format!("\nGroup {}\n", at + 1));
        group.iter().for_each(|shown| text.push_str(&task(shown)));
    }
    let dropped: Vec<&Task> = plan.tasks.iter().filter(|task| !task.counts()).collect();
    if !dropped.is_empty() {
        text.push_str("\nDropped\n");
        dropped.iter().for_each(|shown| text.push_str(&task(shown)));
    }
    for doubt in plan.doubts() {
        text.push_str(&format!("\nDoubt: {doubt}"));
    }
    clean_text(text.trim_end()).into_owned() + "\n"
}

fn task(task: &Task) -> String {
    let mark = match task.status {
        TaskStatus::Open => "[ ]",
        TaskStatus::Done => "[x]",
        TaskStatus::Dropped => "[-]",
    };
    let ids = |ids: Vec<String>| ids.join(", ");
    let mut text = format!("  {mark} {} {}\n", task.id, task.title);
    let serves = ids(task.serves.iter().map(ToString::to_string).collect());
    let after = ids(task.depends_on.iter().map(ToString::to_string).collect());
    let after = if after.is_empty() { after } else { format!("; after {after}") };
    let estimate = task.estimate.as_ref().map(|estimate| format!("; {estimate}")).unwrap_or_default();
    let serves = if serves.is_empty() { "nothing".to_owned() } else { serves };
    text.push_str(&format!("      serves {serves}{after}{estimate}\n"));
    for criterion in &task.acceptance {
        text.push_str(&format!("      check ({}): {}\n", criterion.from, criterion.text));
    }
    if let Some(note) = &task.note {
        text.push_str(&format!("      note: {note}\n"));
    }
    text
}

/// What a run made.
pub fn made(made: &Made, document: Option<&str>) -> String {
    let (plan, changes) = (&made.plan, &made.changes);
    let (_, total) = plan.progress();
    let what = match made.is_new {
        true => "is new".to_owned(),
        false if changes.is_nothing() => "is up to date".to_owned(),
        false => format!(
            "was brought up to date: {} new, {} changed, {} dropped",
            changes.added.len(),
            changes.changed.len(),
            changes.dropped.len()
        ),
    };
    let (tasks, groups) = (counted(total, "task"), counted(plan.groups().len(), "group"));
    let mut text = format!("{} {what}. {tasks} in {groups}, planned by {}.\n", plan.id, plan.by);
    for finding in &made.findings {
        text.push_str(&line(finding));
    }
    if let Some(document) = document {
        text.push_str(&format!("Document: {document}\n"));
    }
    clean_text(&text).into_owned()
}

/// What was closed.
pub fn closed(closed: &Closed, document: Option<&str>) -> String {
    let name = closed.task.map_or_else(|| closed.plan.to_string(), |task| task.to_string());
    let mut text = match closed.already {
        true => format!("{name} was closed before; nothing changed.\n"),
        false => format!("{name} is closed.\n"),
    };
    let open: Vec<String> = closed.open.iter().map(ToString::to_string).collect();
    if !open.is_empty() {
        let why = if closed.task.is_some() { "It waits for tasks that are open" } else { "Still open in it" };
        text.push_str(&format!("{why}: {}.\n", open.join(", ")));
    }
    if let Some(document) = document {
        text.push_str(&format!("Document: {document}\n"));
    }
    text
}

/// All findings, one on a line.
pub fn findings(findings: &[Finding]) -> String {
    match findings {
        [] => "Everything holds.\n".to_owned(),
        findings => findings.iter().map(line).collect(),
    }
}

fn line(finding: &Finding) -> String {
    let weight = match finding.weight {
        Weight::Error => "error",
        Weight::Warning => "warning",
    };
    clean_text(&format!("- {weight}: {finding}\n")).into_owned()
}
