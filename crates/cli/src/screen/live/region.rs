//! The region at the foot of the terminal: lines that are drawn, changed and erased again.
//! Given lines that fit; writes only what changed, in one piece, and leaves the cursor on the region's first line, so
//! that one short sequence erases it whatever the terminal did meanwhile: a resize that breaks lines anew moves the
//! cursor along with them. Whoever else wants the terminal hushes the region first. Deliberately absent: what the lines
//! say, and when they are drawn.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use super::keys;

/// Takes the region away, from the cursor on.
const ERASE: &str = "\r\x1b[J";
/// Shown at once where the terminal can, and no line is broken, even if the terminal finds it wider than we do.
const BEGIN: &str = "\x1b[?2026h\x1b[?7l\r";
const END: &str = "\x1b[?7h\x1b[?2026l";

/// The one terminal of this process.
pub(super) static STAGE: Stage = Stage::new();

/// A terminal that a region may stand on.
#[derive(Debug)]
pub(super) struct Stage {
    stands: AtomicBool,
    /// How many want the terminal for themselves. Whoever draws holds it.
    wanted: Mutex<usize>,
}

/// The terminal for oneself, until it is dropped.
#[derive(Debug)]
#[must_use = "the region comes back when this is dropped"]
pub struct Hush(&'static Stage);

/// Erases the region, if there is one, and keeps it away: for whoever prints or asks something.
pub fn hush() -> Hush {
    STAGE.hush()
}

/// Erases the region for good, without waiting for anybody: the process is about to end.
pub fn last_words() {
    STAGE.last_words();
}

impl Stage {
    pub(super) const fn new() -> Self {
        Self { stands: AtomicBool::new(false), wanted: Mutex::new(0) }
    }

    fn lock(&self) -> MutexGuard<'_, usize> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn hush(&'static self) -> Hush {
        let mut wanted = self.lock();
        *wanted += 1;
        self.erase();
        Hush(self)
    }

    fn last_words(&self) {
        if let Ok(mut wanted) = self.wanted.try_lock() {
            *wanted += 1;
        }
        self.erase();
    }

    fn erase(&self) {
        if self.stands.swap(false, Ordering::SeqCst) {
            // A terminal that is gone needs no erasing.
            let _ = io::stderr().write_all(ERASE.as_bytes());
            keys::echo();
        }
    }

    /// A panic is told on a clean line.
    pub(super) fn clear_on_panic(&'static self) {
        static HOOKED: Once = Once::new();
        HOOKED.call_once(|| {
            let told = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                STAGE.last_words();
                told(panic);
            }));
        });
    }
}

impl Drop for Hush {
    fn drop(&mut self) {
        let mut wanted = self.0.lock();
        *wanted = wanted.saturating_sub(1);
    }
}

/// The columns and rows of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub columns: usize,
    pub rows: usize,
}

/// The region on a terminal.
#[derive(Debug)]
pub(super) struct Region<W: Write> {
    out: W,
    stage: &'static Stage,
    lines: Vec<String>,
    size: Option<Size>,
}

impl<W: Write> Region<W> {
    pub(super) fn new(out: W, stage: &'static Stage) -> Self {
        Self { out, stage, lines: Vec::new(), size: None }
    }

    /// Shows these lines in place of those before; none = nothing. They are made while nobody else has the terminal, so
    /// they are never older than what was printed last.
    pub(super) fn show(&mut self, size: Size, lines: impl FnOnce() -> Vec<String>) {
        let wanted = self.stage.lock();
        if *wanted > 0 {
            return;
        }
        let lines = lines();
        if !self.stage.stands.load(Ordering::SeqCst) {
            self.lines.clear();
        }
        let resized = self.size.replace(size).is_some_and(|before| before != size);
        let frame = frame(&self.lines, &lines, resized);
        if frame.is_empty() {
            return;
        }
        self.stage.stands.store(!lines.is_empty(), Ordering::SeqCst);
        // Keys would be shown where the cursor is: in the middle of the view.
        if lines.is_empty() {
            keys::echo()
        } else {
            keys::silence()
        }
        self.lines = lines;
        // A terminal that cannot take it now gets the next one.
        let _ = self.out.write_all(frame.as_bytes()).and_then(|()| self.out.flush());
    }

    #[cfg(test)]
    pub(super) fn written(&self) -> &W {
        &self.out
    }
}

/// What to send so that `new` stands where `old` does; empty where nothing changes.
fn frame(old: &[String], new: &[String], anew: bool) -> String {
    let old = if anew { &[] } else { old };
    if old == new && !anew {
        return String::new();
    }
    let mut out = String::from(BEGIN);
    if anew || new.is_empty() {
        out.push_str("\x1b[J");
    }
    let same = |at: &usize| old.get(*at) == new.get(*at);
    let last = (0..new.len()).rev().find(|at| old.len() != new.len() || !same(at));
    let mut down = 0;
    for (at, line) in new.iter().enumerate().take(last.map_or(0, |last| last + 1)) {
        if at > 0 {
            out.push_str("\r\n");
            down += 1;
        }
        if !same(&at) {
            out.push_str(line);
            out.push_str("\x1b[K");
        }
    }
    if old.len() > new.len() && !new.is_empty() {
        out.push_str("\r\n\x1b[J");
        down += 1;
    }
    if down > 0 {
        out.push_str(&format!("\x1b[{down}A"));
    }
    out.push('\r');
    out.push_str(END);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(texts: &[&str]) -> Vec<String> {
        texts.iter().map(ToString::to_string).collect()
    }

    fn sent(old: &[&str], new: &[&str], anew: bool) -> String {
        let frame = frame(&lines(old), &lines(new), anew);
        let frame = frame.strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(END)).unwrap_or(&frame);
        frame.replace('\x1b', "^").replace('\r', "<").replace('\n', "v")
    }

    #[test]
    fn only_what_changed_is_sent_and_the_cursor_comes_back() {
        assert_eq!(sent(&[], &["a", "b"], false), "a^[K<vb^[K^[1A<");
        assert_eq!(sent(&["a", "b", "c"], &["a", "x", "c"], false), "<vx^[K^[1A<");
        assert_eq!(sent(&["a"], &["a"], false), "");
        assert_eq!(sent(&["a", "b", "c"], &["a"], false), "<v^[J^[1A<");
        assert_eq!(sent(&["a"], &["a", "b"], false), "<vb^[K^[1A<");
        assert_eq!(sent(&["a", "b"], &[], false), "^[J<");
        assert_eq!(sent(&["a"], &["a"], true), "^[Ja^[K<");
    }

    #[test]
    fn whoever_wants_the_terminal_gets_it_clean_and_the_region_comes_back_whole() {
        let stage: &'static Stage = Box::leak(Box::new(Stage::new()));
        let mut region = Region::new(Vec::new(), stage);
        let size = Size { columns: 80, rows: 24 };
        region.show(size, || lines(&["a", "b"]));
        assert!(stage.stands.load(Ordering::SeqCst));
        let hush = stage.hush();
        assert!(!stage.stands.load(Ordering::SeqCst));
        let before = region.written().len();
        region.show(size, || lines(&["a", "c"]));
        assert_eq!(region.written().len(), before, "nothing is drawn meanwhile");
        drop(hush);
        region.show(size, || lines(&["a", "c"]));
        let text = String::from_utf8_lossy(&region.written()[before..]).into_owned();
        assert!(text.contains("a\x1b[K") && text.contains("c\x1b[K"), "{text:?}");
    }

    #[test]
    fn after_the_last_words_nothing_is_drawn() {
        let stage: &'static Stage = Box::leak(Box::new(Stage::new()));
        let mut region = Region::new(Vec::new(), stage);
        stage.last_words();
        region.show(Size { columns: 80, rows: 24 }, || lines(&["a"]));
        assert!(region.written().is_empty());
    }

    #[test]
    fn a_resize_draws_all_of_it_anew() {
        let stage: &'static Stage = Box::leak(Box::new(Stage::new()));
        let mut region = Region::new(Vec::new(), stage);
        region.show(Size { columns: 80, rows: 24 }, || lines(&["a"]));
        let before = region.written().len();
        region.show(Size { columns: 60, rows: 24 }, || lines(&["a"]));
        assert!(String::from_utf8_lossy(&region.written()[before..]).contains("\x1b[Ja"));
    }
}
