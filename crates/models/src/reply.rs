//! A prompt and what comes back for it.
//! Given and handed on as plain values. Deliberately absent: what a reply means.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What is sent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Prompt {
    /// The stable part: who the model is, and the rules. Shared by all calls of a seat.
    pub system: Arc<str>,
    /// The part of this call.
    pub user: String,
}

/// What came back.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The text as it arrived.
    pub text: String,
    /// Why it ended.
    pub stop: Stop,
    /// What it cost.
    pub usage: Usage,
    /// The provider's name for the call, where it gives one.
    pub request_id: Option<String>,
    /// The model that answered, where it is not the one that was asked.
    pub by: Option<Speaker>,
    /// The tries that failed before this one.
    pub tries: Vec<Try>,
}

impl Reply {
    /// A whole reply that cost nothing.
    pub fn free(text: impl Into<String>) -> Self {
        let (stop, usage) = (Stop::End, Usage::default());
        Self { text: text.into(), stop, usage, request_id: None, by: None, tries: Vec::new() }
    }
}

/// A model that spoke in place of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Speaker {
    /// As `provider:model`.
    pub model: String,
    /// Its family.
    pub family: String,
}

/// A try that failed.
#[derive(Debug, Clone, PartialEq)]
pub struct Try {
    /// How long after the call was made it failed.
    pub after: Duration,
    /// Which model, as `provider:model`.
    pub model: String,
    /// Why.
    pub error: String,
    /// Whether it reached the provider; else it is no call.
    pub sent: bool,
    /// What it cost.
    pub usage: Usage,
    /// The provider's name for it, where it gives one.
    pub request_id: Option<String>,
}

/// Why a reply ended. Only `End` means that it is whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// The model was done.
    #[default]
    End,
    /// It reached a limit on length.
    Length,
    /// A filter cut it.
    Filter,
    /// It was longer than we keep.
    Oversize,
}

impl Stop {
    /// The name used on the tape.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::End => "end",
            Self::Length => "length",
            Self::Filter => "filter",
            Self::Oversize => "oversize",
        }
    }

    /// The stop of this name; an unknown one does not count as whole.
    pub fn from_name(name: &str) -> Self {
        match name {
            "end" => Self::End,
            "filter" => Self::Filter,
            "oversize" => Self::Oversize,
            _ => Self::Length,
        }
    }
}

/// What a call cost.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Tokens sent.
    pub input_tokens: u64,
    /// Of these, read from the provider's cache.
    pub cached_tokens: u64,
    /// Of these, written to the provider's cache.
    pub cache_write_tokens: u64,
    /// Tokens received.
    pub output_tokens: u64,
    /// In US dollars; zero until somebody who knows the price has filled it in, unless the provider said it.
    pub cost_usd: f64,
}
