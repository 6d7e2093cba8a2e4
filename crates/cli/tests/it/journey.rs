//! The whole way with the real binary on a sample project: init, brainstorm, specs, design, plan, trace, docs, and the
//! checks of the record; without a model and with a scripted panel, then two more rounds of requirements on top.
//! Every document on the way is parsed and linted (`markdown.rs`), and those of the offline panel are snapshots.

use std::collections::{BTreeMap, BTreeSet};

use expect_test::expect_file;
use serde_json::Value;

use super::harness::{Folder, Run, files_below};
use super::markdown::well_formed;
use super::work::{self, changes, newest};

const IDEAS: &str = r#"
        - {kind: IDEA, title: "Shelf lights", text: "A light shows where a parcel lies", topic: ideas, impact: high, effort: low}
        - {kind: RISK, title: "Lights fail", text: "A clerk goes to the wrong shelf", severity: medium, likelihood: low}
        - {kind: MIT, title: "Print the shelf too", text: "A slip names the shelf", serves: ["Lights fail"]}"#;

/// A small program with a README, made a project.
fn sample() -> Folder {
    let folder = Folder::bare();
    folder.write("Cargo.toml", "[package]\nname = \"parcel-desk\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    folder.write("src/main.rs", "fn main() {}\n");
    folder.write("README.md", "# Parcel desk\n\nA desk where clerks hand out parcels.\n");
    let told = [
        ["--domain", "logistics"],
        ["--objective", "Hand out a parcel in under a minute"],
        ["--in-scope", "Search by name"],
        ["--out-of-scope", "Home delivery"],
        ["--constraint", "Works without a network for an hour"],
    ];
    let args = [&["init", "--yes"], told.as_flattened()].concat();
    folder.run(&args).ok().shows(&["made  .s2s/CONTEXT.md", "taken from README.md"]);
    let context = folder.read(".s2s/CONTEXT.md");
    for part in ["# parcel-desk", "clerks hand out parcels", "Rust", "- Search by name", "- Home delivery"] {
        assert!(context.contains(part), "{part}: {context}");
    }
    folder
}

/// Holds one session and gives its id.
fn held(folder: &Folder, args: &[&str], shown: &[&str]) -> String {
    let before = folder.ids();
    folder.run(args).ok().shows(&["Roundtable Complete!"]).shows(shown);
    newest(folder, &before)["id"].as_str().unwrap().to_owned()
}

/// Whatever was held so far is sound: the record, every session's prompts, the plan, every document.
fn all_sound(folder: &Folder) -> Run {
    let ids = folder.ids();
    for id in &ids {
        folder.run(&["session", "verify", id]).ok().shows(&[id, "Everything holds."]);
    }
    for path in files_below(&folder.path().join("docs")) {
        well_formed(&path);
    }
    folder.run(&["plan", "check"]).ok();
    folder.run(&["session", "validate"]).ok().shows(&[&format!("{} sessions", ids.len())])
}

/// Every id with its title; an id that two sessions made is a failure.
fn made(folder: &Folder) -> BTreeSet<String> {
    let mut made = BTreeSet::new();
    for id in folder.ids() {
        for change in changes(&folder.minutes(&id)) {
            let created = change.strip_suffix(" created").map(str::to_owned);
            assert!(created.is_none_or(|id| made.insert(id)), "{change} in {id}, and before");
        }
    }
    made
}

fn titles(folder: &Folder) -> BTreeMap<String, String> {
    let index = folder.run(&["trace", "--json"]).ok().json();
    let entries = index["artifacts"].as_array().unwrap_or_else(|| panic!("{index}")).clone();
    let text = |entry: &Value, key: &str| entry[key].as_str().unwrap_or_else(|| panic!("{entry}")).to_owned();
    entries.iter().map(|entry| (text(entry, "id"), text(entry, "title"))).collect()
}

/// Says which ids and titles were there before and are not the same now.
#[track_caller]
fn unchanged(before: &BTreeMap<String, String>, now: &BTreeMap<String, String>) {
    for (id, title) in before {
        assert_eq!(now.get(id), Some(title), "{id}");
    }
}

/// A document with what differs from run to run taken out: session ids, dates, digests of parts.
fn steady(folder: &Folder, file: &str, sessions: &[(&str, &str)]) -> String {
    let mut text = folder.read(file);
    for (id, name) in sessions {
        let (year, month, day) = (&id[..4], &id[4..6], &id[6..8]);
        text = text.replace(id, &format!("SESSION-{name}")).replace(&format!("{year}-{month}-{day}"), "DATE");
    }
    let part = |line: &str| match line.strip_prefix("<!-- s2s:part ").and_then(|rest| rest.split_once(' ')) {
        Some((name, _)) => format!("<!-- s2s:part {name} DIGEST -->\n"),
        None => format!("{line}\n"),
    };
    text.lines().map(part).collect()
}

#[test]
fn from_an_idea_to_a_plan_without_a_model() {
    let folder = sample();
    let offline = ["--panel", "offline"];
    let topic = "How could clerks find a parcel faster?";
    let storm = held(&folder, &[&["brainstorm", topic], &offline[..]].concat(), &["docs/brainstorms/"]);
    let specs =
        held(&folder, &[&["specs", "--from", &storm], &offline[..]].concat(), &["specifications/requirements.md"]);
    let design = held(&folder, &[&["design", "--from", &specs], &offline[..]].concat(), &["docs/decisions/ARCH-001-"]);
    folder.run(&["plan", "--panel", "offline"]).ok().shows(&["PLAN-001 is new.", "docs/plans/plan.md"]);
    let trace = folder.run(&["trace", "REQ-001"]).ok();
    trace
        .shows(&["REQ-001 The way of the clerks", "specs, round 1", "carried: 3 support", "ARCH-001", "TASK-"])
        .shows(&[&storm, &specs, &design]);
    let brainstorm = format!("docs/brainstorms/{storm}.md");
    let docs = folder.run(&["docs"]).ok().shows(&[&brainstorm, "docs/plans/plan.md  as it was"]);
    assert!(!docs.out.contains("  written"), "the sessions left something to write: {}", docs.out);
    all_sound(&folder);
    every_document_says_that_no_model_took_part(&folder);
    assert_eq!(made(&folder), titles(&folder).into_keys().collect());

    let sessions = [(&*storm, "brainstorm"), (&*specs, "specs"), (&*design, "design")];
    let steady = |file: &str| steady(&folder, file, &sessions);
    expect_file!["./journey/brainstorm.md"].assert_eq(&steady(&brainstorm));
    expect_file!["./journey/requirements.md"].assert_eq(&steady("docs/specifications/requirements.md"));
    expect_file!["./journey/architecture.md"].assert_eq(&steady("docs/architecture/architecture.md"));
    expect_file!["./journey/plan.md"].assert_eq(&steady("docs/plans/plan.md"));

    merged_twice_without_a_model(&folder);
}

/// The README promises it of every document.
fn every_document_says_that_no_model_took_part(folder: &Folder) {
    let files = files_below(&folder.path().join("docs"));
    for name in ["requirements.md", "architecture.md", "plan.md", "ARCH-001-", "brainstorms"] {
        assert!(files.iter().any(|path| path.to_string_lossy().contains(name)), "{name}: {files:?}");
    }
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("No language model"), "{}:\n{text}", path.display());
    }
}

/// What a project with everything goes through when its context grows: nothing that was there gets another id.
fn merged_twice_without_a_model(folder: &Folder) {
    let first = titles(folder);
    let plan = folder.read(".s2s/plans/PLAN-001.yaml");
    let context = folder.read(".s2s/CONTEXT.md").replace("- Search by name", "- Search by name\n- Print a receipt");
    folder.write(".s2s/CONTEXT.md", context);
    held(folder, &["specs", "--panel", "offline"], &["The project has 3 REQ", "+ REQ-004 Print a receipt"]);
    let second = titles(folder);
    unchanged(&first, &second);
    held(folder, &["specs", "--panel", "offline", "--merge"], &["The project has 4 REQ"]);
    let third = titles(folder);
    unchanged(&second, &third);
    assert_eq!(made(folder), third.into_keys().collect());
    folder.run(&["plan", "--panel", "offline"]).ok().shows(&["PLAN-001"]);
    let tasks = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.contains("id: TASK-")).map(str::to_owned).collect()
    };
    let (before, now) = (tasks(&plan), tasks(&folder.read(".s2s/plans/PLAN-001.yaml")));
    assert!(!before.is_empty() && before.iter().all(|task| now.contains(task)), "{before:?} {now:?}");
    folder.run(&["trace", "REQ-004"]).ok().shows(&["Print a receipt", "TASK-"]);
    all_sound(folder);
}

#[test]
fn from_an_idea_to_a_plan_with_a_scripted_panel() {
    let folder = sample();
    let scripts = [("ideas", IDEAS), ("first", work::FIRST), ("second", work::SECOND), ("third", work::THIRD)];
    for (name, artifacts) in scripts.into_iter().chain([("design", work::DESIGN)]) {
        folder.write(&format!("{name}.yaml"), work::script(artifacts));
    }
    let by = |args: &[&str], script: &str, shown: &[&str]| {
        let panel = format!("script:{script}.yaml");
        held(&folder, &[args, &["--panel", &panel, "--strategy", "standard"]].concat(), shown)
    };
    let storm = by(&["brainstorm", "Faster parcels"], "ideas", &["+ IDEA-001 Shelf lights", "+ MIT-001"]);
    let specs = by(&["specs", "--from", &storm], "first", &["+ REQ-001 Export orders"]);
    let design = by(&["design", "--from", &specs], "design", &["+ ARCH-001 One service"]);
    let reply =
        "{tasks: [{key: a, title: All of it, serves: [REQ-001, REQ-002, REQ-003, NFR-001], acceptance: [It runs]}]}";
    folder.write("plan.yaml", format!("replies: [{{kind: plan, reply: {reply}}}]"));
    folder.run(&["plan", "--panel", "script:plan.yaml"]).ok().shows(&["PLAN-001 is new."]);
    let traced = folder.run(&["trace", "REQ-001"]).ok();
    traced.shows(&["qa-lead", "ARCH-001", "COMP-001", "TASK-001"]).shows(&[&storm, &specs, &design]);
    let docs = folder.run(&["docs"]).ok().shows(&["docs/plans/plan.md  as it was"]);
    assert!(!docs.out.contains("  written"), "{}", docs.out);
    all_sound(&folder);
    let first = titles(&folder);
    by(&["specs"], "second", &["~ REQ-001 amended", "+ REQ-004"]);
    by(&["specs", "--merge"], "third", &["- REQ-002 withdrawn", "+ REQ-005"]);
    let last = titles(&folder);
    unchanged(&first, &last);
    assert_eq!(made(&folder), last.into_keys().collect());
    folder.run(&["plan", "--panel", "offline"]).ok();
    all_sound(&folder);
}

#[test]
fn bug_documents_were_named_after_the_folder_and_sessions_after_the_context() {
    let folder = sample();
    folder.run(&["specs", "--panel", "offline", "--skip-roundtable"]).ok().shows(&["Requirements for parcel-desk"]);
    let text = folder.read("docs/specifications/requirements.md");
    assert!(text.starts_with("# Software requirements specification: parcel-desk\n"), "{text}");
}
