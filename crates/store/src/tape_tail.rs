//! A tape as it grows: each look reads only the bytes that are new.
//! Is given the path of a tape that another process writes; hands on the whole lines that came since the last look.
//! A line that is not finished yet is left for the next look. Deliberately absent: waiting, locks, and writing.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::error::StoreError;
use crate::tape::TapeLine;
use crate::tape_file::MAX_LINE;

/// The end of a tape, to read on from.
#[derive(Debug)]
pub struct TapeTail {
    path: PathBuf,
    /// Bytes of whole lines read so far.
    at: u64,
    /// The number of the last line.
    read: u64,
}

impl TapeTail {
    /// At the start of a tape, which need not be there yet.
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), at: 0, read: 0 }
    }

    /// The lines that came since the last look; none where there is no tape yet.
    ///
    /// # Errors
    /// If a whole line does not fit, or what was read before is not there any more.
    pub fn look(&mut self) -> Result<Vec<TapeLine>, StoreError> {
        let failed = || StoreError::io("read", &self.path);
        let mut file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound && self.at == 0 => return Ok(Vec::new()),
            Err(error) => return Err(failed()(error)),
        };
        let len = file.metadata().map_err(failed())?.len();
        if len == self.at {
            return Ok(Vec::new());
        }
        if len < self.at {
            let what = "the tape has become shorter since it was last read: a write that failed was taken back";
            return Err(StoreError::unreadable(&self.path, line_number(self.read), what));
        }
        file.seek(SeekFrom::Start(self.at)).map_err(failed())?;
        let mut reader = BufReader::with_capacity(64 * 1024, file);
        let (mut lines, mut buffer) = (Vec::new(), Vec::new());
        loop {
            buffer.clear();
            let bytes = (&mut reader).take(MAX_LINE + 1).read_until(b'\n', &mut buffer).map_err(failed())? as u64;
            // Whoever writes has not finished it, or died over it; a driver that takes up the session sets that aside.
            if buffer.pop_if(|byte| *byte == b'\n').is_none() {
                return Ok(lines);
            }
            let line = TapeLine::read(&buffer).and_then(|line| match line.seq == self.read + 1 {
                true => Ok(line),
                false => Err(format!("entry {} stands where entry {} is due", line.seq, self.read + 1)),
            });
            let number = line_number(self.read + 1);
            lines.push(line.map_err(|what| StoreError::unreadable(&self.path, number, what))?);
            self.at += bytes;
            self.read += 1;
        }
    }
}

fn line_number(line: u64) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;
    use crate::tape::{Opened, TapeEntry, Taped};
    use crate::tape_file::TapeWriter;

    fn entry() -> TapeEntry {
        TapeEntry { at: "2026-03-04T03:06:07Z".parse().unwrap(), what: Taped::Opened(Opened::default()) }
    }

    fn seqs(tail: &mut TapeTail) -> Vec<u64> {
        tail.look().unwrap().iter().map(|line| line.seq).collect()
    }

    #[test]
    fn each_look_gives_what_is_new_and_half_a_line_waits_for_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tape.jsonl");
        let mut tail = TapeTail::new(&path);
        assert_eq!(seqs(&mut tail), [0; 0], "no tape yet");
        let (mut writer, _) = TapeWriter::open(&path).unwrap();
        writer.append(vec![entry(), entry()], false).unwrap();
        assert_eq!(seqs(&mut tail), [1, 2]);
        assert_eq!(seqs(&mut tail), [0; 0]);
        let mut next = Vec::new();
        TapeLine { seq: 3, at: entry().at, what: entry().what }.write(&mut next).unwrap();
        let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
        for byte in &next[..next.len() - 1] {
            file.write_all(&[*byte]).unwrap();
            assert_eq!(seqs(&mut tail), [0; 0], "not before its newline");
        }
        file.write_all(b"\n").unwrap();
        assert_eq!(seqs(&mut tail), [3]);
    }

    #[test]
    fn a_line_that_does_not_fit_and_a_tape_that_was_cut_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tape.jsonl");
        let (mut writer, _) = TapeWriter::open(&path).unwrap();
        writer.append(vec![entry()], false).unwrap();
        let mut tail = TapeTail::new(&path);
        assert_eq!(seqs(&mut tail), [1]);
        fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{}\n").unwrap();
        assert!(tail.look().unwrap_err().to_string().contains("checksum"));
        fs::write(&path, b"").unwrap();
        assert!(tail.look().unwrap_err().to_string().contains("shorter"));
    }
}
