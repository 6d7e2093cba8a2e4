//! The live view as it is drawn: every state of a seat, at every size, calm under a flood of notices.

mod burst;
mod sizes;

use std::time::Duration;

use expect_test::expect_file;
use s2s::engine::record::RoundKind;
use s2s::roundtable::{CallEnd, Notice};
use unicode_width::UnicodeWidthStr;

use super::super::Style;
use super::region::Size;
use super::table::{Expected, Kept, Table};
use super::view;

const SEATS: [&str; 5] = ["software-architect", "technical-lead", "qa-lead", "devops-engineer", "security-champion"];

fn at(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn started(kind: &str, seat: &str, attempt: u32) -> Notice {
    Notice::CallStarted { call: format!("r2.{kind}.{seat}.{attempt}"), seat: seat.into(), model: "acme:large".into() }
}

fn heard(seat: &str, text: &str) -> Notice {
    Notice::Heard { call: format!("r2.response.{seat}.1"), seat: seat.into(), text: text.into() }
}

fn ended(kind: &str, seat: &str, end: CallEnd) -> Notice {
    let call = format!("r2.{kind}.{seat}.1");
    Notice::CallEnded { call, seat: seat.into(), end, duration_ms: 9_000, cost_usd: 0.01, spent_usd: 0.0321 }
}

fn answered(confidence: f64, position: &str) -> CallEnd {
    CallEnd::Answered { confidence: Some(confidence), position: Some(position.into()), doubts: Vec::new() }
}

fn posed(question: &str, seats: &[&str]) -> Notice {
    let asked = seats.iter().map(ToString::to_string).collect();
    Notice::QuestionPosed { round: 2, question: question.into(), focus: String::new(), asked, probing: false }
}

/// A table in its second round, with nobody asked yet.
fn table() -> Table {
    let mut table = Table { expected: Some(Expected { likely_usd: 0.41, most_usd: 3.2 }), ..Table::default() };
    let (phase, kind) = ("critique".into(), RoundKind::Discussion);
    table.note(&Notice::RoundStarted { round: 2, max_rounds: 20, phase, kind, agenda: Vec::new() }, at(50_000));
    table.note(&Notice::Spent { calls: 7, tokens: 12_432, cost_usd: 0.0321, lost_calls: 0, lost_usd: 0.0 }, at(50_000));
    table
}

/// The same once the seats were asked: one has answered, one speaks, one is tried again, one failed, one thinks.
fn asked() -> Table {
    let mut table = table();
    let question = "Which of the two serves partners better, judged by caching, tooling and what a breaking change costs them in the end?";
    table.note(&posed(question, &SEATS), at(51_000));
    SEATS.iter().for_each(|seat| table.note(&started("response", seat, 1), at(51_000)));
    let position =
        "REST with a small set of resources, described by an OpenAPI file that is checked with every change.";
    table.note(&ended("response", SEATS[0], answered(0.8, position)), at(55_000));
    table.note(&heard(SEATS[1], "```yaml\nposition: \"GraphQL for the "), at(55_000));
    table.note(&heard(SEATS[1], "apps, REST for partners"), at(56_000));
    let (call, seat) = (format!("r2.response.{}.1", SEATS[2]), SEATS[2].to_owned());
    let why = "overloaded: the provider is busy (529)".to_owned();
    table.note(&Notice::CallRetried { call, seat, attempt: 2, why }, at(57_000));
    table.note(
        &ended("response", SEATS[3], CallEnd::Failed { error: "timeout: no reply within 9 s".into() }),
        at(60_000),
    );
    table
}

fn drawn(table: &Table, columns: usize, rows: usize, style: &Style) -> Vec<String> {
    view(&mut table.clone(), at(63_400), Size { columns, rows }, style)
}

/// Draws a table in every style and compares all of it with the file of this name.
fn check(name: &str, table: &Table) {
    let mut all = String::new();
    for columns in [60, 80, 120, 200] {
        let lines = drawn(table, columns, 24, &Style::PIPE);
        fits(&lines, columns, 24);
        all.push_str(&format!("<<< {columns} columns\n{}\n", lines.join("\n")));
    }
    let narrow = drawn(table, 40, 24, &Style { ascii: true, ..Style::PIPE });
    fits(&narrow, 40, 24);
    all.push_str(&format!("<<< 40 columns, ASCII\n{}\n", narrow.join("\n")));
    assert!(narrow.concat().is_ascii(), "{narrow:?}");
    let color = drawn(table, 80, 24, &Style { color: true, ..Style::PIPE });
    all.push_str(&format!("<<< 80 columns, in colour\n{}\n", color.join("\n").replace('\u{1b}', "␛")));
    expect_file![format!("screens/{name}.txt")].assert_eq(&all);
}

/// What every plain drawing keeps to.
fn fits(lines: &[String], columns: usize, rows: usize) {
    assert!(lines.len() < rows.max(2), "{} lines in {rows} rows: {lines:#?}", lines.len());
    for line in lines {
        assert!(line.width() < columns.max(16), "{} in {columns} columns: {line:?}", line.width());
        assert!(line.chars().all(|c| !c.is_control()) && s2s::clean::clean_text(line) == *line, "{line:?}");
        assert_eq!(line.trim_end(), line);
    }
}

#[test]
fn the_seats_while_they_answer() {
    check("answering", &asked());
}

#[test]
fn the_facilitator_before_and_after_the_answers() {
    let mut before = table();
    before.note(&started("question", "facilitator", 1), at(51_000));
    check("asking", &before);
    let mut after = asked();
    after.note(&ended("response", SEATS[1], answered(0.65, "GraphQL for the apps")), at(61_000));
    after.note(&ended("response", SEATS[2], answered(1.0, "REST")), at(61_000));
    after.note(&ended("response", SEATS[4], answered(0.0, "Neither")), at(61_000));
    after.note(&started("synthesis", "facilitator", 1), at(61_000));
    let text =
        "{\"action\": \"synthesis\", \"synthesis\": \"The seats agree on who the users are, and differ on caching"
            .into();
    let call = "r2.synthesis.facilitator.1".to_owned();
    after.note(&Notice::Heard { call, seat: "facilitator".into(), text }, at(62_000));
    check("summing-up", &after);
}

#[test]
fn a_refused_reply_is_asked_again_and_says_why() {
    let mut table = table();
    table.note(&posed("Which?", &SEATS[..1]), at(51_000));
    table.note(&started("response", SEATS[0], 1), at(51_000));
    table.note(&ended("response", SEATS[0], CallEnd::Refused { reason: "`position` is missing".into() }), at(53_000));
    let line = |table: &Table| drawn(table, 80, 24, &Style::PIPE).into_iter().find(|line| line.contains(SEATS[0]));
    assert_eq!(line(&table).unwrap(), "  ✗ software-architect  no answer, 2 s  `position` is missing");
    table.note(&started("response", SEATS[0], 2), at(53_000));
    assert_eq!(line(&table).unwrap(), "  ⚠ software-architect  try 2, 12 s  `position` is missing");
    let second = |text: &str| Notice::Heard {
        call: format!("r2.response.{}.2", SEATS[0]),
        seat: SEATS[0].into(),
        text: text.into(),
    };
    table.note(&second("position: Yes"), at(60_000));
    assert_eq!(line(&table).unwrap(), "  ◐ software-architect  answering 12 s  Yes");
}

#[test]
fn a_short_wait_shows_nothing_and_between_rounds_there_is_nothing() {
    let mut table = table();
    assert_eq!(drawn(&table, 80, 24, &Style::PIPE), Vec::<String>::new());
    table.note(&started("question", "facilitator", 1), at(63_200));
    assert_eq!(drawn(&table, 80, 24, &Style::PIPE), Vec::<String>::new());
    let mut asked = asked();
    asked.note(&Notice::SessionPaused { session: "x".into(), reason: "it was interrupted".into() }, at(63_000));
    assert_eq!(drawn(&asked, 80, 24, &Style::PIPE), Vec::<String>::new());
}

#[test]
fn a_cost_beyond_what_was_likely_is_held_against_the_most() {
    let cost = |usd, expected| super::cost(usd, expected);
    let expected = Some(Expected { likely_usd: 0.41, most_usd: 3.2 });
    assert_eq!(cost(0.03, expected).unwrap(), "$0.0300 of about $0.41");
    assert_eq!(cost(0.5, expected).unwrap(), "$0.50 of at most $3.20");
    assert_eq!(cost(0.5, None).unwrap(), "$0.50");
    assert_eq!(cost(0.0, None), None);
}

#[test]
fn l7_an_answer_that_is_kept_has_its_line() {
    let mut table = table();
    table.kept = vec![Kept { seat: SEATS[1].into(), confidence: 0.6, position: "Kept".into() }];
    table.note(&posed("Which?", &SEATS[..2]), at(51_000));
    table.note(&started("response", SEATS[0], 1), at(51_000));
    let lines = drawn(&table, 80, 24, &Style::PIPE);
    assert!(lines.contains(&"  ✓ technical-lead      ▰▰▰▰▰▰▱▱▱▱ 0.60  Kept".to_owned()), "{lines:#?}");
    table.note(&posed("And now?", &SEATS[..2]), at(61_000));
    assert!(table.kept.is_empty());
}

#[test]
fn bug_the_clock_of_watch_counted_from_when_it_began_to_watch() {
    let table = Table { before: at(600_000), ..asked() };
    let status = drawn(&table, 120, 24, &Style::PIPE).join("\n");
    assert!(status.contains(&super::draw::elapsed(at(663_400))), "{status}");
}
