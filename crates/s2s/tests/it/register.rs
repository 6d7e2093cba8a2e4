//! Tracing over sessions on disk: origin, amendments, links both ways, chains, the index, and what cannot be traced.

use expect_test::expect;
use s2s::engine::artifact::{Artifact, ArtifactStatus, Change};
use s2s::engine::opening::Workflow;
use s2s::register::{Chain, Index, Links, ProjectRegister, TaskLink, Trace, TracedArtifact, trace};
use s2s::store::Sessions;

use super::made::{artifact, carrying, complete, id, keep, opening, points, proposing, register, started, two_rounds};

const IDEAS: &str = "20260102-030405-ideas";
const SPECS: &str = "20260103-030405-specs";
const DESIGN: &str = "20260104-030405-design";
const AGAIN: &str = "20260105-030405-specs-again";

/// Ideas, requirements for one of them, a design for one of those, and specs again that amend one and supersede one.
pub fn project(sessions: &Sessions) {
    let ideas = vec![artifact("IDEA-001", &[]), artifact("RISK-001", &[])];
    let first = opening(IDEAS, Workflow::Brainstorm, Some(register(Workflow::Brainstorm, vec![])), None);
    keep(sessions, complete(&first, 0, two_rounds(ideas.clone())), true);

    let reqs = vec![artifact("REQ-001", &["IDEA-001"]), artifact("REQ-002", &[]), artifact("REQ-003", &[])];
    let second = opening(SPECS, Workflow::Specs, Some(register(Workflow::Specs, ideas)), Some(IDEAS));
    keep(sessions, complete(&second, 100, two_rounds(reqs.clone())), true);

    let mut design = vec![artifact("ARCH-001", &["REQ-001"]), artifact("COMP-001", &["REQ-001"])];
    design.push(artifact("INT-001", &[]));
    let third = opening(DESIGN, Workflow::Design, Some(register(Workflow::Design, reqs.clone())), Some(SPECS));
    keep(sessions, complete(&third, 200, two_rounds(design)), true);

    let amended = Artifact { change: Change::Amended, text: "Within a second.".into(), ..reqs[0].clone() };
    let superseded = Artifact {
        change: Change::Superseded,
        superseded_by: Some(id("REQ-004")),
        proposed_by: vec![],
        ..reqs[1].clone()
    };
    let fourth = opening(AGAIN, Workflow::Specs, Some(register(Workflow::Specs, reqs)), Some(SPECS));
    let changes = vec![amended, artifact("REQ-004", &[]), superseded];
    keep(sessions, complete(&fourth, 300, two_rounds(changes)), true);
}

fn with_project(check: impl Fn(&Sessions, &ProjectRegister)) {
    let folder = tempfile::tempdir().unwrap();
    let sessions = Sessions::new(folder.path().join(".s2s"));
    project(&sessions);
    let register = ProjectRegister::read(&sessions).unwrap();
    check(&sessions, &register);
}

fn traced(register: &ProjectRegister, tasks: &[TaskLink], asked: &str) -> (TracedArtifact, Option<Chain>) {
    match trace(register, &Links::of(register, tasks), asked).unwrap() {
        Trace::Artifact { artifact, chain } => (*artifact, chain),
        Trace::Task(task) => panic!("{task:?}"),
    }
}

fn ids(named: &[s2s::register::Named]) -> Vec<String> {
    named.iter().map(|one| one.id.to_string()).collect()
}

#[test]
fn an_artifact_is_traced_to_its_origin_and_amendments_and_both_ways() {
    with_project(|_, register| {
        let task = TaskLink {
            id: "TASK-001".into(),
            title: "Build it".into(),
            serves: vec![id("REQ-001")],
            plan: "20260106-plan".into(),
            done: false,
        };
        let tasks = [task];
        let (req, chain) = traced(register, &tasks, "req-1");
        assert_eq!((req.status, req.text.as_str()), (ArtifactStatus::Amended, "Within a second."));
        let history: Vec<String> = req
            .history
            .iter()
            .map(|told| {
                let support = told.tally.as_ref().map_or(0, |tally| tally.support.len());
                format!("{} {} r{} {:?} {support}", told.change, told.session, told.round, told.standing.unwrap_or("-"))
            })
            .collect();
        expect![[r#"
            created 20260103-030405-specs r1 "carried" 3
            amended 20260105-030405-specs-again r1 "carried" 3"#]]
        .assert_eq(&history.join("\n"));
        assert_eq!(ids(&req.serves), ["IDEA-001"]);
        assert_eq!(ids(&req.served_by), ["ARCH-001", "COMP-001"]);
        assert_eq!(req.tasks, tasks);
        let chain: Vec<(String, usize)> = chain.unwrap().sessions.into_iter().map(|one| (one.id, one.depth)).collect();
        let expected = [(IDEAS, 0), (SPECS, 1), (DESIGN, 2), (AGAIN, 2)].map(|(id, depth)| (id.to_owned(), depth));
        assert_eq!(chain, expected);
        let Trace::Task(found) = trace(register, &Links::of(register, &tasks), "task-001").unwrap() else { panic!() };
        assert_eq!(ids(&found.for_artifacts), ["REQ-001"]);
    });
}

#[test]
fn superseding_and_interfaces_are_seen_from_both_ends() {
    with_project(|_, register| {
        let (old, _) = traced(register, &[], "REQ-002");
        assert_eq!(old.status, ArtifactStatus::Superseded);
        assert_eq!(old.superseded_by.unwrap().id, id("REQ-004"));
        let (new, _) = traced(register, &[], "REQ-004");
        assert_eq!(ids(&new.supersedes), ["REQ-002"]);
        let (component, _) = traced(register, &[], "COMP-001");
        assert_eq!(ids(&component.joined_by), ["INT-001"]);
        let (idea, _) = traced(register, &[], "IDEA-001");
        assert_eq!(ids(&idea.served_by), ["REQ-001"]);
    });
}

#[test]
fn the_index_names_what_nobody_serves_and_is_the_same_each_time() {
    with_project(|sessions, register| {
        let index = Index::of(register, &Links::of(register, &[]));
        let names = |ids: &[s2s::engine::artifact::ArtifactId]| ids.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(names(&index.unserved.by_design), ["REQ-003", "REQ-004"]);
        assert_eq!(names(&index.unserved.by_tasks), ["REQ-001", "REQ-003", "REQ-004"]);
        assert_eq!(index.sessions[1].children, [DESIGN, AGAIN]);
        let text = serde_json::to_string(&index).unwrap();
        assert!(
            text.starts_with(r#"{"schema":1,"artifacts":[{"id":"REQ-001","noun":"functional requirement","title":"#),
            "{text}"
        );
        let again = ProjectRegister::read(sessions).unwrap();
        assert_eq!(serde_json::to_string(&Index::of(&again, &Links::of(&again, &[]))).unwrap(), text);
    });
}

#[test]
fn what_an_open_session_proposes_is_traced_but_not_settled() {
    with_project(|sessions, _| {
        let open = opening(
            "20260107-030405-open",
            Workflow::Brainstorm,
            Some(register(Workflow::Brainstorm, vec![artifact("IDEA-001", &[])])),
            None,
        );
        keep(sessions, started(&open, 400, vec![proposing(1, vec![artifact("IDEA-002", &[])])]), false);
        let register = ProjectRegister::read(sessions).unwrap();
        let (idea, _) = traced(&register, &[], "IDEA-002");
        assert!(!idea.settled);
        assert_eq!(idea.history[0].standing, Some("unvoted"));
    });
}

#[test]
fn ids_that_are_not_there_or_are_none_are_refused_with_what_to_do() {
    with_project(|_, register| {
        let refused = |asked: &str| {
            let failure = trace(register, &Links::of(register, &[]), asked).unwrap_err();
            format!("{} | {}\n", failure.what, failure.next.unwrap_or_default())
        };
        let all: String = ["REQ-099", "EX-001", "seven", "REQ", "REQ-0", "TASK-001", ""].map(refused).concat();
        expect![[r#"
            no artifact REQ-099 in this project | the last of its kind is REQ-004; `s2s trace` lists what there is
            no artifact EX-001 in this project | it has no exclusion yet; `s2s trace` lists what there is
            `seven` is not an id: a kind and a number are, such as REQ-007 | the kinds are REQ, BR, NFR, EX, ARCH, COMP, INT, IDEA, RISK, MIT, OQ, CONF; `s2s trace` lists what there is
            `REQ` is not an id: a kind and a number are, such as REQ-007 | the kinds are REQ, BR, NFR, EX, ARCH, COMP, INT, IDEA, RISK, MIT, OQ, CONF; `s2s trace` lists what there is
            `REQ-0` is not an id: a kind and a number are, such as REQ-007 | the kinds are REQ, BR, NFR, EX, ARCH, COMP, INT, IDEA, RISK, MIT, OQ, CONF; `s2s trace` lists what there is
            no task `TASK-001` in this project | there is no plan in this project yet
            `` is not an id: a kind and a number are, such as REQ-007 | the kinds are REQ, BR, NFR, EX, ARCH, COMP, INT, IDEA, RISK, MIT, OQ, CONF; `s2s trace` lists what there is
        "#]]
        .assert_eq(&all);
    });
}

#[test]
fn an_unreadable_session_is_named_and_the_rest_is_traced() {
    with_project(|sessions, _| {
        std::fs::write(sessions.minutes_path(DESIGN), "rounds: [").unwrap();
        let register = ProjectRegister::read(sessions).unwrap();
        assert_eq!(register.unread.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>(), [DESIGN]);
        let (req, _) = traced(&register, &[], "REQ-001");
        assert!(req.served_by.is_empty());
        let failure = trace(&register, &Links::of(&register, &[]), "ARCH-001").unwrap_err();
        assert!(failure.what.contains(&format!("session {DESIGN} cannot be read")), "{}", failure.what);
    });
}

#[test]
fn a_circle_of_parents_is_told_and_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let sessions = Sessions::new(folder.path().join(".s2s"));
    for (own, parent) in [("a", "b"), ("b", "c"), ("c", "a"), ("d", "gone")] {
        keep(&sessions, complete(&opening(own, Workflow::Specs, None, Some(parent)), 0, vec![carrying(1, &[])]), false);
    }
    let register = ProjectRegister::read(&sessions).unwrap();
    let chain = Chain::of(&register, "a").unwrap();
    assert!(chain.cycle && chain.sessions.len() == 3, "{chain:?}");
    let lost = Chain::of(&register, "d").unwrap();
    assert_eq!((lost.lost.as_deref(), lost.sessions.len()), (Some("gone"), 1));
    assert_eq!(Chain::of(&register, "nobody"), None);
}

#[test]
fn rounds_have_the_points_that_their_artifacts_name() {
    // The fixture itself: what the other tests rest on.
    let round = proposing(1, vec![artifact("REQ-001", &[]), artifact("OQ-001", &[])]);
    assert_eq!(points(&round), ["C1.1"]);
    assert_eq!(round.artifacts[1].point, None);
}

#[test]
fn a_trace_left_out_the_design_under_a_later_session_and_what_took_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let sessions = Sessions::new(folder.path().join(".s2s"));
    let named = |name: &str, title: &str| Artifact { title: title.into(), ..artifact(name, &[]) };
    let old = vec![named("REQ-001", "Guests book a table online"), named("REQ-002", "Guests pay by card")];
    let first = opening(SPECS, Workflow::Specs, Some(register(Workflow::Specs, vec![])), None);
    keep(&sessions, complete(&first, 0, two_rounds(old.clone())), true);
    let ideas = opening(IDEAS, Workflow::Brainstorm, Some(register(Workflow::Brainstorm, vec![])), None);
    keep(&sessions, complete(&ideas, 100, two_rounds(vec![artifact("IDEA-001", &[])])), true);
    let design = opening(DESIGN, Workflow::Design, Some(register(Workflow::Design, old.clone())), Some(IDEAS));
    keep(&sessions, complete(&design, 200, two_rounds(vec![artifact("COMP-001", &["REQ-001"])])), true);
    let mut over = register(Workflow::Specs, old);
    over.retired = std::mem::take(&mut over.known).iter().map(|artifact| artifact.id).collect();
    let again = opening(AGAIN, Workflow::Specs, Some(over), None);
    let new = vec![named("REQ-003", "Staff see the day"), named("REQ-004", "Guests book a table online or by phone")];
    keep(&sessions, complete(&again, 300, two_rounds(new)), true);

    let register = ProjectRegister::read(&sessions).unwrap();
    let (req, chain) = traced(&register, &[], "REQ-001");
    let through: Vec<(String, usize)> =
        chain.unwrap().sessions.into_iter().map(|session| (session.id, session.depth)).collect();
    assert_eq!(through, [(SPECS.to_owned(), 0), (DESIGN.to_owned(), 0), (AGAIN.to_owned(), 0)]);
    assert_eq!(req.superseded_by.map(|named| named.id), Some(id("REQ-004")));
    assert_eq!(ids(&traced(&register, &[], "REQ-004").0.supersedes), ["REQ-001"]);
    assert_eq!(traced(&register, &[], "REQ-002").0.superseded_by, None, "nothing says the same");
}
