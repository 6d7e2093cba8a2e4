//! A file that is wrong, as the person who has to mend it sees it: place, line, carets, what would be right.

use expect_test::{Expect, expect};

use super::harness::Folder;

const CHECK: [&str; 2] = ["catalog", "check"];

/// Writes the file, runs the command, and compares what is said.
fn check(name: &str, text: &str, args: &[&str], expected: Expect) {
    check_as(2, name, text, args, expected);
}

/// The same for a run that ends with this code.
fn check_as(code: i32, name: &str, text: &str, args: &[&str], expected: Expect) {
    let folder = Folder::project();
    folder.write(name, text);
    let run = folder.run(args).is(code);
    // The folder's name is another one each time.
    let root = format!("{}/", folder.path().display());
    expected.assert_eq(&run.err.replace(&root, ""));
    let value: serde_json::Value =
        serde_json::from_str(&folder.run(&[args, &["--json"]].concat()).is(code).all()).unwrap();
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
            error: .s2s/config.yaml:2:1: a tab stands where YAML wants spaces; indent with spaces
              2 |     strategy: debate
                | ^^^^
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

#[test]
fn a_script_for_the_mock_server() {
    let serve = ["dev", "mock-server", "--script", "mock.yaml"];
    check(
        "mock.yaml",
        "rules:\n  - {cal: 1, act: hang}\n",
        &serve,
        expect![[r#"
        error: mock.yaml:2:6: unknown field `cal`; known: call, calls, format, model, prompt, share, seed, times, act, acts, say
          2 |   - {cal: 1, act: hang}
            |      ^^^
          next: the format is in docs/mock-server.md
    "#]],
    );
    check(
        "mock.yaml",
        "rules:\n  - {call: 1, act: [}\n",
        &serve,
        expect![[r#"
        error: mock.yaml:2:20: mismatched bracket '[' closed by '}'
          2 |   - {call: 1, act: [}
            |                    ^
          next: the format is in docs/mock-server.md
    "#]],
    );
    check(
        "mock.yaml",
        "rules:\n  - act: hang\n  - act: {status: 200}\n    call: 1\n",
        &serve,
        expect![[r#"
        error: mock.yaml:3:5: rule 2: `status` is from 400 to 599
          3 |   - act: {status: 200}
            |     ^^^
          next: the format is in docs/mock-server.md
    "#]],
    );
    check(
        "mock.yaml",
        "rules:\n  - {model: \"値段\", times: many, act: hang}\n",
        &serve,
        expect![[r#"
            error: mock.yaml:2:26: a whole number from 0 up is expected here
              2 |   - {model: "値段", times: many, act: hang}
                |                            ^^^^
              next: the format is in docs/mock-server.md
        "#]],
    );
}

#[test]
fn the_links_of_a_workspace() {
    let start = ["roundtable", "start", "A question", "--panel", "script:calm.yaml", "--strategy", "standard"];
    check(
        ".s2s/workspace.yaml",
        "workspaces: ..\n",
        &start,
        expect![[r#"
            error: .s2s/workspace.yaml:1:1: unknown key `workspaces`; did you mean `workspace`?
              1 | workspaces: ..
                | ^^^^^^^^^^
                = allowed: workspace, components
              next: mend it, or remove it and run `s2s init`
        "#]],
    );
    check(
        ".s2s/workspace.yaml",
        "components: [a, ../b]\n",
        &start,
        expect![[r#"
            error: .s2s/workspace.yaml:1:17: `../b` is no path inside the workspace
              1 | components: [a, ../b]
                |                 ^^^^
              next: mend it, or remove it and run `s2s init`
        "#]],
    );
    check(
        ".s2s/workspace.yaml",
        "# up\nworkspace:   ../other  # there\n",
        &start,
        expect![[r#"
            error: .s2s/workspace.yaml:2:14: this project has the workspace `../other`, which is no folder above this one
              2 | workspace:   ../other  # there
                |              ^^^^^^^^
              next: write the way up, such as `workspace: ../..`
        "#]],
    );
    check(
        ".s2s/workspace.yaml",
        "components:\n\t- a\n",
        &start,
        expect![[r#"
            error: .s2s/workspace.yaml:2:1: a tab stands where YAML wants spaces; indent with spaces
              2 |     - a
                | ^^^^
              next: mend it, or remove it and run `s2s init`
        "#]],
    );
}

#[test]
fn a_plan() {
    let show = ["plan", "show"];
    check(
        ".s2s/plans/PLAN-001.yaml",
        "id: PLAN-001\ntasks:\n  - id: T\n",
        &show,
        expect![[r#"
        error: .s2s/plans/PLAN-001.yaml:3:9: `T` is not an id such as TASK-001
          3 |   - id: T
            |         ^
          next: mend it there; a copy under version control may help
    "#]],
    );
    check(
        ".s2s/plans/PLAN-001.yaml",
        "id: PLAN-001\r\ntasks: [\r\n",
        &show,
        expect![[r#"
        error: .s2s/plans/PLAN-001.yaml:2:8: unclosed bracket '['
          2 | tasks: [
            |        ^
          next: mend it there; a copy under version control may help
    "#]],
    );
}

#[test]
fn the_minutes_of_a_session() {
    let name = ".s2s/sessions/20260101-000000-old.yaml";
    let show = ["show", "20260101-000000-old"];
    check_as(
        1,
        name,
        "id: 20260101-000000-old\ntopic: [\n",
        &show,
        expect![[r#"
        error: .s2s/sessions/20260101-000000-old.yaml:2:8: unclosed bracket '['
          2 | topic: [
            |        ^
          next: nothing was changed; restore the file from a backup or version control
    "#]],
    );
    check_as(
        1,
        name,
        "id: 20260101-000000-old\ntopic: A\nrounds: many\n",
        &show,
        expect![[r#"
        error: .s2s/sessions/20260101-000000-old.yaml:3: `rounds` is not a list
          3 | rounds: many
            | ^^^^^^^^^^^^
          next: nothing was changed; restore the file from a backup or version control
    "#]],
    );
    check_as(
        1,
        name,
        "id: 20260101-000000-old\r\ntopic: \"値段\" x\r\n",
        &show,
        expect![[r#"
        error: .s2s/sessions/20260101-000000-old.yaml:2:13: invalid trailing content after double-quoted scalar
          2 | topic: "値段" x
            |               ^
          next: nothing was changed; restore the file from a backup or version control
    "#]],
    );
    let folder = Folder::project();
    folder.write(name, "id: 20260101-000000-old\ntopic: [\n");
    folder.run(&["session", "validate"]).is(1).shows(&["20260101-000000-old.yaml:2", "2 | topic: [", "  | ^^^^^^^^"]);
}

/// The line of a file with a byte order mark, carriage returns, tabs and wide characters, as it stands there.
#[test]
fn carets_stand_right_in_files_from_everywhere() {
    let show = ["config", "show"];
    let file = ".s2s/config.yaml";
    check(
        file,
        "\u{feff}roundtable:\r\n  stategy: debate\r\n",
        &show,
        expect![[r#"
        error: .s2s/config.yaml:2:3: unknown key `stategy` in `roundtable`; did you mean `strategy`?
          2 |   stategy: debate
            |   ^^^^^^^
            = allowed: strategy, verbose, interactive, live, limits, escalation, consensus, strategies, participants
          next: mend the settings file there, then run the command again
    "#]],
    );
    check(
        file,
        "roundtable: {strategy: debate,\tmax: 1}\n",
        &show,
        expect![[r#"
        error: .s2s/config.yaml:1:32: unknown key `max` in `roundtable`; did you mean `roundtable.limits.max_rounds`?
          1 | roundtable: {strategy: debate,    max: 1}
            |                                   ^^^
            = allowed: strategy, verbose, interactive, live, limits, escalation, consensus, strategies, participants
          next: mend the settings file there, then run the command again
    "#]],
    );
    check(
        file,
        "roundtable: {\"値段が高い\": 1, stategy: debate}\r\n",
        &show,
        expect![[r#"
        error: .s2s/config.yaml:1:14: unknown key `値段が高い` in `roundtable`
          1 | roundtable: {"値段が高い": 1, stategy: debate}
            |              ^^^^^^^^^^^^
            = allowed: strategy, verbose, interactive, live, limits, escalation, consensus, strategies, participants
        error: .s2s/config.yaml:1:26: unknown key `stategy` in `roundtable`; did you mean `strategy`?
          1 | roundtable: {"値段が高い": 1, stategy: debate}
            |                               ^^^^^^^
            = allowed: strategy, verbose, interactive, live, limits, escalation, consensus, strategies, participants
          next: mend the settings file there, then run the command again
    "#]],
    );
    check(
        file,
        "# 👩\u{200d}💻 e\u{301}\nroundtable: {\"e\u{301}👩\u{200d}💻\": 1, stategy: debate}\n",
        &show,
        expect![[r#"
            error: .s2s/config.yaml:2:14: unknown key `é👩‍💻` in `roundtable`
              2 | roundtable: {"é👩‍💻": 1, stategy: debate}
                |              ^^^^^^^
                = allowed: strategy, verbose, interactive, live, limits, escalation, consensus, strategies, participants
            error: .s2s/config.yaml:2:26: unknown key `stategy` in `roundtable`; did you mean `strategy`?
              2 | roundtable: {"é👩‍💻": 1, stategy: debate}
                |                          ^^^^^^^
                = allowed: strategy, verbose, interactive, live, limits, escalation, consensus, strategies, participants
              next: mend the settings file there, then run the command again
        "#]],
    );
}

#[test]
fn bug_the_caret_stood_under_the_key_of_an_unknown_name() {
    let start = ["roundtable", "start", "A question"];
    let file = ".s2s/config.yaml";
    check(
        file,
        "roundtable:\n  strategy: debat # soon\n",
        &start,
        expect![[r#"
        error: .s2s/config.yaml:2:13: there is no strategy `debat` (did you mean `debate`?); known: standard, disney, debate, consensus-driven, six-hats, direct
          2 |   strategy: debat # soon
            |             ^^^^^
    "#]],
    );
    let seats =
        "roundtable:\n  participants:\n    brainstorm:\n      - qa-led\n      - qa-lead\n      - \"devops-enginer\"\n";
    check(
        file,
        seats,
        &start,
        expect![[r#"
        error: .s2s/config.yaml:4:9: there is no role `qa-led` (did you mean `qa-lead`?); known: software-architect, technical-lead, qa-lead, devops-engineer, product-manager, business-analyst, security-champion, ux-researcher, documentation-specialist, human
          4 |       - qa-led
            |         ^^^^^^
        error: .s2s/config.yaml:6:10: there is no role `devops-enginer` (did you mean `devops-engineer`?); known: software-architect, technical-lead, qa-lead, devops-engineer, product-manager, business-analyst, security-champion, ux-researcher, documentation-specialist, human
          6 |       - "devops-enginer"
            |          ^^^^^^^^^^^^^^^
    "#]],
    );
    check(
        file,
        "roundtable: {participants: {brainstorm: [qa-lead, qa-led]}}\n",
        &start,
        expect![[r#"
        error: .s2s/config.yaml:1:51: there is no role `qa-led` (did you mean `qa-lead`?); known: software-architect, technical-lead, qa-lead, devops-engineer, product-manager, business-analyst, security-champion, ux-researcher, documentation-specialist, human
          1 | roundtable: {participants: {brainstorm: [qa-lead, qa-led]}}
            |                                                   ^^^^^^
    "#]],
    );
}
