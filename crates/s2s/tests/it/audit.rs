//! Replay and verification: a good record passes, a changed one does not.

use s2s::audit::{replay, verify};
use s2s::engine::Unattended;
use s2s::store::{Keeper, TapeLine, Taped};

use crate::world::{Table, agreeable_with_votes, run, script, take_up};

async fn recorded(strategy: &'static str) -> (s2s::store::Minutes, Vec<TapeLine>) {
    let mut table = Table { strategy, ..Table::default() }.begin(script(&agreeable_with_votes()));
    run(&mut table, Unattended::Accept).await;
    table.into_keeper().into_parts()
}

#[tokio::test]
async fn a_replay_gives_the_same_minutes_byte_for_byte_in_every_strategy() {
    for strategy in ["standard", "disney", "debate", "consensus-driven", "six-hats"] {
        let (minutes, tape) = recorded(strategy).await;
        let report = replay(&minutes, &tape).expect("replays");
        assert!(report.is_clean(), "{strategy}: {:?}", report.findings);
        assert_eq!(report.rounds, minutes.rounds().len());
        assert!(report.identical, "{strategy} differs as a file");
    }
}

#[tokio::test]
async fn a_changed_reply_on_the_tape_is_found_by_replay() {
    let (minutes, mut tape) = recorded("standard").await;
    for line in &mut tape {
        if let Taped::Answered(answered) = &mut line.what
            && answered.call.to_string() == "r2.response.qa-lead.1"
        {
            answered.reply = answered.reply.replace("0.7", "0.9");
        }
    }
    let report = replay(&minutes, &tape).expect("replays");
    assert_eq!(report.findings[0].place, "round 2");
    assert!(report.findings[0].what.contains("confidence"), "{:?}", report.findings);
}

#[tokio::test]
async fn a_prompt_with_anothers_answer_is_found_by_verify() {
    let (minutes, mut tape) = recorded("standard").await;
    let leak = "I would go with what the team can already do";
    for line in &mut tape {
        if let Taped::Asked(asked) = &mut line.what
            && asked.call.to_string() == "r1.response.qa-lead.1"
        {
            asked.prompt.user.push_str(leak);
        }
    }
    let report = verify(&minutes, &tape).expect("verifies");
    let found: Vec<&str> = report.findings.iter().map(|finding| finding.what.as_str()).collect();
    let expected = [
        "the prompt is not the one that the minutes lead to",
        "the prompt holds what technical-lead answered in round 1",
    ];
    assert_eq!(found, expected);
}

#[tokio::test]
async fn a_tape_that_ends_too_early_is_found() {
    let (minutes, mut tape) = recorded("standard").await;
    tape.truncate(tape.len() / 2);
    let report = replay(&minutes, &tape).expect("replays");
    assert!(!report.is_clean());
}

#[tokio::test]
async fn s7_a_resumed_session_keeps_the_texts_it_started_with() {
    let mut table = Table::default();
    table.config.roundtable.interactive = true;
    let panel = script(&agreeable_with_votes());
    let mut table = table.begin(panel.clone());
    let mut chair = crate::world::Says(s2s::roundtable::Word::Pause, Unattended::Pause);
    crate::world::run_with(&mut table, &mut chair, s2s::roundtable::interrupt().1).await;
    let (minutes, tape) = table.into_keeper().into_parts();
    // `take_up` offers an empty charter: the one on the tape must hold.
    let mut again = take_up(minutes, tape, panel);
    run(&mut again, Unattended::Pause).await;
    let report = verify(again.keeper().minutes(), again.keeper().lines()).expect("verifies");
    assert!(report.is_clean(), "{:?}", report.findings);
    assert!(replay(again.keeper().minutes(), again.keeper().lines()).expect("replays").identical);
}

#[tokio::test]
async fn a_session_without_its_tape_is_not_called_sound() {
    let (minutes, _) = recorded("standard").await;
    assert!(!verify(&minutes, &[]).expect("verifies").is_clean());
    assert!(!replay(&minutes, &[]).expect("replays").is_clean());
}

#[tokio::test]
async fn a_tape_with_less_or_more_than_the_minutes_is_found_by_verify() {
    let (minutes, tape) = recorded("standard").await;
    let first_round = |line: &&TapeLine| line.what.call().is_none_or(|call| call.round == 1);
    let cut: Vec<TapeLine> = tape.iter().filter(first_round).cloned().collect();
    let report = verify(&minutes, &cut).expect("verifies");
    assert!(report.findings[0].what.contains("the tape ends before the last"), "{:?}", report.findings);

    let mut longer = tape.clone();
    let mut extra = tape.last().expect("a line").clone();
    extra.seq += 1;
    longer.push(extra);
    let report = verify(&minutes, &longer).expect("verifies");
    assert!(report.findings[0].what.contains("nothing called for this line"), "{:?}", report.findings);
}

#[tokio::test]
async fn l2_quoting_what_everybody_was_given_is_no_leak() {
    let topic = "Take the plain one because it is simple to keep";
    let mut table = Table { topic, ..Table::default() }.begin(script(&agreeable_with_votes()));
    run(&mut table, Unattended::Accept).await;
    let (minutes, tape) = table.into_keeper().into_parts();
    let report = verify(&minutes, &tape).expect("verifies");
    assert!(report.is_clean(), "the software architect quotes the topic: {:?}", report.findings);
}
