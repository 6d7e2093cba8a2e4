//! What the engine alone costs: whole simulated roundtables, and one round late in a long session.
//! `cargo bench -p s2s-engine`. The replies are made of short texts on the spot, as a reader of
//! replies would make them; no file, no clock, no model is part of it.

#![allow(missing_docs, reason = "a benchmark is run, not called")]

use divan::{Bencher, black_box, counter::ItemsCount};
use jiff::Timestamp;
use s2s_engine::event::Event;
use s2s_engine::opening::{Limits, Opening, Seat, Settings, Triggers, Workflow};
use s2s_engine::record::Usage;
use s2s_engine::reply::{
    Action, Answer, Choice, Conflict, Question, Resolution, ResolutionType, Response, Synthesis, Vote,
};
use s2s_engine::step::{Brief, CallKind, Step};
use s2s_engine::strategy::{Participation, Phase, Policy, PolicyRule, Strategy, Votes};
use s2s_engine::{Session, next_step};

fn main() {
    divan::main();
}

fn opening(max_rounds: u32) -> Opening {
    let policy = Policy { rule: PolicyRule::WeightedMajority, threshold: 0.6 };
    let seat = |id: &&str| Seat { id: (*id).into(), name: String::new(), model: String::new(), family: String::new() };
    Opening {
        id: "20260101-000000-bench".to_owned(),
        topic: "REST or GraphQL for the public API".to_owned(),
        workflow: Workflow::Brainstorm,
        seats: ["architect", "lead", "qa", "devops", "security"].iter().map(seat).collect(),
        sides: None,
        settings: Settings {
            limits: Limits {
                min_rounds: max_rounds,
                max_rounds,
                max_rounds_per_phase: max_rounds,
                ..Limits::default()
            },
            escalation: Triggers::default(),
            policy,
            family_share: 0.5,
            verbose: false,
            interactive: false,
            output_type: None,
            requirements_format: None,
            method: Strategy {
                name: "standard".to_owned(),
                summary: String::new(),
                participation: Participation::Parallel,
                policy,
                least_participants: 2,
                two_sides: false,
                votes: Votes::WithAnswers,
                phases: vec![Phase::discussion()],
            },
        },
        agenda: Vec::new(),
        context: String::new(),
        register: None,
        parent: None,
    }
}

const POSITION: &str = "Keep one resource-oriented API for partners, and let the product teams add views of their own where a screen needs them.";
const REASON: &str = "Partners cache by address, and our gateway already counts, limits and logs by route.";

fn answer(brief: &Brief) -> Answer {
    let round = brief.call.round;
    match brief.call.kind {
        CallKind::Question | CallKind::Sides => Answer::Question(Question {
            question: "Which of the two would you defend before the partners, and why?".to_owned(),
            focus: "Partners".to_owned(),
            ..Question::default()
        }),
        CallKind::Response | CallKind::Followup => Answer::Response(Response {
            position: POSITION.to_owned(),
            rationale: vec![REASON.to_owned(), REASON.to_owned()],
            concerns: vec![REASON.to_owned()],
            confidence: 0.75,
            context_challenge: None,
            votes: brief
                .ballot
                .iter()
                .map(|point| (point.clone(), Vote { choice: Choice::Support, reason: None }))
                .collect(),
        }),
        CallKind::Synthesis => Answer::Synthesis(Box::new(Synthesis {
            synthesis: POSITION.to_owned(),
            consensus: vec![format!("Version {round} of the public API stays resource-oriented")],
            conflicts: vec![Conflict {
                id: format!("caching-of-version-{round}"),
                description: REASON.to_owned(),
                ..Conflict::default()
            }],
            resolved: vec![Resolution {
                conflict_id: format!("caching-of-version-{}", round.saturating_sub(1)),
                resolution: REASON.to_owned(),
                resolution_type: ResolutionType::Consensus,
            }],
            next_action: Action::Continue,
            ..Synthesis::default()
        })),
    }
}

/// Drives a session until it has committed this many rounds, or rests.
fn drive(mut session: Session, rounds: usize) -> Session {
    let at = Timestamp::UNIX_EPOCH;
    while session.rounds().len() < rounds || session.has_ended() {
        let event = match next_step(&session) {
            Step::Ask(briefs) => {
                for brief in briefs {
                    let call = brief.call.clone();
                    let asked = session.apply(Event::Asked { call: call.clone(), at });
                    let answer = answer(&brief);
                    let answered = Event::Answered {
                        call,
                        at,
                        answer,
                        doubts: Vec::new(),
                        stand_in: None,
                        usage: Usage::default(),
                    };
                    assert!(asked.and(session.apply(answered)).is_ok(), "the engine asked for it");
                }
                continue;
            }
            Step::Commit { .. } => Event::Committed,
            Step::Finish(outcome) => Event::Finished(outcome),
            Step::Rest | Step::Pause(_) | Step::Escalate(_) => break,
        };
        assert!(session.apply(event).is_ok(), "the engine asked for it");
    }
    session
}

/// Whole roundtables of 10 rounds and 5 seats, from the opening to the outcome; items = roundtables.
#[divan::bench]
fn roundtable_of_10_rounds_and_5_seats(bencher: Bencher<'_, '_>) {
    let opening = opening(10);
    bencher.counter(ItemsCount::new(1_usize)).bench(|| {
        let session = drive(Session::open(black_box(opening.clone())), 10);
        assert!(session.outcome().is_some());
        session
    });
}

/// One more round of 5 seats after this many.
#[divan::bench(args = [10, 100, 1000])]
fn one_round_after(bencher: Bencher<'_, '_>, rounds: usize) {
    let session = drive(Session::open(opening(u32::MAX)), rounds);
    // A clone has no room to spare; the round that makes room is not the one to measure.
    bencher.with_inputs(|| drive(session.clone(), rounds + 1)).bench_values(|session| drive(session, rounds + 2));
}

/// The fold of a whole record, as a resume does it.
#[divan::bench(args = [10, 100, 1000])]
fn fold_of(bencher: Bencher<'_, '_>, rounds: usize) {
    let session = drive(Session::open(opening(u32::MAX)), rounds);
    let past = s2s_engine::Past { rounds: session.rounds().to_vec(), ..s2s_engine::Past::default() };
    bencher
        .with_inputs(|| (session.opening().clone(), past.clone()))
        .bench_values(|(opening, past)| Session::fold(opening, past));
}
