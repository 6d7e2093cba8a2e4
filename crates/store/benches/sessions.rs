//! How long the store takes: `cargo bench -p s2s-store`.
//! Figures are in docs/performance.md.
#![allow(clippy::unwrap_used, reason = "a bench may fail")]

use s2s_engine::opening::{Opening, Seat, Workflow};
use s2s_engine::record::Round;
use s2s_store::{Keeper, Minutes, Panel, Sessions};
use serde_json::json;

fn main() {
    divan::main();
}

fn minutes(id: &str, rounds: u32) -> Minutes {
    let settings = json!({
        "policy": { "rule": "consent" },
        "method": {
            "name": "standard", "summary": "One phase.", "policy": { "rule": "consent" },
            "phases": [{ "name": "discussion", "goal": "Decide.", "directive": "Say what you hold.\n".repeat(10), "tracks": true }],
        },
    });
    let seats = ["software-architect", "technical-lead", "devops-engineer"];
    let seats = seats.map(|id| Seat { id: id.into(), name: id.into(), model: "offline".into(), family: String::new() });
    let opening = Opening {
        id: id.to_owned(),
        topic: "REST vs GraphQL for our public API".to_owned(),
        workflow: Workflow::Design,
        seats: seats.to_vec(),
        sides: None,
        settings: serde_json::from_value(settings).unwrap(),
        agenda: Vec::new(),
        context: "A shop with an API, and people who use it.\n".repeat(60),
        register: None,
        parent: None,
    };
    let at = "2026-03-04T03:06:07Z".parse().unwrap();
    let mut minutes = Minutes::new(&opening, at, Panel::Offline, "No language model took part.", "CONTEXT.md").unwrap();
    for number in 1..=rounds {
        minutes.push_round(round(number)).unwrap();
    }
    minutes
}

fn round(number: u32) -> Round {
    let text = "They agree on the shape of the interface, and differ on who pays for its caching. ".repeat(6);
    let seats = ["software-architect", "technical-lead", "devops-engineer"];
    serde_json::from_value(json!({
        "number": number, "phase": "discussion", "question": text, "asked": seats, "synthesis": text,
        "confidence": { "software-architect": 0.8, "technical-lead": 0.7, "devops-engineer": 0.9 },
        "consensus": [text, text], "conflicts": [{ "id": "caching", "description": text, "positions": { "technical-lead": text } }],
    }))
    .unwrap()
}

/// A folder with 1,000 sessions of 5 rounds each, as `s2s roundtable list` meets it.
#[divan::bench]
fn list_1000_sessions(bencher: divan::Bencher) {
    let folder = tempfile::tempdir().unwrap();
    let sessions = Sessions::new(folder.path());
    std::fs::create_dir_all(sessions.folder()).unwrap();
    for n in 0..1000 {
        let id = format!("20260304-{n:06}-rest-vs-graphql-for-our-public");
        std::fs::write(sessions.minutes_path(&id), minutes(&id, 5).to_yaml().unwrap()).unwrap();
    }
    bencher.bench_local(|| {
        let rows = sessions.list().unwrap();
        assert!(rows.len() == 1000 && rows.iter().all(|row| row.problem.is_none()));
        rows
    });
}

#[divan::bench(args = [5, 20])]
fn read_minutes(bencher: divan::Bencher, rounds: u32) {
    let text = minutes("a", rounds).to_yaml().unwrap();
    bencher
        .counter(divan::counter::BytesCount::of_str(&text))
        .bench_local(|| Minutes::parse(&text, "a.yaml".as_ref()).unwrap());
}

#[divan::bench(args = [5, 20])]
fn write_minutes(bencher: divan::Bencher, rounds: u32) {
    let minutes = minutes("a", rounds);
    bencher.bench_local(|| minutes.to_yaml().unwrap());
}

/// One commit of a fifth round, synced: file and folder.
#[divan::bench]
fn save_synced(bencher: divan::Bencher) {
    let folder = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
    let mut held = Sessions::new(folder.path()).create(minutes("a", 4)).unwrap();
    let next = minutes("a", 5);
    bencher.bench_local(|| held.save(next.clone()).unwrap());
}
