//! From a YAML text to a value, within limits.
//! Is given text; hands on a typed value or an ordered JSON tree, or the flaw with its place.
//! Deliberately absent: YAML 1.1 booleans (`yes`, `on`), more than one document, includes.

use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_saphyr::{DuplicateKeyPolicy, NonFiniteFloatPolicy, Options, alias_limits, budget, options};

use crate::Flaw;

/// The longest text that is read. Far above any sane minutes (some 100 kB), far below what hurts.
pub const MAX_BYTES: usize = 16 * 1024 * 1024;

/// The deepest nesting of maps and lists.
pub const MAX_DEPTH: usize = 48;

/// The most values (maps, lists, scalars) in one text, aliases unfolded.
pub const MAX_NODES: usize = 200_000;

/// The most aliases in one text. People use a handful; bombs need many.
pub const MAX_ALIASES: usize = 100;

/// Events that all aliases together may add: enough for shared blocks, too few for a bomb.
const MAX_REPLAYED: usize = 20_000;

/// Reads a text into a typed value.
///
/// # Errors
/// A [`Flaw`] where the text is not YAML, breaks a limit, has a key twice, or does not fit `T`.
pub fn from_str<T: DeserializeOwned>(text: &str) -> Result<T, Flaw> {
    if text.len() > MAX_BYTES {
        return Err(Flaw::nowhere(format!(
            "the text has {} MB; at most {} MB are read",
            text.len().div_ceil(1024 * 1024),
            MAX_BYTES / (1024 * 1024)
        )));
    }
    serde_saphyr::from_str_with_options(text, limits()).map_err(|error| Flaw::of_reading(&error, text))
}

/// Reads a text into a tree that keeps the order of keys. An empty text is `null`.
///
/// # Errors
/// As [`from_str`].
pub fn to_value(text: &str) -> Result<Value, Flaw> {
    from_str(text)
}

fn limits() -> Options {
    options! {
        budget: budget! {
            max_reader_input_bytes: Some(MAX_BYTES),
            flow_nesting_limit: MAX_DEPTH,
            max_depth: MAX_DEPTH,
            max_nodes: MAX_NODES,
            max_events: MAX_NODES * 2,
            max_aliases: MAX_ALIASES,
            max_anchors: MAX_ALIASES,
            max_recorded_anchor_events: MAX_REPLAYED,
            max_documents: 1,
            max_merge_keys: MAX_ALIASES,
            max_total_scalar_bytes: MAX_BYTES * 2,
        },
        alias_limits: alias_limits! {
            max_total_replayed_events: MAX_REPLAYED,
            max_replay_stack_depth: 8,
        },
        duplicate_keys: DuplicateKeyPolicy::Error,
        // `yes` is a word in an answer, not a truth value.
        strict_booleans: true,
        // A tree of JSON has no infinity: refused, not turned into null.
        non_finite_float_policy: NonFiniteFloatPolicy::Reject,
        // The caller shows the place; a rendered snippet would be thrown away.
        with_snippet: false,
    }
}
