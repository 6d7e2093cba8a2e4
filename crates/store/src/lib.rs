//! Keeps sessions safe on disk and gives them back.
//!
//! A session is two files: the *minutes* (`sessions/ID.yaml`, what has been decided, replaced as a
//! whole) and the *tape* (`sessions/ID/tape.jsonl`, every call asked and answered, only ever
//! appended to). What is asked of a seat beside the record is in a third (`asides.jsonl`), and what
//! was weighed in a fourth (`matrices.jsonl`).
//! [`Sessions`] is the folder, [`Held`] one session under lock, [`Keeper`] what a driver needs of
//! it, [`InMemory`] the same without a disk, [`TapeTail`] a tape that another process writes.
//! Deliberately absent: decisions, prompts, a clock (times are given), and any repair of a file
//! that does not hold together.

mod asides;
mod chain;
mod disk;
mod error;
mod held;
mod keeper;
mod known;
mod layout;
mod leftovers;
mod legacy;
mod listing;
mod matrices;
mod minutes;
mod nouns;
mod parse;
mod sessions;
mod state;
mod tape;
mod tape_file;
mod tape_tail;
mod trash;
mod validate;
mod views;
mod written;

pub use asides::{Aside, AsideAnswered, AsideAsked, AsideEnd, AsideFailed, Asides};
pub use chain::{canonical_json, digest_of_head, digest_of_round, seal_of};
pub use error::{Kind, StoreError};
pub use held::{Held, Holder};
pub use keeper::{InMemory, Keeper};
pub use leftovers::{Found, Leftover, LeftoverKind, Spared};
pub use listing::Listed;
pub use minutes::{Minutes, SCHEMA_VERSION};
pub use nouns::{Adoption, ContextChange, ContextGiven, Panel, Status};
pub use parse::line_of_round;
pub use sessions::{NumbersLock, Sessions};
pub use tape::{Answered, Asked, Failed, Opened, Prompt, TapeEntry, TapeLine, Taped, Try};
pub use tape_file::{MAX_LINE, Tape, TapeReader, Torn, read_tape};
pub use tape_tail::TapeTail;
pub use trash::Away;
pub use validate::{Finding, validate};
