//! What one call asks of a provider: the prompt, the model, and how it is to be answered.
//! Plain values. Deliberately absent: who the provider is, and what is done when it fails.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Prompt;

/// One call, as it is handed to a provider.
#[derive(Debug, Clone)]
pub struct Ask {
    /// The provider's own name of the model, without the provider before it.
    pub model: String,
    /// What is sent. The system part is the same in every call of a seat: it is marked for the
    /// provider's cache where that has to be said.
    pub prompt: Arc<Prompt>,
    /// The most tokens the reply may have, thoughts included.
    pub max_output_tokens: u32,
    /// How freely the model speaks; none = the model's own way.
    pub temperature: Option<f64>,
    /// How hard the model thinks; none = the model's own way.
    pub effort: Option<Effort>,
    /// The shape the reply must have, for models that can be held to one.
    pub shape: Option<Arc<Shape>>,
    /// How long to wait for what.
    pub patience: Patience,
}

/// A JSON Schema for a reply.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// Its name: letters, digits and `_`.
    pub name: String,
    /// The schema: only `type`, `enum`, `properties`, `required`, `items` and `additionalProperties: false`,
    /// which every provider takes.
    pub schema: Value,
}

/// How hard a model thinks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// Little.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
}

impl Effort {
    /// The name used in files and on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// How long to wait for what, in one try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Until the whole reply is there.
    pub deadline: Duration,
    /// Between two signs of life that carry something of the reply; a keep-alive is none.
    pub idle: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { deadline: Duration::from_secs(300), idle: Duration::from_secs(60) }
    }
}

/// A time as people say it: to a tenth of a second, and below one in milliseconds.
pub(crate) fn seconds(time: Duration) -> String {
    let tenths = (time.as_millis() + 50) / 100;
    match (tenths / 10, tenths % 10) {
        (0, _) => format!("{} ms", time.as_millis()),
        (whole, 0) => format!("{whole} s"),
        (whole, tenth) => format!("{whole}.{tenth} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bug_a_deadline_was_said_to_the_nanosecond() {
        let said = [(2_999_997_254, "3 s"), (2_000_000_000, "2 s"), (1_540_000_000, "1.5 s"), (50_400_000, "50 ms")];
        for (nanos, words) in said {
            assert_eq!(seconds(Duration::from_nanos(nanos)), words);
        }
    }
}
