//! Google Gemini. Given an [`Ask`], hands on a request; given the chunks of its stream, fills the draft.
//! The format has no end mark of its own: a candidate's `finishReason` is both the mark and the reason.
//! Deliberately absent: tools, images, safety settings, explicit caches.

use reqwest::Url;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::draft::Counts;
use super::parts::{Count, First, Text};
use super::{Draft, Ending, Request, Sign, body, json, lenient};
use crate::endpoint::below;
use crate::{Ask, Effort, Fault, FaultKind, refusal};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    system_instruction: Option<Content<'a>>,
    contents: [Content<'a>; 1],
    generation_config: GenerationConfig<'a>,
}

#[derive(Serialize)]
struct Content<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    parts: [Part<'a>; 1],
}

#[derive(Serialize)]
struct Part<'a> {
    text: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GenerationConfig<'a> {
    max_output_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_mime_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_json_schema: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking_config: Option<ThinkingConfig>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ThinkingConfig {
    thinking_level: Effort,
}

/// The call as a streamed generation.
pub(super) fn request(base: &Url, ask: &Ask) -> Result<Request, Fault> {
    let prompt = &ask.prompt;
    let schema = ask.shape.as_ref().map(|shape| &shape.schema);
    let body = body(&Body {
        system_instruction: (!prompt.system.is_empty())
            .then_some(Content { role: None, parts: [Part { text: &prompt.system }] }),
        contents: [Content { role: Some("user"), parts: [Part { text: &prompt.user }] }],
        generation_config: GenerationConfig {
            max_output_tokens: ask.max_output_tokens,
            temperature: ask.temperature,
            response_mime_type: schema.map(|_| "application/json"),
            response_json_schema: schema,
            thinking_config: ask.effort.map(|thinking_level| ThinkingConfig { thinking_level }),
        },
    })?;
    let model = ask.model.strip_prefix("models/").unwrap_or(&ask.model);
    let mut url = below(base, &["models", &format!("{model}:streamGenerateContent")]);
    url.query_pairs_mut().append_pair("alt", "sse");
    Ok(Request { url, body })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Chunk<'a> {
    #[serde(borrow, default)]
    candidates: First<Candidate<'a>>,
    #[serde(borrow, default)]
    usage_metadata: Option<&'a RawValue>,
    #[serde(borrow, default)]
    prompt_feedback: Option<Feedback<'a>>,
    #[serde(borrow, default)]
    response_id: Text<'a>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Candidate<'a> {
    #[serde(borrow, default)]
    content: Option<Said<'a>>,
    #[serde(borrow, default)]
    finish_reason: Text<'a>,
}

#[derive(Deserialize)]
struct Said<'a> {
    #[serde(borrow, default)]
    parts: Vec<SaidPart<'a>>,
}

#[derive(Deserialize)]
struct SaidPart<'a> {
    #[serde(borrow, default)]
    text: Text<'a>,
    #[serde(default)]
    thought: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Feedback<'a> {
    #[serde(borrow, default)]
    block_reason: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Counted {
    prompt_token_count: Count,
    cached_content_token_count: Count,
    candidates_token_count: Count,
    thoughts_token_count: Count,
}

/// Gemini counts thoughts beside the answer; we count both as output. A prompt that was blocked has no output.
fn counts(raw: Option<&RawValue>) -> Counts {
    let said: Counted = lenient(raw);
    let output = match (said.candidates_token_count.0, said.thoughts_token_count.0) {
        (None, None) => None,
        (answer, thoughts) => Some(answer.unwrap_or(0).saturating_add(thoughts.unwrap_or(0))),
    };
    let cached = said.cached_content_token_count.0;
    Counts { input: said.prompt_token_count.0, cached, cache_write: None, output, cost_usd: None }
}

/// Adds a chunk to the draft.
pub(super) fn take(draft: &mut Draft<'_>, piece: &[u8]) -> Result<Sign, Fault> {
    let chunk: Chunk<'_> = json(piece)?;
    if chunk.error.is_some() {
        return Err(refusal::in_stream(piece));
    }
    if draft.id.is_none() {
        draft.id = chunk.response_id.kept();
    }
    if chunk.usage_metadata.is_some() {
        draft.counts.update(counts(chunk.usage_metadata));
    }
    let mut sign = Sign::Nothing;
    if let Some(feedback) = chunk.prompt_feedback.filter(|feedback| !feedback.block_reason.is_empty()) {
        draft.ending = Some(Ending::Filtered(feedback.block_reason.to_string()));
        draft.ended = true;
        sign = Sign::Life;
    }
    let Some(candidate) = chunk.candidates.0 else { return Ok(sign) };
    for part in candidate.content.into_iter().flat_map(|content| content.parts) {
        let life = if part.thought { draft.think(&part.text) } else { draft.say(&part.text) };
        sign = if life == Sign::Life { life } else { sign };
    }
    if !candidate.finish_reason.is_empty() {
        draft.ending = Some(ending(&candidate.finish_reason)?);
        draft.ended = true;
        sign = Sign::Life;
    }
    Ok(sign)
}

fn ending(why: &str) -> Result<Ending, Fault> {
    Ok(match why {
        "STOP" => Ending::Whole,
        "MAX_TOKENS" => Ending::Length,
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "LANGUAGE" | "IMAGE_SAFETY" => {
            Ending::Filtered(why.to_owned())
        }
        "OTHER" => return Err(Fault::new(FaultKind::Server, "stopped in mid-reply for a reason it does not name")),
        _ => Ending::Odd(why.to_owned()),
    })
}
