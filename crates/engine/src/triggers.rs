//! When a person must be asked (E1 to E7): from a finished round to the causes that fire.
//! Given the account after the round and the answers in it; hands on causes and the escalation that
//! lists them. Deliberately absent: what is done about it.

use std::collections::BTreeMap;

use crate::ballot::Answers;
use crate::ledger::Ledger;
use crate::opening::{Opening, SeatId};
use crate::record::{Cause, Escalation, Round, RoundKind, RuledBy, Ruling, RulingChoice};
use crate::reply::Action;
use crate::strategy::Asks;
use crate::words::{Keywords, counted, quote};

/// The causes of this round that nobody has answered yet.
pub(crate) fn fired(opening: &Opening, ledger: &Ledger, round: &Round, answers: &Answers<'_>) -> Vec<Cause> {
    let mut causes = Vec::new();
    old_conflicts(opening, ledger, &mut causes);
    let phase = &opening.settings.method.phases[ledger.phase];
    if phase.asks == Asks::All || round.kind == RoundKind::Ballot {
        low_confidence(opening, round, &mut causes);
    }
    keywords(opening, answers, &mut causes);
    facilitator_asks(opening, ledger, round, &mut causes);
    for challenge in &round.context_challenges {
        causes.push(Cause {
            rule: "E5".into(),
            subject: seat_in_phase(&challenge.participant, &round.phase),
            text: format!("{} challenges the stated context: {}", challenge.participant, challenge.challenge),
        });
    }
    if let Some((since, rounds)) = ledger.degraded_streak
        && rounds >= 2
        && round.kind == RoundKind::Discussion
    {
        causes.push(Cause {
            rule: "E6".into(),
            subject: format!("since round {since}"),
            text: format!("The facilitator has failed in {rounds} rounds in a row, since round {since}"),
        });
    }
    let mut seen: Vec<(String, String)> = Vec::new();
    causes.retain(|cause| {
        let key = (cause.rule.clone(), cause.subject.clone());
        let fresh = cause.rule == "E1" || !ledger.is_settled(&cause.rule, &cause.subject);
        fresh && !seen.contains(&key) && {
            seen.push(key);
            true
        }
    });
    causes
}

fn old_conflicts(opening: &Opening, ledger: &Ledger, causes: &mut Vec<Cause>) {
    if !opening.settings.method.phases[ledger.phase].tracks {
        return;
    }
    for conflict in ledger.conflicts.values().filter(|conflict| conflict.age >= conflict.fires_at) {
        causes.push(Cause {
            rule: "E1".into(),
            subject: conflict.id.clone(),
            text: format!(
                "\"{}\" has been open for {}: {}",
                conflict.id,
                counted(conflict.age, "round"),
                conflict.description
            ),
        });
    }
}

/// What makes a cause of E2 or E5 the same one again (E7).
pub(crate) fn seat_in_phase(seat: &str, phase: &str) -> String {
    format!("{seat} in {phase}")
}

fn low_confidence(opening: &Opening, round: &Round, causes: &mut Vec<Cause>) {
    let floor = opening.settings.escalation.confidence_below;
    for (seat, &confidence) in round.confidence.iter().filter(|&(_, &confidence)| confidence < floor) {
        causes.push(Cause {
            rule: "E2".into(),
            subject: seat_in_phase(seat, &round.phase),
            text: format!("{seat} is not sure: confidence {confidence:.2} is below {floor:.2}"),
        });
    }
}

fn keywords(opening: &Opening, answers: &Answers<'_>, causes: &mut Vec<Cause>) {
    let words = &opening.settings.escalation.critical_keywords;
    let keywords = Keywords::new(words.iter().map(String::as_str));
    let mut said: Vec<Option<(&SeatId, &str)>> = vec![None; words.len()];
    for (seat, response) in answers {
        let Some(response) = response else { continue };
        for text in std::iter::once(&response.position).chain(&response.concerns) {
            keywords.each_in(text, |index| {
                said[index].get_or_insert((&seat.id, text));
            });
        }
    }
    for (keyword, said) in words.iter().zip(said) {
        let Some((seat, text)) = said else { continue };
        causes.push(Cause {
            rule: "E3".into(),
            subject: keyword.trim().to_lowercase(),
            text: format!("{seat} said \"{}\": {}", keyword.trim(), quote(text)),
        });
    }
}

fn facilitator_asks(opening: &Opening, ledger: &Ledger, round: &Round, causes: &mut Vec<Cause>) {
    let last = ledger.phase + 1 == opening.settings.method.phases.len();
    let alone = opening.settings.method.phases[ledger.phase].asks == Asks::None;
    if round.decision.proposed != Action::Escalate || (alone && !last) {
        return;
    }
    let reason = round.decision.escalation_reason.as_deref().unwrap_or("no reason given");
    causes.push(Cause {
        rule: "E4".into(),
        subject: round.phase.clone(),
        text: format!("The facilitator asks for a decision: {reason}"),
    });
}

/// The question to a person that lists all causes of the round (D3, E8).
pub(crate) fn escalation(
    ledger: &Ledger,
    round: &Round,
    answers: &Answers<'_>,
    causes: Vec<Cause>,
    number: usize,
) -> Escalation {
    let named = |rule: &str| causes.iter().any(|cause| cause.rule == rule);
    let conflicts: Vec<String> = ledger
        .conflicts
        .keys()
        .filter(|id| named("E4") || causes.iter().any(|c| c.rule == "E1" && c.subject == **id))
        .cloned()
        .collect();
    let mut positions: BTreeMap<SeatId, String> = BTreeMap::new();
    for id in &conflicts {
        positions.extend(ledger.conflicts[id].positions.clone());
    }
    for (seat, response) in answers {
        if let Some(response) = response {
            positions.insert(seat.id.clone(), response.position.clone());
        }
    }
    let recommendation = round.decision.recommendation.clone();
    let only_context = causes.iter().all(|cause| cause.rule == "E5");
    let mut options = Vec::new();
    if !only_context {
        if recommendation.is_some() {
            options.push(RulingChoice::Accept);
        }
        options.extend([RulingChoice::Decide, RulingChoice::Continue]);
    }
    if named("E5") {
        options.extend([RulingChoice::AcceptContext, RulingChoice::KeepContext, RulingChoice::Discuss]);
    }
    Escalation {
        id: format!("X{number}"),
        round: round.number,
        at: Some(round.timestamp),
        causes,
        positions,
        conflicts,
        recommendation,
        options,
        ruling: None,
    }
}

/// What to do with an escalation when nobody is there to answer (E9).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unattended {
    /// Stop and wait for a person.
    Pause,
    /// Take the recommendation.
    Accept,
    /// Go on.
    Continue,
}

crate::opening::names!(Unattended { Pause => "pause", Accept => "accept", Continue => "continue" });

impl Unattended {
    /// The ruling that this policy gives; none = a person must answer.
    /// A policy never changes the context: a model's challenge alone must not rewrite the project.
    pub fn ruling(self, escalation: &Escalation) -> Option<Ruling> {
        let offered = |choice: RulingChoice| escalation.options.contains(&choice).then_some(choice);
        let go_on = || offered(RulingChoice::Continue).or(offered(RulingChoice::Discuss));
        let choice = match self {
            Self::Pause => return None,
            Self::Accept => {
                offered(RulingChoice::Accept).or(offered(RulingChoice::Continue)).or(offered(RulingChoice::KeepContext))
            }
            Self::Continue => go_on(),
        }?;
        let accepts = choice == RulingChoice::Accept;
        Some(Ruling {
            choice,
            text: if accepts { escalation.recommendation.clone() } else { None },
            rounds: None,
            by: RuledBy::Policy,
            name: None,
            at: escalation.at,
            then: None,
        })
    }
}
