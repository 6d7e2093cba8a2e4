//! Makes a workspace with its components.
//! Given the root and which folders shall be components; makes each a project, and writes both sides of the link.
//! What is there is kept; a list of components only ever grows, and only by lines of its own. Deliberately absent:
//! questions, and which folders are offered (`detect`).

use std::fs;
use std::path::{Path, PathBuf};

use super::detect::{Detected, Member};
use super::draft::Answers;
use super::init::{self, InitProblem, InitReport, alone, init_with, refusal, replace};
use super::workspace::{self, below, inner, read_links, ups};
use super::{FOLDER, Project, WORKSPACE_FILE, find};
use s2s_yaml::node::nearest;

const HEAD: &str = "# Written by `s2s init`: a workspace lists its components, a component names its workspace.\n";

/// A workspace to be made.
#[derive(Debug, Clone, Copy)]
pub struct Making<'m> {
    /// The folder of the workspace.
    pub root: &'m Path,
    /// What was detected in it.
    pub found: &'m Detected,
    /// What a person said about it.
    pub answers: &'m Answers,
    /// The folders of the components, as [`component_meant`] gives them.
    pub components: &'m [String],
}

/// Makes a workspace, or completes it, with its components.
pub fn make_workspace(making: Making<'_>) -> InitReport {
    let mut report = init_with(making.root, making.found, making.answers);
    if report.problems.is_empty() {
        report.link(making.root, None, making.components);
    }
    for component in making.components {
        let root = making.root.join(component);
        let made = match linked_folder(&root) {
            Some(problem) => InitReport { problems: vec![problem], ..InitReport::default() },
            None => init::init(&root),
        };
        let whole = made.problems.is_empty();
        report.add(made);
        if whole {
            report.link(&root, Some(&ups(making.root, &root)), &[]);
        }
    }
    report
}

/// A component's `.s2s` that is a link would be written somewhere else.
fn linked_folder(root: &Path) -> Option<InitProblem> {
    let dir = root.join(FOLDER);
    let is_link = dir.symlink_metadata().is_ok_and(|about| about.is_symlink());
    is_link.then(|| InitProblem {
        path: dir,
        why: "it is a link".to_owned(),
        advice: "Put a folder in its place and run `s2s init` again.",
    })
}

/// The workspace above that lists this folder as a component, and the way up to it.
pub fn claimed(root: &Path) -> Option<(Project, String)> {
    let mut above = root.parent().and_then(find);
    while let Some(project) = above {
        let listed = read_links(&project.dir).is_ok_and(|links| links.components.contains(&below(&project.root, root)));
        if listed {
            let up = ups(&project.root, root);
            return Some((project, up));
        }
        above = project.root.parent().and_then(find);
    }
    None
}

/// The folder that a person means by the path or the name of a component.
///
/// # Errors
/// A sentence: where it is unknown, ambiguous, leads out, or is no plain folder.
pub fn component_meant(root: &Path, typed: &str, members: &[Member]) -> Result<String, String> {
    let Some(path) = inner(typed) else {
        return Err(format!("`{typed}` is no folder inside the workspace"));
    };
    let last = |member: &&Member| member.path.rsplit('/').next() == Some(path.as_str()) || member.name == path;
    let named: Vec<&Member> = members.iter().filter(last).collect();
    let exact = members.iter().any(|member| member.path == path);
    let path = match named.as_slice() {
        [one] if !exact && !root.join(&path).is_dir() => one.path.clone(),
        [_, _, ..] if !exact && !root.join(&path).is_dir() => {
            let all: Vec<&str> = named.iter().map(|member| member.path.as_str()).collect();
            return Err(format!("`{path}` can be {}; give the path", all.join(" or ")));
        }
        _ => path,
    };
    let mut folder = PathBuf::from(root);
    for part in path.split('/') {
        folder.push(part);
        match folder.symlink_metadata() {
            Ok(about) if about.is_dir() => {}
            Ok(about) if about.is_symlink() => return Err(format!("`{path}` leads over a link")),
            Ok(_) => return Err(format!("`{path}` is no folder")),
            Err(_) => return Err(unknown(&path, members)),
        }
        if part == FOLDER {
            return Err(format!("`{path}` is a folder of s2s itself"));
        }
    }
    Ok(path)
}

fn unknown(path: &str, members: &[Member]) -> String {
    let near = nearest(path, members.iter().map(|member| member.path.as_str()));
    match near {
        Some(near) => format!("there is no folder `{path}`; did you mean `{near}`?"),
        None => format!("there is no folder `{path}`"),
    }
}

impl InitReport {
    fn add(&mut self, other: Self) {
        self.created.extend(other.created);
        self.kept.extend(other.kept);
        self.extended.extend(other.extended);
        self.half_made |= other.half_made;
        self.problems.extend(other.problems);
        self.notes.extend(other.notes);
    }

    /// Writes into a project's `workspace.yaml` what is not there yet.
    pub fn link(&mut self, root: &Path, up: Option<&str>, components: &[String]) {
        let dir = root.join(FOLDER);
        let path = dir.join(WORKSPACE_FILE);
        let _alone = alone(&dir);
        if path.symlink_metadata().is_err() {
            let text = with(HEAD, up, components, None);
            return match text {
                Ok(text) => self.file(&path, || text),
                Err(why) => self.problems.push(by_hand(&path, why)),
            };
        }
        match extend(&path, &dir, up, components) {
            Ok(true) => self.extended.push(path),
            Ok(false) if [&self.created, &self.extended, &self.kept].iter().any(|paths| paths.contains(&path)) => {}
            Ok(false) => self.kept.push(path),
            Err(problem) => self.problems.push(problem),
        }
    }
}

/// Adds to the file what is missing; says whether anything was.
fn extend(path: &Path, dir: &Path, up: Option<&str>, components: &[String]) -> Result<bool, InitProblem> {
    let links = read_links(dir).map_err(|error| by_hand(path, error.why))?;
    let missing: Vec<String> = components.iter().filter(|path| !links.components.contains(path)).cloned().collect();
    let up = match (&links.workspace, up) {
        (Some(old), Some(up)) if old.trim_end_matches('/') != up => {
            return Err(by_hand(path, format!("it names another workspace already, `{old}`")));
        }
        (Some(_), _) => None,
        (None, up) => up,
    };
    if missing.is_empty() && up.is_none() {
        return Ok(false);
    }
    let old = fs::read_to_string(path).map_err(|error| refusal(path, &error))?;
    let new = with(&old, up, &missing, links.last_line).map_err(|why| by_hand(path, why))?;
    replace(path, &old, &new).map(|()| true)
}

/// The text with these lines, checked: it must say just that, and all it said before.
fn with(old: &str, up: Option<&str>, components: &[String], last_line: Option<usize>) -> Result<String, String> {
    let before = workspace::parse(old).map_err(|misfit| misfit.to_string())?;
    let mut lines: Vec<String> = old.lines().map(str::to_owned).collect();
    let item = |indent: &str, path: &String| format!("{indent}- {}", serde_json::Value::from(path.as_str()));
    match last_line.and_then(|line| line.checked_sub(1)) {
        _ if components.is_empty() => {}
        Some(at) => {
            let indent: String =
                lines.get(at).map(|line| line.chars().take_while(|c| *c == ' ').collect()).unwrap_or_default();
            let new = components.iter().map(|path| item(&indent, path));
            lines.splice((at + 1).min(lines.len())..(at + 1).min(lines.len()), new);
        }
        None => {
            lines.push("components:".to_owned());
            lines.extend(components.iter().map(|path| item("  ", path)));
        }
    }
    lines.extend(up.map(|up| format!("workspace: {up}")));
    let text = lines.join("\n") + "\n";
    let after = workspace::parse(&text).map_err(|_| "its list cannot be added to".to_owned())?;
    let all: Vec<String> = before.components.into_iter().chain(components.iter().cloned()).collect();
    let is_right = after.components == all && after.workspace.as_deref() == before.workspace.as_deref().or(up);
    is_right.then_some(text).ok_or_else(|| "its list cannot be added to".to_owned())
}

fn by_hand(path: &Path, why: String) -> InitProblem {
    InitProblem { path: path.to_owned(), why, advice: "Change the file by hand and run `s2s init` again." }
}

#[cfg(test)]
mod tests {
    use super::super::detect::detect;
    use super::super::workspace::around;
    use super::*;

    fn workspace() -> tempfile::TempDir {
        let home = tempfile::tempdir().unwrap();
        for (path, text) in [
            ("Cargo.toml", "[workspace]\nmembers = ['services/*']\n"),
            ("services/api/Cargo.toml", "[package]\nname = 'shop-api'\n"),
            ("services/web/Cargo.toml", "[package]\nname = 'shop-web'\n"),
        ] {
            fs::create_dir_all(home.path().join(path).parent().unwrap()).unwrap();
            fs::write(home.path().join(path), text).unwrap();
        }
        home
    }

    fn make(root: &Path, components: &[&str]) -> InitReport {
        let components: Vec<String> = components.iter().map(|path| (*path).to_owned()).collect();
        let (found, answers) = (detect(root), Answers::default());
        make_workspace(Making { root, found: &found, answers: &answers, components: &components })
    }

    #[test]
    fn both_sides_are_written_and_a_second_run_adds_only_what_is_new() {
        let home = workspace();
        let report = make(home.path(), &["services/api"]);
        assert_eq!((report.problems.len(), report.created.len()), (0, 14), "{report:?}");
        let api = find(&home.path().join("services/api")).unwrap();
        assert_eq!(around(&api).unwrap()[0].up, "../..");
        assert_eq!(claimed(&api.root).unwrap().1, "../..");
        assert_eq!(claimed(&home.path().join("services/web")), None);
        let report = make(home.path(), &["services/api", "services/web"]);
        assert_eq!((report.problems.len(), report.created.len(), report.extended.len()), (0, 7, 1), "{report:?}");
        assert!(!report.half_made);
        let text = fs::read_to_string(home.path().join(".s2s/workspace.yaml")).unwrap();
        assert_eq!(text, format!("{HEAD}components:\n  - \"services/api\"\n  - \"services/web\"\n"));
        let mut report = make(home.path(), &["services/web"]);
        assert_eq!(report.created.len(), 0);
        let kept = report.kept.len();
        report.link(home.path(), None, &[]);
        assert_eq!(report.kept.len(), kept, "each is said once");
    }

    #[test]
    fn a_component_can_be_a_workspace_and_what_a_person_wrote_stays() {
        for (old, new) in [
            ("# mine\nworkspace: ..\n", "# mine\nworkspace: ..\ncomponents:\n  - \"a\"\n"),
            (
                "components:\n- x # first\n# end\nworkspace: ..\n",
                "components:\n- x # first\n- \"a\"\n# end\nworkspace: ..\n",
            ),
            ("", "components:\n  - \"a\"\n"),
        ] {
            let last = workspace::parse(old).unwrap().last_line;
            assert_eq!(with(old, None, &["a".to_owned()], last).unwrap(), new);
        }
        let flow = "components: [x]\n";
        let last = workspace::parse(flow).unwrap().last_line;
        assert!(with(flow, None, &["a".to_owned()], last).is_err(), "a list in brackets is left to the person");
        assert_eq!(with("components: [x]\n", Some(".."), &[], last).unwrap(), "components: [x]\nworkspace: ..\n");
    }

    #[test]
    fn a_component_of_another_workspace_is_said() {
        let home = workspace();
        make(home.path(), &["services/api"]);
        let report = make(&home.path().join("services"), &["api"]);
        let said = report.problems[0].to_string();
        assert!(said.contains("it names another workspace already, `../..`"), "{said}");
    }

    #[test]
    fn components_are_meant_by_path_or_name_and_never_outside() {
        let home = workspace();
        std::os::unix::fs::symlink("/", home.path().join("link")).unwrap();
        fs::create_dir(home.path().join("plain")).unwrap();
        let members = detect(home.path()).members;
        for (typed, path) in [
            ("services/api", "services/api"),
            ("./services/api/", "services/api"),
            ("api", "services/api"),
            ("shop-web", "services/web"),
            ("plain", "plain"),
        ] {
            assert_eq!(component_meant(home.path(), typed, &members).as_deref(), Ok(path));
        }
        for (typed, part) in [
            ("../x", "no folder inside"),
            (".", "no folder inside"),
            ("", "no folder inside"),
            ("/etc", "no folder inside"),
            ("services/../../x", "no folder inside"),
            ("link/tmp", "leads over a link"),
            ("Cargo.toml", "is no folder"),
            ("services/apl", "did you mean `services/api`?"),
            ("zzz", "there is no folder `zzz`"),
        ] {
            let said = component_meant(home.path(), typed, &members).unwrap_err();
            assert!(said.contains(part), "{typed}: {said}");
        }
    }

    #[test]
    fn a_link_for_a_component_s_folder_is_not_followed() {
        let home = workspace();
        let outside = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(outside.path(), home.path().join("services/api/.s2s")).unwrap();
        let report = make(home.path(), &["services/api", "services/web"]);
        assert!(report.problems[0].to_string().contains("api/.s2s cannot be made: it is a link"), "{report:?}");
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
        assert!(home.path().join("services/web/.s2s/workspace.yaml").exists(), "the rest is made all the same");
    }

    #[test]
    fn two_at_the_same_time_make_one_whole_workspace() {
        let home = workspace();
        let root = home.path();
        let reports: Vec<InitReport> = std::thread::scope(|scope| {
            let runs: Vec<_> = ["services/api", "services/web"]
                .into_iter()
                .cycle()
                .take(8)
                .map(|path| scope.spawn(move || make(root, &[path])))
                .collect();
            runs.into_iter().map(|run| run.join().unwrap()).collect()
        });
        assert!(reports.iter().all(|report| report.problems.is_empty()), "{reports:?}");
        let mut components = read_links(&root.join(FOLDER)).unwrap().components;
        components.sort();
        assert_eq!(components, ["services/api", "services/web"]);
        let made: usize = reports
            .iter()
            .map(|report| report.created.iter().filter(|path| path.ends_with("services/api/.s2s/CONTEXT.md")).count())
            .sum();
        assert_eq!(made, 1);
        assert!(
            !fs::read_dir(root.join(FOLDER))
                .unwrap()
                .flatten()
                .any(|entry| entry.file_name().to_string_lossy().starts_with(".s2s-"))
        );
    }
}
