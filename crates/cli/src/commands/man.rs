//! `s2s man`: the manual pages, made of what `--help` says.
//! Given a folder; writes one page for each command there. Without one, prints the page of `s2s` itself. Deliberately
//! absent: texts of its own, so that a page cannot disagree with the help.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory};
use clap_mangen::Man;
use s2s::Failure;
use s2s::engine::counted;
use serde_json::json;

use crate::args::Typed;
use crate::console::Console;
use crate::workplace::{here, shown};

/// Writes the pages, or prints the first.
pub fn man(folder: Option<&Path>, console: &Console) -> Result<u8, Failure> {
    // `s2s help` says what `--help` says, so it has no page of its own.
    let mut command = Typed::command().disable_help_subcommand(true);
    command.build();
    let Some(folder) = folder else {
        let page = page(&command).map_err(unmade)?;
        if console.terminal {
            console.note("This is the page's source. To read it: s2s man | man -l -    To install all: s2s man DIR");
        }
        return console.print(&page).map(|()| 0);
    };
    let bad = |path: &Path, error: &io::Error| {
        Failure::failed(format!("cannot write to {}: {error}", path.display()))
            .next("name a folder that you may write to, such as ~/.local/share/man/man1")
    };
    fs::create_dir_all(folder).map_err(|error| bad(folder, &error))?;
    let mut written: Vec<PathBuf> = Vec::new();
    let mut waiting = vec![command];
    while let Some(command) = waiting.pop() {
        let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
        let path = folder.join(format!("{name}.1"));
        let text = page(&command).map_err(unmade)?;
        fs::write(&path, text).map_err(|error| bad(&path, &error))?;
        written.push(path);
        let own = |below: &&Command| !below.is_hide_set();
        waiting.extend(command.get_subcommands().filter(own).cloned());
    }
    written.sort();
    let cwd = here()?;
    if console.json {
        let pages: Vec<String> = written.iter().map(|path| shown(&cwd, path)).collect();
        return console.print_json(&json!({ "pages": pages })).map(|()| 0);
    }
    let place = folder.display();
    console
        .print(&format!("{} written to {place}\nRead one: man -l {place}/s2s.1\n", counted(written.len(), "page")))?;
    Ok(0)
}

fn unmade(error: io::Error) -> Failure {
    Failure::failed(format!("a page cannot be made: {error}"))
}

/// A command's page; its examples keep their lines.
fn page(command: &Command) -> io::Result<String> {
    let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let version = env!("CARGO_PKG_VERSION");
    let man = Man::new(command.clone()).source(format!("s2s {version}")).manual("Spec2Ship Roundtable");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    let mut text = String::from_utf8_lossy(&page).into_owned();
    if let Some((_, examples)) = examples.split_once("Example:\n") {
        text.push_str(".SH EXAMPLE\n.nf\n");
        examples.lines().for_each(|line| text.push_str(&format!("{}\n", escaped(line.trim()))));
        text.push_str(".fi\n");
    }
    Ok(text)
}

/// A line of an example as troff takes it: nothing in it is a command, and hyphens stay hyphens.
fn escaped(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
    if line.starts_with('.') { format!("\\&{line}") } else { line }
}
