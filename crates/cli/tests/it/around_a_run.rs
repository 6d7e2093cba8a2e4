//! What a hostile trial of the terminal found around a run: what is said while one is under way, after it was cut off,
//! and where nothing runs. Each test is named after what it found.

use s2s::roundtable::dollars;
use s2s_mock::{Act, Plan};

use super::harness::{Folder, Run, SLOW, TOPIC, Watched};
use super::mock::Lab;
use super::terminal::{DOWN, ENTER, PROCEED, Person};

const ESC: &str = "\x1b";

/// A run that waits for its first answers, and the id of its session.
fn under_way() -> (Folder, Watched, String) {
    let folder = Folder::project();
    folder.write("slow.yaml", SLOW);
    let args = ["roundtable", "start", TOPIC, "--panel", "script:slow.yaml", "--strategy", "standard", "--json"];
    let mut run = folder.watch(&args);
    let id = run.until("session_started", "")["session"].as_str().unwrap().to_owned();
    run.until("call_started", "r1.response");
    (folder, run, id)
}

/// A run that waits for a person, and the id of its session.
fn for_anna() -> (Folder, String) {
    let folder = Folder::project();
    folder.start(&["--max-rounds", "1", "--human", "Anna:product-manager"]).is(3);
    let id = folder.ids().remove(0);
    (folder, id)
}

/// Text as one line, for what is broken over several.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn bug_after_an_interrupt_and_a_resume_four_figures_were_told_for_one_cost() {
    let lab = Lab::new(Plan::calm().on_calls(3..=4, Act::Hang));
    let mut run = lab.watch(&[]);
    run.until("call_ended", "r1.response");
    run.signal("INT");
    run.finish().is(130);
    let resumed = flat(&lab.run(&["roundtable", "resume", "--yes"]).ok().out);
    let id = lab.folder.ids().remove(0);
    let bill = lab.run(&["session", "cost", "--json"]).ok().json()["bill"].clone();
    let usd = |value: &serde_json::Value| dollars(value.as_f64().unwrap());
    let (all, calls) = (usd(&bill["total"]["cost_usd"]), &bill["total"]["calls"]);
    let lost = format!("{} of it reserved for 2 calls that were cut off", usd(&bill["unanswered_usd"]));
    assert_eq!(bill["unanswered"], 2, "{bill}");
    let cost = format!("Cost {all}; {calls} calls, ");
    assert!(resumed.contains(&cost) && resumed.contains(&lost), "{cost} {lost}\n{resumed}");
    let last = resumed.rsplit_once("So far ").unwrap().1;
    assert!(last.starts_with(&format!("{all} of ")), "{all}\n{last}");
    let watched = flat(&lab.run(&["watch", &id]).ok().out);
    assert!(watched.contains(&cost) && watched.contains(&lost), "{cost} {lost}\n{watched}");
    let told = lab.run(&["watch", &id, "--from-start", "--json"]).ok().out;
    let spent = told.lines().rfind(|line| line.contains("\"event\":\"spent\"")).unwrap();
    let spent: serde_json::Value = serde_json::from_str(spent).unwrap();
    assert_eq!((&spent["calls"], &spent["lost_calls"]), (calls, &2.into()));
    lab.run(&["session", "cost"]).ok().shows(&[&format!(
        "2 calls were asked and never answered; they count at what was reserved: {}.",
        usd(&bill["unanswered_usd"])
    )]);
}

#[test]
fn bug_while_a_session_ran_elsewhere_home_and_show_recommended_a_resume_that_fails() {
    let (folder, run, id) = under_way();
    let watch = format!("s2s watch {id}");
    let home = folder.run(&[]).ok().shows(&["(running, 0 rounds)", &format!("Next:    {watch}")]);
    assert!(!home.out.contains("resume"), "{}", home.out);
    folder.run(&["roundtable", "resume", &id, "--panel", "script:slow.yaml"]).is(1).says(&["driven", &watch]);
    let shown = folder.run(&["show", &id]).ok().shows(&[&watch]);
    assert!(!shown.out.contains("s2s roundtable resume"), "{}", shown.out);
    folder.run(&["session", "status", &id]).ok().shows(&["running", &format!("Next: {watch}")]);
    run.signal("INT");
    run.finish().is(130);
    folder.run(&[]).ok().shows(&["(paused, 0 rounds)", &format!("Next:    s2s roundtable resume {id}")]);
}

#[test]
fn bug_calls_that_were_being_answered_were_told_as_never_answered() {
    let (folder, run, id) = under_way();
    let cost = folder.run(&["session", "cost", &id]).ok().shows(&["3 calls are being answered now"]);
    assert!(!cost.out.contains("never answered"), "{}", cost.out);
    run.signal("INT");
    run.finish().is(130);
    folder.run(&["session", "cost", &id]).ok().shows(&["3 calls were asked and never answered"]);
}

#[test]
fn bug_a_persons_own_decision_was_missing_from_the_end() {
    let (folder, id) = Folder::waiting();
    let own = "We paint it green";
    let decides = |run: Run| {
        let out = flat(&run.ok().out);
        assert!(out.contains(&format!("Decided {own} X1 after round 1: own decision, by a person")), "{out}");
    };
    decides(folder.run(&["roundtable", "answer", &id, "--decide", own, "--panel", "script:unsure.yaml"]));
    decides(folder.run(&["show", &id]));
    decides(folder.run(&["watch", &id]));
    decides(folder.run(&["watch", &id, "--from-start"]));
}

#[test]
fn bug_a_persons_own_decision_was_no_key_decision_of_the_summary() {
    let folder = Folder::project();
    let start = ["roundtable", "start", TOPIC, "--panel", "script:unsure.yaml", "--strategy", "standard"];
    folder.run(&[&start[..], &["--output-type", "summary"]].concat()).is(3);
    let own = "We paint it green";
    folder.run(&["roundtable", "answer", "--decide", own, "--panel", "script:unsure.yaml", "--quiet"]).ok();
    let file = folder.only()["outcome"]["file"].as_str().unwrap().to_owned();
    let summary = folder.read(&file);
    let key = summary.split_once("## Key Decisions").unwrap().1.split_once("\n## ").unwrap().0;
    assert!(key.contains(&format!("- {own} (X1, round 1, ruled by a person)")), "{key}");
    assert!(!key.contains("None."), "{key}");
}

#[test]
fn bug_answer_said_that_nothing_waits_while_a_persons_seat_was_waited_for() {
    let (folder, id) = for_anna();
    let run = folder.run(&["roundtable", "answer", &id]).is(2);
    run.says(&[&format!("session {id} waits for anna"), &format!("s2s roundtable answer {id}"), "--as anna"]);
    folder.run(&["roundtable", "answer", &id, "--as", "anna", "--pass", "--panel", "script:calm.yaml"]).ok();
    folder.run(&["roundtable", "answer", &id]).is(2).says(&["nothing waits for an answer"]);
}

#[test]
fn bug_watch_called_a_session_that_waits_for_a_person_interrupted() {
    let (folder, id) = for_anna();
    folder.run(&["watch", &id]).is(3).says(&["anna has not answered yet", "--as anna"]);
    let Some(person) = Person::at(&folder, &["watch"]) else { return };
    let (code, seen) = person.leaves();
    assert_eq!(code, 3, "{seen}");
    assert!(seen.contains("anna") && !seen.contains("interrupted"), "{seen}");
}

#[test]
fn bug_watch_greeted_a_session_that_was_over_as_started() {
    let folder = Folder::project();
    folder.start(&["--quiet"]).ok();
    let run = folder.run(&["watch"]).ok().shows(&["Roundtable Session\n", "Roundtable Complete!"]);
    assert!(!run.out.contains("Started"), "{}", run.out);
    let (folder, _) = Folder::waiting();
    folder.run(&["watch"]).is(3).shows(&["Watching a Roundtable Session"]);
}

#[test]
fn bug_home_recommended_a_start_that_broken_settings_or_state_refuse() {
    let folder = Folder::project();
    let good = folder.read(".s2s/config.yaml");
    for (text, says) in [
        ("roundtable: [\n", ".s2s/config.yaml:"),
        ("roundtable: {strategy: debat}\n", "debat"),
        ("roundtable: {participants: {brainstorm: [qa-led, technical-lead]}}\n", "qa-led"),
    ] {
        folder.write(".s2s/config.yaml", text);
        folder.run(&[]).ok().shows(&["Trouble: ", says, "Next:    s2s doctor --offline\n"]);
        let told = folder.run(&["--json"]).ok().json();
        assert!(told["trouble"].as_str().unwrap().contains(says), "{told}");
    }
    folder.write(".s2s/config.yaml", good);
    folder.write(".s2s/state.yaml", "current_session: [\n");
    folder.run(&[]).ok().shows(&["Trouble: ", "state.yaml", "Next:    delete .s2s/state.yaml"]);
    folder.write(".s2s/state.yaml", "current_session: null\n");
    let run = folder.run(&[]).ok();
    assert!(!run.out.contains("Trouble"), "{}", run.out);
}

#[test]
fn bug_home_did_not_name_the_project_nor_the_session_that_was_held_last() {
    let folder = Folder::project();
    folder.start(&["--quiet"]).ok();
    let id = folder.ids().remove(0);
    folder.run(&[]).ok().shows(&[
        ", in this folder\n",
        &format!(
            "Newest:  {id} (completed, 3 rounds)\n         {TOPIC}\n         s2s show {id}\n         s2s report {id}\n"
        ),
    ]);
    folder.write("deep/down/here.txt", "");
    let mut below = folder.command(&[]);
    below.current_dir(folder.path().join("deep/down"));
    super::harness::finish(below.spawn().unwrap()).ok().shows(&[", in ../..\n"]);
}

#[test]
fn bug_what_people_type_first_got_no_tip() {
    let folder = Folder::project();
    for (typed, meant) in [
        (&["resume"][..], "s2s roundtable resume"),
        (&["start"], "s2s roundtable start \"your question\""),
        (&["status"], "s2s session status"),
        (&["list"], "s2s session list"),
        (&["answer"], "s2s roundtable answer"),
        (&["verify"], "s2s session verify"),
        (&["validate"], "s2s session validate"),
        (&["cost"], "s2s session cost"),
        (&["replay"], "s2s session replay"),
        (&["close"], "s2s session close"),
        (&["continue"], "s2s roundtable resume"),
        (&["resum", "20260304"], "s2s roundtable resume"),
        (&["--color", "never", "staus"], "s2s session status"),
        (&["session", "resume"], "s2s roundtable resume"),
        (&["roundtable", "status"], "s2s session status"),
    ] {
        let run = folder.run(typed).is(2).says(&[&format!("tip: did you mean `{meant}`?")]);
        assert!(!run.err.contains("similar"), "{typed:?}: {}", run.err);
        let json = folder.run(&[typed, &["--json"]].concat()).is(2);
        let error: serde_json::Value = serde_json::from_str(&json.err).unwrap();
        assert!(error["error"]["next"].as_str().unwrap().contains(meant), "{error}");
    }
    let run = folder.run(&["session", "lsit"]).is(2).says(&["did you mean `s2s session list`?"]);
    assert!(!run.err.contains("validate"), "{}", run.err);
    let run = folder.run(&["adr", "start"]).is(2);
    assert!(!run.err.contains("roundtable start"), "{}", run.err);
}

#[test]
fn bug_whoever_left_after_a_project_was_made_was_told_that_nothing_was_changed() {
    let folder = Folder::bare();
    let Some(mut person) = Person::at(&folder, &["roundtable", "start", "--panel", "offline"]) else { return };
    person.answers("What is the question?", &format!("{TOPIC}{ENTER}"));
    person.answers("Make it one?", ENTER).answers("Recommended strategy", ESC);
    let (code, seen) = person.leaves();
    assert_eq!(code, 130, "{seen}");
    assert!(folder.path().join(".s2s").exists(), "{seen}");
    assert!(seen.contains("is an s2s project now") && !seen.contains("nothing was changed"), "{seen}");
}

#[test]
fn bug_a_session_that_was_begun_without_it_could_not_be_joined_after_each_round() {
    let (folder, id) = Folder::waiting();
    let resume = ["roundtable", "resume", &id, "--panel", "script:calm.yaml", "--on-escalation", "accept"];
    let args = [&resume[..], &["--interactive"]].concat();
    let Some(mut person) = Person::at(&folder, &args) else { return };
    // Continue, skip to the end, pause.
    person.answers(PROCEED, &format!("{DOWN}{DOWN}{ENTER}"));
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    let minutes = folder.only();
    assert_eq!((&minutes["status"], &minutes["total_rounds"]), (&"paused".into(), &2.into()), "{seen}");
    let run = folder.run(&args).ok();
    assert!(run.all().contains("Nobody can be asked after each round"), "{}", run.all());
    folder.run(&["session", "verify", &id]).ok();
    folder.run(&["session", "replay", &id]).ok();
}

#[test]
fn bug_one_seat_besides_a_person_was_refused_as_if_the_person_did_not_exist() {
    let folder = Folder::project();
    let run = folder.start(&["--human", "anna", "--participants", "technical-lead"]).is(2);
    run.says(&["at least two participants, people not counted"]);
}

#[test]
fn bug_a_person_named_like_a_role_got_no_trade_and_no_word_about_it() {
    let folder = Folder::project();
    let run = folder.start(&["--human", "qa-lead", "--on-absent", "pass", "--max-rounds", "1"]).ok();
    assert!(flat(&run.all()).contains("--human NAME:qa-lead"), "{}", run.all());
    let run = folder.start(&["--human", "anna", "--on-absent", "pass", "--max-rounds", "1"]).ok();
    assert!(!run.all().contains("--human NAME:"), "{}", run.all());
}

#[test]
fn bug_a_dumb_terminal_got_marks_it_cannot_show_through_a_pipe() {
    let folder = Folder::project();
    folder.start(&["--quiet"]).ok();
    let mut show = folder.command(&["show", "--no-pager"]);
    show.env("TERM", "dumb");
    let shown = super::harness::finish(show.spawn().unwrap()).ok().out;
    assert!(shown.contains("Outcome") && shown.is_ascii(), "{shown}");
}

#[test]
fn wish_ask_goes_to_the_newest_session_where_none_is_named() {
    let folder = Folder::project();
    folder.write("asides.yaml", format!("{}  - {{kind: aside, reply: \"Contract tests.\"}}\n", super::harness::CALM));
    folder.start(&["--quiet"]).ok();
    let panel = ["--panel", "script:asides.yaml"];
    folder.run(&[&["ask", "technical-lead", "What first?"], &panel[..]].concat()).ok().shows(&["Contract tests."]);
    folder.run(&["ask"]).ok().shows(&["What first?", "Contract tests."]);
    folder.run(&["ask", "technical-leed", "What first?"]).is(2).says(&["no session `technical-leed`"]);
}
