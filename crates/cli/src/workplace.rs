//! Where a command works: the folder, its project, the settings in force and the catalog.
//! Given the current folder, the environment and flags; hands on one [`Workplace`], or every problem of
//! every settings file by line. Deliberately absent: sessions' content, and what a command does here.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};

use s2s::Failure;
use s2s::catalog::Catalog;
use s2s::config::{self, FlagValue, Layer, Problem, Resolved, Source};
use s2s::project::{self, Project};
use s2s::store::Sessions;

/// A project with its settings.
pub struct Workplace {
    /// The current folder.
    pub cwd: PathBuf,
    /// The project around it.
    pub project: Project,
    /// Its sessions.
    pub sessions: Sessions,
    /// Its data files over the built-in ones.
    pub catalog: Catalog,
    /// The settings in force.
    pub settings: Resolved,
}

impl Workplace {
    /// Opens a project with its settings under these flags.
    pub fn open(cwd: PathBuf, project: Project, flags: &[FlagValue<'_>]) -> Result<Self, Failure> {
        let settings = settings(&cwd, Some(&project), flags)?;
        let sessions = Sessions::new(&project.dir);
        let catalog = catalog(Some(&project));
        Ok(Self { cwd, project, sessions, catalog, settings })
    }
}

/// The current folder.
pub fn here() -> Result<PathBuf, Failure> {
    env::current_dir().map_err(|error| {
        Failure::failed(format!("the current folder cannot be read: {error}")).next("go to a folder that exists")
    })
}

/// The project around a folder.
pub fn project_at(cwd: &Path) -> Result<Project, Failure> {
    project::find(cwd).ok_or_else(|| Failure::bad_input("Not an s2s project. Run `s2s init` first."))
}

/// The sessions of the project around the current folder.
pub fn sessions_here() -> Result<Sessions, Failure> {
    Ok(Sessions::new(project_at(&here()?)?.dir))
}

/// The data files in force.
pub fn catalog(project: Option<&Project>) -> Catalog {
    match project {
        Some(project) => Catalog::with_project(&project.dir, Some(&project.root.join(".claude/agents"))),
        None => Catalog::builtin(),
    }
}

/// The settings in force: built-in, user, project, environment, flags (T1).
pub fn settings(cwd: &Path, project: Option<&Project>, flags: &[FlagValue<'_>]) -> Result<Resolved, Failure> {
    let mut problems = Vec::new();
    let mut read = |layer: Layer, path: Option<PathBuf>| -> Option<(Layer, String, String)> {
        let path = path?;
        match config::read_file(&path) {
            Ok(text) => Some((layer, shown(cwd, &path), text?)),
            Err(problem) => {
                problems.push(problem);
                None
            }
        }
    };
    let user = read(Layer::User, user_file());
    let own = read(Layer::Project, project.map(|project| project.dir.join(project::CONFIG_FILE)));
    let variables = variables();
    let files = [user, own];
    let mut sources: Vec<Source<'_>> =
        files.iter().flatten().map(|(layer, name, text)| Source::File { layer: *layer, name, text }).collect();
    sources.push(Source::Environment(&variables));
    sources.push(Source::Flags(flags));
    match config::Config::resolve(&sources) {
        Ok(mut settings) if problems.is_empty() => {
            let own = user_file().and_then(|file| Some((Layer::User, file.parent()?.to_owned())));
            let of_project = project.map(|project| (Layer::Project, project.root.clone()));
            settings.folders = own.into_iter().chain(of_project).collect();
            Ok(settings)
        }
        Ok(_) => Err(refused(&problems)),
        Err(more) => {
            problems.extend(more);
            Err(refused(&problems))
        }
    }
}

/// Stops where the settings of a project do not fit, before anything is done with it.
pub fn check_settings(cwd: &Path, file: &Path) -> Result<(), Failure> {
    let text = config::read_file(file).map_err(|problem| refused(&[problem]))?;
    let Some(text) = text else { return Ok(()) };
    let name = shown(cwd, file);
    let source = Source::File { layer: Layer::Project, name: &name, text: &text };
    config::Config::resolve(&[source]).map(|_| ()).map_err(|problems| refused(&problems))
}

fn refused(problems: &[Problem]) -> Failure {
    let in_file = problems.iter().any(|problem| problem.line > 0);
    let failure = Failure::in_files(problems.to_vec());
    match in_file {
        true => failure.next("mend the settings file there, then run the command again"),
        false => failure,
    }
}

/// The person's own settings file.
fn user_file() -> Option<PathBuf> {
    Some(settings_folder()?.join("s2s").join("config.yaml"))
}

/// The folder of a person's settings. A relative XDG_CONFIG_HOME does not count, as its standard says.
pub fn settings_folder() -> Option<PathBuf> {
    let from = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    from("XDG_CONFIG_HOME").or_else(|| Some(from("HOME")?.join(".config")))
}

/// Our environment variables; one that is not text cannot be a setting.
fn variables() -> BTreeMap<String, String> {
    let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
        Some((name.into_string().ok()?, value.into_string().ok()?))
    };
    env::vars_os().filter_map(text).filter(|(name, _)| name.starts_with("S2S_")).collect()
}

/// What the project is called: as its CONTEXT.md has it, else as its folder.
pub fn project_name(project: &Project) -> String {
    let context = s2s::project::read_context(&project.dir).map(|context| context.text).unwrap_or_default();
    let titled = context.lines().find_map(|line| line.strip_prefix("# ")).map(str::trim);
    let says = |title: &&str| !title.is_empty() && !title.to_lowercase().ends_with("context");
    let folder = || project.root.file_name().map(|name| name.to_string_lossy().into_owned());
    titled.filter(says).map(str::to_owned).or_else(folder).unwrap_or_else(|| "this project".to_owned())
}

/// A path as short as it can be said from here.
pub fn shown(cwd: &Path, path: &Path) -> String {
    path.strip_prefix(cwd).unwrap_or(path).display().to_string()
}

/// The way from a folder up to one above it, such as `../../`; empty where it is the same or not above.
pub fn up_to(cwd: &Path, above: &Path) -> String {
    cwd.strip_prefix(above).map_or_else(|_| String::new(), |below| "../".repeat(below.components().count()))
}

/// The session a person means: by id or its start; else the current one, else the newest.
pub fn session_meant(sessions: &Sessions, asked: Option<&str>) -> Result<String, Failure> {
    if let Some(asked) = asked {
        return Ok(sessions.resolve(asked)?);
    }
    if let Some(current) = sessions.current()? {
        return Ok(sessions.resolve(&current)?);
    }
    let newest = sessions.newest()?;
    newest.ok_or_else(|| {
        Failure::bad_input("there is no session yet").next("start one: s2s roundtable start \"your question\"")
    })
}
