//! The checks of this repository, by one command: `cargo xtask check`.
//! Given nothing but Rust; runs formatting, lints, tests and documentation, and stops at the first that fails.
//! `seeds [N]` runs the property suites with N seeds, in release; `fuzz [SECONDS]` looks for replies that break the reader.

mod fuzz;

use std::ffi::OsString;
use std::process::{Command, ExitCode};

/// One check: its name, and the cargo arguments that make it.
const CHECKS: [(&str, &[&str]); 5] = [
    ("format", &["fmt", "--all", "--check"]),
    ("lints", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
    ("without features", &["clippy", "-p", "s2s-cli", "--no-default-features", "--", "-D", "warnings"]),
    ("tests", &["test", "--workspace"]),
    ("documentation", &["doc", "--workspace", "--no-deps"]),
];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["check"] => check(),
        ["seeds"] => seeds("10000"),
        ["seeds", count] => seeds(count),
        ["fuzz"] => fuzz::fuzz("60"),
        ["fuzz", seconds] => fuzz::fuzz(seconds),
        _ => Err("usage: cargo xtask check | seeds [N] | fuzz [SECONDS]".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => {
            say(&what);
            ExitCode::FAILURE
        }
    }
}

fn check() -> Result<(), String> {
    for (name, arguments) in CHECKS {
        say(&format!("== {name}"));
        cargo(arguments, &[("RUSTDOCFLAGS", "-D warnings")])?;
    }
    say("all checks passed");
    Ok(())
}

/// Every seed of the liars in the engine alone; every fiftieth of that number through the whole library,
/// where a seed means a crash and a resume at each line of its tape.
fn seeds(count: &str) -> Result<(), String> {
    let whole: u64 = count.parse().map_err(|_| format!("\"{count}\" is not a number of seeds"))?;
    let through = (whole / 50).max(1).to_string();
    let engine = ["test", "--release", "-p", "s2s-engine", "--test", "it", "lies", "--", "--nocapture"];
    let library = ["test", "--release", "-p", "s2s", "--test", "it", "crash", "--", "--nocapture"];
    cargo(&engine, &[("S2S_SEEDS", count)])?;
    cargo(&library, &[("S2S_SEEDS", &through)])
}

fn cargo(arguments: &[&str], variables: &[(&str, &str)]) -> Result<(), String> {
    let status = Command::new(cargo_program()).args(arguments).envs(variables.iter().copied()).status();
    let told = || format!("failed: cargo {}", arguments.join(" "));
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(told()),
        Err(error) => Err(format!("{}: {error}", told())),
    }
}

fn cargo_program() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

#[allow(clippy::print_stderr, reason = "this is a command line")]
fn say(text: &str) {
    eprintln!("{text}");
}
