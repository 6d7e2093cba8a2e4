//! OpenAI responses. Given an [`Ask`], hands on a request that is not stored there; given the events of its stream,
//! fills the draft. Deliberately absent: tools, stored conversations, and the parts of other formats.

use reqwest::Url;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::draft::Counts;
use super::openai::Message;
use super::parts::{Cost, Count, Text};
use super::{Draft, Ending, Request, Sign, body, json, lenient};
use crate::endpoint::below;
use crate::{Ask, Effort, Fault, refusal};

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    instructions: &'a str,
    input: [Message<'a>; 1],
    max_output_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<Reasoning>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<TextShape<'a>>,
    stream: bool,
    store: bool,
}

#[derive(Serialize)]
struct Reasoning {
    effort: Effort,
}

#[derive(Serialize)]
struct TextShape<'a> {
    format: Format<'a>,
}

#[derive(Serialize)]
struct Format<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    name: &'a str,
    strict: bool,
    schema: &'a Value,
}

/// The call as a response to be made.
pub(super) fn request(base: &Url, ask: &Ask) -> Result<Request, Fault> {
    let text = ask.shape.as_ref().map(|shape| TextShape {
        format: Format { kind: "json_schema", name: &shape.name, strict: true, schema: &shape.schema },
    });
    let body = body(&Body {
        model: &ask.model,
        instructions: &ask.prompt.system,
        input: [Message { role: "user", content: &ask.prompt.user }],
        max_output_tokens: ask.max_output_tokens,
        temperature: ask.temperature,
        reasoning: ask.effort.map(|effort| Reasoning { effort }),
        text,
        stream: true,
        store: false,
    })?;
    Ok(Request { url: below(base, &["responses"]), body })
}

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow, default, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow, default)]
    delta: Text<'a>,
    #[serde(borrow, default)]
    response: Option<Response<'a>>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Response<'a> {
    #[serde(borrow, default)]
    id: Text<'a>,
    #[serde(borrow, default)]
    usage: Option<&'a RawValue>,
    #[serde(borrow, default)]
    incomplete_details: Option<Incomplete<'a>>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Incomplete<'a> {
    #[serde(borrow, default)]
    reason: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Counted<'a> {
    input_tokens: Count,
    output_tokens: Count,
    #[serde(borrow)]
    input_tokens_details: Option<&'a RawValue>,
    cost: Cost,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Details {
    cached_tokens: Count,
    cache_write_tokens: Count,
}

fn counts(raw: Option<&RawValue>) -> Counts {
    let said: Counted<'_> = lenient(raw);
    let details: Details = lenient(said.input_tokens_details);
    Counts {
        input: said.input_tokens.0,
        cached: details.cached_tokens.0,
        cache_write: details.cache_write_tokens.0,
        output: said.output_tokens.0,
        cost_usd: said.cost.0,
    }
}

/// Adds an event to the draft.
pub(super) fn take(draft: &mut Draft<'_>, piece: &[u8]) -> Result<Sign, Fault> {
    // Not in the format, but some gateways end every stream so. It is no end mark here.
    if piece.trim_ascii() == b"[DONE]" {
        return Ok(Sign::Nothing);
    }
    let event: Event<'_> = json(piece)?;
    match &*event.kind {
        "response.output_text.delta" => Ok(draft.say(&event.delta)),
        "response.reasoning_text.delta" | "response.reasoning_summary_text.delta" => Ok(draft.think(&event.delta)),
        "response.refusal.delta" => Ok(draft.refuse(&event.delta)),
        "response.created" => {
            draft.id = event.response.and_then(|response| response.id.kept());
            Ok(Sign::Life)
        }
        "response.completed" | "response.incomplete" => {
            draft.ending = Some(ending(&event));
            if let Some(response) = event.response {
                draft.counts.update(counts(response.usage));
                draft.id = draft.id.take().or_else(|| response.id.kept());
            }
            draft.ended = true;
            Ok(Sign::Life)
        }
        "response.failed" => {
            if let Some(response) = event.response {
                draft.counts.update(counts(response.usage));
                let error = response.error.map_or("null", RawValue::get);
                return Err(refusal::in_stream(format!("{{\"error\":{error}}}").as_bytes()));
            }
            Err(refusal::in_stream(piece))
        }
        "error" => Err(refusal::in_stream(piece)),
        _ if event.error.is_some_and(|error| error.get() != "null") => Err(refusal::in_stream(piece)),
        // A new part of the output: the model is at work, though nothing can be read yet.
        "response.output_item.added" => Ok(Sign::Life),
        _ => Ok(Sign::Nothing),
    }
}

fn ending(event: &Event<'_>) -> Ending {
    if &*event.kind == "response.completed" {
        return Ending::Whole;
    }
    let details = event.response.as_ref().and_then(|response| response.incomplete_details.as_ref());
    match details.map_or("", |details| &details.reason) {
        "max_output_tokens" | "max_tokens" => Ending::Length,
        "content_filter" => Ending::Filtered("content_filter".to_owned()),
        why => Ending::Odd(why.to_owned()),
    }
}
