//! A small session to try things on.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use s2s_engine::opening::{Opening, Seat, Settings, Topic, Workflow};
use s2s_engine::record::{Escalation, Round};
use s2s_store::{Answered, Asked, Minutes, Panel, Prompt, Sessions, TapeEntry, Taped};
use serde_json::json;

pub const ID: &str = "20260304-030607-rest-or-graphql";

pub fn now() -> Timestamp {
    "2026-03-04T03:06:07Z".parse().unwrap()
}

pub fn settings() -> Settings {
    serde_json::from_value(json!({
        "policy": { "rule": "weighted_majority", "threshold": 0.6 },
        "method": {
            "name": "two-step", "summary": "Two phases.", "policy": { "rule": "consent" },
            "phases": [
                { "name": "proposal", "goal": "g", "directive": "d", "sees": ["last_synthesis"] },
                { "name": "discussion", "goal": "g", "directive": "d\nover two lines", "tracks": true },
            ],
        },
    }))
    .unwrap()
}

pub fn opening(id: &str) -> Opening {
    let seat =
        |id: &str| Seat { id: id.into(), name: id.to_uppercase(), model: "offline".into(), family: String::new() };
    Opening {
        id: id.to_owned(),
        topic: "REST or GraphQL: which, and \"why\"? 😀".to_owned(),
        workflow: Workflow::Design,
        seats: ["qa-lead", "technical-lead"].map(seat).to_vec(),
        sides: None,
        settings: settings(),
        agenda: vec![Topic {
            id: "components".into(),
            name: "Components".into(),
            critical: true,
            least: 0,
            criteria: 0,
        }],
        context: "A shop.\n\n  With an API.\n".to_owned(),
        register: None,
        parent: None,
    }
}

pub fn minutes(id: &str) -> Minutes {
    Minutes::new(&opening(id), now(), Panel::Offline, "No language model took part.", "CONTEXT.md").unwrap()
}

pub fn round(number: u32) -> Round {
    serde_json::from_value(json!({
        "number": number, "phase": "proposal", "timestamp": "2026-03-04T03:07:00Z",
        "question": "What matters?", "asked": ["qa-lead", "technical-lead"],
        "confidence": { "qa-lead": 0.8, "technical-lead": 1.0 },
        "synthesis": "They agree:\n- on REST\n",
        "consensus": [format!("point {number}")],
        "conflicts": [{ "id": "caching", "description": "who caches", "positions": { "qa-lead": "the client" } }],
        "agenda_coverage": [{ "topic": "components", "status": "partial" }],
        "usage": { "calls": 4, "cost_usd": 0.0 },
        "decision": { "proposed": "conclude", "taken": "continue", "because": [{ "rule": "B1", "text": "Minimum rounds not reached" }] },
    }))
    .unwrap()
}

pub fn escalation(id: &str, round: u32) -> Escalation {
    serde_json::from_value(json!({
        "id": id, "round": round, "at": "2026-03-04T03:08:00Z",
        "causes": [{ "rule": "E1", "subject": "caching", "text": "open for 3 rounds" }],
        "recommendation": "Let the client cache.", "options": ["accept", "decide", "continue"],
    }))
    .unwrap()
}

pub fn with_rounds(id: &str, rounds: u32) -> Minutes {
    let mut minutes = minutes(id);
    for number in 1..=rounds {
        minutes.push_round(round(number)).unwrap();
    }
    minutes
}

pub fn parse(text: &str) -> Result<Minutes, s2s_store::StoreError> {
    Minutes::parse(text, Path::new("x.yaml"))
}

pub fn asked(call: &str) -> TapeEntry {
    let prompt = Prompt { system: "You are\nthe QA lead.".into(), user: "Why? \u{2028} \"so\"".into() };
    let what = Taped::Asked(Asked {
        call: call.parse().unwrap(),
        model: "offline".into(),
        prompt,
        reserved_usd: 0.25,
        reserved_tokens: 900,
        question: None,
    });
    TapeEntry { at: now(), what }
}

pub fn answered(call: &str, reply: &str) -> TapeEntry {
    let what = Taped::Answered(Answered {
        call: call.parse().unwrap(),
        reply: reply.to_owned(),
        stop: Some("end".into()),
        usage: Default::default(),
        request_id: None,
        by: None,
        tries: vec![s2s_store::Try { at: now(), model: None, error: "busy".into(), usage: None, request_id: None }],
    });
    TapeEntry { at: now(), what }
}

/// A fresh project folder with its sessions.
pub fn project() -> (tempfile::TempDir, Sessions) {
    let folder = tempfile::tempdir().unwrap();
    let sessions = Sessions::new(folder.path().join(".s2s"));
    (folder, sessions)
}

/// Every file under a folder, relative, sorted.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path.strip_prefix(folder).unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}
