//! What a driver needs of a session's keeping, and a keeper without a disk.
//! Given new minutes and tape entries; they are safe when the call returns. Deliberately absent:
//! opening and locking, which are between a process and a folder (see `sessions.rs`).

use std::sync::Arc;

use serde_json::Value;

use crate::error::StoreError;
use crate::minutes::Minutes;
use crate::tape::{TapeEntry, TapeLine};
use crate::tape_file::Tape;

/// Keeps one session.
pub trait Keeper: Send {
    /// The minutes as last saved.
    fn minutes(&self) -> &Minutes;

    /// Replaces the minutes. Rounds that were saved before must be in them, unchanged (S3).
    ///
    /// # Errors
    /// If they are not, or if writing fails; then the old minutes stand.
    fn save(&mut self, minutes: Minutes) -> Result<(), StoreError>;

    /// Puts entries at the end of the tape, numbered in order, all in one write. With `sync` they
    /// survive a power cut once this returns; without, a kill of the process.
    ///
    /// # Errors
    /// If writing fails; then none of the entries counts.
    fn append(&mut self, entries: Vec<TapeEntry>, sync: bool) -> Result<(), StoreError>;

    /// The whole tape so far.
    ///
    /// # Errors
    /// If it cannot be read back.
    fn tape(&self) -> Result<Tape, StoreError>;

    /// What was weighed, as kept beside the record; nothing where nothing was, or where nothing is kept beside it.
    ///
    /// # Errors
    /// If it cannot be read back.
    fn matrices(&self) -> Result<Vec<Value>, StoreError> {
        Ok(Vec::new())
    }

    /// Keeps what was weighed beside the record, in place of what was kept before.
    ///
    /// # Errors
    /// If writing fails; then what was kept before stands.
    fn keep_matrices(&mut self, _matrices: &[Value]) -> Result<(), StoreError> {
        Ok(())
    }
}

/// Refuses minutes that are not those before plus something.
pub(crate) fn check_append_only(old: &Minutes, new: &Minutes) -> Result<(), StoreError> {
    if old.id() != new.id() {
        return Err(StoreError::refused(format!("minutes of {} in place of {}", new.id(), old.id())));
    }
    if new.raw_rounds.len() < old.raw_rounds.len() {
        return Err(StoreError::refused(format!("round {} would be lost", old.raw_rounds.len())));
    }
    let changed =
        old.raw_rounds.iter().zip(&new.raw_rounds).position(|(old, new)| !Arc::ptr_eq(old, new) && old != new);
    match changed {
        Some(index) => Err(StoreError::refused(format!("round {} would change", index + 1))),
        None => Ok(()),
    }
}

/// A keeper without a disk, for tests and for embedding.
#[derive(Debug, Clone)]
pub struct InMemory {
    minutes: Minutes,
    lines: Vec<TapeLine>,
    saves: u64,
    matrices: Vec<Value>,
}

impl InMemory {
    /// Keeps a session with an empty tape.
    pub fn new(minutes: Minutes) -> Self {
        Self::with_tape(minutes, Vec::new())
    }

    /// Keeps a session that has a tape already, as after a crash.
    pub fn with_tape(minutes: Minutes, lines: Vec<TapeLine>) -> Self {
        Self { minutes, lines, saves: 0, matrices: Vec::new() }
    }

    /// The lines on the tape.
    pub fn lines(&self) -> &[TapeLine] {
        &self.lines
    }

    /// How often the minutes were saved.
    pub fn saves(&self) -> u64 {
        self.saves
    }

    /// Gives up the minutes and the tape.
    pub fn into_parts(self) -> (Minutes, Vec<TapeLine>) {
        (self.minutes, self.lines)
    }
}

impl Keeper for InMemory {
    fn minutes(&self) -> &Minutes {
        &self.minutes
    }

    fn save(&mut self, minutes: Minutes) -> Result<(), StoreError> {
        check_append_only(&self.minutes, &minutes)?;
        self.minutes = minutes;
        self.saves += 1;
        Ok(())
    }

    fn append(&mut self, entries: Vec<TapeEntry>, _sync: bool) -> Result<(), StoreError> {
        for TapeEntry { at, what } in entries {
            let seq = self.lines.len() as u64 + 1;
            self.lines.push(TapeLine { seq, at, what });
        }
        Ok(())
    }

    fn tape(&self) -> Result<Tape, StoreError> {
        Ok(Tape { lines: self.lines.clone(), torn: None })
    }

    fn matrices(&self) -> Result<Vec<Value>, StoreError> {
        Ok(self.matrices.clone())
    }

    fn keep_matrices(&mut self, matrices: &[Value]) -> Result<(), StoreError> {
        self.matrices = matrices.to_vec();
        Ok(())
    }
}
