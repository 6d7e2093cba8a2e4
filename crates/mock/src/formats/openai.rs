//! OpenAI chat completions: chunks without names, a chunk with usage if asked for, then `[DONE]`.
//! Given a speech; hands on its frames or its one completion. Thoughts come as `reasoning_content`, the way
//! compatible servers send them. Deliberately absent: tools, more than one choice.

use serde_json::{Value, json};

use super::data;
use crate::speech::{End, Frames, Speech, pieces, quoted, set};

pub(crate) fn stream(speech: &Speech<'_>) -> Frames {
    let null = if speech.include_usage { ",\"usage\":null" } else { "" };
    let before = format!(
        "data: {{\"id\":\"{}\",\"object\":\"chat.completion.chunk\",\"created\":{},\"model\":{},\
         \"service_tier\":\"default\",\"system_fingerprint\":\"fp_mock\",\"choices\":[{{\"index\":0,\"delta\":",
        id(speech),
        speech.now,
        quoted(speech.model)
    );
    let chunk = |delta: &str, finish: &str| {
        format!("{before}{delta},\"logprobs\":null,\"finish_reason\":{finish}}}]{null}}}\n\n").into_bytes()
    };
    let piece = |field: &str, text: &str| chunk(&format!("{{\"{field}\":{}}}", quoted(text)), "null");

    let mut frames =
        Frames { head: chunk(r#"{"role":"assistant","content":"","refusal":null}"#, "null"), ..Frames::default() };
    frames.body.extend(pieces(speech.thoughts, speech.piece_bytes).map(|text| piece("reasoning_content", text)));
    match speech.end {
        End::Refusal => frames.body.push(piece("refusal", speech.refusal())),
        _ => frames.body.extend(pieces(speech.text, speech.piece_bytes).map(|text| piece("content", text))),
    }
    frames.tail = chunk("{}", &quoted(finish_reason(speech.end)));
    if let Some(usage) = speech.usage(usage).filter(|_| speech.include_usage) {
        let mut last = completion(speech, "chat.completion.chunk", json!([]));
        last["usage"] = usage;
        frames.tail.extend(data(&last));
    }
    frames.tail.extend_from_slice(b"data: [DONE]\n\n");
    frames
}

pub(crate) fn whole(speech: &Speech<'_>) -> Value {
    let mut message = json!({ "role": "assistant", "content": speech.text, "refusal": null, "annotations": [] });
    if speech.end == End::Refusal {
        message["content"] = Value::Null;
        message["refusal"] = json!(speech.refusal());
    }
    if !speech.thoughts.is_empty() {
        message["reasoning_content"] = json!(speech.thoughts);
    }
    let finish = finish_reason(speech.end);
    let choices = json!([{ "index": 0, "message": message, "logprobs": null, "finish_reason": finish }]);
    let mut completion = completion(speech, "chat.completion", choices);
    set(&mut completion, "usage", speech.usage(usage));
    completion
}

fn completion(speech: &Speech<'_>, object: &str, choices: Value) -> Value {
    json!({
        "id": id(speech),
        "object": object,
        "created": speech.now,
        "model": speech.model,
        "service_tier": "default",
        "system_fingerprint": "fp_mock",
        "choices": choices,
    })
}

fn usage(speech: &Speech<'_>) -> Value {
    let tokens = &speech.tokens;
    json!({
        "prompt_tokens": speech.count(tokens.input),
        "completion_tokens": speech.count(tokens.output),
        "total_tokens": speech.count(tokens.input + tokens.output),
        "prompt_tokens_details": { "cached_tokens": speech.count(tokens.cached), "audio_tokens": 0 },
        "completion_tokens_details": {
            "reasoning_tokens": speech.count(tokens.thoughts),
            "audio_tokens": 0,
            "accepted_prediction_tokens": 0,
            "rejected_prediction_tokens": 0,
        },
    })
}

fn finish_reason(end: End) -> &'static str {
    match end {
        // A refusal is told by its own field.
        End::Done | End::Refusal => "stop",
        End::Length => "length",
        End::Filter => "content_filter",
    }
}

fn id(speech: &Speech<'_>) -> String {
    format!("chatcmpl-mock{:012}", speech.n)
}
