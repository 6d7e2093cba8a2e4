//! Small shapes that all formats share, and that take what servers really send: null for an empty text, a string for
//! a number, a list of one. Given JSON; hands on borrowed text and counts. Deliberately absent: any format's names.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// A text, borrowed where it holds no escapes. Anything but a text reads as an empty one.
#[derive(Debug, Default)]
pub(super) struct Text<'a>(Cow<'a, str>);

impl Text<'_> {
    /// As a text of its own, unless it is empty.
    pub(super) fn kept(&self) -> Option<String> {
        (!self.is_empty()).then(|| self.0.clone().into_owned())
    }
}

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyText)
    }
}

struct AnyText;

impl<'de> Visitor<'de> for AnyText {
    type Value = Text<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Text(Cow::Owned(text.to_owned())))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Text::default())
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Text::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Text::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(Text::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Text::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Text::default())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Text::default())
    }
}

/// A count of tokens: none unless it is a whole number that is not negative.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Count(pub(super) Option<u64>);

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        let whole = |number: f64| (number >= 0.0 && number.fract() == 0.0 && number < 1e15).then_some(number as u64);
        Ok(Self(value.as_u64().or_else(|| value.as_f64().and_then(whole))))
    }
}

/// A cost: none unless it is a number.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cost(pub(super) Option<f64>);

impl<'de> Deserialize<'de> for Cost {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(serde_json::Value::deserialize(deserializer)?.as_f64()))
    }
}

/// The first of a list, or nothing where there is no list.
#[derive(Debug)]
pub(super) struct First<T>(pub(super) Option<T>);

impl<T> Default for First<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for First<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FirstOf(PhantomData))
    }
}

struct FirstOf<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for FirstOf<T> {
    type Value = First<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(First(None))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let first = list.next_element()?;
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(First(first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anything_but_a_text_is_an_empty_one() {
        for (json, expected) in [
            ("\"a\\nb\"", "a\nb"),
            ("\"ab\"", "ab"),
            ("null", ""),
            ("7", ""),
            ("-1.5", ""),
            ("[1,[2]]", ""),
            ("{\"a\":{}}", ""),
            ("true", ""),
        ] {
            assert_eq!(&*serde_json::from_str::<Text<'_>>(json).unwrap(), expected, "{json}");
        }
    }

    #[test]
    fn a_count_that_makes_no_sense_is_none() {
        for (json, expected) in [
            ("7", Some(7)),
            ("7.0", Some(7)),
            ("-7", None),
            ("7.5", None),
            ("\"7\"", None),
            ("null", None),
            ("1e300", None),
            ("99999999999999999999999999", None),
            ("{}", None),
            ("[7]", None),
        ] {
            assert_eq!(serde_json::from_str::<Count>(json).unwrap().0, expected, "{json}");
        }
    }

    #[test]
    fn the_first_of_a_list_is_enough() {
        assert_eq!(serde_json::from_str::<First<u8>>("[1,\"x\",{}]").unwrap().0, Some(1));
        assert_eq!(serde_json::from_str::<First<u8>>("[]").unwrap().0, None);
        assert_eq!(serde_json::from_str::<First<u8>>("null").unwrap().0, None);
    }
}
