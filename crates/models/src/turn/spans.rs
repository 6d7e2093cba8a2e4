//! What is traced of a turn: one span per try that was sent, in the words of OpenTelemetry's GenAI conventions.
//! Given a try and how it ended; hands on a span, which costs nothing while nobody subscribes. What a provider
//! said about a failure stays out of it, because it may quote the prompt: traces have the kind, the tape the rest.
//! Deliberately absent: subscribers, exporters, and any text of a prompt or a reply, unless somebody subscribes
//! to the target [`CONTENT`].

use tracing::field::Empty;
use tracing::{Level, Span, enabled, info_span, trace, warn};

use super::Choice;
use crate::{Ask, Fault, Reply, Stop, Usage};

/// The target under which prompts and replies are told, at the level `TRACE`, to whoever asks for exactly this.
pub const CONTENT: &str = "s2s_models::content";

/// The span of one try, named as the conventions ask.
pub(super) fn of_try(choice: &Choice, ask: &Ask, number: usize) -> Span {
    info_span!(
        "try",
        otel.name = format!("chat {}", choice.model),
        otel.kind = "client",
        otel.status_code = Empty,
        gen_ai.operation.name = "chat",
        gen_ai.provider.name = provider(choice.outlet.name()),
        gen_ai.request.model = choice.model,
        gen_ai.request.max_tokens = i64::from(ask.max_output_tokens),
        gen_ai.request.temperature = ask.temperature,
        gen_ai.output.type = if ask.shape.is_some() { "json" } else { "text" },
        gen_ai.response.id = Empty,
        gen_ai.response.finish_reasons = Empty,
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        gen_ai.usage.cache_read.input_tokens = Empty,
        gen_ai.usage.cache_creation.input_tokens = Empty,
        "error.type" = Empty,
        "s2s.try" = count(number as u64),
        s2s.cost_usd = Empty,
    )
}

/// Puts the end of a try into its span.
pub(super) fn ended(span: &Span, ask: &Ask, result: &Result<Reply, Fault>) {
    if span.is_disabled() {
        return;
    }
    let (usage, id) = match result {
        Ok(reply) => (&reply.usage, &reply.request_id),
        Err(fault) => (&fault.usage, &fault.request_id),
    };
    paid(span, usage);
    if let Some(id) = id {
        span.record("gen_ai.response.id", id.as_str());
    }
    match result {
        Ok(reply) => {
            span.record("gen_ai.response.finish_reasons", finish_reason(reply.stop));
        }
        Err(fault) => {
            span.record("error.type", tracing::field::display(fault.kind));
            span.record("otel.status_code", "ERROR");
        }
    }
    if enabled!(target: CONTENT, Level::TRACE) {
        span.in_scope(|| content(ask, result.as_ref().ok()));
    }
}

/// Says that a try failed, and whether there is another.
pub(super) fn failed(choice: &Choice, fault: &Fault, number: usize, again_in_ms: Option<u128>) {
    let kind = tracing::field::display(fault.kind);
    let again_in_ms = again_in_ms.map(|wait| i64::try_from(wait).unwrap_or(i64::MAX));
    warn!("s2s.try" = count(number as u64), s2s.model = choice.name(), "error.type" = kind, again_in_ms, "try failed");
}

/// Says that a model was not asked, because of what it answered before.
pub(super) fn passed_over(choice: &Choice, before: &Fault) {
    let kind = tracing::field::display(before.kind);
    warn!(s2s.model = choice.name(), "error.type" = kind, "model passed over");
}

fn paid(span: &Span, usage: &Usage) {
    span.record("gen_ai.usage.input_tokens", count(usage.input_tokens));
    span.record("gen_ai.usage.output_tokens", count(usage.output_tokens));
    if usage.cached_tokens > 0 {
        span.record("gen_ai.usage.cache_read.input_tokens", count(usage.cached_tokens));
    }
    if usage.cache_write_tokens > 0 {
        span.record("gen_ai.usage.cache_creation.input_tokens", count(usage.cache_write_tokens));
    }
    span.record("s2s.cost_usd", usage.cost_usd);
}

/// The prompt and the reply, as the conventions' event for them has it.
fn content(ask: &Ask, reply: Option<&Reply>) {
    let part = |text: &str| serde_json::json!({ "type": "text", "content": text });
    let system = serde_json::json!([part(&ask.prompt.system)]).to_string();
    let input = serde_json::json!([{ "role": "user", "parts": [part(&ask.prompt.user)] }]).to_string();
    let output = reply.map(|reply| {
        let reason = finish_reason(reply.stop);
        serde_json::json!([{ "role": "assistant", "parts": [part(&reply.text)], "finish_reason": reason }]).to_string()
    });
    trace!(
        target: CONTENT,
        { gen_ai.system_instructions = system, gen_ai.input.messages = input, gen_ai.output.messages = output },
        "gen_ai.client.inference.operation.details"
    );
}

/// The conventions' own names for providers that have one; any other keeps the name it has here.
fn provider(name: &str) -> &str {
    match name {
        "gemini" => "gcp.gemini",
        "mistral" => "mistral_ai",
        "xai" | "grok" => "x_ai",
        other => other,
    }
}

/// Traces know signed numbers only; others would become texts.
fn count(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn finish_reason(stop: Stop) -> &'static str {
    match stop {
        Stop::End => "stop",
        Stop::Length => "length",
        Stop::Filter => "content_filter",
        Stop::Oversize => "oversize",
    }
}
