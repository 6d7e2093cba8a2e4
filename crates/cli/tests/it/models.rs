//! `s2s models` and `s2s models trust`: what is listed, in a project and outside, and what a person confirms.

use s2s_mock::Plan;

use super::harness::{Folder, finish};
use super::mock::{KEY, Lab};
use super::terminal::{ENTER, Person};

#[test]
fn providers_models_and_seats_are_listed_within_100_columns() {
    let lab = Lab::new(Plan::calm());
    let run = lab.run(&["models"]).ok().shows(&[
        "anthropic",
        "usable · default claude-sonnet-5-5 · built-in; ANTHROPIC_BASE_URL",
        "GEMINI_API_KEY or GOOGLE_API_KEY is not set",
        "`claude` cannot be run",
        "claude-opus-5-5",
        "as of 2026-",
        "At the table (brainstorm)",
        "facilitator         anthropic:claude-opus-5-5 (claude)",
        "3 seats, 1 model family: claude.",
        "ANTHROPIC_API_KEY holds a key",
    ]);
    for line in run.out.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
    assert!(!run.out.contains(KEY));
    assert!(lab.mock.calls().is_empty(), "listing asks nobody");
}

#[test]
fn a_variable_that_wins_over_a_projects_address_is_said() {
    let lab = Lab::new(Plan::calm()).settings("providers: {anthropic: {base_url: \"https://gateway.example.com\"}}\n");
    let notes = lab.run(&["models", "--json"]).ok().json()["providers"][0]["notes"].to_string();
    assert!(notes.contains("ANTHROPIC_BASE_URL says where it is; `base_url` of .s2s/config.yaml:1:"), "{notes}");
    lab.run(&["models"]).ok().shows(&["has no say while it is set"]);
}

#[test]
fn a_model_without_a_provider_is_not_a_provider_without_a_name() {
    let lab = Lab::new(Plan::calm());
    lab.start(&["--model", ":x"]).is(2).says(&["`:x` names no provider before the `:`", "provider:model"]);
}

#[test]
fn json_has_a_schema_and_every_part() {
    let lab = Lab::new(Plan::calm()).settings(
        "models:\n  seats: {technical-lead: \"openai:gpt-6.1-sol\"}\n  fallback: {default: [\"openai:gpt-6.1-terra\"]}\n\
         prices:\n  \"local:qwen3\": {input: 0, output: 0}\n",
    );
    let value = lab.run(&["models", "--json"]).ok().json();
    assert_eq!(value["schema"], 1);
    let providers = value["providers"].as_array().unwrap();
    assert_eq!((&providers[0]["name"], &providers[0]["usable"]), (&"anthropic".into(), &true.into()));
    let claude = providers.iter().find(|provider| provider["name"] == "claude").unwrap();
    assert_eq!(claude["api"], "command");
    assert!(!claude["notes"].as_array().unwrap().is_empty());
    let known = value["known"].as_array().unwrap();
    assert_eq!(known[0]["models"][0]["price"]["output"], 50.0);
    assert_eq!(known.last().unwrap()["models"][0]["price_set"], true);
    let seats = value["table"]["seats"].as_array().unwrap();
    let lead = seats.iter().find(|seat| seat["seat"] == "technical-lead").unwrap();
    assert_eq!(lead["models"], serde_json::json!(["openai:gpt-6.1-sol", "openai:gpt-6.1-terra"]));
    assert_eq!(value["table"]["panel"], "models");
}

#[test]
fn outside_a_project_and_without_keys_the_offline_panel_is_named() {
    let folder = Folder::bare();
    folder.run(&["models"]).ok().shows(&["The offline panel answers", "set a key such as ANTHROPIC_API_KEY"]);
    let value = folder.run(&["models", "--json"]).ok().json();
    assert_eq!(value["table"]["panel"], "offline");
    let project = Folder::project();
    project.write(".s2s/config.yaml", "panel: offline\n");
    project.run(&["models"]).ok().shows(&["The offline panel answers, as `panel` says (.s2s/config.yaml:1:"]);
}

#[test]
fn a_lineup_that_does_not_stand_says_why() {
    let folder = Folder::project();
    folder.write(".s2s/config.yaml", "models: {default: \"openai:gpt-6.1-sol\"}\n");
    folder.run(&["models"]).ok().shows(&["OPENAI_API_KEY is not set", "next: set OPENAI_API_KEY"]);
}

fn local(lab: &Lab) -> String {
    format!("providers:\n  local: {{api: openai, base_url: \"{}/v1\", api_key_env: LOCAL_KEY}}\n", lab.mock.url())
}

#[test]
fn a_provider_of_the_project_is_confirmed_once() {
    let lab = Lab::keyless(Plan::calm()).with("LOCAL_KEY", KEY);
    let settings = local(&lab);
    let lab = lab.settings(&settings);
    lab.run(&["models"]).ok().shows(&["this project defines it (.s2s/config.yaml:2", "s2s models trust local"]);
    let run = lab.run(&["models", "trust", "local"]).ok();
    let run =
        run.shows(&["send the key in LOCAL_KEY", lab.mock.url(), ".s2s/config.yaml:2", "Confirmed", "trusted.yaml"]);
    assert!(!run.out.contains(KEY));
    assert!(lab.folder.trusted().exists());
    lab.run(&["models", "trust", "local"]).ok().shows(&["confirmed already"]);
    assert_eq!(lab.run(&["models", "trust", "local", "--json"]).ok().json()["confirmed"], true);
    let value = lab.run(&["models", "--json"]).ok().json();
    let row = value["providers"].as_array().unwrap().iter().find(|row| row["name"] == "local").unwrap().clone();
    assert_eq!(row["usable"], true, "{row}");
    // Another host is another question.
    lab.folder.write(".s2s/config.yaml", settings.replace("127.0.0.1", "localhost"));
    lab.run(&["models"]).ok().shows(&["this project defines it"]);
}

#[test]
fn what_needs_no_confirmation_or_is_not_there_is_said() {
    let folder = Folder::project();
    folder.run(&["models", "trust", "anthropic"]).ok().shows(&["nothing to confirm"]);
    folder.run(&["models", "trust", "antropic"]).is(2).says(&["no provider `antropic`", "did you mean `anthropic`?"]);
    assert!(!folder.trusted().exists());
    let own = Lab::keyless(Plan::calm());
    let settings = local(&own);
    own.own_settings(&settings).run(&["models", "trust", "local"]).ok().shows(&["nothing to confirm"]);
}

#[test]
fn a_person_at_a_terminal_is_asked_before_it_is_kept() {
    for (key, code) in [("n", 1), ("y", 0)] {
        let lab = Lab::keyless(Plan::calm());
        let lab = {
            let settings = local(&lab);
            lab.settings(&settings)
        };
        let Some(mut person) = Person::at(&lab.folder, &["models", "trust", "local"]) else { return };
        person.answers("Do you trust the provider", &format!("{key}{ENTER}"));
        let (ended, seen) = person.leaves();
        assert_eq!(ended, code, "{seen}");
        assert_eq!(lab.folder.trusted().exists(), code == 0);
    }
}

#[test]
fn a_provider_that_contradicts_itself_stays_in_the_list() {
    let folder = Folder::project();
    folder.write(".s2s/config.yaml", "providers:\n  broken: {api: openai}\n");
    let run = finish(folder.command(&["models"]).spawn().unwrap()).ok();
    run.shows(&["broken", "does not say where it is"]);
}
