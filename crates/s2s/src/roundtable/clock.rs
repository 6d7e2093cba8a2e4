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

/// Hears that the run must stop.
#[derive(Debug, Clone)]
pub struct Interrupt(watch::Receiver<bool>);

/// Says that the run must stop.
#[derive(Debug)]
pub struct Interrupter(watch::Sender<bool>);

/// An interrupter and what hears it.
pub fn interrupt() -> (Interrupter, Interrupt) {
    let (sender, receiver) = watch::channel(false);
    (Interrupter(sender), Interrupt(receiver))
}

impl Interrupter {
    /// Stops the run at its next wait.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl Interrupt {
    /// Whether the run must stop.
    pub fn is_requested(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until the run must stop; for ever, if nobody can say so any more.
    pub async fn requested(&mut self) {
        if self.0.wait_for(|stop| *stop).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
