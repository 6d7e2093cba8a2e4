//! Workspaces: which project is a component of which.
//! `.s2s/workspace.yaml` says it from both sides: a component has `workspace: ../..`, the workspace lists the paths of
//! its `components`. Both must agree, so that no folder can draw in the context of one that does not know it. The way
//! to a workspace only ever leads up, so there are no cycles. Given a project; hands on the workspaces around it, or
//! what is wrong, by file. Deliberately absent: making them (`component.rs`) and what their contexts say (`layers.rs`).

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use s2s_catalog::Problem;
use s2s_yaml::node::{self, Misfit};

use super::{FOLDER, Project, WORKSPACE_FILE, text_file};
use crate::failure::Failure;

/// The largest file that is read.
const MAX_BYTES: u64 = 256 * 1024;
/// Workspaces in workspaces in workspaces: more is a slip.
const MAX_LEVELS: usize = 8;

/// What `.s2s/workspace.yaml` says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Links {
    /// The way up to the workspace, such as `../..`; none = this is no component.
    pub workspace: Option<String>,
    /// The folders of the components, relative to the project; empty = this is no workspace.
    pub components: Vec<String>,
    /// Line and column of the way up.
    pub(super) workspace_at: (u32, u32),
    /// The line of the last component, for those who add one.
    pub(super) last_line: Option<usize>,
}

/// A workspace around a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Around {
    /// The workspace.
    pub workspace: Project,
    /// The way up to it, as a person types it.
    pub up: String,
    /// The path in it of the component that was asked about.
    pub component: String,
    /// All its components.
    pub components: Vec<String>,
}

/// Why a workspace cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} {why}. {advice}", path.display())]
pub struct WorkspaceError {
    /// The file.
    pub path: PathBuf,
    /// The cause.
    pub why: String,
    /// What to do.
    pub advice: String,
    /// The place in the file that is wrong, where it is one.
    pub misfit: Option<Misfit>,
}

impl From<WorkspaceError> for Failure {
    fn from(error: WorkspaceError) -> Self {
        let failure = Self::bad_input(error.to_string());
        let Some(misfit) = error.misfit else { return failure };
        let problems = vec![Problem::in_file(error.path.display().to_string(), misfit)];
        // Advice is a sentence; what to do next is a part of one.
        let mut next = error.advice.trim_end_matches('.').to_owned();
        if let Some(first) = next.get_mut(..1) {
            first.make_ascii_lowercase();
        }
        Self { problems, ..failure.next(next) }
    }
}

/// Reads the links in a `.s2s` folder; no file is no links.
///
/// # Errors
/// [`WorkspaceError`] where the file cannot be read or does not say what it should.
pub fn read_links(dir: &Path) -> Result<Links, WorkspaceError> {
    let path = dir.join(WORKSPACE_FILE);
    let advice = "Mend it, or remove it and run `s2s init`.";
    let refuse = |why: String| WorkspaceError { path: path.clone(), why, advice: advice.into(), misfit: None };
    // Opening a pipe would wait for whoever writes into it.
    if path.metadata().is_ok_and(|about| !about.is_file()) {
        return Err(refuse("is no file".to_owned()));
    }
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Links::default()),
        Err(error) => return Err(refuse(format!("cannot be read: {error}"))),
    };
    let text = text_file::read(file, MAX_BYTES).map_err(|why| refuse(format!("cannot be used: {why}")))?;
    parse(&text).map_err(|misfit| {
        let why = format!("is wrong in line {}: {}", misfit.line, misfit.what);
        WorkspaceError { misfit: Some(misfit), ..refuse(why) }
    })
}

/// The links in a text.
pub(super) fn parse(text: &str) -> Result<Links, Misfit> {
    let root = node::read(text)?;
    if root.is_nothing() {
        return Ok(Links::default());
    }
    let fields = root.fields()?;
    if let Some(misfit) = fields.unknown(&["workspace", "components"]).into_iter().next() {
        return Err(misfit);
    }
    let up = fields.get("workspace");
    let workspace = up.map(|node| node.text().map(str::to_owned)).transpose()?;
    let workspace_at = up.map(|node| (node.line, node.column)).unwrap_or_default();
    let mut links = Links { workspace, workspace_at, ..Links::default() };
    for item in fields.get("components").map(|node| node.items()).transpose()?.unwrap_or_default() {
        let path = item.text()?;
        let path = inner(path).ok_or_else(|| item.misfit(format!("`{path}` is no path inside the workspace")))?;
        links.components.push(path);
        links.last_line = usize::try_from(item.line).ok();
    }
    Ok(links)
}

/// A path that stays inside, with `/` and without `.` parts; none where it leads out, is absolute or empty.
pub(super) fn inner(path: &str) -> Option<String> {
    let mut parts = Vec::new();
    for part in Path::new(path).components() {
        match part {
            Component::Normal(part) => parts.push(part.to_str()?),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    let joined = parts.join("/");
    (!joined.is_empty() && !joined.chars().any(char::is_control)).then_some(joined)
}

/// The workspaces around a project, the nearest first; none where it is no component. Each level is checked from both
/// sides.
///
/// # Errors
/// [`WorkspaceError`] with the file that is wrong.
pub fn around(project: &Project) -> Result<Vec<Around>, WorkspaceError> {
    let mut found: Vec<Around> = Vec::new();
    let mut here = project.clone();
    while let Links { workspace: Some(way), workspace_at: (line, column), .. } = read_links(&here.dir)? {
        let path = here.dir.join(WORKSPACE_FILE);
        let refuse = |why: String, advice: String| {
            let what = format!("this project {why}");
            let misfit = Some(Misfit { line, column, what, allowed: None });
            WorkspaceError { path: path.clone(), why, advice, misfit }
        };
        if found.len() == MAX_LEVELS {
            return Err(refuse(format!("is in more than {MAX_LEVELS} workspaces"), "Take one out.".into()));
        }
        let Some((root, up)) = above(&here.root, &way) else {
            let why = format!("has the workspace `{way}`, which is no folder above this one");
            return Err(refuse(why, "Write the way up, such as `workspace: ../..`.".into()));
        };
        let workspace = Project { dir: root.join(FOLDER), root };
        let component = below(&workspace.root, &here.root);
        let links = read_links(&workspace.dir)?;
        if !links.components.contains(&component) {
            let why = format!("has the workspace `{up}`, which does not list `{component}` as a component");
            let advice = format!("Run `s2s init --workspace --components {component}` in {up}, or remove the file.");
            return Err(refuse(why, advice));
        }
        here = workspace.clone();
        found.push(Around { workspace, up: String::new(), component, components: links.components });
    }
    for around in &mut found {
        around.up = ups(&around.workspace.root, &project.root);
    }
    Ok(found)
}

/// The folder that a way of nothing but `..` leads to, and that way written plainly.
fn above(root: &Path, way: &str) -> Option<(PathBuf, String)> {
    let parts: Vec<Component<'_>> = Path::new(way).components().collect();
    let up = !parts.is_empty() && parts.iter().all(|part| *part == Component::ParentDir);
    let folder = up.then(|| root.ancestors().nth(parts.len())).flatten()?;
    Some((folder.to_owned(), vec![".."; parts.len()].join("/")))
}

/// The path of a folder inside another, with `/`.
pub(super) fn below(workspace: &Path, root: &Path) -> String {
    let inside = root.strip_prefix(workspace).unwrap_or(root);
    let parts: Vec<_> = inside.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}

/// The way up from a folder to one above it.
pub(super) fn ups(workspace: &Path, root: &Path) -> String {
    let levels = root.strip_prefix(workspace).map_or(0, |inside| inside.components().count());
    vec![".."; levels].join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(home: &Path, path: &str, links: &str) -> Project {
        let root = if path.is_empty() { home.to_owned() } else { home.join(path) };
        let dir = root.join(FOLDER);
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join(WORKSPACE_FILE), links).unwrap();
        Project { root, dir }
    }

    #[test]
    fn a_component_and_its_workspaces_know_each_other() {
        let home = tempfile::tempdir().unwrap();
        let outer = project(home.path(), "", "components: [team]\n");
        let inner = project(home.path(), "team", "workspace: ..\ncomponents:\n  - apps/api\n  - ./apps/web/\n");
        let api = project(home.path(), "team/apps/api", "# mine\nworkspace: ../../\n");
        let found = around(&api).unwrap();
        let found: Vec<_> = found.iter().map(|one| (&one.workspace, one.up.as_str(), one.component.as_str())).collect();
        assert_eq!(found, [(&inner, "../..", "apps/api"), (&outer, "../../..", "team")]);
        assert_eq!(around(&api).unwrap()[0].components, ["apps/api", "apps/web"]);
        assert_eq!(around(&outer).unwrap(), []);
        assert_eq!(read_links(home.path()).unwrap(), Links::default());
    }

    #[test]
    fn one_that_the_workspace_does_not_know_gets_nothing_of_it() {
        let home = tempfile::tempdir().unwrap();
        project(home.path(), "", "components: [other]\n");
        let stranger = project(home.path(), "clone", "workspace: ..\n");
        let said = around(&stranger).unwrap_err().to_string();
        assert!(said.contains("does not list `clone`") && said.contains("--components clone` in .."), "{said}");
        let lost = project(home.path(), "clone/deep", "workspace: ..\n");
        assert!(around(&lost).unwrap_err().to_string().contains("does not list `deep`"));
    }

    #[test]
    fn what_is_wrong_is_said_by_file_and_line() {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(home.path().join("odd").join(WORKSPACE_FILE)).unwrap();
        assert!(read_links(&home.path().join("odd")).unwrap_err().to_string().contains("workspace.yaml is no file"));
        for (text, part) in [
            ("workspace: .\n", "`.`, which is no folder above this one"),
            ("workspace: ../other\n", "no folder above"),
            ("workspace: /etc\n", "no folder above"),
            ("workspace: ../../../../../../../../../../../../../../../../../..\n", "no folder above"),
            ("workspace: [a]\n", "line 1: expected text"),
            ("components: api\n", "line 1: expected a list"),
            ("components:\n  - a\n  - ../b\n", "line 3: `../b` is no path inside the workspace"),
            ("components: [\"a\\nb\"]\n", "no path inside"),
            ("component: [a]\n", "line 1: "),
            ("workspace: {\n", "not YAML"),
            ("a\0b", "binary"),
        ] {
            let said = around(&project(home.path(), "x", text)).unwrap_err().to_string();
            assert!(said.contains(part) && said.contains("workspace.yaml"), "{said:?} lacks {part:?}");
        }
    }
}
