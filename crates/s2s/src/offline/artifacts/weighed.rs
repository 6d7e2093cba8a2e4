//! Decisions that a playbook can weigh, as artifacts: the option in front with those that were turned down.
//! Given a table; hands on a draft of an architecture decision or of exclusions, every reason from a cell of the
//! playbook. Deliberately absent: subjects that no playbook covers.

use s2s_engine::artifact::{ArtifactId, ArtifactKind, Details};
use s2s_engine::opening::SeatId;

use super::super::claims::ADDED;
use super::super::subject::{Subject, recognise, spoken_of};
use super::super::table::Table;
use super::super::words::{opening_with, unstopped, within};
use super::Desk;
use super::draft::{Draft, voted_down};
use super::marks::{content, ordered};

/// What the style of the whole is weighed by, whatever the topic.
const STYLE: &str = "Monolith or microservices";
/// The most statements that are read for a choice, and the most choices.
const MOST_READ: usize = 30;
const MOST_CHOICES: usize = 2;
/// The most artifacts that a decision is said to serve without their words naming it.
const SERVED: usize = 3;

/// The subject that the style of the whole is weighed by: the session's own, else the one every system has.
pub(super) fn style<'a>(desk: &Desk<'a>) -> Vec<Table<'a>> {
    let own = Table::all(desk.session, desk.playbooks, desk.roles).into_iter().next();
    own.or_else(|| Table::on(desk.session, desk.playbooks, desk.roles, STYLE)).into_iter().collect()
}

/// Further subjects that a statement or a requirement speaks of.
pub(super) fn choices<'a>(desk: &Desk<'a>) -> Vec<Table<'a>> {
    let opening = desk.session.opening();
    let mut seen: Vec<String> = recognise(desk.playbooks, &opening.topic).map(name_of).into_iter().collect();
    let second = Table::all(desk.session, desk.playbooks, desk.roles).into_iter().skip(1);
    let stated = desk.story.items.iter().map(|item| item.text.clone());
    let known = desk.wanted().into_iter().map(|artifact| format!("{} {}", artifact.title, artifact.text));
    let mut found: Vec<Table<'a>> = second.collect();
    seen.extend(found.iter().map(|table| table.playbook().name.clone()));
    for text in stated.chain(known).take(MOST_READ) {
        let name = spoken_of(desk.playbooks, &text).map(name_of);
        let Some(name) = name.filter(|name| !seen.contains(name)) else { continue };
        seen.push(name);
        found.extend(Table::on(desk.session, desk.playbooks, desk.roles, &text));
        if found.len() == MOST_CHOICES {
            break;
        }
    }
    found
}

fn name_of(subject: Subject<'_>) -> String {
    subject.playbook.name.clone()
}

/// Whether the table can be said to lean to its strongest option: all do, or the vote will tell.
pub(super) fn is_ripe(desk: &Desk<'_>, table: &Table<'_>) -> bool {
    let held = desk.session.rounds().len() as u32;
    let all: Vec<usize> = (0..table.seats().len()).collect();
    let own = desk.tables.iter().any(|own| own.playbook().name == table.playbook().name);
    !own || table.method().two_sides
        || table.times_told(held) > 0
        || desk.is_direct()
        || table.shared(&all, held).is_some()
}

/// The decision for the option in front.
pub(super) fn decision(desk: &Desk<'_>, table: &Table<'_>) -> Draft {
    let option = table.strongest();
    let mut text = format!("{}.", unstopped(&table.decide(option)));
    let title = title(table, option);
    let down = voted_down(desk.session, ArtifactKind::Arch, &title);
    if let (Some(_), Some(risk)) = (down, table.option(option).risks.first()) {
        text = format!("{}{ADDED}{}.", unstopped(&text), within(unstopped(&risk.mitigation)));
    }
    let details =
        Details { options: options(table, option), consequences: consequences(table, option), ..Details::default() };
    let held = desk.session.rounds().len() as u32;
    let who: Vec<SeatId> = (0..table.seats().len())
        .filter(|&seat| table.voting_for(seat, held) == option)
        .map(|seat| table.seats()[seat].id.clone())
        .collect();
    let serves =
        served(desk, &format!("{} {text}", table.playbook().subject)).iter().map(ToString::to_string).collect();
    // A title is kept whole here: votes find the option by it.
    Draft { title, who, serves, id: down, ..Draft::new(ArtifactKind::Arch, "", text).with(details) }
}

/// The title of a decision.
pub(super) fn title(table: &Table<'_>, option: usize) -> String {
    format!("{}: {}", opening_with(&table.playbook().subject), table.name(option))
}

/// The options with what tipped the balance, the chosen one first.
fn options(table: &Table<'_>, chosen: usize) -> Vec<String> {
    let best = |option: usize| extreme(table, option, |score| -score);
    let worst = |option: usize| extreme(table, option, |score| score);
    let mut options = vec![format!("{} (chosen): {}", table.title(chosen), table.reason(chosen, best(chosen)))];
    for &option in table.subject.focus.iter().filter(|option| **option != chosen) {
        options.push(format!("{} (not chosen): {}", table.title(option), table.reason(option, worst(option))));
    }
    options
}

fn consequences(table: &Table<'_>, option: usize) -> Vec<String> {
    let good = extreme(table, option, |score| -score);
    let bad = extreme(table, option, |score| score);
    let line = |what: &str, criterion: usize| {
        format!("{what}, for {}: {}", table.about(criterion), table.reason(option, criterion))
    };
    let mut consequences = vec![line("Good", good)];
    if bad != good {
        consequences.push(line("Bad", bad));
    }
    let known = table.option(option);
    consequences.extend(known.risks.first().map(|risk| format!("Risk: {}", within(unstopped(&risk.risk)))));
    consequences.push(format!("To be looked at again when {}", unstopped(&known.revisit_when)));
    consequences
}

/// The criterion on which an option scores least by this order, the first of equals.
fn extreme(table: &Table<'_>, option: usize, order: impl Fn(f64) -> f64) -> usize {
    let all = 0..table.playbook().criteria.len();
    let key = |criterion: usize| order(table.score(option, criterion));
    all.min_by(|&a, &b| key(a).total_cmp(&key(b)).then(a.cmp(&b))).unwrap_or_default()
}

/// The requirements that a text speaks of; where it speaks of none, the first ones, as it shapes them all.
pub(super) fn served(desk: &Desk<'_>, text: &str) -> Vec<ArtifactId> {
    let words = content(text);
    let wanted = desk.wanted();
    let shares = |title: &str| ordered(title).iter().filter(|word| words.contains(*word)).count() > 1;
    let named: Vec<ArtifactId> =
        wanted.iter().filter(|artifact| shares(&artifact.title)).map(|artifact| artifact.id).collect();
    match named.is_empty() {
        true => wanted.iter().map(|artifact| artifact.id).take(SERVED).collect(),
        false => named,
    }
}

/// The options that were not taken, as what is left out.
pub(super) fn not_taken(table: &Table<'_>) -> Vec<Draft> {
    let front = table.strongest();
    let others = table.subject.focus.iter().filter(|option| **option != front);
    let left_out = |&option: &usize| {
        let reason = table.reason(option, extreme(table, option, |score| score));
        let text = format!("To be looked at again when {}.", unstopped(&table.option(front).revisit_when));
        let details = Details { reason: Some(opening_with(&reason)), ..Details::default() };
        Draft::new(ArtifactKind::Ex, table.name(option), text).with(details)
    };
    others.map(left_out).collect()
}
