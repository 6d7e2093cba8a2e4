//! E8 and E9: what happens when a person must decide, without a terminal.

use serde_json::Value;

use super::harness::{Folder, Run, TOPIC};

fn start(folder: &Folder, more: &[&str]) -> Run {
    let mut args = vec!["roundtable", "start", TOPIC, "--panel", "script:unsure.yaml", "--strategy", "standard"];
    args.extend(more);
    folder.run(&args)
}

fn ruling(folder: &Folder) -> Value {
    folder.only()["escalations"][0]["ruling"].clone()
}

#[test]
fn e9_without_a_terminal_the_session_pauses_and_says_how_to_answer() {
    let folder = Folder::project();
    let run = start(&folder, &[]).is(3);
    let id = folder.ids().remove(0);
    let answer = format!("s2s roundtable answer {id} --panel script:unsure.yaml --accept");
    let run = run.says(&["paused:", "X1", &answer, "--decide", "--continue"]);
    run.shows(&["technical-lead", "Hard to say", "Take REST"]);
    let minutes = folder.only();
    assert_eq!(minutes["status"], "paused");
    assert_eq!(minutes["escalations"][0]["ruling"], Value::Null);
}

#[test]
fn e9_the_flag_decides_and_yes_means_accept_unless_it_is_given() {
    for (flags, choice) in [
        (&["--on-escalation", "accept"][..], "accept"),
        (&["--on-escalation", "continue"], "continue"),
        (&["--yes"], "accept"),
        (&["--yes", "--on-escalation", "continue"], "continue"),
    ] {
        let folder = Folder::project();
        start(&folder, flags).ok();
        let ruling = ruling(&folder);
        assert_eq!((&ruling["choice"], &ruling["by"]), (&choice.into(), &"policy".into()), "{flags:?}");
    }
    let folder = Folder::project();
    start(&folder, &["--yes", "--on-escalation", "pause"]).is(3);
}

#[test]
fn e9_settings_and_environment_name_the_policy_too() {
    let folder = Folder::project();
    folder.write(".s2s/config.yaml", "roundtable:\n  escalation:\n    on_escalation: continue\n");
    start(&folder, &["--quiet"]).ok();
    let ruled = ruling(&folder);
    assert_eq!(ruled["choice"], "continue");
    start(&folder, &["--quiet", "--on-escalation", "pause"]).is(3);
}

/// A waiting session, answered with these flags, ends with this ruling by a person.
#[track_caller]
fn check_answer(flags: &[&str], choice: &str, text: Value, rounds: Value) {
    let folder = Folder::project();
    start(&folder, &["--quiet"]).is(3);
    let mut args = vec!["roundtable", "answer", "--panel", "script:unsure.yaml"];
    args.extend(flags);
    folder.run(&args).ok();
    let ruling = ruling(&folder);
    assert_eq!(
        (&ruling["choice"], &ruling["text"], &ruling["rounds"], &ruling["by"]),
        (&choice.into(), &text, &rounds, &"person".into())
    );
    assert_eq!(folder.only()["status"], "completed");
}

#[test]
fn e8_accept_takes_the_recommendation() {
    check_answer(&["--accept"], "accept", "Take REST".into(), Value::Null);
}

#[test]
fn e8_an_own_decision_is_kept_in_its_words() {
    check_answer(&["--decide", "REST, with \u{1b}[1mversions"], "decide", "REST, with versions".into(), Value::Null);
}

#[test]
fn e8_going_on_may_name_the_rounds() {
    check_answer(&["--continue", "2"], "continue", Value::Null, 2.into());
    check_answer(&["--continue"], "continue", Value::Null, Value::Null);
}

#[test]
fn e8_what_is_not_offered_or_says_nothing_is_refused() {
    let folder = Folder::project();
    start(&folder, &["--quiet"]).is(3);
    for (flags, part) in [
        (&["--keep-context"][..], "not offered"),
        (&["--decide", "  "], "in words"),
        (&["--continue", "0"], "0"),
        (&["--continue", "many"], "many"),
        (&["--accept", "--continue"], "cannot be used with"),
        (&[], "no answer is given"),
    ] {
        let mut args = vec!["roundtable", "answer", "--panel", "script:unsure.yaml"];
        args.extend(flags);
        folder.run(&args).is(2).says(&[part]);
    }
    assert_eq!(ruling(&folder), Value::Null);
}

#[test]
fn e10_nothing_waits_is_said() {
    let folder = Folder::project();
    folder.start(&["--quiet"]).ok();
    let id = folder.ids().remove(0);
    folder.run(&["roundtable", "answer", &id, "--accept"]).is(2).says(&["nothing waits", "s2s show"]);
}

/// A seat that challenges the context: the choices are others (E5), and only a person changes anything.
pub const CHALLENGED: &str = r#"
replies:
  - {kind: question, reply: {action: question, question: "Which way?", participants: all, focus: "Ways"}}
  - {kind: response, reply: {position: "Use REST", rationale: ["known"], confidence: 0.7}}
  - {round: 1, seat: technical-lead, reply: {position: "Use REST", rationale: ["known"], confidence: 0.7, context_challenge: "There are five teams, not one"}}
  - {round: 2, kind: response, reply: {position: "Use REST", rationale: ["known"], confidence: 0.7, votes: {C1.1: support}}}
  - {round: 1, kind: synthesis, reply: {action: synthesis, synthesis: "REST.", consensus: ["Use REST"], next_action: continue}}
  - {kind: synthesis, reply: {action: synthesis, synthesis: "All agree.", next_action: conclude, recommendation: "Use REST", output_type: adr}}
"#;

#[test]
fn e5_accepting_a_challenge_changes_the_session_and_not_the_file() {
    let folder = Folder::project();
    folder.write("challenged.yaml", CHALLENGED);
    let before = folder.read(".s2s/CONTEXT.md");
    let panel = ["--panel", "script:challenged.yaml"];
    folder.run(&["roundtable", "start", TOPIC, "--strategy", "standard", panel[0], panel[1]]).is(3).says(&[
        "--accept-context",
        "--keep-context",
        "--discuss",
    ]);
    let run = folder.run(&["roundtable", "answer", "--accept-context", panel[0], panel[1]]).ok();
    run.says(&["CONTEXT.md stays as it is"]);
    let minutes = folder.only();
    let change = &minutes["context"]["changes"][0];
    assert!(change["text"].as_str().unwrap().contains("five teams"), "{change}");
    assert_eq!(change["by"], "person");
    assert_eq!(folder.read(".s2s/CONTEXT.md"), before);
}
