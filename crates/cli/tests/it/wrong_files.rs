//! A file that is wrong, as the person who has to mend it sees it: place, line, carets, what would be right.

use expect_test::{Expect, expect};

use super::harness::Folder;

/// Writes the file, runs the command, and compares what is said.
fn check(name: &str, text: &str, args: &[&str], expected: Expect) {
    let folder = Folder::project();
    folder.write(name, text);
    let run = folder.run(args).is(2);
    // The folder's name is another one each time.
    let root = format!("{}/", folder.path().display());
    expected.assert_eq(&run.err.replace(&root, ""));
    let value: serde_json::Value =
        serde_json::from_str(&folder.run(&[args, &["--json"]].concat()).is(2).all()).unwrap();
    let problems = value["error"]["problems"].as_array().or(value["problems"].as_array()).unwrap().clone();
    assert!(
        !problems.is_empty() && problems.iter().all(|one| one["line"].is_u64() && one["column"].is_u64()),
        "{value}"
    );
}

#[test]
fn settings() {
    let show = ["config", "show"];
    check(".s2s/config.yaml", "version: 1\nroundtable:\n  stategy: debate\n", &show, expect![[]]);
    check(".s2s/config.yaml", "roundtable:\n  limits:\n    max_rounds: many  # or few\n", &show, expect![[]]);
    check(".s2s/config.yaml", "roundtable:\n  strategy: [\n", &show, expect![[]]);
    check(".s2s/config.yaml", "roundtable:\n\tstrategy: debate\n", &show, expect![[]]);
    check(
        ".s2s/config.yaml",
        "roundtable: {participants: {specs: [qa-lead, \"qa leed\", 値段]}, strategy: debat}\n",
        &["roundtable", "start", "A question"],
        expect![[]],
    );
}

#[test]
fn a_secret_in_the_settings_is_not_repeated() {
    let folder = Folder::project();
    let key = format!("sk-ant-{}", "a1B2".repeat(12));
    folder.write(".s2s/config.yaml", format!("models:\n  default: {key}\n"));
    let run = folder.run(&["config", "show"]).is(2).says(&["config.yaml:2"]);
    assert!(!run.err.contains("a1B2a1B2"), "{}", run.err);
}

#[test]
fn roles_strategies_agendas_playbooks_templates_and_models() {
    let list = ["catalog", "check"];
    check(".s2s/roles/data.md", "---\nname: data\ntitel: Data\n---\nYou.\n", &list, expect![[]]);
    check(".s2s/strategies/mine.yaml", "name: mine\nparticipation: paralel\nphases: []\n", &list, expect![[]]);
    check(".s2s/agendas/specs.yaml", "workflow: specs\ntopics:\n  - id: 7\n", &list, expect![[]]);
    check(".s2s/playbooks/mine.yaml", "name: mine\ncriteria: none\n", &list, expect![[]]);
    check(".s2s/templates/adr.md", "# {{ title }\n", &list, expect![[]]);
    check(".s2s/models/models.yaml", "as_of: yesterday\nprovders: []\n", &list, expect![[]]);
}

#[test]
fn a_script_for_the_panel() {
    let start = ["roundtable", "start", "A question", "--panel", "script:bad.yaml", "--strategy", "standard"];
    check("bad.yaml", "replies:\n  - {kind: questoin, reply: x}\n", &start, expect![[]]);
    check("bad.yaml", "replies:\n  - {kind: question, reply: x}\n  - {kind: response}\n", &start, expect![[]]);
}

#[test]
fn lists_of_roles_and_the_doctor_show_the_line_too() {
    let folder = Folder::project();
    folder.write(".s2s/roles/data.md", "---\nname: data\ntitel: Data\n---\nYou.\n");
    folder.run(&["role", "list"]).ok().shows(&["3 | titel: Data", "  | ^^^^^"]);
    folder.run(&["doctor", "--offline"]).is(1).shows(&["3 | titel: Data", "  | ^^^^^"]);
}
