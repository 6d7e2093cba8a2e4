//! The prompt of a follow-up: what one seat is told when a person asks it something after a round (L9).
//! Given the session as it stood when that round was committed, the charter and the tape; hands on a prompt. It depends
//! on nothing that came later, so it can be rendered again whatever people said or ruled meanwhile. Deliberately
//! absent: anybody else's answers beyond what the seat's phase shows, and making the call.

use std::collections::BTreeMap;

use s2s_catalog::{Catalog, CatalogError, render};
use s2s_engine::Session;
use s2s_engine::opening::SeatId;
use s2s_engine::record::SeatResponse;
use s2s_engine::step::{CallId, CallKind};
use s2s_models::Prompt;
use s2s_store::{TapeLine, Taped};
use serde::Serialize;

use super::Charter;
use super::values::{Past, past};

/// A follow-up that was asked and answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Followed {
    /// The round after which it was asked.
    pub round: u32,
    /// Who was asked.
    pub seat: SeatId,
    /// What a person asked.
    pub question: String,
    /// What the seat answered.
    pub answer: String,
}

/// The follow-ups on a tape that were answered, in order.
pub(crate) fn followed_up_on(tape: &[TapeLine]) -> Vec<Followed> {
    let mut asked: BTreeMap<&CallId, &str> = BTreeMap::new();
    let mut followed = Vec::new();
    for line in tape.iter().filter(|line| line.what.call().is_some_and(|call| call.kind == CallKind::Followup)) {
        match &line.what {
            Taped::Asked(call) => {
                asked.insert(&call.call, call.question.as_deref().unwrap_or_default());
            }
            Taped::Answered(answered) => {
                let CallId { round, seat, .. } = answered.call.clone();
                let question = asked.get(&answered.call).copied().unwrap_or_default().to_owned();
                followed.push(Followed { round, seat, question, answer: answered.reply.trim().to_owned() });
            }
            Taped::Opened(_) | Taped::Failed(_) => {}
        }
    }
    followed
}

/// What the template sees.
#[derive(Serialize)]
struct Values<'s> {
    round: u32,
    asked: &'s str,
    question: &'s str,
    answer: Option<&'s SeatResponse>,
    past: Past<'s>,
    before: Vec<&'s Followed>,
}

/// The prompt for a follow-up. `session` is as it was when the round was committed, `before` all that were answered.
pub(crate) fn followup_prompt(
    session: &Session,
    charter: &Charter,
    seat: &SeatId,
    asked: &str,
    before: &[Followed],
) -> Result<Prompt, CatalogError> {
    let held = session.rounds().len() as u32;
    let own = |round: u32| {
        let answer = session.answers_of(round)?.iter().find(|answer| answer.participant == *seat)?;
        Some((session.rounds()[round as usize - 1].question.as_str(), answer))
    };
    let last = (1..=held).rev().find_map(own);
    let values = Values {
        round: held,
        asked,
        question: last.map_or("", |(question, _)| question),
        answer: last.map(|(_, answer)| answer),
        past: past(session, seat),
        before: before.iter().filter(|followed| followed.seat == *seat).collect(),
    };
    let name = CallKind::Followup.as_str();
    // A session that began before there were follow-ups has no text of its own for them.
    let own_text = charter.prompt(name);
    let shipped = if own_text.is_empty() { Some(Catalog::builtin().prompt(name)?.value.text) } else { None };
    let user = render(name, shipped.as_deref().unwrap_or(own_text), values)?;
    Ok(Prompt { system: charter.system(session, seat)?.into(), user })
}
