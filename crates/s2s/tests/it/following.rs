//! Following a session by its files tells what the run itself tells, in the same order.

use std::sync::Arc;

use s2s::convene::Convened;
use s2s::engine::Unattended;
use s2s::engine::step::CallKind;
use s2s::following::{Following, Left};
use s2s::panel::{Desk, HumanPanel, Panel, Participant, Sheet, Writing, Wrote};
use s2s::roundtable::{Audience, Clock, Ended, Notice, Paused, Policy, Roundtable, Surroundings, interrupt};
use s2s::store::{Held, Minutes, Sessions, Taped};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::world::{AGREEABLE, Memory, NoScribe, Still, Table, agreeable_with_votes, script};

const ID: &str = "20260102-030405-test";

/// One seat is unsure, so a person must decide.
const UNSURE: &str = r#"
replies:
  - {kind: question, reply: {action: question, question: Which one?, participants: all, focus: cost}}
  - {kind: response, reply: {position: Take the plain one, confidence: 0.8, rationale: [It is known]}}
  - {round: 1, kind: response, seat: qa-lead, reply: {position: Hard to say, confidence: 0.2, rationale: [Thin]}}
  - {round: 1, kind: synthesis, reply: {action: synthesis, synthesis: They differ., consensus: [Use REST], conflicts: [{id: cache, description: Who caches, positions: {qa-lead: Nobody}}], next_action: escalate, escalation_reason: thin, recommendation: Take REST}}
  - {kind: synthesis, reply: {action: synthesis, synthesis: They agree., next_action: conclude, recommendation: Use REST, output_type: adr}}
"#;

fn on_disk(table: &Table, panel: &Arc<dyn Panel>) -> (TempDir, Sessions, Roundtable<Held>) {
    kept(table.convened(&**panel), panel)
}

fn kept(convened: Convened, panel: &Arc<dyn Panel>) -> (TempDir, Sessions, Roundtable<Held>) {
    let folder = tempfile::tempdir().unwrap();
    let sessions = Sessions::new(folder.path());
    let minutes = Minutes::new(&convened.opening, Still.now(), panel.kind(), &panel.note(), "CONTEXT.md").unwrap();
    let held = sessions.create(minutes).unwrap();
    let roundtable = Roundtable::begin(held, convened.charter, Arc::clone(panel), Arc::new(Still)).unwrap();
    (folder, sessions, roundtable)
}

/// Is told by the run, and looks at its files each time.
struct Both {
    run: Vec<Value>,
    followed: Vec<Value>,
    following: Following,
}

impl Both {
    fn new(sessions: &Sessions) -> Self {
        let following = Following::new(sessions, ID, true).unwrap();
        Self { run: Vec::new(), followed: Vec::new(), following }
    }

    fn look(&mut self) {
        let Self { following, followed, .. } = self;
        following.look(&mut |notice: &Notice| followed.push(json!(notice))).unwrap();
    }
}

impl Audience for Both {
    fn notice(&mut self, notice: &Notice) {
        self.run.push(json!(notice));
        self.look();
    }
}

fn is_answer(told: &Value) -> bool {
    told["event"] == "call_ended" && told["call"].as_str().unwrap().contains(".response.")
}

async fn held(roundtable: &mut Roundtable<Held>, both: &mut Both, policy: Unattended) -> Ended {
    let mut chair = Policy(policy);
    let interrupt = interrupt().1;
    let mut around = Surroundings { audience: both, chair: &mut chair, scribe: &NoScribe, interrupt };
    roundtable.run(&mut around).await.unwrap()
}

async fn check(strategy: &'static str, text: &str, policy: Unattended) {
    let panel = script(text);
    let (_folder, sessions, mut roundtable) = on_disk(&Table { strategy, ..Table::default() }, &panel);
    let mut both = Both::new(&sessions);
    held(&mut roundtable, &mut both, policy).await;
    both.look();
    // How it ends is told once nothing more can come; that nobody decides anything more is on no disk.
    // What was spent is told after each answer here, and after those that came together there.
    let apart = ["session_completed", "session_paused", "review_opened", "spent"];
    let is_told = |told: &Value| !apart.iter().any(|name| told["event"] == *name);
    let spent = |told: &[Value]| told.iter().rfind(|one| one["event"] == "spent").map(|one| one["calls"].clone());
    assert_eq!(spent(&both.followed), spent(&both.run), "{strategy}");
    both.run.retain(is_told);
    both.followed.retain(is_told);
    assert!(both.run.len() > 8, "{:?}", both.run);
    for (told, followed) in both.run.iter().zip(&both.followed) {
        assert_eq!(followed, told, "{strategy}");
    }
    assert_eq!(both.followed.len(), both.run.len(), "{strategy}");
    drop(roundtable);
    // Whoever comes later and asks for all of it is told the same.
    let (left, later) = follow(&sessions, true).await;
    assert!(matches!(left, Left::Ended(_)), "{left:?}");
    let of = |name: &str, told: &[Value]| told.iter().filter(|one| one["event"] == name).cloned().collect::<Vec<_>>();
    for name in ["round_started", "question_posed", "round_committed", "call_ended", "sides_taken"] {
        assert_eq!(of(name, &later), of(name, &both.run), "{strategy} {name}");
    }
}

async fn follow(sessions: &Sessions, from_start: bool) -> (Left, Vec<Value>) {
    let mut told = Memory::default();
    let (_stop, mut heard) = interrupt();
    let mut following = Following::new(sessions, ID, from_start).unwrap();
    let left = following.follow(&mut told, &mut heard).await.unwrap();
    (left, told.0.iter().map(|notice| json!(notice)).collect())
}

#[tokio::test(start_paused = true)]
async fn what_is_followed_is_what_the_run_told() {
    check("standard", &agreeable_with_votes(), Unattended::Accept).await;
    check("debate", AGREEABLE, Unattended::Accept).await;
    check("standard", UNSURE, Unattended::Accept).await;
    check("standard", UNSURE, Unattended::Continue).await;
    check("standard", UNSURE, Unattended::Pause).await;
}

/// Has no time in this run.
struct Away;

impl Desk for Away {
    fn ask(&self, _sheet: Sheet) -> Writing {
        Box::pin(std::future::ready(Wrote::Later))
    }
}

#[tokio::test(start_paused = true)]
async fn h1_answers_are_held_back_while_a_person_at_the_table_has_not_answered() {
    let panel: Arc<dyn Panel> =
        Arc::new(HumanPanel::new(script(&agreeable_with_votes()), ["anna".to_owned()], Arc::new(Away)));
    let anna = Participant::read("anna").unwrap();
    let convened = Table::default().convened_with(&*panel, std::slice::from_ref(&anna));
    let (_folder, sessions, mut roundtable) = kept(convened, &panel);
    let mut both = Both::new(&sessions);
    let ended = held(&mut roundtable, &mut both, Unattended::Accept).await;
    assert!(matches!(ended, Ended::Paused(Paused::ForPeople(_))), "{ended:?}");
    drop(roundtable);
    let (_, told) = follow(&sessions, true).await;
    let tape = sessions.tape(ID).unwrap().lines;
    let answered =
        tape.iter().filter(|line| matches!(&line.what, Taped::Answered(one) if one.call.kind == CallKind::Response));
    assert_eq!(answered.count(), 3, "the others have answered");
    assert!(told.iter().any(|one| one["event"] == "question_posed"), "{told:?}");
    assert_eq!(told.iter().filter(|one| is_answer(one)).count(), 0, "{told:?}");
}

#[tokio::test(start_paused = true)]
async fn following_ends_as_the_session_does() {
    let panel = script(&agreeable_with_votes());
    let (_folder, sessions, mut roundtable) = on_disk(&Table::default(), &panel);
    let mut both = Both::new(&sessions);
    assert!(matches!(held(&mut roundtable, &mut both, Unattended::Accept).await, Ended::Completed(_)));
    let (left, told) = follow(&sessions, false).await;
    assert!(matches!(left, Left::Ended(Ended::Completed(_))), "{left:?}");
    assert_eq!(told.first().unwrap()["event"], "session_started");
    assert_eq!(told.last().unwrap()["event"], "session_completed");
    assert!(!told.iter().any(|one| one["event"] == "round_committed"), "only a recap: {told:?}");

    let panel = script(UNSURE);
    let (_folder, sessions, mut roundtable) = on_disk(&Table::default(), &panel);
    let mut both = Both::new(&sessions);
    let ended = held(&mut roundtable, &mut both, Unattended::Pause).await;
    drop(roundtable);
    let (left, told) = follow(&sessions, false).await;
    assert_eq!(left, Left::Ended(ended));
    let reason = |told: &[Value]| told.last().unwrap()["reason"].clone();
    assert_eq!(reason(&told), reason(&both.run));

    let nobody = UNSURE.replace("kind: response, reply: {position", "kind: response, fault: timeout, x: {position");
    let nobody = nobody.replace(", x: {position: Take the plain one, confidence: 0.8, rationale: [It is known]}", "");
    let nobody = nobody.replace(
        "seat: qa-lead, reply: {position: Hard to say, confidence: 0.2, rationale: [Thin]}",
        "seat: qa-lead, fault: timeout",
    );
    let panel = script(&nobody);
    let (_folder, sessions, mut roundtable) = on_disk(&Table::default(), &panel);
    let mut both = Both::new(&sessions);
    let ended = held(&mut roundtable, &mut both, Unattended::Pause).await;
    assert!(matches!(ended, Ended::Paused(Paused::NobodyAnswered(_))), "{ended:?}");
    drop(roundtable);
    assert_eq!(follow(&sessions, false).await.0, Left::Ended(ended));
}

#[tokio::test(start_paused = true)]
async fn an_open_session_that_nobody_drives_is_left_and_one_that_is_driven_is_not() {
    let panel = script(AGREEABLE);
    let (_folder, sessions, roundtable) = on_disk(&Table::default(), &panel);
    let mut told = Memory::default();
    let (stop, mut heard) = interrupt();
    let mut following = Following::new(&sessions, ID, false).unwrap();
    let watched = tokio::time::timeout(std::time::Duration::from_secs(60), following.follow(&mut told, &mut heard));
    assert!(watched.await.is_err(), "somebody holds the lock, so there is something to wait for");
    drop(roundtable);
    assert_eq!(follow(&sessions, false).await.0, Left::Undriven);
    stop.stop();
    let mut following = Following::new(&sessions, ID, false).unwrap();
    let left = following.follow(&mut told, &mut heard).await.unwrap();
    assert!(matches!(left, Left::Interrupted | Left::Undriven), "{left:?}");
}
