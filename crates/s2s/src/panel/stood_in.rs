//! The models that answered in place of a seat's own, over the rounds of a session.
//! Given rounds; hands on the panel's note with those models beside it, for every screen and document alike.
//! Deliberately absent: why a model failed, which the rounds and the tape say.

use std::collections::BTreeSet;

use s2s_engine::record::Round;

/// The models that stood in for others.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoodIn(BTreeSet<String>);

impl StoodIn {
    /// Those of these rounds.
    pub fn of<'a>(rounds: impl IntoIterator<Item = &'a Round>) -> Self {
        let mut stood = Self::default();
        rounds.into_iter().for_each(|round| stood.note(round));
        stood
    }

    /// Takes in a round.
    pub fn note(&mut self, round: &Round) {
        self.0.extend(round.stand_ins.iter().map(|(seat, by)| format!("{} for {seat}", by.model)));
    }

    /// What to know about the panel, with the models that stood in.
    pub fn beside(&self, note: &str) -> String {
        let stood: Vec<&str> = self.0.iter().map(String::as_str).collect();
        match stood.is_empty() {
            true => note.to_owned(),
            false => format!("{note} Stand-ins answered: {}.", stood.join(", ")),
        }
    }
}
