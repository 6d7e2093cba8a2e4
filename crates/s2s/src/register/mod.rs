//! The project's register: every artifact of every session, with its history and where it stands.
//! Given the sessions of a project; hands on entries by id, what a new session may refer to, and the numbers that
//! are free. It is folded from the minutes each time: there is no second file that could disagree with them.
//! Deliberately absent: documents, and screens.

mod chain;
mod folding;
mod index;
mod links;
mod mentions;
mod trace;
mod validate;

use std::collections::BTreeMap;

use jiff::Timestamp;
use s2s_engine::artifact::{Artifact, ArtifactId, ArtifactKind, ArtifactStatus, MOST_OF_A_KIND, Register};
use s2s_engine::opening::{RequirementsFormat, SeatId, Workflow};
use s2s_engine::record::Tally;
use s2s_engine::{Session, Standing};
use s2s_store::{Minutes, Sessions, Status};

pub use chain::{Chain, ChainSession};
pub use index::{Index, IndexedSession, Unread, Unserved};
pub use links::{Links, TaskLink};
pub use mentions::check_text;
pub use trace::{Named, Told, Trace, TracedArtifact, TracedTask, trace};
pub use validate::{Finding, Report, Severity, validate};

use crate::failure::Failure;
use folding::Folded;

/// Every artifact of a project.
#[derive(Debug, Clone, Default)]
pub struct ProjectRegister {
    /// By id.
    pub entries: BTreeMap<ArtifactId, Entry>,
    /// The sessions it was folded from, in the order in which they started; those without artifacts too.
    pub sessions: Vec<SessionSeen>,
    /// Sessions that could not be read, with the reason. What they hold is not in the register.
    pub unread: Vec<(String, String)>,
}

/// What the register remembers of a session.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionSeen {
    /// Its id.
    pub id: String,
    /// Its topic.
    pub topic: String,
    /// Its workflow.
    pub workflow: Workflow,
    /// Where it stands.
    pub status: Status,
    /// When it started.
    pub started: Timestamp,
    /// The session it goes on from.
    pub parent: Option<String>,
    /// The layout of requirements that it was asked for; only sessions about requirements have one.
    pub requirements_format: Option<RequirementsFormat>,
    /// What people must know about its panel.
    pub panel_note: String,
    /// What it was opened with, where it keeps artifacts.
    pub register: Option<Register>,
}

/// An artifact with its history over all sessions. There is at least one version.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The oldest first.
    pub versions: Vec<Version>,
    /// Whether a later session started over without it.
    pub retired_by: Option<String>,
    /// CONF: whether the conflict is closed.
    pub closed: bool,
}

/// One version, and where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Version {
    /// What it says.
    pub artifact: Artifact,
    /// The session that made it.
    pub session: String,
    /// Whether that session is complete: until then nothing of it counts.
    pub complete: bool,
    /// Its round.
    pub round: u32,
    /// When the round was held.
    pub at: Timestamp,
    /// Where its point stands.
    pub standing: Option<Standing>,
    /// How the panel voted on it.
    pub tally: Option<Tally>,
}

impl Entry {
    /// The version that holds: the last of a complete session that was not voted down; else the last one.
    pub fn current(&self) -> &Version {
        let stands = |version: &&Version| version.complete && version.standing != Some(Standing::Failed);
        let last = self.versions.len() - 1;
        self.versions.iter().rfind(stands).unwrap_or(&self.versions[last])
    }

    /// Its id.
    pub fn id(&self) -> ArtifactId {
        self.current().artifact.id
    }

    /// What it says now.
    pub fn artifact(&self) -> &Artifact {
        &self.current().artifact
    }

    /// Whether a complete session has made it; what an open session proposes does not count yet.
    pub fn is_settled(&self) -> bool {
        self.versions.iter().any(|version| version.complete)
    }

    /// Where it stands.
    pub fn status(&self) -> ArtifactStatus {
        let current = self.current();
        current.artifact.status(current.standing, self.retired_by.is_some(), self.closed)
    }

    /// Whether work rests on it: settled, and neither superseded, withdrawn nor resolved.
    pub fn is_live(&self) -> bool {
        self.is_settled() && self.status().is_live()
    }

    /// Who voted for what it says now.
    pub fn supporters(&self) -> &[SeatId] {
        self.current().tally.as_ref().map_or(&[], |tally| &tally.support)
    }
}

impl ProjectRegister {
    /// Folds the sessions of a project.
    ///
    /// # Errors
    /// If the folder cannot be read. A session that cannot be read is named in `unread`.
    pub fn read(sessions: &Sessions) -> Result<Self, Failure> {
        let ids = sessions.ids()?;
        let folded = folding::each(&ids, |id| {
            let minutes = sessions.read(id)?;
            let session = folding::session_of(&minutes)?;
            Ok(Folded::of(session.as_ref(), &minutes, minutes.status() == Status::Completed))
        });
        Ok(Self::of(ids.into_iter().zip(folded)))
    }

    /// The register of sessions that are folded already, or why one is not.
    fn of(folded: impl Iterator<Item = (String, Result<Folded, Failure>)>) -> Self {
        let mut register = Self::default();
        for (id, folded) in folded {
            match folded {
                Ok(folded) => register.take(folded),
                Err(failure) => register.unread.push((id, failure.what)),
            }
        }
        register.settle();
        register
    }

    /// Refuses a register with gaps, for whoever would write down that what is not in it is gone.
    ///
    /// # Errors
    /// If a session could not be read.
    pub fn refuse_gaps(&self) -> Result<(), Failure> {
        let Some((id, why)) = self.unread.first() else { return Ok(()) };
        let more = match self.unread.len() - 1 {
            0 => String::new(),
            1 => " (and one more)".to_owned(),
            n => format!(" (and {n} more)"),
        };
        let what =
            format!("session {id}{more} cannot be read, so what it holds is not known; nothing was written: {why}");
        Err(Failure::failed(what)
            .next("mend or restore its file, or move it out of .s2s/sessions; `s2s session validate` checks all"))
    }

    /// As it will be once this session is complete: for the documents that it ends with.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn with(sessions: &Sessions, session: &Session, minutes: &Minutes) -> Result<Self, Failure> {
        let mut register = Self::read(sessions)?;
        register.sessions.retain(|seen| seen.id != minutes.id());
        for entry in register.entries.values_mut() {
            entry.versions.retain(|version| version.session != minutes.id());
        }
        register.entries.retain(|_, entry| !entry.versions.is_empty());
        register.take(Folded::of(Some(session), minutes, true));
        register.settle();
        Ok(register)
    }

    fn take(&mut self, folded: Folded) {
        self.sessions.push(folded.seen);
        for own in folded.own {
            let new = || Entry { versions: Vec::new(), retired_by: None, closed: false };
            let entry = self.entries.entry(own.id).or_insert_with(new);
            entry.closed = own.closed;
            entry.versions.extend(own.versions);
        }
    }

    /// Once all are in: sessions and histories in the order of time, and what later sessions started over without.
    fn settle(&mut self) {
        // Ids of one second are in the order of their topics, and the session that ends now came last.
        self.sessions.sort_by(|a, b| (a.started, &a.id).cmp(&(b.started, &b.id)));
        for entry in self.entries.values_mut() {
            entry.versions.sort_by(|a, b| (a.at, &a.session, a.round).cmp(&(b.at, &b.session, b.round)));
        }
        for seen in self.sessions.iter().filter(|seen| seen.status == Status::Completed) {
            for id in seen.register.iter().flat_map(|register| &register.retired) {
                if let Some(entry) = self.entries.get_mut(id) {
                    entry.retired_by = Some(seen.id.clone());
                }
            }
        }
    }

    /// What work rests on, by id.
    pub fn live(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values().filter(|entry| entry.is_live())
    }

    /// The live artifacts of one kind.
    pub fn of_kind(&self, kind: ArtifactKind) -> impl Iterator<Item = &Entry> {
        self.live().filter(move |entry| entry.id().kind == kind)
    }

    /// The entry with this id.
    pub fn get(&self, id: ArtifactId) -> Option<&Entry> {
        self.entries.get(&id)
    }

    /// The session with this id.
    pub fn session(&self, id: &str) -> Option<&SessionSeen> {
        self.sessions.iter().find(|seen| seen.id == id)
    }

    /// The highest number of each kind that must not be given again. An open session may still give numbers, so
    /// all that it could give are kept for it.
    pub fn numbers(&self) -> BTreeMap<ArtifactKind, u32> {
        let mut last: BTreeMap<ArtifactKind, u32> = BTreeMap::new();
        let mut reach = |kind: ArtifactKind, number: u32| {
            let highest = last.entry(kind).or_default();
            *highest = (*highest).max(number);
        };
        for id in self.entries.keys() {
            reach(id.kind, id.number);
        }
        for seen in &self.sessions {
            let Some(register) = &seen.register else { continue };
            register.last.iter().for_each(|(kind, number)| reach(*kind, *number));
            if matches!(seen.status, Status::Active | Status::Paused) {
                for kind in register.kinds.iter().copied().chain([ArtifactKind::Conf]) {
                    let from = register.last.get(&kind).copied().unwrap_or_default();
                    reach(kind, from.saturating_add(MOST_OF_A_KIND));
                }
            }
        }
        last
    }

    /// What a new session of this workflow is opened with: its kinds, the numbers that are taken, and what it may
    /// refer to or change.
    pub fn for_session(&self, workflow: Workflow) -> Register {
        let kinds = ArtifactKind::of_workflow(workflow).to_vec();
        let known = self.live().filter(|entry| is_known_to(workflow, entry.id().kind));
        Register {
            known: known.map(|entry| Artifact { point: None, ..entry.artifact().clone() }).collect(),
            last: self.numbers(),
            kinds,
            retired: Vec::new(),
        }
    }
}

/// Whether a workflow's sessions are told of a kind: their own, and what comes before them.
fn is_known_to(workflow: Workflow, kind: ArtifactKind) -> bool {
    let own = ArtifactKind::of_workflow(workflow).contains(&kind);
    let before: &[ArtifactKind] = match workflow {
        Workflow::Brainstorm => &[],
        Workflow::Specs => &[ArtifactKind::Idea, ArtifactKind::Risk],
        Workflow::Design => {
            &[ArtifactKind::Req, ArtifactKind::Br, ArtifactKind::Nfr, ArtifactKind::Ex, ArtifactKind::Risk]
        }
    };
    own || before.contains(&kind)
}
