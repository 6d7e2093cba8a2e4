//! `s2s report`: which session, which file, what is never overwritten, and what scripts are told.

use super::harness::Folder;

/// A discussion with a bit of everything: Markdown, a block, someone aside, conflicts, a shaky seat.
pub const VARIED: &str = r#"
replies:
  - {kind: question, reply: {action: question, question: "Which **way** do we go, and what would make us turn back?", participants: all, focus: "Ways and costs"}}
  - {kind: response, seat: software-architect, reply: {position: "Use **REST** over HTTP.\n\n1. It is known\n2. It is cached\n\n```http\nGET /users/{id}\n```\n\n| style | cost |\n|---|---|\n| REST | low |\n| GraphQL | high |\n\nSee [the RFC](https://www.rfc-editor.org/rfc/rfc9110).", rationale: ["Every caller has used it before", "Caches come for *free*"], confidence: 0.82, concerns: ["Over-fetching on phones"], votes: {C1.1: support, C1.2: support}}}
  - {round: 2, kind: response, seat: technical-lead, reply: {position: "Still GraphQL, though I see the point about caches.", rationale: ["Screens differ"], confidence: 0.41, votes: {C1.1: {choice: block, reason: "It needs an endpoint for every screen"}, C1.2: support}}}
  - {kind: response, seat: technical-lead, reply: {position: "GraphQL serves our three clients better.", rationale: ["Screens differ"], confidence: 0.55, concerns: ["What a query costs is unknown"]}}
  - {kind: response, seat: qa-lead, reply: {position: "Whatever can be tested by contract is fine by me.", rationale: ["Contract tests are cheap"], confidence: 0.7, votes: {C1.1: stand_aside, C1.2: support}}}
  - {round: 1, kind: synthesis, reply: {action: synthesis, synthesis: "Two lean to **REST**, one to GraphQL. Both want a contract in the repository.", consensus: ["Use REST over HTTP", "Keep a machine-readable contract in the repository"], conflicts: [{id: style, description: "REST or GraphQL for the three clients", positions: {software-architect: "REST: known and cached", technical-lead: "GraphQL: screens differ"}}], next_action: continue, next_focus: Costs}}
  - {round: 2, kind: synthesis, reply: {action: synthesis, synthesis: "The technical lead is less sure and does not yield.", conflicts: [{id: cost, description: "Who pays for the gateway's rules", positions: {qa-lead: "The platform team"}}], next_action: continue, recommendation: "Use REST, and add one purpose-made endpoint per screen where measurements ask for it."}}
  - {kind: synthesis, reply: {action: synthesis, synthesis: "They come together on REST with exceptions.", resolved: [{conflict_id: cost, resolution: "The platform team pays", resolution_type: consensus}], consensus: ["Measure calls per screen before adding an endpoint"], next_action: conclude, recommendation: "Use **REST**, and add one purpose-made endpoint per screen where measurements ask for it.", output_type: adr}}
"#;

#[test]
fn the_report_lies_beside_the_documents_and_is_renewed_there() {
    let folder = Folder::project();
    folder.start(&[]).ok();
    let id = folder.ids().remove(0);
    let name = format!("docs/decisions/{id}.html");
    folder.run(&["report"]).ok().shows(&[&name]);
    let page = folder.read(&name);
    assert!(page.starts_with("<!DOCTYPE html>\n") && page.contains("An API for partners"), "{page}");
    // The same record gives the same page, over the old one and without a question.
    folder.run(&["report", &id]).ok();
    assert_eq!(folder.read(&name), page);
    let told = folder.run(&["report", "--json"]).ok().json();
    assert_eq!(told["session"], id.as_str());
    assert_eq!(told["partial"], false);
    assert_eq!(told["bytes"], page.len());
    assert_eq!(std::fs::read_to_string(told["file"].as_str().unwrap()).unwrap(), page);
    folder.run(&["session", "verify"]).ok();
}

#[test]
fn it_goes_where_it_is_told_to() {
    let folder = Folder::project();
    folder.start(&[]).ok();
    let id = folder.ids().remove(0);
    let page = folder.run(&["report", "-o", "-"]).ok().out;
    assert!(page.starts_with("<!DOCTYPE html>"), "{page}");
    folder.run(&["report", &id[..8], "-o", "out.html"]).ok().shows(&["out.html"]);
    assert_eq!(folder.read("out.html"), page);
    folder.write("pages/kept", "");
    folder.run(&["report", "-o", "pages"]).ok();
    assert_eq!(folder.read(&format!("pages/{id}.html")), page);
    folder.run(&["report", "-o", "-", "--json"]).is(2).says(&["--json prints where it is"]);
    folder.run(&["report", "-o", "none/such/out.html"]).is(1).says(&["cannot write", "make its folder first"]);
}

#[test]
fn nothing_but_a_report_is_overwritten() {
    let folder = Folder::project();
    folder.start(&[]).ok();
    folder.write("mine.html", "<!DOCTYPE html>\n<html lang=\"en\"><p>My own page</p>");
    let refused = folder.run(&["report", "-o", "mine.html"]).is(2);
    refused.says(&["mine.html is there and is not a report of s2s", "--force"]);
    assert!(folder.read("mine.html").contains("My own page"));
    folder.run(&["report", "-o", "mine.html", "--force"]).ok();
    assert!(folder.read("mine.html").contains("s2s session verify"));
    // A report of another session is a report of ours.
    folder.start(&["--new"]).ok();
    folder.run(&["report", "-o", "mine.html"]).ok();
}

#[cfg(unix)]
#[test]
fn a_link_is_not_followed_even_by_force() {
    let folder = Folder::project();
    folder.start(&[]).ok();
    folder.write("target.txt", "kept");
    std::os::unix::fs::symlink("target.txt", folder.path().join("link.html")).unwrap();
    folder.run(&["report", "-o", "link.html", "--force"]).is(2).says(&["not a plain file", "-o -"]);
    assert_eq!(folder.read("target.txt"), "kept");
}

#[test]
fn a_session_that_waits_has_a_partial_report() {
    let folder = Folder::project();
    let start = ["roundtable", "start", "Which way?", "--panel", "script:unsure.yaml", "--strategy", "standard"];
    folder.run(&start).is(3);
    let run = folder.run(&["report"]).ok().shows(&["The session has no outcome yet; the report says so."]);
    let name = run.out.lines().next().unwrap();
    assert!(!name.contains('/'), "in this folder, as there are no documents: {name}");
    let page = folder.read(name);
    for part in ["no outcome yet: it waits for a person to decide X1", "Pending: a person must decide.", "Paused"] {
        assert!(page.contains(part), "{part}");
    }
    assert_eq!(folder.run(&["report", "--json"]).ok().json()["partial"], true);
}

#[test]
fn without_a_session_or_with_an_unknown_one_it_says_what_to_do() {
    let folder = Folder::project();
    folder.run(&["report"]).is(2).says(&["there is no session yet", "s2s roundtable start"]);
    folder.start(&[]).ok();
    folder.run(&["report", "19990101"]).is(2);
    Folder::bare().run(&["report"]).is(2).says(&["Not an s2s project"]);
}

#[test]
fn a_tape_that_cannot_be_read_takes_the_answers_and_not_the_report() {
    let folder = Folder::project();
    folder.start(&[]).ok();
    let id = folder.ids().remove(0);
    folder.write(&format!(".s2s/sessions/{id}/tape.jsonl"), "not a tape\nat all\n");
    folder.run(&["report", "-o", "out.html"]).ok().says(&["cannot be shown"]);
    let page = folder.read("out.html");
    assert!(page.contains("class=\"notice\"") && page.contains("REST it is."), "{page}");
}
