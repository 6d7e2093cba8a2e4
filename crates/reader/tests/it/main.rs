//! The reader from outside: whole replies in, values, doubts and refusals out.

// What a test does not expect should stop it, in its helpers too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod forms;
mod found;
mod hostile;
mod refusals;
mod texts;
