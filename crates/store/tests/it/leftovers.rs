//! What is put away and what never is: ended sessions, orphans, torn lines, temporary files.

use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

use jiff::{Timestamp, ToSpan};
use s2s_store::{Away, Found, Keeper, Kind, Leftover, LeftoverKind, Minutes, Sessions, Status, StoreError, validate};

use crate::fixture::{ID, files, minutes, now, project, with_rounds};

/// Long after everything in the fixtures.
fn later() -> Timestamp {
    now().checked_add(24.hours() * 40).unwrap()
}

fn ended(id: &str, status: Status) -> Minutes {
    let mut minutes = with_rounds(id, 1);
    match status {
        Status::Archived => minutes.close(now(), "person", Some("not needed")).unwrap(),
        other => minutes.set_status(other, now()),
    }
    minutes
}

fn names(found: &Found) -> Vec<(&'static str, &str)> {
    found.leftovers.iter().map(|it| (it.kind.as_str(), it.name.as_str())).collect()
}

/// Makes a file or folder look as old as a year.
fn age(path: &Path) {
    let then = SystemTime::now() - Duration::from_secs(365 * 86_400);
    File::open(path).unwrap().set_modified(then).unwrap();
}

#[test]
fn a_closed_session_says_when_by_whom_and_why_and_holds_together() {
    let minutes = ended(ID, Status::Archived);
    let closing = minutes.closing().unwrap();
    assert_eq!((closing.by.as_deref(), closing.text.as_deref()), (Some("person"), Some("not needed")));
    assert_eq!(minutes.status(), Status::Archived);
    assert_eq!(validate(&minutes), []);
    let again = crate::fixture::parse(&minutes.to_yaml().unwrap()).unwrap();
    assert_eq!(again, minutes);
    let mut open = again;
    open.set_status(Status::Active, now());
    assert_eq!(open.closing(), None, "it is open again");
    assert_eq!(open.interventions().len(), 1, "and nothing is forgotten");
}

#[test]
fn only_what_ended_before_the_time_is_found_and_an_open_session_never() {
    let (_folder, sessions) = project();
    for (id, status) in
        [("a", Status::Active), ("b", Status::Paused), ("c", Status::Completed), ("d", Status::Archived)]
    {
        drop(sessions.create(ended(id, status)).unwrap());
    }
    assert_eq!(names(&sessions.leftovers(now(), &[]).unwrap()), []);
    let found = sessions.leftovers(later(), &[]).unwrap();
    assert_eq!(names(&found), [("session", "c"), ("session", "d")]);
    assert_eq!(found.spared, []);
    let c = &found.leftovers[0];
    assert_eq!(c.paths, [sessions.minutes_path("c"), sessions.folder().join("c")]);
    assert_eq!(c.bytes, fs::metadata(sessions.minutes_path("c")).unwrap().len() + lock_bytes(&sessions, "c"));
    // The fixture's last round is a minute after the rest.
    assert!(c.since.unwrap() > now());
}

fn lock_bytes(sessions: &Sessions, id: &str) -> u64 {
    fs::metadata(sessions.folder().join(id).join(".lock")).unwrap().len()
}

#[test]
fn what_is_put_away_lies_in_the_trash_and_can_be_taken_back() {
    let (folder, sessions) = project();
    drop(sessions.create(ended(ID, Status::Completed)).unwrap());
    fs::write(sessions.folder().join(format!("{ID}-summary.md")), "summary").unwrap();
    fs::write(sessions.folder().join(format!("{ID}-summary-2.md")), "another").unwrap();
    fs::write(sessions.folder().join(format!("{ID}-summary-mine.md")), "a person's").unwrap();
    let before = sessions.read(ID).unwrap();
    let found = sessions.leftovers(later(), &[]).unwrap();
    let trash = sessions.new_trash(later()).unwrap();
    sessions.put_away(&found.leftovers[0], &trash).unwrap();
    assert_eq!(sessions.list().unwrap().len(), 0);
    let Away::Trash(batch) = &trash else { panic!("a folder") };
    assert!(batch.ends_with("trash/20260413-030607"), "{batch:?}");
    let kept: Vec<String> = files(batch).iter().map(|path| path.display().to_string().replace(ID, "ID")).collect();
    let expected = ["ID-summary-2.md", "ID-summary.md", "ID.yaml", "ID/.lock", "ID/tape.jsonl"];
    let mut expected = expected.map(|name| format!("sessions/{name}")).to_vec();
    expected.sort();
    let mut kept = kept;
    kept.sort();
    assert_eq!(kept, expected);
    assert_eq!(files(&sessions.folder()).len(), 1, "what a person wrote stays");
    assert!(fs::read_to_string(folder.path().join(".s2s/trash/.gitignore")).unwrap().contains("\n*\n"));
    // Back again.
    for path in fs::read_dir(batch.join("sessions")).unwrap() {
        let path = path.unwrap().path();
        fs::rename(&path, sessions.folder().join(path.file_name().unwrap())).unwrap();
    }
    assert_eq!(sessions.open(ID).unwrap().minutes(), &before);
    // A second batch of the same second has its own folder.
    let Away::Trash(second) = sessions.new_trash(later()).unwrap() else { panic!("a folder") };
    assert!(second.ends_with("trash/20260413-030607-2"), "{second:?}");
}

#[test]
fn s6_a_session_in_use_or_open_again_is_left_where_it_is() {
    let (_folder, sessions) = project();
    drop(sessions.create(ended(ID, Status::Archived)).unwrap());
    let found = sessions.leftovers(later(), &[]).unwrap();
    let old = &found.leftovers[0];
    let mut held = sessions.open(ID).unwrap();
    assert_eq!(names(&sessions.leftovers(later(), &[]).unwrap()), [], "held");
    for away in [Away::Gone, sessions.new_trash(now()).unwrap()] {
        assert!(matches!(sessions.put_away(old, &away), Err(StoreError::Locked { pid: Some(_), .. })));
    }
    let mut open = held.minutes().clone();
    open.set_status(Status::Active, now());
    held.save(open).unwrap();
    drop(held);
    let error = sessions.put_away(old, &Away::Gone).unwrap_err();
    assert_eq!(error.kind(), Kind::Busy);
    assert!(error.to_string().contains("is active now"), "{error}");
    assert!(sessions.open(ID).is_ok(), "nothing is gone");
    assert_eq!(sessions.holder(ID).unwrap(), None);
}

#[test]
fn damaged_minutes_are_spared_and_said() {
    let (_folder, sessions) = project();
    drop(sessions.create(ended(ID, Status::Completed)).unwrap());
    let path = sessions.minutes_path(ID);
    fs::write(&path, fs::read_to_string(&path).unwrap().replace("point 1", "point 2")).unwrap();
    fs::write(sessions.minutes_path("a b"), "x").unwrap();
    let found = sessions.leftovers(later(), &[]).unwrap();
    assert_eq!(names(&found), []);
    let said: Vec<&str> = found.spared.iter().map(|spared| spared.name.as_str()).collect();
    assert_eq!(said, [ID, "a b"]);
    assert!(found.spared[0].why.contains("cannot be read"), "{:?}", found.spared);
}

#[test]
fn orphans_torn_lines_and_temporary_files_are_found_once_they_are_old() {
    let (folder, sessions) = project();
    drop(sessions.create(ended("done", Status::Completed)).unwrap());
    drop(sessions.create(ended("open", Status::Paused)).unwrap());
    let docs = folder.path().join("docs");
    let orphan = sessions.folder().join("orphan");
    for dir in [&docs, &orphan, &sessions.folder().join("just-made")] {
        fs::create_dir_all(dir).unwrap();
    }
    let root = sessions.root().to_owned();
    let old = [
        orphan.join("tape.jsonl"),
        sessions.folder().join("done/tape.torn-1"),
        sessions.folder().join("open/tape.torn-1"),
        sessions.folder().join("open/.s2s-dead"),
        root.join(".s2s-dead"),
        root.join(".s2s-documents.lock"),
        docs.join(".s2s-half"),
        root.join(".s2s-plans.lock"),
    ];
    for path in &old {
        fs::write(path, "half").unwrap();
        age(path);
    }
    fs::write(sessions.folder().join(".s2s-fresh"), "in use").unwrap();
    // However slow the machine is, these are new.
    for name in [".s2s-fresh", "just-made"] {
        let later = std::time::SystemTime::now() + std::time::Duration::from_secs(600);
        fs::File::open(sessions.folder().join(name)).unwrap().set_modified(later).unwrap();
    }
    age(&orphan);
    // Nothing of the sessions is old enough, so only the rest is found.
    let found = sessions.leftovers(now(), std::slice::from_ref(&docs)).unwrap();
    assert_eq!(
        names(&found),
        [
            ("orphan", "orphan"),
            ("torn", "done"),
            ("temporary", ".s2s-dead"),
            ("temporary", ".s2s-dead"),
            ("temporary", ".s2s-half"),
        ]
    );
    let trash = sessions.new_trash(now()).unwrap();
    for leftover in &found.leftovers {
        sessions.put_away(leftover, &trash).unwrap();
    }
    let gone = [0, 1, 3, 4, 6].map(|at| &old[at]);
    assert!(gone.iter().all(|path| !path.exists()), "{gone:?}");
    assert!([2, 5, 7].iter().all(|at: &usize| old[*at].exists()));
    let Away::Trash(batch) = &trash else { panic!("a folder") };
    assert!(batch.join("sessions/orphan/tape.jsonl").exists() && batch.join("elsewhere/.s2s-half").exists());
    assert!(sessions.open("done").is_ok() && sessions.open("open").is_ok());
}

#[test]
fn what_a_kill_left_of_a_session_that_never_was_is_found_at_once() {
    let (_folder, sessions) = project();
    drop(sessions.create(ended("done", Status::Completed)).unwrap());
    let half = sessions.folder().join("half");
    let with_words = sessions.folder().join("with-words");
    for (folder, tape) in [(&half, ""), (&with_words, "{}")] {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join(".lock"), "1").unwrap();
        fs::write(folder.join("tape.jsonl"), tape).unwrap();
    }
    let temp = sessions.folder().join(".s2s-half");
    fs::write(&temp, "id: ha").unwrap();
    let lately = std::time::SystemTime::now() - std::time::Duration::from_secs(5);
    for path in [&half, &with_words, &temp] {
        fs::File::open(path).unwrap().set_modified(lately).unwrap();
    }
    // Of what is a month old there is nothing; what has words may belong to minutes on another branch.
    let month = now() - jiff::SignedDuration::from_hours(30 * 24);
    let found = sessions.leftovers(month, &[]).unwrap();
    assert_eq!(names(&found), [("orphan", "half"), ("temporary", ".s2s-half")]);
    assert_eq!(sessions.half_made().unwrap(), found.leftovers);
    let lock = fs::File::open(half.join(".lock")).unwrap();
    lock.lock().unwrap();
    assert_eq!(sessions.half_made().unwrap(), [], "somebody is making it");
    drop(lock);
    for leftover in &found.leftovers {
        sessions.put_away(leftover, &Away::Gone).unwrap();
    }
    assert!(!half.exists() && !temp.exists() && with_words.exists());
}

#[test]
fn bug_a_lock_of_ours_was_taken_for_a_file_half_written() {
    let (_folder, sessions) = project();
    fs::create_dir_all(sessions.folder()).unwrap();
    let root = sessions.root();
    let locks =
        [root.join(".s2s-plans.lock"), root.join(".s2s-documents.lock"), sessions.folder().join(".numbers.lock")];
    for lock in &locks {
        fs::write(lock, "").unwrap();
        age(lock);
    }
    assert_eq!(sessions.half_made().unwrap(), []);
    assert_eq!(sessions.leftovers(now(), &[]).unwrap().leftovers, []);
}

#[test]
fn a_purge_deletes_also_what_was_put_away_long_ago() {
    let (_folder, sessions) = project();
    drop(sessions.create(ended(ID, Status::Completed)).unwrap());
    let Away::Trash(batch) = sessions.new_trash(now()).unwrap() else { panic!("a folder") };
    fs::write(batch.join("x"), "12345").unwrap();
    age(&batch);
    let found = sessions.leftovers(later(), &[]).unwrap();
    assert_eq!(names(&found), [("session", ID), ("trash", "20260304-030607")]);
    assert_eq!(found.leftovers[1].bytes, 5);
    for leftover in &found.leftovers {
        sessions.put_away(leftover, &Away::Gone).unwrap();
    }
    assert!(!batch.exists() && !sessions.minutes_path(ID).exists() && !sessions.folder().join(ID).exists());
    // Twice is no error.
    sessions.put_away(&found.leftovers[1], &Away::Gone).unwrap();
}

#[test]
fn a_legacy_session_leaves_no_folder_behind() {
    let (_folder, sessions) = project();
    fs::create_dir_all(sessions.folder()).unwrap();
    let text = "id: old\ntopic: t\nworkflow_type: brainstorm\nstrategy: standard\nstatus: completed\n\
                started: 2025-01-11T10:00:00Z\ncompleted_at: 2025-01-11T10:10:00Z\nparticipants:\n  - id: qa-lead\n\
                current_phase: discussion\ntotal_rounds: 0\nrounds: []\n";
    fs::write(sessions.minutes_path("old"), text).unwrap();
    let found = sessions.leftovers(now(), &[]).unwrap();
    assert_eq!(names(&found), [("session", "old")]);
    sessions.put_away(&found.leftovers[0], &sessions.new_trash(now()).unwrap()).unwrap();
    assert!(fs::read_dir(sessions.folder()).unwrap().next().is_none());
}

#[cfg(unix)]
#[test]
fn links_are_moved_or_deleted_and_never_followed() {
    use std::os::unix::fs::symlink;
    let (folder, sessions) = project();
    drop(sessions.create(ended(ID, Status::Completed)).unwrap());
    let precious = folder.path().join("precious");
    fs::create_dir(&precious).unwrap();
    fs::write(precious.join("file"), "precious").unwrap();
    symlink(&precious, sessions.folder().join(ID).join("link")).unwrap();
    symlink(&precious, sessions.folder().join("orphan-link")).unwrap();
    let found = sessions.leftovers(later(), &[]).unwrap();
    assert_eq!(names(&found), [("session", ID)], "a link is no orphan");
    sessions.put_away(&found.leftovers[0], &Away::Gone).unwrap();
    assert_eq!(fs::read_to_string(precious.join("file")).unwrap(), "precious");
    // A trash that leads out of the project is not used.
    symlink(&precious, sessions.root().join("trash")).unwrap();
    assert_eq!(sessions.new_trash(now()).unwrap_err().kind(), Kind::Disk);
    assert_eq!(fs::read_dir(&precious).unwrap().count(), 1);
}

#[test]
fn a_leftover_of_minutes_that_came_back_is_no_orphan() {
    let (_folder, sessions) = project();
    let orphan = sessions.folder().join(ID);
    fs::create_dir_all(&orphan).unwrap();
    let leftover = Leftover {
        kind: LeftoverKind::Orphan,
        name: ID.to_owned(),
        topic: String::new(),
        status: None,
        since: None,
        paths: vec![orphan.clone()],
        bytes: 0,
    };
    // As after `git checkout` of the branch that has them.
    fs::write(sessions.minutes_path(ID), minutes(ID).to_yaml().unwrap()).unwrap();
    assert!(matches!(sessions.put_away(&leftover, &Away::Gone), Err(StoreError::Reopened { .. })));
    assert!(orphan.exists());
}
