//! Plans without a model: tasks from the artifacts, by rule.
//! A task per decision, a set-up task per component, an integration task per interface, an implementation task per
//! requirement, a task per rule that no requirement is about, a measuring task per quality. Given the register; hands on a
//! draft like any other, which is checked like any other. Deliberately absent: ids, and any sentence about the subject that
//! nobody said.

use std::collections::BTreeSet;

use s2s_engine::artifact::{ArtifactId, ArtifactKind, Priority};

use super::draft::DraftTask;
use crate::register::{Entry, ProjectRegister};

/// Who made a plan that no model did.
pub(super) const BY_RULE: &str = "the rules";

/// The tasks that the live artifacts ask for; those in `done` need none.
pub fn by_rule(register: &ProjectRegister, done: &BTreeSet<ArtifactId>) -> Vec<DraftTask> {
    let rules = Rules { register, done };
    let mut tasks = Vec::new();
    tasks.extend(rules.of(ArtifactKind::Comp).map(|entry| rules.set_up(entry)));
    tasks.extend(rules.of(ArtifactKind::Int).map(|entry| rules.connect(entry)));
    tasks.extend(rules.of(ArtifactKind::Req).map(|entry| rules.implement(entry)));
    tasks.extend(rules.lonely_rules().map(|entry| rules.enforce(entry)));
    tasks.extend(rules.of(ArtifactKind::Nfr).map(|entry| rules.measure(entry)));
    // Last, so that tasks of older plans keep their order; what rests on a decision waits for it all the same.
    tasks.extend(rules.of(ArtifactKind::Arch).map(|entry| rules.put_in_place(entry)));
    tasks
}

struct Rules<'r> {
    register: &'r ProjectRegister,
    done: &'r BTreeSet<ArtifactId>,
}

impl<'r> Rules<'r> {
    fn of(&self, kind: ArtifactKind) -> impl Iterator<Item = &'r Entry> {
        let done = self.done;
        let wanted = |entry: &&Entry| entry.artifact().details.priority != Some(Priority::Wont);
        self.register.of_kind(kind).filter(wanted).filter(move |entry| !done.contains(&entry.id()))
    }

    /// The artifacts of a kind that name this one as what they are there for.
    fn serving(&self, kind: ArtifactKind, id: ArtifactId) -> impl Iterator<Item = &'r Entry> {
        self.of(kind).filter(move |entry| entry.artifact().serves.contains(&id))
    }

    fn set_up(&self, entry: &Entry) -> DraftTask {
        let uses = entry.artifact().uses.iter().filter(|id| self.is_planned(**id)).map(key);
        let depends_on = self.decisions_before(&entry.artifact().serves).chain(uses).collect();
        draft(entry, "Set up", entry.artifact().text.clone(), depends_on)
    }

    fn put_in_place(&self, entry: &Entry) -> DraftTask {
        let (id, artifact) = (entry.id(), entry.artifact());
        let title = format!("Put {id} in place: {}", artifact.title);
        DraftTask { title, ..draft(entry, "", artifact.text.clone(), Vec::new()) }
    }

    /// The tasks of the decisions that are among these, or there for one of them.
    fn decisions_before<'s>(&'s self, served: &'s [ArtifactId]) -> impl Iterator<Item = String> + 's {
        let shares = |entry: &&Entry| {
            served.contains(&entry.id()) || entry.artifact().serves.iter().any(|id| served.contains(id))
        };
        self.of(ArtifactKind::Arch).filter(shares).map(|entry| key(&entry.id()))
    }

    fn connect(&self, entry: &Entry) -> DraftTask {
        let ends = entry.artifact().details.between.iter().filter_map(|end| end.parse::<ArtifactId>().ok());
        let depends_on = ends.filter(|id| self.is_planned(*id)).map(|id| key(&id)).collect();
        draft(entry, "Connect", entry.artifact().text.clone(), depends_on)
    }

    fn implement(&self, entry: &Entry) -> DraftTask {
        let id = entry.id();
        let mut task = draft(entry, "Implement", entry.artifact().text.clone(), self.parts_for(id));
        task.depends_on.extend(self.decisions_before(&[id]));
        task.serves.extend(self.rules_about(id).map(|rule| key(&rule.id())));
        for arch in self.decided_for(id) {
            let gap = if task.text.is_empty() { "" } else { "\n" };
            task.text.push_str(&format!("{gap}Decided: {} {}", arch.id(), arch.artifact().title));
        }
        task
    }

    /// What must be there before a requirement is met: the components and interfaces that serve it; else the components
    /// of the decisions about it; else every component, as it needs some and nobody said which.
    fn parts_for(&self, id: ArtifactId) -> Vec<String> {
        let own = self.serving(ArtifactKind::Comp, id).chain(self.serving(ArtifactKind::Int, id));
        let own: Vec<String> = own.map(|part| key(&part.id())).collect();
        if !own.is_empty() {
            return own;
        }
        let decided: BTreeSet<ArtifactId> = self.decided_for(id).map(Entry::id).collect();
        let is_for = |part: &&Entry| part.artifact().serves.iter().any(|served| decided.contains(served));
        let of_decisions: Vec<String> =
            self.of(ArtifactKind::Comp).filter(is_for).map(|part| key(&part.id())).collect();
        match of_decisions.is_empty() {
            true => self.of(ArtifactKind::Comp).map(|part| key(&part.id())).collect(),
            false => of_decisions,
        }
    }

    fn decided_for(&self, id: ArtifactId) -> impl Iterator<Item = &'r Entry> {
        self.register.of_kind(ArtifactKind::Arch).filter(move |arch| arch.artifact().serves.contains(&id))
    }

    fn rules_about(&self, id: ArtifactId) -> impl Iterator<Item = &'r Entry> {
        self.serving(ArtifactKind::Br, id)
    }

    /// Business rules that no planned requirement is about.
    fn lonely_rules(&self) -> impl Iterator<Item = &'r Entry> {
        self.of(ArtifactKind::Br).filter(|rule| !rule.artifact().serves.iter().any(|id| self.is_requirement(*id)))
    }

    fn enforce(&self, entry: &Entry) -> DraftTask {
        draft(entry, "Enforce", entry.artifact().text.clone(), self.every_requirement())
    }

    fn measure(&self, entry: &Entry) -> DraftTask {
        let named: Vec<String> =
            entry.artifact().serves.iter().filter(|id| self.is_requirement(**id)).map(key).collect();
        let depends_on = if named.is_empty() { self.every_requirement() } else { named };
        draft(entry, "Measure", entry.artifact().text.clone(), depends_on)
    }

    fn every_requirement(&self) -> Vec<String> {
        self.of(ArtifactKind::Req).map(|entry| key(&entry.id())).collect()
    }

    fn is_requirement(&self, id: ArtifactId) -> bool {
        id.kind == ArtifactKind::Req && self.is_planned(id)
    }

    /// Whether a task is made for it.
    fn is_planned(&self, id: ArtifactId) -> bool {
        let kinds = [ArtifactKind::Comp, ArtifactKind::Int, ArtifactKind::Req];
        kinds.contains(&id.kind) && self.of(id.kind).any(|entry| entry.id() == id)
    }
}

fn key(id: &ArtifactId) -> String {
    id.to_string()
}

/// Titles hold the id: two artifacts may be called the same.
fn draft(entry: &Entry, verb: &str, text: String, depends_on: Vec<String>) -> DraftTask {
    let id = entry.id();
    DraftTask {
        key: key(&id),
        title: format!("{verb} {id} {}", entry.artifact().title),
        text,
        serves: vec![key(&id)],
        depends_on,
        estimate: None,
    }
}
