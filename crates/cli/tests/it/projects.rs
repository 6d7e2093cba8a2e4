//! `s2s init` as people use it: detection, answers, half-made set-ups, what changed since, workspaces.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::json;

use super::harness::{CALM, Folder, Run, TOPIC, files_below, finish};
use super::terminal::{ENTER, Person};

fn shop() -> Folder {
    let folder = Folder::bare();
    folder.write("README.md", "# Shop\n\nSells parts to garages.\n");
    folder.write("Cargo.toml", "[workspace]\nmembers = [\"services/*\"]\n[workspace.dependencies]\naxum = \"0.8\"\n");
    folder.write("services/api/Cargo.toml", "[package]\nname = \"shop-api\"\n");
    folder.write("services/web/Cargo.toml", "[package]\nname = \"shop-web\"\n");
    folder
}

fn run_in(folder: &Folder, place: &str, args: &[&str]) -> Run {
    finish(folder.command(args).current_dir(folder.path().join(place)).spawn().unwrap())
}

#[test]
fn detect_reports_and_writes_nothing() {
    let folder = shop();
    let before = files_below(&folder.path()).len();
    folder.run(&["init", "--detect"]).ok().shows(&[
        "Rust (Cargo.toml, 0 files)",
        "axum (Cargo.toml)",
        "services/api (cargo)",
    ]);
    let found = folder.run(&["init", "--detect", "--json"]).ok().json();
    assert_eq!(found["members"][1], json!({"path": "services/web", "name": "shop-web", "kinds": ["cargo"]}));
    assert_eq!(found["description"], json!({"name": "Sells parts to garages.", "from": "README.md"}));
    assert_eq!(files_below(&folder.path()).len(), before);
    folder.run(&["init", "--detect", "--yes"]).is(2);
    folder.write("package.json", "{broken");
    folder.run(&["init", "--detect"]).ok().shows(&["note: package.json is no JSON"]);
}

#[test]
fn flags_answer_and_what_is_left_is_said() {
    let folder = shop();
    let run = folder.run(&[
        "init",
        "--domain",
        "spare parts",
        "--objective",
        "Faster",
        "--objective",
        "Fewer errors",
        "--in-scope",
        "Orders",
        "--out-of-scope",
        "Payments",
        "--constraint",
        "Two people",
    ]);
    run.ok().shows(&["Nobody was asked: the description is taken from README.md."]);
    let text = folder.read(".s2s/CONTEXT.md");
    for part in [
        "Sells parts to garages.\n\nDomain: spare parts\n",
        "- Faster\n- Fewer errors\n",
        "### In\n\n- Orders\n",
        "### Out\n\n- Payments\n",
        "- Two people\n",
        "Members: services/api (cargo), services/web (cargo).\n<!-- s2s:detected end -->",
    ] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    folder.run(&["init", "--objective", "Other"]).ok().shows(&["the answers were not written"]);
    assert_eq!(folder.read(".s2s/CONTEXT.md"), text);
}

#[test]
fn a_person_is_asked_and_detected_words_are_the_defaults() {
    let folder = shop();
    let Some(mut person) = Person::at(&folder, &["init"]) else { return };
    person.answers("What is this project?", &format!(" Online.{ENTER}")).answers("Which field is it for?", ENTER);
    person.answers("What should be better", &format!("Faster orders; fewer errors{ENTER}"));
    person.answers("What belongs to the work?", ENTER).answers("What is left out", &format!("Payments{ENTER}"));
    person.answers("What must every decision respect?", ENTER);
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    let text = folder.read(".s2s/CONTEXT.md");
    assert!(text.contains("\nSells parts to garages. Online.\n"), "{text}");
    assert!(text.contains("- Faster orders\n- fewer errors\n") && text.contains("- Payments\n"), "{text}");

    folder.write("services/jobs/Cargo.toml", "[package]\nname = \"jobs\"\n");
    let Some(mut person) = Person::at(&folder, &["init"]) else { return };
    person.answers("+ Members: services/api (cargo), services/jobs (cargo)", "").answers("Renew this part", ENTER);
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    assert!(folder.read(".s2s/CONTEXT.md").contains("services/jobs (cargo)"));
}

#[test]
fn a_person_chooses_the_components() {
    let folder = shop();
    folder.run(&["init"]).ok();
    let Some(mut person) = Person::at(&folder, &["init", "--workspace"]) else { return };
    // The first member is left out, the second stays.
    person.answers("Which members shall be components?", "").answers("services/web", &format!(" {ENTER}"));
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    assert!(folder.read(".s2s/workspace.yaml").ends_with("components:\n  - \"services/web\"\n"));
    assert!(!folder.path().join("services/api/.s2s").exists());
}

#[test]
fn leaving_a_question_makes_nothing() {
    let folder = shop();
    let Some(mut person) = Person::at(&folder, &["init"]) else { return };
    person.answers("What is this project?", ENTER).answers("Which field", "\x1b");
    let (code, seen) = person.leaves();
    assert_eq!(code, 130, "{seen}");
    assert!(!folder.path().join(".s2s").exists());
}

#[test]
fn what_changed_since_is_renewed_with_a_yes_and_a_person_s_words_stay() {
    let folder = shop();
    folder.run(&["init"]).ok();
    let mine = folder.read(".s2s/CONTEXT.md").replace("## Objectives\n", "## Objectives\n\nMy own words.\n");
    folder.write(".s2s/CONTEXT.md", &mine);
    folder.run(&["init", "--yes"]).ok();
    assert_eq!(folder.read(".s2s/CONTEXT.md"), mine, "nothing changed, nothing is written");
    folder.write("package.json", "{\"dependencies\": {\"react\": \"19\"}}");
    let report = folder.run(&["init", "--json"]).ok().json();
    assert_eq!(report["changed"]["written"], false);
    assert_eq!(folder.read(".s2s/CONTEXT.md"), mine, "nobody said yes");
    folder.run(&["init", "--yes"]).ok().shows(&[
        "renewed: ",
        "- Frameworks: axum (Cargo.toml).",
        "+ Frameworks: axum (Cargo.toml), React (package.json).",
    ]);
    let text = folder.read(".s2s/CONTEXT.md");
    assert!(text.contains("My own words.") && text.contains("React (package.json)"), "{text}");
    let edited = text.replace("React (package.json)", "React, but not for long");
    folder.write(".s2s/CONTEXT.md", &edited);
    folder.run(&["init", "--yes"]).ok().shows(&["was edited by hand; it is left"]);
    assert_eq!(folder.read(".s2s/CONTEXT.md"), edited);
}

#[test]
fn a_half_made_set_up_is_finished_and_said() {
    let folder = shop();
    folder.run(&["init"]).ok();
    for name in ["state.yaml", "config.schema.json", ".gitignore"] {
        fs::remove_file(folder.path().join(".s2s").join(name)).unwrap();
    }
    folder.run(&["init"]).ok().shows(&["was not complete", "made  .s2s/.gitignore", "kept  .s2s/CONTEXT.md"]);
    assert_eq!(folder.run(&["init", "--json"]).ok().json()["half_made"], false);
}

#[test]
fn context_that_is_a_folder_or_a_link_out_is_never_written() {
    let folder = shop();
    fs::create_dir_all(folder.path().join(".s2s/CONTEXT.md")).unwrap();
    folder.run(&["init"]).is(1).says(&["CONTEXT.md cannot be made: a folder is in its place"]);
    let folder = Folder::project();
    let outside = folder.path().parent().unwrap().join("private.md");
    fs::rename(folder.path().join(".s2s/CONTEXT.md"), &outside).unwrap();
    symlink(&outside, folder.path().join(".s2s/CONTEXT.md")).unwrap();
    let before = fs::read_to_string(&outside).unwrap();
    folder.write("main.go", "");
    folder.run(&["init", "--yes"]).ok();
    assert_eq!(fs::read_to_string(&outside).unwrap(), before);
    folder.start(&[]).is(2).says(&["a link that leads out of the project"]);
}

#[test]
fn a_workspace_is_made_with_its_members_and_a_component_sees_both_contexts() {
    let folder = shop();
    let run = folder.run(&["init", "--workspace", "--objective", "One login for all garages"]).ok();
    run.shows(&[
        "made  .s2s/workspace.yaml",
        "made  services/api/.s2s/CONTEXT.md",
        "2 detected members became components",
    ]);
    folder.run(&["init", "--workspace"]).ok().shows(&["kept  services/api/.s2s/workspace.yaml"]);
    folder.write("services/api/.s2s/CONTEXT.md", "# API\n\nTakes orders.\n");
    folder.write("services/api/calm.yaml", CALM);
    let start = |topic: &str| {
        let args = ["roundtable", "start", topic, "--panel", "script:calm.yaml", "--strategy", "standard", "--new"];
        run_in(&folder, "services/api", &args).ok()
    };
    start(TOPIC);
    let session = |nth: usize| {
        let mut files: Vec<_> = files_below(&folder.path().join("services/api/.s2s/sessions"));
        files.retain(|path| path.extension().is_some_and(|end| end == "yaml"));
        files.sort();
        fs::read_to_string(&files[nth]).unwrap()
    };
    let minutes = session(0);
    assert!(minutes.contains("source: ../../.s2s/CONTEXT.md, CONTEXT.md"), "{minutes}");
    let (one, other) = (minutes.find("One login for all garages").unwrap(), minutes.find("Takes orders.").unwrap());
    assert!(one < other, "the workspace comes first");
    let named = "the topic names several components (services/api, services/web); to discuss it there: cd ../..";
    start("One release for api and web").says(&[named]);
    start("Tables or views in the web?").says(&["names the component services/web", "cd ../../services/web"]);
    assert!(!start("Caching").err.contains("the topic names"));
}

#[test]
fn secrets_in_the_workspace_s_context_are_found_from_a_component() {
    let folder = shop();
    folder.run(&["init", "--workspace"]).ok();
    let key = ["AKIA", "QWERTYUIOPASDFGH"].concat();
    folder.write(".s2s/CONTEXT.md", format!("# Shop\n\nOur key is {key}.\n"));
    let mut command = folder.command(&[
        "roundtable",
        "start",
        TOPIC,
        "--panel",
        "models",
        "--model",
        "openai:gpt-5",
        "--strategy",
        "standard",
    ]);
    command.current_dir(folder.path().join("services/api")).env("OPENAI_API_KEY", "sk-not-used-by-anybody");
    finish(command.spawn().unwrap()).is(2).says(&["nothing was sent", "work/.s2s/CONTEXT.md"]);
}

#[test]
fn components_that_are_unknown_or_outside_make_nothing() {
    let folder = shop();
    for (components, said) in [
        ("services/apl", "did you mean `services/api`?"),
        ("zzz,services/api", "there is no folder `zzz`"),
        ("../other", "no folder inside the workspace"),
        ("api,,web", "empty name"),
    ] {
        folder.run(&["init", "--workspace", "--components", components]).is(2).says(&[said]);
    }
    folder.run(&["init", "--components", "api"]).is(2).says(&["--workspace"]);
    assert!(!folder.path().join(".s2s").exists());
    Folder::bare().run(&["init", "--workspace"]).is(2).says(&["no members", "--components"]);
    folder.run(&["init", "--workspace", "--components", "api"]).ok();
    assert!(!folder.path().join("services/web/.s2s").exists());
    folder.run(&["init", "--workspace", "--components", "shop-web"]).ok().shows(&["added to  .s2s/workspace.yaml"]);
}

#[test]
fn init_inside_a_component_completes_it_and_a_stranger_gets_nothing() {
    let folder = shop();
    folder.run(&["init", "--workspace"]).ok();
    fs::remove_dir_all(folder.path().join("services/api/.s2s")).unwrap();
    run_in(&folder, "services/api", &["init"]).ok().shows(&["made  .s2s/workspace.yaml"]);
    fs::create_dir(folder.path().join("services/api/deep")).unwrap();
    run_in(&folder, "services/api/deep", &["init"]).is(2).says(&["inside the project"]);
    folder.write(".s2s/workspace.yaml", "components: []\n");
    let args = ["roundtable", "start", TOPIC, "--panel", "offline", "--strategy", "standard"];
    run_in(&folder, "services/api", &args).is(2).says(&["does not list `services/api`"]);
}

#[test]
fn two_inits_at_the_same_time_make_one_project() {
    let folder = shop();
    let runs: Vec<_> = (0..4).map(|_| folder.command(&["init", "--workspace", "--json"]).spawn().unwrap()).collect();
    let made: usize = runs.into_iter().map(|run| finish(run).ok().json()["created"].as_array().unwrap().len()).sum();
    assert_eq!(made, 3 * 7, "each of three projects once");
}

#[test]
fn bug_init_said_nothing_about_settings_that_are_broken() {
    let folder = Folder::project();
    std::fs::remove_file(folder.path().join(".s2s/CONTEXT.md")).unwrap();
    for (text, place) in
        [("roundtable:\n  strategy: [\n", ".s2s/config.yaml:"), ("roundtable:\n  stratgy: x\n", ".s2s/config.yaml:2:")]
    {
        folder.write(".s2s/config.yaml", text);
        folder.run(&["init", "--yes"]).is(2).says(&[place, "mend the settings file there"]);
        assert!(!folder.path().join(".s2s/CONTEXT.md").exists(), "nothing is made");
    }
}

#[test]
fn bug_documents_that_s2s_wrote_counted_as_a_change() {
    let folder = Folder::project();
    folder.start(&["--quiet"]).ok();
    assert!(folder.path().join("docs/decisions").is_dir());
    let again = folder.run(&["init"]).ok();
    assert!(!again.out.contains("changed") && !again.out.contains("Documents"), "{}", again.out);
    folder.write("docs/decisions/0001-mine.md", "# Mine\n");
    folder.run(&["init"]).ok().shows(&["+ Documents: docs, docs/decisions."]);
}
