//! The settings about models: who uses which, how providers are reached, what calls may cost.
//! Plain values in the shape of the settings file. Deliberately absent: what a name stands for (`lineup`), and
//! keys: a settings file only says where one is found.

use std::collections::BTreeMap;

pub use s2s_catalog::{Api, Price};
pub use s2s_models::Effort;
use serde::{Deserialize, Serialize};

/// The entry of `models.fallback` that holds for everyone without an own one.
pub const FALLBACK_DEFAULT: &str = "default";

/// Who uses which model, and how models are asked. Names are `provider:model`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Models {
    /// For everyone without an own one; null = chosen from the keys that are there.
    pub default: Option<String>,
    /// For the facilitator; null = as the others.
    pub facilitator: Option<String>,
    /// For single seats.
    pub seats: BTreeMap<String, String>,
    /// What is asked instead when a model fails for good, in order: by seat, `facilitator` or `default`.
    pub fallback: BTreeMap<String, Vec<String>>,
    /// How freely models speak; null = each its own way.
    pub temperature: Option<f64>,
    /// How hard models think; null = each its own way.
    pub effort: Option<Effort>,
    /// The most tokens of one reply, thoughts included.
    pub max_output_tokens: u32,
    /// How long one turn may take, over all tries.
    pub call_timeout_seconds: u32,
    /// How long a model may be silent.
    pub idle_timeout_seconds: u32,
}

impl Default for Models {
    fn default() -> Self {
        Self {
            default: None,
            facilitator: None,
            seats: BTreeMap::new(),
            fallback: BTreeMap::new(),
            temperature: None,
            effort: None,
            max_output_tokens: 8192,
            call_timeout_seconds: 300,
            idle_timeout_seconds: 60,
        }
    }
}

impl Models {
    /// What is asked instead when the model of a seat (or of the `facilitator`) fails for good, in order.
    pub fn fallback(&self, seat: &str) -> &[String] {
        self.fallback.get(seat).or_else(|| self.fallback.get(FALLBACK_DEFAULT)).map_or(&[], Vec::as_slice)
    }
}

/// What the settings say of one provider. Over a built-in one of the same name it changes only what it names.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Provider {
    /// How it is spoken to.
    pub api: Option<Api>,
    /// Where it is.
    pub base_url: Option<String>,
    /// Whether plain HTTP to a public host is meant.
    pub allow_http: Option<bool>,
    /// The variable that holds its key.
    pub api_key_env: Option<String>,
    /// A program that prints its key.
    pub api_key_command: Option<Vec<String>>,
    /// A file that holds its key.
    pub api_key_file: Option<String>,
    /// The header that carries the key, where it is not the usual one.
    pub key_header: Option<String>,
    /// Further headers.
    pub headers: Option<BTreeMap<String, String>>,
    /// The program that answers, with its arguments.
    pub command: Option<Vec<String>>,
    /// Variables that this program gets besides the usual ones.
    pub env: Option<Vec<String>>,
    /// Whether its models can be held to a JSON Schema.
    pub json_schema: Option<bool>,
    /// The most calls at the same time.
    pub max_concurrent: Option<u32>,
    /// The most calls in a minute.
    pub requests_per_minute: Option<u32>,
    /// The family of its models, where their names tell none or a wrong one.
    pub family: Option<String>,
}
