//! What can be typed: the commands, and the flags that all of them have. Each noun's own are in `args/`.
//! Given a command line; hands on what was typed, checked for shape only. Deliberately absent: what it
//! means (each command decides), settings, files, and any default that a settings file may change.

mod adr;
mod care;
mod install;
mod mcp;
mod models;
mod plan;
mod playbook;
mod project;
mod report;
mod roundtable;
mod session;
mod table;
mod tools;
mod work;

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};

pub use adr::{Adr, Reopen};
pub use care::{Cleanup, Close, NewRole, Role};
pub use install::{Client, Install};
pub use mcp::{Mcp, McpCommand};
pub use models::{Doctor, Models, ModelsCommand};
pub use plan::{Plan, PlanCommand};
pub use playbook::{NewPlaybook, Playbook};
pub use project::{Catalog, Config, Docs, Init, Trace};
pub use report::Report;
pub use roundtable::{Answer, Resume, Roundtable, Ruling, Run, Start};
pub use session::{Named, Session, Show, Validate};
pub use table::{Ask, Watch};
pub use tools::{Asked, Dev, MockServer, Read, Shell};
pub use work::{Brainstorm, Design, Earlier, Sitting, Specs, Work};

/// Put a technical question to a panel of experts, under rules that hold.
///
/// A facilitator asks, every seat answers blind, claimed consensus is put to the vote, and the outcome is
/// a document that names its sources. Without a model, the seats answer from playbooks.
#[derive(Debug, Parser)]
#[command(
    name = "s2s",
    version,
    subcommand_help_heading = "Commands",
    after_help = "Begin here:\n  s2s init              make this folder a project\n  s2s roundtable start  hold a roundtable; \
                  you are asked for what it needs\n\nExample:\n  s2s roundtable start \"REST vs GraphQL for our \
                  public API\" --yes"
)]
pub struct Typed {
    /// What to do; nothing = say where we are.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Print JSON for programs instead of text for people.
    #[arg(long, global = true)]
    pub json: bool,
    /// When to use colour (NO_COLOR is honoured).
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: When,
    /// What is told about the run besides its output.
    #[command(flatten)]
    pub traces: Traces,
}

/// Flags for logs and traces.
#[derive(Debug, Args)]
pub struct Traces {
    /// Log to standard error, from this level up: error, warn, info, debug, trace (or set S2S_LOG).
    #[arg(long, global = true, value_name = "LEVEL", help_heading = "Logs and traces",
          value_parser = PossibleValuesParser::new(["error", "warn", "info", "debug", "trace"]), hide_possible_values = true)]
    pub log: Option<String>,
    /// Append the log to this file instead.
    #[arg(long, global = true, value_name = "FILE", help_heading = "Logs and traces")]
    pub log_file: Option<PathBuf>,
    /// Send traces to an OpenTelemetry collector (docs/traces.md; OTEL_… variables are honoured).
    #[arg(long, global = true, help_heading = "Logs and traces")]
    pub otel: bool,
}

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// At a terminal.
    Auto,
    /// Also in a pipe.
    Always,
    /// Nowhere.
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make this folder a project, or complete it; nothing is overwritten.
    ///
    /// Looks at languages, frameworks, package managers, git, documents and workspaces, and asks in a terminal what
    /// the panel should know. Run again, it completes what is missing and offers to renew what it detected.
    #[command(after_help = "Example:\n  s2s init --yes --objective \"Halve the time to add a supplier\"")]
    Init(Init),
    /// Work out what is to be built: requirements with ids, voted on by a panel.
    #[command(after_help = "Example:\n  s2s specs --format volere")]
    Specs(Box<Specs>),
    /// Work out how it is built: decisions, components and interfaces, and the requirements each serves.
    #[command(after_help = "Example:\n  s2s design --from 20260304")]
    Design(Box<Design>),
    /// Gather ideas, risks and what to do about them.
    #[command(after_help = "Example:\n  s2s brainstorm \"How could partners see their orders?\"")]
    Brainstorm(Box<Brainstorm>),
    /// Hold roundtables: start, resume, list, show, answer.
    #[command(subcommand, after_help = "Example:\n  s2s roundtable start \"Should we split the monolith?\"")]
    Roundtable(Box<Roundtable>),
    /// Follow a session that another process runs, until it ends or waits.
    ///
    /// Nothing is changed, and leaving with Ctrl-C leaves the run alone. Exit code: that of the run.
    #[command(after_help = "Example:\n  s2s watch --from-start")]
    Watch(Watch),
    /// Read a discussion: all of it, one round, one seat, its conflicts, or its decision matrix.
    #[command(after_help = "Example:\n  s2s show 20260304 --round 2")]
    Show(Show),
    /// Ask one seat something once a session is over or paused; kept beside the record, never in it.
    ///
    /// The seat has its own answers, the syntheses and the outcome as its memory. Without a question: what was asked.
    #[command(after_help = "Example:\n  s2s ask 20260304 qa-lead \"What would change your mind?\"")]
    Ask(Box<Ask>),
    /// Look after sessions (list, show, status, close, cleanup) and check their record (validate, verify, cost, replay).
    #[command(subcommand, after_help = "Example:\n  s2s session status")]
    Session(Session),
    /// Make one HTML page of a session: outcome, charts, votes, the whole discussion; no network, no script, printable.
    ///
    /// The page lies beside the session's documents, or in this folder if it has none (docs/report.md). A session that is
    /// not finished has a report too, which says so.
    #[command(after_help = "Example:\n  s2s report 20260304 -o report.html")]
    Report(Report),
    /// Bring the living documents up to date: requirements, architecture, decisions, brainstorms.
    ///
    /// They are made from the artifacts of all complete sessions. Text outside the generated parts is never touched;
    /// where a generated part was edited, you are asked.
    #[command(after_help = "Example:\n  s2s docs --keep generated --part REQ-002")]
    Docs(Docs),
    /// Past decisions: list, show, mark what took whose place, decide one anew.
    #[command(subcommand, after_help = "Example:\n  s2s adr list")]
    Adr(Adr),
    /// Who can be seated: built-in roles, the project's own, and its Claude agents.
    #[command(subcommand, after_help = "Example:\n  s2s role list")]
    Role(Role),
    /// What the offline panel knows: list and read playbooks, check them, write your own.
    #[command(subcommand, after_help = "Example:\n  s2s playbook show api-style")]
    Playbook(Playbook),
    /// Plan the work from requirements and architecture: tasks with ids, dependencies and checks.
    ///
    /// Makes a plan, or brings the open one up to date: done tasks stay, tasks of unchanged artifacts keep their ids,
    /// tasks whose requirement is gone are dropped. The facilitator's model plans; without one, the rules do.
    #[command(args_conflicts_with_subcommands = true, after_help = "Example:\n  s2s plan --panel offline")]
    Plan(Box<Plan>),
    /// Show where an artifact comes from, who voted how, what changed it and what serves it.
    ///
    /// Without an id: every artifact of the project. With --json: the whole index, for programs (docs/trace.md).
    #[command(after_help = "Example:\n  s2s trace REQ-007")]
    Trace(Trace),
    /// Look at strategies, roles, agendas, prompts, templates and playbooks.
    #[command(subcommand, after_help = "Example:\n  s2s catalog list")]
    Catalog(Catalog),
    /// Look at the settings in force.
    #[command(subcommand, after_help = "Example:\n  s2s config show")]
    Config(Config),
    /// List providers, whether each can be used, known models, and who would sit with which.
    ///
    /// Nobody is asked: `s2s doctor` does that.
    #[command(after_help = "Example:\n  s2s models --json")]
    Models(Models),
    /// Check settings, catalog, store, terminal and git, and really ask every configured model for a word.
    ///
    /// Each configured model is asked once, so this costs a little. Exit code: 0 all is well, 1 something is not.
    #[command(after_help = "Example:\n  s2s doctor --offline")]
    Doctor(Doctor),
    /// Serve the table to other agents: tools, resources and prompts over MCP (docs/agents.md).
    ///
    /// An agent host starts this and speaks over standard input and output. Sessions run in this process and go on when
    /// a client leaves; a signal pauses them.
    #[command(after_help = "Example:\n  s2s mcp --http 127.0.0.1:7117")]
    Mcp(Mcp),
    /// Read a reply as a session would: its value and doubts, or why it is refused.
    ///
    /// For whoever debugs a prompt or a role. Exit code: 0 read, 1 refused, 2 no text to read.
    #[command(
        override_usage = "s2s read --as <KIND> [FILE]\n       s2s read --jsonl [FILE]",
        after_help = "Example:\n  s2s read --as response reply.txt"
    )]
    Read(Read),
    /// Print the script with which a shell completes commands, sessions, roles and artifacts on Tab.
    #[command(after_help = "Example:\n  source <(s2s completions bash)")]
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Write the manual pages, one for each command; without a folder, print that of s2s itself.
    #[command(after_help = "Example:\n  s2s man ~/.local/share/man/man1")]
    Man {
        /// Where to write them.
        #[arg(value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
        folder: Option<PathBuf>,
    },
    /// Tools for those who build on s2s.
    #[command(subcommand, after_help = "Example:\n  s2s dev mock-server --fault-share 0.2")]
    Dev(Dev),
}
