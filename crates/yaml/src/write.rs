//! From a value to YAML text that every reader takes the same way.
//! Is given any serialisable value; hands on block-style text: multi-line text as a literal block,
//! long lines left whole (a folded line would change under a careless edit). Deliberately absent:
//! tags, anchors, comments.

use serde::Serialize;
use serde_saphyr::ser_options;

use crate::Flaw;

/// Wide enough that no line is ever folded.
const NEVER: usize = usize::MAX / 2;

/// Writes a value as YAML text, ending in a newline.
///
/// # Errors
/// A [`Flaw`] without a place where the value cannot be serialised.
pub fn to_string<T: Serialize>(value: &T) -> Result<String, Flaw> {
    let options = ser_options! {
        folded_wrap_chars: NEVER,
        compact_list_indent: false,
    };
    serde_saphyr::to_string_with_options(value, options)
        .map_err(|error| Flaw::nowhere(format!("the value cannot be written as YAML: {error}")))
}
