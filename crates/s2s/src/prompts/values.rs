//! The values that prompt templates may use: the curated state for the facilitator, and for a seat
//! what its phase lets it see (L3). Given the session and a brief; hands on serializable views.

use std::collections::BTreeMap;

use s2s_engine::opening::{SeatId, Triggers};
use s2s_engine::record::{InterventionKind, RoundKind, RulingChoice, SeatResponse};
use s2s_engine::reply::Question;
use s2s_engine::step::Brief;
use s2s_engine::strategy::{Asks, Participation, Sees};
use s2s_engine::{Session, Standing};
use serde::Serialize;

use super::artifacts::{ArtifactsView, KnownView, known};

/// What the templates of the system part see: nothing that changes from round to round.
#[derive(Serialize)]
pub(crate) struct SystemValues<'s> {
    role: &'s str,
    topic: &'s str,
    strategy: Named<'s>,
    seats: Vec<SeatView<'s>>,
    side: Option<&'static str>,
    proposal: &'s str,
    agenda_notes: &'s str,
    context: String,
    escalation: &'s Triggers,
    known: Vec<KnownView>,
}

/// What the facilitator's templates see.
#[derive(Serialize)]
pub(crate) struct FacilitatorValues<'s> {
    topic: &'s str,
    strategy: Named<'s>,
    phase: PhaseView<'s>,
    round: u32,
    rounds_held: usize,
    rounds_in_phase: u32,
    max_rounds: u32,
    seats: Vec<SeatView<'s>>,
    last_synthesis: Option<&'s str>,
    consensus: Vec<PointView<'s>>,
    conflicts: Vec<ConflictView<'s>>,
    agenda: Vec<TopicView<'s>>,
    agenda_notes: &'s str,
    pending_topic: Option<&'s str>,
    target: Option<String>,
    rulings: Vec<Said>,
    interjections: Vec<Said>,
    context: String,
    escalation: &'s Triggers,
    question: QuestionView<'s>,
    answers: Vec<AnswerView>,
    artifacts: Option<ArtifactsView>,
    silent: Vec<&'s SeatId>,
    retry_reason: &'s Option<String>,
}

/// What a seat's template sees.
#[derive(Serialize, PartialEq)]
pub(crate) struct SeatValues<'s> {
    topic: &'s str,
    strategy: Named<'s>,
    phase: PhaseView<'s>,
    round: u32,
    side: Option<&'static str>,
    proposal: &'s str,
    context_summary: &'s str,
    rulings: Vec<Said>,
    interjections: Vec<Said>,
    past: Past<'s>,
    before: Vec<AnswerView>,
    ballot: Vec<PointView<'s>>,
    out_of_role: bool,
    question: QuestionView<'s>,
    retry_reason: &'s Option<String>,
}

#[derive(Serialize, PartialEq)]
struct Named<'s> {
    name: &'s str,
    summary: &'s str,
}

#[derive(Serialize, PartialEq)]
struct PhaseView<'s> {
    name: &'s str,
    goal: &'s str,
    directive: &'s str,
    number: usize,
    of: usize,
    min_rounds: u32,
    asks: bool,
}

#[derive(Serialize)]
struct SeatView<'s> {
    id: &'s str,
    name: &'s str,
    side: Option<&'static str>,
}

#[derive(Serialize, PartialEq)]
struct PointView<'s> {
    id: &'s str,
    text: &'s str,
    standing: &'static str,
}

#[derive(Serialize, PartialEq)]
struct ConflictView<'s> {
    id: &'s str,
    description: &'s str,
    age: u32,
    positions: &'s BTreeMap<SeatId, String>,
}

#[derive(Serialize)]
struct TopicView<'s> {
    id: &'s str,
    name: &'s str,
    critical: bool,
    status: &'static str,
    /// The criteria that are still to be met, and the artifacts it has, where the rules ask for them (A5).
    open_criteria: Vec<u32>,
    has: u32,
    least: u32,
}

#[derive(Serialize, Default, PartialEq)]
struct QuestionView<'s> {
    question: &'s str,
    focus: &'s str,
}

#[derive(Serialize, PartialEq)]
struct Said {
    by: &'static str,
    round: u32,
    text: String,
}

#[derive(Serialize, PartialEq)]
struct AnswerView {
    seat: String,
    side: Option<&'static str>,
    position: String,
    rationale: Vec<String>,
    concerns: Vec<String>,
    confidence: f64,
    context_challenge: Option<String>,
    votes: BTreeMap<String, &'static str>,
}

#[derive(Serialize, Default, PartialEq)]
pub(super) struct Past<'s> {
    any: bool,
    last_synthesis: Option<&'s str>,
    earlier: Vec<EarlierView<'s>>,
    consensus: Vec<PointView<'s>>,
    conflicts: Vec<ConflictView<'s>>,
    answers: Vec<AnswerView>,
}

#[derive(Serialize, PartialEq)]
struct EarlierView<'s> {
    phase: &'s str,
    synthesis: &'s str,
}

impl<'s> SystemValues<'s> {
    pub(crate) fn new(session: &'s Session, seat: &SeatId, role: &'s str, agenda_notes: &'s str) -> Self {
        let opening = session.opening();
        Self {
            role,
            topic: &opening.topic,
            strategy: strategy(session),
            seats: seats(session),
            side: session.side_of(seat),
            proposal: proposal(session),
            agenda_notes,
            context: context(session),
            escalation: &opening.settings.escalation,
            known: known(session),
        }
    }
}

impl<'s> FacilitatorValues<'s> {
    pub(crate) fn new(session: &'s Session, brief: &'s Brief, agenda_notes: &'s str) -> Self {
        let opening = session.opening();
        let decision = session.last_decision();
        let held_back = decision.filter(|d| d.because.iter().any(|b| b.rule.starts_with('B') || b.rule == "A4"));
        let target = held_back.map(|decision| {
            let texts: Vec<&str> = decision.because.iter().map(|because| because.text.as_str()).collect();
            texts.join("; ")
        });
        let focus = decision.and_then(|decision| decision.next_focus.clone());
        Self {
            topic: &opening.topic,
            strategy: strategy(session),
            phase: phase(session),
            round: session.round_number(),
            rounds_held: session.rounds().len(),
            rounds_in_phase: session.rounds_in_phase(),
            max_rounds: opening.settings.limits.max_rounds,
            seats: seats(session),
            last_synthesis: session.last_synthesis(),
            consensus: consensus(session),
            conflicts: conflicts(session),
            agenda: agenda(session),
            agenda_notes,
            pending_topic: session.pending_topic(),
            target: target.or(focus),
            rulings: rulings(session, 0),
            interjections: interjections(session, 0),
            context: context(session),
            escalation: &opening.settings.escalation,
            question: question(session.question()),
            answers: answers_now(session),
            artifacts: ArtifactsView::of(session),
            silent: session.silent().collect(),
            retry_reason: &brief.retry_reason,
        }
    }
}

impl<'s> SeatValues<'s> {
    pub(crate) fn new(session: &'s Session, brief: &'s Brief) -> Self {
        let opening = session.opening();
        let seat = &brief.call.seat;
        let last_answered = last_answered(session, seat);
        let sequential = opening.settings.method.participation == Participation::Sequential;
        let is_ballot = session.round_kind() == RoundKind::Ballot;
        Self {
            topic: &opening.topic,
            strategy: strategy(session),
            phase: phase(session),
            round: session.round_number(),
            side: session.side_of(seat).filter(|_| !is_ballot),
            proposal: proposal(session),
            context_summary: context_summary(session),
            rulings: rulings(session, last_answered),
            interjections: interjections(session, last_answered),
            past: past(session, seat),
            before: if sequential { answers_now(session) } else { Vec::new() },
            ballot: brief.ballot.iter().filter_map(|id| session.point(id)).map(point).collect(),
            out_of_role: is_ballot && opening.settings.method.two_sides,
            question: question(session.question()),
            retry_reason: &brief.retry_reason,
        }
    }
}

fn seats(session: &Session) -> Vec<SeatView<'_>> {
    let seats = session.opening().seats.iter();
    seats.map(|seat| SeatView { id: &seat.id, name: &seat.name, side: session.side_of(&seat.id) }).collect()
}

/// What a debate argues about: what the sides were given, else the topic.
fn proposal(session: &Session) -> &str {
    let opening = session.opening();
    opening.sides.as_ref().map_or(opening.topic.as_str(), |sides| sides.proposal.as_str())
}

fn strategy(session: &Session) -> Named<'_> {
    let method = &session.opening().settings.method;
    Named { name: &method.name, summary: &method.summary }
}

fn phase(session: &Session) -> PhaseView<'_> {
    let phase = session.phase();
    PhaseView {
        name: &phase.name,
        goal: &phase.goal,
        directive: &phase.directive,
        number: session.phase_index() + 1,
        of: session.opening().settings.method.phases.len(),
        min_rounds: phase.min_rounds,
        asks: phase.asks == Asks::All,
    }
}

fn point(point: &s2s_engine::Point) -> PointView<'_> {
    let standing = match point.standing {
        Standing::Unvoted => "not voted yet",
        Standing::Carried => "carried",
        Standing::Failed => "voted down",
    };
    PointView { id: &point.id, text: &point.text, standing }
}

fn consensus(session: &Session) -> Vec<PointView<'_>> {
    session.points().iter().filter(|point| point.standing != Standing::Failed).map(point).collect()
}

fn conflicts(session: &Session) -> Vec<ConflictView<'_>> {
    session
        .open_conflicts()
        .map(|c| ConflictView { id: &c.id, description: &c.description, age: c.age, positions: &c.positions })
        .collect()
}

fn agenda(session: &Session) -> Vec<TopicView<'_>> {
    let topics = session.opening().agenda.iter().zip(session.coverage()).zip(session.criteria_met());
    topics
        .map(|((topic, status), met)| TopicView {
            id: &topic.id,
            name: &topic.name,
            critical: topic.critical,
            status: status.as_str(),
            open_criteria: (1..=topic.criteria).filter(|number| !met.contains(number)).collect(),
            has: if topic.least > 0 { session.artifacts_on(&topic.id) } else { 0 },
            least: topic.least,
        })
        .collect()
}

fn question(question: Option<&Question>) -> QuestionView<'_> {
    question.map(|q| QuestionView { question: &q.question, focus: &q.focus }).unwrap_or_default()
}

/// The context as it holds now: what the session started with, and what rulings changed (S7).
pub(crate) fn context(session: &Session) -> String {
    let mut context = session.opening().context.clone();
    for change in session.context_changes() {
        context.push_str(&format!("\n\nSince round {}: {}", change.round, change.text));
    }
    context
}

/// The facilitator's last word on the context; probing and ballot rounds have none of their own.
fn context_summary(session: &Session) -> &str {
    let now = session.question().map(|question| question.context_summary.as_str());
    let before = || session.rounds().iter().rev().map(|round| round.context_summary.as_str());
    now.into_iter().chain(before()).find(|summary| !summary.is_empty()).unwrap_or_default()
}

fn last_answered(session: &Session, seat: &SeatId) -> u32 {
    let answered = session.rounds().iter().rev().find(|round| round.confidence.contains_key(seat));
    answered.map_or(0, |round| round.number)
}

/// Rulings given after this round or later.
fn rulings(session: &Session, since: u32) -> Vec<Said> {
    let mut said = Vec::new();
    for escalation in session.escalations().iter().filter(|escalation| escalation.round >= since) {
        let Some(ruling) = &escalation.ruling else { continue };
        let given = ruling.text.clone().or_else(|| match ruling.choice {
            RulingChoice::Accept => escalation.recommendation.clone(),
            RulingChoice::KeepContext => Some("The stated context holds.".to_owned()),
            _ => None,
        });
        let by = match ruling.by {
            s2s_engine::record::RuledBy::Person => "a person",
            s2s_engine::record::RuledBy::Policy => "policy",
        };
        said.extend(given.map(|text| Said { by, round: escalation.round, text }));
    }
    said
}

fn interjections(session: &Session, since: u32) -> Vec<Said> {
    let said = |kind| matches!(kind, InterventionKind::Interjection | InterventionKind::Extend);
    let words = session.interventions().iter().filter(|i| said(i.kind));
    words
        .filter(|word| word.after_round >= since)
        .filter_map(|word| Some(Said { by: "a person", round: word.after_round, text: word.text.clone()? }))
        .collect()
}

fn answers_now(session: &Session) -> Vec<AnswerView> {
    session
        .responses()
        .map(|(seat, response)| AnswerView {
            seat: seat.to_string(),
            side: session.side_of(seat),
            position: response.position.clone(),
            rationale: response.rationale.clone(),
            concerns: response.concerns.clone(),
            confidence: response.confidence,
            context_challenge: response.context_challenge.clone(),
            votes: response.votes.iter().map(|(point, vote)| (point.clone(), vote.choice.as_str())).collect(),
        })
        .collect()
}

/// What the phase lets a seat see of the past.
pub(super) fn past<'s>(session: &'s Session, seat: &SeatId) -> Past<'s> {
    let mut past = Past::default();
    for sees in &session.phase().sees {
        match sees {
            Sees::LastSynthesis => past.last_synthesis = session.last_synthesis(),
            Sees::Consensus => past.consensus = consensus(session),
            Sees::Conflicts => past.conflicts = conflicts(session),
            Sees::EarlierSyntheses => past.earlier = earlier(session),
            Sees::PhaseBeforeAnswers | Sees::BothSides => phase_before(session, seat, *sees, &mut past),
        }
    }
    past.any = past.last_synthesis.is_some()
        || !(past.earlier.is_empty()
            && past.consensus.is_empty()
            && past.conflicts.is_empty()
            && past.answers.is_empty());
    past
}

/// The last synthesis of each earlier phase.
fn earlier(session: &Session) -> Vec<EarlierView<'_>> {
    let mut earlier: Vec<EarlierView<'_>> = Vec::new();
    for round in session.rounds().iter().filter(|round| round.phase != session.phase().name) {
        match earlier.last_mut() {
            Some(last) if last.phase == round.phase => last.synthesis = &round.synthesis,
            _ => earlier.push(EarlierView { phase: &round.phase, synthesis: &round.synthesis }),
        }
    }
    earlier
}

/// The answers of the phase before, without names (by side in a debate); where they are not known
/// any more, the phase's synthesis stands in for them (S4).
fn phase_before<'s>(session: &'s Session, seat: &SeatId, sees: Sees, past: &mut Past<'s>) {
    let phases = &session.opening().settings.method.phases;
    let Some(before) = session.phase_index().checked_sub(1).map(|index| phases[index].name.as_str()) else { return };
    for round in session.rounds().iter().filter(|round| round.phase == before) {
        match session.answers_of(round.number) {
            Some(answers) => {
                let others = answers.iter().filter(|answer| answer.participant != *seat);
                past.answers.extend(others.map(|answer| nameless(session, answer, sees)));
            }
            None => past.earlier.push(EarlierView { phase: before, synthesis: &round.synthesis }),
        }
    }
}

fn nameless(session: &Session, answer: &SeatResponse, sees: Sees) -> AnswerView {
    AnswerView {
        seat: String::new(),
        side: if sees == Sees::BothSides { session.side_of(&answer.participant) } else { None },
        position: answer.position.clone(),
        rationale: answer.rationale.clone(),
        concerns: answer.concerns.clone(),
        confidence: answer.confidence,
        context_challenge: None,
        votes: BTreeMap::new(),
    }
}
