//! The index of decisions: a README in their folder that hosts show below the list of files.
//! Given the records; writes a table with links between markers. Text around it is a person's and is kept, and an edit
//! inside is asked about. Deliberately absent: when it is written, which the commands say.

use std::path::Path;

use super::words::{cell, encoded};
use super::{Decision, Decisions};
use crate::config::Config;
use crate::documents::living::{Edit, Settle, renewed};
use crate::documents::paper::Readers;
use crate::failure::Failure;

/// The index, in the folder of the decisions.
pub const INDEX_FILE: &str = "README.md";

/// What became of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    /// Its file, below the project.
    pub path: String,
    /// Whether it says something else now.
    pub changed: bool,
    /// Whether an edit inside the generated table was kept.
    pub kept: bool,
}

/// Whether the folder of the decisions has an index with our markers.
///
/// # Errors
/// If the settings name a folder outside the project, or the index cannot be read.
pub fn has_index(root: &Path, config: &Config) -> Result<bool, Failure> {
    let all = Decisions::read(root, config)?;
    let is_mark = |line: &str| line.trim_start().starts_with("<!-- s2s:part index");
    Ok(all.folder.is_taken(INDEX_FILE) && all.text(INDEX_FILE)?.lines().any(is_mark))
}

/// Brings the index up to date. `settle` is asked where somebody edited the table itself.
///
/// # Errors
/// If a folder or file cannot be read or written, or the markers in the index do not pair up.
pub fn write_index(root: &Path, config: &Config, settle: &mut dyn FnMut(&Edit) -> Settle) -> Result<Index, Failure> {
    let again = |failure: Failure| failure.next("mend that, then run `s2s adr list --write-index`");
    let all = Decisions::read(root, config)?;
    all.folder.make().map_err(again)?;
    let _alone = all.folder.alone(&all.lock).map_err(again)?;
    let all = Decisions::read(root, config)?;
    let path = all.folder.shown(INDEX_FILE);
    let old = match all.folder.is_taken(INDEX_FILE) {
        true => Some(all.text(INDEX_FILE)?),
        false => None,
    };
    let (text, kept) = renewed(old.as_deref(), &draft(&all.rows), &path, settle)?;
    let changed = old.as_deref() != Some(text.as_str());
    match old {
        Some(_) if changed => all.folder.replace(INDEX_FILE, text.as_bytes()).map_err(again)?,
        None if !all.folder.create(INDEX_FILE, &text, Readers::Project).map_err(again)? => {
            return Err(again(Failure::failed(format!("{path} was made by another program this very moment"))));
        }
        _ => {}
    }
    Ok(Index { path, changed, kept: !kept.is_empty() })
}

fn draft(rows: &[Decision]) -> String {
    let mut table = String::from("| Decision | Status | Date |\n|---|---|---|\n");
    for row in rows {
        let date = row.date.as_deref().map(cell).unwrap_or_default();
        table.push_str(&format!("| {} | {} | {date} |\n", link(row), status(row, rows)));
    }
    let table = if rows.is_empty() { "There is no decision yet.\n" } else { &table };
    format!(
        "# Decisions\n\nThe table is kept by `s2s adr`; everything around it is yours.\n\n\
         <!-- s2s:part index -->\n\n{table}\n<!-- s2s:end index -->\n"
    )
}

fn link(row: &Decision) -> String {
    let id = super::words::artifact_id(&row.name).map(|id| format!("{id}: ")).unwrap_or_default();
    format!("[{id}{}]({})", cell(&row.title), encoded(&row.file))
}

fn status(row: &Decision, rows: &[Decision]) -> String {
    if let Some(by) = &row.superseded_by {
        let known = rows.iter().find(|other| other.name == *by);
        return format!("superseded by {}", known.map_or_else(|| cell(by), link));
    }
    match (&row.status, row.problems.first()) {
        (Some(status), _) => cell(status),
        (None, Some(problem)) => format!("unclear: {}", cell(problem)),
        (None, None) => "unclear".to_owned(),
    }
}
