//! The artifacts of a session as they stand: every version, which of them the panel voted down, and what is free
//! to be given next. Given one committed round, tally or ruling at a time by the ledger, and what the project
//! had before. Deliberately absent: what a reply may propose (`registering.rs`), and other sessions.

use std::collections::{BTreeMap, HashMap};

use crate::artifact::{Artifact, ArtifactId, ArtifactKind, ArtifactStatus, Change, MOST_OF_A_KIND, Register};
use crate::ledger::{Standing, same_text};
use crate::record::Tally;
use crate::reply::PointId;

/// One version of an artifact, and what the panel made of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// What it says.
    pub artifact: Artifact,
    /// The round that made it; 0 for what the project had before.
    pub round: u32,
    /// Where its point stands; none where the panel does not vote on it, or did so in another session.
    pub standing: Option<Standing>,
}

/// An artifact with its history. There is at least one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holding {
    /// Its versions, the oldest first.
    pub versions: Vec<Version>,
    /// CONF: whether the conflict is closed.
    pub closed: bool,
}

impl Artifact {
    /// Where it stands: after the vote on it, where a later session started over without it (`retired`), and where its
    /// conflict is closed.
    pub fn status(&self, vote: Option<Standing>, retired: bool, closed: bool) -> ArtifactStatus {
        if vote == Some(Standing::Failed) {
            return ArtifactStatus::Withdrawn;
        }
        match self.change {
            Change::Superseded => ArtifactStatus::Superseded,
            Change::Withdrawn => ArtifactStatus::Withdrawn,
            _ if retired => ArtifactStatus::Superseded,
            Change::Resolved => ArtifactStatus::Resolved,
            _ if closed => ArtifactStatus::Resolved,
            _ if self.id.kind.is_question() => ArtifactStatus::Open,
            Change::Amended => ArtifactStatus::Amended,
            Change::Created => ArtifactStatus::Active,
        }
    }
}

impl Holding {
    /// The version that holds: the last one that was not voted down, else the last.
    pub fn current(&self) -> &Version {
        let stands = |version: &&Version| version.standing != Some(Standing::Failed);
        let last = self.versions.len() - 1;
        self.versions.iter().rfind(stands).unwrap_or(&self.versions[last])
    }

    /// Its id.
    pub fn id(&self) -> ArtifactId {
        self.current().artifact.id
    }

    /// Where it stands. What the panel voted down and nobody mended is withdrawn.
    pub fn status(&self) -> ArtifactStatus {
        let current = self.current();
        current.artifact.status(current.standing, false, self.closed)
    }

    /// Whether this session made or changed it.
    pub fn is_own(&self) -> bool {
        self.versions.iter().any(|version| version.round > 0)
    }
}

/// Everything a session holds, and the numbers it may give.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Holdings {
    held: BTreeMap<ArtifactId, Holding>,
    titles: HashMap<(ArtifactKind, String), ArtifactId>,
    points: HashMap<PointId, (ArtifactId, usize)>,
    conflicts: HashMap<String, ArtifactId>,
    last: BTreeMap<ArtifactKind, u32>,
    given: BTreeMap<ArtifactKind, u32>,
}

impl Holdings {
    pub(crate) fn new(register: Option<&Register>) -> Self {
        let mut holdings = Self::default();
        let Some(register) = register else { return holdings };
        holdings.last.clone_from(&register.last);
        for artifact in &register.known {
            let last = holdings.last.entry(artifact.id.kind).or_default();
            *last = (*last).max(artifact.id.number);
            holdings.put(artifact.clone(), 0);
        }
        holdings
    }

    pub(crate) fn absorb(&mut self, artifacts: &[Artifact], round: u32) {
        for artifact in artifacts {
            let ArtifactId { kind, number } = artifact.id;
            if artifact.change == Change::Created {
                *self.given.entry(kind).or_default() += 1;
            }
            let last = self.last.entry(kind).or_default();
            *last = (*last).max(number);
            self.put(artifact.clone(), round);
        }
    }

    fn put(&mut self, artifact: Artifact, round: u32) {
        let id = artifact.id;
        self.titles.insert((id.kind, same_text(&artifact.title)), id);
        if let Some(conflict) = &artifact.conflict {
            self.conflicts.insert(conflict.clone(), id);
        }
        let holding = self.held.entry(id).or_insert_with(|| Holding { versions: Vec::new(), closed: false });
        if let Some(point) = artifact.point.clone().filter(|_| round > 0) {
            self.points.insert(point, (id, holding.versions.len()));
        }
        let standing = (round > 0 && artifact.point.is_some()).then_some(Standing::Unvoted);
        holding.versions.push(Version { artifact, round, standing });
    }

    /// The panel has voted.
    pub(crate) fn count(&mut self, tally: &Tally) {
        let Some((id, version)) = self.points.get(&tally.point) else { return };
        if let Some(version) = self.held.get_mut(id).and_then(|holding| holding.versions.get_mut(*version)) {
            version.standing = Some(if tally.carried { Standing::Carried } else { Standing::Failed });
        }
    }

    /// A conflict was opened or closed; its artifact follows.
    pub(crate) fn close_conflict(&mut self, conflict: &str, closed: bool) {
        if let Some(holding) = self.conflicts.get(conflict).and_then(|id| self.held.get_mut(id)) {
            holding.closed = closed;
        }
    }

    pub(crate) fn has_conflict(&self, conflict: &str) -> bool {
        self.conflicts.contains_key(conflict)
    }

    pub(crate) fn get(&self, id: ArtifactId) -> Option<&Holding> {
        self.held.get(&id)
    }

    pub(crate) fn titled(&self, kind: ArtifactKind, title: &str) -> Option<ArtifactId> {
        self.titles.get(&(kind, same_text(title))).copied()
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Holding> {
        self.held.values()
    }

    /// How many more of this kind the session may make.
    pub(crate) fn room(&self, kind: ArtifactKind) -> u32 {
        MOST_OF_A_KIND.saturating_sub(self.given.get(&kind).copied().unwrap_or_default())
    }

    pub(crate) fn last(&self, kind: ArtifactKind) -> u32 {
        self.last.get(&kind).copied().unwrap_or_default()
    }

    /// Live artifacts of a topic that claim something: neither a question nor a conflict brings it further (A5).
    pub(crate) fn on_topic(&self, topic: &str) -> u32 {
        self.live_on(topic).filter(|holding| holding.id().kind.is_claim()).count() as u32
    }

    /// Open questions of a topic.
    pub(crate) fn asked_on(&self, topic: &str) -> u32 {
        self.live_on(topic).filter(|holding| holding.id().kind == ArtifactKind::Oq).count() as u32
    }

    /// Open questions, whatever they are about.
    pub(crate) fn open_questions(&self) -> u32 {
        let open = |holding: &&Holding| holding.id().kind == ArtifactKind::Oq && holding.status().is_live();
        self.held.values().filter(open).count() as u32
    }

    fn live_on<'a>(&'a self, topic: &'a str) -> impl Iterator<Item = &'a Holding> {
        self.held.values().filter(move |holding| {
            holding.current().artifact.topic.as_deref() == Some(topic) && holding.status().is_live()
        })
    }
}
