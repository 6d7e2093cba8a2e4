//! What may be typed around a session that runs or has run: watch it, ask one of its seats something afterwards.
//! Given a command line; hands on what was typed. Deliberately absent: which session or seat a short name means.

use clap::Args;

/// `s2s watch`.
#[derive(Debug, Args)]
pub struct Watch {
    /// The session, or the start of its id; default: the current one, else the newest.
    pub id: Option<String>,
    /// Tell every round from the first one on, not only the one under way.
    #[arg(long)]
    pub from_start: bool,
    /// Show every answer with its confidence and time, and every doubt.
    #[arg(long)]
    pub verbose: bool,
    /// Show only what matters in the end: escalations, pauses, the outcome.
    #[arg(long, short)]
    pub quiet: bool,
}

/// `s2s ask`.
#[derive(Debug, Clone, Args)]
pub struct Ask {
    /// The session, or the start of its id; left out, it is the current one, else the newest.
    pub id: Option<String>,
    /// Who is asked: a seat of that table, or facilitator; nothing = list what was asked so far.
    pub seat: Option<String>,
    /// The question; a terminal without one is asked.
    pub question: Vec<String>,
    /// Who answers, where the session was held with a script: script:FILE.
    #[arg(long, value_name = "PANEL")]
    pub panel: Option<String>,
    /// The model that answers, as provider:model; default: the seat's own.
    #[arg(long, value_name = "MODEL", help_heading = "Models")]
    pub model: Option<String>,
    /// Send the session although it seems to hold keys or passwords.
    #[arg(long, help_heading = "Models")]
    pub allow_secrets: bool,
    /// The most US dollars for all that is asked of this session afterwards.
    #[arg(long, value_name = "USD", help_heading = "Budget", allow_negative_numbers = true)]
    pub max_cost: Option<String>,
    /// The most model calls for it, retries included.
    #[arg(long, value_name = "N", help_heading = "Budget", allow_negative_numbers = true)]
    pub max_calls: Option<String>,
    /// The most tokens for it, sent and received.
    #[arg(long, value_name = "N", help_heading = "Budget", allow_negative_numbers = true)]
    pub max_tokens: Option<String>,
    /// The most minutes of waiting for it.
    #[arg(long, value_name = "N", help_heading = "Budget", allow_negative_numbers = true)]
    pub max_minutes: Option<String>,
    /// Print the list at once, without a pager.
    #[arg(long)]
    pub no_pager: bool,
}
