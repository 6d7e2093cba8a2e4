//! From the fields of a reply to what the engine takes: ids, words of closed sets, votes.
//! Given a value that was read; hands on an engine value, or a refusal where a word is none of its set (L4).

use std::collections::BTreeMap;
use std::str::FromStr;

use s2s_engine::opening::{OutputType, SeatId, Sides};
use s2s_engine::reply::{
    Action, Answer, Choice, Conflict, ContextChallenge, PointId, Question, Resolution, ResolutionType, Response,
    Synthesis, TopicCoverage, Vote,
};
use s2s_engine::step::CallKind;
use serde_json::{Map, Value};

use super::Refusal;
use super::artifacts::proposals;

/// The fields of one record.
pub(super) type Fields = Map<String, Value>;

/// The answer to a call of this kind; doubts come with it where something was left out.
pub(super) fn answer(kind: CallKind, value: &Fields, doubts: &mut Vec<String>) -> Result<Answer, Refusal> {
    match kind {
        CallKind::Sides => Ok(sides(value)),
        CallKind::Question => question(value),
        CallKind::Response | CallKind::Followup => response(value),
        CallKind::Synthesis => synthesis(value, doubts),
    }
}

pub(super) fn text(value: &Fields, key: &str) -> String {
    optional(value, key).unwrap_or_default()
}

pub(super) fn optional(value: &Fields, key: &str) -> Option<String> {
    value.get(key).and_then(Value::as_str).map(str::to_owned)
}

pub(super) fn texts(value: &Fields, key: &str) -> Vec<String> {
    let items = value.get(key).and_then(Value::as_array).into_iter().flatten();
    items.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn records<'v>(value: &'v Fields, key: &str) -> impl Iterator<Item = &'v Fields> {
    value.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object)
}

/// A word of a closed set, whatever its case and joints.
fn word<T: FromStr>(text: &str, key: &str, allowed: &[&str]) -> Result<T, Refusal> {
    let folded = text.trim().to_lowercase().replace([' ', '-'], "_");
    folded.parse().map_err(|_| Refusal(format!("`{key}` is \"{text}\"; allowed: {}", allowed.join(", "))))
}

fn sides(value: &Fields) -> Answer {
    let ids = |texts: Vec<String>| texts.into_iter().map(SeatId::from).collect();
    let (pro, con) = (ids(texts(value, "pro")), ids(texts(value, "con")));
    Answer::Sides(Sides { pro, con, proposal: text(value, "proposal") })
}

fn expect_action(value: &Fields, expected: &str) -> Result<(), Refusal> {
    let action = text(value, "action");
    if action.eq_ignore_ascii_case(expected) {
        return Ok(());
    }
    Err(Refusal(format!("`action` is \"{action}\"; it must be \"{expected}\"")))
}

fn question(value: &Fields) -> Result<Answer, Refusal> {
    expect_action(value, "question")?;
    let named = texts(value, "participants");
    let everyone = named.iter().any(|name| name.eq_ignore_ascii_case("all"));
    Ok(Answer::Question(Question {
        question: text(value, "question"),
        focus: text(value, "focus"),
        context_summary: text(value, "context_summary"),
        participants: if everyone { Vec::new() } else { named },
    }))
}

fn response(value: &Fields) -> Result<Answer, Refusal> {
    Ok(Answer::Response(Response {
        position: text(value, "position"),
        confidence: value.get("confidence").and_then(Value::as_f64).unwrap_or_default(),
        rationale: texts(value, "rationale"),
        concerns: texts(value, "concerns"),
        context_challenge: optional(value, "context_challenge"),
        votes: votes(value)?,
    }))
}

/// A vote that is no vote is a refusal: a wrongly read vote is worse than a missing one.
fn votes(value: &Fields) -> Result<BTreeMap<PointId, Vote>, Refusal> {
    let mut votes = BTreeMap::new();
    for (point, cast) in value.get("votes").and_then(Value::as_object).into_iter().flatten() {
        let said = cast["vote"].as_str().unwrap_or_default();
        let (choice, remark) = split_reason(said);
        let reason = cast["reason"].as_str().map(str::to_owned).or(remark);
        let folded = choice.trim().to_lowercase().replace([' ', '-'], "_");
        let refusal = |_| Refusal(format!("the vote on {point} is \"{choice}\"; allowed: support, stand_aside, block"));
        let choice: Choice = folded.parse().map_err(refusal)?;
        votes.insert(point.trim().to_owned(), Vote { choice, reason });
    }
    Ok(votes)
}

/// `block: too slow` and `block (too slow)` carry their reason with them.
fn split_reason(text: &str) -> (String, Option<String>) {
    let marks = [":", "(", ",", ".", " - ", " \u{2013}", " \u{2014}"];
    let cut = marks.iter().filter_map(|mark| text.find(mark)).min().unwrap_or(text.len());
    let (choice, rest) = text.split_at(cut);
    let reason = rest.trim_matches(|c: char| {
        c.is_whitespace() || matches!(c, ':' | '(' | ')' | ',' | '.' | '-' | '\u{2013}' | '\u{2014}')
    });
    (choice.to_owned(), Some(reason.to_owned()).filter(|reason| !reason.is_empty()))
}

fn synthesis(value: &Fields, doubts: &mut Vec<String>) -> Result<Answer, Refusal> {
    expect_action(value, "synthesis")?;
    let actions: Vec<&str> = Action::ALL.iter().map(|action| action.as_str()).collect();
    let outputs: Vec<&str> = OutputType::ALL.iter().map(|kind| kind.as_str()).collect();
    let output_type = optional(value, "output_type").map(|text| word(&text, "output_type", &outputs)).transpose()?;
    let synthesis = Synthesis {
        synthesis: text(value, "synthesis"),
        next_action: word(&text(value, "next_action"), "next_action", &actions)?,
        consensus: texts(value, "consensus"),
        conflicts: records(value, "conflicts").map(conflict).collect(),
        resolved: records(value, "resolved").map(resolution).collect::<Result<_, _>>()?,
        next_focus: optional(value, "next_focus"),
        escalation_reason: optional(value, "escalation_reason"),
        recommendation: optional(value, "recommendation"),
        output_type,
        agenda_coverage: records(value, "agenda_coverage").map(coverage).collect::<Result<_, _>>()?,
        context_challenges: challenges(value, doubts),
        artifacts: proposals(records(value, "artifacts"), doubts),
    };
    Ok(Answer::Synthesis(Box::new(synthesis)))
}

fn conflict(record: &Fields) -> Conflict {
    let positions = record.get("positions").and_then(Value::as_object).into_iter().flatten();
    let positions = positions.filter_map(|(seat, held)| Some((SeatId::from(seat.trim()), held.as_str()?.to_owned())));
    Conflict { id: text(record, "id"), description: text(record, "description"), positions: positions.collect() }
}

fn resolution(record: &Fields) -> Result<Resolution, Refusal> {
    let allowed: Vec<&str> = ResolutionType::ALL.iter().map(|kind| kind.as_str()).collect();
    let kind = optional(record, "resolution_type");
    let resolution_type = kind.map(|text| word(&text, "resolution_type", &allowed)).transpose()?.unwrap_or_default();
    Ok(Resolution { conflict_id: text(record, "conflict_id"), resolution: text(record, "resolution"), resolution_type })
}

fn coverage(record: &Fields) -> Result<TopicCoverage, Refusal> {
    let status = word(&text(record, "status"), "status", &["pending", "partial", "covered"])?;
    let met = texts(record, "met").iter().filter_map(|number| number.trim().parse().ok()).collect();
    Ok(TopicCoverage { topic: text(record, "topic"), status, met })
}

/// Only an objection with its seat can be followed up; one without is kept as a doubt.
fn challenges(value: &Fields, doubts: &mut Vec<String>) -> Vec<ContextChallenge> {
    let mut challenges = Vec::new();
    for item in value.get("context_challenges").and_then(Value::as_array).into_iter().flatten() {
        let named = item.as_object().and_then(|record| Some((record, optional(record, "participant")?)));
        match named {
            Some((record, participant)) => challenges.push(ContextChallenge {
                participant: SeatId::from(participant),
                challenge: text(record, "challenge"),
                suggestion: optional(record, "suggestion"),
            }),
            None => doubts.push("`context_challenges`: left out one that names no seat".to_owned()),
        }
    }
    challenges
}
