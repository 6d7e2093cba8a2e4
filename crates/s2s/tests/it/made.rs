//! Sessions with artifacts, made by hand: a small project for the tests of the register, a large one for its
//! benchmark. Everything is written as s2s writes it, digests, seal and tape included; what is wrong in a test is what
//! the test put there.
#![allow(dead_code, reason = "shared by the tests of two crates and a benchmark")]

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use s2s::engine::artifact::{Artifact, ArtifactId, ArtifactKind, Change, Details, Level, Priority, Register};
use s2s::engine::opening::{Opening, OutputType, Seat, Topic, Workflow};
use s2s::engine::record::{Outcome, OutcomeStatus, Round, Usage};
use s2s::engine::step::{CallId, CallKind};
use s2s::store::{Answered, Asked, Keeper, Minutes, Panel, Prompt, Sessions, Status, TapeEntry, Taped};
use serde_json::json;

pub const SEATS: [&str; 3] = ["software-architect", "technical-lead", "qa-lead"];

pub fn id(text: &str) -> ArtifactId {
    text.parse().unwrap()
}

pub fn at(minute: i64) -> Timestamp {
    let start: Timestamp = "2026-01-02T03:04:05Z".parse().unwrap();
    start + SignedDuration::from_mins(minute)
}

/// What a session starts with.
pub fn opening(session: &str, workflow: Workflow, register: Option<Register>, parent: Option<&str>) -> Opening {
    let settings = json!({
        "policy": { "rule": "simple_majority" },
        "method": {
            "name": "standard", "summary": "One phase.", "policy": { "rule": "simple_majority" },
            "phases": [{ "name": "discussion", "goal": "Decide.", "directive": "Say what you hold.", "tracks": true }],
        },
    });
    let seat = |id: &str| Seat { id: id.into(), name: id.into(), model: "offline".into(), family: String::new() };
    Opening {
        id: session.to_owned(),
        topic: format!("The {workflow} of a shop"),
        workflow,
        seats: SEATS.map(seat).to_vec(),
        sides: None,
        settings: serde_json::from_value(settings).unwrap(),
        agenda: Vec::new(),
        context: "A web shop. Two developers.".to_owned(),
        register,
        parent: parent.map(str::to_owned),
    }
}

/// What a session of a workflow is opened with.
pub fn register(workflow: Workflow, known: Vec<Artifact>) -> Register {
    let mut last: BTreeMap<ArtifactKind, u32> = BTreeMap::new();
    for artifact in &known {
        let highest = last.entry(artifact.id.kind).or_default();
        *highest = (*highest).max(artifact.id.number);
    }
    Register { kinds: ArtifactKind::of_workflow(workflow).to_vec(), last, known, retired: Vec::new() }
}

/// A new artifact with the fields of its kind.
pub fn artifact(name: &str, serves: &[&str]) -> Artifact {
    let id = id(name);
    let details = Details {
        priority: (id.kind == ArtifactKind::Req).then_some(Priority::Must),
        acceptance: if id.kind == ArtifactKind::Req { vec!["A test shows it".into()] } else { vec![] },
        options: if id.kind == ArtifactKind::Arch { vec!["One".into(), "Two".into()] } else { vec![] },
        consequences: if id.kind == ArtifactKind::Arch { vec!["Less to keep".into()] } else { vec![] },
        severity: (id.kind == ArtifactKind::Risk).then_some(Level::High),
        likelihood: (id.kind == ArtifactKind::Risk).then_some(Level::Low),
        between: if id.kind == ArtifactKind::Int { vec!["COMP-001".into(), "the bank".into()] } else { vec![] },
        ..Details::default()
    };
    Artifact {
        id,
        change: Change::Created,
        title: format!("Title of {name}"),
        text: format!("What {name} says, in a sentence of the usual length for such a thing."),
        topic: None,
        details,
        serves: serves.iter().map(|name| self::id(name)).collect(),
        uses: Vec::new(),
        superseded_by: None,
        conflict: None,
        proposed_by: vec![SEATS[0].into()],
        point: None,
    }
}

/// A discussion round that makes these artifacts; each claim is one of its points.
pub fn proposing(number: u32, mut artifacts: Vec<Artifact>) -> Round {
    let mut consensus = Vec::new();
    for artifact in artifacts.iter_mut() {
        if artifact.id.kind.is_claim() && artifact.change != Change::Superseded {
            consensus.push(format!("{} {}: {}", artifact.id, artifact.title, artifact.text));
            artifact.point = Some(format!("C{number}.{}", consensus.len()));
        }
    }
    Round { consensus, artifacts, ..plain(number) }
}

/// A round in which all support these points.
pub fn carrying(number: u32, points: &[String]) -> Round {
    let tally = |point: &String| json!({ "point": point, "policy": "simple_majority", "support": SEATS, "share": 1.0, "carried": true });
    let tallies = points.iter().map(|point| serde_json::from_value(tally(point)).unwrap()).collect();
    Round { tallies, ..plain(number) }
}

fn plain(number: u32) -> Round {
    let confidence: BTreeMap<&str, f64> = SEATS.iter().map(|seat| (*seat, 0.7)).collect();
    serde_json::from_value(json!({
        "number": number, "phase": "discussion", "timestamp": at(i64::from(number)), "question": "What else?",
        "asked": SEATS, "confidence": confidence, "synthesis": "They agree on what is written below.",
        "decision": { "proposed": "continue", "taken": "continue", "because": [{ "rule": "D7", "text": "goes on" }] },
    }))
    .unwrap()
}

/// The points of a round, in order.
pub fn points(round: &Round) -> Vec<String> {
    (1..=round.consensus.len()).map(|n| format!("C{}.{n}", round.number)).collect()
}

/// Minutes with these rounds, complete and accepted.
pub fn complete(opening: &Opening, minute: i64, rounds: Vec<Round>) -> Minutes {
    let mut minutes = started(opening, minute, rounds);
    let outcome = Outcome {
        status: OutcomeStatus::Accepted,
        reasons: Vec::new(),
        output_type: OutputType::Summary,
        file: None,
        files: Vec::new(),
        consensus: Vec::new(),
        unresolved: Vec::new(),
        recommendation: None,
    };
    minutes.set_outcome(outcome).unwrap();
    minutes.set_status(Status::Completed, at(minute + 30));
    minutes
}

/// Minutes with these rounds, still active.
pub fn started(opening: &Opening, minute: i64, rounds: Vec<Round>) -> Minutes {
    let mut minutes = Minutes::new(opening, at(minute), Panel::Script, "A script.", "CONTEXT.md").unwrap();
    for mut round in rounds {
        round.timestamp = at(minute + i64::from(round.number));
        minutes.push_round(round).unwrap();
    }
    minutes
}

/// Makes artifacts in one round, and carries them in the next.
pub fn two_rounds(artifacts: Vec<Artifact>) -> Vec<Round> {
    let first = proposing(1, artifacts);
    let second = carrying(2, &points(&first));
    vec![first, second]
}

/// Puts a session into the folder, with the tape of its votes where `taped`.
pub fn keep(sessions: &Sessions, minutes: Minutes, taped: bool) {
    let rounds: Vec<(u32, Vec<String>)> = minutes
        .rounds()
        .iter()
        .map(|round| (round.number, round.tallies.iter().map(|tally| tally.point.clone()).collect()))
        .collect();
    let mut held = sessions.create(minutes).unwrap();
    if !taped {
        return;
    }
    let prompt = Prompt { system: "Who you are. ".repeat(150).into(), user: "What is asked. ".repeat(150) };
    let mut entries = Vec::new();
    for (round, points) in rounds {
        for seat in SEATS {
            let call = CallId { round, kind: CallKind::Response, seat: seat.into(), attempt: 1 };
            let votes: BTreeMap<&str, &str> = points.iter().map(|point| (point.as_str(), "support")).collect();
            let reply = json!({ "position": "So be it, as it is written.", "confidence": 0.7, "votes": votes });
            let asked = Asked {
                call: call.clone(),
                model: "script".into(),
                prompt: prompt.clone(),
                reserved_usd: 0.0,
                reserved_tokens: 0,
                question: None,
            };
            let answered = Answered {
                call,
                reply: reply.to_string(),
                stop: None,
                usage: Usage::default(),
                request_id: None,
                by: None,
                tries: Vec::new(),
            };
            entries.push(TapeEntry { at: at(0), what: Taped::Asked(asked) });
            entries.push(TapeEntry { at: at(0), what: Taped::Answered(answered) });
        }
    }
    held.append(entries, false).unwrap();
}

/// A topic that wants this many artifacts.
pub fn topic(id: &str, least: u32, criteria: u32) -> Topic {
    Topic { id: id.into(), name: format!("On {id}"), critical: false, least, criteria }
}

/// A project of `count` sessions in chains of brainstorm, specs and design, each with `each` artifacts; what a session
/// knows of the others is in its head, as s2s writes it. Gives the number of artifacts.
pub fn large(sessions: &Sessions, count: usize, each: usize) -> usize {
    let mut all: Vec<Artifact> = Vec::new();
    let mut last: BTreeMap<ArtifactKind, u32> = BTreeMap::new();
    let mut parent: Option<String> = None;
    let mut made_before: Vec<String> = Vec::new();
    for number in 0..count {
        let (workflow, kinds, before): (_, &[ArtifactKind], &[ArtifactKind]) = match number % 3 {
            0 => (Workflow::Brainstorm, &[ArtifactKind::Idea, ArtifactKind::Risk], &[]),
            1 => (Workflow::Specs, &[ArtifactKind::Req, ArtifactKind::Br], &[ArtifactKind::Idea, ArtifactKind::Risk]),
            _ => (
                Workflow::Design,
                &[ArtifactKind::Arch, ArtifactKind::Comp],
                &[ArtifactKind::Req, ArtifactKind::Br, ArtifactKind::Risk],
            ),
        };
        let known = all.iter().filter(|known| kinds.contains(&known.id.kind) || before.contains(&known.id.kind));
        let register = Register { last: last.clone(), ..register(workflow, known.cloned().collect()) };
        let session = format!("20260102-{number:06}-of-a-shop");
        let parent_of = parent.as_deref().filter(|_| number % 3 > 0);
        let opening = opening(&session, workflow, Some(register), parent_of);
        let mut artifacts = Vec::new();
        for at in 0..each {
            let kind = kinds[at % kinds.len()];
            let highest = last.entry(kind).or_default();
            *highest += 1;
            let serves: Vec<&str> =
                made_before.iter().skip(at).take(1).map(String::as_str).filter(|_| number % 3 > 0).collect();
            artifacts.push(artifact(&format!("{kind}-{highest:03}"), &serves));
        }
        made_before = artifacts.iter().map(|artifact| artifact.id.to_string()).collect();
        all.extend(artifacts.iter().cloned());
        keep(sessions, complete(&opening, number as i64 * 60, two_rounds(artifacts)), true);
        parent = Some(session);
    }
    all.len()
}
