//! The session: S4 and S7 here; S1 is tested beside `slug.rs`, S2, S3, S5 and S6 where files are kept.

use expect_test::expect;
use jiff::Timestamp;
use s2s_engine::event::Event;
use s2s_engine::opening::Settings;
use s2s_engine::record::{Intervention, InterventionKind, Round, SeatResponse};
use s2s_engine::reply::Choice;
use s2s_engine::step::Step;
use s2s_engine::{Past, Session, next_step};

use crate::table::{Table, check, play};

#[test]
fn s4_a_conflict_is_open_until_resolved_and_named_again_its_age_starts_anew() {
    check(
        "
        conflict 3
        r
        conflict: cache
        r
        r
        resolve: cache
        r
        conflict: cache
        r
        r
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              conflict cache []
              continue -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              continue -> continue: D7 The discussion goes on
            r3 discussion asked [a b c]
              resolved cache (consensus)
              continue -> continue: D7 The discussion goes on
            r4 discussion asked [a b c]
              conflict cache []
              continue -> continue: D7 The discussion goes on
            r5 discussion asked [a b c]
              continue -> continue: D7 The discussion goes on
            r6 discussion asked [a b c]
              continue -> escalate: E1 "cache" has been open for 3 rounds: About cache
            X1 E1 cache [decide continue] waits for a person
        "#]],
    );
}

#[test]
fn s4_a_claim_that_does_not_fit_is_dropped_with_a_doubt() {
    check(
        "
        r
        conflict: cache z=strange
        conflict: Cache
        resolve: cache
        resolve: unknown
        r
        resolve: CACHE user
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              conflict cache []
              doubt facilitator: gave a position in "cache" to somebody who is not at the table
              doubt facilitator: named conflict "cache" twice
              doubt facilitator: named "cache" as open and as resolved; it stays open
              doubt facilitator: resolved "unknown", which is not open
              continue -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              resolved cache (facilitator)
              doubt facilitator: claimed that a person resolved "cache"
              continue -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn s4_points_have_no_repeats() {
    check(
        "
        r
        claim: Use REST; use  rest.; Use JSON
        r
        claim: USE REST!; Use XML
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              point C1.1 Use REST
              point C1.2 Use JSON
              continue -> continue: D7 The discussion goes on
            r2 discussion asked [a b c]
              vote C1.1 +[a b c] ~[] -[] ?[] share 1 carried
              vote C1.2 +[a b c] ~[] -[] ?[] share 1 carried
              point C2.1 Use XML
              continue -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn s4_no_more_than_twelve_claims_count() {
    check(
        "
        r
        claim: 1; 2; 3; 4; 5; 6; 7; 8; 9; 10; 11; 12; 13; 14
        ",
        expect![[r#"
            r1 discussion asked [a b c]
              point C1.1 1
              point C1.2 2
              point C1.3 3
              point C1.4 4
              point C1.5 5
              point C1.6 6
              point C1.7 7
              point C1.8 8
              point C1.9 9
              point C1.10 10
              point C1.11 11
              point C1.12 12
              doubt facilitator: claimed more than 12 points in one round; the rest was dropped
              continue -> continue: D7 The discussion goes on
            (the scenario ends here)
        "#]],
    );
}

#[test]
fn s4_folding_the_record_gives_the_same_session() {
    let scenario = "strategy disney\nlimits min=1\nconflict 1\nagenda users\n\
        r\nclaim: Use REST; Use JSON\nconflict: cache\ncover: users=covered\nnext: phase\nsay: hello\n\
        r\na: 0.2 | doubt: two teams\nb: 0.8 | -C1.1=slow\nc: 0.8 | -C1.1=old\nrule: accept_context\n\
        r\nnext: phase\n\
        r\nnext: escalate so\nrule: continue 2\n\
        r\nresolve: use-rest\nnext: conclude\n";
    let lived = play(scenario).session;
    let folded = refold(&lived);
    assert_eq!(next_step(&folded), next_step(&lived));
    assert_eq!(folded.points(), lived.points());
    assert!(folded.open_conflicts().eq(lived.open_conflicts()));
    assert_eq!(folded.coverage(), lived.coverage());
    assert_eq!(folded.context_changes(), lived.context_changes());
    assert_eq!(folded.phase_index(), lived.phase_index());
    assert_eq!(folded.rounds_in_phase(), lived.rounds_in_phase());
    assert_eq!(folded.last_decision(), lived.last_decision());
}

#[test]
fn s4_a_skip_before_the_first_commit_holds_from_it_on() {
    let opening = Table::read("r\n").opening().clone();
    let mut session = Session::open(opening);
    let skip = Intervention {
        at: Timestamp::UNIX_EPOCH,
        after_round: 0,
        kind: InterventionKind::Skip,
        text: None,
        by: None,
        rounds: None,
    };
    session.apply(Event::Intervened(skip)).unwrap();
    let mut table = Table::read("r\n");
    let session = table.drive(session);
    assert_eq!(session.rounds().len(), 1);
    assert!(session.has_ended());
    assert_eq!(session.last_decision().unwrap().because[0].rule, "D1");
    assert!(refold(&session).has_ended());
}

#[test]
fn s4_a_record_that_lost_its_question_goes_on() {
    let lived = play("r\nnext: escalate\n").session;
    let past = Past { rounds: lived.rounds().to_vec(), ..Past::default() };
    let folded = Session::fold(lived.opening().clone(), past);
    assert_eq!(folded.round_number(), 2);
    assert!(matches!(next_step(&folded), Step::Ask(_)));
}

#[test]
fn s4_a_legacy_file_without_decisions_goes_on_in_its_phase() {
    let lived = play("strategy disney\nr\n").session;
    let mut round = lived.rounds()[0].clone();
    round.decision = Default::default();
    let past = Past { rounds: vec![round], current_phase: Some("critic".to_owned()), ..Past::default() };
    let folded = Session::fold(lived.opening().clone(), past);
    assert_eq!((folded.phase().name.as_str(), folded.round_number()), ("critic", 2));
}

#[test]
fn s4_answers_come_back_from_the_minutes_or_the_tape() {
    let lived = play("verbose\nr\na: 0.9 yes\n").session;
    assert_eq!(refold(&lived).answers_of(1), lived.answers_of(1));
    let terse = play("r\na: 0.9 yes\n").session;
    let mut folded = refold(&terse);
    assert_eq!(folded.answers_of(1), None);
    let mut tape = terse.answers_of(1).unwrap().to_vec();
    tape[0].votes.insert("C9.9".to_owned(), Choice::Support);
    let stranger = SeatResponse { participant: "stranger".into(), ..tape[1].clone() };
    tape.push(stranger);
    folded.remember(1, tape);
    assert_eq!(folded.answers_of(1), terse.answers_of(1));
}

#[test]
fn s2_a_round_survives_the_trip_through_a_file() {
    let played = play("verbose\nr\nclaim: Use REST\nconflict: cache a=x\nr\na: 0.8 | -C1.1=no | doubt: hm\n");
    for round in played.session.rounds() {
        let text = serde_json::to_string(round).unwrap();
        assert_eq!(&serde_json::from_str::<Round>(&text).unwrap(), round);
        assert_eq!(round.confidence.len(), 3);
    }
    let terse = play("r\n");
    assert_eq!(terse.session.rounds()[0].responses, None);
    assert_eq!(terse.session.rounds()[0].confidence.len(), 3);
}

#[test]
fn s7_nothing_but_a_ruling_changes_what_the_session_started_with() {
    let opening = Table::read("agenda users\n").opening().clone();
    let played = play("agenda users\nr\nconflict: cache\nnext: escalate\nrule: decide so\nr\nskip\n");
    assert_eq!(played.session.opening(), &opening);
    assert!(played.session.context_changes().is_empty());
}

#[test]
fn s7_a_strategy_without_phases_is_refused_in_files_and_plain_in_memory() {
    let mut opening = Table::read("").opening().clone();
    opening.settings.method.phases.clear();
    let text = serde_json::to_string(&opening.settings).unwrap();
    let refused = serde_json::from_str::<Settings>(&text).unwrap_err().to_string();
    assert!(refused.starts_with("a strategy needs at least one phase"), "{refused}");
    assert_eq!(Session::open(opening).phase().name, "discussion");
}

fn refold(session: &Session) -> Session {
    let past = Past {
        rounds: session.rounds().to_vec(),
        escalations: session.escalations().to_vec(),
        interventions: session.interventions().to_vec(),
        ..Past::default()
    };
    Session::fold(session.opening().clone(), past)
}
