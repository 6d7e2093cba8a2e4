//! Ctrl-C once pauses, twice leaves at once, and a reader that goes away is as good as one; nothing is lost either way.

use super::harness::{CALM, Folder, TOPIC, finish};

/// As CALM, but in round 2 one seat takes for ever: two answers are on the tape, one never comes.
fn stuck() -> String {
    format!(
        "{CALM}  - {{round: 2, kind: response, seat: technical-lead, delay_ms: 600000, reply: {{position: \"late\", confidence: 0.7}}}}\n"
    )
}

const START: [&str; 8] =
    ["roundtable", "start", TOPIC, "--panel", "script:stuck.yaml", "--strategy", "standard", "--json"];

#[test]
fn one_signal_pauses_and_the_resume_asks_only_what_is_missing() {
    for signal in ["INT", "TERM", "HUP", "QUIT"] {
        let folder = Folder::project();
        folder.write("stuck.yaml", stuck());
        let mut run = folder.watch(&START);
        run.until("call_ended", "r2.response.product-manager");
        run.signal(signal);
        let run = run.finish().is(130);
        assert!(run.out.contains("session_paused"), "{}", run.out);
        let error: serde_json::Value = serde_json::from_str(run.err.lines().last().unwrap()).unwrap();
        assert_eq!(error["error"]["kind"], "interrupted");
        let id = folder.ids().remove(0);
        assert!(error["error"]["next"].as_str().unwrap().contains(&format!("s2s roundtable resume {id}")));
        let minutes = folder.minutes(&id);
        assert_eq!((&minutes["status"], &minutes["total_rounds"]), (&"paused".into(), &1.into()));
        folder.run(&["roundtable", "resume", "--panel", "script:calm.yaml"]).ok().shows(&["2"]);
        let tape = folder.read(&format!(".s2s/sessions/{id}/tape.jsonl"));
        let asked =
            |call: &str| tape.lines().filter(|line| line.contains("\"type\":\"asked\"") && line.contains(call)).count();
        assert_eq!(asked("r2.response.product-manager.1"), 1, "an answered call is not asked again (L7)");
        assert_eq!(asked("r2.response.technical-lead.1"), 2, "a call in flight is");
        assert_eq!(folder.minutes(&id)["status"], "completed");
    }
}

#[test]
fn two_signals_leave_at_once_and_lose_nothing() {
    let folder = Folder::project();
    folder.write("stuck.yaml", stuck());
    let mut run = folder.watch(&START);
    run.until("call_ended", "r2.response.product-manager");
    run.signal("INT");
    run.signal("INT");
    assert_eq!(run.finish().code, 130);
    let minutes = folder.only();
    assert_eq!(minutes["total_rounds"], 1);
    folder.run(&["roundtable", "resume", "--panel", "script:calm.yaml", "--quiet"]).ok();
    assert_eq!(folder.only()["status"], "completed");
    folder.run(&["session", "verify"]).ok();
}

#[test]
fn a_reader_that_goes_away_stops_the_run_as_ctrl_c_does() {
    for more in ["", "--json"] {
        let folder = Folder::project();
        folder.write("stuck.yaml", stuck());
        // One seat takes for ever: the run must hear that nobody reads without writing anything.
        let line = format!(
            "('{}' roundtable start '{TOPIC}' --panel script:stuck.yaml --strategy standard {more}; echo $? >code) | head -n 1",
            env!("CARGO_BIN_EXE_s2s")
        );
        let mut command = std::process::Command::new("sh");
        command.args(["-c", &line]);
        folder.settle(&mut command);
        let run = finish(command.spawn().unwrap());
        assert_eq!(run.out.lines().count(), 1, "{}", run.out);
        assert_eq!(folder.read("code"), "130\n", "{}", run.err);
        let run = run.says(&["it was interrupted", "s2s roundtable resume"]);
        assert!(!run.err.contains("went on"), "{}", run.err);
        assert_eq!(folder.only()["status"], "paused");
        folder.run(&["roundtable", "resume", "--panel", "script:calm.yaml"]).ok();
        assert_eq!(folder.only()["status"], "completed");
    }
}
