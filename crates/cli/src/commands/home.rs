//! `s2s` alone: where we are, and the next step.
//! Given the current folder; says whether it is a project, which session is open, and how far the way from an idea
//! to a plan is gone. Always exit 0: it answers a question. Deliberately absent: help, which `--help` gives.

use s2s::Failure;
use s2s::clean::clean_line;
use s2s::engine::counted;
use s2s::project;
use s2s::store::{Sessions, Status};
use serde_json::json;

use crate::console::Console;
use crate::seating;
use crate::way::{Progress, WHOLE, is_light};
use crate::workplace::{here, shown};

/// What a project is begun with.
const START: &str = "s2s roundtable start \"your question\"";
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
    let root = shown(&cwd, &project.root);
    let place = if root.is_empty() { ".".to_owned() } else { root };
    let sessions = Sessions::new(&project.dir);
    // Many sessions are not folded only to say where we are. What cannot be counted is no reason to say nothing;
    // `s2s session validate` tells why.
    let many = (!is_light(&sessions)).then(|| sessions.ids().map_or(0, |ids| ids.len()));
    let progress = if many.is_some() { None } else { Progress::of(&project, &sessions).unwrap_or_default() };
    let current = sessions.current()?.filter(|id| sessions.minutes_path(id).exists());
    let (session, next) = match current {
        Some(id) => {
            let (open, next) = at(&sessions, &id);
            (Some((id, open)), next)
        }
        None if many.is_some() => (None, LARGE.to_owned()),
        None => (None, progress.as_ref().map_or_else(|| START.to_owned(), Progress::next)),
    };
    Standing { place: Some(place), session, progress, many, next }.say(console)
}

/// Where a session stands, and what to do with it.
fn at(sessions: &Sessions, id: &str) -> (String, String) {
    let Ok(minutes) = sessions.read(id) else {
        return (format!("{id} (cannot be read)"), format!("s2s session validate {id}"));
    };
    let verb = match (minutes.pending().is_some(), minutes.status()) {
        (true, _) => "answer",
        (false, Status::Active | Status::Paused) => "resume",
        (false, Status::Completed | Status::Archived) => "show",
    };
    let again = if verb == "show" { "" } else { seating::script_named(&minutes) };
    let topic: String = clean_line(minutes.topic()).chars().take(SHOWN).collect();
    let open = format!("{id} ({}, {})\n         {topic}", minutes.status(), counted(minutes.total_rounds(), "round"));
    (open, format!("s2s roundtable {verb} {id}{again}"))
}

/// Where we are.
#[derive(Default)]
struct Standing {
    /// The project's folder; none = no project.
    place: Option<String>,
    /// The current session, and the line about it.
    session: Option<(String, String)>,
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
            let session = self.session.as_ref().map(|(id, _)| id);
            let value = json!({
                "version": version, "project": self.place, "current_session": session, "progress": self.progress,
                "next": self.next,
            });
            return console.print_json(&value).map(|()| 0);
        }
        let mut text = format!("s2s {version}: puts a technical question to a panel of experts.\n\n");
        match &self.place {
            Some(place) => text.push_str(&format!("Project: {place}\n")),
            None => text.push_str("This folder is not an s2s project yet.\n"),
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
