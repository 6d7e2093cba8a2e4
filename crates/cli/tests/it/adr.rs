//! `s2s adr`: decisions are listed, shown, marked and put to the panel again; nobody's text is lost.

use std::path::Path;

use s2s::engine::opening::Workflow;

use super::harness::{Folder, TOPIC};
use super::planning::{designed, hold};

const OLD: &str = "---\r\nstatus: accepted # since May\r\ndate: 2026-01-02\r\ntags: [api,  partners]\r\n---\r\n\r\n# 1. SOAP for partners\r\n\r\nTheirs is SOAP.\r\n";
const NEW: &str = "# 2. REST for partners\n\nStatus: accepted, 2026-05\n\nAll speak it.\n";

/// A project with two records that somebody wrote by hand.
fn two() -> Folder {
    let folder = Folder::project();
    folder.write("docs/decisions/0001-soap.md", OLD);
    folder.write("docs/decisions/0002-rest.md", NEW);
    folder
}

fn record(folder: &Folder, id: &str) -> String {
    folder.read(&format!("docs/decisions/{id}.md"))
}

/// The addresses of all links in a text.
fn links(text: &str) -> Vec<String> {
    text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())).collect()
}

#[test]
fn decisions_of_people_and_of_roundtables_are_listed() {
    let folder = two();
    folder.start(&["--quiet"]).ok();
    folder.write("docs/decisions/broken.md", "---\nstatus: a\nstatus: b\n---\n");
    folder.run(&["adr", "list"]).ok().shows(&[
        "Decisions (4)",
        "1. SOAP for partners",
        "accepted, 2026-05",
        TOPIC,
        "line 3",
    ]);
    let listed = folder.run(&["adr", "list", "--json"]).ok().json();
    let rows = listed["decisions"].as_array().unwrap();
    let id = folder.ids().remove(0);
    assert_eq!(rows.len(), 4, "{listed}");
    assert_eq!((&rows[0]["name"], &rows[0]["date"]), (&"0001-soap".into(), &"2026-01-02".into()));
    assert_eq!((&rows[2]["session"], &rows[2]["title"]), (&id.as_str().into(), &TOPIC.into()));
    assert!(rows[3]["problems"][0].as_str().unwrap().contains("line 3"), "{listed}");
    assert_eq!(listed["index"], serde_json::Value::Null);
    assert!(!folder.path().join("docs/decisions/README.md").exists(), "a list alone writes nothing");
}

#[test]
fn an_empty_project_says_how_to_decide() {
    let folder = Folder::project();
    folder.run(&["adr", "list"]).ok().shows(&["no decision yet", "s2s roundtable start"]);
    folder.run(&["adr", "show", "1"]).is(2).says(&["no decision \"1\"", "s2s adr list"]);
    Folder::bare().run(&["adr", "list"]).is(2).says(&["s2s init"]);
}

#[test]
fn one_is_shown_by_a_part_of_its_name_and_several_are_named() {
    let folder = two();
    folder.run(&["adr", "show", "soap"]).ok().shows(&["0001-soap", "Theirs is SOAP.", "docs/decisions/0001-soap.md"]);
    let shown = folder.run(&["adr", "show", "2", "--json"]).ok().json();
    assert_eq!((&shown["status"], &shown["text"]), (&"accepted".into(), &NEW.into()));
    folder.run(&["adr", "show", "partners"]).is(2).says(&["could be any of", "0001-soap", "0002-rest"]);
}

#[test]
fn superseding_marks_both_and_the_index_and_keeps_every_other_byte() {
    let folder = two();
    let done = folder.run(&["adr", "supersede", "1", "--by", "2", "--reason", "Nobody speaks it"]).ok();
    done.shows(&[
        "0001-soap is superseded by 0002-rest",
        "changed  docs/decisions/0001-soap.md",
        "docs/decisions/README.md",
    ]);
    let old = OLD.replace("status: accepted #", "status: superseded by 0002-rest #").replace(
        "partners\r\n\r\nTheirs",
        "partners\r\n\r\n- Superseded by [2. REST for partners](0002-rest.md): Nobody speaks it\r\n\r\nTheirs",
    );
    assert_eq!(record(&folder, "0001-soap"), old.replace("[2. ", "[2\\. "));
    let line = "- Supersedes [1\\. SOAP for partners](0001-soap.md): Nobody speaks it";
    assert_eq!(record(&folder, "0002-rest"), NEW.replace("partners\n\n", &format!("partners\n\n{line}\n\n")));
    let again = folder.run(&["adr", "supersede", "1", "--by", "2", "--json"]).ok().json();
    assert_eq!((&again["changed"], &again["index"]["changed"]), (&serde_json::json!([]), &false.into()));
    folder.run(&["adr", "list"]).ok().shows(&["No longer in force (1)", "supersedes 0001-soap"]);
    for name in ["README", "0001-soap", "0002-rest"] {
        let text = record(&folder, name);
        assert!(!links(&text).is_empty(), "{text}");
        for link in links(&text) {
            assert!(folder.path().join("docs/decisions").join(Path::new(&link)).is_file(), "{name}: {link}");
        }
    }
}

#[test]
fn superseding_marks_a_status_in_the_body_too() {
    let folder = two();
    folder.write(
        "docs/decisions/0003-soap2.md",
        "---\nstatus: accepted\n---\n# 3. S\n\n## Status\n\nAccepted\n\nText.\n",
    );
    folder.run(&["adr", "supersede", "0002-rest", "--by", "0003-soap2"]).ok();
    folder.run(&["adr", "supersede", "0003-soap2", "--by", "0001-soap"]).ok();
    let line = "- Superseded by [3\\. S](0003-soap2.md)\n\n";
    let rest = NEW.replace("accepted", "superseded by 0003-soap2").replace("Status", &format!("{line}Status"));
    assert_eq!(record(&folder, "0002-rest"), rest);
    let third = record(&folder, "0003-soap2");
    assert!(third.ends_with("\n\n## Status\n\nSuperseded by 0001-soap\n\nText.\n"), "{third}");
    assert!(third.starts_with("---\nstatus: superseded by 0001-soap\n---\n"), "{third}");
    let own = Folder::project();
    own.start(&["--quiet"]).ok();
    own.write("docs/decisions/0002-rest.md", NEW);
    let id = own.ids().remove(0);
    own.run(&["adr", "supersede", &id, "--by", "0002-rest"]).ok();
    assert!(record(&own, &id).contains("**Status: superseded by 0002-rest.** "), "{}", record(&own, &id));
}

#[test]
fn what_makes_no_sense_is_refused_and_nothing_is_written() {
    let folder = two();
    folder
        .write("docs/decisions/ARCH-001-x.md", "---\n# s2s:part meta 0\nstatus: accepted\n# s2s:end meta\n---\n# X\n");
    for (old, new, words) in [
        ("1", "0001-soap", "could be any of"),
        ("0001", "0001", "cannot supersede itself"),
        ("0001", "7", "no decision \"7\""),
        ("ARCH-001", "0001", "s2s design"),
    ] {
        folder.run(&["adr", "supersede", old, "--by", new]).is(2).says(&[words]);
    }
    assert_eq!((record(&folder, "0001-soap"), record(&folder, "0002-rest")), (OLD.to_owned(), NEW.to_owned()));
    assert!(!folder.path().join("docs/decisions/README.md").exists());
}

#[test]
fn the_index_is_written_on_request_and_an_edited_table_is_kept() {
    let folder = two();
    folder.run(&["adr", "list", "--write-index"]).ok().shows(&["Index brought up to date: docs/decisions/README.md"]);
    folder.run(&["adr", "list", "--write-index"]).ok().shows(&["The index is up to date"]);
    let mine = folder.read("docs/decisions/README.md").replace("| accepted |", "| mine |");
    folder.write("docs/decisions/README.md", format!("Hello.\n\n{mine}"));
    folder.run(&["adr", "list", "--write-index"]).ok().says(&["was edited and is kept"]);
    let now = folder.read("docs/decisions/README.md");
    assert!(now.starts_with("Hello.\n") && now.contains("| mine |"), "{now}");
}

#[test]
fn a_reopened_decision_is_superseded_by_an_accepted_one() {
    let folder = Folder::project();
    folder.start(&["--quiet"]).ok();
    let first = folder.ids().remove(0);
    let calm = ["--panel", "script:calm.yaml", "--strategy", "standard", "--quiet"];
    let run = folder.run(&[&["adr", "reopen", &first], &calm[..]].concat()).ok();
    let second = folder.ids().into_iter().find(|id| *id != first).unwrap();
    run.shows(&[&format!("{first} is superseded by {second} now"), "docs/decisions/README.md"]);
    let minutes = folder.minutes(&second);
    assert_eq!((&minutes["parent"], &minutes["topic"]), (&first.as_str().into(), &TOPIC.into()), "{minutes}");
    assert!(
        minutes["context"]["source"].as_str().unwrap().contains(&format!("docs/decisions/{first}.md")),
        "{minutes}"
    );
    assert!(record(&folder, &first).contains(&format!("\nstatus: superseded by {second}\n")));
    assert!(
        record(&folder, &second).contains(&format!("- Supersedes [{TOPIC}]({first}.md): decided anew in {second}\n"))
    );
    folder.run(&[&["adr", "reopen", &first], &calm[..]].concat()).is(2).says(&["is superseded by", &second]);
    folder.start(&[]).ok().shows(&["Decided before on this subject"]);
}

#[test]
fn a_reopened_decision_stays_while_the_new_one_is_not_accepted() {
    let folder = two();
    let unsure = ["--panel", "script:unsure.yaml", "--strategy", "standard", "--quiet"];
    let run = folder.run(&[&["adr", "reopen", "soap", "SOAP or not?"], &unsure[..]].concat()).is(3);
    let id = folder.ids().remove(0);
    run.says(&["0001-soap stays as it is", "marked once this session is complete", &id]);
    assert_eq!(record(&folder, "0001-soap"), OLD);
    let offline = folder.run(&["adr", "reopen", "rest", "--panel", "offline", "--yes", "--quiet"]).ok();
    let listed = folder.run(&["adr", "list", "--json"]).ok().json();
    let new = listed["decisions"].as_array().unwrap().iter().find(|row| !row["session"].is_null()).unwrap().clone();
    let marked = record(&folder, "0002-rest").contains("superseded by");
    assert_eq!(marked, new["status"] == "accepted", "{new}");
    assert_eq!(!marked, offline.err.contains("0002-rest stays as it is"), "{}", offline.err);
}

#[test]
fn bug_a_reopened_decision_was_not_superseded_when_the_session_ended_later() {
    for later in [&["answer", "--accept"][..], &["resume", "--on-escalation", "accept"]] {
        let folder = two();
        let panel = ["--panel", "script:unsure.yaml", "--quiet"];
        let begin = ["adr", "reopen", "soap", "SOAP or not?", "--strategy", "standard"];
        folder.run(&[&begin[..], &panel[..]].concat()).is(3);
        let id = folder.ids().remove(0);
        assert_eq!(folder.minutes(&id)["reopens"], "0001-soap");
        let run = folder.run(&[&["roundtable"][..], later, &panel[..]].concat()).ok();
        let listed = folder.run(&["adr", "list", "--json"]).ok().json();
        let rows = listed["decisions"].as_array().unwrap().clone();
        let new = rows.iter().find(|row| row["session"] == id.as_str()).unwrap();
        let accepted = new["status"] == "accepted";
        assert_eq!(record(&folder, "0001-soap").contains("superseded by"), accepted, "{run:?}");
        assert!(accepted || run.err.contains("0001-soap stays as it is: the new record"), "{run:?}");
        folder.run(&["session", "validate"]).ok();
    }
}

#[test]
fn bug_a_new_record_was_not_in_the_index() {
    let folder = two();
    folder.start(&["--quiet"]).ok();
    assert!(!folder.path().join("docs/decisions/README.md").exists(), "nobody asked for an index");
    folder.run(&["adr", "list", "--write-index"]).ok();
    folder.write("docs/decisions/README.md", format!("Mine.\n\n{}", record(&folder, "README")));
    let start = ["roundtable", "start", "Queues or not?", "--panel", "script:calm.yaml", "--strategy", "standard"];
    folder.run(&[&start[..], &["--quiet"]].concat()).ok().says(&["Index brought up to date"]);
    let index = record(&folder, "README");
    assert!(index.starts_with("Mine.\n") && index.contains("[Queues or not?]("), "{index}");
    let mine = "# Decisions\n\n- [SOAP](0001-soap.md)\n";
    folder.write("docs/decisions/README.md", mine);
    folder.start(&["--quiet"]).ok();
    assert_eq!(record(&folder, "README"), mine, "kept by hand");
}

#[test]
fn bug_a_generated_record_was_refused_only_after_the_session() {
    let folder = designed();
    hold(&folder, "4-design", Workflow::Design, "{kind: ARCH, title: One store, serves: [REQ-001]}");
    folder.run(&["docs"]).ok();
    let sessions = folder.ids().len();
    let run = folder.run(&["adr", "reopen", "ARCH-001", "--panel", "offline", "--yes"]).is(2);
    run.says(&[
        "ARCH-001 is generated from the project's register",
        "s2s design \"",
        "--context docs/decisions/ARCH-001-",
    ]);
    assert_eq!(folder.ids().len(), sessions, "nobody was asked");
}

#[test]
fn what_would_keep_a_record_from_being_marked_is_found_before_anybody_is_asked() {
    let folder = Folder::project();
    folder.write("docs/decisions/0001-odd.md", "---\nstatus: >\n  accepted\n---\n# Odd\n");
    let calm = ["--panel", "script:calm.yaml"];
    folder.run(&[&["adr", "reopen", "odd"], &calm[..]].concat()).is(2).says(&["0001-odd.md, line 2"]);
    folder.write("docs/decisions/0001-odd.md", format!("# Odd\n\nStatus: accepted\n\n{}", "x".repeat(300 * 1024)));
    folder
        .run(&[&["adr", "reopen", "odd", "Is this odd?"], &calm[..]].concat())
        .is(2)
        .says(&["0001-odd.md cannot be attached"]);
    folder
        .run(&[&["adr", "reopen", "odd", "--output-type", "summary"], &calm[..]].concat())
        .is(2)
        .says(&["ends in an ADR"]);
    assert_eq!(folder.ids(), [""; 0]);
}
