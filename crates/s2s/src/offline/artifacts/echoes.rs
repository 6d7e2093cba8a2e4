//! What only repeats a line of the context: ideas that a brainstorm drew from it, and requirements that follow it.
//! Given the desk and the drafts of a topic; hands on drafts that refer to the ideas they share words with, functions
//! from the ideas that say something of their own, and questions about lines that are gone. Deliberately absent:
//! what a line becomes.

use s2s_engine::artifact::{Artifact, ArtifactKind, Details, Priority};

use super::Desk;
use super::checks::{acceptance, reason};
use super::draft::{Draft, SAME_THING, same_text, stated_part, titled};
use super::marks::{likeness, names_all_of, technology};
use super::plan::Plan;
use super::storm::is_buildable;
use super::story::{Item, Section};
use super::wishes::kind_of;

const WANTED: [ArtifactKind; 4] = [ArtifactKind::Req, ArtifactKind::Br, ArtifactKind::Nfr, ArtifactKind::Ex];

/// The line of a context that an artifact repeats and says no more than.
fn line(artifact: &Artifact) -> Option<&str> {
    let line = stated_part(&artifact.text).0.trim();
    let title = same_text(&artifact.title);
    let called = match artifact.id.kind {
        ArtifactKind::Ex => titled(&reason(line).0),
        _ => titled(line),
    };
    let called = same_text(&called);
    // A later brainstorm puts its topic behind a title that is taken.
    let of_a_topic = artifact.id.kind == ArtifactKind::Idea && title.starts_with(&format!("{called} ("));
    let same = title == called || title == same_text(line) || of_a_topic;
    // An idea from a line is weighed by where the line stands; what it takes, nobody has said.
    let weighed = artifact.details.impact.is_some() && artifact.details.effort.is_none();
    (!line.is_empty() && same && (artifact.id.kind != ArtifactKind::Idea || weighed)).then_some(line)
}

/// Whether two statements say one thing, whatever their figures.
fn alike(one: &str, other: &str) -> bool {
    same_text(one) == same_text(other) || likeness(one, other) >= SAME_THING
}

/// The draft with the ideas it shares its words with, so that an idea can be followed to what became of it.
pub(super) fn linked(desk: &Desk<'_>, mut draft: Draft) -> Draft {
    let stated = draft.from.clone().unwrap_or_else(|| draft.title.clone());
    let same = |text: &str| same_text(text) == same_text(&stated);
    for idea in desk.live(&[ArtifactKind::Idea]) {
        let said = line(idea).unwrap_or(&idea.title);
        let elsewhere = || desk.story.items.iter().any(|item| same_text(&item.text) == same_text(said));
        if same(said) || (alike(said, &stated) && !elsewhere()) {
            draft.serves.push(idea.id.to_string());
        }
    }
    draft
}

/// Functions from the ideas that the project has kept, each once: not what a line of a context said, not what is
/// wanted or known in other words, and nothing that is left out.
pub(super) fn ideas(desk: &Desk<'_>, plan: &mut Plan) {
    let kept = desk.live(&[ArtifactKind::Idea]);
    let repeats = |idea: &Artifact| {
        let before =
            idea.title.rsplit_once(" (").filter(|_| idea.title.ends_with(')')).map(|(head, _)| same_text(head));
        before.is_some_and(|head| kept.iter().any(|other| same_text(&other.title) == head))
    };
    for idea in &kept {
        // An idea that only names a technology says how, not what.
        let words = idea.title.split_whitespace().count();
        let buildable = words > 2 && is_buildable(idea) && technology(&idea.title).is_none();
        if !buildable || line(idea).is_some() || repeats(idea) || is_spoken_for(desk, idea) {
            continue;
        }
        if let Some(claim) = plan.claims.iter_mut().find(|claim| alike(&claim.title, &idea.title)) {
            let id = idea.id.to_string();
            if !claim.serves.contains(&id) {
                claim.serves.push(id);
            }
            continue;
        }
        let details =
            Details { priority: Some(Priority::Could), acceptance: acceptance(&idea.title), ..Details::default() };
        let text = format!("Kept as {} before.", idea.id);
        let draft = Draft::new(ArtifactKind::Req, &idea.title, text).with(details).resting_on(&idea.title);
        plan.claim(Draft { serves: vec![idea.id.to_string()], ..draft });
    }
}

/// Whether the context or a known artifact has what an idea says, as wanted or as left out.
fn is_spoken_for(desk: &Desk<'_>, idea: &Artifact) -> bool {
    let stated = desk.story.items.iter().filter(|item| kind_of(item).is_some()).any(|item| {
        let left_out = item.section == Section::Out && names_all_of(&idea.title, &reason(&item.text).0);
        left_out || alike(&idea.title, &item.text)
    });
    let known = desk.live(&WANTED).into_iter().filter(|known| !known.serves.contains(&idea.id));
    stated
        || known.into_iter().any(|known| {
            let left_out = known.id.kind == ArtifactKind::Ex && names_all_of(&idea.title, &known.title);
            left_out || alike(&idea.title, &known.title)
        })
}

/// Asks about every artifact of the project whose line has gone from the context.
pub(super) fn gone(desk: &Desk<'_>, plan: &mut Plan, kind: ArtifactKind) {
    let lines: Vec<&Item> = desk.story.items.iter().filter(|item| kind_of(item).is_some()).collect();
    // A session that was given no context says nothing about it.
    if lines.is_empty() {
        return;
    }
    let before = desk.session.artifacts().filter(|holding| !holding.is_own() && holding.status().is_live());
    let before = before.map(|holding| &holding.current().artifact).filter(|artifact| artifact.id.kind == kind);
    for artifact in before {
        let Some(line) = line(artifact) else { continue };
        let still = lines.iter().find(|item| speaks_of(item, artifact, line)).map(|item| item.text.as_str());
        let question = format!("{} \"{}\" is not in CONTEXT.md any more: withdraw it?", artifact.id, artifact.title);
        let why = format!("It was drawn from a line that the context does not hold now: \"{line}\"");
        plan.ask_unless(still, &question, &why);
    }
}

/// Whether a line is about an artifact, be it on the other side of the scope: that is asked as a contradiction.
fn speaks_of(item: &Item, artifact: &Artifact, line: &str) -> bool {
    let out = item.section == Section::Out;
    let moved = match artifact.id.kind {
        ArtifactKind::Ex => !out && names_all_of(&item.text, &artifact.title),
        _ => out && names_all_of(&artifact.title, &reason(&item.text).0),
    };
    moved || alike(&item.text, line)
}
