//! The Claude Code plugin: its files hold together with each other, with the binary and with the server's tools.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::harness::Folder;
use super::mcp::talk::Talk;

/// The commands that people were promised.
const PROMISED: [&str; 16] = [
    "brainstorm",
    "design",
    "init",
    "plan",
    "roundtable/list",
    "roundtable/resume",
    "roundtable/start",
    "session/cleanup",
    "session/close",
    "session/cost",
    "session/list",
    "session/show",
    "session/status",
    "session/validate",
    "session/verify",
    "specs",
];

fn plugin() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugin")
}

fn read_json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// A command's name, its head and its text.
fn commands() -> Vec<(String, Value, String)> {
    let root = plugin().join("commands");
    let folders = [root.clone(), root.join("roundtable"), root.join("session")];
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()));
    let mut all: Vec<(String, Value, String)> = files
        .filter(|path| path.is_file())
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            let (head, body) = text.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap();
            let name = path.strip_prefix(&root).unwrap().with_extension("").display().to_string();
            (name, s2s::yaml::to_value(head).unwrap(), body.to_owned())
        })
        .collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

#[test]
fn every_promised_command_is_there_with_a_description() {
    let commands = commands();
    let names: Vec<&str> = commands.iter().map(|(name, _, _)| name.as_str()).collect();
    assert_eq!(names, PROMISED);
    let readme = fs::read_to_string(plugin().join("README.md")).unwrap();
    for (name, head, body) in &commands {
        assert!(head["description"].as_str().is_some_and(|text| !text.is_empty()), "{name}: {head}");
        let last = name.rsplit('/').next().unwrap();
        assert!(readme.contains(&format!(":{last}")), "{name} is not in the plugin's README");
        assert!(body.lines().count() <= 30, "{name} is not thin: {} lines", body.lines().count());
    }
}

#[test]
fn commands_that_run_the_binary_name_real_commands_and_are_allowed_to() {
    let folder = Folder::project();
    for (name, head, body) in commands() {
        let allowed = head["allowed-tools"].as_str().unwrap().to_owned();
        for line in body.lines().filter_map(|line| line.strip_prefix("!`")?.strip_suffix('`')) {
            let line = line.trim_end_matches(" $ARGUMENTS");
            // Hosts do not agree on whether the first word is $0 or $1; all of them know $ARGUMENTS.
            assert!(!line.contains("$0") && !line.contains("$1"), "{name}");
            assert_eq!(allowed, format!("Bash({line}:*)"), "{name}");
            let mut words: Vec<&str> = line.split(' ').collect();
            assert_eq!(words.remove(0), "s2s", "{name}");
            words.push("--help");
            folder.run(&words).ok();
        }
    }
}

#[test]
fn commands_that_hold_a_discussion_name_tools_of_the_server() {
    let manifest = read_json(&plugin().join(".claude-plugin/plugin.json"));
    let registered = read_json(&plugin().join(".mcp.json"));
    assert_eq!(registered["mcpServers"]["s2s"]["command"], "s2s");
    assert_eq!(manifest["name"], "s2s");
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    let folder = Folder::project();
    let listed = Talk::in_folder(&folder, None).request("tools/list", json!({}));
    let named = |tool: &Value| tool["name"].as_str().unwrap().to_owned();
    let tools: BTreeSet<String> = listed["result"]["tools"].as_array().unwrap().iter().map(named).collect();
    for (name, head, body) in commands() {
        let allowed: Vec<&str> = head["allowed-tools"].as_str().unwrap().split(", ").collect();
        let named = allowed.iter().filter_map(|tool| tool.strip_prefix("mcp__plugin_s2s_s2s__"));
        let named: BTreeSet<String> = named.map(str::to_owned).collect();
        assert!(named.is_subset(&tools), "{name}: {named:?} of {tools:?}");
        for tool in body.split('`').filter(|word| tools.contains(*word)) {
            assert!(named.contains(tool), "{name} speaks of {tool} and may not use it");
        }
    }
}

#[test]
fn the_marketplace_names_the_plugin_where_it_is() {
    let market = read_json(&plugin().join("../.claude-plugin/marketplace.json"));
    let offered = &market["plugins"][0];
    assert_eq!((offered["name"].as_str(), offered["source"].as_str()), (Some("s2s"), Some("./plugin")));
}
