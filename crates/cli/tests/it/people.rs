//! People at the table, at a real terminal: what they say and ask after a round, a seat of their own in place and in an
//! editor, leaving and coming back; and the same from scripts, where nobody sits at a terminal.

use std::os::unix::fs::PermissionsExt;

use super::harness::{CALM, Folder, TOPIC};
use super::terminal::{DOWN, ENTER, PROCEED, Person};

const CTRL_C: &str = "\x03";
const ANSWER: &str = "How would you like to answer?";
/// One round with a person at the table.
const WITH_ANNA: [&str; 11] = [
    "roundtable",
    "start",
    TOPIC,
    "--panel",
    "script:calm.yaml",
    "--strategy",
    "standard",
    "--max-rounds",
    "1",
    "--human",
    "Anna:product-manager",
];

/// A project whose script also answers follow-ups.
fn project() -> Folder {
    let folder = Folder::project();
    let more = "  - {kind: followup, reply: \"Contract tests, then load.\"}\n";
    folder.write("calm.yaml", format!("{CALM}{more}"));
    folder
}

/// An editor that does this to the form, which lies in `$1`.
fn editor(folder: &Folder, does: &str) -> Vec<(&'static str, String)> {
    folder.write("editor.sh", format!("#!/bin/sh\n{does}\n"));
    let path = folder.path().join("editor.sh");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    vec![("VISUAL", String::new()), ("EDITOR", path.display().to_string())]
}

fn holds(folder: &Folder) {
    let id = folder.ids().remove(0);
    folder.run(&["session", "verify", &id]).ok();
    folder.run(&["session", "replay", &id]).ok();
}

/// How often each seat was asked for an answer in round 1.
fn asked(folder: &Folder, seat: &str) -> usize {
    let id = folder.ids().remove(0);
    let tape = folder.read(&format!(".s2s/sessions/{id}/tape.jsonl"));
    tape.matches(&format!("\"type\":\"asked\",\"call\":\"r1.response.{seat}.")).count()
}

#[test]
fn h1_a_person_answers_in_their_editor() {
    let folder = project();
    let fills =
        "cp \"$1\" form.txt\nprintf 'Position:\\nI know the partners: all of them.\\nConfidence: 0.8\\n' > \"$1\"";
    let editor = editor(&folder, fills);
    let Some(mut person) = Person::with(&folder, &WITH_ANNA, &editor) else { return };
    let mut before = person.sees(ANSWER);
    person.answers("no response", &format!("{DOWN}{ENTER}"));
    before.push_str(&person.sees("Your answer is in."));
    assert!(before.contains("Which way?"), "{before}");
    assert!(!before.contains("Use REST"), "blind: {before}");
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    assert!(seen.contains("Use REST") && seen.contains("I know the partners"), "{seen}");
    let form = folder.read("form.txt");
    assert!(form.contains("# Which way?") && form.contains("\nPosition:\n"), "{form}");
    let minutes = folder.only();
    assert_eq!(minutes["participants"][3]["model"], "human");
    assert_eq!(minutes["participants"][3]["name"], "Anna, Product Manager");
    assert_eq!(minutes["rounds"][0]["confidence"]["anna"], 0.8);
    holds(&folder);
}

#[test]
fn a_form_that_cannot_be_read_is_opened_again() {
    let folder = project();
    let fills = "if grep -q 'COULD NOT' \"$1\"; then sed -i 's/very/0.9/' \"$1\"; \
                 else printf 'Position: mine\\nConfidence: very\\n' > \"$1\"; fi";
    let editor = editor(&folder, fills);
    let Some(mut person) = Person::with(&folder, &WITH_ANNA, &editor) else { return };
    person.answers(ANSWER, &format!("{DOWN}{ENTER}")).answers("Open the editor again?", ENTER);
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    assert_eq!(folder.only()["rounds"][0]["confidence"]["anna"], 0.9);
}

#[test]
fn h2_an_editor_that_is_given_up_is_no_response() {
    let folder = project();
    let editor = editor(&folder, "exit 1");
    let Some(mut person) = Person::with(&folder, &WITH_ANNA, &editor) else { return };
    person.answers(ANSWER, &format!("{DOWN}{ENTER}"));
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    assert_eq!(folder.only()["rounds"][0]["no_response"][0], "anna");
    holds(&folder);
}

#[test]
fn a_person_who_leaves_is_asked_again_and_nobody_else_is() {
    let folder = project();
    let Some(mut person) = Person::at(&folder, &WITH_ANNA) else { return };
    person.answers(ANSWER, ENTER).answers("Your position:", CTRL_C);
    let (code, seen) = person.leaves();
    assert_eq!(code, 130, "{seen}");
    assert!(seen.contains("anna has not answered yet") && !seen.contains("Use REST"), "{seen}");
    assert_eq!(folder.only()["status"], "paused");
    let again = ["roundtable", "resume", "--panel", "script:calm.yaml"];
    let Some(mut person) = Person::at(&folder, &again) else { return };
    let before = person.sees(ANSWER);
    assert!(before.contains("3 seats have answered already") && !before.contains("Use REST"), "{before}");
    person.answers("no response", ENTER).answers("Your position:", &format!("I know the partners{ENTER}"));
    person.answers("Why?", &format!("seen it{ENTER}")).answers("How sure are you", &format!("0.9{ENTER}"));
    person.answers("What worries you about it?", ENTER);
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    assert_eq!(folder.only()["rounds"][0]["confidence"]["anna"], 0.9);
    assert_eq!(
        (asked(&folder, "software-architect") + asked(&folder, "technical-lead"), asked(&folder, "anna")),
        (2, 2)
    );
    holds(&folder);
}

#[test]
fn h3_without_a_terminal_the_session_waits_and_a_file_answers() {
    let folder = project();
    folder.run(&WITH_ANNA).is(3).says(&["anna has not answered yet", "--as anna --file FILE"]);
    let id = folder.ids().remove(0);
    let answer = ["roundtable", "answer", &id, "--as", "Anna"];
    let form = folder.run(&answer).ok().out;
    assert!(form.contains("# Which way?") && !form.contains("Use REST"), "{form}");
    let told = folder.run(&["--json", "roundtable", "answer", &id, "--as", "anna"]).ok().out;
    assert!(told.contains("\"question\":\"Which way?\""), "{told}");
    folder.write("bad.txt", form.replace("Confidence: 0.7", "Confidence: 7").replace("Position:\n", "Position:\nx\n"));
    let with = |file| [&answer[..], &["--panel", "script:calm.yaml", "--file", file]].concat();
    folder.run(&with("bad.txt")).is(2).says(&["a number from 0 to 1"]);
    folder.write("answer.txt", form.replace("Position:\n", "Position:\nI know the partners\n"));
    folder.run(&with("answer.txt")).ok();
    assert_eq!(folder.only()["rounds"][0]["confidence"]["anna"], 0.7);
    folder.run(&with("answer.txt")).is(2).says(&["does not wait for anna"]);
    folder.run(&["roundtable", "answer", &id, "--as", "bob", "--pass"]).is(2).says(&["the people at this table: anna"]);
    holds(&folder);
}

#[test]
fn h3_a_flag_or_a_setting_lets_an_absent_person_pass() {
    let folder = project();
    folder.run(&[&WITH_ANNA[..], &["--on-absent", "pass"]].concat()).ok();
    assert_eq!(folder.only()["rounds"][0]["no_response"][0], "anna");
    let folder = project();
    let mut child = folder.command(&WITH_ANNA);
    let out = child.env("S2S_ON_ABSENT", "pass").output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
}

#[test]
fn a_person_cannot_be_asked_afterwards() {
    let folder = project();
    folder.run(&[&WITH_ANNA[..], &["--on-absent", "pass"]].concat()).ok();
    let id = folder.ids().remove(0);
    folder.run(&["ask", &id, "anna", "Why?"]).is(2).says(&["anna is a person", "speak to them"]);
}

#[test]
fn two_people_share_a_terminal_one_after_the_other() {
    let folder = project();
    let args = [&WITH_ANNA[..], &["--human", "Bob"]].concat();
    let Some(mut person) = Person::at(&folder, &args) else { return };
    for name in ["Anna", "Bob"] {
        person.answers(&format!("Only {name}"), ENTER).answers(ANSWER, &format!("{DOWN}{DOWN}{ENTER}"));
    }
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    assert_eq!(folder.only()["rounds"][0]["no_response"].as_array().map(Vec::len), Some(2));
}

#[test]
fn people_at_the_table_are_checked_before_anything_is_made() {
    let folder = project();
    let start = |human: &'static str| [&WITH_ANNA[..9], &["--human", human]].concat();
    folder.run(&start("anna:nobody")).is(2);
    folder.run(&start("qa/lead")).is(2).says(&["NAME or NAME:ROLE"]);
    folder.run(&start("Technical Lead")).is(2).says(&["sits at the table already"]);
    folder.run(&start("anna:facilitator")).is(2);
    folder.run(&[&WITH_ANNA[..9], &["--participants", "human,qa-lead"]].concat()).is(2).says(&["--human NAME"]);
    assert!(folder.ids().is_empty());
}

#[test]
fn l8_a_person_says_something_to_the_table() {
    let folder = project();
    let args = [&WITH_ANNA[..7], &["--interactive", "--max-rounds", "2"]].concat();
    let Some(mut person) = Person::at(&folder, &args) else { return };
    person.answers(PROCEED, &format!("{DOWN}{DOWN}{DOWN}{ENTER}"));
    person.answers("What do you say to the table?", &format!("Mind the partners abroad{ENTER}"));
    person.answers("the next question takes it up", "").answers(PROCEED, ENTER).answers("Conclude now", ENTER);
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    let minutes = folder.only();
    let said = &minutes["interventions"][0];
    assert_eq!((&said["kind"], &said["text"]), (&"interjection".into(), &"Mind the partners abroad".into()));
    let question = minutes["rounds"][1]["question"].as_str().unwrap();
    assert!(question.ends_with("A person said to the table: Mind the partners abroad"), "{question}");
    holds(&folder);
    let id = folder.ids().remove(0);
    let said = "said to the table by a person: Mind the partners abroad";
    folder.run(&["show", &id]).ok().shows(&["Meanwhile", "said to the table by a person"]);
    assert!(folder.run(&["report", &id, "-o", "-"]).ok().out.contains(said));
}

#[test]
fn l9_a_person_asks_one_seat_a_follow_up() {
    let folder = project();
    let args = [&WITH_ANNA[..9], &["--interactive"]].concat();
    let Some(mut person) = Person::at(&folder, &args) else { return };
    person.answers(PROCEED, &format!("{DOWN}{DOWN}{DOWN}{ENTER}")).answers("Whom do you ask?", ENTER);
    person.answers("What do you ask?", &format!("What first?{ENTER}"));
    person.answers("Contract tests, then load.", "").answers(PROCEED, ENTER);
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    assert!(folder.only()["interventions"].as_array().unwrap().is_empty(), "beside the record");
    let id = folder.ids().remove(0);
    let tape = folder.read(&format!(".s2s/sessions/{id}/tape.jsonl"));
    assert!(tape.contains("\"question\":\"What first?\""), "{tape}");
    holds(&folder);
    let asked = folder.only()["participants"][0]["id"].as_str().unwrap().to_owned();
    let told = format!("to {asked}: What first?");
    for more in [&[][..], &["--round", "1"], &["--seat", &asked]] {
        folder.run(&[&["show", &id], more].concat()).ok().shows(&[
            &told,
            "Contract tests, then load.",
            "outside the votes",
        ]);
    }
    let other = folder.run(&["show", &id, "--seat", "facilitator"]).ok();
    assert!(!other.out.contains("What first?"), "{}", other.out);
    let json = folder.run(&["show", &id, "--json"]).ok().json();
    assert_eq!(
        (&json["follow_ups"][0]["round"], &json["follow_ups"][0]["answer"]),
        (&1.into(), &"Contract tests, then load.".into())
    );
    let page = folder.run(&["report", &id, "-o", "-"]).ok().out;
    assert!(
        page.contains("A person asked ") && page.contains("What first?") && page.contains("Contract tests"),
        "{page}"
    );
}

#[test]
fn flags_say_and_ask_what_a_person_would() {
    let folder = project();
    let start = ["roundtable", "start", TOPIC, "--panel", "script:unsure.yaml", "--strategy", "standard"];
    folder.run(&start).is(3);
    let resume = ["roundtable", "resume", "--panel", "script:calm.yaml", "--on-escalation", "accept"];
    folder.run(&[&resume[..], &["--say", " "]].concat()).is(2).says(&["--say needs words"]);
    folder.run(&[&resume[..], &["--ask", "qa-lead"]].concat()).is(2).says(&["SEAT=TEXT"]);
    let words = ["--say", "Mind the partners abroad", "--ask", "technical-lead=What first?"];
    folder.run(&[&resume[..], &words[..]].concat()).ok().shows(&["Contract tests, then load."]);
    let minutes = folder.only();
    assert_eq!(minutes["status"], "completed");
    assert!(minutes["rounds"][1]["question"].as_str().unwrap().contains("Mind the partners abroad"));
    holds(&folder);
}

#[test]
fn bug_a_person_in_a_debate_was_not_told_the_proposal() {
    let folder = Folder::project();
    let topic = "REST vs GraphQL for our public API";
    let args = ["roundtable", "start", topic, "--panel", "offline", "--strategy", "debate", "--human", "Anna:qa-lead"];
    folder.run(&args).is(3);
    let id = folder.ids().remove(0);
    let form = folder.run(&["roundtable", "answer", &id, "--as", "anna"]).ok().out;
    let told = ["# # Your side\n", "this proposal: REST rather than GraphQL: offer the API as REST over HTTP"];
    assert!(told.iter().all(|part| form.contains(part)), "{form}");
}
