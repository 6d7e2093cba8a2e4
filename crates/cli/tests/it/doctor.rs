//! `s2s doctor`: every look, every configured model really asked, and what is said when something is not well.

use s2s_mock::{Act, Plan};

use super::harness::Folder;
use super::mock::{KEY, Lab};
use super::terminal::Person;

const MIXED: &str = "models:\n  default: \"anthropic:claude-sonnet-5-5\"\n  seats: {qa-lead: \"openai:gpt-6.1-sol\"}\n  \
                     fallback: {technical-lead: [\"openai:gpt-6.1-terra\"]}\n";

#[test]
fn every_configured_model_is_asked_once() {
    let lab = Lab::new(Plan::calm()).settings(MIXED);
    let run = lab.run(&["doctor"]).ok().shows(&[
        "settings      ✓",
        "catalog       ✓",
        ".s2s/sessions can be written, locked and synced",
        "ANTHROPIC_API_KEY, OPENAI_API_KEY",
        "✓ anthropic:claude-sonnet-5-5",
        "answered in",
        "instead of another, for technical-lead",
        "All is well.",
    ]);
    assert!(!run.out.contains(KEY));
    let mut asked = lab.mock.asked();
    asked.sort();
    assert_eq!(asked, ["claude-sonnet-5-5", "gpt-6.1-sol", "gpt-6.1-terra"]);
    assert!(lab.folder.ids().is_empty(), "a checkup is no session");
}

#[test]
fn json_tells_latency_tokens_and_cost() {
    let lab = Lab::new(Plan::calm()).settings(MIXED);
    let value = lab.run(&["doctor", "--json"]).ok().json();
    assert_eq!((&value["schema"], &value["well"]), (&1.into(), &true.into()));
    let called = &value["models"][0];
    assert_eq!((&called["model"], &called["state"]), (&"anthropic:claude-sonnet-5-5".into(), &"ok".into()));
    assert!(called["latency_ms"].as_u64().unwrap() < 30_000);
    assert!(called["input_tokens"].as_u64().unwrap() > 0 && called["cost_usd"].as_f64().unwrap() > 0.0);
    let checks: Vec<&str> = value["checks"].as_array().unwrap().iter().map(|c| c["check"].as_str().unwrap()).collect();
    assert_eq!(checks, ["settings", "catalog", "store", "terminal", "git", "keys"]);
}

#[test]
fn a_model_that_fails_is_asked_once_and_says_what_to_do() {
    let lab =
        Lab::new(Plan::calm().on_model("claude", Act::Status(401)).on_model("sol", Act::Status(503))).settings(MIXED);
    let run = lab.run(&["doctor"]).is(1);
    run.shows(&[
        "✗ anthropic:claude-sonnet-5-5",
        "no access",
        "ANTHROPIC_API_KEY",
        "✗ openai:gpt-6.1-sol",
        "2 things are not well.",
    ]);
    assert_eq!(lab.mock.calls().len(), 3, "no retries");
    let value = lab.run(&["doctor", "--json"]).is(1).json();
    assert_eq!(value["models"][0]["state"], "failed");
    assert!(value["models"][0]["next"].is_string());
}

#[test]
fn offline_asks_nobody() {
    let lab = Lab::new(Plan::calm()).settings(MIXED);
    lab.run(&["doctor", "--offline"]).ok().shows(&["○ anthropic:claude-sonnet-5-5", "not asked (--offline)"]);
    assert!(lab.mock.calls().is_empty());
}

#[test]
fn a_provider_nobody_confirmed_is_not_asked() {
    let lab = Lab::keyless(Plan::calm()).with("ANTHROPIC_API_KEY", KEY);
    let settings = format!("providers: {{anthropic: {{base_url: \"{}\"}}}}\n", lab.mock.url());
    let lab = lab.settings(&settings);
    let run = lab.run(&["doctor"]).is(1);
    let run = run.shows(&["not asked: this project defines it", "s2s models trust anthropic"]);
    assert!(!run.out.contains(KEY));
    assert!(lab.mock.calls().is_empty());
    lab.run(&["models", "trust", "anthropic"]).ok();
    lab.run(&["doctor"]).ok();
    assert!(!lab.mock.calls().is_empty());
}

#[test]
fn without_models_the_offline_panel_answers_and_all_is_well() {
    let folder = Folder::project();
    folder.run(&["doctor"]).ok().shows(&["keys          ✓ none is set", "The offline panel answers", "All is well."]);
    Folder::bare().run(&["doctor"]).ok().shows(&["not an s2s project", "next: s2s init"]);
    folder.write(".s2s/config.yaml", "panel: models\n");
    folder.run(&["doctor"]).is(1).shows(&["no model is configured"]);
}

#[test]
fn each_thing_that_is_wrong_is_found_and_the_others_are_still_looked_at() {
    let folder = Folder::project();
    folder.start(&[]).ok();
    let id = folder.ids().remove(0);
    let minutes = format!(".s2s/sessions/{id}.yaml");
    folder.write(&minutes, folder.read(&minutes).replace("REST it is.", "GraphQL it is."));
    folder.write(".s2s/roles/broken.md", "no frontmatter");
    folder.write(".s2s/config.yaml", "nonsense: 1\n");
    let run = folder.run(&["doctor"]).is(1);
    let run =
        run.shows(&["settings      ✗", ".s2s/config.yaml:1:1", "catalog       ✗", "broken.md", "store         ✗"]);
    run.shows(&["1 of 1 session cannot be read", "the settings come first", "3 things are not well."]);
}

#[test]
fn a_missing_key_does_not_keep_the_others_from_being_asked() {
    let lab = Lab::new(Plan::calm());
    let lab = lab.settings("models: {seats: {qa-lead: \"gemini:gemini-3.8-flash\"}}\n");
    lab.run(&["doctor"]).is(1).shows(&["GEMINI_API_KEY", "✓ anthropic:claude-sonnet-5-5", "One thing is not well."]);
}

#[test]
fn a_terminal_is_measured() {
    let folder = Folder::project();
    let Some(person) = Person::at(&folder, &["doctor"]) else { return };
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    assert!(seen.contains("100 columns"), "{seen}");
}

#[test]
fn git_says_what_it_keeps_of_the_project() {
    let folder = Folder::project();
    let git = |args: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.args(args);
        folder.settle(&mut command);
        command.output().is_ok_and(|output| output.status.success())
    };
    if !git(&["init", "-q"]) {
        return super::harness::skipped("git cannot be run here");
    }
    folder.run(&["doctor"]).ok().shows(&["git           ✓ a repository; nothing in .s2s is tracked yet"]);
    assert!(git(&["add", ".s2s/config.yaml"]));
    folder.run(&["doctor"]).ok().shows(&["1 file of .s2s is tracked"]);
    std::fs::remove_file(folder.path().join(".s2s/.gitignore")).unwrap();
    folder.run(&["doctor"]).ok().shows(&["◐", "are not ignored"]);
    folder.write(".gitignore", ".s2s\n");
    assert!(git(&["rm", "-q", "--cached", "-r", ".s2s"]));
    folder.run(&["doctor"]).ok().shows(&[".s2s is ignored"]);
}
