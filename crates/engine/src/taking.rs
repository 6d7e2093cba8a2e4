//! Taking replies into the round under way: who is asked, who has spoken, what stands in for what.
//! Given read but untrusted answers; hands on a filled open round (L2, L4, L5, T3, V1). Deliberately
//! absent: judging the claims in them, which happens when the round is closed.

use std::sync::Arc;

use crate::closing;
use crate::fallback;
use crate::open_round::{Posed, Slot};
use crate::opening::{FACILITATOR, SeatId, Sides};
use crate::record::{Degraded, RoundKind};
use crate::reply::{Answer, PointId, Question, Response};
use crate::session::{Session, answers_in};
use crate::step::{CallId, CallKind};
use crate::strategy::{Asks, Votes};
use crate::words::{clip, takes_up};

impl Session {
    pub(crate) fn take_answer(&mut self, call: &CallId, answer: Answer) {
        let checked = match &answer {
            Answer::Sides(sides) => fallback::check_sides(sides, &self.opening.seats),
            Answer::Question(question) => closing::posable(question),
            Answer::Response(response) => closing::audible(response),
            Answer::Synthesis(synthesis) => closing::usable(synthesis),
        };
        if let Err(reason) = checked {
            return self.refuse(call, reason);
        }
        match answer {
            Answer::Sides(sides) => self.seat_sides(sides),
            Answer::Question(question) => self.pose(question),
            Answer::Response(response) => self.hear(call, response),
            Answer::Synthesis(synthesis) => self.open.synthesis = Slot::Done(synthesis),
        }
    }

    /// A reply that cannot be used: the next attempt, or the fallback (L4, L5, T3).
    pub(crate) fn refuse(&mut self, call: &CallId, reason: String) {
        self.open.doubt(&call.seat, format!("reply {} refused: {reason}", call.attempt));
        match call.kind {
            CallKind::Sides => self.open.sides.refuse(reason),
            CallKind::Question => self.open.posed.refuse(reason),
            CallKind::Synthesis => self.open.synthesis.refuse(reason),
            CallKind::Followup => {}
            CallKind::Response => {
                if let Some(slot) = self.open.response(&call.seat) {
                    slot.refuse(reason);
                }
            }
        }
        self.fall_back();
    }

    /// No reply at all: no further attempt (L4).
    pub(crate) fn lose(&mut self, call: &CallId, error: String) {
        match call.kind {
            CallKind::Sides => self.open.sides = Slot::Lost(error),
            CallKind::Question => self.open.posed = Slot::Lost(error),
            CallKind::Synthesis => self.open.synthesis = Slot::Lost(error),
            CallKind::Followup => {}
            CallKind::Response => {
                if let Some(slot) = self.open.response(&call.seat) {
                    *slot = Slot::Lost(error);
                }
            }
        }
        self.fall_back();
    }

    fn fall_back(&mut self) {
        if matches!(self.open.sides, Slot::Lost(_)) {
            let sides = fallback::sides(&self.opening.topic, &self.opening.seats);
            self.open.doubt(FACILITATOR, "gave no usable sides; they were dealt in seat order");
            self.seat_sides(sides);
        }
        if matches!(self.open.posed, Slot::Lost(_)) {
            self.open.degraded.push(Degraded::Question);
            self.pose(fallback::question(&self.opening.topic));
        }
        if matches!(self.open.synthesis, Slot::Lost(_)) {
            self.open.degraded.push(Degraded::Synthesis);
            let synthesis = fallback::synthesis(&self.opening.topic, &answers_in(&self.opening, &self.open));
            self.open.synthesis = Slot::Done(Box::new(synthesis));
        }
    }

    fn seat_sides(&mut self, mut sides: Sides) {
        if sides.proposal.is_empty() {
            sides.proposal.clone_from(&self.opening.topic);
        }
        self.opening.sides = Some(sides);
        self.open.sides = Slot::Done(());
    }

    /// Takes the question: who is asked (L2), about which topic (A2), with which ballot (V1).
    pub(crate) fn pose(&mut self, mut question: Question) {
        let asks = self.phase().asks == Asks::All || self.open.kind == RoundKind::Ballot;
        let asked = if asks { self.asked_by(&question) } else { Vec::new() };
        if let Some(topic) = self.pending_topic()
            && self.open.kind == RoundKind::Discussion
            && !names_topic(&question, topic)
        {
            question.focus = match question.focus.trim() {
                "" => topic.to_owned(),
                focus => format!("{topic}: {focus}"),
            };
        }
        self.take_up_interjections(&mut question);
        let everyone = asked.len() == self.opening.seats.len();
        let with_answers = self.opening.settings.method.votes == Votes::WithAnswers;
        let votes = everyone && (with_answers || self.open.kind == RoundKind::Ballot);
        let ballot: Arc<[PointId]> =
            if votes { self.ledger.unvoted().map(|point| point.id.clone()).collect() } else { Arc::default() };
        self.open.responses = asked.iter().map(|seat| (seat.clone(), Slot::default())).collect();
        self.open.posed = Slot::Done(Posed { question, asked, ballot });
    }

    /// L8: what people said to the table since the last round is in the question, whoever put it there.
    fn take_up_interjections(&mut self, question: &mut Question) {
        if self.open.kind != RoundKind::Discussion || self.open.probing {
            return;
        }
        let said: Vec<String> = self.unheard().map(str::to_owned).collect();
        for text in said {
            if takes_up(&format!("{} {}", question.question, question.focus), &text) {
                continue;
            }
            question.question = format!("{}\n\nA person said to the table: {text}", question.question.trim_end());
            let what = format!("did not take up \"{}\"; it was put into the question", clip(&text));
            self.open.doubt(FACILITATOR, what);
        }
    }

    fn asked_by(&mut self, question: &Question) -> Vec<SeatId> {
        let everyone = || self.opening.seats.iter().map(|seat| seat.id.clone()).collect();
        if question.participants.iter().all(|name| name.trim().eq_ignore_ascii_case("all")) {
            return everyone();
        }
        let named = |seat: &str, name: &str| question.participants.iter().any(|p| is_named(p, seat, name));
        let seats = &self.opening.seats;
        let asked: Vec<SeatId> = seats.iter().filter(|s| named(&s.id, &s.name)).map(|s| s.id.clone()).collect();
        let strangers: Vec<&String> = question
            .participants
            .iter()
            .filter(|name| !seats.iter().any(|seat| is_named(name, &seat.id, &seat.name)))
            .collect();
        let everyone = if asked.is_empty() { everyone() } else { asked };
        for stranger in strangers {
            let what = format!("asked for \"{}\", who is not at the table", clip(stranger));
            self.open.doubt(FACILITATOR, what);
        }
        everyone
    }

    fn hear(&mut self, call: &CallId, mut response: Response) {
        let ballot = self.open.posed.value().map(|posed| posed.ballot.clone()).unwrap_or_default();
        let before = response.votes.len();
        response.votes.retain(|point, _| ballot.iter().any(|asked| asked == point));
        if response.votes.len() < before {
            self.open.doubt(&call.seat, "voted on a point that was not put to it");
        }
        if let Some(slot) = self.open.response(&call.seat) {
            *slot = Slot::Done(response);
        }
    }
}

fn is_named(named: &str, id: &str, name: &str) -> bool {
    let named = named.trim();
    named.eq_ignore_ascii_case(id) || named.eq_ignore_ascii_case(name)
}

fn names_topic(question: &Question, topic: &str) -> bool {
    let holds = |text: &str| text.to_lowercase().contains(&topic.to_lowercase());
    holds(&question.question) || holds(&question.focus)
}
