//! `s2s completions`: prints the script that teaches a shell to complete s2s.
//! Given the shell's name; hands on its script, which asks this program for candidates on every Tab (`completing`), so
//! sessions, roles and artifacts complete too. Deliberately absent: installing it, which is the person's choice.

use s2s::Failure;
use serde_json::json;

use crate::args::Shell;
use crate::console::Console;

/// Prints a shell's script.
pub fn completions(shell: Shell, console: &Console) -> Result<u8, Failure> {
    let script = match shell {
        Shell::Bash => include_str!("completions/s2s.bash"),
        Shell::Zsh => include_str!("completions/s2s.zsh"),
        Shell::Fish => include_str!("completions/s2s.fish"),
    };
    if console.json {
        return console.print_json(&json!({ "shell": shell.name(), "script": script })).map(|()| 0);
    }
    if console.terminal {
        console.note(&format!("This is a script for {}; its second line says where it goes.", shell.name()));
    }
    console.print(script).map(|()| 0)
}
