//! Checks, rules and merging, each on a small register made by hand.

use std::collections::BTreeSet;

use jiff::Timestamp;
use s2s_engine::Standing;
use s2s_engine::artifact::{Artifact, ArtifactId, Change};
use s2s_models::Stop;

use super::check::{cut, cycle};
use super::*;
use crate::register::{Entry, Version};

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

/// An artifact as YAML fields after its id and title.
fn artifact(id: &str, title: &str, more: &str) -> Artifact {
    s2s_yaml::from_str(&format!("{{id: {id}, title: \"{title}\", {more}}}")).unwrap()
}

fn register(artifacts: &[Artifact]) -> ProjectRegister {
    let mut register = ProjectRegister::default();
    for artifact in artifacts {
        add(&mut register, artifact.clone(), 10);
    }
    register
}

fn add(register: &mut ProjectRegister, artifact: Artifact, second: i64) {
    let new = || Entry { versions: Vec::new(), retired_by: None, closed: false };
    let (id, version) = (
        artifact.id,
        Version {
            artifact,
            session: "1-specs".to_owned(),
            complete: true,
            round: 1,
            at: at(second),
            standing: Some(Standing::Carried),
            tally: None,
        },
    );
    register.entries.entry(id).or_insert_with(new).versions.push(version);
}

fn desk() -> ProjectRegister {
    register(&[
        artifact("REQ-001", "Export orders", "text: As CSV, priority: must, acceptance: [It has 4 lines]"),
        artifact("REQ-002", "Find orders", "acceptance: [One is shown]"),
        artifact("REQ-003", "Fly", "priority: wont"),
        artifact("NFR-001", "Quick", "target: 200 ms, measure: load test, serves: [REQ-002]"),
        artifact("BR-001", "Paid stays", "text: A paid order stays, serves: [REQ-001]"),
        artifact("BR-002", "Tax", "text: Tax is shown"),
        artifact("COMP-001", "Orders", "serves: [REQ-001], uses: [COMP-002]"),
        artifact("COMP-002", "Store", "serves: []"),
        artifact("INT-001", "Query", "between: [COMP-001, The bank], serves: [REQ-002]"),
        artifact("ARCH-001", "Relational", "serves: [REQ-001]"),
    ])
}

fn empty() -> Plan {
    s2s_yaml::from_str("{id: PLAN-001, made_at: 2026-01-02T03:04:05Z, by: the rules}").unwrap()
}

fn plan(tasks: &str) -> Plan {
    let head = "id: PLAN-001\nmade_at: 2026-01-02T03:04:05Z\nby: the rules\ntasks:\n";
    s2s_yaml::from_str(&format!("{head}{tasks}")).unwrap()
}

fn by_the_rules(register: &ProjectRegister, plan: &mut Plan, second: i64) -> Changes {
    let resolved = resolve(by_rule(register, &BTreeSet::new()), plan, register);
    assert_eq!(resolved.doubts, Vec::<String>::new());
    let last = last_task(std::slice::from_ref(plan));
    merge(plan, &resolved.sketches, register, last, at(second))
}

fn said(plan: &Plan, register: &ProjectRegister) -> Vec<String> {
    check_plan(plan, register).iter().map(ToString::to_string).collect()
}

fn draft(key: &str, title: &str, serves: &str, depends_on: &[&str]) -> DraftTask {
    DraftTask {
        key: key.to_owned(),
        title: title.to_owned(),
        serves: vec![serves.to_owned()],
        depends_on: depends_on.iter().map(|&name| name.to_owned()).collect(),
        ..DraftTask::default()
    }
}

#[test]
fn the_rules_plan_every_artifact_in_an_order_that_holds() {
    let (register, mut plan) = (desk(), empty());
    by_the_rules(&register, &mut plan, 20);
    let lines: Vec<String> = plan
        .groups()
        .iter()
        .enumerate()
        .flat_map(|(at, group)| group.iter().map(move |task| format!("{} {} {}", at + 1, task.id, task.title)))
        .collect();
    assert_eq!(
        lines,
        [
            "1 TASK-002 Set up COMP-002 Store",
            "1 TASK-008 Put ARCH-001 in place: Relational",
            "2 TASK-001 Set up COMP-001 Orders",
            "3 TASK-003 Connect INT-001 Query",
            "3 TASK-004 Implement REQ-001 Export orders",
            "4 TASK-005 Implement REQ-002 Find orders",
            "5 TASK-006 Enforce BR-002 Tax",
            "5 TASK-007 Measure NFR-001 Quick",
        ]
    );
    assert_eq!(said(&plan, &register), Vec::<String>::new());
    assert_eq!(check(&[plan.clone()], &register), []);
    let export = plan.task(TaskId(4)).unwrap();
    assert_eq!(export.text, "As CSV\nDecided: ARCH-001 Relational");
    let checks: Vec<String> = export.acceptance.iter().map(|one| format!("{}: {}", one.from, one.text)).collect();
    assert_eq!(checks, ["REQ-001: It has 4 lines", "BR-001: A paid order stays"]);
    assert_eq!(plan.task(TaskId(7)).unwrap().acceptance[0].text, "200 ms (measured by: load test)");
    assert!(plan.task(TaskId(1)).unwrap().acceptance.is_empty(), "no acceptance is invented");
}

#[test]
fn bug_a_requirement_that_no_component_names_stood_beside_the_set_up_tasks() {
    let register = register(&[
        artifact("REQ-001", "Sell from start to end", "acceptance: [It is sold]"),
        artifact("REQ-002", "Export", "acceptance: [It is there]"),
        artifact("REQ-003", "Find", "acceptance: [One is shown]"),
        artifact("ARCH-001", "One store", "serves: [REQ-002]"),
        artifact("COMP-001", "Shop", "serves: [REQ-003]"),
        artifact("COMP-002", "Store", "serves: [ARCH-001]"),
    ]);
    let tasks = by_rule(&register, &BTreeSet::new());
    let before = |key: &str| tasks.iter().find(|task| task.key == key).unwrap().depends_on.clone();
    assert_eq!(before("REQ-001"), ["COMP-001", "COMP-002"]);
    assert_eq!(before("REQ-002"), ["COMP-002", "ARCH-001"]);
    assert_eq!(before("COMP-002"), ["ARCH-001"]);
    assert_eq!(before("REQ-003"), ["COMP-001"]);
}

#[test]
fn bug_a_task_closed_early_was_warned_about_once_for_each_that_it_waits_for() {
    let plan = plan(
        "- {id: TASK-001, title: One, serves: [COMP-001], status: open}\n\
         - {id: TASK-002, title: Two, serves: [COMP-002], status: open}\n\
         - {id: TASK-003, title: Three, serves: [NFR-001], status: done, depends_on: [TASK-001, TASK-002]}\n",
    );
    let early: Vec<String> = said(&plan, &desk()).into_iter().filter(|line| line.contains("waits for")).collect();
    let expected = "PLAN-001 TASK-003: it is done, but 2 tasks that it waits for are not: TASK-001, TASK-002; close them, or \
                    take them out of `depends_on`";
    assert_eq!(early, [expected]);
}

#[test]
fn bug_a_decision_had_no_task() {
    let tasks = by_rule(&desk(), &BTreeSet::new());
    let waits = |key: &str| tasks.iter().find(|task| task.key == key).unwrap().depends_on.contains(&"ARCH-001".into());
    assert_eq!(tasks.last().unwrap().title, "Put ARCH-001 in place: Relational");
    assert!(waits("COMP-001") && waits("REQ-001") && !waits("COMP-002") && !waits("REQ-002"));
}

#[test]
fn components_that_use_each_other_make_a_doubt_and_no_cycle() {
    let register =
        register(&[artifact("COMP-001", "A", "uses: [COMP-002]"), artifact("COMP-002", "B", "uses: [COMP-001]")]);
    let resolved = resolve(by_rule(&register, &BTreeSet::new()), &empty(), &register);
    assert_eq!(resolved.doubts.len(), 1, "{:?}", resolved.doubts);
    assert!(resolved.doubts[0].contains("\"Set up COMP-001 A\" → \"Set up COMP-002 B\" → \"Set up COMP-001 A\""));
    assert_eq!(resolved.sketches.iter().map(|sketch| sketch.depends_on.len()).sum::<usize>(), 1);
}

#[test]
fn a_second_run_keeps_ids_and_what_is_done_and_drops_what_is_withdrawn() {
    let (mut register, mut plan) = (desk(), empty());
    by_the_rules(&register, &mut plan, 20);
    let again = plan.clone();
    assert!(by_the_rules(&register, &mut plan, 21).is_nothing() && plan == again, "nothing changed");
    let task = plan.tasks.iter_mut().find(|task| task.id == TaskId(2)).unwrap();
    (task.status, task.closed_at) = (TaskStatus::Done, Some(at(22)));
    plan.tasks.push(s2s_yaml::from_str("{id: TASK-009, title: By hand, serves: [REQ-001, REQ-002]}").unwrap());
    let mut gone = artifact("REQ-002", "Find orders", "acceptance: [One is shown]");
    gone.change = Change::Withdrawn;
    add(&mut register, gone, 30);
    let mut amended = artifact("REQ-001", "Export all orders", "acceptance: [It has 5 lines]");
    amended.change = Change::Amended;
    add(&mut register, amended, 30);
    add(&mut register, artifact("REQ-004", "Print", "acceptance: [It prints]"), 30);
    let changes = by_the_rules(&register, &mut plan, 31);
    assert_eq!((&changes.added[..], &changes.dropped[..]), (&[TaskId(10)][..], &[TaskId(5)][..]), "{changes:?}");
    let dropped = plan.task(TaskId(5)).unwrap();
    assert_eq!((dropped.status, dropped.note.as_deref()), (TaskStatus::Dropped, Some("REQ-002 is withdrawn")));
    let export = plan.task(TaskId(4)).unwrap();
    assert_eq!(
        (&*export.title, &*export.acceptance[0].text),
        ("Implement REQ-001 Export all orders", "It has 5 lines")
    );
    assert_eq!(plan.task(TaskId(2)).unwrap().status, TaskStatus::Done);
    assert_eq!(
        plan.task(TaskId(9)).unwrap().serves,
        ["REQ-001".parse::<ArtifactId>().unwrap()],
        "a person's task stays"
    );
    assert!(plan.tasks.iter().all(|task| !task.depends_on.contains(&TaskId(5))));
    assert_eq!(said(&plan, &register), Vec::<String>::new());
}

#[test]
fn bug_a_dropped_task_came_back_under_another_id() {
    let (mut register, mut plan) = (desk(), empty());
    by_the_rules(&register, &mut plan, 20);
    let mut hand: Task = s2s_yaml::from_str("{id: TASK-009, title: By hand, serves: [REQ-002]}").unwrap();
    plan.tasks.push(hand.clone());
    let find = "REQ-002".parse::<ArtifactId>().unwrap();
    let kept = register.entries.remove(&find).unwrap();
    let before = plan.clone();
    assert_eq!(by_the_rules(&register, &mut plan, 21).dropped, [TaskId(5), TaskId(9)]);
    (hand.id, hand.status, hand.note) = (TaskId(10), TaskStatus::Dropped, Some("No time".into()));
    plan.tasks.push(hand);
    register.entries.insert(find, kept);
    let changes = by_the_rules(&register, &mut plan, 22);
    assert_eq!((&changes.added[..], &changes.dropped[..]), (&[][..], &[][..]), "{changes:?}");
    assert_eq!(plan.task(TaskId(10)).unwrap().status, TaskStatus::Dropped, "a person dropped it");
    plan.tasks.pop();
    let strip = |plan: &Plan| plan.tasks.iter().map(|t| (t.id, t.status, t.depends_on.clone())).collect::<Vec<_>>();
    assert_eq!(strip(&plan), strip(&before), "as if nothing had happened");
}

#[test]
fn bug_a_done_task_that_waits_for_a_dropped_one_was_an_error() {
    let register = desk();
    let mut there = plan(
        "  - {id: TASK-001, title: A, serves: [COMP-001], status: dropped}\n  - {id: TASK-002, title: B, serves: [COMP-002], status: done, \
         depends_on: [TASK-001]}\n  - {id: TASK-003, title: C, serves: [INT-001], depends_on: [TASK-001, TASK-002]}",
    );
    let found = said(&there, &register);
    assert!(found.len() == 1 && found[0].contains("TASK-003: it waits for TASK-001, which was dropped"), "{found:?}");
    merge(&mut there, &[], &register, 3, at(20));
    assert_eq!(there.task(TaskId(3)).unwrap().depends_on, [TaskId(2)]);
    assert_eq!(said(&there, &register), Vec::<String>::new());
}

#[test]
fn each_flaw_of_a_plan_is_told_with_its_place() {
    let register = desk();
    for (tasks, words) in [
        ("  []", "PLAN-001: the plan has no task"),
        (
            "  - {id: TASK-001, title: A, serves: [BR-002], depends_on: [TASK-009]}",
            "PLAN-001 TASK-001: it waits for TASK-009",
        ),
        ("  - {id: TASK-001, title: A, serves: [BR-002], depends_on: [TASK-001]}", "TASK-001: it waits for itself"),
        ("  - {id: TASK-001, title: A}", "TASK-001: it serves nothing"),
        ("  - {id: TASK-001, title: A, serves: [REQ-099]}", "it serves REQ-099, which is not in the register"),
        (
            "  - {id: TASK-001, title: A, serves: [COMP-001]}\n  - {id: TASK-002, title: a!, serves: [COMP-002]}",
            "TASK-002: it has the same title as TASK-001",
        ),
        (
            "  - {id: TASK-001, title: A, serves: [COMP-001]}\n  - {id: TASK-001, title: B, serves: [COMP-002]}",
            "two tasks have this id",
        ),
        (
            "  - {id: TASK-001, title: A, serves: [COMP-001], status: dropped}\n  - {id: TASK-002, title: B, serves: [COMP-002], depends_on: [TASK-001]}",
            "it waits for TASK-001, which was dropped",
        ),
        (
            "  - {id: TASK-001, title: A, serves: [COMP-001], depends_on: [TASK-002]}\n  - {id: TASK-002, title: B, serves: [COMP-002], depends_on: [TASK-001]}",
            "wait for each other: TASK-001 → TASK-002 → TASK-001",
        ),
        (
            "  - {id: TASK-001, title: A, serves: [REQ-001]}",
            "its acceptance is not what the requirements it serves say",
        ),
        (
            "  - {id: TASK-001, title: A, serves: [REQ-001], status: done, closed_at: 1970-01-01T00:00:05Z}",
            "it was closed before REQ-001 was changed",
        ),
        (
            "  - {id: TASK-001, title: A, serves: [COMP-001]}\n  - {id: TASK-002, title: B, serves: [COMP-002], status: done, depends_on: [TASK-001]}",
            "it is done, but TASK-001, which it waits for, is not",
        ),
    ] {
        let found = said(&plan(tasks), &register);
        assert!(found.iter().any(|line| line.contains(words)), "{words}: {found:?}");
    }
}

#[test]
fn requirements_that_no_task_serves_are_errors() {
    let register = desk();
    let plan =
        plan("  - {id: TASK-001, title: A, serves: [REQ-001], acceptance: [{from: REQ-001, text: It has 4 lines}]}");
    let found = check(&[plan], &register);
    let places: Vec<&str> = found.iter().map(|finding| finding.place.as_str()).collect();
    assert_eq!(places, ["REQ-002", "NFR-001"], "REQ-003 is not meant for this release");
    assert!(found.iter().all(|finding| finding.weight == Weight::Error));
}

#[test]
fn flaws_of_a_draft_are_taken_out_and_told() {
    let register = desk();
    let there = plan("  - {id: TASK-001, title: Set up the store, serves: [COMP-002]}");
    let resolved = resolve(
        vec![
            draft("a", "Export", "REQ-001", &["Find", "TASK-001", "TASK-042", "a"]),
            draft("b", "Find", "find orders", &["A", "nothing of the sort"]),
            draft("c", "find!", "REQ-777", &[]),
            draft("TASK-050", "Other", "REQ-001", &[]),
            draft("", "", "REQ-001", &[]),
            draft("d", "For nobody", "RISK-001", &[]),
        ],
        &there,
        &register,
    );
    let sketch = |at: usize| &resolved.sketches[at];
    assert_eq!(sketch(0).depends_on, [Before::Task(TaskId(1))], "the edge to a later task of the cycle is gone");
    assert_eq!(sketch(1).depends_on, [Before::Sketch(0)]);
    assert_eq!(sketch(1).serves, ["REQ-002".parse::<ArtifactId>().unwrap()], "a title is as good as an id");
    let titles: Vec<&str> = resolved.sketches.iter().map(|sketch| sketch.title.as_str()).collect();
    assert_eq!(titles, ["Export", "Find", "Other", "For nobody"]);
    for words in [
        "\"Export\" waits for \"TASK-042\", which is no task",
        "\"Export\" waits for itself",
        "\"Find\" waits for \"nothing of the sort\"",
        "two tasks are called \"find!\"; they were made one",
        "\"Find\" serves \"REQ-777\", which is no artifact",
        "\"Other\" calls itself TASK-050, which is no task of this plan",
        "task 5 has no title",
        "\"For nobody\" serves nothing",
        "wait for each other: \"Export\" → \"Find\" → \"Export\"; \"Export\" no longer waits for \"Find\"",
    ] {
        assert!(resolved.doubts.iter().any(|doubt| doubt.contains(words)), "{words}: {:#?}", resolved.doubts);
    }
    assert_eq!(resolved.doubts.len(), 10, "{:#?}", resolved.doubts);
}

#[test]
fn a_known_task_keeps_its_id_under_another_title() {
    let register = desk();
    let mut there = plan(
        "  - {id: TASK-004, title: Old words, serves: [REQ-001]}\n  - {id: TASK-005, title: B, serves: [REQ-002]}",
    );
    let drafts = vec![draft("TASK-004", "New words", "REQ-001", &[]), draft("x", "C", "REQ-002", &["TASK-004"])];
    let resolved = resolve(drafts, &there, &register);
    let changes = merge(&mut there, &resolved.sketches, &register, 5, at(20));
    assert_eq!((changes.added.len(), changes.changed.len()), (0, 2), "{changes:?}");
    assert_eq!(there.task(TaskId(4)).unwrap().title, "New words");
    assert_eq!(there.task(TaskId(5)).unwrap().depends_on, [TaskId(4)], "the only one that serves REQ-002");
}

#[test]
fn replies_are_read_in_the_forms_that_models_give_them() {
    let yaml = "Here is the plan:\n```yaml\ntasks:\n  - key: a\n    title: One\n    serves: [REQ-001]\n  - key: b\n    title: Two\n    serves: REQ-001, REQ-002\n    depends_on: [a]\n    estimate: 2 days\n```";
    let json = r#"{"tasks": [{"id": "a", "title": "One", "serves": ["REQ-001"]}, {"id": "b", "title": "Two", "serves": ["REQ-001", "REQ-002"], "dependencies": ["a"], "estimate": "2 days"}]}"#;
    for text in [yaml, json] {
        let (tasks, _) = read_reply(text, Stop::End).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
        assert_eq!((tasks.len(), &*tasks[1].key, &tasks[1].depends_on[..]), (2, "b", &["a".to_owned()][..]), "{text}");
        assert_eq!((tasks[1].serves.len(), tasks[1].estimate.as_deref()), (2, Some("2 days")), "{text}");
    }
    for (text, stop, words) in
        [("tasks: []", Stop::End, "tasks"), ("I would rather not.", Stop::End, ""), (yaml, Stop::Length, "cut off")]
    {
        let said = read_reply(text, stop).unwrap_err().0;
        assert!(said.contains(words), "{text}: {said}");
    }
}

#[test]
fn cycles_are_found_wherever_they_are() {
    assert_eq!(cycle(&[vec![1], vec![2], vec![]]), None);
    assert_eq!(cycle(&[vec![1, 2], vec![3], vec![3], vec![]]), None, "a diamond is none");
    let mut edges = vec![vec![], vec![2], vec![3], vec![1, 0]];
    let found = cycle(&edges).unwrap();
    assert_eq!(found, [1, 2, 3]);
    assert_eq!(cut(&mut edges, &found), (1, 2));
    assert_eq!(cycle(&edges), None);
    let long: Vec<Vec<usize>> = (0..100_000).map(|at| vec![(at + 1) % 100_000]).collect();
    assert_eq!(cycle(&long).unwrap().len(), 100_000, "no recursion");
}
