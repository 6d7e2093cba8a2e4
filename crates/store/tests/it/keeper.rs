//! Both keepers keep the same promises.

use s2s_store::{InMemory, Keeper, StoreError, Taped};

use crate::fixture::{ID, answered, asked, minutes, project, round, with_rounds};

/// Runs the same moves against a keeper on disk and one in memory.
fn check(moves: impl Fn(&mut dyn Keeper)) {
    let (_folder, sessions) = project();
    moves(&mut sessions.create(minutes(ID)).unwrap());
    moves(&mut InMemory::new(minutes(ID)));
}

#[test]
fn l7_entries_are_numbered_in_order_and_come_back() {
    check(|keeper| {
        keeper.append(vec![asked("r1.question.facilitator.1"), asked("r1.response.qa-lead.1")], true).unwrap();
        keeper.append(vec![answered("r1.response.qa-lead.1", "position: yes\n\u{1b}[31m")], false).unwrap();
        let lines = keeper.tape().unwrap().lines;
        assert_eq!(lines.iter().map(|line| line.seq).collect::<Vec<_>>(), [1, 2, 3]);
        let names: Vec<_> =
            lines.iter().map(|line| (line.what.type_name(), line.what.call().unwrap().to_string())).collect();
        assert_eq!(names[2], ("answered", "r1.response.qa-lead.1".to_owned()));
        assert_eq!(lines[2].what, answered("r1.response.qa-lead.1", "position: yes\n\u{1b}[31m").what);
        assert!(matches!(&lines[0].what, Taped::Asked(asked) if asked.prompt.user.contains('\u{2028}')));
    });
}

#[test]
fn s3_saving_never_loses_or_changes_a_round() {
    check(|keeper| {
        keeper.save(with_rounds(ID, 2)).unwrap();
        let refused = |keeper: &mut dyn Keeper, minutes, words: &str| {
            let error = keeper.save(minutes).unwrap_err();
            assert!(matches!(&error, StoreError::Refused { what } if what.contains(words)), "{error}");
        };
        refused(keeper, with_rounds(ID, 1), "round 2 would be lost");
        let mut other = minutes(ID);
        for number in 1..=2 {
            let mut changed = round(number);
            changed.synthesis = "rewritten".into();
            other.push_round(changed).unwrap();
        }
        refused(keeper, other, "round 1 would change");
        refused(keeper, with_rounds("other", 2), "minutes of other");
        assert_eq!(keeper.minutes().rounds().len(), 2);
    });
}

#[test]
fn a_keeper_in_memory_is_open_to_inspection() {
    let mut keeper = InMemory::new(minutes(ID));
    keeper.append(vec![asked("r1.sides.facilitator.1")], true).unwrap();
    keeper.save(with_rounds(ID, 1)).unwrap();
    assert_eq!((keeper.saves(), keeper.lines().len()), (1, 1));
    let (minutes, lines) = keeper.into_parts();
    assert_eq!((minutes.total_rounds(), lines.len()), (1, 1));
}
