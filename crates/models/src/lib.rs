//! One prompt in, one reply or a sorted error out.
//!
//! This room knows what a prompt, a reply and a failed call are, whoever gives them. It knows
//! nothing of sessions, rounds or strategies. The panels that need no model live with the library
//! that runs roundtables; they answer in the same words.

mod ask;
#[cfg(unix)]
mod children;
#[cfg(unix)]
mod command;
mod endpoint;
mod fault;
mod http;
mod key;
mod lines;
pub mod money;
mod provider;
mod refusal;
mod reply;
pub mod turn;
mod wire;

pub use ask::{Ask, Effort, Patience, Shape};
#[cfg(unix)]
pub use children::{ChildGroup, end_all_children};
#[cfg(unix)]
pub use command::{Command, CommandProvider};
pub use endpoint::{Api, Endpoint};
pub use fault::{Fault, FaultKind};
pub use http::{HttpClient, HttpProvider};
pub use key::Key;
pub use provider::{Heard, Provider, Replying};
pub use reply::{Prompt, Reply, Speaker, Stop, Try, Usage};
