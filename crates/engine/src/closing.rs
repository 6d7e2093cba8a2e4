//! Closing a round: every claim of the replies is checked against what the session knows, votes are
//! counted, and a record is made. Given the open round and the answers; hands on the round without
//! its decision. Deliberately absent: the decision itself.

use std::borrow::Cow;

use crate::artifact::{Artifact, Change};
use crate::ballot::{self, Answers};
use crate::fallback::NEEDS_RESOLUTION;
use crate::ledger::{Ledger, same_text};
use crate::open_round::OpenRound;
use crate::opening::{Coverage, FACILITATOR, Opening, SeatId, Topic};
use crate::record::{Decision, Degraded, Doubt, Round, RoundKind, SeatResponse, Tally, Usage};
use crate::registering::{Registering, short_of};
use crate::reply::{
    Action, Conflict, ContextChallenge, Question, Resolution, ResolutionType, Response, Synthesis, TopicCoverage,
};
use crate::slug::conflict_id;
use crate::strategy::Phase;
use crate::words::clip;

/// What a ballot round asks (V4).
pub(crate) const BALLOT_QUESTION: &str =
    "Do you support, stand aside from, or block each of these points? Give the reason for a block.";

/// The most points, and the most conflicts, that one synthesis may add.
const MOST_CLAIMS: usize = 12;

/// A round without its decision, and the answers in it.
pub(crate) struct Closed {
    pub round: Round,
    pub answers: Vec<SeatResponse>,
}

/// The most doubts one round keeps; a reply of a thousand flaws is not a thousand times as telling.
const MOST_DOUBTS: usize = 40;

/// A text from a reply, unless it says nothing.
fn said(text: &Option<String>) -> Option<String> {
    text.clone().filter(|text| !text.trim().is_empty())
}

/// Whether a question can be put to the seats (L4).
pub(crate) fn posable(question: &Question) -> Result<(), String> {
    if question.question.trim().is_empty() { Err("`question` is empty".to_owned()) } else { Ok(()) }
}

/// Whether a synthesis has what the rules require of it (L4).
pub(crate) fn usable(synthesis: &Synthesis) -> Result<(), String> {
    if synthesis.synthesis.trim().is_empty() {
        return Err("`synthesis` is empty".to_owned());
    }
    let needs = matches!(synthesis.next_action, Action::Conclude | Action::Escalate);
    let has = synthesis.recommendation.as_ref().is_some_and(|text| !text.trim().is_empty());
    if needs && !has {
        return Err(format!("`recommendation` is required with `next_action: {}`", synthesis.next_action));
    }
    Ok(())
}

/// Whether a response can be counted.
pub(crate) fn audible(response: &Response) -> Result<(), String> {
    if response.position.trim().is_empty() {
        return Err("`position` is empty".to_owned());
    }
    if !(0.0..=1.0).contains(&response.confidence) {
        return Err(format!("`confidence` must be from 0.0 to 1.0, not {}", response.confidence));
    }
    Ok(())
}

/// Makes the record of the round.
pub(crate) fn close(
    opening: &Opening,
    ledger: &Ledger,
    phase: &Phase,
    open: &OpenRound,
    answers: &Answers<'_>,
) -> Closed {
    let posed = open.posed.value();
    let question = posed.map(|posed| posed.question.clone()).unwrap_or_default();
    let asked = posed.map(|posed| posed.asked.clone()).unwrap_or_default();
    let ballot = posed.map(|posed| posed.ballot.clone()).unwrap_or_default();
    let tallies: Vec<Tally> =
        ballot.iter().map(|point| ballot::tally(opening, &open.stand_ins, point, answers)).collect();
    let heard = heard(answers);
    let mut claims = Claims { opening, ledger, doubts: open.doubts.clone() };
    let synthesis = match (open.kind, open.synthesis.value()) {
        (RoundKind::Discussion, Some(given)) => Cow::Borrowed(&**given),
        _ => Cow::Owned(ballot_synthesis(&tallies)),
    };
    let mut conflicts = claims.conflicts(&synthesis.conflicts);
    let mut resolved = claims.resolved(&synthesis.resolved, &conflicts, open);
    claims.settle_by_vote(&tallies, &mut conflicts, &mut resolved);
    let mut consensus = claims.consensus(&synthesis.consensus);
    let registering = Registering::new(opening, &ledger.holdings, &asked, open.number);
    let (artifacts, doubts) = registering.take(&synthesis.artifacts, &conflicts, &mut consensus);
    doubts.into_iter().for_each(|what| claims.doubt(what));
    let round = Round {
        number: open.number,
        phase: phase.name.clone(),
        timestamp: open.last_at.unwrap_or_default(),
        kind: open.kind,
        probing: open.probing,
        question: question.question,
        focus: question.focus,
        context_summary: question.context_summary,
        no_response: asked.iter().filter(|id| !heard.iter().any(|h| h.participant == **id)).cloned().collect(),
        confidence: heard.iter().map(|h| (h.participant.clone(), h.confidence)).collect(),
        responses: opening.settings.verbose.then(|| heard.clone()),
        consensus,
        conflicts,
        resolved,
        agenda_coverage: claims.coverage(&synthesis.agenda_coverage, &artifacts),
        context_challenges: claims.challenges(&synthesis.context_challenges, answers, &asked),
        synthesis: synthesis.synthesis.clone(),
        artifacts,
        tallies,
        degraded: open.degraded.clone(),
        doubts: ordered(claims.doubts, opening),
        usage: usage(open),
        stand_ins: open.stand_ins.clone(),
        usage_by_seat: open.usage_by_seat.clone(),
        decision: Decision {
            proposed: synthesis.next_action,
            next_focus: said(&synthesis.next_focus),
            escalation_reason: said(&synthesis.escalation_reason),
            recommendation: said(&synthesis.recommendation),
            output_type: synthesis.output_type,
            ..Decision::default()
        },
        asked,
    };
    Closed { round, answers: heard }
}

fn heard(answers: &Answers<'_>) -> Vec<SeatResponse> {
    answers.iter().filter_map(|(seat, response)| Some(SeatResponse::of(&seat.id, (*response)?))).collect()
}

fn usage(open: &OpenRound) -> Usage {
    let duration_ms = match (open.first_at, open.last_at) {
        (Some(first), Some(last)) => last.as_millisecond().saturating_sub(first.as_millisecond()).max(0) as u64,
        _ => 0,
    };
    Usage { duration_ms, ..open.usage }
}

/// V4: the engine sums up a ballot round; its proposal is the end.
fn ballot_synthesis(tallies: &[Tally]) -> Synthesis {
    Synthesis { synthesis: ballot::summary(tallies), next_action: Action::Conclude, ..Synthesis::default() }
}

/// Doubts in the order of the table, so that the order of arrival leaves no trace.
fn ordered(mut doubts: Vec<Doubt>, opening: &Opening) -> Vec<Doubt> {
    let place = |doubt: &Doubt| opening.seats.iter().position(|seat| seat.id == doubt.seat);
    doubts.sort_by_key(|doubt| place(doubt).map_or(0, |place| place + 1));
    if doubts.len() > MOST_DOUBTS {
        let more = doubts.len() - MOST_DOUBTS;
        doubts.truncate(MOST_DOUBTS);
        doubts.push(Doubt { seat: FACILITATOR.into(), what: format!("{more} more doubts were left out") });
    }
    doubts
}

/// The checks on what a synthesis claims.
struct Claims<'a> {
    opening: &'a Opening,
    ledger: &'a Ledger,
    doubts: Vec<Doubt>,
}

impl Claims<'_> {
    fn doubt(&mut self, what: String) {
        self.doubts.push(Doubt { seat: FACILITATOR.into(), what });
    }

    fn consensus(&mut self, texts: &[String]) -> Vec<String> {
        let mut points: Vec<String> = Vec::new();
        for text in texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty()) {
            let same = same_text(text);
            if self.ledger.stands(&same) || points.iter().any(|point| same_text(point) == same) {
                continue;
            }
            if points.len() == MOST_CLAIMS {
                self.doubt(format!("claimed more than {MOST_CLAIMS} points in one round; the rest was dropped"));
                break;
            }
            points.push(text.to_owned());
        }
        points
    }

    /// The id that a reply means: one that is open as it is written, else its slug.
    fn conflict_named(&self, name: &str) -> String {
        let name = name.trim();
        if self.ledger.conflicts.contains_key(name) { name.to_owned() } else { conflict_id(name) }
    }

    fn conflicts(&mut self, named: &[Conflict]) -> Vec<Conflict> {
        let mut conflicts: Vec<Conflict> = Vec::new();
        for conflict in named {
            let name = if conflict.id.trim().is_empty() { &conflict.description } else { &conflict.id };
            if name.trim().is_empty() {
                self.doubt("named a conflict without an id or a description".to_owned());
                continue;
            }
            let id = self.conflict_named(name);
            if conflicts.iter().any(|other| other.id == id) {
                self.doubt(format!("named conflict \"{id}\" twice"));
                continue;
            }
            if conflicts.len() == MOST_CLAIMS {
                self.doubt(format!("named more than {MOST_CLAIMS} conflicts in one round; the rest was dropped"));
                break;
            }
            let mut conflict = Conflict { id, ..conflict.clone() };
            let seats = &self.opening.seats;
            let before = conflict.positions.len();
            conflict.positions.retain(|id, _| seats.iter().any(|seat| seat.id == *id));
            if conflict.positions.len() < before {
                self.doubt(format!("gave a position in \"{}\" to somebody who is not at the table", conflict.id));
            }
            conflicts.push(conflict);
        }
        conflicts
    }

    fn resolved(&mut self, claimed: &[Resolution], named: &[Conflict], open: &OpenRound) -> Vec<Resolution> {
        let mut resolved: Vec<Resolution> = Vec::new();
        let is_named = |id: &str| named.iter().any(|conflict| conflict.id == id);
        for claim in claimed {
            let mut claim = Resolution { conflict_id: self.conflict_named(&claim.conflict_id), ..claim.clone() };
            if is_named(&claim.conflict_id) {
                self.doubt(format!("named \"{}\" as open and as resolved; it stays open", claim.conflict_id));
            } else if !self.ledger.conflicts.contains_key(&claim.conflict_id) {
                self.doubt(format!("resolved \"{}\", which is not open", claim.conflict_id));
            } else if !resolved.iter().any(|other| other.conflict_id == claim.conflict_id) {
                if claim.resolution_type == ResolutionType::User {
                    self.doubt(format!("claimed that a person resolved \"{}\"", claim.conflict_id));
                    claim.resolution_type = ResolutionType::Facilitator;
                }
                resolved.push(claim);
            }
        }
        let real = open.kind == RoundKind::Discussion && !open.degraded.contains(&Degraded::Synthesis);
        let held = self.ledger.conflicts.contains_key(NEEDS_RESOLUTION);
        if real && held && !is_named(NEEDS_RESOLUTION) && !resolved.iter().any(|r| r.conflict_id == NEEDS_RESOLUTION) {
            resolved.push(Resolution {
                conflict_id: NEEDS_RESOLUTION.to_owned(),
                resolution: "The positions have been summed up since".to_owned(),
                resolution_type: ResolutionType::Facilitator,
            });
        }
        resolved
    }

    /// V3: a failed point becomes a conflict; a point carried at last closes the one it had left.
    fn settle_by_vote(&self, tallies: &[Tally], conflicts: &mut Vec<Conflict>, resolved: &mut Vec<Resolution>) {
        for tally in tallies {
            let Some(point) = self.ledger.point(&tally.point) else { continue };
            let id = &point.conflict;
            if !tally.carried {
                resolved.retain(|resolution| resolution.conflict_id != *id);
                let voted_down = ballot::conflict_of(point, tally);
                match conflicts.iter_mut().find(|conflict| conflict.id == *id) {
                    Some(named) => named.positions.extend(voted_down.positions),
                    None => conflicts.push(voted_down),
                }
            } else if self.ledger.voted_down(id) && self.ledger.conflicts.contains_key(id) {
                conflicts.retain(|conflict| conflict.id != *id);
                resolved.retain(|resolution| resolution.conflict_id != *id);
                resolved.push(Resolution {
                    conflict_id: id.clone(),
                    resolution: format!("The panel carried {} in a second vote", tally.point),
                    resolution_type: ResolutionType::Consensus,
                });
            }
        }
    }

    /// A1: by id or name; never falls back. Every topic is written, so that a round reads by itself.
    fn coverage(&mut self, claimed: &[TopicCoverage], artifacts: &[Artifact]) -> Vec<TopicCoverage> {
        let mut coverage: Vec<Coverage> = self.ledger.coverage.clone();
        let mut met = self.ledger.met.clone();
        for claim in claimed {
            let named = claim.topic.trim();
            let is = |id: &str, name: &str| named.eq_ignore_ascii_case(id) || named.eq_ignore_ascii_case(name);
            let Some(index) = self.opening.agenda.iter().position(|topic| is(&topic.id, &topic.name)) else {
                self.doubt(format!("reported on \"{}\", which is not on the agenda", clip(named)));
                continue;
            };
            let topic = &self.opening.agenda[index];
            met[index].extend(claim.met.iter().filter(|number| (1..=topic.criteria).contains(*number)));
            let new = |artifact: &&Artifact| {
                let on = artifact.topic.as_ref() == Some(&topic.id);
                on && artifact.change == Change::Created && artifact.id.kind.is_claim()
            };
            let has = self.ledger.holdings.on_topic(&topic.id) + artifacts.iter().filter(new).count() as u32;
            let short = short_of(topic.least, has, topic.criteria, &met[index]);
            let status = match short {
                Some(short) if claim.status == Coverage::Covered && coverage[index] != Coverage::Covered => {
                    self.doubt(format!("said that \"{}\" is covered; it is not yet ({short})", topic.name));
                    Coverage::Partial
                }
                _ => claim.status,
            };
            coverage[index] = coverage[index].max(status);
        }
        let topics = self.opening.agenda.iter().zip(coverage).zip(met);
        let record = |((topic, status), met): ((&Topic, Coverage), std::collections::BTreeSet<u32>)| TopicCoverage {
            topic: topic.id.clone(),
            status,
            met: met.into_iter().collect(),
        };
        topics.map(record).collect()
    }

    /// What seats said themselves, and what the facilitator heard from seats that were asked.
    fn challenges(
        &mut self,
        heard: &[ContextChallenge],
        answers: &Answers<'_>,
        asked: &[SeatId],
    ) -> Vec<ContextChallenge> {
        let mut challenges: Vec<ContextChallenge> = Vec::new();
        for (seat, response) in answers {
            let challenge = response.and_then(|response| response.context_challenge.clone());
            if let Some(challenge) = challenge.filter(|text| !text.trim().is_empty()) {
                challenges.push(ContextChallenge { participant: seat.id.clone(), challenge, suggestion: None });
            }
        }
        for claim in heard {
            if let Some(own) = challenges.iter_mut().find(|own| own.participant == claim.participant) {
                own.suggestion.clone_from(&claim.suggestion);
            } else if asked.contains(&claim.participant) {
                challenges.push(claim.clone());
            } else {
                let who = clip(&claim.participant);
                self.doubt(format!("passed on a challenge by \"{who}\", who was not asked"));
            }
        }
        challenges
    }
}
