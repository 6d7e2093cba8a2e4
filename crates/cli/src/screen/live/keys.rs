//! What is typed while nobody asks: it is not echoed into the live view, and is thrown away before the next question, so
//! that no key answers a question which its person has not seen. Given moments (the view stands, it is gone, a question
//! is about to be asked, it was answered); hands on nothing. The terminal is touched only by whoever has it in the
//! foreground, and is given back as it was. Deliberately absent: reading answers (`asking`).

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::getpgrp;
use rustix::termios::{LocalModes, OptionalActions, QueueSelector, tcflush, tcgetattr, tcgetpgrp, tcsetattr};

/// Questions that follow each other faster than this are one conversation: what is typed ahead in it is meant.
const ONE_CONVERSATION: Duration = Duration::from_millis(400);

/// Whether echo was on and is off because of us.
static SILENCED: AtomicBool = AtomicBool::new(false);
/// When the last question was answered; none = nothing was asked or drawn yet.
static ANSWERED: Mutex<Option<Instant>> = Mutex::new(None);

/// Lets the terminal show no key: the live view stands where it would.
pub fn silence() {
    if SILENCED.load(Ordering::SeqCst) || !is_ours() {
        return;
    }
    let Ok(mut modes) = tcgetattr(io::stderr()) else { return };
    if modes.local_modes.contains(LocalModes::ECHO) {
        modes.local_modes.remove(LocalModes::ECHO);
        SILENCED.store(tcsetattr(io::stderr(), OptionalActions::Now, &modes).is_ok(), Ordering::SeqCst);
    }
    // From here on time passes in which nothing is asked.
    ANSWERED.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(Instant::now);
}

/// Lets it show keys again, if it did before.
pub fn echo() {
    if !SILENCED.swap(false, Ordering::SeqCst) || !is_ours() {
        return;
    }
    let Ok(mut modes) = tcgetattr(io::stderr()) else { return };
    modes.local_modes.insert(LocalModes::ECHO);
    // A terminal that is gone shows nothing anyway.
    let _ = tcsetattr(io::stderr(), OptionalActions::Now, &modes);
}

/// Throws away what was typed before this question could be seen. The first question of a command, and one that follows
/// another at once, leave it.
pub fn forget() {
    let answered = *ANSWERED.lock().unwrap_or_else(PoisonError::into_inner);
    if answered.is_none_or(|at| at.elapsed() < ONE_CONVERSATION) || !is_ours() {
        return;
    }
    let _ = tcflush(io::stdin(), QueueSelector::IFlush);
    // What came in one piece with the last answer has been read already.
    while crossterm::event::poll(Duration::ZERO).unwrap_or(false) && crossterm::event::read().is_ok() {}
}

/// A question was answered.
pub fn answered() {
    *ANSWERED.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
}

/// Whether this process has the terminal: one in the background would be stopped for touching it.
fn is_ours() -> bool {
    tcgetpgrp(io::stderr()).is_ok_and(|group| group == getpgrp())
}
