//! Files that are either the old or the new one, never half of each.
//! Owns the atomic replacement, the modes of files and folders, limited reading, and the sweep of
//! what a killed process left behind. Deliberately absent: any knowledge of what is in the files.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use crate::error::StoreError;

/// How the names of temporary files begin.
pub(crate) const TEMP_PREFIX: &str = ".s2s-";

/// A temporary file this old belongs to nobody alive: a replacement takes milliseconds.
const STALE_AFTER: Duration = Duration::from_secs(10 * 60);

/// Puts `bytes` at `path`: whoever reads sees all of the old or all of the new text.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    replace_with(path, |file| file.write_all(bytes))
}

/// As [`replace`], with the writing given, so that tests can make it fail half-way.
pub(crate) fn replace_with(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), StoreError> {
    let folder = parent(path)?;
    let failed = || StoreError::io("write", path);
    // Mode 0600 on Unix is the builder's default; the file vanishes if anything below fails.
    let mut temp = tempfile::Builder::new().prefix(TEMP_PREFIX).tempfile_in(folder).map_err(failed())?;
    write(temp.as_file_mut()).map_err(failed())?;
    temp.as_file().sync_all().map_err(failed())?;
    temp.persist(path).map_err(|error| failed()(error.error))?;
    sync_folder(folder)
}

/// Writes, locks and syncs a file in `folder`; it is gone afterwards.
pub(crate) fn try_out(folder: &Path) -> Result<(), StoreError> {
    let mut temp =
        tempfile::Builder::new().prefix(TEMP_PREFIX).tempfile_in(folder).map_err(StoreError::io("write", folder))?;
    temp.as_file_mut().write_all(b"tried\n").map_err(StoreError::io("write", folder))?;
    temp.as_file().try_lock().map_err(|error| StoreError::io("lock a file in", folder)(error.into()))?;
    temp.as_file().sync_all().map_err(StoreError::io("sync", folder))?;
    sync_folder(folder)
}

/// Makes a rename or a new file in `folder` survive a power cut.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), StoreError> {
    if cfg!(unix) {
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(StoreError::io("sync", folder))?;
    }
    Ok(())
}

pub(crate) fn parent(path: &Path) -> Result<&Path, StoreError> {
    path.parent().ok_or_else(|| StoreError::refused(format!("{} has no folder", path.display())))
}

/// Makes a folder that only its owner can enter, with those above it. Says whether it was new.
pub(crate) fn make_folder(path: &Path) -> Result<bool, StoreError> {
    if let Some(above) = path.parent()
        && !above.as_os_str().is_empty()
        && !above.is_dir()
    {
        fs::create_dir_all(above).map_err(StoreError::io("make the folder", above))?;
    }
    match private_folder().create(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(false),
        Err(error) => Err(StoreError::io("make the folder", path)(error)),
    }
}

fn private_folder() -> fs::DirBuilder {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has modes"))]
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

/// Options that make new files readable by their owner only.
pub(crate) fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Reads a whole text file, refusing at once what is larger than `limit`. `None` if there is none.
pub(crate) fn read_text(path: &Path, limit: u64) -> Result<Option<String>, StoreError> {
    let failed = || StoreError::io("read", path);
    // Asked before opening: opening a pipe would wait for ever.
    let meta = match fs::metadata(path) {
        Ok(meta) => meta,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed()(error)),
    };
    if meta.is_dir() {
        return Err(failed()(io::ErrorKind::IsADirectory.into()));
    }
    if !meta.is_file() {
        return Err(StoreError::unreadable(path, 0, "not a regular file"));
    }
    let too_large = |bytes| StoreError::TooLarge { path: path.to_owned(), bytes, limit };
    if meta.len() > limit {
        return Err(too_large(meta.len()));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(meta.len()).unwrap_or(0));
    File::open(path).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes)).map_err(failed())?;
    if bytes.len() as u64 > limit {
        return Err(too_large(bytes.len() as u64));
    }
    String::from_utf8(bytes).map(Some).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..good].iter().filter(|byte| **byte == b'\n').count();
        StoreError::unreadable(path, u32::try_from(line).unwrap_or(0), "not UTF-8 text")
    })
}

/// When this process last looked into which folder.
static SWEPT: Mutex<BTreeMap<PathBuf, SystemTime>> = Mutex::new(BTreeMap::new());

/// Removes temporary files that a killed process left in `folder`, unless this process looked there a short while
/// ago: a folder of thousands of sessions must not be read for every new one. Best effort: what cannot be removed
/// is in nobody's way.
pub(crate) fn sweep(folder: &Path, now: SystemTime) {
    let mut swept = SWEPT.lock().unwrap_or_else(PoisonError::into_inner);
    // What is forgotten is only looked at once more.
    swept.retain(|_, at| now.duration_since(*at).is_ok_and(|age| age < STALE_AFTER));
    if swept.contains_key(folder) || !folder.is_dir() {
        return;
    }
    swept.insert(folder.to_owned(), now);
    drop(swept);
    remove_stale(folder, now);
}

/// Whether a file is called as ours are while they are written. Some locks begin like that, too: others wait at them.
pub(crate) fn is_temporary(name: &str) -> bool {
    name.starts_with(TEMP_PREFIX) && !name.ends_with(".lock")
}

fn remove_stale(folder: &Path, now: SystemTime) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let ours = entry.file_name().to_str().is_some_and(is_temporary);
        if ours && entry.metadata().is_ok_and(|meta| meta.is_file() && is_stale(&meta, now)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

pub(crate) fn is_stale(meta: &fs::Metadata, now: SystemTime) -> bool {
    meta.modified().is_ok_and(|at| now.duration_since(at).is_ok_and(|age| age > STALE_AFTER))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l6_a_write_that_fails_half_way_leaves_the_old_file_and_no_rest() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("minutes.yaml");
        replace(&path, b"old").unwrap();
        let error = replace_with(&path, |file| {
            file.write_all(b"ne")?;
            Err(io::ErrorKind::StorageFull.into())
        })
        .unwrap_err();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert_eq!(error.kind(), crate::Kind::Disk);
        let words = error.to_string();
        assert!(words.contains("minutes.yaml") && words.contains("Free some space"), "{words}");
    }

    #[test]
    fn trying_a_folder_out_leaves_nothing_and_says_what_it_cannot() {
        let folder = tempfile::tempdir().unwrap();
        try_out(folder.path()).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        let gone = folder.path().join("gone");
        assert!(try_out(&gone).unwrap_err().to_string().contains("gone"));
    }

    #[test]
    fn sweep_takes_old_temporary_files_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        for name in [".s2s-dead", "kept.yaml", ".lock", ".s2s-plans.lock"] {
            fs::write(folder.path().join(name), "x").unwrap();
        }
        sweep(folder.path(), SystemTime::now());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4, "a fresh one may be in use");
        sweep(folder.path(), SystemTime::now() + STALE_AFTER * 2);
        let mut left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [".lock", ".s2s-plans.lock", "kept.yaml"]);
    }

    #[test]
    fn a_text_over_the_limit_is_refused_before_it_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("big");
        let file = File::create(&path).unwrap();
        file.set_len(100 << 20).unwrap();
        assert!(matches!(read_text(&path, 1 << 20), Err(StoreError::TooLarge { bytes: 104_857_600, .. })));
        fs::write(&path, b"ok\nok\n\xff").unwrap();
        assert!(matches!(read_text(&path, 1 << 20), Err(StoreError::Unreadable { line: 3, .. })));
        assert_eq!(read_text(&folder.path().join("none"), 1).unwrap(), None);
    }
}
