//! What trials of whole projects found: each test is named after what went wrong there.

use s2s_engine::artifact::{Artifact, ArtifactKind, ArtifactStatus, Change};
use s2s_engine::opening::{Coverage, Opening, Workflow};
use s2s_engine::record::{Intervention, InterventionKind, OutcomeStatus};
use s2s_engine::reply::Synthesis;
use s2s_engine::strategy::Asks;
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
fn six_of_many_open_questions_looked_like_all_of_them() {
    let held = hold(keeping(Workflow::Specs, "consensus-driven", "Parts desk", "# Parts\n"));
    let advice = held.session.outcome().and_then(|outcome| outcome.recommendation.clone()).expect("ended");
    let open = of(&held.session, ArtifactKind::Oq).len();
    assert!(open > 7, "{advice}");
    assert!(advice.contains(" (6) ") && !advice.contains(" (7) "), "{advice}");
    assert!(advice.ends_with(&format!(" … and {} more", super::super::words::counted(open - 6))), "{advice}");
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
    let desk = Desk::new(&session, &[], &[], &[]);
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

/// What a session leaves to the next one.
pub(super) fn left_by(held: &Held) -> Vec<Artifact> {
    let live = held.session.artifacts().filter(|holding| holding.status().is_live());
    live.map(|holding| Artifact { point: None, ..holding.current().artifact.clone() }).collect()
}

pub(super) fn merged(context: &str, known: &[Artifact]) -> Held {
    hold(with_known(keeping(Workflow::Specs, "consensus-driven", "Parts desk", context), known))
}

/// Nobody is asked: the facilitator works straight from the context.
fn alone(mut opening: Opening) -> Opening {
    (opening.settings.limits.min_rounds, opening.settings.limits.max_rounds) = (1, 1);
    opening.settings.method.phases.truncate(1);
    opening.settings.method.phases[0].asks = Asks::None;
    opening.seats.clear();
    opening
}

#[test]
fn a_changed_figure_became_a_second_requirement() {
    let before = "## Objectives\n- Garages can order parts until 17:00\n- Search answers within 500 ms\n\
        - Every order of a garage is confirmed by mail, with its number, its parts and the day of delivery, within 5 minutes\n\
        ## Constraints\n- A tool may not be lent for more than 14 days\n- Pages open in < 900 ms\n";
    let first = merged(before, &[]);
    let after = before
        .replace("within 500 ms", "in under 200 ms")
        .replace("5 minutes", "2 minutes")
        .replace("14 days", "21 days")
        .replace("until 17:00", "until 18:00");
    let second = merged(&after, &left_by(&first));
    let changes: Vec<&Artifact> = second.session.rounds().iter().flat_map(|round| &round.artifacts).collect();
    let made: Vec<&&Artifact> = changes.iter().filter(|artifact| artifact.change == Change::Created).collect();
    assert!(made.is_empty(), "{made:#?}");
    for new in ["in under 200 ms", "2 minutes", "21 days", "18:00"] {
        let amended =
            changes.iter().find(|artifact| artifact.text.contains(new) && !artifact.title.starts_with("The way"));
        let amended = amended.unwrap_or_else(|| panic!("{new} in {changes:#?}"));
        assert_eq!(second.session.artifact(amended.id).expect("kept").status(), ArtifactStatus::Amended, "{new}");
    }
    let said: String = second.session.rounds().iter().map(|round| round.synthesis.as_str()).collect();
    assert!(!said.contains("stand as they are"), "{said}");
    let fast = changes.iter().find(|artifact| artifact.id.kind == ArtifactKind::Nfr).expect("amended");
    assert_eq!(fast.details.target.as_deref(), Some("under 200 ms"));
    assert_eq!(status(&second), (OutcomeStatus::Accepted, vec![]));
}

#[test]
fn a_requirement_and_its_exclusion_stood_side_by_side() {
    let before = "## Scope\n### In\n- Take payments by card\n- Search the catalogue\n### Out\n- Loyalty points\n";
    let first = merged(before, &[]);
    let after = "## Scope\n### In\n- Search the catalogue\n- Collect loyalty points\n### Out\n- Payments, as a partner does them\n";
    let second = merged(after, &left_by(&first));
    let asked: Vec<&Artifact> =
        of(&second.session, ArtifactKind::Oq).into_iter().filter(|asked| asked.title.contains("in or out")).collect();
    for (title, ids) in
        [("take payments by card", ["REQ-001", "EX-002"]), ("collect loyalty points", ["REQ-003", "EX-001"])]
    {
        let question = asked.iter().find(|asked| asked.title.contains(title));
        let text = &question.unwrap_or_else(|| panic!("{title} in {asked:#?}")).text;
        assert!(ids.iter().all(|id| text.contains(id)), "{text}");
        for id in ids {
            assert!(second.session.artifact(id.parse().expect("an id")).is_some(), "{id}");
        }
    }
    // Straight from the context both are new, and named by the ids that they are given.
    let both = "## Scope\n### In\n- Search\n- Payments by card\n### Out\n- Payments\n";
    let direct = hold(alone(keeping(Workflow::Specs, "standard", "Parts desk", both)));
    let asked = of(&direct.session, ArtifactKind::Oq);
    let question = asked.iter().find(|asked| asked.title == "Is this in or out: payments by card?").expect("asked");
    assert!(
        question.text.starts_with("REQ-002 asks for it, and EX-001 leaves it out: \"Payments\"."),
        "{}",
        question.text
    );
}

/// A context of so many wishes, no two alike.
fn many(wishes: usize) -> String {
    let lines = (0..wishes).map(|at| format!("- Garages can order part{at} of shelf{at}\n"));
    format!("## Objectives\n{}", lines.collect::<String>())
}

/// The wishes that no artifact quotes.
fn lost(session: &Session, wishes: usize) -> Vec<usize> {
    let told: String = made(session).iter().map(|artifact| format!("{} {}\n", artifact.title, artifact.text)).collect();
    (0..wishes).filter(|at| !told.contains(&format!("part{at} of shelf{at}"))).collect()
}

#[test]
fn statements_beyond_the_limit_were_dropped() {
    for wishes in [30, 99, 150] {
        let held = hold(alone(keeping(Workflow::Specs, "standard", "Parts desk", &many(wishes))));
        assert_eq!(lost(&held.session, wishes), [0; 0], "of {wishes}");
        assert!(held.session.rounds()[0].doubts.is_empty(), "{:?}", held.session.rounds()[0].doubts);
    }
    for (strategy, wishes, rounds) in [("standard", 40, 20), ("standard", 40, 3), ("consensus-driven", 110, 20)] {
        let name = format!("{strategy}, {wishes} in {rounds}");
        let mut opening = keeping(Workflow::Specs, strategy, "Parts desk", &many(wishes));
        opening.settings.limits.max_rounds = rounds;
        let held = hold(opening);
        assert_eq!(lost(&held.session, wishes), [0; 0], "{name}");
        assert!(held.session.rounds().iter().all(|round| round.doubts.is_empty()), "{name}");
        let reached = of(&held.session, ArtifactKind::Req).len();
        assert!(wishes > 60 || rounds < 20 || reached > wishes, "{name}: {reached} became requirements");
    }
}

#[test]
fn a_new_design_served_superseded_requirements() {
    let wanted = |from: u32| {
        ["Customers can cancel an order until it ships", "Garages see the state of an order"]
            .iter()
            .zip(from..)
            .map(|(title, number)| known(ArtifactKind::Req, number, title))
            .collect::<Vec<_>>()
    };
    let old = [wanted(1), vec![known(ArtifactKind::Req, 3, "Export invoices as CSV")]].concat();
    let design = |known: &[Artifact]| {
        let opening = keeping(Workflow::Design, "debate", "Architecture of the parts desk", RICH);
        hold(with_known(opening, known))
    };
    let first = design(&old);
    let kept: Vec<Artifact> =
        left_by(&first).into_iter().filter(|artifact| artifact.id.kind != ArtifactKind::Req).collect();
    assert!(kept.iter().any(|artifact| !artifact.serves.is_empty()));
    // Requirements were replaced: the same wishes have other numbers, and one is gone.
    let second = design(&[wanted(11), kept].concat());
    for holding in second.session.artifacts().filter(|holding| holding.status().is_live()) {
        let artifact = &holding.current().artifact;
        let gone: Vec<String> = artifact
            .serves
            .iter()
            .filter(|id| id.kind == ArtifactKind::Req && id.number < 11)
            .map(ToString::to_string)
            .collect();
        let asked = format!("What is {} there for now", artifact.id);
        let asked = of(&second.session, ArtifactKind::Oq).iter().any(|question| question.title.starts_with(&asked));
        assert!(gone.is_empty() || asked, "{} \"{}\" serves {gone:?}", artifact.id, artifact.title);
    }
    let order = second.session.artifacts().find(|holding| holding.current().artifact.title == "Order").expect("kept");
    let served: Vec<String> = order.current().artifact.serves.iter().map(ToString::to_string).collect();
    assert_eq!((order.status(), served), (ArtifactStatus::Amended, vec!["REQ-011".to_owned(), "REQ-012".to_owned()]));
}

#[test]
fn a_merge_with_nothing_new_took_eight_rounds_and_was_only_proposed() {
    let first = merged(RICH, &[]);
    let again = merged(RICH, &left_by(&first));
    let rounds = again.session.rounds();
    assert!(rounds.len() <= 4, "{} rounds", rounds.len());
    assert!(rounds.iter().all(|round| round.artifacts.is_empty() && round.doubts.is_empty()));
    assert!(again.session.coverage().iter().all(|coverage| *coverage == Coverage::Covered));
    assert_eq!(status(&again), (OutcomeStatus::Accepted, vec![]));
    let outcome = again.session.outcome().expect("ended");
    assert!(outcome.consensus[0].contains("The requirements stand as they are"), "{:?}", outcome.consensus);
    assert!(rounds[0].synthesis.starts_with("Nothing new is stated. The requirements stand as they are"));
}

#[test]
fn open_questions_of_a_thin_context_covered_its_topics() {
    let held =
        hold(keeping(Workflow::Specs, "consensus-driven", "Parts desk", "## Objectives\n- Garages can order parts\n"));
    sound("thin", &held);
    let topic = held.session.opening().agenda.iter().position(|topic| topic.id == "nfr-measurable").expect("on it");
    assert_eq!(held.session.coverage()[topic], Coverage::Partial);
    let (status, reasons) = status(&held);
    assert_eq!(status, OutcomeStatus::Proposed);
    assert!(reasons.contains(&"Topic \"Measurable qualities\" has only open questions".to_owned()), "{reasons:?}");
    let last = held.session.rounds().last().expect("held").decision.because[0].text.clone();
    assert!(last.contains("still open: "), "{last}");
}
