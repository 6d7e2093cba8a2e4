//! What the Gemini CLI prints: one document, or event lines that end with a `result`.
//! Is given JSON values; fills what was said. Deliberately absent: tools, which are switched off.

use serde_json::Value;

use super::{Complaint, Said, number, status, text};
use crate::{Heard, Stop, Usage};

/// Takes the one document of `--output-format json`.
pub(super) fn document(value: &Value, said: &mut Said) {
    said.request_id = text(value, "/session_id").map(str::to_owned);
    said.usage = usage_by_model(value);
    said.complaint = complaint(value);
    if let (None, Some(response)) = (&said.complaint, text(value, "/response")) {
        said.text = response.to_owned();
        said.stop = Some(Stop::End);
    }
}

/// Takes one line of `--output-format stream-json`; says whether it was a sign of life.
pub(super) fn event(event: &Value, said: &mut Said, heard: Heard<'_>) -> bool {
    match text(event, "/type") {
        Some("init") => said.request_id = text(event, "/session_id").map(str::to_owned),
        Some("message") if text(event, "/role") == Some("assistant") => {
            let piece = text(event, "/content").unwrap_or_default();
            heard(piece);
            said.text.push_str(piece);
            return true;
        }
        Some("error") => said.trouble = text(event, "/message").map(str::to_owned),
        Some("result") => {
            said.usage = Usage {
                input_tokens: number(event, "/stats/input_tokens"),
                cached_tokens: number(event, "/stats/cached"),
                // Thoughts are in the total only.
                output_tokens: number(event, "/stats/total_tokens")
                    .saturating_sub(number(event, "/stats/input_tokens"))
                    .max(number(event, "/stats/output_tokens")),
                ..Usage::default()
            };
            match text(event, "/status") {
                Some("success") => said.stop = Some(Stop::End),
                _ => {
                    let unnamed = || Complaint::new("it failed without saying why", None);
                    said.complaint = Some(complaint(event).unwrap_or_else(unnamed));
                }
            }
            return true;
        }
        _ => {}
    }
    false
}

/// The `error` of a document or of a result.
pub(super) fn complaint(value: &Value) -> Option<Complaint> {
    let error = value.get("error").filter(|error| error.is_object())?;
    let words = text(error, "/message").unwrap_or("it failed without saying why");
    Some(Complaint::new(words, status(error, "/code")))
}

fn usage_by_model(value: &Value) -> Usage {
    let models = value.pointer("/stats/models").and_then(Value::as_object);
    let mut usage = Usage::default();
    for model in models.into_iter().flat_map(|models| models.values()) {
        usage.input_tokens += number(model, "/tokens/prompt");
        usage.cached_tokens += number(model, "/tokens/cached");
        usage.output_tokens += number(model, "/tokens/candidates") + number(model, "/tokens/thoughts");
    }
    usage
}
