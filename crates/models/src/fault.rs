//! Why a call gave no reply, sorted by what can be done about it.

use std::time::Duration;

use crate::{Try, Usage};

/// A call that gave no reply.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{kind}: {what}")]
pub struct Fault {
    /// What sort of failure.
    pub kind: FaultKind,
    /// What happened, in words for a person. Never holds a key.
    pub what: String,
    /// What a person can do about it.
    pub next: Option<String>,
    /// How long the provider asks us to wait.
    pub retry_after: Option<Duration>,
    /// What the failed try cost, as far as the provider said.
    pub usage: Usage,
    /// The provider's name for the call, where it gives one.
    pub request_id: Option<String>,
    /// All that a program said, where `what` has only the end of it. For the tape, not for a screen.
    pub details: Option<Box<str>>,
    /// The tries before the last one.
    pub tries: Vec<Try>,
    /// The model of the last try, as `provider:model`, where a turn was taken.
    pub model: Option<Box<str>>,
}

impl Fault {
    /// A fault of this kind.
    pub fn new(kind: FaultKind, what: impl Into<String>) -> Self {
        Self {
            kind,
            what: what.into(),
            next: None,
            retry_after: None,
            usage: Usage::default(),
            request_id: None,
            details: None,
            tries: Vec::new(),
            model: None,
        }
    }

    /// With what a person can do about it.
    pub fn next(self, next: impl Into<String>) -> Self {
        Self { next: Some(next.into()), ..self }
    }
}

/// The sorts of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum FaultKind {
    /// No whole answer in time.
    #[error("timeout")]
    Timeout,
    /// The stream fell silent.
    #[error("silence")]
    Idle,
    /// No connection, or one that broke.
    #[error("network")]
    Network,
    /// The reply ended before its end mark.
    #[error("cut off")]
    Cut,
    /// Too many calls for now (429).
    #[error("rate limit")]
    RateLimited,
    /// The provider has too much to do (503, 529).
    #[error("overloaded")]
    Overloaded,
    /// The provider failed (other 5xx, 408, 409).
    #[error("provider error")]
    Server,
    /// A whole reply with nothing in it.
    #[error("empty reply")]
    Empty,
    /// The provider's account has no more money or quota.
    #[error("spend limit")]
    SpendLimit,
    /// The provider does not take the request (400, 422).
    #[error("bad request")]
    Rejected,
    /// The prompt is too long for the model (413, or said so in a 400).
    #[error("too long")]
    TooLong,
    /// The key is missing or wrong (401).
    #[error("no access")]
    Unauthorized,
    /// The key may not do this (403).
    #[error("forbidden")]
    Forbidden,
    /// No such model or address (404).
    #[error("not found")]
    NotFound,
    /// A filter or the model itself would not answer.
    #[error("filtered")]
    Filtered,
    /// The reply was longer than we take.
    #[error("too much")]
    Oversize,
    /// What came is not the provider's format.
    #[error("not understood")]
    Malformed,
    /// A redirect to somewhere else, which is not followed.
    #[error("redirected")]
    Redirected,
    /// A command that cannot be started, or failed.
    #[error("command")]
    Command,
    /// The provider failed too often, or has too many calls of ours: it is left alone for a while.
    #[error("resting")]
    Resting,
    /// A budget does not allow the call.
    #[error("budget")]
    Budget,
    /// The provider would not, or could not, answer.
    #[error("error")]
    Refused,
    /// The panel has nothing to say to this call.
    #[error("no reply")]
    Absent,
    /// Whoever is asked will answer later: the call stays open, and nothing of it is over.
    #[error("waits")]
    Waits,
}

impl FaultKind {
    /// Whether the same call can pass next time. Everything else is final for this model.
    pub fn can_pass(self) -> bool {
        use FaultKind::{Cut, Empty, Idle, Network, Overloaded, RateLimited, Server, Timeout};
        matches!(self, Timeout | Idle | Network | Cut | RateLimited | Overloaded | Server | Empty)
    }

    /// Whether no other call to the same model will fare better: there is no such model, or no way in.
    pub fn rules_the_model_out(self) -> bool {
        matches!(self, Self::Unauthorized | Self::Forbidden | Self::NotFound)
    }

    /// Whether the try reached the provider at all; else it is no call, and costs nothing.
    pub fn was_sent(self) -> bool {
        !matches!(self, Self::Resting | Self::Budget | Self::Absent | Self::Waits)
    }

    /// Whether the provider may ask to be paid for a try that gave nothing: it had the prompt, and we left.
    pub fn may_be_paid(self) -> bool {
        matches!(self, Self::Timeout | Self::Idle | Self::Cut)
    }

    /// Whether it tells of the provider's health, and so counts for its circuit breaker.
    pub fn is_outage(self) -> bool {
        use FaultKind::{Idle, Network, Overloaded, Server, Timeout};
        matches!(self, Timeout | Idle | Network | Overloaded | Server)
    }
}
