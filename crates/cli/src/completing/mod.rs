//! Answers a shell that completes a command line: `s2s __complete SHELL INDEX -- WORDS`, asked by the scripts of
//! `s2s completions`. Given the words typed so far; hands on candidates, one to a line, in the form that shell reads.
//! Whatever goes wrong, nothing is said: a person is in the middle of a line. Deliberately absent: which candidates an
//! argument has (`sources.rs`), and the scripts (`commands/completions.rs`).

mod sources;

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Command, CommandFactory};
use clap_complete::CompletionCandidate;
use clap_complete::engine::{ArgValueCompleter, complete};
use s2s::clean::clean_line;

use crate::args::{Shell, Typed};

/// The word that asks for candidates instead of a command.
pub const ASKED: &str = "__complete";

/// The longest description, in characters: a shell shows one to a line.
const LONGEST: usize = 60;

/// Answers a shell; never with an error.
pub fn answer(words: &[OsString]) -> ExitCode {
    let text = candidates(words).unwrap_or_default();
    // A shell that no longer listens has moved on.
    let _ = std::io::stdout().write_all(text.as_bytes());
    ExitCode::SUCCESS
}

fn candidates(words: &[OsString]) -> Option<String> {
    let [_, _, shell, index, _, typed @ ..] = words else { return None };
    let shell = Shell::named(shell.to_str()?)?;
    let index: usize = index.to_str()?.parse().ok()?;
    let mut typed = typed.to_vec();
    // An empty word at the end is not always handed over.
    if typed.len() == index {
        typed.push(OsString::new());
    }
    let before: Vec<String> = typed.iter().take(index).map(|word| word.to_string_lossy().into_owned()).collect();
    let begun = typed.get(index).cloned().unwrap_or_default();
    let mut command = taught(Typed::command(), "", &before.into());
    let folder = std::env::current_dir().ok();
    let mut found = complete(&mut command, typed, index, folder.as_deref()).ok()?;
    // Flags where nothing else fits, or where one is begun: else they hide what is looked for.
    if begun.is_empty() && found.iter().any(|one| !is_flag(one)) {
        found.retain(|one| !is_flag(one));
    }
    Some(found.iter().filter(|one| !one.is_hide_set()).filter_map(|one| line(shell, one)).collect())
}

fn is_flag(candidate: &CompletionCandidate) -> bool {
    candidate.get_value().to_str().is_some_and(|value| value.starts_with('-'))
}

/// One candidate as a shell reads it; none where its value would not survive on a line.
fn line(shell: Shell, candidate: &CompletionCandidate) -> Option<String> {
    let value = candidate.get_value().to_str().filter(|value| !value.chars().any(char::is_control))?;
    let help = candidate.get_help().map(ToString::to_string).unwrap_or_default();
    let help = short(help.lines().next().unwrap_or_default());
    Some(match shell {
        Shell::Bash => format!("{value}\n"),
        Shell::Fish => format!("{value}\t{help}\n"),
        // A colon ends the value.
        Shell::Zsh => {
            let value = value.replace('\\', "\\\\").replace(':', "\\:");
            let colon = if help.is_empty() { "" } else { ":" };
            format!("{value}{colon}{}\n", help.replace('\\', "\\\\"))
        }
    })
}

/// A description in one short, clean line.
fn short(text: &str) -> String {
    let text = clean_line(text);
    match text.chars().count() > LONGEST {
        true => text.chars().take(LONGEST - 1).chain(['…']).collect(),
        false => text.into_owned(),
    }
}

/// The command with what its arguments can be; `before` are the words before the one that is completed.
fn taught(command: Command, path: &str, before: &Arc<[String]>) -> Command {
    // In place: an argument that is taken out and put back would lose its position.
    let mut command = command.mut_args(|arg| {
        let Some(source) = sources::of(path, &arg) else { return arg };
        let before = Arc::clone(before);
        arg.add(ArgValueCompleter::new(move |current: &OsStr| sources::offers(source, &before, current)))
    });
    let below: Vec<String> = command.get_subcommands().map(|below| below.get_name().to_owned()).collect();
    for name in below {
        let path = format!("{path} {name}");
        command = command.mut_subcommand(&name, |below| taught(below, path.trim(), before));
    }
    command
}
