//! The facilitator's synthesis, by rule: who leans where, what the focus showed, what can be claimed.
//! A point is claimed only if the seats at the table lean the same way, or if it holds under every option;
//! a difference is a conflict with an id that stays the same; it is resolved when the seats meet. Given the
//! table; hands on a synthesis. Deliberately absent: the decision, which is the engine's.

use s2s_engine::Session;
use s2s_engine::opening::{Coverage, OutputType, Workflow};
use s2s_engine::reply::{Action, Conflict, ContextChallenge, Resolution, ResolutionType, Synthesis, TopicCoverage};
use s2s_engine::slug::slug;
use s2s_engine::strategy::Asks;

use super::asking::{asked_before, contenders, next_criterion, open_topic};
use super::claims::points;
use super::stance::Stance;
use super::table::{Table, Turn};
use super::tell::{by_weights, recommendation, told};
use super::words::{listed, opening_with};

/// The summing up of the round under way.
pub(super) fn synthesis(table: &Table<'_>) -> Synthesis {
    let turn = table.turn();
    let seats: Vec<usize> = if turn.asked.is_empty() { (0..table.seats().len()).collect() } else { turn.asked.clone() };
    let shared = table.shared_by_all(&seats, &turn);
    let last = table.session.phase_index() + 1 == table.method().phases.len();
    // Where seats argue for a side, or are not asked, the facilitator weighs instead of naming a conflict.
    let weighs = turn.stance.takes_sides() || turn.stance == Stance::Conclude;
    // A split table that was told to go on has said it all; what is left is weights, and the majority's carry it.
    let went_on = table.times_told(turn.held) > 0;
    let chosen = shared.or_else(|| ((weighs && last) || went_on).then(|| table.strongest()));
    let conflicts = if chosen.is_none() && !weighs && table.session.phase().tracks {
        vec![conflict(table, &turn, &seats)]
    } else {
        Vec::new()
    };
    let resolved = resolved(table, &turn, &seats, chosen, &conflicts);
    let open = table.session.open_conflicts().count() > resolved.len() || !conflicts.is_empty();
    let agenda_coverage = coverage(table.session);
    let next_action = next_action(table.session, last, open, &agenda_coverage);
    // Where nothing here can choose, no choice is claimed.
    let claimed = chosen.filter(|_| table.subject.one_kind().is_none());
    let consensus = points(table, &turn, claimed, last);
    let recommended = chosen.unwrap_or_else(|| table.strongest());
    let ends = next_action == Action::Conclude;
    Synthesis {
        synthesis: told(table, &turn, &seats, shared, chosen),
        consensus,
        conflicts,
        resolved,
        next_action,
        next_focus: (!ends).then(|| next_focus(table, &turn, open)),
        escalation_reason: None,
        recommendation: Some(recommendation(table, &turn, recommended)),
        output_type: (table.session.opening().workflow == Workflow::Brainstorm).then_some(OutputType::Adr),
        agenda_coverage,
        artifacts: Vec::new(),
        context_challenges: challenges(table),
    }
}

fn conflict(table: &Table<'_>, turn: &Turn, seats: &[usize]) -> Conflict {
    let mut sides: Vec<usize> = seats.iter().filter_map(|&seat| table.seen_leaning(seat, turn.held)).collect();
    sides.sort_unstable();
    sides.dedup();
    let names: Vec<&str> = sides.iter().map(|&option| table.name(option)).collect();
    let positions = table.session.responses().map(|(seat, response)| (seat.clone(), response.position.clone()));
    Conflict {
        id: conflict_id(table),
        description: format!("{}: {}", opening_with(&table.playbook().decides), listed(&names, "or")),
        positions: positions.collect(),
    }
}

/// The ids of all conflicts that a table can name or bring about: who wins, and each choice that is voted down.
pub(super) fn conflict_ids(table: &Table<'_>) -> Vec<String> {
    let choices = table.subject.focus.iter().map(|&option| slug(&table.decide(option)));
    choices.chain([conflict_id(table)]).collect()
}

/// One id for the question who wins, whichever options are left in it.
fn conflict_id(table: &Table<'_>) -> String {
    let ids: Vec<&str> = table.subject.focus.iter().map(|&option| table.option(option).id.as_str()).collect();
    match ids.len() {
        2 => slug(&ids.join(" or ")),
        _ => slug(&table.playbook().name),
    }
}

fn resolved(
    table: &Table<'_>,
    turn: &Turn,
    seats: &[usize],
    chosen: Option<usize>,
    named: &[Conflict],
) -> Vec<Resolution> {
    let own = |id: &String| !named.iter().any(|conflict| conflict.id == *id) && !table.others.contains(id);
    let open = table.session.open_conflicts().filter(|open| own(&open.id));
    let end = |open: &s2s_engine::OpenConflict| {
        let about = table.subject.focus.iter().copied().find(|&option| slug(&table.decide(option)) == open.id);
        let (resolution, resolution_type) = if open.id == conflict_id(table) {
            let option = chosen?;
            match table.shared_by_all(seats, turn) {
                Some(_) => {
                    (format!("The seats have come together on {}", table.name(option)), ResolutionType::Consensus)
                }
                None => (by_weights(table, turn, seats, option), ResolutionType::Facilitator),
            }
        } else if let Some(about) = about {
            let option = chosen?;
            let text = match option == about {
                true => "Put to the vote again with what would answer the objection".to_owned(),
                false => format!("The table has moved on to {}", table.name(option)),
            };
            (text, ResolutionType::Facilitator)
        } else {
            (
                "Dropped: the table did not carry it, and the decision stands without it".to_owned(),
                ResolutionType::Facilitator,
            )
        };
        Some(Resolution { conflict_id: open.id.clone(), resolution, resolution_type })
    };
    open.filter_map(end).collect()
}

/// What the facilitator proposes: the next phase once this one has done its work, the end once nothing is open.
pub(super) fn next_action(session: &Session, last: bool, open: bool, coverage: &[TopicCoverage]) -> Action {
    let pending = coverage.iter().any(|topic| topic.status == Coverage::Pending);
    let held = session.rounds_in_phase() + 1;
    let phase = session.phase();
    if !last {
        let first = session.opening().settings.method.first_asking_phase() == Some(session.phase_index());
        let stays = held < phase.min_rounds || (pending && first);
        return if stays && phase.asks == Asks::All { Action::Continue } else { Action::Phase };
    }
    let few = session.round_number() < session.opening().settings.limits.min_rounds;
    if open || pending || few { Action::Continue } else { Action::Conclude }
}

fn next_focus(table: &Table<'_>, turn: &Turn, open: bool) -> String {
    if open {
        return format!("What would let everyone live with one of these: {}", contenders(table));
    }
    let mut asked = asked_before(table);
    asked.push(turn.criterion);
    opening_with(table.about(next_criterion(table, None, &asked)))
}

/// The topic that was asked about is covered; nothing else is.
pub(super) fn coverage(session: &Session) -> Vec<TopicCoverage> {
    let asked = open_topic(session).map(|topic| topic.id.as_str());
    let agenda = session.opening().agenda.iter().zip(session.coverage());
    let status = |id: &str, now: Coverage| if asked == Some(id) { Coverage::Covered } else { now };
    agenda
        .map(|(topic, now)| TopicCoverage { topic: topic.id.clone(), status: status(&topic.id, *now), met: Vec::new() })
        .collect()
}

fn challenges(table: &Table<'_>) -> Vec<ContextChallenge> {
    let said =
        table.session.responses().filter_map(|(seat, response)| Some((seat, response.context_challenge.as_ref()?)));
    let suggestion = || Some("Say in the context which of the two holds.".to_owned());
    said.map(|(seat, text)| ContextChallenge {
        participant: seat.clone(),
        challenge: text.clone(),
        suggestion: suggestion(),
    })
    .collect()
}
