//! Keeps a report as a file: whole or not at all, and never over something else.
//! Given a place and a page; hands on nothing but failures. Deliberately absent: standard output, and which session.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Component, Path, PathBuf};

use s2s_store::Minutes;

use super::{BEGINNING, is_report};
use crate::failure::Failure;

/// The folder of a session's documents, if it has any and it is inside of the project.
pub fn beside_documents(root: &Path, minutes: &Minutes) -> Option<PathBuf> {
    let file = Path::new(minutes.outcome()?.file.as_deref()?);
    let inside = file.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let folder = root.join(file.parent()?);
    // A link may lead anywhere; only what really lies in the project is beside its documents.
    let real = |path: &Path| path.canonicalize().ok();
    let below = real(&folder)?.starts_with(real(root)?);
    (inside && below && folder.is_dir()).then_some(folder)
}

/// Writes a report. A report of ours is replaced; anything else only by `force`, and only if it is a plain file.
///
/// # Errors
/// If something else is there, or the file cannot be written.
pub fn keep(path: &Path, html: &str, force: bool) -> Result<(), Failure> {
    match fs::symlink_metadata(path) {
        Ok(meta) if !meta.is_file() => {
            return Err(Failure::bad_input(format!("{} is not a plain file", path.display()))
                .next("name another file with -o, or use `-o -` for standard output"));
        }
        Ok(_) if !force && !is_ours(path).map_err(|error| trouble("read", path, &error))? => {
            return Err(Failure::bad_input(format!("{} is there and is not a report of s2s", path.display()))
                .next("name another file with -o, or overwrite it with --force"));
        }
        Ok(meta) if meta.permissions().readonly() => {
            return Err(trouble("write", path, &ErrorKind::PermissionDenied.into()));
        }
        _ => {}
    }
    write(path, html.as_bytes()).map_err(|error| trouble("write", path, &error))
}

fn is_ours(path: &Path) -> io::Result<bool> {
    let mut beginning = Vec::new();
    File::open(path)?.take(BEGINNING.len() as u64).read_to_end(&mut beginning)?;
    Ok(is_report(&beginning))
}

/// Beside its place first, then moved there: nobody ever sees half a report.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".s2s-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut temp = builder.tempfile_in(folder)?;
    temp.write_all(bytes)?;
    temp.as_file().sync_all()?;
    temp.persist(path).map(|_| ()).map_err(|error| error.error)
}

fn trouble(doing: &str, path: &Path, error: &io::Error) -> Failure {
    let failure = Failure::failed(format!("cannot {doing} {}: {error}", path.display()));
    match error.kind() {
        ErrorKind::NotFound => failure.next("make its folder first, or name another file with -o"),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => failure.next("free some space, then run it again"),
        _ => failure.next("name another file with -o, or use `-o -` for standard output"),
    }
}
