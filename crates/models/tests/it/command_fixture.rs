//! Small real programs to ask, and what is needed to ask them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command as Process;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use s2s_models::{Ask, Command, CommandProvider, Fault, FaultKind, Patience, Prompt, Provider, Reply};

/// A folder with programs in it; temporary folders of calls are made in it too.
pub struct Bench {
    root: tempfile::TempDir,
    pub variables: BTreeMap<String, String>,
}

impl Bench {
    pub fn new() -> Self {
        let root = tempfile::tempdir().expect("a folder");
        for folder in ["bin", "tmp"] {
            std::fs::create_dir(root.path().join(folder)).expect("a folder");
        }
        let path = format!("{}:/usr/bin:/bin", root.path().join("bin").display());
        let tmp = root.path().join("tmp").display().to_string();
        let variables = [("PATH".to_owned(), path), ("TMPDIR".to_owned(), tmp)].into();
        Self { root, variables }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// Puts a shell script onto the PATH. Another process writes it: while we have it open for writing, a child that
    /// another test forks would hold it open too, and it could not be run ("text file busy").
    pub fn program(&self, name: &str, script: &str) {
        let path = self.path("bin").join(name);
        let written = Process::new("/bin/sh")
            .args(["-c", "printf '#!/bin/sh\\n%s\\n' \"$1\" > \"$2\" && chmod 755 \"$2\"", "sh", script])
            .arg(&path)
            .status();
        assert!(written.expect("sh").success());
    }

    pub fn provider(&self, argv: &[&str]) -> CommandProvider {
        let argv = argv.iter().map(|arg| (*arg).to_owned()).collect();
        let command = Command { argv, ..Command::default() };
        CommandProvider::new("test", command, &self.variables).expect("a provider")
    }

    /// Runs a script as an unknown command.
    pub async fn say(&self, script: &str) -> Result<Reply, Fault> {
        self.program("speaker", script);
        answer(&self.provider(&["speaker"]), &ask("Hello?")).await
    }

    /// The fault of a script that must fail, which must be of this kind.
    pub async fn fault(&self, script: &str, kind: FaultKind) -> Fault {
        let fault = self.say(script).await.expect_err("a fault");
        assert_eq!(fault.kind, kind, "{fault}");
        fault
    }

    /// Whether no folder of a call is left.
    pub fn is_clean(&self) -> bool {
        std::fs::read_dir(self.path("tmp")).expect("the folder").next().is_none()
    }

    /// The process number that a script has written to this file.
    pub fn pid(&self, name: &str) -> i32 {
        let text = std::fs::read_to_string(self.path(name)).expect("a pid");
        text.trim().parse().expect("a number")
    }
}

pub fn ask(user: &str) -> Ask {
    Ask {
        model: "default".to_owned(),
        prompt: Arc::new(Prompt { system: "Rules.".into(), user: user.to_owned() }),
        max_output_tokens: 1000,
        temperature: None,
        effort: None,
        shape: None,
        patience: Patience { deadline: Duration::from_secs(60), idle: Duration::from_secs(60) },
    }
}

/// A call with little patience.
pub fn hasty(deadline_ms: u64, idle_ms: u64) -> Ask {
    let patience = Patience { deadline: Duration::from_millis(deadline_ms), idle: Duration::from_millis(idle_ms) };
    Ask { patience, ..ask("Hello?") }
}

pub async fn answer(provider: &CommandProvider, ask: &Ask) -> Result<Reply, Fault> {
    provider.ask(ask, &|_| {}).await
}

/// The answer and what was heard of it on the way.
pub async fn overheard(provider: &CommandProvider, ask: &Ask) -> (Result<Reply, Fault>, String) {
    let heard = Mutex::new(String::new());
    let answer = provider.ask(ask, &|piece| heard.lock().expect("a lock").push_str(piece)).await;
    (answer, heard.into_inner().expect("a lock"))
}

/// Whether the process is there, dead or alive: a zombie counts.
pub fn exists(pid: i32) -> bool {
    let asked = Process::new("/bin/sh").args(["-c", &format!("kill -0 {pid} 2>/dev/null")]).status();
    asked.expect("sh").success()
}

/// Whether the process is running: a zombie that waits for somebody else's reaping does not.
pub fn runs(pid: i32) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = state.rsplit_once(") ").map_or("", |(_, rest)| rest);
    exists(pid) && !state.starts_with('Z')
}

/// Looks again and again, giving way each time, until it holds; a minute is for ever.
pub async fn comes_true(what: &str, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < Duration::from_secs(60), "never: {what}");
        tokio::task::yield_now().await;
    }
}
