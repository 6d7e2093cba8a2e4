//! Ollama's own format, one JSON document per line. Given an [`Ask`], hands on a request; given the lines of its
//! stream, fills the draft. Deliberately absent: tools, images, loading and unloading of models.

use reqwest::Url;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::draft::Counts;
use super::openai::{Message, messages};
use super::parts::{Count, Text};
use super::{Draft, Ending, Request, Sign, body, json};
use crate::endpoint::below;
use crate::{Ask, Effort, Fault, refusal};

/// The smallest context we ask for, in tokens.
const SMALLEST_CONTEXT: u64 = 8_192;

/// Fewer bytes to a token than usual: too large a context costs memory, too small a one cuts the prompt.
const BYTES_PER_TOKEN: u64 = 3;

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: Vec<Message<'a>>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    think: Option<Effort>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'a Value>,
    options: Options,
}

#[derive(Serialize)]
struct Options {
    num_predict: u32,
    num_ctx: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
}

/// The context this call needs. Ollama cuts a prompt that does not fit, and says nothing; a model is loaded again
/// when the context changes, so it grows in doublings.
fn context(ask: &Ask) -> u64 {
    let prompt = (ask.prompt.system.len() + ask.prompt.user.len()) as u64;
    (prompt.div_ceil(BYTES_PER_TOKEN) + u64::from(ask.max_output_tokens)).next_power_of_two().max(SMALLEST_CONTEXT)
}

/// The call as a chat.
pub(super) fn request(base: &Url, ask: &Ask) -> Result<Request, Fault> {
    let body = body(&Body {
        model: &ask.model,
        messages: messages(ask),
        stream: true,
        think: ask.effort,
        format: ask.shape.as_ref().map(|shape| &shape.schema),
        options: Options { num_predict: ask.max_output_tokens, num_ctx: context(ask), temperature: ask.temperature },
    })?;
    Ok(Request { url: below(base, &["api", "chat"]), body })
}

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow, default)]
    message: Option<Said<'a>>,
    #[serde(default)]
    done: bool,
    #[serde(borrow, default)]
    done_reason: Text<'a>,
    #[serde(default)]
    prompt_eval_count: Count,
    #[serde(default)]
    eval_count: Count,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Said<'a> {
    #[serde(borrow, default)]
    content: Text<'a>,
    #[serde(borrow, default)]
    thinking: Text<'a>,
}

/// Adds a line to the draft.
pub(super) fn take(draft: &mut Draft<'_>, piece: &[u8]) -> Result<Sign, Fault> {
    let line: Line<'_> = json(piece)?;
    if line.error.is_some() {
        return Err(refusal::in_stream(piece));
    }
    let mut sign = Sign::Nothing;
    if let Some(message) = line.message {
        for life in [draft.think(&message.thinking), draft.say(&message.content)] {
            sign = if life == Sign::Life { life } else { sign };
        }
    }
    if line.done {
        let (input, output) = (line.prompt_eval_count.0, line.eval_count.0);
        draft.counts.update(Counts { input, output, ..Counts::default() });
        draft.ending = ending(&line.done_reason);
        draft.ended = true;
        sign = Sign::Life;
    }
    Ok(sign)
}

fn ending(why: &str) -> Option<Ending> {
    match why {
        "" => None,
        "stop" => Some(Ending::Whole),
        "length" => Some(Ending::Length),
        _ => Some(Ending::Odd(why.to_owned())),
    }
}
