//! The rules on whole sessions, held to their end in memory: what a rich, a thin and an empty context lead to.

use s2s_catalog::Catalog;
use s2s_engine::artifact::{Artifact, ArtifactKind, ArtifactStatus, Change, Details, Priority, Register};
use s2s_engine::opening::{Coverage, Opening, Workflow};
use s2s_engine::reply::{Answer, Choice};
use s2s_engine::strategy::Asks;
use s2s_engine::{Session, has_word};
use s2s_models::Stop;

use super::super::test_table::{Held, hold, opening};

const SEATS: [&str; 4] = ["business-analyst", "product-manager", "qa-lead", "security-champion"];
pub(super) const RICH: &str = "# Parts desk\n\nAn order desk for garages that buy spare parts. Customers sign in with an account.\n\n\
    ## Objectives\n- Garages can order parts until 17:00 for the next day\n- Halve the time to add a supplier\n\n\
    ## Scope\n### In\n- Search the catalogue\n- Export invoices as CSV\n- Security review of the login\n### Out\n\
    - Payments, as a partner does them\n- Loyalty points (later)\n\n## Constraints\n\
    - Search answers within 300 ms for 95 % of requests\n- 99.9 % availability per month\n\
    - An order may not change once it has shipped\n- Data must stay in the EU\n- Two developers, deadline in 12 weeks\n";

pub(super) fn keeping(workflow: Workflow, strategy: &str, topic: &str, context: &str) -> Opening {
    let agenda = Catalog::builtin().agenda(workflow.as_str()).expect("loads").map(|entry| entry.value);
    let agenda = agenda.map(|agenda| agenda.strict_topics()).unwrap_or_default();
    let register = Register { kinds: ArtifactKind::of_workflow(workflow).to_vec(), ..Register::default() };
    Opening { workflow, agenda, register: Some(register), ..opening(topic, strategy, &SEATS, context) }
}

pub(super) fn made(session: &Session) -> Vec<&Artifact> {
    session.artifacts().filter(|holding| holding.is_own()).map(|holding| &holding.current().artifact).collect()
}

pub(super) fn of(session: &Session, kind: ArtifactKind) -> Vec<&Artifact> {
    made(session).into_iter().filter(|artifact| artifact.id.kind == kind).collect()
}

pub(super) fn titles(artifacts: &[&Artifact]) -> Vec<String> {
    artifacts.iter().map(|artifact| artifact.title.clone()).collect()
}

/// Whether every topic is covered, or lacks only what nobody could say.
fn is_through(session: &Session) -> bool {
    let no_topic_waits = (0..session.coverage().len()).all(|topic| !session.is_held_up_by(topic));
    no_topic_waits && !session.coverage().contains(&Coverage::Pending)
}

/// What holds for every session that keeps artifacts.
pub(super) fn sound(name: &str, held: &Held) {
    let session = &held.session;
    assert!(session.rounds().len() <= 12, "{name}: {} rounds", session.rounds().len());
    assert!(is_through(session), "{name}: {:?}", session.coverage());
    let mut titles: Vec<(ArtifactKind, String)> = Vec::new();
    for artifact in made(session) {
        assert!(artifact.missing().is_empty(), "{name}: {} lacks {:?}", artifact.id, artifact.missing());
        let title = (artifact.id.kind, artifact.title.to_lowercase());
        assert!(!artifact.title.is_empty() && !titles.contains(&title), "{name}: twice {title:?}");
        titles.push(title);
    }
    assert!(!titles.is_empty(), "{name} keeps nothing");
    for round in session.rounds() {
        assert!(round.doubts.is_empty(), "{name}: {:?}", round.doubts);
        assert!(round.artifacts.len() <= 12, "{name}");
    }
    let unlive: Vec<String> = session
        .artifacts()
        .filter(|holding| holding.status() == ArtifactStatus::Withdrawn)
        .map(|holding| holding.id().to_string())
        .collect();
    assert!(unlive.is_empty(), "{name}: voted down {unlive:?}");
    for (round, seat, response) in &held.responses {
        for text in std::iter::once(&response.position).chain(&response.concerns) {
            for word in &session.opening().settings.escalation.critical_keywords {
                assert!(!has_word(text, word), "{name}: {seat} in round {round}: {text}");
            }
        }
        assert!(response.confidence >= 0.5, "{name}: {seat} in round {round}");
    }
    for (kind, text, answer) in &held.replies {
        let read = crate::reading::read(*kind, text, Stop::End).expect("is read");
        assert_eq!(read.answer, *answer, "{name}: the reply is read as it was meant: {text}");
        assert!(read.doubts.is_empty(), "{name}: {:?}", read.doubts);
    }
}

#[test]
fn a_rich_context_gives_requirements_in_its_own_words() {
    let held = hold(keeping(Workflow::Specs, "consensus-driven", "Parts desk", RICH));
    sound("rich specs", &held);
    let session = &held.session;
    let functions = of(session, ArtifactKind::Req);
    let text = format!("{:#?}", titles(&made(session).to_vec()));
    for (kind, title) in [
        (ArtifactKind::Req, "Garages can order parts until 17:00 for the next day"),
        (ArtifactKind::Req, "Halve the time to add a supplier"),
        (ArtifactKind::Req, "Export invoices as CSV"),
        (ArtifactKind::Req, "The way of the garages from start to end"),
        (ArtifactKind::Nfr, "Search answers within 300 ms for 95 % of requests"),
        (ArtifactKind::Nfr, "99.9 % availability per month"),
        (ArtifactKind::Br, "An order may not change once it has shipped"),
        (ArtifactKind::Br, "Data must stay in the EU"),
        (ArtifactKind::Ex, "Payments"),
        (ArtifactKind::Ex, "Loyalty points"),
    ] {
        assert!(of(session, kind).iter().any(|artifact| artifact.title == title), "{kind} {title} in {text}");
    }
    let ordered = functions.iter().find(|artifact| artifact.title.starts_with("Garages can")).expect("kept");
    assert_eq!(ordered.details.priority, Some(Priority::Must));
    assert!(ordered.details.acceptance[0].starts_with("Given garages until 17:00"), "{:?}", ordered.details.acceptance);
    assert_eq!(ordered.proposed_by.len(), 1);
    let export = functions.iter().find(|artifact| artifact.title.starts_with("Export")).expect("kept");
    assert_eq!(export.details.priority, Some(Priority::Should));
    let fast = of(session, ArtifactKind::Nfr).into_iter().find(|artifact| artifact.title.starts_with("Search"));
    let details = &fast.expect("kept").details;
    assert_eq!(details.characteristic.as_deref(), Some("Performance efficiency"));
    assert_eq!(details.target.as_deref(), Some("within 300 ms for 95 % of requests"));
    assert_eq!(of(session, ArtifactKind::Ex)[0].details.reason.as_deref(), Some("A partner does them"));
    let questions = titles(&of(session, ArtifactKind::Oq));
    assert!(questions.iter().any(|title| title.contains("Which load is expected")), "{questions:#?}");
    assert!(!questions.iter().any(|title| title.starts_with("How fast must")), "a number is stated");
}

#[test]
fn what_a_seat_was_dealt_it_has_said() {
    let held = hold(keeping(Workflow::Specs, "consensus-driven", "Parts desk", RICH));
    for round in held.session.rounds() {
        for artifact in round.artifacts.iter().filter(|artifact| artifact.id.kind.is_claim()) {
            let [by] = artifact.proposed_by.as_slice() else { panic!("{artifact:?}") };
            let (_, _, said) =
                held.responses.iter().find(|(at, seat, _)| *at == round.number && **seat == **by).expect("answered");
            let told = format!("{} {}", said.position, said.rationale.join(" ")).to_lowercase();
            let words: Vec<&str> = artifact.title.split(' ').take(3).collect();
            assert!(told.contains(&words.join(" ").to_lowercase()), "{} in {told}", artifact.title);
            let topic = artifact.topic.as_deref().expect("a topic");
            let name = &held.session.opening().agenda.iter().find(|known| known.id == topic).expect("on it").name;
            assert!(told.contains(&name.to_lowercase()), "{name} in {told}");
        }
    }
}

#[test]
fn an_empty_context_gives_questions_and_nothing_made_up() {
    for strategy in ["consensus-driven", "standard", "debate", "disney", "six-hats"] {
        let held = hold(keeping(Workflow::Specs, strategy, "Parts desk", ""));
        sound(strategy, &held);
        let claims: Vec<&Artifact> =
            made(&held.session).into_iter().filter(|artifact| artifact.id.kind.is_claim()).collect();
        assert!(claims.is_empty(), "{strategy}: a name is no requirement: {:?}", titles(&claims));
        assert!(of(&held.session, ArtifactKind::Oq).len() > 10, "{strategy}");
        let said: String = held.session.rounds().iter().map(|round| round.synthesis.as_str()).collect();
        assert!(said.contains("only because the question is asked and stays open"), "{strategy}: {said}");
    }
}

pub(super) fn known(kind: ArtifactKind, number: u32, title: &str) -> Artifact {
    Artifact {
        id: s2s_engine::artifact::ArtifactId { kind, number },
        change: Change::Created,
        title: title.into(),
        text: String::new(),
        topic: None,
        details: Details {
            priority: Some(Priority::Must),
            acceptance: vec!["Given, when, then".into()],
            characteristic: Some("Reliability".into()),
            target: Some("1 s".into()),
            measure: Some("By a test".into()),
            ..Details::default()
        },
        serves: vec![],
        uses: vec![],
        superseded_by: None,
        conflict: None,
        proposed_by: vec![],
        point: None,
    }
}

pub(super) fn with_known(mut opening: Opening, artifacts: &[Artifact]) -> Opening {
    if let Some(register) = &mut opening.register {
        register.known = artifacts.to_vec();
    }
    opening
}

#[test]
fn a_design_serves_the_requirements_it_knows() {
    let wanted = [
        known(ArtifactKind::Req, 1, "Customers can cancel an order until it ships"),
        known(ArtifactKind::Req, 2, "Export invoices as CSV"),
        known(ArtifactKind::Req, 3, "Garages see the state of an order"),
    ];
    for (strategy, topic) in [
        ("debate", "Architecture of the parts desk"),
        ("standard", "Architecture of the parts desk"),
        ("consensus-driven", "Parts desk"),
        ("debate", "Monolith or microservices for the parts desk"),
        ("standard", "REST vs GraphQL for the public API"),
        ("consensus-driven", "Kafka or a job queue for telemetry"),
        ("six-hats", "REST vs GraphQL for the public API"),
    ] {
        let name = format!("{strategy}, {topic}");
        let held = hold(with_known(keeping(Workflow::Design, strategy, topic, RICH), &wanted));
        sound(&name, &held);
        let session = &held.session;
        let decisions = of(session, ArtifactKind::Arch);
        assert!(!decisions.is_empty(), "{name}: {:?}", titles(&made(session)));
        assert!(decisions.iter().all(|artifact| artifact.details.options.len() > 1 && !artifact.serves.is_empty()));
        let parts = of(session, ArtifactKind::Comp);
        assert_eq!(titles(&parts), ["Order", "Invoice"], "{name}");
        let served: Vec<String> = parts[0].serves.iter().map(ToString::to_string).collect();
        assert_eq!(served, ["REQ-001", "REQ-003"], "{name}");
        let ends = of(session, ArtifactKind::Int);
        assert!(ends.iter().any(|artifact| artifact.details.between == ["COMP-001", "Garages"]), "{name}: {ends:#?}");
    }
}

#[test]
fn a_design_of_nothing_stated_only_asks() {
    for strategy in ["debate", "standard", "consensus-driven", "disney", "six-hats"] {
        let held = hold(keeping(Workflow::Design, strategy, "Parts desk", ""));
        sound(strategy, &held);
        assert!(made(&held.session).iter().all(|artifact| artifact.id.kind == ArtifactKind::Oq), "{strategy}");
        assert!(of(&held.session, ArtifactKind::Oq).len() > 8, "{strategy}");
    }
}

#[test]
fn a_brainstorm_leaves_ideas_risks_and_what_helps() {
    for strategy in ["disney", "standard", "debate", "six-hats", "consensus-driven"] {
        for (topic, context) in [
            ("REST vs GraphQL for our public API", RICH),
            ("How do we make new garages stay", ""),
            ("How do we make new garages stay", RICH),
        ] {
            let name = format!("{strategy}, {topic}");
            let held = hold(keeping(Workflow::Brainstorm, strategy, topic, context));
            sound(&name, &held);
            let session = &held.session;
            for kind in [ArtifactKind::Idea, ArtifactKind::Risk, ArtifactKind::Mit] {
                assert!(!of(session, kind).is_empty(), "{name}: no {kind} in {:?}", titles(&made(session)));
            }
            for fix in of(session, ArtifactKind::Mit) {
                assert!(fix.serves.iter().all(|id| id.kind == ArtifactKind::Risk), "{name}: {fix:?}");
            }
        }
    }
}

#[test]
fn straight_from_the_context_everything_is_drawn_at_once() {
    for (workflow, topic, context) in [
        (Workflow::Specs, "Parts desk", RICH),
        (Workflow::Specs, "Parts desk", ""),
        (Workflow::Design, "Parts desk", RICH),
        (Workflow::Design, "REST vs GraphQL", RICH),
        (Workflow::Brainstorm, "Parts desk", RICH),
    ] {
        let mut opening = keeping(workflow, "standard", topic, context);
        opening.settings.limits.min_rounds = 1;
        opening.settings.limits.max_rounds = 1;
        opening.settings.method.phases[0].asks = Asks::None;
        // Nobody has to sit at such a table.
        opening.seats.clear();
        let held = hold(opening);
        let session = &held.session;
        assert_eq!(session.rounds().len(), 1, "{workflow}");
        assert!(is_through(session), "{workflow} {context}");
        let made = made(session);
        assert!((4..=40).contains(&made.len()), "{workflow}: {:?}", titles(&made));
        assert!(made.iter().all(|artifact| artifact.missing().is_empty() && artifact.proposed_by.is_empty()));
        assert!(session.rounds()[0].doubts.is_empty(), "{:?}", session.rounds()[0].doubts);
    }
}

#[test]
fn a_second_session_goes_on_from_what_is_known() {
    let first = hold(keeping(Workflow::Specs, "consensus-driven", "Parts desk", RICH));
    let mut known: Vec<Artifact> = made(&first.session).into_iter().cloned().collect();
    known.iter_mut().for_each(|artifact| artifact.point = None);
    let again = hold(with_known(keeping(Workflow::Specs, "consensus-driven", "Parts desk", RICH), &known));
    sound_again(&again, &[]);
    let changed =
        RICH.replace("- 99.9 % availability per month", "- 99.5 % availability per month\n- 500 orders per day");
    let again = hold(with_known(keeping(Workflow::Specs, "consensus-driven", "Parts desk", &changed), &known));
    sound_again(
        &again,
        &["500 orders per day", "99.5 % availability per month", "Which load is expected at the start"],
    );
}

/// What a second session makes or changes.
fn sound_again(held: &Held, expected: &[&str]) {
    let mut changed: Vec<&Artifact> = held.session.rounds().iter().flat_map(|round| &round.artifacts).collect();
    changed.sort_by(|a, b| a.title.cmp(&b.title));
    let titles: Vec<&str> = changed.iter().map(|artifact| artifact.title.as_str()).collect();
    let fits =
        titles.len() == expected.len() && titles.iter().zip(expected).all(|(title, start)| title.starts_with(start));
    assert!(fits, "{titles:?} instead of {expected:?}");
    assert!(held.session.coverage().iter().all(|coverage| *coverage == Coverage::Covered));
}

#[test]
fn ideas_of_a_brainstorm_become_functions_that_could_be_built() {
    let ideas = [
        known(ArtifactKind::Idea, 1, "Show garages what others bought"),
        known(ArtifactKind::Idea, 2, "Leave it as it is"),
        known(ArtifactKind::Idea, 3, "GraphQL"),
    ];
    let held = hold(with_known(keeping(Workflow::Specs, "standard", "Parts desk", ""), &ideas));
    sound("from ideas", &held);
    let functions = of(&held.session, ArtifactKind::Req);
    assert_eq!(titles(&functions), ["Show garages what others bought"]);
    assert_eq!(
        (functions[0].details.priority, functions[0].serves.as_slice()),
        (Some(Priority::Could), &[ideas[0].id][..])
    );
}

#[test]
fn nobody_blocks_what_only_lies_outside_the_field() {
    let held = hold(keeping(Workflow::Specs, "standard", "Parts desk", RICH));
    let votes: Vec<Choice> =
        held.responses.iter().flat_map(|(_, _, response)| response.votes.values().map(|vote| vote.choice)).collect();
    let count = |choice: Choice| votes.iter().filter(|vote| **vote == choice).count();
    assert!(count(Choice::Support) > count(Choice::StandAside) && count(Choice::Block) == 0, "{votes:?}");
    assert!(count(Choice::StandAside) > 0, "some stand aside");
}

#[test]
fn a_session_without_a_register_is_answered_as_before() {
    let mut bare = keeping(Workflow::Specs, "standard", "Parts desk", RICH);
    bare.register = None;
    bare.agenda.iter_mut().for_each(|topic| (topic.least, topic.criteria) = (0, 0));
    let held = hold(bare);
    for (_, text, answer) in &held.replies {
        assert!(!text.contains("artifacts:") && !text.contains("met:"), "{text}");
        if let Answer::Synthesis(synthesis) = answer {
            assert!(synthesis.artifacts.is_empty());
        }
    }
}
