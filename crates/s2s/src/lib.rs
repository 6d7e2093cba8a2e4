//! Runs a roundtable: convene, drive, read replies, commit, publish, write documents.
//!
//! The library that the command line is made of, and that others can embed. A run in short:
//! [`convene::convene`] sets the table, [`roundtable::Roundtable`] drives it with a
//! [`panel::Panel`] that answers and a [`roundtable::Chair`] that decides for people, and an
//! [`roundtable::Audience`] is told what happens. It touches no terminal, serves nothing, reads no
//! environment and ends no process.
//!
//! A whole roundtable in memory, with the panel that needs no model:
//!
//! ```
//! use std::sync::Arc;
//!
//! use jiff::Timestamp;
//! use s2s::Failure;
//! use s2s::catalog::Catalog;
//! use s2s::config::Config;
//! use s2s::convene::{Request, convene};
//! use s2s::engine::opening::Workflow;
//! use s2s::engine::record::Outcome;
//! use s2s::engine::{Session, Unattended};
//! use s2s::panel::{OfflinePanel, Panel};
//! use s2s::roundtable::{Ended, Notice, Policy, Roundtable, Scribe, Surroundings, interrupt};
//! use s2s::store::{InMemory, Minutes};
//!
//! /// Writes no documents; `documents::Shelf` writes them into a project.
//! struct Nothing;
//!
//! impl Scribe for Nothing {
//!     fn write(&self, _: &Session, _: &Minutes, _: &Outcome) -> Result<Vec<String>, Failure> {
//!         Ok(Vec::new())
//!     }
//! }
//!
//! # fn main() -> Result<(), Failure> {
//! // Set the table: a catalog of roles and strategies, a panel, a question.
//! let catalog = Catalog::builtin();
//! let panel = Arc::new(OfflinePanel::from_catalog(&catalog).0);
//! let participants = ["software-architect", "technical-lead", "qa-lead"].map(String::from);
//! let request = Request {
//!     id: "20260102-030405-rest-vs-graphql",
//!     topic: "REST vs GraphQL for our public API",
//!     workflow: Workflow::Brainstorm,
//!     strategy: "standard",
//!     participants: &participants,
//!     people: &[],
//!     pro: &[],
//!     con: &[],
//!     output_type: None,
//!     context: "A web shop. Two developers.",
//!     register: None,
//!     parent: None,
//! };
//! let table = convene(request, &catalog, &Config::default(), &*panel)?;
//!
//! // Keep it in memory; `store::Sessions` keeps it on disk. Time comes from outside.
//! let clock = Arc::new(|| Timestamp::UNIX_EPOCH);
//! let minutes = Minutes::new(&table.opening, clock(), panel.kind(), &panel.note(), "given")?;
//! let mut roundtable = Roundtable::begin(InMemory::new(minutes), table.charter, panel, clock)?;
//!
//! // Run it: the audience is told every step, and a policy decides where a person would be asked.
//! let mut rounds = 0;
//! let mut audience = |notice: &Notice| rounds += usize::from(matches!(notice, Notice::RoundCommitted { .. }));
//! let mut chair = Policy(Unattended::Accept);
//! let (_stop, interrupt) = interrupt();
//! let mut around = Surroundings { audience: &mut audience, chair: &mut chair, scribe: &Nothing, interrupt };
//! # let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
//! # let ended = runtime.block_on(async {
//! let ended = roundtable.run(&mut around).await?;
//! # Ok::<_, Failure>(ended) })?;
//!
//! let Ended::Completed(outcome) = ended else { panic!("it waits for somebody") };
//! assert_eq!(rounds, roundtable.session().rounds().len());
//! assert!(!outcome.consensus.is_empty());
//! # Ok(()) }
//! ```

pub mod asides;
pub mod audit;
pub mod bill;
pub mod cited;
pub use s2s_reader::clean;
pub mod config;
pub mod conflicts;
pub mod convene;
pub mod decisions;
pub mod documents;
mod failure;
pub mod following;
pub mod forecast;
pub mod lineup;
pub mod linked;
pub mod matrix;
pub mod offline;
pub mod panel;
pub mod plan;
pub mod playbooks;
pub mod project;
pub mod prompts;
pub mod reading;
pub mod register;
pub mod report;
pub mod roundtable;
pub mod secrets;
pub mod topic;

pub use failure::{Failure, FailureKind};
pub use s2s_catalog as catalog;
pub use s2s_engine as engine;
pub use s2s_models as models;
pub use s2s_store as store;
pub use s2s_yaml as yaml;
