//! The decision matrix of an offline session: in the ADR, on screen at every width, as JSON and in the report, the same
//! everywhere, also after the playbook has changed.

use std::fs;

use super::harness::Folder;
use super::markdown::well_formed;

const START: [&str; 7] =
    ["roundtable", "start", "REST vs GraphQL vs SOAP for our API", "--panel", "offline", "--output-type", "adr"];

fn held() -> (Folder, String) {
    let folder = Folder::project();
    folder.write(".s2s/CONTEXT.md", "# Shop\n\nUsers: web and mobile apps with dashboards. Two developers.\n");
    folder.run(&[&START[..], &["--yes"]].concat()).ok();
    let id = folder.ids().remove(0);
    (folder, id)
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_matrix_is_the_same_in_the_adr_on_screen_as_json_and_in_the_report() {
    let (folder, id) = held();
    let json = folder.run(&["show", &id, "--matrix", "--json"]).ok().json();
    let matrix = &json["matrices"][0];
    assert_eq!((&matrix["playbook"], &matrix["not_weighed"][0]), (&"api-style".into(), &"SOAP".into()));
    assert!(!matrix["shifts"].as_array().unwrap().is_empty(), "{matrix}");
    let file = folder.only()["outcome"]["file"].as_str().unwrap().to_owned();
    well_formed(&folder.path().join(&file));
    let adr = folder.read(&file);
    let screen = folder.run(&["show", &id, "--matrix"]).ok().out;
    let whole = folder.run(&["show", &id, "--no-pager"]).ok().out;
    folder.run(&["report", &id, "-o", "report.html"]).ok();
    let page = folder.read("report.html");
    for sentence in ["leads", "would lead", "not weighed", "because the project says"] {
        for text in [&adr, &flat(&screen), &flat(&whole), &page] {
            assert!(flat(text).contains(sentence), "{sentence} in {text}");
        }
    }
    assert!(
        adr.contains("## Decision Matrix") && page.contains("Decision matrix") && whole.contains("Decision matrix")
    );
    assert_eq!(folder.run(&["show", &id, "--json"]).ok().json()["matrices"], json["matrices"]);
    for check in ["validate", "verify", "replay"] {
        folder.run(&["session", check, &id]).ok().shows(&["Everything holds"]);
    }
}

#[test]
fn a_playbook_that_changes_later_changes_no_matrix() {
    let (folder, id) = held();
    let before = folder.run(&["show", &id, "--matrix", "--json"]).ok().json();
    let text = folder.run(&["catalog", "show", "playbook", "api-style"]).ok().out.replace("score: 4", "score: 1");
    folder.write(".s2s/playbooks/api-style.yaml", &text);
    assert_eq!(folder.run(&["show", &id, "--matrix", "--json"]).ok().json(), before);
}

#[test]
fn a_changed_matrix_is_found_and_takes_nothing_from_the_discussion() {
    let (folder, id) = held();
    let path = folder.path().join(".s2s/sessions").join(&id).join("matrices.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"rounds\":", "\"rounds\": ")).unwrap();
    let shown = folder.run(&["show", &id, "--no-pager"]).ok().shows(&["Outcome"]);
    shown.says(&["the decision matrix cannot be shown"]);
    folder.run(&["show", &id, "--matrix"]).is(1).says(&["changed"]);
}

#[test]
fn without_a_playbook_or_an_end_it_is_said_why_there_is_no_matrix() {
    let folder = Folder::project();
    folder.run(&["roundtable", "start", "How should we name our branches", "--panel", "offline", "--yes"]);
    folder.run(&["show", "--matrix"]).ok().shows(&["none"]);
    folder.run(&["show", "--matrix", "--seat", "qa-lead"]).is(2);
    assert_eq!(folder.run(&["show", "--matrix", "--json"]).ok().json()["matrices"].as_array().unwrap().len(), 0);
}
