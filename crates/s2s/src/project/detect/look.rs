//! A bounded look at a folder: which files and folders are below it.
//! Given the root; hands on names relative to it, breadth first, so that the bound cuts off the deep ones and
//! not the telling ones. Follows no links, passes over hidden and generated folders, and never fails: what
//! cannot be read is not seen. Deliberately absent: what any file says.

use std::fs;
use std::path::{Path, PathBuf};

/// How deep the look goes.
const MAX_DEPTH: usize = 8;
/// How many files and folders are looked at.
const MAX_ENTRIES: usize = 20_000;

/// Generated or foreign code.
const PASSED_OVER: &[&str] =
    &["node_modules", "target", "vendor", "dist", "build", "out", "venv", "__pycache__", "bower_components"];

/// What was seen. Names use `/`, whatever the machine does.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Files, shallow ones first, then by name.
    pub files: Vec<String>,
    /// Folders, likewise; the root is not among them.
    pub folders: Vec<String>,
    /// Extensions of files whose path is not text: they count, but cannot be named.
    pub nameless: Vec<String>,
    /// Folders whose name is not text.
    pub nameless_folders: usize,
    /// Whether a bound was reached.
    pub partial: bool,
}

/// Looks at a folder.
pub(super) fn look(root: &Path) -> Seen {
    look_within(root, MAX_ENTRIES)
}

fn look_within(root: &Path, most: usize) -> Seen {
    let mut seen = Seen::default();
    let mut level: Vec<(PathBuf, Option<String>)> = vec![(root.to_owned(), Some(String::new()))];
    let mut count = 0;
    for _ in 0..MAX_DEPTH {
        let mut below = Vec::new();
        for (folder, named) in level {
            let Ok(entries) = fs::read_dir(&folder) else { continue };
            let mut entries: Vec<_> = entries.take(most + 1 - count).flatten().collect();
            // The disk's order is no order; the same folder should always look the same.
            entries.sort_by_key(fs::DirEntry::file_name);
            for entry in entries {
                count += 1;
                if count > most {
                    seen.partial = true;
                    return seen;
                }
                if let Some(folder) = seen.note(&entry, named.as_deref()) {
                    below.push(folder);
                }
            }
        }
        if below.is_empty() {
            return seen;
        }
        level = below;
    }
    seen.partial = true;
    seen
}

impl Seen {
    /// Notes an entry; gives the folder to look into, if it is one.
    fn note(&mut self, entry: &fs::DirEntry, inside: Option<&str>) -> Option<(PathBuf, Option<String>)> {
        let name = entry.file_name();
        let path = inside.and_then(|inside| Some(joined(inside, name.to_str()?)));
        // The type of the entry itself: a link is neither a file nor a folder here.
        let kind = entry.file_type().ok()?;
        if kind.is_file() {
            match path {
                Some(path) => self.files.push(path),
                None => {
                    self.nameless.extend(Path::new(&name).extension().map(|end| end.to_string_lossy().into_owned()))
                }
            }
            return None;
        }
        let lossy = name.to_string_lossy();
        if !kind.is_dir() || lossy.starts_with('.') || PASSED_OVER.contains(&&*lossy) {
            return None;
        }
        match &path {
            Some(path) => self.folders.push(path.clone()),
            None => self.nameless_folders += 1,
        }
        Some((entry.path(), path))
    }
}

/// A path below a folder; the root is the empty path.
pub(super) fn joined(folder: &str, name: &str) -> String {
    match folder {
        "" => name.to_owned(),
        folder => format!("{folder}/{name}"),
    }
}

/// The folder of a path, and its last part.
pub(super) fn parted(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

#[cfg(test)]
mod tests {
    use super::super::tests::folder;
    use super::*;

    #[test]
    fn hidden_and_generated_folders_and_links_are_passed_over() {
        let home =
            folder(&[("a.rs", ""), ("src/b/c.rs", ""), (".git/x", ""), ("node_modules/y/z.js", ""), ("target/t", "")]);
        let outside = folder(&[("secret.py", "")]);
        std::os::unix::fs::symlink(outside.path(), home.path().join("link")).unwrap();
        std::os::unix::fs::symlink(outside.path().join("secret.py"), home.path().join("file.py")).unwrap();
        std::os::unix::fs::symlink(home.path(), home.path().join("src/loop")).unwrap();
        let seen = look(home.path());
        assert_eq!(
            (seen.files, seen.folders),
            (vec!["a.rs".into(), "src/b/c.rs".into()], vec!["src".into(), "src/b".into()])
        );
        assert!(!seen.partial);
    }

    #[test]
    fn the_look_is_bounded_in_number_and_depth() {
        let home = tempfile::tempdir().unwrap();
        for n in 0..=100 {
            fs::write(home.path().join(format!("f{n}.rs")), "").unwrap();
        }
        let seen = look_within(home.path(), 100);
        assert_eq!((seen.partial, seen.files.len()), (true, 100));
        assert!(!look_within(home.path(), 101).partial);
        let home = folder(&[("1/2/3/4/5/6/7/seen.rs", ""), ("1/2/3/4/5/6/7/8/deep.rs", "")]);
        let seen = look(home.path());
        assert_eq!((seen.partial, seen.files), (true, vec!["1/2/3/4/5/6/7/seen.rs".to_owned()]));
    }

    #[test]
    fn names_that_are_no_text_are_counted_and_not_named() {
        use std::os::unix::ffi::OsStrExt;
        let home = tempfile::tempdir().unwrap();
        let odd = home.path().join(std::ffi::OsStr::from_bytes(b"caf\xe9"));
        fs::create_dir(&odd).unwrap();
        fs::write(odd.join("x.py"), "").unwrap();
        fs::write(home.path().join(std::ffi::OsStr::from_bytes(b"\xff.rs")), "").unwrap();
        let seen = look(home.path());
        assert_eq!((seen.files.len(), seen.folders.len(), seen.nameless_folders), (0, 0, 1));
        assert_eq!(seen.nameless, ["rs", "py"]);
    }
}
