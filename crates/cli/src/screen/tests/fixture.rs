//! A small debate to draw: three seats, four rounds, one escalation.

use jiff::Timestamp;
use s2s::engine::opening::{Opening, Seat, Sides, Topic, Workflow};
use s2s::engine::record::{Escalation, Outcome, Round, Ruling};
use s2s::roundtable::{ConflictShown, Notice, TopicShown};
use s2s::store::{Minutes, Panel};
use serde_json::{Value, json};

pub const ID: &str = "20260304-030607-rest-or-graphql-for-our";
pub const TOPIC: &str = "REST or GraphQL for our public API, given two mobile apps and a dozen partners?";
pub const NOTE: &str = "No language model takes part: the roles answer from built-in playbooks.";

pub fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

pub fn read<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

pub fn topics() -> Vec<TopicShown> {
    [("components", "Components", true, "covered"), ("data-flow", "Data flow", false, "partial")]
        .into_iter()
        .chain([("integration", "Integration", false, "pending")])
        .map(|(id, name, critical, status)| TopicShown {
            id: id.into(),
            name: name.into(),
            critical,
            status,
            artifacts: 0,
            least: 0,
        })
        .collect()
}

pub fn conflicts() -> Vec<ConflictShown> {
    let description = "Whether partners may cache responses at the edge, and for how long".to_owned();
    vec![
        ConflictShown { id: "caching".into(), description, age: 2 },
        ConflictShown { id: "versioning".into(), description: "How the API is versioned".into(), age: 0 },
    ]
}

/// A round that claims two points and is held back by two rules.
pub fn first_round() -> Round {
    read(json!({
        "number": 1, "phase": "opening", "timestamp": "2026-03-04T03:07:00Z",
        "question": "Which of the two serves partners better, judged by caching, tooling and what a breaking change costs them?",
        "focus": "Cost of change for partners", "asked": ["software-architect", "technical-lead", "devops-engineer"],
        "no_response": ["devops-engineer"],
        "confidence": { "software-architect": 0.8, "technical-lead": 0.65 },
        "responses": [
            { "participant": "software-architect", "position": "REST with a small set of resources.",
              "rationale": ["Partners know it, and every HTTP cache understands it"], "concerns": ["Over-fetching on mobile"],
              "confidence": 0.8 },
            { "participant": "technical-lead", "position": "GraphQL for the apps.", "confidence": 0.65,
              "context_challenge": "The context says two apps; there are three." },
        ],
        "synthesis": "The sides agree on who the users are.\n\nThey differ on caching:\n- REST can be cached by any proxy, which the partners already run in front of their own services\n- GraphQL needs persisted queries first",
        "consensus": ["Partners get a stable, versioned contract", "The mobile apps must not need more than one request per screen"],
        "conflicts": [{ "id": "caching", "description": "Whether partners may cache responses at the edge, and for how long",
            "positions": { "software-architect": "Yes, by HTTP headers", "technical-lead": "Only persisted queries" } }],
        "agenda_coverage": [{ "topic": "components", "status": "covered" }, { "topic": "data-flow", "status": "partial" }],
        "doubts": [{ "seat": "technical-lead", "what": "`confidence` was \"65%\", read as 0.65" }],
        "decision": { "proposed": "conclude", "taken": "continue", "because": [
            { "rule": "B1", "text": "Minimum rounds not reached (1/3), continuing" },
            { "rule": "B2", "text": "\"caching\" is still open" } ],
            "next_focus": "Whether partners may cache responses at the edge, and for how long" },
    }))
}

/// A round that votes, resolves, fails in places and escalates.
pub fn second_round() -> Round {
    read(json!({
        "number": 2, "phase": "closing", "timestamp": "2026-03-04T03:09:00Z", "probing": true,
        "question": "What edge cases might we be missing?", "asked": ["software-architect", "technical-lead"],
        "confidence": { "software-architect": 0.9, "technical-lead": 0.4 },
        "synthesis": "The seats gave their views.", "degraded": ["synthesis"],
        "resolved": [{ "conflict_id": "caching", "resolution": "HTTP caching, five minutes", "resolution_type": "consensus" }],
        "conflicts": [{ "id": "the-mobile-apps-must", "description": "The mobile apps must not need more than one request per screen" }],
        "context_challenges": [{ "participant": "technical-lead", "challenge": "There are three apps.", "suggestion": "Count the kiosk." }],
        "tallies": [
            { "point": "C1.1", "policy": "weighted_majority", "support": ["software-architect", "technical-lead"], "stand_aside": ["devops-engineer"], "share": 1.0, "carried": true },
            { "point": "C1.2", "policy": "weighted_majority", "support": ["technical-lead"], "block": [{ "seat": "software-architect", "reason": "A composed endpoint per screen couples server and app" }], "no_vote": ["devops-engineer"], "share": 0.31, "carried": false },
        ],
        "decision": { "proposed": "escalate", "taken": "escalate", "because": [{ "rule": "E2", "text": "technical-lead is not sure: confidence 0.40 is below 0.50" }] },
    }))
}

pub fn escalation() -> Escalation {
    read(json!({
        "id": "X1", "round": 2, "at": "2026-03-04T03:09:00Z",
        "causes": [
            { "rule": "E2", "subject": "technical-lead in closing", "text": "technical-lead is not sure: confidence 0.40 is below 0.50" },
            { "rule": "E5", "subject": "technical-lead in closing", "text": "technical-lead challenges the stated context: There are three apps." },
        ],
        "positions": { "software-architect": "REST with a small set of resources, cached by HTTP headers.", "technical-lead": "GraphQL for the apps." },
        "recommendation": "REST for partners; decide about the apps once the kiosk is measured.",
        "options": ["accept", "decide", "continue", "accept_context", "keep_context", "discuss"],
    }))
}

pub fn ruling() -> Ruling {
    read(json!({
        "choice": "decide", "text": "REST for everyone; measure the kiosk first.", "by": "person", "at": "2026-03-04T04:00:00Z",
        "then": { "proposed": "escalate", "taken": "continue", "because": [{ "rule": "D7", "text": "The discussion goes on" }] },
    }))
}

pub fn outcome() -> Outcome {
    read(json!({
        "status": "proposed", "reasons": ["Points without a vote: C2.1", "Conflict \"versioning\" is open"],
        "output_type": "adr", "file": "docs/decisions/20260304-rest-or-graphql.md", "files": ["docs/decisions/20260304-rest-or-graphql.md"],
        "consensus": ["C1.1: Partners get a stable, versioned contract", "C2.1 (unvoted): The kiosk is measured before the apps are moved: two weeks at most"],
        "unresolved": ["versioning: How the API is versioned"], "recommendation": "REST for partners.",
    }))
}

pub fn started(resumed: bool) -> Notice {
    Notice::SessionStarted {
        session: ID.into(),
        topic: TOPIC.into(),
        strategy: "debate".into(),
        workflow: "design".into(),
        participants: ["Software Architect", "Technical Lead", "DevOps Engineer"].map(String::from).to_vec(),
        panel_note: NOTE.into(),
        resumed,
        rounds_held: if resumed { 2 } else { 0 },
        answers_kept: usize::from(resumed),
    }
}

pub fn committed(round: Round) -> Notice {
    Notice::RoundCommitted { round: Box::new(round), open_conflicts: conflicts(), agenda: topics() }
}

/// The minutes of the debate, up to the escalation.
pub fn minutes() -> Minutes {
    let seat = |id: &str, name: &str| Seat {
        id: id.into(),
        name: name.into(),
        model: "offline".into(),
        family: "offline".into(),
    };
    let phase = |name: &str| json!({ "name": name, "goal": "g", "directive": "d", "tracks": true });
    let opening = Opening {
        id: ID.into(),
        topic: TOPIC.into(),
        workflow: Workflow::Design,
        seats: vec![
            seat("software-architect", "Software Architect"),
            seat("technical-lead", "Technical Lead"),
            seat("devops-engineer", "DevOps Engineer"),
        ],
        sides: Some(Sides {
            pro: vec!["software-architect".into()],
            con: vec!["technical-lead".into(), "devops-engineer".into()],
            proposal: "REST for the public API".into(),
        }),
        settings: read(json!({
            "policy": { "rule": "weighted_majority" },
            "method": { "name": "debate", "summary": "s", "policy": { "rule": "facilitator_judgment" },
                "two_sides": true, "phases": [phase("opening"), phase("closing")] },
        })),
        agenda: topics()
            .into_iter()
            .map(|t| Topic { id: t.id, name: t.name, critical: t.critical, least: 0, criteria: 0 })
            .collect(),
        context: "A shop.".into(),
        register: None,
        parent: None,
    };
    let mut minutes =
        Minutes::new(&opening, time("2026-03-04T03:06:07Z"), Panel::Offline, NOTE, ".s2s/CONTEXT.md").unwrap();
    minutes.push_round(first_round()).unwrap();
    minutes.push_round(second_round()).unwrap();
    minutes.push_escalation(escalation()).unwrap();
    minutes
}
