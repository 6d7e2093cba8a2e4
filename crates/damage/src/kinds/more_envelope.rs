//! More envelopes, streams, gutters and terminals.

use super::envelope::inner;
use super::envelope::pieces;
use super::envelope::shown;
use super::gutter::each_line;
use serde_json::{Value, json};

use super::{EITHER, Kind, LINES, RICH, SEAT, free_of, kept, kind};
use crate::styles::{either, json as json_text, json_line};
use crate::tree;

pub(crate) fn event(name: &str, data: &Value) -> String {
    format!("event: {name}\ndata: {data}\n\n")
}

/// The fields as the parameters of a call in tags: texts as they are, the rest as JSON.
fn parameters(value: &Value, write: fn(&str, &str) -> String) -> String {
    let one = |(key, field): (&String, &Value)| match field {
        Value::String(text) => write(key, text),
        other => write(key, &json_line(other)),
    };
    tree::fields(value).iter().map(one).collect()
}

pub(crate) const KINDS: &[Kind] = &[
    kind("function_call", "envelope", "a function call of the old kind", EITHER, LINES, |v, r| {
        let all = json!({"role": "assistant", "content": null, "function_call": {"name": "respond", "arguments": json_text(v)}});
        kept(v, shown(&all, r))
    }),
    kind("function_parameters", "envelope", "a call with a tag for each parameter", SEAT, RICH, |v, r| {
        free_of(v, "<&")?;
        if r.percent(50) {
            let fields = parameters(v, |key, text| format!("<parameter={key}>\n{text}\n</parameter>\n"));
            kept(v, format!("<tool_call>\n<function=respond>\n{fields}</function>\n</tool_call>"))
        } else {
            let fields = parameters(v, |key, text| format!("<parameter name=\"{key}\">{text}</parameter>\n"));
            kept(v, format!("<function_calls>\n<invoke name=\"respond\">\n{fields}</invoke>\n</function_calls>"))
        }
    }),
    kind("cli_stream", "envelope", "messages of a CLI, one on a line, with the result last", EITHER, LINES, |v, r| {
        let text = inner(v, r);
        let said =
            json!({"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": text}]}});
        let init =
            json!({"type": "system", "subtype": "init", "cwd": "/tmp", "tools": ["Read"], "model": "claude-opus-4"});
        let last = json!({"type": "result", "subtype": "success", "is_error": false, "result": text, "num_turns": 1});
        kept(v, format!("{init}\n{said}\n{last}\n"))
    }),
    kind("nested_under_seat", "envelope", "one level down, under the seat's name", EITHER, RICH, |v, r| {
        kept(v, either(&json!({r.pick(&["architect", "qa-lead", "facilitator", "ops"]): v}), r))
    }),
    kind("http_headers", "envelope", "the headers of the answer above it", EITHER, LINES, |v, r| {
        let all = json!({"id": "c1", "message": {"role": "assistant", "content": [{"type": "text", "text": inner(v, r)}]}, "finish_reason": "COMPLETE"});
        kept(v, format!("HTTP/2 200\r\ncontent-type: application/json\r\nx-request-id: 8d1\r\n\r\n{all}"))
    }),
    kind("output_text_events", "stream", "named events of a response object", EITHER, LINES, |v, r| {
        let text = either(v, r);
        let delta = |piece: &String| {
            event("response.output_text.delta", &json!({"type": "response.output_text.delta", "delta": piece}))
        };
        let middle: String = pieces(&text, r).iter().map(delta).collect();
        kept(
            v,
            format!(
                "{middle}{}",
                event(
                    "response.completed",
                    &json!({"type": "response.completed", "response": {"status": "completed"}})
                )
            ),
        )
    }),
    kind("quoted_twice", "gutter", "two quote marks before each line", EITHER, RICH, |v, r| {
        let mark = r.pick(&[">> ", "> > "]);
        kept(v, each_line(&either(v, r), |_, line| format!("{mark}{line}")))
    }),
    kind("terminal_titles", "terminal", "titles and links of a terminal", EITHER, RICH, |v, r| {
        kept(v, format!("\u{1b}]0;codex\u{7}\u{1b}[?25l{}\u{1b}]8;;\u{1b}\\\u{1b}[?25h", either(v, r)))
    }),
];
