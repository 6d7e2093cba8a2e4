//! Logs and traces of a run: who hears the spans and lines that the library tells.
//! Given flags and variables; hands on a [`Telemetry`] that is ended when the command is done. Nothing is
//! installed, opened or started unless somebody asked for it. Deliberately absent: what is told (the library's
//! `spans.rs`), and prompts, replies and keys, which are in neither (docs/traces.md).

mod log;
#[cfg(feature = "otel")]
mod otel;
#[cfg(feature = "otel")]
mod sending;

use std::env;

use s2s::Failure;
use s2s::models::turn::CONTENT;
use tracing::Metadata;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::registry::Registry;

use crate::args::Traces;
use crate::console::Console;

/// The variable with a filter for the log.
pub const LOG_VARIABLE: &str = "S2S_LOG";

/// Whoever hears of spans and lines.
type Listener = Box<dyn Layer<Registry> + Send + Sync>;

/// Logs and traces while a command runs.
#[derive(Default)]
pub struct Telemetry {
    #[cfg(feature = "otel")]
    sending: Option<otel::Sending>,
}

impl Telemetry {
    /// Starts what was asked for.
    ///
    /// # Errors
    /// A filter that cannot be read, or a log file that cannot be opened.
    pub fn start(typed: &Traces, console: &Console) -> Result<Self, Failure> {
        let mut listeners: Vec<Listener> = Vec::new();
        listeners.extend(log::listener(typed, variable(LOG_VARIABLE))?);
        let mut telemetry = Self::default();
        telemetry.export(typed.otel, &mut listeners, console)?;
        if !listeners.is_empty() {
            let failed = |error| Failure::failed(format!("cannot log: {error}"));
            tracing::subscriber::set_global_default(Registry::default().with(listeners)).map_err(failed)?;
        }
        Ok(telemetry)
    }

    #[cfg(feature = "otel")]
    fn export(&mut self, asked: bool, listeners: &mut Vec<Listener>, console: &Console) -> Result<(), Failure> {
        match otel::wanted(asked, &variable) {
            otel::Wanted::No => {}
            otel::Wanted::Not(why) => console.note(&format!("Traces are not sent: {why}")),
            otel::Wanted::Yes => {
                let (listener, sending) = otel::start(&variable);
                listeners.push(listener);
                self.sending = Some(sending);
            }
        }
        Ok(())
    }

    #[cfg(not(feature = "otel"))]
    fn export(&mut self, asked: bool, _listeners: &mut Vec<Listener>, _console: &Console) -> Result<(), Failure> {
        match asked {
            true => {
                Err(Failure::bad_input("this build of s2s cannot send traces").next("use one with the feature otel"))
            }
            false => Ok(()),
        }
    }

    /// Sends what is left, for a short while at most; what could not be sent is said once.
    pub fn end(self, console: &Console) {
        #[cfg(feature = "otel")]
        if let Some(trouble) = self.sending.and_then(otel::Sending::end) {
            console.note(&format!("Traces could not be sent: {trouble}. The run is not touched by that."));
        }
        #[cfg(not(feature = "otel"))]
        let _ = console;
    }
}

/// A variable that is set and says something.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.trim().is_empty())
}

/// Whether it is ours to tell, and no prompt or reply.
fn is_ours(told: &Metadata<'_>) -> bool {
    let target = told.target();
    (target == "s2s" || target.starts_with("s2s::") || target.starts_with("s2s_")) && target != CONTENT
}
