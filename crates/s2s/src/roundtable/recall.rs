//! Taking a session up again: the minutes and the tape, folded into the state they tell of (L7, S4).
//! Given what is kept; hands on a session that asks only for what is missing. The same reading of
//! replies is used as in a run, so a recalled session is the one that would have gone on.

use std::collections::BTreeMap;

use jiff::Timestamp;
use s2s_engine::event::Event;
use s2s_engine::opening::SeatId;
use s2s_engine::record::SeatResponse;
use s2s_engine::reply::{Answer, Response};
use s2s_engine::step::CallKind;
use s2s_engine::{Misfit, Past, Session};
use s2s_models::Stop;
use s2s_store::{Minutes, StoreError, TapeLine, Taped};

use crate::reading::read;

/// A session as its record tells it.
pub struct Recalled {
    /// The session.
    pub session: Session,
    /// Answers of the open round that are on the tape.
    pub answers_kept: usize,
}

/// Why a record cannot be folded.
#[derive(Debug, thiserror::Error)]
pub enum RecallError {
    /// The minutes lack what a session needs.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The tape does not fit the minutes.
    #[error("the tape does not fit the minutes at line {line}: {misfit}")]
    Tape {
        /// The tape's line.
        line: u64,
        /// What does not fit.
        misfit: Misfit,
    },
}

/// Folds minutes and tape into a session.
pub fn recall(minutes: &Minutes, tape: &[TapeLine]) -> Result<Recalled, RecallError> {
    let past = Past {
        rounds: minutes.rounds().to_vec(),
        escalations: minutes.escalations().to_vec(),
        interventions: minutes.interventions().to_vec(),
        current_phase: Some(minutes.current_phase().to_owned()),
        outcome: minutes.outcome().cloned(),
    };
    let mut session = Session::fold(minutes.opening()?, past);
    remembered(&mut session, tape);
    let open = session.round_number();
    let mut answers_kept = 0;
    if session.has_ended() || session.pending().is_some() {
        return Ok(Recalled { session, answers_kept });
    }
    for line in tape {
        if line.what.call().is_none_or(|call| call.round != open) {
            continue;
        }
        let Some(event) = event_of(line.at, &line.what) else { continue };
        answers_kept += usize::from(matches!(event, Event::Answered { .. }));
        session.apply(event).map_err(|misfit| RecallError::Tape { line: line.seq, misfit })?;
    }
    Ok(Recalled { session, answers_kept })
}

/// Gives a session the answers of its committed rounds back, as far as the tape has them.
pub(crate) fn remembered(session: &mut Session, tape: &[TapeLine]) {
    let mut rounds: BTreeMap<u32, BTreeMap<SeatId, Response>> = BTreeMap::new();
    let held = session.rounds().len() as u32;
    for line in tape {
        let Taped::Answered(answered) = &line.what else { continue };
        let call = &answered.call;
        if call.kind != CallKind::Response || call.round > held {
            continue;
        }
        if let Ok(reading) = read(call.kind, &answered.reply, stop_of(&answered.stop))
            && let Answer::Response(response) = reading.answer
        {
            rounds.entry(call.round).or_default().insert(call.seat.clone(), response);
        }
    }
    let seats: Vec<SeatId> = session.opening().seats.iter().map(|seat| seat.id.clone()).collect();
    for (number, mut answers) in rounds {
        let in_order = seats.iter().filter_map(|seat| Some((seat, answers.remove(seat)?)));
        let records = in_order.map(|(seat, response)| SeatResponse::of(seat, &response)).collect();
        session.remember(number, records);
    }
}

/// The event that an entry of the tape tells of; none for the opening and for follow-ups.
pub(crate) fn event_of(at: Timestamp, what: &Taped) -> Option<Event> {
    // A follow-up is beside the record (L9).
    if what.call().is_some_and(|call| call.kind == CallKind::Followup) {
        return None;
    }
    Some(match what {
        Taped::Opened(_) => return None,
        Taped::Asked(asked) => Event::Asked { call: asked.call.clone(), at },
        Taped::Failed(failed) => {
            let (call, error) = (failed.call.clone(), failed.error.clone());
            Event::Failed { call, at, error, usage: failed.usage }
        }
        Taped::Answered(answered) => {
            let call = answered.call.clone();
            let usage = answered.usage;
            match read(call.kind, &answered.reply, stop_of(&answered.stop)) {
                Ok(reading) => {
                    let (answer, doubts) = (reading.answer, reading.doubts);
                    Event::Answered { call, at, answer, doubts, stand_in: answered.by.clone(), usage }
                }
                Err(refusal) => Event::Refused { call, at, reason: refusal.0, usage },
            }
        }
    })
}

fn stop_of(stop: &Option<String>) -> Stop {
    stop.as_deref().map_or(Stop::End, Stop::from_name)
}
