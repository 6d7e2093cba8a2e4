//! What can be typed to look after sessions and roles: the flags of `session close|cleanup` and `role …`.
//! Given a command line; hands on what was typed. Deliberately absent: what it means.

use clap::{Args, Subcommand};

/// `s2s session close`.
#[derive(Debug, Args)]
pub struct Close {
    /// The session, or the start of its id; default: the current one, else the only open one.
    pub id: Option<String>,
    /// Why, for whoever reads the minutes.
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
}

/// `s2s session cleanup`.
#[derive(Debug, Args)]
pub struct Cleanup {
    /// How long ago a session must have ended: days (30d), weeks (4w) or hours (12h).
    #[arg(long, value_name = "AGE", default_value = "30d")]
    pub older_than: String,
    /// Also sessions that documents, the project's files or other sessions still name.
    #[arg(long)]
    pub include_named: bool,
    /// Delete for good, and empty what is as old in the trash, instead of moving to .s2s/trash/.
    #[arg(long)]
    pub purge: bool,
    /// Only show what would be put away.
    #[arg(long)]
    pub dry_run: bool,
    /// Do not ask.
    #[arg(long, short)]
    pub yes: bool,
}

/// `s2s role …`.
#[derive(Debug, Subcommand)]
pub enum Role {
    /// Write a starting file for a role of this project, to .s2s/roles/NAME.md.
    #[command(after_help = "Example:\n  s2s role new data-protection --from security-champion")]
    New(NewRole),
    /// List who can be seated, and files that cannot be used.
    #[command(after_help = "Example:\n  s2s role list --verbose")]
    List {
        /// Also models, skills, and what in the files is ignored.
        #[arg(long)]
        verbose: bool,
    },
    /// Show one role: who it is, where it comes from, and the text that a model is told.
    #[command(after_help = "Example:\n  s2s role show project:data-expert")]
    Show {
        /// Its name, as it would be seated.
        name: String,
    },
}

/// `s2s role new`.
#[derive(Debug, Args)]
pub struct NewRole {
    /// The file's name, and the seat's: lower case letters, digits and hyphens.
    pub name: String,
    /// The name for people.
    #[arg(long = "name", value_name = "DISPLAY NAME")]
    pub title: Option<String>,
    /// Start from another role's text.
    #[arg(long, value_name = "ROLE")]
    pub from: Option<String>,
    /// What this person brings, in one sentence.
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,
}
