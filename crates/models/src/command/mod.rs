//! Agent CLIs and other commands as providers: `claude -p`, `codex exec`, `gemini`, or any program that reads a
//! prompt on stdin and writes its reply to stdout.
//! Is given an argv and a snapshot of variables; hands on a [`Provider`]. No shell reads the argv; the child sees an
//! empty folder and few variables; it dies with everything it started when the call ends in any way. Deliberately
//! absent: retries, prices, and whether the user has confirmed the command.
//!
//! One limit: when our own process is killed outright (SIGKILL), nobody is left to end the child. Its stdin, closed
//! after the prompt, tells it nothing then; it ends by itself when its answer is done. The kernel could end it with us,
//! but only if asked between fork and exec, which takes `unsafe`.

mod envelope;
mod environment;
mod fill;
mod group;
mod preset;
mod run;
mod sort;
mod verdict;

use std::collections::BTreeMap;
use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use self::envelope::{Envelope, Format};
use self::environment::Environment;
use self::fill::Values;
use self::preset::Cli;
use self::run::{Ended, How};
use self::verdict::Over;
use crate::{Ask, Fault, FaultKind, Heard, Provider, Reply, Replying};

/// Where a command works, in the folder of a call.
const WORK: &str = "work";

/// A command, as a config names it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Command {
    /// The program and its arguments, exactly. `{model}`, `{effort}`, `{system}` and `{system_file}` are filled in.
    pub argv: Vec<String>,
    /// Names of further variables to pass on from the snapshot.
    pub pass: Vec<String>,
    /// Variables set for the child, over all others.
    pub env: Vec<(String, String)>,
    /// Where it runs; none = a fresh empty folder, removed afterwards.
    pub cwd: Option<PathBuf>,
}

/// A command that answers calls.
pub struct CommandProvider {
    name: String,
    cli: Cli,
    argv: Vec<String>,
    format: Format,
    environment: Environment,
    /// The variables that are set, not passed on: only these have placeholders.
    set: Vec<(String, String)>,
    cwd: Option<PathBuf>,
    notes: Vec<String>,
}

impl CommandProvider {
    /// A provider of this name. A known agent CLI gets the switches it lacks; [`notes`](Self::notes) says which.
    /// `variables` is the environment to choose from. Nothing is started or looked up yet.
    ///
    /// # Errors
    /// When the command is empty.
    pub fn new(name: &str, command: Command, variables: &BTreeMap<String, String>) -> Result<Self, Fault> {
        let Some(program) = command.argv.first().filter(|program| !program.is_empty()) else {
            let what = format!("the provider `{name}` has no command");
            return Err(Fault::new(FaultKind::Command, what).next("name the program in `command:`"));
        };
        let cli = Cli::of(program);
        let (argv, added) = cli.complete(&command.argv);
        let format = Format::of(cli, &argv);
        let mut notes = Vec::new();
        if !added.is_empty() {
            notes.push(format!(
                "`{program}` also gets: {}",
                added.iter().map(|a| shown(a)).collect::<Vec<_>>().join(" ")
            ));
        }
        notes.extend(cli.caveat(variables).map(str::to_owned));
        for missing in command.pass.iter().filter(|name| !variables.contains_key(*name)) {
            notes.push(format!("`{missing}`, named in `env:`, is not set"));
        }
        let mut environment = Environment::reduced(variables, cli.own_variables(), &command.pass);
        let own = cli.set_variables(variables).iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let set: Vec<(String, String)> = own.chain(command.env).collect();
        set.iter().for_each(|(name, value)| environment.set(name, value));
        let name = name.to_owned();
        Ok(Self { name, cli, argv, format, environment, set, cwd: command.cwd, notes })
    }

    /// What a person should know of how the command is run.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The full argv, placeholders not yet filled.
    pub fn argv(&self) -> &[String] {
        &self.argv
    }

    /// Where the program is.
    ///
    /// # Errors
    /// When it is not there, or cannot be run.
    pub fn found(&self) -> Result<PathBuf, Fault> {
        let program = self.program();
        if program.contains('/') {
            let path = std::path::absolute(program).unwrap_or_else(|_| PathBuf::from(program));
            return if can_run(&path) { Ok(path) } else { Err(self.missing("there is no program of that name")) };
        }
        let path = self.environment.get("PATH").unwrap_or_default();
        // Folders relative to wherever we are would let a project choose the program.
        let folders = path.split(':').map(Path::new).filter(|folder| folder.is_absolute());
        let mut candidates = folders.map(|folder| folder.join(program));
        candidates.find(|path| can_run(path)).ok_or_else(|| self.missing("it is not on the PATH"))
    }

    fn program(&self) -> &str {
        self.argv.first().map_or("", String::as_str)
    }

    fn missing(&self, why: &str) -> Fault {
        let what = format!("`{}` of the provider `{}` cannot be run: {why}", self.program(), self.name);
        Fault::new(FaultKind::Command, what).next("install it or change `command:`")
    }

    async fn try_once(&self, ask: &Ask, heard: Heard<'_>) -> Result<Reply, Fault> {
        let program = self.found()?;
        let folder = self.folder(&ask.prompt.system).map_err(|error| {
            let what = format!("no temporary folder for `{}`: {error}", self.program());
            Fault::new(FaultKind::Command, what).next("make room in the temporary folder, or set TMPDIR")
        })?;
        let values = Values { ask, folder: folder.path() };
        let arguments = fill::arguments(&self.argv[1..], &values)?;
        let mut command = std::process::Command::new(&program);
        command.args(arguments).current_dir(self.cwd.as_deref().unwrap_or(&folder.path().join(WORK))).env_clear();
        command.envs(self.environment.iter());
        for (name, template) in &self.set {
            match fill::fill(template, &values)? {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        let templates = self.argv.iter().chain(self.set.iter().map(|(_, template)| template));
        let stdin = fill::stdin(ask, fill::carries_system(templates.map(String::as_str)));
        let mut envelope = Envelope::new(self.format, heard);
        let ended = run::run(command, stdin.as_bytes(), ask.patience, &mut envelope).await;
        let ended = ended.map_err(|error| self.missing(&error.to_string()))?;
        self.judge(ended, envelope, ask)
    }

    /// The folder of one call: an empty one to work in, and beside it the files that arguments point to. It has mode
    /// 0700, since a prompt is nobody else's business, and is removed when dropped.
    fn folder(&self, system_part: &str) -> io::Result<TempDir> {
        let place = self.environment.get("TMPDIR").unwrap_or("/tmp");
        let folder =
            tempfile::Builder::new().prefix("s2s-").permissions(Permissions::from_mode(0o700)).tempdir_in(place)?;
        std::fs::create_dir(folder.path().join(WORK))?;
        std::fs::write(folder.path().join(fill::SYSTEM_FILE), system_part)?;
        for (name, text) in self.cli.files() {
            let path = folder.path().join(name);
            path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
            std::fs::write(path, text)?;
        }
        Ok(folder)
    }

    fn judge(&self, ended: Ended, envelope: Envelope<'_>, ask: &Ask) -> Result<Reply, Fault> {
        let (stderr, environment) = (ended.stderr.as_str(), &self.environment);
        let silent = envelope.is_silent();
        let (said, flaw) = envelope.close(matches!(ended.how, How::Exited(status) if status.success()));
        let over = Over { program: self.program(), cli: self.cli, said, flaw, silent, stderr, environment };
        match ended.how {
            How::Exited(status) => over.exited(status),
            How::TimedOut => Err(over.timed_out(ask.patience)),
            How::Silent => Err(over.fell_silent(ask.patience)),
            How::TooMuch => Err(over.too_much()),
        }
    }
}

impl Provider for CommandProvider {
    fn ask<'a>(&'a self, ask: &'a Ask, heard: Heard<'a>) -> Replying<'a> {
        Box::pin(async move {
            let tried = self.try_once(ask, heard).await;
            tried.map_err(|fault| Fault { what: self.environment.without_secrets(&fault.what), ..fault })
        })
    }
}

fn can_run(path: &Path) -> bool {
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

/// An argument as a person would type it.
fn shown(argument: &str) -> String {
    let plain = !argument.is_empty() && argument.chars().all(|c| c.is_alphanumeric() || "-_./=:,{}".contains(c));
    if plain { argument.to_owned() } else { format!("'{}'", argument.replace('\'', r"'\''")) }
}
