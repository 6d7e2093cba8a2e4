//! S5 and S6: which session is open, who holds it, and session files that do not fit.

use std::fs;

use super::harness::{Folder, SLOW, TOPIC};

#[test]
fn s5_a_second_start_is_refused_unattended_and_names_both_ways_out() {
    let (folder, id) = Folder::waiting();
    folder.start(&[]).is(2).says(&["already", &id, "s2s roundtable resume", "--new"]);
    assert_eq!(folder.ids(), [id]);
}

#[test]
fn s5_new_and_yes_archive_the_open_session_and_start() {
    for flag in ["--new", "--yes"] {
        let (folder, id) = Folder::waiting();
        folder.start(&[flag, "--quiet"]).ok().says(&["Archived", &id]);
        assert_eq!(folder.minutes(&id)["status"], "archived");
        assert_eq!(folder.ids().len(), 2);
    }
}

#[test]
fn bug_yes_closed_a_paused_session_of_another_workflow_without_a_word_about_it() {
    let (folder, id) = Folder::waiting();
    folder.run(&["specs", "--panel", "offline", "--yes", "--quiet"]).ok().says(&[
        "Archived, because --yes starts anew",
        &format!("the paused brainstorm session {id} \"{TOPIC}\", 1 round"),
        "Nothing of it is lost",
        &format!("s2s roundtable resume {id} --panel script:FILE"),
    ]);
}

#[test]
fn s5_an_archived_session_can_be_taken_up_again() {
    let (folder, id) = Folder::waiting();
    folder.start(&["--new", "--quiet"]).ok();
    let resumed = ["roundtable", "resume", &id, "--panel", "script:unsure.yaml", "--on-escalation", "accept"];
    folder.run(&resumed).ok().shows(&["active again"]);
    assert_eq!(folder.minutes(&id)["status"], "completed");
}

#[test]
fn s5_a_refused_request_archives_nothing() {
    let (folder, id) = Folder::waiting();
    folder.start(&["--new", "--participants", "qa-lead,nobody-here"]).is(2);
    assert_eq!(folder.minutes(&id)["status"], "paused");
}

#[test]
fn s5_a_session_in_use_is_never_archived_and_s6_never_driven_twice() {
    let folder = Folder::project();
    folder.write("slow.yaml", SLOW);
    let args = ["roundtable", "start", TOPIC, "--panel", "script:slow.yaml", "--strategy", "standard", "--json"];
    let mut first = folder.watch(&args);
    let id = first.until("session_started", "")["session"].as_str().unwrap().to_owned();
    first.until("call_started", "r1.response");
    let pid = first.child.id().to_string();
    folder.start(&[]).is(1).says(&[&id, &format!("driven by process {pid}"), "wait until it ends", "--new"]);
    folder.start(&["--new", "--quiet"]).ok().says(&[&id, &pid, "left to it", "beside it"]);
    for command in ["resume", "answer"] {
        let run = folder.run(&["roundtable", command, &id, "--panel", "script:slow.yaml", "--yes"]);
        let code = if command == "resume" { 1 } else { 2 };
        let run = run.is(code).says(&[&id]);
        assert!(command == "answer" || run.err.contains(&pid), "{}", run.err);
    }
    assert_eq!(folder.minutes(&id)["status"], "active");
    first.signal("INT");
    assert_eq!(first.finish().code, 130);
}

#[test]
fn s5_completion_clears_the_current_session_and_a_pause_keeps_it() {
    let (folder, id) = Folder::waiting();
    assert!(folder.read(".s2s/state.yaml").contains(&id));
    folder.run(&["roundtable", "answer", "--accept", "--panel", "script:unsure.yaml"]).ok();
    assert!(folder.read(".s2s/state.yaml").contains("current_session: null"));
    folder.run(&["roundtable", "resume", &id]).is(2).says(&["complete", "s2s show"]);
}

#[test]
fn s5_a_current_session_whose_file_is_gone_is_forgotten_aloud() {
    let folder = Folder::project();
    folder.write(".s2s/state.yaml", "current_session: 20250101-000000-gone\n");
    folder.start(&["--quiet"]).ok().says(&["20250101-000000-gone is gone"]);
}

#[test]
fn s5_a_current_session_that_cannot_be_read_is_left_as_it_is() {
    let (folder, id) = Folder::waiting();
    let name = format!(".s2s/sessions/{id}.yaml");
    folder.write(&name, "damaged");
    folder.start(&[]).is(1).says(&[&id, "--new"]);
    folder.start(&["--new", "--quiet"]).ok().says(&["left as it is", &id]);
    assert_eq!(folder.read(&name), "damaged");
}

#[test]
fn an_id_may_be_shortened_to_a_unique_start() {
    let (folder, id) = Folder::waiting();
    folder.run(&["roundtable", "show", &id[..8]]).ok().shows(&[&id]);
    folder.run(&["roundtable", "show", "9999"]).is(2).says(&["no session `9999`"]);
    folder.run(&["roundtable", "show", "../x"]).is(2).says(&["not a session id"]);
    folder.start(&["--new", "--quiet"]).ok();
    folder.run(&["roundtable", "show", &id[..2]]).is(2).says(&["could be any of", &id]);
}

/// A damaged session file is refused with these words by every command that needs it, and stays as it is.
#[track_caller]
fn check_damaged(damage: impl Fn(&str) -> String, parts: &[&str]) {
    let (folder, id) = Folder::waiting();
    let name = format!(".s2s/sessions/{id}.yaml");
    let damaged = damage(&folder.read(&name));
    folder.write(&name, &damaged);
    for args in [
        &["roundtable", "resume", "--panel", "script:unsure.yaml"][..],
        &["roundtable", "show"],
        &["session", "validate"],
        &["session", "verify"],
    ] {
        folder.run(args).is(1).says(&[&id]).says(parts);
    }
    assert_eq!(folder.read(&name), damaged);
    folder.run(&["roundtable", "list"]).ok();
}

#[test]
fn session_file_cut() {
    check_damaged(|text| text[..text.len() / 2].to_owned(), &["estore the file"]);
}

#[test]
fn s3_session_file_edited() {
    check_damaged(|text| text.replacen("REST, perhaps.", "GraphQL, surely.", 1), &["round 1", "digest"]);
}

#[test]
fn session_file_from_a_newer_version() {
    check_damaged(|text| text.replacen("schema_version: 1", "schema_version: 99", 1), &["newer s2s"]);
}

#[test]
fn session_file_of_another_topic() {
    check_damaged(|text| text.replacen(TOPIC, "Something else", 1), &["digest"]);
    let (folder, id) = Folder::waiting();
    let text = folder.read(&format!(".s2s/sessions/{id}.yaml"));
    folder.write(".s2s/sessions/20250101-000000-other.yaml", text);
    folder.run(&["roundtable", "show", "20250101-000000-other"]).is(1).says(&["holds another session"]);
}

#[test]
fn a_torn_tape_is_set_aside_and_said() {
    let (folder, id) = Folder::waiting();
    let tape = folder.path().join(format!(".s2s/sessions/{id}/tape.jsonl"));
    let mut bytes = fs::read(&tape).unwrap();
    bytes.extend_from_slice(b"{\"seq\":99,\"at\":\"2026");
    fs::write(&tape, bytes).unwrap();
    let run = folder.run(&["roundtable", "answer", "--accept", "--panel", "script:unsure.yaml"]);
    run.ok().shows(&["of the tape was unfinished", "tape.torn-1"]);
}

#[test]
fn a_tape_damaged_in_the_middle_is_refused_with_its_line() {
    let (folder, id) = Folder::waiting();
    let name = format!(".s2s/sessions/{id}/tape.jsonl");
    let text = folder.read(&name).replacen("Use REST", "Use SOAP", 1);
    folder.write(&name, text);
    folder.run(&["roundtable", "resume", "--panel", "script:unsure.yaml"]).is(1).says(&["tape.jsonl:"]);
}

#[test]
fn a_scripted_session_asks_for_its_script_again() {
    let (folder, id) = Folder::waiting();
    folder.run(&["roundtable", "resume"]).is(2).says(&["scripted panel", "--panel script:FILE", &id]);
    folder.run(&["roundtable", "resume", "--panel", "offline"]).is(2).says(&["keeps it"]);
}

#[test]
fn a_session_of_the_plugin_is_listed_shown_and_resumed() {
    let folder = Folder::project();
    let id = "20250111-100000-rest-or-not";
    folder.write(
        &format!(".s2s/sessions/{id}.yaml"),
        format!(
            "id: \"{id}\"\ntopic: \"REST or not\"\nworkflow_type: \"brainstorm\"\nstrategy: \"standard\"\n\
             status: \"paused\"\nstarted: \"2025-01-11T10:00:00Z\"\npaused_at: \"2025-01-11T10:10:00Z\"\n\
             completed_at: null\nparticipants:\n  - id: \"product-manager\"\n    name: \"Product Manager\"\n  \
             - id: \"technical-lead\"\n    name: \"Technical Lead\"\ncurrent_phase: \"discussion\"\n\
             total_rounds: 1\nrounds:\n  - number: 1\n    phase: \"discussion\"\n    timestamp: \"2025-01-11T10:05:00Z\"\n    \
             question: \"Why?\"\n    synthesis: \"Because.\"\n    consensus: []\n    conflicts: []\n    resolved: []\n\
             escalations: []\noutcome: null\n"
        ),
    );
    folder.run(&["roundtable", "list"]).ok().shows(&[id]);
    folder.run(&["roundtable", "show", id]).ok().shows(&["Because."]);
    folder.run(&["report", id, "-o", "-"]).ok().shows(&["Because.", "How the panel answered is not recorded."]);
    folder.run(&["session", "validate", id]).ok().shows(&["written by the plugin"]);
    let run = folder.run(&["roundtable", "resume", id, "--panel", "script:calm.yaml", "--on-escalation", "continue"]);
    run.ok().shows(&["written by the plugin"]);
    let minutes = folder.minutes(id);
    assert_eq!((&minutes["status"], &minutes["rounds"][0]["synthesis"]), (&"completed".into(), &"Because.".into()));
}

#[test]
fn a_resume_without_an_id_leaves_what_was_archived_alone_and_says_so() {
    let (folder, id) = Folder::waiting();
    folder.start(&["--new", "--quiet"]).ok();
    folder.run(&["roundtable", "resume"]).is(2).says(&["no session can go on", &format!("s2s roundtable resume {id}")]);
    assert_eq!(folder.minutes(&id)["status"], "archived");
}
