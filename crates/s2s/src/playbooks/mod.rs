//! Playbooks as a person looks after them: what could be better in one (`advice`), and a file to start from (`skeleton`).
//! Given what the catalog has read; hands on advice with lines, or a written file. Deliberately absent: reading playbooks and
//! saying what is wrong with them (the catalog), and weighing for a session (`crate::offline`).

mod advice;
mod skeleton;
mod sway;
#[cfg(test)]
mod tests;
mod usual;

pub use advice::{Advice, AdviceKind, advice};
pub use skeleton::{NewPlaybook, WrittenPlaybook, check_name, new_playbook};

use s2s_catalog::playbook::Playbook;

/// How every sentence of a starting file begins that nobody has written yet.
pub const TO_WRITE: &str = "To write:";

/// How many sentences of a playbook are still those of a starting file. One that has any is not used.
pub fn unwritten(playbook: &Playbook) -> usize {
    advice::sentences(playbook).iter().filter(|sentence| sentence.starts_with(TO_WRITE)).count()
}
