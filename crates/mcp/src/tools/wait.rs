//! `roundtable_wait`: takes up a session that was cut off, then follows it until it ends, waits or time is up.
//! Given a session and the seconds; tells progress as notifications, and in the end where the session stands. It ends
//! well within the time that hosts give a tool. Deliberately absent: the run, which goes on without it.

use std::time::{Duration, Instant};

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext, RoleServer};
use s2s::Failure;
use s2s::roundtable::interrupt;
use s2s::store::Sessions;
use tokio::sync::mpsc;

use super::asked;
use super::told::Status;
use crate::following::follow;
use crate::server::Server;
use crate::standing::Standing;

/// How long it waits where nobody says; hosts give a call a minute, some half of it.
const USUAL: i64 = 25;
/// How long it waits at most.
const LONGEST: i64 = 50;
/// Where nothing happens for so long, that is told too: some hosts count from the last notification.
const SIGN_OF_LIFE: Duration = Duration::from_secs(5);

impl Server {
    pub(super) async fn wait(
        &self,
        asked: asked::Wait,
        context: &RequestContext<RoleServer>,
    ) -> Result<Status, Failure> {
        let seconds = match asked.seconds {
            0 => USUAL,
            1..=LONGEST => asked.seconds,
            other => {
                return Err(Failure::bad_input(format!("`seconds` is {other}"))
                    .next(format!("give 1 to {LONGEST}, and call again while the session runs")));
            }
        };
        let (id, standing) =
            self.reading(&asked.session, |sessions, id| Ok((id.to_owned(), stands(sessions, id)?))).await?;
        // What a person set aside is theirs to take up again.
        let goes_on = standing == Standing::Interrupted || (asked.resume && standing == Standing::Paused);
        if goes_on && let Err(failure) = self.runs.go_on(&id, None).await {
            // Another process may have been faster; then there is somebody to follow.
            let held = self.reading(&id, |sessions, id| Ok(sessions.is_held(id)?)).await?;
            if !held {
                return Err(failure);
            }
        }
        let status = self.follow(&id, seconds, context).await?;
        Ok(self.with_failure(status))
    }

    async fn follow(&self, id: &str, seconds: i64, context: &RequestContext<RoleServer>) -> Result<Status, Failure> {
        let sessions = self.sessions().await?;
        let (interrupter, heard) = interrupt();
        let (lines, mut told) = mpsc::unbounded_channel();
        let id = id.to_owned();
        let mut following = tokio::task::spawn_blocking(move || follow(&sessions, &id, &lines, heard));
        let begun = Instant::now();
        let deadline = tokio::time::sleep(Duration::from_secs(seconds.unsigned_abs()));
        tokio::pin!(deadline);
        let mut progress = Progress::new(context);
        let mut up = false;
        loop {
            tokio::select! {
                done = &mut following => {
                    let broken = |error| Err(Failure::failed(format!("the wait broke off: {error}")));
                    return done.unwrap_or_else(broken);
                }
                Some(line) = told.recv() => progress.tell(line).await,
                () = &mut deadline, if !up => { up = true; interrupter.stop() }
                () = context.ct.cancelled(), if !up => { up = true; interrupter.stop() }
                () = tokio::time::sleep(SIGN_OF_LIFE), if !up => {
                    progress.tell(format!("The panel is at work; {} s waited.", begun.elapsed().as_secs())).await;
                }
            }
        }
    }

    /// The status with how the last run here failed, where it did and nothing runs now.
    pub(super) fn with_failure(&self, mut status: Status) -> Status {
        if status.status == Standing::Interrupted.as_str()
            && let Some(failure) = self.runs.failure(&status.session)
        {
            let next = failure.next.map(|next| format!(" ({next})")).unwrap_or_default();
            status.next = format!("Its run failed: {}{next}. {}", failure.what, status.next);
        }
        status
    }
}

fn stands(sessions: &Sessions, id: &str) -> Result<Standing, Failure> {
    Ok(Standing::of(&sessions.read(id)?, sessions.is_held(id)?))
}

/// Tells progress, where the client asked for it.
struct Progress {
    peer: Peer<RoleServer>,
    token: Option<ProgressToken>,
    told: u32,
}

impl Progress {
    fn new(context: &RequestContext<RoleServer>) -> Self {
        Self { peer: context.peer.clone(), token: context.meta.get_progress_token(), told: 0 }
    }

    async fn tell(&mut self, line: String) {
        let Some(token) = self.token.clone() else { return };
        self.told += 1;
        let param = ProgressNotificationParam::new(token, f64::from(self.told)).with_message(line);
        // A client that is gone misses nothing: the session's files have it all.
        let _ = self.peer.notify_progress(param).await;
    }
}
