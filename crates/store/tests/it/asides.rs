//! What is asked beside the record: kept safely, in order, and never in the minutes or on the tape.

use std::fs;

use s2s_engine::record::Usage;
use s2s_store::{AsideAnswered, AsideAsked, AsideEnd, AsideFailed, Sessions};

use super::fixture::{ID, minutes, now};

fn asked(question: &str) -> AsideAsked {
    AsideAsked {
        seat: "qa-lead".to_owned(),
        question: question.to_owned(),
        by: "person".to_owned(),
        model: "offline".to_owned(),
        prompt_digest: "abc".to_owned(),
        reserved_usd: 0.5,
        reserved_tokens: 70,
    }
}

fn answered(reply: &str) -> AsideEnd {
    AsideEnd::Answered(AsideAnswered {
        answered_at: now(),
        reply: reply.to_owned(),
        answered_by: None,
        stop: "end".to_owned(),
        usage: Usage { calls: 1, cost_usd: 0.25, ..Usage::default() },
        request_id: None,
    })
}

fn folder() -> (tempfile::TempDir, Sessions) {
    let folder = tempfile::tempdir().unwrap();
    let sessions = Sessions::new(folder.path());
    sessions.create(minutes(ID)).unwrap();
    (folder, sessions)
}

#[test]
fn asides_come_back_in_order_and_one_without_an_end_counts_at_its_most() {
    let (_folder, sessions) = folder();
    let before = fs::read(sessions.minutes_path(ID)).unwrap();
    assert_eq!(sessions.asides(ID).unwrap().list.len(), 0);
    for number in 1..=3 {
        assert_eq!(sessions.keep_aside(ID, now(), asked(&format!("why \u{1b}[2J {number}?"))).unwrap(), number);
    }
    sessions.end_aside(ID, 2, now(), answered("because\nso")).unwrap();
    let failed = AsideFailed { failed_at: now(), error: "gone".to_owned(), usage: Usage::default() };
    sessions.end_aside(ID, 1, now(), AsideEnd::Failed(failed.clone())).unwrap();
    let list = sessions.asides(ID).unwrap().list;
    assert_eq!(list[0].end, Some(AsideEnd::Failed(failed)));
    assert_eq!(list[1].answer().unwrap().reply, "because\nso");
    assert_eq!(list[1].usage().cost_usd, 0.25);
    assert_eq!((list[2].end.is_none(), list[2].usage().cost_usd, list[2].usage().calls), (true, 0.5, 1));
    assert_eq!(list[2].asked, asked("why \u{1b}[2J 3?"));
    sessions.end_aside(ID, 2, now(), answered("twice")).unwrap_err();
    sessions.end_aside(ID, 9, now(), answered("nobody")).unwrap_err();
    assert_eq!(fs::read(sessions.minutes_path(ID)).unwrap(), before);
    sessions.keep_aside("20260304-nobody", now(), asked("?")).unwrap_err();
    assert!(!sessions.asides_path("20260304-nobody").exists());
}

#[test]
fn half_a_line_at_the_end_does_not_count_and_is_set_aside_by_the_next_write() {
    let (_folder, sessions) = folder();
    sessions.keep_aside(ID, now(), asked("one")).unwrap();
    let path = sessions.asides_path(ID);
    let whole = fs::read(&path).unwrap();
    sessions.keep_aside(ID, now(), asked("two")).unwrap();
    let both = fs::read(&path).unwrap();
    for end in whole.len() + 1..both.len() {
        fs::write(&path, &both[..end]).unwrap();
        let asides = sessions.asides(ID).unwrap();
        assert_eq!((asides.list.len(), asides.torn), (1, true), "{end}");
    }
    assert_eq!(sessions.keep_aside(ID, now(), asked("again")).unwrap(), 2);
    assert_eq!(fs::read(path.with_extension("torn-1")).unwrap(), &both[whole.len()..both.len() - 1]);
    let asides = sessions.asides(ID).unwrap();
    assert_eq!((asides.list[1].asked.question.as_str(), asides.torn), ("again", false));
}

#[test]
fn a_line_that_was_changed_is_told_with_its_number_and_nothing_is_written_after_it() {
    let (_folder, sessions) = folder();
    sessions.keep_aside(ID, now(), asked("one")).unwrap();
    sessions.end_aside(ID, 1, now(), answered("yes")).unwrap();
    let path = sessions.asides_path(ID);
    let edited = fs::read_to_string(&path).unwrap().replace("\"yes\"", "\"noo\"");
    fs::write(&path, &edited).unwrap();
    let error = sessions.asides(ID).unwrap_err().to_string();
    assert!(error.contains("asides.jsonl") && error.contains('2') && error.contains("checksum"), "{error}");
    sessions.keep_aside(ID, now(), asked("two")).unwrap_err();
    assert_eq!(fs::read_to_string(&path).unwrap(), edited);
}
