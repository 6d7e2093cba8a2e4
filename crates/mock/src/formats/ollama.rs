//! Ollama: a JSON object per line; the last has `done`, its reason and the counts.
//! Given a speech; hands on its frames or its one message. A model that declines or is filtered has no field
//! of its own here: it says so in words. Deliberately absent: tools.

use serde_json::{Value, json};

use crate::speech::{End, Frames, Speech, framed, pieces, quoted};

/// A time of the past: nobody looks at it.
const CREATED: &str = "2026-01-01T00:00:00.000000Z";

pub(crate) fn stream(speech: &Speech<'_>) -> Frames {
    let mut frames = Frames::default();
    let thoughts = pieces(speech.thoughts, speech.piece_bytes);
    frames.body.extend(thoughts.map(line(speech, "\"content\":\"\",\"thinking\":")));
    frames.body.extend(pieces(text(speech), speech.piece_bytes).map(line(speech, "\"content\":")));
    frames.tail = format!("{}\n", last(speech, json!({ "role": "assistant", "content": "" }))).into_bytes();
    frames
}

pub(crate) fn whole(speech: &Speech<'_>) -> Value {
    let mut message = json!({ "role": "assistant", "content": text(speech) });
    if !speech.thoughts.is_empty() {
        message["thinking"] = json!(speech.thoughts);
    }
    last(speech, message)
}

/// A line that says nothing.
pub(crate) fn empty(speech: &Speech<'_>) -> Vec<u8> {
    line(speech, "\"content\":")("")
}

fn text<'a>(speech: &Speech<'a>) -> &'a str {
    match speech.end {
        End::Refusal | End::Filter => speech.refusal(),
        End::Done | End::Length => speech.text,
    }
}

/// A line, ready for any text.
fn line(speech: &Speech<'_>, field: &str) -> impl Fn(&str) -> Vec<u8> + use<> {
    let model = quoted(speech.model);
    let before =
        format!("{{\"model\":{model},\"created_at\":\"{CREATED}\",\"message\":{{\"role\":\"assistant\",{field}");
    move |text| framed(&before, text, "},\"done\":false}\n")
}

fn last(speech: &Speech<'_>, message: Value) -> Value {
    let mut last = json!({
        "model": speech.model,
        "created_at": CREATED,
        "message": message,
        "done": true,
        "done_reason": if speech.end == End::Length { "length" } else { "stop" },
        "total_duration": 2_000_000,
        "load_duration": 1_000_000,
        "prompt_eval_duration": 500_000,
        "eval_duration": 500_000,
    });
    if let Some(counts) =
        speech.usage(|speech| json!([speech.count(speech.tokens.input), speech.count(speech.tokens.output)]))
    {
        last["prompt_eval_count"] = counts[0].clone();
        last["eval_count"] = counts[1].clone();
    }
    last
}
