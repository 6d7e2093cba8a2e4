//! What is said in answer to a call, before it takes on a format.
//! Given texts, an end and token counts; hands on pieces and figures, right or wrong as the act wants them.
//! Deliberately absent: any wire format.

use serde_json::Value;

use crate::act::WrongUsage;

/// Why a reply ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Done,
    Length,
    Filter,
    Refusal,
}

/// What a call cost, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tokens {
    /// All that was sent.
    pub(crate) input: u64,
    /// Of these, read from the cache.
    pub(crate) cached: u64,
    /// Of these, written to the cache.
    pub(crate) written: u64,
    /// The reply, thoughts included.
    pub(crate) output: u64,
    /// Of these, thoughts.
    pub(crate) thoughts: u64,
}

/// A reply on its way out.
#[derive(Debug, Clone)]
pub(crate) struct Speech<'a> {
    /// The number of the call, which makes its ids.
    pub(crate) n: u64,
    /// Seconds since 1970.
    pub(crate) now: u64,
    pub(crate) model: &'a str,
    pub(crate) text: &'a str,
    /// Thoughts before the text.
    pub(crate) thoughts: &'a str,
    pub(crate) end: End,
    pub(crate) tokens: Tokens,
    pub(crate) wrong: Option<WrongUsage>,
    /// Whether a stream of OpenAI chat ends with its usage.
    pub(crate) include_usage: bool,
    pub(crate) piece_bytes: usize,
}

/// A reply as a stream: what comes before the text, the text in pieces, and what ends it.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    pub(crate) head: Vec<u8>,
    pub(crate) body: Vec<Vec<u8>>,
    pub(crate) tail: Vec<u8>,
}

impl Frames {
    /// All of it.
    pub(crate) fn all(&self) -> impl Iterator<Item = &[u8]> {
        let body = self.body.iter().map(Vec::as_slice);
        [self.head.as_slice()].into_iter().chain(body).chain([self.tail.as_slice()])
    }
}

impl Speech<'_> {
    /// One figure of the usage.
    pub(crate) fn count(&self, tokens: u64) -> Value {
        match self.wrong {
            Some(WrongUsage::Negative) => Value::from(-i64::try_from(tokens.max(1)).unwrap_or(i64::MAX)),
            Some(WrongUsage::Huge) => Value::from(u64::MAX),
            Some(WrongUsage::Texts) => Value::from(format!("{tokens} tokens")),
            Some(WrongUsage::Missing) | None => Value::from(tokens),
        }
    }

    /// The usage, unless it is to be missing.
    pub(crate) fn usage(&self, usage: impl FnOnce(&Self) -> Value) -> Option<Value> {
        (self.wrong != Some(WrongUsage::Missing)).then(|| usage(self))
    }

    /// What a model that declines says.
    pub(crate) fn refusal(&self) -> &'static str {
        "I can't help with that."
    }
}

/// A text in pieces of about so many bytes, characters kept whole.
pub(crate) fn pieces(text: &str, bytes: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut end = bytes.clamp(1, rest.len());
        while !rest.is_char_boundary(end) {
            end += 1;
        }
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(piece)
    })
}

/// A text as JSON, with its quotes.
pub(crate) fn quoted(text: &str) -> String {
    String::from_utf8(framed("", text, "")).unwrap_or_default()
}

/// A frame that is the same but for its text. There are many in a reply: each is one allocation.
pub(crate) fn framed(before: &str, text: &str, after: &str) -> Vec<u8> {
    let mut frame = Vec::with_capacity(before.len() + text.len() + after.len() + 16);
    frame.extend_from_slice(before.as_bytes());
    // Writing to memory does not fail.
    let _ = serde_json::to_writer(&mut frame, text);
    frame.extend_from_slice(after.as_bytes());
    frame
}

/// Puts `"name": value` into an object where there is a value.
pub(crate) fn set(object: &mut Value, name: &str, value: Option<Value>) {
    if let Some(value) = value {
        object[name] = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_keep_characters_whole_and_lose_nothing() {
        let text = "añb–c🦀d";
        for bytes in 1..12 {
            assert_eq!(pieces(text, bytes).collect::<String>(), text);
        }
        assert_eq!(pieces("abcdef", 4).collect::<Vec<_>>(), ["abcd", "ef"]);
        assert_eq!(pieces("", 4).count(), 0);
    }
}
