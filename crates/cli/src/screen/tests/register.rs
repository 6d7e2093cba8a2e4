//! The screens of the register: one artifact, all of them, a chain of sessions, what a validation found.

use s2s::engine::artifact::{ArtifactStatus, Change, Details, Priority};
use s2s::engine::opening::Workflow;
use s2s::register::{
    Chain, ChainSession, Finding, Index, Named, Report, Severity, TaskLink, Told, TracedArtifact, TracedTask, Unread,
    Unserved,
};
use s2s::store::Status;

use super::super::{artifact, chain, findings, index, task};
use super::check;
use super::fixture::{ID, TOPIC, read, time};

const IDEAS: &str = "20260304-010203-ideas-for-the-api";

fn named(id: &str, title: &str, status: Option<ArtifactStatus>) -> Named {
    Named { id: id.parse().unwrap(), title: status.map(|_| title.to_owned()), status }
}

fn told(change: Change, round: u32) -> Told {
    Told {
        change,
        session: ID.into(),
        workflow: Some(Workflow::Specs),
        complete: true,
        round,
        at: time("2026-03-04T03:07:00Z"),
        proposed_by: vec!["software-architect".into(), "qa-lead".into()],
        standing: Some("carried"),
        tally: Some(read(serde_json::json!({
            "point": "C1.1", "policy": "weighted_majority", "support": ["software-architect", "technical-lead"],
            "stand_aside": ["qa-lead"], "block": [{ "seat": "devops-engineer", "reason": "Nobody runs the cache at night" }],
            "share": 0.71, "carried": true,
        }))),
        title: "Answers within a second".into(),
        text: "Every search is answered within one second, also in the evening when all partners call at once.".into(),
    }
}

fn requirement() -> TracedArtifact {
    TracedArtifact {
        id: "REQ-007".parse().unwrap(),
        noun: "functional requirement",
        title: "Answers within a second".into(),
        text: "Every search is answered within one second, also in the evening when all partners call at once.".into(),
        status: ArtifactStatus::Amended,
        settled: true,
        topic: Some("functional-requirements".into()),
        fields: Details {
            priority: Some(Priority::Must),
            acceptance: vec!["A load test with 200 partners".into(), "Shown on the \u{1b}[31mdashboard".into()],
            ..Details::default()
        },
        history: vec![
            told(Change::Created, 1),
            Told { tally: None, standing: Some("unvoted"), complete: false, ..told(Change::Amended, 3) },
        ],
        retired_by: None,
        superseded_by: None,
        supersedes: vec![named("REQ-002", "Fast", Some(ArtifactStatus::Superseded))],
        serves: vec![named("IDEA-001", "One search for all shops", Some(ArtifactStatus::Active))],
        served_by: vec![
            named("ARCH-003", "A search index beside the database, filled by events", Some(ArtifactStatus::Active)),
            named("COMP-099", "", None),
        ],
        uses: Vec::new(),
        used_by: Vec::new(),
        joined_by: Vec::new(),
        tasks: vec![tasks(false)],
    }
}

fn tasks(done: bool) -> TaskLink {
    let serves = vec!["REQ-007".parse().unwrap()];
    TaskLink { id: "TASK-003".into(), title: "Fill the index".into(), serves, plan: "20260306-plan".into(), done }
}

fn link(id: &str, depth: usize, workflow: Workflow) -> ChainSession {
    ChainSession {
        id: id.into(),
        depth,
        asked_for: id == ID,
        workflow,
        topic: TOPIC.into(),
        status: Status::Completed,
        started: time("2026-03-04T03:06:07Z"),
        parent: None,
        made: [(s2s::engine::artifact::ArtifactKind::Req, 12)].into_iter().filter(|_| depth > 0).collect(),
    }
}

fn around() -> Chain {
    let sessions = vec![
        link(IDEAS, 0, Workflow::Brainstorm),
        link(ID, 1, Workflow::Specs),
        link("20260304-040506-design-of-the-api", 2, Workflow::Design),
    ];
    Chain { sessions, lost: None, cycle: false }
}

#[test]
fn an_artifact_with_its_votes_links_and_sessions() {
    check("trace", |style| artifact(&requirement(), Some(&around()), style));
}

#[test]
fn a_task_with_what_it_serves() {
    let task_of = TracedTask {
        task: tasks(true),
        for_artifacts: vec![named("REQ-007", "Answers within a second", Some(ArtifactStatus::Amended))],
    };
    check("trace-task", |style| task(&task_of, style));
}

#[test]
fn all_artifacts_by_kind_and_what_nobody_serves() {
    let open = TracedArtifact {
        id: "OQ-001".parse().unwrap(),
        noun: "open question",
        title: "Who pays for the cache, and from when on, and what happens if nobody does?".into(),
        status: ArtifactStatus::Open,
        settled: false,
        serves: Vec::new(),
        served_by: Vec::new(),
        tasks: Vec::new(),
        ..requirement()
    };
    let all = Index {
        schema: 1,
        artifacts: vec![
            requirement(),
            TracedArtifact { id: "REQ-1008".parse().unwrap(), status: ArtifactStatus::Withdrawn, ..requirement() },
            open,
        ],
        sessions: Vec::new(),
        unserved: Unserved { by_design: vec!["REQ-007".parse().unwrap()], by_tasks: vec!["REQ-1008".parse().unwrap()] },
        unread: vec![Unread { session: IDEAS.into(), why: "the digest of round 1 does not hold".into() }],
    };
    check("trace-index", |style| index(&all, true, style));
    let none = Index {
        artifacts: Vec::new(),
        unserved: Unserved { by_design: Vec::new(), by_tasks: Vec::new() },
        unread: Vec::new(),
        ..all
    };
    check("trace-index-empty", |style| index(&none, false, style));
}

#[test]
fn a_chain_and_one_that_is_broken() {
    check("chain", |style| chain(&around(), style));
    let broken = Chain { lost: Some(IDEAS.into()), cycle: true, sessions: vec![link(ID, 0, Workflow::Design)] };
    check("chain-broken", |style| chain(&broken, style));
}

#[test]
fn findings_with_their_places_and_what_to_do() {
    let finding = |severity, what: &str| Finding {
        severity,
        session: Some(ID.into()),
        file: format!(".s2s/sessions/{ID}.yaml").into(),
        line: Some(144),
        round: Some(2),
        id: Some("REQ-007".parse().unwrap()),
        what: what.into(),
        next: "restore the file from a backup or version control".into(),
    };
    let report = Report {
        sessions: 12,
        rounds: 40,
        artifacts: 1,
        tallies: 1,
        notes: vec![format!("{IDEAS} was written by the plugin: there are no digests to check")],
        findings: vec![
            finding(Severity::Warning, "REQ-007 lacks acceptance"),
            finding(
                Severity::Error,
                "the tally of C1.1 says carried, 67 % support; its votes give not carried, 33 % support",
            ),
        ],
    };
    check("findings", |style| findings(&report, None, "../", style));
    check("findings-none", |style| findings(&Report { findings: Vec::new(), ..report.clone() }, Some(ID), "", style));
}
