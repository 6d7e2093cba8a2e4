//! `s2s` alone: where we are, and the next step.
//! Given the current folder; says whether it is a project, what keeps it from working, which session is open or was held
//! last, and how far the way from an idea to a plan is gone. Always exit 0: it answers a question. Deliberately absent:
//! help, which `--help` gives.

use std::path::Path;

use s2s::Failure;
use s2s::clean::clean_line;
use s2s::engine::counted;
use s2s::engine::opening::Workflow;
use s2s::project::{self, Project};
use s2s::store::{Minutes, Sessions, Status, StoreError};
use serde_json::json;

use super::names;
use crate::console::Console;
use crate::screen::shell;
use crate::seating;
use crate::way::{Progress, WHOLE, is_light};
use crate::workplace::{catalog, here, project_name, settings, shown, up_to};

/// What a project is begun with.
const START: &str = "s2s roundtable start \"your question\"";
/// What tells everything that is wrong with the settings, and where.
const MEND: &str = "s2s doctor --offline";
/// What lists the sessions.
const LIST: &str = "s2s session list";
/// What tells how far a project with many sessions has come.
const LARGE: &str = "s2s trace";

/// How much of a topic is shown, in characters.
const SHOWN: usize = 70;

/// Says where we are.
pub fn home(console: &Console) -> Result<u8, Failure> {
    let cwd = here()?;
    let Some(project) = project::find(&cwd) else {
        return Standing { next: "s2s init".to_owned(), ..Standing::default() }.say(console);
    };
    let sessions = Sessions::new(&project.dir);
    // Many sessions are not folded only to say where we are. What cannot be counted is no reason to say nothing;
    // `s2s session validate` tells why.
    let many = (!is_light(&sessions)).then(|| sessions.ids().map_or(0, |ids| ids.len()));
    let progress = if many.is_some() { None } else { Progress::of(&project, &sessions).unwrap_or_default() };
    let current = sessions.current();
    let trouble = trouble(&cwd, &project, current.as_ref().err());
    let current = current.ok().flatten().filter(|id| sessions.minutes_path(id).exists());
    let newest = if current.is_none() { newest(&sessions) } else { None };
    let (session, next) = match current {
        Some(id) => {
            let (open, next) = at(&sessions, &id);
            (Some((id, open)), next)
        }
        None if many.is_some() => (None, LARGE.to_owned()),
        None => (None, progress.as_ref().map_or_else(|| START.to_owned(), Progress::next)),
    };
    let next = trouble.as_ref().map_or(next, |trouble| trouble.next.clone());
    Standing { place: Some(Place::of(&cwd, &project)), trouble, session, newest, progress, many, next }.say(console)
}

/// What keeps every command from working, and what to do about it.
struct Trouble {
    what: String,
    next: String,
}

/// The first thing in the way: settings that cannot be used, or a state that cannot be read.
fn trouble(cwd: &Path, project: &Project, state: Option<&StoreError>) -> Option<Trouble> {
    let problem = match settings(cwd, Some(project), &[]) {
        Ok(settings) => {
            let unknown = names::unknown(&settings, &catalog(Some(project)), Workflow::ALL);
            unknown.first().map(ToString::to_string)
        }
        Err(failure) => failure.what.lines().next().map(str::to_owned),
    };
    let in_settings = problem.map(|what| Trouble { what, next: MEND.to_owned() });
    in_settings.or_else(|| {
        let file = shown(cwd, &project.dir.join("state.yaml"));
        let next = format!("delete {file}, which only names the current session; then {LIST}");
        Some(Trouble { what: state?.to_string(), next })
    })
}

/// The session that was held last, and the lines about it; none where it cannot be read.
fn newest(sessions: &Sessions) -> Option<(String, String)> {
    let id = sessions.newest().ok()??;
    let minutes = sessions.read(&id).ok()?;
    let read = shell(&id);
    Some((
        id,
        format!("{}\n         s2s show {read}\n         s2s report {read}", line(&minutes, minutes.status().as_str())),
    ))
}

/// A session in two lines: its id with where it stands, and its topic.
fn line(minutes: &Minutes, status: &str) -> String {
    let topic: String = clean_line(minutes.topic()).chars().take(SHOWN).collect();
    format!("{} ({status}, {})\n         {topic}", minutes.id(), counted(minutes.total_rounds(), "round"))
}

/// Where a session stands, and what to do with it.
fn at(sessions: &Sessions, id: &str) -> (String, String) {
    let Ok(minutes) = sessions.read(id) else {
        return (format!("{id} (cannot be read)"), format!("s2s session validate {id}"));
    };
    if sessions.is_held(id).unwrap_or_default() {
        return (line(&minutes, "running"), format!("s2s watch {id}"));
    }
    let verb = match (minutes.pending().is_some(), minutes.status()) {
        (true, _) => "answer",
        (false, Status::Active | Status::Paused) => "resume",
        (false, Status::Completed | Status::Archived) => "show",
    };
    let again = if verb == "show" { "" } else { seating::script_named(&minutes) };
    (line(&minutes, minutes.status().as_str()), format!("s2s roundtable {verb} {id}{again}"))
}

/// Where the project is.
struct Place {
    /// Its name.
    name: String,
    /// Its folder, from here.
    folder: String,
}

impl Place {
    fn of(cwd: &Path, project: &Project) -> Self {
        let up = up_to(cwd, &project.root);
        let folder = if up.is_empty() { ".".to_owned() } else { up.trim_end_matches('/').to_owned() };
        Self { name: clean_line(&project_name(project)).into_owned(), folder }
    }

    fn line(&self) -> String {
        match self.folder.as_str() {
            "." => format!("{}, in this folder", self.name),
            folder => format!("{}, in {folder}", self.name),
        }
    }
}

/// Where we are.
#[derive(Default)]
struct Standing {
    /// The project; none = no project.
    place: Option<Place>,
    /// What is in the way.
    trouble: Option<Trouble>,
    /// The current session, and the line about it.
    session: Option<(String, String)>,
    /// Where none is, the one that was held last.
    newest: Option<(String, String)>,
    /// How far the way from an idea to a plan is gone.
    progress: Option<Progress>,
    /// The number of sessions, where they are too many for that.
    many: Option<usize>,
    /// The command that leads on.
    next: String,
}

impl Standing {
    fn say(&self, console: &Console) -> Result<u8, Failure> {
        let version = env!("CARGO_PKG_VERSION");
        if console.json {
            let id = |session: &Option<(String, String)>| session.as_ref().map(|(id, _)| id.clone());
            let value = json!({
                "version": version, "project": self.place.as_ref().map(|place| &place.folder),
                "trouble": self.trouble.as_ref().map(|trouble| &trouble.what), "current_session": id(&self.session),
                "newest_session": id(&self.newest), "progress": self.progress, "next": self.next,
            });
            return console.print_json(&value).map(|()| 0);
        }
        let mut text = format!("s2s {version}: puts a technical question to a panel of experts.\n\n");
        match &self.place {
            Some(place) => text.push_str(&format!("Project: {}\n", place.line())),
            None => text.push_str("This folder is not an s2s project yet.\n"),
        }
        if let Some(Trouble { what, .. }) = &self.trouble {
            text.push_str(&format!("Trouble: {}\n", clean_line(what)));
        }
        if let Some((_, held)) = &self.newest {
            text.push_str(&format!("Newest:  {held}\n"));
        }
        if let Some((_, open)) = &self.session {
            text.push_str(&format!("Session: {open}\n"));
        }
        if let Some(progress) = &self.progress {
            text.push_str(&format!("So far:  {}\n", progress.line()));
        }
        if let Some(many) = self.many {
            text.push_str(&format!("So far:  {}; `{LARGE}` lists what came of them\n", counted(many, "session")));
        }
        text.push_str(&format!("Next:    {}\n", self.next));
        if self.place.is_none() {
            text.push_str(&format!("     or  {START}, which makes it one\n"));
        }
        if self.next == START {
            text.push_str(&format!("     or  {WHOLE}\n"));
        }
        text.push_str("\nAll commands: s2s --help\n");
        console.print(&text).map(|()| 0)
    }
}
