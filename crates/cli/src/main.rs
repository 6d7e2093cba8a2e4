//! The binary `s2s`: turns a command line into one call, and its events into a screen.
//! Given arguments; hands on an exit code. Nothing is read, and no runtime started, before a command
//! needs it. Deliberately absent: decisions about sessions, which are the library's.

mod args;
mod asking;
mod chair;
mod commands;
mod completing;
mod console;
mod context_file;
mod desk;
mod exit;
mod flags;
mod meant;
mod pager;
mod run;
mod screen;
mod seating;
mod signals;
mod telemetry;
mod way;
mod workplace;

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

/// The columns of help that no terminal shows.
const PIPE_COLUMNS: usize = 80;

fn main() -> ExitCode {
    let words: Vec<std::ffi::OsString> = std::env::args_os().collect();
    if words.get(1).is_some_and(|word| word == completing::ASKED) {
        return completing::answer(&words);
    }
    let json = words.iter().any(|word| word == "--json");
    let command = args::Typed::command().color(help_color(&words));
    // Text in a pipe is for a page or a mail: no wider than those.
    let command = if std::io::stdout().is_terminal() { command } else { command.term_width(PIPE_COLUMNS) };
    let parsed = command.try_get_matches_from(words).and_then(|matches| args::Typed::from_arg_matches(&matches));
    let typed = match parsed {
        Ok(typed) => typed,
        Err(error) => return exit::usage(error, json),
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
