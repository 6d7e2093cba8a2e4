//! The one trait behind which every provider stands.
//! Given an [`Ask`]; hands on a whole reply, or a sorted fault. One call is one try: retries, fallbacks,
//! limits and money belong to whoever calls. Deliberately absent: sessions, seats, rounds.

use std::future::Future;
use std::pin::Pin;

use crate::{Ask, Fault, Reply};

/// A reply on its way.
pub type Replying<'a> = Pin<Box<dyn Future<Output = Result<Reply, Fault>> + Send + 'a>>;

/// Hears the pieces of a reply as they arrive. They are for watching only: what counts is the reply.
pub type Heard<'a> = &'a (dyn Fn(&str) + Send + Sync);

/// Whoever can answer a call.
pub trait Provider: Send + Sync {
    /// Makes one try. Nothing is sent before the future is first polled; dropping it gives the call up,
    /// with its connection or its processes.
    fn ask<'a>(&'a self, ask: &'a Ask, heard: Heard<'a>) -> Replying<'a>;
}
