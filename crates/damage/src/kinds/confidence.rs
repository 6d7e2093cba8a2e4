//! Confidence and nothing, in the many ways they are said.

use serde_json::{Value, json};

use super::{EITHER, Kind, LINES, RICH, SEAT, kept, kind, patched, patched_raw};
use crate::rng::Rng;
use crate::{tree, values};

/// The confidence in percent.
pub(crate) fn percent(value: &Value) -> usize {
    let share = value.get("confidence").and_then(Value::as_f64).unwrap_or_default();
    format!("{:.0}", share * 100.0).parse().unwrap_or_default()
}

/// The value with a confidence of so many tenths.
pub(crate) fn tenths(value: &Value, rng: &mut Rng) -> (usize, Value) {
    let tenths = rng.within(1, 9);
    let share = f64::from(u32::try_from(tenths).unwrap_or(5)) / 10.0;
    (tenths, tree::set(value, "confidence", json!(share)))
}

/// The optional texts of the value's form.
pub(crate) fn optional(value: &Value) -> &'static [&'static str] {
    if values::form(value) == crate::Form::Participant {
        &["context_challenge"]
    } else {
        &["next_focus", "escalation_reason"]
    }
}

pub(crate) const KINDS: &[Kind] = &[
    kind("confidence_percent", "confidence", "`80%`", SEAT, RICH, |v, r| {
        let word = format!("{}{}", percent(v), r.pick(&["%", " %"]));
        kept(v, patched(v, "confidence", &word, r))
    }),
    kind("confidence_percent_word", "confidence", "`80 percent`", SEAT, RICH, |v, r| {
        let word = format!("{} {}", percent(v), r.pick(&["percent", "per cent", "Percent"]));
        kept(v, patched(v, "confidence", &word, r))
    }),
    kind("confidence_of_hundred", "confidence", "`80` of a hundred", SEAT, RICH, |v, r| {
        let word = percent(v).max(15);
        let v = &tree::set(v, "confidence", json!(f64::from(u32::try_from(word).unwrap_or(50)) / 100.0));
        kept(v, patched_raw(v, "confidence", &word.to_string(), &word.to_string(), r))
    }),
    kind("confidence_string", "confidence", "the number between quotes", SEAT, RICH, |v, r| {
        let word = format!("\"{}\"", v.get("confidence")?);
        kept(v, patched_raw(v, "confidence", &word, &word, r))
    }),
    kind("confidence_decimal_comma", "confidence", "`0,8`", SEAT, RICH, |v, r| {
        let word = v.get("confidence")?.to_string().replace('.', ",");
        kept(v, patched(v, "confidence", &word, r))
    }),
    kind("confidence_of_ten", "confidence", "`8/10`", SEAT, RICH, |v, r| {
        let (tenths, v) = tenths(v, r);
        let frame = r.pick(&["{}/10", "{} out of 10", "{} / 10", "{} of 10"]);
        kept(&v, patched(&v, "confidence", &frame.replace("{}", &tenths.to_string()), r))
    }),
    kind("confidence_word_policy", "confidence", "a word of the documented scale", SEAT, RICH, |v, r| {
        let (word, share) =
            r.pick(&[("low", 0.2), ("medium", 0.5), ("moderate", 0.5), ("high", 0.8), ("very high", 0.95)]);
        let v = &tree::set(v, "confidence", json!(share));
        let word = match r.below(3) {
            0 => word.to_owned(),
            1 => word.to_uppercase(),
            _ => word[..1].to_uppercase() + &word[1..],
        };
        kept(v, patched(v, "confidence", &word, r))
    }),
    kind("confidence_with_word", "confidence", "`0.8 (high)`", SEAT, RICH, |v, r| {
        let number = v.get("confidence")?;
        let why = r.pick(&["(high)", "(moderate)", "- fairly sure", "(could rise with a test)", "— my best estimate"]);
        kept(v, patched(v, "confidence", &format!("{number} {why}"), r))
    }),
    kind("confidence_about", "confidence", "`~0.8`", SEAT, RICH, |v, r| {
        let mark = r.pick(&["~", "≈", "≈ ", "about ", "approx. "]);
        kept(v, patched(v, "confidence", &format!("{mark}{}", v.get("confidence")?), r))
    }),
    kind("confidence_of_one", "confidence", "`0.8/1`", SEAT, RICH, |v, r| {
        let frame = r.pick(&["{}/1", "{}/1.0", "{} out of 1", "{} / 1.0"]);
        kept(v, patched(v, "confidence", &frame.replace("{}", &v.get("confidence")?.to_string()), r))
    }),
    kind("confidence_object", "confidence", "an object with the number in it", SEAT, LINES, |v, r| {
        let key = r.pick(&["value", "score", "level"]);
        let text = crate::styles::either(&tree::set(v, "confidence", json!({key: v.get("confidence")?})), r);
        kept(v, text)
    }),
    kind("confidence_bold", "confidence", "the number in bold or code", SEAT, RICH, |v, r| {
        let frame = r.pick(&["**{}**", "`{}`"]).replace("{}", &v.get("confidence")?.to_string());
        kept(v, patched_raw(v, "confidence", &format!("\"{frame}\""), &format!("\"{frame}\""), r))
    }),
    kind("confidence_ends", "confidence", "exactly nothing or exactly all", SEAT, RICH, |v, r| {
        let (word, share) = r.pick(&[("1", 1.0), ("1.0", 1.0), ("0", 0.0), ("0.0", 0.0)]);
        let v = &tree::set(v, "confidence", json!(share));
        kept(v, patched_raw(v, "confidence", word, word, r))
    }),
    kind("null_words", "nothing", "a word for nothing in an optional text", EITHER, LINES, |v, r| {
        let key = r.pick(optional(v));
        let word = r.pick(&["None", "N/A", "n/a", "none", "null", "~", "\"\"", "-", "nil", "NULL"]);
        let v = &tree::set(v, key, Value::Null);
        let text = patched_raw(v, key, &format!("\"{}\"", word.trim_matches('"')), word, r);
        kept(v, text)
    }),
    kind("null_word_for_list", "nothing", "a word for nothing in place of a list", EITHER, RICH, |v, r| {
        let key = if values::form(v) == crate::Form::Participant { "concerns" } else { "context_challenges" };
        let v = &tree::set(v, key, json!([]));
        kept(v, patched(v, key, r.pick(&["None", "N/A", "none", "n/a"]), r))
    }),
    kind("null_for_list", "nothing", "null in place of a list", EITHER, LINES, |v, r| {
        let key = if values::form(v) == crate::Form::Participant { "concerns" } else { "resolved" };
        let v = &tree::set(v, key, json!([]));
        kept(v, patched_raw(v, key, "null", r.pick(&["null", "~", ""]), r))
    }),
    kind("optional_left_out", "nothing", "every optional key is left out", EITHER, LINES, |v, r| {
        let keys =
            ["context_challenge", "next_focus", "escalation_reason", "context_challenges", "concerns", "resolved"];
        let short = keys.iter().fold(v.clone(), |v, key| tree::without(&v, key));
        kept(&short, crate::styles::either(&short, r))
    }),
];
