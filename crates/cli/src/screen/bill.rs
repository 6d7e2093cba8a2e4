//! What a session cost, in a line: calls, tokens, the share from the cache, dollars.
//! Given rounds as they are committed. Deliberately absent: prices.

use s2s::engine::record::{Round, Usage};
use s2s::roundtable::dollars;

use super::words;

/// The bill so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bill {
    usage: Usage,
}

impl Bill {
    /// Adds a committed round.
    pub(super) fn note(&mut self, round: &Round) {
        self.usage.calls += round.usage.calls;
        self.usage.add_tokens(&round.usage);
        self.usage.duration_ms = self.usage.duration_ms.saturating_add(round.usage.duration_ms);
    }

    /// US dollars.
    pub(super) fn usd(&self) -> f64 {
        self.usage.cost_usd
    }

    /// How long the rounds took, in words.
    pub(super) fn time(&self) -> String {
        words::took(self.usage.duration_ms)
    }

    /// The line; none where no model was asked.
    pub(super) fn line(&self) -> Option<String> {
        usage_line(&self.usage)
    }
}

/// A usage in a line; none where no model was asked.
pub(super) fn usage_line(usage: &Usage) -> Option<String> {
    let tokens = usage.input_tokens.saturating_add(usage.output_tokens);
    if tokens == 0 || usage.input_tokens == 0 {
        return None;
    }
    let cached = usage.cached_tokens as f64 / usage.input_tokens as f64;
    let cached =
        if cached > 0.0 { format!(" ({:.0} % of the input from the cache)", cached * 100.0) } else { String::new() };
    let money = if usage.cost_usd > 0.0 { dollars(usage.cost_usd) } else { "price not known, or nothing".to_owned() };
    let calls = words::count(usage.calls as usize, "call");
    let tokens =
        if tokens == 1 { words::count(tokens, "token") } else { format!("{} tokens", words::thousands(tokens)) };
    Some(format!("{money}; {calls}, {tokens}{cached}"))
}
