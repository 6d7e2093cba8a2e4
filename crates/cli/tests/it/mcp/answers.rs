//! Who may answer an escalation: the person through the host, and agents only where the person's own settings say so.

use std::fs;

use serde_json::{Value, json};

use super::scripted;
use super::talk::{Served, Talk};
use crate::harness::{Folder, TOPIC};

/// A session that waits for a person, begun by a client whose person answers so.
fn waiting(folder: &Folder, person: Option<Value>) -> (Talk, String) {
    let mut talk = Talk::in_folder(folder, person);
    let begun = talk.told("roundtable_start", json!({ "topic": TOPIC }));
    let id = begun["session"].as_str().unwrap().to_owned();
    let told = talk.wait(&id);
    assert_eq!(told["status"], "needs_person", "{told}");
    assert!(told["question"].as_str().unwrap().contains("Hard to say"), "{told}");
    assert!(told["next"].as_str().unwrap().contains("The person must decide, not you"), "{told}");
    (talk, id)
}

fn ruling(folder: &Folder, id: &str) -> Value {
    folder.minutes(id)["escalations"][0]["ruling"].clone()
}

#[test]
fn e8_an_older_client_asks_the_person_and_the_session_goes_on() {
    let folder = scripted("unsure.yaml");
    let content = json!({ "choice": "decide", "text": "REST, with versioned paths" });
    let (mut talk, id) = waiting(&folder, Some(json!({ "action": "accept", "content": content })));
    // What the model would choose does not matter: the person was asked.
    talk.told("roundtable_answer", json!({ "session": id, "choice": "accept" }));
    assert_eq!(talk.wait(&id)["status"], "completed");
    let ruling = ruling(&folder, &id);
    assert_eq!((&ruling["choice"], &ruling["by"]), (&json!("decide"), &json!("person")));
    assert_eq!(ruling["text"], "REST, with versioned paths");
    let said = talk.refused("roundtable_answer", json!({ "session": id }));
    assert!(said.contains("nothing waits"), "{said}");
    let result = talk.told("roundtable_result", json!({ "session": id }));
    assert_eq!(
        result["decision"], "REST, with versioned paths",
        "bug: the recommendation stood for what the person decided"
    );
    assert!(result["rulings"][0].as_str().unwrap().contains("the person chose decide: REST, with"), "{result}");
}

#[test]
fn a_person_who_declines_or_says_nothing_of_use_leaves_the_session_waiting() {
    for (answer, says) in [
        (json!({ "action": "decline" }), "has not decided"),
        (json!({ "action": "cancel" }), "has not decided"),
        (json!({ "action": "accept", "content": { "choice": "decide" } }), "needs the decision in words"),
        (json!({ "action": "accept", "content": { "choice": "burn" } }), "offers no choice \"burn\""),
        (json!({ "action": "accept", "content": { "choice": "continue", "rounds": -4 } }), "`rounds` is -4"),
    ] {
        let folder = scripted("unsure.yaml");
        let (mut talk, id) = waiting(&folder, Some(answer));
        let said = talk.refused("roundtable_answer", json!({ "session": id }));
        assert!(said.contains(says) && said.contains("Next:"), "{said}");
        assert_eq!(ruling(&folder, &id), Value::Null);
    }
}

#[test]
fn a_client_that_cannot_ask_is_refused_and_told_to_put_it_to_the_person() {
    let folder = scripted("unsure.yaml");
    let (mut talk, id) = waiting(&folder, None);
    let said = talk.refused("roundtable_answer", json!({ "session": id, "choice": "accept" }));
    for part in ["only the person can decide", "Hard to say", "Take REST", &format!("s2s roundtable answer {id}")] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(ruling(&folder, &id), Value::Null);
    // The person answers in a terminal, and the client's next wait sees it.
    folder.run(&["roundtable", "answer", &id, "--accept", "--quiet"]).ok();
    assert_eq!(talk.wait(&id)["status"], "completed");
}

#[test]
fn agents_answer_only_where_the_persons_own_settings_say_so() {
    let allowed = "roundtable: {strategy: standard, escalation: {agents_may_answer: true}}\n";
    let folder = scripted("unsure.yaml");
    let (mut talk, id) = waiting(&folder, None);
    folder.write(".s2s/config.yaml", format!("panel: script:unsure.yaml\n{allowed}"));
    let said = talk.refused("roundtable_answer", json!({ "session": id, "choice": "accept" }));
    assert!(said.contains(".s2s/config.yaml") && said.contains("does not count"), "{said}");
    assert_eq!(ruling(&folder, &id), Value::Null);

    folder.write(".s2s/config.yaml", "panel: script:unsure.yaml\n");
    fs::create_dir_all(folder.user_config().parent().unwrap()).unwrap();
    fs::write(folder.user_config(), allowed).unwrap();
    let said = talk.refused("roundtable_answer", json!({ "session": id }));
    assert!(said.contains("agents may answer here") && !said.contains("only the person"), "{said}");
    talk.told("roundtable_answer", json!({ "session": id, "choice": "continue", "rounds": 2 }));
    assert_eq!(talk.wait(&id)["status"], "completed");
    let ruling = ruling(&folder, &id);
    // It is never kept as a person's word.
    assert_eq!((&ruling["by"], &ruling["name"]), (&json!("policy"), &json!("the calling agent")));
    assert_eq!(ruling["rounds"], 2);
    let document = talk.told("roundtable_result", json!({ "session": id }))["documents"][0]["text"].to_string();
    assert!(document.contains("the calling agent, not by a person"), "{document}");
}

#[test]
fn bug_what_a_person_answered_after_the_hosts_patience_was_thrown_away() {
    let folder = scripted("unsure.yaml");
    let answer = json!({ "action": "accept", "content": { "choice": "accept" } });
    let (mut talk, id) = waiting(&folder, Some(answer.clone()));
    let call = json!({ "name": "roundtable_answer", "arguments": { "session": id } });
    talk.send(&json!({ "jsonrpc": "2.0", "id": 900, "method": "tools/call", "params": call }));
    let form = talk.hear();
    assert_eq!(form["method"], "elicitation/create", "{form}");
    let left = json!({ "requestId": 900, "reason": "the host waited long enough" });
    talk.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": left }));
    talk.send(&json!({ "jsonrpc": "2.0", "id": form["id"], "result": answer }));
    let stands = |talk: &mut Talk| talk.told("roundtable_status", json!({ "session": id }))["status"].clone();
    assert!((0..5_000).any(|_| stands(&mut talk) != "needs_person"));
    assert_eq!(talk.wait(&id)["status"], "completed");
    assert_eq!(ruling(&folder, &id)["by"], "person");
}

#[test]
fn bug_an_agents_own_decision_was_taken_and_lost() {
    let folder = scripted("unsure.yaml");
    fs::create_dir_all(folder.user_config().parent().unwrap()).unwrap();
    fs::write(folder.user_config(), "roundtable: {strategy: standard, escalation: {agents_may_answer: true}}\n")
        .unwrap();
    let (mut talk, id) = waiting(&folder, None);
    let said = talk.refused("roundtable_answer", json!({ "session": id, "choice": "decide", "text": "GraphQL" }));
    assert!(said.contains("only a person can choose `decide`") && said.contains("accept: "), "{said}");
    assert!(!said.contains("decide: give"), "{said}");
    assert_eq!(talk.told("roundtable_status", json!({ "session": id }))["status"], "needs_person");
    let listed = talk.told("session_list", json!({}));
    assert_eq!(listed["sessions"][0]["status"], "needs_person", "{listed}");
}

#[test]
fn what_a_newer_client_brings_back_counts_only_with_the_seal_it_was_given() {
    let folder = scripted("unsure.yaml");
    let served = Served::in_folder(&folder);
    let waiting = || {
        let begun = served.told("roundtable_start", json!({ "topic": TOPIC }));
        let id = begun["session"].as_str().unwrap().to_owned();
        assert_eq!(served.told("roundtable_wait", json!({ "session": id }))["status"], "needs_person");
        id
    };
    let (one, other) = (waiting(), waiting());
    let answers = |id: &str, more: Value| {
        let mut params = json!({ "name": "roundtable_answer", "arguments": { "session": id } });
        more.as_object().unwrap().iter().for_each(|(key, value)| params[key] = value.clone());
        served.request_as(json!({ "elicitation": {} }), "tools/call", params)["result"].clone()
    };
    let decided = json!({ "answer": { "action": "accept", "content": { "choice": "accept" } } });
    let asked = answers(&one, json!({}));
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    let form = &asked["inputRequests"]["answer"]["params"];
    assert!(form["message"].as_str().unwrap().contains("Hard to say"), "{asked}");
    assert_eq!(form["requestedSchema"]["properties"]["choice"]["enum"], json!(["accept", "decide", "continue"]));
    let seal = asked["requestState"].as_str().unwrap();
    // Without the seal, with one that was made up, or with that of another session, the person is asked anew.
    for state in [
        Value::Null,
        json!("rs1.bWFkZQ.dXA"),
        json!(format!("{seal}x")),
        answers(&other, json!({}))["requestState"].clone(),
    ] {
        let again = answers(&one, json!({ "inputResponses": decided, "requestState": state }));
        assert_eq!(again["resultType"], "input_required", "{state}: {again}");
    }
    assert_eq!(ruling(&folder, &one), Value::Null);
    let settled = answers(&one, json!({ "inputResponses": decided, "requestState": seal }));
    assert_eq!(settled["isError"], false, "{settled}");
    assert_eq!(served.told("roundtable_wait", json!({ "session": one }))["status"], "completed");
    assert_eq!(ruling(&folder, &one)["by"], "person");
    // The same answer does not settle anything again.
    assert_eq!(answers(&one, json!({ "inputResponses": decided, "requestState": seal }))["isError"], true);
    assert_eq!(ruling(&folder, &other), Value::Null);
}

#[test]
fn a_policy_in_the_settings_settles_without_anybody() {
    let folder = scripted("unsure.yaml");
    let policy = "panel: script:unsure.yaml\nroundtable: {strategy: standard, escalation: {on_escalation: accept}}\n";
    folder.write(".s2s/config.yaml", policy);
    let mut talk = Talk::in_folder(&folder, None);
    let begun = talk.told("roundtable_start", json!({ "topic": TOPIC }));
    let id = begun["session"].as_str().unwrap().to_owned();
    assert_eq!(talk.wait(&id)["status"], "completed");
    assert_eq!(ruling(&folder, &id)["by"], "policy");
}
