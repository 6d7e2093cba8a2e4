//! Runs a roundtable: convene, drive, read replies, commit, publish, write documents.
//!
//! The library that the command line is made of, and that others can embed. A run in short:
//! [`convene::convene`] sets the table, [`roundtable::Roundtable`] drives it with a
//! [`panel::Panel`] that answers and a [`roundtable::Chair`] that decides for people, and an
//! [`roundtable::Audience`] is told what happens. It touches no terminal, serves nothing, reads no
//! environment and ends no process.

pub mod audit;
pub mod clean;
pub mod config;
pub mod convene;
pub mod documents;
mod failure;
pub mod offline;
pub mod panel;
pub mod project;
pub mod prompts;
pub mod reading;
pub mod roundtable;
pub mod topic;

pub use failure::{Failure, FailureKind};
pub use s2s_catalog as catalog;
pub use s2s_engine as engine;
pub use s2s_models as models;
pub use s2s_store as store;
