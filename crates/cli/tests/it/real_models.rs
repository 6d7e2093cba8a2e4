//! Whole sessions with models behind real sockets: who is asked, what is said about it, what is never sent.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::time::Duration;

use s2s_mock::{Act, Plan};

use super::harness::{Watched, finish};
use super::mock::{KEY, Lab, START};

/// How often each prompt arrived, by the whole body.
fn counted(lab: &Lab) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for seen in lab.mock.calls() {
        *counts.entry(seen.body.to_string()).or_default() += 1;
    }
    counts
}

#[test]
fn two_families_hold_a_session_that_verifies_and_replays() {
    let lab = Lab::new(Plan::calm());
    let run = lab.start(&["--seat", "technical-lead=openai:gpt-6.1-sol"]).ok();
    run.shows(&["3 seats, 2 model families (claude, gpt).", "Roundtable Complete!"]);
    let minutes = lab.folder.only();
    assert_eq!(minutes["status"], "completed");
    assert!(lab.mock.asked().iter().any(|model| model == "gpt-6.1-sol"));
    lab.run(&["session", "verify"]).ok().shows(&["Everything holds."]);
    lab.run(&["session", "replay"]).ok().shows(&["the same minutes, byte for byte"]);
    assert!(counted(&lab).values().all(|count| *count == 1), "no prompt is sent twice");
}

#[test]
fn the_flags_say_who_uses_what() {
    let lab = Lab::new(Plan::calm());
    let flags = ["--model", "openai:gpt-6.1-terra", "--facilitator-model", "anthropic:claude-haiku-5-5"];
    lab.start(&[&flags[..], &["--seat", "technical-lead=anthropic:claude-opus-5-5"]].concat()).ok();
    let minutes = lab.folder.only();
    let models: Vec<&str> =
        minutes["participants"].as_array().unwrap().iter().map(|seat| seat["model"].as_str().unwrap()).collect();
    assert_eq!(models, ["openai:gpt-6.1-terra", "openai:gpt-6.1-terra", "anthropic:claude-opus-5-5"]);
    assert_eq!(lab.mock.asked()[0], "claude-haiku-5-5");
    let lab = Lab::new(Plan::calm());
    lab.start(&["--seat", "technical-leed=openai:gpt-6.1-sol"]).is(2).says(&["did you mean `technical-lead`?"]);
    lab.start(&["--model", "opneai:gpt-6.1-sol"]).is(2).says(&["did you mean `openai`?"]);
    assert!(lab.mock.calls().is_empty());
}

#[test]
fn one_family_is_said_on_screen_and_in_the_document_and_so_is_the_key() {
    let lab = Lab::new(Plan::calm());
    let note = "3 seats, 1 model family (claude): they share its blind spots.";
    lab.start(&[]).ok().shows(&[note, "ANTHROPIC_API_KEY holds a key"]);
    let file = lab.folder.only()["outcome"]["file"].as_str().unwrap().to_owned();
    assert!(lab.folder.read(&file).contains(note));
}

#[test]
fn a_projects_address_gets_no_key_before_it_is_confirmed() {
    let lab = Lab::keyless(Plan::calm()).with("ANTHROPIC_API_KEY", KEY);
    let settings = format!("providers: {{anthropic: {{base_url: \"{}\"}}}}\n", lab.mock.url());
    let lab = lab.settings(&settings);
    let run = lab.start(&[]).is(2).says(&["not confirmed", "ANTHROPIC_API_KEY", "s2s models trust anthropic"]);
    assert!(!run.err.contains(KEY));
    assert!(lab.mock.calls().is_empty());
    assert!(lab.folder.ids().is_empty());
    lab.run(&["models", "trust", "anthropic"]).ok();
    lab.start(&[]).ok();
}

/// A program of the project's that says it was run, and gives no answer worth anything.
fn program(lab: &Lab, text: &str) -> String {
    let path = lab.folder.path().join("ask");
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

#[test]
fn a_projects_program_is_not_run_before_it_is_confirmed() {
    let lab = Lab::keyless(Plan::calm());
    let ran = lab.folder.path().join("ran");
    let path = program(&lab, &format!("#!/bin/sh\ncat >/dev/null\necho yes >'{}'\necho nothing\n", ran.display()));
    let settings =
        format!("models: {{default: \"mine:x\"}}\nproviders: {{mine: {{api: command, command: [\"{path}\"]}}}}\n");
    let lab = lab.settings(&settings);
    lab.start(&[]).is(2).says(&["not confirmed", "run `", "s2s models trust mine"]);
    assert!(!ran.exists());
    lab.run(&["models", "trust", "mine"]).ok().shows(&["with every prompt"]);
    // What it says is no reply, so nobody answered; but it was run.
    lab.start(&[]).is(4);
    assert!(ran.exists());
}

#[test]
fn a_secret_in_the_context_stops_with_its_place() {
    let lab = Lab::new(Plan::calm());
    // Put together here, so that no tool takes this file for a leak.
    let secret = format!("{}{}", "ghp_", "q7Zk2Lw9Xb4Tn8Rv3Yc6Md1Hf5Jg0PsQ7aKe");
    lab.folder.write(".s2s/CONTEXT.md", format!("# Shop\n\nThe token is {secret} for now.\n"));
    let run = lab.start(&[]).is(2).says(&["nothing was sent", ":3:", "GitHub key", "--allow-secrets"]);
    assert!(!run.err.contains(&secret) && !run.out.contains(&secret));
    assert!(lab.mock.calls().is_empty());
    assert!(lab.folder.ids().is_empty());
    // A dry run says it too, and sends nothing anyway.
    lab.start(&["--dry-run"]).ok().says(&["would stop", "CONTEXT.md:3:", "GitHub key"]).shows(&["at most"]);
    lab.start(&["--allow-secrets"]).ok();
}

#[test]
fn a_secret_typed_as_a_decision_is_not_sent() {
    // The second seat is unsure, so a person is asked.
    let unsure = r#"{"position": "Hard to say", "rationale": ["thin context"], "confidence": 0.2, "concerns": []}"#;
    let lab = Lab::new(Plan::calm().on_call(2, Act::Say(unsure.to_owned())));
    let args = ["roundtable", "start", super::mock::TOPIC, "--strategy", "standard"];
    let Some(mut person) = lab.person(&args) else { return };
    person.answers("How would you like to proceed?", "own decision\r");
    person.answers("Your decision:", "The password: winter2026\r");
    // The refusal stands beside what was typed, which is then taken back.
    person.answers("this looks like a password", &format!("{}REST\r", "\u{7f}".repeat(24)));
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    assert_eq!(lab.folder.only()["escalations"][0]["ruling"]["text"], "REST");
    assert!(lab.mock.calls().iter().all(|seen| !seen.body.to_string().contains("winter2026")));
}

#[test]
fn the_key_is_nowhere_but_in_the_call() {
    let plan = Plan::calm().on_call(2, Act::Status(401)).on_call(4, Act::Status(500)).on_call(7, Act::ErrorInStream);
    let lab = Lab::new(plan);
    let mut said = Vec::new();
    let more = [&START[..], &["--verbose"]].concat();
    for args in [&more[..], &["doctor"], &["models", "--json"], &["config", "show"], &["roundtable", "show"]] {
        let run = lab.run(args);
        said.push(run.out + &run.err);
    }
    assert!(lab.mock.calls().iter().any(|seen| seen.headers.values().any(|value| value == KEY)), "it was sent");
    for text in said {
        assert!(!text.contains(KEY), "{text}");
    }
    for file in lab.folder.everything() {
        let bytes = std::fs::read(&file).unwrap();
        assert!(!bytes.windows(KEY.len()).any(|part| part == KEY.as_bytes()), "{}", file.display());
    }
}

#[test]
fn l7_a_kill_in_mid_round_costs_no_answered_call_again() {
    // Question, three answers and the summing up are calls 1 to 5; of round 2, the second seat never answers.
    let lab = Lab::new(Plan::calm().on_call(8, Act::Hang));
    let mut run = lab.watch(&[]);
    let mut answered = Vec::new();
    while answered.len() < 2 {
        let event = run.until("call_ended", "r2.response.");
        answered.push(event["call"].as_str().unwrap().to_owned());
    }
    run.signal("KILL");
    assert_eq!(run.finish().code, -1);
    assert_eq!(lab.mock.calls().len(), 9);
    lab.run(&["roundtable", "resume", "--yes"]).ok();
    let twice = counted(&lab).into_values().filter(|count| *count > 1).collect::<Vec<_>>();
    assert_eq!(twice, [2], "only the call that was never answered is asked again");
    lab.run(&["session", "verify"]).ok();
}

#[test]
fn ctrl_c_leaves_no_child_of_a_program() {
    let start = [&START[..], &["--json"]].concat();
    for args in [&start[..], &["doctor"]] {
        let lab = Lab::keyless(Plan::calm());
        let pipe = lab.folder.path().join("pids");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        // It never answers, and neither does what it started; both keep the pipe open while they live.
        let text = format!("#!/bin/sh\nexec 3>'{}'\ntail -f /dev/null &\necho running >&3\nwait\n", pipe.display());
        let path = program(&lab, &text);
        let settings =
            format!("models: {{default: \"mine:x\"}}\nproviders: {{mine: {{api: command, command: [\"{path}\"]}}}}\n");
        let lab = lab.own_settings(&settings);
        leaves_nobody(&lab, args, &pipe, 1);
        // Of two at once, the second may come before the first has ended anything.
        leaves_nobody(&lab, args, &pipe, 2);
    }
}

/// Runs until something of it has the pipe open, leaves with so many signals, and sees that nobody holds it then.
fn leaves_nobody(lab: &Lab, args: &[&str], pipe: &Path, signals: usize) {
    let run = Watched::of(lab.command(args));
    let mut pipe = BufReader::new(std::fs::File::open(pipe).unwrap());
    let mut line = String::new();
    pipe.read_line(&mut line).unwrap();
    assert_eq!(line, "running\n");
    (0..signals).for_each(|_| run.signal("INT"));
    run.finish().is(130);
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        let mut rest = String::new();
        while pipe.read_line(&mut rest).unwrap() > 0 {}
        tell.send(())
    });
    let ended = told.recv_timeout(Duration::from_secs(20));
    assert_eq!(ended, Ok(()), "something still holds the pipe after {args:?}");
}

#[test]
fn a_signal_while_a_program_prints_the_key_leaves_no_child() {
    let start = [&START[..], &["--json"]].concat();
    for args in [&start[..], &["doctor"]] {
        let lab = Lab::keyless(Plan::calm());
        let pipe = lab.folder.path().join("pids");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let text = format!("#!/bin/sh\nexec 3>'{}'\ntail -f /dev/null &\necho running >&3\nwait\n", pipe.display());
        let path = program(&lab, &text);
        let settings = format!(
            "models: {{default: \"mine:x\"}}\nproviders: {{mine: {{api: openai, base_url: \"{}/v1\", \
             api_key_command: [\"{path}\"]}}}}\n",
            lab.mock.url()
        );
        let lab = lab.own_settings(&settings);
        leaves_nobody(&lab, args, &pipe, 1);
        assert!(lab.folder.ids().is_empty(), "nothing was begun");
    }
}

#[test]
fn the_files_that_a_key_command_names_are_found_from_its_settings() {
    let provider = |lab: &Lab, file: &str| {
        format!(
            "models: {{default: \"mine:x\"}}\nproviders: {{mine: {{api: openai, base_url: \"{}/v1\", \
             api_key_command: [cat, {file}]}}}}\n",
            lab.mock.url()
        )
    };
    let lab = Lab::keyless(Plan::calm());
    let text = provider(&lab, "key");
    let lab = lab.own_settings(&text);
    std::fs::write(lab.folder.user_config().with_file_name("key"), "k3y-value").unwrap();
    lab.run(&["doctor"]).ok().shows(&["✓ mine:x"]);

    let lab = Lab::keyless(Plan::calm());
    let text = provider(&lab, "keys/of-us");
    let lab = lab.settings(&text);
    lab.folder.write("keys/of-us", "k3y-value");
    lab.folder.write("deep/below/here", "");
    lab.run(&["models", "trust", "mine"]).ok().shows(&["run `cat keys/of-us` in /"]);
    let mut below = lab.command(&["doctor"]);
    below.current_dir(lab.folder.path().join("deep/below"));
    finish(below.spawn().unwrap()).ok().shows(&["✓ mine:x"]);
}

#[test]
fn a_fallback_is_used_and_said() {
    let settings = "models:\n  default: \"anthropic:claude-sonnet-5-5\"\n  facilitator: \"anthropic:claude-sonnet-5-5\"\n  \
                    fallback: {default: [\"openai:gpt-6.1-terra\"]}\n";
    let lab = Lab::new(Plan::calm().on_model("claude", Act::Status(401))).settings(settings);
    lab.start(&[]).ok().shows(&["Stand-in", "openai:gpt-6.1-terra answered"]);
    let asked = lab.mock.asked();
    assert_eq!(asked[..2], ["claude-sonnet-5-5", "gpt-6.1-terra"], "final at once, then the next model");
    let id = lab.folder.ids().remove(0);
    assert!(lab.folder.read(&format!(".s2s/sessions/{id}.yaml")).contains("stand_ins:"));
    let document = lab.folder.only()["outcome"]["file"].as_str().unwrap().to_owned();
    assert!(
        lab.folder.read(&document).contains("Stand-ins answered: openai:gpt-6.1-terra for"),
        "the document says it too"
    );
    lab.run(&["session", "verify"]).ok();
}

#[test]
fn a_model_that_is_out_is_not_asked_again_before_its_fallback() {
    let settings = "models:\n  default: \"anthropic:claude-sonnet-5-5\"\n  facilitator: \"openai:gpt-6.1-sol\"\n  \
                    fallback: {default: [\"openai:gpt-6.1-terra\"]}\n";
    let lab = Lab::new(Plan::calm().on_model("claude", Act::Status(404))).settings(settings);
    lab.start(&[]).ok().shows(&["Stand-in", "openai:gpt-6.1-terra answered"]);
    let asked = lab.mock.asked();
    let lost = asked.iter().filter(|model| model.starts_with("claude")).count();
    assert_eq!(lost, 3, "each seat of the first round asks at the same time, and nobody after that: {asked:?}");
    let id = lab.folder.ids().remove(0);
    let tape = lab.folder.read(&format!(".s2s/sessions/{id}/tape.jsonl"));
    assert!(tape.contains("not asked again; before: not found"), "and the tape says why");
}

#[test]
fn the_hint_does_not_repeat_a_model_that_does_not_exist() {
    let lab = Lab::new(Plan::calm().always(Act::Status(404)));
    let run = lab.start(&["--model", "openai:gpt-6.1-tera", "--max-calls", "90"]).is(4);
    let hint = run.err.lines().find(|line| line.contains("next:")).unwrap();
    assert!(hint.ends_with("--max-calls 90 --model PROVIDER:MODEL") && !hint.contains("tera"), "{hint}");
    // A key can be mended, and then the same model is wanted.
    let lab = Lab::new(Plan::calm().always(Act::Status(401)));
    lab.start(&["--model", "openai:gpt-6.1-terra"]).is(4).says(&["--model 'openai:gpt-6.1-terra'"]);
}

#[test]
fn the_tape_has_the_providers_name_of_a_call_that_failed() {
    let lab = Lab::new(Plan::calm().on_call(1, Act::Status(500)).on_call(4, Act::Status(400)));
    lab.start(&[]);
    let id = lab.folder.ids().remove(0);
    let tape = lab.folder.read(&format!(".s2s/sessions/{id}/tape.jsonl"));
    let lines: Vec<serde_json::Value> = tape.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let failed = lines.iter().find(|line| line["type"] == "failed").unwrap();
    assert!(failed["request_id"].as_str().is_some_and(|id| !id.is_empty()), "{failed}");
    let tried = lines.iter().find_map(|line| line["tries"].as_array()?.first()).unwrap();
    assert!(tried["request_id"].as_str().is_some_and(|id| !id.is_empty()), "{tried}");
}

#[test]
fn a_provider_that_never_answers_pauses_with_what_to_do() {
    let lab = Lab::new(Plan::calm().always(Act::Status(401)));
    let run = lab.start(&[]).is(4);
    let run = run.says(&["s2s roundtable resume"]);
    assert!((run.out + &run.err).contains("ANTHROPIC_API_KEY"), "the key that was refused is named");
    assert_eq!(lab.folder.only()["status"], "paused");
}
