//! `s2s dev mock-server`: it says where it is, answers, logs, and ends when told.

use std::io::{Read, Write};
use std::net::TcpStream;

use super::harness::Folder;

fn post(address: &str, path: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let head =
        format!("POST {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
    stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn it_answers_logs_and_ends_on_a_signal() {
    for signal in ["INT", "TERM"] {
        let folder = Folder::bare();
        folder.write("plan.yaml", "rules:\n- {call: 2, act: {status: 503}}\n");
        let mut run = folder.watch(&["dev", "mock-server", "--script", "plan.yaml", "--json"]);
        let line = run.line();
        let greeting: serde_json::Value = serde_json::from_str(&line).unwrap();
        let url = greeting["url"].as_str().unwrap();
        assert_eq!(greeting["environment"]["OPENAI_BASE_URL"], format!("{url}/v1"));
        let address = url.strip_prefix("http://").unwrap();
        let body = r#"{"model": "m", "messages": [{"role": "user", "content": "Say one word."}]}"#;
        assert!(post(address, "/api/chat", body).contains("\"content\":\"OK\""));
        assert!(post(address, "/api/chat", body).starts_with("HTTP/1.1 503 "));
        run.signal(signal);
        let run = run.finish().is(0);
        let log: Vec<serde_json::Value> = run.err.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((&log[0]["outcome"], &log[1]["outcome"]), (&"answer".into(), &"status".into()));
        assert!(log[2]["note"].as_str().unwrap().starts_with("stopped after 2 calls"));
    }
}

#[test]
fn what_cannot_be_served_is_said() {
    let folder = Folder::bare();
    folder.write("bad.yaml", "rules:\n- {call: 1}\n");
    let bad = folder.run(&["dev", "mock-server", "--script", "bad.yaml"]);
    assert_eq!(bad.code, 2);
    assert!(bad.err.contains("bad.yaml:2:3: rule 1: it does nothing"), "{}", bad.err);
    assert_eq!(folder.run(&["dev", "mock-server", "--script", "none.yaml"]).code, 2);
    assert_eq!(folder.run(&["dev", "mock-server", "--fault-share", "2"]).code, 2);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let run = folder.run(&["dev", "mock-server", "--port", &port]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("--port"), "{}", run.err);
}
