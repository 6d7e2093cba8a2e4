//! A run for people: every notice becomes its screen, in order.
//! Given notices; writes text and keeps what later screens need (points, votes, the open question to
//! a person). A reader that is gone is remembered, never a panic. Deliberately absent: drawing, which
//! each screen's own file does.

use std::io::{self, Write};

use s2s::engine::record::{Escalation, Round, RuledBy};
use s2s::panel::StoodIn;
use s2s::roundtable::{Audience, CallEnd, Notice};

use super::bill::Bill;
use super::live::Live;
use super::marks::Mark;
use super::page::Page;
use super::start::Table;
use super::votes::Votes;
use super::{Bearings, Ending, Style, asking, completed, escalation, paused, people, round, start, words};
use crate::flags::raised;

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
    topic: String,
    strategy: String,
    panel_note: String,
    votes: Votes,
    bill: Bill,
    stood_in: StoodIn,
    last_round: Option<Box<Round>>,
    pending: Option<Box<Escalation>>,
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
            topic: String::new(),
            strategy: String::new(),
            panel_note: String::new(),
            votes: Votes::default(),
            bill: Bill::default(),
            stood_in: StoodIn::default(),
            last_round: None,
            pending: None,
            awaited: Vec::new(),
        }
    }

    /// With the rounds of a session that is taken up again, so that votes on their points can be named.
    pub fn recalling(mut self, rounds: &[Round]) -> Self {
        self.votes = Votes::of(rounds);
        self.stood_in = StoodIn::of(rounds);
        self.last_round = rounds.last().cloned().map(Box::new);
        self
    }

    /// With where and how the run was started.
    pub fn bearing(mut self, bearings: Bearings) -> Self {
        self.bearings = bearings;
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
        let Self { out, broken, live, .. } = self;
        if broken.is_some() || text.is_empty() {
            return;
        }
        let written = live.aside(|| out.write_all(text.as_bytes()).and_then(|()| out.flush()));
        *broken = written.err().map(|error| error.kind());
        self.begun = true;
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
                };
                self.part(&start::table(&table, &style));
            }
            Notice::SidesTaken { proposal, pro, con } => {
                self.print(&start::sides(proposal, pro, con, &style));
            }
            Notice::RoundStarted { round, max_rounds, phase, kind, agenda } => {
                self.part(&start::round(*round, *max_rounds, phase, *kind, agenda, &style));
            }
            Notice::QuestionPosed { question, focus, asked, probing, .. } => {
                self.print(&start::question(question, focus, asked, *probing, &style));
            }
            Notice::CallEnded { seat, end, duration_ms, .. } => {
                self.print(&call_ended(seat, end, *duration_ms, &style));
            }
            Notice::PeopleAsked { seats, .. } => {
                self.print(&people::asked(seats, &style));
            }
            Notice::PersonSpoke { text, .. } => {
                self.part(&people::spoke(text, &style));
            }
            Notice::RoundCommitted { round, open_conflicts, agenda } => {
                self.part(&round::recap(round, open_conflicts, agenda, &self.votes, &style));
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
                let text = escalation(raised, raised_by, &style);
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
                    tallies: self.votes.tallies(),
                    cost: self.bill.line(),
                    panel_note: &panel_note,
                    up: &self.bearings.up,
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
            Notice::CallStarted { call, seat, .. } => self.live.started(call, seat),
            Notice::Heard { seat, text, .. } => self.live.heard(seat, text),
            Notice::CallEnded { call, end, spent_usd, .. } => {
                self.live.ended(call, matches!(end, CallEnd::Answered { .. }), *spent_usd);
            }
            Notice::RoundCommitted { round, .. } => {
                self.votes.note(round);
                self.bill.note(round);
                self.stood_in.note(round);
                self.last_round = Some(round.clone());
            }
            Notice::EscalationRaised { escalation } => self.pending = Some(escalation.clone()),
            Notice::EscalationSettled { .. } => self.pending = None,
            Notice::PeopleAwaited { seats, .. } => self.awaited.clone_from(seats),
            // Calls in flight at a pause will not come to an end any more.
            Notice::SessionPaused { .. } | Notice::SessionCompleted { .. } => self.live.clear(),
            _ => {}
        }
    }
}

impl<W: Write> Audience for Plain<W> {
    fn reads_along(&self) -> bool {
        self.live.is_allowed()
    }

    fn notice(&mut self, notice: &Notice) {
        self.remember(notice);
        if !self.style.quiet {
            self.progress(notice);
        }
        self.milestone(notice);
    }
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
            page.row("Answer", &format!("{seat} ({}): {position}", words::confidence(*confidence)));
        }
        CallEnd::Answered { .. } => {}
        CallEnd::Refused { reason } => {
            page.label("Warning");
            page.item(Mark::Alert, "", &format!("{seat}: a reply that could not be used ({took}): {reason}"));
        }
        CallEnd::Failed { error } => {
            page.label("Warning");
            page.item(Mark::Alert, "", &format!("{seat}: no reply ({took}): {error}"));
        }
    }
    page.finish()
}
