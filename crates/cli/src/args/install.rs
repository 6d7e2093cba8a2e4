//! `s2s mcp install`: tell an agent host about the server.
//! Given a command line; hands on what was typed. Deliberately absent: what each host's file looks like.

use clap::{Args, ValueEnum};

/// `s2s mcp install`.
#[derive(Debug, Args)]
pub struct Install {
    /// The host whose settings are meant.
    #[arg(long, value_name = "HOST")]
    pub client: Client,
    /// Write the entry into the host's file, after asking, instead of printing it.
    #[arg(long)]
    pub write: bool,
    /// With --write: do not ask.
    #[arg(short, long, requires = "write")]
    pub yes: bool,
}

/// A host that can call the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Client {
    /// Claude Code: .mcp.json of the project.
    Claude,
    /// Cursor: .cursor/mcp.json of the project.
    Cursor,
    /// VS Code: .vscode/mcp.json of the workspace.
    Vscode,
    /// Codex: .codex/config.toml of the project.
    Codex,
    /// Zed: .zed/settings.json of the project.
    Zed,
    /// goose: config.yaml in the person's own settings.
    Goose,
}
