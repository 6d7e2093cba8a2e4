//! Runs outlive calls, clients and servers: what was cut off goes on, what was stopped rests.

use serde_json::json;

use super::talk::Talk;
use super::unhurried;
use crate::harness::{Folder, TOPIC, Watched};
use crate::mocked::{MODEL, Mock};

/// Starts a session and waits until its first round is held.
fn begun(talk: &mut Talk) -> String {
    let begun = talk.told("roundtable_start", json!({ "topic": TOPIC }));
    let id = begun["session"].as_str().unwrap().to_owned();
    loop {
        let told = talk.told("roundtable_wait", json!({ "session": id, "seconds": 1 }));
        assert_eq!(told["status"], "running", "{told}");
        if told["rounds"].as_i64() >= Some(1) {
            return id;
        }
    }
}

/// A project whose models a mock plays, each answer late.
fn modelled(latency_ms: u32) -> (Folder, Mock) {
    let folder = Folder::project();
    let mock = Mock::start(&folder, &format!("latency_ms: {latency_ms}\n"));
    let model = format!("models: {{default: \"openai:{MODEL}\"}}\nroundtable: {{strategy: standard}}\n");
    folder.write(".s2s/config.yaml", model);
    (folder, mock)
}

fn served_by(folder: &Folder, mock: &Mock) -> Talk {
    let mut command = folder.command(&["mcp"]);
    command.envs(mock.variables());
    Talk::of(command, None)
}

#[test]
fn l7_a_server_killed_in_the_middle_goes_on_with_the_next_one() {
    let (folder, mock) = modelled(500);
    let mut talk = served_by(&folder, &mock);
    let id = begun(&mut talk);
    talk.child.kill().unwrap();
    talk.child.wait().unwrap();
    let mut next = served_by(&folder, &mock);
    let told = next.told("roundtable_status", json!({ "session": id }));
    assert_eq!(told["status"], "interrupted", "{told}");
    assert!(told["next"].as_str().unwrap().contains("roundtable_wait"), "{told}");
    assert_eq!(next.told("session_list", json!({}))["sessions"][0]["status"], "interrupted");
    // Looking starts nothing.
    assert_eq!(next.told("roundtable_status", json!({ "session": id }))["status"], "interrupted");
    assert_eq!(next.wait(&id)["status"], "completed");
    assert_eq!(folder.ids(), [id.as_str()]);
    folder.run(&["session", "verify", &id]).ok();
}

#[test]
fn a_signal_pauses_every_session_and_the_next_server_takes_it_up() {
    let (folder, mock) = modelled(500);
    let mut talk = served_by(&folder, &mock);
    let id = begun(&mut talk);
    std::process::Command::new("kill").arg("-TERM").arg(talk.child.id().to_string()).status().unwrap();
    assert_eq!(talk.child.wait().unwrap().code(), Some(0));
    let minutes = folder.minutes(&id);
    assert_eq!(minutes["status"], "paused");
    assert_eq!(minutes["interventions"][0]["by"], "server");
    let mut next = served_by(&folder, &mock);
    assert_eq!(next.wait(&id)["status"], "completed");
}

#[test]
fn the_run_goes_on_when_the_client_leaves() {
    let folder = unhurried(60);
    let mut talk = Talk::in_folder(&folder, None);
    let begun = talk.told("roundtable_start", json!({ "topic": TOPIC }));
    talk.leave();
    assert_eq!(talk.child.wait().unwrap().code(), Some(0));
    assert_eq!(folder.minutes(begun["session"].as_str().unwrap())["status"], "completed");
}

#[test]
fn what_was_stopped_rests_until_somebody_wants_it_to_go_on() {
    let folder = unhurried(400);
    let mut talk = Talk::in_folder(&folder, None);
    let begun = talk.told("roundtable_start", json!({ "topic": TOPIC }));
    let id = begun["session"].as_str().unwrap().to_owned();
    let told = talk.told("roundtable_stop", json!({ "session": id }));
    assert_eq!(told["status"], "paused", "{told}");
    assert_eq!(folder.minutes(&id)["interventions"][0]["by"], "agent");
    let told = talk.told("roundtable_wait", json!({ "session": id }));
    assert_eq!(told["status"], "paused");
    assert!(told["next"].as_str().unwrap().contains("resume true"), "{told}");
    let told = talk.told("roundtable_wait", json!({ "session": id, "resume": true, "seconds": 50 }));
    assert_eq!(told["status"], "completed", "{told}");
}

#[test]
fn a_session_of_another_process_is_followed_and_not_stopped() {
    let folder = unhurried(300);
    let mut run = Watched::of(folder.command(&["roundtable", "start", TOPIC, "--json"]));
    let id = run.until("session_started", "")["session"].as_str().unwrap().to_owned();
    let mut talk = Talk::in_folder(&folder, None);
    let said = talk.refused("roundtable_stop", json!({ "session": id }));
    assert!(said.contains(&format!("process {}", run.child.id())), "{said}");
    assert_eq!(talk.wait(&id)["status"], "completed");
    run.finish().ok();
}

#[test]
fn a_run_that_cannot_begin_says_why_and_what_to_do() {
    let folder = Folder::project();
    let mut talk = Talk::in_folder(&folder, None);
    for (arguments, says) in [
        (json!({ "topic": "" }), "no topic"),
        (json!({ "topic": TOPIC, "strategy": "no-such" }), "no-such"),
        (json!({ "topic": TOPIC, "participants": ["qa-lead", "nobody"] }), "nobody"),
        (json!({ "topic": TOPIC, "participants": ["qa-lead,../x"] }), "qa-lead"),
        (json!({ "topic": TOPIC, "max_rounds": -1 }), "`max_rounds` is -1"),
        (json!({ "topic": TOPIC, "max_rounds": 5000 }), "`max_rounds` is 5000"),
    ] {
        let said = talk.refused("roundtable_start", arguments);
        assert!(said.contains(says), "{says}: {said}");
    }
    assert!(folder.ids().is_empty());
    let said = talk.refused("roundtable_wait", json!({ "session": "2", "seconds": 900 }));
    assert!(said.contains("`seconds` is 900") && said.contains("1 to 50"), "{said}");
}
