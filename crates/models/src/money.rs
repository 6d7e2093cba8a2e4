//! What calls cost: prices, amounts, and the purse that every try is paid from.
//! Given token counts; hands on dollars. Deliberately absent: which model has which price (data), and
//! where a session's ledger is kept (whoever implements [`Purse`]).

use serde::{Deserialize, Serialize};

use crate::{Fault, Prompt, Usage};

/// The price of a model, in US dollars per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Price {
    /// Tokens sent.
    pub input: f64,
    /// Tokens sent that the provider had in its cache.
    pub cached_input: f64,
    /// Tokens sent that the provider put into its cache.
    pub cache_write: f64,
    /// Tokens received, thoughts included.
    pub output: f64,
}

const MILLION: f64 = 1_000_000.0;

impl Price {
    /// What this usage costs.
    pub fn of(&self, usage: &Usage) -> f64 {
        let cached = usage.cached_tokens.min(usage.input_tokens);
        let written = usage.cache_write_tokens.min(usage.input_tokens - cached);
        let plain = usage.input_tokens - cached - written;
        let parts = [
            (plain, self.input),
            (cached, self.cached_input),
            (written, self.cache_write),
            (usage.output_tokens, self.output),
        ];
        parts.iter().map(|(tokens, price)| *tokens as f64 * price / MILLION).sum()
    }

    /// The most that a call with so many tokens can cost: nothing cached, everything written to the cache.
    pub fn at_most(&self, input_tokens: u64, output_tokens: u64) -> f64 {
        let input = self.input.max(self.cache_write);
        (input_tokens as f64 * input + output_tokens as f64 * self.output) / MILLION
    }
}

/// An amount: calls, tokens, dollars.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Amount {
    /// Calls, each try counted.
    pub calls: u32,
    /// Tokens, sent and received.
    pub tokens: u64,
    /// US dollars.
    pub usd: f64,
}

impl Amount {
    /// One call with this usage.
    pub fn of(usage: &Usage) -> Self {
        let tokens = usage.input_tokens.saturating_add(usage.output_tokens);
        Self { calls: 1, tokens, usd: usage.cost_usd }
    }
}

impl std::ops::Add for Amount {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            calls: self.calls.saturating_add(other.calls),
            tokens: self.tokens.saturating_add(other.tokens),
            usd: self.usd + other.usd,
        }
    }
}

impl std::ops::Sub for Amount {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            calls: self.calls.saturating_sub(other.calls),
            tokens: self.tokens.saturating_sub(other.tokens),
            usd: (self.usd - other.usd).max(0.0),
        }
    }
}

/// What tries are paid from. Every try is reserved at its most before it is made, and settled after it.
pub trait Purse: Send + Sync {
    /// Sets the amount aside.
    ///
    /// # Errors
    /// A fault of the kind `Budget` that says which budget does not allow it.
    fn reserve(&self, most: Amount) -> Result<(), Fault>;

    /// Gives a reservation back and takes what was spent.
    fn settle(&self, reserved: Amount, spent: Amount);
}

/// A purse without a bottom.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bottomless;

impl Purse for Bottomless {
    fn reserve(&self, _most: Amount) -> Result<(), Fault> {
        Ok(())
    }

    fn settle(&self, _reserved: Amount, _spent: Amount) {}
}

/// How many tokens a text has, to be on the safe side: three bytes each. Providers count English at about four.
pub fn tokens_at_most(text: &str) -> u64 {
    text.len().div_ceil(3) as u64
}

/// How many tokens a text likely has: four bytes each.
pub fn tokens_likely(text: &str) -> u64 {
    text.len().div_ceil(4) as u64
}

impl Prompt {
    /// How many tokens it likely has.
    pub fn tokens_likely(&self) -> u64 {
        tokens_likely(&self.system) + tokens_likely(&self.user)
    }

    /// How many tokens it has, to be on the safe side.
    pub fn tokens_at_most(&self) -> u64 {
        tokens_at_most(&self.system) + tokens_at_most(&self.user) + 16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_tokens_cost_less_and_written_ones_more() {
        let price = Price { input: 3.0, cached_input: 0.3, cache_write: 3.75, output: 15.0 };
        let usage = Usage {
            input_tokens: 1_000_000,
            cached_tokens: 600_000,
            cache_write_tokens: 200_000,
            output_tokens: 100_000,
            cost_usd: 0.0,
        };
        let by_hand = 0.2 * 3.0 + 0.6 * 0.3 + 0.2 * 3.75 + 0.1 * 15.0;
        assert!((price.of(&usage) - by_hand).abs() < 1e-9);
        assert!(price.at_most(1_000_000, 100_000) >= price.of(&usage));
    }

    #[test]
    fn nonsense_usage_makes_no_nonsense_cost() {
        let price = Price { input: 1.0, cached_input: 0.1, cache_write: 1.0, output: 1.0 };
        let usage =
            Usage { input_tokens: 10, cached_tokens: u64::MAX, cache_write_tokens: u64::MAX, ..Usage::default() };
        assert!((0.0..0.001).contains(&price.of(&usage)));
    }
}
