//! A project that the user may not touch: tried as a user who really may not.
//! Root may do everything, so as root the test runs itself again as another user. Deliberately absent:
//! what needs no other user; that is tested beside the code.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Command;

use s2s::config::read_file;
use s2s::project::{init, open_attachment, read_context};

/// Set in the second run: the folder that the first one prepared.
const DENIED: &str = "S2S_TEST_DENIED";
const NAME: &str = "project::what_may_not_be_touched_is_named_with_cause_and_way_out";

#[test]
fn what_may_not_be_touched_is_named_with_cause_and_way_out() {
    if let Some(home) = std::env::var_os(DENIED) {
        return check_denied(Path::new(&home));
    }
    let home = tempfile::tempdir().unwrap();
    let is_root = fs::metadata(home.path()).unwrap().uid() == 0;
    let (folder, file) = if is_root { (0o755, 0o600) } else { (0o555, 0o000) };
    let set = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    fs::create_dir(home.path().join("sealed")).unwrap();
    for name in ["CONTEXT.md", "config.yaml"] {
        fs::write(home.path().join(name), "text: 1\n").unwrap();
        set(&home.path().join(name), file);
    }
    set(&home.path().join("sealed"), folder);
    if is_root {
        set(home.path(), 0o755);
        as_nobody(home.path());
    } else {
        check_denied(home.path());
    }
    set(&home.path().join("sealed"), 0o755);
}

/// The test binary may lie where another user cannot read it, so a copy is run.
fn as_nobody(home: &Path) {
    let copy = home.join("it");
    fs::copy(std::env::current_exe().unwrap(), &copy).unwrap();
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o755)).unwrap();
    let run = Command::new("setpriv")
        .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
        .arg(&copy)
        .args(["--exact", NAME])
        .env(DENIED, home)
        .current_dir("/")
        .output()
        .expect("as root this test needs setpriv (util-linux)");
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success() && said.contains("1 passed"), "{said}{}", String::from_utf8_lossy(&run.stderr));
}

fn check_denied(home: &Path) {
    let report = init(&home.join("sealed"));
    assert!(report.created.is_empty() && report.problems.len() == 1, "{report:?}");
    let cases = [
        (report.problems[0].to_string(), "sealed/.s2s cannot be made: ", "as a user who may write here"),
        (
            read_context(home).unwrap_err().to_string(),
            "CONTEXT.md cannot be used: it cannot be read: ",
            "your right to read",
        ),
        (
            open_attachment(&home.join("CONTEXT.md")).unwrap_err().to_string(),
            "CONTEXT.md cannot be attached: ",
            "your right to read",
        ),
        (
            read_file(&home.join("config.yaml")).unwrap_err().to_string(),
            "config.yaml: cannot be read: ",
            "a file that you may read",
        ),
    ];
    for (said, what, advice) in cases {
        assert!(said.contains(what) && said.contains("Permission denied") && said.contains(advice), "{said}");
    }
}
