//! OpenAI Responses: named and numbered events, from `response.created` to how the response ended.
//! Given a speech; hands on its frames or its one response. Deliberately absent: tools, background runs.

use serde_json::{Value, json};

use crate::speech::{End, Frames, Speech, framed, pieces, set};

/// Events, numbered as they are made.
struct Events {
    next: u64,
}

impl Events {
    fn event(&mut self, name: &str, mut data: Value) -> Vec<u8> {
        data["type"] = json!(name);
        data["sequence_number"] = json!(self.next);
        self.next += 1;
        super::event(name, &data)
    }

    fn delta(&mut self, name: &str, place: &str, text: &str) -> Vec<u8> {
        let number = self.next;
        self.next += 1;
        let before =
            format!("event: {name}\ndata: {{\"type\":\"{name}\",\"sequence_number\":{number},{place},\"delta\":");
        framed(&before, text, "}\n\n")
    }
}

pub(crate) fn stream(speech: &Speech<'_>) -> Frames {
    let mut events = Events { next: 0 };
    let mut frames = Frames::default();
    let begun = response(speech, "in_progress", &[]);
    frames.head = events.event("response.created", json!({ "response": begun }));
    frames.head.extend(events.event("response.in_progress", json!({ "response": begun })));
    let mut index = 0;
    if !speech.thoughts.is_empty() {
        thoughts(speech, &mut events, &mut frames);
        index += 1;
    }
    if says_something(speech) {
        words(speech, index, &mut events, &mut frames);
    }
    let (ended, status) = ending(speech.end);
    let output = output(speech);
    let last = json!({ "response": response(speech, status, &output) });
    frames.tail.extend(events.event(ended, last));
    frames
}

fn thoughts(speech: &Speech<'_>, events: &mut Events, frames: &mut Frames) {
    let id = format!("rs_mock{:012}", speech.n);
    let empty = json!({ "id": id, "type": "reasoning", "summary": [] });
    frames.body.push(events.event("response.output_item.added", json!({ "output_index": 0, "item": empty })));
    let part = json!({ "type": "summary_text", "text": "" });
    let place = json!({ "item_id": id, "output_index": 0, "summary_index": 0, "part": part });
    frames.body.push(events.event("response.reasoning_summary_part.added", place));
    let place = format!("\"item_id\":\"{id}\",\"output_index\":0,\"summary_index\":0");
    for piece in pieces(speech.thoughts, speech.piece_bytes) {
        frames.body.push(events.delta("response.reasoning_summary_text.delta", &place, piece));
    }
    let done = json!({ "output_index": 0, "item": reasoning(speech) });
    frames.body.push(events.event("response.output_item.done", done));
}

fn words(speech: &Speech<'_>, index: usize, events: &mut Events, frames: &mut Frames) {
    let id = message_id(speech);
    let refuses = speech.end == End::Refusal;
    let empty = json!({ "id": id, "type": "message", "status": "in_progress", "role": "assistant", "content": [] });
    frames.body.push(events.event("response.output_item.added", json!({ "output_index": index, "item": empty })));
    let at = |part: &str, value: Value| {
        let mut place = json!({ "item_id": id, "output_index": index, "content_index": 0 });
        place[part] = value;
        place
    };
    let (start, name, done, text) = match refuses {
        true => (json!({ "type": "refusal", "refusal": "" }), "response.refusal", "refusal", speech.refusal()),
        false => (
            json!({ "type": "output_text", "annotations": [], "logprobs": [], "text": "" }),
            "response.output_text",
            "text",
            speech.text,
        ),
    };
    frames.body.push(events.event("response.content_part.added", at("part", start)));
    let place = format!("\"item_id\":\"{id}\",\"output_index\":{index},\"content_index\":0");
    let delta = format!("{name}.delta");
    for piece in pieces(text, speech.piece_bytes) {
        frames.body.push(events.delta(&delta, &place, piece));
    }
    frames.tail.extend(events.event(&format!("{name}.done"), at(done, json!(text))));
    frames.tail.extend(events.event("response.content_part.done", at("part", part(speech))));
    let item = json!({ "output_index": index, "item": message(speech) });
    frames.tail.extend(events.event("response.output_item.done", item));
}

pub(crate) fn whole(speech: &Speech<'_>) -> Value {
    response(speech, ending(speech.end).1, &output(speech))
}

/// A response that failed midway.
pub(crate) fn failure(speech: &Speech<'_>) -> Vec<u8> {
    let mut failed = response(speech, "failed", &[]);
    failed["error"] = json!({ "code": "server_error", "message": "The model failed to generate a response." });
    failed["usage"] = Value::Null;
    Events { next: 1000 }.event("response.failed", json!({ "response": failed }))
}

fn response(speech: &Speech<'_>, status: &str, output: &[Value]) -> Value {
    let reason = match speech.end {
        _ if status != "incomplete" => Value::Null,
        End::Length => json!({ "reason": "max_output_tokens" }),
        _ => json!({ "reason": "content_filter" }),
    };
    let mut response = json!({
        "id": format!("resp_mock{:012}", speech.n),
        "object": "response",
        "created_at": speech.now,
        "status": status,
        "error": null,
        "incomplete_details": reason,
        "model": speech.model,
        "output": output,
        "parallel_tool_calls": true,
        "previous_response_id": null,
        "service_tier": "default",
        "store": false,
        "tool_choice": "auto",
        "tools": [],
    });
    match status {
        "in_progress" => response["usage"] = Value::Null,
        _ => set(&mut response, "usage", speech.usage(usage)),
    }
    response
}

fn output(speech: &Speech<'_>) -> Vec<Value> {
    let thoughts = (!speech.thoughts.is_empty()).then(|| reasoning(speech));
    let message = says_something(speech).then(|| message(speech));
    thoughts.into_iter().chain(message).collect()
}

fn says_something(speech: &Speech<'_>) -> bool {
    !speech.text.is_empty() || speech.end == End::Refusal
}

fn reasoning(speech: &Speech<'_>) -> Value {
    let summary = json!([{ "type": "summary_text", "text": speech.thoughts }]);
    json!({ "id": format!("rs_mock{:012}", speech.n), "type": "reasoning", "summary": summary })
}

fn message(speech: &Speech<'_>) -> Value {
    let status = if ending(speech.end).1 == "completed" { "completed" } else { "incomplete" };
    json!({ "id": message_id(speech), "type": "message", "status": status, "role": "assistant", "content": [part(speech)] })
}

fn part(speech: &Speech<'_>) -> Value {
    match speech.end {
        End::Refusal => json!({ "type": "refusal", "refusal": speech.refusal() }),
        _ => json!({ "type": "output_text", "annotations": [], "logprobs": [], "text": speech.text }),
    }
}

fn message_id(speech: &Speech<'_>) -> String {
    format!("msg_mock{:012}", speech.n)
}

fn ending(end: End) -> (&'static str, &'static str) {
    match end {
        End::Done | End::Refusal => ("response.completed", "completed"),
        End::Length | End::Filter => ("response.incomplete", "incomplete"),
    }
}

fn usage(speech: &Speech<'_>) -> Value {
    let tokens = &speech.tokens;
    json!({
        "input_tokens": speech.count(tokens.input),
        "input_tokens_details": { "cached_tokens": speech.count(tokens.cached) },
        "output_tokens": speech.count(tokens.output),
        "output_tokens_details": { "reasoning_tokens": speech.count(tokens.thoughts) },
        "total_tokens": speech.count(tokens.input + tokens.output),
    })
}
