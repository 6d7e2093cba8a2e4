//! The sessions that this process runs, each on a thread of its own.
//! Given wishes and rulings; answers as soon as the session stands, and lets the run go on whoever listens. Knows what
//! runs here, how the last run of a session failed, and how to stop one or all. Deliberately absent: sessions of other
//! processes, which the session's lock tells of.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use s2s::engine::record::Ruling;
use s2s::roundtable::{Interrupter, interrupt};
use s2s::{Failure, FailureKind};
use tokio::sync::{mpsc, oneshot, watch};

use crate::hall::{Hall, Stage, Wish};

/// The most sessions at once: each is a thread and a handful of connections.
const MOST_RUNS: usize = 64;
/// The most failures that are remembered.
const MOST_FAILURES: usize = 200;

/// The sessions that run here.
pub(crate) struct Runs {
    hall: Arc<dyn Hall>,
    kept: Mutex<Kept>,
    /// How many run.
    count: watch::Sender<usize>,
}

#[derive(Default)]
struct Kept {
    runs: BTreeMap<u64, Run>,
    last: u64,
    closing: bool,
    /// How the last run of a session failed, where it did.
    failures: BTreeMap<String, Failure>,
}

struct Run {
    /// None until the session stands.
    id: Option<String>,
    interrupter: Arc<Interrupter>,
    ended: watch::Receiver<bool>,
}

/// What a thread is to do.
enum Work {
    Begin(Wish),
    GoOn(String, Option<(String, Ruling)>),
}

impl Runs {
    pub(crate) fn new(hall: Arc<dyn Hall>) -> Arc<Self> {
        Arc::new(Self { hall, kept: Mutex::default(), count: watch::Sender::new(0) })
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        // Nothing in here can be left half done.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a session; gives its id once it stands.
    pub(crate) async fn begin(self: &Arc<Self>, wish: Wish) -> Result<String, Failure> {
        self.run(None, Work::Begin(wish)).await
    }

    /// Takes a session up, unless it runs here already and nothing is to be settled.
    pub(crate) async fn go_on(self: &Arc<Self>, id: &str, ruling: Option<(String, Ruling)>) -> Result<(), Failure> {
        if ruling.is_none() && self.is_here(id) {
            return Ok(());
        }
        self.run(Some(id.to_owned()), Work::GoOn(id.to_owned(), ruling)).await.map(|_| ())
    }

    /// Whether a session runs in this process.
    pub(crate) fn is_here(&self, id: &str) -> bool {
        self.kept().runs.values().any(|run| run.id.as_deref() == Some(id))
    }

    /// How the last run of a session in this process failed.
    pub(crate) fn failure(&self, id: &str) -> Option<Failure> {
        self.kept().failures.get(id).cloned()
    }

    /// Stops a session that runs here, and waits until it rests; false = it does not run here.
    pub(crate) async fn stop(&self, id: &str) -> bool {
        let found = self.kept().runs.values().find_map(|run| {
            let here = run.id.as_deref() == Some(id);
            here.then(|| (Arc::clone(&run.interrupter), run.ended.clone()))
        });
        let Some((interrupter, mut ended)) = found else { return false };
        interrupter.stop_for("agent");
        // An error means that the thread is gone, which is what is waited for.
        let _ = ended.wait_for(|ended| *ended).await;
        true
    }

    /// Pauses every session, lets none begin any more, and waits until all rest.
    pub(crate) async fn close(&self) {
        {
            let mut kept = self.kept();
            kept.closing = true;
            kept.runs.values().for_each(|run| run.interrupter.stop_for("server"));
        }
        self.idle().await;
    }

    /// Waits until nothing runs.
    pub(crate) async fn idle(&self) {
        let mut count = self.count.subscribe();
        let _ = count.wait_for(|count| *count == 0).await;
    }

    async fn run(self: &Arc<Self>, id: Option<String>, work: Work) -> Result<String, Failure> {
        let (begun, mut stands) = mpsc::unbounded_channel::<String>();
        let (told, ended) = oneshot::channel::<Result<(), Failure>>();
        self.spawn(id, work, begun, told)?;
        if let Some(id) = stands.recv().await {
            return Ok(id);
        }
        match ended.await {
            Ok(Err(failure)) => Err(failure),
            _ => Err(Failure::failed("the session did not begin").next("try again; the server's log may say more")),
        }
    }

    fn spawn(
        self: &Arc<Self>,
        id: Option<String>,
        work: Work,
        begun: mpsc::UnboundedSender<String>,
        told: oneshot::Sender<Result<(), Failure>>,
    ) -> Result<(), Failure> {
        let (interrupter, heard) = interrupt();
        let (ending, ended) = watch::channel(false);
        let key = self.enter(Run { id, interrupter: Arc::new(interrupter), ended })?;
        let runs = Arc::clone(self);
        let named = Arc::clone(self);
        let context = match &work {
            Work::Begin(wish) => wish.context.clone(),
            Work::GoOn(..) => String::new(),
        };
        let stage = Stage::new(heard, &context, move |id| {
            named.name(key, id);
            // Whoever asked may have left; the run goes on.
            let _ = begun.send(id.to_owned());
        });
        let body = move || {
            let leaving = Leaving { runs: Arc::clone(&runs), key, _ending: ending };
            let done = match work {
                Work::Begin(wish) => runs.hall.begin(wish, stage),
                Work::GoOn(id, ruling) => runs.hall.go_on(&id, ruling, stage),
            };
            runs.remember(key, &done);
            drop(leaving);
            let _ = told.send(done);
        };
        let spawned = thread::Builder::new().name("session".to_owned()).spawn(body);
        spawned.map(|_| ()).map_err(|error| {
            self.leave(key);
            Failure::failed(format!("no thread for the session: {error}")).next("end other sessions first")
        })
    }

    fn enter(&self, run: Run) -> Result<u64, Failure> {
        let mut kept = self.kept();
        if kept.closing {
            return Err(Failure::failed("the server is ending").next("call again once it has started anew"));
        }
        if kept.runs.len() >= MOST_RUNS {
            return Err(Failure::failed(format!("{MOST_RUNS} sessions run already; no more run at once"))
                .next("wait for one with roundtable_wait, or end one with roundtable_stop"));
        }
        kept.last += 1;
        let key = kept.last;
        kept.runs.insert(key, run);
        self.count.send_replace(kept.runs.len());
        Ok(key)
    }

    fn name(&self, key: u64, id: &str) {
        let mut kept = self.kept();
        kept.failures.remove(id);
        if let Some(run) = kept.runs.get_mut(&key) {
            run.id = Some(id.to_owned());
        }
    }

    fn remember(&self, key: u64, done: &Result<(), Failure>) {
        let mut kept = self.kept();
        let id = kept.runs.get(&key).and_then(|run| run.id.clone());
        let failed = done.as_ref().err().filter(|failure| failure.kind == FailureKind::Failed);
        if let (Some(id), Some(failure)) = (id, failed) {
            tracing::warn!(session = %id, "the run failed: {failure}");
            if kept.failures.len() >= MOST_FAILURES {
                kept.failures.pop_first();
            }
            kept.failures.insert(id, failure.clone());
        }
    }

    fn leave(&self, key: u64) {
        let mut kept = self.kept();
        kept.runs.remove(&key);
        self.count.send_replace(kept.runs.len());
    }
}

/// Takes a run off the list however its thread ends; whoever waits for it is told by the drop.
struct Leaving {
    runs: Arc<Runs>,
    key: u64,
    _ending: watch::Sender<bool>,
}

impl Drop for Leaving {
    fn drop(&mut self) {
        self.runs.leave(self.key);
    }
}
