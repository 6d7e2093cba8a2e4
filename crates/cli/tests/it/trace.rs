//! `s2s trace`, `s2s session validate` and `roundtable show --chain`, from outside: on a project without artifacts,
//! on one with them, and on files that somebody spoiled.

use std::fs;

use s2s::engine::opening::Workflow;
use s2s::store::Sessions;

use super::harness::Folder;
use super::made::{artifact, complete, keep, opening, register, two_rounds};

const IDEAS: &str = "20260102-030405-ideas";
const SPECS: &str = "20260103-030405-specs";

/// A project with a brainstorm and the specs that went on from it.
fn with_artifacts() -> Folder {
    let folder = Folder::project();
    let sessions = Sessions::new(folder.path().join(".s2s"));
    let ideas = vec![artifact("IDEA-001", &[])];
    let first = opening(IDEAS, Workflow::Brainstorm, Some(register(Workflow::Brainstorm, vec![])), None);
    keep(&sessions, complete(&first, 0, two_rounds(ideas.clone())), true);
    let second = opening(SPECS, Workflow::Specs, Some(register(Workflow::Specs, ideas)), Some(IDEAS));
    let reqs = vec![artifact("REQ-001", &["IDEA-001"]), artifact("REQ-002", &[])];
    keep(&sessions, complete(&second, 100, two_rounds(reqs)), true);
    folder
}

#[test]
fn a_project_without_artifacts_says_where_they_come_from() {
    let folder = Folder::project();
    folder.run(&["trace"]).ok().shows(&["No session of this project has made an artifact", "s2s specs"]);
    assert_eq!(folder.run(&["trace", "--json"]).ok().json()["artifacts"], serde_json::json!([]));
    folder.run(&["session", "validate"]).ok().shows(&["0 sessions", "Everything holds."]);
    Folder::bare().run(&["trace"]).is(2).says(&["Not an s2s project"]);
}

#[test]
fn an_artifact_is_traced_for_people_and_for_programs() {
    let folder = with_artifacts();
    let shown = ["Title of REQ-001", "round 1", SPECS, "carried: 3 support", "IDEA-001", "brainstorm"];
    folder.run(&["trace", "req-1"]).ok().shows(&shown);
    let traced = folder.run(&["trace", "IDEA-001", "--json"]).ok().json();
    assert_eq!(traced["artifact"]["served_by"][0]["id"], "REQ-001");
    assert_eq!(traced["artifact"]["history"][0]["session"], IDEAS);
    assert_eq!(traced["chain"]["sessions"][1]["id"], SPECS);
    folder.run(&["trace"]).ok().shows(&[
        "Functional requirements (2)",
        "serves 1",
        "No ARCH, COMP or INT serves: REQ-001",
    ]);
    let index = folder.run(&["trace", "--json"]).ok().json();
    assert_eq!(index["artifacts"].as_array().unwrap().len(), 3);
    assert_eq!(index["sessions"][0]["children"][0], SPECS);
}

#[test]
fn ids_that_are_not_there_or_are_none_are_refused() {
    let folder = with_artifacts();
    folder.run(&["trace", "REQ-099"]).is(2).says(&["no artifact REQ-099", "the last of its kind is REQ-002"]);
    folder.run(&["trace", "seven"]).is(2).says(&["not an id", "such as REQ-007"]);
    let error: serde_json::Value = serde_json::from_str(&folder.run(&["trace", "REQ-", "--json"]).is(2).err).unwrap();
    assert_eq!(error["error"]["kind"], "bad_input");
}

#[test]
fn a_chain_is_shown_from_either_end() {
    let folder = with_artifacts();
    for id in [IDEAS, SPECS] {
        folder.run(&["roundtable", "show", id, "--chain"]).ok().shows(&[IDEAS, SPECS, "1 IDEA", "2 REQ"]);
        let chain = folder.run(&["roundtable", "show", id, "--chain", "--json"]).ok().json();
        let sessions = chain["chain"]["sessions"].as_array().unwrap();
        let here = sessions.iter().find(|session| session["asked_for"] == true).unwrap();
        assert_eq!((sessions.len(), here["id"].as_str()), (2, Some(id)));
    }
}

#[test]
fn a_session_that_cannot_be_read_is_named_and_the_rest_is_traced_and_checked() {
    let folder = with_artifacts();
    let file = folder.path().join(format!(".s2s/sessions/{IDEAS}.yaml"));
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replacen("They agree", "They agreed", 1)).unwrap();
    folder.run(&["trace", "REQ-001"]).ok().shows(&["not in this project"]).says(&[IDEAS, "digest"]);
    folder.run(&["trace"]).ok().shows(&["cannot be read", IDEAS]);
    let all = folder.run(&["session", "validate"]).is(1);
    let all = all.shows(&["Errors (1)", "as it was committed", "Warnings (", "next: "]).says(&[IDEAS, "digest"]);
    assert!(all.out.contains(&format!("{IDEAS}.yaml:")), "{}", all.out);
    folder.run(&["session", "validate", SPECS]).ok().shows(&["Everything holds. The warnings", IDEAS]);
    let report = folder.run(&["session", "validate", "--json"]).is(1).json();
    let finding = &report["report"]["findings"][0];
    assert_eq!((&report["sound"], &finding["severity"]), (&false.into(), &"error".into()));
    assert!(finding["line"].is_number() && finding["next"].as_str().unwrap().contains("backup"), "{finding}");
}

#[test]
fn validate_finds_a_broken_id_in_a_requirements_file() {
    let folder = with_artifacts();
    let sessions = Sessions::new(folder.path().join(".s2s"));
    let known = vec![artifact("REQ-001", &[]), artifact("REQ-002", &[])];
    let third = opening("20260104-030405-more", Workflow::Specs, Some(register(Workflow::Specs, known)), Some(SPECS));
    let mut minutes = complete(&third, 200, two_rounds(vec![artifact("REQ-003", &[])]));
    let mut outcome = minutes.outcome().unwrap().clone();
    outcome.files = vec!["docs/requirements.md".into()];
    minutes.set_outcome(outcome).unwrap();
    keep(&sessions, minutes, true);
    folder.run(&["session", "validate"]).ok().shows(&["docs/requirements.md is not there"]);
    folder.write("docs/requirements.md", "# Requirements\n\n## REQ-001 One\n\n## REQ-030 Typed by hand\n");
    folder.run(&["session", "validate"]).is(1).shows(&["docs/requirements.md:5", "REQ-030 is not in the project"]);
}
