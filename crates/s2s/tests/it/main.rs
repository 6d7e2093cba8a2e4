//! Everything that is tested from outside the library, in one binary.
// What a test does not expect should stop it, in its helpers too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod config;
mod documents;
mod project;
mod audit;
mod crash;
mod drive;
mod isolation;
mod world;
