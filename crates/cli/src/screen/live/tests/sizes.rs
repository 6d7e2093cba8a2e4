//! Terminals of every size, names and words of every script, text that would act on a terminal.

use unicode_width::UnicodeWidthStr;

use super::super::super::Style;
use super::{SEATS, answered, asked, at, drawn, ended, fits, heard, posed, started, table};

#[test]
fn every_size_is_kept_to() {
    let table = asked();
    for columns in (1..=220).step_by(3) {
        for rows in 1..=30 {
            fits(&drawn(&table, columns, rows, &Style::PIPE), columns, rows);
        }
    }
}

#[test]
fn more_seats_than_rows_are_counted_and_those_in_need_are_shown() {
    let names: Vec<String> = (1..=30).map(|number| format!("seat-{number}")).collect();
    let seats: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut table = table();
    table.note(&posed("Which of the two?", &seats), at(51_000));
    seats.iter().for_each(|seat| table.note(&started("response", seat, 1), at(51_000)));
    seats[..20].iter().for_each(|seat| table.note(&ended("response", seat, answered(0.5, "Yes")), at(52_000)));
    let lines = drawn(&table, 80, 12, &Style::PIPE);
    fits(&lines, 80, 12);
    expect_test::expect![[r#"
          Question  Which of the two?
          ◐ seat-21  thinking 12 s
          ◐ seat-22  thinking 12 s
          ◐ seat-23  thinking 12 s
          ◐ seat-24  thinking 12 s
          ◐ seat-25  thinking 12 s
          ◐ seat-26  thinking 12 s
          ◐ seat-27  thinking 12 s
          and 23 more: 20 answered, 3 thinking
          Round 2 of at most 20 · critique · 20 of 30 answered · 7 calls
          12.4 k tokens · $0.0321 of about $0.41 · 1 min 03 s"#]]
    .assert_eq(&lines.iter().map(|line| line.trim_start()).collect::<Vec<_>>().join("\n"));
    assert_eq!(drawn(&table, 80, 1, &Style::PIPE).len(), 1, "the status alone");
}

#[test]
fn wide_characters_and_marks_on_letters_keep_their_columns() {
    let mut table = table();
    table.note(
        &posed("どのAPIを採用すべきか、キャッシュと道具と変更の費用で判断すると？".repeat(3).as_str(), &SEATS),
        at(51_000),
    );
    SEATS.iter().for_each(|seat| table.note(&started("response", seat, 1), at(51_000)));
    table.note(&ended("response", SEATS[0], answered(0.7, &"採用する価値がある".repeat(20))), at(52_000));
    table.note(&heard(SEATS[1], &format!("position: {}", "e\u{301}".repeat(300))), at(52_000));
    table.note(&heard(SEATS[2], &format!("position: {}", "👩‍👩‍👧 ".repeat(100))), at(52_000));
    table.note(&heard(SEATS[3], &format!("position: a{}", "\u{301}".repeat(1_000))), at(52_000));
    for columns in [20, 60, 61, 80, 120] {
        let lines = drawn(&table, columns, 24, &Style::PIPE);
        fits(&lines, columns, 24);
        assert!(lines.iter().all(|line| line.chars().count() < 1_000), "marks without end: {columns}");
        let said = lines.iter().find(|line| line.contains("e\u{301}"));
        assert!(columns < 60 || said.is_some_and(|line| line.width() > columns - 6), "{lines:#?}");
    }
}

#[test]
fn no_terminal_code_of_a_reply_reaches_the_region() {
    const HOSTILE: &str = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31mred\u{202e} drow\r\n\u{1b}[10A";
    let mut table = table();
    table.note(&posed(HOSTILE, &[HOSTILE, "b", "c"]), at(51_000));
    for seat in [HOSTILE, "b", "c"] {
        table.note(&started("response", seat, 1), at(51_000));
    }
    table.note(&ended("response", "b", answered(f64::NAN, HOSTILE)), at(52_000));
    table.note(&heard("c", &format!("position: {HOSTILE}")), at(52_000));
    let lines = drawn(&table, 80, 24, &Style::PIPE);
    fits(&lines, 80, 24);
    assert!(!lines.concat().contains("owned") && lines.concat().contains("red drow"), "{lines:#?}");
}
