//! Putting a document on disk: all of it or nothing, and never over something else.
//! Given a project folder and a place inside it; hands on that it is there, or what stood in the way and
//! what to do. Deliberately absent: what is in a document, and names.

use std::fs::{self, File, Permissions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Component, Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::Failure;

/// A longer file is nothing that a person wrote and reads.
const MAX_READ_BYTES: u64 = 16 << 20;

/// Where a document's marker is found, if it has one.
const HEAD_BYTES: u64 = 64 << 10;

/// Who may read a new document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Readers {
    /// Whoever the person's own settings (umask) allow: it belongs to the project.
    Project,
    /// The owner alone: it stands beside the sessions.
    Owner,
}

/// A folder of the project that documents go to.
#[derive(Debug, Clone)]
pub(crate) struct Folder {
    root: PathBuf,
    /// Below the root, with `/` between the parts on every system.
    inside: String,
    /// The setting that names it, for messages.
    setting: &'static str,
}

impl Folder {
    /// A folder below `root`. A path that is absolute or leads upwards is refused: a project's settings
    /// must not be able to send documents anywhere else.
    pub(crate) fn new(root: &Path, path: &Path, setting: &'static str) -> Result<Self, Failure> {
        let mut parts = Vec::new();
        for part in path.components() {
            match part {
                Component::Normal(name) => parts.push(name.to_string_lossy()),
                Component::CurDir => {}
                _ => return Err(outside(setting, path)),
            }
        }
        Ok(Self { root: root.to_owned(), inside: parts.join("/"), setting })
    }

    /// Where a file of this folder is, for people: below the project.
    pub(crate) fn shown(&self, name: &str) -> String {
        if self.inside.is_empty() { name.to_owned() } else { format!("{}/{name}", self.inside) }
    }

    fn path(&self) -> PathBuf {
        self.root.join(&self.inside)
    }

    /// Makes the folder, and makes sure that it is inside the project even if links lead to it.
    pub(crate) fn make(&self) -> Result<(), Failure> {
        let path = self.path();
        fs::create_dir_all(&path).map_err(|error| self.no_folder(&error))?;
        let real = |path: &Path| path.canonicalize().map_err(|error| self.no_folder(&error));
        let (root, folder) = (real(&self.root)?, real(&path)?);
        if !folder.starts_with(&root) {
            return Err(Failure::bad_input(format!(
                "{} is a link that leads out of the project, to {}",
                self.inside,
                folder.display()
            ))
            .next(format!("set {} in .s2s/config.yaml to a folder inside the project, then resume", self.setting)));
        }
        Ok(())
    }

    /// The first Markdown file here whose beginning is wanted; what cannot be read is not.
    pub(crate) fn find(&self, wanted: impl Fn(&[u8]) -> bool) -> Result<Option<String>, Failure> {
        let failed = |error: &io::Error| {
            Failure::failed(format!("cannot read the folder {}: {error}", self.inside)).next(advice(error))
        };
        let mut names: Vec<String> = Vec::new();
        for entry in fs::read_dir(self.path()).map_err(|error| failed(&error))? {
            let entry = entry.map_err(|error| failed(&error))?;
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            names.extend(entry.file_name().into_string().ok().filter(|name| is_file && name.ends_with(".md")));
        }
        names.sort_unstable();
        Ok(names.into_iter().find(|name| {
            let mut head = Vec::new();
            let read = File::open(self.path().join(name)).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut head));
            read.is_ok() && wanted(&head)
        }))
    }

    /// The Markdown file here whose name begins so; the first, if there are several.
    pub(crate) fn named(&self, beginning: &str) -> Option<String> {
        let names = fs::read_dir(self.path()).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        names.filter(|name| name.starts_with(beginning) && name.ends_with(".md")).min()
    }

    /// How a file of another folder is linked to from here.
    pub(crate) fn way_to(&self, other: &Self, name: &str) -> String {
        let parts = |folder: &Self| -> Vec<String> {
            folder.inside.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
        };
        let (from, to) = (parts(self), parts(other));
        let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
        let up = std::iter::repeat_n("..".to_owned(), from.len() - shared);
        let way: Vec<String> = up.chain(to[shared..].iter().cloned()).chain([name.to_owned()]).collect();
        way.join("/")
    }

    /// Whether the name is in use, by whatever.
    pub(crate) fn is_taken(&self, name: &str) -> bool {
        fs::symlink_metadata(self.path().join(name)).is_ok()
    }

    /// Waits until no other process changes documents of this project; until the handle is dropped, none does.
    pub(crate) fn alone(&self, lock: &Path) -> Result<File, Failure> {
        let locked = || {
            let file = File::options().create(true).append(true).open(lock)?;
            file.lock()?;
            Ok(file)
        };
        locked().map_err(|error: io::Error| {
            let name = lock.strip_prefix(&self.root).unwrap_or(lock).display().to_string();
            Failure::failed(format!("cannot lock {name}: {error}")).next(advice(&error))
        })
    }

    /// What a file of this folder holds; none if there is none. Anything but a plain file is refused:
    /// replacing a link would cut it, and following it could leave the project.
    pub(crate) fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Failure> {
        let path = self.path().join(name);
        let failed = |error: &io::Error| self.trouble("read", name, error);
        let meta = match fs::symlink_metadata(&path) {
            Ok(meta) => meta,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(&error)),
        };
        if !meta.is_file() {
            return Err(Failure::failed(format!("{} is not a plain file", self.shown(name)))
                .next("move it away, then resume the session"));
        }
        let mut bytes = Vec::new();
        let read = File::open(&path).and_then(|file| file.take(MAX_READ_BYTES + 1).read_to_end(&mut bytes));
        read.map_err(|error| failed(&error))?;
        if bytes.len() as u64 > MAX_READ_BYTES {
            let limit = MAX_READ_BYTES >> 20;
            return Err(Failure::failed(format!("{} is larger than {limit} MB", self.shown(name)))
                .next("move it away or split it, then resume the session"));
        }
        Ok(Some(bytes))
    }

    /// Writes a file that is not there yet. Says no if one is, even if it came to be this very moment.
    pub(crate) fn create(&self, name: &str, text: &str, readers: Readers) -> Result<bool, Failure> {
        let path = self.path().join(name);
        let failed = |error: &io::Error| self.trouble("write", name, error);
        let temp = self.written(text.as_bytes(), readers).map_err(|error| failed(&error))?;
        match temp.persist_noclobber(&path) {
            Ok(_) => self.sync().map(|()| true).map_err(|error| failed(&error)),
            Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(failed(&error.error)),
        }
    }

    /// Replaces a file that is there by another text; its mode stays.
    pub(crate) fn replace(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        self.put_down(name, self.prepare(name, bytes)?)
    }

    /// The new text of a file that is there, written beside it: all that can fail before the name changes hands.
    pub(crate) fn prepare(&self, name: &str, bytes: &[u8]) -> Result<NamedTempFile, Failure> {
        let prepared = || {
            let meta = fs::metadata(self.path().join(name))?;
            if meta.permissions().readonly() {
                return Err(ErrorKind::PermissionDenied.into());
            }
            let temp = self.written(bytes, Readers::Project)?;
            temp.as_file().set_permissions(meta.permissions())?;
            Ok(temp)
        };
        prepared().map_err(|error: io::Error| self.trouble("write", name, &error))
    }

    /// Puts what was prepared in the place of the file.
    pub(crate) fn put_down(&self, name: &str, prepared: NamedTempFile) -> Result<(), Failure> {
        let put = prepared.persist(self.path().join(name)).map_err(|error| error.error);
        put.and_then(|_| self.sync()).map_err(|error| self.trouble("write", name, &error))
    }

    /// Takes a file away whose text stands elsewhere by now.
    pub(crate) fn remove(&self, name: &str) -> Result<(), Failure> {
        let gone = fs::remove_file(self.path().join(name)).and_then(|()| self.sync());
        gone.map_err(|error| self.trouble("remove", name, &error))
    }

    fn written(&self, bytes: &[u8], readers: Readers) -> io::Result<NamedTempFile> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".s2s-");
        let mode = new_file_mode(readers);
        if let Some(mode) = mode {
            builder.permissions(mode);
        }
        let mut temp = builder.tempfile_in(self.path())?;
        temp.write_all(bytes)?;
        temp.as_file().sync_all()?;
        Ok(temp)
    }

    /// Makes the new name survive a power cut.
    fn sync(&self) -> io::Result<()> {
        if cfg!(unix) { File::open(self.path())?.sync_all() } else { Ok(()) }
    }

    /// The same failure with the part of the path that is in the way, where that is the cause.
    fn no_folder(&self, error: &io::Error) -> Failure {
        let mut path = self.root.clone();
        for part in self.inside.split('/') {
            path.push(part);
            if path.exists() && !path.is_dir() {
                let shown = path.strip_prefix(&self.root).unwrap_or(&path).display().to_string();
                return Failure::failed(format!("cannot make the folder {}: {shown} is a file", self.inside))
                    .next(format!("move {shown} away or set {} in .s2s/config.yaml, then resume", self.setting));
            }
        }
        Failure::failed(format!("cannot make the folder {}: {error}", self.inside)).next(advice(error))
    }

    fn trouble(&self, doing: &str, name: &str, error: &io::Error) -> Failure {
        Failure::failed(format!("cannot {doing} {}: {error}", self.shown(name))).next(advice(error))
    }
}

fn outside(setting: &str, path: &Path) -> Failure {
    Failure::bad_input(format!(
        "{setting} is {:?}, which is not a folder inside the project",
        path.display().to_string()
    ))
    .next(format!("set {setting} in .s2s/config.yaml to a folder such as docs/decisions"))
}

/// What a person can do. The discussion itself is safe: only its document is missing.
fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            "free some space, then run `s2s roundtable resume`; the discussion is kept and nothing is asked again"
        }
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            "make it writable for you, then run `s2s roundtable resume`; the discussion is kept and nothing is asked again"
        }
        _ => "mend the cause, then run `s2s roundtable resume`; the discussion is kept and nothing is asked again",
    }
}

#[cfg(unix)]
fn new_file_mode(readers: Readers) -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    // The umask takes its part from this, as from any file that a program makes.
    (readers == Readers::Project).then(|| Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn new_file_mode(_readers: Readers) -> Option<Permissions> {
    None
}
