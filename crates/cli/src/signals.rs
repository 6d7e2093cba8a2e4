//! Listens for SIGINT, SIGTERM, SIGHUP and SIGQUIT while a session runs.
//! The first one stops the run, which then pauses; the second leaves at once. Both lose nothing, because
//! whatever was answered is on the tape before it is used. It listens on a thread of its own, so that a
//! signal is heard while the run waits for the disk or for a person. Deliberately absent: the pause.

use std::io::Write;
use std::thread;

use s2s::roundtable::{Interrupt, interrupt};
use s2s::{Failure, FailureKind};
use tokio::signal::unix::{SignalKind, signal};

/// Starts to listen; gives what a run hears.
pub fn listen() -> Result<Interrupt, Failure> {
    let (interrupter, heard) = interrupt();
    let failed = |error: std::io::Error| Failure::failed(format!("cannot listen for signals: {error}"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    // Registered before the thread starts: a signal from here on is heard, not deadly.
    let (mut int, mut term, mut hangup, mut quit) = {
        let _inside = runtime.enter();
        let hear = |kind| signal(kind).map_err(failed);
        let (int, term) = (hear(SignalKind::interrupt())?, hear(SignalKind::terminate())?);
        (int, term, hear(SignalKind::hangup())?, hear(SignalKind::quit())?)
    };
    let run = move || {
        runtime.block_on(async move {
            let mut next = async || {
                tokio::select! {
                    _ = int.recv() => {} _ = term.recv() => {} _ = hangup.recv() => {} _ = quit.recv() => {}
                }
            };
            next().await;
            interrupter.stop();
            next().await;
            leave();
        });
    };
    thread::Builder::new().name("signals".to_owned()).spawn(run).map_err(failed)?;
    Ok(heard)
}

/// Leaves at once: every reply so far is on the tape.
fn leave() -> ! {
    let told = "\nleft at once; nothing is lost. Go on with: s2s roundtable resume\n";
    // The terminal may be what went away.
    let _ = std::io::stderr().write_all(told.as_bytes());
    std::process::exit(i32::from(FailureKind::Interrupted.exit_code()))
}
