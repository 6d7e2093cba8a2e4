//! A file that is wrong, as the person who has to mend it sees it: place, line, carets, what would be right.

use expect_test::{Expect, expect};

use super::harness::Folder;

const CHECK: [&str; 2] = ["catalog", "check"];

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
    check(
        ".s2s/config.yaml",
        "version: 1\nroundtable:\n  stategy: debate\n",
        &show,
        expect![[r#"
            error: .s2s/config.yaml:3:3: unknown key `stategy` in `roundtable`; did you mean `strategy`?
              3 |   stategy: debate
                |   ^^^^^^^
                = allowed: strategy, verbose, interactive, live, limits, escalation, consensus, strategies, participants
              next: mend the settings file there, then run the command again
        "#]],
    );
    check(
        ".s2s/config.yaml",
        "roundtable:\n  limits:\n    max_rounds: many  # or few\n",
        &show,
        expect![[r#"
        error: .s2s/config.yaml:3:17: `roundtable.limits.max_rounds`: expected a whole number from 1 to 1000, found the text "many"
          3 |     max_rounds: many  # or few
            |                 ^^^^
          next: mend the settings file there, then run the command again
    "#]],
    );
    check(
        ".s2s/config.yaml",
        "roundtable:\n  strategy: [\n",
        &show,
        expect![[r#"
        error: .s2s/config.yaml:2:13: this is not YAML: unclosed bracket '['
          2 |   strategy: [
            |             ^
          next: mend the settings file there, then run the command again
    "#]],
    );
    check(
        ".s2s/config.yaml",
        "roundtable:\n\tstrategy: debate\n",
        &show,
        expect![[r#"
        error: .s2s/config.yaml:2:2: a tab stands where YAML wants spaces; indent with spaces
          2 |     strategy: debate
            |     ^^^^^^^^
          next: mend the settings file there, then run the command again
    "#]],
    );
    check(
        ".s2s/config.yaml",
        "roundtable: {participants: {specs: [qa-lead, \"qa leed\", 値段]}, strategy: debat}\n",
        &["roundtable", "start", "A question"],
        expect![[r#"
            error: .s2s/config.yaml:1:46: `roundtable.participants.specs`: "qa leed" is not the name of a role
              1 | …: {participants: {specs: [qa-lead, "qa leed", 値段]}, strategy: debat}
                |                                     ^^^^^^^^^
                = allowed: role names such as qa-lead, or project:NAME
            error: .s2s/config.yaml:1:57: `roundtable.participants.specs`: "値段" is not the name of a role
              1 | …: {participants: {specs: [qa-lead, "qa leed", 値段]}, strategy: debat}
                |                                                ^^^^
                = allowed: role names such as qa-lead, or project:NAME
              next: mend the settings file there, then run the command again
        "#]],
    );
}

#[test]
fn a_secret_in_the_settings_is_not_repeated() {
    let folder = Folder::project();
    let key = ["sk-ant-api03-", "q8Zt2VwYb7LkPm4Rx9Jd"].concat();
    folder.write(".s2s/config.yaml", format!("models:\n  default: {key}\n"));
    let run = folder.run(&["config", "show"]).is(2).says(&["config.yaml:2"]);
    assert!(!run.err.contains("q8Zt2VwYb7"), "{}", run.err);
}

#[test]
fn roles_and_strategies() {
    check(
        ".s2s/roles/data.md",
        "---\nname: data\ntitel: Data\n---\nYou.\n",
        &CHECK,
        expect![[r#"
        error: .s2s/roles/data.md:2:1: the key `description` is missing
          2 | name: data
            | ^^^^
        error: .s2s/roles/data.md:3:1: unknown key `titel`; did you mean `title`?
          3 | titel: Data
            | ^^^^^
            = allowed: name, title, description, model, skills, weighs, checklist, blocks, voice
    "#]],
    );
    check(
        ".s2s/strategies/mine.yaml",
        "name: mine\nparticipation: paralel\nphases: []\n",
        &CHECK,
        expect![[r#"
            error: .s2s/strategies/mine.yaml:1:1: the key `summary` is missing
            error: .s2s/strategies/mine.yaml:1:1: the key `policy` is missing
              1 | name: mine
                | ^^^^
            error: .s2s/strategies/mine.yaml:2:16: unknown value `paralel`; did you mean `parallel`?
              2 | participation: paralel
                |                ^^^^^^^
                = allowed: parallel, sequential
            error: .s2s/strategies/mine.yaml:3:9: there must be from 1 to 20 phases
              3 | phases: []
                |         ^
        "#]],
    );
}

#[test]
fn agendas_and_playbooks() {
    check(
        ".s2s/agendas/specs.yaml",
        "workflow: specs\ntopics:\n  - id: 7\n",
        &CHECK,
        expect![[r#"
            error: .s2s/agendas/specs.yaml:1:1: the key `summary` is missing
              1 | workflow: specs
                | ^^^^^^^^
            error: .s2s/agendas/specs.yaml:3:5: the key `name` is missing
            error: .s2s/agendas/specs.yaml:3:5: the key `about` is missing
            error: .s2s/agendas/specs.yaml:3:5: the key `questions` is missing
            error: .s2s/agendas/specs.yaml:3:5: the key `done_when` is missing
              3 |   - id: 7
                |     ^^
            error: .s2s/agendas/specs.yaml:3:9: expected text (put it in quotes if it is meant as text), found the number 7
              3 |   - id: 7
                |         ^
        "#]],
    );
    check(
        ".s2s/playbooks/mine.yaml",
        "name: mine\ncriteria: none\n",
        &CHECK,
        expect![[r#"
            error: .s2s/playbooks/mine.yaml:1:1: the key `options` is missing
            error: .s2s/playbooks/mine.yaml:1:1: the key `signals` is missing
            error: .s2s/playbooks/mine.yaml:1:1: the key `subject` is missing
              1 | name: mine
                | ^^^^
            error: .s2s/playbooks/mine.yaml:2:11: expected a list, found the text "none"
              2 | criteria: none
                |           ^^^^
        "#]],
    );
}

#[test]
fn templates_and_models() {
    check(
        ".s2s/templates/adr.md.j2",
        "# {{ title }\n",
        &CHECK,
        expect![[r#"
            error: .s2s/templates/adr.md.j2:1:12: the template cannot be read: unexpected `}`, expected end of variable block
              1 | # {{ title }
                |            ^
        "#]],
    );
    check(
        ".s2s/models/models.yaml",
        "as_of: yesterday\nprovders: []\n",
        &CHECK,
        expect![[r#"
        error: .s2s/models/models.yaml:1:1: unknown key `as_of`
          1 | as_of: yesterday
            | ^^^^^
            = allowed: models
        error: .s2s/models/models.yaml:1:1: the key `models` is missing
          1 | as_of: yesterday
            | ^^^^^
        error: .s2s/models/models.yaml:2:1: unknown key `provders`
          2 | provders: []
            | ^^^^^^^^
            = allowed: models
    "#]],
    );
}

#[test]
fn a_script_for_the_panel() {
    let start = ["roundtable", "start", "A question", "--panel", "script:bad.yaml", "--strategy", "standard"];
    check(
        "bad.yaml",
        "replies:\n  - {kind: questoin, reply: x}\n",
        &start,
        expect![[r#"
            error: bad.yaml:2:12: `questoin` is not allowed here; allowed: sides, question, response, synthesis, followup, plan, aside
              2 |   - {kind: questoin, reply: x}
                |            ^^^^^^^^
        "#]],
    );
    check(
        "bad.yaml",
        "replies:\n  - {kind: question, reply: x}\n  - {kind: response}\n",
        &start,
        expect![[r#"
        error: bad.yaml:3:5: replies[1] must have either `reply` or `fault`
          3 |   - {kind: response}
            |     ^
    "#]],
    );
}

#[test]
fn lists_of_roles_and_the_doctor_show_the_line_too() {
    let folder = Folder::project();
    folder.write(".s2s/roles/data.md", "---\nname: data\ntitel: Data\n---\nYou.\n");
    folder.run(&["role", "list"]).ok().shows(&["3 | titel: Data", "  | ^^^^^"]);
    folder.run(&["doctor", "--offline"]).is(1).shows(&["3 | titel: Data", "  | ^^^^^"]);
}
