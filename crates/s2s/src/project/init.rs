//! `s2s init`: makes a folder a project.
//! Given the root; hands on what was made, what was there already, and what could not be made. Never
//! overwrites; run again, it completes what is missing. Deliberately absent: questions to a person and
//! any printing (the command line does both), sessions (the store makes their folder when one starts).

use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::portrait::{Portrait, portrait};
use super::{CONFIG_FILE, CONTEXT_FILE, FOLDER, SCHEMA_FILE, STATE_FILE};
use crate::config::{COMMENTED, SCHEMA};

/// What Git should not keep: tapes hold every prompt, the rest is of one machine and one moment.
const GITIGNORE: &str = "\
# Written by `s2s init`. The minutes (sessions/*.yaml) are worth keeping; these are not:
# one folder per session with its tape (every prompt and reply, large, possibly private) and its lock
sessions/*/
# which session is open on this machine
state.yaml
# files half written when a process was killed
.s2s-*
";

const STATE: &str = "current_session: null\n";

/// What `s2s init` did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InitReport {
    /// What was made, in order.
    pub created: Vec<PathBuf>,
    /// What was there already and was left as it is.
    pub kept: Vec<PathBuf>,
    /// What could not be made.
    pub problems: Vec<InitProblem>,
    /// What a person should know, in sentences.
    pub notes: Vec<String>,
}

/// Why a part of a project could not be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} cannot be made: {why}. {advice}", path.display())]
pub struct InitProblem {
    /// The file or folder.
    pub path: PathBuf,
    /// The cause.
    pub why: String,
    /// What to do.
    pub advice: &'static str,
}

/// Makes `.s2s` in a folder, or completes it.
pub fn init(root: &Path) -> InitReport {
    let mut report = InitReport::default();
    let dir = root.join(FOLDER);
    match fs::create_dir(&dir) {
        Ok(()) => report.created.push(dir.clone()),
        Err(_) if dir.is_dir() => report.kept.push(dir.clone()),
        Err(error) => {
            report.problems.push(refusal(&dir, &error));
            return report;
        }
    }
    report.file(&dir.join(CONFIG_FILE), || COMMENTED.to_owned());
    report.file(&dir.join(SCHEMA_FILE), || SCHEMA.to_owned());
    report.file(&dir.join(CONTEXT_FILE), || context_of(&portrait(root)));
    report.file(&dir.join(STATE_FILE), || STATE.to_owned());
    report.file(&dir.join(".gitignore"), || GITIGNORE.to_owned());
    report.note_old_schema(&dir.join(SCHEMA_FILE));
    report
}

impl InitReport {
    /// Makes a file that is not there. The text is made only then: looking at the folder costs time.
    fn file(&mut self, path: &Path, text: impl FnOnce() -> String) {
        if path.is_file() {
            return self.kept.push(path.to_owned());
        }
        match write_new(path, &text()) {
            Ok(()) => self.created.push(path.to_owned()),
            Err(error) => self.problems.push(refusal(path, &error)),
        }
    }

    /// The schema belongs to the program, but a file is a file: it is not replaced, its age is said.
    fn note_old_schema(&mut self, path: &Path) {
        let is_old =
            self.kept.iter().any(|kept| kept == path) && fs::read(path).is_ok_and(|bytes| bytes != SCHEMA.as_bytes());
        if is_old {
            let name = path.display();
            self.notes.push(format!(
                "{name} is not the one of this version of s2s. Remove it and run `s2s init` to renew it."
            ));
        }
    }
}

/// Makes the file only if nothing is there, even if another process is as quick; a half-written file of
/// ours is taken away again, so that the next run can complete it.
pub(super) fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    if written.is_err() {
        // The write's own error is what the person needs; a failing removal adds nothing to it.
        let _ = fs::remove_file(path);
    }
    written
}

fn refusal(path: &Path, error: &io::Error) -> InitProblem {
    let something_there = path.symlink_metadata().is_ok();
    let (why, advice) = match error.kind() {
        _ if path.is_dir() => ("a folder is in its place".to_owned(), "Move the folder away and run `s2s init` again."),
        _ if something_there => ("something else is in its place".to_owned(), "Move it away and run `s2s init` again."),
        ErrorKind::NotFound => {
            ("the folder above it does not exist".to_owned(), "Make it first, or go to the right folder.")
        }
        ErrorKind::PermissionDenied => {
            (error.to_string(), "Run `s2s init` as a user who may write here, or in a folder of your own.")
        }
        ErrorKind::ReadOnlyFilesystem => (error.to_string(), "Run `s2s init` on a disk that can be written to."),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => (error.to_string(), "Make room and run `s2s init` again."),
        _ => (error.to_string(), "Mend the cause and run `s2s init` again; it completes what is missing."),
    };
    InitProblem { path: path.to_owned(), why, advice }
}

/// CONTEXT.md of a new project: what the folder shows, and questions as comments, which are not context.
fn context_of(seen: &Portrait) -> String {
    let mut text = format!("# {}\n", seen.name);
    if let Some(summary) = &seen.summary {
        text.push_str(&format!("\n{summary}\n"));
    }
    if !seen.languages.is_empty() {
        let languages: Vec<String> =
            seen.languages.iter().map(|language| Shown(language, seen.partial).to_string()).collect();
        text.push_str(&format!("\nLanguages: {}.\n", languages.join(", ")));
    }
    text.push_str(QUESTIONS);
    text
}

struct Shown<'a>(&'a super::Language, bool);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(language, partial) = self;
        let least = if *partial { "at least " } else { "" };
        let files = match language.files {
            0 => None,
            1 => Some(format!("{least}1 file")),
            n => Some(format!("{least}{n} files")),
        };
        let signs: Vec<String> = language.manifest.map(str::to_owned).into_iter().chain(files).collect();
        write!(f, "{} ({})", language.name, signs.join(", "))
    }
}

const QUESTIONS: &str = "
<!-- Every roundtable of this project starts from this file. Comments like this one are not read:
     write your answers below them. What you leave empty, the panel does not know. -->

## Objectives

<!-- What should be better once this is done, for whom, and how will you notice? Two or three lines. -->

## Scope

### In

<!-- What belongs to the work? -->

### Out

<!-- What is left out on purpose, even if somebody will ask for it? -->

## Constraints

<!-- What must every decision respect? One per line, with numbers where there are any: people and what
     they know, money, dates, load, laws, systems that stay. -->
";

#[cfg(test)]
mod tests {
    use super::super::{Standing, find, read_context};
    use super::*;

    fn names(paths: &[PathBuf]) -> Vec<String> {
        paths.iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_new_project_is_complete_and_a_second_run_changes_nothing() {
        let home = tempfile::tempdir().unwrap();
        let first = init(home.path());
        let all = [FOLDER, CONFIG_FILE, SCHEMA_FILE, CONTEXT_FILE, STATE_FILE, ".gitignore"];
        assert_eq!(names(&first.created), all);
        assert_eq!((first.kept.len(), first.problems.len(), first.notes.len()), (0, 0, 0));
        assert_eq!(find(home.path()).unwrap().dir, first.created[0]);
        let second = init(home.path());
        assert_eq!((names(&second.kept), second.created.len()), (all.map(String::from).to_vec(), 0));
        assert_eq!((second.problems.len(), second.notes.len()), (0, 0));
    }

    #[test]
    fn what_is_there_is_kept_and_what_is_missing_is_completed() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join(FOLDER);
        fs::create_dir(&dir).unwrap();
        fs::write(dir.join(CONTEXT_FILE), "mine").unwrap();
        fs::write(dir.join(SCHEMA_FILE), "{}").unwrap();
        let report = init(home.path());
        assert_eq!(names(&report.kept), [FOLDER, SCHEMA_FILE, CONTEXT_FILE]);
        assert_eq!(names(&report.created), [CONFIG_FILE, STATE_FILE, ".gitignore"]);
        assert_eq!(fs::read_to_string(dir.join(CONTEXT_FILE)).unwrap(), "mine");
        assert_eq!(fs::read_to_string(dir.join(SCHEMA_FILE)).unwrap(), "{}");
        assert!(report.notes[0].contains("config.schema.json is not the one of this version"));
    }

    #[test]
    fn context_is_filled_from_the_folder_and_questions_are_not_context() {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("Cargo.toml"), "[package]\nname = \"shop\"\n").unwrap();
        fs::write(home.path().join("main.rs"), "").unwrap();
        fs::write(home.path().join("README.md"), "# Shop\n\nSells parts to garages.\n").unwrap();
        init(home.path());
        let context = read_context(&home.path().join(FOLDER)).unwrap();
        assert_eq!(
            context.text,
            "# shop\n\nSells parts to garages.\n\nLanguages: Rust (Cargo.toml, 1 file).\n\n## Objectives\n\n## Scope\n\n### In\n\n### Out\n\n## Constraints"
        );
        assert_eq!(context.standing, Standing::Thin);
        assert_eq!(context.notes.len(), 1);
    }

    #[test]
    fn what_stands_in_the_way_is_named_with_a_way_out() {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join(FOLDER), "a file").unwrap();
        let report = init(home.path());
        let said = report.problems[0].to_string();
        assert!(said.contains(".s2s cannot be made: something else is in its place. Move it away"), "{said}");
        assert!(report.created.is_empty());

        let home = tempfile::tempdir().unwrap();
        fs::create_dir_all(home.path().join(FOLDER).join(CONFIG_FILE)).unwrap();
        let report = init(home.path());
        let said = report.problems[0].to_string();
        assert!(said.contains("config.yaml cannot be made: a folder is in its place"), "{said}");
        assert_eq!(report.created.len(), 4, "the rest is made all the same");

        let report = init(&home.path().join("no/such/folder"));
        assert!(report.problems[0].to_string().contains("the folder above it does not exist"));
    }
}
