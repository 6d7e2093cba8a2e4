//! The one ledger of a session, over all its runs: what was spent, what is reserved, what is left.
//! Given the budgets and the tape; every try is reserved here before it is made, and a part of the money, the calls,
//! the tokens and the time is kept back so that the round under way can be summed up. What was asked and never
//! answered, because a run was killed, counts with all that was reserved for it (L7). Deliberately absent: prices, what
//! a round can cost (`reserve`), and what happens when a budget is reached.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use s2s_engine::counted;
use s2s_engine::opening::{HUMAN, Limits};
use s2s_engine::record::Usage;
use s2s_engine::step::CallId;
use s2s_models::money::{Amount, Purse};
use s2s_models::{Fault, FaultKind};
use s2s_store::{TapeLine, Taped};

use super::notice::Notice;
use super::taping::lost;

/// Sums of dollars are not exact to the last digit; a budget that is just met is not gone beyond.
const ROUNDING: f64 = 1e-9;
/// The part of the time that is kept back at most, as a divisor: the answers need more of it than their summing up.
const PART_OF_TIME: u32 = 4;

/// What a session may use; none = no limit.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Budgets {
    /// Calls, each try counted.
    pub calls: Option<u32>,
    /// US dollars.
    pub usd: Option<f64>,
    /// Tokens, sent and received.
    pub tokens: Option<u64>,
    /// Minutes of waiting for models.
    pub minutes: Option<f64>,
}

impl From<&Limits> for Budgets {
    fn from(limits: &Limits) -> Self {
        Self {
            calls: limits.max_calls,
            usd: limits.max_cost_usd,
            tokens: limits.max_tokens,
            minutes: limits.max_minutes,
        }
    }
}

/// What a session has used.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spent {
    /// Calls, tokens, dollars.
    pub amount: Amount,
    /// Of these, what was reserved for calls that a run was cut off from.
    pub lost: Amount,
    /// Waiting for models.
    pub waited: Duration,
}

impl Spent {
    /// What an audience is told of it.
    pub fn told(&self) -> Notice {
        let Amount { calls, tokens, usd } = self.amount;
        Notice::Spent { calls, tokens, cost_usd: usd, lost_calls: self.lost.calls, lost_usd: self.lost.usd }
    }
}

/// The ledger of one session.
#[derive(Debug)]
pub struct Ledger {
    budgets: Budgets,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    spent: Spent,
    held: Amount,
    kept: Amount,
    kept_time: Duration,
    refused: Option<String>,
}

impl Ledger {
    /// The ledger of a session as its tape tells it.
    pub fn new(budgets: Budgets, tape: &[TapeLine]) -> Self {
        let state = State { spent: spent_on(tape), ..State::default() };
        Self { budgets, state: Mutex::new(state) }
    }

    /// What was spent so far.
    pub fn spent(&self) -> Spent {
        self.lock().spent
    }

    /// Whether there is any budget to keep to.
    pub(super) fn is_limited(&self) -> bool {
        self.budgets != Budgets::default()
    }

    /// How much of the time a call may take now, without what is kept back; none = no limit.
    pub(super) fn time_left(&self) -> Option<Duration> {
        self.time_in(&self.lock())
    }

    /// Whether calls of this amount can be made now and, after them, calls of the second one; the sentence
    /// for people where a budget does not allow it. Where it does, the second amount is kept back, with time for
    /// one call that may take so long.
    pub(super) fn admit(&self, now: Amount, later: Amount, call: Duration) -> Result<(), String> {
        let mut state = self.lock();
        let nothing = Amount::default();
        (state.kept, state.kept_time, state.refused) = (nothing, Duration::ZERO, None);
        let time =
            if later == nothing { Duration::ZERO } else { call.min(self.time().unwrap_or_default() / PART_OF_TIME) };
        let needed = if now == nothing { Duration::ZERO } else { time };
        if self.time_in(&state).is_some_and(|left| left <= needed) {
            return Err(self.time_is_up());
        }
        self.fits(&state, now + later)?;
        (state.kept, state.kept_time) = (later, time);
        Ok(())
    }

    /// The budget that refused a try since the last admission, if one did.
    pub(super) fn refusal(&self) -> Option<String> {
        let state = self.lock();
        let time_is_up = self.time_in(&state).is_some_and(|left| left.is_zero());
        state.refused.clone().or_else(|| time_is_up.then(|| self.time_is_up()))
    }

    /// Gives back what was kept for the summing up, which is about to be made.
    pub(super) fn release(&self) {
        let mut state = self.lock();
        (state.kept, state.kept_time) = (Amount::default(), Duration::ZERO);
    }

    pub(super) fn waited(&self, time: Duration) {
        self.lock().spent.waited += time;
    }

    /// All of the time; none = no limit.
    fn time(&self) -> Option<Duration> {
        Some(Duration::try_from_secs_f64(self.budgets.minutes? * 60.0).unwrap_or(Duration::MAX))
    }

    fn time_in(&self, state: &State) -> Option<Duration> {
        Some(self.time()?.saturating_sub(state.spent.waited).saturating_sub(state.kept_time))
    }

    fn time_is_up(&self) -> String {
        let minutes = self.budgets.minutes.unwrap_or_default();
        let noun = if minutes == 1.0 { "minute" } else { "minutes" };
        format!("Reached the budget of {minutes} {noun}")
    }

    fn fits(&self, state: &State, more: Amount) -> Result<(), String> {
        let used = state.spent.amount + state.held;
        let all = used + state.kept + more;
        let more = state.kept + more;
        if let Some(most) = self.budgets.calls.filter(|most| all.calls > *most) {
            let most = counted(most, "call");
            return Err(match used.calls {
                0 => too_small(&most, &format!("takes {}", counted(more.calls, "call"))),
                used => format!("Reached the budget of {most}: {used} made, {} more needed", more.calls),
            });
        }
        if let Some(most) = self.budgets.usd.filter(|most| all.usd > *most + ROUNDING) {
            let (most, more) = (dollars(most), dollars_at_most(more.usd));
            return Err(match used.calls {
                0 => too_small(&most, &format!("may cost up to {more}")),
                _ => format!("Reached the budget of {most}: {} spent, up to {more} more needed", dollars(used.usd)),
            });
        }
        if let Some(most) = self.budgets.tokens.filter(|most| all.tokens > *most) {
            let (most, used_up, more) = (counted(most, "token"), used.tokens, more.tokens);
            return Err(match used.calls {
                0 => too_small(&most, &format!("may take up to {}", counted(more, "token"))),
                _ => format!("Reached the budget of {most}: {used_up} used, up to {more} more needed"),
            });
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Purse for Ledger {
    fn reserve(&self, most: Amount) -> Result<(), Fault> {
        let mut state = self.lock();
        let in_time = || match self.time_in(&state) {
            Some(left) if left.is_zero() => Err(self.time_is_up()),
            _ => Ok(()),
        };
        if let Err(text) = in_time().and_then(|()| self.fits(&state, most)) {
            state.refused.get_or_insert_with(|| text.clone());
            return Err(Fault::new(FaultKind::Budget, text));
        }
        state.held = state.held + most;
        Ok(())
    }

    fn settle(&self, reserved: Amount, spent: Amount) {
        let mut state = self.lock();
        state.held = state.held - reserved;
        state.spent.amount = state.spent.amount + spent;
    }
}

/// A budget that was never spent from, and cannot be: no round is begun that it does not allow as a whole.
fn too_small(budget: &str, needs: &str) -> String {
    format!("The budget of {budget} is too small for one round, which {needs}; nobody was asked")
}

/// Dollars for people: cents, or finer where that would be nothing.
pub fn dollars(usd: f64) -> String {
    match usd {
        usd if usd == 0.0 || usd >= 0.1 => format!("${usd:.2}"),
        usd => format!("${usd:.4}"),
    }
}

/// Dollars that must be there, for people: never less than they are, or a budget of what is said would not do.
pub fn dollars_at_most(usd: f64) -> String {
    let digits = if usd >= 0.1 { 1e2 } else { 1e4 };
    dollars((usd * digits - ROUNDING).ceil() / digits)
}

/// What a tape tells of: answers and failures at their cost, calls without an end at their most.
pub fn spent_on(tape: &[TapeLine]) -> Spent {
    let mut open: BTreeMap<&CallId, (Timestamp, Amount)> = BTreeMap::new();
    let mut steps: BTreeMap<Timestamp, Duration> = BTreeMap::new();
    let mut people: BTreeSet<&CallId> = BTreeSet::new();
    let (mut amount, mut cut_off) = (Amount::default(), Amount::default());
    for line in tape {
        let (call, usage) = match &line.what {
            Taped::Opened(_) => continue,
            Taped::Asked(asked) => {
                // Waiting for a person is no waiting for models.
                if asked.model == HUMAN {
                    people.insert(&asked.call);
                }
                let most = amount_of(&lost(asked));
                if let Some((_, before)) = open.insert(&asked.call, (line.at, most)) {
                    cut_off = cut_off + before;
                }
                continue;
            }
            Taped::Answered(answered) => (&answered.call, &answered.usage),
            Taped::Failed(failed) => (&failed.call, &failed.usage),
        };
        amount = amount + amount_of(usage);
        if let Some((asked_at, _)) = open.remove(call)
            && !people.contains(call)
        {
            let took = Duration::try_from(line.at.duration_since(asked_at)).unwrap_or_default();
            let step = steps.entry(asked_at).or_default();
            *step = took.max(*step);
        }
    }
    for (_, most) in open.values() {
        cut_off = cut_off + *most;
    }
    Spent { amount: amount + cut_off, lost: cut_off, waited: steps.values().sum() }
}

/// What a call's use counts against a budget.
pub(crate) fn amount_of(usage: &Usage) -> Amount {
    let tokens = usage.input_tokens.saturating_add(usage.output_tokens);
    Amount { calls: usage.calls, tokens, usd: usage.cost_usd }
}
