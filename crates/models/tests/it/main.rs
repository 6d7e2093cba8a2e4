//! The providers over real sockets: what they send, what they make of the answers, and what goes wrong on the way.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may fail")]

mod faults;
mod proxies;
mod reading;
mod replies;
mod requests;
mod samples;
mod secrets;
mod server;
mod statuses;
