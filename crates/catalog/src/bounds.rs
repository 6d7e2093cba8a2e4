//! Proves what can be said about a strategy before anyone speaks: that it ends, which phases can be
//! reached, and the most model calls it can make.
//! Given: a strategy, the limits of a session and the number of seats. Hands on: [`Bounds`], and a
//! sentence for each phase that no session could ever reach. Deliberately absent: prices.

use s2s_engine::counted;
use s2s_engine::opening::Limits;
use s2s_engine::strategy::{Asks, Strategy};
use serde::Serialize;

/// A facilitator's reply is asked for at most this often (L4).
const ATTEMPTS: u64 = 2;

/// What is certain about a strategy under given limits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Bounds {
    /// The fewest rounds in which every phase has its `min_rounds`.
    pub least_rounds: u32,
    /// The round after which it ends, whatever anyone says (D2).
    pub most_rounds: u32,
    /// The most model calls, retries after a refused reply included. See [`most_calls`].
    pub most_calls: u64,
    /// The phases that are held even if the facilitator never proposes to move on; the others are
    /// held only if it does so in time.
    pub certain_phases: Vec<String>,
}

/// Computes the bounds of a strategy.
pub fn bounds(strategy: &Strategy, limits: &Limits, seats: usize) -> Bounds {
    Bounds {
        least_rounds: strategy.phases.iter().map(|phase| phase.min_rounds).sum(),
        most_rounds: limits.max_rounds,
        most_calls: most_calls(strategy, limits, seats),
        certain_phases: certain_phases(strategy, limits),
    }
}

/// The most model calls a session can make. It is reached when every reply is refused once and the
/// facilitator never moves on by itself.
///
/// - Every committed round counts, and the session ends when `max_rounds` are committed (D2). A
///   round that nobody answers is not committed, but pauses the session (L5).
/// - A round that asks the seats makes at most two calls for its question, two for each seat and
///   two for its synthesis: `4 + 2 × seats`. A probing round and a ballot round make fewer.
/// - A round of a phase with `asks: none` makes at most 4. Unless it is the last phase it lasts
///   exactly its `min_rounds` (L2). In the last phase a ballot round, `2 × seats`, may stand in for
///   any of its rounds.
/// - A phase before the last one lasts at most `max_rounds_per_phase` (D4). No round costs more
///   than one that asks the seats, so the dearest session spends its rounds as early as these
///   limits let it.
/// - Assigning the sides of a debate takes at most two calls, once (T3).
/// - With `max_calls` there are never more: each call is reserved before it is made (D2).
///
/// A session that was paused because nobody answered asks again when it is resumed; those calls are
/// not in this number, nor are a provider's own retries, unless `max_calls` counts them.
pub fn most_calls(strategy: &Strategy, limits: &Limits, seats: usize) -> u64 {
    let seats = seats as u64;
    let alone = 2 * ATTEMPTS;
    let asking = alone + ATTEMPTS * seats;
    let mut left = u64::from(limits.max_rounds);
    let mut calls = if strategy.two_sides { ATTEMPTS } else { 0 };
    let last = strategy.phases.len().saturating_sub(1);
    for (index, phase) in strategy.phases.iter().enumerate() {
        let (rounds, each) = match (phase.asks, index == last) {
            (Asks::All, true) => (left, asking),
            (Asks::All, false) => (left.min(longest(limits)), asking),
            (Asks::None, true) => (left, alone.max(ATTEMPTS * seats)),
            (Asks::None, false) => (left.min(u64::from(phase.min_rounds)), alone),
        };
        calls += rounds * each;
        left -= rounds;
    }
    calls.min(limits.max_calls.map_or(u64::MAX, u64::from))
}

/// The longest a phase before the last one can be: D4 ends it, but never before its first round.
fn longest(limits: &Limits) -> u64 {
    u64::from(limits.max_rounds_per_phase.max(1))
}

fn certain_phases(strategy: &Strategy, limits: &Limits) -> Vec<String> {
    let mut spent = 0;
    let mut certain = Vec::new();
    for phase in &strategy.phases {
        if spent >= u64::from(limits.max_rounds) {
            break;
        }
        certain.push(phase.name.clone());
        spent += match phase.asks {
            Asks::All => longest(limits),
            Asks::None => u64::from(phase.min_rounds),
        };
    }
    certain
}

/// Every phase, by its position, that cannot do its work under these limits, with the reason.
pub fn unreachable(strategy: &Strategy, limits: &Limits) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut before = 0u64;
    for (index, phase) in strategy.phases.iter().enumerate() {
        let name = &phase.name;
        let needed = u64::from(phase.min_rounds);
        if before >= u64::from(limits.max_rounds) {
            found.push((
                index,
                format!(
                    "the phase `{name}` can never be reached: the phases before it take at least \
                 {}, and max_rounds is {}",
                    counted(before, "round"),
                    limits.max_rounds
                ),
            ));
        } else if before + needed > u64::from(limits.max_rounds) {
            found.push((
                index,
                format!(
                    "the phase `{name}` can never have its {}: the phases before it take \
                 at least {before}, and max_rounds is {}",
                    counted(needed, "round"),
                    limits.max_rounds
                ),
            ));
        }
        if phase.min_rounds > limits.max_rounds_per_phase {
            found.push((
                index,
                format!(
                    "the phase `{name}` wants at least {}, but max_rounds_per_phase is {}",
                    counted(needed, "round"),
                    limits.max_rounds_per_phase
                ),
            ));
        }
        before += needed;
    }
    found
}
