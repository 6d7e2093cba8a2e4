//! `s2s report`: which session, which file, what is never overwritten, and what scripts are told.

use super::harness::Folder;

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
