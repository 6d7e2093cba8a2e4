//! The arithmetic of a matrix: scores of options and weights of seats into favourites and a winner, as the offline table
//! counts them. Given plain numbers; hands on places. Deliberately absent: names, words, and where weights come from.

use std::cmp::Ordering;

/// The power that weights are raised to, so that strong opinions show.
pub const POWER: f64 = 1.5;
/// The highest weight that a criterion has for a seat: its role's, with all that was heard.
pub const MOST: f64 = 7.0;

/// What a result is counted from.
#[derive(Debug, Clone, PartialEq)]
pub struct Count {
    /// How each option does on each criterion, from 1 to 5.
    pub scores: Vec<Vec<f64>>,
    /// The weight of each criterion for each seat, before it is raised to the power.
    pub weights: Vec<Vec<f64>>,
}

impl Count {
    /// The same with the weight of one criterion changed for these seats. No weight falls under 0 or rises over
    /// [`MOST`]; one that is over it already does not rise.
    #[must_use]
    pub fn changed(&self, seats: &[usize], criterion: usize, by: f64) -> Self {
        let mut count = self.clone();
        for &seat in seats {
            if let Some(weight) = count.weights.get_mut(seat).and_then(|weights| weights.get_mut(criterion)) {
                *weight = moved(*weight, by);
            }
        }
        count
    }

    /// The score that a seat gives an option: the weighted mean of its cells.
    pub fn mean(&self, seat: usize, option: usize) -> f64 {
        Raised::of(self).mean(seat, option)
    }

    /// The option that a seat likes best; of two alike, the first.
    pub fn favourite(&self, seat: usize) -> usize {
        best(&Raised::of(self).means(seat))
    }

    /// How many seats like each option best.
    pub fn votes(&self) -> Vec<usize> {
        Raised::of(self).result().votes
    }

    /// The options, the winner first: most seats like it best; where that is a tie, it has the higher scores.
    pub fn ranked(&self) -> Vec<usize> {
        let result = Raised::of(self).result();
        let mut ranked: Vec<usize> = (0..self.scores.len()).collect();
        ranked.sort_by(|&a, &b| result.order(a, b));
        ranked
    }

    /// The winner; the first option where there is none.
    pub fn winner(&self) -> usize {
        Raised::of(self).result().winner()
    }
}

/// The same with the weights raised to the power: what is looked at again and again is raised once.
#[derive(Debug, Clone)]
pub(super) struct Raised<'c> {
    scores: &'c [Vec<f64>],
    weights: Vec<Vec<f64>>,
}

/// What a count comes to.
pub(super) struct Came {
    votes: Vec<usize>,
    totals: Vec<f64>,
}

impl<'c> Raised<'c> {
    pub(super) fn of(count: &'c Count) -> Self {
        let raised = |weights: &Vec<f64>| weights.iter().map(|weight| weight.powf(POWER)).collect();
        Self { scores: &count.scores, weights: count.weights.iter().map(raised).collect() }
    }

    /// Sets one weight, raised already.
    pub(super) fn set(&mut self, seat: usize, criterion: usize, raised: f64) {
        if let Some(weight) = self.weights.get_mut(seat).and_then(|weights| weights.get_mut(criterion)) {
            *weight = raised;
        }
    }

    fn mean(&self, seat: usize, option: usize) -> f64 {
        let weights = &self.weights[seat];
        let total: f64 = weights.iter().sum::<f64>().max(f64::EPSILON);
        weights.iter().zip(&self.scores[option]).map(|(weight, score)| weight * score).sum::<f64>() / total
    }

    fn means(&self, seat: usize) -> Vec<f64> {
        (0..self.scores.len()).map(|option| self.mean(seat, option)).collect()
    }

    pub(super) fn result(&self) -> Came {
        let mut result = Came { votes: vec![0; self.scores.len()], totals: vec![0.0; self.scores.len()] };
        for seat in 0..self.weights.len() {
            let means = self.means(seat);
            result.totals.iter_mut().zip(&means).for_each(|(total, mean)| *total += mean);
            if let Some(votes) = result.votes.get_mut(best(&means)) {
                *votes += 1;
            }
        }
        result
    }
}

impl Came {
    /// Which of two options stands before the other.
    fn order(&self, a: usize, b: usize) -> Ordering {
        self.votes[b].cmp(&self.votes[a]).then(self.totals[b].total_cmp(&self.totals[a])).then(a.cmp(&b))
    }

    pub(super) fn winner(&self) -> usize {
        (0..self.votes.len()).min_by(|&a, &b| self.order(a, b)).unwrap_or_default()
    }

    /// Whether several options have the most votes, so that scores decide.
    pub(super) fn is_tied(&self) -> bool {
        let most = self.votes.iter().max();
        self.votes.iter().filter(|count| Some(*count) == most).count() > 1
    }
}

/// A weight after a change: not under 0 and not over [`MOST`], unless it is already.
pub(super) fn moved(weight: f64, by: f64) -> f64 {
    (weight + by).clamp(0.0, weight.max(MOST))
}

/// The place of the highest; of two alike, the first.
fn best(means: &[f64]) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (option, mean) in means.iter().enumerate() {
        if *mean > best.1 {
            best = (option, *mean);
        }
    }
    best.0
}
