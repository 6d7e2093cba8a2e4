//! Tools for other agents: the table over the Model Context Protocol, by standard input and output or by HTTP.
//!
//! Given a [`Hall`], which holds sessions; hands on a server whose tools start, follow, answer and read them. A tool
//! call never runs a roundtable: runs have threads of their own, and calls follow the session's files, so that a run
//! outlives whoever asked for it. Deliberately absent: decisions, settings, panels and writes, which are the hall's;
//! and any tool that takes a path or a command.

mod answering;
mod following;
mod hall;
mod http;
mod prompts;
mod reading;
mod resources;
mod ruling;
mod runs;
mod server;
mod standing;
mod stdio;
mod token;
mod tools;

pub use hall::{Hall, Permission, Stage, Wish};
pub use http::{Door, serve_http};
pub use server::Server;
pub use stdio::serve_stdio;
pub use token::Token;
