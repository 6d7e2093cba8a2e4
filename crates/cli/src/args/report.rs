//! `s2s report`: one page of a session, for people who would rather look than read.
//! Given a command line; hands on what was typed. Deliberately absent: where the page is kept by default.

use std::path::PathBuf;

use clap::Args;

/// `s2s report`.
#[derive(Debug, Args)]
pub struct Report {
    /// The session, or the start of its id; default: the current one, else the newest.
    pub id: Option<String>,
    /// Where to put the page; `-` = standard output; default: ID.html beside the session's documents.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Overwrite the file even if it is not a report.
    #[arg(long)]
    pub force: bool,
}
