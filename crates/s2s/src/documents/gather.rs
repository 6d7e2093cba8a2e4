//! Fills the view from the record of a session.
//! Given the folded session, its minutes and its outcome; hands on words with sources (C2). Nothing is
//! added to what the record holds, and a status is only ever the outcome's (C4).

use s2s_engine::counted;
use s2s_engine::opening::Coverage;
use s2s_engine::record::{Escalation, InterventionKind, Outcome, Round, RoundKind, RuledBy, Ruling, RulingChoice};
use s2s_engine::strategy::PolicyRule;
use s2s_engine::{Session, Standing};
use s2s_store::Minutes;

use super::by_weight;
use super::choice::{decides, ruled_text};
use super::escape::{blocks, inline, yaml};
use super::excerpt::excerpt;
use super::options;
use super::standing;
use super::tallied::{asked_points, checks, conflicts, points, resolved, reviews, tallies, votes};
use super::view::{ConfidenceRow, Requirements, RoundView, RulingView, SeatView, Sections, Statement, TopicView, View};
use super::weighed;
use crate::matrix::Matrix;
use crate::panel::StoodIn;

/// What parts the focus of one subject from that of the other.
const PARTED: &str = " · ";

/// The line by which a session finds its own document again.
pub(super) fn marker(id: &str) -> String {
    format!("<!-- s2s session: {id} -->")
}

/// The record in words.
pub(super) fn gather(session: &Session, minutes: &Minutes, outcome: &Outcome, matrices: &[Matrix]) -> View {
    let opening = session.opening();
    let considered = by_weight::considered(session, matrices).unwrap_or_else(|| options::considered(session));
    let with = |standing: Standing| points(session, standing);
    let seats = opening.seats.iter().map(|seat| yaml(if seat.name.is_empty() { &seat.id } else { &seat.name }));
    let deciders: Vec<String> = seats.chain(people(session)).collect();
    View {
        marker: marker(minutes.id()),
        title: inline(minutes.topic()),
        session: inline(minutes.id()),
        date: standing::completed(session, minutes).strftime("%Y-%m-%d").to_string(),
        strategy: inline(minutes.strategy()),
        phases: phases(session),
        workflow: opening.workflow.to_string(),
        policy: policy(session),
        rounds_held: counted(minutes.total_rounds(), "round"),
        two_sides: opening.sides.is_some(),
        answers_known: session.rounds().iter().any(|round| session.answers_of(round.number).is_some()),
        panel_note: inline(&StoodIn::of(session.rounds()).beside(minutes.panel_note())),
        status: outcome.status.to_string(),
        standing: standing::standing(session),
        reasons: outcome.reasons.iter().map(|reason| inline(reason)).collect(),
        seats: opening.seats.iter().map(|seat| seat_view(session, seat)).collect(),
        deciders_yaml: format!("[{}]", deciders.join(", ")),
        context: excerpt(minutes.context_now()),
        context_source: inline(&minutes.context().source),
        context_changes: context_changes(minutes),
        drivers: drivers(session),
        options: considered.options,
        others: considered.others,
        chosen: considered.chosen,
        decisions: considered.decisions,
        undecided: considered.undecided,
        carried: with(Standing::Carried),
        unvoted: with(Standing::Unvoted),
        failed: with(Standing::Failed),
        recommendation: recommendation(session, outcome),
        good: considered.good,
        bad: considered.bad,
        neutral: considered.neutral,
        risks: considered.risks,
        overruled: considered.overruled,
        holdouts: considered.holdouts,
        disagreed: considered.disagreed,
        checks: checks(session),
        reviews: reviews(session),
        asked_points: asked_points(session),
        tallies: session.rounds().iter().flat_map(|round| tallies(session, round)).collect(),
        blocks: votes(session, |tally| {
            tally.block.iter().map(|block| (block.seat.to_string(), block.reason.clone())).collect()
        }),
        asides: votes(session, |tally| {
            tally.stand_aside.iter().map(|seat| (seat.to_string(), String::new())).collect()
        }),
        conflicts: conflicts(session),
        resolved: resolved(session),
        rulings: standing::told_once(
            session.escalations().iter().filter_map(|one| Some((one.round, ruling_view(one)?))),
        ),
        interjections: interjections(session),
        challenges: challenges(session),
        rounds: session.rounds().iter().map(|round| round_view(session, round)).collect(),
        agenda: agenda(session),
        matrices: weighed::matrices(matrices),
        confidence: confidence(session),
        doubts: doubts(session),
        requirements: Requirements::default(),
        sections: Sections::default(),
    }
}

fn phases(session: &Session) -> Vec<String> {
    let mut held: Vec<String> = Vec::new();
    for round in session.rounds() {
        if held.last() != Some(&round.phase) {
            held.push(round.phase.clone());
        }
    }
    held
}

fn policy(session: &Session) -> String {
    let policy = session.opening().settings.policy;
    match policy.rule {
        PolicyRule::Unanimous => "every vote cast must support".to_owned(),
        PolicyRule::SimpleMajority => "more than half of the votes cast must support".to_owned(),
        PolicyRule::WeightedMajority => {
            format!("support, weighted by confidence, must reach {}", percent(policy.threshold))
        }
        PolicyRule::Consent => "nobody may block".to_owned(),
        PolicyRule::FacilitatorJudgment => "carried unless more than half block".to_owned(),
    }
}

pub(super) fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

fn seat_view(session: &Session, seat: &s2s_engine::opening::Seat) -> SeatView {
    let last = session.rounds().iter().rev().find_map(|round| round.confidence.get(&seat.id));
    SeatView {
        id: inline(&seat.id),
        name: inline(if seat.name.is_empty() { &seat.id } else { &seat.name }),
        model: inline(&seat.model),
        side: session.side_of(&seat.id),
        confidence: last.map(|confidence| format!("{confidence:.2}")),
    }
}

fn people(session: &Session) -> Vec<String> {
    let mut people: Vec<String> = Vec::new();
    let rulings = session.escalations().iter().filter_map(|escalation| escalation.ruling.as_ref());
    for ruling in rulings.filter(|ruling| ruling.by == RuledBy::Person) {
        let name = yaml(ruling.name.as_deref().unwrap_or("a person"));
        if !people.contains(&name) {
            people.push(name);
        }
    }
    people
}

fn context_changes(minutes: &Minutes) -> Vec<Statement> {
    let ruling_of = |round: u32| {
        let mut rulings = minutes.escalations().iter().filter(|one| one.round == round);
        rulings.find_map(|one| Some((one, one.ruling.as_ref().filter(|r| r.choice == RulingChoice::AcceptContext)?)))
    };
    let changes = minutes.context().changes.iter();
    changes
        .map(|change| Statement {
            text: inline(&change.text),
            source: match ruling_of(change.round) {
                Some((escalation, ruling)) => ruling_source(escalation, ruling),
                None => format!("ruling after round {}, by {}", change.round, inline(&change.by)),
            },
        })
        .collect()
}

fn ruling_source(escalation: &Escalation, ruling: &Ruling) -> String {
    format!("{}, round {}, {}", inline(&escalation.id), escalation.round, ruled_by(ruling))
}

fn drivers(session: &Session) -> Vec<Statement> {
    let mut drivers: Vec<(String, Vec<String>)> = Vec::new();
    for round in session.rounds().iter().filter(|round| round.kind == RoundKind::Discussion) {
        // A round on two subjects has a focus for each.
        for text in round.focus.split(PARTED).map(inline).filter(|text| !text.is_empty()) {
            match drivers.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(&text)) {
                Some((_, rounds)) => rounds.push(round.number.to_string()),
                None => drivers.push((text, vec![round.number.to_string()])),
            }
        }
    }
    let source = |rounds: &[String]| match rounds {
        [one] => format!("focus of round {one}"),
        several => format!("focus of rounds {}", several.join(", ")),
    };
    drivers.into_iter().map(|(text, rounds)| Statement { source: source(&rounds), text }).collect()
}

fn recommendation(session: &Session, outcome: &Outcome) -> Option<Statement> {
    let said = outcome.recommendation.as_deref()?;
    let text = blocks(said);
    let round = session.rounds().iter().rev().find(|round| round.decision.recommendation.as_deref() == Some(said));
    let source = round.map_or_else(|| "facilitator".to_owned(), |round| format!("round {}, facilitator", round.number));
    (!text.is_empty()).then_some(Statement { text, source })
}

fn ruling_view(escalation: &Escalation) -> Option<RulingView> {
    let ruling = escalation.ruling.as_ref()?;
    let text = ruled_text(escalation, ruling);
    Some(RulingView {
        id: inline(&escalation.id),
        causes: escalation
            .causes
            .iter()
            .map(|cause| format!("{}: {}", inline(&cause.rule), inline(&cause.text)))
            .collect(),
        choice: choice_words(ruling),
        text: text.map(inline).filter(|text| !text.is_empty()),
        same_as: None,
        source: ruling_source(escalation, ruling),
        decides: decides(escalation, ruling),
    })
}

fn choice_words(ruling: &Ruling) -> String {
    let rounds = || ruling.rounds.map(|rounds| format!(" for {}", counted(rounds, "more round"))).unwrap_or_default();
    match ruling.choice {
        RulingChoice::Accept => "Took the facilitator's recommendation".to_owned(),
        RulingChoice::Decide => "Gave an own decision".to_owned(),
        RulingChoice::Continue => format!("Let the discussion go on{}", rounds()),
        RulingChoice::AcceptContext => "Accepted the challenge to the context".to_owned(),
        RulingChoice::KeepContext => "Kept the context".to_owned(),
        RulingChoice::Discuss => format!("Let the challenge be discussed{}", rounds()),
    }
}

/// Who ruled, in words.
pub(super) fn ruled_by(ruling: &Ruling) -> String {
    match (ruling.by, &ruling.name) {
        (RuledBy::Person, Some(name)) => format!("ruled by {}", inline(name)),
        (RuledBy::Person, None) => "ruled by a person".to_owned(),
        (RuledBy::Policy, Some(name)) => format!("ruled by {}, not by a person", inline(name)),
        (RuledBy::Policy, None) => "ruled by the unattended policy, not by a person".to_owned(),
    }
}

fn interjections(session: &Session) -> Vec<Statement> {
    let said = session.interventions().iter().filter_map(|intervention| {
        let text = match (intervention.kind, intervention.text.as_deref()) {
            (InterventionKind::Interjection, Some(text)) => inline(text),
            (InterventionKind::Skip, _) => "Skip to the end.".to_owned(),
            (InterventionKind::Extend, text) => match text {
                Some(text) => format!("Go on: {}", inline(text)),
                None => "Go on.".to_owned(),
            },
            (InterventionKind::Budget, text) => format!("{}.", text.unwrap_or("Reached the budget")),
            _ => return None,
        };
        let by = inline(intervention.by.as_deref().unwrap_or("a person"));
        Some(Statement { text, source: format!("after round {}, {by}", intervention.after_round) })
    });
    said.collect()
}

fn challenges(session: &Session) -> Vec<Statement> {
    let mut challenges = Vec::new();
    for round in session.rounds() {
        for challenge in &round.context_challenges {
            let suggestion = challenge.suggestion.as_deref().map(inline).filter(|text| !text.is_empty());
            let suggestion = suggestion.map(|text| format!(" Suggestion: {text}")).unwrap_or_default();
            challenges.push(Statement {
                text: format!("{}{suggestion}", inline(&challenge.challenge)),
                source: format!("round {}, {}", round.number, inline(&challenge.participant)),
            });
        }
    }
    challenges
}

fn round_view(session: &Session, round: &Round) -> RoundView {
    let claimed = session.points().iter().filter(|point| point.round == round.number);
    let mut notes = Vec::new();
    if round.probing {
        notes.push("a probing question, because agreement came easily".to_owned());
    }
    if !round.no_response.is_empty() {
        notes.push(format!("no answer from {}", round.no_response.join(", ")));
    }
    for part in &round.degraded {
        notes.push(format!("the facilitator gave no usable {}, a fallback stands in", part_name(*part)));
    }
    RoundView {
        number: round.number,
        phase: inline(&round.phase),
        kind: round.kind.to_string(),
        question: inline(&round.question),
        synthesis: blocks(&round.synthesis),
        synthesis_line: inline(&round.synthesis),
        claimed: claimed.map(|point| point.id.clone()).collect(),
        proposed: round.decision.proposed.to_string(),
        taken: round.decision.taken.to_string(),
        because: round
            .decision
            .because
            .iter()
            .map(|why| format!("{}: {}", inline(&why.rule), inline(&why.text)))
            .collect(),
        notes,
    }
}

fn part_name(part: s2s_engine::record::Degraded) -> &'static str {
    match part {
        s2s_engine::record::Degraded::Question => "question",
        s2s_engine::record::Degraded::Synthesis => "synthesis",
    }
}

fn agenda(session: &Session) -> Vec<TopicView> {
    let topics = session.opening().agenda.iter().zip(session.coverage());
    topics
        .map(|(topic, coverage)| TopicView {
            name: inline(&topic.name),
            mark: match coverage {
                Coverage::Covered => "✓",
                Coverage::Partial => "◐",
                Coverage::Pending => "○",
            },
            status: coverage.to_string(),
            critical: topic.critical,
        })
        .collect()
}

fn confidence(session: &Session) -> Vec<ConfidenceRow> {
    let cell = |round: &Round, seat: &s2s_engine::opening::SeatId| match round.confidence.get(seat) {
        Some(confidence) => format!("{confidence:.2}"),
        None if round.no_response.contains(seat) => "no answer".to_owned(),
        None => "–".to_owned(),
    };
    let seats = session.opening().seats.iter();
    seats
        .map(|seat| ConfidenceRow {
            seat: inline(&seat.id),
            cells: session.rounds().iter().map(|round| cell(round, &seat.id)).collect(),
        })
        .collect()
}

fn doubts(session: &Session) -> Vec<Statement> {
    let mut doubts = Vec::new();
    for round in session.rounds() {
        for doubt in &round.doubts {
            let source = format!("round {}, {}", round.number, inline(&doubt.seat));
            doubts.push(Statement { text: inline(&doubt.what), source });
        }
    }
    doubts
}
