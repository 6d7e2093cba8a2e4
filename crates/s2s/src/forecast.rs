//! What a roundtable will cost, before it is held: at least, likely, at most.
//! Given the opening, its texts and the panel; hands on rounds, calls, tokens and dollars. The least is a session
//! in which everybody agrees at once, and all that is sent comes from the provider's cache; the most is every round the
//! limits allow, every call asked twice, and replies as long as they may be; a budget cuts it. A provider's failures and
//! the calls after them are not in it. Prices are those in force. With budgets, it tells how far each one reaches.
//! Deliberately absent: asking anybody.

use s2s_catalog::{CatalogError, bounds};
use s2s_engine::opening::{FACILITATOR, Limits, Opening};
use s2s_engine::step::Step;
use s2s_engine::strategy::Asks;
use s2s_engine::{Session, next_step};
use s2s_models::Usage;
use s2s_models::money::tokens_likely;
use serde::Serialize;

use crate::failure::Failure;
use crate::panel::Panel;
use crate::prompts::{Charter, prompt_for};
use crate::roundtable::Rest;

/// Tokens of a reply that says little, and of a usual one.
const SHORT_REPLY: u64 = 150;
const USUAL_REPLY: u64 = 500;
/// Tokens of a prompt's user part: at the start, and what each round and each answer before it adds.
const USER_PART: u64 = 450;
const PER_ROUND: u64 = 120;
const PER_ANSWER: u64 = 180;
/// How many replies of the past a prompt shows at most, all told.
const SHOWN_REPLIES: u64 = 3;
/// Rounds beyond the fewest in a session that has something to argue about.
const USUAL_MORE: u64 = 2;

/// What a roundtable will cost.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Forecast {
    /// At least.
    pub least: Estimate,
    /// Likely.
    pub likely: Estimate,
    /// At most.
    pub most: Estimate,
    /// What must be there before the first round is begun: each of its calls at its most.
    pub first_round: Reserve,
    /// How far the budgets reach that are set.
    pub budgets: Vec<Reach>,
    /// Whether the price of every model is known; where not, dollars count the known ones alone.
    pub priced: bool,
}

/// What is reserved for a round.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Reserve {
    /// Calls.
    pub calls: u64,
    /// Tokens, sent and received.
    pub tokens: u64,
    /// US dollars.
    pub cost_usd: f64,
}

/// A budget, and how far it reaches.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Reach {
    /// What is counted.
    pub of: Counted,
    /// How much of it the session may use.
    pub budget: f64,
    /// What must be there for one round.
    pub one_round: f64,
    /// What must be there for a session as long as is likely: its last round is begun only if all of it is there.
    pub likely: f64,
    /// What the session takes at most.
    pub most: f64,
}

/// What a budget counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Counted {
    /// US dollars.
    CostUsd,
    /// Calls.
    Calls,
    /// Tokens, sent and received.
    Tokens,
}

/// One way it may go.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Estimate {
    /// Rounds held.
    pub rounds: u64,
    /// Calls made.
    pub calls: u64,
    /// Tokens sent.
    pub input_tokens: u64,
    /// Of these, likely from the provider's cache.
    pub cached_tokens: u64,
    /// Tokens received.
    pub output_tokens: u64,
    /// US dollars.
    pub cost_usd: f64,
}

/// Forecasts a roundtable.
///
/// # Errors
/// A prompt template that cannot be rendered.
pub fn forecast(opening: &Opening, charter: &Charter, panel: &dyn Panel) -> Result<Forecast, Failure> {
    let table = Table::new(opening, charter, panel)?;
    let limits = &opening.settings.limits;
    let fewest: u64 = opening.settings.method.phases.iter().map(|phase| u64::from(phase.min_rounds.max(1))).sum();
    let (min, max) = (u64::from(limits.min_rounds), u64::from(limits.max_rounds));
    let least = fewest.max(min).min(max);
    let likely = (least + USUAL_MORE).min(max);
    let mut most = table.session(max, u64::from(table.panel.longest_reply()), Cache::Cold);
    // A second attempt of every call (L4) doubles what one session of calls takes.
    let calls = bounds::most_calls(&opening.settings.method, limits, opening.seats.len());
    let again = if most.calls == 0 { 1.0 } else { calls as f64 / most.calls as f64 };
    most = Estimate {
        rounds: most.rounds,
        calls,
        input_tokens: (most.input_tokens as f64 * again) as u64,
        cached_tokens: 0,
        output_tokens: (most.output_tokens as f64 * again) as u64,
        cost_usd: most.cost_usd * again,
    };
    let (least, likely) =
        (table.session(least, SHORT_REPLY, Cache::Full), table.session(likely, USUAL_REPLY, Cache::Filling));
    let rest = Rest::of_round(&Session::open(opening.clone()), charter, panel)?;
    let first = rest.now() + rest.later;
    let first_round = Reserve { calls: first.calls.into(), tokens: first.tokens, cost_usd: first.usd };
    let budgets = reaches(limits, &first_round, &likely, &most);
    most.cost_usd = limits.max_cost_usd.map_or(most.cost_usd, |budget| most.cost_usd.min(budget));
    let names = opening.seats.iter().map(|seat| &*seat.id).chain([FACILITATOR]);
    let priced = names.into_iter().all(|seat| panel.price(seat).is_some());
    Ok(Forecast { least, likely, most, first_round, budgets, priced })
}

/// How far each budget reaches that is set.
fn reaches(limits: &Limits, first: &Reserve, likely: &Estimate, most: &Estimate) -> Vec<Reach> {
    // Before the last round, the others are paid for, and all that it may take must be there.
    let others = 1.0 - 1.0 / likely.rounds.max(1) as f64;
    let tokens = |estimate: &Estimate| (estimate.input_tokens + estimate.output_tokens) as f64;
    let reach = |of, budget: Option<f64>, one_round: f64, likely: f64, most: f64| {
        let likely = likely.max(likely * others + one_round);
        budget.map(|budget| Reach { of, budget, one_round, likely, most: most.max(one_round) })
    };
    let calls = limits.max_calls.map(f64::from);
    let max_tokens = limits.max_tokens.map(|most| most as f64);
    let all = [
        reach(Counted::CostUsd, limits.max_cost_usd, first.cost_usd, likely.cost_usd, most.cost_usd),
        reach(Counted::Calls, calls, first.calls as f64, likely.calls as f64, most.calls as f64),
        reach(Counted::Tokens, max_tokens, first.tokens as f64, tokens(likely), tokens(most)),
    ];
    all.into_iter().flatten().collect()
}

/// What the providers' caches are taken to hold of what is sent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cache {
    /// Nothing, ever.
    Cold,
    /// What this session sent before.
    Filling,
    /// All of it, from a session before this one: nothing that is sent can cost less.
    Full,
}

struct Table<'a> {
    opening: &'a Opening,
    panel: &'a dyn Panel,
    /// The system part of the facilitator, and of each seat in order.
    system: (u64, Vec<u64>),
}

impl<'a> Table<'a> {
    fn new(opening: &'a Opening, charter: &Charter, panel: &'a dyn Panel) -> Result<Self, CatalogError> {
        let session = Session::open(opening.clone());
        let mut facilitator = 0;
        if let Step::Ask(briefs) = next_step(&session)
            && let Some(brief) = briefs.first()
        {
            facilitator = tokens_likely(&prompt_for(&session, brief, charter)?.system);
        }
        let template = charter.prompts.get("seat").map_or(0, |text| tokens_likely(text));
        let role = |id: &str| charter.roles.get(id).map_or(0, |text| tokens_likely(text));
        let seats = opening.seats.iter().map(|seat| role(&seat.id) + template).collect();
        Ok(Self { opening, panel, system: (facilitator, seats) })
    }

    /// A session of so many rounds, with replies of so many tokens each.
    fn session(&self, rounds: u64, reply: u64, cache: Cache) -> Estimate {
        let mut all = Estimate { rounds, ..Estimate::default() };
        let seats = self.opening.seats.len() as u64;
        for round in 0..rounds {
            let first = round == 0;
            // At most, what a prompt shows of the past is as long as replies may be: a synthesis, points, conflicts.
            let past = match cache {
                Cache::Filling | Cache::Full => USER_PART + round * PER_ROUND,
                Cache::Cold => USER_PART + if first { 0 } else { SHOWN_REPLIES * reply },
            };
            let answers = seats * if cache == Cache::Cold { reply } else { PER_ANSWER };
            let begun = if first && cache == Cache::Filling { Cache::Cold } else { cache };
            self.call(&mut all, FACILITATOR, self.system.0, past, reply, begun);
            if self.asks(round) {
                for (seat, system) in self.opening.seats.iter().zip(&self.system.1) {
                    self.call(&mut all, &seat.id, *system, past, reply, begun);
                }
            }
            self.call(&mut all, FACILITATOR, self.system.0, past + answers, reply, cache);
        }
        all
    }

    /// Whether a round asks the seats, taking each phase at its fewest rounds.
    fn asks(&self, round: u64) -> bool {
        let mut end = 0;
        let phases = &self.opening.settings.method.phases;
        let held = phases.iter().find(|phase| {
            end += u64::from(phase.min_rounds.max(1));
            round < end
        });
        held.or(phases.last()).is_none_or(|phase| phase.asks == Asks::All)
    }

    fn call(&self, all: &mut Estimate, seat: &str, system: u64, user: u64, reply: u64, cache: Cache) {
        let cached_tokens = match cache {
            Cache::Cold => 0,
            Cache::Filling => system,
            Cache::Full => system + user,
        };
        let usage = Usage {
            input_tokens: system + user,
            cached_tokens,
            cache_write_tokens: if cache == Cache::Cold { system } else { 0 },
            output_tokens: reply,
            ..Usage::default()
        };
        all.calls += 1;
        all.input_tokens += usage.input_tokens;
        all.cached_tokens += usage.cached_tokens;
        all.output_tokens += usage.output_tokens;
        all.cost_usd += self.panel.price(seat).map_or(0.0, |price| price.of(&usage));
    }
}
