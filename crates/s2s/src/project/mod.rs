//! A project on disk, seen from outside its sessions: where its `.s2s` folder is, what `s2s init` puts
//! there, and the text that a session gets as its context.
//! Given paths by the caller; hands on values, with the doubts said. Never overwrites what a person wrote.
//! Deliberately absent: sessions (the store), settings (`config`), the current folder and the home folder.

mod attachments;
mod component;
mod context;
mod detect;
mod detected_part;
mod draft;
mod init;
mod layers;
mod readme;
mod role_file;
mod text_file;
mod workspace;

use std::path::{Path, PathBuf};

pub use attachments::{
    Attachment, AttachmentError, Combined, MAX_ATTACHED_BYTES, MAX_ATTACHMENT_BYTES, combine_context, combine_layers,
    open_attachment, read_attachment,
};
pub use component::{Making, claimed, component_meant, make_workspace};
pub use context::{ContextError, ContextText, Standing, read_context};
pub use detect::{Detected, Finding, Language, Member, Sign, detect};
pub use detected_part::{Part, compare};
pub use draft::{Answers, draft};
pub(crate) use init::write_new;
pub use init::{InitProblem, InitReport, init, init_with, renew_context};
pub use layers::{Hint, Layers, belongs_elsewhere, context_files, read_layers};
pub use role_file::{NewRole, WrittenRole, new_role};
pub use workspace::{Around, Links, WorkspaceError, around, read_links};

/// The folder that makes a folder a project.
pub const FOLDER: &str = ".s2s";
/// The project's settings, inside [`FOLDER`].
pub const CONFIG_FILE: &str = "config.yaml";
/// The JSON Schema of the settings, inside [`FOLDER`].
pub const SCHEMA_FILE: &str = "config.schema.json";
/// What the project is about, inside [`FOLDER`].
pub const CONTEXT_FILE: &str = "CONTEXT.md";
/// What binds a workspace and its components together, inside [`FOLDER`].
pub const WORKSPACE_FILE: &str = "workspace.yaml";
/// The session of the command line, inside [`FOLDER`].
pub const STATE_FILE: &str = "state.yaml";

/// A folder with `.s2s` in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// The project's own folder; documents go below it.
    pub root: PathBuf,
    /// Its `.s2s` folder.
    pub dir: PathBuf,
}

/// The nearest project at or above a folder. Give an absolute path: a relative one is followed up only
/// through its own parts.
pub fn find(start: &Path) -> Option<Project> {
    start.ancestors().find_map(|root| {
        let dir = root.join(FOLDER);
        dir.is_dir().then(|| Project { root: root.to_owned(), dir })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_project_above_is_found_and_a_file_is_none() {
        let home = tempfile::tempdir().unwrap();
        let deep = home.path().join("app/src/deep");
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::create_dir(home.path().join(FOLDER)).unwrap();
        assert_eq!(find(&deep).unwrap().root, home.path());
        std::fs::write(home.path().join("app/src/.s2s"), "not a folder").unwrap();
        assert_eq!(find(&deep).unwrap().root, home.path());
        std::fs::create_dir(home.path().join("app/.s2s")).unwrap();
        let found = find(&deep).unwrap();
        assert_eq!((found.root, found.dir), (home.path().join("app"), home.path().join("app/.s2s")));
    }

    #[test]
    fn no_project_is_no_error() {
        assert_eq!(find(Path::new("no/such/folder")), None);
    }
}
