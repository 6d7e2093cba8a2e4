//! What a session cost, from its tape: in all, by round, by seat, by model.
//! Given the tape; hands on sums. Calls that were asked and never answered count at what was reserved for them,
//! as in the ledger (L7). Deliberately absent: prices, which were applied when each call ended.

use std::collections::BTreeMap;

use s2s_engine::record::Usage;
use s2s_store::{TapeLine, Taped};
use serde::Serialize;

/// What a session cost.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Bill {
    /// In all.
    pub total: Usage,
    /// By round; rounds that were given up are among them.
    pub rounds: BTreeMap<u32, Usage>,
    /// By seat, the facilitator among them.
    pub seats: BTreeMap<String, Usage>,
    /// By the model that answered.
    pub models: BTreeMap<String, Usage>,
    /// Tries that failed, of all calls.
    pub failed_tries: u32,
    /// Calls without an end on the tape, each counted at what was reserved for it.
    pub unanswered: u32,
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
                    (&failed.call, failed.usage, None, &failed.tries)
                }
            };
            let asked = open.remove(call).map(|asked| asked.model.clone());
            let model = by.or(asked).unwrap_or_default();
            bill.add(call.round, &call.seat, &model, usage);
            // A try that failed was a call to the model it was made with.
            for other in tries.iter().filter_map(|failed| failed.model.as_ref()).filter(|other| **other != model) {
                bill.models.entry(other.clone()).or_default().calls += 1;
                if let Some(own) = bill.models.get_mut(&model) {
                    own.calls = own.calls.saturating_sub(1);
                }
            }
        }
        for asked in open.into_values() {
            bill.lost(asked);
        }
        bill
    }

    fn lost(&mut self, asked: &s2s_store::Asked) {
        self.unanswered += 1;
        let usage = Usage { calls: 1, cost_usd: asked.reserved_usd, ..Usage::default() };
        self.add(asked.call.round, &asked.call.seat, &asked.model, usage);
    }

    fn add(&mut self, round: u32, seat: &str, model: &str, usage: Usage) {
        let places = [
            &mut self.total,
            self.rounds.entry(round).or_default(),
            self.seats.entry(seat.to_owned()).or_default(),
            self.models.entry(model.to_owned()).or_default(),
        ];
        for place in places {
            place.calls += usage.calls;
            place.add_tokens(&usage);
        }
    }
}
