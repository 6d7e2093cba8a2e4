//! `s2s plan …`.
//! Given a command line; hands on what was typed. Deliberately absent: how a plan is made.

use clap::{Args, Subcommand};

/// `s2s plan`.
#[derive(Debug, Args)]
pub struct Plan {
    /// What to do; nothing = make a plan, or bring it up to date.
    #[command(subcommand)]
    pub what: Option<PlanCommand>,
    /// Make a new plan; the open one is superseded.
    #[arg(long)]
    pub new: bool,
    /// Who plans: auto, models, offline, or script:FILE.
    #[arg(long, value_name = "PANEL")]
    pub panel: Option<String>,
    /// The model that plans, as provider:model; default: the facilitator's.
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// Send the context although it seems to hold keys or passwords.
    #[arg(long)]
    pub allow_secrets: bool,
    /// The most US dollars for this plan.
    #[arg(long, value_name = "USD", allow_negative_numbers = true)]
    pub max_cost: Option<String>,
    /// Show what would be done; ask nobody and write nothing.
    #[arg(long)]
    pub dry_run: bool,
}

/// `s2s plan …`.
#[derive(Debug, Subcommand)]
pub enum PlanCommand {
    /// List the plans of this project.
    #[command(after_help = "Example:\n  s2s plan list")]
    List,
    /// Show a plan: groups in their order, tasks with their checks.
    #[command(after_help = "Example:\n  s2s plan show PLAN-001 --json")]
    Show {
        /// The plan; default: the open one, else the newest.
        plan: Option<String>,
    },
    /// Close a task that is done, or a plan.
    #[command(after_help = "Example:\n  s2s plan close TASK-003 --note \"merged in #42\"")]
    Close {
        /// PLAN-001 or TASK-003.
        #[arg(value_name = "PLAN|TASK")]
        name: String,
        /// What to keep with it.
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
    },
    /// Check the open plan: cycles, unknown ids, requirements that no task serves (exit 1 on an error).
    #[command(after_help = "Example:\n  s2s plan check")]
    Check,
}
