//! Why a call gave no reply, sorted by what can be done about it.

/// A call that gave no reply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}: {what}")]
pub struct Fault {
    /// What sort of failure.
    pub kind: FaultKind,
    /// What happened, in words for a person.
    pub what: String,
}

impl Fault {
    /// A fault of this kind.
    pub fn new(kind: FaultKind, what: impl Into<String>) -> Self {
        Self { kind, what: what.into() }
    }
}

/// The sorts of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    /// No answer in time.
    #[error("timeout")]
    Timeout,
    /// The provider would not, or could not, answer.
    #[error("error")]
    Refused,
    /// The panel has nothing to say to this call.
    #[error("no reply")]
    Absent,
}
