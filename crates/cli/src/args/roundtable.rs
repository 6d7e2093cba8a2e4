//! `s2s roundtable …`, and the flags of every command that runs a session.
//! Given a command line; hands on what was typed. Deliberately absent: the workflows (`work`), and what a ruling does.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};

use s2s_mcp::Stage;

use super::{Show, Sitting};

/// `s2s roundtable …`.
#[derive(Debug, Subcommand)]
pub enum Roundtable {
    /// Put a topic to the panel and hold the discussion.
    #[command(after_help = "Example:\n  s2s roundtable start \"REST vs GraphQL for our public API\" --strategy debate")]
    Start(Box<Start>),
    /// Go on with a session; nothing that was answered is asked again.
    #[command(after_help = "Example:\n  s2s roundtable resume 20260304 --say \"Think of the partners\"")]
    Resume(Box<Resume>),
    /// List the sessions of this project.
    #[command(after_help = "Example:\n  s2s roundtable list --json")]
    List,
    /// Show a whole discussion.
    #[command(after_help = "Example:\n  s2s roundtable show 20260304 --verbose")]
    Show(Show),
    /// Settle what waits for a person, then go on.
    #[command(
        after_help = "Example:\n  s2s roundtable answer 20260304 --decide \"REST, with versioned paths\"\n  s2s roundtable answer 20260304 --as anna --file answer.txt"
    )]
    Answer(Box<Answer>),
}

/// `s2s roundtable start`.
#[derive(Debug, Default, Args)]
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
    /// What a session is begun with.
    #[command(flatten)]
    pub sitting: Sitting,
    /// The session it goes on from; not typed.
    #[arg(skip)]
    pub parent: Option<String>,
    /// The decision record that is put to the panel again; not typed.
    #[arg(skip)]
    pub reopens: Option<String>,
}

/// Flags of every command that runs a session.
#[derive(Debug, Clone, Default, Args)]
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
    /// What becomes of a person's seat when nobody can be asked: pause, or pass (no response).
    #[arg(long, value_name = "POLICY", value_parser = PossibleValuesParser::new(["pause", "pass"]))]
    pub on_absent: Option<String>,
    /// Take the recommended answer to every question.
    #[arg(long, short)]
    pub yes: bool,
    /// Show only what matters in the end: escalations, pauses, the outcome.
    #[arg(long, short)]
    pub quiet: bool,
    /// Print each round as plain lines, without the view that moves (docs/terminal.md).
    #[arg(long)]
    pub no_live: bool,
    /// The server that runs it, if one does; not typed.
    #[arg(skip)]
    pub served: Option<Stage>,
}

/// `s2s roundtable resume`.
#[derive(Debug, Args)]
pub struct Resume {
    /// The session, or the start of its id; default: the current one.
    pub id: Option<String>,
    /// Say something to the table, which the next question takes up. Repeatable.
    #[arg(long, value_name = "TEXT")]
    pub say: Vec<String>,
    /// Ask one seat a follow-up, outside the votes, such as qa-lead="Why?". Repeatable.
    #[arg(long, value_name = "SEAT=TEXT")]
    pub ask: Vec<String>,
    /// Ask after each round how to go on, also where the session was begun without it.
    #[arg(long)]
    pub interactive: bool,
    /// Show every response.
    #[arg(long)]
    pub verbose: bool,
    /// How the run goes.
    #[command(flatten)]
    pub run: Run,
}

/// `s2s roundtable answer`.
#[derive(Debug, Args)]
pub struct Answer {
    /// The session, or the start of its id; default: the current one.
    pub id: Option<String>,
    /// The answer; a terminal without one is asked.
    #[command(flatten)]
    pub ruling: Ruling,
    /// Answer for a person's seat instead; without --file a terminal is asked, and a pipe gets the form to fill in.
    #[arg(long = "as", value_name = "NAME", conflicts_with_all = ["accept", "decide", "continue", "accept_context",
          "keep_context", "discuss"])]
    pub person: Option<String>,
    /// The filled form, or `-` for standard input.
    #[arg(long, value_name = "FILE", requires = "person")]
    pub file: Option<PathBuf>,
    /// Give no response in this round.
    #[arg(long, requires = "person", conflicts_with = "file")]
    pub pass: bool,
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
