//! Adds to CONTEXT.md what a person accepted as a change of the context (E8).
//! Given the `.s2s` folder, the session and the texts; the file is replaced as a whole or not at all. Called
//! only after the person said yes. Deliberately absent: any change to what stands in the file already.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::Path;

use s2s::Failure;
use s2s::clean::clean_line;
use s2s::project::CONTEXT_FILE;

const HEADING: &str = "## Changes from roundtables";

/// Adds the texts under their own heading, each with the session it comes from.
pub fn append(dir: &Path, session: &str, texts: &[String]) -> Result<(), Failure> {
    let path = dir.join(CONTEXT_FILE);
    let failed = |error: std::io::Error| {
        Failure::failed(format!("{} could not be changed: {error}", path.display()))
            .next("the session has the change; add it to the file by hand")
    };
    let old = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(failed(error)),
    };
    let lines: Vec<String> = texts.iter().map(|text| format!("- {} (session {session})", clean_line(text))).collect();
    let new = with_lines(&old, &lines);
    let draft = dir.join(format!(".s2s-context-{}", std::process::id()));
    let written = File::create(&draft)
        .and_then(|mut file| file.write_all(new.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&draft, &path));
    written.map_err(|error| {
        // The draft is ours; the write's own error is what the person needs.
        let _ = fs::remove_file(&draft);
        failed(error)
    })
}

/// The text with the lines at the end of their section, which is made if there is none.
fn with_lines(old: &str, lines: &[String]) -> String {
    let block = lines.join("\n");
    let mut offset = 0;
    let mut section = None;
    for line in old.split_inclusive('\n') {
        let is_top = line.starts_with("# ") || line.starts_with("## ");
        if section.is_none() && line.trim_end() == HEADING {
            section = Some(old.len());
        } else if section == Some(old.len()) && is_top {
            section = Some(offset);
        }
        offset += line.len();
    }
    match section {
        Some(end) => {
            let (before, after) = old.split_at(end);
            let gap = if after.is_empty() { "\n" } else { "\n\n" };
            format!("{}\n{block}{gap}{after}", before.trim_end())
        }
        None if old.trim().is_empty() => format!("{HEADING}\n\n{block}\n"),
        None => format!("{}\n\n{HEADING}\n\n{block}\n", old.trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &str, new: &str) {
        assert_eq!(with_lines(old, &["- b (session s)".to_owned()]), new, "{old:?}");
    }

    #[test]
    fn e8_a_change_goes_to_the_end_of_its_section_and_nothing_else_moves() {
        check("", "## Changes from roundtables\n\n- b (session s)\n");
        check("# P\n\ntext\n", "# P\n\ntext\n\n## Changes from roundtables\n\n- b (session s)\n");
        check(
            "# P\n\n## Changes from roundtables\n\n- a\n",
            "# P\n\n## Changes from roundtables\n\n- a\n- b (session s)\n",
        );
        check(
            "## Changes from roundtables\n\n- a\n\n## Scope\n\nx\n",
            "## Changes from roundtables\n\n- a\n- b (session s)\n\n## Scope\n\nx\n",
        );
    }

    #[test]
    fn e8_the_file_is_made_if_it_is_missing_and_texts_stay_one_line() {
        let home = tempfile::tempdir().unwrap();
        append(home.path(), "s", &["two\nlines".to_owned()]).unwrap();
        append(home.path(), "t", &["more".to_owned()]).unwrap();
        let text = fs::read_to_string(home.path().join(CONTEXT_FILE)).unwrap();
        assert_eq!(text, "## Changes from roundtables\n\n- two lines (session s)\n- more (session t)\n");
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1, "no draft is left");
    }
}
