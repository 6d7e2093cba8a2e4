//! `s2s session …`: look at sessions and check their record. Its tidying is in `care`.
//! Given a command line; hands on what was typed. Deliberately absent: which session a short id means.

use clap::{Args, Subcommand};

use super::{Cleanup, Close};

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

/// `s2s show`, `s2s roundtable show`, `s2s session show`.
#[derive(Debug, Args)]
pub struct Show {
    /// The session, or the start of its id; default: the current one, else the newest.
    pub id: Option<String>,
    /// Show this round alone.
    #[arg(long, value_name = "N", conflicts_with_all = ["chain", "conflicts"])]
    pub round: Option<u32>,
    /// Show what this seat was asked, answered and voted, alone; the facilitator is one of them.
    #[arg(long, value_name = "SEAT", conflicts_with_all = ["chain", "conflicts"])]
    pub seat: Option<String>,
    /// Show the life of each conflict: opened when, who held what, how old it grew, how it was settled.
    #[arg(long, conflicts_with = "chain")]
    pub conflicts: bool,
    /// Show the decision matrix alone: options, criteria, each seat's weights, the result, and what would flip it.
    #[arg(long, conflicts_with_all = ["chain", "conflicts", "round", "seat"])]
    pub matrix: bool,
    /// Print it all at once, without a pager (S2S_PAGER or PAGER chooses one; default: less -FRX).
    #[arg(long)]
    pub no_pager: bool,
    /// Show every doubt, not only the first of each round.
    #[arg(long)]
    pub verbose: bool,
    /// Show the sessions it goes on from and those that went on from it instead.
    #[arg(long)]
    pub chain: bool,
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
