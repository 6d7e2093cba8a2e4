//! Tools for those who write prompts and those who build on s2s: read, dev; and the shells that can complete.
//! Given a command line; hands on what was typed. Deliberately absent: reading, and the mock server itself.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// `s2s read`.
#[derive(Debug, Args)]
pub struct Read {
    /// What the reply was asked for.
    #[arg(long = "as", value_name = "KIND", required_unless_present = "jsonl", conflicts_with = "jsonl")]
    pub kind: Option<Asked>,
    /// Read many: lines {id, schema, text} in, lines {id, value, doubts, refusal} out.
    ///
    /// The schema is one of the kinds, or participant (= response) or facilitator (= synthesis). Lines are
    /// written as they are read; a refusal is no failure here.
    #[arg(long)]
    pub jsonl: bool,
    /// Where the reply is; `-` or nothing = standard input.
    pub file: Option<PathBuf>,
}

/// What a reply can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Asked {
    /// The facilitator's question.
    Question,
    /// A seat's answer, with its votes.
    Response,
    /// The facilitator's summing up.
    Synthesis,
    /// Who argues for and who against.
    Sides,
}

/// A shell that can be taught to complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Shell {
    /// For ~/.bashrc.
    Bash,
    /// For ~/.zshrc.
    Zsh,
    /// For ~/.config/fish/config.fish.
    Fish,
}

impl Shell {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Zsh => "zsh",
            Self::Fish => "fish",
        }
    }

    /// The shell of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::value_variants().iter().copied().find(|shell| shell.name() == name)
    }
}

/// `s2s dev …`.
#[derive(Debug, Subcommand)]
pub enum Dev {
    /// Play the model providers on this machine, with faults on demand; Ctrl-C ends it.
    ///
    /// Speaks the wire formats of Anthropic, OpenAI (chat and responses), Gemini and Ollama, and answers so
    /// that a roundtable comes to its end. Nothing is paid for. Format of the script: docs/mock-server.md.
    #[command(after_help = "Example:\n  s2s dev mock-server --latency-ms 200 --fault-share 0.2 --seed 7")]
    MockServer(MockServer),
}

/// `s2s dev mock-server`.
#[derive(Debug, Args)]
pub struct MockServer {
    /// Where to listen on 127.0.0.1; 0 = a free port.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub port: u16,
    /// How long each answer takes to begin; over what the script says.
    #[arg(long, value_name = "N")]
    pub latency_ms: Option<u64>,
    /// What to do with which call.
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,
    /// The share of calls that fail in a way another try can mend, from 0 to 1; after the script's rules.
    #[arg(long, value_name = "SHARE")]
    pub fault_share: Option<f64>,
    /// Which calls these are: the same number, the same calls.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}
