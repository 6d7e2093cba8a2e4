//! The binary from outside: how long a person waits for `--version`, for a list of 1,000 sessions, and
//! for a whole offline roundtable with every write synced. Run with `cargo bench -p s2s-cli`.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark")]

use std::path::Path;
use std::process::{Command, Stdio};

fn main() {
    divan::main();
}

fn s2s(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_s2s"));
    let status = command.args(arguments).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(status.unwrap().success(), "s2s {}", arguments.join(" "));
}

fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir_in(".").unwrap();
    s2s(folder.path(), &["init", "--yes"]);
    folder
}

fn start(folder: &Path) {
    s2s(folder, &["roundtable", "start", "REST vs GraphQL for our public API", "--yes", "--quiet"]);
}

/// A project with this many copies of one real session.
fn with_sessions(count: usize) -> tempfile::TempDir {
    let folder = project();
    start(folder.path());
    let sessions = folder.path().join(".s2s/sessions");
    let minutes = std::fs::read_dir(&sessions).unwrap().map(|entry| entry.unwrap().path());
    let first = minutes.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "yaml")).unwrap();
    let id = first.file_stem().unwrap().to_str().unwrap().to_owned();
    let text = std::fs::read_to_string(&first).unwrap();
    for number in 1..count {
        let other = format!("20250101-{number:06}-copy");
        std::fs::write(sessions.join(format!("{other}.yaml")), text.replace(&id, &other)).unwrap();
    }
    folder
}

#[divan::bench(sample_count = 200)]
fn version(bencher: divan::Bencher<'_, '_>) {
    bencher.bench(|| s2s(Path::new("."), &["--version"]));
}

#[divan::bench(sample_count = 50)]
fn list_of_1000_sessions(bencher: divan::Bencher<'_, '_>) {
    let folder = with_sessions(1_000);
    bencher.bench(|| s2s(folder.path(), &["roundtable", "list"]));
}

#[divan::bench(sample_count = 20)]
fn offline_roundtable(bencher: divan::Bencher<'_, '_>) {
    bencher.with_inputs(project).bench_refs(|folder| start(folder.path()));
}
