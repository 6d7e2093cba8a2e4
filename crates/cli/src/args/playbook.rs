//! What can be typed to look after playbooks: `s2s playbook …`.
//! Given a command line; hands on what was typed. Deliberately absent: what it means.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// `s2s playbook …`.
#[derive(Debug, Subcommand)]
pub enum Playbook {
    /// List the playbooks in force: subject, options, and when each was true.
    #[command(after_help = "Example:\n  s2s playbook list --json")]
    List,
    /// Show one playbook to read: options and criteria side by side, reasons, risks, what must be true.
    ///
    /// The file itself: s2s catalog show playbook NAME
    #[command(after_help = "Example:\n  s2s playbook show api-style")]
    Show {
        /// Its name.
        name: String,
    },
    /// Say what is wrong with a playbook, and what could be better.
    ///
    /// Errors keep it from being used; advice does not. Without a name: all playbooks of the project, or the built-in ones
    /// where it has none. Exit code: 0 no errors, 2 errors.
    #[command(after_help = "Example:\n  s2s playbook check caching")]
    Check {
        /// Its name, or a file.
        #[arg(value_name = "NAME|FILE", value_hint = clap::ValueHint::FilePath)]
        name: Option<PathBuf>,
    },
    /// Write a starting file to .s2s/playbooks/NAME.yaml; nothing is overwritten.
    ///
    /// At a terminal you are asked for what is not given.
    #[command(after_help = "Example:\n  s2s playbook new caching --subject \"where answers are cached\"")]
    New(NewPlaybook),
}

/// `s2s playbook new`.
#[derive(Debug, Args)]
pub struct NewPlaybook {
    /// The file's name: lower case letters, digits and hyphens.
    #[arg(value_name = "NAME")]
    pub called: String,
    /// What is decided, in a few words.
    #[arg(long, value_name = "TEXT")]
    pub subject: Option<String>,
    /// An option as it reads in a sentence; once for each: three to six are good, two the least.
    #[arg(long = "option", value_name = "TEXT")]
    pub options: Vec<String>,
    /// A criterion that roles weigh; once for each: six to ten are good, four enough to begin.
    #[arg(long = "criterion", value_name = "ID")]
    pub criteria: Vec<String>,
}
