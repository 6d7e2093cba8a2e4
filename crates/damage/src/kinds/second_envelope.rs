//! The second set: envelopes, streams, gutters and terminals.

use crate::kinds::envelope::inner;
use crate::kinds::envelope::pieces;
use crate::kinds::envelope::shown;
use crate::kinds::gutter::each_line;
use crate::kinds::more_envelope::event;
use serde_json::{Value, json};

use crate::kinds::{EITHER, Kind, LINES, RICH, SEAT, kept, kind};
use crate::styles::bracketed::{python, quoted};
use crate::styles::{clean_yaml, either, json as json_text, json_line};
use crate::{tree, words};

fn framed(text: &str) -> String {
    let width = text.lines().map(|line| line.chars().count()).max().unwrap_or_default();
    let body = each_line(text, |_, line| format!("│ {line}{} │", " ".repeat(width - line.chars().count())));
    format!("╭{0}╮\n{body}\n╰{0}╯", "─".repeat(width + 2))
}

pub(crate) const KINDS: &[Kind] = &[
    kind("second_responses_api", "envelope", "output items of a response object", EITHER, LINES, |v, r| {
        let all = json!({"id": "resp_68", "object": "response", "status": "completed", "model": "gpt-5", "error": null,
            "incomplete_details": null, "output": [{"type": "reasoning", "id": "rs_1", "summary": []},
            {"type": "message", "role": "assistant", "status": "completed",
             "content": [{"type": "output_text", "text": inner(v, r), "annotations": []}]}]});
        kept(v, shown(&all, r))
    }),
    kind("second_converse", "envelope", "output, message, content of a cloud", EITHER, LINES, |v, r| {
        let all = json!({"output": {"message": {"role": "assistant", "content": [{"text": inner(v, r)}]}}, "stopReason": "end_turn",
            "usage": {"inputTokens": 900, "outputTokens": 200, "totalTokens": 1100}, "metrics": {"latencyMs": 4100}});
        kept(v, shown(&all, r))
    }),
    kind("second_tool_call_tag", "envelope", "a call as JSON between tags", EITHER, LINES, |v, r| {
        let call = json!({"name": "submit_answer", "arguments": v});
        kept(v, format!("<tool_call>\n{}\n</tool_call>", shown(&call, r)))
    }),
    kind("second_tool_calls_mark", "envelope", "a call after a mark in brackets", EITHER, LINES, |v, r| {
        let call = json!([{"name": "respond", "arguments": v}]);
        kept(v, format!("[TOOL_CALLS]{}{call}", r.pick(&["", " "])))
    }),
    kind("second_function_call_parts", "envelope", "candidates with a call and its args", EITHER, LINES, |v, r| {
        let part = json!({"functionCall": {"name": "respond", "args": v}});
        let all = json!({"candidates": [{"content": {"parts": [part], "role": "model"}, "finishReason": "STOP"}]});
        kept(v, shown(&all, r))
    }),
    kind("second_cli_response", "envelope", "a response with stats", EITHER, LINES, |v, r| {
        let all = json!({"response": inner(v, r), "stats": {"models": {"pro": {"tokens": {"total": 4100}}}, "tools": {"totalCalls": 0}}});
        kept(v, shown(&all, r))
    }),
    kind("second_cli_events", "envelope", "events of a CLI, one on a line", EITHER, LINES, |v, r| {
        let item =
            json!({"type": "item.completed", "item": {"id": "item_1", "type": "agent_message", "text": inner(v, r)}});
        let thought =
            json!({"type": "item.completed", "item": {"id": "item_0", "type": "reasoning", "text": words::plain(r)}});
        kept(
            v,
            format!(
                "{}\n{}\n{thought}\n{item}\n{}\n",
                json!({"type": "thread.started", "thread_id": "0199"}),
                json!({"type": "turn.started"}),
                json!({"type": "turn.completed", "usage": {"input_tokens": 900, "output_tokens": 120}})
            ),
        )
    }),
    kind("second_encoded_twice", "envelope", "a string that holds an encoded string", EITHER, LINES, |v, _| {
        kept(v, quoted(&quoted(&json_line(v))))
    }),
    kind("second_nested_twice", "envelope", "two levels down", EITHER, LINES, |v, r| {
        let (one, two) = r.pick(&[("response", "content"), ("data", "result"), ("output", "answer")]);
        kept(v, either(&json!({one: {two: v}}), r))
    }),
    kind("second_nested_with_siblings", "envelope", "one level down, beside other things", EITHER, RICH, |v, r| {
        let key = r.pick(&["answer", "final_answer", "output", "response"]);
        kept(v, either(&json!({"analysis": words::sentences(r), "step": 3, key: v}), r))
    }),
    kind("second_printed_object", "envelope", "a message object as a language prints it", EITHER, RICH, |v, r| {
        let text = python(&json_text(v));
        let all = r.pick(&[
            "ChatCompletionMessage(content={}, refusal=None, role='assistant', tool_calls=None)",
            "content={} additional_kwargs={'refusal': None} response_metadata={'finish_reason': 'stop'}",
            "Message(id='msg_01', content=[TextBlock(citations=None, text={}, type='text')], role='assistant', stop_reason='end_turn')",
        ]);
        kept(v, all.replacen("{}", &text, 1))
    }),
    kind("second_pairs_policy", "envelope", "a list of {field, value}", SEAT, RICH, |v, r| {
        let (name, what) = r.pick(&[("field", "value"), ("key", "value"), ("name", "content")]);
        let pairs: Vec<Value> =
            tree::fields(v).into_iter().map(|(key, field)| json!({name: key, what: field})).collect();
        kept(v, json_text(&json!(pairs)))
    }),
    kind("second_rpc_result", "envelope", "the result of a remote call with content", EITHER, LINES, |v, r| {
        let all = json!({"jsonrpc": "2.0", "id": 7, "result": {"content": [{"type": "text", "text": inner(v, r)}], "isError": false}});
        kept(v, shown(&all, r))
    }),
    kind("second_message_events", "stream", "named events with pieces of text", EITHER, LINES, |v, r| {
        let text = either(v, r);
        let delta = |piece: &String| {
            event(
                "content_block_delta",
                &json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}),
            )
        };
        let middle: String = pieces(&text, r).iter().map(delta).collect();
        let start =
            event("message_start", &json!({"type": "message_start", "message": {"id": "msg_1", "content": []}}));
        let open = event(
            "content_block_start",
            &json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        );
        let stop = event("message_delta", &json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}}));
        kept(v, format!("{start}{open}{middle}{stop}{}", event("message_stop", &json!({"type": "message_stop"}))))
    }),
    kind("second_input_events", "stream", "named events with pieces of a tool's input", EITHER, LINES, |v, r| {
        let delta = |piece: &String| {
            event(
                "content_block_delta",
                &json!({"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": piece}}),
            )
        };
        let middle: String = pieces(&json_line(v), r).iter().map(delta).collect();
        let stop = event("message_delta", &json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}));
        kept(v, format!("{middle}{stop}{}", event("message_stop", &json!({"type": "message_stop"}))))
    }),
    kind("second_candidate_chunks", "stream", "a list of candidates with pieces of text", EITHER, LINES, |v, r| {
        let text = either(v, r);
        let chunk =
            |piece: &String| json!({"candidates": [{"content": {"parts": [{"text": piece}], "role": "model"}}]});
        let mut chunks: Vec<Value> = pieces(&text, r).iter().map(chunk).collect();
        chunks.push(
            json!({"candidates": [{"content": {"parts": [{"text": ""}], "role": "model"}, "finishReason": "STOP"}]}),
        );
        kept(v, json_text(&json!(chunks)))
    }),
    kind("second_reasoning_deltas", "stream", "pieces of thought, then pieces of the answer", EITHER, LINES, |v, r| {
        let (text, thought) = (either(v, r), words::sentences(r));
        let data = |delta: Value| format!("data: {}\n\n", json!({"choices": [{"delta": delta, "index": 0}]}));
        let mut out: String = pieces(&thought, r)
            .iter()
            .map(|piece| data(json!({"reasoning_content": piece, "content": null})))
            .collect();
        out.extend(pieces(&text, r).iter().map(|piece| data(json!({"content": piece}))));
        kept(v, format!("{out}data: [DONE]\n\n"))
    }),
    kind("second_arrow_gutter", "gutter", "a number and an arrow before each line", EITHER, RICH, |v, r| {
        kept(v, each_line(&either(v, r), |at, line| format!("{at:>6}→{line}")))
    }),
    kind("second_whole_diff", "gutter", "a whole diff of a new file", EITHER, RICH, |v, r| {
        let text = either(v, r);
        let count = text.trim_end().lines().count();
        let body = each_line(&text, |_, line| format!("+{line}"));
        kept(v, format!("--- /dev/null\n+++ b/answer.yaml\n@@ -0,0 +1,{count} @@\n{body}"))
    }),
    kind("second_frame", "terminal", "a frame of lines around", EITHER, RICH, |v, r| {
        let text = if r.percent(50) { json_text(v) } else { clean_yaml(v) };
        kept(v, framed(&text))
    }),
    kind("second_commented_out", "gutter", "two slashes before each line", EITHER, RICH, |v, _| {
        kept(v, each_line(&json_text(v), |_, line| format!("// {line}")))
    }),
    kind("second_spinner", "terminal", "a spinner that overwrites itself", EITHER, LINES, |v, r| {
        kept(v, format!("⠋ Thinking…\r⠙ Thinking…\r⠹ Thinking…\r\u{1b}[K{}", either(v, r)))
    }),
    kind("second_warnings", "terminal", "warnings of a runtime above", EITHER, RICH, |v, r| {
        let head = r.pick(&[
            "(node:4711) ExperimentalWarning: CommonJS module loading ES Module\n(Use `node --trace-warnings ...` to show where)",
            "Loaded cached credentials.",
            "/usr/lib/python3/dist-packages/urllib3/__init__.py:35: NotOpenSSLWarning: v2 only supports OpenSSL 1.1.1+\n  warnings.warn(",
        ]);
        kept(v, format!("{head}\n{}", json_text(v)))
    }),
    kind("second_banner", "terminal", "the banner of a CLI and its count of tokens", EITHER, RICH, |v, _| {
        let head = "OpenAI Codex v0.44.0 (research preview)\n--------\nworkdir: /tmp/x\nmodel: gpt-5\nprovider: openai\n--------\nuser\nGive your answer.\ncodex";
        kept(v, format!("{head}\n{}\ntokens used\n1,234", json_text(v)))
    }),
    kind("second_footer", "terminal", "time and cost below", EITHER, RICH, |v, r| {
        let foot = r.pick(&["✻ Baked for 12s", "Cost: $0.0123 (4,100 tokens)", "[done in 8.2s]"]);
        kept(v, format!("{}\n\n{foot}", either(v, r).trim_end()))
    }),
];
