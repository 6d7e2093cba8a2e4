//! Anthropic Messages: server-sent events with names, from `message_start` to `message_stop`.
//! Given a speech; hands on its frames or its one message. Deliberately absent: tools.

use serde_json::{Value, json};

use super::event;
use crate::speech::{End, Frames, Speech, framed, pieces, set};

/// What comes now and then so that nobody hangs up.
pub(crate) const PING: &str = "event: ping\ndata: {\"type\": \"ping\"}\n\n";

pub(crate) fn stream(speech: &Speech<'_>) -> Frames {
    let mut frames = Frames::default();
    let mut message = message(speech, Vec::new());
    set(&mut message, "usage", speech.usage(|speech| usage(speech, 1)));
    frames.head = event("message_start", &json!({ "type": "message_start", "message": message }));
    let mut index = 0;
    if !speech.thoughts.is_empty() {
        let block = json!({ "type": "thinking", "thinking": "", "signature": "" });
        frames.body.push(start(index, &block));
        let thoughts = pieces(speech.thoughts, speech.piece_bytes);
        frames.body.extend(thoughts.map(delta(index, "thinking_delta", "thinking")));
        frames.body.push(delta(index, "signature_delta", "signature")("bW9jaw=="));
        frames.body.push(stop(index));
        index += 1;
    }
    if !speech.text.is_empty() {
        frames.body.push(start(index, &json!({ "type": "text", "text": "" })));
        frames.body.extend(pieces(speech.text, speech.piece_bytes).map(delta(index, "text_delta", "text")));
        frames.tail = stop(index);
    }
    let mut last = json!({
        "type": "message_delta",
        "delta": { "stop_reason": stop_reason(speech.end), "stop_sequence": null },
    });
    let output = |speech: &Speech<'_>| json!({ "output_tokens": speech.count(speech.tokens.output) });
    set(&mut last, "usage", speech.usage(output));
    frames.tail.extend(event("message_delta", &last));
    frames.tail.extend(event("message_stop", &json!({ "type": "message_stop" })));
    frames
}

pub(crate) fn whole(speech: &Speech<'_>) -> Value {
    let mut content = Vec::new();
    if !speech.thoughts.is_empty() {
        content.push(json!({ "type": "thinking", "thinking": speech.thoughts, "signature": "bW9jaw==" }));
    }
    if !speech.text.is_empty() {
        content.push(json!({ "type": "text", "text": speech.text }));
    }
    let mut message = message(speech, content);
    message["stop_reason"] = json!(stop_reason(speech.end));
    set(&mut message, "usage", speech.usage(|speech| usage(speech, speech.tokens.output)));
    message
}

fn message(speech: &Speech<'_>, content: Vec<Value>) -> Value {
    json!({
        "id": format!("msg_mock{:012}", speech.n),
        "type": "message",
        "role": "assistant",
        "model": speech.model,
        "content": content,
        "stop_reason": null,
        "stop_sequence": null,
    })
}

/// Cached tokens are not among the input tokens here.
fn usage(speech: &Speech<'_>, output: u64) -> Value {
    let tokens = &speech.tokens;
    json!({
        "input_tokens": speech.count(tokens.input.saturating_sub(tokens.cached + tokens.written)),
        "cache_creation_input_tokens": speech.count(tokens.written),
        "cache_read_input_tokens": speech.count(tokens.cached),
        "output_tokens": speech.count(output),
        "service_tier": "standard",
    })
}

fn stop_reason(end: End) -> &'static str {
    match end {
        End::Done => "end_turn",
        End::Length => "max_tokens",
        // There is no reason of its own for a filter.
        End::Filter | End::Refusal => "refusal",
    }
}

fn start(index: usize, block: &Value) -> Vec<u8> {
    let data = json!({ "type": "content_block_start", "index": index, "content_block": block });
    let mut start = event("content_block_start", &data);
    // The first block is followed by a sign of life.
    start.extend_from_slice(if index == 0 { PING.as_bytes() } else { b"" });
    start
}

fn stop(index: usize) -> Vec<u8> {
    event("content_block_stop", &json!({ "type": "content_block_stop", "index": index }))
}

/// A delta, ready for any text.
fn delta(index: usize, kind: &str, field: &str) -> impl Fn(&str) -> Vec<u8> {
    let before = format!(
        "event: content_block_delta\ndata: {{\"type\":\"content_block_delta\",\"index\":{index},\
         \"delta\":{{\"type\":\"{kind}\",\"{field}\":"
    );
    move |text| framed(&before, text, "}}\n\n")
}
