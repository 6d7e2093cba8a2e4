//! A reply on its way: what has come so far, and what it amounts to when nothing more comes.
//! Given what the formats read; hands on a whole reply, or the reason why there is none. Deliberately absent:
//! the formats, and the connection.

use crate::{Ask, Fault, FaultKind, Heard, Reply, Stop, Usage};

/// The most tokens a count can mean; beyond it is nonsense.
const MOST_TOKENS: u64 = 100_000_000;

/// The most dollars a cost can mean.
const MOST_USD: f64 = 10_000.0;

/// How many bytes make a token, where nobody has counted.
const BYTES_PER_TOKEN: u64 = 4;

/// Whether a piece carried something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    /// A keep-alive, or an empty piece.
    Nothing,
    /// Some of the reply, or of the thoughts before it.
    Life,
}

/// Why the provider says it stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The model was done.
    Whole,
    /// It reached a limit on length.
    Length,
    /// A filter, or the model itself, would not go on.
    Filtered(String),
    /// Something we know nothing of.
    Odd(String),
}

/// What has come so far.
pub(crate) struct Draft<'a> {
    ask: &'a Ask,
    heard: Heard<'a>,
    /// The text.
    pub text: String,
    /// The size of the thoughts; they are not kept.
    thought_bytes: u64,
    /// What the model says instead of answering.
    refusal: String,
    /// What the provider has counted.
    pub counts: Counts,
    /// Why it stopped, once it has said so.
    pub ending: Option<Ending>,
    /// Whether the format's end mark has come.
    pub ended: bool,
    /// The provider's name for the call, where the stream holds one.
    pub id: Option<String>,
}

/// Tokens as the provider counted them; what is missing or makes no sense is none.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Counts {
    /// All input: fresh, cached, and written to the cache.
    pub input: Option<u64>,
    /// Of it, read from the cache.
    pub cached: Option<u64>,
    /// Of it, written to the cache.
    pub cache_write: Option<u64>,
    /// All output, thoughts included.
    pub output: Option<u64>,
    /// In US dollars, where the provider says it.
    pub cost_usd: Option<f64>,
}

impl Counts {
    /// Takes over what newer counts say, and keeps the rest.
    pub(crate) fn update(&mut self, newer: Self) {
        self.input = newer.input.or(self.input);
        self.cached = newer.cached.or(self.cached);
        self.cache_write = newer.cache_write.or(self.cache_write);
        self.output = newer.output.or(self.output);
        self.cost_usd = newer.cost_usd.or(self.cost_usd);
    }
}

impl<'a> Draft<'a> {
    /// How long the text can be within the tokens that were asked for, and some more: beyond it the provider keeps to no
    /// limit, and what was reserved for the call does not reach.
    pub(crate) fn longest_text(&self) -> usize {
        (self.ask.max_output_tokens as usize).saturating_mul(8).saturating_add(64 << 10)
    }

    /// Nothing yet.
    pub(crate) fn new(ask: &'a Ask, heard: Heard<'a>) -> Self {
        Self {
            ask,
            heard,
            text: String::new(),
            thought_bytes: 0,
            refusal: String::new(),
            counts: Counts::default(),
            ending: None,
            ended: false,
            id: None,
        }
    }

    /// Some of the text.
    pub(crate) fn say(&mut self, piece: &str) -> Sign {
        if piece.is_empty() {
            return Sign::Nothing;
        }
        self.text.push_str(piece);
        (self.heard)(piece);
        Sign::Life
    }

    /// Some of the thoughts.
    pub(crate) fn think(&mut self, piece: &str) -> Sign {
        self.thought_bytes = self.thought_bytes.saturating_add(piece.len() as u64);
        if piece.is_empty() { Sign::Nothing } else { Sign::Life }
    }

    /// Some of a refusal. Its beginning is enough.
    pub(crate) fn refuse(&mut self, piece: &str) -> Sign {
        if self.refusal.len() < 1024 {
            self.refusal.push_str(piece);
        }
        if piece.is_empty() { Sign::Nothing } else { Sign::Life }
    }

    /// What the call cost, as far as it is known; what is not known is estimated from the sizes.
    pub(crate) fn usage(&self) -> Usage {
        let sane = |count: Option<u64>| count.filter(|count| *count <= MOST_TOKENS);
        let prompt = &self.ask.prompt;
        let sent = (prompt.system.len() + prompt.user.len()) as u64;
        let came = (self.text.len() + self.refusal.len()) as u64 + self.thought_bytes;
        // No prompt has no tokens, and no text has none: a zero there was never counted.
        let input = sane(self.counts.input).filter(|count| *count > 0 || sent == 0);
        let output = sane(self.counts.output).filter(|count| *count > 0 || came == 0);
        let input_tokens = input.unwrap_or_else(|| sent.div_ceil(BYTES_PER_TOKEN));
        let cached_tokens = sane(self.counts.cached).unwrap_or(0).min(input_tokens);
        Usage {
            input_tokens,
            cached_tokens,
            cache_write_tokens: sane(self.counts.cache_write).unwrap_or(0).min(input_tokens - cached_tokens),
            output_tokens: match output {
                Some(counted) if self.ending.is_some() => counted,
                // A count that came before the end is the count of a beginning.
                counted => counted.unwrap_or(0).max(came.div_ceil(BYTES_PER_TOKEN)),
            },
            cost_usd: self.counts.cost_usd.filter(|cost| (0.0..=MOST_USD).contains(cost)).unwrap_or(0.0),
        }
    }

    /// What came of it, now that nothing more comes. Only an end mark and a reason to stop make a reply whole.
    pub(crate) fn finish(self) -> Result<Reply, Fault> {
        let usage = self.usage();
        let fault = |kind, what: String| Err(Fault { usage, ..Fault::new(kind, what) });
        if !self.ended {
            let came = self.text.len();
            return fault(FaultKind::Cut, format!("ended the reply before its end mark, after {came} bytes of text"));
        }
        if !self.refusal.trim().is_empty() {
            return fault(FaultKind::Filtered, format!("would not answer: {}", self.refusal.trim()));
        }
        let stop = match self.ending {
            None => return fault(FaultKind::Cut, "ended the reply without saying why it stopped".to_owned()),
            Some(Ending::Filtered(why)) => {
                return fault(FaultKind::Filtered, format!("would not answer: it stopped with {why:?}"));
            }
            Some(Ending::Odd(why)) => {
                return fault(FaultKind::Malformed, format!("stopped for a reason we do not know: {why:?}"));
            }
            Some(Ending::Whole) => Stop::End,
            Some(Ending::Length) => Stop::Length,
        };
        if stop == Stop::End && self.text.trim().is_empty() {
            let what = if self.thought_bytes > 0 {
                "sent thoughts and no reply"
            } else {
                "sent a whole reply with nothing in it"
            };
            return fault(FaultKind::Empty, what.to_owned());
        }
        Ok(Reply { text: self.text, stop, usage, request_id: self.id, by: None, tries: Vec::new() })
    }
}
