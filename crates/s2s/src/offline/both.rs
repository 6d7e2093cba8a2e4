//! A topic that puts two questions: each is answered at a table of its own, and the two answers are made one, each
//! part under the name of its subject. Given the tables of a topic and a brief; hands on one answer. Both choices
//! become points, both are voted on, the recommendation holds both. Deliberately absent: the answers themselves.

use std::collections::BTreeMap;

use s2s_engine::opening::Sides;
use s2s_engine::reply::{Action, Answer, PointId, Question, Response, Synthesis, Vote};
use s2s_engine::step::{Brief, CallKind};

use super::sum::next_action;
use super::table::{PARTED, Table};
use super::vote::{knows, votes};
use super::words::{opening_with, within};
use super::{asking, debate, speak, sum};

/// Reasons and concerns that each subject has in an answer about two.
const REASONS: usize = 2;
const CONCERNS: usize = 1;

/// The answer to a brief at these tables; the first is the stronger subject.
pub(super) fn answer(tables: &[Table<'_>], brief: &Brief) -> Option<Answer> {
    let (first, second) = (tables.first()?, tables.get(1));
    let alone = |table: &Table<'_>| match brief.call.kind {
        CallKind::Sides => Answer::Sides(debate::sides(table)),
        CallKind::Question => Answer::Question(asking::question(table)),
        CallKind::Response | CallKind::Followup => Answer::Response(speak::response(table, brief)),
        CallKind::Synthesis => Answer::Synthesis(Box::new(sum::synthesis(table))),
    };
    let Some(second) = second else { return Some(alone(first)) };
    let names = [name(first), name(second)];
    Some(match (alone(first), alone(second)) {
        (Answer::Sides(one), Answer::Sides(other)) => Answer::Sides(sides(one, other)),
        (Answer::Question(one), Answer::Question(other)) => Answer::Question(question(&names, one, other)),
        (Answer::Response(one), Answer::Response(other)) => {
            let votes = voted(tables, brief);
            Answer::Response(Response { votes, ..response(&names, one, other) })
        }
        (Answer::Synthesis(one), Answer::Synthesis(other)) => {
            Answer::Synthesis(Box::new(synthesis(first, &names, *one, *other)))
        }
        (one, _) => one,
    })
}

/// The name of a table's subject, at the start of what is said about it.
fn name(table: &Table<'_>) -> String {
    opening_with(&table.playbook().subject)
}

/// Seats are on one side for both questions; the proposal names both.
fn sides(one: Sides, other: Sides) -> Sides {
    Sides { proposal: format!("{}; and {}", one.proposal, other.proposal), ..one }
}

fn question([one_name, other_name]: &[String; 2], one: Question, other: Question) -> Question {
    let more: Vec<&str> =
        other.context_summary.lines().filter(|line| !one.context_summary.lines().any(|known| known == *line)).collect();
    let context_summary = match more.is_empty() {
        true => one.context_summary.clone(),
        false => format!("{}\n{}", one.context_summary, more.join("\n")),
    };
    Question {
        question: format!(
            "First, {}. {} Second, {}. {}",
            within(one_name),
            one.question,
            within(other_name),
            other.question
        ),
        focus: format!("{one_name}: {}{PARTED}{other_name}: {}", one.focus, other.focus),
        context_summary,
        participants: one.participants,
    }
}

fn response(names: &[String; 2], one: Response, other: Response) -> Response {
    let labelled = |at: usize, lines: Vec<String>, most: usize| {
        let name = names[at].clone();
        lines.into_iter().take(most).map(move |line| format!("{name}: {line}")).collect::<Vec<_>>()
    };
    Response {
        position: together(names, &one.position, &other.position),
        rationale: [labelled(0, one.rationale, REASONS), labelled(1, other.rationale, REASONS)].concat(),
        concerns: [labelled(0, one.concerns, CONCERNS), labelled(1, other.concerns, CONCERNS)].concat(),
        // Whoever is unsure of one half is unsure.
        confidence: one.confidence.min(other.confidence),
        context_challenge: one.context_challenge.or(other.context_challenge),
        votes: BTreeMap::new(),
    }
}

/// Each point is voted on at the table that knows it.
fn voted(tables: &[Table<'_>], brief: &Brief) -> BTreeMap<PointId, Vote> {
    let mut all = BTreeMap::new();
    let Some(first) = tables.first() else { return all };
    for point in brief.ballot.iter().filter_map(|id| first.session.point(id)) {
        let table = tables.iter().find(|table| knows(table, &point.text)).unwrap_or(first);
        let seat = table.seats().iter().position(|seat| seat.id == brief.call.seat).unwrap_or_default();
        all.extend(votes(table, seat, table.turn().held, std::slice::from_ref(&point.id)));
    }
    all
}

fn synthesis(table: &Table<'_>, names: &[String; 2], one: Synthesis, other: Synthesis) -> Synthesis {
    let session = table.session;
    let mut consensus = one.consensus;
    consensus.extend(other.consensus.into_iter().filter(|text| !consensus.contains(text)).collect::<Vec<_>>());
    let mut resolved = one.resolved;
    let known = |id: &String| resolved.iter().any(|end| end.conflict_id == *id);
    let more: Vec<_> = other.resolved.into_iter().filter(|end| !known(&end.conflict_id)).collect();
    resolved.extend(more);
    let conflicts = [one.conflicts, other.conflicts].concat();
    // What one table names as open the other cannot have ended.
    resolved.retain(|end| !conflicts.iter().any(|conflict| conflict.id == end.conflict_id));
    let open = session.open_conflicts().count() > resolved.len() || !conflicts.is_empty();
    let last = session.phase_index() + 1 == table.method().phases.len();
    let focus = match (one.next_focus, other.next_focus) {
        (Some(one), Some(other)) => Some(format!("{}: {one}{PARTED}{}: {other}", names[0], names[1])),
        (one, other) => one.or(other),
    };
    let next_action = next_action(session, last, open, &one.agenda_coverage);
    Synthesis {
        synthesis: together(names, &one.synthesis, &other.synthesis),
        consensus,
        conflicts,
        resolved,
        next_focus: focus.filter(|_| next_action != Action::Conclude),
        next_action,
        recommendation: match (one.recommendation, other.recommendation) {
            (Some(one), Some(other)) => Some(together(names, &one, &other)),
            (one, other) => one.or(other),
        },
        escalation_reason: one.escalation_reason,
        output_type: one.output_type,
        agenda_coverage: one.agenda_coverage,
        artifacts: one.artifacts,
        context_challenges: one.context_challenges,
    }
}

fn together(names: &[String; 2], one: &str, other: &str) -> String {
    format!("{}: {one} {}: {other}", names[0], names[1])
}
