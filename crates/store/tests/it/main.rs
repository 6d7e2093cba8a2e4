//! Tests of the store: nothing is lost, nothing is bent, and what does not fit is said.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "a test may fail")]

mod asides;
mod chain;
mod fixture;
mod folder;
mod keeper;
mod leftovers;
mod legacy;
mod listing;
mod modes;
mod round_trip;
mod tape;
mod validate;
