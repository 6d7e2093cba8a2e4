//! What a hostile or broken client can do: nothing but get clear errors.

use std::os::unix::fs::PermissionsExt;
use std::{fs, process};

use serde_json::json;

use super::scripted;
use super::talk::{Served, Talk};
use crate::harness::{Folder, TOPIC, finish};

const TOKEN: &str = "made-up-token-0123456789abcdef";

#[test]
fn malformed_messages_get_errors_and_the_server_lives_on() {
    let folder = Folder::project();
    let mut talk = Talk::in_folder(&folder, None);
    talk.send_text("{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\":");
    assert_eq!(talk.hear()["error"]["code"], -32700);
    talk.send_text("[1, 2");
    assert_eq!(talk.hear()["error"]["code"], -32700);
    talk.send_text("\"only a text\"");
    assert_eq!(talk.hear()["error"]["code"], -32600);
    let unknown = talk.request("tools/burn", json!({}));
    assert_eq!(unknown["error"]["code"], -32601, "{unknown}");
    let unknown = talk.request("tools/call", json!({ "name": "rm", "arguments": { "path": "/" } }));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    assert!(unknown["error"]["message"].as_str().unwrap().contains("roundtable_start"), "{unknown}");
    assert!(talk.told("session_list", json!({}))["sessions"].as_array().unwrap().is_empty());
}

#[test]
fn bug_a_message_that_could_not_be_read_got_no_answer() {
    let folder = Folder::project();
    let mut talk = Talk::in_folder(&folder, None);
    let deep = format!("{}{}", "[".repeat(125), "]".repeat(125));
    for topic in [r#""cut \ud83d emoji""#, "1e400", &deep] {
        let call = r#"{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"roundtable_start","arguments":{"topic":"#;
        talk.send_text(&format!("{call}{topic}}}}}}}"));
        let answer = talk.hear();
        assert_eq!(answer["id"], 77, "{answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains("nothing was done"), "{answer}");
    }
    assert!(folder.ids().is_empty());
}

#[test]
fn wrong_types_and_unknown_arguments_are_refused() {
    let folder = Folder::project();
    let mut talk = Talk::in_folder(&folder, None);
    for (tool, arguments) in [
        ("roundtable_start", json!({ "topic": 7 })),
        ("roundtable_start", json!({})),
        ("roundtable_start", json!({ "topic": TOPIC, "panel": "script:/etc/passwd" })),
        ("roundtable_start", json!({ "topic": TOPIC, "participants": "qa-lead" })),
        ("roundtable_start", json!({ "topic": TOPIC, "max_rounds": "many" })),
        ("roundtable_wait", json!({ "session": ["a"] })),
        ("roundtable_wait", json!({ "session": "a", "seconds": 1e300 })),
        ("session_list", json!({ "limit": {} })),
        ("roundtable_answer", json!({ "session": "a", "choice": true })),
    ] {
        let said = talk.refused(tool, arguments);
        assert!(said.contains("do not fit") && said.contains("Next:"), "{tool}: {said}");
    }
    assert!(folder.ids().is_empty());
}

#[test]
fn arguments_of_ten_megabytes_are_refused_and_nothing_runs() {
    let folder = Folder::project();
    let mut talk = Talk::in_folder(&folder, None);
    let said = talk.refused("roundtable_start", json!({ "topic": TOPIC, "context": "a".repeat(1_500_000) }));
    assert!(said.contains("at most 1048576 fit"), "{said}");
    let huge = json!({ "topic": "a".repeat(10 << 20) });
    talk.send(&json!({ "jsonrpc": "2.0", "id": 99, "method": "tools/call",
                       "params": { "name": "roundtable_start", "arguments": huge } }));
    let answer = talk.hear();
    assert_eq!(answer["error"]["code"], -32600, "{answer}");
    assert!(talk.told("session_list", json!({}))["sessions"].as_array().unwrap().is_empty());
}

#[test]
fn guessed_ids_lead_nowhere() {
    let folder = Folder::project();
    folder.write("x.yaml", "id: x\n");
    let mut talk = Talk::in_folder(&folder, None);
    for id in ["../x", "../../x", "/etc/passwd", "..%2fx", "x\u{0}", "", "a/b", "..", "20260101-000000-guessed"] {
        for tool in ["roundtable_status", "roundtable_result", "roundtable_wait", "roundtable_stop", "session_show"] {
            let said = talk.refused(tool, json!({ "session": id }));
            assert!(said.contains("session_list"), "{tool} {id}: {said}");
        }
        talk.refused("roundtable_answer", json!({ "session": id }));
        let read = talk.request("resources/read", json!({ "uri": format!("s2s://session/{id}") }));
        assert!(read["error"]["code"].is_i64(), "{id}: {read}");
    }
    for uri in ["file:///etc/passwd", "s2s://session/../../../etc/passwd/document", "s2s://etc"] {
        let read = talk.request("resources/read", json!({ "uri": uri }));
        assert!(read["error"]["code"].is_i64(), "{uri}: {read}");
    }
    talk.refused("specs_start", json!({ "from": "../x" }));
}

#[test]
fn a_document_outside_of_the_project_is_not_read() {
    let folder = scripted("calm.yaml");
    let mut talk = Talk::in_folder(&folder, None);
    let begun = talk.told("roundtable_start", json!({ "topic": TOPIC }));
    let id = begun["session"].as_str().unwrap().to_owned();
    talk.wait(&id);
    let minutes = format!(".s2s/sessions/{id}.yaml");
    let file = folder.minutes(&id)["outcome"]["file"].as_str().unwrap().to_owned();
    let document = folder.path().join(&file);
    fs::remove_file(&document).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", &document).unwrap();
    let result = talk.told("roundtable_result", json!({ "session": id }));
    assert!(result["documents"][0]["text"].as_str().unwrap().contains("outside of the project"), "{result}");
    assert!(!folder.read(&minutes).is_empty());
}

#[test]
fn http_asks_for_the_token_the_host_and_no_origin() {
    let folder = Folder::project();
    let served = Served::in_folder(&folder);
    let host = format!("host: 127.0.0.1:{}", served.port);
    let bearer = format!("authorization: Bearer {}", served.token);
    let start = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                        "params": { "name": "roundtable_start", "arguments": { "topic": TOPIC } } });
    let start = start.to_string();
    for (headers, status) in [
        (vec![host.clone()], 401),
        (vec![host.clone(), "authorization: Bearer".to_owned()], 401),
        (vec![host.clone(), "authorization: Bearer 0123456789abcdef".to_owned()], 401),
        (vec![host.clone(), format!("authorization: Basic {}", served.token)], 401),
        (vec![host.clone(), format!("{bearer}0")], 401),
        (vec!["host: evil.example".to_owned(), bearer.clone()], 403),
        (vec![host.clone(), bearer.clone(), "origin: http://evil.example".to_owned()], 403),
        (vec![host.clone(), bearer.clone(), format!("origin: http://127.0.0.1:{}", served.port)], 403),
        (vec![host.clone(), bearer.clone(), "origin: null".to_owned()], 403),
    ] {
        let (got, body) = served.post(&headers, &start);
        assert_eq!(got, status, "{headers:?}: {body}");
    }
    let huge = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"{}\"}}", "a".repeat(10 << 20));
    assert_eq!(served.post(&served.usual(), &huge).0, 413);
    let (status, body) = served.post(&served.usual(), "{\"jsonrpc\"");
    assert!((400..500).contains(&status), "{status} {body}");
    assert!(folder.ids().is_empty());
}

#[test]
fn other_machines_are_let_in_only_on_purpose() {
    let folder = Folder::project();
    let said = folder.run(&["mcp", "--http", "0.0.0.0:0"]).is(2);
    said.says(&["can be reached from other machines", "--allow-remote"]);
    folder.run(&["mcp", "--allow-remote"]).is(2);
    folder.run(&["mcp", "--http", "everywhere"]).is(2);
}

#[test]
fn a_given_token_is_never_told_again() {
    let folder = Folder::project();
    let mut command = folder.command(&["mcp", "--http", "127.0.0.1:0", "--log", "trace", "--log-file", "log.txt"]);
    command.env("S2S_MCP_TOKEN", TOKEN);
    let mut served = Served::of(command);
    assert!(!served.said.contains(TOKEN), "{}", served.said);
    served.token = TOKEN.to_owned();
    served.told("session_list", json!({}));
    process::Command::new("kill").arg("-INT").arg(served.child.id().to_string()).status().unwrap();
    served.child.wait().unwrap();
    assert!(!folder.read("log.txt").contains(TOKEN));
    for file in folder.everything() {
        let text = fs::read(&file).unwrap();
        assert!(!String::from_utf8_lossy(&text).contains(TOKEN), "{}", file.display());
    }
}

#[test]
fn a_token_file_is_the_persons_alone() {
    let folder = Folder::project();
    folder.write("token", format!("{TOKEN}\n"));
    let path = folder.path().join("token");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    let args = ["mcp", "--http", "127.0.0.1:0", "--token-file", "token"];
    folder.run(&args).is(2).says(&["others can read", "chmod 600"]);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    let mut served = Served::of(folder.command(&args));
    served.token = TOKEN.to_owned();
    served.told("session_list", json!({}));
    folder.write("short", "abc\n");
    fs::set_permissions(folder.path().join("short"), fs::Permissions::from_mode(0o600)).unwrap();
    folder.run(&["mcp", "--http", "127.0.0.1:0", "--token-file", "short"]).is(2).says(&["at least 20"]);
}

#[test]
fn nothing_but_the_protocol_is_on_standard_output() {
    let folder = scripted("calm.yaml");
    let mut command = folder.command(&["mcp", "--log", "debug"]);
    command.stderr(process::Stdio::null());
    let mut talk = Talk::of(command, None);
    let begun = talk.told("roundtable_start", json!({ "topic": TOPIC }));
    // Every line is read as a message, so anything else would fail here.
    talk.wait(begun["session"].as_str().unwrap());
    talk.leave();
    assert!(talk.child.wait().unwrap().success());
    finish(folder.command(&["mcp"]).spawn().unwrap()).ok();
}
