//! The tests of the catalog, in one binary.
// Helper functions of tests may fail loudly too; clippy only knows the test functions themselves.
#![allow(missing_docs, clippy::expect_used)]

mod bad_files;
mod bounds;
mod detection;
mod folders;
mod known;
mod rendering;
mod roles;
mod shipped;
