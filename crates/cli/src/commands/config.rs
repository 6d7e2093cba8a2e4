//! `s2s config show`: every setting, its value and where it comes from.
//! Works in a project and outside of one. Deliberately absent: changing settings; people edit the file.

use s2s::Failure;
use s2s::project;

use crate::console::Console;
use crate::workplace;

/// Shows the settings in force.
pub fn show(console: &Console) -> Result<u8, Failure> {
    let cwd = workplace::here()?;
    let settings = workplace::settings(&cwd, project::find(&cwd).as_ref(), &[])?;
    match console.json {
        true => console.print_json(&settings.to_json())?,
        false => console.print(&settings.to_text())?,
    }
    Ok(0)
}
