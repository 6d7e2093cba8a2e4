//! What is traced of a roundtable: a span for the session, each of its rounds and each call, and a line where
//! something begins, ends or waits. Given the session and what came; hands on spans, which cost nothing while
//! nobody subscribes. Names are those of OpenTelemetry's GenAI conventions where they have one, else `s2s.…`.
//! Deliberately absent: subscribers, and every text of people and models: topic, question, prompt, reply, error.

use s2s_engine::Session;
use s2s_engine::step::{Brief, Step};
use s2s_models::{Fault, Reply};
use tracing::field::{Empty, display};
use tracing::{Span, debug, info, info_span, warn};

use super::drive::{Ended, Paused};
use super::ledger::Spent;
use crate::failure::Failure;

/// The span of a session, from where this run takes it up to where it ends or waits.
pub(super) fn session(session: &Session) -> Span {
    let opening = session.opening();
    let seats = || opening.seats.iter().map(|seat| seat.id.to_string()).collect::<Vec<_>>().join(",");
    info_span!(
        "session",
        otel.name = "invoke_workflow roundtable",
        otel.status_code = Empty,
        gen_ai.operation.name = "invoke_workflow",
        gen_ai.workflow.name = "roundtable",
        gen_ai.conversation.id = opening.id,
        "error.type" = Empty,
        s2s.session.id = opening.id,
        s2s.strategy = opening.settings.method.name,
        s2s.workflow = display(opening.workflow),
        s2s.seats = seats(),
        s2s.rounds = Empty,
        s2s.end = Empty,
        s2s.session.cost_usd = Empty,
    )
}

/// Puts how a run ended into its span.
pub(super) fn session_ended(span: &Span, ended: &Result<Ended, Failure>, session: &Session, spent: &Spent) {
    if span.is_disabled() {
        return;
    }
    let (rounds, cost_usd) = (count(session.rounds().len() as u64), spent.amount.usd);
    let end = match ended {
        Ok(Ended::Completed(_)) => "completed",
        Ok(Ended::Paused(paused)) => cause(paused),
        Err(_) => "failed",
    };
    span.record("s2s.rounds", rounds);
    span.record("s2s.end", end);
    span.record("s2s.session.cost_usd", cost_usd);
    match ended {
        Ok(Ended::Completed(_) | Ended::Paused(Paused::ForRuling(_) | Paused::ByPerson | Paused::Interrupted)) => {
            span.in_scope(|| info!(end, rounds, cost_usd, "session ended"));
        }
        _ => {
            let kind = ended.as_ref().err().map_or(end, |failure| failure.kind.as_str());
            span.record("error.type", kind);
            span.record("otel.status_code", "ERROR");
            span.in_scope(|| warn!(end, rounds, cost_usd, "error.type" = kind, "session ended"));
        }
    }
}

/// The round whose calls are being made, over all its steps.
#[derive(Default)]
pub(super) struct RoundSpan(Option<(u32, Span)>);

impl RoundSpan {
    /// The span in which a step is taken. A round lasts from its first call to its last reply; every other step
    /// belongs to the session.
    pub(super) fn of(&mut self, session: &Session, step: &Step<'_>) -> Span {
        let number = session.round_number();
        if !matches!(step, Step::Ask(_)) {
            self.0 = None;
            return Span::current();
        }
        match &self.0 {
            Some((known, span)) if *known == number => span.clone(),
            _ => {
                let span = round(session, number);
                self.0 = Some((number, span.clone()));
                span
            }
        }
    }
}

fn round(session: &Session, number: u32) -> Span {
    let phase = session.phase().name.as_str();
    let span = info_span!(
        "round",
        otel.name = format!("round {number}"),
        s2s.session.id = session.opening().id,
        s2s.round = i64::from(number),
        s2s.phase = phase,
    );
    span.in_scope(|| info!(phase, "round begins"));
    span
}

/// The span of a call: from the moment it may be sent until its reply, or its last failure, is there.
pub(super) fn call(session: &Session, brief: &Brief, model: &str) -> Span {
    let id = &brief.call;
    let span = info_span!(
        "call",
        otel.name = format!("invoke_agent {}", id.seat),
        otel.status_code = Empty,
        gen_ai.operation.name = "invoke_agent",
        gen_ai.agent.name = display(&id.seat),
        gen_ai.conversation.id = session.opening().id,
        "error.type" = Empty,
        s2s.session.id = session.opening().id,
        s2s.round = i64::from(id.round),
        s2s.seat = display(&id.seat),
        s2s.call = display(id),
        s2s.model = model,
        s2s.answered_by = Empty,
        s2s.failed_tries = Empty,
    );
    span.in_scope(|| debug!("call begins"));
    span
}

/// Puts what came back into the span of a call, which is the current one.
pub(super) fn call_ended(result: &Result<Reply, Fault>) {
    let span = Span::current();
    if span.is_disabled() {
        return;
    }
    match result {
        Ok(reply) => {
            let failed_tries = count(reply.tries.len() as u64);
            span.record("s2s.failed_tries", failed_tries);
            if let Some(by) = &reply.by {
                span.record("s2s.answered_by", by.model.as_str());
            }
            let usage = reply.usage;
            let (input_tokens, output_tokens) = (count(usage.input_tokens), count(usage.output_tokens));
            let cost_usd = usage.cost_usd;
            info!(failed_tries, input_tokens, output_tokens, cost_usd, "call answered");
        }
        Err(fault) => {
            // The last try stands in the fault itself.
            let failed_tries = count(fault.tries.len() as u64 + 1);
            span.record("s2s.failed_tries", failed_tries);
            span.record("error.type", display(fault.kind));
            span.record("otel.status_code", "ERROR");
            warn!(failed_tries, "error.type" = %fault.kind, "call failed");
        }
    }
}

/// Says that a person or a policy must decide.
pub(super) fn escalated(id: &str) {
    info!(escalation = id, "escalation raised");
}

/// Traces know signed numbers only; others would become texts.
fn count(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn cause(paused: &Paused) -> &'static str {
    match paused {
        Paused::ForRuling(_) => "waits_for_ruling",
        Paused::ForPeople(_) => "waits_for_people",
        Paused::NobodyAnswered(_) => "nobody_answered",
        Paused::OverBudget(_) => "over_budget",
        Paused::ByPerson => "paused_by_person",
        Paused::Interrupted => "interrupted",
    }
}
