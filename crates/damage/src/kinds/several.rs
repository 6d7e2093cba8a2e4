//! More than one answer in a reply, with a word which one counts.

use super::fence::fenced;
use super::{EITHER, Kind, RICH, another, kept, kind};
use crate::Form;
use crate::styles::{clean_yaml, either, json, json_line};
use crate::values;
use serde_json::{Map, Value, json as value};

/// A value of this form where every field is a placeholder.
pub(crate) fn template(form: Form) -> Value {
    let keys: &[&str] = if form == Form::Participant { &values::PARTICIPANT } else { &values::FACILITATOR };
    let lists =
        ["rationale", "concerns", "consensus", "conflicts", "resolved", "agenda_coverage", "context_challenges"];
    let field = |key: &&str| {
        let field = match *key {
            "confidence" => value!("<number between 0 and 1>"),
            "next_action" => value!("continue | phase | conclude | escalate"),
            key if lists.contains(&key) => value!(["<string>"]),
            _ => value!("<string>"),
        };
        ((*key).to_owned(), field)
    };
    Value::Object(keys.iter().map(field).collect::<Map<_, _>>())
}

pub(crate) const KINDS: &[Kind] = &[
    kind("draft_then_final", "several", "a draft, a change of mind, the final answer", EITHER, RICH, |v, r| {
        let draft = another(v, r);
        let (one, two) =
            r.pick(&[("Draft", "Final"), ("First attempt", "Final answer"), ("Draft answer", "Final version")]);
        let turn = r.pick(&["On reflection I change my answer.", "Thinking again:", "That misses the main point."]);
        let (draft, last) = (fenced("json", &json(&draft)), fenced("json", &json(v)));
        kept(v, format!("{one}:\n{draft}\n\n{turn}\n\n{two}:\n{last}"))
    }),
    kind("repeated_answer", "several", "the same answer twice", EITHER, RICH, |v, r| {
        let (text, gap) = (either(v, r), r.pick(&["\n\n---\n\n", "\n\n", "\n\nTo repeat:\n\n"]));
        kept(v, format!("{}{gap}{}", text.trim_end(), text.trim_end()))
    }),
    kind("repeated_in_two_styles", "several", "the same answer as JSON and as YAML", EITHER, RICH, |v, _| {
        let (one, two) = (fenced("json", &json(v)), fenced("yaml", &clean_yaml(v)));
        kept(v, format!("{one}\n\nOr, as YAML:\n\n{two}"))
    }),
    kind(
        "schema_echo_then_answer",
        "several",
        "the schema with placeholders, then the answer",
        EITHER,
        RICH,
        |v, r| {
            let schema = json(&template(values::form(v)));
            let (one, two) =
                r.pick(&[("Schema:", "Answer:"), ("Format:", "My reply:"), ("The expected shape is", "Filled in:")]);
            kept(v, format!("{one}\n{schema}\n\n{two}\n{}", json(v)))
        },
    ),
    kind("restart_after_fragment", "several", "a broken start, then the whole answer", EITHER, RICH, |v, r| {
        let whole = json_line(v);
        let cut: String = whole.chars().take(r.within(15, 45)).collect();
        kept(v, format!("{cut}\n\nSorry, let me start over.\n\n{}", fenced("json", &json(v))))
    }),
];
