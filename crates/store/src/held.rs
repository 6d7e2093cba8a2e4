//! One session on disk, under its lock.
//! Made by [`Sessions`](crate::Sessions); as long as it lives, no other process can drive the
//! session (S6). Deliberately absent: the name of the current session, which is the command line's.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use crate::disk;
use crate::error::StoreError;
use crate::keeper::{Keeper, check_append_only};
use crate::matrices;
use crate::minutes::Minutes;
use crate::tape::TapeEntry;
use crate::tape_file::{Tape, TapeWriter, Torn, read_tape};

/// A session on disk that this process drives.
#[derive(Debug)]
pub struct Held {
    minutes: Minutes,
    minutes_path: PathBuf,
    tape_path: PathBuf,
    tape: TapeWriter,
    torn: Option<Torn>,
    /// Released by the operating system when this is dropped, also after a kill.
    _lock: File,
}

impl Held {
    pub(crate) fn new(
        minutes: Minutes,
        minutes_path: PathBuf,
        tape_path: PathBuf,
        lock: File,
    ) -> Result<Self, StoreError> {
        let (tape, torn) = TapeWriter::open(&tape_path)?;
        Ok(Self { minutes, minutes_path, tape_path, tape, torn, _lock: lock })
    }

    /// What a dying process left at the end of the tape, and where it was put.
    pub fn torn(&self) -> Option<&Torn> {
        self.torn.as_ref()
    }

    /// The path of the minutes.
    pub fn minutes_path(&self) -> &Path {
        &self.minutes_path
    }

    /// The path of the tape.
    pub fn tape_path(&self) -> &Path {
        &self.tape_path
    }

    /// Where what was weighed is kept: beside the tape.
    fn matrices_path(&self) -> PathBuf {
        self.tape_path.with_file_name(matrices::FILE)
    }

    pub(crate) fn write_minutes(&self) -> Result<(), StoreError> {
        disk::replace(&self.minutes_path, self.minutes.to_yaml()?.as_bytes())
    }
}

impl Keeper for Held {
    fn minutes(&self) -> &Minutes {
        &self.minutes
    }

    fn save(&mut self, minutes: Minutes) -> Result<(), StoreError> {
        check_append_only(&self.minutes, &minutes)?;
        disk::replace(&self.minutes_path, minutes.to_yaml()?.as_bytes())?;
        self.minutes = minutes;
        Ok(())
    }

    fn append(&mut self, entries: Vec<TapeEntry>, sync: bool) -> Result<(), StoreError> {
        self.tape.append(entries, sync)
    }

    fn tape(&self) -> Result<Tape, StoreError> {
        read_tape(&self.tape_path)
    }

    fn matrices(&self) -> Result<Vec<Value>, StoreError> {
        matrices::read(&self.matrices_path())
    }

    fn keep_matrices(&mut self, kept: &[Value]) -> Result<(), StoreError> {
        matrices::write(&self.matrices_path(), kept)
    }
}

/// How often a taken lock is tried, and how long between: `is_held` of another process takes it for
/// some microseconds, and that must not refuse a driver.
const TRIES: u32 = 3;
const BETWEEN_TRIES: Duration = Duration::from_millis(20);

/// Takes the lock of a session, or says who has it.
pub(crate) fn lock(path: &Path, id: &str) -> Result<File, StoreError> {
    let failed = || StoreError::io("lock", path);
    let mut options = disk::private_file();
    let mut file = options.read(true).write(true).create(true).truncate(false).open(path).map_err(failed())?;
    for left in (0..TRIES).rev() {
        match file.try_lock() {
            Ok(()) => {
                // For the words of whoever is refused; nothing depends on it.
                let _ = file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
                return Ok(file);
            }
            Err(TryLockError::WouldBlock) if left > 0 => std::thread::sleep(BETWEEN_TRIES),
            Err(TryLockError::WouldBlock) => break,
            Err(TryLockError::Error(error)) => return Err(failed()(error)),
        }
    }
    Err(StoreError::Locked { id: id.to_owned(), pid: holder(&mut file) })
}

fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.seek(SeekFrom::Start(0)).ok()?;
    file.take(20).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

/// Who drives a session at this moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holder {
    /// The process, where it said so.
    pub pid: Option<u32>,
}

/// Who holds the lock, this process included.
pub(crate) fn locked_by(path: &Path) -> Result<Option<Holder>, StoreError> {
    match File::open(path) {
        Ok(mut file) => match file.try_lock_shared() {
            Ok(()) => Ok(None),
            Err(TryLockError::WouldBlock) => Ok(Some(Holder { pid: holder(&mut file) })),
            Err(TryLockError::Error(error)) => Err(StoreError::io("lock", path)(error)),
        },
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(StoreError::io("lock", path)(error)),
    }
}
