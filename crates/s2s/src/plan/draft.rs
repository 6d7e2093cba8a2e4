//! From a draft to sketches that hold together: references resolved, flaws taken out and told.
//! Given tasks that refer to each other by key or title, from a model or from the rules; hands on sketches without a
//! cycle or an unknown id, and a doubt for all that was taken out. Deliberately absent: ids, which `merge.rs` gives.

use std::collections::BTreeMap;

use s2s_engine::artifact::ArtifactId;
use s2s_models::Stop;
use s2s_reader::{Kind, MAX_REPLY_BYTES, Refusal};
use serde_json::{Map, Value};

use super::check::{cut, cycle, shown_cycle};
use super::task::{Plan, TaskId, folded};
use crate::register::ProjectRegister;

/// More tasks than this are no plan that somebody can follow.
const MOST_TASKS: usize = 500;

/// A task as it is proposed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DraftTask {
    /// What others may call it; the id of a task that is there already.
    pub key: String,
    /// In a few words.
    pub title: String,
    /// What to do.
    pub text: String,
    /// What it is there for, as ids or titles of artifacts.
    pub serves: Vec<String>,
    /// What must be done before it, as keys, ids or titles of tasks.
    pub depends_on: Vec<String>,
    /// How much work it is.
    pub estimate: Option<String>,
}

/// A task whose references are resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sketch {
    /// In a few words.
    pub title: String,
    /// What to do.
    pub text: String,
    /// What it is there for.
    pub serves: Vec<ArtifactId>,
    /// What must be done before it: other sketches, and tasks that are there already.
    pub depends_on: Vec<Before>,
    /// How much work it is.
    pub estimate: Option<String>,
    /// The task that it is, if it is there already.
    pub is: Option<TaskId>,
}

/// What must be done before a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    /// The sketch at this place.
    Sketch(usize),
    /// A task that is there already and is not drafted again.
    Task(TaskId),
}

/// Sketches, and what was taken out to get them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Resolved {
    /// The sketches.
    pub sketches: Vec<Sketch>,
    /// What was repaired or left out; empty = the draft was sound.
    pub doubts: Vec<String>,
}

/// Reads a reply into a draft, with the doubts of the reader.
///
/// # Errors
/// If it cannot be read, in words that a second try can use.
pub fn read_reply(text: &str, stop: Stop) -> Result<(Vec<DraftTask>, Vec<String>), Refusal> {
    match stop {
        Stop::End => {}
        Stop::Length => return Err(Refusal("the reply was cut off; plan fewer, larger tasks".into())),
        Stop::Filter => return Err(Refusal("the reply was cut by a content filter".into())),
        Stop::Oversize => return Err(Refusal(format!("the reply is longer than {} kB", MAX_REPLY_BYTES / 1024))),
    }
    let reading = s2s_reader::read(Kind::Plan, text)?;
    let records = reading.value.get("tasks").and_then(Value::as_array).into_iter().flatten();
    let tasks: Vec<DraftTask> = records.filter_map(Value::as_object).map(draft_task).collect();
    if tasks.is_empty() {
        return Err(Refusal("`tasks` is empty: a plan needs at least one task".into()));
    }
    Ok((tasks, reading.doubts))
}

fn draft_task(record: &Map<String, Value>) -> DraftTask {
    let text = |key: &str| record.get(key).and_then(Value::as_str).unwrap_or_default().trim().to_owned();
    let texts = |key: &str| -> Vec<String> {
        let items = record.get(key).and_then(Value::as_array).into_iter().flatten();
        items.filter_map(Value::as_str).map(|item| item.trim().to_owned()).filter(|item| !item.is_empty()).collect()
    };
    DraftTask {
        key: text("key"),
        title: text("title"),
        text: text("text"),
        serves: texts("serves"),
        depends_on: texts("depends_on"),
        estimate: Some(text("estimate")).filter(|text| !text.is_empty()),
    }
}

/// Resolves a draft against the plan as it is.
pub fn resolve(draft: Vec<DraftTask>, plan: &Plan, register: &ProjectRegister) -> Resolved {
    let mut doubts = Vec::new();
    let draft = joined(draft, &mut doubts);
    let names = Names::of(&draft, plan);
    let mut sketches: Vec<Sketch> = Vec::with_capacity(draft.len());
    for (at, task) in draft.iter().enumerate() {
        let is = task.key.parse::<TaskId>().ok();
        let known = is.filter(|id| plan.task(*id).is_some_and(|task| task.counts()));
        if let (Some(id), None) = (is, known) {
            doubts.push(format!(
                "\"{}\" calls itself {id}, which is no task of this plan; ids are given by the program",
                task.title
            ));
        }
        sketches.push(Sketch {
            title: task.title.clone(),
            text: task.text.clone(),
            serves: serves(task, register, &mut doubts),
            depends_on: names.before(at, task, &mut doubts),
            estimate: task.estimate.clone(),
            is: known,
        });
    }
    untangle(&mut sketches, &mut doubts);
    Resolved { sketches, doubts }
}

/// The draft with tasks of the same title made one, and without those that have none.
fn joined(draft: Vec<DraftTask>, doubts: &mut Vec<String>) -> Vec<DraftTask> {
    let mut kept: Vec<DraftTask> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for (at, task) in draft.into_iter().enumerate() {
        let name = folded(&task.title);
        if name.is_empty() {
            doubts.push(format!("task {} has no title; it was left out: \"{}\"", at + 1, task.text));
        } else if let Some(place) = places.get(&name) {
            doubts.push(format!("two tasks are called \"{}\"; they were made one", task.title));
            let first = &mut kept[*place];
            if !task.text.is_empty() && !first.text.contains(&task.text) {
                first.text = format!("{}\n{}", first.text, task.text).trim().to_owned();
            }
            first.serves.extend(task.serves);
            first.depends_on.extend(task.depends_on.into_iter().filter(|name| folded(name) != folded(&first.title)));
        } else if kept.len() == MOST_TASKS {
            doubts.push(format!("more than {MOST_TASKS} tasks; \"{}\" was left out", task.title));
        } else {
            places.insert(name, kept.len());
            kept.push(task);
        }
    }
    kept
}

fn serves(task: &DraftTask, register: &ProjectRegister, doubts: &mut Vec<String>) -> Vec<ArtifactId> {
    let mut serves: Vec<ArtifactId> = Vec::new();
    for said in &task.serves {
        let by_title = || register.live().find(|entry| folded(&entry.artifact().title) == folded(said));
        let entry = match said.parse::<ArtifactId>() {
            Ok(id) => register.get(id),
            Err(()) => by_title(),
        };
        match entry {
            Some(entry) if entry.is_live() && !serves.contains(&entry.id()) => serves.push(entry.id()),
            Some(entry) if entry.is_live() => {}
            Some(entry) => {
                doubts.push(format!("\"{}\" serves {said}, which is {}; left out", task.title, entry.status()));
            }
            None => doubts.push(format!("\"{}\" serves \"{said}\", which is no artifact; left out", task.title)),
        }
    }
    if serves.is_empty() {
        doubts.push(format!("\"{}\" serves nothing", task.title));
    }
    serves
}

/// What the tasks of a draft may be called.
struct Names<'d> {
    keys: BTreeMap<String, usize>,
    titles: BTreeMap<String, usize>,
    draft: &'d [DraftTask],
    plan: &'d Plan,
}

impl<'d> Names<'d> {
    fn of(draft: &'d [DraftTask], plan: &'d Plan) -> Self {
        let (mut keys, mut titles) = (BTreeMap::new(), BTreeMap::new());
        for (at, task) in draft.iter().enumerate() {
            if !task.key.is_empty() {
                keys.entry(task.key.to_lowercase()).or_insert(at);
            }
            titles.entry(folded(&task.title)).or_insert(at);
        }
        Self { keys, titles, draft, plan }
    }

    fn find(&self, said: &str) -> Option<Before> {
        let drafted = self.keys.get(&said.to_lowercase()).or_else(|| self.titles.get(&folded(said)));
        if let Some(at) = drafted {
            return Some(Before::Sketch(*at));
        }
        let there = match said.parse::<TaskId>() {
            Ok(id) => self.plan.task(id),
            Err(()) => self.plan.tasks.iter().find(|task| folded(&task.title) == folded(said)),
        };
        let there = there.filter(|task| task.counts())?;
        // The same task may be drafted again under its title.
        let again = self.draft.iter().position(|task| folded(&task.title) == folded(&there.title));
        Some(again.map_or(Before::Task(there.id), Before::Sketch))
    }

    fn before(&self, at: usize, task: &DraftTask, doubts: &mut Vec<String>) -> Vec<Before> {
        let mut before = Vec::new();
        for said in &task.depends_on {
            match self.find(said) {
                Some(Before::Sketch(other)) if other == at => {
                    doubts.push(format!("\"{}\" waits for itself; left out", task.title));
                }
                Some(other) if !before.contains(&other) => before.push(other),
                Some(_) => {}
                None => doubts.push(format!("\"{}\" waits for \"{said}\", which is no task; left out", task.title)),
            }
        }
        before
    }
}

/// Takes one edge out of each cycle.
fn untangle(sketches: &mut [Sketch], doubts: &mut Vec<String>) {
    let place = |before: &Before| match before {
        Before::Sketch(at) => Some(*at),
        Before::Task(_) => None,
    };
    let mut edges: Vec<Vec<usize>> =
        sketches.iter().map(|sketch| sketch.depends_on.iter().filter_map(place).collect()).collect();
    while let Some(found) = cycle(&edges) {
        let (from, to) = cut(&mut edges, &found);
        sketches[from].depends_on.retain(|before| *before != Before::Sketch(to));
        let titles: Vec<String> = found.iter().map(|at| format!("\"{}\"", sketches[*at].title)).collect();
        doubts.push(format!(
            "tasks wait for each other: {}; \"{}\" no longer waits for \"{}\"",
            shown_cycle(&titles),
            sketches[from].title,
            sketches[to].title
        ));
    }
}
