//! `s2s models …` and `s2s doctor`: who can be asked, and whether they answer.
//! Given a command line; hands on what was typed. Deliberately absent: addresses and keys.

use clap::{Args, Subcommand};

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
