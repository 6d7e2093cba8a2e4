//! Why the store could not do what it was asked to.
//! Every error names the file or session, the cause, and what to do next; [`Kind`] sorts them for
//! exit codes. Deliberately absent: recovery. The store refuses; a person decides.

use std::io;
use std::path::{Path, PathBuf};

/// What sort of trouble it is, for whoever maps errors to exit codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The caller named something that does not exist or cannot be a name.
    Usage,
    /// Another process drives the session.
    Busy,
    /// A file was edited, cut or damaged.
    Damaged,
    /// A file was written by a newer version.
    Newer,
    /// The operating system refused to read or write.
    Disk,
    /// The program tried something that the store never does.
    Misuse,
}

/// An error of the store.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Reading or writing failed.
    #[error("cannot {doing} {}: {source}. {}", path.display(), advice(source))]
    Io {
        /// What was being done, as a verb.
        doing: &'static str,
        /// To what.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// A file is larger than is ever read.
    #[error("{} is too large: {bytes} bytes, at most {limit} are read. Move it out of the folder", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
        /// The most that is read.
        limit: u64,
    },
    /// A file cannot be understood.
    #[error("{}{}: {what}. Nothing was changed; restore the file from a backup or version control", path.display(), colon(*line))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The line, from 1; 0 where unknown.
        line: u32,
        /// The column, from 1, in characters; 0 where unknown.
        column: u32,
        /// What is wrong.
        what: String,
    },
    /// A committed round does not fit its digest (S3).
    #[error(
        "{}{}: {} as it was committed: the digest of round {round} does not hold. Rounds are never changed; \
         restore the file from a backup or version control", path.display(), colon(*line), covered(*round, *since)
    )]
    BrokenChain {
        /// The file.
        path: PathBuf,
        /// The line where the round starts, from 1; 0 where unknown.
        line: u32,
        /// The first round whose digest does not hold.
        round: u32,
        /// The first round that this digest covers; 0 where it covers the head of the file too.
        since: u32,
    },
    /// What stands after the rounds, or the head of a session without rounds, does not fit the seal.
    #[error(
        "{}{}: the seal does not hold: {what} changed since the last commit. Restore the file from a backup or \
         version control", path.display(), colon(*line)
    )]
    BrokenSeal {
        /// The file.
        path: PathBuf,
        /// The line of the seal, from 1; 0 where there is none.
        line: u32,
        /// What the seal covers.
        what: &'static str,
    },
    /// The file's schema is newer than this program.
    #[error("{}: written by a newer s2s (schema {found}, this one knows {known}). Update s2s", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema.
        found: u64,
        /// The newest known schema.
        known: u64,
    },
    /// Another process holds the session's lock (S6).
    #[error("session {id} is being driven by another process{}. Wait for it, or stop it", by(*pid))]
    Locked {
        /// The session.
        id: String,
        /// The process, where it said so.
        pid: Option<u32>,
    },
    /// No session has this id or prefix.
    #[error("no session `{asked}`{}", suggested(near))]
    Unknown {
        /// What was asked for.
        asked: String,
        /// The nearest ids.
        near: Vec<String>,
    },
    /// Several sessions have this prefix.
    #[error("`{asked}` could be any of: {}. Give more of the id", candidates.join(", "))]
    Ambiguous {
        /// What was asked for.
        asked: String,
        /// The ids that start with it.
        candidates: Vec<String>,
    },
    /// This can never be a session's id.
    #[error(
        "`{asked}` is not a session id: letters, digits, `-`, `_` and `.` only, as `s2s roundtable list` shows them"
    )]
    BadId {
        /// What was asked for, safe to print.
        asked: String,
    },
    /// A session of this id exists already (S1).
    #[error("a session `{id}` exists already. Start again for a new id")]
    Exists {
        /// The id.
        id: String,
    },
    /// A change that the store does not make, because it would lose or bend what is committed.
    #[error("not written: {what}. This is a fault of the program; please report it")]
    Refused {
        /// What was tried.
        what: String,
    },
    /// The minutes would hold more than is ever read.
    #[error(
        "the minutes of session {id} would hold {what}, more than can be read again. The round is not committed; conclude the session"
    )]
    Full {
        /// The session.
        id: String,
        /// How much, in words.
        what: String,
    },
    /// What was to be put away is in use again.
    #[error("session {id} is {status} now, so it is left where it is")]
    Reopened {
        /// The session.
        id: String,
        /// Where it stands.
        status: crate::Status,
    },
    /// A legacy session has no settings to go on with.
    #[error(
        "session {id} has no settings of its own: it was written by the plugin. Resume it with the project's settings"
    )]
    NoSettings {
        /// The session.
        id: String,
    },
}

impl StoreError {
    /// What sort of trouble it is.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Io { .. } | Self::Full { .. } => Kind::Disk,
            Self::TooLarge { .. } | Self::Unreadable { .. } | Self::BrokenChain { .. } | Self::BrokenSeal { .. } => {
                Kind::Damaged
            }
            Self::Newer { .. } => Kind::Newer,
            Self::Locked { .. } | Self::Reopened { .. } => Kind::Busy,
            Self::Unknown { .. } | Self::Ambiguous { .. } | Self::BadId { .. } | Self::NoSettings { .. } => Kind::Usage,
            Self::Exists { .. } | Self::Refused { .. } => Kind::Misuse,
        }
    }

    /// The line of the file that it is about, from 1, where one is known.
    pub fn line(&self) -> Option<u32> {
        match self {
            Self::Unreadable { line, .. } | Self::BrokenChain { line, .. } | Self::BrokenSeal { line, .. } => {
                Some(*line).filter(|line| *line > 0)
            }
            _ => None,
        }
    }

    /// The round that it is about, where it is one.
    pub fn round(&self) -> Option<u32> {
        match self {
            Self::BrokenChain { round, .. } => Some(*round),
            _ => None,
        }
    }

    /// Wraps an operating system error with what was being done to which path.
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { doing, path: path.to_owned(), source }
    }

    pub(crate) fn unreadable(path: &Path, line: u32, what: impl Into<String>) -> Self {
        Self::Unreadable { path: path.to_owned(), line, column: 0, what: what.into() }
    }

    /// A text that is not what it should be, at a place.
    pub(crate) fn flawed(path: &Path, flaw: s2s_yaml::Flaw) -> Self {
        let s2s_yaml::Flaw { line, column, what } = flaw;
        Self::Unreadable { path: path.to_owned(), line, column, what }
    }

    pub(crate) fn refused(what: impl Into<String>) -> Self {
        Self::Refused { what: what.into() }
    }
}

/// What a person can do about an operating system error.
fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "Free some space, then resume the session",
        io::ErrorKind::PermissionDenied => "Check who owns it and its permissions",
        io::ErrorKind::ReadOnlyFilesystem => "The disk is read-only; work in a folder that can be written",
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            "A file stands where a folder is needed; move it away"
        }
        io::ErrorKind::IsADirectory => "A folder stands where a file is needed; move it away",
        io::ErrorKind::NotFound => "Check that the project folder is still there",
        io::ErrorKind::InvalidData => "It is not text; restore it from a backup or version control",
        _ => "Check the disk, then try again",
    }
}

fn colon(line: u32) -> String {
    if line == 0 { String::new() } else { format!(":{line}") }
}

/// What may have been edited, where a digest does not hold.
fn covered(round: u32, since: u32) -> String {
    match since {
        0 if round <= 1 => "round 1 or the head of the file is not".to_owned(),
        0 => format!("one of the rounds 1 to {round} or the head of the file is not"),
        _ => format!("round {round} is not"),
    }
}

fn by(pid: Option<u32>) -> String {
    pid.map(|pid| format!(" (process {pid})")).unwrap_or_default()
}

fn suggested(near: &[String]) -> String {
    if near.is_empty() {
        ". `s2s roundtable list` shows all sessions".to_owned()
    } else {
        format!(". Did you mean: {}?", near.join(", "))
    }
}
