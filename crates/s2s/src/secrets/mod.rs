//! Secrets: where keys come from, what must be confirmed before one is sent, and texts that hold some by mistake.
//! `scan` looks for them in texts, `key` reads one from its source, `trust` remembers what a person confirmed.
//! Deliberately absent: which key belongs to whom (`lineup`), the questions put to people, and sending.

mod key;
mod password;
mod scan;
mod shapes;
pub mod trust;

pub use key::{KeySource, Secret};
pub use scan::{Finding, looks_like_secret, scan};
pub use shapes::Kind;

#[cfg(test)]
mod tests;
