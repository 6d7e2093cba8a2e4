//! The binary `s2s`: turns a command line into one call, and its events into a screen.
//! Given arguments; hands on an exit code. Nothing is read, and no runtime started, before a command
//! needs it. Deliberately absent: decisions about sessions, which are the library's.

mod args;
mod asking;
mod chair;
mod commands;
mod console;
mod context_file;
mod desk;
mod exit;
mod flags;
mod pager;
mod run;
mod screen;
mod seating;
mod signals;
mod telemetry;
mod way;
mod workplace;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

fn main() -> ExitCode {
    let words: Vec<std::ffi::OsString> = std::env::args_os().collect();
    let json = words.iter().any(|word| word == "--json");
    let command = args::Typed::command().color(help_color(&words));
    let parsed = command.try_get_matches_from(words).and_then(|matches| args::Typed::from_arg_matches(&matches));
    let typed = match parsed {
        Ok(typed) => typed,
        Err(error) => return exit::usage(&error, json),
    };
    let console = console::Console::new(typed.json, typed.color);
    let telemetry = match telemetry::Telemetry::start(&typed.traces, &console) {
        Ok(telemetry) => telemetry,
        Err(failure) => return exit::report(&failure, typed.json),
    };
    let done = commands::carry_out(typed.command, &console);
    telemetry.end(&console);
    match done {
        Ok(code) => ExitCode::from(code),
        Err(failure) => exit::report(&failure, typed.json),
    }
}

/// Help and usage errors are drawn before the flags are known, so this one is looked for by hand.
fn help_color(words: &[std::ffi::OsString]) -> clap::ColorChoice {
    let value = words.iter().enumerate().find_map(|(at, word)| {
        let word = word.to_str()?;
        word.strip_prefix("--color=").or_else(|| words.get(at + 1).filter(|_| word == "--color")?.to_str())
    });
    match value {
        Some("always") => clap::ColorChoice::Always,
        Some("never") => clap::ColorChoice::Never,
        _ => clap::ColorChoice::Auto,
    }
}
