//! Everything about one id, both ways: where it comes from, who voted how, what changed it, what it serves and what
//! serves it, and the sessions it came through. Given the register and its links; hands on a plain value that a
//! screen draws and a program reads. Deliberately absent: screens, plans, and any judgement.

use jiff::Timestamp;
use s2s_engine::Standing;
use s2s_engine::artifact::{ArtifactId, ArtifactKind, ArtifactStatus, Change, Details};
use s2s_engine::opening::{SeatId, Workflow};
use s2s_engine::record::Tally;
use serde::Serialize;

use super::chain::Chain;
use super::links::{Links, TaskLink};
use super::{Entry, ProjectRegister, Version};
use crate::failure::Failure;

/// What an id turned out to be.
#[derive(Debug, Clone, PartialEq)]
pub enum Trace {
    /// An artifact.
    Artifact {
        /// With its history and its links.
        artifact: Box<TracedArtifact>,
        /// The sessions around the one that made it, and those that made or changed what it is linked with.
        chain: Option<Chain>,
    },
    /// A task of a plan.
    Task(TracedTask),
}

/// An artifact with its history and its links.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TracedArtifact {
    /// Its id.
    pub id: ArtifactId,
    /// What its kind is called.
    pub noun: &'static str,
    /// In a few words, as it holds now.
    pub title: String,
    /// What it says now.
    pub text: String,
    /// Where it stands.
    pub status: ArtifactStatus,
    /// Whether a complete session made it; else it is only proposed.
    pub settled: bool,
    /// The agenda topic it belongs to.
    pub topic: Option<String>,
    /// The fields of its kind.
    pub fields: Details,
    /// Every version, the oldest first; the first is its origin.
    pub history: Vec<Told>,
    /// The session that started over without it.
    pub retired_by: Option<String>,
    /// What stands in its place.
    pub superseded_by: Option<Named>,
    /// What it stands in place of.
    pub supersedes: Vec<Named>,
    /// What it is there for.
    pub serves: Vec<Named>,
    /// The artifacts that are there for it.
    pub served_by: Vec<Named>,
    /// The components it needs.
    pub uses: Vec<Named>,
    /// The components that need it.
    pub used_by: Vec<Named>,
    /// The interfaces it is an end of.
    pub joined_by: Vec<Named>,
    /// The tasks that are there for it.
    pub tasks: Vec<TaskLink>,
}

/// One version: who said what, where and when, and how the panel voted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Told {
    /// What this version did.
    pub change: Change,
    /// The session that made it.
    pub session: String,
    /// Its kind of work.
    pub workflow: Option<Workflow>,
    /// Whether that session is complete.
    pub complete: bool,
    /// The round.
    pub round: u32,
    /// When the round was held.
    pub at: Timestamp,
    /// The seats whose answers it rests on.
    pub proposed_by: Vec<SeatId>,
    /// `carried`, `failed` or `unvoted`; none where the panel does not vote on it.
    pub standing: Option<&'static str>,
    /// How the panel voted.
    pub tally: Option<Tally>,
    /// Its title then.
    pub title: String,
    /// What it said then.
    pub text: String,
}

/// Another artifact, as a link shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Named {
    /// Its id.
    pub id: ArtifactId,
    /// Its title; none if the project does not have it.
    pub title: Option<String>,
    /// Where it stands; none if the project does not have it.
    pub status: Option<ArtifactStatus>,
}

/// A task of a plan, with what it is there for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TracedTask {
    /// The task.
    #[serde(flatten)]
    pub task: TaskLink,
    /// What it serves, by name.
    pub for_artifacts: Vec<Named>,
}

/// Everything about an id, as somebody typed it: of an artifact, or of one of the tasks among the links.
///
/// # Errors
/// If it is no id, or the project has nothing of this id.
pub fn trace(register: &ProjectRegister, links: &Links<'_>, asked: &str) -> Result<Trace, Failure> {
    let asked = asked.trim();
    if let Some(task) = links.all_tasks().iter().find(|task| task.id.eq_ignore_ascii_case(asked)) {
        let for_artifacts = task.serves.iter().map(|id| Named::of(register, *id)).collect();
        return Ok(Trace::Task(TracedTask { task: task.clone(), for_artifacts }));
    }
    let id: ArtifactId = asked.parse().map_err(|()| not_an_id(asked, links))?;
    let entry = register.get(id).ok_or_else(|| unknown(register, id))?;
    let artifact = TracedArtifact::of(register, links, id, entry);
    let mut chain = entry.versions.first().and_then(|first| Chain::of(register, &first.session));
    if let Some(chain) = &mut chain {
        let linked = links.around(id).filter_map(|id| register.get(id)).chain([entry]);
        let through = linked.flat_map(|entry| &entry.versions).map(|version| version.session.as_str()).collect();
        chain.join(register, &through);
    }
    Ok(Trace::Artifact { artifact: Box::new(artifact), chain })
}

impl TracedArtifact {
    /// An artifact with its history and its links.
    pub fn of(register: &ProjectRegister, links: &Links<'_>, id: ArtifactId, entry: &Entry) -> Self {
        let artifact = entry.artifact();
        let named = |ids: &[ArtifactId]| ids.iter().map(|id| Named::of(register, *id)).collect();
        Self {
            id,
            noun: id.kind.noun(),
            title: artifact.title.clone(),
            text: artifact.text.clone(),
            status: entry.status(),
            settled: entry.is_settled(),
            topic: artifact.topic.clone(),
            fields: artifact.details.clone(),
            history: entry.versions.iter().map(|version| Told::of(register, version)).collect(),
            retired_by: entry.retired_by.clone(),
            superseded_by: links.superseded_by(id).map(|id| Named::of(register, id)),
            supersedes: named(links.supersedes(id)),
            serves: named(links.serves(id)),
            served_by: named(links.served_by(id)),
            uses: named(links.uses(id)),
            used_by: named(links.used_by(id)),
            joined_by: named(links.joined_by(id)),
            tasks: links.tasks(id).cloned().collect(),
        }
    }
}

impl Told {
    fn of(register: &ProjectRegister, version: &Version) -> Self {
        let session = register.session(&version.session);
        Self {
            change: version.artifact.change,
            session: version.session.clone(),
            workflow: session.map(|seen| seen.workflow),
            complete: version.complete,
            round: version.round,
            at: version.at,
            proposed_by: version.artifact.proposed_by.clone(),
            standing: version.standing.map(|standing| match standing {
                Standing::Unvoted => "unvoted",
                Standing::Carried => "carried",
                Standing::Failed => "failed",
            }),
            tally: version.tally.clone(),
            title: version.artifact.title.clone(),
            text: version.artifact.text.clone(),
        }
    }
}

impl Named {
    fn of(register: &ProjectRegister, id: ArtifactId) -> Self {
        let entry = register.get(id);
        Self { id, title: entry.map(|entry| entry.artifact().title.clone()), status: entry.map(Entry::status) }
    }
}

fn not_an_id(asked: &str, links: &Links<'_>) -> Failure {
    let shown: String = asked.chars().take(40).collect();
    let task = asked.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("task-"));
    if task {
        let next = match links.all_tasks() {
            [] => "there is no plan in this project yet".to_owned(),
            [.., last] => format!("the last task is {}", last.id),
        };
        return Failure::bad_input(format!("no task `{shown}` in this project")).next(next);
    }
    let kinds: Vec<&str> = ArtifactKind::ALL.iter().map(|kind| kind.as_str()).collect();
    Failure::bad_input(format!("`{shown}` is not an id: a kind and a number are, such as REQ-007"))
        .next(format!("the kinds are {}; `s2s trace` lists what there is", kinds.join(", ")))
}

fn unknown(register: &ProjectRegister, id: ArtifactId) -> Failure {
    let of_kind = register.entries.keys().filter(|known| known.kind == id.kind);
    let next = match of_kind.max() {
        Some(last) => format!("the last of its kind is {last}; `s2s trace` lists what there is"),
        None => format!("it has no {} yet; `s2s trace` lists what there is", id.kind.noun()),
    };
    let unread = match register.unread.len() {
        0 => String::new(),
        1 => format!(" (session {} cannot be read)", register.unread[0].0),
        n => format!(" ({n} sessions cannot be read)"),
    };
    Failure::bad_input(format!("no artifact {id} in this project{unread}")).next(next)
}
