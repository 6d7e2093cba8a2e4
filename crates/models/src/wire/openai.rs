//! OpenAI chat completions, and all servers that speak them. Given an [`Ask`], hands on a request; given the chunks of
//! its stream, fills the draft. Deliberately absent: tools, more than one choice, and any guess from a model's name.

use reqwest::Url;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::draft::Counts;
use super::parts::{Cost, Count, First, Text};
use super::{Draft, Ending, Request, Sign, body, json, lenient};
use crate::endpoint::below;
use crate::{Ask, Effort, Fault, FaultKind, refusal};

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: Vec<Message<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_effort: Option<Effort>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat<'a>>,
    stream: bool,
    stream_options: StreamOptions,
}

#[derive(Serialize)]
pub(super) struct Message<'a> {
    pub(super) role: &'static str,
    pub(super) content: &'a str,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
struct ResponseFormat<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    json_schema: JsonSchema<'a>,
}

#[derive(Serialize)]
struct JsonSchema<'a> {
    name: &'a str,
    strict: bool,
    schema: &'a Value,
}

/// The two parts of a prompt as messages; an empty system part is left out.
pub(super) fn messages(ask: &Ask) -> Vec<Message<'_>> {
    let system = Message { role: "system", content: &ask.prompt.system };
    let user = Message { role: "user", content: &ask.prompt.user };
    if system.content.is_empty() { vec![user] } else { vec![system, user] }
}

/// Whether OpenAI's own models answer there: they know only the newer name of the limit, others only the older one.
fn is_openai(base: &Url) -> bool {
    base.host_str().is_some_and(|host| host == "api.openai.com" || host.ends_with(".openai.azure.com"))
}

/// The call as a chat completion.
pub(super) fn request(base: &Url, ask: &Ask) -> Result<Request, Fault> {
    let most = Some(ask.max_output_tokens);
    let (max_completion_tokens, max_tokens) = if is_openai(base) { (most, None) } else { (None, most) };
    let response_format = ask.shape.as_ref().map(|shape| ResponseFormat {
        kind: "json_schema",
        json_schema: JsonSchema { name: &shape.name, strict: true, schema: &shape.schema },
    });
    let body = body(&Body {
        model: &ask.model,
        messages: messages(ask),
        max_completion_tokens,
        max_tokens,
        temperature: ask.temperature,
        reasoning_effort: ask.effort,
        response_format,
        stream: true,
        stream_options: StreamOptions { include_usage: true },
    })?;
    Ok(Request { url: below(base, &["chat", "completions"]), body })
}

#[derive(Deserialize)]
struct Chunk<'a> {
    #[serde(borrow, default)]
    id: Text<'a>,
    #[serde(borrow, default)]
    choices: First<Choice<'a>>,
    #[serde(borrow, default)]
    usage: Option<&'a RawValue>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Choice<'a> {
    #[serde(borrow, default)]
    delta: Option<Delta<'a>>,
    #[serde(borrow, default)]
    finish_reason: Text<'a>,
}

#[derive(Deserialize)]
struct Delta<'a> {
    #[serde(borrow, default)]
    content: Text<'a>,
    #[serde(borrow, default)]
    reasoning_content: Text<'a>,
    #[serde(borrow, default)]
    reasoning: Text<'a>,
    #[serde(borrow, default)]
    refusal: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Counted<'a> {
    prompt_tokens: Count,
    completion_tokens: Count,
    total_tokens: Count,
    prompt_cache_hit_tokens: Count,
    #[serde(borrow)]
    prompt_tokens_details: Option<&'a RawValue>,
    #[serde(borrow)]
    completion_tokens_details: Option<&'a RawValue>,
    cost: Cost,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Details {
    cached_tokens: Count,
    cache_write_tokens: Count,
    reasoning_tokens: Count,
}

fn counts(raw: Option<&RawValue>) -> Counts {
    let said: Counted<'_> = lenient(raw);
    let sent: Details = lenient(said.prompt_tokens_details);
    let came: Details = lenient(said.completion_tokens_details);
    let (input, output) = (said.prompt_tokens.0, said.completion_tokens.0);
    // Some count thoughts beside the completion; then the total shows it.
    let apart = came.reasoning_tokens.0.filter(|thoughts| {
        let sum = input.unwrap_or(0).saturating_add(output.unwrap_or(0)).saturating_add(*thoughts);
        *thoughts > 0 && said.total_tokens.0 == Some(sum)
    });
    Counts {
        input,
        cached: sent.cached_tokens.0.or(said.prompt_cache_hit_tokens.0),
        cache_write: sent.cache_write_tokens.0,
        output: output.map(|output| output.saturating_add(apart.unwrap_or(0))),
        cost_usd: said.cost.0,
    }
}

/// Adds a chunk to the draft.
pub(super) fn take(draft: &mut Draft<'_>, piece: &[u8]) -> Result<Sign, Fault> {
    if piece.trim_ascii() == b"[DONE]" {
        draft.ended = true;
        return Ok(Sign::Life);
    }
    let chunk: Chunk<'_> = json(piece)?;
    if chunk.error.is_some_and(|error| error.get() != "null") {
        return Err(refusal::in_stream(piece));
    }
    if draft.id.is_none() {
        draft.id = chunk.id.kept();
    }
    if chunk.usage.is_some() {
        draft.counts.update(counts(chunk.usage));
    }
    let Some(choice) = chunk.choices.0 else { return Ok(Sign::Nothing) };
    let mut sign = Sign::Nothing;
    if let Some(delta) = choice.delta {
        // A server that gives its thoughts under both names gives the same ones twice.
        let thoughts = if delta.reasoning_content.is_empty() { &delta.reasoning } else { &delta.reasoning_content };
        for life in [draft.think(thoughts), draft.refuse(&delta.refusal), draft.say(&delta.content)] {
            sign = if life == Sign::Life { life } else { sign };
        }
    }
    if !choice.finish_reason.is_empty() {
        draft.ending = Some(ending(&choice.finish_reason)?);
        sign = Sign::Life;
    }
    Ok(sign)
}

fn ending(why: &str) -> Result<Ending, Fault> {
    Ok(match why {
        "stop" | "eos" | "eos_token" | "end_turn" | "stop_sequence" => Ending::Whole,
        "length" | "max_tokens" | "model_length" => Ending::Length,
        "content_filter" | "safety" | "refusal" => Ending::Filtered(why.to_owned()),
        "insufficient_system_resource" => {
            return Err(Fault::new(FaultKind::Overloaded, "stopped in mid-reply: it has too much to do"));
        }
        "error" => return Err(Fault::new(FaultKind::Server, "stopped in mid-reply with an error it does not name")),
        _ => Ending::Odd(why.to_owned()),
    })
}
