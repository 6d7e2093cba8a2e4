//! What may be typed to begin a session: the flags that `roundtable start` and the workflows share, and what only
//! the workflows have. Deliberately absent: what any of it does.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::Run;

/// Flags of every command that begins a session.
#[derive(Debug, Clone, Default, Args)]
pub struct Sitting {
    /// How to discuss: standard, disney, debate, consensus-driven, six-hats, or one of the project's.
    #[arg(long, value_name = "NAME")]
    pub strategy: Option<String>,
    /// Who sits at the table: role names with commas.
    #[arg(long, value_name = "A,B")]
    pub participants: Option<String>,
    /// Debate only: seats that argue for the proposal.
    #[arg(long, value_name = "A,B")]
    pub pro: Option<String>,
    /// Debate only: seats that argue against it.
    #[arg(long, value_name = "A,B")]
    pub con: Option<String>,
    /// A person with a seat, answered at this terminal: NAME or NAME:ROLE. Repeatable.
    #[arg(long, value_name = "NAME[:ROLE]")]
    pub human: Vec<String>,
    /// Keep and show every response, not only the syntheses.
    #[arg(long)]
    pub verbose: bool,
    /// Ask after each round how to go on.
    #[arg(long)]
    pub interactive: bool,
    /// The fewest rounds.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub min_rounds: Option<String>,
    /// The most rounds.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub max_rounds: Option<String>,
    /// A text for the context: code, an ADR, notes; `-` = standard input. Repeatable.
    #[arg(long, value_name = "FILE")]
    pub context: Vec<PathBuf>,
    /// Start anew even if a session is open; that one is archived.
    #[arg(long)]
    pub new: bool,
    /// Print what would be sent, and ask nobody.
    #[arg(long)]
    pub show_prompts: bool,
    /// Print what this would cost at least, likely and at most, and ask nobody.
    #[arg(long)]
    pub dry_run: bool,
    /// How the run goes.
    #[command(flatten)]
    pub run: Run,
}

/// What `s2s specs`, `s2s design` and `s2s brainstorm` have in common.
#[derive(Debug, Default, Args)]
pub struct Work {
    /// What it is about; `specs` and `design` are about the project itself if nothing is said.
    #[arg(value_name = "TOPIC")]
    pub topic: Vec<String>,
    /// Go on with this session, or the start of its id, instead of beginning one.
    #[arg(long, value_name = "ID", conflicts_with_all = ["topic", "from", "new", "strategy", "participants", "human", "pro", "con",
          "min_rounds", "max_rounds", "context", "interactive", "show_prompts", "dry_run"])]
    pub session: Option<String>,
    /// Go on from the outcome of this finished session.
    #[arg(long, value_name = "ID")]
    pub from: Option<String>,
    /// What a session is begun with.
    #[command(flatten)]
    pub sitting: Sitting,
}

/// What to do with what earlier sessions left.
#[derive(Debug, Default, Args)]
pub struct Earlier {
    /// Hold no discussion: one proposal drawn from CONTEXT.md alone, and marked so.
    #[arg(long, conflicts_with_all = ["session", "strategy", "participants", "human", "pro", "con", "min_rounds",
          "max_rounds", "interactive"])]
    pub skip_roundtable: bool,
    /// Go on from what the project has: ids stay, changes are marked (the default where nobody can be asked).
    #[arg(long, conflicts_with_all = ["replace", "session"])]
    pub merge: bool,
    /// Start over: what the project has is superseded once the new session is complete.
    #[arg(long, conflicts_with = "session")]
    pub replace: bool,
}

/// `s2s specs`.
#[derive(Debug, Default, Args)]
pub struct Specs {
    /// How to begin.
    #[command(flatten)]
    pub work: Work,
    /// What becomes of earlier requirements.
    #[command(flatten)]
    pub earlier: Earlier,
    /// How the requirements are laid out: srs, volere or simple.
    #[arg(long, value_name = "FORMAT", conflicts_with = "session", hide_possible_values = true,
          value_parser = PossibleValuesParser::new(["srs", "volere", "simple"]))]
    pub format: Option<String>,
}

/// `s2s design`.
#[derive(Debug, Default, Args)]
pub struct Design {
    /// How to begin.
    #[command(flatten)]
    pub work: Work,
    /// What becomes of the earlier architecture.
    #[command(flatten)]
    pub earlier: Earlier,
}

/// `s2s brainstorm`.
#[derive(Debug, Default, Args)]
pub struct Brainstorm {
    /// How to begin.
    #[command(flatten)]
    pub work: Work,
}
