//! Ids of artifacts, such as `REQ-007`: read leniently, written one way.
//! Given text or a kind with its number; hands on the id. Deliberately absent: who gives the numbers
//! (`registering.rs`).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::ArtifactKind;

/// The id of an artifact, such as `REQ-007`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArtifactId {
    /// Its kind.
    pub kind: ArtifactKind,
    /// From 1, over all sessions of the project.
    pub number: u32,
}

impl fmt::Display for ArtifactId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:03}", self.kind, self.number)
    }
}

impl FromStr for ArtifactId {
    type Err = ();

    /// In any case, with or without leading zeros: `req-7` is `REQ-007`.
    fn from_str(text: &str) -> Result<Self, ()> {
        let (kind, number) = text.trim().split_once('-').ok_or(())?;
        if number.is_empty() || number.len() > 9 || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(());
        }
        let number = number.parse().ok().filter(|number| *number > 0).ok_or(())?;
        Ok(Self { kind: kind.to_ascii_uppercase().parse()?, number })
    }
}

impl Serialize for ArtifactId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ArtifactId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|()| serde::de::Error::custom(format!("`{text}` is not an artifact id")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_leniently_and_written_one_way() {
        for text in ["REQ-007", "req-7", " Req-07 "] {
            assert_eq!(text.parse::<ArtifactId>().map(|id| id.to_string()).as_deref(), Ok("REQ-007"), "{text}");
        }
        assert_eq!("ARCH-1234".parse::<ArtifactId>().unwrap().to_string(), "ARCH-1234");
        for text in ["", "REQ", "REQ-", "REQ-0", "REQ-x", "REQ--1", "FOO-001", "REQ-99999999999", "REQ-+1"] {
            assert!(text.parse::<ArtifactId>().is_err(), "{text}");
        }
    }
}
