//! A run for people: every notice becomes its screen, in order.
//! Given notices; writes text and keeps what later screens need (points, votes, the open question to
//! a person). Where a live view shows a round, its text is held back until the round is over. A reader that is gone is remembered, never a panic. Deliberately absent: drawing, which
//! each screen's own file does.

use std::io::{self, Write};
use std::time::Duration;

use s2s::engine::record::{Escalation, Round, RuledBy};
use s2s::panel::StoodIn;
use s2s::roundtable::{Audience, CallEnd, Notice};

use super::bill::Bill;
use super::live::{Expected, Kept, Live, cost, hush};
use super::marks::Mark;
use super::page::Page;
use super::start::Table;
use super::votes::Votes;
use super::{Bearings, Decided, Ending, Style, asking, completed, escalation, paused, people, round, start, words};
use crate::flags::raised;

/// From when on the time of an answer is told.
const NOTICED_MS: u64 = 1_000;

/// Shows a run as text.
#[derive(Debug)]
pub struct Plain<W: Write> {
    out: W,
    style: Style,
    bearings: Bearings,
    broken: Option<io::ErrorKind>,
    /// Whether anything was printed: parts are set apart from what stands above.
    begun: bool,
    live: Live,
    /// What the live view shows of the round; none = text is printed at once. Its text is made when it is printed, for
    /// the terminal may have another size by then.
    held: Option<Vec<Notice>>,
    /// Gives the columns of the terminal as they are now; none = they stay as they were.
    columns: Option<fn() -> usize>,
    expected: Option<Expected>,
    topic: String,
    strategy: String,
    panel_note: String,
    votes: Votes,
    bill: Bill,
    stood_in: StoodIn,
    last_round: Option<Box<Round>>,
    pending: Option<Box<Escalation>>,
    /// What people decided in their own words.
    decided: Vec<Decided>,
    /// People who have not answered, at a pause for them.
    awaited: Vec<String>,
}

impl<W: Write> Plain<W> {
    /// To this output, in this style.
    pub fn new(out: W, style: Style) -> Self {
        Self {
            out,
            style,
            bearings: Bearings::default(),
            broken: None,
            begun: false,
            live: Live::new(&style),
            held: None,
            columns: None,
            expected: None,
            topic: String::new(),
            strategy: String::new(),
            panel_note: String::new(),
            votes: Votes::default(),
            bill: Bill::default(),
            stood_in: StoodIn::default(),
            last_round: None,
            pending: None,
            decided: Vec::new(),
            awaited: Vec::new(),
        }
    }

    /// With the rounds of a session that is taken up again, so that votes on their points can be named.
    pub fn recalling(mut self, rounds: &[Round]) -> Self {
        self.votes = Votes::of(rounds);
        rounds.iter().for_each(|round| self.bill.note(round));
        self.stood_in = StoodIn::of(rounds);
        self.last_round = rounds.last().cloned().map(Box::new);
        self
    }

    /// With what was ruled before.
    pub fn ruled(mut self, escalations: &[Escalation]) -> Self {
        self.decided = Decided::all(escalations);
        self
    }

    /// With how long the run was under way before anybody watched it here.
    pub fn under_way_for(self, time: Duration) -> Self {
        self.live.under_way_for(time);
        self
    }

    /// For a terminal whose size may change.
    pub fn resizing(mut self, columns: fn() -> usize) -> Self {
        self.columns = Some(columns);
        self
    }

    /// With where and how the run was started.
    pub fn bearing(mut self, bearings: Bearings) -> Self {
        self.bearings = bearings;
        self
    }

    /// With what the session is expected to cost.
    pub fn expecting(mut self, expected: Option<Expected>) -> Self {
        self.expected = expected;
        if let Some(expected) = expected {
            self.live.expect(expected);
        }
        self
    }

    /// With the answers of the open round that are not asked for again (L7).
    pub fn keeping(self, kept: Vec<Kept>) -> Self {
        self.live.keep(kept);
        self
    }

    /// Why nothing can be written any more: the reader is gone, the disk is full.
    pub fn broken(&self) -> Option<io::ErrorKind> {
        self.broken
    }

    /// Prints a part with an empty line above it.
    fn part(&mut self, text: &str) {
        let gap = if self.begun { "\n" } else { "" };
        self.print(&format!("{gap}{text}"));
    }

    fn print(&mut self, text: &str) {
        if self.broken.is_some() || text.is_empty() {
            return;
        }
        self.begun = true;
        let _mine = self.live.is_allowed().then(hush);
        let written = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
        self.broken = written.err().map(|error| error.kind());
    }

    /// Prints what was held back: the live view is over, or about to be.
    fn release(&mut self) {
        let Some(held) = self.held.take() else { return };
        if let Some(columns) = self.columns {
            self.style.width = columns();
        }
        let _mine = self.live.is_allowed().then(hush);
        held.iter().for_each(|notice| self.progress(notice));
    }

    /// What was used so far, where a model was asked.
    fn so_far(&self) -> Option<String> {
        let line = self.bill.line()?;
        let expected = self.expected.and_then(|expected| cost(self.bill.usd(), Some(expected)));
        let used = line.split_once(';').map_or("", |(_, used)| used);
        let line = expected.map_or(line.clone(), |cost| format!("{cost};{used}"));
        Some(self.bill.with_cut_off(format!("{line}, {}", self.bill.time())))
    }

    /// What is shown of the way, and left out when quiet.
    fn progress(&mut self, notice: &Notice) {
        let style = self.style;
        match notice {
            Notice::SessionStarted { session, workflow, participants, resumed, rounds_held, answers_kept, .. } => {
                let table = Table {
                    session,
                    topic: &self.topic,
                    strategy: &self.strategy,
                    workflow,
                    participants,
                    panel_note: &self.panel_note,
                    resumed: resumed.then_some((*rounds_held, *answers_kept)),
                    greeting: self.bearings.greeting,
                };
                self.part(&start::table(&table, &style));
            }
            Notice::SidesTaken { proposal, pro, con } => {
                self.print(&start::sides(proposal, pro, con, &style));
            }
            Notice::RoundStarted { round, max_rounds, phase, kind, agenda } => {
                self.part(&start::round(*round, *max_rounds, phase, *kind, agenda, &style));
                self.held = self.live.is_allowed().then(Vec::new);
            }
            Notice::QuestionPosed { question, focus, asked, probing, .. } => {
                self.print(&start::question(question, focus, asked, *probing, &style));
            }
            Notice::CallEnded { seat, end, duration_ms, .. } => {
                self.print(&call_ended(seat, end, *duration_ms, &style));
            }
            Notice::CallRetried { seat, attempt, why, .. } => {
                self.print(&tried_again(seat, *attempt, why, &style));
            }
            Notice::PeopleAsked { seats, .. } => {
                self.print(&people::asked(seats, &style));
            }
            Notice::PersonSpoke { text, .. } => {
                self.part(&people::spoke(text, &style));
            }
            Notice::RoundCommitted { round, open_conflicts, agenda } => {
                let so_far = self.so_far();
                self.part(&round::recap(round, open_conflicts, agenda, &self.votes, so_far.as_deref(), &style));
            }
            Notice::ReviewOpened { artifacts, open_questions } => {
                self.part(&round::review(artifacts, open_questions, &style));
            }
            Notice::EscalationSettled { id, ruling } => {
                let mut page = Page::new(&style);
                asking::ruling(&mut page, id, ruling);
                self.part(&page.finish());
            }
            Notice::Noted { text } => {
                let mut page = Page::new(&style);
                page.row("Note", text);
                self.print(&page.finish());
            }
            Notice::Warned { text } => {
                let mut page = Page::new(&style);
                page.label("Warning");
                page.item(Mark::Alert, "", text);
                self.print(&page.finish());
            }
            _ => {}
        }
    }

    /// What is always shown.
    fn milestone(&mut self, notice: &Notice) {
        let style = self.style;
        match notice {
            Notice::EscalationRaised { escalation: raised } => {
                let raised_by = self.last_round.as_deref().filter(|round| round.number == raised.round);
                let text = escalation(raised, raised_by, !self.bearings.menu_follows, &style);
                self.part(&text);
            }
            Notice::EscalationSettled { id, ruling } if style.quiet && ruling.by == RuledBy::Policy => {
                let text = asking::ruling_line(id, ruling, &self.bearings.ruled_by, &style);
                self.part(&text);
            }
            Notice::FollowUpAnswered { seat, question, answer, .. } => {
                self.part(&people::followed_up(seat, question, answer, &style));
            }
            Notice::SessionPaused { session, .. } if !self.bearings.pause_told && !self.awaited.is_empty() => {
                let text = people::awaited(session, &self.awaited, &self.bearings.again, &style);
                self.part(&text);
            }
            Notice::SessionPaused { session, reason } if !self.bearings.pause_told => {
                let again = raised(self.bearings.flags_after(reason), reason);
                let text = paused(session, reason, self.pending.as_deref(), &again, &style);
                self.part(&text);
            }
            Notice::SessionCompleted { session, outcome, total_rounds } => {
                let panel_note = self.stood_in.beside(&self.panel_note);
                let ending = Ending {
                    session,
                    topic: &self.topic,
                    strategy: &self.strategy,
                    total_rounds: *total_rounds,
                    outcome,
                    decided: &self.decided,
                    tallies: self.votes.tallies(),
                    cost: self.bill.line().map(|line| self.bill.with_cut_off(line)),
                    panel_note: &panel_note,
                    up: &self.bearings.up,
                    onward: self.bearings.onward.as_ref(),
                };
                let text = completed(&ending, &style);
                self.part(&text);
            }
            _ => {}
        }
    }

    /// Keeps what later screens need.
    fn remember(&mut self, notice: &Notice) {
        match notice {
            Notice::SessionStarted { topic, strategy, panel_note, .. } => {
                self.topic.clone_from(topic);
                self.strategy.clone_from(strategy);
                self.panel_note.clone_from(panel_note);
            }
            Notice::RoundCommitted { round, .. } => {
                self.votes.note(round);
                self.bill.note(round);
                self.stood_in.note(round);
                self.last_round = Some(round.clone());
            }
            Notice::Spent { .. } => self.bill.tell(notice),
            Notice::EscalationRaised { escalation } => self.pending = Some(escalation.clone()),
            Notice::EscalationSettled { id, ruling } => {
                let round = self.pending.take().map(|raised| raised.round);
                self.decided.extend(Decided::of(id, round, ruling));
            }
            Notice::PeopleAwaited { seats, .. } => self.awaited.clone_from(seats),
            _ => {}
        }
    }
}

impl<W: Write> Drop for Plain<W> {
    fn drop(&mut self) {
        // A run that failed in the middle of a round: what was answered is told all the same.
        self.release();
    }
}

impl<W: Write> Audience for Plain<W> {
    fn reads_along(&self) -> bool {
        self.live.is_allowed()
    }

    fn notice(&mut self, notice: &Notice) {
        self.live.note(notice);
        if matches!(notice, Notice::Heard { .. }) {
            return;
        }
        self.remember(notice);
        // What stood in the live view and what follows it are one change of the screen.
        let _mine = (self.live.is_allowed() && is_between_rounds(notice)).then(hush);
        if is_between_rounds(notice) {
            self.release();
        }
        if let Some(columns) = self.columns {
            self.style.width = columns();
        }
        match &mut self.held {
            Some(held) => held.push(notice.clone()),
            None if self.style.quiet => {}
            None => self.progress(notice),
        }
        self.milestone(notice);
    }
}

/// Whether a notice comes when no round is under way any more, or ends it.
fn is_between_rounds(notice: &Notice) -> bool {
    matches!(
        notice,
        Notice::RoundStarted { .. }
            | Notice::RoundCommitted { .. }
            | Notice::EscalationRaised { .. }
            | Notice::ReviewOpened { .. }
            | Notice::SessionPaused { .. }
            | Notice::SessionCompleted { .. }
    )
}

/// A try that failed, and that another one follows.
fn tried_again(seat: &str, attempt: u32, why: &str, style: &Style) -> String {
    let mut page = Page::new(style);
    page.label("Warning");
    page.item(Mark::Alert, "", &format!("{seat}: try {attempt} follows: {why}"));
    page.finish()
}

/// A call that ended: each seat's position in short, or what went wrong.
fn call_ended(seat: &str, end: &CallEnd, duration_ms: u64, style: &Style) -> String {
    let mut page = Page::new(style);
    let took = words::took(duration_ms);
    match end {
        CallEnd::Answered { confidence, position: Some(position), .. } if style.verbose => {
            let sure = confidence.map(|value| format!("confidence {}, ", words::confidence(value)));
            page.row("Answer", &format!("{seat} ({}{took})", sure.unwrap_or_default()));
            page.value(position);
        }
        CallEnd::Answered { confidence: Some(confidence), position: Some(position), .. } => {
            let time = if duration_ms < NOTICED_MS { String::new() } else { format!(", {took}") };
            page.row("Answer", &format!("{seat} ({}{time}): {position}", words::confidence(*confidence)));
        }
        CallEnd::Answered { .. } => {}
        CallEnd::Refused { reason } => {
            page.label("Warning");
            page.item(Mark::Alert, "", &format!("{seat}: a reply that could not be used ({took}): {reason}"));
        }
        CallEnd::Failed { error } => {
            page.label("Warning");
            // A fault that says so itself does not say it twice.
            let error = error.strip_prefix("no reply: ").unwrap_or(error);
            page.item(Mark::Alert, "", &format!("{seat}: no reply ({took}): {error}"));
        }
    }
    page.finish()
}
