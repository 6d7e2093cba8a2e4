//! How a session ends (C1, C4): the document's kind, what stands, what is open, and the earned status.
//! Given the folded session and the decision that ended it. Deliberately absent: file names.

use crate::ledger::Standing;
use crate::opening::{Coverage, OutputType, Workflow};
use crate::record::{Decision, Outcome, OutcomeStatus};
use crate::session::Session;
use crate::triggers::seat_in_phase;
use crate::words::counted;

/// The outcome that the record has earned; no model's text can raise its status.
pub(crate) fn outcome(session: &Session, ending: &Decision) -> Outcome {
    let reasons = reasons(session);
    let status = if reasons.is_empty() { OutcomeStatus::Accepted } else { OutcomeStatus::Proposed };
    let standing = session.points().iter().filter(|point| point.standing != Standing::Failed);
    let consensus = standing
        .map(|point| match point.standing {
            Standing::Carried => format!("{}: {}", point.id, point.text),
            _ => format!("{} (unvoted): {}", point.id, point.text),
        })
        .collect();
    let unresolved = session.open_conflicts().map(|conflict| format!("{}: {}", conflict.id, conflict.description));
    let recommended = || session.rounds().iter().rev().find_map(|round| round.decision.recommendation.clone());
    Outcome {
        status,
        reasons,
        output_type: output_type(session, ending),
        file: None,
        files: Vec::new(),
        consensus,
        unresolved: unresolved.collect(),
        recommendation: ending.recommendation.clone().or_else(recommended),
    }
}

/// C4: everything that keeps a decision from being accepted.
fn reasons(session: &Session) -> Vec<String> {
    let ledger = session.ledger();
    let mut reasons = Vec::new();
    let unvoted: Vec<&str> = ledger.unvoted().map(|point| point.id.as_str()).collect();
    if nobody_was_asked(session) {
        reasons.push("No seat was asked: the facilitator spoke alone".to_owned());
    } else if ledger.carried == 0 {
        reasons.push("The panel has carried no point".to_owned());
    }
    if !unvoted.is_empty() {
        reasons.push(format!("Points without a vote: {}", unvoted.join(", ")));
    }
    for point in ledger.quietly_dropped() {
        reasons.push(format!("{} was voted down, and nothing was carried in its place", point.id));
    }
    for conflict in session.open_conflicts() {
        reasons.push(format!("Conflict \"{}\" is open", conflict.id));
    }
    let pending = session.opening().agenda.iter().zip(session.coverage());
    for (topic, _) in pending.filter(|(_, coverage)| **coverage == Coverage::Pending) {
        reasons.push(format!("Topic \"{}\" was not discussed", topic.name));
    }
    reasons.extend(too_few(session));
    if ledger.degraded_rounds > 0 {
        reasons.push(format!("Rounds without a usable reply from the facilitator: {}", ledger.degraded_rounds));
    }
    if !ledger.silent.is_empty() {
        reasons.push(format!("Silent in the last round: {}", ledger.silent.join(", ")));
    }
    reasons.extend(unsure(session));
    reasons
}

/// Topics with fewer artifacts than they need: asking is enough to end, not to be accepted.
fn too_few(session: &Session) -> impl Iterator<Item = String> + '_ {
    let holdings = &session.ledger().holdings;
    session.opening().agenda.iter().filter_map(|topic| {
        let has = holdings.on_topic(&topic.id);
        let name = &topic.name;
        match (has, holdings.asked_on(&topic.id)) {
            _ if has >= topic.least => None,
            (0, 1..) => Some(format!("Topic \"{name}\" has only open questions")),
            _ => Some(format!("Topic \"{name}\" has {} of at least {}", counted(has, "artifact"), topic.least)),
        }
    })
}

/// Whether the whole session went by without a question to anybody.
fn nobody_was_asked(session: &Session) -> bool {
    !session.rounds().is_empty() && session.rounds().iter().all(|round| round.asked.is_empty())
}

/// Seats that were not sure in the last round that asked any, unless a person has decided on it. A
/// policy that goes on over a low confidence does not make the panel any surer.
fn unsure(session: &Session) -> Option<String> {
    let floor = session.opening().settings.escalation.confidence_below;
    let last = session.rounds().iter().rev().find(|round| !round.asked.is_empty())?;
    let decided = |seat: &str| session.ledger().is_settled_by_person("E2", &seat_in_phase(seat, &last.phase));
    let low = last.confidence.iter().filter(|&(seat, &confidence)| confidence < floor && !decided(seat));
    let named: Vec<String> = low.map(|(seat, confidence)| format!("{seat} ({confidence:.2})")).collect();
    (!named.is_empty()).then(|| format!("Not sure in the last round: {}", named.join(", ")))
}

/// C1: flag, then facilitator, then workflow.
fn output_type(session: &Session, ending: &Decision) -> OutputType {
    let opening = session.opening();
    let proposed = || session.rounds().iter().rev().find_map(|round| round.decision.output_type);
    let by_workflow = match opening.workflow {
        Workflow::Specs => OutputType::Requirements,
        Workflow::Design => OutputType::Architecture,
        Workflow::Brainstorm => OutputType::Summary,
    };
    opening.settings.output_type.or(ending.output_type).or_else(proposed).unwrap_or(by_workflow)
}
