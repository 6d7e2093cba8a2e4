//! Where a key is found, and how it is read from there: a variable, a program's output, a file.
//! Given a source, the caller's snapshot of the environment and the project's folder; hands on a [`Secret`], or
//! a failure that says what to do and never what was read. Deliberately absent: keeping keys, and sending them.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, WaitId, WaitIdOptions, geteuid, waitid};
use s2s_models::ChildGroup;
use serde::Serialize;
use tokio::io::AsyncReadExt;
use tokio::process::Command;

use crate::Failure;

/// How long a program may take to print a key. It has no terminal to ask on; one that asks a person in a window
/// of its own needs a quick answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// Longer than any key.
const MOST_BYTES: u64 = 16 * 1024;
/// How the names of variables that hold secrets end, in capitals.
const SECRET_ENDINGS: [&str; 6] = ["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIALS"];

/// Where a key is found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum KeySource {
    /// An environment variable.
    Env(String),
    /// A program with its arguments, which prints it.
    Command(Vec<String>),
    /// A file that only its owner may read. `~/` stands for the home folder.
    File(PathBuf),
}

impl fmt::Display for KeySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Env(name) => f.write_str(name),
            Self::Command(argv) => write!(f, "the command `{}`", argv.first().map_or("", String::as_str)),
            Self::File(path) => write!(f, "the file {}", path.display()),
        }
    }
}

/// A secret in memory. It prints as nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The secret itself, for whoever sends it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[key]")
    }
}

impl KeySource {
    /// The source, written out whole: for fingerprints.
    pub(crate) fn spelled(&self) -> String {
        match self {
            Self::Env(name) => format!("env {name}"),
            Self::Command(argv) => format!("command {argv:?}"),
            Self::File(path) => format!("file {}", path.display()),
        }
    }

    /// Reads the key. `variables` is the environment; `project` the folder in which no key may lie; a program runs in
    /// `folder`, none = here. Needs a runtime with time and I/O where the source is a program.
    ///
    /// # Errors
    /// A failure with the source and what to do; what was read is never part of it.
    pub async fn read(
        &self,
        variables: &BTreeMap<String, String>,
        project: Option<&Path>,
        folder: Option<&Path>,
    ) -> Result<Secret, Failure> {
        let text = match self {
            Self::Env(name) => variables.get(name).cloned().ok_or_else(|| {
                Failure::bad_input(format!("the variable {name} is not set")).next(format!("set {name} to the key"))
            })?,
            Self::Command(argv) => printed(argv, variables, folder).await?,
            Self::File(path) => from_file(path, variables, project)?,
        };
        one_line(&text).ok_or_else(|| {
            Failure::bad_input(format!("{self} holds no key in one line")).next("it must hold the key and nothing else")
        })
    }
}

/// The text as a key: one line of visible signs.
fn one_line(text: &str) -> Option<Secret> {
    let text = text.trim();
    let good = !text.is_empty() && text.chars().all(|c| c.is_ascii_graphic());
    good.then(|| Secret(text.to_owned()))
}

/// Runs a program and takes what it prints. No shell, nothing to read, its complaints are not kept: they could
/// hold the key. It gets the environment without secrets, and ends with everything it started.
async fn printed(
    argv: &[String],
    variables: &BTreeMap<String, String>,
    folder: Option<&Path>,
) -> Result<String, Failure> {
    let name = argv.first().map_or("", String::as_str);
    let failed = |what: String| {
        Failure::bad_input(format!("the command `{name}` gave no key: {what}"))
            .next("run it by hand; it must print the key and end within 10 seconds")
    };
    let mut command = Command::new(name);
    command.args(argv.iter().skip(1)).env_clear();
    folder.into_iter().for_each(|folder| {
        command.current_dir(folder);
    });
    command.envs(variables.iter().filter(|(name, _)| !is_secret(name)));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0).kill_on_drop(true);
    let mut child = command.spawn().map_err(|error| failed(format!("it cannot be started ({error})")))?;
    let id = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
    let group = id.map(ChildGroup::led_by);
    let (Some(id), Some(output)) = (id, child.stdout.take()) else {
        return Err(failed("its output cannot be read".to_owned()));
    };
    let run = async {
        let mut bytes = Vec::new();
        output.take(MOST_BYTES + 1).read_to_end(&mut bytes).await?;
        // A pipe that is full would keep the program waiting for ever.
        if bytes.len() as u64 <= MOST_BYTES {
            exited(id).await?;
        }
        Ok::<_, std::io::Error>(bytes)
    };
    let ended = tokio::time::timeout(PATIENCE, run).await;
    // First what it started is ended, then it is reaped: after that its number may be a stranger's.
    drop(group);
    let bytes = match ended {
        Err(_) => return Err(failed("it took longer than 10 seconds".to_owned())),
        Ok(Err(error)) => return Err(failed(error.to_string())),
        Ok(Ok(bytes)) if bytes.len() as u64 > MOST_BYTES => {
            return Err(failed("it printed far more than a key".to_owned()));
        }
        Ok(Ok(bytes)) => bytes,
    };
    let status = child.wait().await.map_err(|error| failed(error.to_string()))?;
    if !status.success() {
        return Err(failed(format!("it ended with {status}")));
    }
    String::from_utf8(bytes).map_err(|_| failed("what it printed is not text".to_owned()))
}

fn is_secret(variable: &str) -> bool {
    let name = variable.to_uppercase();
    SECRET_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Waits until a child has exited, and does not reap it.
async fn exited(id: Pid) -> std::io::Result<()> {
    let wait = move || waitid(WaitId::Pid(id), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT).map(drop);
    let waiting = tokio::task::spawn_blocking(move || rustix::io::retry_on_intr(wait));
    Ok(waiting.await.map_err(std::io::Error::other)??)
}

fn from_file(path: &Path, variables: &BTreeMap<String, String>, project: Option<&Path>) -> Result<String, Failure> {
    let shown = path.display();
    let failed = |what: String, next: String| Failure::bad_input(format!("the key file {shown} {what}")).next(next);
    let whole = match path.strip_prefix("~") {
        Ok(rest) => match variables.get("HOME").filter(|home| home.starts_with('/')) {
            Some(home) => Path::new(home).join(rest),
            None => return Err(failed("starts with ~, and HOME is not set".into(), "name its full path".into())),
        },
        Err(_) => path.to_owned(),
    };
    let unreadable =
        |error: std::io::Error| failed(format!("cannot be read: {error}"), "name a file you may read".into());
    // Links are followed first: what counts is where the key lies.
    let real = whole.canonicalize().map_err(unreadable)?;
    let inside = project.and_then(|folder| folder.canonicalize().ok()).is_some_and(|folder| real.starts_with(folder));
    if inside {
        return Err(failed(
            "lies inside the project".into(),
            "move it to your home folder: projects are shared".into(),
        ));
    }
    if !real.is_file() {
        return Err(failed("is not a regular file".into(), "name a file that holds the key".into()));
    }
    let file = std::fs::File::open(&real).map_err(unreadable)?;
    let about = file.metadata().map_err(unreadable)?;
    if about.uid() != geteuid().as_raw() {
        return Err(failed("belongs to another user".into(), "use a file of your own".into()));
    }
    if about.mode() & 0o077 != 0 {
        return Err(failed("may be read by others".into(), format!("run: chmod 600 {shown}")));
    }
    let mut text = String::new();
    file.take(MOST_BYTES).read_to_string(&mut text).map_err(unreadable)?;
    Ok(text)
}
