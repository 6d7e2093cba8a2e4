//! What stands in the way of a document on Unix: links, modes, full disks.

use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::Command;

use super::*;

#[test]
fn links_that_leave_the_project_are_refused() {
    let (project, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let shelf = shelf(project.path());
    fs::create_dir(project.path().join("docs")).unwrap();
    symlink(outside.path(), project.path().join("docs/decisions")).unwrap();
    let failure = split().write(&shelf).unwrap_err();
    assert!(failure.what.starts_with("docs/decisions is a link that leads out of the project"), "{failure}");
    let target = outside.path().join("theirs.md");
    fs::write(&target, "theirs").unwrap();
    fs::create_dir(project.path().join("docs/specifications")).unwrap();
    symlink(&target, project.path().join("docs/specifications/requirements.md")).unwrap();
    let failure = split().of_type(OutputType::Requirements).write(&shelf).unwrap_err();
    assert_eq!(failure.what, "docs/specifications/requirements.md is not a plain file");
    assert_eq!(fs::read_to_string(&target).unwrap(), "theirs");
    assert_eq!(files(outside.path()), ["theirs.md"]);
}

#[test]
fn a_read_only_file_is_not_replaced_and_a_mode_is_kept() {
    let project = tempfile::tempdir().unwrap();
    let shelf = shelf(project.path());
    let folder = project.path().join("docs/specifications");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("requirements.md");
    fs::write(&path, "old\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let record = split().of_type(OutputType::Requirements);
    let failure = record.write(&shelf).unwrap_err();
    assert!(failure.what.starts_with("cannot write docs/specifications/requirements.md: "), "{failure}");
    assert!(failure.next.unwrap().contains("s2s roundtable resume"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "old\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    record.write(&shelf).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(files(&folder), ["requirements.md"]);
}

/// The part of the tests below that runs as somebody who may not write, or not much.
#[test]
#[ignore = "started by the tests below"]
fn child_that_writes() {
    let root = std::env::var("S2S_TEST_ROOT").unwrap();
    let shelf = Shelf::new(Path::new(&root), &Config::default(), templates()).unwrap();
    let failure = split().of_type(OutputType::Requirements).write(&shelf).unwrap_err();
    println!("said: {} | {}", failure.what, failure.next.unwrap());
}

fn said_by_child(mut child: Command, root: &Path) -> String {
    child.args(["--ignored", "--exact", "documents::on_unix::child_that_writes", "--nocapture"]);
    let output = child.current_dir("/").env("S2S_TEST_ROOT", root).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    said
}

#[test]
fn a_folder_that_cannot_be_written_is_said() {
    let project = tempfile::tempdir().unwrap();
    shelf(project.path());
    fs::create_dir_all(project.path().join("docs/specifications")).unwrap();
    fs::write(project.path().join(".s2s/.s2s-documents.lock"), "").unwrap();
    // Root may write anywhere, so the child must be somebody else; others are already.
    let is_root = fs::metadata("/proc/self").is_ok_and(|meta| meta.uid() == 0);
    let program = std::env::current_exe().unwrap();
    let copy = project.path().join("child");
    fs::copy(&program, &copy).unwrap();
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o755)).unwrap();
    let lock = project.path().join(".s2s/.s2s-documents.lock");
    fs::set_permissions(&lock, fs::Permissions::from_mode(0o666)).unwrap();
    for folder in [".", "docs", "docs/specifications", ".s2s"] {
        fs::set_permissions(project.path().join(folder), fs::Permissions::from_mode(0o555)).unwrap();
    }
    let mut child = Command::new(if is_root { &copy } else { &program });
    if is_root {
        std::os::unix::process::CommandExt::uid(&mut child, 65534);
    }
    let said = said_by_child(child, project.path());
    for folder in [".", "docs", "docs/specifications", ".s2s"] {
        fs::set_permissions(project.path().join(folder), fs::Permissions::from_mode(0o755)).unwrap();
    }
    assert!(said.contains("said: cannot write docs/specifications/requirements.md: Permission denied"), "{said}");
    assert!(said.contains("| make it writable for you, then run `s2s roundtable resume`"), "{said}");
}

#[test]
fn a_write_that_breaks_off_leaves_the_old_file() {
    let project = tempfile::tempdir().unwrap();
    shelf(project.path());
    let folder = project.path().join("docs/specifications");
    fs::create_dir_all(&folder).unwrap();
    let old = "old words\n".repeat(400);
    fs::write(folder.join("requirements.md"), &old).unwrap();
    let mut child = Command::new("sh");
    // No file may grow beyond one block: as a disk that is full, without one.
    child.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""]).arg(std::env::current_exe().unwrap());
    let said = said_by_child(child, project.path());
    assert!(said.contains("said: cannot write docs/specifications/requirements.md: "), "{said}");
    assert!(said.contains("the discussion is kept and nothing is asked again"), "{said}");
    assert_eq!(fs::read_to_string(folder.join("requirements.md")).unwrap(), old);
    assert_eq!(files(&folder), ["requirements.md"]);
}
