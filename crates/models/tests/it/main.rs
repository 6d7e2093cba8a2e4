//! The providers over real sockets and processes: what they send, what they make of the answers, and what goes wrong
//! on the way.
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
mod faults;
mod proxies;
mod reading;
mod replies;
mod requests;
mod samples;
mod secrets;
mod server;
mod statuses;
