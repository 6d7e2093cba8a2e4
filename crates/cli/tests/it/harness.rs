//! A project in a temporary folder, and the binary run in it.
//! Nothing of the machine's own settings reaches a run: no user file, no S2S_ or OTEL_ variable, no key, no
//! provider's address, no colour.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

pub const TOPIC: &str = "An API for partners";

/// A script in which three seats agree on one point and vote for it: three rounds, an ADR.
pub const CALM: &str = r#"
replies:
  - {kind: question, reply: {action: question, question: "Which way?", participants: all, focus: "Ways"}}
  - {kind: response, reply: {position: "Use REST", rationale: ["known"], confidence: 0.7, concerns: []}}
  - {round: 2, kind: response, reply: {position: "Use REST", rationale: ["known"], confidence: 0.7, votes: {C1.1: support}}}
  - {round: 1, kind: synthesis, reply: {action: synthesis, synthesis: "REST it is.", consensus: ["Use REST"], next_action: continue, next_focus: "Costs"}}
  - {kind: synthesis, reply: {action: synthesis, synthesis: "All agree.", next_action: conclude, recommendation: "Use REST", output_type: adr}}
"#;

/// As [`CALM`], but one seat is unsure in the first round, and the facilitator recommends something.
pub const UNSURE: &str = r#"
replies:
  - {kind: question, reply: {action: question, question: "Which way?", participants: all, focus: "Ways"}}
  - {kind: response, reply: {position: "Use REST", rationale: ["known"], confidence: 0.7}}
  - {round: 1, seat: technical-lead, reply: {position: "Hard to say", rationale: ["thin context"], confidence: 0.3}}
  - {round: 2, kind: response, reply: {position: "Use REST", rationale: ["known"], confidence: 0.7, votes: {C1.1: support}}}
  - {round: 1, kind: synthesis, reply: {action: synthesis, synthesis: "REST, perhaps.", consensus: ["Use REST"], next_action: escalate, escalation_reason: "thin", recommendation: "Take REST"}}
  - {kind: synthesis, reply: {action: synthesis, synthesis: "All agree.", next_action: conclude, recommendation: "Use REST", output_type: adr}}
"#;

/// A script that asks and then waits for its answers.
pub const SLOW: &str = r#"
default: {delay_ms: 600000}
replies:
  - {kind: question, delay_ms: 0, reply: {action: question, question: "Which way?", participants: all, focus: "Ways"}}
  - {kind: response, reply: {position: "Use REST", rationale: ["known"], confidence: 0.7}}
"#;

/// A folder to run in.
pub struct Folder {
    home: TempDir,
}

/// How a run ended.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Folder {
    /// An empty folder.
    pub fn bare() -> Self {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join("work")).unwrap();
        Self { home }
    }

    /// A project, with a script `calm.yaml` beside it.
    pub fn project() -> Self {
        let folder = Self::bare();
        folder.run(&["init"]).ok();
        folder.write("calm.yaml", CALM);
        folder.write("unsure.yaml", UNSURE);
        folder
    }

    /// A project with a session that waits for a person; gives its id.
    pub fn waiting() -> (Self, String) {
        let folder = Self::project();
        folder.run(&["roundtable", "start", TOPIC, "--panel", "script:unsure.yaml", "--strategy", "standard"]).is(3);
        let id = folder.ids().remove(0);
        (folder, id)
    }

    pub fn path(&self) -> PathBuf {
        self.home.path().join("work")
    }

    /// Where the person's own settings would be.
    pub fn user_config(&self) -> PathBuf {
        self.home.path().join("config/s2s/config.yaml")
    }

    /// Where the person's confirmations would be.
    pub fn trusted(&self) -> PathBuf {
        self.home.path().join("state/s2s/trusted.yaml")
    }

    /// Everything this person has: settings, confirmations, the project.
    pub fn everything(&self) -> Vec<PathBuf> {
        files_below(self.home.path())
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_s2s"));
        command.args(args);
        self.settle(&mut command);
        command
    }

    /// Puts a command into this folder, away from the machine's own settings.
    pub fn settle(&self, command: &mut Command) {
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            let of_models = text.ends_with("_API_KEY") || text.ends_with("_BASE_URL") || text == "OLLAMA_HOST";
            if text.starts_with("S2S_") || text.starts_with("OTEL_") || of_models {
                command.env_remove(&name);
            }
        }
        command
            .current_dir(self.path())
            .env("HOME", self.home.path())
            .env("XDG_CONFIG_HOME", self.home.path().join("config"))
            .env("XDG_STATE_HOME", self.home.path().join("state"))
            .env_remove("CLICOLOR_FORCE")
            .env_remove("TERM")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
    }

    pub fn run(&self, args: &[&str]) -> Run {
        finish(self.command(args).spawn().unwrap())
    }

    pub fn run_with(&self, args: &[&str], stdin: &str) -> Run {
        let mut child = self.command(args).stdin(Stdio::piped()).spawn().unwrap();
        // A run that refuses early does not read; that is not this test's subject.
        let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
        finish(child)
    }

    /// Starts the calm script with more arguments.
    pub fn start(&self, more: &[&str]) -> Run {
        let mut args = vec!["roundtable", "start", TOPIC, "--panel", "script:calm.yaml", "--strategy", "standard"];
        args.extend(more);
        self.run(&args)
    }

    /// A run whose events are read as they come.
    pub fn watch(&self, args: &[&str]) -> Watched {
        Watched::of(self.command(args))
    }

    /// The ids of all sessions.
    pub fn ids(&self) -> Vec<String> {
        let listed = self.run(&["roundtable", "list", "--json"]).ok().json();
        let rows = listed["sessions"].as_array().unwrap().clone();
        rows.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
    }

    /// The minutes of a session.
    pub fn minutes(&self, id: &str) -> Value {
        self.run(&["roundtable", "show", id, "--json"]).ok().json()
    }

    /// The minutes of the only session.
    pub fn only(&self) -> Value {
        let ids = self.ids();
        assert_eq!(ids.len(), 1, "{ids:?}");
        self.minutes(&ids[0])
    }
}

pub fn finish(child: Child) -> Run {
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

impl Run {
    #[track_caller]
    pub fn ok(self) -> Self {
        self.is(0)
    }

    #[track_caller]
    pub fn is(self, code: i32) -> Self {
        assert_eq!(self.code, code, "out: {}\nerr: {}", self.out, self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self
    }

    /// Standard error says all of this.
    #[track_caller]
    pub fn says(self, parts: &[&str]) -> Self {
        for part in parts {
            assert!(self.err.contains(part), "{part:?} is not in: {}\nout: {}", self.err, self.out);
        }
        self
    }

    /// Standard output shows all of this.
    #[track_caller]
    pub fn shows(self, parts: &[&str]) -> Self {
        for part in parts {
            assert!(self.out.contains(part), "{part:?} is not in: {}\nerr: {}", self.out, self.err);
        }
        self
    }

    /// Everything that was said, for a run that says it on either stream.
    pub fn all(&self) -> String {
        format!("{}{}", self.out, self.err)
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }
}

/// A run under way.
pub struct Watched {
    pub child: Child,
    events: BufReader<ChildStdout>,
}

impl Watched {
    /// Starts a command.
    pub fn of(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let events = BufReader::new(child.stdout.take().unwrap());
        Self { child, events }
    }

    /// Reads events up to the one with this name (and this part in its line); gives it.
    pub fn until(&mut self, event: &str, part: &str) -> Value {
        let mut line = String::new();
        loop {
            line.clear();
            let read = self.events.read_line(&mut line).unwrap();
            assert!(read > 0, "the run ended before {event} {part}");
            let value: Value = serde_json::from_str(&line).unwrap();
            if value["event"] == event && line.contains(part) {
                return value;
            }
        }
    }

    /// Reads the next line.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.events.read_line(&mut line).unwrap();
        line
    }

    /// Sends a signal by name.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").arg(format!("-{name}")).arg(self.child.id().to_string()).status().unwrap();
        assert!(sent.success());
    }

    /// Waits for the end; standard output is what came after the events read so far.
    pub fn finish(mut self) -> Run {
        let mut out = String::new();
        std::io::Read::read_to_string(&mut self.events, &mut out).unwrap();
        Run { out, ..finish(self.child) }
    }
}

/// Every file below a folder.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found
}

/// Says that a test could not be tried here. Under CI that is a failure: a skip that nobody sees proves nothing.
#[track_caller]
pub fn skipped(why: &str) {
    assert!(std::env::var_os("CI").is_none(), "could not be tried: {why}");
    eprintln!("SKIPPED: {why}");
}
