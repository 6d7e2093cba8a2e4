//! `s2s config show`: every setting, its value and where it comes from.
//! Works in a project and outside of one. Deliberately absent: changing settings; people edit the file.

use s2s::Failure;
use s2s::engine::opening::Workflow;
use s2s::project;

use super::names;
use crate::console::Console;
use crate::workplace;

/// Shows the settings in force.
pub fn show(console: &Console) -> Result<u8, Failure> {
    let cwd = workplace::here()?;
    let project = project::find(&cwd);
    let mut settings = workplace::settings(&cwd, project.as_ref(), &[])?;
    let strangers = names::unknown(&settings, &workplace::catalog(project.as_ref()), Workflow::ALL);
    settings.notes.extend(strangers.iter().map(ToString::to_string));
    match console.json {
        true => console.print_json(&settings.to_json())?,
        false => console.print(&settings.to_text())?,
    }
    Ok(0)
}
