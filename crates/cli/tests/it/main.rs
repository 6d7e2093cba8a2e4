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
mod bad_input;
mod budgets;
mod care;
#[cfg(feature = "otel")]
mod collector;
mod commands;
mod completions;
mod conversation;
mod dev;
mod doctor;
mod escalations;
mod faults;
mod files;
mod first_day;
mod harness;
mod help;
mod journey;
mod kills;
mod logs;
#[path = "../../../s2s/tests/it/made.rs"]
mod made;
#[path = "../../../s2s/tests/it/markdown.rs"]
mod markdown;
mod mock;
mod mocked;
mod models;
mod planning;
mod projects;
mod read;
mod real_models;
mod reference;
mod roles;
mod sessions;
mod signals;
mod start;
mod terminal;
mod trace;
#[cfg(feature = "otel")]
mod traces;
mod way;
mod work;
mod wrong_files;
