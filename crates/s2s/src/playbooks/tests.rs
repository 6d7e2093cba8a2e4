//! Advice, held against a shipped playbook with one thing made worse.

use s2s_catalog::playbook::{Cell, Playbook};
use s2s_catalog::{Catalog, Kind, Role};

use super::*;

const CRITICAL: [&str; 4] = ["security", "must-have", "blocking", "legal"];

fn roles() -> Vec<Role> {
    let catalog = Catalog::builtin();
    catalog.names(Kind::Role).iter().map(|id| catalog.role(id).unwrap().value).collect()
}

/// The kinds of advice on a shipped playbook after a change, with their lines.
fn advised(change: impl FnOnce(&mut Playbook)) -> Vec<(AdviceKind, u32)> {
    let entry = Catalog::builtin().playbook("api-style").unwrap();
    let mut playbook = entry.value;
    change(&mut playbook);
    let critical = CRITICAL.map(str::to_owned);
    advice(&playbook, &entry.text, &roles(), &critical).into_iter().map(|one| (one.kind, one.line)).collect()
}

fn set(playbook: &mut Playbook, option: usize, score: u8) {
    for criterion in playbook.criteria.clone() {
        let why = format!("A reason of its own for {option} and {}.", criterion.id);
        playbook.options[option].cells.insert(criterion.id, Cell { score, why });
    }
}

#[test]
fn every_kind_of_advice_is_given_where_it_is_due_with_its_line() {
    let has = |advised: &[(AdviceKind, u32)], kind| advised.iter().any(|(known, line)| *known == kind && *line > 0);
    let before = advised(|_| {});
    for kind in [AdviceKind::Unwritten, AdviceKind::WinsEverywhere, AdviceKind::NoEffect] {
        assert!(!before.iter().any(|(known, _)| *known == kind), "{before:?}");
    }
    let alike = advised(|playbook| {
        playbook.signals.clear();
        for option in &mut playbook.options {
            if let Some(cell) = option.cells.get_mut("simplicity") {
                cell.score = 3;
            }
        }
    });
    assert!(has(&alike, AdviceKind::Alike), "{alike:?}");
    assert!(has(&advised(|playbook| set(playbook, 1, 5)), AdviceKind::WinsEverywhere));
    let never = advised(|playbook| {
        set(playbook, 1, 1);
        for signal in &mut playbook.signals {
            signal.lifts.remove("graphql");
        }
    });
    assert!(has(&never, AdviceKind::NeverWins), "{never:?}");
    let twice = advised(|playbook| {
        let why = playbook.options[0].cells["simplicity"].why.clone();
        playbook.options[1].cells.get_mut("simplicity").unwrap().why = why;
    });
    assert!(has(&twice, AdviceKind::Twice), "{twice:?}");
    let word = advised(|playbook| playbook.options[0].risks[0].mitigation.push_str(" for legal reasons"));
    assert!(has(&word, AdviceKind::Critical), "{word:?}");
    let alias = advised(|playbook| {
        let first = playbook.options[0].aliases[0].clone();
        playbook.options[1].aliases = vec![first];
    });
    assert_eq!(alias.iter().filter(|(kind, _)| *kind == AdviceKind::Aliases).count(), 2, "few, and shared: {alias:?}");
    let idle = advised(|playbook| {
        playbook.signals[0].shift = 0.0;
        playbook.signals[0].lifts.clear();
    });
    assert!(has(&idle, AdviceKind::NoEffect), "{idle:?}");
    let open = advised(|playbook| playbook.decides = format!("{TO_WRITE} this"));
    assert!(open.iter().any(|(kind, _)| *kind == AdviceKind::Unwritten), "{open:?}");
}

#[test]
fn no_shipped_playbook_is_unfinished() {
    let catalog = Catalog::builtin();
    for name in catalog.names(Kind::Playbook) {
        assert_eq!(unwritten(&catalog.playbook(&name).unwrap().value), 0, "{name}");
    }
}
