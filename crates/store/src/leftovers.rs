//! What could be put away: sessions that ended long ago, and what killed processes left behind.
//! Is given a time; hands on what is older, with its files and size, and what is spared although it is old. Never
//! among it: a session that is active or paused, that somebody drives, or whose minutes cannot be read. Deliberately
//! absent: moving and deleting (`trash.rs`), and whether documents still name a session.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;

use crate::disk;
use crate::error::StoreError;
use crate::listing;
use crate::nouns::Status;
use crate::sessions::{Sessions, check_id};
use crate::trash;

/// How deep a folder is counted; ours are two deep.
const MOST_DEPTH: usize = 16;
/// How long what is being made is left alone.
const SETTLED_AFTER: Duration = Duration::from_secs(2);

/// What sort of thing could be put away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeftoverKind {
    /// A session that is complete or archived: minutes, tape, asides and summary.
    Session,
    /// A session's folder without minutes.
    Orphan,
    /// An unfinished line of a tape or of the asides that was set aside, of a session that has ended.
    Torn,
    /// A file half written when a process was killed.
    Temporary,
    /// What was put away before.
    Trash,
}

impl LeftoverKind {
    /// The name in JSON output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Orphan => "orphan",
            Self::Torn => "torn",
            Self::Temporary => "temporary",
            Self::Trash => "trash",
        }
    }
}

/// Something that could be put away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leftover {
    /// What it is.
    pub kind: LeftoverKind,
    /// The session it belongs to, or the name of the folder or file.
    pub name: String,
    /// The question, of a session.
    pub topic: String,
    /// Where the session stands.
    pub status: Option<Status>,
    /// When it ended or was last written.
    pub since: Option<Timestamp>,
    /// Its files and folders, the minutes first.
    pub paths: Vec<PathBuf>,
    /// How much it takes.
    pub bytes: u64,
}

/// Something old that is not put away, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spared {
    /// The session or folder.
    pub name: String,
    /// Why.
    pub why: String,
}

/// All that could be put away.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Found {
    /// By kind, then by name.
    pub leftovers: Vec<Leftover>,
    /// What is spared.
    pub spared: Vec<Spared>,
}

impl Sessions {
    /// What is left over from before a time. `elsewhere` are further folders that documents are written to, where a
    /// killed process may have left a file.
    ///
    /// # Errors
    /// If the folder of the sessions cannot be read.
    pub fn leftovers(&self, before: Timestamp, elsewhere: &[PathBuf]) -> Result<Found, StoreError> {
        let mut found = Found::default();
        let ids = listing::ids(&self.folder())?;
        for id in &ids {
            self.look_at(id, before, &mut found);
        }
        let half_made = self.half_made_of(&ids);
        self.look_for_orphans(&ids, before, &mut found);
        let own = [self.root().to_owned(), self.folder()];
        let of_sessions = folders(&self.folder());
        let mut places: Vec<PathBuf> = own.into_iter().chain(of_sessions).chain(elsewhere.iter().cloned()).collect();
        places.sort();
        places.dedup();
        let gone: Vec<PathBuf> = found.leftovers.iter().flat_map(|leftover| leftover.paths.clone()).collect();
        for folder in places.iter().filter(|folder| !gone.contains(folder)) {
            temporary(folder, &mut found);
        }
        let known: Vec<PathBuf> = found.leftovers.iter().flat_map(|leftover| leftover.paths.clone()).collect();
        found.leftovers.extend(half_made.into_iter().filter(|leftover| !known.contains(&leftover.paths[0])));
        found.leftovers.extend(trash::batches(self.root(), before));
        found.leftovers.sort_by(|a, b| (a.kind, &a.name, &a.paths).cmp(&(b.kind, &b.name, &b.paths)));
        Ok(found)
    }

    /// What a process left that was killed while it made a session: a folder in which nothing was said yet, a file half
    /// written. However new; nothing of it is anybody's who still runs.
    ///
    /// # Errors
    /// If the folder of the sessions cannot be read.
    pub fn half_made(&self) -> Result<Vec<Leftover>, StoreError> {
        Ok(self.half_made_of(&listing::ids(&self.folder())?))
    }

    fn half_made_of(&self, ids: &[String]) -> Vec<Leftover> {
        let names = folders(&self.folder()).into_iter().filter_map(|path| {
            let name = path.file_name()?.to_str()?.to_owned();
            (!name.starts_with('.') && !ids.contains(&name)).then_some((name, path))
        });
        let dead = |(name, path): &(String, PathBuf)| {
            let empty = entries(path).iter().all(|it| is_unsaid(it));
            empty && is_settled(path) && matches!(self.holder(name), Ok(None))
        };
        let found = names.filter(dead).map(|(name, path)| plain(LeftoverKind::Orphan, name, path));
        let mut found: Vec<Leftover> = found.collect();
        let half = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            disk::is_temporary(name) && path.is_file() && is_settled(path)
        };
        let files = [self.root().to_owned(), self.folder()].into_iter().flat_map(|folder| entries(&folder));
        let mut files = files.filter(half).peekable();
        // Whoever drives a session, or makes one, may be writing one of them.
        let driven = |path: PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str()).filter(|name| !name.starts_with('.'));
            name.is_some_and(|name| !matches!(self.holder(name), Ok(None)))
        };
        if files.peek().is_some() && !folders(&self.folder()).into_iter().any(driven) {
            let named = |path: PathBuf| (path.file_name().unwrap_or_default().to_string_lossy().into_owned(), path);
            found.extend(files.map(named).map(|(name, path)| plain(LeftoverKind::Temporary, name, path)));
        }
        found
    }

    /// A session: as a whole if it ended before the time, else the torn lines beside its tape.
    fn look_at(&self, id: &str, before: Timestamp, found: &mut Found) {
        let mut spare = |why: String| found.spared.push(Spared { name: id.to_owned(), why });
        if check_id(id).is_err() {
            return spare("its name is not a session's".to_owned());
        }
        let minutes = match self.read(id) {
            Ok(minutes) => minutes,
            Err(error) => return spare(format!("its minutes cannot be read: {error}")),
        };
        match self.holder(id) {
            Ok(None) => {}
            Ok(Some(_)) => return,
            Err(error) => return spare(error.to_string()),
        }
        if !matches!(minutes.status(), Status::Completed | Status::Archived) {
            return;
        }
        let folder = self.folder().join(id);
        let about = |kind, since, paths: Vec<PathBuf>| Leftover {
            kind,
            name: id.to_owned(),
            topic: minutes.topic().to_owned(),
            status: Some(minutes.status()),
            since,
            bytes: paths.iter().map(|path| size(path, 0)).sum(),
            paths,
        };
        let ended = minutes.last_at();
        if ended < before {
            let mut paths = vec![self.minutes_path(id)];
            paths.extend(Some(folder).filter(|folder| fs::symlink_metadata(folder).is_ok()));
            paths.extend(summaries(&self.folder(), id));
            found.leftovers.push(about(LeftoverKind::Session, Some(ended), paths));
            return;
        }
        for path in entries(&folder).into_iter().filter(|path| is_torn(path)) {
            let since = fs::symlink_metadata(&path).ok().and_then(|meta| written(&meta));
            found.leftovers.push(about(LeftoverKind::Torn, since, vec![path]));
        }
    }

    /// Folders of sessions whose minutes are not there. They may be on another branch, so age counts here too.
    fn look_for_orphans(&self, ids: &[String], before: Timestamp, found: &mut Found) {
        for folder in folders(&self.folder()) {
            let Some(name) = folder.file_name().and_then(|name| name.to_str()) else { continue };
            if name.starts_with('.') || ids.iter().any(|id| id == name) {
                continue;
            }
            // A process that has just made the folder writes the minutes next.
            let since = newest(&folder, 0);
            let fresh = fs::symlink_metadata(&folder).is_ok_and(|meta| !disk::is_stale(&meta, SystemTime::now()));
            if fresh || since.is_none_or(|since| since >= before) {
                continue;
            }
            if !matches!(self.holder(name), Ok(None)) {
                let why = "there are no minutes, but somebody holds its lock".to_owned();
                found.spared.push(Spared { name: name.to_owned(), why });
                continue;
            }
            found.leftovers.push(plain(LeftoverKind::Orphan, name.to_owned(), folder));
        }
    }
}

/// A file or folder of no session.
fn plain(kind: LeftoverKind, name: String, path: PathBuf) -> Leftover {
    let (since, bytes) = (newest(&path, 0), size(&path, 0));
    Leftover { kind, name, topic: String::new(), status: None, since, paths: vec![path], bytes }
}

/// Whether nothing stands in a file that a session would miss: its lock, an empty tape, a file half written.
fn is_unsaid(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let empty = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() == 0);
    name == ".lock" || name.starts_with(disk::TEMP_PREFIX) || empty
}

/// Whether whoever wrote this had time to go on: making a session takes milliseconds.
fn is_settled(path: &Path) -> bool {
    let age =
        fs::symlink_metadata(path).and_then(|meta| meta.modified()).map(|at| SystemTime::now().duration_since(at));
    age.is_ok_and(|age| age.is_ok_and(|age| age >= SETTLED_AFTER))
}

/// The summaries that were written beside the minutes: they belong to the session.
fn summaries(folder: &Path, id: &str) -> Vec<PathBuf> {
    let is_own = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        let rest = name.and_then(|name| name.strip_prefix(id)?.strip_prefix("-summary")?.strip_suffix(".md"));
        let numbered =
            |rest: &str| rest.strip_prefix('-').is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()));
        rest.is_some_and(|rest| rest.is_empty() || numbered(rest))
    };
    entries(folder).into_iter().filter(is_own).collect()
}

/// Temporary files of ours that belong to nobody alive.
fn temporary(folder: &Path, found: &mut Found) {
    let now = SystemTime::now();
    for path in entries(folder) {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        let Ok(meta) = fs::symlink_metadata(&path) else { continue };
        if disk::is_temporary(name) && meta.is_file() && disk::is_stale(&meta, now) {
            found.leftovers.push(plain(LeftoverKind::Temporary, name.to_owned(), path));
        }
    }
}

fn is_torn(path: &Path) -> bool {
    let number = path.extension().and_then(|ending| ending.to_str()).and_then(|ending| ending.strip_prefix("torn-"));
    let is_ours = path.file_stem().is_some_and(|stem| stem == "tape" || stem == "asides");
    is_ours && number.is_some_and(|n| n.parse::<u32>().is_ok())
}

/// What is in a folder, sorted; nothing where it cannot be read or is none.
pub(crate) fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path()).collect();
    paths.sort();
    paths
}

/// The folders in a folder; a link to one is none.
pub(crate) fn folders(folder: &Path) -> Vec<PathBuf> {
    let is_folder = |path: &PathBuf| fs::symlink_metadata(path).is_ok_and(|meta| meta.is_dir());
    entries(folder).into_iter().filter(is_folder).collect()
}

/// How much a file or folder takes. Links are not followed.
pub(crate) fn size(path: &Path, depth: usize) -> u64 {
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_dir() && depth < MOST_DEPTH => entries(path).iter().map(|it| size(it, depth + 1)).sum(),
        Ok(meta) if meta.is_file() => meta.len(),
        _ => 0,
    }
}

/// When a folder or anything in it was last written.
fn newest(path: &Path, depth: usize) -> Option<Timestamp> {
    let meta = fs::symlink_metadata(path).ok()?;
    let own = written(&meta);
    if !meta.is_dir() || depth >= MOST_DEPTH {
        return own;
    }
    entries(path).iter().filter_map(|it| newest(it, depth + 1)).chain(own).max()
}

fn written(meta: &Metadata) -> Option<Timestamp> {
    meta.modified().ok().and_then(|at| Timestamp::try_from(at).ok())
}
