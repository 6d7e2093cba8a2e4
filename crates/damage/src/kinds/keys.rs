//! Keys in another spelling, and words of a closed set in another dress.

use super::{CHAIR, EITHER, Kind, LINES, RICH, kept, kind, patched};
use crate::rng::Rng;
use crate::styles::either;
use crate::styles::markdown::title;
use crate::styles::yaml::{Yaml, yaml};
use crate::tree;

/// `context_challenge` as `contextChallenge`.
pub(crate) fn camel(key: &str) -> String {
    let joined = title(key).replace(' ', "");
    let mut letters = joined.chars();
    letters.next().map(|first| first.to_lowercase().collect::<String>() + letters.as_str()).unwrap_or_default()
}

/// Another word for a key, where there is one that nobody would take for something else.
pub(crate) fn synonym(key: &str, rng: &mut Rng) -> String {
    let words: &[&str] = match key {
        "position" => &["stance", "my_position", "viewpoint"],
        "rationale" => &["reasoning", "reasons", "justification", "arguments"],
        "confidence" => &["confidence_level", "confidence_score", "certainty"],
        "concerns" => &["risks", "worries", "concern"],
        "synthesis" => &["summary"],
        "consensus" => &["agreements", "consensus_points", "agreed"],
        "conflicts" => &["disagreements", "open_conflicts"],
        "resolved" => &["resolved_conflicts", "resolutions"],
        "next_action" => &["next_step", "proposed_action"],
        "recommendation" => &["recommended"],
        _ => &[],
    };
    if words.is_empty() { key.to_owned() } else { rng.pick(words).to_owned() }
}

fn next(value: &serde_json::Value) -> &str {
    tree::text(value, "next_action")
}

fn synonym_of_action(word: &str, rng: &mut Rng) -> Option<&'static str> {
    let words: &[&'static str] = match word {
        "continue" => &["proceed", "keep going", "another_round", "continue_discussion", "next round"],
        "phase" => &["next_phase", "advance_phase", "advance to the next phase", "phase_change"],
        "conclude" => &["finish", "wrap_up", "end", "close", "conclude_session", "done"],
        "escalate" => &["escalate_to_human", "escalation", "escalate to the user"],
        _ => return None,
    };
    Some(rng.pick(words))
}

pub(crate) const KINDS: &[Kind] = &[
    kind("keys_title_case", "keys", "`Context Challenge`", EITHER, LINES, |v, r| {
        kept(v, either(&tree::keys(v, title), r))
    }),
    kind("keys_camel_case", "keys", "`contextChallenge`", EITHER, LINES, |v, r| {
        kept(v, either(&tree::keys(v, camel), r))
    }),
    kind("keys_upper_case", "keys", "`CONTEXT_CHALLENGE`", EITHER, LINES, |v, r| {
        kept(v, either(&tree::keys(v, str::to_uppercase), r))
    }),
    kind("keys_kebab_case", "keys", "`context-challenge`, lower or upper", EITHER, LINES, |v, r| {
        let upper = r.percent(50);
        let change = |key: &str| if upper { key.to_uppercase().replace('_', "-") } else { key.replace('_', "-") };
        kept(v, either(&tree::keys(v, change), r))
    }),
    kind("keys_bold_in_yaml", "keys", "YAML with bold keys", EITHER, RICH, |v, _| {
        kept(v, yaml(&tree::top_keys(v, |key| format!("**{key}**")), &Yaml::CLEAN))
    }),
    kind("keys_synonyms", "keys", "another word for some keys", EITHER, LINES, |v, r| {
        let renamed = tree::top_keys(v, |key| if r.percent(50) { synonym(key, r) } else { key.to_owned() });
        kept(v, either(&renamed, r))
    }),
    kind("keys_with_type", "keys", "the type in brackets after the key, as the format had it", EITHER, RICH, |v, r| {
        let change = |key: &str| match key {
            "confidence" => format!("{key} (0-1)"),
            "rationale" | "concerns" | "consensus" => format!("{key} (list)"),
            _ => key.to_owned(),
        };
        kept(v, either(&tree::top_keys(v, change), r))
    }),
    kind("keys_other_order", "keys", "the fields in another order", EITHER, LINES, |v, r| {
        let mut fields: Vec<_> = tree::fields(v).into_iter().collect();
        r.shuffle(&mut fields);
        kept(v, either(&serde_json::Value::Object(fields.into_iter().collect()), r))
    }),
    kind("action_case", "enum", "the next action in capitals or as a title", CHAIR, RICH, |v, r| {
        let word = if r.percent(50) { next(v).to_uppercase() } else { title(next(v)) };
        kept(v, patched(v, "next_action", &word, r))
    }),
    kind(
        "action_decorated",
        "enum",
        "the next action in bold, code, brackets or with a full stop",
        CHAIR,
        RICH,
        |v, r| {
            let frame = r.pick(&["\"**{}**\"", "\"`{}`\"", "{}.", "\"[{}]\"", "{} - see above", "\"'{}'\"", "{}!"]);
            let word = frame.replace("{}", next(v));
            let bare = word.trim_matches('"').to_owned();
            let text = patched(v, "next_action", &word, r);
            kept(v, text.replace(&crate::styles::bracketed::quoted(&word), &crate::styles::bracketed::quoted(&bare)))
        },
    ),
    kind("action_synonym_policy", "enum", "another word for the next action", CHAIR, RICH, |v, r| {
        let word = synonym_of_action(next(v), r)?;
        kept(v, patched(v, "next_action", word, r))
    }),
    kind("action_with_reason", "enum", "the next action and why, in brackets or after a dash", CHAIR, RICH, |v, r| {
        let why =
            r.pick(&["(all topics are covered)", "— two seats asked for it", "(see the open points)", "- as agreed"]);
        kept(v, patched(v, "next_action", &format!("{} {why}", next(v)), r))
    }),
];
