//! Replies as text, in the YAML shape that is asked of a model.
//! Given an answer; hands on the text that goes onto the tape. Deliberately absent: reading it again, which
//! is done by the same reader that reads models.

use std::collections::BTreeMap;

use serde::Serialize;

use s2s_engine::artifact::{Details, Proposal};
use s2s_engine::reply::{Answer, Conflict, ContextChallenge, Question, Resolution, Response, Synthesis, TopicCoverage};

#[derive(Serialize)]
struct Asked<'a> {
    action: &'static str,
    question: &'a str,
    context_summary: &'a str,
    participants: &'static str,
    focus: &'a str,
}

#[derive(Serialize)]
struct Answered<'a> {
    position: &'a str,
    rationale: &'a [String],
    confidence: f64,
    concerns: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    context_challenge: Option<&'a str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    votes: BTreeMap<&'a str, Cast<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Cast<'a> {
    Plain(&'static str),
    Reasoned { vote: &'static str, reason: &'a str },
}

#[derive(Serialize)]
struct Summed<'a> {
    action: &'static str,
    synthesis: &'a str,
    consensus: &'a [String],
    conflicts: &'a [Conflict],
    resolved: &'a [Resolution],
    next_action: &'static str,
    next_focus: Option<&'a str>,
    escalation_reason: Option<&'a str>,
    recommendation: Option<&'a str>,
    output_type: Option<&'static str>,
    agenda_coverage: &'a [TopicCoverage],
    context_challenges: &'a [ContextChallenge],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    artifacts: Vec<Kept<'a>>,
}

#[derive(Serialize)]
struct Kept<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'a str>,
    title: &'a str,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    topic: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'a str>,
    #[serde(flatten)]
    details: &'a Details,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    serves: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    uses: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    supersedes: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    proposed_by: &'a [String],
}

/// The answer as text.
pub(crate) fn written(answer: &Answer) -> String {
    let text = match answer {
        Answer::Sides(sides) => s2s_yaml::to_string(sides),
        Answer::Question(question) => s2s_yaml::to_string(&asked(question)),
        Answer::Response(response) => s2s_yaml::to_string(&answered(response)),
        Answer::Synthesis(synthesis) => s2s_yaml::to_string(&summed(synthesis)),
    };
    // These plain values can always be written; should that ever fail, the reader refuses the empty reply.
    text.unwrap_or_default()
}

fn asked(question: &Question) -> Asked<'_> {
    Asked {
        action: "question",
        question: &question.question,
        context_summary: &question.context_summary,
        participants: "all",
        focus: &question.focus,
    }
}

fn answered(response: &Response) -> Answered<'_> {
    let votes = response.votes.iter().map(|(point, vote)| {
        let cast = match vote.reason.as_deref() {
            Some(reason) => Cast::Reasoned { vote: vote.choice.as_str(), reason },
            None => Cast::Plain(vote.choice.as_str()),
        };
        (point.as_str(), cast)
    });
    Answered {
        position: &response.position,
        rationale: &response.rationale,
        confidence: response.confidence,
        concerns: &response.concerns,
        context_challenge: response.context_challenge.as_deref(),
        votes: votes.collect(),
    }
}

fn summed(synthesis: &Synthesis) -> Summed<'_> {
    Summed {
        action: "synthesis",
        synthesis: &synthesis.synthesis,
        consensus: &synthesis.consensus,
        conflicts: &synthesis.conflicts,
        resolved: &synthesis.resolved,
        next_action: synthesis.next_action.as_str(),
        next_focus: synthesis.next_focus.as_deref(),
        escalation_reason: synthesis.escalation_reason.as_deref(),
        recommendation: synthesis.recommendation.as_deref(),
        output_type: synthesis.output_type.map(|kind| kind.as_str()),
        agenda_coverage: &synthesis.agenda_coverage,
        context_challenges: &synthesis.context_challenges,
        artifacts: synthesis.artifacts.iter().map(kept).collect(),
    }
}

fn kept(proposal: &Proposal) -> Kept<'_> {
    Kept {
        id: proposal.id.as_deref(),
        kind: proposal.kind.as_deref(),
        title: &proposal.title,
        text: &proposal.text,
        topic: proposal.topic.as_deref(),
        status: proposal.status.as_deref(),
        details: &proposal.details,
        serves: &proposal.serves,
        uses: &proposal.uses,
        supersedes: &proposal.supersedes,
        proposed_by: &proposal.proposed_by,
    }
}
