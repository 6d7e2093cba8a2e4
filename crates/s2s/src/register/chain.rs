//! The chain of sessions: which one went on from which, from the first idea to what came of it.
//! Given the sessions of a project and one of them; hands on its line of parents, oldest first, and all that went on
//! from it. A parent that is gone and a circle of parents are told, not followed. Deliberately absent: what a
//! session takes over from its parent.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use s2s_engine::artifact::ArtifactKind;
use s2s_engine::opening::Workflow;
use s2s_store::Status;
use serde::Serialize;

use super::{ProjectRegister, SessionSeen};

/// A session with those before and after it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Chain {
    /// The oldest first; what went on from a session stands below it, one deeper.
    pub sessions: Vec<ChainSession>,
    /// A parent that the oldest one names and that is not in the project, or cannot be read.
    pub lost: Option<String>,
    /// Whether the parents lead back to themselves.
    pub cycle: bool,
}

/// One session of a chain.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChainSession {
    /// Its id.
    pub id: String,
    /// How far it is from the oldest one.
    pub depth: usize,
    /// Whether it is the one that was asked for.
    pub asked_for: bool,
    /// Its kind of work.
    pub workflow: Workflow,
    /// Its topic.
    pub topic: String,
    /// Where it stands.
    pub status: Status,
    /// When it started.
    pub started: Timestamp,
    /// The session it goes on from.
    pub parent: Option<String>,
    /// How many artifacts it made, by kind.
    pub made: BTreeMap<ArtifactKind, usize>,
}

impl Chain {
    /// The chain around a session; none if the project has no such session, or it cannot be read.
    pub fn of(register: &ProjectRegister, id: &str) -> Option<Self> {
        let known: BTreeMap<&str, &SessionSeen> =
            register.sessions.iter().map(|seen| (seen.id.as_str(), seen)).collect();
        let asked = *known.get(id)?;
        let mut line = vec![asked];
        let mut met = BTreeSet::from([asked.id.as_str()]);
        let (mut lost, mut cycle) = (None, false);
        let mut oldest = asked;
        while let Some(parent) = oldest.parent.as_deref() {
            match known.get(parent) {
                None => lost = Some(parent.to_owned()),
                Some(_) if !met.insert(parent) => cycle = true,
                Some(seen) => {
                    line.push(seen);
                    oldest = seen;
                    continue;
                }
            }
            break;
        }
        line.reverse();
        let made = Made::of(register);
        let mut sessions: Vec<ChainSession> =
            line.iter().enumerate().map(|(depth, seen)| made.link(seen, depth, seen.id == id)).collect();
        below(register, asked, line.len(), &made, &mut met, &mut sessions);
        Some(Self { sessions, lost, cycle })
    }

    /// Adds those of these sessions that are not in the chain, in the order in which they started: below the session
    /// they go on from where that is in it, else at the end.
    pub(super) fn join(&mut self, register: &ProjectRegister, through: &BTreeSet<&str>) {
        let made = Made::of(register);
        for seen in register.sessions.iter().filter(|seen| through.contains(seen.id.as_str())) {
            if self.sessions.iter().any(|known| known.id == seen.id) {
                continue;
            }
            let parent = self.sessions.iter().position(|known| seen.parent.as_ref() == Some(&known.id));
            let (at, depth) = match parent {
                Some(parent) => {
                    let depth = self.sessions[parent].depth;
                    let under = self.sessions[parent + 1..].iter().take_while(|known| known.depth > depth).count();
                    (parent + 1 + under, depth + 1)
                }
                None => (self.sessions.len(), 0),
            };
            self.sessions.insert(at, made.link(seen, depth, false));
        }
    }
}

/// Those that went on from a session, each with its own below it.
fn below<'r>(
    register: &'r ProjectRegister,
    parent: &SessionSeen,
    depth: usize,
    made: &Made<'_>,
    met: &mut BTreeSet<&'r str>,
    sessions: &mut Vec<ChainSession>,
) {
    for seen in register.sessions.iter().filter(|seen| seen.parent.as_deref() == Some(&parent.id)) {
        if met.insert(&seen.id) {
            sessions.push(made.link(seen, depth, false));
            below(register, seen, depth + 1, made, met, sessions);
        }
    }
}

/// Which session made how many artifacts of which kind.
struct Made<'r>(BTreeMap<&'r str, BTreeMap<ArtifactKind, usize>>);

impl<'r> Made<'r> {
    fn of(register: &'r ProjectRegister) -> Self {
        let mut made: BTreeMap<&str, BTreeMap<ArtifactKind, usize>> = BTreeMap::new();
        for (id, entry) in &register.entries {
            if let Some(first) = entry.versions.first() {
                *made.entry(&first.session).or_default().entry(id.kind).or_default() += 1;
            }
        }
        Self(made)
    }

    fn link(&self, seen: &SessionSeen, depth: usize, asked_for: bool) -> ChainSession {
        ChainSession {
            id: seen.id.clone(),
            depth,
            asked_for,
            workflow: seen.workflow,
            topic: seen.topic.clone(),
            status: seen.status,
            started: seen.started,
            parent: seen.parent.clone(),
            made: self.0.get(seen.id.as_str()).cloned().unwrap_or_default(),
        }
    }
}
