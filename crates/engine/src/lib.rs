//! Says what happens next in a roundtable, and what has happened so far.
//!
//! The contract: a [`Session`] is folded from an [`opening::Opening`] and [`event::Event`]s;
//! [`next_step`] is a pure function of it. A driver carries the step out and tells the session what
//! happened:
//!
//! ```text
//! loop { match next_step(&session) {
//!     Ask(briefs)     => make the calls; each reply onto the tape, then Answered | Refused | Failed
//!     Commit { .. }   => the minutes on disk, then Committed
//!     Escalate(x)     => a person or a policy, then Ruled; or stop here
//!     Pause(cause)    => stop here; nothing is lost
//!     Finish(outcome) => documents, minutes, then Finished
//!     Rest            => done
//! } }
//! ```
//!
//! Resuming is the same path: fold the minutes, then the tape of the open round, and ask again what
//! is next. This crate knows nothing of files, clocks, chance, prompts, models or people's screens.

pub mod artifact;
mod ballot;
mod closing;
mod course;
mod decide;
pub mod event;
mod fallback;
mod holding;
mod ledger;
mod open_round;
pub mod opening;
mod outcome;
pub mod record;
mod registering;
pub mod reply;
mod session;
pub mod slug;
pub mod step;
pub mod strategy;
mod taking;
mod triggers;
mod view;
mod words;

pub use ballot::recount;
pub use decide::PROBING_QUESTIONS;
pub use fallback::NEEDS_RESOLUTION;
pub use holding::{Holding, Version};
pub use ledger::{OpenConflict, Point, Standing};
pub use open_round::ATTEMPTS;
pub use registering::{MOST_ALONE, MOST_PROPOSALS};
pub use session::{ContextChange, Misfit, Past, Session, next_step};
pub use triggers::Unattended;
pub use words::{counted, has_word};
