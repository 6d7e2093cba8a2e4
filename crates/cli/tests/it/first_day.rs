//! What a newcomer stumbled over on the first day with the binary; each test is named after it.

use super::harness::{Folder, TOPIC};

const DOC: &str = include_str!("../../../../docs/script-panel.md");

fn waiting(folder: &Folder, script: &str) -> String {
    let panel = format!("script:{script}");
    folder.run(&["roundtable", "start", TOPIC, "--panel", &panel, "--strategy", "standard", "-q"]).is(3);
    folder.ids().remove(0)
}

#[test]
fn the_example_of_the_script_panel_page_runs() {
    let folder = Folder::project();
    let (_, rest) = DOC.split_once("```yaml\n").unwrap();
    folder.write("page.yaml", rest.split_once("```").unwrap().0);
    let run = folder.run(&["roundtable", "start", TOPIC, "--panel", "script:page.yaml", "--strategy", "standard"]);
    run.ok().shows(&["Roundtable Complete!", "3 of at most"]);
}

#[test]
fn bug_an_empty_script_did_not_say_what_it_needs() {
    let folder = Folder::project();
    for text in ["", "# nothing yet\n"] {
        folder.write("empty.yaml", text);
        let run = folder.run(&["roundtable", "start", TOPIC, "--panel", "script:empty.yaml"]);
        run.is(2).says(&["the script is empty: it needs `replies:`"]);
    }
}

#[test]
fn bug_a_change_of_context_was_announced_before_the_run_was_refused() {
    let folder = Folder::project();
    folder.write("challenged.yaml", super::escalations::CHALLENGED);
    let id = waiting(&folder, "challenged.yaml");
    let run = folder.run(&["roundtable", "answer", &id, "--accept-context"]).is(2).says(&["no script is named"]);
    assert!(!run.err.contains("context changes"), "{}", run.err);
    let again = ["roundtable", "answer", &id, "--accept-context", "--panel", "script:challenged.yaml"];
    folder.run(&again).ok().says(&["context changes from here on"]);
}

#[test]
fn bug_project_roles_were_not_found_in_the_projects_own_folder() {
    let folder = Folder::project();
    let role = folder.run(&["catalog", "show", "role", "qa-lead"]).ok().out;
    folder.write(".s2s/roles/dba.md", role.replace("qa-lead", "dba"));
    folder.start(&["--participants", "project:dba,qa-lead", "--quiet"]).ok();
    folder
        .start(&["--participants", "project:nobody,qa-lead"])
        .is(2)
        .says(&[".claude/agents/nobody.md", ".s2s/roles/nobody.md"]);
}

#[test]
fn bug_a_session_with_an_outcome_was_taken_up_again() {
    let folder = Folder::project();
    let id = "20250111-100000-rest-or-not";
    let name = format!(".s2s/sessions/{id}.yaml");
    let text = format!(
        "id: {id}\ntopic: REST or not\nworkflow_type: brainstorm\nstrategy: standard\nstatus: paused\n\
         started: 2025-01-11T10:00:00Z\npaused_at: 2025-01-11T10:10:00Z\nparticipants:\n  - id: product-manager\n  \
         - id: technical-lead\ncurrent_phase: discussion\ntotal_rounds: 0\nrounds: []\nescalations: []\n\
         outcome: {{status: proposed, consensus: [], unresolved: []}}\n"
    );
    folder.write(&name, &text);
    let run = folder.run(&["roundtable", "resume", id, "--panel", "script:calm.yaml"]);
    run.is(1).says(&["has an outcome", "s2s session validate"]);
    assert_eq!(folder.read(&name), text);
}

#[test]
fn bug_next_steps_of_a_scripted_session_left_its_script_out() {
    let folder = Folder::project();
    let run = folder.run(&["roundtable", "start", TOPIC, "--panel", "script:unsure.yaml", "--strategy", "standard"]);
    let run = run.is(3).says(&["--panel script:unsure.yaml --accept"]);
    assert!(!run.out.contains("Roundtable Paused"), "a pause is told once: {}", run.out);
    folder.run(&["roundtable", "show"]).ok().shows(&["--panel script:FILE"]);
    folder.run(&[]).ok().shows(&["--panel script:FILE"]);
}

#[test]
fn bug_unknown_names_in_the_settings_had_no_place() {
    let folder = Folder::project();
    folder.write(
        ".s2s/config.yaml",
        "roundtable:\n  strategy: debat\n  participants:\n    brainstorm: [qa-leed, nobody, qa-lead]\n",
    );
    let parts = [".s2s/config.yaml:2:", "`debat`", ".s2s/config.yaml:4:", "`qa-leed`", "`nobody`"];
    let run = folder.run(&["roundtable", "start", TOPIC]).is(2).says(&parts);
    assert!(!run.err.contains("facilitator,"), "{}", run.err);
    folder.run(&["catalog", "check"]).is(2).says(&parts);
    folder.run(&["config", "show"]).ok().shows(&parts);
}

#[test]
fn bug_a_strategy_in_capitals_was_unknown() {
    let folder = Folder::project();
    folder.run(&["roundtable", "start", TOPIC, "--strategy", "Debate", "--panel", "offline", "--yes", "-q"]).ok();
    assert_eq!(folder.only()["strategy"], "debate");
}

#[test]
fn bug_the_sides_of_a_debate_were_not_shown() {
    let folder = Folder::project();
    let flags = ["--pro", "product-manager", "--con", "technical-lead,software-architect"];
    let start = ["roundtable", "start", TOPIC, "--strategy", "debate", "--panel", "offline", "--yes"];
    folder.run(&[&start[..], &flags].concat()).ok().shows(&[
        "  Proposal ",
        "  For           product-manager",
        "  Against ",
    ]);
    folder.run(&[&start[..], &["--new"]].concat()).ok().shows(&["  For ", "  Against "]);
}

#[test]
fn bug_quiet_did_not_tell_what_a_policy_ruled() {
    let folder = Folder::project();
    let start = ["roundtable", "start", TOPIC, "--panel", "script:unsure.yaml", "--strategy", "standard", "-q"];
    folder.run(&[&start[..], &["--yes"]].concat()).ok().shows(&["Ruling X1: recommendation accepted, by --yes"]);
}

#[test]
fn bug_the_output_was_named_from_the_project_and_not_from_here() {
    let folder = Folder::project();
    folder.write("deep/er/calm.yaml", super::harness::CALM);
    let args = ["roundtable", "start", TOPIC, "--panel", "script:calm.yaml", "--strategy", "standard", "-q"];
    let output = folder.command(&args).current_dir(folder.path().join("deep/er")).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("../../docs/decisions/"), "{text}");
}

#[test]
fn bug_usage_errors_in_json_lost_the_tip() {
    let folder = Folder::project();
    let run = folder.run(&["roundtable", "start", TOPIC, "--strategi", "debate", "--json"]).is(2);
    run.says(&["--strategy", "--help"]);
}

#[test]
fn bug_help_was_no_command() {
    let folder = Folder::bare();
    folder.run(&["help"]).ok().shows(&["roundtable"]);
    folder.run(&["help", "roundtable", "start"]).ok().shows(&["--strategy"]);
}

#[test]
fn bug_a_session_of_the_plugin_was_shown_with_what_its_file_does_not_hold() {
    let folder = Folder::project();
    let id = "20250111-100000-rest-or-not";
    folder.write(
        &format!(".s2s/sessions/{id}.yaml"),
        format!(
            "id: {id}\ntopic: REST or not\nworkflow_type: brainstorm\nstrategy: standard\nstatus: paused\n\
             started: 2025-01-11T10:00:00Z\npaused_at: 2025-01-11T10:10:00Z\nparticipants:\n  - id: product-manager\n\
             current_phase: discussion\ntotal_rounds: 1\nrounds:\n  - number: 1\n    phase: discussion\n    \
             timestamp: 2025-01-11T10:05:00Z\n    question: Why?\n    synthesis: Because.\nescalations: []\n\
             outcome: null\n"
        ),
    );
    let run = folder.run(&["roundtable", "show", id]).ok().shows(&["Because."]);
    assert!(!run.out.contains("Asked") && !run.out.contains("Decision"), "{}", run.out);
    let run = folder.run(&["session", "validate", id]).ok();
    assert!(!run.out.contains("digests and seal read"), "{}", run.out);
    for check in ["verify", "replay"] {
        let run = folder.run(&["session", check, id]);
        assert_eq!(run.out.contains("Everything holds"), run.code == 0, "{check}: {}", run.out);
    }
}

#[test]
fn bug_a_cut_session_file_was_listed_as_sound() {
    let folder = Folder::project();
    folder.start(&["--quiet"]).ok();
    let id = folder.ids().remove(0);
    let name = format!(".s2s/sessions/{id}.yaml");
    let text = folder.read(&name);
    folder.run(&["roundtable", "list"]).ok().shows(&["Completed (1)"]);
    folder.write(&name, &text[..text.len() * 2 / 3]);
    folder.run(&["roundtable", "list"]).ok().shows(&["Cannot be read", "unfinished"]);
}
