//! The files of the repository, as the laws see them.

use std::path::{Path, PathBuf};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in the workspace").to_owned()
}

/// Every file under a folder of the repository with this ending, as path and text, sorted.
pub fn files(folder: &str, ending: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    collect(&root().join(folder), ending, &mut found);
    found.sort();
    found
}

fn collect(folder: &Path, ending: &str, found: &mut Vec<(String, String)>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if name != "target" && name != ".git" {
                collect(&path, ending, found);
            }
        } else if name.ends_with(ending) {
            let shown = path.strip_prefix(root()).expect("in the repository").to_string_lossy().into_owned();
            found.push((shown, std::fs::read_to_string(&path).expect("readable text")));
        }
    }
}

/// Every Rust file of ours.
pub fn rust() -> Vec<(String, String)> {
    let mut all = files("crates", ".rs");
    all.extend(files("xtask", ".rs"));
    all.extend(files("fuzz", ".rs"));
    all
}
