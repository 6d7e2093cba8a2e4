//! Tests of the YAML room: what is written is read again, what is hostile is refused.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "a test may fail")]

mod hostile;
mod round_trip;
