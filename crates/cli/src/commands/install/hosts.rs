//! What each host's settings file looks like: where it is, in which language, and the entry for this server.
//! Given a host; hands on a [`Shape`]. A host with a file for one project gets it there, so that the server's project is the
//! one that is open. Deliberately absent: reading and writing of files.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::args::Client;

/// The name under which hosts know the server.
pub const NAME: &str = "s2s";

/// The settings file of a host.
#[derive(Debug)]
pub struct Shape {
    /// The host's name for people.
    pub host: &'static str,
    /// Where the file is.
    pub place: Place,
    /// Its language.
    pub language: Language,
    /// The part that holds the servers.
    pub section: &'static str,
    /// The entry for this server.
    pub entry: Value,
    /// What to do in the host afterwards.
    pub then: &'static str,
}

/// Where a settings file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Below the project's folder.
    Project(&'static str),
    /// Below the person's folder for settings.
    Person(&'static str),
}

impl Place {
    /// The path of the file. None for a person who has no folder for settings.
    pub fn path(self, project: &Path, settings: Option<&Path>) -> Option<PathBuf> {
        match self {
            Self::Project(below) => Some(project.join(below)),
            Self::Person(below) => settings.map(|folder| folder.join(below)),
        }
    }
}

/// The language of a settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// JSON, perhaps with comments.
    Json,
    /// TOML.
    Toml,
    /// YAML.
    Yaml,
}

/// The settings file of a host, with the entry for this server.
pub fn shape(client: Client) -> Shape {
    let plain = json!({ "command": NAME, "args": ["mcp"] });
    let json = |host, file, section, entry, then| Shape {
        host,
        place: Place::Project(file),
        language: Language::Json,
        section,
        entry,
        then,
    };
    match client {
        Client::Claude => {
            json("Claude Code", ".mcp.json", "mcpServers", plain, "start `claude` in this folder and look at /mcp")
        }
        Client::Cursor => {
            json("Cursor", ".cursor/mcp.json", "mcpServers", plain, "switch the server on under Settings, MCP")
        }
        Client::Vscode => {
            let args = ["mcp", "--project", "${workspaceFolder}"];
            let entry = json!({ "type": "stdio", "command": NAME, "args": args });
            json("VS Code", ".vscode/mcp.json", "servers", entry, "run the command \"MCP: List Servers\" and start it")
        }
        Client::Zed => {
            let entry = json!({ "source": "custom", "command": NAME, "args": ["mcp"] });
            json("Zed", ".zed/settings.json", "context_servers", entry, "look at the agent panel's settings")
        }
        Client::Codex => Shape {
            host: "Codex",
            place: Place::Project(".codex/config.toml"),
            language: Language::Toml,
            section: "mcp_servers",
            entry: plain,
            then: "trust this project in Codex (it reads the file only then), and look at /mcp",
        },
        Client::Goose => Shape {
            host: "goose",
            place: Place::Person("goose/config.yaml"),
            language: Language::Yaml,
            section: "extensions",
            entry: json!({
                "name": NAME, "type": "stdio", "cmd": NAME, "args": ["mcp"], "enabled": true, "timeout": 60
            }),
            then: "start goose in the project's folder",
        },
    }
}
