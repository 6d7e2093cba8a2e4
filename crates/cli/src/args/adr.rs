//! What can be typed about decisions: `adr list|show|supersede|reopen`.
//! Given a command line; hands on what was typed. Deliberately absent: what it means.

use clap::{Args, Subcommand};

use super::Start;

/// `s2s adr …`.
#[derive(Debug, Subcommand)]
pub enum Adr {
    /// List the decisions with where they stand, and files that are not in order.
    #[command(after_help = "Example:\n  s2s adr list --write-index")]
    List {
        /// Also bring the index up to date: README.md in the folder of the decisions.
        #[arg(long)]
        write_index: bool,
    },
    /// Show one decision.
    #[command(after_help = "Example:\n  s2s adr show ARCH-001")]
    Show {
        /// Its id, number, file, session, or a part of its name or title that no other has.
        name: String,
    },
    /// Mark that one decision took the place of another, in both records and in the index.
    ///
    /// Both files change or none. A record that is generated from the project's register is not edited: only a session
    /// can supersede it.
    #[command(after_help = "Example:\n  s2s adr supersede 0003 --by 0011 --reason \"The vendor is gone\"")]
    Supersede {
        /// The decision that no longer holds.
        old: String,
        /// The decision that took its place.
        #[arg(long, value_name = "NEW")]
        by: String,
        /// Why, in a sentence.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Put a past decision to the panel again, with its record as context.
    ///
    /// Ends in a new ADR. If that is accepted, the old record is marked as superseded by it; else it stays as it is.
    #[command(
        after_help = "Example:\n  s2s adr reopen 0003 \"Does REST still fit our partners?\"",
        mut_arg("output_type", |arg| arg.hide(true))
    )]
    Reopen(Box<Reopen>),
}

/// `s2s adr reopen`.
#[derive(Debug, Args)]
pub struct Reopen {
    /// The decision: its id, number, file, session, or a part of its name or title that no other has.
    pub name: String,
    /// The roundtable; without a topic it is the record's title.
    #[command(flatten)]
    pub start: Start,
}
