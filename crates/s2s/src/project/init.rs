//! `s2s init`: makes a folder a project.
//! Given the root; hands on what was made, what was there already, and what could not be made. Never
//! overwrites; run again, it completes what is missing; run twice
//! at a time, one waits for the other. Deliberately absent: questions to a person and
//! any printing (the command line does both), sessions (the store makes their folder when one starts).

use std::error::Error;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::detect::{Detected, detect};
use super::draft::{Answers, draft};
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

/// How files that are half written are called; Git is told to pass them over.
const TEMP_PREFIX: &str = ".s2s-";

const STATE: &str = "current_session: null\n";

/// What `s2s init` did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InitReport {
    /// What was made, in order.
    pub created: Vec<PathBuf>,
    /// What was there already and was left as it is.
    pub kept: Vec<PathBuf>,
    /// What was there already and got further lines.
    pub extended: Vec<PathBuf>,
    /// Whether a set-up was there, but not all of it.
    pub half_made: bool,
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

/// Makes `.s2s` in a folder, or completes it, with what the folder shows.
pub fn init(root: &Path) -> InitReport {
    make(root, || draft(&detect(root), &Answers::default()))
}

/// Makes `.s2s` in a folder, or completes it, with what was detected and what a person answered.
pub fn init_with(root: &Path, found: &Detected, answers: &Answers) -> InitReport {
    make(root, || draft(found, answers))
}

fn make(root: &Path, context: impl FnOnce() -> String) -> InitReport {
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
    let _alone = alone(&dir);
    report.file(&dir.join(CONFIG_FILE), || COMMENTED.to_owned());
    report.file(&dir.join(SCHEMA_FILE), || SCHEMA.to_owned());
    report.file(&dir.join(CONTEXT_FILE), context);
    report.file(&dir.join(STATE_FILE), || STATE.to_owned());
    report.file(&dir.join(".gitignore"), || GITIGNORE.to_owned());
    report.note_old_schema(&dir.join(SCHEMA_FILE));
    report.half_made = report.kept.contains(&dir) && !report.created.is_empty();
    report
}

/// Holds the folder while it is made: a second `s2s init` waits. Where folders cannot be locked, nothing is lost:
/// no file is ever made over another.
pub(super) fn alone(dir: &Path) -> Option<File> {
    File::open(dir).ok().filter(|folder| folder.lock().is_ok())
}

/// Renews CONTEXT.md: `seen` is what it said when the change was shown, `text` what it shall say.
///
/// # Errors
/// [`InitProblem`] where it is a link, says something else by now, or cannot be written; it is as it was then.
pub fn renew_context(dir: &Path, seen: &str, text: &str) -> Result<(), InitProblem> {
    let _alone = alone(dir);
    replace(&dir.join(CONTEXT_FILE), seen, text)
}

/// Replaces a file as a whole or not at all, and only if it still says what was seen.
pub(super) fn replace(path: &Path, seen: &str, text: &str) -> Result<(), InitProblem> {
    let refuse = |why: &str, advice| InitProblem { path: path.to_owned(), why: why.to_owned(), advice };
    let about = path.symlink_metadata().map_err(|error| refusal(path, &error))?;
    if !about.is_file() {
        return Err(refuse("it is a link, or no file", "Change it by hand, where it really is."));
    }
    if fs::read(path).map_err(|error| refusal(path, &error))? != seen.as_bytes() {
        return Err(refuse("it was changed meanwhile", "Nothing was written; run `s2s init` again."));
    }
    let folder = path.parent().unwrap_or(path);
    let write = || -> io::Result<()> {
        let mut temp = tempfile::Builder::new().prefix(TEMP_PREFIX).tempfile_in(folder)?;
        temp.write_all(text.as_bytes())?;
        temp.as_file().set_permissions(about.permissions())?;
        temp.as_file().sync_all()?;
        temp.persist(path).map(|_| ()).map_err(|error| error.error)
    };
    write()
        .map_err(|error| InitProblem { why: plain(&error), ..refuse("", "Mend the cause and run `s2s init` again.") })
}

impl InitReport {
    /// Makes a file that is not there. The text is made only then: looking at the folder costs time.
    pub(super) fn file(&mut self, path: &Path, text: impl FnOnce() -> String) {
        if path.is_file() {
            return self.kept.push(path.to_owned());
        }
        match write_new(path, &text()) {
            Ok(()) => self.created.push(path.to_owned()),
            // Another `s2s init` was quicker.
            Err(_) if path.is_file() => self.kept.push(path.to_owned()),
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

/// Makes the file, whole, only if nothing is there, even if another process is as quick.
pub(crate) fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut draft = tempfile::Builder::new();
    draft.prefix(TEMP_PREFIX);
    // Temporary files are for one person alone; these are for whoever may read the project.
    #[cfg(unix)]
    draft.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = draft.tempfile_in(path.parent().unwrap_or(path))?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path).map(|_| ()).map_err(|error| error.error)
}

/// The cause itself, without the name of a temporary file.
fn plain(error: &io::Error) -> String {
    let cause = error.get_ref().and_then(Error::source).map(ToString::to_string);
    cause.unwrap_or_else(|| error.to_string())
}

pub(super) fn refusal(path: &Path, error: &io::Error) -> InitProblem {
    let something_there = path.symlink_metadata().is_ok();
    let (why, advice) = match error.kind() {
        _ if path.is_dir() => ("a folder is in its place".to_owned(), "Move the folder away and run `s2s init` again."),
        _ if something_there => ("something else is in its place".to_owned(), "Move it away and run `s2s init` again."),
        ErrorKind::NotFound => {
            ("the folder above it does not exist".to_owned(), "Make it first, or go to the right folder.")
        }
        ErrorKind::PermissionDenied => {
            (plain(error), "Run `s2s init` as a user who may write here, or in a folder of your own.")
        }
        ErrorKind::ReadOnlyFilesystem => (plain(error), "Run `s2s init` on a disk that can be written to."),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => (plain(error), "Make room and run `s2s init` again."),
        _ => (plain(error), "Mend the cause and run `s2s init` again; it completes what is missing."),
    };
    InitProblem { path: path.to_owned(), why, advice }
}

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
        assert!(!first.half_made);
        assert_eq!(find(home.path()).unwrap().dir, first.created[0]);
        let second = init(home.path());
        assert_eq!((names(&second.kept), second.created.len()), (all.map(String::from).to_vec(), 0));
        assert_eq!((second.problems.len(), second.notes.len(), second.half_made), (0, 0, false));
    }

    #[test]
    fn many_at_the_same_time_make_one_project() {
        let home = tempfile::tempdir().unwrap();
        let reports: Vec<InitReport> = std::thread::scope(|scope| {
            let runs: Vec<_> = (0..8).map(|_| scope.spawn(|| init(home.path()))).collect();
            runs.into_iter().map(|run| run.join().unwrap()).collect()
        });
        assert!(reports.iter().all(|report| report.problems.is_empty() && report.notes.is_empty()), "{reports:?}");
        assert_eq!(reports.iter().map(|report| report.created.len()).sum::<usize>(), 6, "each file once");
        assert_eq!(fs::read_dir(home.path().join(FOLDER)).unwrap().count(), 5, "nothing half written is left");
    }

    #[test]
    fn a_file_is_renewed_only_if_it_is_plain_and_still_says_what_was_seen() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join(CONTEXT_FILE);
        fs::write(&path, "old").unwrap();
        renew_context(home.path(), "old", "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        let said = renew_context(home.path(), "old", "newer").unwrap_err().to_string();
        assert!(said.contains("it was changed meanwhile"), "{said}");
        let outside = tempfile::tempdir().unwrap();
        fs::rename(&path, outside.path().join("real.md")).unwrap();
        std::os::unix::fs::symlink(outside.path().join("real.md"), &path).unwrap();
        let said = renew_context(home.path(), "new", "newer").unwrap_err().to_string();
        assert!(said.contains("it is a link"), "{said}");
        assert_eq!(fs::read_to_string(outside.path().join("real.md")).unwrap(), "new");
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
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
        assert!(report.half_made);
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
            "# shop\n\nSells parts to garages.\n\nLanguages: Rust (Cargo.toml).\nPackage managers: cargo.\n\n## Objectives\n\n## Scope\n\n### In\n\n### Out\n\n## Constraints"
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
