//! Who stands in which relation to whom, both ways: serves, uses, joins, stands in place of, and the tasks of plans.
//! Given the register and the tasks that other files hold; hands on what each id points at and what points at it.
//! Only what holds now counts: the current version of each artifact; what took the place of one that was left behind is
//! seen from its words. Deliberately absent: reading plans, and
//! whether a reference leads anywhere (`validate`).

use std::collections::{BTreeMap, BTreeSet};

use s2s_engine::artifact::{ArtifactId, ArtifactKind};
use serde::Serialize;

use super::{Entry, ProjectRegister};

/// A task of a plan, as far as links go. Plans are not the register's: whoever reads them hands these in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TaskLink {
    /// Its id, unique in the project, such as `TASK-003`.
    pub id: String,
    /// In a few words.
    pub title: String,
    /// What it is there for.
    pub serves: Vec<ArtifactId>,
    /// The plan that holds it.
    pub plan: String,
    /// Whether it is done.
    pub done: bool,
}

/// The links of a project.
#[derive(Debug, Clone, Default)]
pub struct Links<'t> {
    tasks: &'t [TaskLink],
    serves: BTreeMap<ArtifactId, Vec<ArtifactId>>,
    served_by: BTreeMap<ArtifactId, Vec<ArtifactId>>,
    uses: BTreeMap<ArtifactId, Vec<ArtifactId>>,
    used_by: BTreeMap<ArtifactId, Vec<ArtifactId>>,
    joined_by: BTreeMap<ArtifactId, Vec<ArtifactId>>,
    superseded_by: BTreeMap<ArtifactId, ArtifactId>,
    supersedes: BTreeMap<ArtifactId, Vec<ArtifactId>>,
    tasks_for: BTreeMap<ArtifactId, Vec<usize>>,
}

impl<'t> Links<'t> {
    /// The links of every artifact as it holds now, and of these tasks.
    pub fn of(register: &ProjectRegister, tasks: &'t [TaskLink]) -> Self {
        let mut links = Self { tasks, ..Self::default() };
        for (&id, entry) in &register.entries {
            let artifact = entry.artifact();
            for &other in &artifact.serves {
                links.serves.entry(id).or_default().push(other);
                links.served_by.entry(other).or_default().push(id);
            }
            for &other in &artifact.uses {
                links.uses.entry(id).or_default().push(other);
                links.used_by.entry(other).or_default().push(id);
            }
            for other in ends(entry) {
                links.joined_by.entry(other).or_default().push(id);
            }
            if let Some(other) = artifact.superseded_by {
                links.superseded_by.insert(id, other);
                links.supersedes.entry(other).or_default().push(id);
            }
        }
        for (old, new) in successors(register) {
            links.superseded_by.entry(old).or_insert(new);
            links.supersedes.entry(new).or_default().push(old);
        }
        for (at, task) in tasks.iter().enumerate() {
            for &other in &task.serves {
                links.tasks_for.entry(other).or_default().push(at);
            }
        }
        links
    }

    /// What this artifact is there for.
    pub fn serves(&self, id: ArtifactId) -> &[ArtifactId] {
        listed(&self.serves, id)
    }

    /// The artifacts that are there for this one.
    pub fn served_by(&self, id: ArtifactId) -> &[ArtifactId] {
        listed(&self.served_by, id)
    }

    /// The components that this one needs.
    pub fn uses(&self, id: ArtifactId) -> &[ArtifactId] {
        listed(&self.uses, id)
    }

    /// The components that need this one.
    pub fn used_by(&self, id: ArtifactId) -> &[ArtifactId] {
        listed(&self.used_by, id)
    }

    /// The interfaces that this component is an end of.
    pub fn joined_by(&self, id: ArtifactId) -> &[ArtifactId] {
        listed(&self.joined_by, id)
    }

    /// What stands in its place.
    pub fn superseded_by(&self, id: ArtifactId) -> Option<ArtifactId> {
        self.superseded_by.get(&id).copied()
    }

    /// What it stands in place of.
    pub fn supersedes(&self, id: ArtifactId) -> &[ArtifactId] {
        listed(&self.supersedes, id)
    }

    /// The tasks that are there for it.
    pub fn tasks(&self, id: ArtifactId) -> impl Iterator<Item = &'t TaskLink> {
        let at = self.tasks_for.get(&id).map(Vec::as_slice).unwrap_or_default();
        at.iter().filter_map(|at| self.tasks.get(*at))
    }

    /// Every artifact that this one is linked with, either way.
    pub(super) fn around(&self, id: ArtifactId) -> impl Iterator<Item = ArtifactId> {
        let lists = [&self.serves, &self.served_by, &self.uses, &self.used_by, &self.joined_by, &self.supersedes];
        let all = lists.into_iter().flat_map(move |map| listed(map, id)).copied();
        all.chain(self.superseded_by(id))
    }

    /// Every task that was handed in.
    pub fn all_tasks(&self) -> &'t [TaskLink] {
        self.tasks
    }

    /// The live requirements that no live part of the design serves.
    pub fn unserved_by_design(&self, register: &ProjectRegister) -> Vec<ArtifactId> {
        let designs = |id: &ArtifactId| {
            matches!(id.kind, ArtifactKind::Arch | ArtifactKind::Comp | ArtifactKind::Int)
                && register.get(*id).is_some_and(Entry::is_live)
        };
        requirements(register).filter(|id| !self.served_by(*id).iter().any(designs)).collect()
    }

    /// The live requirements that no task serves.
    pub fn unserved_by_tasks(&self, register: &ProjectRegister) -> Vec<ArtifactId> {
        requirements(register).filter(|id| !self.tasks_for.contains_key(id)).collect()
    }
}

/// The live requirements: functional ones, rules and qualities. What is left out on purpose needs no service.
fn requirements(register: &ProjectRegister) -> impl Iterator<Item = ArtifactId> {
    let asks = |kind| matches!(kind, ArtifactKind::Req | ArtifactKind::Br | ArtifactKind::Nfr);
    register.live().map(Entry::id).filter(move |id| asks(id.kind))
}

/// How much of their words two artifacts share that say the same.
const NEARLY_ALL: f64 = 0.6;

/// What a session that started over made in place of what it left behind: the artifact of the same kind that says the
/// same or nearly so. Nobody stores this; it is seen from the words each time.
fn successors(register: &ProjectRegister) -> Vec<(ArtifactId, ArtifactId)> {
    let mut found = Vec::new();
    for (&old, entry) in &register.entries {
        if entry.retired_by.is_none() || entry.artifact().superseded_by.is_some() {
            continue;
        }
        let later = register.entries.range(old..).filter(|(id, _)| id.kind == old.kind && **id != old);
        let made_by =
            |other: &Entry| other.versions.first().map(|version| &version.session) == entry.retired_by.as_ref();
        let alike = |other: &Entry| shared(&entry.artifact().title, &other.artifact().title);
        let near = later.filter(|(_, other)| made_by(other)).map(|(&id, other)| (id, alike(other)));
        let best = near.filter(|(_, share)| *share >= NEARLY_ALL).reduce(|a, b| if b.1 > a.1 { b } else { a });
        found.extend(best.map(|(new, _)| (old, new)));
    }
    found
}

/// The share of words that two titles have in common, from 0 to 1.
fn shared(one: &str, other: &str) -> f64 {
    let words = |text: &str| -> BTreeSet<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let (one, other) = (words(one), words(other));
    let all = one.union(&other).count();
    if all == 0 { 0.0 } else { one.intersection(&other).count() as f64 / all as f64 }
}

/// The ends of an interface that are artifacts; the others are outside systems.
fn ends(entry: &Entry) -> impl Iterator<Item = ArtifactId> {
    entry.artifact().details.between.iter().filter_map(|end| end.parse().ok())
}

fn listed(map: &BTreeMap<ArtifactId, Vec<ArtifactId>>, id: ArtifactId) -> &[ArtifactId] {
    map.get(&id).map(Vec::as_slice).unwrap_or_default()
}
