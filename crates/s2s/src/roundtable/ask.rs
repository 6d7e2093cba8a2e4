//! Making the calls of a step: prompt, tape, panel, tape again, then the session.
//! A reply is on the tape, and the tape on the disk, before anything is done with it (L7). Replies
//! that are there at the same time share one write.

use futures_util::FutureExt;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use jiff::Timestamp;
use s2s_engine::event::Event;
use s2s_engine::opening::FACILITATOR;
use s2s_engine::record::Usage;
use s2s_engine::reply::Answer;
use s2s_engine::step::{Brief, CallId};
use s2s_models::{Fault, Prompt, Reply, Stop};
use s2s_store::{Answered, Asked, Failed, Keeper, TapeEntry, Taped};

use super::drive::{Roundtable, Surroundings};
use super::notice::{CallEnd, Notice};
use super::recall::event_of;
use crate::failure::Failure;
use crate::panel::Call;
use crate::prompts::prompt_for;
use crate::reading::MAX_REPLY_BYTES;

/// How much of an oversized reply is kept as evidence.
const KEPT_OF_OVERSIZE: usize = 64 << 10;

/// How a step of calls ended.
pub(super) enum Asking {
    Done,
    Interrupted,
}

struct Came {
    call: CallId,
    asked_at: Timestamp,
    result: Result<Reply, Fault>,
}

impl<K: Keeper> Roundtable<K> {
    pub(super) async fn ask(&mut self, briefs: Vec<Brief>, around: &mut Surroundings<'_>) -> Result<Asking, Failure> {
        let mut in_flight = FuturesUnordered::new();
        let mut asked = Vec::with_capacity(briefs.len());
        let now = self.clock.now();
        for brief in &briefs {
            let prompt = prompt_for(&self.session, brief, &self.charter)?;
            let model = self.model_of(&brief.call.seat);
            let call = Call { session: &self.session, brief, prompt: &prompt, model: &model };
            let answering = self.panel.ask(call);
            let id = brief.call.clone();
            in_flight.push(async move { (id, answering.await) });
            asked.push(entry_asked(now, brief, model, prompt));
        }
        // Nothing is polled, so nothing is sent, before the calls are on the tape.
        self.keeper.append(asked, false)?;
        for brief in &briefs {
            self.session.apply(Event::Asked { call: brief.call.clone(), at: now })?;
            around.tell(Notice::CallStarted { call: brief.call.to_string(), seat: brief.call.seat.to_string() });
        }
        loop {
            // Replies first: one that is there is kept, even when the run is told to stop.
            let first = tokio::select! {
                biased;
                next = in_flight.next() => next,
                () = around.interrupt.requested() => return Ok(Asking::Interrupted),
            };
            let Some((call, result)) = first else { return Ok(Asking::Done) };
            let mut batch = vec![Came { call, asked_at: now, result }];
            while let Some(Some((call, result))) = in_flight.next().now_or_never() {
                batch.push(Came { call, asked_at: now, result });
            }
            self.take(batch, around)?;
        }
    }

    /// Puts what came onto the tape, then into the session.
    fn take(&mut self, batch: Vec<Came>, around: &mut Surroundings<'_>) -> Result<(), Failure> {
        let now = self.clock.now();
        let mut told = Vec::with_capacity(batch.len());
        let mut entries = Vec::with_capacity(batch.len());
        for came in batch {
            told.push((came.call.clone(), now.duration_since(came.asked_at).as_millis().max(0) as u64));
            entries.push(TapeEntry { at: now, what: taped(came) });
        }
        let events: Vec<Option<Event>> = entries.iter().map(|entry| event_of(entry.at, &entry.what)).collect();
        self.keeper.append(entries, true)?;
        for (event, (call, duration_ms)) in events.into_iter().zip(told) {
            let Some(event) = event else { continue };
            let end = end_of(&event);
            self.session.apply(event)?;
            around.tell(Notice::CallEnded { call: call.to_string(), seat: call.seat.to_string(), end, duration_ms });
        }
        Ok(())
    }

    fn model_of(&self, seat: &str) -> String {
        let seats = &self.session.opening().seats;
        let seated = seats.iter().find(|other| &*other.id == seat).map(|other| other.model.clone());
        seated.unwrap_or_else(|| self.panel.seat_model(FACILITATOR).0)
    }
}

fn entry_asked(at: Timestamp, brief: &Brief, model: String, prompt: Prompt) -> TapeEntry {
    let prompt = s2s_store::Prompt { system: prompt.system, user: prompt.user };
    TapeEntry { at, what: Taped::Asked(Asked { call: brief.call.clone(), model, prompt, reserved_usd: 0.0 }) }
}

fn taped(came: Came) -> Taped {
    match came.result {
        Ok(reply) => {
            let reply = within_size(reply);
            Taped::Answered(Answered {
                call: came.call,
                reply: reply.text,
                stop: Some(reply.stop.as_str().to_owned()),
                usage: Usage {
                    calls: 1,
                    input_tokens: reply.usage.input_tokens,
                    cached_tokens: reply.usage.cached_tokens,
                    output_tokens: reply.usage.output_tokens,
                    cost_usd: reply.usage.cost_usd,
                    duration_ms: 0,
                },
                request_id: reply.request_id,
                tries: Vec::new(),
            })
        }
        Err(fault) => Taped::Failed(Failed { call: came.call, error: fault.to_string(), tries: Vec::new() }),
    }
}

/// A reply beyond the limit will be refused; its start is evidence enough.
fn within_size(mut reply: Reply) -> Reply {
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

fn end_of(event: &Event) -> CallEnd {
    match event {
        Event::Answered { answer, doubts, .. } => {
            let (confidence, position) = match answer {
                Answer::Response(response) => (Some(response.confidence), Some(response.position.clone())),
                _ => (None, None),
            };
            CallEnd::Answered { confidence, position, doubts: doubts.clone() }
        }
        Event::Refused { reason, .. } => CallEnd::Refused { reason: reason.clone() },
        Event::Failed { error, .. } => CallEnd::Failed { error: error.clone() },
        _ => CallEnd::Failed { error: "not a reply".to_owned() },
    }
}
