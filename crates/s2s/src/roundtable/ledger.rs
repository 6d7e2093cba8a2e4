//! The one ledger of a session, over all its runs: what was spent, what is reserved, what is left.
//! Given the budgets and the tape; every try is reserved here before it is made, and a part is kept back so
//! that the round under way can be summed up. What was asked and never answered, because a run was killed,
//! counts with what was reserved for it in dollars and the tokens of its prompt (L7). Deliberately absent: prices, and what happens when a budget is reached.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use s2s_engine::opening::Limits;
use s2s_engine::step::CallId;
use s2s_models::money::{Amount, Purse, tokens_at_most};
use s2s_models::{Fault, FaultKind};
use s2s_store::{TapeLine, Taped};

/// Sums of dollars are not exact to the last digit; a budget that is just met is not gone beyond.
const ROUNDING: f64 = 1e-9;

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
    /// Waiting for models.
    pub waited: Duration,
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

    /// How much of the time is left; none = no limit.
    pub(super) fn time_left(&self) -> Option<Duration> {
        let minutes = self.budgets.minutes?;
        let all = Duration::try_from_secs_f64(minutes * 60.0).unwrap_or(Duration::MAX);
        Some(all.saturating_sub(self.lock().spent.waited))
    }

    /// Whether calls of this amount can be made now and, after them, calls of the second one; the sentence
    /// for people where a budget does not allow it. Where it does, the second amount is kept back.
    pub(super) fn admit(&self, now: Amount, later: Amount) -> Result<(), String> {
        let mut state = self.lock();
        (state.kept, state.refused) = (Amount::default(), None);
        if self.budgets.minutes.is_some_and(|most| state.spent.waited.as_secs_f64() >= most * 60.0) {
            let minutes = self.budgets.minutes.unwrap_or_default();
            return Err(format!("Reached the budget of {minutes} minutes"));
        }
        self.fits(&state, now + later)?;
        state.kept = later;
        Ok(())
    }

    /// The budget that refused a try since the last admission, if one did.
    pub(super) fn refusal(&self) -> Option<String> {
        let time_is_up = self.time_left().filter(Duration::is_zero);
        let minutes = || format!("Reached the budget of {} minutes", self.budgets.minutes.unwrap_or_default());
        self.lock().refused.clone().or_else(|| time_is_up.map(|_| minutes()))
    }

    /// Gives back what was kept for the summing up, which is about to be made.
    pub(super) fn release(&self) {
        self.lock().kept = Amount::default();
    }

    pub(super) fn waited(&self, time: Duration) {
        self.lock().spent.waited += time;
    }

    fn fits(&self, state: &State, more: Amount) -> Result<(), String> {
        let used = state.spent.amount + state.held;
        let all = used + state.kept + more;
        let more = state.kept + more;
        if let Some(most) = self.budgets.calls.filter(|most| all.calls > *most) {
            return Err(format!("Reached the budget of {most} calls: {} made, {} more needed", used.calls, more.calls));
        }
        if let Some(most) = self.budgets.usd.filter(|most| all.usd > *most + ROUNDING) {
            let (used, more) = (dollars(used.usd), dollars(more.usd));
            return Err(format!("Reached the budget of {}: {used} spent, up to {more} more needed", dollars(most)));
        }
        if let Some(most) = self.budgets.tokens.filter(|most| all.tokens > *most) {
            let (used, more) = (used.tokens, more.tokens);
            return Err(format!("Reached the budget of {most} tokens: {used} used, up to {more} more needed"));
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
        if let Err(text) = self.fits(&state, most) {
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

/// Dollars for people: cents, or finer where that would be nothing.
pub fn dollars(usd: f64) -> String {
    match usd {
        usd if usd == 0.0 || usd >= 0.1 => format!("${usd:.2}"),
        usd => format!("${usd:.4}"),
    }
}

/// What a tape tells of: answers and failures at their cost, calls without an end at their most.
pub fn spent_on(tape: &[TapeLine]) -> Spent {
    let mut open: BTreeMap<&CallId, (Timestamp, Amount)> = BTreeMap::new();
    let mut steps: BTreeMap<Timestamp, Duration> = BTreeMap::new();
    let mut amount = Amount::default();
    for line in tape {
        let (call, usage) = match &line.what {
            Taped::Opened(_) => continue,
            Taped::Asked(asked) => {
                let tokens = tokens_at_most(&asked.prompt.system) + tokens_at_most(&asked.prompt.user);
                let most = Amount { calls: 1, tokens, usd: asked.reserved_usd };
                if let Some((_, lost)) = open.insert(&asked.call, (line.at, most)) {
                    amount = amount + lost;
                }
                continue;
            }
            Taped::Answered(answered) => (&answered.call, &answered.usage),
            Taped::Failed(failed) => (&failed.call, &failed.usage),
        };
        let tokens = usage.input_tokens.saturating_add(usage.output_tokens);
        amount = amount + Amount { calls: usage.calls, tokens, usd: usage.cost_usd };
        if let Some((asked_at, _)) = open.remove(call) {
            let took = Duration::try_from(line.at.duration_since(asked_at)).unwrap_or_default();
            let step = steps.entry(asked_at).or_default();
            *step = took.max(*step);
        }
    }
    for (_, lost) in open.values() {
        amount = amount + *lost;
    }
    Spent { amount, waited: steps.values().sum() }
}
