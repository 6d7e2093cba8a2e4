//! Making the calls of a step: budget, prompt, tape, panel, tape again, then the session.
//! A reply is on the tape, and the tape on the disk, before anything is done with it (L7). Replies
//! that are there at the same time share one write. Deliberately absent: what a tape line looks like
//! (`taping`), and what happens when a budget is reached (`drive`).

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use jiff::Timestamp;
use s2s_engine::Session;
use s2s_engine::event::Event;
use s2s_engine::opening::SeatId;
use s2s_engine::record::RoundKind;
use s2s_engine::reply::Answer;
use s2s_engine::step::{Brief, CallId, CallKind};
use s2s_engine::strategy::Participation;
use s2s_models::money::Purse;
use s2s_models::{Fault, FaultKind, Prompt, Reply};
use s2s_store::{Keeper, TapeEntry};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tracing::Instrument;

use super::curtain::Curtain;
use super::drive::{Roundtable, Surroundings};
use super::notice::{CallEnd, Notice};
use super::recall::event_of;
use super::reserve::Rest;
use super::spans;
use super::taping::{Came, entry_asked, taped};
use crate::failure::Failure;
use crate::panel::{Answering, Call, Hearing, Sign, paid_once};
use crate::prompts::prompts_with;

/// How a step of calls ended.
pub(super) enum Asking {
    Done,
    Interrupted,
    /// A budget does not allow it; nothing was asked.
    OverBudget(String),
    /// These people have not answered; everybody else is done.
    Waiting(Vec<SeatId>),
}

/// A sign of life: which of the step's calls, and what was heard of it.
type Told = (usize, Heard);

enum Heard {
    Piece(String),
    Again { number: u32, why: String },
}

impl<K: Keeper> Roundtable<K> {
    pub(super) async fn ask(&mut self, briefs: Vec<Brief>, around: &mut Surroundings<'_>) -> Result<Asking, Failure> {
        let prompts = prompts_with(&self.session, &briefs, &self.charter, &mut self.systems)?;
        let prompts: Vec<Arc<Prompt>> = prompts.into_iter().map(Arc::new).collect();
        if let Some(text) = self.over_budget(&briefs)? {
            return Ok(Asking::OverBudget(text));
        }
        let (mut in_flight, mut asked) = (FuturesUnordered::new(), Vec::with_capacity(briefs.len()));
        let (signs, mut heard) = unbounded_channel();
        let is_person = |brief: &&Brief| self.session.is_human(&brief.call.seat);
        let people: Vec<CallId> = briefs.iter().filter(is_person).map(|brief| brief.call.clone()).collect();
        let reads_along = around.audience.reads_along();
        let now = self.clock.now();
        for (at, (brief, prompt)) in briefs.iter().zip(&prompts).enumerate() {
            let model = self.model_of(&brief.call.seat);
            let hearing = hearing(at, &signs, reads_along);
            let answering = self.answering(&self.session, brief, prompt, &model, Some(&hearing));
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
        drop((signs, prompts));
        // Nothing is polled, so nothing is sent, before the calls are on the tape.
        self.keeper.append(asked, false)?;
        let mut curtain = self.announce(&briefs, &people, now, around)?;
        let (mut waiting, mut last_model) = (Vec::new(), now);
        loop {
            // Replies first: one that is there is kept, even when the run is told to stop.
            let first = tokio::select! {
                biased;
                next = in_flight.next() => next,
                Some(first) = heard.recv() => {
                    tell_signs(first, &mut heard, &briefs, &mut curtain, around);
                    continue;
                }
                () = around.interrupt.requested() => return Ok(Asking::Interrupted),
            };
            let Some(first) = first else {
                // Waiting for people is no waiting for models.
                let waited = Duration::try_from(last_model.duration_since(now)).unwrap_or_default();
                self.ledger.waited(waited);
                if waiting.is_empty() {
                    return Ok(Asking::Done);
                }
                curtain.stays_closed(around);
                return Ok(Asking::Waiting(waiting));
            };
            let mut came = vec![first];
            while let Some(Some(next)) = in_flight.next().now_or_never() {
                came.push(next);
            }
            let batch = sorted(came, &people, now, &mut waiting);
            if batch.iter().any(|came| !came.human) {
                last_model = self.clock.now();
            }
            self.take(batch, &mut curtain, around)?;
        }
    }

    /// Tells the session and the audience who is asked; where people are, behind a curtain.
    fn announce(
        &mut self,
        briefs: &[Brief],
        people: &[CallId],
        now: Timestamp,
        around: &mut Surroundings<'_>,
    ) -> Result<Curtain, Failure> {
        let mut curtain = Curtain::before(people.iter().cloned());
        if let Some(first) = people.first() {
            let seats = people.iter().map(|call| call.seat.to_string()).collect();
            around.tell(Notice::PeopleAsked { round: first.round, seats });
            let blind = self.session.opening().settings.method.participation == Participation::Parallel;
            if blind && first.attempt == 1 {
                // Answers of an earlier run, which nobody was told of: people had not answered then.
                let kept = self.session.responses().map(|(seat, response)| Notice::Noted {
                    text: format!("{seat} has answered before ({:.2}): {}", response.confidence, response.position),
                });
                kept.for_each(|notice| curtain.tell(notice, around));
            }
        }
        for brief in briefs {
            self.session.apply(Event::Asked { call: brief.call.clone(), at: now })?;
            let (call, seat) = (brief.call.to_string(), brief.call.seat.to_string());
            let model = self.model_of(&brief.call.seat);
            curtain.tell(Notice::CallStarted { call, seat, model }, around);
        }
        Ok(curtain)
    }

    /// A call to the panel; one that does not pay by itself is paid for here.
    pub(super) fn answering(
        &self,
        session: &Session,
        brief: &Brief,
        prompt: &Arc<Prompt>,
        model: &str,
        heard: Option<&Hearing>,
    ) -> Answering {
        let purse: Arc<dyn Purse> = Arc::clone(&self.ledger) as Arc<dyn Purse>;
        let time_left = self.ledger.time_left();
        let call = Call { session, brief, prompt, model, purse: &purse, time_left, heard };
        let answering = self.panel.ask(call);
        if self.panel.pays() {
            return answering;
        }
        paid_once(answering, purse)
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
    fn take(&mut self, batch: Vec<Came>, curtain: &mut Curtain, around: &mut Surroundings<'_>) -> Result<(), Failure> {
        if batch.is_empty() {
            return Ok(());
        }
        let now = self.clock.now();
        let mut told = Vec::with_capacity(batch.len());
        let mut entries = Vec::with_capacity(batch.len());
        for came in batch {
            told.push((came.call.clone(), now.duration_since(came.asked_at).as_millis().max(0) as u64));
            entries.push(TapeEntry { at: now, what: taped(came) });
        }
        let spent = self.ledger.spent();
        let events: Vec<Option<Event>> = entries.iter().map(|entry| event_of(entry.at, &entry.what)).collect();
        self.keeper.append(entries, true)?;
        for (event, (call, duration_ms)) in events.into_iter().zip(told) {
            let Some(event) = event else { continue };
            let (end, cost_usd) = (end_of(&event), cost_of(&event));
            self.session.apply(event)?;
            let (name, seat) = (call.to_string(), call.seat.to_string());
            let ended = Notice::CallEnded { call: name, seat, end, duration_ms, cost_usd, spent_usd: spent.amount.usd };
            curtain.tell(ended, around);
            curtain.ended(&call, around);
        }
        curtain.tell(spent.told(), around);
        Ok(())
    }

    /// The model that answers for a seat in this run.
    pub(super) fn model_of(&self, seat: &str) -> String {
        self.panel.seat_model(seat).0
    }
}

/// What has come to its end. Whom people keep waiting is noted; nothing of that is written down, for the same call is
/// made again later.
fn sorted(
    came: Vec<(CallId, Result<Reply, Fault>)>,
    people: &[CallId],
    asked_at: Timestamp,
    waiting: &mut Vec<SeatId>,
) -> Vec<Came> {
    let mut batch = Vec::with_capacity(came.len());
    for (call, result) in came {
        match &result {
            Err(fault) if fault.kind == FaultKind::Waits => waiting.push(call.seat),
            _ => batch.push(Came { human: people.contains(&call), call, asked_at, result }),
        }
    }
    batch
}

/// Passes on what is heard of a call; its text only where somebody reads along.
fn hearing(at: usize, signs: &UnboundedSender<Told>, reads_along: bool) -> Hearing {
    let signs = signs.clone();
    Arc::new(move |sign: Sign<'_>| {
        let heard = match sign {
            Sign::Piece(text) if reads_along => Heard::Piece(text.to_owned()),
            Sign::Piece(_) => return,
            Sign::Again { number, why } => Heard::Again { number, why: why.to_owned() },
        };
        // Nobody listens any more once the step is over.
        let _ = signs.send((at, heard));
    })
}

/// Tells the signs that are there, the pieces of one call together. Pieces are for the moment: behind a curtain they are
/// not kept.
fn tell_signs(
    first: Told,
    heard: &mut UnboundedReceiver<Told>,
    briefs: &[Brief],
    curtain: &mut Curtain,
    around: &mut Surroundings<'_>,
) {
    let mut by_call = vec![String::new(); briefs.len()];
    let names = |brief: &Brief| (brief.call.to_string(), brief.call.seat.to_string());
    let mut next = Some(first);
    while let Some((at, sign)) = next {
        match sign {
            Heard::Piece(text) => by_call[at].push_str(&text),
            Heard::Again { number, why } => {
                by_call[at].clear();
                let (call, seat) = names(&briefs[at]);
                curtain.tell(Notice::CallRetried { call, seat, attempt: number, why }, around);
            }
        }
        next = heard.try_recv().ok();
    }
    if curtain.is_closed() {
        return;
    }
    for (brief, text) in briefs.iter().zip(by_call).filter(|(_, text)| !text.is_empty()) {
        let (call, seat) = names(brief);
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
fn cost_of(event: &Event) -> f64 {
    match event {
        Event::Answered { usage, .. } | Event::Refused { usage, .. } | Event::Failed { usage, .. } => usage.cost_usd,
        _ => 0.0,
    }
}
