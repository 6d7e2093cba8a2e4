//! The way from an idea to a plan (brainstorm, specs, design, plan): where a project is on it, and the next step.
//! Given a project's register and plans, or the workflow of a session that just ended; hands on counts and a command.
//! Deliberately absent: the steps themselves, and any look at a session's rounds beyond what the register folds.

use s2s::Failure;
use s2s::engine::artifact::ArtifactKind;
use s2s::engine::opening::Workflow;
use s2s::plan::{self, Plans};
use s2s::project::Project;
use s2s::register::ProjectRegister;
use s2s::store::Sessions;
use serde::Serialize;

use crate::screen::shell;

/// The way in one line, for whoever stands at its beginning.
pub const WHOLE: &str = "s2s brainstorm \"your idea\", then s2s specs, s2s design, s2s plan";

/// The command that follows a complete session of this workflow, and what it does.
pub fn after(workflow: Workflow, session: &str) -> (String, &'static str) {
    match workflow {
        Workflow::Brainstorm => (format!("s2s specs --from {}", shell(session)), "make requirements of it"),
        Workflow::Specs => ("s2s design".to_owned(), "work out how to build it"),
        Workflow::Design => ("s2s plan".to_owned(), "make tasks of it"),
    }
}

/// The most bytes of minutes that are folded where an answer must come at once.
const LIGHT: u64 = 2 << 20;

/// Whether all sessions can be folded in a blink; told by the size of their minutes alone.
pub fn is_light(sessions: &Sessions) -> bool {
    let size = |id: &String| std::fs::metadata(sessions.minutes_path(id)).map_or(0, |about| about.len());
    sessions.ids().is_ok_and(|ids| ids.iter().map(size).sum::<u64>() <= LIGHT)
}

/// How far a project has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// Live ideas.
    pub ideas: usize,
    /// Live requirements: functional, business rules, qualities.
    pub requirements: usize,
    /// Live decisions, components and interfaces.
    pub architecture: usize,
    /// The plan that is worked on, else the newest one that is closed.
    pub plan: Option<Planned>,
    /// The files of plans that cannot be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread_plans: Vec<String>,
    /// The session with the newest idea; not told.
    #[serde(skip)]
    idea_of: Option<String>,
}

/// How far a plan has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Planned {
    /// Its id.
    pub id: String,
    /// Tasks that are not done.
    pub open: usize,
    /// All that count.
    pub tasks: usize,
}

impl Progress {
    /// How far the project has come; none where no session of it has left anything.
    pub fn of(project: &Project, sessions: &Sessions) -> Result<Option<Self>, Failure> {
        if sessions.ids()?.is_empty() {
            return Ok(None);
        }
        let register = ProjectRegister::read(sessions)?;
        let (plans, unread) = Plans::new(&project.dir).readable()?;
        let count = |kinds: &[ArtifactKind]| register.live().filter(|entry| kinds.contains(&entry.id().kind)).count();
        let newest_idea = register.of_kind(ArtifactKind::Idea).map(|entry| entry.current()).max_by_key(|idea| idea.at);
        let plan = plan::current(&plans).or(plans.last()).map(|plan| {
            let (done, tasks) = plan.progress();
            Planned { id: plan.id.to_string(), open: tasks - done, tasks }
        });
        let progress = Self {
            ideas: count(&[ArtifactKind::Idea]),
            requirements: count(&[ArtifactKind::Req, ArtifactKind::Br, ArtifactKind::Nfr]),
            architecture: count(&[ArtifactKind::Arch, ArtifactKind::Comp, ArtifactKind::Int]),
            plan,
            unread_plans: unread.into_iter().map(|plan| plan.file).collect(),
            idea_of: newest_idea.map(|idea| idea.session.clone()),
        };
        Ok(progress.has_begun().then_some(progress))
    }

    fn has_begun(&self) -> bool {
        self.ideas + self.requirements + self.architecture > 0 || self.plan.is_some() || !self.unread_plans.is_empty()
    }

    /// In one line: what there is, and what there is not yet.
    pub fn line(&self) -> String {
        let number = |count: usize| if count == 0 { "none".to_owned() } else { count.to_string() };
        let plan = match (&self.plan, &self.unread_plans[..]) {
            (_, [file, ..]) => format!("cannot be read ({file})"),
            (None, []) => "none".to_owned(),
            (Some(plan), []) => format!("{} of {} tasks open", plan.open, plan.tasks),
        };
        let (requirements, architecture) = (number(self.requirements), number(self.architecture));
        format!("requirements: {requirements}, architecture: {architecture}, plan: {plan}")
    }

    /// The command that leads on.
    pub fn next(&self) -> String {
        if !self.unread_plans.is_empty() {
            return "s2s session validate".to_owned();
        }
        match (&self.plan, &self.idea_of) {
            (Some(plan), _) if plan.open > 0 => format!("s2s plan show {}", plan.id),
            (Some(_), _) => "s2s plan check".to_owned(),
            (None, _) if self.architecture > 0 => "s2s plan".to_owned(),
            (None, _) if self.requirements > 0 => "s2s design".to_owned(),
            (None, Some(session)) => after(Workflow::Brainstorm, session).0,
            (None, None) => "s2s specs".to_owned(),
        }
    }
}
