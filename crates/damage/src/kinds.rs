//! The damage kinds that are shown: given a value and chance, a reply as a model writes it, with its truth.

pub(crate) mod chars;
pub(crate) mod confidence;
pub(crate) mod cut;
pub(crate) mod envelope;
pub(crate) mod fence;
pub(crate) mod gutter;
pub(crate) mod json;
pub(crate) mod keys;
pub(crate) mod languages;
pub(crate) mod lists;
pub(crate) mod markdown;
pub(crate) mod more_envelope;
pub(crate) mod more_fields;
pub(crate) mod more_form;
pub(crate) mod more_markdown;
pub(crate) mod more_refuse;
pub(crate) mod more_wrap;
pub(crate) mod more_yaml;
pub(crate) mod refuse;
pub(crate) mod second_envelope;
mod second_fields;
mod second_form;
mod second_markdown;
mod second_refuse;
mod second_wrap;
mod second_yaml;
mod several;
pub(crate) mod wrap;
pub(crate) mod yaml;

use serde_json::Value;

use crate::rng::Rng;
use crate::words::Texts;
use crate::{Truth, held_out, styles, tree, values};

/// Which form a kind is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// Both forms.
    Either,
    /// Only a seat's answer.
    Participant,
    /// Only the facilitator's summing up.
    Facilitator,
}

/// A reply with its truth; none when this value cannot be damaged so.
pub type Made = Option<(String, Truth)>;

/// One kind of damage.
pub struct Kind {
    /// Its name; `_policy` at the end says that the right outcome is debatable.
    pub name: &'static str,
    /// Its family.
    pub family: &'static str,
    /// What it does.
    pub does: &'static str,
    /// Which form it is for.
    pub whose: Whose,
    /// What the texts of the value may hold.
    pub texts: Texts,
    /// Writes the damaged reply.
    pub make: fn(&Value, &mut Rng) -> Made,
}

pub(crate) const EITHER: Whose = Whose::Either;
pub(crate) const SEAT: Whose = Whose::Participant;
pub(crate) const CHAIR: Whose = Whose::Facilitator;
pub(crate) const PLAIN: Texts = Texts::Plain;
pub(crate) const RICH: Texts = Texts::Rich;
pub(crate) const LINES: Texts = Texts::Lines;

/// A kind, on few lines.
pub(crate) const fn kind(
    name: &'static str,
    family: &'static str,
    does: &'static str,
    whose: Whose,
    texts: Texts,
    make: fn(&Value, &mut Rng) -> Made,
) -> Kind {
    Kind { name, family, does, whose, texts, make }
}

/// The reply carries this value.
pub(crate) fn kept(value: &Value, text: impl Into<String>) -> Made {
    Some((text.into(), Truth::Value(value.clone())))
}

/// The reply must be refused.
pub(crate) fn refused(text: impl Into<String>) -> Made {
    Some((text.into(), Truth::MustRefuse))
}

/// Another value of the same form.
pub(crate) fn another(value: &Value, rng: &mut Rng) -> Value {
    values::value(rng, values::form(value), Texts::Rich)
}

/// Some only if no text of the value holds one of these characters.
pub(crate) fn free_of(value: &Value, characters: &str) -> Option<()> {
    let mut free = true;
    tree::texts(value, |text| {
        free &= !text.contains(|c| characters.contains(c));
        String::new()
    });
    free.then_some(())
}

/// JSON or YAML, where one field is written as `raw`: quoted in JSON, as it stands in YAML.
pub(crate) fn patched(value: &Value, key: &str, raw: &str, rng: &mut Rng) -> String {
    let marked = tree::set(value, key, "PATCHED");
    if rng.percent(50) {
        styles::json(&marked).replace("\"PATCHED\"", &styles::bracketed::quoted(raw))
    } else {
        styles::clean_yaml(&marked).replace(": PATCHED", &format!(": {raw}"))
    }
}

/// JSON or YAML, where one field is written as it stands here.
pub(crate) fn patched_raw(value: &Value, key: &str, json: &str, yaml: &str, rng: &mut Rng) -> String {
    let marked = tree::set(value, key, "PATCHED");
    if rng.percent(50) {
        styles::json(&marked).replace("\"PATCHED\"", json)
    } else {
        styles::clean_yaml(&marked).replace(": PATCHED", &format!(": {yaml}"))
    }
}

/// The kinds that are shown to who writes the reader.
pub fn shown() -> Vec<&'static Kind> {
    let all = [
        wrap::KINDS,
        fence::KINDS,
        several::KINDS,
        envelope::KINDS,
        gutter::KINDS,
        chars::KINDS,
        json::KINDS,
        languages::KINDS,
        yaml::KINDS,
        markdown::KINDS,
        keys::KINDS,
        confidence::KINDS,
        lists::KINDS,
        refuse::KINDS,
        cut::KINDS,
        more_refuse::KINDS,
        more_fields::KINDS,
        more_markdown::KINDS,
        more_yaml::KINDS,
        more_form::KINDS,
        more_envelope::KINDS,
        more_wrap::KINDS,
        second_wrap::KINDS,
        second_envelope::KINDS,
        second_form::KINDS,
        second_yaml::KINDS,
        second_markdown::KINDS,
        second_fields::KINDS,
        second_refuse::KINDS,
    ];
    all.into_iter().flatten().collect()
}

/// The kinds that are held out from who writes the reader: run them, do not read them.
pub fn held_out() -> Vec<&'static Kind> {
    held_out::kinds()
}
