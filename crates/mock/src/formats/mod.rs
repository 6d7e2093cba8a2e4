//! The wire formats: one file each, and the model lists.
//! Given a speech; hands on the bytes a real server would send for it. Deliberately absent: HTTP, and faults
//! below the format.

mod anthropic;
mod gemini;
mod models;
mod ollama;
mod openai;
mod responses;

use std::fmt::Write;

use serde_json::Value;

pub(crate) use models::list as models;

use crate::complaint::Complaint;
use crate::routes::Format;
use crate::speech::{Frames, Speech};

/// A reply as a stream.
pub(crate) fn stream(format: Format, speech: &Speech<'_>) -> Frames {
    match format {
        Format::Anthropic => anthropic::stream(speech),
        Format::OpenAi => openai::stream(speech),
        Format::Responses => responses::stream(speech),
        Format::Gemini => gemini::stream(speech),
        Format::Ollama => ollama::stream(speech),
    }
}

/// A reply as one JSON value.
pub(crate) fn whole(format: Format, speech: &Speech<'_>) -> Value {
    match format {
        Format::Anthropic => anthropic::whole(speech),
        Format::OpenAi => openai::whole(speech),
        Format::Responses => responses::whole(speech),
        Format::Gemini => gemini::whole(speech),
        Format::Ollama => ollama::whole(speech),
    }
}

/// What a stream says when it fails midway.
pub(crate) fn failure(format: Format, speech: &Speech<'_>) -> Vec<u8> {
    let id = request_id(format, speech.n);
    let body = |status: u16| Complaint::Status(status).body(format, &id).1;
    match format {
        Format::Anthropic => event("error", &body(529)),
        Format::OpenAi => data(&body(500)),
        Format::Responses => responses::failure(speech),
        Format::Gemini => format!("data: {}\r\n\r\n", body(503)).into_bytes(),
        Format::Ollama => format!("{}\n", body(500)).into_bytes(),
    }
}

/// A sign of life that carries nothing.
pub(crate) fn keep_alive(format: Format, speech: &Speech<'_>) -> Vec<u8> {
    match format {
        Format::Anthropic => anthropic::PING.as_bytes().to_vec(),
        Format::OpenAi | Format::Responses | Format::Gemini => b": keep-alive\n\n".to_vec(),
        Format::Ollama => ollama::empty(speech),
    }
}

/// The content type of a stream.
pub(crate) fn stream_type(format: Format) -> &'static str {
    match format {
        Format::Ollama => "application/x-ndjson",
        _ => "text/event-stream; charset=utf-8",
    }
}

/// The id of a call.
pub(crate) fn request_id(format: Format, n: u64) -> String {
    match format {
        Format::Anthropic => format!("req_mock{n:012}"),
        _ => format!("mock-{n:012}"),
    }
}

/// The headers this provider sends along: its name for the call, and where the caller's limits stand.
pub(crate) fn headers(format: Format, n: u64) -> String {
    let mut text = String::with_capacity(320);
    let id = request_id(format, n);
    // Writing to memory does not fail.
    let _ = match format {
        Format::Anthropic => write!(
            text,
            "request-id: {id}\r\nanthropic-ratelimit-requests-limit: 4000\r\n\
             anthropic-ratelimit-requests-remaining: 3999\r\n\
             anthropic-ratelimit-requests-reset: 2030-01-01T00:00:00Z\r\n\
             anthropic-ratelimit-tokens-limit: 2000000\r\nanthropic-ratelimit-tokens-remaining: 1999000\r\n\
             anthropic-ratelimit-tokens-reset: 2030-01-01T00:00:00Z\r\n"
        ),
        Format::OpenAi | Format::Responses => write!(
            text,
            "x-request-id: {id}\r\nopenai-version: 2020-10-01\r\nopenai-processing-ms: 1\r\n\
             x-ratelimit-limit-requests: 10000\r\nx-ratelimit-remaining-requests: 9999\r\n\
             x-ratelimit-reset-requests: 6ms\r\nx-ratelimit-limit-tokens: 2000000\r\n\
             x-ratelimit-remaining-tokens: 1999000\r\nx-ratelimit-reset-tokens: 30ms\r\n"
        ),
        Format::Gemini => write!(text, "server: scaffolding on HTTPServer2\r\nserver-timing: gfet4t7; dur=1\r\n"),
        Format::Ollama => Ok(()),
    };
    text
}

/// A named server-sent event.
fn event(name: &str, data: &Value) -> Vec<u8> {
    format!("event: {name}\ndata: {data}\n\n").into_bytes()
}

/// A server-sent event without a name.
fn data(data: &Value) -> Vec<u8> {
    format!("data: {data}\n\n").into_bytes()
}
