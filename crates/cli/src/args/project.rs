//! What concerns the whole project: init, docs, trace, config, catalog.
//! Given a command line; hands on what was typed. Deliberately absent: settings, and what was detected.

use clap::{Args, Subcommand};

/// `s2s init`.
#[derive(Debug, Args)]
pub struct Init {
    /// Do not ask anything: take what was detected and the recommended answers.
    #[arg(long, short)]
    pub yes: bool,
    /// Only say what this folder shows; write nothing.
    #[arg(long, conflicts_with_all = ["yes", "workspace", "description", "domain", "objective", "scope_in", "scope_out", "constraint"])]
    pub detect: bool,
    /// Make a workspace: each component gets a project of its own that shares this one's context.
    #[arg(long, help_heading = "Workspace")]
    pub workspace: bool,
    /// The components, by path or name; else the detected members are offered.
    #[arg(long, value_name = "A,B", requires = "workspace", help_heading = "Workspace")]
    pub components: Option<String>,
    /// What the project is; default: the README's first paragraph, else a manifest's description.
    #[arg(long, value_name = "TEXT", help_heading = "Answers for CONTEXT.md")]
    pub description: Option<String>,
    /// The field it is for.
    #[arg(long, value_name = "TEXT", help_heading = "Answers for CONTEXT.md")]
    pub domain: Option<String>,
    /// What should be better once it is done; repeatable.
    #[arg(long, value_name = "TEXT", help_heading = "Answers for CONTEXT.md")]
    pub objective: Vec<String>,
    /// What belongs to the work; repeatable.
    #[arg(long = "in-scope", value_name = "TEXT", help_heading = "Answers for CONTEXT.md")]
    pub scope_in: Vec<String>,
    /// What is left out on purpose; repeatable.
    #[arg(long = "out-of-scope", value_name = "TEXT", help_heading = "Answers for CONTEXT.md")]
    pub scope_out: Vec<String>,
    /// What every decision must respect; repeatable.
    #[arg(long, value_name = "TEXT", help_heading = "Answers for CONTEXT.md")]
    pub constraint: Vec<String>,
}

/// `s2s docs`.
#[derive(Debug, Args)]
pub struct Docs {
    /// Where a generated part was edited: keep your text, or take the generated one.
    #[arg(long, value_name = "WHOSE", value_parser = ["mine", "generated"])]
    pub keep: Option<String>,
    /// Only in this part, such as REQ-002, or outcome of one file: ARCH-001-title.md:outcome; repeatable. Your text
    /// stays in the others.
    #[arg(long, value_name = "[FILE:]NAME", requires = "keep")]
    pub part: Vec<String>,
}

/// `s2s trace`.
#[derive(Debug, Args)]
pub struct Trace {
    /// The artifact, such as REQ-007, or a task; default: all of them.
    pub id: Option<String>,
}

/// `s2s config …`.
#[derive(Debug, Subcommand)]
pub enum Config {
    /// List every setting with its value and where it comes from.
    #[command(after_help = "Example:\n  s2s config show")]
    Show,
}

/// `s2s catalog …`.
#[derive(Debug, Subcommand)]
pub enum Catalog {
    /// Check every data file in force, the project's own included.
    #[command(after_help = "Example:\n  s2s catalog check")]
    Check,
    /// List what is in force and where it comes from.
    #[command(after_help = "Example:\n  s2s catalog list")]
    List,
    /// Print one item as it is in force.
    #[command(after_help = "Example:\n  s2s catalog show role qa-lead")]
    Show {
        /// strategy, agenda, role, prompt, template, playbook or words.
        kind: String,
        /// Its name.
        name: String,
    },
}
