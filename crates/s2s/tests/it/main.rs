//! Everything that is tested from outside the library, in one binary.
// What a test does not expect should stop it, in its helpers too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod audit;
mod budget;
mod caching;
mod config;
mod config_models;
mod crash;
mod documents;
mod drive;
mod isolation;
mod keys;
mod lineup;
mod made;
mod project;
mod register;
mod register_validate;
mod soak;
mod world;
