//! Runs a roundtable: convene, drive, read replies, commit, publish, write documents.

pub mod clean;
pub mod config;
