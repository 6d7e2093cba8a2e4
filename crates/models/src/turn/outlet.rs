//! One provider as it is shared by all calls of a process: its limits on calls in flight and per minute,
//! and its circuit breaker. Given a call's deadline; hands on a permit, or says why there is none.
//! Deliberately absent: retries, and what a call says.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until, timeout_at};

use super::breaker::{Breaker, WORTH_WAITING};
use crate::{Fault, FaultKind, Provider, Usage};

/// A provider with its limits.
pub struct Outlet {
    name: String,
    provider: Arc<dyn Provider>,
    lines: Arc<Semaphore>,
    pace: Option<Pace>,
    breaker: Breaker,
    /// The last outage, in words.
    last: Mutex<String>,
    /// The models that this provider will not answer with, and what it said.
    ruled_out: Mutex<BTreeMap<String, Fault>>,
}

/// The limits of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capacity {
    /// The most calls in flight.
    pub max_concurrent: usize,
    /// The most calls begun in a minute; none = no limit.
    pub per_minute: Option<u32>,
}

impl Default for Capacity {
    fn default() -> Self {
        Self { max_concurrent: 16, per_minute: None }
    }
}

impl Capacity {
    /// No more calls in flight than half of the files this process may have open: each has a connection.
    pub fn within_open_files(self) -> Self {
        #[cfg(unix)]
        let files = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
        #[cfg(not(unix))]
        let files: Option<u64> = None;
        let half = files.map_or(usize::MAX, |files| usize::try_from(files / 2).unwrap_or(usize::MAX)).max(1);
        Self { max_concurrent: self.max_concurrent.min(half), ..self }
    }
}

/// The right to make one call now. Says how it ended, or, dropped, that it was given up.
pub(super) struct Permit<'a> {
    outlet: &'a Outlet,
    tried: bool,
    ended: bool,
    line: Option<OwnedSemaphorePermit>,
}

impl Outlet {
    /// A provider under these limits.
    pub fn new(name: impl Into<String>, provider: Arc<dyn Provider>, capacity: Capacity) -> Self {
        let lines = capacity.max_concurrent.clamp(1, Semaphore::MAX_PERMITS);
        Self {
            name: name.into(),
            provider,
            lines: Arc::new(Semaphore::new(lines)),
            pace: capacity.per_minute.map(Pace::new),
            breaker: Breaker::default(),
            last: Mutex::default(),
            ruled_out: Mutex::default(),
        }
    }

    /// The provider's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The provider itself.
    pub fn provider(&self) -> &dyn Provider {
        &*self.provider
    }

    /// Remembers that a model is out, where the fault says that it will stay so.
    pub(super) fn rule_out(&self, model: &str, fault: &Fault) {
        if fault.kind.rules_the_model_out() {
            let mut out = self.ruled_out.lock().unwrap_or_else(PoisonError::into_inner);
            out.entry(model.to_owned()).or_insert_with(|| Fault { usage: Usage::default(), ..fault.clone() });
        }
    }

    /// What the provider said when it would not answer with this model; none = it may be asked.
    pub(super) fn ruled_out(&self, model: &str) -> Option<Fault> {
        self.ruled_out.lock().unwrap_or_else(PoisonError::into_inner).get(model).cloned()
    }

    /// Waits for the right to make a call. A provider that rests is waited for only if nobody else can
    /// take the call.
    pub(super) async fn enter(&self, deadline: Instant, others: bool) -> Result<Permit<'_>, Fault> {
        if let Some(pace) = &self.pace {
            let Some(turn) = pace.next(Instant::now(), deadline) else {
                return Err(self.late("its limit of calls per minute"));
            };
            sleep_until(turn).await;
        }
        // No line is held while the provider rests: the calls of others may need it.
        let tried = self.healthy(deadline, others).await?;
        let mut permit = Permit { outlet: self, tried, ended: false, line: None };
        match timeout_at(deadline, Arc::clone(&self.lines).acquire_owned()).await {
            Ok(Ok(line)) => {
                permit.line = Some(line);
                Ok(permit)
            }
            _ => Err(self.late("a free line: too many calls are in flight")),
        }
    }

    /// Waits until the breaker lets a call through; says whether it is the one that tries a rested provider.
    async fn healthy(&self, deadline: Instant, others: bool) -> Result<bool, Fault> {
        let patience = deadline.min(Instant::now() + WORTH_WAITING);
        loop {
            let wait = match self.breaker.enter(Instant::now()) {
                Ok(tried) => return Ok(tried),
                Err(wait) => wait,
            };
            if others || Instant::now() + wait >= patience {
                let last = self.last.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let (name, rest) = (&self.name, wait.as_secs() + 1);
                let what = format!("{name} failed too often and is left alone for {rest} s; the last time: {last}");
                return Err(Fault::new(FaultKind::Resting, what).next("try again later, or name a `fallback:` model"));
            }
            sleep_until(Instant::now() + wait).await;
        }
    }

    fn late(&self, what: &str) -> Fault {
        Fault::new(FaultKind::Resting, format!("the call to {} waited too long for {what}", self.name))
            .next("raise `max_concurrent` or `requests_per_minute` of the provider, or `call_timeout_seconds`")
    }
}

impl Permit<'_> {
    /// Takes in how the call ended.
    pub(super) fn end(mut self, fault: Option<&Fault>) {
        self.ended = true;
        let outage = fault.filter(|fault| fault.kind.is_outage());
        if let Some(fault) = outage {
            *self.outlet.last.lock().unwrap_or_else(PoisonError::into_inner) = fault.to_string();
        }
        let outage = outage.is_some();
        self.outlet.breaker.report(Instant::now(), self.tried, Some(outage));
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        if !self.ended {
            self.outlet.breaker.report(Instant::now(), self.tried, None);
        }
    }
}

/// Spreads calls over the minute; a sixth of them may come at once.
struct Pace {
    each: Duration,
    burst: Duration,
    due: Mutex<Option<Instant>>,
}

impl Pace {
    fn new(per_minute: u32) -> Self {
        let per_minute = per_minute.max(1);
        let each = Duration::from_secs(60) / per_minute;
        Self { each, burst: each * (per_minute / 6).saturating_sub(1), due: Mutex::new(None) }
    }

    /// When the next call may begin; that place is taken. None, and no place, where it is not before the deadline.
    fn next(&self, now: Instant, deadline: Instant) -> Option<Instant> {
        let mut due = self.due.lock().unwrap_or_else(PoisonError::into_inner);
        let mine = due.map_or(now, |due| due.max(now));
        let turn = mine.checked_sub(self.burst).map_or(now, |early| early.max(now));
        if turn >= deadline {
            return None;
        }
        *due = Some(mine + self.each);
        Some(turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn calls_are_spread_over_the_minute_after_a_burst() {
        let pace = Pace::new(60);
        let now = Instant::now();
        let soon = now + Duration::from_secs(60);
        let waits: Vec<u64> = (0..13).filter_map(|_| Some((pace.next(now, soon)? - now).as_secs())).collect();
        assert_eq!(waits, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3]);
        // Calls that cannot wait so long take nobody's place.
        (0..9).for_each(|_| assert_eq!(pace.next(now, now + Duration::from_secs(4)), None));
        assert_eq!(pace.next(now, soon), Some(now + Duration::from_secs(4)));
    }
}
