//! `s2s docs` and people's edits: what is said where nobody is asked, what is asked at a terminal, and what flags do.

use std::fs;

use s2s::engine::opening::Workflow;

use super::harness::Folder;
use super::planning::{designed, hold};
use super::terminal::{DOWN, ENTER, Person};

const REQUIREMENTS: &str = "docs/specifications/requirements.md";

/// A project with documents, in which three parts of the requirements were edited, and one more requirement since.
fn edited() -> Folder {
    let folder = designed();
    folder.run(&["docs"]).ok();
    let mut text = folder.read(REQUIREMENTS);
    for (from, to) in [
        ("- Check: It has 4 lines", "- Check: It has five lines"),
        ("- Measured by: load test", "- Measured by: me"),
        ("| Requirement | Session, round, tally | Served by |", "| Requirement | From | Served by |"),
    ] {
        assert!(text.contains(from), "{from}\n{text}");
        text = text.replace(from, to);
    }
    folder.write(REQUIREMENTS, text);
    let more = "{kind: REQ, title: Print orders, priority: could, acceptance: [It prints]}";
    hold(&folder, "3-specs", Workflow::Specs, more);
    folder
}

#[test]
fn where_nobody_is_asked_the_text_stays_and_what_is_missing_is_named() {
    let folder = edited();
    let run = folder.run(&["docs"]).ok();
    run.shows(&["your text stays in REQ-001, NFR-001, traceability", "Missing there: REQ-002."])
        .shows(&["s2s docs --keep generated --part NAME"]);
    let text = folder.read(REQUIREMENTS);
    for words in ["five lines", "Measured by: me", "| From |", "### REQ-002\n", "[REQ-002](#req-002) Print orders"] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    let json = folder.run(&["docs", "--json"]).ok().json();
    assert_eq!(json["kept"][2]["part"], "traceability");
    assert_eq!(json["kept"][2]["missing"][0], "REQ-002");

    folder.run(&["docs", "--keep", "generated", "--part", "traceability"]).ok().shows(&["REQ-001, NFR-001."]);
    let text = folder.read(REQUIREMENTS);
    assert!(!text.contains("| From |") && text.contains("five lines"), "{text}");
    folder.run(&["docs", "--keep", "generated", "--part", "REQ-9"]).is(2).says(&["no edited part is called \"REQ-9\""]);
    folder.run(&["docs", "--part", "REQ-001"]).is(2).says(&["--keep"]);
    let all = folder.run(&["docs", "--keep", "generated"]).ok();
    assert!(!all.out.contains("your text stays"), "{}", all.out);
    assert!(folder.read(REQUIREMENTS).contains("It has 4 lines"));
}

/// Two decisions, each with a hand edit in its part `outcome`.
fn edited_twice() -> (Folder, [String; 2]) {
    let folder = designed();
    let more =
        "{kind: ARCH, title: Keep a log, serves: [REQ-001]}, {kind: ARCH, title: Use one store, serves: [REQ-001]}";
    hold(&folder, "4-design", Workflow::Design, more);
    folder.run(&["docs"]).ok();
    let names = fs::read_dir(folder.path().join("docs/decisions")).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut files: Vec<String> = names.filter(|name| name.starts_with("ARCH-")).collect();
    files.sort();
    let files: [String; 2] = files.try_into().expect("two decisions");
    for file in &files {
        let path = format!("docs/decisions/{file}");
        let text = folder.read(&path);
        let end = "<!-- s2s:end outcome -->";
        assert!(text.contains(end), "{text}");
        folder.write(&path, text.replace(end, &format!("By hand in {file}.\n\n{end}")));
    }
    (folder, files)
}

#[test]
fn a_hand_edit_is_not_lost_by_the_command_that_is_suggested_for_another_file() {
    let (folder, [first, second]) = edited_twice();
    let path = |file: &str| format!("docs/decisions/{file}");
    let is_edited = |file: &str| folder.read(&path(file)).contains("By hand in");
    let suggested = format!("s2s docs --keep generated --part {}:outcome", path(&first));
    folder.run(&["docs"]).ok().shows(&[&suggested]);

    let plain = folder.run(&["docs", "--keep", "generated", "--part", "outcome"]).is(2);
    plain.says(&[
        "2 edited parts are called \"outcome\"",
        &format!("--part {}:outcome", path(&first)),
        &format!("--part {}:outcome", path(&second)),
    ]);
    assert!(is_edited(&first) && is_edited(&second));

    folder.run(&["docs", "--keep", "generated", "--part", &format!("{}:outcome", path(&first))]).ok();
    assert!(!is_edited(&first) && is_edited(&second));
    folder.run(&["docs"]).ok().shows(&["s2s docs --keep generated --part outcome\n"]);
    folder.run(&["docs", "--keep", "generated", "--part", &format!("{second}:outcome")]).ok();
    assert!(!is_edited(&second));
}

#[test]
fn each_kept_edit_is_said_once() {
    let (folder, _) = edited_twice();
    let run = folder.run(&["docs"]).ok();
    assert_eq!(run.out.matches("your text stays").count(), 2, "{}", run.out);
    assert_eq!(run.err, "");
}

#[test]
fn a_document_or_plan_that_is_refused_is_a_failure() {
    let folder = edited();
    let text = folder.read(REQUIREMENTS);
    folder.write(REQUIREMENTS, format!("{text}\n{text}"));
    folder.run(&["docs"]).is(2).says(&["requirements.md, line ", "a second part"]);
    folder.write(REQUIREMENTS, text.replacen("s2s:part REQ-001", "s2s:part REQ-x", 1));
    folder.run(&["docs"]).is(2).says(&["requirements.md, line "]);
    folder.write(REQUIREMENTS, text);
    folder.run(&["plan", "--panel", "offline"]).ok();
    let plan = ".s2s/plans/PLAN-001.yaml";
    folder.write(plan, folder.read(plan).replace("id: TASK-002", "id: TASK-001"));
    folder.run(&["docs"]).is(2).says(&["PLAN-001.yaml: two tasks have the id TASK-001", "s2s plan check"]);
}

#[test]
fn at_a_terminal_one_question_is_asked_about_all_parts_of_a_document() {
    let folder = edited();
    let Some(mut person) = Person::at(&folder, &["docs"]) else { return };
    let show = format!("{DOWN}{DOWN}{DOWN}{ENTER}");
    let question = "3 generated parts were edited";
    person.answers(question, &show).answers("-- Measured", "").answers(question, &format!("{DOWN}{DOWN}{ENTER}"));
    person.answers("REQ-001: the generated text was edited", ENTER);
    person.answers("NFR-001: the generated text was edited", &format!("{DOWN}{ENTER}"));
    person.answers("traceability: the generated text was edited", ENTER);
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    assert!(seen.contains("your text stays in REQ-001, traceability"), "{seen}");
    let text = folder.read(REQUIREMENTS);
    assert!(
        text.contains("five lines") && text.contains("Measured by: load test") && text.contains("| From |"),
        "{text}"
    );
}
