//! Turns data files into engine nouns: strategies, agendas, roles, prompts, document templates,
//! playbooks, constraints, word lists and known models. Built into the binary, and read from a project on top of that.
//! Given: names and folders. Hands on: parsed entries with their source, and every flaw with its
//! file and line. Deliberately absent: sessions, calls to models, the network, and any write.

pub mod bounds;
pub mod playbook;

mod agenda;
mod builtin;
mod catalog;
mod check;
mod constraints;
mod kept;
mod kind;
mod known;
mod problem;
mod role;
mod roles;
mod source;
mod strategy;
mod template;
mod words;

pub use agenda::{Agenda, AgendaTopic};
pub use catalog::{Catalog, FOREIGN_PREFIX, Listed, Shown};
pub use check::{Report, StrategyFacts};
pub use constraints::{Beside, Constraint, Constraints, OptionWords};
pub use kind::Kind;
pub use known::{Ability, Api, KnownModel, KnownModels, KnownProvider, Price};
pub use playbook::Playbook;
pub use problem::{CatalogError, Problem};
pub use role::{MAX_ROLE_BYTES, Role};
pub use roles::{RoleOrigin, RoleRow};
pub use source::{Entry, MAX_FILE_BYTES, Source};
pub use template::{Template, render};
pub use words::{Detection, Hint, Words, detect};
