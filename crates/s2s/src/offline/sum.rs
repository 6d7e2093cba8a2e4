//! The facilitator's synthesis, by rule: who leans where, what the focus showed, what can be claimed.
//! A point is claimed only if the seats at the table lean the same way, or if it holds under every option;
//! a difference is a conflict with an id that stays the same; it is resolved when the seats meet. Given the
//! table; hands on a synthesis. Deliberately absent: the decision, which is the engine's.

use s2s_engine::Session;
use s2s_engine::opening::{Coverage, OutputType, Workflow};
use s2s_engine::reply::{Action, Conflict, ContextChallenge, Resolution, ResolutionType, Synthesis, TopicCoverage};
use s2s_engine::slug::slug;
use s2s_engine::strategy::Asks;

use super::chair::{asked_before, contenders, next_criterion, open_topic};
use super::debate::motion;
use super::stance::Stance;
use super::subject::first_option;
use super::table::{Table, Turn};
use super::words::{counted, listed, opening_with, within};

/// How points begin that are not taken from the playbook word for word.
pub(super) const FIRST_STEP: &str = "First step: ";
pub(super) const REVISIT: &str = "Look at this decision again when ";
pub(super) const FIND_OUT: &str = "Find out before building: ";
pub(super) const ANSWER_FIRST: &str = "Answer first: ";

/// The summing up of the round under way.
pub(super) fn synthesis(table: &Table<'_>) -> Synthesis {
    let turn = table.turn();
    let seats: Vec<usize> = if turn.asked.is_empty() { (0..table.seats().len()).collect() } else { turn.asked.clone() };
    let shared = shared(table, &turn, &seats);
    let last = table.session.phase_index() + 1 == table.method().phases.len();
    // Where seats argue for a side, or are not asked, the facilitator weighs instead of naming a conflict.
    let weighs = turn.stance.takes_sides() || turn.stance == Stance::Conclude;
    let chosen = shared.or_else(|| (weighs && last).then(|| table.strongest()));
    let conflicts = if shared.is_none() && !weighs && table.session.phase().tracks {
        vec![conflict(table, &turn, &seats)]
    } else {
        Vec::new()
    };
    let resolved = resolved(table, chosen, &conflicts);
    let open = table.session.open_conflicts().count() > resolved.len() || !conflicts.is_empty();
    let agenda_coverage = coverage(table.session);
    let next_action = next_action(table.session, last, open, &agenda_coverage);
    let consensus = points(table, &turn, chosen, last);
    let recommended = chosen.unwrap_or_else(|| table.strongest());
    let ends = next_action == Action::Conclude;
    Synthesis {
        synthesis: told(table, &turn, &seats, shared),
        consensus,
        conflicts,
        resolved,
        next_action,
        next_focus: (!ends).then(|| next_focus(table, &turn, open)),
        escalation_reason: None,
        recommendation: Some(recommendation(table, recommended)),
        output_type: (table.session.opening().workflow == Workflow::Brainstorm).then_some(OutputType::Adr),
        agenda_coverage,
        context_challenges: challenges(table),
    }
}

/// The option all seats lean to. A person's seat is read by what was said, as it follows no playbook.
fn shared(table: &Table<'_>, turn: &Turn, seats: &[usize]) -> Option<usize> {
    let people: Vec<usize> = seats.iter().copied().filter(|&seat| table.seats()[seat].model == "human").collect();
    let others: Vec<usize> = seats.iter().copied().filter(|seat| !people.contains(seat)).collect();
    let option = table.shared(&others, turn.held)?;
    let dissents = people.iter().any(|&seat| {
        let said = table.session.responses().find(|(id, _)| **id == table.seats()[seat].id);
        let named = said.and_then(|(_, response)| first_option(table.playbook(), &response.position));
        named.is_some_and(|named| named != option)
    });
    (!dissents).then_some(option)
}

fn conflict(table: &Table<'_>, turn: &Turn, seats: &[usize]) -> Conflict {
    let mut sides: Vec<usize> = seats.iter().map(|&seat| table.leaning(seat, turn.held)).collect();
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

/// One id for the question who wins, whichever options are left in it.
fn conflict_id(table: &Table<'_>) -> String {
    let ids: Vec<&str> = table.subject.focus.iter().map(|&option| table.option(option).id.as_str()).collect();
    match ids.len() {
        2 => slug(&ids.join(" or ")),
        _ => slug(&table.playbook().name),
    }
}

fn resolved(table: &Table<'_>, chosen: Option<usize>, named: &[Conflict]) -> Vec<Resolution> {
    let open = table.session.open_conflicts().filter(|open| !named.iter().any(|conflict| conflict.id == open.id));
    let end = |open: &s2s_engine::OpenConflict| {
        let about = table.subject.focus.iter().copied().find(|&option| slug(&table.option(option).decide) == open.id);
        let (resolution, resolution_type) = if open.id == conflict_id(table) {
            let option = chosen?;
            (format!("The seats have come together on {}", table.name(option)), ResolutionType::Consensus)
        } else if let Some(about) = about {
            let other = chosen.filter(|option| *option != about)?;
            (format!("The table has moved on to {}", table.name(other)), ResolutionType::Facilitator)
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

/// What can be claimed after this round, at most three points that are not claimed yet.
fn points(table: &Table<'_>, turn: &Turn, chosen: Option<usize>, last: bool) -> Vec<String> {
    let playbook = table.playbook();
    let focus = &table.criterion(turn.criterion).id;
    let decide = chosen.map(|option| table.option(option).decide.clone());
    let fixes =
        chosen.map(|option| by_focus(&table.option(option).risks, focus, |risk| (&risk.touches, &risk.mitigation)));
    let fixes = fixes.unwrap_or_default();
    let common = by_focus(&playbook.whichever, focus, |practice| (&practice.touches, &practice.text));
    let first_step =
        chosen.map(|option| format!("{FIRST_STEP}{}", within(table.option(option).start_with.trim_end_matches('.'))));
    let revisit = chosen.map(|option| format!("{REVISIT}{}", table.option(option).revisit_when));
    let find_out = format!("{FIND_OUT}{}", table.criterion(turn.criterion).find_out);
    let one = |list: Vec<String>| fresh(table, list, 1);
    let two = |list: Vec<String>| fresh(table, list, 2);
    let option = |text: Option<String>| fresh(table, text.into_iter().collect(), 1);
    match turn.stance {
        Stance::Dream | Stance::Gut | Stance::Benefits | Stance::Focus => Vec::new(),
        Stance::Opening | Stance::Rebuttal | Stance::Alternatives => Vec::new(),
        Stance::Facts => vec![find_out],
        Stance::Build => [option(first_step), one(common)].concat(),
        Stance::Propose => one(common),
        Stance::Attack if !last => two(fixes),
        Stance::Attack => [option(decide), two(fixes), option(revisit)].concat(),
        Stance::Closing | Stance::Conclude | Stance::Resolve => {
            [option(decide), two(fixes), one(common), option(revisit)].concat()
        }
        Stance::Plain | Stance::Adjust => {
            let late = table.session.rounds().len() > 1;
            let closing = if late { option(revisit) } else { Vec::new() };
            [option(decide), one(fixes), one(common), closing].concat()
        }
    }
}

/// The texts of a list, those that touch the focus first.
fn by_focus<T>(list: &[T], focus: &str, parts: impl Fn(&T) -> (&String, &String)) -> Vec<String> {
    let mut list: Vec<(&String, &String)> = list.iter().map(parts).collect();
    list.sort_by_key(|(touches, _)| touches.as_str() != focus);
    list.into_iter().map(|(_, text)| text.clone()).collect()
}

fn fresh(table: &Table<'_>, texts: Vec<String>, most: usize) -> Vec<String> {
    let claimed = |text: &String| table.session.points().iter().any(|point| point.text == *text);
    texts.into_iter().filter(|text| !claimed(text)).take(most).collect()
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
    agenda.map(|(topic, now)| TopicCoverage { topic: topic.id.clone(), status: status(&topic.id, *now) }).collect()
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

fn told(table: &Table<'_>, turn: &Turn, seats: &[usize], shared: Option<usize>) -> String {
    let mut said = vec![leanings(table, turn, seats, shared)];
    let (one, other) = match turn.stance {
        stance if stance.takes_sides() => motion(table),
        _ => (table.strongest(), table.views.first().map_or(0, |view| view.rival_of(table.strongest()))),
    };
    if turn.stance != Stance::Gut {
        let about = opening_with(table.about(turn.criterion));
        let ahead = if table.score(other, turn.criterion) > table.score(one, turn.criterion) { other } else { one };
        said.push(format!(
            "{about}: {}; {}.",
            table.compare(one, other, turn.criterion),
            table.reason(ahead, turn.criterion)
        ));
    }
    let moved: Vec<&str> =
        seats.iter().filter(|&&seat| table.concedes(seat, turn.held)).map(|&seat| table.who(seat)).collect();
    if !moved.is_empty() && !turn.stance.takes_sides() {
        said.push(format!("Moved since the last round: {}.", listed(&moved, "and")));
    }
    let concern = table.session.responses().find_map(|(seat, response)| Some((seat, response.concerns.first()?)));
    if let Some((seat, concern)) = concern {
        let place = table.seats().iter().position(|known| known.id == *seat).unwrap_or_default();
        said.push(format!("To keep in mind, from the {}: {concern}", table.who(place)));
    }
    if table.session.rounds().is_empty() {
        said.extend(also(table));
    }
    said.join(" ")
}

fn leanings(table: &Table<'_>, turn: &Turn, seats: &[usize], shared: Option<usize>) -> String {
    if turn.stance == Stance::Focus {
        return format!("The question is {}, with {} as the candidates.", table.playbook().decides, contenders(table));
    }
    if turn.stance.takes_sides() {
        let (proposal, other) = motion(table);
        return format!("The two sides made their case for {} and for {}.", table.name(proposal), table.name(other));
    }
    if let Some(option) = shared {
        let all = if seats.len() == 2 { "Both".to_owned() } else { format!("All {}", counted(seats.len())) };
        return format!("{all} seats lean to {}.", table.name(option));
    }
    let mut parts = Vec::new();
    for &option in &table.subject.focus {
        let who: Vec<&str> = seats
            .iter()
            .filter(|&&seat| table.leaning(seat, turn.held) == option)
            .map(|&seat| table.who(seat))
            .collect();
        if !who.is_empty() {
            parts.push(format!(
                "{} {} to {}",
                listed(&who, "and"),
                if who.len() == 1 { "leans" } else { "lean" },
                table.name(option)
            ));
        }
    }
    format!("{}.", opening_with(&parts.join("; ")))
}

/// What the topic did not ask about, or named and nobody knows.
fn also(table: &Table<'_>) -> Vec<String> {
    let outside = (0..table.playbook().options.len()).filter(|option| !table.subject.focus.contains(option));
    let names: Vec<&str> = outside.map(|option| table.name(option)).collect();
    let mut said = Vec::new();
    if !names.is_empty() {
        said.push(format!("Also known, but not asked about: {}.", listed(&names, "and")));
    }
    if !table.subject.unknown.is_empty() {
        let unknown = listed(&table.subject.unknown, "and");
        said.push(format!("No playbook knows {unknown}, so that was not scored; the comparison is incomplete."));
    }
    said
}

/// The advice in words: the choice, its best reasons over all seats, the price, and what helps.
fn recommendation(table: &Table<'_>, option: usize) -> String {
    let weight = |c: usize| table.views.iter().map(|view| view.share(c)).sum::<f64>();
    let rival = table.views.first().map_or(option, |view| view.rival_of(option));
    let pull = |c: usize| (table.score(option, c) - table.score(rival, c)) * weight(c);
    let mut order: Vec<usize> = (0..table.playbook().criteria.len()).collect();
    order.sort_by(|&a, &b| pull(b).total_cmp(&pull(a)).then(a.cmp(&b)));
    let known = table.option(option);
    let mut said = vec![format!("{}.", known.decide)];
    let best: Vec<String> =
        order.iter().take(2).map(|&c| format!("{} ({})", table.about(c), table.reason(option, c))).collect();
    said.push(format!("For it speak {}.", listed(&best, "and")));
    if let Some(&price) = order.last().filter(|&&c| pull(c) < 0.0) {
        said.push(format!("The price is {}: {}.", table.about(price), table.reason(option, price)));
        let helps = known.risks.iter().find(|risk| risk.touches == table.criterion(price).id).or(known.risks.first());
        said.extend(helps.map(|risk| format!("{}.", risk.mitigation)));
    }
    if let Some(when) = known.right_when.first() {
        said.push(format!("This holds as long as {when}."));
    }
    said.join(" ")
}
