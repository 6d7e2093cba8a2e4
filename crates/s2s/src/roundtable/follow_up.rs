//! A follow-up: a person asks one seat something after a round, outside the votes (L9).
//! Given a seat and a question; makes one call, paid from the session's budget, and tells the answer. Question and
//! answer are on the tape alone, beside the record: the minutes, the next prompts and a replay are what they would be
//! without. Deliberately absent: follow-ups while a round is under way.

use std::sync::Arc;

use s2s_engine::opening::SeatId;
use s2s_engine::step::{Brief, CallId, CallKind};
use s2s_engine::{Past, Session};
use s2s_models::money::Amount;
use s2s_models::{Fault, Prompt, Reply};
use s2s_store::{Keeper, Minutes, StoreError, TapeEntry, TapeLine, Taped};

use super::drive::{Ended, Paused, Roundtable, Surroundings};
use super::notice::{CallEnd, Notice};
use super::recall::remembered;
use super::taping::{Came, entry_asked, taped};
use crate::clean::clean_text;
use crate::failure::Failure;
use crate::prompts::{Followed, followed_up_on, followup_prompt};

/// The follow-ups of a session that were answered, in order.
pub fn follow_ups(tape: &[TapeLine]) -> Vec<Followed> {
    followed_up_on(tape)
}

/// The session as it stood when this round was committed, before anything that people did after it.
pub(crate) fn after_round(minutes: &Minutes, tape: &[TapeLine], round: u32) -> Result<Session, StoreError> {
    let past = Past {
        rounds: minutes.rounds().iter().filter(|held| held.number <= round).cloned().collect(),
        escalations: minutes.escalations().iter().filter(|raised| raised.round < round).cloned().collect(),
        interventions: minutes.interventions().iter().filter(|done| done.after_round < round).cloned().collect(),
        current_phase: None,
        outcome: None,
    };
    let mut session = Session::fold(minutes.opening()?, past);
    remembered(&mut session, tape);
    Ok(session)
}

impl<K: Keeper> Roundtable<K> {
    /// Asks one seat; what stands in the way is told, and stops nothing.
    pub(super) async fn follow_up(
        &mut self,
        seat: &str,
        question: &str,
        around: &mut Surroundings<'_>,
    ) -> Result<Option<Ended>, Failure> {
        let question = clean_text(question).trim().to_owned();
        let seat = match self.who_is(seat) {
            Ok(seat) if !question.is_empty() => seat,
            Ok(_) => return Ok(None),
            Err(text) => {
                around.tell(Notice::Warned { text });
                return Ok(None);
            }
        };
        let tape = self.keeper.tape()?.lines;
        let round = self.session.rounds().len() as u32;
        let then = after_round(self.keeper.minutes(), &tape, round)?;
        let prompt = followup_prompt(&then, &self.charter, &seat, &question, &followed_up_on(&tape))?;
        let most = self.panel.at_most(&seat, prompt.tokens_at_most());
        if let Err(text) = self.ledger.admit(most, Amount::default(), self.panel.longest_wait()) {
            around.tell(Notice::Warned { text: format!("{seat} was not asked. {text}.") });
            return Ok(None);
        }
        let asked = |line: &&TapeLine| {
            let Taped::Asked(asked) = &line.what else { return false };
            let CallId { round: after, kind, seat: who, .. } = &asked.call;
            (*after, *kind, who) == (round, CallKind::Followup, &seat)
        };
        let attempt = tape.iter().filter(asked).count() as u32 + 1;
        let call = CallId { round, kind: CallKind::Followup, seat, attempt };
        let brief = Brief { call, retry_reason: None, ballot: Arc::default() };
        let Some(came) = self.call(&then, &brief, prompt, most, &question, around).await? else {
            return self.pause(Paused::Interrupted, around).map(Some);
        };
        self.keep(came, &question, around)?;
        Ok(None)
    }

    /// The seat that is meant, by id or by name; else why nobody can be asked.
    fn who_is(&self, named: &str) -> Result<SeatId, String> {
        let seats = &self.session.opening().seats;
        let is = |text: &str| text.eq_ignore_ascii_case(named.trim());
        let Some(seat) = seats.iter().find(|seat| is(&seat.id) || is(&seat.name)) else {
            let names: Vec<&str> = seats.iter().map(|seat| &*seat.id).collect();
            return Err(format!("\"{named}\" does not sit at this table; there are {}.", names.join(", ")));
        };
        if seat.is_human() {
            return Err(format!("{} is a person: speak to them.", seat.id));
        }
        if self.session.rounds().is_empty() {
            return Err("Nobody has said anything yet; a follow-up comes after a round.".to_owned());
        }
        Ok(seat.id.clone())
    }

    /// Makes the call, on the tape before and after; none if the run must stop first.
    async fn call(
        &mut self,
        then: &Session,
        brief: &Brief,
        prompt: Prompt,
        most: Amount,
        question: &str,
        around: &mut Surroundings<'_>,
    ) -> Result<Option<Came>, Failure> {
        let (prompt, now) = (Arc::new(prompt), self.clock.now());
        let model = self.model_of(&brief.call.seat);
        let mut entry = entry_asked(now, brief, model.clone(), &prompt, most);
        if let Taped::Asked(asked) = &mut entry.what {
            asked.question = Some(question.to_owned());
        }
        self.keeper.append(vec![entry], false)?;
        let (call, seat) = (brief.call.to_string(), brief.call.seat.to_string());
        around.tell(Notice::CallStarted { call, seat, model: model.clone() });
        let answering = self.answering(then, brief, &prompt, &model, None);
        let result: Result<Reply, Fault> = tokio::select! {
            biased;
            result = answering => result,
            () = around.interrupt.requested() => return Ok(None),
        };
        Ok(Some(Came { call: brief.call.clone(), human: false, asked_at: now, result }))
    }

    /// Puts what came onto the tape, and tells it.
    fn keep(&mut self, came: Came, question: &str, around: &mut Surroundings<'_>) -> Result<(), Failure> {
        let now = self.clock.now();
        let duration_ms = now.duration_since(came.asked_at).as_millis().max(0) as u64;
        let (call, seat, after_round) = (came.call.to_string(), came.call.seat.to_string(), came.call.round);
        let what = taped(came);
        self.keeper.append(vec![TapeEntry { at: now, what: what.clone() }], true)?;
        let spent = self.ledger.spent();
        let spent_usd = spent.amount.usd;
        let (end, cost_usd, answer) = match what {
            Taped::Answered(answered) => {
                let end = CallEnd::Answered { confidence: None, position: None, doubts: Vec::new() };
                (end, answered.usage.cost_usd, Some(clean_text(answered.reply.trim()).into_owned()))
            }
            Taped::Failed(failed) => (CallEnd::Failed { error: failed.error }, failed.usage.cost_usd, None),
            Taped::Opened(_) | Taped::Asked(_) => return Ok(()),
        };
        around.tell(Notice::CallEnded { call, seat: seat.clone(), end, duration_ms, cost_usd, spent_usd });
        around.tell(spent.told());
        if let Some(answer) = answer {
            around.tell(Notice::FollowUpAnswered { after_round, seat, question: question.to_owned(), answer });
        }
        Ok(())
    }
}
