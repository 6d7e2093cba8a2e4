//! What would flip a result: the smallest change of one criterion's weight, for one seat or for all, that changes the winner.
//! A seat's favourite changes where two options score alike, and that weight is known in closed form: with the other weights
//! as they are, `w^1.5 · (a - b) = -rest`. Between two such weights no seat changes its mind, so one look at each stretch is
//! enough. Only where votes are tied and the sum of scores decides, the place is found by halving.
//! Given a count; hands on the change. Deliberately absent: words, and changes of more than one weight.

use serde::{Deserialize, Serialize};

use super::count::{Came, Count, MOST, POWER, Raised, moved};

/// Changes nearer to each other than this are the same.
const CLOSE: f64 = 1e-9;
/// How many places of a stretch are looked at where votes are tied.
const LOOKS: usize = 48;
/// How near to the ends of a stretch a look is taken.
const EDGE: f64 = 1e-7;
/// How often a stretch is halved: enough for every bit that matters.
const HALVINGS: usize = 60;
/// Steps to which a change is rounded, away from none, until one is found that really flips.
const STEPS: [f64; 3] = [0.1, 0.01, 0.001];

/// Whose weight changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// Every seat's, by the same amount.
    All,
    /// This seat's, by place.
    Seat(usize),
}

/// A change of one weight that changes the winner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Flip {
    /// Whose weight.
    pub who: Who,
    /// Of which criterion, by place.
    pub criterion: usize,
    /// The limit: a smaller change leaves the winner, one beyond it does not.
    pub limit: f64,
    /// A change just beyond the limit, rounded for people; applied, it changes the winner.
    pub by: f64,
    /// The option that then leads, by place.
    pub leads: usize,
}

impl Who {
    /// The seats meant, by place.
    pub fn seats(self, count: &Count) -> Vec<usize> {
        match self {
            Self::All => (0..count.weights.len()).collect(),
            Self::Seat(seat) => vec![seat],
        }
    }
}

/// The smallest change for these, over all criteria and both directions; of two alike, the first criterion.
pub fn smallest(count: &Count, among: &[Who]) -> Option<Flip> {
    if count.scores.len() < 2 {
        return None;
    }
    let criteria = count.scores.first().map_or(0, Vec::len);
    let winner = count.winner();
    let mut best: Option<Flip> = None;
    for &who in among {
        for (criterion, sign) in (0..criteria).flat_map(|criterion| [(criterion, -1.0), (criterion, 1.0)]) {
            // What is farther away than the best so far is not looked for.
            let most = best.as_ref().map_or(f64::INFINITY, |flip| flip.limit.abs() - CLOSE);
            let mut look =
                Look { count, raised: Raised::of(count), who, seats: who.seats(count), criterion, sign, winner };
            best = look.first(most).or(best);
        }
    }
    best
}

/// Looking for a change of one weight in one direction.
struct Look<'c> {
    count: &'c Count,
    raised: Raised<'c>,
    who: Who,
    seats: Vec<usize>,
    criterion: usize,
    sign: f64,
    winner: usize,
}

impl Look<'_> {
    /// What the count comes to after a change of this size.
    fn at(&mut self, size: f64) -> Came {
        for &seat in &self.seats {
            let weight = self.count.weights[seat][self.criterion];
            let changed = moved(weight, size * self.sign);
            self.raised.set(seat, self.criterion, changed.powf(POWER));
        }
        self.raised.result()
    }

    /// The first change that changes the winner, if its limit is smaller than `most`.
    fn first(&mut self, most: f64) -> Option<Flip> {
        let mut from = 0.0;
        for to in self.stops() {
            if from >= most {
                return None;
            }
            if to - from > CLOSE
                && let Some((limit, beyond)) = self.within(from, to).filter(|(limit, _)| *limit < most)
            {
                let leads = self.at(beyond).winner();
                let by = self.rounded(limit, beyond, leads) * self.sign;
                let (who, criterion) = (self.who, self.criterion);
                return Some(Flip { who, criterion, limit: limit * self.sign, by, leads });
            }
            from = to;
        }
        None
    }

    /// The sizes at which a seat may change its mind, in order, and the largest there is.
    fn stops(&self) -> Vec<f64> {
        let weight = |seat: usize| self.count.weights[seat][self.criterion];
        let room = |&seat: &usize| if self.sign > 0.0 { (MOST - weight(seat)).max(0.0) } else { weight(seat) };
        let end = self.seats.iter().map(room).fold(0.0, f64::max);
        let mut stops: Vec<f64> = Vec::new();
        for &seat in &self.seats {
            let level = alike(self.count, seat, self.criterion);
            stops.extend(level.into_iter().map(|level| (level - weight(seat)) * self.sign));
        }
        stops.retain(|stop| *stop > CLOSE && *stop < end - CLOSE);
        stops.push(end);
        stops.retain(|stop| *stop > CLOSE);
        stops.sort_by(f64::total_cmp);
        stops
    }

    /// Where in a stretch the winner changes: the limit, and a place beyond it. In a stretch no seat changes its mind.
    fn within(&mut self, from: f64, to: f64) -> Option<(f64, f64)> {
        let middle = f64::midpoint(from, to);
        let came = self.at(middle);
        if !came.is_tied() {
            return (came.winner() != self.winner).then_some((from, middle));
        }
        // At its ends two options are alike for a seat, so they belong to no stretch; a change may hide right beside them.
        let edge = ((to - from) / 1000.0).min(EDGE);
        let mut same = from;
        for look in 0..=LOOKS {
            let place = (from + (to - from) * look as f64 / LOOKS as f64).clamp(from + edge, to - edge);
            if self.at(place).winner() == self.winner {
                same = place;
                continue;
            }
            let (mut low, mut high) = (same, place);
            for _ in 0..HALVINGS {
                let half = f64::midpoint(low, high);
                if self.at(half).winner() == self.winner { low = half } else { high = half }
            }
            return Some((low, place));
        }
        None
    }

    /// The limit rounded for people, away from none, so that it still flips to the same option; else a place that does.
    fn rounded(&mut self, limit: f64, beyond: f64, leads: usize) -> f64 {
        for step in STEPS {
            let size = ((limit / step + CLOSE).floor() + 1.0) * step;
            // As the decimal that is meant, not as a sum of steps.
            let size = (size * 1000.0).round() / 1000.0;
            if self.at(size).winner() == leads {
                return size;
            }
        }
        beyond
    }
}

/// The weights of a criterion at which two options score alike for a seat.
fn alike(count: &Count, seat: usize, criterion: usize) -> Vec<f64> {
    let raised: Vec<f64> = count.weights[seat].iter().map(|weight| weight.powf(POWER)).collect();
    let mut level = Vec::new();
    for (a, one) in count.scores.iter().enumerate() {
        for other in &count.scores[a + 1..] {
            let apart = |at: usize| one[at] - other[at];
            let rest =
                raised.iter().enumerate().filter(|(at, _)| *at != criterion).map(|(at, weight)| weight * apart(at));
            let needed = -rest.sum::<f64>() / apart(criterion);
            if needed.is_finite() && needed >= 0.0 {
                level.push(needed.powf(1.0 / POWER));
            }
        }
    }
    level
}
