//! What the facilitator claims as agreed: the choice, what makes it work, what holds under every option, what
//! is still to be found out. Given the table and the option in front; hands on the texts of points that were
//! not claimed yet. Deliberately absent: votes, and anything that no data file says.

use s2s_engine::Standing;
use s2s_engine::opening::{Topic, Workflow};
use s2s_engine::reply::Choice;

use super::asking::{fitting, open_topic};
use super::stance::Stance;
use super::table::{Table, Turn};
use super::vote;
use super::words::{listed, within};

/// How points begin that are not taken from the playbook word for word.
pub(super) const FIRST_STEP: &str = "First step: ";
pub(super) const REVISIT: &str = "Look at this decision again when ";
pub(super) const FIND_OUT: &str = "Find out before building: ";
pub(super) const LEAVE_OUT: &str = "Leave out for now: ";
/// What joins a choice with what was added to answer an objection.
pub(super) const ADDED: &str = "; and to meet the objection, ";

/// What can be claimed after this round, a few points that are not claimed yet.
pub(super) fn points(table: &Table<'_>, turn: &Turn, chosen: Option<usize>, last: bool) -> Vec<String> {
    let focus = &table.criterion(turn.criterion).id;
    let topic = open_topic(table.session);
    let ids: Vec<&str> = std::iter::once(focus.as_str()).chain(fitting(topic).iter().copied()).collect();
    let decide = chosen.map(|option| choice(table, turn, option));
    let fixes = chosen.map(|option| by_focus(&table.option(option).risks, &ids, |r| (&r.touches, &r.mitigation)));
    let fixes = fixes.unwrap_or_default();
    let common = by_focus(&table.playbook().whichever, &ids, |practice| (&practice.touches, &practice.text));
    let first_step =
        chosen.map(|option| format!("{FIRST_STEP}{}", within(table.option(option).start_with.trim_end_matches('.'))));
    let revisit = chosen.map(|option| revisit(table, option));
    let find_out = format!("{FIND_OUT}{}", table.criterion(turn.criterion).find_out);
    let one = |list: Vec<String>| fresh(table, list, 1);
    let two = |list: Vec<String>| fresh(table, list, 2);
    let option = |text: Option<String>| fresh(table, text.into_iter().collect(), 1);
    let mut points = match turn.stance {
        Stance::Dream | Stance::Gut | Stance::Benefits | Stance::Focus => Vec::new(),
        Stance::Opening | Stance::Rebuttal | Stance::Alternatives => Vec::new(),
        Stance::Facts => one(vec![find_out]),
        Stance::Build => [option(first_step), one(common.clone())].concat(),
        Stance::Propose => one(common.clone()),
        Stance::Attack if !last => two(fixes),
        Stance::Attack => [option(decide), two(fixes), option(revisit)].concat(),
        Stance::Closing | Stance::Conclude | Stance::Resolve => {
            [option(decide), two(fixes), one(common.clone()), option(revisit)].concat()
        }
        Stance::Plain | Stance::Adjust => {
            let late = table.session.rounds().len() > 1;
            let closing = if late && topic.is_none() { option(revisit) } else { Vec::new() };
            [option(decide), one(fixes), one(common.clone()), closing].concat()
        }
    };
    if let Some(topic) = topic {
        let more = on_topic(table, turn, topic, common);
        points.extend(more.into_iter().filter(|text| !points.contains(text)).collect::<Vec<_>>());
    }
    points
}

/// When to look at a choice again; where two were made, which of them is meant.
pub(super) fn revisit(table: &Table<'_>, option: usize) -> String {
    let when = &table.option(option).revisit_when;
    match table.others.is_empty() {
        true => format!("{REVISIT}{when}"),
        false => format!("Look at the decision for {} again when {when}", table.name(option)),
    }
}

/// What a round on a topic of the agenda leaves behind, whatever the phase: one practice that holds under
/// every option, and what has to be found out; for what is left out, the options that were not taken.
fn on_topic(table: &Table<'_>, turn: &Turn, topic: &Topic, common: Vec<String>) -> Vec<String> {
    let find_out = format!("{FIND_OUT}{}", table.criterion(turn.criterion).find_out);
    let front = table.strongest();
    let others: Vec<&str> =
        table.subject.focus.iter().filter(|option| **option != front).map(|&option| table.name(option)).collect();
    let left_out = format!(
        "{LEAVE_OUT}{}, to be looked at again when {}",
        listed(&others, "and"),
        table.option(front).revisit_when
    );
    let specs = table.session.opening().workflow == Workflow::Specs;
    let parted = [
        if topic.id == "out-of-scope" { vec![left_out] } else { common },
        // What is to be built is not known before these are answered; how it is built can often wait for them.
        if specs { vec![find_out] } else { Vec::new() },
    ];
    parted.into_iter().flat_map(|texts| fresh(table, texts, 1)).collect()
}

/// The choice as it is put to the table: as the playbook has it, or once that was voted down, with what
/// would answer those who blocked it.
fn choice(table: &Table<'_>, turn: &Turn, option: usize) -> String {
    let decide = table.decide(option);
    let failed = table.session.points().iter().any(|p| p.text == decide && p.standing == Standing::Failed);
    let known = table.option(option);
    if !failed || known.risks.is_empty() {
        return decide;
    }
    let blocks = |seat: &usize| vote::on_option(table, *seat, turn.held, option).choice == Choice::Block;
    let objector = (0..table.seats().len()).find(blocks).unwrap_or_default();
    let at = table.risks(option, objector, table.views[objector].matters[0]).first().map_or(0, |(at, _)| *at);
    format!("{decide}{ADDED}{}", within(&known.risks[at].mitigation))
}

/// The texts of a list, those that touch one of these criteria first, in their order.
fn by_focus<T>(list: &[T], ids: &[&str], parts: impl Fn(&T) -> (&String, &String)) -> Vec<String> {
    let mut list: Vec<(&String, &String)> = list.iter().map(parts).collect();
    list.sort_by_key(|(touches, _)| ids.iter().position(|id| id == touches).unwrap_or(ids.len()));
    list.into_iter().map(|(_, text)| text.clone()).collect()
}

fn fresh(table: &Table<'_>, texts: Vec<String>, most: usize) -> Vec<String> {
    let claimed = |text: &String| table.session.points().iter().any(|point| point.text == *text);
    texts.into_iter().filter(|text| !claimed(text)).take(most).collect()
}
