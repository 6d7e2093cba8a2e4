//! What Claude Code prints: one `result` object, or event lines that end with it.
//! Is given JSON values; fills what was said. Deliberately absent: tools, which are switched off.

use serde_json::Value;

use super::{Complaint, Said, number, status, text};
use crate::{Heard, Stop, Usage};

/// Takes the one document of `--output-format json`: the result, or (with `--verbose`) an array that holds it.
pub(super) fn document(value: &Value, said: &mut Said) {
    match value {
        Value::Array(events) => events.iter().filter(|event| is_result(event)).for_each(|event| result(event, said)),
        event if is_result(event) => result(event, said),
        _ => {}
    }
}

/// Takes one line of `--output-format stream-json`; says whether it was a sign of life.
pub(super) fn event(event: &Value, said: &mut Said, heard: Heard<'_>) -> bool {
    match text(event, "/type") {
        Some("result") => result(event, said),
        Some("stream_event") => {
            if text(event, "/event/type") == Some("ping") {
                return false;
            }
            if let Some(piece) = text(event, "/event/delta/text") {
                heard(piece);
            }
        }
        // It tells of itself and of its retries; neither is a part of the reply.
        Some("system") => {
            if text(event, "/subtype") == Some("api_retry") {
                said.trouble = text(event, "/error").map(str::to_owned);
            }
            return false;
        }
        _ => {}
    }
    true
}

fn is_result(event: &Value) -> bool {
    text(event, "/type") == Some("result")
}

fn result(event: &Value, said: &mut Said) {
    said.request_id = text(event, "/session_id").map(str::to_owned);
    said.usage = usage(event);
    let answer = text(event, "/result").unwrap_or_default();
    let subtype = text(event, "/subtype").unwrap_or_default();
    let failed = event.pointer("/is_error").and_then(Value::as_bool).unwrap_or(false) || subtype != "success";
    if failed {
        let first_error = text(event, "/errors/0").unwrap_or(match subtype {
            "error_max_budget_usd" => "the budget given to the command is used up",
            subtype => subtype,
        });
        let words = if answer.is_empty() { first_error } else { answer };
        said.complaint = Some(Complaint::new(words, status(event, "/api_error_status")));
        return;
    }
    if text(event, "/stop_reason") == Some("refusal") {
        let words = if answer.is_empty() { "the model would not answer" } else { answer };
        said.complaint = Some(Complaint { refused: true, ..Complaint::new(words, None) });
        return;
    }
    said.text = answer.to_owned();
    said.stop = Some(match text(event, "/stop_reason") {
        Some("max_tokens" | "model_context_window_exceeded") => Stop::Length,
        _ => Stop::End,
    });
}

/// All the calls it made, where it tells of them by model; else those of the reply.
fn usage(event: &Value) -> Usage {
    let mut usage =
        Usage { cost_usd: event.pointer("/total_cost_usd").and_then(Value::as_f64).unwrap_or(0.0), ..Usage::default() };
    let mut add = |fresh: u64, read: u64, written: u64, output: u64| {
        usage.input_tokens += fresh + read + written;
        usage.cached_tokens += read;
        usage.cache_write_tokens += written;
        usage.output_tokens += output;
    };
    match event.get("modelUsage").and_then(Value::as_object).filter(|models| !models.is_empty()) {
        Some(models) => models.values().for_each(|model| {
            let count = |name| number(model, name);
            let (read, written) = (count("/cacheReadInputTokens"), count("/cacheCreationInputTokens"));
            add(count("/inputTokens"), read, written, count("/outputTokens"));
        }),
        None => {
            let count = |name| number(event, name);
            let read = count("/usage/cache_read_input_tokens");
            let written = count("/usage/cache_creation_input_tokens");
            add(count("/usage/input_tokens"), read, written, count("/usage/output_tokens"));
        }
    }
    usage
}
