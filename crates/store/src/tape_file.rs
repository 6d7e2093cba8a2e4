//! The tape as a file: read line by line, written only at its end.
//! Is given a path; hands on lines, or the first one that does not fit. Only what a dying process
//! can leave, an unfinished last line, is set aside; anything else is refused with its line.
//! Deliberately absent: rewriting. A tape is evidence.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::disk;
use crate::error::StoreError;
use crate::tape::{TapeEntry, TapeLine};

/// The longest line that is read or written.
pub const MAX_LINE: u64 = 64 * 1024 * 1024;

/// A buffer larger than this is given back after the line that needed it.
const KEPT_BUFFER: usize = 1024 * 1024;

/// All lines of a tape.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tape {
    /// In order.
    pub lines: Vec<TapeLine>,
    /// What a dying process left unfinished at the end.
    pub torn: Option<Torn>,
}

/// An unfinished last line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Torn {
    /// Its line number, from 1.
    pub line: u64,
    /// How much of it there is.
    pub bytes: u64,
    /// Where it was put; none where the tape was only read.
    pub moved_to: Option<PathBuf>,
}

/// Reads a whole tape. A missing file is an empty tape.
///
/// # Errors
/// If a line other than an unfinished last one does not fit.
pub fn read_tape(path: &Path) -> Result<Tape, StoreError> {
    let Some(mut reader) = TapeReader::open(path)? else { return Ok(Tape::default()) };
    let lines = reader.by_ref().collect::<Result<Vec<_>, _>>()?;
    Ok(Tape { lines, torn: reader.torn })
}

/// Reads a tape one line at a time: never more than one line is in memory.
#[derive(Debug)]
pub struct TapeReader {
    path: PathBuf,
    file: BufReader<File>,
    buffer: Vec<u8>,
    /// Lines read so far; the last one's number.
    read: u64,
    /// Bytes of whole lines read so far.
    whole: u64,
    /// Whether the last whole line lacks its newline.
    unended: bool,
    torn: Option<Torn>,
    done: bool,
}

impl TapeReader {
    /// Opens a tape; none if there is no such file.
    ///
    /// # Errors
    /// If it exists and cannot be opened.
    pub fn open(path: &Path) -> Result<Option<Self>, StoreError> {
        match File::open(path) {
            Ok(file) => Ok(Some(Self {
                path: path.to_owned(),
                file: BufReader::with_capacity(64 * 1024, file),
                buffer: Vec::new(),
                read: 0,
                whole: 0,
                unended: false,
                torn: None,
                done: false,
            })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StoreError::io("read", path)(error)),
        }
    }

    /// The unfinished last line, once all others are read.
    pub fn torn(&self) -> Option<&Torn> {
        self.torn.as_ref()
    }

    fn read_line(&mut self) -> Result<Option<TapeLine>, StoreError> {
        self.buffer.clear();
        self.buffer.shrink_to(KEPT_BUFFER);
        let mut limited = (&mut self.file).take(MAX_LINE + 1);
        let bytes = limited.read_until(b'\n', &mut self.buffer).map_err(StoreError::io("read", &self.path))? as u64;
        if bytes == 0 {
            return Ok(None);
        }
        let ended = self.buffer.pop_if(|byte| *byte == b'\n').is_some();
        let number = self.read + 1;
        if bytes > MAX_LINE && !ended {
            return Err(self.flaw(number, &format!("a line of more than {} MB", MAX_LINE / (1024 * 1024))));
        }
        match TapeLine::read(&self.buffer) {
            Ok(line) if line.seq != number => {
                Err(self.flaw(number, &format!("entry {} stands where entry {number} is due", line.seq)))
            }
            Ok(line) => {
                self.read = number;
                self.whole += bytes;
                // Whole but for its newline: the reply is there and paid for, so it counts (L7).
                self.unended = !ended;
                Ok(Some(line))
            }
            Err(_) if !ended => {
                self.torn = Some(Torn { line: number, bytes, moved_to: None });
                Ok(None)
            }
            Err(what) => Err(self.flaw(number, &what)),
        }
    }

    fn flaw(&self, line: u64, what: &str) -> StoreError {
        StoreError::unreadable(&self.path, u32::try_from(line).unwrap_or(u32::MAX), what)
    }
}

impl Iterator for TapeReader {
    type Item = Result<TapeLine, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let next = self.read_line().transpose();
        self.done = !matches!(next, Some(Ok(_)));
        next
    }
}

/// What the tape's writer needs of a file. A seam, so that tests can let writing fail.
pub(crate) trait Medium: Send + std::fmt::Debug {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()>;
    fn sync(&mut self) -> io::Result<()>;
    /// Cuts the file to this length and goes on from there.
    fn cut(&mut self, len: u64) -> io::Result<()>;
}

impl Medium for File {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        Write::write_all(self, bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }

    fn cut(&mut self, len: u64) -> io::Result<()> {
        self.set_len(len)?;
        self.seek(SeekFrom::Start(len)).map(drop)
    }
}

/// The end of a tape, to append to.
#[derive(Debug)]
pub(crate) struct TapeWriter<M: Medium = File> {
    path: PathBuf,
    medium: M,
    /// The number of the last entry.
    seq: u64,
    /// The length up to the last whole entry.
    len: u64,
    /// Set when a failed write could not be undone: nothing is appended after a broken line.
    broken: bool,
}

impl TapeWriter {
    /// Opens a tape for appending, making it where there is none. Every line is checked first; an
    /// unfinished last one is moved aside, and said.
    pub(crate) fn open(path: &Path) -> Result<(Self, Option<Torn>), StoreError> {
        let (mut seq, mut len, mut unended, mut torn) = (0, 0, false, None);
        let existing = TapeReader::open(path)?;
        let is_new = existing.is_none();
        if let Some(mut reader) = existing {
            for line in reader.by_ref() {
                line?;
            }
            (seq, len, unended, torn) = (reader.read, reader.whole, reader.unended, reader.torn);
        }
        let failed = || StoreError::io("write", path);
        let mut options = disk::private_file();
        let mut file = options.write(true).create(true).truncate(false).open(path).map_err(failed())?;
        if let Some(torn) = &mut torn {
            torn.moved_to = Some(set_aside(path, len)?);
        }
        file.cut(len).map_err(failed())?;
        if unended {
            Write::write_all(&mut file, b"\n").map_err(failed())?;
            len += 1;
        }
        if torn.is_some() || unended {
            file.sync_data().map_err(failed())?;
        }
        if is_new {
            disk::sync_folder(disk::parent(path)?)?;
        }
        Ok((Self { path: path.to_owned(), medium: file, seq, len, broken: false }, torn))
    }
}

impl<M: Medium> TapeWriter<M> {
    /// Appends entries in one write; with `sync`, they are on the disk when this returns.
    pub(crate) fn append(&mut self, entries: Vec<TapeEntry>, sync: bool) -> Result<(), StoreError> {
        if self.broken {
            let what = "the line before could not be finished";
            return Err(StoreError::io("write", &self.path)(io::Error::other(what)));
        }
        let too_long = || StoreError::refused(format!("a tape entry of more than {} MB", MAX_LINE / (1024 * 1024)));
        // Seen before anything is copied: what is far too long must not cost memory twice.
        if entries.iter().any(|entry| entry.what.least_len() as u64 > MAX_LINE) {
            return Err(too_long());
        }
        // Texts with some escapes; a longer one makes room by itself.
        let mut bytes = Vec::with_capacity(entries.iter().map(|entry| entry.what.least_len() * 9 / 8 + 512).sum());
        let mut seq = self.seq;
        for TapeEntry { at, what } in entries {
            seq += 1;
            let start = bytes.len();
            let line = TapeLine { seq, at, what };
            line.write(&mut bytes).map_err(|error| StoreError::refused(format!("a tape entry: {error}")))?;
            if (bytes.len() - start) as u64 > MAX_LINE {
                return Err(too_long());
            }
        }
        let written = self.medium.write_all(&bytes).and_then(|()| if sync { self.medium.sync() } else { Ok(()) });
        if let Err(error) = written {
            // Half a line must not stay under the next one: a tape broken in the middle is refused.
            self.broken = self.medium.cut(self.len).is_err();
            return Err(StoreError::io("write", &self.path)(error));
        }
        self.seq = seq;
        self.len += bytes.len() as u64;
        Ok(())
    }
}

/// Copies what follows `len` into `tape.torn-N` beside the tape, safely, before the tape is cut.
pub(crate) fn set_aside(path: &Path, len: u64) -> Result<PathBuf, StoreError> {
    let free = (1_u32..).map(|n| path.with_extension(format!("torn-{n}"))).find(|aside| !aside.exists());
    let aside = free.ok_or_else(|| StoreError::refused("no free name for an unfinished line"))?;
    let failed = || StoreError::io("read", path);
    let mut file = File::open(path).map_err(failed())?;
    file.seek(SeekFrom::Start(len)).map_err(failed())?;
    let mut rest = Vec::new();
    file.read_to_end(&mut rest).map_err(failed())?;
    disk::replace(&aside, &rest)?;
    Ok(aside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tape::{Opened, Taped};

    /// A file in memory that takes so many bytes, then fails.
    #[derive(Debug, Default)]
    struct Failing {
        bytes: Vec<u8>,
        room: usize,
        syncs: u32,
        cut_fails: bool,
        sync_fails: bool,
    }

    impl Medium for Failing {
        fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
            let taken = bytes.len().min(self.room);
            self.bytes.extend_from_slice(&bytes[..taken]);
            self.room -= taken;
            if taken == bytes.len() { Ok(()) } else { Err(io::ErrorKind::StorageFull.into()) }
        }

        fn sync(&mut self) -> io::Result<()> {
            self.syncs += 1;
            if self.sync_fails { Err(io::Error::other("lost")) } else { Ok(()) }
        }

        fn cut(&mut self, len: u64) -> io::Result<()> {
            if self.cut_fails {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.bytes.truncate(usize::try_from(len).unwrap());
            Ok(())
        }
    }

    fn writer(medium: Failing) -> TapeWriter<Failing> {
        TapeWriter { path: "tape.jsonl".into(), medium, seq: 0, len: 0, broken: false }
    }

    fn entry() -> TapeEntry {
        TapeEntry { at: "2026-03-04T03:06:07Z".parse().unwrap(), what: Taped::Opened(Opened::default()) }
    }

    /// The lines on the medium, by their numbers.
    fn seqs(bytes: &[u8]) -> Vec<u64> {
        let lines = bytes.split_inclusive(|byte| *byte == b'\n');
        lines.map(|line| TapeLine::read(line.strip_suffix(b"\n").unwrap()).unwrap().seq).collect()
    }

    #[test]
    fn l7_a_full_disk_at_any_byte_leaves_whole_lines_and_the_next_append_goes_on() {
        let mut whole = writer(Failing { room: 4096, ..Failing::default() });
        whole.append(vec![entry(), entry()], false).unwrap();
        for room in 0..whole.medium.bytes.len() {
            let mut tape = writer(Failing { room, ..Failing::default() });
            let error = tape.append(vec![entry(), entry()], true).unwrap_err();
            assert!(error.to_string().contains("tape.jsonl"), "{error}");
            assert_eq!(seqs(&tape.medium.bytes), [0; 0]);
            tape.medium.room = 4096;
            tape.append(vec![entry()], false).unwrap();
            assert_eq!(seqs(&tape.medium.bytes), [1]);
        }
    }

    #[test]
    fn l7_nothing_is_appended_after_half_a_line_that_could_not_be_taken_back() {
        let mut tape = writer(Failing { room: 10, cut_fails: true, ..Failing::default() });
        tape.append(vec![entry()], false).unwrap_err();
        tape.medium.room = 4096;
        tape.append(vec![entry()], false).unwrap_err();
        assert_eq!(tape.medium.bytes.len(), 10);
    }

    #[test]
    fn l7_only_what_asks_for_it_is_synced_and_a_failed_sync_is_an_error() {
        let mut tape = writer(Failing { room: 4096, ..Failing::default() });
        tape.append(vec![entry()], false).unwrap();
        assert_eq!(tape.medium.syncs, 0);
        tape.append(vec![entry()], true).unwrap();
        assert_eq!(tape.medium.syncs, 1);
        tape.medium.sync_fails = true;
        tape.append(vec![entry()], true).unwrap_err();
        assert_eq!(seqs(&tape.medium.bytes), [1, 2], "what is not safe does not count");
    }
}
