//! What arrived at the server, and how much of it.
//! Given each call as it is decided; hands on copies. Deliberately absent: what was sent back.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::routes::Format;

/// One call as it arrived.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// Its number, from 1 in the order of arrival.
    pub n: u64,
    /// The format it was made in.
    pub format: Format,
    /// The model it asked for; empty where the call was turned away before that was read.
    pub model: String,
    /// The path, with its query.
    pub path: String,
    /// The headers, their names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The body; null where it was no JSON.
    pub body: Value,
    /// The connection it came on, from 1.
    pub connection: u64,
    /// Whether it arrived at the port that redirects lead to.
    pub elsewhere: bool,
    /// What was done: the name of an act, or of what the server would not take (`no_key`, `wrong_key`,
    /// `bad_request`, `no_such_model`).
    pub outcome: &'static str,
}

impl Seen {
    /// The key that came with it, in whichever header or query.
    pub fn key(&self) -> Option<&str> {
        crate::check::key(&self.headers, self.path.split_once('?').map_or("", |(_, query)| query))
    }
}

/// How much has happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    /// Connections opened.
    pub connections: u64,
    /// Calls that arrived.
    pub calls: u64,
    /// Calls under way.
    pub in_flight: u64,
    /// The most calls that were under way at once.
    pub max_in_flight: u64,
    /// Calls whose client left before the answer was whole.
    pub abandoned: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) connections: AtomicU64,
    pub(crate) calls: AtomicU64,
    in_flight: AtomicU64,
    max_in_flight: AtomicU64,
    abandoned: AtomicU64,
}

impl Tally {
    pub(crate) fn now(&self) -> Counters {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Counters {
            connections: read(&self.connections),
            calls: read(&self.calls),
            in_flight: read(&self.in_flight),
            max_in_flight: read(&self.max_in_flight),
            abandoned: read(&self.abandoned),
        }
    }

    /// A call begins; it ends when what this gives is dropped.
    pub(crate) fn begin(&self) -> UnderWay<'_> {
        let now = self.in_flight.fetch_add(1, Ordering::Relaxed) + 1;
        self.max_in_flight.fetch_max(now, Ordering::Relaxed);
        UnderWay { tally: self, whole: false }
    }
}

/// A call under way.
pub(crate) struct UnderWay<'t> {
    tally: &'t Tally,
    /// Whether everything that was to be sent has been.
    pub(crate) whole: bool,
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.tally.in_flight.fetch_sub(1, Ordering::Relaxed);
        if !self.whole {
            self.tally.abandoned.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Takes a lock; what a task left behind when it ended badly is still good.
pub(crate) fn sound<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
