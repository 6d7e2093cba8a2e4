//! Sessions hold what people said in confidence: only their owner may read them.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use s2s_store::{Keeper, Kind, Sessions};

use crate::fixture::{ID, asked, minutes, project, with_rounds};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn folders_are_0700_and_files_0600() {
    let (_folder, sessions) = project();
    let mut held = sessions.create(minutes(ID)).unwrap();
    held.append(vec![asked("r1.question.facilitator.1")], true).unwrap();
    held.save(with_rounds(ID, 1)).unwrap();
    sessions.set_current(Some(ID)).unwrap();
    let own = sessions.folder().join(ID);
    for folder in [sessions.folder(), own.clone()] {
        assert_eq!(mode(&folder), 0o700, "{}", folder.display());
    }
    for file in
        [sessions.minutes_path(ID), sessions.tape_path(ID), own.join(".lock"), sessions.root().join("state.yaml")]
    {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
}

/// The part of the test below that runs as somebody who may not write.
#[test]
#[ignore = "started by a_read_only_folder_is_said"]
fn child_of_a_read_only_folder_is_said() {
    let root = std::env::var("S2S_TEST_READ_ONLY").unwrap();
    let error = Sessions::new(root).create(minutes(ID)).unwrap_err();
    assert_eq!(error.kind(), Kind::Disk);
    let words = error.to_string();
    assert!(words.contains("sessions") && words.contains("permissions"), "{words}");
    println!("said: {words}");
}

#[test]
fn a_read_only_folder_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join(".s2s");
    fs::create_dir(&root).unwrap();
    for path in [folder.path(), &root] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o555)).unwrap();
    }
    // Root may write anywhere, so the child must be somebody else; others are already.
    let is_root = fs::metadata("/proc/self").is_ok_and(|meta| std::os::unix::fs::MetadataExt::uid(&meta) == 0);
    let program = std::env::current_exe().unwrap();
    let copy = folder.path().join("child");
    let mut child = if is_root {
        // The test binary may lie where only root can look.
        fs::copy(&program, &copy).unwrap();
        fs::set_permissions(&copy, fs::Permissions::from_mode(0o755)).unwrap();
        let mut child = Command::new(&copy);
        std::os::unix::process::CommandExt::uid(&mut child, 65534);
        child
    } else {
        Command::new(program)
    };
    child.args(["--ignored", "--exact", "modes::child_of_a_read_only_folder_is_said", "--nocapture"]);
    let output = child.current_dir("/").env("S2S_TEST_READ_ONLY", &root).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("said: cannot make the folder"), "{said}");
    for path in [folder.path(), &root] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
}
