//! One session folded for the register: what it is, and the versions of artifacts that it made.
//! Given minutes; hands on plain values, so that sessions can be read side by side on all cores and put together in
//! the order of their ids. The tape is not read here: nothing of it is in an artifact. Deliberately absent: what
//! several sessions make of one artifact.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use s2s_engine::Session;
use s2s_engine::artifact::ArtifactId;
use s2s_engine::record::Tally;
use s2s_store::{Minutes, Status};

use super::{SessionSeen, Version};
use crate::failure::Failure;
use crate::roundtable::recall;

/// More threads than this would wait for the disk and for each other.
const MOST_THREADS: usize = 8;

/// What the register takes of one session.
pub(super) struct Folded {
    pub(super) seen: SessionSeen,
    pub(super) own: Vec<Own>,
}

/// An artifact that a session made or changed.
pub(super) struct Own {
    pub(super) id: ArtifactId,
    pub(super) closed: bool,
    pub(super) versions: Vec<Version>,
}

/// The session that the minutes tell of, where it keeps artifacts; the others need not be folded.
pub(super) fn session_of(minutes: &Minutes) -> Result<Option<Session>, Failure> {
    match minutes.register() {
        Some(_) => Ok(Some(recall(minutes, &[])?.session)),
        None => Ok(None),
    }
}

impl Folded {
    /// What the register takes of this session; `complete` says whether its artifacts count.
    pub(super) fn of(session: Option<&Session>, minutes: &Minutes, complete: bool) -> Self {
        let seen = SessionSeen {
            id: minutes.id().to_owned(),
            topic: minutes.topic().to_owned(),
            workflow: minutes.workflow(),
            status: if complete { Status::Completed } else { minutes.status() },
            started: minutes.started(),
            parent: minutes.parent().map(str::to_owned),
            requirements_format: minutes.settings().and_then(|settings| settings.requirements_format),
            panel_note: minutes.panel_note().to_owned(),
            register: minutes.register().cloned(),
        };
        let own = session.map(|session| own(session, minutes.id(), complete)).unwrap_or_default();
        Self { seen, own }
    }
}

fn own(session: &Session, id: &str, complete: bool) -> Vec<Own> {
    let tallies: BTreeMap<&str, &Tally> =
        session.rounds().iter().flat_map(|round| &round.tallies).map(|tally| (tally.point.as_str(), tally)).collect();
    let mut all = Vec::new();
    for holding in session.artifacts().filter(|holding| holding.is_own()) {
        let mut versions = Vec::new();
        for version in holding.versions.iter().filter(|version| version.round > 0) {
            let round = session.rounds().get(version.round as usize - 1);
            let point = version.artifact.point.as_deref();
            versions.push(Version {
                artifact: version.artifact.clone(),
                session: id.to_owned(),
                complete,
                round: version.round,
                at: round.map(|round| round.timestamp).unwrap_or_default(),
                standing: version.standing,
                tally: point.and_then(|point| tallies.get(point)).map(|tally| (*tally).clone()),
            });
        }
        all.push(Own { id: holding.id(), closed: holding.closed, versions });
    }
    all
}

/// Does the same for every id, on all cores; what comes out is in the order of the ids.
pub(super) fn each<T: Send>(ids: &[String], work: impl Fn(&str) -> T + Sync) -> Vec<T> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS).min(ids.len());
    if threads < 2 {
        return ids.iter().map(|id| work(id)).collect();
    }
    let next = AtomicUsize::new(0);
    let share = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(id) = ids.get(at) else { return done };
            done.push((at, work(id)));
        }
    };
    let mut done: Vec<(usize, T)> = thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(share)).collect();
        let joined = running.into_iter().map(|thread| match thread.join() {
            Ok(done) => done,
            // Somebody else's fault is passed on as it is.
            Err(cause) => std::panic::resume_unwind(cause),
        });
        joined.flatten().collect()
    });
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, value)| value).collect()
}
