//! Bytes that should be text: decided once for CONTEXT.md and for attachments.
//! Given a reader and a bound; hands on text, or why it is none. Reads at most one byte past the bound,
//! so an endless or huge file costs no more than a large one. Deliberately absent: names and advice,
//! which the callers know.

use std::io::{self, Read};

/// Why bytes are not taken as text.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotText {
    #[error("it cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    #[error("it is larger than {} kB", .limit / 1024)]
    TooLarge { limit: u64 },
    #[error("it is UTF-16 text; save it as UTF-8")]
    Utf16,
    #[error("it is binary (a NUL byte in line {line})")]
    Nul { line: usize },
    #[error("it is not UTF-8 text (line {line})")]
    Utf8 { line: usize },
}

pub(super) fn read(from: impl Read, limit: u64) -> Result<String, NotText> {
    let mut bytes = Vec::new();
    from.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(NotText::TooLarge { limit });
    }
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        return Err(NotText::Utf16);
    }
    let line_at = |at: usize| bytes[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        return Err(NotText::Nul { line: line_at(at) });
    }
    match std::str::from_utf8(&bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{FEFF}').unwrap_or(text).to_owned()),
        Err(error) => Err(NotText::Utf8 { line: line_at(error.valid_up_to()) }),
    }
}
