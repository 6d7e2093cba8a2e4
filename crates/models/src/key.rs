//! A secret, and how it is kept out of everything a person can read.
//! Given text from the environment, a command or a file; hands it on only as a header value marked as
//! sensitive. Deliberately absent: where secrets come from, and any way to print one.

use std::fmt;

use reqwest::header::HeaderValue;

use crate::{Fault, FaultKind};

/// What stands where a secret stood.
const HIDDEN: &str = "[key]";

/// Shorter ones are no secrets (local servers want any word), and taking them out would make holes in every sentence.
const SHORTEST: usize = 8;

/// A secret. It can be sent, but neither printed nor compared.
#[derive(Clone)]
pub struct Key(String);

impl Key {
    /// Keeps a secret. White space around it, as files and commands leave it, is no part of it.
    pub fn new(secret: impl AsRef<str>) -> Self {
        Self(secret.as_ref().trim().to_owned())
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// As a header value that no log shows, with `before` in front of it.
    pub(crate) fn header(&self, before: &str, from: &str) -> Result<HeaderValue, Fault> {
        let mut value = HeaderValue::try_from(format!("{before}{}", self.0)).map_err(|_| {
            Fault::new(
                FaultKind::Unauthorized,
                "has a key that cannot be sent: it holds a line break or a control character",
            )
            .next(format!("check {}", if from.is_empty() { "the key" } else { from }))
        })?;
        value.set_sensitive(true);
        Ok(value)
    }

    /// The text without this secret.
    pub(crate) fn redact(&self, text: &mut String) {
        if self.0.len() >= SHORTEST && text.contains(&self.0) {
            *text = text.replace(&self.0, HIDDEN);
        }
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_cannot_be_printed() {
        let key = Key::new(" sk-secret-1 \n");
        assert_eq!(format!("{key} {key:?}"), "[key] [key]");
        let header = key.header("Bearer ", "X_KEY").unwrap();
        assert_eq!(header.to_str().unwrap(), "Bearer sk-secret-1");
        assert_eq!(format!("{header:?}"), "Sensitive");
    }

    #[test]
    fn a_key_is_taken_out_of_a_text() {
        let mut text = "no such key: sk-secret-1 (sk-secret-1)".to_owned();
        Key::new("sk-secret-1").redact(&mut text);
        assert_eq!(text, "no such key: [key] ([key])");
        Key::new("such").redact(&mut text);
        Key::new("").redact(&mut text);
        assert_eq!(text, "no such key: [key] ([key])");
    }

    #[test]
    fn a_key_with_a_line_break_is_refused_without_being_shown() {
        let fault = Key::new("sk-secret\n-1").header("", "X_KEY").unwrap_err();
        assert_eq!(fault.next.as_deref(), Some("check X_KEY"));
        assert!(!format!("{fault:?}").contains("secret\n"), "{fault:?}");
    }
}
