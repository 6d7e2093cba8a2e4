//! The other commands: home, init, list, show, session, catalog, config, help, colour.

use super::harness::{Folder, TOPIC};

#[test]
fn s2s_alone_says_where_we_are_and_what_is_next() {
    let folder = Folder::bare();
    folder.run(&[]).ok().shows(&["not an s2s project", "s2s init"]);
    folder.run(&["init"]).ok();
    folder.run(&[]).ok().shows(&[", in this folder", "s2s roundtable start"]);
    folder.write("unsure.yaml", super::harness::UNSURE);
    folder.run(&["roundtable", "start", TOPIC, "--panel", "script:unsure.yaml", "--strategy", "standard"]).is(3);
    let id = folder.ids().remove(0);
    folder.run(&[]).ok().shows(&[&format!("s2s roundtable answer {id}"), "paused, 1 round)"]);
    assert_eq!(folder.run(&["--json"]).ok().json()["current_session"], id.as_str());
}

#[test]
fn init_makes_completes_and_never_overwrites() {
    let folder = Folder::bare();
    folder.run(&["init"]).ok().shows(&["made  .s2s/config.yaml", "s2s roundtable start"]);
    folder.write(".s2s/CONTEXT.md", "mine");
    std::fs::remove_file(folder.path().join(".s2s/config.yaml")).unwrap();
    folder.run(&["init", "--yes"]).ok().shows(&["made  .s2s/config.yaml", "kept  .s2s/CONTEXT.md"]);
    assert_eq!(folder.read(".s2s/CONTEXT.md"), "mine");
    let again = folder.run(&["init", "--json"]).ok().json();
    assert_eq!(again["created"], serde_json::json!([]));
}

#[test]
fn init_inside_a_project_needs_a_yes() {
    let folder = Folder::project();
    std::fs::create_dir(folder.path().join("part")).unwrap();
    let run = |args: &[&str]| {
        super::harness::finish(folder.command(args).current_dir(folder.path().join("part")).spawn().unwrap())
    };
    run(&["init"]).is(2).says(&["inside the project", "--yes"]);
    assert!(!folder.path().join("part/.s2s").exists());
    run(&["init", "--yes"]).ok();
    assert!(folder.path().join("part/.s2s").exists());
}

#[test]
fn lists_and_shows_without_sessions() {
    let folder = Folder::project();
    folder.run(&["roundtable", "list"]).ok().shows(&["s2s roundtable start"]);
    folder.run(&["roundtable", "show"]).is(2).says(&["no session yet"]);
    folder.run(&["roundtable", "resume"]).is(2).says(&["no session can go on"]);
    Folder::bare().run(&["roundtable", "list"]).is(2).says(&["Not an s2s project"]);
}

#[test]
fn a_session_is_checked_three_ways_and_json_says_so() {
    let folder = Folder::project();
    folder.start(&["--quiet"]).ok();
    for check in ["validate", "verify", "replay"] {
        folder.run(&["session", check]).ok().shows(&["Everything holds."]);
        let report = folder.run(&["session", check, "--json"]).ok().json();
        assert_eq!(report["sound"], true, "{report}");
    }
    let replayed = folder.run(&["session", "replay", "--json"]).ok().json();
    assert_eq!(replayed["report"]["identical"], true);
}

#[test]
fn verify_finds_a_prompt_that_was_not_asked_so() {
    let folder = Folder::project();
    folder.start(&["--quiet"]).ok();
    let id = folder.ids().remove(0);
    let name = format!(".s2s/sessions/{id}/tape.jsonl");
    let lines: Vec<String> = folder.read(&name).lines().map(str::to_owned).collect();
    // Without the last answer the tape no longer leads to the minutes.
    folder.write(&name, lines[..lines.len() - 2].join("\n") + "\n");
    folder.run(&["session", "replay"]).is(1).says(&["does not hold"]);
}

#[test]
fn catalog_is_checked_listed_and_shown() {
    let folder = Folder::project();
    folder.run(&["catalog", "check"]).ok().shows(&["debate: ends within 20 rounds", "model calls", "No problems."]);
    folder.run(&["catalog", "list"]).ok().shows(&["strategy", "six-hats", "qa-lead", "built-in"]);
    folder.run(&["catalog", "show", "role", "qa-lead"]).ok().shows(&["name: qa-lead"]).says(&["built-in"]);
    folder.run(&["catalog", "show", "role", "qa-led"]).is(2).says(&["did you mean `qa-lead`"]);
    folder.run(&["catalog", "show", "rolls", "x"]).is(2).says(&["no kind `rolls`"]);
    folder.write(".s2s/strategies/debate.yaml", "name: debate\nphases: lots\n");
    folder.run(&["catalog", "check"]).is(2).says(&[".s2s/strategies/debate.yaml:2:"]);
    folder.run(&["catalog", "list"]).ok().shows(&["over the built-in one"]);
    Folder::bare().run(&["catalog", "list"]).ok().shows(&["six-hats"]);
}

#[test]
fn config_show_works_inside_and_outside_of_a_project() {
    for folder in [Folder::bare(), Folder::project()] {
        folder.run(&["config", "show"]).ok().shows(&["strategy: standard", "built-in"]);
    }
}

#[test]
fn every_command_has_short_help_with_an_example() {
    let folder = Folder::bare();
    for command in [
        &["init"][..],
        &["roundtable", "start"],
        &["roundtable", "resume"],
        &["roundtable", "list"],
        &["roundtable", "show"],
        &["roundtable", "answer"],
        &["session", "validate"],
        &["session", "verify"],
        &["session", "replay"],
        &["catalog", "check"],
        &["catalog", "list"],
        &["catalog", "show"],
        &["config", "show"],
    ] {
        let mut args = command.to_vec();
        args.push("-h");
        let run = folder.run(&args).ok().shows(&["Example:", &format!("s2s {}", command.join(" "))]);
        assert!(run.out.lines().all(|line| line.chars().count() <= 100), "{}", run.out);
    }
    folder.run(&["--version"]).ok().shows(&["s2s 0."]);
    folder.run(&["roundtable"]).is(2);
}

#[test]
fn colour_only_when_asked_for_in_a_pipe() {
    let folder = Folder::project();
    let plain = folder.start(&["--new"]).ok();
    assert!(!plain.out.contains('\u{1b}'));
    let colored = folder.start(&["--new", "--color", "always"]).ok();
    assert!(colored.out.contains('\u{1b}'));
    let never = folder.start(&["--new", "--color", "never", "--strategy", "standard"]);
    assert_eq!(never.code, 2, "a flag given twice is an error");
    let forced = folder.command(&["roundtable", "list"]).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1").spawn();
    assert!(!super::harness::finish(forced.unwrap()).ok().out.contains('\u{1b}'));
}
