//! What a screen remembers of points: their texts and the votes on them, so that a tally can name
//! what was voted on. Given rounds in order; hands on lookups. Deliberately absent: where a point
//! stands, which is the engine's to say.

use std::collections::BTreeMap;

use s2s::engine::record::{Round, Tally};

/// The points of the rounds seen so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Votes {
    texts: BTreeMap<String, String>,
    tallies: Vec<Tally>,
    /// The round that voted on a point, and whether it carried.
    fates: BTreeMap<String, (u32, bool)>,
}

impl Votes {
    /// The points and votes of these rounds.
    pub(super) fn of(rounds: &[Round]) -> Self {
        let mut votes = Self::default();
        rounds.iter().for_each(|round| votes.note(round));
        votes
    }

    /// Takes in the points a round claimed and the votes it counted.
    pub(super) fn note(&mut self, round: &Round) {
        for (position, text) in round.consensus.iter().enumerate() {
            self.texts.insert(point_id(round.number, position), text.clone());
        }
        for tally in &round.tallies {
            self.fates.entry(tally.point.clone()).or_insert((round.number, tally.carried));
            self.tallies.push(tally.clone());
        }
    }

    /// What a point says, if the round that claimed it was seen.
    pub(super) fn text(&self, point: &str) -> Option<&str> {
        self.texts.get(point).map(String::as_str)
    }

    /// The round that voted on a point, and whether it carried.
    pub(super) fn fate(&self, point: &str) -> Option<(u32, bool)> {
        self.fates.get(point).copied()
    }

    /// Every vote counted.
    pub(super) fn tallies(&self) -> &[Tally] {
        &self.tallies
    }
}

/// The id of the point at this position (from 0) of a round.
pub(super) fn point_id(round: u32, position: usize) -> String {
    format!("C{round}.{}", position + 1)
}
