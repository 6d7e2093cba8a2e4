//! What can be typed: every command, flag and help text.
//! Given a command line; hands on what was typed, checked for shape only. Deliberately absent: what it
//! means (each command decides), settings, files, and any default that a settings file may change.

mod adr;
mod care;
mod work;

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};

pub use adr::{Adr, Reopen};
pub use care::{Cleanup, Close, NewRole, Role};
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
    after_help = "Example:\n  s2s roundtable start \"REST vs GraphQL for our public API\" --yes"
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
    #[command(subcommand)]
    Roundtable(Box<Roundtable>),
    /// Look after sessions (list, show, status, close, cleanup) and check their record (validate, verify, cost, replay).
    #[command(subcommand)]
    Session(Session),
    /// Bring the living documents up to date: requirements, architecture, decisions, brainstorms.
    ///
    /// They are made from the artifacts of all complete sessions. Text outside the generated parts is never touched;
    /// where a generated part was edited, you are asked.
    #[command(after_help = "Example:\n  s2s docs --keep mine")]
    Docs(Docs),
    /// Past decisions: list, show, mark what took whose place, decide one anew.
    #[command(subcommand)]
    Adr(Adr),
    /// Who can be seated: built-in roles, the project's own, and its Claude agents.
    #[command(subcommand)]
    Role(Role),
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
    #[command(subcommand)]
    Catalog(Catalog),
    /// Look at the settings in force.
    #[command(subcommand)]
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
    /// Read a reply as a session would: its value and doubts, or why it is refused.
    ///
    /// For whoever debugs a prompt or a role. Exit code: 0 read, 1 refused, 2 no text to read.
    #[command(
        override_usage = "s2s read --as <KIND> [FILE]\n       s2s read --jsonl [FILE]",
        after_help = "Example:\n  s2s read --as response reply.txt"
    )]
    Read(Read),
    /// Tools for those who build on s2s.
    #[command(subcommand)]
    Dev(Dev),
}

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

/// `s2s roundtable …`.
#[derive(Debug, Subcommand)]
pub enum Roundtable {
    /// Put a topic to the panel and hold the discussion.
    #[command(after_help = "Example:\n  s2s roundtable start \"REST vs GraphQL for our public API\" --strategy debate")]
    Start(Box<Start>),
    /// Go on with a session; nothing that was answered is asked again.
    #[command(after_help = "Example:\n  s2s roundtable resume 20260304")]
    Resume(Box<Resume>),
    /// List the sessions of this project.
    #[command(after_help = "Example:\n  s2s roundtable list --json")]
    List,
    /// Show a whole discussion.
    #[command(after_help = "Example:\n  s2s roundtable show 20260304 --verbose")]
    Show(Show),
    /// Settle what waits for a person, then go on.
    #[command(after_help = "Example:\n  s2s roundtable answer 20260304 --decide \"REST, with versioned paths\"")]
    Answer(Box<Answer>),
}

/// `s2s roundtable start`.
#[derive(Debug, Args)]
pub struct Start {
    /// The question, in a sentence or two.
    #[arg(value_name = "TOPIC")]
    pub topic: Vec<String>,
    /// The kind of work; it gives the default panel, agenda and document.
    #[arg(long, value_name = "TYPE", default_value = "brainstorm",
          value_parser = PossibleValuesParser::new(["specs", "design", "brainstorm"]))]
    pub workflow_type: String,
    /// The document to write; else the facilitator or the workflow decides.
    #[arg(long, value_name = "TYPE",
          value_parser = PossibleValuesParser::new(["adr", "requirements", "architecture", "summary"]))]
    pub output_type: Option<String>,
    /// Debate only: seats that argue for the proposal.
    #[arg(long, value_name = "A,B")]
    pub pro: Option<String>,
    /// Debate only: seats that argue against it.
    #[arg(long, value_name = "A,B")]
    pub con: Option<String>,
    /// What a session is begun with.
    #[command(flatten)]
    pub sitting: Sitting,
    /// The session it goes on from; not typed.
    #[arg(skip)]
    pub parent: Option<String>,
}

/// Flags of every command that runs a session.
#[derive(Debug, Args)]
pub struct Run {
    /// Who answers: auto, models, offline, or script:FILE (format: docs/script-panel.md).
    #[arg(long, value_name = "PANEL")]
    pub panel: Option<String>,
    /// The model of every seat, as provider:model (`s2s models` lists them).
    #[arg(long, value_name = "MODEL", help_heading = "Models")]
    pub model: Option<String>,
    /// The facilitator's model.
    #[arg(long, value_name = "MODEL", help_heading = "Models")]
    pub facilitator_model: Option<String>,
    /// A seat's own model, such as qa-lead=openai:gpt-…; repeatable.
    #[arg(long, value_name = "SEAT=MODEL", help_heading = "Models")]
    pub seat: Vec<String>,
    /// Send the context although it seems to hold keys or passwords.
    #[arg(long, help_heading = "Models")]
    pub allow_secrets: bool,
    /// The most US dollars for the whole session, over all its runs.
    #[arg(long, value_name = "USD", help_heading = "Budget", allow_negative_numbers = true)]
    pub max_cost: Option<String>,
    /// The most model calls, retries included.
    #[arg(long, value_name = "N", help_heading = "Budget", allow_negative_numbers = true)]
    pub max_calls: Option<String>,
    /// The most tokens, sent and received.
    #[arg(long, value_name = "N", help_heading = "Budget", allow_negative_numbers = true)]
    pub max_tokens: Option<String>,
    /// The most minutes of waiting for models.
    #[arg(long, value_name = "N", help_heading = "Budget", allow_negative_numbers = true)]
    pub max_minutes: Option<String>,
    /// What to do when a person must decide: pause, accept or continue.
    #[arg(long, value_name = "POLICY",
          value_parser = PossibleValuesParser::new(["pause", "accept", "continue"]))]
    pub on_escalation: Option<String>,
    /// Take the recommended answer to every question.
    #[arg(long, short)]
    pub yes: bool,
    /// Show only what matters in the end: escalations, pauses, the outcome.
    #[arg(long, short)]
    pub quiet: bool,
}

/// `s2s roundtable resume`.
#[derive(Debug, Args)]
pub struct Resume {
    /// The session, or the start of its id; default: the current one.
    pub id: Option<String>,
    /// Show every response.
    #[arg(long)]
    pub verbose: bool,
    /// How the run goes.
    #[command(flatten)]
    pub run: Run,
}

/// `s2s roundtable show`.
#[derive(Debug, Args)]
pub struct Show {
    /// The session, or the start of its id; default: the current one, else the newest.
    pub id: Option<String>,
    /// Show every doubt, not only the first of each round.
    #[arg(long)]
    pub verbose: bool,
    /// Show the sessions it goes on from and those that went on from it instead.
    #[arg(long)]
    pub chain: bool,
}

/// `s2s trace`.
#[derive(Debug, Args)]
pub struct Trace {
    /// The artifact, such as REQ-007, or a task; default: all of them.
    pub id: Option<String>,
}

/// `s2s roundtable answer`.
#[derive(Debug, Args)]
pub struct Answer {
    /// The session, or the start of its id; default: the current one.
    pub id: Option<String>,
    /// The answer; a terminal without one is asked.
    #[command(flatten)]
    pub ruling: Ruling,
    /// Show every response.
    #[arg(long)]
    pub verbose: bool,
    /// How the run goes.
    #[command(flatten)]
    pub run: Run,
}

/// The answer to an escalation.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub struct Ruling {
    /// Take the facilitator's recommendation.
    #[arg(long)]
    pub accept: bool,
    /// Give a decision of your own.
    #[arg(long, value_name = "TEXT")]
    pub decide: Option<String>,
    /// Go on for N more rounds.
    #[arg(long, value_name = "N", num_args = 0..=1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub r#continue: Option<Option<u32>>,
    /// Accept the challenge: the session's context changes.
    #[arg(long)]
    pub accept_context: bool,
    /// Keep the context as it is.
    #[arg(long)]
    pub keep_context: bool,
    /// Discuss the challenge for N more rounds.
    #[arg(long, value_name = "N", num_args = 0..=1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub discuss: Option<Option<u32>>,
}

/// `s2s session …`.
#[derive(Debug, Subcommand)]
pub enum Session {
    /// List the sessions of this project.
    #[command(after_help = "Example:\n  s2s session list --json")]
    List,
    /// Show a whole discussion.
    #[command(after_help = "Example:\n  s2s session show 20260304 --verbose")]
    Show(Show),
    /// Say in short where a session stands and what to do next; default: the current one.
    #[command(after_help = "Example:\n  s2s session status --json")]
    Status(Named),
    /// End an open session on purpose: it is archived, nothing is lost, and it can be taken up again.
    #[command(after_help = "Example:\n  s2s session close 20260304 --reason \"We bought a product instead\"")]
    Close(Close),
    /// Show what is left over from long ago, and put it away.
    ///
    /// Ended sessions, session folders without minutes, unfinished lines of tapes and temporary files. A session that
    /// is active, paused, being driven or unreadable is never touched, and one that a document, the project's files or
    /// another session names is kept. What is put away lies in .s2s/trash/TIME/ until --purge deletes it.
    #[command(after_help = "Example:\n  s2s session cleanup --older-than 90d --dry-run")]
    Cleanup(Cleanup),
    /// Check that sessions hold together: schema, digests, ids and references, agenda, ballots, documents.
    ///
    /// Says each finding with where it is and what to do next. Exit code: 0 no errors, 1 errors (docs/trace.md).
    #[command(after_help = "Example:\n  s2s session validate 20260304")]
    Validate(Validate),
    /// Show from the tape that every prompt was the right one and blind rounds were blind.
    #[command(after_help = "Example:\n  s2s session verify 20260304")]
    Verify(Named),
    /// Show what a session cost, by round, by seat and by model.
    #[command(after_help = "Example:\n  s2s session cost 20260304 --json")]
    Cost(Named),
    /// Run the session again from its tape, offline, and compare.
    #[command(after_help = "Example:\n  s2s session replay 20260304")]
    Replay(Named),
}

/// `s2s session validate`.
#[derive(Debug, Args)]
pub struct Validate {
    /// The session, or the start of its id; default: all of them.
    pub id: Option<String>,
}

/// A session by name.
#[derive(Debug, Args)]
pub struct Named {
    /// The session, or the start of its id; default: the current one, else the newest.
    pub id: Option<String>,
}

/// `s2s plan`.
#[derive(Debug, Args)]
pub struct Plan {
    /// What to do; nothing = make a plan, or bring it up to date.
    #[command(subcommand)]
    pub what: Option<PlanCommand>,
    /// Make a new plan; the open one is superseded.
    #[arg(long)]
    pub new: bool,
    /// Who plans: auto, models, offline, or script:FILE.
    #[arg(long, value_name = "PANEL")]
    pub panel: Option<String>,
    /// The model that plans, as provider:model; default: the facilitator's.
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// Send the context although it seems to hold keys or passwords.
    #[arg(long)]
    pub allow_secrets: bool,
    /// The most US dollars for this plan.
    #[arg(long, value_name = "USD", allow_negative_numbers = true)]
    pub max_cost: Option<String>,
    /// Show what would be done; ask nobody and write nothing.
    #[arg(long)]
    pub dry_run: bool,
}

/// `s2s plan …`.
#[derive(Debug, Subcommand)]
pub enum PlanCommand {
    /// List the plans of this project.
    #[command(after_help = "Example:\n  s2s plan list")]
    List,
    /// Show a plan: groups in their order, tasks with their checks.
    #[command(after_help = "Example:\n  s2s plan show PLAN-001 --json")]
    Show {
        /// The plan; default: the open one, else the newest.
        plan: Option<String>,
    },
    /// Close a task that is done, or a plan.
    #[command(after_help = "Example:\n  s2s plan close TASK-003 --note \"merged in #42\"")]
    Close {
        /// PLAN-001 or TASK-003.
        #[arg(value_name = "PLAN|TASK")]
        name: String,
        /// What to keep with it.
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
    },
    /// Check the open plan: cycles, unknown ids, requirements that no task serves (exit 1 on an error).
    #[command(after_help = "Example:\n  s2s plan check")]
    Check,
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

/// `s2s docs`.
#[derive(Debug, Args)]
pub struct Docs {
    /// Where a generated part was edited: keep your text, or take the generated one.
    #[arg(long, value_name = "WHOSE", value_parser = ["mine", "generated"])]
    pub keep: Option<String>,
}

/// `s2s config …`.
#[derive(Debug, Subcommand)]
pub enum Config {
    /// List every setting with its value and where it comes from.
    #[command(after_help = "Example:\n  s2s config show")]
    Show,
}

/// `s2s models`.
#[derive(Debug, Args)]
pub struct Models {
    /// What to do; nothing = list.
    #[command(subcommand)]
    pub what: Option<ModelsCommand>,
}

/// `s2s models …`.
#[derive(Debug, Subcommand)]
pub enum ModelsCommand {
    /// Confirm a provider that this project's settings define, once per person.
    ///
    /// A project's file cannot send your key somewhere, or run a program, before you have said so.
    #[command(after_help = "Example:\n  s2s models trust local")]
    Trust {
        /// The provider's name.
        provider: String,
    },
}

/// `s2s doctor`.
#[derive(Debug, Args)]
pub struct Doctor {
    /// Ask no model: look only.
    #[arg(long)]
    pub offline: bool,
}

/// `s2s read`.
#[derive(Debug, Args)]
pub struct Read {
    /// What the reply was asked for.
    #[arg(long = "as", value_name = "KIND", required_unless_present = "jsonl", conflicts_with = "jsonl")]
    pub kind: Option<Asked>,
    /// Read many: lines {id, schema, text} in, lines {id, value, doubts, refusal} out.
    ///
    /// The schema is one of the kinds, or participant (= response) or facilitator (= synthesis). Lines are
    /// written as they are read; a refusal is no failure here.
    #[arg(long)]
    pub jsonl: bool,
    /// Where the reply is; `-` or nothing = standard input.
    pub file: Option<PathBuf>,
}

/// What a reply can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Asked {
    /// The facilitator's question.
    Question,
    /// A seat's answer, with its votes.
    Response,
    /// The facilitator's summing up.
    Synthesis,
    /// Who argues for and who against.
    Sides,
}

/// `s2s dev …`.
#[derive(Debug, Subcommand)]
pub enum Dev {
    /// Play the model providers on this machine, with faults on demand; Ctrl-C ends it.
    ///
    /// Speaks the wire formats of Anthropic, OpenAI (chat and responses), Gemini and Ollama, and answers so
    /// that a roundtable comes to its end. Nothing is paid for. Format of the script: docs/mock-server.md.
    #[command(after_help = "Example:\n  s2s dev mock-server --latency-ms 200 --fault-share 0.2 --seed 7")]
    MockServer(MockServer),
}

/// `s2s dev mock-server`.
#[derive(Debug, Args)]
pub struct MockServer {
    /// Where to listen on 127.0.0.1; 0 = a free port.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub port: u16,
    /// How long each answer takes to begin; over what the script says.
    #[arg(long, value_name = "N")]
    pub latency_ms: Option<u64>,
    /// What to do with which call.
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,
    /// The share of calls that fail in a way another try can mend, from 0 to 1; after the script's rules.
    #[arg(long, value_name = "SHARE")]
    pub fault_share: Option<f64>,
    /// Which calls these are: the same number, the same calls.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}
