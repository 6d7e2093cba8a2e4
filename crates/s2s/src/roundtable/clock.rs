//! Time and interruption, as given from outside: the library reads no clock and hears no signal itself.

use jiff::Timestamp;
use tokio::sync::watch;

/// Tells the time.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Timestamp;
}

impl<F: Fn() -> Timestamp + Send + Sync> Clock for F {
    fn now(&self) -> Timestamp {
        self()
    }
}

/// Who stops a run where nobody says so: Ctrl-C, or the system.
const SIGNAL: &str = "signal";

/// Hears that the run must stop.
#[derive(Debug, Clone)]
pub struct Interrupt(watch::Receiver<Option<&'static str>>);

/// Says that the run must stop.
#[derive(Debug)]
pub struct Interrupter(watch::Sender<Option<&'static str>>);

/// An interrupter and what hears it.
pub fn interrupt() -> (Interrupter, Interrupt) {
    let (sender, receiver) = watch::channel(None);
    (Interrupter(sender), Interrupt(receiver))
}

impl Interrupter {
    /// Stops the run at its next wait.
    pub fn stop(&self) {
        self.stop_for(SIGNAL);
    }

    /// Stops the run at its next wait; the minutes say by whom. Whoever was first holds.
    pub fn stop_for(&self, by: &'static str) {
        self.0.send_if_modified(|stop| stop.is_none() && stop.replace(by).is_none());
    }
}

impl Interrupt {
    /// Whether the run must stop.
    pub fn is_requested(&self) -> bool {
        self.0.borrow().is_some()
    }

    /// Who stops the run.
    pub fn by(&self) -> &'static str {
        self.0.borrow().unwrap_or(SIGNAL)
    }

    /// Waits until the run must stop; for ever, if nobody can say so any more.
    pub async fn requested(&mut self) {
        if self.0.wait_for(Option::is_some).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
