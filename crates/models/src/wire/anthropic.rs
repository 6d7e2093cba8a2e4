//! Anthropic Messages. Given an [`Ask`], hands on a request; given the events of its stream, fills the draft.
//! The system part is marked for the cache. Deliberately absent: tools, images, and more than one turn.

use reqwest::Url;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::draft::Counts;
use super::parts::{Count, Text};
use super::{Draft, Ending, Request, Sign, body, json, lenient};
use crate::endpoint::below;
use crate::{Ask, Effort, Fault, refusal};

/// The version of the format we speak.
pub(super) const HEADERS: [(&str, &str); 1] = [("anthropic-version", "2023-06-01")];

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<[Block<'a>; 1]>,
    messages: [Message<'a>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<OutputConfig<'a>>,
    stream: bool,
}

#[derive(Serialize)]
struct Block<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    text: &'a str,
    cache_control: CacheControl,
}

#[derive(Serialize)]
struct CacheControl {
    #[serde(rename = "type")]
    kind: &'static str,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: &'a str,
}

#[derive(Serialize)]
struct OutputConfig<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    effort: Option<Effort>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<Format<'a>>,
}

#[derive(Serialize)]
struct Format<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    schema: &'a Value,
}

/// The call as a Messages request.
pub(super) fn request(base: &Url, ask: &Ask) -> Result<Request, Fault> {
    let prompt = &ask.prompt;
    let system = (!prompt.system.is_empty())
        .then(|| [Block { kind: "text", text: &prompt.system, cache_control: CacheControl { kind: "ephemeral" } }]);
    let format = ask.shape.as_ref().map(|shape| Format { kind: "json_schema", schema: &shape.schema });
    let output_config =
        (ask.effort.is_some() || format.is_some()).then_some(OutputConfig { effort: ask.effort, format });
    let body = body(&Body {
        model: &ask.model,
        max_tokens: ask.max_output_tokens,
        system,
        messages: [Message { role: "user", content: &prompt.user }],
        temperature: ask.temperature,
        output_config,
        stream: true,
    })?;
    Ok(Request { url: below(base, &["v1", "messages"]), body })
}

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow, default, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow, default)]
    delta: Option<Delta<'a>>,
    #[serde(borrow, default)]
    content_block: Option<Delta<'a>>,
    #[serde(borrow, default)]
    message: Option<Start<'a>>,
    #[serde(borrow, default)]
    usage: Option<&'a RawValue>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Delta<'a> {
    #[serde(borrow, default)]
    text: Text<'a>,
    #[serde(borrow, default)]
    thinking: Text<'a>,
    #[serde(borrow, default)]
    stop_reason: Text<'a>,
}

#[derive(Deserialize)]
struct Start<'a> {
    #[serde(borrow, default)]
    id: Text<'a>,
    #[serde(borrow, default)]
    usage: Option<&'a RawValue>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Counted {
    input_tokens: Count,
    cache_read_input_tokens: Count,
    cache_creation_input_tokens: Count,
    output_tokens: Count,
}

/// Anthropic counts fresh input apart from the cache; we count all of it.
fn counts(raw: Option<&RawValue>) -> Counts {
    let said: Counted = lenient(raw);
    let (cached, cache_write) = (said.cache_read_input_tokens.0, said.cache_creation_input_tokens.0);
    let input = said
        .input_tokens
        .0
        .map(|fresh| fresh.saturating_add(cached.unwrap_or(0)).saturating_add(cache_write.unwrap_or(0)));
    Counts { input, cached, cache_write, output: said.output_tokens.0, cost_usd: None }
}

/// Adds an event to the draft.
pub(super) fn take(draft: &mut Draft<'_>, piece: &[u8]) -> Result<Sign, Fault> {
    let event: Event<'_> = json(piece)?;
    match &*event.kind {
        "content_block_delta" | "content_block_start" => {
            let Some(delta) = event.delta.or(event.content_block) else { return Ok(Sign::Nothing) };
            let thought = draft.think(&delta.thinking);
            let said = draft.say(&delta.text);
            Ok(if said == Sign::Life { said } else { thought })
        }
        "message_start" => {
            if let Some(start) = event.message {
                draft.id = start.id.kept();
                draft.counts.update(counts(start.usage));
            }
            Ok(Sign::Life)
        }
        "message_delta" => {
            draft.counts.update(counts(event.usage));
            if let Some(why) = event.delta.filter(|delta| !delta.stop_reason.is_empty()) {
                draft.ending = Some(ending(&why.stop_reason));
            }
            Ok(Sign::Life)
        }
        "message_stop" => {
            draft.ended = true;
            Ok(Sign::Life)
        }
        _ if event.error.is_some() => Err(refusal::in_stream(piece)),
        // Pings, ends of blocks, and whatever is added to the format later.
        _ => Ok(Sign::Nothing),
    }
}

fn ending(why: &str) -> Ending {
    match why {
        "end_turn" | "stop_sequence" => Ending::Whole,
        "max_tokens" | "model_context_window_exceeded" => Ending::Length,
        "refusal" => Ending::Filtered(why.to_owned()),
        _ => Ending::Odd(why.to_owned()),
    }
}
