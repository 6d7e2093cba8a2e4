//! The live view: who thinks, who speaks and who has answered, at the foot of a terminal while a round runs.
//! Given the notices of a run; a thread of its own draws the table at most ten times a second, and only once a wait is
//! long enough to be noticed. It leaves nothing behind: when the round is in the minutes, ordinary text takes its place.
//! In a pipe, on a dumb terminal and with `--no-live` it does not exist. Deliberately absent: any fact that the ordinary
//! text does not tell too.

mod draw;
pub mod keys;
mod region;
mod spoken;
mod status;
mod table;
#[cfg(test)]
mod tests;

use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use s2s::roundtable::Notice;

pub use region::{Hush, Size, hush, last_words};
pub(super) use status::cost;
pub use table::{Expected, Kept, Table};

use super::Style;
use region::{Region, STAGE};

/// Waits shorter than this show nothing: lines that come and go at once are only flicker.
const PATIENCE: Duration = Duration::from_millis(250);
/// The time between two drawings.
const TICK: Duration = Duration::from_millis(100);

/// The live view of a run.
#[derive(Debug)]
pub(super) struct Live {
    shared: Option<Arc<Shared>>,
    painter: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    began: Instant,
    style: Style,
    seen: Mutex<Seen>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Seen {
    table: Table,
    over: bool,
}

impl Live {
    /// A live view where the style allows one.
    pub(super) fn new(style: &Style) -> Self {
        let (began, seen, changed) = (Instant::now(), Mutex::default(), Condvar::new());
        let allowed = style.live && !style.quiet;
        Self { shared: allowed.then(|| Arc::new(Shared { began, style: *style, seen, changed })), painter: None }
    }

    /// Whether there is one at all.
    pub(super) fn is_allowed(&self) -> bool {
        self.shared.is_some()
    }

    /// With what the session is expected to cost.
    pub(super) fn expect(&self, expected: Expected) {
        if let Some(shared) = &self.shared {
            shared.lock().table.expected = Some(expected);
        }
    }

    /// With how long the run was under way before.
    pub(super) fn under_way_for(&self, time: Duration) {
        if let Some(shared) = &self.shared {
            shared.lock().table.before = time;
        }
    }

    /// With answers that are there already.
    pub(super) fn keep(&self, kept: Vec<Kept>) {
        if let Some(shared) = &self.shared {
            shared.lock().table.kept = kept;
        }
    }

    /// Takes in what has happened.
    pub(super) fn note(&mut self, notice: &Notice) {
        let Some(shared) = &self.shared else { return };
        let mut seen = shared.lock();
        let was = seen.table.since.is_some();
        seen.table.note(notice, shared.began.elapsed());
        let is = seen.table.since.is_some();
        drop(seen);
        if is && !was {
            shared.changed.notify_one();
        }
        if is && self.painter.is_none() {
            STAGE.clear_on_panic();
            let shared = Arc::clone(shared);
            // Without a thread there is no live view, and nothing else is lost.
            self.painter = thread::Builder::new().name("screen".to_owned()).spawn(move || paint(&shared)).ok();
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        if let Some(shared) = &self.shared {
            shared.lock().over = true;
            shared.changed.notify_one();
        }
        if let Some(painter) = self.painter.take() {
            drop(hush());
            // A thread that panicked has told so.
            let _ = painter.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lines that stand there now.
    fn lines(&self, size: Size) -> Vec<String> {
        let mut seen = self.lock();
        match seen.over {
            true => Vec::new(),
            false => view(&mut seen.table, self.began.elapsed(), size, &self.style),
        }
    }
}

/// Draws until the run is over; rests while nothing is under way.
fn paint(shared: &Shared) {
    let mut region = Region::new(io::stderr(), &STAGE);
    loop {
        let size = size();
        region.show(size, || shared.lines(size));
        let seen = shared.lock();
        if seen.over {
            return;
        }
        let idle = |seen: &mut Seen| !seen.over && seen.table.since.is_none();
        let busy = |seen: &mut Seen| !seen.over && seen.table.since.is_some();
        if seen.table.since.is_none() {
            drop(shared.changed.wait_while(seen, idle));
        } else {
            drop(shared.changed.wait_timeout_while(seen, TICK, busy));
        }
    }
}

/// What is shown of a table at this time: nothing at first.
pub fn view(table: &mut Table, now: Duration, size: Size, style: &Style) -> Vec<String> {
    if table.since.is_none_or(|since| now < since + PATIENCE) {
        return Vec::new();
    }
    table.listen();
    draw::lines(table, now, size, style)
}

/// The size of the terminal as it is now.
fn size() -> Size {
    let known = terminal_size::terminal_size_of(io::stderr()).map(|(width, height)| (width.0, height.0));
    let (columns, rows) = known.filter(|(width, height)| *width > 0 && *height > 0).unwrap_or((80, 24));
    Size { columns: columns.into(), rows: rows.into() }
}
