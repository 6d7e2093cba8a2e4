//! The laws of this repository, as tests: who may use whom, how files look, which rules are proved.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot go on should stop")]

mod edges;
mod files;
mod rules;
mod tree;
