//! The loop, run for real in memory: rounds, retries, pauses, skips.

use s2s::engine::record::{Escalation, InterventionKind, OutcomeStatus, Ruling};
use s2s::engine::{Session, Unattended};
use s2s::roundtable::{Chair, Deciding, Ended, Notice, Paused, Word, interrupt};
use s2s::store::{Keeper, Status, Taped};

use crate::world::{AGREEABLE, Says, Table, agreeable_with_votes, run, run_with, script, take_up};

#[tokio::test]
async fn c3_a_session_runs_to_its_end_and_earns_its_status() {
    let mut table = Table::default().begin(script(&agreeable_with_votes()));
    let (ended, notices) = run(&mut table, Unattended::Pause).await;
    let Ended::Completed(outcome) = ended else { panic!("completed, not {ended:?}") };
    assert_eq!(outcome.status, OutcomeStatus::Accepted, "{:?}", outcome.reasons);
    assert_eq!(outcome.consensus, ["C1.1: Use REST"]);
    assert_eq!(table.session().rounds().len(), 3, "min_rounds holds a conclusion back (B1)");
    assert_eq!(table.keeper().minutes().status(), Status::Completed);
    assert!(matches!(notices.last(), Some(Notice::SessionCompleted { .. })));
}

#[tokio::test]
async fn l1_nothing_is_shown_of_a_round_before_it_is_in_the_minutes() {
    let mut table = Table::default().begin(script(&agreeable_with_votes()));
    let (_, notices) = run(&mut table, Unattended::Pause).await;
    let shown: Vec<&str> = notices
        .iter()
        .filter_map(|notice| match notice {
            Notice::RoundStarted { .. } => Some("started"),
            Notice::RoundCommitted { .. } => Some("committed"),
            _ => None,
        })
        .collect();
    assert_eq!(shown, ["started", "committed", "started", "committed", "started", "committed"]);
    assert_eq!(table.keeper().saves(), 4, "one write per round and one for the end");
}

#[tokio::test]
async fn l4_a_bad_reply_is_asked_again_with_the_reason() {
    let text = agreeable_with_votes()
        + "  - {round: 1, kind: question, attempt: 1, fault: garbage}\n  - {round: 1, seat: qa-lead, kind: response, attempt: 1, reply: 'position: x'}\n";
    let mut table = Table::default().begin(script(&text));
    run(&mut table, Unattended::Pause).await;
    let prompts: Vec<String> = table
        .keeper()
        .lines()
        .iter()
        .filter_map(|line| match &line.what {
            Taped::Asked(asked) if asked.call.attempt == 2 => Some(asked.prompt.user.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(prompts.len(), 2, "one second attempt each");
    assert!(prompts.iter().all(|prompt| prompt.contains("could not be used")));
    assert!(prompts[1].contains("`confidence` is missing"), "{}", prompts[1]);
    assert!(table.session().rounds()[0].degraded.is_empty(), "the second reply was good");
    let doubts = &table.session().rounds()[0].doubts;
    assert!(doubts.iter().any(|doubt| &*doubt.seat == "qa-lead"), "{doubts:?}");
}

#[tokio::test]
async fn l5_a_silent_seat_does_not_stop_the_round() {
    let text = agreeable_with_votes() + "  - {seat: qa-lead, kind: response, round: 2, fault: timeout}\n";
    let mut table = Table::default().begin(script(&text));
    run(&mut table, Unattended::Pause).await;
    let round = &table.session().rounds()[1];
    assert_eq!(round.no_response.iter().map(|id| &**id).collect::<Vec<_>>(), ["qa-lead"]);
    let told = table.keeper().lines().iter().any(|line| match &line.what {
        Taped::Asked(asked) => asked.prompt.user.contains("qa-lead gave no response"),
        _ => false,
    });
    assert!(told, "the facilitator is told who was silent");
}

#[tokio::test]
async fn l5_when_nobody_answers_the_session_pauses_and_can_go_on() {
    let silent = AGREEABLE.replace("kind: response,", "kind: response, round: 9,");
    let mut table = Table::default().begin(script(&silent));
    let (ended, _) = run(&mut table, Unattended::Accept).await;
    assert!(matches!(ended, Ended::Paused(Paused::NobodyAnswered(ref errors)) if errors.len() == 3));
    assert_eq!(table.keeper().minutes().status(), Status::Paused);
    assert_eq!(table.keeper().minutes().rounds().len(), 0, "the round is not committed");
    let (minutes, tape) = table.into_keeper().into_parts();
    let questions = |tape: &[s2s::store::TapeLine]| {
        tape.iter()
            .filter(|l| matches!(&l.what, Taped::Asked(a) if a.call.to_string() == "r1.question.facilitator.1"))
            .count()
    };
    assert_eq!(questions(&tape), 1);
    let mut again = take_up(minutes, tape, script(&agreeable_with_votes()));
    let (ended, _) = run(&mut again, Unattended::Accept).await;
    assert!(matches!(ended, Ended::Completed(_)));
    assert_eq!(questions(again.keeper().lines()), 1, "the question was paid for and is not asked again");
}

#[tokio::test]
async fn l5_a_question_that_nobody_could_ask_is_asked_when_the_session_goes_on() {
    let dead = AGREEABLE
        .replace("kind: response,", "kind: response, round: 9,")
        .replace("- {kind: question, reply", "- {kind: question, round: 9, reply");
    let mut table = Table::default().begin(script(&dead));
    let (ended, _) = run(&mut table, Unattended::Accept).await;
    assert!(matches!(ended, Ended::Paused(Paused::NobodyAnswered(_))));
    let (minutes, tape) = table.into_keeper().into_parts();
    let mut again = take_up(minutes, tape, script(&agreeable_with_votes()));
    let (ended, _) = run(&mut again, Unattended::Accept).await;
    assert!(matches!(ended, Ended::Completed(_)));
    let round = &again.session().rounds()[0];
    assert_eq!((round.question.as_str(), round.degraded.len()), ("Which one?", 0));
    let report = s2s::audit::replay(again.keeper().minutes(), again.keeper().lines()).expect("replays");
    assert!(report.is_clean() && report.identical, "{:?}", report.findings);
}

#[tokio::test]
async fn d1_a_person_can_skip_to_the_end() {
    let mut table = Table::default();
    table.config.roundtable.interactive = true;
    let mut table = table.begin(script(AGREEABLE));
    let (ended, _) = run_with(&mut table, &mut Says(Word::Skip, Unattended::Pause), interrupt().1).await;
    let Ended::Completed(outcome) = ended else { panic!("completed") };
    assert_eq!(table.session().rounds().len(), 1);
    assert_eq!(outcome.status, OutcomeStatus::Proposed, "nothing was voted on");
    assert_eq!(table.keeper().minutes().interventions()[0].kind, InterventionKind::Skip);
}

#[tokio::test]
async fn l1_a_person_can_pause_after_a_round_and_go_on_later() {
    let mut table = Table::default();
    table.config.roundtable.interactive = true;
    let panel = script(&agreeable_with_votes());
    let mut table = table.begin(panel.clone());
    let (ended, _) = run_with(&mut table, &mut Says(Word::Pause, Unattended::Pause), interrupt().1).await;
    assert_eq!(ended, Ended::Paused(Paused::ByPerson));
    let (minutes, tape) = table.into_keeper().into_parts();
    assert_eq!(minutes.status(), Status::Paused);
    let mut again = take_up(minutes, tape, panel);
    let (ended, _) = run_with(&mut again, &mut Says(Word::Continue, Unattended::Pause), interrupt().1).await;
    assert!(matches!(ended, Ended::Completed(_)));
    let kinds: Vec<InterventionKind> = again.keeper().minutes().interventions().iter().map(|i| i.kind).collect();
    assert_eq!(kinds, [InterventionKind::Pause, InterventionKind::Resume]);
}

#[tokio::test]
async fn e9_a_pending_escalation_pauses_and_is_asked_again_on_resume() {
    let text = agreeable_with_votes().replace("confidence: 0.7,", "confidence: 0.3,");
    let panel = script(&text);
    let mut table = Table::default().begin(panel.clone());
    let (ended, _) = run(&mut table, Unattended::Pause).await;
    let Ended::Paused(Paused::ForRuling(escalation)) = ended else { panic!("paused, not {ended:?}") };
    assert_eq!(escalation.causes[0].rule, "E2");
    let (minutes, tape) = table.into_keeper().into_parts();
    assert!(minutes.pending().is_some(), "it is in the minutes (E10)");
    let mut again = take_up(minutes, tape, panel);
    let (ended, notices) = run(&mut again, Unattended::Continue).await;
    assert!(matches!(ended, Ended::Completed(_)));
    let settled = notices.iter().filter(|n| matches!(n, Notice::EscalationSettled { .. })).count();
    assert_eq!(settled, 1, "the same cause does not fire twice (E7)");
}

#[tokio::test(start_paused = true)]
async fn an_interrupt_loses_nothing_and_the_session_goes_on() {
    let slow = agreeable_with_votes().replace("replies:", "default: {delay_ms: 1000}\nreplies:");
    let panel = script(&slow);
    let mut table = Table::default().begin(panel.clone());
    let (stop, heard) = interrupt();
    let stopping = async {
        tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
        stop.stop();
    };
    let mut chair = Says(Word::Continue, Unattended::Pause);
    let ((ended, _), ()) = tokio::join!(run_with(&mut table, &mut chair, heard), stopping);
    assert_eq!(ended, Ended::Paused(Paused::Interrupted));
    let (minutes, tape) = table.into_keeper().into_parts();
    assert_eq!(minutes.status(), Status::Paused);
    let mut again = take_up(minutes, tape, panel);
    let (ended, _) = run(&mut again, Unattended::Pause).await;
    assert!(matches!(ended, Ended::Completed(_)));
}

/// A person who never answers.
struct Silent;

impl Chair for Silent {
    fn rule<'a>(&'a mut self, _: &'a Session, _: &'a Escalation) -> Deciding<'a, Option<Ruling>> {
        Box::pin(std::future::pending())
    }

    fn after_round<'a>(&'a mut self, _: &'a Session) -> Deciding<'a, Word> {
        Box::pin(std::future::pending())
    }
}

#[tokio::test(start_paused = true)]
async fn an_interrupt_is_heard_while_a_person_thinks() {
    for interactive in [false, true] {
        let mut table = Table::default();
        table.config.roundtable.interactive = interactive;
        let text = agreeable_with_votes().replace("confidence: 0.7,", "confidence: 0.3,");
        let mut table = table.begin(script(&text));
        let (stop, heard) = interrupt();
        let stopping = async {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
            stop.stop();
        };
        let mut chair = Silent;
        let ((ended, _), ()) = tokio::join!(run_with(&mut table, &mut chair, heard), stopping);
        assert_eq!(ended, Ended::Paused(Paused::Interrupted));
        let minutes = table.keeper().minutes();
        assert!(minutes.pending().is_some() && minutes.status() == Status::Paused, "the escalation still waits");
    }
}
