//! What a session cost, from its tape: in all, by round, by seat, by model.
//! Given the tape; hands on sums. Calls that were asked and never answered count at what was reserved for them,
//! as in the ledger (L7). Deliberately absent: prices, which were applied when each call ended.

use std::collections::BTreeMap;

use s2s_engine::opening::HUMAN;
use s2s_engine::record::Usage;
use s2s_store::{TapeLine, Taped, Try};
use serde::Serialize;

use crate::roundtable::lost;

/// What a session cost.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Bill {
    /// In all.
    pub total: Usage,
    /// By round; rounds that were given up are among them.
    pub rounds: BTreeMap<u32, Usage>,
    /// By seat, the facilitator among them.
    pub seats: BTreeMap<String, Usage>,
    /// By the model that was asked, each try at its own.
    pub models: BTreeMap<String, Usage>,
    /// Tries that failed, of all calls.
    pub failed_tries: u32,
    /// Calls without an end on the tape, each counted at what was reserved for it.
    pub unanswered: u32,
    /// What was reserved for these, in US dollars.
    pub unanswered_usd: f64,
    /// Of these, the calls of the last round that was asked: while somebody drives the session, they are being answered.
    pub open: u32,
}

impl Bill {
    /// The bill of a tape.
    pub fn of(tape: &[TapeLine]) -> Self {
        let mut bill = Self::default();
        let mut open = BTreeMap::new();
        for line in tape {
            let (call, usage, by, tries) = match &line.what {
                Taped::Opened(_) => continue,
                Taped::Asked(asked) => {
                    if let Some(before) = open.insert(&asked.call, asked) {
                        bill.lost(before);
                    }
                    continue;
                }
                Taped::Answered(answered) => {
                    bill.failed_tries += answered.tries.len() as u32;
                    let by = answered.by.as_ref().map(|by| by.model.clone());
                    (&answered.call, answered.usage, by, &answered.tries)
                }
                Taped::Failed(failed) => {
                    bill.failed_tries += failed.tries.len() as u32 + 1;
                    (&failed.call, failed.usage, failed.model.clone(), &failed.tries)
                }
            };
            let asked = open.remove(call).map(|asked| asked.model.clone());
            let model = by.or(asked).unwrap_or_default();
            if model == HUMAN {
                continue;
            }
            bill.add(call.round, &call.seat, usage);
            bill.share(&model, usage, tries);
        }
        let last = tape.iter().filter_map(|line| Some(line.what.call()?.round)).max();
        for asked in open.into_values() {
            let before = bill.unanswered;
            bill.lost(asked);
            bill.open += if Some(asked.call.round) == last { bill.unanswered - before } else { 0 };
        }
        bill
    }

    fn lost(&mut self, asked: &s2s_store::Asked) {
        if asked.model == HUMAN {
            return;
        }
        self.unanswered += 1;
        let usage = lost(asked);
        self.unanswered_usd += usage.cost_usd;
        self.add(asked.call.round, &asked.call.seat, usage);
        self.share(&asked.model, usage, &[]);
    }

    fn add(&mut self, round: u32, seat: &str, usage: Usage) {
        let (rounds, seats) = (self.rounds.entry(round).or_default(), self.seats.entry(seat.to_owned()).or_default());
        [&mut self.total, rounds, seats].into_iter().for_each(|place| put(place, usage));
    }

    /// Shares what a call cost among the models that its tries were made with; the last one bears the rest.
    fn share(&mut self, last: &str, mut usage: Usage, tries: &[Try]) {
        for (model, failed) in tries.iter().filter_map(|failed| Some((failed.model.as_deref()?, failed))) {
            if model == last {
                continue;
            }
            // Older tapes tell which model a try was made with, not what it cost.
            let part = failed.usage.unwrap_or(Usage { calls: 1, ..Usage::default() });
            put(self.models.entry(model.to_owned()).or_default(), part);
            usage = less(usage, part);
        }
        put(self.models.entry(last.to_owned()).or_default(), usage);
    }
}

fn put(place: &mut Usage, usage: Usage) {
    place.calls += usage.calls;
    place.add_tokens(&usage);
}

fn less(all: Usage, part: Usage) -> Usage {
    Usage {
        calls: all.calls.saturating_sub(part.calls),
        input_tokens: all.input_tokens.saturating_sub(part.input_tokens),
        cached_tokens: all.cached_tokens.saturating_sub(part.cached_tokens),
        output_tokens: all.output_tokens.saturating_sub(part.output_tokens),
        cost_usd: (all.cost_usd - part.cost_usd).max(0.0),
        ..all
    }
}
