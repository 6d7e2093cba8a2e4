//! The circuit breaker of one provider: after a row of outages it is left alone for a while, then tried
//! with a single call. Given how calls ended; says whether one may be made now. Deliberately absent: which
//! faults are outages (`FaultKind::is_outage`), and waiting.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// This many outages in a row open the breaker …
const IN_A_ROW: u32 = 5;
/// … and so do this many among the last ten.
const OF_TEN: u32 = 8;
/// The first rest; it doubles up to the longest.
const FIRST_REST: Duration = Duration::from_secs(5);
const LONGEST_REST: Duration = Duration::from_secs(60);
/// While one call tries the provider, the others look again after this.
const WHILE_TRYING: Duration = Duration::from_millis(250);

#[derive(Debug, Default)]
pub(super) struct Breaker {
    state: Mutex<State>,
}

/// Somebody who has nobody else to ask waits for a rested provider this long and no longer.
pub(super) const WORTH_WAITING: Duration = Duration::from_secs(10);

#[derive(Debug, Default)]
struct State {
    /// The last outcomes, the newest in the lowest bit; 1 = outage.
    recent: u32,
    seen: u32,
    rests_until: Option<Instant>,
    rests: u32,
    trying: bool,
}

impl Breaker {
    /// Whether a call may be made now: `Ok(true)` = as the one that tries a rested provider, `Err` = how
    /// long to leave it alone.
    pub(super) fn enter(&self, now: Instant) -> Result<bool, Duration> {
        let mut state = self.lock();
        match state.rests_until {
            None => Ok(false),
            Some(until) if now < until => Err(until - now),
            Some(_) if state.trying => Err(WHILE_TRYING),
            Some(_) => {
                state.trying = true;
                Ok(true)
            }
        }
    }

    /// Takes in how a call ended; none = it was given up, and tells nothing.
    pub(super) fn report(&self, now: Instant, tried: bool, outage: Option<bool>) {
        let mut state = self.lock();
        if tried {
            state.trying = false;
        }
        match outage {
            None => {}
            Some(true) if tried => state.rest(now),
            Some(false) if tried => *state = State::default(),
            // Calls that were under way when the breaker opened tell nothing new.
            Some(_) if state.rests_until.is_some() => {}
            Some(outage) => {
                state.recent = (state.recent << 1) | u32::from(outage);
                state.seen = (state.seen + 1).min(10);
                let row = state.seen >= IN_A_ROW && state.recent.trailing_ones() >= IN_A_ROW;
                if row || (state.recent & 0x3ff).count_ones() >= OF_TEN {
                    state.rest(now);
                }
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn rest(&mut self, now: Instant) {
        let rest = (FIRST_REST * 2u32.saturating_pow(self.rests)).min(LONGEST_REST);
        *self = Self { rests_until: Some(now + rest), rests: self.rests + 1, ..Self::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn five_outages_in_a_row_open_it_and_one_good_call_closes_it() {
        let breaker = Breaker::default();
        for _ in 0..4 {
            breaker.report(Instant::now(), false, Some(true));
        }
        assert_eq!(breaker.enter(Instant::now()), Ok(false));
        breaker.report(Instant::now(), false, Some(true));
        assert_eq!(breaker.enter(Instant::now()), Err(FIRST_REST));
        tokio::time::advance(FIRST_REST).await;
        assert_eq!(breaker.enter(Instant::now()), Ok(true));
        assert_eq!(breaker.enter(Instant::now()), Err(WHILE_TRYING));
        breaker.report(Instant::now(), true, Some(true));
        assert_eq!(breaker.enter(Instant::now()), Err(FIRST_REST * 2));
        tokio::time::advance(FIRST_REST * 2).await;
        assert_eq!(breaker.enter(Instant::now()), Ok(true));
        breaker.report(Instant::now(), true, Some(false));
        assert_eq!(breaker.enter(Instant::now()), Ok(false));
    }

    #[tokio::test(start_paused = true)]
    async fn a_trial_that_is_given_up_leaves_room_for_the_next() {
        let breaker = Breaker::default();
        (0..5).for_each(|_| breaker.report(Instant::now(), false, Some(true)));
        tokio::time::advance(FIRST_REST).await;
        assert_eq!(breaker.enter(Instant::now()), Ok(true));
        breaker.report(Instant::now(), true, None);
        assert_eq!(breaker.enter(Instant::now()), Ok(true));
    }

    #[tokio::test(start_paused = true)]
    async fn a_fifth_of_faults_does_not_open_it() {
        let breaker = Breaker::default();
        for call in 0..1_000 {
            breaker.report(Instant::now(), false, Some(call % 5 == 0));
            assert_eq!(breaker.enter(Instant::now()), Ok(false));
        }
    }
}
