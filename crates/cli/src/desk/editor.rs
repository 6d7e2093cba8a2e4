//! A person's own editor: opened on a file, and waited for.
//! Given the text to begin with; hands on what was saved, or nothing where the editor was left with an error, which is
//! how an editor is told to give up (`:cq`). While it is open its keys are its own: Ctrl-C there does not stop the run.
//! Deliberately absent: what the text means.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use s2s::Failure;

/// The longest answer that is read.
const MAX_BYTES: u64 = 1 << 20;

/// The editor as the person names it: VISUAL, EDITOR, else `vi`.
pub(super) fn name() -> String {
    let named = |variable: &str| env::var(variable).ok().filter(|name| !name.trim().is_empty());
    named("VISUAL").or_else(|| named("EDITOR")).unwrap_or_else(|| "vi".to_owned())
}

/// Opens the editor on a file that begins with this text; none if it was given up.
pub(super) fn open(editor: &str, file: &Path, text: &str, at_editor: &AtomicBool) -> Result<Option<String>, Failure> {
    let failed = |what: &str, error: std::io::Error| {
        Failure::failed(format!("{what} {}: {error}", file.display())).next("answer in place, or with --as and --file")
    };
    fs::write(file, text).map_err(|error| failed("cannot write the form", error))?;
    at_editor.store(true, Ordering::SeqCst);
    // By a shell, since the variable may hold arguments; the file's name is never part of the line.
    let ended = Command::new("sh").arg("-c").arg(format!("{editor} \"$1\"")).arg("s2s").arg(file).status();
    at_editor.store(false, Ordering::SeqCst);
    match ended {
        Ok(status) if status.success() => {}
        // What a shell says of a program that is not there, or cannot be run.
        Ok(status) if matches!(status.code(), Some(126 | 127)) => {
            return Err(Failure::failed(format!("the editor \"{editor}\" cannot be started"))
                .next("set EDITOR to one that can, or answer here"));
        }
        Ok(_) => return Ok(None),
        Err(error) => return Err(failed(&format!("cannot start \"{editor}\" for"), error)),
    }
    match fs::metadata(file) {
        Ok(about) if about.len() > MAX_BYTES => {
            Err(Failure::bad_input(format!("{} is longer than 1 MB", file.display())).next("write a shorter answer"))
        }
        _ => fs::read_to_string(file).map(Some).map_err(|error| failed("cannot read what you wrote in", error)),
    }
}

/// Takes the file away once its text is in.
pub(super) fn discard(file: &Path) {
    // A form that stays behind does no harm.
    let _ = fs::remove_file(file);
}
