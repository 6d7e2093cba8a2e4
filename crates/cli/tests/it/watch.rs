//! `s2s watch`: one process runs a session, another follows it by its files.

use super::harness::{CALM, Folder, TOPIC};
use super::terminal::Person;

/// As CALM, but in round 2 one seat takes for ever: the run waits until it is told to stop.
fn stuck() -> String {
    format!(
        "{CALM}  - {{round: 2, kind: response, seat: technical-lead, delay_ms: 600000, reply: {{position: \"late\", confidence: 0.7}}}}\n"
    )
}

const START: [&str; 8] =
    ["roundtable", "start", TOPIC, "--panel", "script:stuck.yaml", "--strategy", "standard", "--json"];
const LAST: &str = "r2.response.product-manager";

/// A run that waits in its second round, and the folder it is in.
fn waiting() -> (Folder, super::harness::Watched) {
    let folder = Folder::project();
    folder.write("stuck.yaml", stuck());
    let mut run = folder.watch(&START);
    run.until("call_ended", LAST);
    (folder, run)
}

#[test]
fn the_round_under_way_is_told_and_a_pause_ends_both_with_the_same_code() {
    let (folder, run) = waiting();
    let mut watcher = folder.watch(&["watch", "--json"]);
    assert_eq!(watcher.until("session_started", "")["rounds_held"], 1);
    assert_eq!(watcher.until("round_started", "")["round"], 2);
    assert_eq!(watcher.until("question_posed", "")["question"], "Which way?");
    assert_eq!(watcher.until("call_ended", LAST)["position"], "Use REST");
    let mut all = folder.watch(&["watch", "--from-start", "--json"]);
    assert_eq!(all.until("round_committed", "")["round"]["number"], 1);
    all.until("call_ended", LAST);
    run.signal("INT");
    run.finish().is(130);
    for mut watcher in [watcher, all] {
        assert_eq!(watcher.until("session_paused", "")["reason"], "it was interrupted");
        watcher.finish().is(130).says(&["s2s roundtable resume"]);
    }
    folder.run(&["roundtable", "resume", "--panel", "script:calm.yaml", "--quiet"]).ok();
    let id = folder.ids().remove(0);
    let told = folder.run(&["watch", &id, "--from-start"]).ok();
    told.shows(&[
        "Round 1 of at most",
        "Round 2 of at most",
        "Recap of round 3",
        "taken up again",
        "Roundtable Complete!",
    ]);
    folder.run(&["watch", &id]).ok().shows(&["3 rounds held before", "Roundtable Complete!"]);
    folder.run(&["session", "verify", &id]).ok();
    folder.run(&["session", "replay", &id]).ok();
}

#[test]
fn a_driver_that_dies_is_told_with_what_to_do() {
    let (folder, mut run) = waiting();
    let mut watcher = folder.watch(&["watch", "--json"]);
    watcher.until("call_ended", LAST);
    run.child.kill().unwrap();
    run.child.wait().unwrap();
    let id = folder.ids().remove(0);
    watcher.finish().is(1).says(&["nobody drives it any more", &format!("s2s roundtable resume {id}")]);
    folder.run(&["watch", &id]).is(1).says(&["nobody drives it any more"]);
    // Whoever watches has no lock: the session can be taken up.
    folder.run(&["roundtable", "resume", "--panel", "script:calm.yaml", "--quiet"]).ok();
}

#[test]
fn leaving_leaves_the_run_alone() {
    let (folder, mut run) = waiting();
    let mut watcher = folder.watch(&["watch", "--json"]);
    watcher.until("call_ended", LAST);
    watcher.signal("INT");
    watcher.finish().is(130).says(&["goes on without you", "s2s watch"]);
    assert!(run.child.try_wait().unwrap().is_none(), "the run is still there");
    assert_eq!(folder.only()["status"], "active");
    run.signal("INT");
    run.finish().is(130);
}

#[test]
fn what_waits_for_a_person_is_told_with_its_code() {
    let folder = Folder::project();
    folder.run(&["roundtable", "start", TOPIC, "--panel", "script:unsure.yaml", "--strategy", "standard"]).is(3);
    let watched = folder.run(&["watch"]).is(3);
    watched.says(&["s2s roundtable answer", "--accept"]).shows(&["Escalation Required: X1"]);
    folder.run(&["watch", "nothing-like-it"]).is(2).says(&["nothing-like-it"]);
}

#[test]
fn a_person_at_a_terminal_sees_the_round_and_its_end() {
    let (folder, run) = waiting();
    let Some(mut person) = Person::at(&folder, &["watch"]) else { return };
    person.answers("Round 2 of at most", "").answers("Which way?", "").answers("Use REST", "");
    run.signal("INT");
    run.finish().is(130);
    let (code, seen) = person.leaves();
    assert_eq!(code, 130, "{seen}");
    assert!(seen.contains("it was interrupted"), "{seen}");
}
