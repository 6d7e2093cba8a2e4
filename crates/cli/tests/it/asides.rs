//! `s2s ask`: a question to one seat after the end, kept beside the record and never in it.

use std::fs;

use super::harness::{CALM, Folder, TOPIC};
use super::mocked::{KEY, Mock};

const OFFLINE: [&str; 8] = [
    "roundtable",
    "start",
    "REST vs GraphQL for our public API",
    "--panel",
    "offline",
    "--strategy",
    "standard",
    "--yes",
];

/// The record of a session, byte for byte.
fn record(folder: &Folder, id: &str) -> (Vec<u8>, Vec<u8>) {
    let at = |name: String| fs::read(folder.path().join(".s2s/sessions").join(name)).unwrap();
    (at(format!("{id}.yaml")), at(format!("{id}/tape.jsonl")))
}

#[test]
fn an_offline_seat_answers_from_what_it_said_and_the_record_stays_as_it_was() {
    let folder = Folder::project();
    folder.run(&OFFLINE).ok();
    let id = folder.ids().remove(0);
    let seat = folder.minutes(&id)["participants"][0]["id"].as_str().unwrap().to_owned();
    let before = record(&folder, &id);
    folder.run(&["ask", &id]).ok().shows(&["nothing yet", "s2s ask"]);
    let said = folder.run(&["ask", &id, &seat, "Why", "REST", "and", "what", "of", "caching?"]).ok();
    said.shows(&[&seat, "offline", "REST", "I still hold:"]);
    folder.run(&["ask", &id, &seat, "Do zebras sleep standing up?"]).ok().shows(&["language model takes part"]);
    assert_eq!(record(&folder, &id), before, "byte for byte");
    for check in ["validate", "verify", "replay"] {
        folder.run(&["session", check, &id]).ok().shows(&["Everything holds."]);
    }
    folder.run(&["ask", &id]).ok().shows(&["Why REST and what of caching?", "Do zebras"]);
    let listed = folder.run(&["ask", &id, "--json"]).ok().json();
    let first = &listed["asides"][0];
    assert_eq!((&first["question"], &first["by"]), (&"Why REST and what of caching?".into(), &"person".into()));
    assert_eq!((&first["model"], &first["result"]), (&"offline".into(), &"answered".into()));
    assert_eq!(first["prompt_digest"].as_str().unwrap().len(), 64);
    folder.run(&["show", &id]).ok().shows(&["Asked afterwards", "Beside the record", "Do zebras"]);
    let page = folder.run(&["report", &id, "-o", "-"]).ok().out;
    assert!(page.contains("Asked afterwards") && page.contains("Do zebras"), "{page}");
    assert_eq!(folder.run(&["show", &id, "--json"]).ok().json()["asides"].as_array().unwrap().len(), 2);
    folder.run(&["session", "cost", &id]).ok().shows(&["asked afterwards"]);
    assert_eq!(folder.run(&["session", "cost", &id, "--json"]).ok().json()["afterwards"]["calls"], 2);
}

#[test]
fn a_seat_that_is_not_there_and_an_empty_question_are_told() {
    let folder = Folder::project();
    folder.start(&["--quiet"]).ok();
    let id = folder.ids().remove(0);
    let wrong = folder.run(&["ask", &id, "technical-led", "Why?"]).is(2);
    wrong.says(&["did you mean \"technical-lead\"?", "facilitator"]);
    folder.run(&["ask", &id, "technical-lead"]).is(2).says(&["no question", "in quotes"]);
    folder.run(&["ask", "nothing-like-it", "technical-lead", "Why?"]).is(2);
    assert!(!folder.path().join(format!(".s2s/sessions/{id}/asides.jsonl")).exists());
}

#[test]
fn a_script_answers_its_asides_and_an_answer_that_does_not_come_is_kept_too() {
    let folder = Folder::project();
    let aside = "  - {kind: aside, seat: technical-lead, reply: \"# Yes\\n\\nIf *costs* `double`.\"}\n";
    folder.write("calm.yaml", format!("{CALM}{aside}"));
    folder.start(&["--quiet"]).ok();
    let id = folder.ids().remove(0);
    folder.run(&["ask", &id, "technical-lead", "Really?"]).is(2).says(&["--panel script:FILE"]);
    let panel = ["--panel", "script:calm.yaml"];
    let said = folder.run(&[&["ask", &id, "technical-lead", "Really?"], &panel[..]].concat()).ok();
    let said = said.shows(&["Yes\n", "If costs `double`."]);
    assert!(!said.out.contains("# Yes"), "{}", said.out);
    let none = folder.run(&[&["ask", &id, "product-manager", "And you?"], &panel[..]].concat()).is(4);
    none.says(&["product-manager gave no answer", "kind `aside`"]);
    let listed = folder.run(&["ask", &id, "--json"]).ok().json();
    assert_eq!(listed["asides"][1]["result"], "failed");
    let none = folder.run(&[&["ask", &id, "technical-lead", "Again?", "--max-calls", "1"], &panel[..]].concat()).is(5);
    none.says(&["nobody was asked", "--max-calls"]);
    let path = folder.path().join(format!(".s2s/sessions/{id}/asides.jsonl"));
    fs::write(&path, fs::read_to_string(&path).unwrap().replace("Really?", "Reallx?")).unwrap();
    folder.run(&["session", "validate", &id]).is(1).shows(&["asides.jsonl", "checksum"]);
    folder.run(&["show", &id]).ok().says(&["what was asked afterwards cannot be shown"]);
}

#[test]
fn a_model_is_asked_within_its_budget_and_without_secrets() {
    let folder = Folder::project();
    let mock = Mock::start(&folder, "rules: []\n");
    let run = super::harness::finish(mock.session(&folder, &[]).spawn().unwrap()).ok();
    let id = folder.ids().remove(0);
    let seat = folder.minutes(&id)["participants"][0]["id"].as_str().unwrap().to_owned();
    let before = record(&folder, &id);
    let ask = |more: &[&str]| {
        let args = [&["ask", &id, &seat], more].concat();
        let mut command = mock.session(&folder, &[]);
        let variables: Vec<_> =
            command.get_envs().map(|(name, value)| (name.to_owned(), value.map(ToOwned::to_owned))).collect();
        command = folder.command(&args);
        for (name, value) in variables {
            if let Some(value) = value {
                command.env(name, value);
            }
        }
        super::harness::finish(command.spawn().unwrap())
    };
    ask(&["Why is that?"]).ok().shows(&["OK", "openai:"]);
    ask(&["What of ghp_abcdefghijklmnopqrstuvwxyz0123456789AB?"]).is(2).says(&["nothing was sent"]);
    ask(&["Why?", "--max-cost", "0.0001"]).is(5).says(&["--max-cost"]);
    let asides = folder.run(&["ask", &id, "--json"]).ok().json();
    assert_eq!(asides["asides"].as_array().unwrap().len(), 1, "what is not sent is not kept");
    assert!(asides["asides"][0]["usage"]["input_tokens"].as_u64().unwrap() > 100);
    assert!(!asides.to_string().contains(KEY), "{}", run.out);
    assert_eq!(record(&folder, &id), before);
    folder.run(&["session", "verify", &id]).ok();
}

#[test]
fn nobody_is_asked_while_the_session_is_driven_and_a_paused_one_can_be() {
    let folder = Folder::project();
    let late = "  - {round: 2, kind: response, seat: technical-lead, delay_ms: 600000, reply: {position: \"late\", confidence: 0.7}}\n";
    folder.write("stuck.yaml", format!("{CALM}{late}  - {{kind: aside, reply: \"Not yet.\"}}\n"));
    let panel = "script:stuck.yaml";
    let mut run = folder.watch(&["roundtable", "start", TOPIC, "--panel", panel, "--strategy", "standard", "--json"]);
    run.until("call_ended", "r2.response.product-manager");
    let id = folder.ids().remove(0);
    let ask = ["ask", &id, "technical-lead", "Sure?", "--panel", panel];
    folder.run(&ask).is(2).says(&["under way", "s2s watch"]);
    run.signal("INT");
    run.finish().is(130);
    folder.run(&ask).ok().shows(&["Not yet."]);
    folder.run(&["roundtable", "resume", "--panel", "script:calm.yaml", "--quiet"]).ok();
    folder.run(&["session", "replay", &id]).ok();
}
