//! Replies that end too early, and envelopes that say that the model failed or was stopped: all must be refused.

use serde_json::{Value, json};

use super::envelope::{completion, inner, message, shown};
use super::{EITHER, Kind, LINES, RICH, kind, refused};
use crate::rng::Rng;
use crate::styles::bracketed::quoted;
use crate::styles::yaml::{Yaml, double, yaml};
use crate::styles::{clean_yaml, json as json_text, json_line};
use crate::{Form, tree, values};

/// The field without which the value is not whole, and which comes after the texts.
pub(crate) fn late_key(value: &Value) -> &'static str {
    if values::form(value) == Form::Participant { "confidence" } else { "next_action" }
}

/// A text without its last characters: cut inside its last third of words, never at its end.
pub(crate) fn part_of(text: &str, rng: &mut Rng) -> Option<String> {
    let letters: Vec<char> = text.chars().collect();
    (letters.len() > 6).then(|| letters[..rng.within(2, letters.len() - 2)].iter().collect())
}

/// The JSON cut inside the string of this text.
pub(crate) fn cut_in(json: &str, text: &str, rng: &mut Rng) -> Option<String> {
    let whole = quoted(text);
    let at = json.find(&whole)?;
    let part = part_of(text, rng)?;
    Some(format!("{}\"{}", &json[..at], quoted(&part).trim_matches('"')))
}

/// The last text of the value as its writer comes to it.
pub(crate) fn last_text(value: &Value) -> Option<String> {
    let mut last = None;
    tree::texts(value, |text| {
        last = Some(text.to_owned());
        String::new()
    });
    last
}

pub(crate) const KINDS: &[Kind] = &[
    kind("cut_json_in_main_text", "cut", "JSON that ends inside its first text", EITHER, RICH, |v, r| {
        refused(cut_in(&json_text(v), tree::text(v, super::json::main_key(v)), r)?)
    }),
    kind("cut_json_in_last_text", "cut", "JSON that ends inside its last text", EITHER, RICH, |v, r| {
        let text = if r.percent(50) { json_text(v) } else { json_line(v) };
        refused(cut_in(&text, &last_text(v)?, r)?)
    }),
    kind("cut_json_after_comma", "cut", "JSON that ends after a comma", EITHER, RICH, |v, r| {
        let text = json_text(v);
        let ends: Vec<usize> = text.match_indices(",\n").map(|(at, _)| at).collect();
        refused(&text[..=ends[r.below(ends.len())]])
    }),
    kind("cut_json_after_key", "cut", "JSON that ends after a key", EITHER, RICH, |v, r| {
        let text = json_text(v);
        let keys: Vec<usize> = text.match_indices("\": ").map(|(at, _)| at).collect();
        refused(&text[..keys[r.below(keys.len())] + r.within(1, 3)])
    }),
    kind("cut_json_in_fence", "cut", "a fence that ends inside its last text", EITHER, RICH, |v, r| {
        refused(format!("```json\n{}", cut_in(&json_text(v), &last_text(v)?, r)?))
    }),
    kind(
        "cut_json_in_closed_fence",
        "cut",
        "JSON cut inside a text, in a fence that is closed",
        EITHER,
        RICH,
        |v, r| refused(format!("```json\n{}\n```", cut_in(&json_text(v), &last_text(v)?, r)?)),
    ),
    kind("cut_yaml_before_required", "cut", "YAML that ends before a field it must have", EITHER, RICH, |v, r| {
        let text = clean_yaml(v);
        let at = text.find(&format!("\n{}:", late_key(v)))?;
        let letters: Vec<char> = text[..at].chars().collect();
        let keep = r.within(letters.len() / 3, letters.len().saturating_sub(1));
        let text: String = letters[..keep].iter().collect();
        refused(if r.percent(50) { format!("```yaml\n{text}") } else { text })
    }),
    kind("cut_yaml_in_quotes", "cut", "YAML that ends inside quotes", EITHER, RICH, |v, r| {
        let text = yaml(v, &Yaml { text: double, ..Yaml::CLEAN });
        refused(cut_in(&text, &last_text(v)?, r)?)
    }),
    kind("cut_inside_envelope", "cut", "a whole envelope around JSON that is cut", EITHER, RICH, |v, r| {
        let text = cut_in(&json_text(v), &last_text(v)?, r)?;
        refused(shown(&completion(json!({"role": "assistant", "content": text}), "stop"), r))
    }),
    kind("cut_envelope", "cut", "an envelope that is itself cut", EITHER, RICH, |v, r| {
        let text = json_text(v);
        let all = json!({"type": "result", "is_error": false, "result": text}).to_string();
        let letters: Vec<char> = all.chars().collect();
        refused(letters[..r.within(letters.len() / 2, letters.len() - 12)].iter().collect::<String>())
    }),
    kind("stopped_by_length", "stopped", "a completion whose finish reason is length", EITHER, LINES, |v, r| {
        let text = if r.percent(50) { inner(v, r) } else { cut_in(&json_text(v), &last_text(v)?, r)? };
        refused(shown(&completion(json!({"role": "assistant", "content": text}), "length"), r))
    }),
    kind("stopped_by_max_tokens", "stopped", "a message whose stop reason is max_tokens", EITHER, LINES, |v, r| {
        let text = inner(v, r);
        refused(shown(&message(json!([{"type": "text", "text": text}]), "max_tokens"), r))
    }),
    kind("error_envelope", "stopped", "an error of the provider", EITHER, RICH, |_, r| {
        let errors = [
            json!({"error": {"message": "Rate limit reached for requests", "type": "rate_limit_error", "code": "rate_limit_exceeded"}}),
            json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
            json!({"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}}),
            json!({"error": "model 'llama9' not found, try pulling it first"}),
        ];
        refused(shown(&errors[r.below(errors.len())], r))
    }),
    kind("cli_error_envelope", "stopped", "the result object of a CLI that failed", EITHER, RICH, |v, r| {
        let all = match r.below(2) {
            0 => json!({"type": "result", "subtype": "error_max_turns", "is_error": true, "num_turns": 8}),
            _ => {
                json!({"type": "result", "subtype": "success", "is_error": true, "result": format!("API Error: 529 {}", json_line(v))})
            }
        };
        refused(shown(&all, r))
    }),
    kind("refusal_envelope", "stopped", "a completion that holds a refusal", EITHER, RICH, |_, r| {
        let said = json!({"role": "assistant", "content": null, "refusal": "I can't help with that request."});
        refused(shown(&completion(said, "stop"), r))
    }),
];
