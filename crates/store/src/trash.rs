//! Putting things away: into `.s2s/trash/TIME/`, from where they can be taken back, or for good.
//! Is given a [`Leftover`]; moves or deletes its files, a session's only under its lock and only while it is still
//! complete or archived. The minutes go first: what is interrupted leaves a folder without minutes, never minutes
//! without their tape. Deliberately absent: what is to be put away, and asking.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::disk;
use crate::error::StoreError;
use crate::held;
use crate::leftovers::{Leftover, LeftoverKind, folders, size};
use crate::nouns::Status;
use crate::sessions::Sessions;

/// Beside the sessions, inside the `.s2s` folder.
const FOLDER: &str = "trash";
/// What was put away is of one machine and one moment.
const GITIGNORE: &str = "# Written by `s2s session cleanup`: what was put away is not kept by Git.\n*\n";

/// Where things go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Away {
    /// Into this folder of the trash.
    Trash(PathBuf),
    /// They are deleted.
    Gone,
}

impl Sessions {
    /// Makes a new folder of the trash, called after the time.
    ///
    /// # Errors
    /// If it cannot be made, or if something else is in its place.
    pub fn new_trash(&self, at: Timestamp) -> Result<Away, StoreError> {
        let trash = self.root().join(FOLDER);
        if fs::symlink_metadata(&trash).is_ok_and(|meta| !meta.is_dir()) {
            // A link could lead anywhere; what is put away stays in the project.
            return Err(StoreError::io("make the folder", &trash)(io::ErrorKind::AlreadyExists.into()));
        }
        if disk::make_folder(&trash)? {
            disk::sync_folder(self.root())?;
        }
        let ignored = trash.join(".gitignore");
        if !ignored.exists() {
            disk::replace(&ignored, GITIGNORE.as_bytes())?;
        }
        let name = at.strftime("%Y%m%d-%H%M%S").to_string();
        let numbered = (2_u32..).map(|n| format!("{name}-{n}"));
        for name in std::iter::once(name.clone()).chain(numbered) {
            let batch = trash.join(name);
            if disk::make_folder(&batch)? {
                return Ok(Away::Trash(batch));
            }
        }
        Err(StoreError::refused("no free name in the trash"))
    }

    /// Puts one thing away.
    ///
    /// # Errors
    /// If somebody drives the session or it is open again, or if moving or deleting fails. What was moved before
    /// that stays in the trash.
    pub fn put_away(&self, leftover: &Leftover, away: &Away) -> Result<(), StoreError> {
        let mut lock = self.locked(leftover)?;
        for path in &leftover.paths {
            if fs::symlink_metadata(path).is_ok_and(|meta| meta.is_dir()) {
                // Some systems move no folder with an open file in it, and without minutes nobody can open it.
                lock = None;
            }
            match away {
                Away::Trash(batch) => move_to(path, self.root(), batch)?,
                Away::Gone => delete(path)?,
            }
            disk::sync_folder(disk::parent(path)?)?;
        }
        drop(lock);
        if leftover.kind == LeftoverKind::Session {
            // A session of the plugin had no folder before it was locked.
            let _ = fs::remove_file(self.lock_path(&leftover.name));
            let _ = fs::remove_dir(self.folder().join(&leftover.name));
        }
        Ok(())
    }

    /// The lock of the session that a thing belongs to; what was taken up again since it was looked at is refused.
    fn locked(&self, leftover: &Leftover) -> Result<Option<File>, StoreError> {
        let id = &leftover.name;
        if matches!(leftover.kind, LeftoverKind::Temporary | LeftoverKind::Trash) {
            return Ok(None);
        }
        disk::make_folder(&self.folder().join(id))?;
        let lock = held::lock(&self.lock_path(id), id)?;
        let now = match leftover.kind {
            LeftoverKind::Orphan if !self.minutes_path(id).exists() => return Ok(Some(lock)),
            _ => self.read(id)?.status(),
        };
        let ended = matches!(now, Status::Completed | Status::Archived);
        match ended && leftover.kind != LeftoverKind::Orphan {
            true => Ok(Some(lock)),
            false => Err(StoreError::Reopened { id: id.clone(), status: now }),
        }
    }
}

/// What was put away before a time, one leftover for each folder of the trash.
pub(crate) fn batches(root: &Path, before: Timestamp) -> Vec<Leftover> {
    let old = folders(&root.join(FOLDER)).into_iter().filter_map(|path| {
        let modified = fs::symlink_metadata(&path).ok()?.modified().ok()?;
        let since = Timestamp::try_from(modified).ok().filter(|since| *since < before)?;
        Some(Leftover {
            kind: LeftoverKind::Trash,
            name: path.file_name()?.to_string_lossy().into_owned(),
            topic: String::new(),
            status: None,
            since: Some(since),
            bytes: size(&path, 0),
            paths: vec![path],
        })
    });
    old.collect()
}

/// Moves a file or folder to the same place below the batch. Nothing is overwritten.
fn move_to(path: &Path, root: &Path, batch: &Path) -> Result<(), StoreError> {
    let elsewhere = || Path::new("elsewhere").join(path.file_name().unwrap_or_default());
    let place = batch.join(path.strip_prefix(root).map_or_else(|_| elsewhere(), Path::to_owned));
    let failed = || StoreError::io("move to the trash", path);
    let above = disk::parent(&place)?;
    fs::create_dir_all(above).map_err(failed())?;
    if fs::symlink_metadata(&place).is_ok() {
        return Err(failed()(io::ErrorKind::AlreadyExists.into()));
    }
    match fs::rename(path, &place) {
        Ok(()) => disk::sync_folder(above),
        // It was put away by somebody else, which is what was wanted.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(failed()(error)),
    }
}

/// Deletes a file, a link or a whole folder. Links in it are deleted, not followed.
fn delete(path: &Path) -> Result<(), StoreError> {
    let deleted = match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match deleted {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StoreError::io("delete", path)(error)),
        _ => Ok(()),
    }
}
