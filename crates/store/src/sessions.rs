//! The folder of sessions: making, finding, opening and listing them.
//! Rooted at a project's `.s2s` folder. Deliberately absent: choosing a session for anybody, and
//! anything that happens inside one.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::disk;
use crate::error::StoreError;
use crate::held::{self, Held, Holder};
use crate::listing::{self, Listed};
use crate::minutes::Minutes;
use crate::state;
use crate::tape_file::{Tape, read_tape};

/// The longest id: what the file systems in use allow, with room for an extension.
const MAX_ID: usize = 120;

/// How many ids a wrong one is answered with.
const MAX_SUGGESTED: usize = 3;

/// The sessions of a project.
#[derive(Debug, Clone)]
pub struct Sessions {
    root: PathBuf,
}

/// The right to choose numbers; released when dropped, also after a kill.
#[derive(Debug)]
pub struct NumbersLock {
    _file: fs::File,
}

impl Sessions {
    /// The sessions under a `.s2s` folder, which need not exist yet.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The `.s2s` folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of the session files.
    pub fn folder(&self) -> PathBuf {
        self.root.join("sessions")
    }

    /// Where the minutes of a session are.
    pub fn minutes_path(&self, id: &str) -> PathBuf {
        self.folder().join(format!("{id}.yaml"))
    }

    /// Where the tape of a session is.
    pub fn tape_path(&self, id: &str) -> PathBuf {
        self.folder().join(id).join("tape.jsonl")
    }

    /// Where what was asked of a session's seats afterwards is.
    pub fn asides_path(&self, id: &str) -> PathBuf {
        self.folder().join(id).join("asides.jsonl")
    }

    /// Where what a session weighed is.
    pub fn matrices_path(&self, id: &str) -> PathBuf {
        self.folder().join(id).join(crate::matrices::FILE)
    }

    pub(crate) fn lock_path(&self, id: &str) -> PathBuf {
        self.folder().join(id).join(".lock")
    }

    /// Writes a new session and holds it.
    ///
    /// # Errors
    /// If the id is taken or cannot be one, or if writing fails; then nothing of it is left.
    pub fn create(&self, minutes: Minutes) -> Result<Held, StoreError> {
        let id = minutes.id().to_owned();
        check_id(&id)?;
        let folder = self.folder();
        if disk::make_folder(&folder)? {
            disk::sync_folder(&self.root)?;
        }
        self.sweep(&id);
        let own = folder.join(&id);
        let path = self.minutes_path(&id);
        // Making the folder is the claim: of two processes, one makes it.
        if path.exists() || !disk::make_folder(&own)? {
            return Err(StoreError::Exists { id });
        }
        let made = held::lock(&self.lock_path(&id), &id)
            .and_then(|lock| Held::new(minutes, path, self.tape_path(&id), lock))
            .and_then(|held| held.write_minutes().map(|()| held));
        if made.is_err() {
            // Best effort: without minutes it is no session, and the id stays taken if this fails.
            let _ = fs::remove_dir_all(&own);
        }
        made
    }

    /// Held while the numbers of a new session's artifacts are chosen and the session is made, so that no two
    /// sessions are given the same ones. Waits for whoever has it.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn lock_numbers(&self) -> Result<NumbersLock, StoreError> {
        disk::make_folder(&self.folder())?;
        let path = self.folder().join(".numbers.lock");
        let failed = || StoreError::io("lock", &path);
        let mut options = disk::private_file();
        let file = options.read(true).write(true).create(true).truncate(false).open(&path).map_err(failed())?;
        file.lock().map_err(failed())?;
        Ok(NumbersLock { _file: file })
    }

    /// Takes the lock of a session and reads it (S6). An unfinished last line of its tape is set
    /// aside; [`Held::torn`] says so.
    ///
    /// # Errors
    /// If there is none, another process holds it, or a file does not fit.
    pub fn open(&self, id: &str) -> Result<Held, StoreError> {
        check_id(id)?;
        let path = self.minutes_path(id);
        if !path.exists() {
            return Err(self.unknown(id));
        }
        // Legacy sessions have no folder of their own yet.
        disk::make_folder(&self.folder().join(id))?;
        let lock = held::lock(&self.lock_path(id), id)?;
        self.sweep(id);
        // Read under the lock: what was there before may be older than the last driver's commit.
        let minutes = self.read(id)?;
        Held::new(minutes, path, self.tape_path(id), lock)
    }

    /// Reads the minutes of a session, whoever holds it.
    ///
    /// # Errors
    /// If there is none, or the file does not hold together.
    pub fn read(&self, id: &str) -> Result<Minutes, StoreError> {
        check_id(id)?;
        let path = self.minutes_path(id);
        let text = disk::read_text(&path, s2s_yaml::MAX_BYTES as u64)?.ok_or_else(|| self.unknown(id))?;
        let minutes = Minutes::parse(&text, &path)?;
        if minutes.id() != id {
            return Err(StoreError::unreadable(
                &path,
                0,
                format!("the file holds another session, `{}`", minutes.id()),
            ));
        }
        Ok(minutes)
    }

    /// Reads the tape of a session, whoever holds it. A session without one has an empty tape.
    ///
    /// # Errors
    /// If a line other than an unfinished last one does not fit.
    pub fn tape(&self, id: &str) -> Result<Tape, StoreError> {
        check_id(id)?;
        read_tape(&self.tape_path(id))
    }

    /// The ids of all sessions, in order, without a look into any of them.
    ///
    /// # Errors
    /// If the folder itself cannot be read.
    pub fn ids(&self) -> Result<Vec<String>, StoreError> {
        listing::ids(&self.folder())
    }

    /// One row per session, in the order they began. A damaged file is a row with its problem.
    ///
    /// # Errors
    /// If the folder itself cannot be read.
    pub fn list(&self) -> Result<Vec<Listed>, StoreError> {
        Ok(self.rows_of(self.ids()?))
    }

    /// The session that began last.
    ///
    /// # Errors
    /// If the folder itself cannot be read.
    pub fn newest(&self) -> Result<Option<String>, StoreError> {
        let mut ids = self.ids()?;
        let Some(second) = ids.last().map(|id| listing::stamp(id).to_owned()) else { return Ok(None) };
        // Only those of the last second are looked into.
        ids.retain(|id| listing::stamp(id) == second);
        Ok(self.rows_of(ids).pop().map(|row| row.id))
    }

    fn rows_of(&self, ids: Vec<String>) -> Vec<Listed> {
        let mut rows: Vec<Listed> = ids.into_iter().map(|id| listing::look(&self.minutes_path(&id), id)).collect();
        listing::in_order(&mut rows);
        rows
    }

    /// The full id for an id or the unique start of one.
    ///
    /// # Errors
    /// If none or several fit; with suggestions.
    pub fn resolve(&self, asked: &str) -> Result<String, StoreError> {
        check_id(asked)?;
        let ids = listing::ids(&self.folder())?;
        if ids.iter().any(|id| id == asked) {
            return Ok(asked.to_owned());
        }
        let mut fitting: Vec<&String> = ids.iter().filter(|id| id.starts_with(asked)).collect();
        match fitting.len() {
            0 => Err(StoreError::Unknown { asked: asked.to_owned(), near: nearest(asked, &ids) }),
            1 => Ok(fitting.remove(0).clone()),
            _ => {
                let candidates = fitting.into_iter().cloned().collect();
                Err(StoreError::Ambiguous { asked: asked.to_owned(), candidates })
            }
        }
    }

    /// The id itself, or with the first number that makes it unique in the folder (S1).
    pub fn free_id(&self, base: &str) -> String {
        let folder = self.folder();
        let is_free = |id: &String| !self.minutes_path(id).exists() && !folder.join(id).exists();
        let numbered = (2_u32..).map(|n| format!("{base}-{n}"));
        std::iter::once(base.to_owned()).chain(numbered).find(is_free).unwrap_or_else(|| base.to_owned())
    }

    /// The session the command line is at (S5).
    ///
    /// # Errors
    /// If `state.yaml` cannot be read.
    pub fn current(&self) -> Result<Option<String>, StoreError> {
        state::current(&self.root.join("state.yaml"))
    }

    /// Sets the session the command line is at; other fields of the file are kept.
    ///
    /// # Errors
    /// If `state.yaml` cannot be read or written.
    pub fn set_current(&self, id: Option<&str>) -> Result<(), StoreError> {
        if !self.root.is_dir() {
            fs::create_dir_all(&self.root).map_err(StoreError::io("make the folder", &self.root))?;
        }
        state::set_current(&self.root.join("state.yaml"), id)
    }

    /// Whether somebody drives the session at this moment, this process included.
    ///
    /// # Errors
    /// If the lock cannot be tried.
    pub fn is_held(&self, id: &str) -> Result<bool, StoreError> {
        Ok(self.holder(id)?.is_some())
    }

    /// Who drives the session at this moment, this process included.
    ///
    /// # Errors
    /// If the lock cannot be tried.
    pub fn holder(&self, id: &str) -> Result<Option<Holder>, StoreError> {
        check_id(id)?;
        held::locked_by(&self.lock_path(id))
    }

    /// Tries what every session needs of the disk: a file is written, locked, synced and removed again.
    ///
    /// # Errors
    /// What could not be done, and to which folder.
    pub fn try_out(&self) -> Result<(), StoreError> {
        let folder = self.folder();
        disk::try_out(if folder.is_dir() { &folder } else { &self.root })
    }

    /// Clears away what killed processes left in the folders about to be written to.
    fn sweep(&self, id: &str) {
        let now = SystemTime::now();
        for folder in [self.root.clone(), self.folder(), self.folder().join(id)] {
            disk::sweep(&folder, now);
        }
    }

    pub(crate) fn unknown(&self, id: &str) -> StoreError {
        let near = listing::ids(&self.folder()).map(|ids| nearest(id, &ids)).unwrap_or_default();
        StoreError::Unknown { asked: id.to_owned(), near }
    }
}

/// Ids become file names: nothing that leaves the folder, hides a file or needs quoting.
pub(crate) fn check_id(id: &str) -> Result<(), StoreError> {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    if id.is_empty() || id.len() > MAX_ID || id.starts_with('.') || id.contains("..") || !id.chars().all(fits) {
        let asked = id.chars().take(60).flat_map(char::escape_default).collect();
        return Err(StoreError::BadId { asked });
    }
    Ok(())
}

/// The ids most like the one asked for: those that contain it, newest first, then by likeness.
fn nearest(asked: &str, ids: &[String]) -> Vec<String> {
    let mut near: Vec<&String> = ids.iter().rev().filter(|id| id.contains(asked)).collect();
    let mut alike: Vec<(f64, &String)> = ids
        .iter()
        .filter(|id| !near.contains(id))
        .map(|id| {
            let slug = id.get(16..).unwrap_or(id);
            (strsim::jaro_winkler(asked, id).max(strsim::jaro_winkler(asked, slug)), id)
        })
        .filter(|(likeness, _)| *likeness > 0.8)
        .collect();
    alike.sort_by(|a, b| b.0.total_cmp(&a.0));
    near.extend(alike.into_iter().map(|(_, id)| id));
    near.into_iter().take(MAX_SUGGESTED).cloned().collect()
}
