//! `s2s playbook list|show|check|new`: from the first file to a session that answers from it.

use super::harness::Folder;
use super::terminal::Person;

const NEW: [&str; 15] = [
    "playbook",
    "new",
    "caching",
    "--subject",
    "caching strategy",
    "--option",
    "a cache inside the process",
    "--option",
    "a \"shared\" cache: of its own",
    "--criterion",
    "performance",
    "--criterion",
    "simplicity",
    "--criterion",
    "cost",
];

/// The starting file with every sentence written, each its own.
fn written(text: &str) -> String {
    let mut number = 0;
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("To write: ") {
        number += 1;
        out.push_str(&rest[..at]);
        out.push_str(&format!("Sentence {number} of what is known, about "));
        rest = &rest[at + "To write: ".len()..];
    }
    out + rest
}

#[test]
fn a_starting_file_can_be_read_and_is_not_used_before_it_is_written() {
    let folder = Folder::project();
    folder.run(&NEW).ok().shows(&["made  .s2s/playbooks/caching.yaml", "s2s playbook check caching"]);
    let text = folder.read(".s2s/playbooks/caching.yaml");
    folder.run(&NEW).is(2).says(&["is there already", "s2s playbook show caching"]);
    assert_eq!(folder.read(".s2s/playbooks/caching.yaml"), text, "nothing is overwritten");
    folder.run(&["catalog", "check"]).ok();
    folder.run(&["playbook", "check"]).ok().shows(&["1 playbook checked", "still to be written", "No errors."]);
    folder.run(&["playbook", "list"]).ok().shows(&["caching", "not used"]);
    let topic = ["roundtable", "start", "Which caching strategy", "--panel", "offline", "--yes"];
    let run = folder.run(&topic);
    assert!(!run.all().contains("To write:"), "{}", run.all());
    run.shows(&["The playbook `caching` is not used"]);
}

#[test]
fn a_written_playbook_is_checked_shown_and_answers() {
    let folder = Folder::project();
    folder.run(&NEW).ok();
    let start = folder.read(".s2s/playbooks/caching.yaml");
    let text = written(&start.replacen("performance: {score: 3", "performance: {score: 5", 1));
    let text = text.replacen("simplicity: {score: 3", "simplicity: {score: 2", 1);
    folder.write(".s2s/playbooks/caching.yaml", &text);
    let checked = folder.run(&["playbook", "check", "caching"]).ok();
    let checked = checked.shows(&["advice: .s2s/playbooks/caching.yaml", "same score on `cost`", "only one alias"]);
    assert!(checked.out.contains('^'), "the line is shown with carets: {}", checked.out);
    let same = folder.run(&["playbook", "check", ".s2s/playbooks/caching.yaml", "--json"]).ok().json();
    let kinds: Vec<&str> =
        same["playbooks"][0]["advice"].as_array().unwrap().iter().map(|one| one["kind"].as_str().unwrap()).collect();
    assert!(kinds.contains(&"alike") && kinds.contains(&"aliases"), "{kinds:?}");
    folder.run(&["playbook", "show", "caching"]).ok().shows(&["Playbook: caching strategy", "A  A cache inside"]);
    let topic = ["roundtable", "start", "Which caching strategy", "--panel", "offline", "--yes"];
    folder.run(&topic);
    folder.run(&["show", "--matrix"]).ok().shows(&["playbook caching", "leads"]);
}

#[test]
fn what_is_wrong_is_told_with_its_line_and_carets() {
    let folder = Folder::project();
    folder.run(&NEW).ok();
    let text = folder.read(".s2s/playbooks/caching.yaml").replacen("score: 3", "score: 9", 1);
    folder.write("draft.yaml", &text);
    folder.write(".s2s/playbooks/caching.yaml", &text);
    for name in ["caching", "draft.yaml"] {
        let run = folder.run(&["playbook", "check", name]).is(2);
        let run = run.says(&["expected a whole number from 1 to 5, found the number 9", "score: 9"]);
        assert!(run.err.contains('^'), "{}", run.err);
    }
    assert_eq!(folder.run(&["playbook", "list", "--json"]).ok().json()["problems"].as_array().unwrap().len(), 1);
    folder.run(&["playbook", "show", "chacing"]).is(2).says(&["did you mean", "s2s playbook list"]);
    folder.run(&["playbook", "check", "no/such.yaml"]).is(2).says(&["no/such.yaml"]);
}

#[test]
fn bug_advice_is_held_back_while_there_are_errors_and_that_is_said() {
    let folder = Folder::project();
    folder.run(&NEW).ok();
    let text = folder.read(".s2s/playbooks/caching.yaml").replacen("score: 3", "score: 9", 1);
    folder.write(".s2s/playbooks/caching.yaml", &text);
    folder.run(&["playbook", "check", "caching"]).is(2).says(&["advice is given once there are no errors"]);
}

#[test]
fn bug_the_projects_own_playbooks_come_first() {
    let folder = Folder::project();
    folder.run(&NEW).ok();
    let list = folder.run(&["playbook", "list"]).ok();
    let place = |text: &str| list.out.find(text).unwrap_or_else(|| panic!("{text} in {}", list.out));
    assert!(place("The project's own") < place("Built-in"), "{}", list.out);
    let rows = folder.run(&["playbook", "list", "--json"]).ok().json();
    assert_eq!(rows["playbooks"][0]["name"], "caching", "{rows}");
}

#[test]
fn built_in_playbooks_are_listed_and_read() {
    let folder = Folder::bare();
    folder.run(&["playbook", "list"]).ok().shows(&["Built-in", "api-style", "as of"]);
    let rows = folder.run(&["playbook", "list", "--json"]).ok().json();
    assert!(rows["playbooks"].as_array().unwrap().iter().all(|row| row["origin"] == "built-in"), "{rows}");
    folder.run(&["playbook", "show", "api-style"]).ok().shows(&["Right when", "Risks", "When this changes"]);
    let one = folder.run(&["playbook", "show", "api-style", "--json"]).ok().json();
    assert!(one["options"][0]["cells"].as_object().is_some_and(|cells| !cells.is_empty()), "{one}");
    folder.run(&["playbook", "check", "api-style"]).ok().shows(&["No errors."]);
    folder.run(&["playbook", "new", "x"]).is(2);
}

#[test]
fn a_name_or_a_part_that_cannot_be_one_is_refused() {
    let folder = Folder::project();
    folder.run(&["playbook", "new", "My Caching"]).is(2).says(&["cannot be the name", "s2s playbook new my-caching"]);
    folder.run(&["playbook", "new", "caching"]).is(2).says(&["--subject"]);
    let one = ["playbook", "new", "caching", "--subject", "x", "--option", "a", "--criterion", "cost"];
    folder.run(&one).is(2).says(&["2 to 6"]);
    let odd = [&one[..], &["--option", "b", "--criterion", "speed"]].concat();
    folder.run(&odd).is(2).says(&["\"speed\" is no criterion", "performance"]);
    assert!(!folder.path().join(".s2s/playbooks/caching.yaml").exists());
}

#[test]
fn at_a_terminal_it_asks_for_what_is_missing() {
    let folder = Folder::project();
    let Some(mut person) = Person::at(&folder, &["playbook", "new", "caching"]) else { return };
    person
        .answers("What is decided", "\r")
        .answers("Option 1", "a cache inside the process\r")
        .answers("Option 2", "a shared cache\r")
        .answers("Option 3", "\r")
        .answers("compared by", "\r");
    let (code, screen) = person.leaves();
    assert_eq!(code, 0, "{screen}");
    let text = folder.read(".s2s/playbooks/caching.yaml");
    assert!(text.contains("id: cache-inside-the-process") && text.contains("id: operability"), "{text}");
}
