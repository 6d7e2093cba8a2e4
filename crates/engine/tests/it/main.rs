//! The rules of a roundtable, one module per letter of `docs/rules.md`. A test is a scenario in text
//! and the trace it must give (`table.rs`); `lies.rs` plays thousands of bad panels against the engine.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test that stops has found something")]

mod a;
mod artifacts;
mod b;
mod c;
mod d;
mod e;
mod invariants;
mod l;
mod liars;
mod lies;
mod people;
mod rulings;
mod s;
mod said;
mod strategies;
mod t;
mod table;
mod v;
