//! Making the calls of a step: budget, prompt, tape, panel, tape again, then the session.
//! A reply is on the tape, and the tape on the disk, before anything is done with it (L7). Replies
//! that are there at the same time share one write. Deliberately absent: what a tape line looks like
//! (`taping`), and what happens when a budget is reached (`drive`).

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use s2s_engine::event::Event;
use s2s_engine::record::RoundKind;
use s2s_engine::reply::Answer;
use s2s_engine::step::{Brief, CallKind};
use s2s_models::Prompt;
use s2s_models::money::{Amount, Purse};
use s2s_store::{Keeper, TapeEntry};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tracing::Instrument;

use super::drive::{Roundtable, Surroundings};
use super::notice::{CallEnd, Notice};
use super::recall::event_of;
use super::reserve::Rest;
use super::spans;
use super::taping::{Came, entry_asked, taped};
use crate::failure::Failure;
use crate::panel::{Answering, Call, Hearing};
use crate::prompts::prompts_with;

/// How a step of calls ended.
pub(super) enum Asking {
    Done,
    Interrupted,
    /// A budget does not allow it; nothing was asked.
    OverBudget(String),
}

/// A piece of a reply: which of the step's calls, and what was heard.
type Piece = (usize, String);

impl<K: Keeper> Roundtable<K> {
    pub(super) async fn ask(&mut self, briefs: Vec<Brief>, around: &mut Surroundings<'_>) -> Result<Asking, Failure> {
        let prompts = prompts_with(&self.session, &briefs, &self.charter, &mut self.systems)?;
        let prompts: Vec<Arc<Prompt>> = prompts.into_iter().map(Arc::new).collect();
        if let Some(text) = self.over_budget(&briefs)? {
            return Ok(Asking::OverBudget(text));
        }
        let (mut in_flight, mut asked) = (FuturesUnordered::new(), Vec::with_capacity(briefs.len()));
        let (pieces, mut heard) = unbounded_channel();
        let reads_along = around.audience.reads_along();
        let now = self.clock.now();
        for (at, (brief, prompt)) in briefs.iter().zip(&prompts).enumerate() {
            let model = self.model_of(&brief.call.seat);
            let hearing = reads_along.then(|| hearing(at, &pieces));
            let answering = self.answering(brief, prompt, &model, hearing.as_ref());
            let (id, span) = (brief.call.clone(), spans::call(&self.session, brief, &model));
            let traced = async move {
                let result = answering.await;
                spans::call_ended(&result);
                (id, result)
            };
            in_flight.push(traced.instrument(span));
            let most = self.panel.at_most(&brief.call.seat, prompt.tokens_at_most());
            asked.push(entry_asked(now, brief, model, prompt, most));
        }
        drop((pieces, prompts));
        // Nothing is polled, so nothing is sent, before the calls are on the tape.
        self.keeper.append(asked, false)?;
        for brief in &briefs {
            self.session.apply(Event::Asked { call: brief.call.clone(), at: now })?;
            let (call, seat) = (brief.call.to_string(), brief.call.seat.to_string());
            let model = self.model_of(&brief.call.seat);
            around.tell(Notice::CallStarted { call, seat, model });
        }
        loop {
            // Replies first: one that is there is kept, even when the run is told to stop.
            let first = tokio::select! {
                biased;
                next = in_flight.next() => next,
                Some(piece) = heard.recv(), if reads_along => {
                    tell_pieces(piece, &mut heard, &briefs, around);
                    continue;
                }
                () = around.interrupt.requested() => return Ok(Asking::Interrupted),
            };
            let Some((call, result)) = first else {
                let waited = Duration::try_from(self.clock.now().duration_since(now)).unwrap_or_default();
                self.ledger.waited(waited);
                return Ok(Asking::Done);
            };
            let mut batch = vec![Came { call, asked_at: now, result }];
            while let Some(Some((call, result))) = in_flight.next().now_or_never() {
                batch.push(Came { call, asked_at: now, result });
            }
            self.take(batch, around)?;
        }
    }

    /// A call to the panel; one that does not pay by itself is paid for here.
    fn answering(&self, brief: &Brief, prompt: &Arc<Prompt>, model: &str, heard: Option<&Hearing>) -> Answering {
        let purse: Arc<dyn Purse> = Arc::clone(&self.ledger) as Arc<dyn Purse>;
        let time_left = self.ledger.time_left();
        let call = Call { session: &self.session, brief, prompt, model, purse: &purse, time_left, heard };
        let answering = self.panel.ask(call);
        if self.panel.pays() {
            return answering;
        }
        let one = Amount { calls: 1, ..Amount::default() };
        Box::pin(async move {
            purse.reserve(one)?;
            let result = answering.await;
            purse.settle(one, one);
            result
        })
    }

    /// The sentence of the budget that does not allow this step, if one does not. A round is admitted as a whole, and what
    /// it takes to sum it up is kept back (D2). Second attempts and the summing up itself are reserved call by call:
    /// without them the rules have their fallbacks.
    fn over_budget(&self, briefs: &[Brief]) -> Result<Option<String>, Failure> {
        let Some(first) = briefs.iter().map(|brief| &brief.call).find(|call| call.attempt == 1) else {
            return Ok(None);
        };
        if first.kind == CallKind::Synthesis || !self.ledger.is_limited() {
            self.ledger.release();
            return Ok(None);
        }
        let rest = Rest::of_round(&self.session, &self.charter, &*self.panel)?;
        let longest = self.panel.longest_wait();
        let Err(text) = self.ledger.admit(rest.now(), rest.later, longest) else { return Ok(None) };
        let answered = self.session.responses().next().is_some();
        let asked = self.session.round_kind() == RoundKind::Discussion && !self.session.is_probing();
        if first.kind != CallKind::Response || !(answered || asked) {
            return Ok(Some(text));
        }
        // This round is under way, and took more than was to be expected: whom the budget does not reach stays silent,
        // and what was answered is summed up.
        let one = rest.calls.first().copied().filter(|_| !answered).unwrap_or_default();
        Ok(self.ledger.admit(one, rest.later, longest).err().map(|_| text))
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
        let spent_usd = self.ledger.spent().amount.usd;
        let events: Vec<Option<Event>> = entries.iter().map(|entry| event_of(entry.at, &entry.what)).collect();
        self.keeper.append(entries, true)?;
        for (event, (call, duration_ms)) in events.into_iter().zip(told) {
            let Some(event) = event else { continue };
            let (end, cost_usd) = (end_of(&event), cost_of(&event));
            self.session.apply(event)?;
            let (call, seat) = (call.to_string(), call.seat.to_string());
            around.tell(Notice::CallEnded { call, seat, end, duration_ms, cost_usd, spent_usd });
        }
        Ok(())
    }

    /// The model that answers for a seat in this run.
    fn model_of(&self, seat: &str) -> String {
        self.panel.seat_model(seat).0
    }
}

fn hearing(at: usize, pieces: &UnboundedSender<Piece>) -> Hearing {
    let pieces = pieces.clone();
    Arc::new(move |text: &str| {
        // Nobody listens any more once the step is over.
        let _ = pieces.send((at, text.to_owned()));
    })
}

/// Tells the pieces that are there, those of one call together.
fn tell_pieces(first: Piece, heard: &mut UnboundedReceiver<Piece>, briefs: &[Brief], around: &mut Surroundings<'_>) {
    let mut by_call = vec![String::new(); briefs.len()];
    let mut next = Some(first);
    while let Some((at, text)) = next {
        by_call[at].push_str(&text);
        next = heard.try_recv().ok();
    }
    for (brief, text) in briefs.iter().zip(by_call).filter(|(_, text)| !text.is_empty()) {
        let (call, seat) = (brief.call.to_string(), brief.call.seat.to_string());
        around.tell(Notice::Heard { call, seat, text });
    }
}

/// How a call ended, from what the session was told of it.
pub(crate) fn end_of(event: &Event) -> CallEnd {
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

/// What a call cost, in US dollars.
pub(crate) fn cost_of(event: &Event) -> f64 {
    match event {
        Event::Answered { usage, .. } | Event::Refused { usage, .. } | Event::Failed { usage, .. } => usage.cost_usd,
        _ => 0.0,
    }
}
