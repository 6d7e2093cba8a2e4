//! Answers inside what a CLI, an API, a tool call or a stream puts around them.

use serde_json::{Value, json};

use super::fence::fenced;
use super::{EITHER, Kind, LINES, RICH, kept, kind};
use crate::rng::Rng;
use crate::styles::bracketed::quoted;
use crate::styles::{clean_yaml, either, json as json_text, json_line};
use crate::tree;

/// The answer as an API carries it: bare or fenced.
pub(crate) fn inner(value: &Value, rng: &mut Rng) -> String {
    match rng.below(4) {
        0 => fenced("json", &json_text(value)),
        1 => format!("Done.\n\n{}", fenced("yaml", &clean_yaml(value))),
        _ => either(value, rng),
    }
}

/// On one line or on many.
pub(crate) fn shown(envelope: &Value, rng: &mut Rng) -> String {
    if rng.percent(50) { json_text(envelope) } else { envelope.to_string() }
}

/// A chat completion with this content and finish reason.
pub(crate) fn completion(message: Value, reason: &str) -> Value {
    json!({
        "id": "chatcmpl-9xKq", "object": "chat.completion", "created": 1_760_000_000, "model": "gpt-5-mini",
        "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": reason}],
        "usage": {"prompt_tokens": 1432, "completion_tokens": 211, "total_tokens": 1643}
    })
}

/// A message of the Messages API with this content and stop reason.
pub(crate) fn message(content: Value, reason: &str) -> Value {
    json!({
        "id": "msg_01XF", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "content": content,
        "stop_reason": reason, "stop_sequence": null, "usage": {"input_tokens": 1201, "output_tokens": 233}
    })
}

/// Pieces of a text, cut anywhere.
pub(crate) fn pieces(text: &str, rng: &mut Rng) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    let mut pieces = Vec::new();
    let mut from = 0;
    while from < letters.len() {
        let to = (from + rng.within(3, 24)).min(letters.len());
        pieces.push(letters[from..to].iter().collect());
        from = to;
    }
    pieces
}

pub(crate) const KINDS: &[Kind] = &[
    kind("cli_envelope", "envelope", "the result object of a coding CLI", EITHER, LINES, |v, r| {
        let text = inner(v, r);
        let all = json!({"type": "result", "subtype": "success", "is_error": false, "duration_ms": 7311, "num_turns": 1,
            "result": text, "session_id": "3f0c", "total_cost_usd": 0.0141});
        kept(v, shown(&all, r))
    }),
    kind("chat_completion", "envelope", "a whole chat completion", EITHER, LINES, |v, r| {
        let all = completion(json!({"role": "assistant", "content": inner(v, r), "refusal": null}), "stop");
        kept(v, shown(&all, r))
    }),
    kind("messages_api", "envelope", "a whole message with content blocks", EITHER, LINES, |v, r| {
        let mut content = vec![json!({"type": "text", "text": inner(v, r)})];
        if r.percent(40) {
            content.insert(0, json!({"type": "thinking", "thinking": super::wrap::thoughts(r), "signature": "EqQB"}));
        }
        kept(v, shown(&message(json!(content), "end_turn"), r))
    }),
    kind("candidates", "envelope", "a whole answer with candidates and parts", EITHER, LINES, |v, r| {
        let all = json!({"candidates": [{"content": {"parts": [{"text": inner(v, r)}], "role": "model"}, "finishReason": "STOP",
            "index": 0}], "usageMetadata": {"promptTokenCount": 911}, "modelVersion": "gemini-2.5-flash"});
        kept(v, shown(&all, r))
    }),
    kind(
        "tool_calls_encoded",
        "envelope",
        "a tool call with the arguments as an encoded string",
        EITHER,
        LINES,
        |v, r| {
            let call = json!({"id": "call_1", "type": "function", "function": {"name": "respond", "arguments": v.to_string()}});
            let said = json!({"role": "assistant", "content": null, "tool_calls": [call]});
            if r.percent(50) { kept(v, shown(&completion(said, "tool_calls"), r)) } else { kept(v, shown(&said, r)) }
        },
    ),
    kind("tool_use_input", "envelope", "a tool_use block with the value as its input", EITHER, LINES, |v, r| {
        let block = json!({"type": "tool_use", "id": "toolu_01A", "name": "submit_answer", "input": v});
        if r.percent(50) { kept(v, shown(&message(json!([block]), "tool_use"), r)) } else { kept(v, shown(&block, r)) }
    }),
    kind("named_arguments", "envelope", "{name, arguments} as a small model calls a tool", EITHER, LINES, |v, r| {
        let key = r.pick(&["arguments", "parameters", "args", "input"]);
        kept(v, shown(&json!({"name": "submit_response", key: v}), r))
    }),
    kind("local_server", "envelope", "the answer object of a local model server", EITHER, LINES, |v, r| {
        let text = inner(v, r);
        let all = if r.percent(50) {
            json!({"model": "llama3.3", "created_at": "2026-01-01T00:00:00Z", "response": text, "done": true, "done_reason": "stop"})
        } else {
            json!({"model": "qwen3", "message": {"role": "assistant", "content": text}, "done": true, "eval_count": 210})
        };
        kept(v, shown(&all, r))
    }),
    kind(
        "nested_under_key",
        "envelope",
        "one level down, under a word of the model's choice",
        EITHER,
        LINES,
        |v, r| {
            let key = r.pick(&["response", "output", "answer", "result", "data", "participant_response", "json"]);
            kept(v, either(&json!({key: v}), r))
        },
    ),
    kind("array_wrapped", "envelope", "a list with one value", EITHER, RICH, |v, r| kept(v, either(&json!([v]), r))),
    kind("json_string_encoded", "envelope", "the whole answer as one encoded string", EITHER, LINES, |v, r| {
        let text = if r.percent(50) { json_line(v) } else { json_text(v) };
        kept(v, quoted(&text))
    }),
    kind("stream_residue", "stream", "one event with the answer, and the end mark", EITHER, LINES, |v, _| {
        kept(v, format!("data: {}\n\ndata: [DONE]\n", json_line(v)))
    }),
    kind("stream_deltas", "stream", "events with pieces of the content", EITHER, LINES, |v, r| {
        let text = either(v, r);
        let event = |piece: &String| {
            format!(
                "data: {}\n\n",
                json!({"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": null}]})
            )
        };
        let events: String = pieces(&text, r).iter().map(event).collect();
        let last =
            json!({"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
        kept(v, format!("{events}data: {last}\n\ndata: [DONE]\n"))
    }),
    kind("stream_lines", "stream", "a line of JSON for each piece, as a local server streams", EITHER, RICH, |v, r| {
        let text = either(v, r);
        let line = |piece: &String| format!("{}\n", json!({"model": "mistral", "response": piece, "done": false}));
        let lines: String = pieces(&text, r).iter().map(line).collect();
        kept(
            v,
            format!("{lines}{}\n", json!({"model": "mistral", "response": "", "done": true, "done_reason": "stop"})),
        )
    }),
    kind("unknown_keys", "envelope", "the answer with keys nobody asked for", EITHER, LINES, |v, r| {
        let v2 = tree::set(&tree::set(v, "participant", "ops"), "timestamp", "2026-05-01T10:00:00Z");
        kept(v, either(&tree::set(&v2, "metadata", json!({"model": "x", "tokens": 12})), r))
    }),
];
