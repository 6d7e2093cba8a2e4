//! The life of every conflict on screen: opened when, who held what, how old it grew, how it was settled.
//! Given lives; hands on text. Deliberately absent: how a life is put together (`s2s::conflicts`).

use s2s::conflicts::{Life, Settled};
use s2s::store::Minutes;

use super::marks::{Mark, Tone};
use super::page::Page;
use super::{Style, words};

/// All conflicts of a session.
pub fn conflicts(minutes: &Minutes, lives: &[Life], style: &Style) -> String {
    let mut page = Page::new(style);
    page.title("Conflicts", Tone::Title);
    page.row_whole("Session", minutes.id());
    page.row("Topic", minutes.topic());
    if lives.is_empty() {
        page.row("Conflicts", "none: no round named one");
    }
    for life in lives {
        one(&mut page, life);
    }
    page.finish()
}

fn one(page: &mut Page<'_>, life: &Life) {
    page.part(&life.id);
    page.rich_row("About", &life.description);
    page.row("Opened", &format!("in round {}", life.opened));
    let mut before = None;
    for named in &life.rounds {
        // A round in which everybody stayed where they were says nothing new.
        if before == Some(&named.positions) {
            continue;
        }
        before = Some(&named.positions);
        page.row("Positions", &format!("in round {}:", named.round));
        for (seat, position) in &named.positions {
            page.item(Mark::Open, "", &format!("{seat}: {position}"));
        }
        if named.positions.is_empty() {
            page.value("none given");
        }
    }
    if !life.escalations.is_empty() {
        page.row("Escalated", &words::listed(&life.escalations));
    }
    match &life.settled {
        Some(settled) => {
            page.row("Age", &words::count(life.age as usize, "round"));
            end(page, settled);
        }
        None => {
            page.label("Open");
            page.item(Mark::Alert, "", &words::age(life.age));
        }
    }
}

fn end(page: &mut Page<'_>, settled: &Settled) {
    let ruled = settled.escalation.as_ref().map(|id| format!(", by the ruling on {id}")).unwrap_or_default();
    let how = format!("in round {}, {}{ruled}", settled.round, words::resolved_by(settled.by));
    page.label("Settled");
    page.item(Mark::Done, "", &how);
    if !settled.text.trim().is_empty() {
        page.rich(&settled.text);
    }
}
