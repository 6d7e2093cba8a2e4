//! Each invariant has a session that breaks it, and a good session breaks none.

use s2s_engine::record::Round;
use s2s_store::{ContextChange, Minutes, Status, validate};
use serde_json::json;

use crate::fixture::{escalation, minutes, now, round, with_rounds};

fn check(minutes: &Minutes, words: &str) {
    let found: Vec<String> = validate(minutes).iter().map(ToString::to_string).collect();
    assert!(found.iter().any(|finding| finding.contains(words)), "{words:?} is not among {found:#?}");
}

/// Two rounds, the second one bent.
fn bent(bend: impl FnOnce(&mut Round)) -> Minutes {
    let mut minutes = with_rounds("a", 1);
    let mut second = round(2);
    bend(&mut second);
    minutes.push_round(second).unwrap();
    minutes
}

fn tally(point: &str) -> s2s_engine::record::Tally {
    serde_json::from_value(
        json!({ "point": point, "policy": "consent", "support": ["qa-lead"], "share": 1.0, "carried": true }),
    )
    .unwrap()
}

#[test]
fn a_good_session_has_no_findings() {
    let mut minutes = bent(|round| {
        round.phase = "discussion".into();
        round.tallies = vec![tally("C1.1")];
        round.resolved = vec![serde_json::from_value(json!({ "conflict_id": "caching" })).unwrap()];
    });
    minutes.set_phase("discussion");
    minutes.push_escalation(escalation("X1", 2)).unwrap();
    minutes.set_ruling(serde_json::from_value(json!({ "choice": "accept_context", "by": "person" })).unwrap()).unwrap();
    minutes.push_context_change(ContextChange { round: 2, text: "t".into(), by: "person".into() }).unwrap();
    minutes
        .set_outcome(serde_json::from_value(json!({ "status": "accepted", "output_type": "adr" })).unwrap())
        .unwrap();
    minutes.set_status(Status::Completed, now());
    assert_eq!(validate(&minutes), []);
}

#[test]
fn rounds_speak_of_what_there_is() {
    check(&bent(|round| round.asked = vec!["ghost".into()]), "round 2: names `ghost`");
    check(&bent(|round| round.no_response = vec!["qa-lead".into()]), "`qa-lead` has a confidence and no response");
    check(&bent(|round| round.confidence = [("qa-lead".into(), 1.5)].into()), "confidence 1.5 of `qa-lead`");
    check(&bent(|round| round.tallies = vec![tally("C7.1")]), "`C7.1`, which no earlier round claims");
    check(&bent(|round| round.tallies = vec![tally("C2.1")]), "`C2.1`, which no earlier round claims");
    let mut double = tally("C1.1");
    double.no_vote = double.support.clone();
    check(&bent(|round| round.tallies = vec![double]), "`qa-lead` is counted twice on `C1.1`");
    let stray = serde_json::from_value(json!({ "conflict_id": "naming" })).unwrap();
    check(&bent(|round| round.resolved = vec![stray]), "resolves `naming`");
}

#[test]
fn a1_coverage_never_falls_back() {
    let back = serde_json::from_value(json!({ "topic": "components", "status": "pending" })).unwrap();
    check(&bent(|round| round.agenda_coverage = vec![back]), "`components` falls back from partial to pending");
    let stray = serde_json::from_value(json!({ "topic": "naming", "status": "covered" })).unwrap();
    check(&bent(|round| round.agenda_coverage = vec![stray]), "`naming`, which is not on the agenda");
}

#[test]
fn phases_are_those_of_the_strategy_and_go_forward() {
    check(&bent(|round| round.phase = "singing".into()), "phase `singing` is not one of `two-step`");
    let mut minutes = minutes("a");
    for (number, phase) in [(1, "discussion"), (2, "proposal")] {
        let mut round = round(number);
        round.phase = phase.into();
        minutes.push_round(round).unwrap();
    }
    check(&minutes, "round 2: goes back to phase `proposal`");
    check(&minutes, "`current_phase` is `proposal`, but a later phase was held");
}

#[test]
fn e10_escalations_fit_the_rounds_and_the_context() {
    let mut minutes = with_rounds("a", 1);
    minutes.push_escalation(escalation("X1", 9)).unwrap();
    check(&minutes, "escalation X1 is about round 9");
    minutes.set_ruling(serde_json::from_value(json!({ "choice": "accept_context", "by": "policy" })).unwrap()).unwrap();
    check(&minutes, "`context.changes` does not match");
    minutes.push_escalation(escalation("X1", 1)).unwrap();
    check(&minutes, "escalation X1 is there twice");
}

#[test]
fn c3_an_outcome_and_completion_go_together() {
    let mut minutes = minutes("a");
    minutes
        .set_outcome(serde_json::from_value(json!({ "status": "accepted", "output_type": "adr" })).unwrap())
        .unwrap();
    check(&minutes, "an outcome, but status `active`");
    let mut minutes = with_rounds("a", 1);
    minutes.push_escalation(escalation("X1", 1)).unwrap();
    minutes.set_status(Status::Completed, now());
    check(&minutes, "status `completed`, but no outcome");
    check(&minutes, "an escalation is pending");
}
