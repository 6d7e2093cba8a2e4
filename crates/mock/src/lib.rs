//! A loopback server that speaks the wire formats of the model providers, with faults on demand.
//!
//! It stands in for paid models in tests and benchmarks, and behind `s2s dev mock-server`. It answers like
//! a panel that leads a roundtable to its end, checks what the real servers check, and breaks in the ways
//! the real ones break, as its [`Plan`] says. Given a plan; hands on an address, what arrived there, and
//! counters. Deliberately absent: our own prompts and replies as types (it knows them only by their text,
//! as a model does), TLS, and anything that costs money.
//!
//! ```
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
//! # runtime.block_on(async {
//! use s2s_mock::{Act, Plan, Server, Wait};
//!
//! // The first call is refused, the second breaks off, every later one is answered.
//! let plan = Plan::calm().on_call(1, Act::RateLimit(Wait::Seconds(1))).on_call(2, Act::NoEndMark);
//! let server = Server::start(plan).await.expect("a free port");
//! assert!(server.url().starts_with("http://127.0.0.1:"));
//! assert!(server.calls().is_empty());
//! # });
//! ```

mod act;
mod asked;
mod brain;
mod check;
mod complaint;
mod connection;
mod formats;
mod http;
mod memory;
mod perform;
mod plan;
mod random;
mod routes;
mod script;
mod seen;
mod server;
mod speech;
mod stage;
mod strict;

pub use act::{Act, Wait, WrongUsage};
pub use plan::{Plan, When};
pub use routes::Format;
pub use script::ScriptError;
pub use seen::{Counters, Seen};
pub use server::Server;
