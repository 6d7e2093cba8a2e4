//! Which options can win at all: every role's count, with nothing heard, with each signal, with each two, and with all that
//! speak for an option. Given a playbook and roles; hands on the options that some role likes best in one of these cases.
//! Deliberately absent: words, topics, and what a session would hear.

use s2s_catalog::Role;
use s2s_catalog::playbook::{Playbook, Signal};

use crate::matrix::{Count, MOST};

/// How much a criterion counts that a role says nothing of.
const SAID_NOTHING: f64 = 1.0;

/// Whether each option, in order, is some role's favourite in one of the cases.
pub(super) fn can_win(playbook: &Playbook, roles: &[Role]) -> Vec<bool> {
    let mut wins = vec![false; playbook.options.len()];
    let mut note = |heard: &[&Signal]| {
        let count = counted(playbook, roles, heard);
        for seat in 0..count.weights.len() {
            if let Some(wins) = wins.get_mut(count.favourite(seat)) {
                *wins = true;
            }
        }
    };
    let signals: Vec<&Signal> = playbook.signals.iter().collect();
    note(&[]);
    for (at, one) in signals.iter().enumerate() {
        note(&[one]);
        signals[at + 1..].iter().filter(|other| !contradict(one, other)).for_each(|other| note(&[one, other]));
    }
    for option in &playbook.options {
        let speaks = |signal: &&&Signal| speaks_for(playbook, signal, &option.id);
        let mut heard: Vec<&Signal> = Vec::new();
        for signal in signals.iter().filter(speaks) {
            if heard.iter().all(|known| !contradict(known, signal)) {
                heard.push(signal);
            }
        }
        note(&heard);
    }
    wins
}

/// The count of every role that weighs, with these signals heard.
fn counted(playbook: &Playbook, roles: &[Role], heard: &[&Signal]) -> Count {
    let of =
        |criterion: &str| heard.iter().filter(move |signal| signal.criterion == criterion).copied().collect::<Vec<_>>();
    let cell = |option: usize, id: &str| {
        let option = &playbook.options[option];
        let base = option.cells.get(id).map_or(3.0, |cell| f64::from(cell.score));
        let lift: f64 =
            of(id).iter().filter_map(|signal| signal.lifts.get(&option.id)).map(|lift| f64::from(*lift)).sum();
        (base + lift).clamp(1.0, 5.0)
    };
    let weight = |role: &Role, id: &str| {
        let shift: f64 = of(id).iter().map(|signal| signal.shift).sum();
        (role.weighs.get(id).copied().unwrap_or(SAID_NOTHING) + shift).clamp(0.0, MOST)
    };
    let ids: Vec<&str> = playbook.criteria.iter().map(|criterion| criterion.id.as_str()).collect();
    Count {
        scores: (0..playbook.options.len()).map(|option| ids.iter().map(|id| cell(option, id)).collect()).collect(),
        weights: roles
            .iter()
            .filter(|role| !role.weighs.is_empty())
            .map(|role| ids.iter().map(|id| weight(role, id)).collect())
            .collect(),
    }
}

/// Whether a signal helps an option: it lifts it, or makes something count more on which it does better than most.
fn speaks_for(playbook: &Playbook, signal: &Signal, option: &str) -> bool {
    let lift = signal.lifts.get(option).copied().unwrap_or_default();
    let scores =
        |id: &str| playbook.option(id).and_then(|option| option.cells.get(&signal.criterion)).map(|cell| cell.score);
    let own = scores(option).unwrap_or_default();
    let better = playbook.options.iter().filter(|other| scores(&other.id).is_some_and(|score| score > own)).count();
    lift > 0 || (lift == 0 && signal.shift > 0.0 && better * 2 < playbook.options.len())
}

fn contradict(one: &Signal, other: &Signal) -> bool {
    let against = |a: &Signal, b: &Signal| a.contradicts.is_some() && a.contradicts == b.id;
    against(one, other) || against(other, one)
}
