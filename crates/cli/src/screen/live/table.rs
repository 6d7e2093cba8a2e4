//! The table while a round runs: who is asked, who speaks, who has answered, what it has cost so far.
//! Given the notices of a run, each with its time; hands on plain values to draw. Times are those since the screen began,
//! so nothing here reads a clock. Deliberately absent: drawing, and everything that happens between rounds.

use std::time::Duration;

use s2s::engine::record::RoundKind;
use s2s::engine::step::{CallId, CallKind};
use s2s::roundtable::{CallEnd, Notice};

use super::spoken::first_words;

/// How much of the beginning of a reply is kept, in bytes: more than any line can show.
const KEPT: usize = 2_048;

/// What is known of the round under way.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// Since when there is something to show; none = nothing is under way.
    pub(super) since: Option<Duration>,
    /// When the run began.
    pub(super) began: Duration,
    /// How long it was under way before that.
    pub(super) before: Duration,
    pub(super) round: u32,
    pub(super) max_rounds: u32,
    pub(super) phase: String,
    pub(super) ballot: bool,
    pub(super) question: String,
    pub(super) seats: Vec<Place>,
    /// The facilitator, while it is asked for something.
    pub(super) facilitator: Option<Place>,
    pub(super) spent: Spent,
    pub(super) expected: Option<Expected>,
    /// Answers from before this run that are not asked for again.
    pub(super) kept: Vec<Kept>,
}

/// What the session has used so far.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Spent {
    pub(super) calls: u32,
    pub(super) tokens: u64,
    pub(super) usd: f64,
}

/// What the whole session was forecast to cost, in US dollars.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Expected {
    pub likely_usd: f64,
    pub most_usd: f64,
}

/// An answer that is there already when a session is taken up again.
#[derive(Debug, Clone)]
pub struct Kept {
    pub seat: String,
    pub confidence: f64,
    pub position: String,
}

/// Somebody at the table.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) name: String,
    pub(super) kind: CallKind,
    pub(super) doing: Doing,
    /// Since when they are asked.
    pub(super) since: Duration,
    /// The last try that failed, if one did: which one follows, and why.
    pub(super) again: Option<(u32, String)>,
    raw: String,
}

/// What somebody is doing.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Doing {
    /// Not asked yet.
    Waiting,
    /// Asked, and nothing heard.
    Thinking,
    /// The first words of the answer.
    Speaking(String),
    /// The answer is in; how long it took.
    Done { confidence: Option<f64>, position: String, took: Duration },
    /// There is no answer that can be used.
    Failed { why: String, took: Duration },
}

impl Place {
    fn new(name: &str, kind: CallKind) -> Self {
        let (since, again) = (Duration::ZERO, None);
        Self { name: name.to_owned(), kind, doing: Doing::Waiting, since, again, raw: String::new() }
    }

    pub(super) fn is_under_way(&self) -> bool {
        matches!(self.doing, Doing::Thinking | Doing::Speaking(_))
    }

    fn asked(&mut self, kind: CallKind, at: Duration) {
        if self.doing == Doing::Waiting {
            self.since = at;
        }
        (self.kind, self.doing) = (kind, Doing::Thinking);
        self.raw.clear();
    }

    fn heard(&mut self, text: &str) {
        let room = KEPT.saturating_sub(self.raw.len());
        let end = (0..=room.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        self.raw.push_str(&text[..end]);
    }

    fn retried(&mut self, attempt: u32, why: &str) {
        self.again = Some((attempt, why.to_owned()));
        self.doing = Doing::Thinking;
        self.raw.clear();
    }

    fn ended(&mut self, end: &CallEnd, attempt: u32, at: Duration) {
        let took = at.saturating_sub(self.since);
        self.doing = match end {
            CallEnd::Answered { confidence, position, .. } => {
                Doing::Done { confidence: *confidence, position: position.clone().unwrap_or_default(), took }
            }
            CallEnd::Refused { reason } => {
                self.again = Some((attempt + 1, reason.clone()));
                Doing::Failed { why: reason.clone(), took }
            }
            CallEnd::Failed { error } => Doing::Failed { why: error.clone(), took },
        };
        self.raw.clear();
    }

    /// Brings the first words up to what was heard.
    fn listen(&mut self) {
        if !self.is_under_way() || self.raw.is_empty() {
            return;
        }
        let words = first_words(self.kind, &self.raw);
        if !words.is_empty() {
            self.doing = Doing::Speaking(words);
        }
    }
}

impl Table {
    /// Takes in what has happened.
    pub(super) fn note(&mut self, notice: &Notice, at: Duration) {
        match notice {
            Notice::SessionStarted { .. } => self.began = at,
            Notice::RoundStarted { round, max_rounds, phase, kind, .. } => {
                self.close();
                (self.round, self.max_rounds, self.ballot) = (*round, *max_rounds, *kind == RoundKind::Ballot);
                self.phase.clone_from(phase);
            }
            Notice::QuestionPosed { question, asked, .. } => {
                self.question.clone_from(question);
                self.seats = asked.iter().map(|seat| Place::new(seat, CallKind::Response)).collect();
                self.facilitator = None;
                for Kept { seat, confidence, position } in std::mem::take(&mut self.kept) {
                    let (confidence, took) = (Some(confidence), Duration::ZERO);
                    self.place(CallKind::Response, &seat).doing = Doing::Done { confidence, position, took };
                }
            }
            Notice::CallStarted { call, seat, .. } => {
                self.since.get_or_insert(at);
                let kind = kind_of(call);
                self.place(kind, seat).asked(kind, at);
            }
            Notice::Heard { call, seat, text } => self.place(kind_of(call), seat).heard(text),
            Notice::CallRetried { call, seat, attempt, why } => self.place(kind_of(call), seat).retried(*attempt, why),
            Notice::CallEnded { call, seat, end, .. } => {
                let attempt = call.parse::<CallId>().map_or(1, |call| call.attempt);
                self.place(kind_of(call), seat).ended(end, attempt, at);
                if matches!(end, CallEnd::Answered { .. }) && !is_of_seat(kind_of(call)) {
                    self.facilitator = None;
                }
            }
            Notice::Spent { calls, tokens, cost_usd, .. } => {
                self.spent = Spent { calls: *calls, tokens: *tokens, usd: *cost_usd };
            }
            Notice::RoundCommitted { .. }
            | Notice::FollowUpAnswered { .. }
            | Notice::EscalationRaised { .. }
            | Notice::ReviewOpened { .. }
            | Notice::SessionPaused { .. }
            | Notice::SessionCompleted { .. } => self.close(),
            _ => {}
        }
    }

    /// Forgets the round: nothing is under way.
    pub(super) fn close(&mut self) {
        self.since = None;
        self.question.clear();
        self.seats.clear();
        self.facilitator = None;
    }

    /// Brings everybody's first words up to date. Done once for each drawing, however much was heard.
    pub(super) fn listen(&mut self) {
        self.seats.iter_mut().chain(self.facilitator.as_mut()).for_each(Place::listen);
    }

    fn place(&mut self, kind: CallKind, seat: &str) -> &mut Place {
        if !is_of_seat(kind) {
            return self.facilitator.get_or_insert_with(|| Place::new(seat, kind));
        }
        let at = self.seats.iter().position(|place| place.name == seat).unwrap_or_else(|| {
            self.seats.push(Place::new(seat, kind));
            self.seats.len() - 1
        });
        &mut self.seats[at]
    }
}

fn is_of_seat(kind: CallKind) -> bool {
    matches!(kind, CallKind::Response | CallKind::Followup)
}

fn kind_of(call: &str) -> CallKind {
    call.parse::<CallId>().map_or(CallKind::Response, |call| call.kind)
}
