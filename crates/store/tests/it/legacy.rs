//! Sessions of the original plugin: listed, shown, resumed; digests start with the next round.

use std::fs;

use s2s_store::{Adoption, ContextGiven, Keeper, Minutes, Panel, Status, StoreError};

use crate::fixture::{opening, parse, project, round, settings};

const ID: &str = "20250111-100000-api-style";

/// As a language model fills in the plugin's schema, with the small liberties models take.
const FILE: &str = r#"# === IDENTIFICATION ===
id: "20250111-100000-api-style"
topic: "API style: REST or GraphQL?"
workflow_type: "design"
strategy: "debate"
status: "paused"

started: "2025-01-11T10:00:00"
paused_at: "2025-01-11T10:30:00Z"
completed_at: null

participants:
  - id: "qa-lead"
    name: "QA Lead"
  - id: "technical-lead"
    name: "Technical Lead"

debate_sides:
  pro: ["qa-lead"]
  con: ["technical-lead"]
  proposal: "API style: REST or GraphQL?"

current_phase: "rebuttal"
total_rounds: 2

rounds:
  - number: 1
    phase: "opening"
    timestamp: "2025-01-11T10:05:00Z"
    question: "What speaks for it?"
    synthesis: "Much."
    consensus:
      - "One schema"
    conflicts:
      - id: "caching"
        description: "Who caches?"
        positions:
          qa-lead: "The client"
    resolved: []
  - number: 2
    phase: "rebuttal"
    timestamp: "a little later"
    question: "And against?"
    synthesis: "Some."
    consensus: []
    conflicts: []
    resolved:
      - conflict_id: "caching"
        resolution: "The client does"
        resolution_type: "consensus"

escalations:
  - reason: "They could not agree"
    user_decision: "Go on"

outcome: null
"#;

fn adoption() -> Adoption {
    Adoption {
        settings: settings(),
        seats: opening("x").seats,
        panel: Panel::Offline,
        panel_note: "No language model took part.".into(),
        context: ContextGiven::default(),
        agenda: Vec::new(),
    }
}

#[test]
fn a_legacy_file_is_read_as_far_as_it_makes_sense() {
    let minutes = parse(FILE).unwrap();
    assert!(minutes.is_legacy());
    assert_eq!(minutes.started().to_string(), "2025-01-11T10:00:00Z");
    assert_eq!(minutes.status(), Status::Paused);
    assert_eq!(
        minutes.seats().iter().map(|seat| seat.name.as_str()).collect::<Vec<_>>(),
        ["QA Lead", "Technical Lead"]
    );
    assert_eq!(minutes.sides().unwrap().pro.len(), 1);
    assert_eq!(minutes.rounds()[1].resolved[0].conflict_id, "caching");
    assert_eq!((minutes.undigested(), minutes.seal(), minutes.pending()), (2, None, None));
    assert!(matches!(minutes.opening(), Err(StoreError::NoSettings { .. })));
    assert_eq!(s2s_store::validate(&minutes), []);
}

#[test]
fn a_legacy_file_rewritten_without_a_round_stays_legacy() {
    let mut minutes = parse(FILE).unwrap();
    minutes.set_status(Status::Archived, crate::fixture::now());
    let text = minutes.to_yaml().unwrap();
    assert!(!text.contains("seal") && !text.contains("schema_version"), "{text}");
    assert!(text.contains("Go on") && text.contains("a little later"), "{text}");
    assert_eq!(parse(&text).unwrap(), minutes);
}

/// Resumes a legacy session on disk, gives it a round, and reads it again.
fn resumed(adopt: bool) -> Minutes {
    let (_folder, sessions) = project();
    fs::create_dir_all(sessions.folder()).unwrap();
    fs::write(sessions.minutes_path(ID), FILE).unwrap();
    let mut held = sessions.open(ID).unwrap();
    let mut minutes = held.minutes().clone();
    if adopt {
        minutes.adopt(adoption()).unwrap();
    }
    minutes.push_round(round(3)).unwrap();
    held.save(minutes.clone()).unwrap();
    let back = sessions.read(ID).unwrap();
    assert_eq!(back, minutes);
    assert_eq!(back.undigested(), 2);
    let text = fs::read_to_string(sessions.minutes_path(ID)).unwrap();
    assert!(text.contains("Go on"), "{text}");
    // From now on the old rounds are covered too: by the digest of the first new one.
    let error = parse(&text.replace("synthesis: Much.", "synthesis: Little.")).unwrap_err();
    assert!(matches!(error, StoreError::BrokenChain { round: 3, .. }), "{error}");
    back
}

#[test]
fn s3_a_resumed_legacy_session_gets_digests_from_the_next_round() {
    assert!(resumed(false).is_legacy());
    let adopted = resumed(true);
    assert!(!adopted.is_legacy());
    assert_eq!(adopted.opening().unwrap().settings, settings());
    assert_eq!((adopted.digest(2), adopted.digest(3).map(str::len)), (None, Some(64)));
}

#[test]
fn s7_only_a_legacy_session_can_be_given_settings() {
    let mut minutes = crate::fixture::minutes("a");
    assert!(minutes.adopt(adoption()).is_err());
}

#[test]
fn a_legacy_file_with_odd_shapes_is_still_a_session() {
    let text = "id: a\ntopic: 42\nstrategy: standard\nstatus: active\nworkflow_type: chat\nstarted: long ago\n\
                participants: [qa-lead, {name: nobody}]\nrounds: [~, {number: 2, consensus: one}]\nescalations: heated\noutcome: none\n";
    let minutes = parse(text).unwrap();
    assert_eq!((minutes.topic(), minutes.seats().len(), minutes.rounds().len()), ("42", 1, 2));
    assert_eq!(minutes.rounds()[1].consensus, ["one"]);
    assert_eq!(parse(&minutes.to_yaml().unwrap()).unwrap(), minutes);
}
