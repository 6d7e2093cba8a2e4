//! What the tools, resources and prompts tell, and what listing them costs.

use serde_json::{Value, json};

use super::scripted;
use super::talk::{Served, Talk};
use crate::harness::{Folder, TOPIC};

/// A token is 4.3 characters of this list, by the tokenizers of two vendors; 2,000 is what a host may pay for it.
const MOST_CHARACTERS: usize = 6_700;

#[test]
fn a_session_is_started_followed_and_read() {
    let folder = scripted("calm.yaml");
    let mut talk = Talk::in_folder(&folder, None);
    let begun = talk.told("roundtable_start", json!({ "topic": TOPIC, "context": "Two partners call us today." }));
    let id = begun["session"].as_str().unwrap().to_owned();
    assert!(begun["next"].as_str().unwrap().contains("roundtable_wait"), "{begun}");
    let ended = talk.wait(&id);
    assert_eq!((&ended["status"], &ended["rounds"]), (&json!("completed"), &json!(3)), "{ended}");
    assert!(ended["progress"][0].as_str().unwrap().contains("No language model takes part"), "{ended}");
    assert!(ended["progress"][1].as_str().unwrap().contains("REST it is."), "{ended}");

    let result = talk.told("roundtable_result", json!({ "session": id }));
    assert_eq!(result["decision"], "Use REST");
    assert!(result["panel"].as_str().unwrap().contains("No language model takes part"), "{result}");
    assert_eq!(result["tallies"][0]["point"], "C1.1: Use REST");
    assert_eq!((&result["tallies"][0]["carried"], &result["tallies"][0]["support"]), (&json!(true), &json!(3)));
    assert!(result["documents"][0]["text"].as_str().unwrap().contains("Use REST"), "{result}");

    let listed = talk.told("session_list", json!({}));
    assert_eq!(listed["sessions"][0]["session"], id.as_str());
    let shown = talk.told("session_show", json!({ "session": id }));
    assert!(shown["text"].as_str().unwrap().contains("## Round 2"), "{shown}");
    let round = talk.told("session_show", json!({ "session": id, "round": 1 }));
    assert!(round["text"].as_str().unwrap().contains("### technical-lead (0.70)"), "{round}");
    let said = talk.refused("session_show", json!({ "session": id, "round": 9 }));
    assert!(said.contains("no round 9") && said.contains("Next:"), "{said}");

    let minutes = folder.minutes(&id);
    assert!(minutes["context"]["text"].as_str().unwrap().contains("Two partners call us today."), "{minutes}");
    // S5: sessions that a server runs do not touch the command line's current one.
    folder.run(&["session", "status"]).ok().shows(&["No session is the current one"]);
}

#[test]
fn progress_is_notified_while_a_client_waits() {
    let folder = super::unhurried(40);
    let mut talk = Talk::in_folder(&folder, None);
    let begun = talk.told("roundtable_start", json!({ "topic": TOPIC }));
    talk.wait(begun["session"].as_str().unwrap());
    let told: Vec<&str> = talk.notified.iter().filter_map(|one| one["params"]["message"].as_str()).collect();
    assert!(told.iter().any(|line| line.contains("technical-lead (0.70): Use REST")), "{told:?}");
    assert!(told.iter().any(|line| line.starts_with("Round 1 is held")), "{told:?}");
    let steps: Vec<f64> = talk.notified.iter().filter_map(|one| one["params"]["progress"].as_f64()).collect();
    assert!(steps.windows(2).all(|pair| pair[0] < pair[1]), "{steps:?}");
}

#[test]
fn the_workflows_keep_artifacts_and_documents() {
    let folder = Folder::project();
    let mut talk = Talk::in_folder(&folder, None);
    for (tool, arguments) in [
        ("specs_start", json!({ "topic": "Partners order over an API" })),
        ("design_start", json!({})),
        ("brainstorm_start", json!({ "topic": "How could partners see their orders?" })),
    ] {
        let begun = talk.told(tool, arguments);
        let ended = talk.wait(begun["session"].as_str().unwrap());
        assert!(ended["status"] == "completed" || ended["status"] == "needs_person", "{tool}: {ended}");
    }
    let listed = talk.told("session_list", json!({ "limit": 2 }));
    assert_eq!(listed["sessions"].as_array().unwrap().len(), 2);
    assert_eq!(listed["sessions"][0]["workflow"], "brainstorm");
}

#[test]
fn listing_all_tools_costs_under_2000_tokens() {
    let folder = Folder::project();
    let mut talk = Talk::in_folder(&folder, None);
    let listed = talk.request("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 12);
    let text = listed["result"]["tools"].to_string();
    assert!(text.len() < MOST_CHARACTERS, "{} characters: {text}", text.len());
    for tool in tools {
        check_schema(&tool["inputSchema"], &tool["name"]);
        check_schema(&tool["outputSchema"], &tool["name"]);
        let asked = tool["inputSchema"]["properties"].as_object().unwrap();
        for banned in ["path", "file", "folder", "command", "panel", "model"] {
            assert!(!asked.contains_key(banned), "{tool}");
        }
    }
}

/// Only what every client understands: one type for each value, and no reference.
fn check_schema(schema: &Value, tool: &Value) {
    let text = schema.to_string();
    for banned in ["$ref", "null", "anyOf", "uint", "int64", "$schema"] {
        assert!(!text.contains(banned), "{tool}: {banned} in {text}");
    }
    assert_eq!(schema["type"], "object", "{tool}");
}

#[test]
fn sessions_and_documents_are_resources_and_the_workflows_are_prompts() {
    let folder = scripted("calm.yaml");
    let mut talk = Talk::in_folder(&folder, None);
    let begun = talk.told("roundtable_start", json!({ "topic": TOPIC }));
    let id = begun["session"].as_str().unwrap().to_owned();
    talk.wait(&id);
    let listed = talk.request("resources/list", json!({}));
    let uris: Vec<&str> =
        listed["result"]["resources"].as_array().unwrap().iter().filter_map(|one| one["uri"].as_str()).collect();
    assert_eq!(uris, [format!("s2s://session/{id}/document"), format!("s2s://session/{id}")]);
    let document = talk.request("resources/read", json!({ "uri": uris[0] }));
    assert!(
        document["result"]["contents"][0]["text"].as_str().unwrap().contains("\n# An API for partners\n"),
        "{document}"
    );
    let prompts = talk.request("prompts/list", json!({}));
    assert_eq!(prompts["result"]["prompts"].as_array().unwrap().len(), 4);
    let prompt = talk.request("prompts/get", json!({ "name": "roundtable", "arguments": { "topic": TOPIC } }));
    let text = prompt["result"]["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(text.contains(TOPIC) && text.contains("roundtable_start"), "{text}");
    let bare = talk.request("prompts/get", json!({ "name": "roundtable" }));
    assert!(bare["error"]["message"].as_str().unwrap().contains("topic"), "{bare}");
}

#[test]
fn a_folder_that_is_no_project_says_what_the_person_must_do() {
    let folder = Folder::bare();
    let mut talk = Talk::in_folder(&folder, None);
    for (tool, arguments) in [("roundtable_start", json!({ "topic": TOPIC })), ("session_list", json!({}))] {
        let said = talk.refused(tool, arguments);
        assert!(said.contains("not an s2s project") && said.contains("s2s init"), "{said}");
    }
    let listed = talk.told("catalog_list", json!({ "kind": "strategy" }));
    assert!(listed["entries"].as_array().unwrap().iter().any(|one| one["name"] == "debate"), "{listed}");
    let command = folder.command(&["mcp", "--project", "nowhere"]).output().unwrap();
    assert_eq!(command.status.code(), Some(2));
}

#[test]
fn two_clients_see_one_session() {
    let folder = super::unhurried(30);
    let served = Served::in_folder(&folder);
    let begun = served.told("roundtable_start", json!({ "topic": TOPIC }));
    let id = begun["session"].as_str().unwrap();
    // Another process, another transport, the same session.
    let mut other = Talk::in_folder(&folder, None);
    let seen = std::thread::scope(|scope| {
        let first = scope.spawn(|| served.told("roundtable_wait", json!({ "session": id })));
        let second = other.wait(id);
        (first.join().unwrap(), second)
    });
    assert_eq!((&seen.0["status"], &seen.1["status"]), (&json!("completed"), &json!("completed")));
    assert_eq!(seen.0["progress"], seen.1["progress"]);
}

#[test]
fn fifty_clients_at_once() {
    let folder = scripted("calm.yaml");
    let served = Served::in_folder(&folder);
    std::thread::scope(|scope| {
        let clients: Vec<_> = (0..50)
            .map(|number| {
                let served = &served;
                scope.spawn(move || {
                    let begun = served.told("roundtable_start", json!({ "topic": format!("{TOPIC}, plan {number}") }));
                    let id = begun["session"].as_str().unwrap().to_owned();
                    let ended = served.told("roundtable_wait", json!({ "session": id, "seconds": 50 }));
                    assert_eq!(ended["status"], "completed", "{ended}");
                    let result = served.told("roundtable_result", json!({ "session": id }));
                    assert_eq!(result["decision"], "Use REST");
                    id
                })
            })
            .collect();
        let mut ids: Vec<String> = clients.into_iter().map(|client| client.join().unwrap()).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), 50);
    });
    assert_eq!(folder.ids().len(), 50);
}
