//! Held out: confidence, keys, words of a set and lists that are written in another way than asked.

use serde_json::{Value, json};

use crate::kinds::{CHAIR, EITHER, Kind, Made, PLAIN, RICH, SEAT, kept, kind, patched, patched_raw};
use crate::rng::Rng;
use crate::styles::either;
use crate::{Form, tree, values};

pub(crate) const KINDS: &[Kind] = &[
    kind("u_confidence_percent", "fields", "confidence in percent", SEAT, RICH, confidence_percent),
    kind("u_confidence_and_word", "fields", "confidence as a number with a word", SEAT, RICH, confidence_and_word),
    kind("u_confidence_of_hundred", "fields", "confidence out of a hundred", SEAT, RICH, confidence_of_hundred),
    kind("u_camel_keys", "fields", "keys in camel case", EITHER, RICH, camel_keys),
    kind("u_misspelt_key", "fields", "one key with a letter wrong", EITHER, RICH, misspelt_key),
    kind("u_enum_with_reason", "fields", "a word of a set with its reason behind it", CHAIR, RICH, enum_with_reason),
    kind("u_bullets_in_string", "fields", "a list as bullets in one text", EITHER, PLAIN, bullets_in_string),
    kind("u_items_as_objects", "fields", "items as objects of one key", EITHER, RICH, items_as_objects),
    kind("u_list_encoded", "fields", "a list as JSON in a text", EITHER, RICH, list_encoded),
    kind("u_none_as_word", "fields", "a word for nothing", EITHER, RICH, none_as_word),
    kind("u_further_keys", "fields", "keys that nobody asked for", EITHER, RICH, further_keys),
];

fn confidence(value: &Value) -> Option<f64> {
    value.get("confidence").and_then(Value::as_f64)
}

fn list_key(value: &Value) -> &'static str {
    if values::form(value) == Form::Participant { "rationale" } else { "consensus" }
}

fn confidence_percent(value: &Value, rng: &mut Rng) -> Made {
    let hundred = confidence(value)? * 100.0;
    let raw = if rng.percent(80) { format!("{hundred:.0}%") } else { format!("{hundred:.0} %") };
    let text = if rng.percent(60) {
        patched(value, "confidence", &raw, rng)
    } else {
        patched_raw(value, "confidence", &raw, &raw, rng)
    };
    kept(value, text)
}

fn confidence_and_word(value: &Value, rng: &mut Rng) -> Made {
    let number = confidence(value)?;
    let word = match number {
        high if high >= 0.75 => "high",
        middle if middle >= 0.45 => "medium",
        _ => "low",
    };
    let raw = match rng.below(3) {
        0 => format!("{number} ({word})"),
        1 => format!("{number} - {word}"),
        _ => format!("{word} ({number})"),
    };
    kept(value, patched(value, "confidence", &raw, rng))
}

fn confidence_of_hundred(value: &Value, rng: &mut Rng) -> Made {
    let hundred = confidence(value)? * 100.0;
    let raw = if rng.percent(65) { format!("{hundred:.0}/100") } else { format!("{hundred:.0} out of 100") };
    kept(value, patched(value, "confidence", &raw, rng))
}

fn camel(key: &str) -> String {
    let mut words = key.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let mut letters = word.chars();
        let start = letters.next().map(|letter| letter.to_uppercase().collect::<String>()).unwrap_or_default();
        name + &start + letters.as_str()
    })
}

fn camel_keys(value: &Value, rng: &mut Rng) -> Made {
    let changed = tree::keys(value, camel);
    if changed == *value { None } else { kept(value, either(&changed, rng)) }
}

fn misspelt_key(value: &Value, rng: &mut Rng) -> Made {
    let (right, wrong) = match values::form(value) {
        Form::Participant => rng.pick(&[
            ("position", "postion"),
            ("rationale", "rationalle"),
            ("confidence", "confidance"),
            ("concerns", "concers"),
            ("context_challenge", "context_chalenge"),
        ]),
        Form::Facilitator => rng.pick(&[
            ("synthesis", "sythesis"),
            ("consensus", "concensus"),
            ("recommendation", "recomendation"),
            ("next_action", "next_acton"),
            ("agenda_coverage", "agenda_covrage"),
        ]),
    };
    value.get(right)?;
    let changed = tree::top_keys(value, |key| if key == right { wrong.to_owned() } else { key.to_owned() });
    kept(value, either(&changed, rng))
}

fn enum_with_reason(value: &Value, rng: &mut Rng) -> Made {
    let next = tree::text(value, "next_action").to_owned();
    let reason = match next.as_str() {
        "continue" => "two conflicts are still open",
        "phase" => "this part of the agenda is done",
        "conclude" => "every topic is covered",
        _ => "only the owner can decide this",
    };
    let raw = match rng.below(3) {
        0 => format!("{next} - {reason}"),
        1 => format!("{next} ({reason})"),
        _ => format!("{next} — {reason}"),
    };
    kept(value, patched(value, "next_action", &raw, rng))
}

fn bullets_in_string(value: &Value, rng: &mut Rng) -> Made {
    let key = list_key(value);
    let items = tree::items(value, key);
    if items.len() < 2 {
        return None;
    }
    let bullet = rng.pick(&["- ", "- ", "* ", "• ", ""]);
    let line = |(at, item): (usize, &String)| match bullet {
        "" => format!("{}. {item}", at + 1),
        bullet => format!("{bullet}{item}"),
    };
    let text = items.iter().enumerate().map(line).collect::<Vec<_>>().join("\n");
    kept(value, either(&tree::set(value, key, text), rng))
}

fn items_as_objects(value: &Value, rng: &mut Rng) -> Made {
    let key = list_key(value);
    let name = rng.pick(&["point", "text", "item", "statement"]);
    let items: Vec<Value> = tree::items(value, key).into_iter().map(|item| json!({name: item})).collect();
    kept(value, either(&tree::set(value, key, items), rng))
}

fn list_encoded(value: &Value, rng: &mut Rng) -> Made {
    let key = list_key(value);
    let encoded = json!(tree::items(value, key)).to_string();
    kept(value, either(&tree::set(value, key, encoded), rng))
}

fn none_as_word(value: &Value, rng: &mut Rng) -> Made {
    let word = rng.pick(&["None", "none", "N/A", "n/a"]);
    let mut changed = value.clone();
    for key in ["concerns", "context_challenge", "next_focus", "escalation_reason", "context_challenges"] {
        let nothing = |field: &Value| field.is_null() || field.as_array().is_some_and(Vec::is_empty);
        if value.get(key).is_some_and(nothing) {
            changed = tree::set(&changed, key, word);
        }
    }
    if changed == *value { None } else { kept(value, either(&changed, rng)) }
}

fn further_keys(value: &Value, rng: &mut Rng) -> Made {
    let mut extra = vec![
        ("participant", json!(rng.pick(&values::SEATS))),
        ("round", json!(rng.within(1, 4))),
        ("timestamp", json!("2025-11-14T09:30:00Z")),
        ("tags", json!(["storage", "cost"])),
        ("meta", json!({"model": "local", "tokens": rng.within(200, 900)})),
        ("word_count", json!(rng.within(40, 200))),
    ];
    rng.shuffle(&mut extra);
    let count = rng.within(1, 3);
    let mut fields: Vec<(String, Value)> = tree::fields(value).into_iter().collect();
    for (key, field) in extra.into_iter().take(count) {
        let at = rng.below(fields.len() + 1);
        fields.insert(at, (key.to_owned(), field));
    }
    kept(value, either(&Value::Object(fields.into_iter().collect()), rng))
}
