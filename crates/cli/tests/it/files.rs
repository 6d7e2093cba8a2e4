//! Disks and folders that do not let us: read-only, full, a file where a folder should be.
//! Tests run as root, who may write anywhere, so the read-only ones run the binary as another user.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use super::harness::{Folder, Run, TOPIC, finish, skipped};

const NOBODY: &str = "65534";

/// Runs the binary as a user who owns nothing here.
fn run_as_nobody(folder: &Folder, args: &[&str]) -> Option<Run> {
    let program = folder.path().parent().unwrap().join("s2s");
    fs::copy(env!("CARGO_BIN_EXE_s2s"), &program).unwrap();
    fs::set_permissions(folder.path().parent().unwrap(), fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = Command::new("setpriv");
    command.args(["--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", "--"]).arg(program).args(args);
    folder.settle(&mut command);
    match command.spawn() {
        Ok(child) => Some(finish(child)),
        Err(error) => {
            skipped(&format!("setpriv cannot be run here: {error}"));
            None
        }
    }
}

#[test]
fn folder_read_only() {
    let folder = Folder::bare();
    if let Some(run) = run_as_nobody(&folder, &["init"]) {
        run.is(1).says(&[".s2s cannot be made", "Permission denied"]);
    }
    let folder = Folder::project();
    let start = ["roundtable", "start", TOPIC, "--panel", "offline", "--strategy", "standard"];
    if let Some(run) = run_as_nobody(&folder, &start) {
        run.is(1).says(&["Permission denied", ".s2s/sessions", "permissions"]);
    }
    assert!(folder.ids().is_empty());
}

#[test]
fn file_where_a_folder_should_be() {
    let folder = Folder::bare();
    folder.write(".s2s", "a file");
    folder.run(&["init"]).is(1).says(&[".s2s cannot be made", "in its place"]);
    folder.run(&["roundtable", "start", TOPIC]).is(2).says(&["Not an s2s project"]);

    let folder = Folder::project();
    folder.write(".s2s/sessions", "a file");
    folder.start(&[]).is(1).says(&[".s2s/sessions"]);

    let folder = Folder::project();
    folder.write("docs", "a file");
    folder.start(&["--quiet"]).is(1).says(&["docs"]);
    fs::remove_file(folder.path().join("docs")).unwrap();
    folder.run(&["roundtable", "resume", "--panel", "script:calm.yaml", "--quiet"]).ok();
    assert_eq!(folder.only()["status"], "completed");
}

/// A small disk of its own, taken away at the end.
struct SmallDisk<'a>(&'a Path);

impl<'a> SmallDisk<'a> {
    fn mount(at: &'a Path, size: &str) -> Option<Self> {
        let options = format!("size={size},mode=755");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(at).output();
        match mounted {
            Ok(output) if output.status.success() => Some(Self(at)),
            Ok(output) => {
                skipped(&format!("mount is not permitted here: {}", String::from_utf8_lossy(&output.stderr)));
                None
            }
            Err(error) => {
                skipped(&format!("mount cannot be run here: {error}"));
                None
            }
        }
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0).status();
    }
}

#[test]
fn l6_disk_full_stops_the_run_says_where_and_a_resume_goes_on() {
    let folder = Folder::bare();
    let path = folder.path();
    let Some(_disk) = SmallDisk::mount(&path, "256k") else { return };
    folder.run(&["init"]).ok();
    folder.write("calm.yaml", super::harness::CALM);
    // What is left is enough to begin, and not enough to end.
    let filler = path.join("filler");
    let mut left = Vec::new();
    for pages in (0..60).rev() {
        left = vec![b'x'; pages * 4096];
        if fs::write(&filler, &left).is_ok() {
            break;
        }
    }
    let spare = 9 * 4096;
    fs::write(&filler, &left[..left.len().saturating_sub(spare)]).unwrap();
    let run = folder.start(&["--quiet"]).is(1);
    run.says(&["No space left on device", ".s2s/sessions"]);
    fs::remove_file(&filler).unwrap();
    match folder.ids().as_slice() {
        [] => folder.start(&["--quiet"]).ok(),
        _ => folder.run(&["roundtable", "resume", "--panel", "script:calm.yaml", "--quiet"]).ok(),
    };
    assert_eq!(folder.only()["status"], "completed");
    folder.run(&["session", "verify"]).ok();
}

#[test]
fn output_that_cannot_be_written_is_said() {
    let folder = Folder::project();
    let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else {
        skipped("there is no /dev/full here");
        return;
    };
    let child = folder.command(&["roundtable", "list"]).stdout(full).spawn().unwrap();
    finish(child).is(1).says(&["cannot write to standard output"]);
}
