//! Looking after sessions: status, close and cleanup, and what they must never do.

use std::fs;
use std::time::{Duration, SystemTime};

use super::harness::{Folder, SLOW, TOPIC, files_below};
use super::terminal::{ENTER, Person};

/// A project with a completed session and the document that names it; gives its id.
fn completed() -> (Folder, String) {
    let folder = Folder::project();
    folder.start(&["--quiet"]).ok();
    let id = folder.ids().remove(0);
    (folder, id)
}

/// The documents of the project, away.
fn without_documents(folder: &Folder) {
    fs::remove_dir_all(folder.path().join("docs")).unwrap();
}

#[test]
fn status_says_what_waits_and_the_command_that_goes_on() {
    let (folder, id) = Folder::waiting();
    let next = format!("s2s roundtable answer {id} --panel script:FILE --accept");
    folder.run(&["session", "status"]).ok().shows(&[
        &id,
        "paused",
        "the current one",
        "Waits for you",
        "Take REST",
        &next,
    ]);
    let value = folder.run(&["session", "status", &id[..8], "--json"]).ok().json();
    assert_eq!((value["session"].as_str(), value["status"].as_str()), (Some(id.as_str()), Some("paused")));
    assert_eq!(
        (value["rounds"].clone(), value["running"].clone(), value["phase"].clone()),
        (1.into(), false.into(), "discussion".into())
    );
    assert_eq!(value["pending"]["recommendation"], "Take REST");
    assert!(value["next"].as_str().unwrap().starts_with(&next), "{value}");
    let (folder, id) = completed();
    folder.run(&["session", "status"]).ok().shows(&["No session is the current one", "s2s roundtable start"]);
    folder.run(&["session", "status", &id]).ok().shows(&["completed", "Documents", "s2s session show"]);
    folder.write(".s2s/state.yaml", "current_session: 20250101-000000-gone\n");
    folder.run(&["session", "status"]).ok().shows(&["20250101-000000-gone is gone"]);
    let none = folder.run(&["session", "status", "--json"]).ok().json();
    assert_eq!((none["session"].clone(), none["open_sessions"].clone()), (serde_json::Value::Null, 0.into()));
    folder.run(&["session", "status", "nobody"]).is(2);
    Folder::bare().run(&["session", "status"]).is(2).says(&["Not an s2s project"]);
}

#[test]
fn list_and_show_are_those_of_the_roundtable() {
    let (folder, id) = completed();
    for (ours, theirs) in [("list", "list"), ("show", "show")] {
        let run = folder.run(&["session", ours]).ok();
        assert_eq!(run.out, folder.run(&["roundtable", theirs]).ok().out);
        assert!(run.out.contains(&id));
    }
}

#[test]
fn close_archives_with_the_reason_and_nothing_is_lost() {
    let (folder, id) = Folder::waiting();
    let rounds = folder.minutes(&id)["rounds"].clone();
    let tape = folder.read(&format!(".s2s/sessions/{id}/tape.jsonl"));
    let run = folder.run(&["session", "close", "--reason", "We bought\n a \u{1b}[31mproduct"]).ok();
    run.shows(&["Closed", &id, "1 round is kept", "s2s roundtable resume"]);
    let minutes = folder.minutes(&id);
    assert_eq!((minutes["status"].clone(), minutes["rounds"].clone()), ("archived".into(), rounds));
    let done = minutes["interventions"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((done["kind"].clone(), done["text"].clone()), ("close".into(), "We bought a product".into()));
    assert_eq!(folder.read(&format!(".s2s/sessions/{id}/tape.jsonl")), tape);
    assert!(folder.read(".s2s/state.yaml").contains("current_session: null"));
    for check in ["validate", "verify", "replay"] {
        folder.run(&["session", check, &id]).ok().shows(&["Everything holds"]);
    }
    folder.run(&["session", "replay", &id]).ok().shows(&["byte for byte"]);
    folder.run(&["session", "status", &id]).ok().shows(&["archived", "We bought a product", "s2s roundtable resume"]);
    folder.run(&["session", "show", &id]).ok().shows(&["closed by"]);
    // Twice is said and changes nothing.
    let before = folder.read(&format!(".s2s/sessions/{id}.yaml"));
    folder.run(&["session", "close", &id, "--reason", "again"]).ok().says(&["closed already"]);
    assert_eq!(folder.read(&format!(".s2s/sessions/{id}.yaml")), before);
    folder.run(&["session", "close"]).is(2).says(&["no session can go on"]);
    // And back.
    folder.run(&["roundtable", "resume", &id, "--panel", "script:unsure.yaml", "--on-escalation", "accept"]).ok();
    assert_eq!(folder.minutes(&id)["status"], "completed");
    folder.run(&["session", "close", &id]).is(2).says(&["is complete"]);
    folder.run(&["session", "replay", &id]).ok();
}

#[test]
fn close_refuses_bad_reasons_and_damaged_sessions() {
    let (folder, id) = Folder::waiting();
    folder.run(&["session", "close", "--reason", " \u{200b} "]).is(2).says(&["--reason is empty"]);
    folder.run(&["session", "close", "--reason", &"x".repeat(501)]).is(2).says(&["at most 500"]);
    assert_eq!(folder.minutes(&id)["status"], "paused");
    folder.write(&format!(".s2s/sessions/{id}.yaml"), "damaged");
    folder.run(&["session", "close", &id]).is(1).says(&[&id]);
    assert_eq!(folder.read(&format!(".s2s/sessions/{id}.yaml")), "damaged");
}

#[test]
fn s6_a_running_session_is_neither_closed_nor_cleaned_up() {
    let folder = Folder::project();
    folder.write("slow.yaml", SLOW);
    let args = ["roundtable", "start", TOPIC, "--panel", "script:slow.yaml", "--strategy", "standard", "--json"];
    let mut run = folder.watch(&args);
    let id = run.until("session_started", "")["session"].as_str().unwrap().to_owned();
    run.until("call_started", "r1.response");
    let pid = run.child.id().to_string();
    folder.run(&["session", "close"]).is(1).says(&[&id, "driven by another process", &pid]);
    folder.run(&["session", "status"]).ok().shows(&["running, in process", &pid]);
    assert_eq!(folder.run(&["session", "status", "--json"]).ok().json()["pid"].to_string(), pid);
    folder
        .run(&["session", "cleanup", "--older-than", "0d", "--yes", "--include-named"])
        .ok()
        .shows(&["Nothing is left over"]);
    run.signal("INT");
    assert_eq!(run.finish().code, 130);
    assert!(folder.path().join(format!(".s2s/sessions/{id}.yaml")).exists());
}

#[test]
fn bug_a_session_that_was_archived_while_nobody_answered_did_not_ask_again() {
    let folder = Folder::project();
    let mute = "replies:\n  - {kind: question, reply: {action: question, question: \"Which way?\", participants: all, \
                focus: Ways}}\n  - {kind: response, fault: error}\n";
    folder.write("mute.yaml", mute);
    folder.run(&["roundtable", "start", TOPIC, "--panel", "script:mute.yaml", "--strategy", "standard"]).is(4);
    let id = folder.ids().remove(0);
    folder.run(&["session", "close"]).ok();
    folder.run(&["roundtable", "resume", &id, "--panel", "script:calm.yaml"]).ok().shows(&["active again"]);
    assert_eq!(folder.minutes(&id)["status"], "completed");
}

#[test]
fn cleanup_shows_and_does_nothing_until_somebody_says_so() {
    let (folder, id) = completed();
    without_documents(&folder);
    folder.run(&["session", "cleanup"]).ok().shows(&["Nothing is left over that is old enough"]);
    let before = files_below(&folder.path());
    let now = ["session", "cleanup", "--older-than", "0d"];
    folder
        .run(&now)
        .is(2)
        .shows(&[&id, "Ended sessions (1", "would be moved"])
        .says(&["nobody could be asked", "--yes"]);
    folder.run(&[&now[..], &["--dry-run"]].concat()).ok().shows(&[&id, "Nothing was changed"]);
    let plan = folder.run(&[&now[..], &["--dry-run", "--json"]].concat()).ok().json();
    assert_eq!((plan["found"][0]["name"].as_str(), plan["put_away"].clone()), (Some(id.as_str()), 0.into()));
    assert!(plan["found"][0]["bytes"].as_u64().unwrap() > 1_000);
    assert_eq!(files_below(&folder.path()), before);
    folder.run(&["session", "cleanup", "--older-than", "soon"]).is(2).says(&["is not an age", "30d"]);
    let done = folder.run(&[&now[..], &["--yes"]].concat()).ok();
    let done = done.shows(&["Put away: 1 thing,", ".s2s/trash/", "To take a session back"]);
    assert!(folder.ids().is_empty(), "{}", done.out);
    // As it says: back again, whole.
    let trash =
        fs::read_dir(folder.path().join(".s2s/trash")).unwrap().flatten().find(|it| it.path().is_dir()).unwrap();
    for entry in fs::read_dir(trash.path().join("sessions")).unwrap().flatten() {
        fs::rename(entry.path(), folder.path().join(".s2s/sessions").join(entry.file_name())).unwrap();
    }
    folder.run(&["session", "replay", &id]).ok().shows(&["byte for byte"]);
}

#[test]
fn a_session_that_a_document_names_is_kept_until_it_is_asked_for() {
    let (folder, id) = completed();
    let now = ["session", "cleanup", "--older-than", "0d", "--yes"];
    folder.run(&now).ok().shows(&["Kept all the same (1)", &id, "named by docs/decisions/"]);
    assert_eq!(folder.ids(), [id.as_str()]);
    let kept = folder.run(&[&now[..], &["--json"]].concat()).ok().json();
    assert_eq!((kept["kept"][0]["name"].as_str(), kept["found"].as_array().unwrap().len()), (Some(id.as_str()), 0));
    folder.run(&[&now[..], &["--include-named"]].concat()).ok().shows(&["Put away: 1 thing,"]);
    assert!(folder.ids().is_empty());
    assert_eq!(files_below(&folder.path().join("docs")).len(), 1, "the document stays");
}

#[test]
fn open_and_damaged_sessions_are_never_put_away() {
    let (folder, id) = Folder::waiting();
    folder.write(".s2s/sessions/20250101-000000-damaged.yaml", "id: 20250101-000000-damaged\nstatus: completed\n");
    let all = ["session", "cleanup", "--older-than", "0d", "--yes", "--include-named", "--purge"];
    folder.run(&all).ok().shows(&["Nothing is left over", "20250101-000000-damaged", "cannot be read"]);
    assert_eq!(folder.minutes(&id)["status"], "paused");
    folder.run(&["session", "close"]).ok();
    folder.run(&all).ok().shows(&["Deleted: 1 thing,"]);
    assert!(!folder.path().join(format!(".s2s/sessions/{id}.yaml")).exists());
    assert!(!folder.path().join(".s2s/trash").exists());
    assert!(folder.path().join(".s2s/sessions/20250101-000000-damaged.yaml").exists());
}

#[test]
fn what_killed_processes_left_is_put_away() {
    let (folder, id) = completed();
    let old = [
        format!(".s2s/sessions/{id}/tape.torn-1"),
        ".s2s/sessions/orphan/tape.jsonl".to_owned(),
        "docs/decisions/.s2s-half".to_owned(),
    ];
    for name in &old {
        folder.write(name, "half");
        let then = SystemTime::now() - Duration::from_secs(400 * 86_400);
        fs::File::open(folder.path().join(name)).unwrap().set_modified(then).unwrap();
    }
    let orphan = fs::File::open(folder.path().join(".s2s/sessions/orphan")).unwrap();
    orphan.set_modified(SystemTime::now() - Duration::from_secs(400 * 86_400)).unwrap();
    let run = folder.run(&["session", "cleanup", "--yes"]).ok();
    run.shows(&[
        "Session folders without minutes",
        "Unfinished lines of tapes",
        "Temporary files",
        "Put away: 3 things",
    ]);
    assert!(old.iter().all(|name| !folder.path().join(name).exists()));
    folder.run(&["session", "replay", &id]).ok();
}

#[test]
fn a_person_is_asked_before_anything_is_put_away() {
    let (folder, id) = completed();
    without_documents(&folder);
    let Some(mut person) = Person::at(&folder, &["session", "cleanup", "--older-than", "0d"]) else { return };
    person.answers("Move this to .s2s/trash?", &format!("n{ENTER}"));
    let (code, rest) = person.leaves();
    assert_eq!(code, 0, "{rest}");
    assert_eq!(folder.ids(), [id.as_str()]);
    let Some(mut person) = Person::at(&folder, &["session", "cleanup", "--older-than", "0d"]) else { return };
    person.answers("Move this to .s2s/trash?", &format!("y{ENTER}"));
    assert_eq!(person.leaves().0, 0);
    assert!(folder.ids().is_empty());
}

#[test]
fn bug_what_a_kill_left_of_a_new_session_stayed_for_a_month() {
    let folder = Folder::project();
    let names = [".s2s/sessions/20260101-000000-half/.lock", ".s2s/sessions/.s2s-half"];
    names.iter().for_each(|name| folder.write(name, "1"));
    let lately = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
    for name in [".s2s/sessions/20260101-000000-half", names[1]] {
        std::fs::File::open(folder.path().join(name)).unwrap().set_modified(lately).unwrap();
    }
    let said = ["20260101-000000-half", "without minutes", ".s2s-half", "half written", "s2s session cleanup"];
    folder.run(&["session", "validate"]).ok().shows(&said);
    folder.run(&["session", "cleanup"]).is(2).shows(&["20260101-000000-half", ".s2s-half"]);
    folder.run(&["session", "cleanup", "--yes"]).ok().shows(&["Put away: 2 things"]);
    assert!(names.iter().all(|name| !folder.path().join(name).exists()));
    folder.run(&["session", "validate"]).ok();
}
