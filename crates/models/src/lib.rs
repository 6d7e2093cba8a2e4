//! One prompt in, one reply or a sorted error out.
//!
//! This room knows what a prompt, a reply and a failed call are, whoever gives them. It knows
//! nothing of sessions, rounds or strategies. The panels that need no model live with the library
//! that runs roundtables; they answer in the same words.

mod fault;
mod reply;

pub use fault::{Fault, FaultKind};
pub use reply::{Prompt, Reply, Stop, Usage};
