//! Everything that is tested from outside the library, in one binary.
// What a test does not expect should stop it, in its helpers too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod artifacts_offline;
mod asides;
mod audit;
mod budget;
mod caching;
mod config;
mod config_models;
mod crash;
mod documents;
mod drive;
mod following;
mod isolation;
mod keys;
mod lineup;
mod living;
mod made;
mod markdown;
mod money;
mod people;
mod planning;
mod project;
mod recorded;
mod register;
mod register_validate;
mod report;
mod roles;
mod soak;
mod varied;
mod weighed;
mod world;
