//! `cargo xtask fuzz [SECONDS]`: builds the fuzz target with coverage on the stable toolchain, and runs it.
//! Given a time; hands on whether it held, and says how many inputs were tried. Needs a C++ compiler for libFuzzer.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{cargo, cargo_program, say};

/// What cargo-fuzz would set, without its nightly.
const FLAGS: [&str; 8] = [
    "--cfg=fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
    "-Cdebug-assertions",
];

/// How libFuzzer counts its runs at the end.
const RUNS: &str = "stat::number_of_executed_units:";

/// Builds and runs the fuzz target of the reader.
pub fn fuzz(seconds: &str) -> Result<(), String> {
    let seconds: u32 = seconds.parse().map_err(|_| format!("\"{seconds}\" is not a number of seconds"))?;
    if seconds == 0 {
        return Err("0 seconds would never end; give at least 1".to_owned());
    }
    // Wherever in the repository this was typed.
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("fuzz");
    let manifest = folder.join("Cargo.toml").display().to_string();
    cargo(&["fmt", "--manifest-path", &manifest, "--check"], &[])?;
    let (grown, found) = (folder.join("target/grown"), folder.join("target/found"));
    for made in [&grown, &found] {
        std::fs::create_dir_all(made).map_err(|error| format!("cannot make {}: {error}", made.display()))?;
    }
    let mut command = Command::new(cargo_program());
    // For a named target only our code is built with these flags, and no build script.
    command.env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}"));
    command.args(["run", "--release", "--manifest-path", &manifest, "--bin", "reader"]);
    command.args(["--target", &host()?, "--"]);
    command.args(["-use_value_profile=1", "-max_len=4096", "-timeout=5", "-verbosity=0", "-print_final_stats=1"]);
    command.arg(format!("-dict={}", folder.join("reader.dict").display()));
    command.arg(format!("-max_total_time={seconds}"));
    command.arg(format!("-artifact_prefix={}/", found.display()));
    command.args([grown, folder.join("corpus/reader")]);
    watch(command, &found)
}

/// Lets the run speak, and keeps the number of inputs it tried.
fn watch(mut command: Command, found: &Path) -> Result<(), String> {
    let failed = |error| format!("the fuzz target cannot be run: {error}");
    let mut child = command.stderr(Stdio::piped()).spawn().map_err(failed)?;
    let mut runs = None;
    for line in child.stderr.take().into_iter().flat_map(|told| BufReader::new(told).split(b'\n')) {
        let line = line.map_err(failed)?;
        let line = String::from_utf8_lossy(&line);
        say(&line);
        runs = line.strip_prefix(RUNS).map(|runs| runs.trim().to_owned()).or(runs);
    }
    let held = child.wait().map_err(failed)?.success();
    match runs {
        None => Err("failed: the fuzz target did not run; libFuzzer needs a C++ compiler".to_owned()),
        Some(runs) if held => {
            say(&format!("fuzz: {runs} runs, nothing found"));
            Ok(())
        }
        Some(runs) => Err(format!("failed: after {runs} runs; what broke the reader is in {}", found.display())),
    }
}

/// The target that this machine's toolchain builds for.
fn host() -> Result<String, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let told = Command::new(rustc).arg("-vV").output().map_err(|error| format!("rustc cannot be run: {error}"))?;
    let told = String::from_utf8_lossy(&told.stdout);
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc does not name its host".to_owned())
}
