//! What a session that keeps artifacts is begun with: the register, the session before it, and whether it goes on
//! from what the project has or starts over. Also refuses to take up an archived session whose numbers others have.
//! Given the sessions of a project; hands on a register with numbers that nobody else has. Deliberately absent:
//! the lock under which numbers are chosen, which the caller holds until the session stands.

use s2s::Failure;
use s2s::documents::Numbering;
use s2s::engine::artifact::{ArtifactKind, MOST_OF_A_KIND, Register};
use s2s::engine::opening::Workflow;
use s2s::linked::HandedOn;
use s2s::register::{ProjectRegister, SessionSeen};
use s2s::store::{Minutes, Sessions, Status};

use crate::args::{Earlier, Sitting};
use crate::asking::{self, Choice};
use crate::console::Console;

/// How a session that keeps artifacts begins.
pub struct Keeps {
    /// The finished session that it goes on from.
    pub parent: Option<HandedOn>,
    /// Whether it starts over without the project's artifacts of its own kinds.
    pub replaces: bool,
    /// Whether nobody but the facilitator is asked.
    pub skips: bool,
    /// The ids that stand in the requirements file, whoever wrote them.
    pub taken: Numbering,
}

impl Keeps {
    /// The register of a new session; `archived` is put away for it, and gives no more numbers.
    pub fn register(
        &self,
        sessions: &Sessions,
        workflow: Workflow,
        archived: Option<&str>,
    ) -> Result<Register, Failure> {
        let mut project = ProjectRegister::read(sessions)?;
        // A session that cannot be read may have given numbers, which then would be given again.
        project.refuse_gaps()?;
        for seen in project.sessions.iter_mut().filter(|seen| Some(seen.id.as_str()) == archived) {
            seen.status = Status::Archived;
        }
        let mut register = project.for_session(workflow);
        for (kind, number) in [(ArtifactKind::Req, self.taken.functional), (ArtifactKind::Nfr, self.taken.quality)] {
            let last = register.last.entry(kind).or_default();
            *last = (*last).max(number);
        }
        register.last.retain(|_, number| *number > 0);
        if self.replaces {
            let own = own_kinds(workflow);
            let ids = register.known.iter().map(|artifact| artifact.id);
            register.retired = ids.filter(|id| own.contains(&id.kind)).collect();
            register.known.retain(|artifact| !own.contains(&artifact.id.kind));
        }
        Ok(register)
    }
}

/// What the sessions of a workflow leave for the next one of its kind; questions and conflicts are everybody's.
fn own_kinds(workflow: Workflow) -> &'static [ArtifactKind] {
    match workflow {
        Workflow::Specs => &[ArtifactKind::Req, ArtifactKind::Br, ArtifactKind::Nfr, ArtifactKind::Ex],
        Workflow::Design => &[ArtifactKind::Arch, ArtifactKind::Comp, ArtifactKind::Int],
        Workflow::Brainstorm => &[],
    }
}

/// What becomes of the artifacts that the project has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// The session goes on from them.
    Merge,
    /// It starts over.
    Replace,
    /// Nothing is begun.
    Cancel,
}

/// Says, or asks, what becomes of the artifacts that the project has.
pub fn existing(
    register: &ProjectRegister,
    workflow: Workflow,
    typed: Option<&Earlier>,
    sitting: &Sitting,
    console: &Console,
    notes: &mut Vec<String>,
) -> Result<Existing, Failure> {
    let count = |kind: &ArtifactKind| (register.of_kind(*kind).count(), *kind);
    let counts = own_kinds(workflow).iter().map(count).filter(|(count, _)| *count > 0);
    let has = counts.map(|(count, kind)| format!("{count} {kind}")).collect::<Vec<_>>().join(", ");
    if has.is_empty() {
        return Ok(Existing::Merge);
    }
    let (merge, replace) = typed.map(|typed| (typed.merge, typed.replace)).unwrap_or_default();
    let looks_only = sitting.dry_run || sitting.show_prompts;
    if replace {
        notes.push(format!("Starts over: {has} of the project are superseded once this session is complete."));
        return Ok(Existing::Replace);
    }
    if merge || looks_only || !console.attended || sitting.run.yes {
        let other = if merge { "" } else { " (--replace starts over)" };
        notes.push(format!("The project has {has}: the session goes on from them, and ids stay{other}."));
        return Ok(Existing::Merge);
    }
    let choices = vec![
        Choice::new(Existing::Merge, "Merge: go on from them; ids stay, changes are marked"),
        Choice::new(Existing::Replace, "Replace: start over; they are superseded once the session is complete"),
        Choice::new(Existing::Cancel, "Cancel"),
    ];
    asking::choose(&format!("The project has {has} already"), choices)
}

/// Refuses to go on with an archived session that would give ids which another one has given, or may give.
pub fn refuse_taken(sessions: &Sessions, minutes: &Minutes) -> Result<(), Failure> {
    let Some(own) = minutes.register() else { return Ok(()) };
    let project = ProjectRegister::read(sessions)?;
    project.refuse_gaps()?;
    let id = minutes.id();
    let kinds = own.kinds.iter().copied().chain([ArtifactKind::Conf]);
    let Some(kind) = kinds.into_iter().find(|kind| is_taken(&project, id, own, *kind)) else { return Ok(()) };
    Err(Failure::bad_input(format!(
        "session {id} cannot go on: the {kind} numbers that it would give next were given to another session since"
    ))
    .next(format!(
        "what it said is kept (s2s show {id}); start anew, with a finished session as context: \
         s2s {} --from ID",
        minutes.workflow()
    )))
}

/// Whether another session has, or may yet give, a number of this kind that this one would give next.
fn is_taken(project: &ProjectRegister, id: &str, own: &Register, kind: ArtifactKind) -> bool {
    let from = own.last.get(&kind).copied().unwrap_or_default();
    let until = from.saturating_add(MOST_OF_A_KIND);
    let entries = || project.entries.iter().filter(|(entry, _)| entry.kind == kind);
    let first_by = |versions: &[s2s::register::Version]| versions.first().is_some_and(|first| first.session == id);
    let mine = entries().filter(|(_, entry)| first_by(&entry.versions)).map(|(entry, _)| entry.number).max();
    let next = mine.unwrap_or(from).max(from) + 1;
    let given = entries().any(|(entry, held)| (next..=until).contains(&entry.number) && !first_by(&held.versions));
    let may_give = |seen: &SessionSeen| {
        let Some(other) = seen.register.as_ref().filter(|_| seen.id != id) else { return false };
        let open = matches!(seen.status, Status::Active | Status::Paused);
        let last = other.last.get(&kind).copied().unwrap_or_default();
        open && other.kinds.contains(&kind) && last < until && last.saturating_add(MOST_OF_A_KIND) >= next
    };
    given || project.sessions.iter().any(may_give)
}
