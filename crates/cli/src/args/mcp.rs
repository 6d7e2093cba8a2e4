//! `s2s mcp`: the table for other agents.
//! Given a command line; hands on what was typed. Deliberately absent: the protocol (`s2s-mcp`).

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Install;

/// `s2s mcp`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Mcp {
    #[command(subcommand)]
    pub command: Option<McpCommand>,
    /// Serve over HTTP at this address instead, such as 127.0.0.1:7117; port 0 = a free one.
    #[arg(long, value_name = "ADDR:PORT")]
    pub http: Option<SocketAddr>,
    /// The project's folder, where the host starts the server elsewhere.
    #[arg(long, value_name = "DIR")]
    pub project: Option<PathBuf>,
    /// Where the token for HTTP is, in a file that only you can read; else S2S_MCP_TOKEN, else one is made and told.
    #[arg(long, value_name = "FILE", requires = "http")]
    pub token_file: Option<PathBuf>,
    /// Listen on an address that other machines can reach; put TLS in front of it.
    #[arg(long, requires = "http")]
    pub allow_remote: bool,
    /// A further name under which clients may call, as in a URL. Repeatable.
    #[arg(long, value_name = "NAME", requires = "http")]
    pub host: Vec<String>,
}

/// What else there is to do about hosts.
#[derive(Debug, Subcommand)]
pub enum McpCommand {
    /// Print the entry for a host's settings, or write it after asking.
    #[command(after_help = "Example:\n  s2s mcp install --client claude --write")]
    Install(Install),
}
