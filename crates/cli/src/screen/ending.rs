//! The end of a session on screen: what stands, what stays open, the earned status, what to do next.
//! Given an outcome and the votes behind it; hands on text. Deliberately absent: how the status is
//! earned (C4), which is the engine's.

use s2s::engine::record::{Escalation, Outcome, OutcomeStatus, Ruling, RulingChoice, Tally};

use super::marks::{Mark, Tone};
use super::page::Page;
use super::wrap::one_line;
use super::{Style, words};

/// Everything that the closing screen shows.
#[derive(Debug, Clone)]
pub struct Ending<'a> {
    /// Session id.
    pub session: &'a str,
    /// The question before the table.
    pub topic: &'a str,
    /// Strategy name.
    pub strategy: &'a str,
    /// Rounds held.
    pub total_rounds: usize,
    /// How it ended.
    pub outcome: &'a Outcome,
    /// What people decided in their own words.
    pub decided: &'a [Decided],
    /// Every vote counted in the session.
    pub tallies: &'a [Tally],
    /// What to know about the panel.
    pub panel_note: &'a str,
    /// What the models cost, in a line; none where no model was asked.
    pub cost: Option<String>,
    /// From the current folder to the project's, for the names of files.
    pub up: &'a str,
    /// The command that leads on from here, and what it does; none where nothing follows.
    pub onward: Option<&'a (String, &'static str)>,
}

/// A decision that a person gave in their own words where the panel could not go on by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    source: String,
    text: String,
}

impl Decided {
    /// The decision in a ruling, if it is one: any other answer only lets the session go on.
    pub fn of(id: &str, round: Option<u32>, ruling: &Ruling) -> Option<Self> {
        let text = ruling.text.as_ref().filter(|text| !text.trim().is_empty())?;
        let after = round.map(|round| format!(" after round {round}")).unwrap_or_default();
        let source = format!("{}{after}: {}", one_line(id), words::ruling(ruling));
        (ruling.choice == RulingChoice::Decide).then(|| Self { source, text: text.clone() })
    }

    /// The decisions among these escalations, in their order.
    pub fn all(escalations: &[Escalation]) -> Vec<Self> {
        let ruled = escalations.iter().filter_map(|raised| Some((raised, raised.ruling.as_ref()?)));
        ruled.filter_map(|(raised, ruling)| Self::of(&raised.id, Some(raised.round), ruling)).collect()
    }
}

/// The closing screen (C3).
pub fn completed(ending: &Ending<'_>, style: &Style) -> String {
    let mut page = Page::new(style);
    page.title("Roundtable Complete!", Tone::Good);
    page.row_whole("Session", ending.session);
    page.row("Topic", ending.topic);
    page.row("Strategy", ending.strategy);
    page.row("Total rounds", &ending.total_rounds.to_string());
    if !ending.panel_note.trim().is_empty() {
        page.row("Panel", ending.panel_note);
    }
    if let Some(cost) = &ending.cost {
        page.row("Cost", cost);
    }
    page.gap();
    outcome(&mut page, ending.outcome, ending.tallies, ending.decided, ending.up);
    let id = words::shell(&one_line(ending.session));
    page.heading("Next steps");
    if let Some(onward) = ending.onward {
        page.commands(std::slice::from_ref(onward));
    }
    page.commands(&[
        (format!("s2s show {id}"), "read the whole discussion"),
        (format!("s2s report {id}"), "look at it as a page"),
        (format!("s2s ask {id} SEAT \"question\""), "ask a seat something"),
        (format!("s2s session verify {id}"), "check that the record holds"),
    ]);
    page.finish()
}

/// The outcome itself, shared with the whole discussion.
pub(super) fn outcome(page: &mut Page<'_>, outcome: &Outcome, tallies: &[Tally], decided: &[Decided], up: &str) {
    for Decided { source, text } in decided {
        page.row("Decided", text);
        page.note(source);
    }
    page.label("Consensus");
    for stated in &outcome.consensus {
        let point = Stated::read(stated);
        page.item(if point.voted { Mark::Done } else { Mark::Open }, point.id, point.text);
        let tally = tallies.iter().rev().find(|tally| tally.point == point.id);
        match tally {
            Some(tally) => page.remark(&words::tally(tally)),
            None if !point.voted => page.remark("not put to the vote"),
            None => {}
        }
    }
    if outcome.consensus.is_empty() {
        page.value("none reached");
    }
    page.label("Unresolved");
    for open in &outcome.unresolved {
        page.item(Mark::Alert, "", open);
    }
    if let Some(text) = outcome.recommendation.as_ref().filter(|text| !text.trim().is_empty()) {
        page.rich_row("Recommended", text);
    }
    page.gap();
    page.row("Status", outcome.status.as_str());
    if outcome.status == OutcomeStatus::Proposed {
        outcome.reasons.iter().for_each(|reason| page.value(&format!("- {reason}")));
    }
    let files = if outcome.files.is_empty() { outcome.file.as_slice() } else { &outcome.files };
    for (number, file) in files.iter().enumerate() {
        page.row_whole(if number == 0 { "Output" } else { "" }, &format!("{up}{file}"));
    }
    if files.is_empty() {
        page.row("Output", "no document was written");
    }
}

/// A point as the outcome states it: `C1.2: text`, or `C1.2 (unvoted): text`.
struct Stated<'a> {
    id: &'a str,
    text: &'a str,
    voted: bool,
}

impl<'a> Stated<'a> {
    /// Anything of another shape (an older file) is a text without an id.
    fn read(stated: &'a str) -> Self {
        let whole = Self { id: "", text: stated, voted: true };
        let Some((head, text)) = stated.split_once(": ") else { return whole };
        let (id, voted) = match head.strip_suffix(" (unvoted)") {
            Some(id) => (id, false),
            None => (head, true),
        };
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let is_id = id.strip_prefix('C').and_then(|id| id.split_once('.'));
        match is_id {
            Some((round, position)) if digits(round) && digits(position) => Self { id, text, voted },
            _ => whole,
        }
    }
}
