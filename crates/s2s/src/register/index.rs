//! The whole project as one value: every artifact with its history and links, every session with its parent, and the
//! requirements that nobody serves. Given the register and its links; hands on what `s2s trace --json` prints. The
//! order of fields and of entries is fixed, so that two prints can be compared. Deliberately absent: a file of it,
//! which could disagree with the minutes.

use jiff::Timestamp;
use s2s_engine::artifact::ArtifactId;
use s2s_engine::opening::Workflow;
use s2s_store::Status;
use serde::Serialize;

use super::links::Links;
use super::trace::TracedArtifact;
use super::{ProjectRegister, SessionSeen};

/// The shape of the value; a change that breaks readers makes it higher.
const SCHEMA: u32 = 1;

/// The whole project.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Index {
    /// The shape of this value.
    pub schema: u32,
    /// Every artifact, by kind and number.
    pub artifacts: Vec<TracedArtifact>,
    /// Every session that can be read, by id.
    pub sessions: Vec<IndexedSession>,
    /// The live requirements that nobody serves.
    pub unserved: Unserved,
    /// Sessions that cannot be read; what they hold is not in here.
    pub unread: Vec<Unread>,
}

/// A session of the project.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IndexedSession {
    /// Its id.
    pub id: String,
    /// Its topic.
    pub topic: String,
    /// Its kind of work.
    pub workflow: Workflow,
    /// Where it stands.
    pub status: Status,
    /// When it started.
    pub started: Timestamp,
    /// The session it goes on from.
    pub parent: Option<String>,
    /// The sessions that went on from it.
    pub children: Vec<String>,
    /// Whether it keeps artifacts.
    pub keeps_artifacts: bool,
}

/// The live requirements that nobody serves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unserved {
    /// No live ARCH, COMP or INT names them.
    pub by_design: Vec<ArtifactId>,
    /// No task names them.
    pub by_tasks: Vec<ArtifactId>,
}

/// A session that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unread {
    /// Its id.
    pub session: String,
    /// Why not.
    pub why: String,
}

impl Index {
    /// The index of a project.
    pub fn of(register: &ProjectRegister, links: &Links<'_>) -> Self {
        let artifacts = register.entries.iter().map(|(id, entry)| TracedArtifact::of(register, links, *id, entry));
        Self {
            schema: SCHEMA,
            artifacts: artifacts.collect(),
            sessions: register.sessions.iter().map(|seen| IndexedSession::of(register, seen)).collect(),
            unserved: Unserved {
                by_design: links.unserved_by_design(register),
                by_tasks: links.unserved_by_tasks(register),
            },
            unread: Unread::all(register),
        }
    }
}

impl Unread {
    /// Every session that could not be read.
    pub fn all(register: &ProjectRegister) -> Vec<Self> {
        let unread = register.unread.iter();
        unread.map(|(session, why)| Self { session: session.clone(), why: why.clone() }).collect()
    }
}

impl IndexedSession {
    fn of(register: &ProjectRegister, seen: &SessionSeen) -> Self {
        let children = register.sessions.iter().filter(|other| other.parent.as_deref() == Some(&seen.id));
        Self {
            id: seen.id.clone(),
            topic: seen.topic.clone(),
            workflow: seen.workflow,
            status: seen.status,
            started: seen.started,
            parent: seen.parent.clone(),
            children: children.map(|child| child.id.clone()).collect(),
            keeps_artifacts: seen.register.is_some(),
        }
    }
}
