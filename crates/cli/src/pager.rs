//! A long text at a terminal: through the person's pager.
//! Given the whole text; hands it to `$S2S_PAGER`, else `$PAGER`, else `less -FRX`, where it is longer than the screen. A
//! pager that cannot be started is no reason not to show the text. Deliberately absent: what the text says.

use std::env;
use std::ffi::OsString;
use std::io::Write;
use std::process::{Command, Stdio};

use s2s::Failure;

use crate::console::Console;
use crate::seating::models::runtime;

/// Shows a text, through a pager if it is long and somebody is there to turn its pages.
pub fn show(text: &str, wanted: bool, console: &Console) -> Result<(), Failure> {
    let long = || terminal_size::terminal_size().is_some_and(|(_, rows)| text.lines().count() >= usize::from(rows.0));
    if wanted && console.terminal && !console.json && long() {
        match chosen() {
            Some(pager) if paged(&pager, text) => return Ok(()),
            Some(pager) => {
                let name = pager.to_string_lossy();
                console.note(&format!("the pager \"{name}\" did not work (--no-pager leaves it out)"));
            }
            None => {}
        }
    }
    console.print(text)
}

/// The pager in force; none where a person wants none.
fn chosen() -> Option<OsString> {
    let named = ["S2S_PAGER", "PAGER"].into_iter().find_map(env::var_os);
    let pager = named.unwrap_or_else(|| "less -FRX".into());
    let name = pager.to_string_lossy();
    let none = matches!(name.trim(), "" | "cat");
    (!none).then_some(pager)
}

/// Whether the pager took the text. One that was left early has shown what was wanted of it.
fn paged(pager: &OsString, text: &str) -> bool {
    // Ctrl-C is the pager's while it runs; ending before it would leave two at one terminal.
    let Ok(runtime) = runtime() else { return false };
    let _inside = runtime.enter();
    let _heard = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt());
    let mut command = Command::new("sh");
    command.arg("-c").arg(pager).stdin(Stdio::piped());
    // As git does: colours pass through, and a text that fits is only printed.
    for (name, value) in [("LESS", "FRX"), ("LV", "-c")] {
        if env::var_os(name).is_none() {
            command.env(name, value);
        }
    }
    let Ok(mut child) = command.spawn() else { return false };
    if let Some(mut pages) = child.stdin.take() {
        // A reader that left has what it wanted; whether it ever was there, its end tells.
        let _ = pages.write_all(text.as_bytes());
    }
    // The shell's own words for a program that is not there, or cannot be run.
    child.wait().is_ok_and(|status| !matches!(status.code(), Some(126 | 127)))
}
