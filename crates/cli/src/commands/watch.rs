//! `s2s watch`: follows a session that another process runs.
//! Given an id; tells the same screens what a run would tell them, and ends with the code that the run ends with.
//! Deliberately absent: the following itself (`s2s::following`), and any way to act on the run.

use std::io;
use std::time::Duration;

use s2s::engine::record::InterventionKind;
use s2s::following::{Following, Left};
use s2s::roundtable::{Audience, Ended, Notice, Paused};
use s2s::store::{Minutes, Sessions, Status};
use s2s::{Failure, FailureKind};

use crate::args::Watch;
use crate::console::{Console, width};
use crate::run;
use crate::screen::{Bearings, JsonLines, Plain, Style};
use crate::seating;
use crate::seating::models::runtime;
use crate::signals::{self, Listening};
use crate::workplace::{here, project_at, session_meant, up_to};

/// Follows a session to its end or its next pause.
pub fn watch(typed: &Watch, console: &Console) -> Result<u8, Failure> {
    let cwd = here()?;
    let project = project_at(&cwd)?;
    let sessions = Sessions::new(&project.dir);
    let id = session_meant(&sessions, typed.id.as_deref())?;
    let style = Style { quiet: typed.quiet, verbose: typed.verbose && !typed.quiet, ..console.style };
    let mut following = Following::new(&sessions, &id, typed.from_start)?;
    let again = seating::script_named(following.minutes()).to_owned();
    let bearings = Bearings {
        up: up_to(&cwd, &project.root),
        again,
        pause_told: !console.terminal,
        onward: run::onward(following.session()),
        greeting: Some(greeting(following.minutes().status())),
        ..Bearings::default()
    };
    let mut screen = screen(typed, &following, &bearings, style, console);
    let Listening { mut interrupt, interrupter, .. } = signals::listen()?;
    let mut audience = |notice: &Notice| {
        screen.notice(notice);
        // Nobody is left to tell; the run itself is not ours to stop.
        if screen.is_broken() {
            interrupter.stop();
        }
    };
    let left = runtime()?.block_on(following.follow(&mut audience, &mut interrupt))?;
    let broken = screen.is_broken();
    drop(screen);
    match left {
        Left::Interrupted if broken => Ok(FailureKind::Interrupted.exit_code()),
        Left::Interrupted => {
            console.note(&format!("You left; the session goes on without you. Watch it again: s2s watch {id}"));
            Ok(FailureKind::Interrupted.exit_code())
        }
        Left::Archived => {
            console.note(&format!("Session {id} was archived. Read it: s2s show {id}"));
            Ok(0)
        }
        Left::Undriven => Err(Failure::failed(format!("session {id}: nobody drives it any more"))
            .next(format!("go on with it: s2s roundtable resume {id}{}", bearings.again))),
        Left::Ended(Ended::Paused(Paused::ByPerson)) => Ok(0),
        Left::Ended(Ended::Paused(paused)) => run::said(run::paused_failure(&id, &paused, false, &bearings), console),
        Left::Ended(Ended::Completed(_)) => match run::spent(following.session()) {
            Some(budget) => run::said(run::out_of_budget(&id, budget), console),
            None => Ok(0),
        },
    }
}

fn screen(typed: &Watch, following: &Following, bearings: &Bearings, style: Style, console: &Console) -> Screen {
    if console.json {
        let next = bearings.onward.clone().map(|(command, _)| command);
        return Screen::Programs(JsonLines::new(io::stdout()).leading_to(next));
    }
    let plain = Plain::new(io::stdout(), style).bearing(bearings.clone()).under_way_for(under_way(following.minutes()));
    let plain = if console.terminal { plain.resizing(width) } else { plain };
    Screen::People(Box::new(match typed.from_start {
        true => plain,
        false => plain.recalling(following.minutes().rounds()).ruled(following.minutes().escalations()),
    }))
}

/// What stands above a session that is followed: it was begun elsewhere, and may be over.
fn greeting(status: Status) -> &'static str {
    match status {
        Status::Active | Status::Paused => "Watching a Roundtable Session",
        Status::Completed | Status::Archived => "Roundtable Session",
    }
}

/// How long the run has been under way: since the session was begun, or taken up the last time.
fn under_way(minutes: &Minutes) -> Duration {
    let resumed = minutes.interventions().iter().rfind(|done| done.kind == InterventionKind::Resume);
    let since = resumed.map_or(minutes.started(), |done| done.at);
    Duration::try_from(run::now().duration_since(since)).unwrap_or_default()
}

/// What is watched on: by people or by programs.
enum Screen {
    People(Box<Plain<io::Stdout>>),
    Programs(JsonLines<io::Stdout>),
}

impl Screen {
    fn notice(&mut self, notice: &Notice) {
        match self {
            Self::People(plain) => plain.notice(notice),
            Self::Programs(lines) => lines.notice(notice),
        }
    }

    fn is_broken(&self) -> bool {
        match self {
            Self::People(plain) => plain.broken().is_some(),
            Self::Programs(lines) => lines.broken().is_some(),
        }
    }
}
