//! What a person asked for when the session was to end (D9): a change of the artifacts it names, else an open
//! question. Given the desk; hands on drafts that nobody at the table proposed. What was taken up once is not taken
//! up again, even if the panel votes it down. Deliberately absent: what people say during the rounds, which is read
//! with the context.

use s2s_engine::Session;
use s2s_engine::artifact::ArtifactId;
use s2s_engine::record::InterventionKind;

use super::super::words::{listed, within};
use super::Desk;
use super::draft::{Draft, fresh, titled};
use super::wishes::sentence;

/// What leads to a person's words in an artifact.
pub(super) const ASKED: &str = "A person asked: ";
/// The most that one round takes up.
const MOST: usize = 4;

/// What is to be taken up in this round.
pub(super) fn refined(desk: &Desk<'_>) -> Vec<Draft> {
    let session = desk.session;
    let mut drafts: Vec<Draft> = Vec::new();
    let asked = session.interventions().iter().filter(|done| done.kind == InterventionKind::Extend);
    for text in asked.filter_map(|done| done.text.as_deref()) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() {
            continue;
        }
        let named = named(session, &text);
        let new: Vec<Draft> = match named.is_empty() {
            true => fresh(session, question(&text), &[], &[]).into_iter().collect(),
            false => named.into_iter().filter_map(|id| amended(session, id, &text)).collect(),
        };
        for draft in new {
            let taken = |known: &Draft| known.title == draft.title && known.id == draft.id;
            if drafts.len() < MOST && !drafts.iter().any(taken) {
                drafts.push(draft);
            }
        }
    }
    drafts
}

/// The live artifacts that a text names and this session may change.
fn named(session: &Session, text: &str) -> Vec<ArtifactId> {
    let kinds = session.opening().register.as_ref().map(|register| register.kinds.as_slice()).unwrap_or_default();
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '-');
    let ids = words.filter_map(|word| word.to_ascii_uppercase().parse::<ArtifactId>().ok());
    let mut found: Vec<ArtifactId> = Vec::new();
    for id in ids.filter(|id| kinds.contains(&id.kind)) {
        let live = session.artifact(id).is_some_and(|holding| holding.status().is_live());
        if live && !found.contains(&id) {
            found.push(id);
        }
    }
    found
}

/// The artifact with what was asked added to its text, unless that was done before.
fn amended(session: &Session, id: ArtifactId, text: &str) -> Option<Draft> {
    let holding = session.artifact(id)?;
    let added = format!("{ASKED}{}", sentence(text));
    if holding.versions.iter().any(|version| version.artifact.text.contains(&added)) {
        return None;
    }
    let before = &holding.current().artifact;
    let text = format!("{} {added}", before.text.trim()).trim().to_owned();
    Some(Draft { title: before.title.clone(), id: Some(id), ..Draft::new(id.kind, "", text) })
}

fn question(text: &str) -> Draft {
    let title = match text.ends_with('?') {
        true => text.to_owned(),
        false => format!("How is this to be met: {}?", within(&titled(text))),
    };
    Draft::question(&title, &format!("{ASKED}{}", sentence(text)))
}

/// What a round made of it, in a sentence.
pub(super) fn account(drafts: &[Draft]) -> String {
    let changed: Vec<String> = drafts.iter().filter_map(|draft| draft.id).map(|id| id.to_string()).collect();
    let asked: Vec<&str> = drafts.iter().filter(|d| d.id.is_none()).map(|d| d.title.as_str()).collect();
    let mut said = Vec::new();
    if !changed.is_empty() {
        said.push(format!("A person asked for a change of {}.", listed(&changed, "and")));
    }
    if !asked.is_empty() {
        said.push(format!("From what a person asked stays open: {}", asked.join(" · ")));
    }
    said.join(" ")
}
