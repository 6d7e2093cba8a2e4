//! The log: only when asked for, where it was asked for, and without a word of a prompt.

use std::os::unix::fs::PermissionsExt;

use super::harness::{Folder, TOPIC, finish};
use super::mocked::{KEY, Mock};

#[test]
fn a_log_file_is_private_appended_to_and_holds_no_prompt_and_no_key() {
    let folder = Folder::project();
    let mock = Mock::start(&folder, "rules:\n- {call: 2, act: {status: 503}}\n");
    let flags = ["--log-file", "run.log", "--log", "trace"];
    let run = finish(mock.session(&folder, &flags).spawn().unwrap()).ok();
    assert!(!run.err.contains("round begins"), "{}", run.err);
    let log = folder.read("run.log");
    let failed: Vec<&str> = log.lines().filter(|line| line.contains("try failed")).collect();
    let [failed] = failed.as_slice() else { panic!("{log}") };
    for part in [" WARN  ", "error.type=overloaded", "try=1", "call=r1.", "round=1", "session=2", "again_in_ms="] {
        assert!(failed.contains(part), "{part} is not in {failed}");
    }
    assert_eq!(log.lines().filter(|line| line.contains(" INFO  call answered")).count(), 15, "{log}");
    assert!(log.lines().last().unwrap().contains("session ended end=completed rounds=3"), "{log}");
    assert!(log.lines().all(|line| line.starts_with("20") && line.contains("Z ")), "{log}");
    for secret in [KEY, TOPIC, "gen_ai"] {
        assert!(!log.contains(secret), "{secret} is in {log}");
    }
    let mode = folder.path().join("run.log").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    finish(mock.session(&folder, &["--log-file", "run.log"]).spawn().unwrap()).ok();
    let longer = folder.read("run.log");
    assert!(longer.starts_with(&log) && longer.len() > log.len());
    assert!(!longer[log.len()..].contains("DEBUG"), "a file without a level has info and above");
}

#[test]
fn a_log_goes_to_standard_error_by_flag_or_variable_and_is_silent_by_default() {
    let folder = Folder::project();
    let run = folder.start(&["--quiet"]).ok();
    assert_eq!(run.err, "");
    let run = folder.start(&["--quiet", "--log", "info"]).ok().says(&["round begins phase=", "session ended"]);
    assert!(!run.err.contains("DEBUG") && !run.err.contains('\u{1b}'), "{}", run.err);
    let args = ["roundtable", "start", TOPIC, "--panel", "script:calm.yaml", "--strategy", "standard", "--quiet"];
    let with = |filter: &str| finish(folder.command(&args).env("S2S_LOG", filter).spawn().unwrap());
    with("s2s=debug").ok().says(&["DEBUG call begins"]);
    assert_eq!(with("warn").ok().err, "");
    assert_eq!(with("").ok().err, "", "an empty variable is none");
}

#[test]
fn a_log_that_cannot_be_is_said_before_anything_begins() {
    let folder = Folder::project();
    let mut command = folder.command(&["roundtable", "list"]);
    let run = finish(command.env("S2S_LOG", "s2s=loud").spawn().unwrap()).is(2);
    run.says(&["S2S_LOG \"s2s=loud\" is not a filter", "next: name a level"]);
    folder.run(&["roundtable", "list", "--log-file", "no/such/folder/run.log"]).is(2).says(&["--log-file"]);
    folder.run(&["roundtable", "list", "--log", "loud"]).is(2).says(&["--log"]);
}
