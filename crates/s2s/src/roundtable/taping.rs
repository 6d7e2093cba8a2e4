//! What a call leaves on the tape: the line before it, and the line that ends it.
//! Given a call and what came; hands on entries. Every try is on it, with what it cost. Deliberately absent:
//! writing them down.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use s2s_engine::opening::HUMAN;
use s2s_engine::record::{StandIn, Usage};
use s2s_engine::step::{Brief, CallId};
use s2s_models::money::{Amount, tokens_at_most};
use s2s_models::{Fault, Prompt, Reply, Stop, Try};
use s2s_store::{Answered, Asked, Failed, TapeEntry, Taped};

use crate::reading::MAX_REPLY_BYTES;

/// How much of an oversized reply is kept as evidence.
const KEPT_OF_OVERSIZE: usize = 64 << 10;

/// How a call ended.
pub(super) struct Came {
    pub call: CallId,
    /// Whether a person was asked, who costs nothing (H1).
    pub human: bool,
    pub asked_at: Timestamp,
    pub result: Result<Reply, Fault>,
}

/// A call that is about to be made.
pub(super) fn entry_asked(at: Timestamp, brief: &Brief, model: String, prompt: &Prompt, most: Amount) -> TapeEntry {
    let prompt = s2s_store::Prompt { system: Arc::clone(&prompt.system), user: prompt.user.clone() };
    let (reserved_usd, reserved_tokens) = (most.usd, most.tokens);
    let asked = Asked { call: brief.call.clone(), model, prompt, reserved_usd, reserved_tokens, question: None };
    TapeEntry { at, what: Taped::Asked(asked) }
}

/// What a call counts at that was asked and has no end on the tape: it was sent, and may have to be paid in full (L7).
pub(crate) fn lost(asked: &Asked) -> Usage {
    if asked.model == HUMAN {
        return Usage::default();
    }
    let prompt = tokens_at_most(&asked.prompt.system) + tokens_at_most(&asked.prompt.user);
    Usage {
        calls: 1,
        input_tokens: prompt,
        output_tokens: asked.reserved_tokens.saturating_sub(prompt),
        cost_usd: asked.reserved_usd,
        ..Usage::default()
    }
}

/// A call that has ended.
pub(super) fn taped(came: Came) -> Taped {
    let Came { call, human, asked_at, result } = came;
    match result {
        Ok(reply) => {
            let reply = within_size(reply);
            let usage = usage(&reply.usage, !human, &reply.tries);
            let tries = tries(asked_at, &reply.tries);
            Taped::Answered(Answered {
                call,
                reply: reply.text,
                stop: Some(reply.stop.as_str().to_owned()),
                usage,
                request_id: reply.request_id,
                by: reply.by.map(|by| StandIn { model: by.model, family: by.family }),
                tries,
            })
        }
        Err(fault) => {
            let error = match &fault.next {
                Some(next) => format!("{fault}; {next}"),
                None => fault.to_string(),
            };
            let usage = usage(&fault.usage, fault.kind.was_sent(), &fault.tries);
            let tries = tries(asked_at, &fault.tries);
            let (model, details) = (fault.model.map(String::from), fault.details.map(String::from));
            let request_id = fault.request_id;
            Taped::Failed(Failed { call, error, usage, model, request_id, details, tries })
        }
    }
}

/// The cost of the last try and of those before it; what never reached a provider is no call.
pub(crate) fn usage(last: &s2s_models::Usage, sent: bool, tries: &[Try]) -> Usage {
    let calls = tries.iter().filter(|failed| failed.sent).count() as u32 + u32::from(sent);
    let mut all = Usage { calls, ..Usage::default() };
    for usage in tries.iter().map(|failed| &failed.usage).chain([last]) {
        all.add_tokens(&of_try(usage, true));
    }
    all
}

fn of_try(usage: &s2s_models::Usage, sent: bool) -> Usage {
    Usage {
        calls: u32::from(sent),
        input_tokens: usage.input_tokens,
        cached_tokens: usage.cached_tokens,
        output_tokens: usage.output_tokens,
        cost_usd: usage.cost_usd,
        ..Usage::default()
    }
}

fn tries(asked_at: Timestamp, tries: &[Try]) -> Vec<s2s_store::Try> {
    let entry = |failed: &Try| {
        let after = SignedDuration::from_millis(failed.after.as_millis() as i64);
        let at = asked_at.checked_add(after).unwrap_or(asked_at);
        let usage = Some(of_try(&failed.usage, failed.sent));
        let (model, error) = (Some(failed.model.clone()), failed.error.clone());
        s2s_store::Try { at, model, error, usage, request_id: failed.request_id.clone() }
    };
    tries.iter().map(entry).collect()
}

/// A reply beyond the limit will be refused; its start is evidence enough.
pub(crate) fn within_size(mut reply: Reply) -> Reply {
    if reply.text.len() > MAX_REPLY_BYTES {
        let mut end = KEPT_OF_OVERSIZE;
        while !reply.text.is_char_boundary(end) {
            end -= 1;
        }
        reply.text.truncate(end);
        reply.text.shrink_to_fit();
        reply.stop = Stop::Oversize;
    }
    reply
}
