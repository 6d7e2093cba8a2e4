//! People at the table: what they say (L8), what they ask (L9), and that their seats cost and count as they should (H1).

use jiff::Timestamp;
use s2s_engine::event::Event;
use s2s_engine::opening::{HUMAN, SeatId};
use s2s_engine::record::{Intervention, InterventionKind, RoundKind, Usage};
use s2s_engine::reply::{Action, Answer, Choice, Question, Response, Synthesis, Vote};
use s2s_engine::step::{CallId, CallKind, Step};
use s2s_engine::{Past, Session, next_step};

use crate::table::Table;

/// A table of three seats that may conclude at once.
fn opened(scenario: &str) -> Session {
    Session::open(Table::read(scenario).opening)
}

fn said(session: &mut Session, text: &str) {
    let after_round = session.rounds().len() as u32;
    let (at, kind) = (Timestamp::UNIX_EPOCH, InterventionKind::Interjection);
    let done = Intervention { at, after_round, kind, text: Some(text.into()), by: None, rounds: None };
    session.apply(Event::Intervened(done)).unwrap();
}

/// Plays the round under way with this question and synthesis, every seat with this confidence, and commits it.
fn held(session: &mut Session, question: &str, synthesis: Synthesis, sure: f64) {
    while let Step::Ask(briefs) = next_step(session) {
        for brief in briefs {
            let (call, at) = (brief.call.clone(), Timestamp::UNIX_EPOCH);
            session.apply(Event::Asked { call: call.clone(), at }).unwrap();
            let vote = Vote { choice: Choice::Support, reason: None };
            let answer = match call.kind {
                CallKind::Question => Answer::Question(Question { question: question.into(), ..Question::default() }),
                CallKind::Synthesis => Answer::Synthesis(Box::new(synthesis.clone())),
                _ => Answer::Response(Response {
                    position: "so".into(),
                    confidence: sure,
                    votes: brief.ballot.iter().map(|point| (point.clone(), vote.clone())).collect(),
                    ..Response::default()
                }),
            };
            let (doubts, usage) = (Vec::new(), Usage { calls: 1, ..Usage::default() });
            session.apply(Event::Answered { call, at, answer, doubts, stand_in: None, usage }).unwrap();
        }
    }
    session.apply(Event::Committed).unwrap();
}

fn proposing(next_action: Action, points: &[&str]) -> Synthesis {
    Synthesis {
        synthesis: "summed".into(),
        next_action,
        recommendation: Some("so".into()),
        consensus: points.iter().map(|point| (*point).to_owned()).collect(),
        ..Synthesis::default()
    }
}

fn folded(session: &Session) -> Session {
    let past = Past {
        rounds: session.rounds().to_vec(),
        escalations: session.escalations().to_vec(),
        interventions: session.interventions().to_vec(),
        ..Past::default()
    };
    let mut folded = Session::fold(session.opening().clone(), past);
    for round in session.rounds() {
        folded.remember(round.number, session.answers_of(round.number).unwrap_or_default().to_vec());
    }
    folded
}

#[test]
fn l8_a_question_that_takes_up_what_was_said_stays_as_it_is() {
    let mut session = opened("r");
    held(&mut session, "What now?", proposing(Action::Continue, &[]), 0.7);
    said(&mut session, "Think of the partners abroad.");
    held(&mut session, "What do partners abroad need?", proposing(Action::Continue, &[]), 0.7);
    let round = &session.rounds()[1];
    assert_eq!((round.question.as_str(), round.doubts.len()), ("What do partners abroad need?", 0));
}

#[test]
fn l8_what_the_question_leaves_out_is_put_into_it_and_doubted() {
    let mut session = opened("r");
    held(&mut session, "What now?", proposing(Action::Continue, &[]), 0.7);
    said(&mut session, "Think of the partners abroad.");
    held(&mut session, "What about costs?", proposing(Action::Continue, &[]), 0.7);
    let round = &session.rounds()[1];
    assert_eq!(round.question, "What about costs?\n\nA person said to the table: Think of the partners abroad.");
    assert!(round.doubts[0].what.contains("did not take up"), "{:?}", round.doubts);
    held(&mut session, "What about costs?", proposing(Action::Continue, &[]), 0.7);
    assert_eq!(session.rounds()[2].question, "What about costs?", "it is taken up once");
}

#[test]
fn l8_a_fallback_question_takes_it_up_too() {
    let mut session = opened("r");
    said(&mut session, "Think of the partners abroad.");
    let call = CallId { round: 1, kind: CallKind::Question, seat: "facilitator".into(), attempt: 1 };
    session.apply(Event::Asked { call: call.clone(), at: Timestamp::UNIX_EPOCH }).unwrap();
    let (at, error) = (Timestamp::UNIX_EPOCH, "gone".to_owned());
    session.apply(Event::Failed { call, at, error, usage: Usage::default() }).unwrap();
    assert!(session.question().unwrap().question.ends_with("Think of the partners abroad."));
}

#[test]
fn l8_at_the_end_there_is_one_more_round_even_beyond_the_limit() {
    let mut session = opened("limits min=1 max=1\nr");
    held(&mut session, "What now?", proposing(Action::Conclude, &[]), 0.7);
    assert!(matches!(next_step(&session), Step::Finish(_)));
    said(&mut session, "One thing is missing");
    assert_eq!(folded(&session), session, "a record folds to what happened");
    held(&mut session, "What is missing?", proposing(Action::Conclude, &[]), 0.7);
    assert_eq!(session.rounds().len(), 2);
    assert!(matches!(next_step(&session), Step::Finish(_)));
}

#[test]
fn l8_a_person_who_speaks_and_then_skips_has_skipped() {
    let mut session = opened("limits min=1\nr");
    held(&mut session, "What now?", proposing(Action::Continue, &[]), 0.7);
    said(&mut session, "One thing is missing");
    let (at, kind) = (Timestamp::UNIX_EPOCH, InterventionKind::Skip);
    let skip = Intervention { at, after_round: 1, kind, text: None, by: None, rounds: None };
    session.apply(Event::Intervened(skip)).unwrap();
    assert!(matches!(next_step(&session), Step::Finish(_)));
    assert_eq!(folded(&session), session);
}

#[test]
fn l8_a_discussion_comes_before_a_ballot_or_a_probing_question() {
    for (sure, kind, probing) in [(0.7, RoundKind::Ballot, false), (0.9, RoundKind::Discussion, true)] {
        let mut session = opened("limits min=1\nr");
        held(&mut session, "What now?", proposing(Action::Conclude, &["Use REST"]), sure);
        assert_eq!((session.round_kind(), session.is_probing()), (kind, probing));
        said(&mut session, "One thing is missing");
        assert_eq!((session.round_kind(), session.is_probing()), (RoundKind::Discussion, false));
        assert!(session.question().is_none(), "the facilitator asks");
        assert_eq!(folded(&session), session);
    }
}

#[test]
fn l8_an_interjection_and_a_ruling_may_come_in_any_order() {
    let mut session = opened("limits min=1\nr");
    let synthesis = Synthesis { escalation_reason: Some("thin".into()), ..proposing(Action::Escalate, &[]) };
    held(&mut session, "What now?", synthesis, 0.7);
    let pending = session.pending().expect("escalates").clone();
    said(&mut session, "One thing is missing");
    assert!(matches!(next_step(&session), Step::Escalate(_)), "the ruling is still awaited");
    let ruling = s2s_engine::Unattended::Accept.ruling(&pending).expect("rules");
    session.apply(Event::Ruled(Box::new(ruling))).unwrap();
    assert!(matches!(next_step(&session), Step::Ask(_)));
    assert_eq!(folded(&session), session);
}

#[test]
fn l9_a_follow_up_is_no_call_of_a_round() {
    let mut session = opened("r");
    let call = CallId { round: 1, kind: CallKind::Followup, seat: "a".into(), attempt: 1 };
    assert_eq!("r1.followup.a.1".parse(), Ok(call.clone()));
    session.apply(Event::Asked { call, at: Timestamp::UNIX_EPOCH }).expect_err("it does not fit");
}

#[test]
fn h1_a_person_is_no_call_and_no_family_of_models() {
    let mut table = Table::read("limits min=1\nr");
    for (seat, family) in table.opening.seats.iter_mut().zip(["acme", "acme", HUMAN]) {
        family.clone_into(&mut seat.family);
    }
    HUMAN.clone_into(&mut table.opening.seats[2].model);
    let person: SeatId = table.opening.seats[2].id.clone();
    let mut session = Session::open(table.opening);
    assert!(session.is_human(&person));
    held(&mut session, "What now?", proposing(Action::Continue, &["Use REST"]), 0.7);
    assert_eq!(session.rounds()[0].usage.calls, 4, "question, two seats, synthesis");
    held(&mut session, "What now?", proposing(Action::Continue, &[]), 0.7);
    let tally = &session.rounds()[1].tallies[0];
    assert!(tally.support.contains(&person) && tally.carried);
    // A block of one person among three equals is one of three, not half: the cap is on families of models.
    let against = s2s_engine::recount(
        session.opening(),
        &session.rounds()[1],
        "C1.1",
        &session
            .answers_of(2)
            .unwrap()
            .iter()
            .cloned()
            .map(|mut answer| {
                if answer.participant == person {
                    answer.votes.insert("C1.1".into(), Choice::Block);
                }
                answer
            })
            .collect::<Vec<_>>(),
    );
    assert_eq!(against.share, 0.6667);
}
