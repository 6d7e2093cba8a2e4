//! Starting: the project, the strategy (T1, T2), the seats (T4), what is printed, and what is not written.

use std::fs;

use super::harness::{CALM, Folder, TOPIC, files_below};

#[test]
fn without_a_project_it_is_refused_unless_yes_makes_one() {
    let folder = Folder::bare();
    folder.write("calm.yaml", CALM);
    folder.start(&[]).is(2).says(&["Not an s2s project. Run `s2s init` first."]);
    assert!(!folder.path().join(".s2s").exists());
    folder.start(&["--yes", "--quiet"]).ok().says(&["Made .s2s/"]);
    assert!(folder.path().join(".s2s/config.yaml").exists());
}

#[test]
fn a_project_above_is_found() {
    let folder = Folder::project();
    fs::create_dir_all(folder.path().join("src/deep")).unwrap();
    let script = format!("script:{}", folder.path().join("calm.yaml").display());
    let args = ["roundtable", "start", TOPIC, "--panel", &script, "--strategy", "standard", "--quiet"];
    let child = folder.command(&args).current_dir(folder.path().join("src/deep")).spawn().unwrap();
    super::harness::finish(child).ok();
    assert_eq!(folder.only()["status"], "completed");
}

#[test]
fn c3_the_offline_panel_holds_a_whole_roundtable_and_writes_its_document() {
    let folder = Folder::project();
    let run =
        folder.run(&["roundtable", "start", "REST vs GraphQL for our public API", "--yes", "--output-type", "adr"]);
    let run = run.ok().shows(&["Roundtable Complete!", "No language model takes part"]);
    let minutes = folder.only();
    assert_eq!((&minutes["status"], &minutes["panel"]), (&"completed".into(), &"offline".into()));
    let file = minutes["outcome"]["file"].as_str().unwrap();
    assert!(file.starts_with("docs/decisions/") && run.out.contains(file), "{file}");
    assert!(folder.read(file).contains("GraphQL"));
    assert!(folder.read(".s2s/state.yaml").contains("current_session: null"));
    for check in ["validate", "verify", "replay"] {
        folder.run(&["session", check]).ok().shows(&["Everything holds."]);
    }
}

/// The strategy of a session started on this topic with these flags.
#[track_caller]
fn check_strategy(folder: &Folder, topic: &str, flags: &[&str], strategy: &str) {
    let mut args = vec!["roundtable", "start", topic, "--panel", "script:calm.yaml", "--show-prompts", "--json"];
    args.extend(flags);
    let run = folder.run(&args).ok();
    let user: serde_json::Value = serde_json::from_str(run.out.lines().next().unwrap()).unwrap();
    let text = format!("{}\n{}", user["system"].as_str().unwrap(), user["user"].as_str().unwrap());
    assert!(text.contains(strategy), "{strategy} is not in: {text}");
}

#[test]
fn t1_flag_over_environment_over_project_over_user() {
    let folder = Folder::project();
    fs::create_dir_all(folder.user_config().parent().unwrap()).unwrap();
    fs::write(folder.user_config(), "roundtable:\n  strategy: disney\n").unwrap();
    let value = |envs: &[(&str, &str)]| {
        let mut command = folder.command(&["config", "show", "--json"]);
        command.envs(envs.iter().copied());
        let shown = super::harness::finish(command.spawn().unwrap()).ok().json();
        let rows = shown["settings"].as_array().unwrap().clone();
        let row = rows.iter().find(|row| row["key"] == "roundtable.strategy").unwrap().clone();
        (row["value"].as_str().unwrap().to_owned(), row["layer"].as_str().unwrap().to_owned())
    };
    assert_eq!(value(&[]), ("disney".into(), "user".into()));
    folder.write(".s2s/config.yaml", "roundtable:\n  strategy: six-hats\n");
    assert_eq!(value(&[]), ("six-hats".into(), "project".into()));
    assert_eq!(value(&[("S2S_STRATEGY", "debate")]), ("debate".into(), "environment".into()));
    check_strategy(&folder, TOPIC, &[], "six-hats");
    check_strategy(&folder, TOPIC, &["--strategy", "consensus-driven"], "consensus-driven");
}

#[test]
fn t2_unattended_detection_is_taken_and_said_and_a_flag_silences_it() {
    let folder = Folder::project();
    let topic = "Choose between REST and GraphQL";
    check_strategy(&folder, topic, &[], "debate");
    check_strategy(&folder, topic, &["--strategy", "standard"], "standard");
    check_strategy(&folder, "A plain question", &[], "standard");
    let run = folder.run(&["roundtable", "start", topic, "--panel", "script:calm.yaml", "--max-rounds", "1"]);
    assert!(run.out.contains("Strategy debate") && run.out.contains("\"choose\""), "{}", run.out);
}

#[test]
fn t3_one_side_named_makes_the_rest_the_other() {
    let folder = Folder::project();
    let flags = ["--strategy", "debate", "--con", "technical-lead", "--max-rounds", "1", "--quiet"];
    let mut args = vec!["roundtable", "start", TOPIC, "--panel", "script:calm.yaml"];
    args.extend(flags);
    folder.run(&args).ok();
    let sides = folder.only()["debate_sides"].clone();
    assert_eq!(sides["pro"], serde_json::json!(["product-manager", "software-architect"]));
    assert_eq!(sides["con"], serde_json::json!(["technical-lead"]));
}

#[test]
fn t4_both_places_for_participants_are_read() {
    for yaml in [
        "roundtable:\n  participants:\n    brainstorm: [qa-lead, ux-researcher]\n",
        "roundtable:\n  participants:\n    by_workflow_type:\n      brainstorm: [qa-lead, ux-researcher]\n",
    ] {
        let folder = Folder::project();
        folder.write(".s2s/config.yaml", yaml);
        folder.start(&["--quiet"]).ok();
        let seats = folder.only()["participants"].clone();
        let ids: Vec<&str> = seats.as_array().unwrap().iter().map(|seat| seat["id"].as_str().unwrap()).collect();
        assert_eq!(ids, ["qa-lead", "ux-researcher"]);
    }
}

#[test]
fn show_prompts_asks_nobody_and_writes_nothing() {
    let folder = Folder::project();
    folder.write(".s2s/CONTEXT.md", "Five teams share one gateway.");
    let before = files_below(&folder.path());
    let run = folder.run(&["roundtable", "start", TOPIC, "--strategy", "debate", "--show-prompts"]).ok();
    run.shows(&[
        "r1.sides.facilitator.1",
        "r1.question.facilitator.1",
        "r1.response.product-manager.1",
        "r1.response.technical-lead.1",
        "Five teams share one gateway.",
        TOPIC,
    ]);
    assert_eq!(files_below(&folder.path()), before);
    let bare = Folder::bare();
    bare.run(&["roundtable", "start", TOPIC, "--show-prompts", "--yes"]).is(2);
    assert!(files_below(&bare.path()).is_empty());
}

#[test]
fn json_is_one_event_per_line() {
    let folder = Folder::project();
    let run = folder.start(&["--json"]).ok();
    let events: Vec<serde_json::Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(names.first(), Some(&"session_started"));
    assert_eq!(names.last(), Some(&"session_completed"));
    assert_eq!(names.iter().filter(|name| **name == "round_committed").count(), 3);
}

#[test]
fn verbose_keeps_responses_and_quiet_shows_only_the_end() {
    let folder = Folder::project();
    let quiet = folder.start(&["--quiet"]).ok();
    assert!(quiet.out.starts_with("Roundtable Complete!"), "{}", quiet.out);
    assert!(folder.only()["rounds"][0].get("responses").is_none_or(serde_json::Value::is_null));
    let folder = Folder::project();
    folder.start(&["--verbose"]).ok().shows(&["Use REST"]);
    assert_eq!(folder.only()["rounds"][0]["responses"].as_array().unwrap().len(), 3);
}

#[test]
fn interactive_without_a_terminal_is_said_and_goes_on() {
    Folder::project().start(&["--interactive"]).ok().shows(&["Nobody can be asked after each round"]);
}

#[test]
fn d2_a_spent_budget_ends_the_session_with_exit_5() {
    let folder = Folder::project();
    folder.write(".s2s/config.yaml", "roundtable:\n  limits:\n    max_calls: 5\n");
    folder.start(&["--quiet"]).is(5).says(&["budget of 5 calls", "--max-calls"]).shows(&["Roundtable Complete!"]);
    let minutes = folder.only();
    assert_eq!((&minutes["status"], &minutes["total_rounds"]), (&"completed".into(), &1.into()));
}
