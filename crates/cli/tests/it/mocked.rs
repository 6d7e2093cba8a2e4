//! A mock of the providers in a process of its own, and sessions held against it.

use std::process::Command;

use super::harness::{Folder, TOPIC, Watched};

/// A made-up key that must turn up nowhere.
pub const KEY: &str = "sk-made-up-0123456789abcdef";
pub const MODEL: &str = "gpt-6-luna";

/// `s2s dev mock-server` under way; it ends with the test.
pub struct Mock {
    url: String,
    run: Watched,
}

impl Mock {
    /// A mock that follows this plan.
    pub fn start(folder: &Folder, plan: &str) -> Self {
        folder.write("plan.yaml", plan);
        let mut run = folder.watch(&["dev", "mock-server", "--script", "plan.yaml", "--json"]);
        let greeting: serde_json::Value = serde_json::from_str(&run.line()).unwrap();
        Self { url: greeting["url"].as_str().unwrap().to_owned(), run }
    }

    /// The variables that lead a run to it.
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        vec![("OPENAI_BASE_URL", format!("{}/v1", self.url)), ("OPENAI_API_KEY", KEY.to_owned())]
    }

    /// A session of three rounds and five calls each, in which the mock plays every model.
    pub fn session(&self, folder: &Folder, more: &[&str]) -> Command {
        let model = format!("openai:{MODEL}");
        let mut args = vec!["roundtable", "start", TOPIC, "--strategy", "standard", "--model", &model];
        args.extend(["--on-escalation", "accept", "--quiet", "--new"]);
        args.extend(more);
        let mut command = folder.command(&args);
        command.envs(self.variables());
        command
    }
}

impl Drop for Mock {
    fn drop(&mut self) {
        let _ = self.run.child.kill();
        let _ = self.run.child.wait();
    }
}
