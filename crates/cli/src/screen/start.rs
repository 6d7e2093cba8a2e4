//! How a session and a round begin on screen: the table, the agenda, the question.
//! Given the notices of a beginning; hands on text. Deliberately absent: what came of it.

use s2s::engine::record::RoundKind;
use s2s::roundtable::TopicShown;

use super::marks::Tone;
use super::page::Page;
use super::wrap::one_line;
use super::{Style, words};

/// What the table looks like at the start.
pub(super) struct Table<'a> {
    pub session: &'a str,
    pub topic: &'a str,
    pub strategy: &'a str,
    pub workflow: &'a str,
    pub participants: &'a [String],
    pub panel_note: &'a str,
    /// Rounds held and answers kept, in a session taken up again.
    pub resumed: Option<(usize, usize)>,
    /// The title where the session is only followed.
    pub greeting: Option<&'static str>,
}

/// The start of a session.
pub(super) fn table(table: &Table<'_>, style: &Style) -> String {
    let mut page = Page::new(style);
    let own = if table.resumed.is_some() { "Roundtable Session Resumed" } else { "Roundtable Session Started" };
    page.title(table.greeting.unwrap_or(own), Tone::Title);
    page.row_whole("Session", table.session);
    page.row("Topic", table.topic);
    page.row("Strategy", table.strategy);
    page.row("Participants", &words::listed(table.participants));
    page.row("Workflow", table.workflow);
    if !table.panel_note.trim().is_empty() {
        page.row("Panel", table.panel_note);
    }
    if let Some((rounds, answers)) = table.resumed {
        let kept = match answers {
            0 => String::new(),
            _ => format!("; {} of the open round kept, not asked for again", words::count(answers, "answer")),
        };
        page.row("Held before", &format!("{}{kept}", words::count(rounds, "round")));
    }
    page.finish()
}

/// Who argues for which side of a debate (T3).
pub(super) fn sides(proposal: &str, pro: &[String], con: &[String], style: &Style) -> String {
    let mut page = Page::new(style);
    if !proposal.trim().is_empty() {
        page.row("Proposal", proposal);
    }
    page.row("For", &words::listed(pro));
    page.row("Against", &words::listed(con));
    page.finish()
}

/// The head of a round, with the agenda before it (A3).
pub(super) fn round(
    number: u32,
    max_rounds: u32,
    phase: &str,
    kind: RoundKind,
    agenda: &[TopicShown],
    style: &Style,
) -> String {
    let mut page = Page::new(style);
    let dot = if style.ascii { "|" } else { "·" };
    let ballot = if kind == RoundKind::Ballot { format!(" {dot} ballot") } else { String::new() };
    page.part(&format!("Round {number} of at most {max_rounds} {dot} {phase}{ballot}"));
    page.label("Agenda");
    if agenda.is_empty() {
        page.value("Free-form discussion");
    }
    for topic in agenda {
        page.item(words::coverage(topic.status), "", &topic_name(topic));
    }
    page.finish()
}

/// A topic's name, with a word where it is critical, and its artifacts where it must have some.
pub(super) fn topic_name(topic: &TopicShown) -> String {
    let critical = if topic.critical { " (critical)" } else { "" };
    let kept = match topic.least {
        0 => String::new(),
        least => format!(" {}/{}", topic.artifacts, words::count(least as usize, "artifact")),
    };
    format!("{}{critical}{kept}", one_line(&topic.name))
}

/// The question, once it is posed.
pub(super) fn question(question: &str, focus: &str, asked: &[String], probing: bool, style: &Style) -> String {
    let mut page = Page::new(style);
    if !focus.trim().is_empty() {
        page.row("Focus", focus);
    }
    page.row("Question", question);
    if probing {
        page.remark("a probing question, because the agreement came easily (P1)");
    }
    let asked = if asked.is_empty() { "nobody: the facilitator speaks alone".to_owned() } else { words::listed(asked) };
    page.row("Asked", &asked);
    page.finish()
}
