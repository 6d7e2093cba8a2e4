//! What a round can cost at most, before it is begun: the calls that it still needs, each at its most.
//! Given the session as it stands, its texts and the panel; walks a copy of it to the end of the round, with answers of
//! a usual length in place of those to come, so that every prompt is rendered as it will be sent. Hands on amounts.
//! Deliberately absent: budgets (`ledger`), second attempts, and asking anybody.

use jiff::Timestamp;
use s2s_engine::event::Event;
use s2s_engine::record::Usage;
use s2s_engine::reply::{Answer, Question, Response};
use s2s_engine::step::{Brief, CallKind, Step};
use s2s_engine::{Session, next_step};
use s2s_models::Prompt;
use s2s_models::money::Amount;

use crate::failure::Failure;
use crate::panel::Panel;
use crate::prompts::{Charter, Systems, prompts_with};

/// The length in bytes that a question is taken to have, its summary of the context, and each part of an answer.
const QUESTION: usize = 400;
const SUMMARY: usize = 2_000;
const ANSWER_PART: usize = 600;

/// What the rest of a round can cost at most.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Rest {
    /// The calls of the next step.
    pub calls: Vec<Amount>,
    /// All calls after them.
    pub later: Amount,
}

impl Rest {
    /// The calls of the next step together.
    pub fn now(&self) -> Amount {
        self.calls.iter().fold(Amount::default(), |all, one| all + *one)
    }

    /// The round under way, from the next step to its end.
    ///
    /// # Errors
    /// A prompt template that cannot be rendered.
    pub fn of_round(session: &Session, charter: &Charter, panel: &dyn Panel) -> Result<Self, Failure> {
        let mut ahead = session.clone();
        // Its own: sides that are dealt on the way are not those of the session.
        let mut systems = Systems::default();
        let mut rest = Self::default();
        while let Step::Ask(briefs) = next_step(&ahead) {
            let prompts = prompts_with(&ahead, &briefs, charter, &mut systems)?;
            let most = |(brief, prompt): (&Brief, &Prompt)| panel.at_most(&brief.call.seat, prompt.tokens_at_most());
            let calls: Vec<Amount> = briefs.iter().zip(&prompts).map(most).collect();
            match rest.calls.is_empty() {
                true => rest.calls = calls,
                false => rest.later = calls.into_iter().fold(rest.later, |all, one| all + one),
            }
            if briefs.iter().all(|brief| brief.call.kind == CallKind::Synthesis) {
                break;
            }
            for brief in briefs {
                stand_in(&mut ahead, brief)?;
            }
        }
        Ok(rest)
    }
}

/// Answers a call in place of its model.
fn stand_in(session: &mut Session, brief: Brief) -> Result<(), Failure> {
    let (call, at, usage) = (brief.call, Timestamp::UNIX_EPOCH, Usage::default());
    session.apply(Event::Asked { call: call.clone(), at })?;
    let text = |bytes: usize| "x".repeat(bytes);
    let answer = match call.kind {
        CallKind::Question => Answer::Question(Question {
            question: text(QUESTION),
            context_summary: text(SUMMARY),
            ..Question::default()
        }),
        CallKind::Response => Answer::Response(Response {
            position: text(ANSWER_PART),
            rationale: vec![text(ANSWER_PART)],
            concerns: vec![text(ANSWER_PART)],
            confidence: 1.0,
            ..Response::default()
        }),
        // Without the facilitator's word the engine deals the sides out itself (T3).
        CallKind::Sides | CallKind::Synthesis | CallKind::Followup => {
            return Ok(session.apply(Event::Failed { call, at, error: String::new(), usage })?);
        }
    };
    Ok(session.apply(Event::Answered { call, at, answer, doubts: Vec::new(), stand_in: None, usage })?)
}
