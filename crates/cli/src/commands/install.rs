//! `s2s mcp install`: tells an agent host about the server.
//! Given a host; prints the entry for its settings file and where that is, or writes it after asking. What is in the file
//! stays; a file that cannot be edited safely is left alone and the entry is printed. Deliberately absent: what the hosts'
//! files look like (`hosts`) and how an entry gets in (`edit`).

mod edit;
mod hosts;

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use s2s::Failure;
use serde_json::json;

use self::edit::{Edited, alone, with_entry};
use self::hosts::{NAME, Shape, shape};
use crate::args::Install;
use crate::asking;
use crate::console::Console;
use crate::workplace::{here, project_at, settings_folder, shown};

/// Prints or writes the entry for a host.
pub fn install(typed: &Install, console: &Console) -> Result<u8, Failure> {
    let cwd = here()?;
    let root = project_at(&cwd).map(|project| project.root).unwrap_or_else(|_| cwd.clone());
    let shape = shape(typed.client);
    let path = shape.place.path(&root, settings_folder().as_deref()).ok_or_else(|| {
        Failure::failed(format!("there is no place for {}'s settings: HOME is not set", shape.host)).next("set HOME")
    })?;
    let name = shown(&cwd, &path);
    if !typed.write {
        return print(&shape, &path, &name, console);
    }
    let there = read(&path)?;
    let edited = with_entry(there.as_deref().unwrap_or_default(), &shape).map_err(|flaw| {
        Failure::bad_input(format!("{name} was left alone: {flaw}"))
            .next(format!("put this into it yourself:\n{}", alone(&shape)))
    })?;
    let text = match edited {
        Edited::New(text) => text,
        Edited::Same => return told(console, &shape, &path, false, &format!("{name} has the entry already.")),
        Edited::Taken => {
            return Err(Failure::bad_input(format!("{name} has another entry named {NAME}"))
                .next(format!("remove it there, or put this in its place:\n{}", alone(&shape))));
        }
    };
    if !agreed(typed, there.is_some(), &name, &shape, console)? {
        return told(console, &shape, &path, false, "Nothing was changed.");
    }
    write(&path, &text).map_err(|error| {
        Failure::failed(format!("cannot write {name}: {error}"))
            .next("mend the cause, or leave --write out and put the entry there yourself")
    })?;
    told(console, &shape, &path, true, &format!("{name} written. Then: {}.", shape.then))
}

fn print(shape: &Shape, path: &Path, name: &str, console: &Console) -> Result<u8, Failure> {
    let entry = alone(shape);
    if console.json {
        let value = json!({ "schema": 1, "host": shape.host, "file": path.display().to_string(), "entry": entry, "written": false });
        return console.print_json(&value).map(|()| 0);
    }
    let (host, then) = (shape.host, shape.then);
    console.note(&format!("For {host}, in {name}. --write puts it there. Then: {then}."));
    console.print(&entry).map(|()| 0)
}

/// Whether the person wants the file changed. Nobody there and no `--yes` is an error, not a no.
fn agreed(typed: &Install, there: bool, name: &str, shape: &Shape, console: &Console) -> Result<bool, Failure> {
    if typed.yes {
        return Ok(true);
    }
    if !console.attended {
        return Err(Failure::bad_input("nothing was changed, because nobody could be asked")
            .next("add --yes to write it, or leave --write out to see the entry"));
    }
    let doing = if there { "Add the server to" } else { "Make" };
    asking::confirm(&format!("{doing} {name} for {}?", shape.host), true)
}

fn told(console: &Console, shape: &Shape, path: &Path, written: bool, text: &str) -> Result<u8, Failure> {
    match console.json {
        true => console.print_json(
            &json!({ "schema": 1, "host": shape.host, "file": path.display().to_string(), "entry": alone(shape), "written": written }),
        ),
        false => console.print(&format!("{text}\n")),
    }
    .map(|()| 0)
}

fn read(path: &Path) -> Result<Option<String>, Failure> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::failed(format!("cannot read {}: {error}", path.display()))
            .next("mend the cause, or leave --write out to see the entry")),
    }
}

/// Beside its place first, then moved there. A link stays a link: what it leads to is replaced.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let place: PathBuf = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = place.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".s2s-");
    match fs::metadata(&place) {
        Ok(meta) if meta.permissions().readonly() => return Err(ErrorKind::PermissionDenied.into()),
        Ok(meta) => {
            builder.permissions(meta.permissions());
        }
        #[cfg(unix)]
        Err(_) => {
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        }
        #[cfg(not(unix))]
        Err(_) => {}
    }
    let mut temp = builder.tempfile_in(folder)?;
    temp.write_all(text.as_bytes())?;
    temp.as_file().sync_all()?;
    temp.persist(&place).map(|_| ()).map_err(|error| error.error)
}
