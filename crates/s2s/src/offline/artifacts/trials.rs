//! What trials of whole projects found: each test is named after what went wrong there.

use s2s_engine::artifact::{Artifact, ArtifactKind};
use s2s_engine::opening::Workflow;
use s2s_engine::record::{Intervention, InterventionKind, OutcomeStatus};
use s2s_engine::reply::Synthesis;
use s2s_engine::{Past, Session};

use super::super::test_table::{Held, hold};
use super::tests::{RICH, keeping, known, made, of, sound, titles, with_known};
use super::{Desk, sum};

fn status(held: &Held) -> (OutcomeStatus, Vec<String>) {
    let outcome = held.session.outcome().expect("ended");
    (outcome.status, outcome.reasons.clone())
}

#[test]
fn an_empty_context_made_a_requirement_of_the_folders_name() {
    for (workflow, strategy, topic) in [
        (Workflow::Specs, "consensus-driven", "Requirements for Emp2"),
        (Workflow::Specs, "standard", "Requirements for the Emp2 order desk"),
        (Workflow::Design, "debate", "Architecture of Emp2"),
    ] {
        let held = hold(keeping(workflow, strategy, topic, "# Emp2\n"));
        sound(topic, &held);
        let made = made(&held.session);
        assert!(made.iter().all(|artifact| artifact.id.kind == ArtifactKind::Oq), "{topic}: {:?}", titles(&made));
        assert_eq!(status(&held).0, OutcomeStatus::Proposed, "{topic}");
    }
    let held = hold(keeping(Workflow::Specs, "standard", "Garages can send parts back", ""));
    assert_eq!(titles(&of(&held.session, ArtifactKind::Req)), ["Garages can send parts back"]);
}

#[test]
fn a_topic_with_only_questions_was_accepted() {
    let wishes = "## Objectives\n- Garages can order parts until 17:00\n- Garages can send parts back\n";
    let held = hold(keeping(Workflow::Specs, "consensus-driven", "Parts desk", wishes));
    sound("no number", &held);
    let (status, reasons) = status(&held);
    assert_eq!(status, OutcomeStatus::Proposed);
    assert!(reasons.iter().any(|reason| reason.ends_with("has only open questions")), "{reasons:?}");
}

#[test]
fn lines_of_the_parent_session_became_open_questions() {
    let context = "## Objectives\n- Garages can order parts\n\nAttached: `session 20260102-030405-x`\n\n~~~\nTopic: Parts\n\
        Agreed:\n- C3.2: MIT-001 Ask first: who pays for it?\nWhat it left:\n- OQ-001 Who runs the desk?\n~~~\n";
    let asked = [known(ArtifactKind::Oq, 1, "Which load is expected at the start, and in two years?")];
    let held = hold(with_known(keeping(Workflow::Specs, "standard", "Parts desk", context), &asked));
    let questions = titles(&of(&held.session, ArtifactKind::Oq));
    let junk = |title: &String| title.contains("MIT-001") || title.contains("OQ-001") || *title == asked[0].title;
    assert!(!questions.iter().any(junk), "{questions:#?}");
}

#[test]
fn a_question_as_topic_became_an_idea_and_then_a_requirement() {
    let topic = "How could partners see their orders";
    let held = hold(keeping(Workflow::Brainstorm, "disney", topic, ""));
    let ideas = of(&held.session, ArtifactKind::Idea);
    assert!(!ideas.is_empty() && !titles(&ideas).contains(&topic.to_owned()), "{:?}", titles(&ideas));
    let stated = hold(keeping(Workflow::Brainstorm, "disney", "Partners see their orders", ""));
    let mut kept: Vec<Artifact> = of(&stated.session, ArtifactKind::Idea).into_iter().cloned().collect();
    assert!(kept.iter().any(|idea| idea.title == "Partners see their orders"));
    kept.push(known(ArtifactKind::Idea, 90, topic));
    kept.iter_mut().for_each(|artifact| artifact.point = None);
    let specs = hold(with_known(keeping(Workflow::Specs, "standard", "Parts desk", ""), &kept));
    assert_eq!(titles(&of(&specs.session, ArtifactKind::Req)), [""; 0]);
}

#[test]
fn a_persons_refinement_became_a_requirement_of_a_seat() {
    let opening = keeping(Workflow::Specs, "standard", "Parts desk", RICH);
    let rounds = hold(opening.clone()).session.rounds().to_vec();
    let after_round = rounds.len() as u32;
    let more = |text: &str| Intervention {
        at: jiff::Timestamp::UNIX_EPOCH,
        after_round,
        kind: InterventionKind::Extend,
        text: Some(text.to_owned()),
        by: Some("person".into()),
        rounds: Some(1),
    };
    let interventions = vec![more("REQ-001 should mention webhooks"), more("Name the costs")];
    let session = Session::fold(opening, Past { rounds, interventions, ..Past::default() });
    let desk = Desk::new(&session, None, &[], &[]);
    let proposed = sum::synthesis(&desk, Synthesis::default()).artifacts;
    let before = &session.artifact("REQ-001".parse().expect("an id")).expect("kept").current().artifact;
    assert_eq!((proposed[0].id.as_deref(), &proposed[0].title), (Some("REQ-001"), &before.title));
    assert_eq!(proposed[0].text, format!("{} A person asked: REQ-001 should mention webhooks.", before.text));
    assert_eq!(
        (proposed[1].kind.as_deref(), proposed[1].title.as_str()),
        (Some("OQ"), "How is this to be met: name the costs?")
    );
    assert!(proposed[..2].iter().all(|one| one.proposed_by.is_empty()), "{proposed:?}");
    assert!(!proposed[2..].iter().any(|one| one.title.contains("webhooks") || one.title.contains("costs")));
}

#[test]
fn a_later_brainstorm_kept_nothing() {
    let first = hold(keeping(Workflow::Brainstorm, "disney", "How do we make new garages stay", ""));
    let mut before: Vec<Artifact> = made(&first.session).into_iter().cloned().collect();
    before.iter_mut().for_each(|artifact| artifact.point = None);
    let later = hold(with_known(keeping(Workflow::Brainstorm, "disney", "How do we ship faster", ""), &before));
    sound("later", &later);
    for kind in [ArtifactKind::Idea, ArtifactKind::Risk, ArtifactKind::Mit] {
        let count = |held: &Held| of(&held.session, kind).len();
        assert_eq!(count(&later), count(&first), "{kind}: {:?}", titles(&of(&later.session, kind)));
    }
    assert!(
        later
            .session
            .rounds()
            .iter()
            .flat_map(|round| &round.artifacts)
            .all(|new| !before.iter().any(|old| old.id == new.id))
    );
}

#[test]
fn the_text_of_a_statement_was_a_filler() {
    let held = hold(keeping(Workflow::Specs, "consensus-driven", "Parts desk", RICH));
    let made = made(&held.session);
    assert!(made.iter().all(|artifact| !artifact.text.contains("The context states this")));
    let export = made.iter().find(|artifact| artifact.title == "Export invoices as CSV").expect("kept");
    assert_eq!(export.text, "Export invoices as CSV.");
}
