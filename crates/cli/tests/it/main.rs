//! Drives the real binary in temporary folders: every command, every bad input, signals, kills, full disks.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test may fail"
)]

mod adr;
mod around_a_run;
mod asides;
mod bad_input;
mod browser;
mod budgets;
mod care;
#[cfg(feature = "otel")]
mod collector;
mod commands;
mod completions;
mod conversation;
mod dev;
mod dialogs;
mod docs;
mod doctor;
mod escalations;
mod faults;
mod files;
mod first_day;
mod harness;
mod help;
mod install;
mod journey;
mod kills;
mod live;
mod live_text;
mod logs;
#[path = "../../../s2s/tests/it/made.rs"]
mod made;
#[path = "../../../s2s/tests/it/markdown.rs"]
mod markdown;
mod matrix;
mod mcp;
mod mock;
mod mocked;
mod models;
mod people;
mod planning;
mod playbooks;
mod plugin;
mod projects;
mod questions;
mod read;
mod real_models;
mod reference;
mod report;
mod report_page;
mod roles;
mod sessions;
mod shown;
mod signals;
mod start;
mod terminal;
mod tmux;
mod trace;
#[cfg(feature = "otel")]
mod traces;
#[path = "../../../s2s/tests/it/varied.rs"]
mod varied;
mod watch;
mod way;
mod work;
mod wrong_files;
