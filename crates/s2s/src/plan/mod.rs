//! Plans: what is to be done so that the requirements are met, in an order that holds.
//! Given the register; a model or the rules draft tasks (`rule`, `draft`), the program resolves their references,
//! checks them ([`check()`]), gives ids and merges them into the plan that is there ([`merge()`]), keeps it ([`Plans`])
//! and writes the document ([`document`]). Deliberately absent: who does the work, and when.

mod check;
mod close;
pub mod document;
mod draft;
mod make;
mod merge;
mod rule;
mod store;
mod task;
#[cfg(test)]
mod tests;

use std::path::Path;

use s2s_engine::artifact::{ArtifactId, ArtifactKind};

pub use check::{Finding, Weight, check, check_plan, unserved};
pub use close::{Closed, close};
pub use draft::{Before, DraftTask, Resolved, Sketch, read_reply, resolve};
pub use make::{Made, Prepared, Request, prepare};
pub use merge::{Changes, merge};
pub use rule::by_rule;
pub use store::{Plans, PlansLock, UnreadPlan, current, last_task};
pub use task::{Criterion, Happening, Plan, PlanId, PlanStatus, Task, TaskId, TaskStatus};

use crate::clean::clean_line;
use crate::failure::Failure;
use crate::register::ProjectRegister;
use crate::register::TaskLink;

/// How a task that serves these is checked: in the words of the requirements, and in no others.
pub fn acceptance(serves: &[ArtifactId], register: &ProjectRegister) -> Vec<Criterion> {
    let mut criteria = Vec::new();
    for entry in serves.iter().filter_map(|id| register.get(*id)).filter(|entry| entry.is_live()) {
        let (id, artifact) = (entry.id(), entry.artifact());
        let texts: Vec<String> = match id.kind {
            ArtifactKind::Req => artifact.details.acceptance.clone(),
            ArtifactKind::Nfr => match (&artifact.details.target, &artifact.details.measure) {
                (Some(target), Some(measure)) => vec![format!("{target} (measured by: {measure})")],
                (Some(one), None) | (None, Some(one)) => vec![one.clone()],
                (None, None) => Vec::new(),
            },
            ArtifactKind::Br if !artifact.text.is_empty() => vec![artifact.text.clone()],
            _ => Vec::new(),
        };
        criteria.extend(texts.into_iter().map(|text| Criterion { from: id, text }));
    }
    criteria
}

/// The titles of the decision records in a folder; what cannot be read is left out.
pub fn decision_titles(folder: &Path) -> Vec<String> {
    const MOST: usize = 200;
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    paths.sort();
    let title = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).ok()?;
        let heading = text.lines().find_map(|line| line.strip_prefix("# "))?;
        Some(clean_line(heading).to_string())
    };
    paths.iter().filter_map(title).take(MOST).collect()
}

/// The tasks of the project at `root`: all that are done, and the open ones of plans that nothing stands in the place of.
/// Beside them the plans that cannot be read, whose tasks are not among them.
///
/// # Errors
/// If the folder of the plans cannot be read.
pub fn task_links(root: &Path) -> Result<(Vec<TaskLink>, Vec<UnreadPlan>), Failure> {
    let (plans, unread) = Plans::new(&root.join(".s2s")).readable()?;
    let mut links = Vec::new();
    for plan in &plans {
        let counts = |task: &&Task| task.status == TaskStatus::Done || plan.status != PlanStatus::Superseded;
        links.extend(plan.counting().filter(counts).map(|task| TaskLink {
            id: task.id.to_string(),
            title: task.title.clone(),
            serves: task.serves.clone(),
            plan: plan.id.to_string(),
            done: task.status == TaskStatus::Done,
        }));
    }
    Ok((links, unread))
}
