//! Listens for SIGINT, SIGTERM, SIGHUP and SIGQUIT while a session runs, and for the end of whoever reads its output.
//! The first one stops the run, which then pauses; a second signal leaves at once, with every process that was
//! started, and so does the first one while a question is open. Both lose nothing, because whatever was answered is on the tape before it is used. It listens on a thread
//! of its own, so that a signal is heard while the run waits for the disk or for a person. Ctrl-Z finds a clean
//! terminal. Deliberately absent: the pause.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Signal as Stop, getpid, kill_process};
use s2s::roundtable::{Interrupt, Interrupter, interrupt};
use s2s::{Failure, FailureKind};
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::asking;

/// What a run hears, and what can stop it besides signals.
pub struct Listening {
    pub interrupt: Interrupt,
    pub interrupter: Arc<Interrupter>,
    /// Set while an editor has the terminal: what is typed there is no signal to the run.
    pub at_editor: Arc<AtomicBool>,
}

/// The signals that end a run.
pub struct Signals([Signal; 4]);

impl Signals {
    /// Hears them from here on. Needs a runtime around it.
    pub fn new() -> Result<Self, Failure> {
        let hear = |kind| {
            signal(kind).map_err(|error: std::io::Error| Failure::failed(format!("cannot listen for signals: {error}")))
        };
        let (int, term) = (hear(SignalKind::interrupt())?, hear(SignalKind::terminate())?);
        Ok(Self([int, term, hear(SignalKind::hangup())?, hear(SignalKind::quit())?]))
    }

    /// Waits for the next one.
    pub async fn next(&mut self) {
        self.typed().await;
    }

    /// Waits for the next one that is meant for us: keys in an editor are the editor's.
    async fn next_meant(&mut self, at_editor: &AtomicBool) {
        while self.typed().await && at_editor.load(Ordering::SeqCst) {}
    }

    /// Waits for the next one; says whether a key makes it.
    async fn typed(&mut self) -> bool {
        let [int, term, hangup, quit] = &mut self.0;
        tokio::select! {
            _ = int.recv() => true, _ = quit.recv() => true, _ = term.recv() => false, _ = hangup.recv() => false
        }
    }
}

/// What a run hears that a server stops: the server listens for signals itself.
pub fn heard_by(interrupt: Interrupt) -> Listening {
    let (unused, _) = s2s::roundtable::interrupt();
    Listening { interrupt, interrupter: Arc::new(unused), at_editor: Arc::default() }
}

/// Starts to listen; gives what a run hears.
pub fn listen() -> Result<Listening, Failure> {
    let (interrupter, heard) = interrupt();
    let failed = |error: std::io::Error| Failure::failed(format!("cannot listen for signals: {error}"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    // Registered before the thread starts: a signal from here on is heard, not deadly.
    let (mut signals, rest) = {
        let _inside = runtime.enter();
        (Signals::new()?, signal(SignalKind::from_raw(Stop::TSTP.as_raw())).map_err(failed)?)
    };
    let interrupter = Arc::new(interrupter);
    let stops = Arc::clone(&interrupter);
    let at_editor = Arc::new(AtomicBool::new(false));
    let editing = Arc::clone(&at_editor);
    let run = move || {
        let end = async move {
            signals.next_meant(&editing).await;
            stops.stop();
            // An open question does not hear that the run is stopped: only its terminal could end it.
            if !asking::is_open() {
                signals.next_meant(&editing).await;
            }
            leave();
        };
        runtime.block_on(async move {
            tokio::select! { () = end => {} () = rest_when_asked(rest) => {} }
        });
    };
    thread::Builder::new().name("signals".to_owned()).spawn(run).map_err(failed)?;
    let stops = Arc::clone(&interrupter);
    let watch = move || {
        if reader_is_gone() {
            stops.stop();
            // Nobody can answer any more: a question would read the end of its input for ever.
            asking::wait_until_open();
            leave();
        }
    };
    thread::Builder::new().name("reader".to_owned()).stack_size(64 * 1024).spawn(watch).map_err(failed)?;
    Ok(Listening { interrupt: heard, interrupter, at_editor })
}

/// Waits for Ctrl-Z, again and again: the live view is taken away, and the process rests until it is continued.
async fn rest_when_asked(mut asked: Signal) {
    while asked.recv().await.is_some() {
        let _mine = crate::screen::hush();
        // It rests in this call. A process that cannot be stopped runs on.
        let _ = kill_process(getpid(), Stop::STOP);
    }
    std::future::pending().await
}

/// Waits until nobody reads standard output any more, which a pipe tells at once and a file never. False = it cannot
/// be told; the next write that fails tells it then.
fn reader_is_gone() -> bool {
    let output = std::io::stdout();
    // Asked for nothing, it is still told that the other end has gone.
    let mut watched = [PollFd::new(&output, PollFlags::empty())];
    loop {
        match poll(&mut watched, None) {
            Ok(_) => return watched[0].revents().intersects(PollFlags::ERR | PollFlags::HUP),
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return false,
        }
    }
}

/// Leaves at once: every reply so far is on the tape.
pub fn leave() -> ! {
    let told = "\nleft at once; nothing is lost. Go on with: s2s roundtable resume\n";
    crate::screen::last_words();
    // The terminal may be what went away.
    let _ = std::io::stderr().write_all(told.as_bytes());
    s2s::models::end_all_children();
    // A question may be open on the terminal; where none is, there is nothing to undo.
    let _ = crossterm::terminal::disable_raw_mode();
    std::process::exit(i32::from(FailureKind::Interrupted.exit_code()))
}
