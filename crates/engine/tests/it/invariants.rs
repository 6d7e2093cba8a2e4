//! What must hold in every session, said a second time and in another way than the engine says it:
//! from the record alone, walking back as far as it likes. Given a session at a commit or at its end;
//! panics with what is broken.

use std::collections::{BTreeSet, HashMap};

use s2s_engine::opening::{Coverage, Opening, SeatId};
use s2s_engine::record::{Escalation, Outcome, OutcomeStatus, Round, RoundKind, RuledBy, RulingChoice};
use s2s_engine::reply::{Action, ResolutionType};
use s2s_engine::strategy::{Asks, Votes};
use s2s_engine::{Session, Standing};

/// Checks a round that is ready for its commit; `before` is the session as it was when the round began.
pub fn check_round(before: &Session, round: &Round, escalation: Option<&Escalation>) {
    let opening = before.opening();
    assert_eq!(round.number as usize, before.rounds().len() + 1, "rounds are numbered");
    // What people said to the table comes before the end, a round for each time they spoke (L8).
    let spoken = before.interventions().iter().filter(|done| done.said_to_the_table().is_some()).count() as u32;
    assert!(round.number <= opening.settings.limits.max_rounds.max(1) + spoken, "D2: no round after the limit");
    assert_eq!(round.phase, before.phase().name, "a round belongs to its phase");
    check_seats(opening, round);
    check_claims(before, round);
    check_tallies(before, round);
    check_coverage(before, round);
    check_decision(before, round);
    assert_eq!(round.decision.taken == Action::Escalate, escalation.is_some(), "D3");
    if let Some(escalation) = escalation {
        check_escalation(before, escalation);
    }
}

fn check_seats(opening: &Opening, round: &Round) {
    let seats: BTreeSet<&SeatId> = opening.seats.iter().map(|seat| &seat.id).collect();
    let asked: BTreeSet<&SeatId> = round.asked.iter().collect();
    assert!(asked.is_subset(&seats) && asked.len() == round.asked.len(), "L2: asked are seats, once each");
    let silent: BTreeSet<&SeatId> = round.no_response.iter().collect();
    let heard: BTreeSet<&SeatId> = round.confidence.keys().collect();
    assert!(heard.is_disjoint(&silent) && heard.union(&silent).copied().collect::<BTreeSet<_>>() == asked, "L5");
    assert!(asked.is_empty() || !heard.is_empty(), "L5: no round without an answer");
    assert!(round.confidence.values().all(|confidence| (0.0..=1.0).contains(confidence)));
    assert!(round.doubts.len() <= 41, "doubts are bounded");
}

fn check_claims(before: &Session, round: &Round) {
    let plain = |text: &str| text.to_lowercase().trim_end_matches('.').to_owned();
    let mut standing: BTreeSet<String> =
        before.points().iter().filter(|p| p.standing != Standing::Failed).map(|p| plain(&p.text)).collect();
    for point in &round.consensus {
        assert!(standing.insert(plain(point)), "S4: {point:?} is claimed twice");
    }
    assert!(round.consensus.len() <= 12);
    let open: BTreeSet<&str> = before.open_conflicts().map(|conflict| conflict.id.as_str()).collect();
    let named: BTreeSet<&str> = round.conflicts.iter().map(|conflict| conflict.id.as_str()).collect();
    assert_eq!(named.len(), round.conflicts.len(), "a conflict is named once");
    for resolved in &round.resolved {
        assert!(open.contains(resolved.conflict_id.as_str()), "{} was not open", resolved.conflict_id);
        assert!(!named.contains(resolved.conflict_id.as_str()), "{} is open and resolved", resolved.conflict_id);
        assert_ne!(resolved.resolution_type, ResolutionType::User, "only a ruling is a person's");
    }
    if round.kind == RoundKind::Ballot {
        assert!(round.consensus.is_empty() && round.decision.proposed == Action::Conclude, "V4");
    }
}

fn check_tallies(before: &Session, round: &Round) {
    let opening = before.opening();
    let everyone = round.asked.len() == opening.seats.len();
    let votes = everyone && (round.kind == RoundKind::Ballot || opening.settings.method.votes == Votes::WithAnswers);
    let due: Vec<&str> =
        before.points().iter().filter(|p| p.standing == Standing::Unvoted).map(|p| p.id.as_str()).collect();
    let counted: Vec<&str> = round.tallies.iter().map(|tally| tally.point.as_str()).collect();
    assert_eq!(counted, if votes { due } else { Vec::new() }, "V1: the ballot, all of it, and nothing else");
    let named: BTreeSet<&str> = round.conflicts.iter().map(|conflict| conflict.id.as_str()).collect();
    for tally in &round.tallies {
        let block = tally.block.iter().map(|block| &block.seat);
        let mut voices: Vec<&SeatId> =
            tally.support.iter().chain(&tally.stand_aside).chain(block).chain(&tally.no_vote).collect();
        voices.sort();
        let mut seats: Vec<&SeatId> = opening.seats.iter().map(|seat| &seat.id).collect();
        seats.sort();
        assert_eq!(voices, seats, "V2: every seat once");
        assert!((0.0..=1.0).contains(&tally.share) && tally.share.is_sign_positive(), "share {}", tally.share);
        let cast = tally.support.len() + tally.block.len();
        assert!(!tally.carried || cast * 2 >= opening.seats.len(), "V2: fewer than half carry nothing");
        let point = before.point(&tally.point).unwrap();
        assert!(tally.carried || named.contains(point.conflict.as_str()), "V3: {} left no conflict", tally.point);
    }
}

fn check_coverage(before: &Session, round: &Round) {
    let agenda = &before.opening().agenda;
    assert_eq!(round.agenda_coverage.len(), agenda.len());
    for ((now, was), topic) in round.agenda_coverage.iter().zip(before.coverage()).zip(agenda) {
        assert_eq!(now.topic, topic.id);
        assert!(now.status >= *was, "A1: {} fell back", topic.id);
    }
}

fn check_decision(before: &Session, round: &Round) {
    let opening = before.opening();
    let decision = &round.decision;
    assert!(!decision.because.is_empty(), "a decision has its reasons");
    let rule = decision.because[0].rule.as_str();
    let last = before.phase_index() + 1 == opening.settings.method.phases.len();
    match decision.taken {
        Action::Conclude => assert!(matches!(rule, "D2" | "D6"), "concluded by {rule}"),
        Action::Phase => {
            assert!(!last && matches!(rule, "L2" | "D4" | "D5" | "B4"), "moved on by {rule}");
        }
        Action::Escalate => assert!(rule.starts_with('E')),
        Action::Continue => {
            assert!(matches!(rule, "L2" | "D5" | "B4" | "A4" | "D7" | "E8" | "B1" | "B2" | "B3" | "B5" | "B6"))
        }
    }
    let most = opening.settings.limits.max_rounds_per_phase.max(1);
    let held = before.rounds_in_phase() + u32::from(round.kind == RoundKind::Discussion);
    assert!(last || held <= most, "D4: {held} rounds in a phase of {most}");
}

fn check_escalation(before: &Session, escalation: &Escalation) {
    assert!(before.pending().is_none(), "E10: one at a time");
    assert_eq!(escalation.id, format!("X{}", before.escalations().len() + 1));
    assert!(!escalation.causes.is_empty() && !escalation.options.is_empty());
    let accept = escalation.options.contains(&RulingChoice::Accept);
    assert!(!accept || escalation.recommendation.is_some(), "E8: nothing to accept");
    let mut last: HashMap<(&str, &str), &Escalation> = HashMap::new();
    for earlier in before.escalations() {
        last.extend(earlier.causes.iter().map(|cause| ((cause.rule.as_str(), cause.subject.as_str()), earlier)));
    }
    for cause in &escalation.causes {
        let Some(earlier) = last.get(&(cause.rule.as_str(), cause.subject.as_str())) else { continue };
        assert_eq!(cause.rule, "E1", "E7: {} {} fired twice", cause.rule, cause.subject);
        let ruling = earlier.ruling.as_ref().unwrap();
        let since = &before.rounds()[earlier.round as usize..];
        let resolved = |round: &Round| round.resolved.iter().any(|r| r.conflict_id == cause.subject);
        let closed = |x: &Escalation| {
            let choice = x.ruling.as_ref().unwrap().choice;
            let closes = matches!(choice, RulingChoice::Accept | RulingChoice::Decide);
            x.round >= earlier.round && closes && x.conflicts.contains(&cause.subject)
        };
        let reopened = since.iter().any(resolved) || before.escalations().iter().any(closed);
        let granted = ruling.rounds.unwrap_or(before.opening().settings.escalation.max_rounds_per_conflict).max(1);
        assert!(reopened || escalation.round - earlier.round >= granted, "E7: {} fired too soon", cause.subject);
    }
}

/// Checks that the session may end, and that its outcome is earned; `ended` is at `Finish`.
pub fn check_end(ended: &Session, outcome: &Outcome) {
    let opening = ended.opening();
    let ending = ended.last_decision().unwrap();
    assert_eq!(ending.taken, Action::Conclude);
    let rule = ending.because[0].rule.as_str();
    let total = ended.rounds().len() as u32;
    let limits = &opening.settings.limits;
    let open = ended.open_conflicts().count();
    let unvoted = ended.points().iter().filter(|point| point.standing == Standing::Unvoted).count();
    match rule {
        "D1" => assert!(ended.interventions().iter().any(|i| i.kind == s2s_engine::record::InterventionKind::Skip)),
        "D2" => assert!(total >= limits.max_rounds),
        _ => {
            assert_eq!((open, unvoted), (0, 0), "D6: something is open");
            assert!(total >= limits.min_rounds, "B1");
            let topics = opening.agenda.iter().zip(ended.coverage());
            let done = |critical: bool| if critical { Coverage::Covered } else { Coverage::Partial };
            assert!(topics.into_iter().all(|(topic, coverage)| *coverage >= done(topic.critical)), "B3");
            let phases: BTreeSet<&str> = ended.rounds().iter().map(|round| round.phase.as_str()).collect();
            assert_eq!(phases.len(), opening.settings.method.phases.len(), "B4: a phase was not held");
        }
    }
    if outcome.status == OutcomeStatus::Accepted {
        assert!(outcome.reasons.is_empty());
        assert_eq!((open, unvoted), (0, 0), "C4");
        assert!(ended.points().iter().any(|point| point.standing == Standing::Carried), "C4: nothing was carried");
        assert!(ended.rounds().iter().all(|round| round.degraded.is_empty()), "C4: degraded");
        let asking = ended.rounds().iter().rev().find(|round| !round.asked.is_empty());
        assert!(asking.is_some_and(|round| round.no_response.is_empty()), "C4: a seat was silent");
        let floor = opening.settings.escalation.confidence_below;
        let asked = ended.escalations().iter().any(|x| x.ruling.as_ref().is_some_and(|r| r.by == RuledBy::Person));
        let sure = asking.is_some_and(|round| round.confidence.values().all(|&confidence| confidence >= floor));
        assert!(sure || asked, "C4: a seat was not sure, and no person decided");
    } else {
        assert!(!outcome.reasons.is_empty(), "C4: proposed has its reasons");
    }
    assert_eq!(outcome.unresolved.len(), open, "D2: open conflicts are unresolved items");
    let standing = ended.points().iter().filter(|point| point.standing != Standing::Failed).count();
    assert_eq!(outcome.consensus.len(), standing);
    check_phases(ended);
}

/// Phases are held in order, none is left out, and A4 and `min_rounds` held where they must.
fn check_phases(ended: &Session) {
    let method = &ended.opening().settings.method;
    let mut held = 0;
    let mut at = 0;
    for (index, round) in ended.rounds().iter().enumerate() {
        let phase = method.phase_index(&round.phase).unwrap();
        if phase != at {
            assert_eq!(phase, at + 1, "phases come in order");
            let before = &ended.rounds()[index - 1];
            let ruled = ended.escalations().iter().find(|x| x.round == before.number);
            let decision = ruled.map_or(&before.decision, |x| x.ruling.as_ref().unwrap().then.as_ref().unwrap());
            let rule = decision.because[0].rule.as_str();
            let pending = before.agenda_coverage.iter().any(|covered| covered.status == Coverage::Pending);
            let first = method.first_asking_phase() == Some(at);
            assert!(rule == "D4" || held >= method.phases[at].min_rounds, "D5: left too soon");
            assert!(rule == "D4" || !first || !pending || method.phases[at].asks == Asks::None, "A4");
            (at, held) = (phase, 0);
        }
        held += u32::from(round.kind == RoundKind::Discussion);
    }
}
