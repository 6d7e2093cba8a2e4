//! The mock server from outside, over real sockets: formats, checks, faults, plans, and whole roundtables.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot go on should stop")]

mod checks;
mod client;
mod faults;
mod formats;
mod load;
mod plans;
mod roundtables;
