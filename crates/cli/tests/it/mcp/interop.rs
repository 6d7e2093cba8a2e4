//! Clients that we did not write: the official Python SDK in both protocol generations, and the inspector's command
//! line, over both transports. `.ci/run` brings them; elsewhere `S2S_MCP_PYTHON` names a Python that has `mcp`.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::talk::Served;
use super::{scripted, unhurried};
use crate::harness::{Folder, finish, skipped};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/mcp/client.py");
const OURS: &str = env!("CARGO_BIN_EXE_s2s");
const INSPECTOR: &str = "@modelcontextprotocol/inspector@1.0.3";
const MODES: [(&str, &str); 2] = [("auto", "2026-07-28"), ("legacy", "2025-11-25")];
const TRANSPORTS: [&str; 2] = ["stdio", "http"];

/// A Python that has the SDK.
fn python() -> Option<PathBuf> {
    let named = std::env::var_os("S2S_MCP_PYTHON").map(PathBuf::from);
    let made = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/mcp-python/bin/python"));
    let found = named.unwrap_or(made);
    let has = Command::new(&found).args(["-c", "import mcp"]).stderr(Stdio::null()).status();
    let has = has.is_ok_and(|status| status.success());
    if !has {
        skipped("no Python with the package mcp (CONTRIBUTING.md says how to get one)");
    }
    has.then_some(found)
}

/// What the Python client saw in a scenario.
fn seen(python: &PathBuf, folder: &Folder, transport: &str, mode: &str, scenario: &str) -> Value {
    let mut command = Command::new(python);
    command.args([SCRIPT, transport, mode, scenario]);
    let served = (transport == "http").then(|| Served::in_folder(folder));
    match &served {
        Some(served) => command.args([format!("http://127.0.0.1:{}/mcp", served.port), served.token.clone()]),
        None => command.args([OURS, "mcp"]),
    };
    folder.settle(&mut command);
    let run = finish(command.spawn().unwrap());
    assert_eq!(run.code, 0, "{transport} {mode} {scenario}: {}{}", run.out, run.err);
    serde_json::from_str(run.out.trim()).unwrap_or_else(|error| panic!("{error}: {}{}", run.out, run.err))
}

#[test]
fn python_holds_a_roundtable_that_is_longer_than_its_timeout() {
    let Some(python) = python() else { return };
    for (mode, protocol) in MODES {
        for transport in TRANSPORTS {
            // Nine steps of this length are more than the four seconds that the client gives a call.
            let folder = unhurried(600);
            let seen = seen(&python, &folder, transport, mode, "whole");
            let told = format!("{transport} {mode}: {seen:#}");
            assert_eq!(seen["protocol"], protocol, "{told}");
            assert_eq!(seen["tools"].as_array().unwrap().len(), 12, "{told}");
            assert_eq!(seen["prompts"], json!(["roundtable", "brainstorm", "specs", "design"]), "{told}");
            assert_eq!((&seen["status"], &seen["decision"]), (&json!("completed"), &json!("Use REST")), "{told}");
            let lines: Vec<&str> = seen["progress"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
            assert!(lines.iter().filter(|line| **line == "returned").count() > 1, "{told}");
            assert!(lines.iter().any(|line| line.starts_with("Round 1 is held")), "{told}");
            assert_eq!(seen["resources"].as_array().unwrap().len(), 2, "{told}");
            assert!(seen["document"].as_str().unwrap().contains("Use REST"), "{told}");
            assert_eq!(seen["unknown"][0], true, "{told}");
        }
    }
}

#[test]
fn python_has_its_person_answer_in_both_generations() {
    let Some(python) = python() else { return };
    for (mode, protocol) in MODES {
        for transport in TRANSPORTS {
            let folder = scripted("unsure.yaml");
            let seen = seen(&python, &folder, transport, mode, "answer");
            let told = format!("{transport} {mode}: {seen:#}");
            assert_eq!((&seen["protocol"], &seen["waits"]), (&json!(protocol), &json!("needs_person")), "{told}");
            assert_eq!((&seen["refused"], &seen["ended"]), (&Value::Null, &json!("completed")), "{told}");
            assert_eq!(seen["asked"].as_array().unwrap().len(), 1, "{told}");
            assert!(seen["asked"][0].as_str().unwrap().contains("Hard to say"), "{told}");
            let ruling = folder.minutes(seen["session"].as_str().unwrap())["escalations"][0]["ruling"].clone();
            assert_eq!((&ruling["by"], &ruling["text"]), (&json!("person"), &json!("REST, with versioned paths")));
        }
    }
}

#[test]
fn python_without_a_person_is_refused_in_both_generations() {
    let Some(python) = python() else { return };
    for (mode, _) in MODES {
        let folder = scripted("unsure.yaml");
        let seen = seen(&python, &folder, "stdio", mode, "alone");
        assert!(seen["refused"].as_str().unwrap().contains("only the person can decide"), "{seen:#}");
        assert_eq!(seen["ended"], "needs_person", "{seen:#}");
    }
}

/// What the inspector prints for a method.
fn inspected(folder: &Folder, served: Option<&Served>, method: &[&str]) -> Value {
    let mut command = Command::new("npx");
    command.args(["--yes", INSPECTOR, "--cli"]);
    match served {
        Some(served) => {
            let url = format!("http://127.0.0.1:{}/mcp", served.port);
            let header = format!("Authorization: Bearer {}", served.token);
            command.args([&url, "--transport", "http", "--header", &header]);
        }
        None => {
            command.args([OURS, "mcp"]);
        }
    }
    command.args(method);
    folder.settle(&mut command);
    // npx keeps what it fetched in the home of whoever runs the tests.
    command.env("npm_config_cache", npm_cache());
    let run = finish(command.spawn().unwrap());
    assert_eq!(run.code, 0, "{method:?}: {}{}", run.out, run.err);
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}{}", run.out, run.err))
}

fn npm_cache() -> PathBuf {
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    std::env::var_os("npm_config_cache").map(PathBuf::from).unwrap_or_else(|| home.join(".npm"))
}

#[test]
fn the_inspector_lists_calls_and_reads() {
    let there = Command::new("npx").arg("--version").stdout(Stdio::null()).status();
    if !there.is_ok_and(|status| status.success()) {
        return skipped("npx is not installed (apt-get install nodejs npm)");
    }
    let folder = scripted("calm.yaml");
    folder.start(&[]).ok();
    let id = folder.ids().remove(0);
    let served = Served::in_folder(&folder);
    for served in [None, Some(&served)] {
        let tools = inspected(&folder, served, &["--method", "tools/list"]);
        assert_eq!(tools["tools"].as_array().unwrap().len(), 12);
        let session = format!("session={id}");
        let arguments = ["--method", "tools/call", "--tool-name", "session_show", "--tool-arg", &session];
        // A number must arrive as a number.
        let shown = inspected(&folder, served, &[&arguments[..], &["--tool-arg", "round=1"]].concat());
        assert!(shown["structuredContent"]["text"].as_str().unwrap().contains("technical-lead"), "{shown}");
        let listed = inspected(&folder, served, &["--method", "resources/list"]);
        assert_eq!(listed["resources"].as_array().unwrap().len(), 2);
        let prompts = inspected(&folder, served, &["--method", "prompts/list"]);
        assert_eq!(prompts["prompts"].as_array().unwrap().len(), 4);
    }
}
