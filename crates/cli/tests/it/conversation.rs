//! A roundtable begun as a conversation: nothing typed, everything asked, one screen to look over, and go.

use super::harness::{CALM, Folder, TOPIC};
use super::terminal::{ENTER, Person};

const DOWN: &str = "\x1b[B";

#[test]
fn t2_a_start_with_nothing_asks_for_the_question_the_strategy_and_the_seats() {
    let folder = Folder::project();
    let Some(mut person) = Person::at(&folder, &["roundtable", "start", "--panel", "script:calm.yaml"]) else { return };
    person.answers("What is the question?", &format!("REST vs GraphQL{ENTER}"));
    person.answers("Recommended strategy: debate (the topic has the word", &format!("{DOWN}{ENTER}"));
    // The usual three are ticked; the fourth is taken too.
    person.answers("Who sits at the table?", &format!("{DOWN}{DOWN}{DOWN} {ENTER}"));
    person.answers("The table is set", "").answers("standard", "").answers("script calm.yaml", "");
    person.answers("The same without questions:", "").answers("--participants", "").answers("Begin?", ENTER);
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    let minutes = folder.only();
    assert_eq!((&minutes["topic"], &minutes["strategy"]), (&"REST vs GraphQL".into(), &"standard".into()));
    assert_eq!(minutes["participants"].as_array().map(Vec::len), Some(4), "{}", minutes["participants"]);
}

#[test]
fn whoever_does_not_begin_has_changed_nothing() {
    let folder = Folder::project();
    let args = ["brainstorm", "--panel", "script:calm.yaml"];
    let Some(mut person) = Person::at(&folder, &args) else { return };
    person.answers("What is the question?", &format!("{TOPIC}{ENTER}"));
    person.answers("Recommended strategy: disney (the usual one for finding ideas)", ENTER);
    person.answers("Who sits at the table?", ENTER).answers("Begin?", &format!("n{ENTER}"));
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    assert!(seen.contains("Nothing was begun"), "{seen}");
    assert_eq!(folder.ids(), [""; 0]);
}

#[test]
fn what_flags_answer_is_not_asked_and_too_few_seats_are_told() {
    let folder = Folder::project();
    let args = ["roundtable", "start", "--strategy", "standard", "--panel", "script:calm.yaml", "--quiet"];
    let Some(mut person) = Person::at(&folder, &args) else { return };
    person.answers("What is the question?", ENTER).answers("Please type something.", &format!("{TOPIC}{ENTER}"));
    // The left arrow takes nobody.
    person.answers("Who sits at the table?", &format!("\x1b[D{ENTER}"));
    person.answers("Please take at least 2.", &format!("\x1b[C{ENTER}")).answers("Begin?", &format!("n{ENTER}"));
    assert_eq!(person.leaves().0, 0);
}

#[test]
fn without_a_terminal_a_missing_topic_is_an_error() {
    let folder = Folder::project();
    folder.run(&["roundtable", "start"]).is(2);
    folder.run(&["brainstorm"]).is(2);
}

#[test]
fn a_look_at_the_cost_asks_the_same_and_begins_nothing() {
    let folder = Folder::bare();
    folder.write("calm.yaml", CALM);
    let args = ["roundtable", "start", "--panel", "script:calm.yaml", "--strategy", "standard", "--dry-run"];
    folder.run(&["init"]).ok();
    let Some(mut person) = Person::at(&folder, &args) else { return };
    person.answers("What is the question?", &format!("{TOPIC}{ENTER}")).answers("Who sits at the table?", ENTER);
    // Nothing is begun by a look, so nothing is to be confirmed.
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    assert_eq!(folder.ids(), [""; 0]);
}

#[test]
fn s2s_alone_names_the_two_ways_to_begin() {
    let folder = Folder::bare();
    let Some(person) = Person::at(&folder, &[]) else { return };
    let (code, seen) = person.leaves();
    assert_eq!(code, 0);
    assert!(
        seen.contains("s2s init") && seen.contains("s2s roundtable start \"your question\", which makes it one"),
        "{seen}"
    );
}

#[test]
fn s2s_alone_does_not_fold_many_sessions() {
    let folder = Folder::project();
    folder.start(&["--quiet"]).ok();
    let padding = format!("# {}\n", "x".repeat(1 << 20));
    for number in 0..3 {
        folder.write(&format!(".s2s/sessions/2026010{number}-000000-large.yaml"), padding.as_bytes());
    }
    folder.run(&[]).ok().shows(&["So far:  4 sessions; `s2s trace` lists"]);
}
