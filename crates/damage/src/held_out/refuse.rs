//! Held out: replies that carry no whole, lawful value and must be refused.

use serde_json::{Value, json};

use crate::kinds::{CHAIR, EITHER, Kind, Made, PLAIN, SEAT, kind, patched, refused};
use crate::rng::Rng;
use crate::styles::{either, json};
use crate::words::Texts;
use crate::{Form, tree, values};

pub(crate) const KINDS: &[Kind] = &[
    kind("u_service_error", "refuse", "an error of the service or its tool", EITHER, PLAIN, service_error),
    kind("u_other_form", "refuse", "the other form's reply", EITHER, PLAIN, other_form),
    kind("u_confidence_beyond", "refuse", "a confidence outside every scale", SEAT, PLAIN, confidence_beyond),
    kind("u_confidence_span", "refuse", "two numbers as confidence", SEAT, PLAIN, confidence_span),
    kind("u_next_action_unknown", "refuse", "a next action outside the set", CHAIR, PLAIN, next_action_unknown),
    kind("u_stopped_by_length", "refuse", "an envelope that says the limit was reached", EITHER, PLAIN, stopped),
    kind("u_unfilled_template", "refuse", "every text a placeholder", EITHER, PLAIN, unfilled_template),
    kind("u_thoughts_never_end", "refuse", "thoughts open and never close", EITHER, PLAIN, thoughts_never_end),
];

fn service_error(_: &Value, rng: &mut Rng) -> Made {
    let overloaded = json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    let quota =
        json!({"error": {"code": 429, "message": "Resource has been exhausted", "status": "RESOURCE_EXHAUSTED"}});
    let turns =
        json!({"type": "result", "subtype": "error_max_turns", "is_error": true, "num_turns": 12, "result": ""});
    refused(match rng.below(5) {
        0 => overloaded.to_string(),
        1 => json(&quota),
        2 => turns.to_string(),
        3 => format!("API Error: 529 {overloaded}"),
        _ => "Error: request timed out after 120000 ms\n    at fetch (index.js:41:13)".to_owned(),
    })
}

fn other_form(value: &Value, rng: &mut Rng) -> Made {
    let other = if values::form(value) == Form::Participant { Form::Facilitator } else { Form::Participant };
    let other = values::value(rng, other, Texts::Plain);
    refused(either(&other, rng))
}

fn confidence_beyond(value: &Value, rng: &mut Rng) -> Made {
    let raw = rng.pick(&["1.35", "1.8", "-0.2", "-0.75", "130", "250", "150%", "-40%", "12/10", "120/100"]);
    match raw.parse::<f64>() {
        Ok(number) => refused(either(&tree::set(value, "confidence", number), rng)),
        Err(_) => refused(patched(value, "confidence", raw, rng)),
    }
}

fn confidence_span(value: &Value, rng: &mut Rng) -> Made {
    let raw = rng.pick(&["0.6-0.8", "0.5 to 0.7", "60-80%", "between 0.4 and 0.6", "0.6 or 0.9", "0.55–0.75"]);
    refused(patched(value, "confidence", raw, rng))
}

fn next_action_unknown(value: &Value, rng: &mut Rng) -> Made {
    let word = rng.pick(&["vote", "unknown", "archive", "tbd", "brainstorm", "other"]);
    refused(either(&tree::set(value, "next_action", word), rng))
}

fn stopped(value: &Value, rng: &mut Rng) -> Made {
    let whole = json(value);
    let share = rng.within(35, 85);
    let cut: String = whole.chars().take(whole.chars().count() * share / 100).collect();
    let envelope = if rng.percent(50) {
        let message = json!({"role": "assistant", "content": cut});
        json!({"object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": "length"}]})
    } else {
        json!({"type": "message", "role": "assistant", "content": [{"type": "text", "text": cut}], "stop_reason": "max_tokens"})
    };
    refused(envelope.to_string())
}

fn unfilled_template(value: &Value, rng: &mut Rng) -> Made {
    let filler = rng.pick(&["...", "…", "string", "[your text here]", "<your answer>"]);
    let blank = tree::texts(value, |_| filler.to_owned());
    refused(either(&blank, rng))
}

fn thoughts_never_end(value: &Value, rng: &mut Rng) -> Made {
    let tag = rng.pick(&["think", "thinking"]);
    let idea = values::remark(rng);
    let (main, list) = match values::form(value) {
        Form::Participant => ("position", "rationale"),
        Form::Facilitator => ("synthesis", "consensus"),
    };
    let start = format!("<{tag}>\nOkay, I need the fixed keys. {idea}, which matters here.");
    let end = "Wait, that ignores what the others said in the last round. Let me look at";
    let words = tree::text(value, main);
    refused(if rng.percent(50) {
        format!("{start}\n\nFor the {main} I could say that {words}. For the {list} two points would do.\n\n{end}")
    } else {
        format!("{start}\n\nA first try:\n{main}: {words}\n\n{end}")
    })
}
