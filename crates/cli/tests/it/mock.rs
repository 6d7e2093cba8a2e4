//! A project whose models are played by the mock server, over real sockets.
//! Given a plan; hands on runs with the variables that point to it, and the calls that arrived.

use std::process::Command;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread::JoinHandle;

use s2s_mock::{Plan, Seen, Server};
use tokio::sync::oneshot;

use super::harness::{Folder, Run, Watched, finish};
use super::terminal::Person;

/// No real one: it must appear nowhere.
pub const KEY: &str = "sk-ant-api03-q8Zt2VwYb7LkPm4Rx9Jd";
pub const TOPIC: &str = "An API for partners";

/// A server on a thread of its own. It stops when it is dropped.
pub struct Mock {
    server: Option<Arc<Server>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Mock {
    pub fn start(plan: Plan) -> Self {
        let (stop, stopped) = oneshot::channel();
        let (ready, made) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async move {
                ready.send(Arc::new(Server::start(plan).await.unwrap())).unwrap();
                let _ = stopped.await;
            });
        });
        Self { server: Some(made.recv().unwrap()), stop: Some(stop), thread: Some(thread) }
    }

    fn server(&self) -> &Server {
        self.server.as_ref().unwrap()
    }

    pub fn url(&self) -> &str {
        self.server().url()
    }

    pub fn calls(&self) -> Vec<Seen> {
        self.server().calls()
    }

    /// The models that were asked, each call once.
    pub fn asked(&self) -> Vec<String> {
        self.calls().into_iter().map(|seen| seen.model).collect()
    }
}

impl Drop for Mock {
    fn drop(&mut self) {
        let _ = self.stop.take().unwrap().send(());
        self.server = None;
        let _ = self.thread.take().unwrap().join();
    }
}

/// A project, its server, and the variables of one person.
pub struct Lab {
    pub folder: Folder,
    pub mock: Mock,
    variables: Vec<(&'static str, String)>,
}

impl Lab {
    /// A project of a person with keys of Anthropic and OpenAI.
    pub fn new(plan: Plan) -> Self {
        let lab = Self::keyless(plan);
        let url = lab.mock.url().to_owned();
        lab.with("ANTHROPIC_BASE_URL", &url)
            .with("ANTHROPIC_API_KEY", KEY)
            .with("OPENAI_BASE_URL", &format!("{url}/v1"))
            .with("OPENAI_API_KEY", "mock")
    }

    /// A project of a person without any key.
    pub fn keyless(plan: Plan) -> Self {
        Self { folder: Folder::project(), mock: Mock::start(plan), variables: Vec::new() }
    }

    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        self.variables.push((name, value.to_owned()));
        self
    }

    /// Writes the project's settings.
    pub fn settings(self, text: &str) -> Self {
        self.folder.write(".s2s/config.yaml", text);
        self
    }

    /// Writes the person's own settings.
    pub fn own_settings(self, text: &str) -> Self {
        let path = self.folder.user_config();
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = self.folder.command(args);
        command.envs(self.variables.iter().map(|(name, value)| (*name, value.as_str())));
        command
    }

    pub fn run(&self, args: &[&str]) -> Run {
        finish(self.command(args).spawn().unwrap())
    }

    pub fn start(&self, more: &[&str]) -> Run {
        self.run(&[&START[..], more].concat())
    }

    /// A person at a terminal; none where there cannot be one.
    pub fn person(&self, args: &[&str]) -> Option<Person> {
        Person::with(&self.folder, args, &self.variables)
    }

    /// A start whose events are read as they come.
    pub fn watch(&self, more: &[&str]) -> Watched {
        Watched::of(self.command(&[&START[..], &["--json"], more].concat()))
    }
}

/// Three seats, three rounds, nobody to be asked.
pub const START: [&str; 6] = ["roundtable", "start", TOPIC, "--strategy", "standard", "--yes"];
