//! The folder: ids, locks, the current session, and what goes wrong on a disk.

use std::fs;

use s2s_store::{Keeper, Kind, Sessions, StoreError};

use crate::fixture::{ID, files, minutes, project, round, with_rounds};

#[test]
fn a_session_is_made_saved_and_read_again() {
    let (folder, sessions) = project();
    let mut held = sessions.create(minutes(ID)).unwrap();
    let mut next = held.minutes().clone();
    next.push_round(round(1)).unwrap();
    held.save(next.clone()).unwrap();
    assert_eq!(sessions.read(ID).unwrap(), next, "readable while it is held");
    drop(held);
    assert_eq!(sessions.open(ID).unwrap().minutes(), &next);
    let expected =
        ["sessions/ID.yaml", "sessions/ID/.lock", "sessions/ID/tape.jsonl"].map(|name| name.replace("ID", ID).into());
    let mut expected: Vec<std::path::PathBuf> = expected.to_vec();
    expected.sort();
    assert_eq!(files(&folder.path().join(".s2s")), expected, "no temporary file is left");
}

#[test]
fn s6_a_second_driver_is_refused_by_name_and_a_reader_is_not() {
    let (_folder, sessions) = project();
    let held = sessions.create(minutes(ID)).unwrap();
    assert!(sessions.is_held(ID).unwrap());
    let error = sessions.open(ID).unwrap_err();
    assert_eq!(error.kind(), Kind::Busy);
    let words = error.to_string();
    assert!(words.contains(ID) && words.contains(&std::process::id().to_string()), "{words}");
    sessions.read(ID).unwrap();
    drop(held);
    assert!(!sessions.is_held(ID).unwrap());
    sessions.open(ID).unwrap();
    assert!(!sessions.is_held("nobody").unwrap());
}

/// The other process of the test below.
#[test]
#[ignore = "started by s6_another_process_is_refused"]
fn child_that_wants_the_session() {
    let sessions = Sessions::new(std::env::var("S2S_TEST_ROOT").unwrap());
    match sessions.open(ID) {
        Ok(_) => println!("outcome: opened"),
        Err(error) => println!("outcome: {error}"),
    }
}

#[test]
fn s6_another_process_is_refused() {
    let (_folder, sessions) = project();
    let ask = || {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        child.args(["--ignored", "--exact", "folder::child_that_wants_the_session", "--nocapture"]);
        let output = child.env("S2S_TEST_ROOT", sessions.root()).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let held = sessions.create(minutes(ID)).unwrap();
    let said = ask();
    let expected = format!("outcome: session {ID} is being driven by another process (process {})", std::process::id());
    assert!(said.contains(&expected), "{said}");
    drop(held);
    assert!(ask().contains("outcome: opened"));
}

#[test]
fn s1_ids_are_unique_in_the_folder() {
    let (_folder, sessions) = project();
    assert_eq!(sessions.free_id(ID), ID);
    drop(sessions.create(minutes(ID)).unwrap());
    assert!(matches!(sessions.create(minutes(ID)), Err(StoreError::Exists { .. })));
    let second = sessions.free_id(ID);
    assert_eq!(second, format!("{ID}-2"));
    drop(sessions.create(minutes(&second)).unwrap());
    assert_eq!(sessions.free_id(ID), format!("{ID}-3"));
    assert_eq!(sessions.read(ID).unwrap().id(), ID, "the first one is untouched");
}

#[test]
fn an_id_is_found_by_a_unique_start_or_answered_with_the_nearest() {
    let (_folder, sessions) = project();
    for id in ["20260101-000000-cache", "20260101-000001-queue", "20260202-000000-cache-again"] {
        drop(sessions.create(minutes(id)).unwrap());
    }
    assert_eq!(sessions.resolve("20260202").unwrap(), "20260202-000000-cache-again");
    assert_eq!(sessions.resolve("20260101-000000-cache").unwrap(), "20260101-000000-cache");
    let Err(StoreError::Ambiguous { candidates, .. }) = sessions.resolve("20260101") else { panic!("two fit") };
    assert_eq!(candidates.len(), 2);
    let Err(StoreError::Unknown { near, .. }) = sessions.resolve("quue") else { panic!("none fits") };
    assert_eq!(near, ["20260101-000001-queue"]);
    let Err(StoreError::Unknown { near, .. }) = sessions.resolve("cache") else { panic!("none starts so") };
    assert_eq!(near, ["20260202-000000-cache-again", "20260101-000000-cache"]);
    assert!(matches!(sessions.open("20260101-000000-cach"), Err(StoreError::Unknown { .. })));
}

#[test]
fn what_could_leave_the_folder_is_no_id() {
    let (_folder, sessions) = project();
    let long = "x".repeat(200);
    for id in ["", "..", "../x", "a/b", "a\\b", ".hidden", "a\0b", "a b", "a\n", "C:", &long, "x..y"] {
        assert!(matches!(sessions.resolve(id), Err(StoreError::BadId { .. })), "{id:?}");
        assert!(matches!(sessions.open(id), Err(StoreError::BadId { .. })), "{id:?}");
        assert!(matches!(sessions.tape(id), Err(StoreError::BadId { .. })), "{id:?}");
    }
    let words = sessions.resolve("\u{1b}[31m").unwrap_err().to_string();
    assert!(!words.contains('\u{1b}'), "{words:?}");
}

#[test]
fn s5_the_current_session_is_kept_beside_what_others_put_there() {
    let (_folder, sessions) = project();
    assert_eq!(sessions.current().unwrap(), None);
    sessions.set_current(Some(ID)).unwrap();
    assert_eq!(sessions.current().unwrap().as_deref(), Some(ID));
    let path = sessions.root().join("state.yaml");
    fs::write(&path, "plan: next # mine\ncurrent_session: null\nlast: [1, 2]\n").unwrap();
    assert_eq!(sessions.current().unwrap(), None);
    sessions.set_current(Some(ID)).unwrap();
    let state = s2s_yaml::to_value(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(state, serde_json::json!({ "plan": "next", "current_session": ID, "last": [1, 2] }));
    sessions.set_current(None).unwrap();
    assert_eq!(sessions.current().unwrap(), None);
    fs::write(&path, "current_session: a\n  b: c\n").unwrap();
    assert_eq!(sessions.current().unwrap_err().kind(), Kind::Damaged);
    assert!(sessions.set_current(None).is_err(), "a file that is not understood is not overwritten");
}

#[test]
fn a_file_where_a_folder_should_be_is_said() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join(".s2s")).unwrap();
    fs::write(folder.path().join(".s2s/sessions"), "").unwrap();
    let sessions = Sessions::new(folder.path().join(".s2s"));
    for error in [sessions.create(minutes(ID)).unwrap_err(), sessions.list().unwrap_err()] {
        assert_eq!(error.kind(), Kind::Disk);
        let words = error.to_string();
        assert!(words.contains("sessions") && words.contains("file stands where a folder is needed"), "{words}");
    }
}

#[test]
fn a_folder_where_the_minutes_should_be_is_said() {
    let (_folder, sessions) = project();
    fs::create_dir_all(sessions.minutes_path(ID)).unwrap();
    let words = sessions.read(ID).unwrap_err().to_string();
    assert!(words.contains("folder stands where a file is needed"), "{words}");
}

#[test]
fn a_file_of_another_session_is_refused() {
    let (_folder, sessions) = project();
    drop(sessions.create(with_rounds(ID, 1)).unwrap());
    fs::copy(sessions.minutes_path(ID), sessions.minutes_path("other")).unwrap();
    let words = sessions.read("other").unwrap_err().to_string();
    assert!(words.contains("another session") && words.contains(ID), "{words}");
}

#[test]
fn l6_a_save_that_fails_leaves_the_old_minutes() {
    let (folder, sessions) = project();
    let mut held = sessions.create(minutes(ID)).unwrap();
    let before = fs::read(sessions.minutes_path(ID)).unwrap();
    let away = folder.path().join("away");
    fs::rename(sessions.folder(), &away).unwrap();
    let error = held.save(with_rounds(ID, 1)).unwrap_err();
    assert_eq!(error.kind(), Kind::Disk);
    assert!(error.to_string().contains(ID), "{error}");
    assert_eq!(held.minutes().total_rounds(), 0, "what is not on disk did not happen");
    fs::rename(&away, sessions.folder()).unwrap();
    assert_eq!(fs::read(sessions.minutes_path(ID)).unwrap(), before);
    held.save(with_rounds(ID, 1)).unwrap();
}
