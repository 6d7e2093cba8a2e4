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
            subject: format!("{} in {}", challenge.participant, round.phase),
            text: format!("{} challenges the stated context: {}", challenge.participant, challenge.challenge),
        });
    }
    if let Some(since) = ledger.degraded_since
        && round.number > since
    {
        causes.push(Cause {
            rule: "E6".into(),
            subject: format!("since round {since}"),
            text: format!("The facilitator has not given a usable reply since round {since}"),
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
            text: format!("\"{}\" has been open for {} rounds: {}", conflict.id, conflict.age, conflict.description),
        });
    }
}

fn low_confidence(opening: &Opening, round: &Round, causes: &mut Vec<Cause>) {
    let floor = opening.settings.escalation.confidence_below;
    for (seat, &confidence) in round.confidence.iter().filter(|&(_, &confidence)| confidence < floor) {
        causes.push(Cause {
            rule: "E2".into(),
            subject: format!("{seat} in {}", round.phase),
            text: format!("{seat} is not sure: confidence {confidence:.2} is below {floor:.2}"),
        });
    }
}

fn keywords(opening: &Opening, answers: &Answers<'_>, causes: &mut Vec<Cause>) {
    for keyword in &opening.settings.escalation.critical_keywords {
        let said = answers.iter().find(|(_, response)| {
            response.is_some_and(|response| {
                has_word(&response.position, keyword) || response.concerns.iter().any(|c| has_word(c, keyword))
            })
        });
        if let Some((seat, _)) = said {
            causes.push(Cause {
                rule: "E3".into(),
                subject: keyword.to_lowercase(),
                text: format!("{} said \"{keyword}\"", seat.id),
            });
        }
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

/// Whether a text holds this word or phrase as a whole, in any case. A hyphen joins: `non-blocking`
/// does not hold `blocking`.
pub fn has_word(text: &str, word: &str) -> bool {
    let word = word.trim();
    if word.is_empty() {
        return false;
    }
    if !word.is_ascii() {
        let (text, word) = (text.to_lowercase(), word.to_lowercase());
        return text.match_indices(&word).any(|(at, _)| stands_alone(&text, at, at + word.len()));
    }
    let hits = text.as_bytes().windows(word.len()).enumerate();
    hits.filter(|(_, window)| window.eq_ignore_ascii_case(word.as_bytes()))
        .any(|(at, _)| stands_alone(text, at, at + word.len()))
}

fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let (before, word, after) = (&text[..start], &text[start..end], &text[end..]);
    let spaced = |edge: Option<char>| edge.is_some_and(|c| !is_unspaced(c));
    let left = spaced(word.chars().next()) && joined(before.chars().rev());
    let right = spaced(word.chars().next_back()) && joined(after.chars());
    !left && !right
}

/// Whether what comes next, away from the word, belongs to it.
fn joined(mut next: impl Iterator<Item = char>) -> bool {
    match next.next() {
        Some('-' | '_') => next.next().is_some_and(char::is_alphanumeric),
        Some(c) => c.is_alphanumeric(),
        None => false,
    }
}

/// Scripts that write words without spaces, or glue particles to them: there a keyword counts
/// wherever it stands, or teams who write so could never be warned.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
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
