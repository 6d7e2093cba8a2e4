//! The four shapes a reply can have, field by field: sides, question, response, synthesis.
//! Given the fields of a reply; hands on engine values. What each shape requires stands here (L4).

use std::collections::BTreeMap;

use s2s_engine::opening::{OutputType, SeatId, Sides};
use s2s_engine::reply::{
    Action, Answer, Choice, Conflict, ContextChallenge, PointId, Question, Resolution, ResolutionType, Response,
    Synthesis, TopicCoverage, Vote,
};
use s2s_engine::step::CallKind;
use serde_json::Value;

use super::Refusal;
use super::fields::{Fields, scalar};

/// The keys that tell a shape from other mappings.
pub(super) fn keys(kind: CallKind) -> &'static [&'static str] {
    match kind {
        CallKind::Sides => &["pro", "con"],
        CallKind::Question => &["action", "question"],
        CallKind::Response => &["position", "confidence"],
        CallKind::Synthesis => &["action", "synthesis", "next_action"],
    }
}

pub(super) fn sides(fields: &mut Fields) -> Result<Answer, Refusal> {
    let ids = |texts: Vec<String>| texts.into_iter().map(SeatId::from).collect();
    let (pro, con) = (ids(fields.texts("pro")?), ids(fields.texts("con")?));
    let proposal = fields.text("proposal")?.unwrap_or_default();
    Ok(Answer::Sides(Sides { pro, con, proposal }))
}

fn action(fields: &mut Fields, expected: &str) -> Result<(), Refusal> {
    match fields.text("action")?.as_deref() {
        Some(action) if action == expected => Ok(()),
        Some(other) => Err(Refusal(format!("`action` is \"{other}\"; it must be \"{expected}\""))),
        None => Err(Refusal(format!("`action: {expected}` is missing"))),
    }
}

pub(super) fn question(fields: &mut Fields) -> Result<Answer, Refusal> {
    action(fields, "question")?;
    let question = fields.required_text("question")?;
    let named = match fields.take("participants") {
        None => Vec::new(),
        Some(Value::Array(items)) => items.iter().filter_map(scalar).collect(),
        Some(value) => {
            let names = scalar(&value).ok_or_else(|| Refusal("`participants` must be `all` or a list".into()))?;
            names.split(',').map(|name| name.trim().to_owned()).collect()
        }
    };
    let everyone = named.iter().any(|name| name.eq_ignore_ascii_case("all"));
    Ok(Answer::Question(Question {
        question,
        focus: fields.text("focus")?.unwrap_or_default(),
        context_summary: fields.text("context_summary")?.unwrap_or_default(),
        participants: if everyone { Vec::new() } else { named.into_iter().filter(|n| !n.is_empty()).collect() },
    }))
}

pub(super) fn response(fields: &mut Fields) -> Result<Answer, Refusal> {
    Ok(Answer::Response(Response {
        position: fields.required_text("position")?,
        confidence: fields.unit("confidence")?,
        rationale: fields.texts("rationale")?,
        concerns: fields.texts("concerns")?,
        context_challenge: fields.text("context_challenge")?,
        votes: votes(fields)?,
    }))
}

/// `C1.1: support`, or `C1.1: {vote: block, reason: …}`. A vote that is no vote is a refusal: a
/// wrongly read vote is worse than a missing one.
fn votes(fields: &mut Fields) -> Result<BTreeMap<PointId, Vote>, Refusal> {
    let mut votes = BTreeMap::new();
    for (point, value) in fields.pairs("votes")? {
        let (choice, reason) = match value {
            Value::Null => continue,
            Value::Object(map) => {
                let mut inner = Fields::new(map, Vec::new());
                let choice = inner.required_text("vote").map_err(|_| vote_refusal(&point, "without `vote`"))?;
                (choice, inner.text("reason")?)
            }
            other => match scalar(&other) {
                Some(text) => split_reason(&text),
                None => return Err(vote_refusal(&point, "a list")),
            },
        };
        let word = choice.trim().to_lowercase().replace([' ', '-'], "_");
        let choice: Choice = word.parse().map_err(|()| vote_refusal(&point, &format!("\"{choice}\"")))?;
        votes.insert(point.trim().to_owned(), Vote { choice, reason });
    }
    Ok(votes)
}

/// `block: too slow` and `block (too slow)` carry their reason with them.
fn split_reason(text: &str) -> (String, Option<String>) {
    let cut = text.find([':', '(', ',', '.']).unwrap_or(text.len());
    let (choice, rest) = text.split_at(cut);
    let reason = rest.trim_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '(' | ')' | ',' | '.'));
    (choice.to_owned(), Some(reason.to_owned()).filter(|reason| !reason.is_empty()))
}

fn vote_refusal(point: &str, got: &str) -> Refusal {
    Refusal(format!("the vote on {point} is {got}; allowed: support, stand_aside, block"))
}

pub(super) fn synthesis(fields: &mut Fields) -> Result<Answer, Refusal> {
    action(fields, "synthesis")?;
    let names = |all: &[Action]| all.iter().map(|action| action.as_str()).collect::<Vec<_>>();
    let allowed = names(Action::ALL);
    let next_action = fields.word("next_action", &allowed)?;
    let output_types: Vec<&str> = OutputType::ALL.iter().map(|kind| kind.as_str()).collect();
    let synthesis = Synthesis {
        synthesis: fields.required_text("synthesis")?,
        next_action: next_action
            .ok_or_else(|| Refusal(format!("`next_action` is missing; allowed: {}", allowed.join(", "))))?,
        consensus: fields.texts("consensus")?,
        conflicts: conflicts(fields)?,
        resolved: resolved(fields)?,
        next_focus: fields.text("next_focus")?,
        escalation_reason: fields.text("escalation_reason")?,
        recommendation: fields.text("recommendation")?,
        output_type: fields.word("output_type", &output_types)?,
        agenda_coverage: coverage(fields)?,
        context_challenges: challenges(fields)?,
    };
    Ok(Answer::Synthesis(Box::new(synthesis)))
}

fn conflicts(fields: &mut Fields) -> Result<Vec<Conflict>, Refusal> {
    let mut conflicts = Vec::new();
    for mut item in fields.maps("conflicts")? {
        let id = item.text("id")?.unwrap_or_default();
        let description = item.text("description")?.unwrap_or_default();
        if id.is_empty() && description.is_empty() {
            return Err(Refusal("a conflict needs `id` and `description`".into()));
        }
        let mut positions = BTreeMap::new();
        for (seat, value) in item.pairs("positions")? {
            let text = scalar(&value).ok_or_else(|| Refusal("`positions` must map seats to texts".into()))?;
            positions.insert(SeatId::from(seat.trim()), text);
        }
        conflicts.push(Conflict { id, description, positions });
    }
    Ok(conflicts)
}

fn resolved(fields: &mut Fields) -> Result<Vec<Resolution>, Refusal> {
    let mut resolved = Vec::new();
    let allowed: Vec<&str> = ResolutionType::ALL.iter().map(|kind| kind.as_str()).collect();
    for mut item in fields.maps("resolved")? {
        let conflict_id =
            item.text("conflict_id")?.ok_or_else(|| Refusal("a resolved conflict needs `conflict_id`".into()))?;
        let resolution = item.text("resolution")?.unwrap_or_default();
        let resolution_type = item.word("resolution_type", &allowed)?.unwrap_or_default();
        resolved.push(Resolution { conflict_id, resolution, resolution_type });
    }
    Ok(resolved)
}

fn coverage(fields: &mut Fields) -> Result<Vec<TopicCoverage>, Refusal> {
    let mut coverage = Vec::new();
    for mut item in fields.maps("agenda_coverage")? {
        let topic = item.text("topic")?.ok_or_else(|| Refusal("agenda coverage needs `topic`".into()))?;
        let allowed = ["pending", "partial", "covered"];
        let status = item
            .word("status", &allowed)?
            .ok_or_else(|| Refusal(format!("agenda coverage of \"{topic}\" needs `status`")))?;
        coverage.push(TopicCoverage { topic, status });
    }
    Ok(coverage)
}

fn challenges(fields: &mut Fields) -> Result<Vec<ContextChallenge>, Refusal> {
    let mut challenges = Vec::new();
    for mut item in fields.maps("context_challenges")? {
        let (participant, challenge) = (item.text("participant")?, item.text("challenge")?);
        if let (Some(participant), Some(challenge)) = (participant, challenge) {
            let suggestion = item.text("suggestion")?;
            challenges.push(ContextChallenge { participant: SeatId::from(participant), challenge, suggestion });
        }
    }
    Ok(challenges)
}
