//! The status line: who is being asked, who has answered, for how long. One line at a terminal,
//! erased before anything else is printed, and drawn only once a wait is long enough to be noticed.
//! Given the calls as they start and end; leaves nothing behind. In a pipe it does not exist.

use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use s2s::engine::step::{CallId, CallKind};
use s2s::roundtable::dollars;

use super::wrap::{clipped, one_line};
use super::{Style, words};

/// Waits shorter than this show nothing: a line that comes and goes at once is only flicker.
const PATIENCE: Duration = Duration::from_millis(250);
/// How often the elapsed time moves on.
const TICK: Duration = Duration::from_millis(100);

/// How much of what is being said is kept, in characters.
const HEARD: usize = 60;

/// The calls under way, and the line that tells of them.
#[derive(Debug)]
pub(super) struct Live {
    allowed: bool,
    columns: usize,
    ascii: bool,
    /// Calls without an end yet, each with the seat that is asked.
    waiting: Vec<(String, String)>,
    answered: usize,
    lost: usize,
    /// Who spoke last, and the end of what was said.
    speaking: Option<(String, String)>,
    spent_usd: f64,
    said: Arc<Mutex<Said>>,
    bar: Option<ProgressBar>,
}

/// What the line says: the time stands between, where it is not lost when the end is clipped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Said {
    before: String,
    after: String,
}

impl Live {
    /// A status line where the style allows one.
    pub(super) fn new(style: &Style) -> Self {
        let columns = style.width.max(20) - 1;
        Self {
            allowed: style.live && !style.quiet,
            columns,
            ascii: style.ascii,
            waiting: Vec::new(),
            answered: 0,
            lost: 0,
            speaking: None,
            spent_usd: 0.0,
            said: Arc::default(),
            bar: None,
        }
    }

    /// Whether there is a line at all.
    pub(super) fn is_allowed(&self) -> bool {
        self.allowed
    }

    /// Somebody speaks: the end of it stands at the end of the line.
    pub(super) fn heard(&mut self, seat: &str, text: &str) {
        let before = match self.speaking.take() {
            Some((speaker, before)) if speaker == seat => before,
            _ => String::new(),
        };
        let all = before + text;
        let skipped = all.chars().count().saturating_sub(HEARD);
        self.speaking = Some((seat.to_owned(), all.chars().skip(skipped).collect()));
        self.tell();
    }

    /// A call was made.
    pub(super) fn started(&mut self, call: &str, seat: &str) {
        self.started_on(call, seat, || ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()));
    }

    fn started_on(&mut self, call: &str, seat: &str, bar: impl FnOnce() -> ProgressBar) {
        self.waiting.push((call.to_owned(), seat.to_owned()));
        if !self.allowed {
            return;
        }
        self.tell();
        if self.bar.is_none() {
            let bar = bar().with_style(self.drawing());
            bar.enable_steady_tick(TICK);
            self.bar = Some(bar);
        }
    }

    /// A call came to its end. With the last one the line is gone.
    pub(super) fn ended(&mut self, call: &str, answered: bool, spent_usd: f64) {
        self.spent_usd = spent_usd;
        self.speaking = None;
        self.waiting.retain(|(waiting, _)| waiting != call);
        if answered {
            self.answered += 1;
        } else {
            self.lost += 1;
        }
        if self.waiting.is_empty() {
            self.clear();
        } else {
            self.tell();
        }
    }

    /// Erases the line and forgets the calls.
    pub(super) fn clear(&mut self) {
        self.waiting.clear();
        (self.answered, self.lost, self.speaking) = (0, 0, None);
        if let Some(bar) = self.bar.take() {
            bar.disable_steady_tick();
            bar.finish_and_clear();
        }
    }

    /// Does something while the line is out of the way.
    pub(super) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    fn tell(&mut self) {
        let text = self.sentence();
        *self.said.lock().unwrap_or_else(PoisonError::into_inner) = text;
    }

    /// What is being waited for.
    fn sentence(&self) -> Said {
        let kind = self.waiting.first().and_then(|(call, _)| call.parse::<CallId>().ok()).map(|call| call.kind);
        let cost = match self.spent_usd {
            0.0 => String::new(),
            usd => format!(", {}", dollars(usd)),
        };
        let heard =
            self.speaking.as_ref().map(|(seat, text)| format!("; {seat}: {}", one_line(text))).unwrap_or_default();
        let alone = |what: &str| {
            let before = format!("The facilitator {what}");
            Said { before, after: format!("{cost}{}", heard.replace("; facilitator: ", ": ")) }
        };
        match kind {
            Some(CallKind::Sides) => alone("deals the sides"),
            Some(CallKind::Question) => alone("thinks of a question"),
            Some(CallKind::Synthesis) => alone("sums up"),
            Some(CallKind::Response | CallKind::Followup) | None => {
                let waiting: Vec<&str> = self.waiting.iter().map(|(_, seat)| seat.as_str()).collect();
                let all = self.answered + self.lost + waiting.len();
                let lost = if self.lost > 0 { format!(", {} failed", self.lost) } else { String::new() };
                Said {
                    before: format!("{} of {all} answered{lost}", self.answered),
                    after: match self.speaking {
                        Some(_) => format!("{cost}{heard}"),
                        None => format!("{cost}, waiting for {}", words::listed(&waiting)),
                    },
                }
            }
        }
    }

    fn drawing(&self) -> ProgressStyle {
        let (said, columns, ascii) = (Arc::clone(&self.said), self.columns, self.ascii);
        let draw = move |state: &ProgressState, out: &mut dyn Write| {
            let elapsed = state.elapsed();
            let said = said.lock().unwrap_or_else(PoisonError::into_inner);
            let line = line(&said, elapsed, columns, ascii);
            // A terminal that cannot take the line now gets it with the next tick.
            let _ = out.write_str(&line);
        };
        let plain = ProgressStyle::default_spinner().with_key("status", draw);
        plain.template("{status}").unwrap_or_else(|_| ProgressStyle::default_spinner())
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.clear();
    }
}

/// The status line after this long; nothing at first.
fn line(said: &Said, elapsed: Duration, columns: usize, ascii: bool) -> String {
    if elapsed < PATIENCE {
        return String::new();
    }
    let seconds = elapsed.as_secs();
    let time = match seconds {
        0..60 => format!("{:.1} s", elapsed.as_secs_f64()),
        _ => format!("{} min {:02} s", seconds / 60, seconds % 60),
    };
    clipped(&format!("{}, {time}{}", said.before, said.after), columns, ascii)
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    /// Keeps what a terminal would be sent.
    #[derive(Debug, Clone, Default)]
    struct Sent(Arc<Mutex<Vec<String>>>);

    impl Sent {
        fn push(&self, what: impl Into<String>) -> io::Result<()> {
            self.0.lock().unwrap().push(what.into());
            Ok(())
        }
    }

    impl indicatif::TermLike for Sent {
        fn width(&self) -> u16 {
            60
        }
        fn move_cursor_up(&self, n: usize) -> io::Result<()> {
            if n > 0 { self.push("<up>") } else { Ok(()) }
        }
        fn move_cursor_down(&self, n: usize) -> io::Result<()> {
            if n > 0 { self.push("<down>") } else { Ok(()) }
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, s: &str) -> io::Result<()> {
            self.push(format!("{s}\n"))
        }
        fn write_str(&self, s: &str) -> io::Result<()> {
            self.push(s)
        }
        fn clear_line(&self) -> io::Result<()> {
            self.push("<clear>")
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    fn live() -> Live {
        Live::new(&Style { live: true, width: 60, ..Style::PIPE })
    }

    #[test]
    fn says_who_is_asked_and_who_is_in() {
        let mut live = live();
        let mut said = Vec::new();
        for seat in ["qa-lead", "technical-lead", "devops-engineer"] {
            live.started_on(&format!("r2.response.{seat}.1"), seat, ProgressBar::hidden);
        }
        said.push(line(&live.sentence(), Duration::from_millis(1_400), 100, false));
        live.ended("r2.response.technical-lead.1", true, 0.0);
        said.push(line(&live.sentence(), Duration::from_millis(1_400), 100, false));
        live.ended("r2.response.qa-lead.1", false, 0.0);
        said.push(line(&live.sentence(), Duration::from_millis(1_400), 100, false));
        live.heard("devops-engineer", "position: Use\n");
        live.heard("devops-engineer", "REST");
        said.push(line(&live.sentence(), Duration::from_millis(1_400), 100, false));
        live.ended("r2.response.devops-engineer.1", true, 0.0321);
        live.started_on("r2.synthesis.facilitator.1", "facilitator", ProgressBar::hidden);
        said.push(line(&live.sentence(), Duration::from_millis(1_400), 100, false));
        expect_test::expect![[r#"
            0 of 3 answered, 1.4 s, waiting for qa-lead, technical-lead, devops-engineer
            1 of 3 answered, 1.4 s, waiting for qa-lead, devops-engineer
            1 of 3 answered, 1 failed, 1.4 s, waiting for devops-engineer
            1 of 3 answered, 1 failed, 1.4 s; devops-engineer: position: Use REST
            The facilitator sums up, 1.4 s, $0.0321"#]]
        .assert_eq(&said.join("\n"));
    }

    #[test]
    fn a_short_wait_shows_nothing_and_a_long_name_is_clipped() {
        let said = Said { before: "1 of 3 answered".into(), after: ", waiting for qa-lead".into() };
        let at = |millis| line(&said, Duration::from_millis(millis), 30, false);
        assert_eq!(at(249), "");
        assert_eq!(at(1_400), "1 of 3 answered, 1.4 s, waiti…");
        assert_eq!(at(61_000), "1 of 3 answered, 1 min 01 s,…");
    }

    #[test]
    fn the_line_is_erased_before_text_and_at_the_end() {
        let (sent, mut live) = (Sent::default(), live());
        let terminal = sent.clone();
        let target = ProgressDrawTarget::term_like(Box::new(terminal));
        let bar = || ProgressBar::with_draw_target(None, target).with_elapsed(Duration::from_secs(90));
        live.started_on("r1.question.facilitator.1", "facilitator", bar);
        // Going aside draws the line again afterwards: the test need not wait for a tick.
        live.aside(|| ());
        let drawn = sent.0.lock().unwrap().concat();
        assert!(drawn.contains("The facilitator thinks of a question, 1 min 30 s"), "{drawn:?}");
        let before = live.aside(|| sent.0.lock().unwrap().last().cloned());
        assert_eq!(before.as_deref(), Some("<clear>"));
        live.ended("r1.question.facilitator.1", true, 0.0);
        let all = sent.0.lock().unwrap().clone();
        assert_eq!(all.last().map(String::as_str), Some("<clear>"));
        assert!(all.iter().all(|piece| !piece.contains('\n')), "a line was left behind: {all:?}");
    }

    #[test]
    fn in_a_pipe_there_is_no_line() {
        let mut live = Live::new(&Style::PIPE);
        live.started("r1.question.facilitator.1", "facilitator");
        assert!(live.bar.is_none());
    }
}
