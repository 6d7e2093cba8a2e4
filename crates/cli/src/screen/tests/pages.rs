//! The pages that are printed as a whole: the list of sessions, the whole discussion.

use s2s::roundtable::recall;
use s2s::store::{Listed, Status};

use super::super::{Bearings, Style, discussion, examined, listing, refused};
use super::check;
use super::fixture::{self, ID, TOPIC, time};

const NOW: &str = "2026-03-20T12:00:00Z";

fn row(id: &str, status: Option<Status>, at: &str) -> Listed {
    let at = Some(time(at));
    Listed {
        id: id.into(),
        topic: TOPIC.into(),
        workflow_type: "design".into(),
        strategy: "consensus-driven".into(),
        status,
        current_phase: "resolution".into(),
        total_rounds: 1,
        started: Some(time("2026-03-04T03:06:07Z")),
        paused_at: at.filter(|_| status == Some(Status::Paused)),
        completed_at: at.filter(|_| status == Some(Status::Completed)),
        problem: None,
    }
}

fn rows() -> Vec<Listed> {
    let unreadable =
        Listed { problem: Some("unknown status `dreaming`".into()), ..row("20260301-000000-edited", None, NOW) };
    vec![
        row("20260218-010101-old", Some(Status::Completed), "2026-02-18T01:01:01Z"),
        row("20260301-101010-newer", Some(Status::Completed), "2026-03-17T12:00:00Z"),
        unreadable,
        row(ID, Some(Status::Paused), "2026-03-20T09:00:00Z"),
        Listed {
            topic: "Kafka?".into(),
            total_rounds: 12,
            ..row("20260305-121212-queue", Some(Status::Archived), NOW)
        },
        Listed { started: Some(time("2026-03-20T11:59:57Z")), ..row("20260320-115957-now", Some(Status::Active), NOW) },
    ]
}

#[test]
fn list_is_grouped_by_status_with_the_current_one_marked() {
    check("list", |style| listing(&rows(), Some(ID), time(NOW), style));
}

#[test]
fn an_empty_list_says_how_to_start() {
    check("list-empty", |style| listing(&[], None, time(NOW), style));
}

#[test]
fn ages_in_words() {
    let now = time(NOW);
    let cases = [
        ("2026-03-20T12:00:00Z", "just now"),
        ("2026-03-20T12:03:00Z", "just now"),
        ("2026-03-20T11:59:20Z", "40 s ago"),
        ("2026-03-20T11:00:01Z", "59 min ago"),
        ("2026-03-20T09:00:00Z", "3 h ago"),
        ("2026-03-18T11:00:00Z", "2 d ago"),
        ("2026-03-06T11:00:00Z", "on 2026-03-06"),
        ("2027-03-06T11:00:00Z", "on 2027-03-06"),
    ];
    for (then, words) in cases {
        assert_eq!(super::super::words::ago(time(then), now), words, "{then}");
    }
}

#[test]
fn show_the_whole_discussion_while_a_person_must_decide() {
    let minutes = fixture::minutes();
    let session = recall(&minutes, &[]).unwrap().session;
    check("show-pending", |style| discussion(&minutes, Some(&session), &Bearings::default(), style));
}

#[test]
fn show_the_whole_discussion_with_rulings_and_outcome() {
    let mut minutes = fixture::minutes();
    let person = |at: &str, kind: &str, text: Option<&str>| {
        fixture::read(serde_json::json!({ "at": at, "after_round": 2, "kind": kind, "text": text, "by": "person" }))
    };
    minutes.push_intervention(person("2026-03-04T03:10:00Z", "pause", None)).unwrap();
    minutes.push_intervention(person("2026-03-04T04:00:00Z", "resume", None)).unwrap();
    minutes.push_intervention(person("2026-03-04T04:01:00Z", "interjection", Some("Mind the kiosk."))).unwrap();
    minutes.set_ruling(fixture::ruling()).unwrap();
    let change = s2s::store::ContextChange { round: 2, text: "A shop with three apps.".into(), by: "person".into() };
    minutes.push_context_change(change).unwrap();
    minutes.set_outcome(fixture::outcome()).unwrap();
    minutes.set_status(Status::Completed, time("2026-03-04T04:05:00Z"));
    check("show-completed", |style| {
        discussion(&minutes, None, &Bearings::default(), &Style { verbose: true, ..*style })
    });
}

/// A round with this many doubts, shown as the whole discussion shows it.
fn doubted(count: usize, verbose: bool) -> String {
    let mut minutes = fixture::minutes();
    let mut round = fixture::first_round();
    let doubts = (1..=count).map(|number| serde_json::json!({ "seat": "qa-lead", "what": format!("flaw {number}") }));
    round.doubts = doubts.map(fixture::read).collect();
    round.number = 3;
    minutes.push_round(round).unwrap();
    let text = discussion(&minutes, None, &Bearings::default(), &Style { verbose, ..Style::PIPE });
    text.rsplit_once("── Round 3").unwrap().1.to_owned()
}

#[test]
fn show_lists_the_first_doubts_of_a_round_and_verbose_all() {
    assert!(!doubted(0, true).contains("Doubts"));
    for (count, verbose, listed, more) in [
        (1, false, 1, None),
        (3, false, 3, None),
        (5, false, 3, Some("2 more (--verbose lists them)")),
        (5, true, 5, None),
    ] {
        let text = doubted(count, verbose);
        assert_eq!(text.matches("qa-lead: flaw ").count(), listed, "{text}");
        assert_eq!(text.contains("--verbose"), more.is_some(), "{text}");
        assert!(text.contains(more.unwrap_or_default()), "{text}");
    }
}

#[test]
fn a_reply_is_drawn_by_field_with_its_doubts_or_as_refused() {
    let value = serde_json::json!({
        "position": "Offer the API as REST over HTTP, described by an OpenAPI file that is checked with every change.",
        "rationale": ["Partners know it", "Every HTTP cache understands it, and the partners already run one in front of their own"],
        "confidence": 0.8, "concerns": [], "context_challenge": null,
        "votes": { "C1.1": "support", "C1.2": { "vote": "block", "reason": "too slow" } },
        "conflicts": [{ "id": "caching", "positions": { "qa-lead": "By headers:\n- etag\n- age" } }, {}],
        "hostile \u{1b}[2J key": "\u{1b}[31mred\u{202e}",
    });
    let doubts = ["`confidence` was \"80%\", read as 0.8".to_owned(), "took the reply out of a fence ".repeat(4)];
    check("reply", |style| examined(value.as_object().unwrap(), &doubts, style));
    check("reply-refused", |style| refused("`confidence` is missing: give a number from 0 to 1, such as 0.7", style));
    let clean = examined(value.as_object().unwrap(), &[], &Style::PIPE);
    assert!(clean.ends_with("\n\nNo doubts.\n"), "{clean}");
}
