//! Providers against real processes and sockets.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "a test may fail")]

#[cfg(unix)]
mod command;
#[cfg(unix)]
mod command_ends;
#[cfg(unix)]
mod command_envelopes;
#[cfg(unix)]
mod command_fixture;
#[cfg(unix)]
mod command_real;
