//! The screens: what a person sees of a roundtable, at a terminal and in a pipe.
//! Given notices of a run, minutes, or a list of sessions, and a [`Style`]; hands on text. A run is
//! watched by [`Plain`] (people) or [`JsonLines`] (programs). Deliberately absent: the question
//! whether there is a terminal (the caller knows), prompts that wait for a key, and any decision.

mod asides;
mod asking;
mod bill;
mod chain;
mod checkup;
mod cleanup;
mod columns;
mod conflicts;
mod decisions;
mod ending;
mod excerpt;
mod findings;
mod json;
mod kept;
mod listing;
mod live;
mod markdown;
mod marks;
mod matrix;
mod models;
mod one_seat;
mod page;
mod people;
mod plain;
mod playbooks;
mod reply;
mod roles;
mod round;
mod set_table;
mod sheet;
mod show;
mod start;
mod status;
#[cfg(test)]
mod tests;
mod trace;
mod votes;
mod words;
mod wrap;

use s2s::models::FaultKind;

pub use asides::{aside, asides};
pub use asking::{escalation, paused};
pub use chain::chain;
pub use checkup::{Called, Check, Checkup, State, Waiting, checkup};
pub use cleanup::leftovers;
pub use conflicts::conflicts;
pub use decisions::{decision, decisions};
pub use ending::{Decided, Ending, completed};
pub use excerpt::told;
pub use findings::findings;
pub use json::{JsonLines, harmless};
pub use kept::artifacts_json;
pub use listing::listing;
pub use live::{Expected, Hush, Kept, hush, keys, last_words};
pub use matrix::matrices;
pub use models::{Known, Offered, Provided, Sits, Sitting, models};
pub use plain::Plain;
pub use playbooks::{PlaybookRow, playbook, playbooks};
pub use reply::{examined, refused};
pub use roles::{role, roles};
pub use set_table::{SetTable, set_table};
pub use sheet::sheet;
#[cfg(test)]
pub use show::discussion;
pub use show::{Wanted, excerpt};
pub use status::{Standing, status};
pub use trace::{artifact, index, task};
pub use words::{bytes, shell};
pub use wrap::folded;

/// The widest text that is pleasant to read; wider terminals leave the rest empty.
const WIDEST: usize = 100;
/// The narrowest text that is still drawn as such; a terminal below it wraps by itself.
const NARROWEST: usize = 24;

/// How to draw. Decided once by the caller, who knows the terminal, the flags and the environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Whether to use colour. Only at a terminal.
    pub color: bool,
    /// Columns of the terminal; 80 in a pipe.
    pub width: usize,
    /// Whether lines may be drawn and erased again. Only at a terminal.
    pub live: bool,
    /// Only escalations, pauses and the end.
    pub quiet: bool,
    /// Also every seat's position, confidence and doubts.
    pub verbose: bool,
    /// Only ASCII for what is drawn: marks and lines. For a dumb terminal.
    pub ascii: bool,
}

impl Style {
    /// The style of a pipe or a file: 80 columns, no colour, nothing that moves.
    pub const PIPE: Self = Self { color: false, width: 80, live: false, quiet: false, verbose: false, ascii: false };

    /// The columns that text may fill.
    fn columns(&self) -> usize {
        match self.width {
            0 => Self::PIPE.width,
            width => width.clamp(NARROWEST, WIDEST),
        }
    }
}

/// Where a run was started and how: what its screens need to name files and commands rightly.
#[derive(Debug, Clone, Default)]
pub struct Bearings {
    /// From the current folder to the project's: `../` for each folder between, empty in the project's own.
    pub up: String,
    /// The flags that every further run of the session needs, with a blank before; empty = none.
    pub again: String,
    /// The same flags with another model in place of the one that is not there.
    pub with_another_model: String,
    /// What rules where a policy does, such as `--yes`; empty = not known.
    pub ruled_by: String,
    /// Whether a menu with the choices follows an escalation, so that the screen need not list them too.
    pub menu_follows: bool,
    /// Whether a pause is told on standard error, so that the screen need not tell it too.
    pub pause_told: bool,
    /// The command that leads on once the session is complete, and what it does; none where nothing follows.
    pub onward: Option<(String, &'static str)>,
    /// Whether another process drives the session now.
    pub driven: bool,
    /// How a session is greeted that is only followed; none = it is run here.
    pub greeting: Option<&'static str>,
}

impl Bearings {
    /// The flags that the next run needs after a pause for this reason: never again a model that does not exist.
    pub fn flags_after(&self, reason: &str) -> &str {
        let missing = format!("({}: ", FaultKind::NotFound);
        let is_missing = reason.contains(&missing) && !self.with_another_model.is_empty();
        if is_missing { &self.with_another_model } else { &self.again }
    }
}

impl Default for Style {
    fn default() -> Self {
        Self::PIPE
    }
}
