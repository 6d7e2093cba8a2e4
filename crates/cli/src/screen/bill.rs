//! What a session cost, in a line: calls, tokens, the share from the cache, dollars.
//! Given rounds as they are committed, and what the session's ledger tells: the ledger is what holds, over all runs, so
//! that every screen says the same. Deliberately absent: prices.

use s2s::engine::record::{Round, Usage};
use s2s::roundtable::{Notice, dollars};

use super::words;

/// The bill so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bill {
    usage: Usage,
    told: Option<Told>,
}

/// What the ledger told last.
#[derive(Debug, Clone, Copy)]
struct Told {
    calls: u32,
    tokens: u64,
    usd: f64,
    lost_calls: u32,
    lost_usd: f64,
}

impl Bill {
    /// Adds a committed round.
    pub(super) fn note(&mut self, round: &Round) {
        self.usage.calls += round.usage.calls;
        self.usage.add_tokens(&round.usage);
        self.usage.duration_ms = self.usage.duration_ms.saturating_add(round.usage.duration_ms);
    }

    /// Takes what the ledger tells.
    pub(super) fn tell(&mut self, notice: &Notice) {
        if let Notice::Spent { calls, tokens, cost_usd, lost_calls, lost_usd } = *notice {
            self.told = Some(Told { calls, tokens, usd: cost_usd, lost_calls, lost_usd });
        }
    }

    /// US dollars.
    pub(super) fn usd(&self) -> f64 {
        self.told.map_or(self.usage.cost_usd, |told| told.usd)
    }

    /// How long the rounds took, in words.
    pub(super) fn time(&self) -> String {
        words::took(self.usage.duration_ms)
    }

    /// The line; none where no model was asked.
    pub(super) fn line(&self) -> Option<String> {
        let Some(told) = self.told else { return usage_line(&self.usage) };
        let (calls, tokens, usd) = (told.calls, told.tokens, told.usd);
        // A call that was cut off counts tokens even where no model is asked.
        let has_models = usd > 0.0 || self.usage.input_tokens > 0;
        has_models.then(|| line(usd, calls, tokens, cached(&self.usage)))
    }

    /// The line with what is in it for calls that a run was cut off from.
    pub(super) fn with_cut_off(&self, line: String) -> String {
        let Some(told) = self.told.filter(|told| told.lost_usd > 0.0) else { return line };
        let calls = words::count(told.lost_calls as usize, "call");
        let were = if told.lost_calls == 1 { "was" } else { "were" };
        format!("{line}; {} of it reserved for {calls} that {were} cut off", dollars(told.lost_usd))
    }
}

/// A usage in a line; none where no model was asked.
pub(super) fn usage_line(usage: &Usage) -> Option<String> {
    let tokens = usage.input_tokens.saturating_add(usage.output_tokens);
    if tokens == 0 || usage.input_tokens == 0 {
        return None;
    }
    Some(line(usage.cost_usd, usage.calls, tokens, cached(usage)))
}

fn line(usd: f64, calls: u32, tokens: u64, cached: f64) -> String {
    let cached =
        if cached > 0.0 { format!(" ({:.0} % of the input from the cache)", cached * 100.0) } else { String::new() };
    let money = if usd > 0.0 { dollars(usd) } else { "price not known, or nothing".to_owned() };
    let calls = words::count(calls as usize, "call");
    let tokens =
        if tokens == 1 { words::count(tokens, "token") } else { format!("{} tokens", words::thousands(tokens)) };
    format!("{money}; {calls}, {tokens}{cached}")
}

/// The share of the input that came from a cache.
fn cached(usage: &Usage) -> f64 {
    if usage.input_tokens == 0 { 0.0 } else { usage.cached_tokens as f64 / usage.input_tokens as f64 }
}
