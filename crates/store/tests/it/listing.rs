//! The quick list says the same as the full reader, and never fails for one bad file.

use std::fs;

use proptest::prelude::*;
use s2s_store::{Keeper, Listed, Minutes, Panel, Sessions, Status};

use crate::fixture::{ID, minutes, now, opening, project, with_rounds};

/// What the list must say of minutes, told by the full reader.
fn told(minutes: &Minutes) -> Listed {
    Listed {
        id: minutes.id().to_owned(),
        topic: minutes.topic().to_owned(),
        workflow_type: minutes.workflow().to_string(),
        strategy: minutes.strategy().to_owned(),
        status: Some(minutes.status()),
        current_phase: minutes.current_phase().to_owned(),
        total_rounds: minutes.total_rounds(),
        started: Some(minutes.started()),
        paused_at: minutes.paused_at(),
        completed_at: minutes.completed_at(),
        problem: None,
    }
}

fn listed(sessions: &Sessions, text: &str) -> Listed {
    fs::create_dir_all(sessions.folder()).unwrap();
    fs::write(sessions.minutes_path(ID), text).unwrap();
    sessions.list().unwrap().remove(0)
}

#[test]
fn rows_come_in_the_order_of_their_ids_and_say_what_the_reader_says() {
    let (_folder, sessions) = project();
    assert_eq!(sessions.list().unwrap(), []);
    let mut expected = Vec::new();
    for (n, id) in ["20260103-a", "20260101-b", "20260102-c"].into_iter().enumerate() {
        let mut minutes = with_rounds(id, n as u32);
        minutes.set_status(Status::ALL[n], now());
        let mut held = sessions.create(minutes.clone()).unwrap();
        held.save(minutes.clone()).unwrap();
        expected.push(told(&minutes));
    }
    expected.sort_by(|a, b| a.id.cmp(&b.id));
    fs::write(sessions.folder().join("20260101-b-summary.md"), "x").unwrap();
    fs::write(sessions.folder().join(".s2s-left.yaml"), "x").unwrap();
    assert_eq!(sessions.list().unwrap(), expected);
}

#[test]
fn bug_of_two_sessions_of_one_second_the_one_begun_last_is_the_newest() {
    let (_folder, sessions) = project();
    assert_eq!(sessions.newest().unwrap(), None);
    let at = |time: &str| time.parse::<jiff::Timestamp>().unwrap();
    for (id, time) in [
        ("20260101-100000-where-do-we-store", at("2026-01-01T10:00:00.120Z")),
        ("20260101-100000-do-we-need", at("2026-01-01T10:00:00.870Z")),
        ("20260101-095959-zebra", at("2026-01-01T09:59:59.999Z")),
    ] {
        let minutes = Minutes::new(&opening(id), time, Panel::Script, "", "").unwrap();
        sessions.create(minutes).unwrap();
    }
    assert_eq!(sessions.newest().unwrap().as_deref(), Some("20260101-100000-do-we-need"));
    let ids: Vec<String> = sessions.list().unwrap().into_iter().map(|row| row.id).collect();
    assert_eq!(ids, ["20260101-095959-zebra", "20260101-100000-where-do-we-store", "20260101-100000-do-we-need"]);
}

#[test]
fn a_bad_file_is_a_row_with_its_problem() {
    let (_folder, sessions) = project();
    let good = minutes(ID).to_yaml().unwrap();
    for (text, words) in [
        (String::new(), "`id` is missing"),
        ("\0\0\0".into(), "`id` is missing"),
        (good.replace("status: active", "status: asleep"), "unknown status `asleep`"),
        (good.replace(&format!("id: {ID}"), "id: other"), "holds session `other`"),
        (good.replace("total_rounds: 0", "total_rounds: many"), "`total_rounds` is not a number"),
        (good.replace("topic: ", "topic: \"open "), "`topic`"),
    ] {
        let row = listed(&sessions, &text);
        assert_eq!(row.id, ID);
        assert!(row.problem.as_deref().is_some_and(|problem| problem.contains(words)), "{row:?}");
    }
    fs::write(sessions.minutes_path(ID), b"id: \xff\xfe\n").unwrap();
    assert!(sessions.list().unwrap()[0].problem.as_deref().unwrap().contains("UTF-8"));
    fs::remove_file(sessions.minutes_path(ID)).unwrap();
    fs::create_dir(sessions.minutes_path(ID)).unwrap();
    assert!(sessions.list().unwrap()[0].problem.is_some());
}

#[test]
fn fields_after_the_rounds_are_found_too() {
    let (_folder, sessions) = project();
    let text = format!(
        "rounds:\n- number: 1\n  status: no\nid: '{ID}'\nstrategy: standard\ntopic: >-\n  two\n  lines\nstatus: paused # for now\n"
    );
    let row = listed(&sessions, &text);
    assert_eq!((row.topic.as_str(), row.status, row.problem), ("two lines", Some(Status::Paused), None));
}

/// A topic as the list shows it, beside the same topic as the full reader has it.
fn listed_and_told(topic: String) -> (Listed, Listed) {
    let (_folder, sessions) = project();
    let opening = s2s_engine::opening::Opening { topic, ..opening(ID) };
    let minutes = Minutes::new(&opening, now(), Panel::Script, "", "").unwrap();
    (listed(&sessions, &minutes.to_yaml().unwrap()), told(&minutes))
}

#[test]
fn a_topic_of_a_no_break_space_is_not_empty() {
    for topic in ["\u{a0}", "\u{a0}a", "a\u{2003}", "\u{3000}null", "\u{feff}"] {
        let (listed, told) = listed_and_told(topic.to_owned());
        assert_eq!(listed, told);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn any_topic_is_listed_as_it_was_given(topic in "(\\PC|[\\n\\r\\t :#'\"\\\\\\-~0-9.\u{85}\u{2028}]){0,24}") {
        let (listed, told) = listed_and_told(topic);
        prop_assert_eq!(listed, told);
    }
}
