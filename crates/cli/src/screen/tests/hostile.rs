//! Text that nobody should have written: wide characters, endless words, terminal codes.

use unicode_width::UnicodeWidthStr;

use s2s::engine::record::Round;
use s2s::roundtable::{Audience, Notice};
use s2s::store::{Listed, Status};

use super::super::marks::{Mark, Tone};
use super::super::page::Page;
use super::super::wrap::clipped;
use super::super::{Bearings, Decided, Ending, Plain, Style, completed, discussion, escalation, listing, paused};
use super::fixture::{self, time};
use super::{check, is_tidy};

const HOSTILE: &str = "\u{1b}[2J\u{1b}]0;owned\u{7}red\u{9b}31m \u{202e}drow\u{202c}\r\n\u{0}\u{8}end\u{200b}";

#[test]
fn wide_characters_and_endless_words_stay_in_their_columns() {
    check("wide", |style| {
        let mut page = Page::new(style);
        page.title("公開APIはRESTかGraphQLか", Tone::Title);
        page.row(
            "Topic",
            "公開APIをRESTにするかGraphQLにするかを、二つのモバイルアプリと十二の提携先のために決める必要があります。",
        );
        page.row("Question", &"pneumonoultramicroscopicsilicovolcanoconiosis".repeat(4));
        page.item(Mark::Done, "C1.1", "👩‍💻 déjà vu — مرحبا بالعالم");
        page.row("Synthesis", "one\n\n\n\ntwo\n  - a nested item that is long enough to be wrapped on any of the widths, twice even\n10. ten\n\n");
        page.finish()
    });
}

#[test]
fn clipping_counts_columns_not_characters() {
    for (columns, kept) in [(30, "決める必要があります"), (12, "決める必要…"), (3, "決…"), (0, "…")]
    {
        assert_eq!(clipped("決める必要があります", columns, false), kept);
        assert!(columns == 0 || kept.width() <= columns);
    }
}

/// Every text of a value, replaced.
fn poisoned<T: serde::Serialize + serde::de::DeserializeOwned>(value: &T, keys: &[&str]) -> T {
    fn walk(value: &mut serde_json::Value, keys: &[&str], key: &str) {
        match value {
            serde_json::Value::String(text) if keys.contains(&key) => *text = format!("{HOSTILE}{text}{HOSTILE}"),
            serde_json::Value::Array(items) => items.iter_mut().for_each(|item| walk(item, keys, key)),
            serde_json::Value::Object(map) => map.iter_mut().for_each(|(key, value)| walk(value, keys, key)),
            _ => {}
        }
    }
    let mut json = serde_json::to_value(value).unwrap();
    walk(&mut json, keys, "");
    serde_json::from_value(json).unwrap()
}

const TEXTS: &[&str] = &[
    "phase",
    "question",
    "focus",
    "asked",
    "no_response",
    "participant",
    "position",
    "rationale",
    "concerns",
    "context_challenge",
    "challenge",
    "suggestion",
    "synthesis",
    "consensus",
    "id",
    "description",
    "conflict_id",
    "resolution",
    "policy",
    "point",
    "seat",
    "reason",
    "what",
    "rule",
    "text",
    "next_focus",
    "recommendation",
    "software-architect",
    "technical-lead",
    "reasons",
    "file",
    "files",
    "unresolved",
    "name",
];

#[test]
fn no_terminal_code_of_a_session_reaches_the_screen() {
    let rounds: Vec<Round> =
        [fixture::first_round(), fixture::second_round()].iter().map(|round| poisoned(round, TEXTS)).collect();
    let raised = poisoned(&fixture::escalation(), TEXTS);
    let outcome = poisoned(&fixture::outcome(), TEXTS);
    let style = Style { verbose: true, ..Style::PIPE };
    let mut screens = vec![
        escalation(&raised, rounds.last(), true, &style),
        paused(HOSTILE, HOSTILE, Some(&raised), "", &style),
        completed(
            &Ending {
                cost: None,
                session: HOSTILE,
                topic: HOSTILE,
                strategy: HOSTILE,
                total_rounds: 2,
                outcome: &outcome,
                decided: &Decided::all(&[s2s::engine::record::Escalation {
                    ruling: Some(poisoned(&fixture::ruling(), TEXTS)),
                    ..raised.clone()
                }]),
                tallies: &rounds[1].tallies,
                panel_note: HOSTILE,
                up: "",
                onward: None,
            },
            &style,
        ),
    ];
    let listed = Listed {
        id: HOSTILE.into(),
        topic: HOSTILE.into(),
        strategy: HOSTILE.into(),
        current_phase: HOSTILE.into(),
        ..Listed::default()
    };
    let good = Listed { status: Some(Status::Active), ..listed.clone() };
    let bad = Listed { problem: Some(HOSTILE.into()), ..listed };
    screens.push(listing(&[good, bad], Some(HOSTILE), time("2026-03-20T12:00:00Z"), &style));
    let mut minutes = fixture::minutes();
    minutes.set_ruling(poisoned(&fixture::ruling(), TEXTS)).unwrap();
    for mut round in rounds.iter().cloned() {
        round.number += 2;
        minutes.push_round(round).unwrap();
    }
    minutes.set_outcome(outcome).unwrap();
    screens.push(discussion(&minutes, None, &Bearings::default(), &style));
    let mut out = Vec::new();
    let mut plain = Plain::new(&mut out, style);
    for round in rounds {
        plain.notice(&fixture::committed(round));
    }
    plain.notice(&Notice::Warned { text: HOSTILE.into() });
    drop(plain);
    screens.push(String::from_utf8(out).unwrap());
    for screen in screens {
        is_tidy(&screen, 80);
        assert!(screen.contains("red drow"), "the words themselves stay: {screen}");
        assert!(!screen.contains("owned"), "{screen}");
    }
}

#[test]
fn a_strange_id_is_quoted_in_the_commands() {
    let text = paused("it's; rm -rf ~", "a person paused it", None, "", &Style::PIPE);
    assert!(text.contains(r"s2s roundtable resume 'it'\''s; rm -rf ~'"), "{text}");
}

#[test]
fn the_narrowest_terminal_still_gets_every_word() {
    let style = Style { width: 1, ..Style::PIPE };
    let text = escalation(&fixture::escalation(), None, true, &style);
    let words: String = text.split_whitespace().collect();
    assert!(words.contains("onceth") && words.contains("kioskismeasured."), "{text}");
}
