//! What a session keeps, on screen: its agenda with the artifacts under each topic, and the artifacts it made or
//! changed, each with where it stands and how the panel voted. Given the folded session; hands on text, or values
//! for programs. Deliberately absent: what other sessions made of them (`trace.rs`).

use s2s::engine::artifact::ArtifactStatus;
use s2s::engine::record::Tally;
use s2s::engine::{Holding, Session, Standing};
use s2s::roundtable::TopicShown;
use serde_json::{Value, json};

use super::marks::Mark;
use super::page::Page;
use super::{start, words};

/// The agenda, with the artifacts each topic has of the fewest it must have (A5), and the session's own artifacts.
pub(super) fn kept(page: &mut Page<'_>, session: &Session) {
    let topics = TopicShown::all(session);
    let own: Vec<&Holding> = session.artifacts().filter(|held| held.is_own()).collect();
    if topics.is_empty() && own.is_empty() {
        return;
    }
    page.part("Agenda and artifacts");
    page.label("Agenda");
    for topic in &topics {
        page.item(words::coverage(topic.status), "", &start::topic_name(topic));
    }
    page.label("Artifacts");
    for held in own {
        page.item(mark(held), &held.id().to_string(), &held.current().artifact.title);
        page.remark(&standing(held, session));
    }
}

/// The kind of an artifact, where it stands, and how the panel voted on it.
fn standing(held: &Holding, session: &Session) -> String {
    let voted = match (tally_of(held, session), held.current().standing) {
        (Some(tally), _) => format!("; {}", words::tally(tally)),
        (None, Some(_)) => "; not put to the vote".to_owned(),
        (None, None) => String::new(),
    };
    format!("{}, {}{voted}", held.id().kind.noun(), held.status())
}

/// The same for programs: every artifact that the session made or changed.
pub fn artifacts_json(session: &Session) -> Value {
    let one = |held: &Holding| {
        let artifact = &held.current().artifact;
        json!({
            "id": held.id(), "kind": held.id().kind, "title": artifact.title, "topic": artifact.topic,
            "status": held.status(), "tally": tally_of(held, session),
        })
    };
    session.artifacts().filter(|held| held.is_own()).map(one).collect()
}

/// The vote on the version that holds.
fn tally_of<'s>(held: &Holding, session: &'s Session) -> Option<&'s Tally> {
    let point = held.current().artifact.point.as_ref()?;
    session.rounds().iter().rev().flat_map(|round| &round.tallies).find(|tally| tally.point == *point)
}

fn mark(held: &Holding) -> Mark {
    match (held.status(), held.current().standing) {
        (ArtifactStatus::Withdrawn | ArtifactStatus::Superseded, _) => Mark::Failed,
        (ArtifactStatus::Open, _) | (_, Some(Standing::Unvoted)) => Mark::Open,
        _ => Mark::Done,
    }
}
