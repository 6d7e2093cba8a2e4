//! The synthesis of a session that keeps artifacts: what is kept, what is asked, what that does for the agenda.
//! Given the synthesis as the panel would give it anyway; hands on the same with artifacts, criteria and an account
//! of both. A point that is kept as an artifact is not claimed a second time. Deliberately absent: the rules.

use s2s_engine::MOST_PROPOSALS;
use s2s_engine::artifact::ArtifactId;
use s2s_engine::opening::Workflow;
use s2s_engine::reply::{Action, Synthesis};

use super::super::claims::{FIND_OUT, LEAVE_OUT};
use super::super::sum::next_action;
use super::super::words::{counted, listed, opening_with};
use super::Desk;
use super::draft::{Draft, fresh, same_text};
use super::pick::Picked;

const NO_PLAYBOOK: &str = "No playbook covers this subject: what is kept rests on the topic, the context, what is known \
                           and the roles' own questions.";
/// Open questions that the recommendation repeats.
const MOST_LISTED: usize = 6;

/// The synthesis with its artifacts.
pub(super) fn synthesis(desk: &Desk<'_>, mut synthesis: Synthesis) -> Synthesis {
    let mut picked = Picked::of(desk);
    questions_from_points(desk, &mut synthesis, &mut picked);
    let stands = desk.stands().filter(|_| picked.is_nothing_new() && !picked.focus.is_empty());
    let kept = |text: &str| {
        let same = |other: &str| same_text(other) == same_text(text);
        let held = desk.session.artifacts().flat_map(|holding| &holding.versions);
        picked.claims.iter().any(|draft| same(&draft.text) || same(&draft.title))
            || held.map(|version| &version.artifact).any(|artifact| same(&artifact.text) || same(&artifact.title))
    };
    synthesis.consensus.retain(|text| !kept(text));
    synthesis.consensus.extend(stands.clone());
    let claims = (0..picked.claims.len()).map(|at| picked.claims[at].proposal(&picked.carriers(desk, at)));
    let questions = picked.refined.iter().chain(&picked.questions).map(|draft| draft.proposal(&[]));
    synthesis.artifacts = claims.chain(questions).collect();
    synthesis.agenda_coverage.clone_from(&picked.coverage);
    synthesis.next_action = match desk.is_direct() {
        true => Action::Conclude,
        false => {
            let open = desk.session.open_conflicts().count() > synthesis.resolved.len();
            next_action(desk.session, desk.in_last_phase(), open || !synthesis.conflicts.is_empty(), &picked.coverage)
        }
    };
    if synthesis.next_action == Action::Conclude {
        synthesis.next_focus = None;
    }
    let base = std::mem::take(&mut synthesis.synthesis);
    let base = match (desk.table, desk.session.rounds()) {
        (Some(_), _) => base,
        (None, []) => NO_PLAYBOOK.to_owned(),
        (None, _) => String::new(),
    };
    let account = stands.map_or_else(|| account(desk, &picked), |stands| format!("Nothing new is stated. {stands}"));
    let said = [super::refine::account(&picked.refined), account, base];
    synthesis.synthesis = said.iter().filter(|text| !text.is_empty()).cloned().collect::<Vec<_>>().join(" ");
    if desk.table.is_none() {
        synthesis.recommendation = Some(advice(desk, &picked));
    }
    synthesis
}

/// "Find out before building" is an open question here, and an option that is left out is an exclusion.
fn questions_from_points(desk: &Desk<'_>, synthesis: &mut Synthesis, picked: &mut Picked) {
    let topic = picked.focus.first().and_then(|(name, _)| {
        desk.session.opening().agenda.iter().find(|topic| topic.name == *name).map(|topic| topic.id.clone())
    });
    let specs = desk.session.opening().workflow == Workflow::Specs;
    synthesis.consensus.retain(|text| {
        let Some(unknown) = text.strip_prefix(FIND_OUT) else { return !(specs && text.starts_with(LEAVE_OUT)) };
        let question = format!("{}?", opening_with(unknown.trim_end_matches(['.', '?'])));
        let draft = Draft { topic: topic.clone(), ..Draft::question(&question, "To be found out before building.") };
        if picked.claims.len() + picked.questions.len() + picked.refined.len() < MOST_PROPOSALS {
            picked.questions.extend(fresh(desk.session, draft, &[], &[]));
        }
        false
    });
}

/// What the round kept and asked, and which criteria that leaves met by asking only.
fn account(desk: &Desk<'_>, picked: &Picked) -> String {
    let mut said: Vec<String> = Vec::new();
    let names: Vec<&str> = picked.focus.iter().map(|(name, _)| name.as_str()).collect();
    let on = match names.as_slice() {
        [] => String::new(),
        names => format!("On {}: ", listed(names, "and")),
    };
    match picked.claims.as_slice() {
        [] if on.is_empty() && picked.questions.is_empty() => return standing(desk),
        [] if on.is_empty() => {}
        [] if picked.questions.is_empty() => said.push(format!("{on}nothing new is stated.")),
        [] => said.push(format!("{on}nothing is stated that could be kept.")),
        claims if desk.is_direct() => said.push(format!("{on}{} straight from the context.", tally(claims))),
        claims => said.push(format!("{on}{} put to the vote.", tally(claims))),
    }
    let open: Vec<&str> =
        picked.questions.iter().filter(|draft| draft.id.is_none()).map(|draft| draft.title.as_str()).collect();
    if !open.is_empty() {
        said.push(format!("Not stated, so asked: {}", open.join(" · ")));
    }
    for (name, asked) in picked.focus.iter().filter(|(_, asked)| !asked.is_empty()) {
        let numbers: Vec<String> = asked.iter().map(ToString::to_string).collect();
        let (word, count) = if asked.len() == 1 { ("Criterion", "counts") } else { ("Criteria", "count") };
        said.push(format!(
            "{word} {} of \"{name}\" {count} as met only because the question is asked and stays open.",
            listed(&numbers, "and")
        ));
    }
    if picked.left > 0 {
        said.push(format!("{} more did not fit into this round and come next.", opening_with(&counted(picked.left))));
    }
    if picked.unreached > 0 {
        let many = opening_with(&counted(picked.unreached));
        said.push(format!("{many} stated and not reached: quoted in an open question, so that nothing is lost."));
    }
    said.join(" ")
}

/// Where nothing new is kept: what there is.
fn standing(desk: &Desk<'_>) -> String {
    let (kept, open) = (desk.kept().count(), desk.open().count());
    format!("Nothing new is kept. Artifacts that stand so far: {kept}; open questions: {open}.")
}

/// "2 REQ and 1 NFR".
fn tally(claims: &[Draft]) -> String {
    let mut kinds: Vec<(&str, usize)> = Vec::new();
    for draft in claims {
        match kinds.iter_mut().find(|(kind, _)| *kind == draft.kind.as_str()) {
            Some((_, count)) => *count += 1,
            None => kinds.push((draft.kind.as_str(), 1)),
        }
    }
    let parts: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    listed(&parts, "and")
}

/// What to do with all that was kept.
fn advice(desk: &Desk<'_>, picked: &Picked) -> String {
    let kept = desk.kept().count() + picked.claims.iter().filter(|draft| draft.id.is_none()).count();
    let answered = |id: ArtifactId| picked.questions.iter().any(|draft| draft.id == Some(id));
    let held = desk.open().filter(|artifact| !answered(artifact.id)).map(|artifact| artifact.title.clone());
    let new = picked.questions.iter().filter(|draft| draft.id.is_none()).map(|draft| draft.title.clone());
    let open: Vec<String> = held.chain(new).collect();
    let kept = match kept {
        0 => "Nothing is stated that could be kept yet.".to_owned(),
        1 => "Take the one artifact as a draft that rests on what was stated.".to_owned(),
        many => format!("Take the {} artifacts as a draft that rests on what was stated.", counted(many)),
    };
    let numbered = open.iter().take(MOST_LISTED).enumerate().map(|(at, question)| format!("({}) {question}", at + 1));
    let more = match open.len().saturating_sub(MOST_LISTED) {
        0 => String::new(),
        rest => format!(" … and {} more", counted(rest)),
    };
    match open.len() {
        0 => kept,
        count => format!(
            "{kept} Answer the open questions, {} in all, before anything is built: {}{more}",
            counted(count),
            numbered.collect::<Vec<_>>().join(" ")
        ),
    }
}
