//! A chain of sessions on screen: the oldest first, each one that went on from it below.
//! Given a chain; hands on text. Deliberately absent: how chains are found.

use s2s::engine::opening::Workflow;
use s2s::register::{Chain, ChainSession};

use super::marks::{Mark, Tone};
use super::page::Page;
use super::wrap::{clipped, one_line};
use super::{Style, words};

/// Deeper chains are not set in further: the lines would get too short.
const DEEPEST: usize = 6;

/// The sessions before and after one.
pub fn chain(chain: &Chain, style: &Style) -> String {
    let mut page = Page::new(style);
    links(&mut page, chain);
    page.finish()
}

/// The same inside a screen.
pub(super) fn links(page: &mut Page<'_>, chain: &Chain) {
    let style = *page.style();
    let alert = Mark::Alert.text(style.ascii);
    if let Some(lost) = &chain.lost {
        page.line(2, &[(alert, Tone::Warning), (" ", Tone::Plain), (&one_line(lost), Tone::Plain)]);
        page.paragraph(4, "the parent of the next one; it is gone, or cannot be read", Tone::Quiet);
    }
    if chain.cycle {
        page.paragraph(2, &format!("{alert} The parents of these sessions lead back to themselves."), Tone::Warning);
    }
    for session in &chain.sessions {
        link(page, session);
    }
}

fn link(page: &mut Page<'_>, session: &ChainSession) {
    let style = *page.style();
    let indent = 2 + 2 * session.depth.min(DEEPEST);
    let mark = if session.asked_for { Mark::Current.text(style.ascii) } else { " " };
    let id = one_line(&session.id);
    let kind = format!("{:<10}  ", workflow(session.workflow));
    page.line(indent, &[(mark, Tone::Title), (" ", Tone::Plain), (&kind, Tone::Label), (&id, Tone::Plain)]);
    let dot = if style.ascii { " | " } else { " · " };
    let made: Vec<String> = session.made.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let mut facts = vec![session.status.as_str().to_owned(), words::date(session.started)];
    if !made.is_empty() {
        facts.push(made.join(", "));
    }
    facts.push(one_line(&session.topic));
    let room = style.columns().saturating_sub(indent + 2);
    page.line(indent + 2, &[(&clipped(&facts.join(dot), room, style.ascii), Tone::Quiet)]);
}

fn workflow(workflow: Workflow) -> &'static str {
    workflow.as_str()
}
