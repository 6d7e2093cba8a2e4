//! What the server does with which call.
//! Given rules, in order; the first that fits a call decides, and a call that none fits is answered as
//! usual. Hands on an [`Act`] for each call. Deliberately absent: how an act is carried out.

use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::act::Act;
use crate::asked::Asked;
use crate::random;
use crate::routes::Format;
use crate::seen::sound;

/// How the server behaves.
#[derive(Debug, Clone)]
pub struct Plan {
    pub(crate) rules: Vec<Rule>,
    pub(crate) say: Vec<String>,
    pub(crate) latency: Duration,
    pub(crate) pace: Duration,
    pub(crate) piece_bytes: usize,
    pub(crate) keeps: bool,
    pub(crate) keyless: bool,
}

/// Which calls a rule is for: all that fit everything said here.
#[derive(Debug, Clone, Default)]
pub struct When {
    /// Calls of these numbers, from 1 in the order of their arrival.
    pub calls: Option<RangeInclusive<u64>>,
    /// The format.
    pub format: Option<Format>,
    /// A part of the model's name.
    pub model: Option<String>,
    /// A part of the prompt: its system part (which names the seat's role) or its user part.
    pub prompt: Option<String>,
    /// A share of the calls, from 0 to 1, chosen by a seed.
    pub share: Option<(f64, u64)>,
}

#[derive(Debug, Clone)]
pub(crate) struct Rule {
    pub(crate) when: When,
    /// One of these, by the seed.
    pub(crate) acts: Vec<Act>,
    /// How often at most.
    pub(crate) times: Option<u64>,
}

impl Default for Plan {
    fn default() -> Self {
        Self::calm()
    }
}

impl Plan {
    /// Every call is answered at once.
    pub fn calm() -> Self {
        Self {
            rules: Vec::new(),
            say: Vec::new(),
            latency: Duration::ZERO,
            pace: Duration::ZERO,
            piece_bytes: 48,
            keeps: true,
            keyless: false,
        }
    }

    /// How long every answer waits before its first byte.
    #[must_use]
    pub fn latency(self, latency: Duration) -> Self {
        Self { latency, ..self }
    }

    /// How long a stream waits between two pieces.
    #[must_use]
    pub fn pace(self, pace: Duration) -> Self {
        Self { pace, ..self }
    }

    /// How many bytes of text a piece of a stream has.
    #[must_use]
    pub fn piece_bytes(self, bytes: usize) -> Self {
        Self { piece_bytes: bytes.max(1), ..self }
    }

    /// Keeps no calls, only counters: for benchmarks and soaks.
    #[must_use]
    pub fn counting_only(self) -> Self {
        Self { keeps: false, ..self }
    }

    /// Asks for no key, as local servers do.
    #[must_use]
    pub fn without_keys(self) -> Self {
        Self { keyless: true, ..self }
    }

    /// Does this on calls that fit.
    #[must_use]
    pub fn when(mut self, when: When, act: Act) -> Self {
        self.rules.push(Rule { when, acts: vec![act], times: None });
        self
    }

    /// Does this on every call that no earlier rule takes.
    #[must_use]
    pub fn always(self, act: Act) -> Self {
        self.when(When::default(), act)
    }

    /// Does this on the call of this number, from 1.
    #[must_use]
    pub fn on_call(self, number: u64, act: Act) -> Self {
        self.on_calls(number..=number, act)
    }

    /// Does this on calls of these numbers, from 1.
    #[must_use]
    pub fn on_calls(self, numbers: RangeInclusive<u64>, act: Act) -> Self {
        self.when(When { calls: Some(numbers), ..When::default() }, act)
    }

    /// Does this for models with this in their name.
    #[must_use]
    pub fn on_model(self, part: &str, act: Act) -> Self {
        self.when(When { model: Some(part.to_owned()), ..When::default() }, act)
    }

    /// Does this for prompts with this in them.
    #[must_use]
    pub fn on_prompt(self, part: &str, act: Act) -> Self {
        self.when(When { prompt: Some(part.to_owned()), ..When::default() }, act)
    }

    /// Does one of these with this share of the calls, chosen by the seed.
    #[must_use]
    pub fn share(mut self, share: f64, seed: u64, acts: &[Act]) -> Self {
        let when = When { share: Some((share, seed)), ..When::default() };
        self.rules.push(Rule { when, acts: acts.to_vec(), times: None });
        self
    }

    /// The rule before this applies at most so often; then the next that fits.
    #[must_use]
    pub fn times(mut self, times: u64) -> Self {
        if let Some(rule) = self.rules.last_mut() {
            rule.times = Some(times);
        }
        self
    }

    /// These words are the next reply that is not decided by a rule; several are said one after the other.
    #[must_use]
    pub fn say(mut self, text: &str) -> Self {
        self.say.push(text.to_owned());
        self
    }
}

impl When {
    fn fits(&self, number: u64, asked: &Asked) -> bool {
        self.calls.as_ref().is_none_or(|calls| calls.contains(&number))
            && self.format.is_none_or(|format| format == asked.format)
            && self.model.as_ref().is_none_or(|part| asked.model.contains(part.as_str()))
            && self.prompt.as_ref().is_none_or(|part| asked.prompt.contains(part.as_str()))
            && self.share.is_none_or(|(share, seed)| random::falls_into(random::at(seed, number), share))
    }
}

/// A plan at work: what of it is used up.
#[derive(Debug)]
pub(crate) struct Course {
    pub(crate) plan: Plan,
    used: Vec<AtomicU64>,
    to_say: Mutex<VecDeque<String>>,
}

impl Course {
    pub(crate) fn new(mut plan: Plan) -> Self {
        let used = plan.rules.iter().map(|_| AtomicU64::new(0)).collect();
        let to_say = Mutex::new(std::mem::take(&mut plan.say).into());
        Self { plan, used, to_say }
    }

    /// What to do with a call.
    pub(crate) fn act(&self, number: u64, asked: &Asked) -> Act {
        for (rule, used) in self.plan.rules.iter().zip(&self.used) {
            if !rule.when.fits(number, asked) {
                continue;
            }
            let left = |used: u64| rule.times.is_none_or(|times| used < times).then_some(used + 1);
            if used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left).is_err() {
                continue;
            }
            let seed = rule.when.share.map_or(0, |(_, seed)| seed);
            let chosen = random::at(seed.wrapping_add(1), number) as usize % rule.acts.len().max(1);
            if let Some(act) = rule.acts.get(chosen) {
                return act.clone();
            }
        }
        sound(&self.to_say).pop_front().map_or(Act::Answer, Act::Say)
    }
}
