//! A large project, 1,000 artifacts over 200 sessions on disk: how long the register, a trace, the index and a
//! validation take. Run with `cargo bench -p s2s --bench register`; with `KEEP=folder` the project is left there, for
//! the command line to be measured on. Figures are in docs/performance.md.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a benchmark")]

#[path = "../tests/it/made.rs"]
mod made;

use std::path::PathBuf;
use std::sync::OnceLock;

use s2s::register::{Index, Links, ProjectRegister, trace, validate};
use s2s::store::Sessions;

const SESSIONS: usize = 200;
const EACH: usize = 5;

fn main() {
    let files = std::fs::read_dir(sessions().folder()).unwrap().flatten();
    let bytes: u64 =
        files.filter_map(|file| file.metadata().ok()).filter(|meta| meta.is_file()).map(|meta| meta.len()).sum();
    println!("{SESSIONS} sessions, {} kB of minutes", bytes / 1024);
    divan::main();
}

/// The project, made once.
fn sessions() -> &'static Sessions {
    static MADE: OnceLock<(Sessions, Option<tempfile::TempDir>)> = OnceLock::new();
    let (sessions, _) = MADE.get_or_init(|| {
        let (folder, temporary) = match std::env::var_os("KEEP") {
            Some(folder) => (PathBuf::from(folder), None),
            None => {
                let temporary = tempfile::tempdir().unwrap();
                (temporary.path().to_owned(), Some(temporary))
            }
        };
        let sessions = Sessions::new(folder.join(".s2s"));
        std::fs::create_dir_all(sessions.root()).unwrap();
        assert_eq!(made::large(&sessions, SESSIONS, EACH), SESSIONS * EACH);
        (sessions, temporary)
    });
    sessions
}

fn register() -> ProjectRegister {
    let register = ProjectRegister::read(sessions()).unwrap();
    assert!(register.unread.is_empty() && register.entries.len() == SESSIONS * EACH);
    register
}

#[divan::bench(sample_count = 10)]
fn read_and_trace_one(bencher: divan::Bencher<'_, '_>) {
    bencher.bench_local(|| {
        let register = register();
        trace(&register, &Links::of(&register, &[]), "REQ-007").unwrap()
    });
}

#[divan::bench(sample_count = 10)]
fn read_and_index_all(bencher: divan::Bencher<'_, '_>) {
    bencher.bench_local(|| {
        let register = register();
        serde_json::to_string(&Index::of(&register, &Links::of(&register, &[]))).unwrap()
    });
}

#[divan::bench(sample_count = 10)]
fn validate_all(bencher: divan::Bencher<'_, '_>) {
    bencher.bench_local(|| {
        let report = validate(sessions(), sessions().root(), &[], None).unwrap();
        assert!(report.findings.is_empty(), "{:?}", report.findings.first());
        report
    });
}
