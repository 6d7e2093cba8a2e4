//! A person at a terminal: `script` gives the binary a pseudo-terminal, the test reads and types.
//! Nothing is timed: keys are typed when the question they answer is on the screen.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::harness::{Folder, TOPIC, skipped};

pub const ENTER: &str = "\r";
pub const DOWN: &str = "\x1b[B";
const ESC: &str = "\x1b";
pub const PROCEED: &str = "How would you like to proceed?";

pub struct Person {
    child: Child,
    keys: ChildStdin,
    screen: ChildStdout,
    seen: String,
}

impl Person {
    /// Runs the binary at a terminal; none where there is no `script`.
    pub fn at(folder: &Folder, args: &[&str]) -> Option<Self> {
        Self::with(folder, args, &[])
    }

    /// The same, with these variables.
    pub fn with(folder: &Folder, args: &[&str], variables: &[(&'static str, String)]) -> Option<Self> {
        let quoted: Vec<String> = args.iter().map(|arg| format!("'{arg}'")).collect();
        let line = format!("stty cols 100 rows 40; exec '{}' {}", env!("CARGO_BIN_EXE_s2s"), quoted.join(" "));
        let mut command = Command::new("script");
        command.args(["-qefc", &line, "/dev/null"]);
        folder.settle(&mut command);
        command.env("TERM", "xterm").env("SHELL", "/bin/sh").stdin(Stdio::piped());
        command.envs(variables.iter().map(|(name, value)| (*name, value.as_str())));
        match command.spawn() {
            Ok(mut child) => {
                let (keys, screen) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
                Some(Self { child, keys, screen, seen: String::new() })
            }
            Err(error) => {
                skipped(&format!("`script` cannot be run here: {error}"));
                None
            }
        }
    }

    /// Waits until this is on the screen, then types.
    pub fn answers(&mut self, question: &str, keys: &str) -> &mut Self {
        self.sees(question);
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
        self
    }

    /// Waits until this is on the screen; gives all that came up to it since the last time.
    pub fn sees(&mut self, question: &str) -> String {
        let mut bytes = [0; 4096];
        while !self.seen.contains(question) {
            let read = self.screen.read(&mut bytes).unwrap();
            assert!(read > 0, "the run ended before {question:?}: {}", self.seen);
            self.seen.push_str(&String::from_utf8_lossy(&bytes[..read]));
        }
        // What was asked before must not be taken for the next question.
        let asked = self.seen.find(question).unwrap() + question.len();
        self.seen.drain(..asked).collect()
    }

    /// The exit code, and what else came onto the screen.
    pub fn leaves(mut self) -> (i32, String) {
        let mut rest = Vec::new();
        self.screen.read_to_end(&mut rest).unwrap();
        self.seen.push_str(&String::from_utf8_lossy(&rest));
        (self.child.wait().unwrap().code().unwrap_or(-1), self.seen)
    }
}

const UNSURE: [&str; 7] = ["roundtable", "start", TOPIC, "--panel", "script:unsure.yaml", "--strategy", "standard"];

#[test]
fn e8_a_person_is_asked_and_accepts() {
    let folder = Folder::project();
    let Some(mut person) = Person::at(&folder, &UNSURE) else { return };
    person.answers(PROCEED, ENTER);
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    let ruling = folder.only()["escalations"][0]["ruling"].clone();
    assert_eq!((&ruling["choice"], &ruling["by"]), (&"accept".into(), &"person".into()));
}

#[test]
fn e8_a_person_gives_an_own_decision() {
    let folder = Folder::project();
    let Some(mut person) = Person::at(&folder, &UNSURE) else { return };
    person.answers(PROCEED, &format!("{DOWN}{ENTER}")).answers("Your decision:", &format!("REST it is{ENTER}"));
    assert_eq!(person.leaves().0, 0);
    assert_eq!(folder.only()["escalations"][0]["ruling"]["text"], "REST it is");
}

#[test]
fn e9_the_flag_also_holds_on_a_terminal() {
    let folder = Folder::project();
    let mut args = UNSURE.to_vec();
    args.extend(["--on-escalation", "pause"]);
    let Some(person) = Person::at(&folder, &args) else { return };
    let (code, seen) = person.leaves();
    assert_eq!(code, 3, "{seen}");
    assert!(seen.contains("s2s roundtable answer"), "{seen}");
}

#[test]
fn leaving_a_question_pauses_the_session_and_says_how_to_go_on() {
    let folder = Folder::project();
    let Some(mut person) = Person::at(&folder, &UNSURE) else { return };
    person.answers(PROCEED, ESC);
    let (code, seen) = person.leaves();
    assert_eq!(code, 130, "{seen}");
    assert!(seen.contains("s2s roundtable resume"), "{seen}");
    assert_eq!(folder.only()["status"], "paused");
}

#[test]
fn e5_an_accepted_challenge_goes_into_the_file_if_the_person_says_so() {
    let args = ["roundtable", "start", TOPIC, "--panel", "script:challenged.yaml", "--strategy", "standard"];
    for (key, written) in [("y", true), ("n", false)] {
        let folder = Folder::project();
        folder.write("challenged.yaml", super::escalations::CHALLENGED);
        let Some(mut person) = Person::at(&folder, &args) else { return };
        person.answers(PROCEED, ENTER).answers("What holds from now on?", ENTER);
        person.answers("Add this to CONTEXT.md as well?", &format!("{key}{ENTER}"));
        let (code, seen) = person.leaves();
        assert_eq!(code, 0, "{seen}");
        assert!(folder.only()["context"]["changes"][0]["text"].as_str().unwrap().contains("five teams"));
        let file = folder.read(".s2s/CONTEXT.md");
        assert_eq!(file.contains("## Changes from roundtables\n\n- There are five teams"), written, "{file}");
    }
}

/// While a person is asked, the run hears nothing; a signal is heard all the same.
#[test]
fn bug_a_signal_waited_for_the_answer_to_an_open_question() {
    let folder = Folder::project();
    let Some(mut person) = Person::at(&folder, &UNSURE) else { return };
    person.answers(PROCEED, "");
    let id = folder.ids().remove(0);
    let pid = folder.read(&format!(".s2s/sessions/{id}/.lock"));
    assert!(Command::new("kill").args(["-TERM", pid.trim()]).status().unwrap().success());
    let (code, seen) = person.leaves();
    assert_eq!(code, 130, "{seen}");
    assert!(seen.contains("nothing is lost"), "{seen}");
    folder.run(&["roundtable", "answer", &id, "--accept", "--panel", "script:unsure.yaml", "--quiet"]).ok();
    assert_eq!(folder.minutes(&id)["status"], "completed");
}

/// The window is closed, and SIGHUP may be ignored (nohup): the end of the terminal itself is enough.
#[test]
fn bug_a_question_whose_terminal_went_away_was_asked_for_ever() {
    let folder = Folder::project();
    let Some(mut person) = Person::at(&folder, &UNSURE) else { return };
    person.answers(PROCEED, "");
    let id = folder.ids().remove(0);
    let name = format!(".s2s/sessions/{id}/.lock");
    person.child.kill().unwrap();
    person.child.wait().unwrap();
    // The session is free as soon as its process has ended.
    let lock = folder.path().join(&name);
    let free = Command::new("flock").args(["-w", "60"]).arg(&lock).arg("true").status().unwrap();
    assert!(free.success(), "still running: process {}", folder.read(&name));
    folder.run(&["roundtable", "answer", &id, "--accept", "--panel", "script:unsure.yaml", "--quiet"]).ok();
    assert_eq!(folder.minutes(&id)["status"], "completed");
}

#[test]
fn t2_a_person_confirms_or_chooses_another_strategy() {
    let topic = "Choose between REST and GraphQL";
    let args = ["roundtable", "start", topic, "--panel", "script:calm.yaml", "--quiet"];
    let folder = Folder::project();
    let Some(mut person) = Person::at(&folder, &args) else { return };
    person.answers("Recommended strategy: debate", &format!("{DOWN}{ENTER}"));
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    assert_eq!(folder.only()["strategy"], "standard");
}

#[test]
fn s5_a_person_resumes_the_open_session() {
    let folder = Folder::project();
    folder.run(&UNSURE).is(3);
    let id = folder.ids().remove(0);
    let Some(mut person) = Person::at(&folder, &UNSURE) else { return };
    person.answers("A session is open already", ENTER).answers(PROCEED, ENTER);
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    assert_eq!(folder.ids(), std::slice::from_ref(&id));
    assert_eq!(folder.minutes(&id)["status"], "completed");
}

#[test]
fn l1_an_interactive_session_is_paused_or_skipped_after_a_round() {
    let args = ["roundtable", "start", TOPIC, "--panel", "script:calm.yaml", "--strategy", "standard", "--interactive"];
    let folder = Folder::project();
    let Some(mut person) = Person::at(&folder, &args) else { return };
    person.answers("One more round", ENTER).answers("One more round", &format!("{DOWN}{DOWN}{ENTER}"));
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    assert!(seen.contains("--panel script:calm.yaml"), "{seen}");
    let minutes = folder.only();
    assert_eq!((&minutes["status"], &minutes["total_rounds"]), (&"paused".into(), &2.into()));
    let Some(mut person) = Person::at(&folder, &["roundtable", "resume", "--panel", "script:calm.yaml"]) else {
        return;
    };
    person.answers("Conclude now", ENTER);
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    assert_eq!(folder.only()["status"], "completed");
    let folder = Folder::project();
    let Some(mut person) = Person::at(&folder, &args) else { return };
    person.answers("Skip to the conclusion", &format!("{DOWN}{ENTER}"));
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    assert_eq!((&folder.only()["status"], &folder.only()["total_rounds"]), (&"completed".into(), &1.into()));
}

#[test]
fn bug_the_menu_after_a_round_did_not_say_that_an_escalation_comes() {
    let folder = Folder::project();
    let mut args = UNSURE.to_vec();
    args.push("--interactive");
    let Some(mut person) = Person::at(&folder, &args) else { return };
    person.answers("Answer the escalation", ENTER).answers("Accept the recommendation", ENTER);
    person.answers("One more round", ENTER).answers("Conclude now", ENTER);
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
}

#[test]
fn a_folder_that_is_no_project_becomes_one_if_the_person_says_so() {
    let folder = Folder::bare();
    folder.write("calm.yaml", super::harness::CALM);
    let args = ["roundtable", "start", "--panel", "script:calm.yaml", "--strategy", "standard", "--quiet"];
    let Some(mut person) = Person::at(&folder, &args) else { return };
    person.answers("What is the question?", &format!("{TOPIC}{ENTER}")).answers("Make it one?", &format!("y{ENTER}"));
    person.answers("Who sits at the table?", ENTER).answers("Begin?", ENTER);
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    assert_eq!(folder.only()["topic"], TOPIC);
}
