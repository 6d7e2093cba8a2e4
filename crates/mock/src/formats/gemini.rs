//! Google Gemini: server-sent events without names, each a whole `GenerateContentResponse` with a part of
//! the text; its lines end with carriage returns.
//! Given a speech; hands on its frames or its one response. A filter stops the prompt (`blockReason`), a
//! refusal the reply (`SAFETY`). Deliberately absent: tools, more than one candidate.

use serde_json::{Value, json};

use crate::speech::{End, Frames, Speech, framed, pieces, quoted, set};

pub(crate) fn stream(speech: &Speech<'_>) -> Frames {
    let mut frames = Frames::default();
    let before = "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":";
    let (model, n) = (quoted(speech.model), speech.n);
    let piece = |thought: &str| {
        let after = format!(
            "{thought}}}],\"role\":\"model\"}},\"index\":0}}],\"modelVersion\":{model},\
             \"responseId\":\"mock{n:012}\"}}\r\n\r\n"
        );
        move |text: &str| framed(before, text, &after)
    };
    frames.body.extend(pieces(speech.thoughts, speech.piece_bytes).map(piece(",\"thought\":true")));
    frames.body.extend(pieces(speech.text, speech.piece_bytes).map(piece("")));
    let last = response(speech, &[json!({ "text": "" })]);
    frames.tail = format!("data: {last}\r\n\r\n").into_bytes();
    frames
}

pub(crate) fn whole(speech: &Speech<'_>) -> Value {
    let mut parts = Vec::new();
    if !speech.thoughts.is_empty() {
        parts.push(json!({ "text": speech.thoughts, "thought": true }));
    }
    if !speech.text.is_empty() {
        parts.push(json!({ "text": speech.text }));
    }
    response(speech, &parts)
}

/// A response that ends.
fn response(speech: &Speech<'_>, parts: &[Value]) -> Value {
    let mut response = match speech.end {
        End::Filter => json!({ "promptFeedback": { "blockReason": "PROHIBITED_CONTENT" } }),
        End::Refusal => {
            let rating =
                json!({ "category": "HARM_CATEGORY_DANGEROUS_CONTENT", "probability": "HIGH", "blocked": true });
            json!({ "candidates": [{ "finishReason": "SAFETY", "index": 0, "safetyRatings": [rating] }] })
        }
        End::Done | End::Length => {
            let reason = if speech.end == End::Done { "STOP" } else { "MAX_TOKENS" };
            let content = json!({ "parts": parts, "role": "model" });
            json!({ "candidates": [{ "content": content, "finishReason": reason, "index": 0 }] })
        }
    };
    set(&mut response, "usageMetadata", speech.usage(usage));
    response["modelVersion"] = json!(speech.model);
    response["responseId"] = json!(format!("mock{:012}", speech.n));
    response
}

/// Thoughts are not among the candidates' tokens here.
fn usage(speech: &Speech<'_>) -> Value {
    let tokens = &speech.tokens;
    let mut usage = json!({
        "promptTokenCount": speech.count(tokens.input),
        "candidatesTokenCount": speech.count(tokens.output - tokens.thoughts),
        "totalTokenCount": speech.count(tokens.input + tokens.output),
    });
    if tokens.cached > 0 {
        usage["cachedContentTokenCount"] = speech.count(tokens.cached);
    }
    if tokens.thoughts > 0 {
        usage["thoughtsTokenCount"] = speech.count(tokens.thoughts);
    }
    usage
}
