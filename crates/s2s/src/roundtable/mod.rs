//! Runs a roundtable: the loop that carries out what the engine says is next.
//! Given a kept session, a panel, a chair for people's decisions and an audience; hands on how the
//! run ended. It has no branch per strategy and takes no decision of its own.

mod ask;
mod between;
mod chair;
mod clock;
mod curtain;
mod drive;
mod follow_up;
mod ledger;
mod notice;
mod recall;
mod reserve;
mod spans;
mod taping;
mod weighed;

pub use crate::prompts::Followed;
pub(crate) use ask::end_of;
pub use chair::{Chair, Deciding, Policy, Review, Word};
pub use clock::{Clock, Interrupt, Interrupter, interrupt};
pub use drive::{Ended, Paused, Roundtable, Scribe, Surroundings};
pub(crate) use follow_up::after_round;
pub use follow_up::follow_ups;
pub(crate) use ledger::amount_of;
pub use ledger::{Budgets, Ledger, Spent, dollars, dollars_at_most, spent_on};
pub use notice::{Audience, CallEnd, ConflictShown, KindShown, Notice, TopicShown};
pub use recall::{RecallError, Recalled, recall};
pub(crate) use recall::{event_of, remembered};
pub(crate) use reserve::Rest;
pub(crate) use taping::{lost, usage, within_size};
