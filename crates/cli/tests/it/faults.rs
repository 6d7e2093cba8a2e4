//! Panels that fail, and replies that are hostile: the session stays whole, and so does the terminal.

use super::harness::{CALM, Folder, TOPIC, files_below};

fn scripted(folder: &Folder, script: &str, more: &[&str]) -> super::harness::Run {
    folder.write("script.yaml", script);
    let mut args = vec!["roundtable", "start", TOPIC, "--panel", "script:script.yaml", "--strategy", "standard"];
    args.extend(more);
    folder.run(&args)
}

#[test]
fn l5_all_seats_failing_pauses_with_exit_4_and_a_resume_goes_on() {
    let folder = Folder::project();
    let script = r#"
replies:
  - {kind: question, reply: {action: question, question: "Which way?", participants: all, focus: "Ways"}}
  - {kind: response, fault: timeout}
"#;
    let run = scripted(&folder, script, &[]).is(4);
    run.says(&["no seat answered", "timeout", "s2s roundtable resume"]);
    let minutes = folder.only();
    assert_eq!((&minutes["status"], &minutes["total_rounds"]), (&"paused".into(), &0.into()));
    folder.run(&["roundtable", "resume", "--panel", "script:calm.yaml"]).ok();
    let minutes = folder.only();
    assert_eq!((&minutes["status"], &minutes["total_rounds"]), (&"completed".into(), &3.into()));
}

#[test]
fn l4_facilitator_returning_garbage_every_round_ends_within_its_limits() {
    let folder = Folder::project();
    let script = r#"
replies:
  - {kind: question, fault: garbage}
  - {kind: synthesis, fault: garbage}
  - {kind: response, reply: {position: "Use REST", rationale: ["known"], confidence: 0.7}}
"#;
    let flags = ["--max-rounds", "4", "--on-escalation", "continue"];
    let run = scripted(&folder, script, &flags).ok();
    assert!(!run.out.contains('\u{1b}') && !run.err.contains('\u{1b}'));
    let minutes = folder.only();
    assert_eq!(minutes["total_rounds"], 4);
    assert_eq!(minutes["outcome"]["status"], "proposed");
    for round in minutes["rounds"].as_array().unwrap() {
        assert_eq!(round["degraded"], serde_json::json!(["question", "synthesis"]));
    }
}

#[test]
fn reply_of_50_mb_is_refused_and_its_size_never_reaches_the_disk() {
    let folder = Folder::project();
    let script = r#"
replies:
  - {kind: question, reply: {action: question, question: "Which way?", participants: all, focus: "Ways"}}
  - {kind: response, reply: {position: "Use REST", rationale: ["known"], confidence: 0.7}}
  - {kind: response, seat: technical-lead, fault: garbage, bytes: 52428800}
  - {kind: synthesis, reply: {action: synthesis, synthesis: "All agree.", next_action: conclude, recommendation: "Use REST", output_type: adr}}
"#;
    scripted(&folder, script, &["--on-escalation", "continue"]).ok();
    let minutes = folder.only();
    assert_eq!(minutes["rounds"][0]["no_response"], serde_json::json!(["technical-lead"]));
    let bytes: u64 = files_below(&folder.path()).iter().map(|path| path.metadata().unwrap().len()).sum();
    assert!(bytes < 5 << 20, "{bytes}");
}

#[test]
fn escapes_in_replies_reach_neither_the_terminal_nor_a_document() {
    let folder = Folder::project();
    let hostile = r"\e[2J\e]0;owned\a\u202Eevil\u0000\x9b31m";
    let script = format!(
        r#"
replies:
  - {{kind: question, reply: {{action: question, question: "Which {hostile} way?", participants: all, focus: "{hostile} Ways"}}}}
  - {{kind: response, reply: {{position: "Use {hostile} REST", rationale: ["{hostile} known"], confidence: 0.7, concerns: ["{hostile} cost"], votes: {{C1.1: support}}}}}}
  - {{round: 1, kind: synthesis, reply: {{action: synthesis, synthesis: "{hostile} REST.", consensus: ["Use {hostile} REST"], conflicts: [{{id: "{hostile} x", description: "{hostile} y", positions: {{technical-lead: "{hostile}"}}}}], next_action: continue, next_focus: "{hostile} Costs"}}}}
  - {{kind: synthesis, reply: {{action: synthesis, synthesis: "All {hostile} agree.", resolved: [{{conflict_id: x, resolution: "{hostile}", resolution_type: consensus}}], next_action: conclude, recommendation: "Use {hostile} REST", output_type: adr}}}}
"#
    );
    let hostile_in = |text: &str| text.chars().find(|c| (c.is_control() && *c != '\n') || *c == '\u{202e}');
    let run = scripted(&folder, &script, &["--verbose", "--on-escalation", "continue", "--max-rounds", "5"]).ok();
    assert_eq!((hostile_in(&run.out), hostile_in(&run.err)), (None, None));
    let id = folder.ids().remove(0);
    let shown = folder.run(&["roundtable", "show", &id, "--verbose"]).ok();
    assert_eq!(hostile_in(&shown.out), None);
    for path in files_below(&folder.path()) {
        // The tape keeps replies as they came, escaped as JSON; the script is the test's own.
        if path.ends_with("tape.jsonl") || path.ends_with("script.yaml") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(hostile_in(&text), None, "{}", path.display());
    }
}

#[test]
fn doubts_are_kept_in_the_round_and_shown() {
    let folder = Folder::project();
    let damaged = CALM.to_owned()
        + r#"  - {round: 1, seat: technical-lead, reply: "Here you are:\n\n```json\n{\"position\": \"Use REST\", \"rationale\": [\"known\"], \"confidence\": \"80%\"}\n```"}
  - {round: 2, kind: synthesis, attempt: 1, reply: "synthesis: All"}
"#;
    let run = scripted(&folder, &damaged, &["--verbose"]).ok();
    let doubts_in = |text: &str| {
        text.split("Doubts").skip(1).map(|part| part.chars().take(200).collect::<String>()).collect::<Vec<_>>()
    };
    let shown = doubts_in(&run.out);
    assert!(shown[0].contains("technical-lead: ") && shown[0].contains("confidence"), "{}", run.out);
    assert!(shown[1].contains("facilitator: reply 1 refused: "), "{}", run.out);
    let minutes = folder.only();
    let kept = minutes["rounds"][0]["doubts"].as_array().unwrap();
    let told = |doubt: &serde_json::Value| doubt["seat"] == "technical-lead" && doubt["what"].is_string();
    assert!(!kept.is_empty() && kept.iter().all(told), "{kept:?}");
    let id = minutes["id"].as_str().unwrap();
    let page = folder.run(&["roundtable", "show", id]).ok();
    assert!(doubts_in(&page.out)[0].contains("technical-lead: "), "{}", page.out);
    let events = scripted(&folder, &damaged, &["--json"]).ok();
    let events: Vec<serde_json::Value> = events.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ended = events.iter().find(|event| event["event"] == "call_ended" && event["seat"] == "technical-lead");
    assert!(!ended.unwrap()["doubts"].as_array().unwrap().is_empty(), "{ended:?}");
    let committed = events.iter().find(|event| event["event"] == "round_committed").unwrap();
    assert_eq!(committed["round"]["doubts"], minutes["rounds"][0]["doubts"]);
}
