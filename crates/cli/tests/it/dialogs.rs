//! Every dialog with a person in a real terminal: how it looks at three widths, in colour and without, and that the
//! keyboard alone answers it: the menu after a round, an escalation, a seat of one's own, leaving and coming back.

use std::os::unix::fs::PermissionsExt;

use expect_test::expect_file;

use super::harness::{CALM, Folder, TOPIC, UNSURE};
use super::terminal::{PROCEED, Person};
use super::tmux::Terminal;

const ANSWER: &str = "How would you like to answer?";
/// The last thing a menu draws.
const MENU: &str = "Esc to leave]";

/// The calm script, slow enough for the live view to be seen.
fn slow(folder: &Folder, script: &str) {
    folder.write("slow.yaml", format!("default: {{delay_ms: 600}}\n{}", script.trim_start()));
}

fn start<'a>(script: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["roundtable", "start", TOPIC, "--strategy", "standard", "--panel", script], more].concat()
}

/// The screen from the line with `from` on, with the same id whenever it was taken.
fn part(folder: &Folder, screen: &str, from: &str) -> String {
    let id = folder.ids().remove(0);
    let at = screen.find(from).map_or(0, |at| screen[..at].rfind('\n').map_or(0, |end| end + 1));
    format!("{}\n", screen[at..].replace(&id[..15], "20261101-090000").replace('\u{1b}', "␛"))
}

/// Compares the dialog that shows `last` with its snapshots, at three widths, plain and in colour.
fn looks(name: &str, args: &[&str], more: &[(&str, &str)], from: &str, last: &[&str]) {
    for columns in [60, 80, 120] {
        for plain in [true, false] {
            let folder = Folder::project();
            let mut variables: Vec<(&str, String)> = vec![("VISUAL", String::new()), ("EDITOR", "ed".to_owned())];
            variables.extend(more.iter().map(|(name, value)| (*name, (*value).to_owned())));
            variables.extend(plain.then(|| ("NO_COLOR", "1".to_owned())));
            let Some(terminal) = Terminal::running(&folder, (columns, 60), args, &variables) else { return };
            let seen = terminal.until(last);
            assert!(seen.lines().all(|line| line.chars().count() <= columns), "{seen}");
            let (screen, suffix) = if plain { (terminal.screen(), "") } else { (terminal.in_color(), "-colour") };
            assert_eq!(screen.contains('\u{1b}'), !plain, "{screen}");
            let file = format!("screens/{name}-{columns}{suffix}.txt");
            expect_file![file].assert_eq(&part(&folder, &screen, from));
        }
    }
}

#[test]
fn the_menu_after_a_round_looks_so() {
    let args = start("script:calm.yaml", &["--interactive"]);
    looks("menu", &args, &[], "Recap of round", &["Ask one seat a follow-up", MENU]);
}

#[test]
fn an_escalation_looks_so() {
    looks("escalation", &start("script:unsure.yaml", &[]), &[], "Escalation Required", &["Take REST", MENU]);
}

#[test]
fn a_seat_of_ones_own_looks_so() {
    let args = start("script:calm.yaml", &["--human", "Anna:product-manager"]);
    looks("sheet", &args, &[], "Your turn", &["Give no response", MENU]);
}

#[test]
fn a_pause_looks_so() {
    let args = start("script:unsure.yaml", &["--on-escalation", "pause"]);
    looks("paused", &args, &[], "Roundtable Paused", &["ENDED 3"]);
}

#[test]
fn rounds_run_on_through_a_resize() {
    let folder = Folder::project();
    slow(&folder, CALM);
    let Some(terminal) = Terminal::running(&folder, (120, 40), &start("script:slow.yaml", &[]), &[]) else { return };
    terminal.until(&["thinking", "Round 1 of at most 20"]);
    terminal.resize(60, 40);
    terminal.until(&["thinking", "Round 2 of at most 20"]);
    terminal.resize(80, 24);
    terminal.until(&["ENDED 0"]);
    let all = terminal.scrollback();
    assert!(!all.contains("thinking") && !all.contains("answered"), "{all}");
    for round in 1..=3 {
        assert_eq!(all.matches(&format!("Recap of round {round}")).count(), 1, "{all}");
    }
}

#[test]
fn bug_text_after_a_resize_kept_the_width_of_the_start() {
    let folder = Folder::project();
    slow(&folder, &CALM.replace("REST it is.", &"REST it is, as everybody knows. ".repeat(5)));
    let Some(terminal) = Terminal::running(&folder, (120, 40), &start("script:slow.yaml", &[]), &[]) else { return };
    terminal.until(&["thinking", "Round 1 of at most 20"]);
    terminal.resize(60, 40);
    terminal.until(&["ENDED 0"]);
    // A line that the terminal broke is given back whole. Commands and paths are for copying, and are never broken.
    let all = terminal.scrollback();
    let from = all.find("Focus").unwrap();
    let long = |line: &&str| line.chars().count() > 60 && !line.contains("20");
    let broken: Vec<&str> = all[from..].lines().filter(long).collect();
    assert!(broken.is_empty(), "{broken:?} in {all}");
    let rules: Vec<&str> = all.lines().filter(|line| line.starts_with("── Round")).collect();
    assert!(rules[1..].iter().all(|line| line.chars().count() <= 60), "{rules:?}");
}

#[test]
fn bug_a_key_pressed_early_answered_the_next_question_unseen() {
    let folder = Folder::project();
    slow(&folder, UNSURE);
    let Some(terminal) = Terminal::running(&folder, (80, 50), &start("script:slow.yaml", &[]), &[]) else { return };
    terminal.until(&["thinking"]);
    terminal.press(&["Enter", "Enter"]);
    terminal.until(&[PROCEED, MENU]);
    assert_eq!(folder.only()["escalations"][0]["ruling"], serde_json::Value::Null, "nobody has decided");
    terminal.press(&["Down"]);
    terminal.until(&["> Give your own decision"]);
    terminal.press(&["Enter"]);
    terminal.until(&["Your decision:"]);
    terminal.press(&["-l", "Mine"]);
    terminal.press(&["Enter"]);
    terminal.until(&["ENDED 0"]);
    assert_eq!(folder.only()["escalations"][0]["ruling"]["text"], "Mine");
}

#[test]
fn bug_an_early_key_gave_a_persons_turn_away() {
    let folder = Folder::project();
    slow(&folder, CALM);
    let args = start("script:slow.yaml", &["--human", "Anna", "--max-rounds", "1", "--no-live"]);
    let Some(terminal) = Terminal::running(&folder, (80, 50), &args, &[]) else { return };
    terminal.until(&["Roundtable Session Started"]);
    terminal.press(&["Enter", "Enter", "Enter"]);
    // Without a view that moves the questions are plain lines, and what was typed shows there.
    let screen = terminal.until(&[ANSWER, "Number: [1]"]);
    assert!(!screen.contains("Your position:"), "{screen}");
    terminal.press(&["-l", "3"]);
    terminal.press(&["Enter"]);
    terminal.until(&["ENDED 0"]);
    assert_eq!(folder.only()["rounds"][0]["no_response"][0], "anna");
}

#[test]
fn bug_what_was_typed_stood_in_the_live_view() {
    let folder = Folder::project();
    slow(&folder, CALM);
    let Some(terminal) = Terminal::running(&folder, (80, 30), &start("script:slow.yaml", &[]), &[]) else { return };
    terminal.until(&["thinking", "Round 1 of at most 20"]);
    terminal.press(&["-l", "rubbish"]);
    terminal.press(&["Enter", "Enter"]);
    terminal.until(&["thinking", "Round 2 of at most 20"]);
    terminal.until(&["ENDED 0"]);
    let all = terminal.scrollback();
    assert!(!all.contains("rubbish") && !all.contains("thinking") && !all.contains("answered"), "{all}");
    // The terminal is as it was: keys are shown again.
    terminal.press(&["-l", "visible"]);
    terminal.until(&["visible"]);
}

#[test]
fn bug_an_editor_that_is_not_there_gave_the_turn_away() {
    let folder = Folder::project();
    let variables = [("VISUAL", String::new()), ("EDITOR", "/nowhere/ed".to_owned())];
    let args = start("script:calm.yaml", &["--max-rounds", "1", "--human", "Anna"]);
    let Some(terminal) = Terminal::running(&folder, (80, 60), &args, &variables) else { return };
    terminal.until(&[ANSWER, MENU]);
    terminal.press(&["Down"]);
    terminal.until(&["> Write it in your editor"]);
    terminal.press(&["Enter"]);
    terminal.until(&["the editor \"/nowhere/ed\" cannot be started", "> Answer here", MENU]);
    terminal.press(&["Enter"]);
    terminal.until(&["Your position:"]);
    terminal.press(&["-l", "I know the partners"]);
    for next in ["Why?", "How sure", "What worries", "ENDED 0"] {
        terminal.press(&["Enter"]);
        terminal.until(&[next]);
    }
    assert_eq!(folder.only()["rounds"][0]["confidence"]["anna"], 0.7);
}

#[test]
fn bug_esc_in_a_text_paused_the_whole_session() {
    let folder = Folder::project();
    let args = start("script:calm.yaml", &["--interactive"]);
    let Some(terminal) = Terminal::running(&folder, (80, 60), &args, &[]) else { return };
    terminal.until(&["One more round", MENU]);
    terminal.press(&["Down", "Down", "Down"]);
    terminal.until(&["> Say something to the table"]);
    terminal.press(&["Enter"]);
    terminal.until(&["What do you say to the table?"]);
    terminal.press(&["-l", "Half a"]);
    terminal.until(&["Half a"]);
    terminal.press(&["Escape"]);
    terminal.until(&["> One more round", MENU]);
    terminal.press(&["Down", "Down"]);
    terminal.until(&["> Pause the session"]);
    terminal.press(&["Enter"]);
    terminal.until(&["ENDED 0"]);
    assert!(folder.only()["interventions"].as_array().unwrap().iter().all(|done| done["kind"] != "interjection"));
}

#[test]
fn bug_a_typed_letter_made_the_choices_vanish() {
    let folder = Folder::project();
    let args = start("script:calm.yaml", &["--interactive"]);
    let Some(terminal) = Terminal::running(&folder, (80, 60), &args, &[]) else { return };
    terminal.until(&["One more round", MENU]);
    terminal.press(&["-l", "zzz"]);
    terminal.press(&["Down"]);
    terminal.until(&["> Skip to the conclusion", "  One more round"]);
    terminal.press(&["C-c"]);
    terminal.until(&["ENDED 130"]);
}

#[test]
fn bug_questions_had_colour_where_none_was_wanted() {
    let folder = Folder::project();
    let args = start("script:calm.yaml", &["--interactive", "--color", "never"]);
    let Some(terminal) = Terminal::running(&folder, (80, 60), &args, &[]) else { return };
    terminal.until(&["One more round", MENU]);
    assert!(!terminal.in_color().contains('\u{1b}'), "{}", terminal.in_color());
    terminal.press(&["C-c"]);
    terminal.until(&["ENDED 130"]);
}

#[test]
fn bug_a_dumb_terminal_was_sent_sequences_by_the_questions() {
    let folder = Folder::project();
    let args = start("script:calm.yaml", &["--interactive"]);
    let dumb = [("TERM", "dumb".to_owned())];
    let Some(mut person) = Person::with(&folder, &args, &dumb) else { return };
    let mut seen = person.sees("3. Pause the session");
    person.answers("Number: [1]", "9\r").answers("A number from 1 to 5, please.", "");
    person.answers("Number: [1]", "4\r").answers("What do you say to the table?", "Mind the cost\r");
    person.answers("Number: [1]", "3\r");
    let (code, rest) = person.leaves();
    assert_eq!(code, 0, "{rest}");
    seen.push_str(&rest);
    assert!(!seen.contains('\u{1b}'), "{seen:?}");
    assert_eq!(folder.only()["interventions"][0]["text"], "Mind the cost");
    // Ctrl-C leaves at once, and so does the end of the input.
    for key in ["\u{3}", "\u{4}"] {
        let args = ["roundtable", "resume", "--panel", "script:calm.yaml"];
        let Some(mut person) = Person::with(&folder, &args, &dumb) else { return };
        person.answers("Number: [1]", key);
        let (code, seen) = person.leaves();
        assert_eq!(code, 130, "{seen}");
    }
}

#[test]
fn bug_enter_alone_voted_for_every_point() {
    let folder = Folder::project();
    let args = start("script:calm.yaml", &["--max-rounds", "2", "--human", "Anna"]);
    let Some(mut person) = Person::at(&folder, &args) else { return };
    for _ in 0..2 {
        person.answers(ANSWER, "\r").answers("Your position:", "mine\r").answers("Why?", "\r");
        person.answers("How sure are you", "\r").answers("What worries you about it?", "\r");
    }
    person.answers("C1.1: Use REST", "").answers("No vote", "\r");
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    let tally = folder.only()["rounds"][1]["tallies"][0].clone();
    assert_eq!(
        (&tally["no_vote"][0], &tally["support"].as_array().map(Vec::len)),
        (&"anna".into(), &Some(3)),
        "{tally}"
    );
}

#[test]
fn an_interactive_session_is_paused_and_resumed_at_the_keyboard() {
    let folder = Folder::project();
    let args = start("script:calm.yaml", &["--interactive"]);
    let Some(terminal) = Terminal::running(&folder, (80, 60), &args, &[]) else { return };
    terminal.until(&["One more round", MENU]);
    terminal.press(&["Down", "Down"]);
    terminal.until(&["> Pause the session"]);
    terminal.press(&["Enter"]);
    let screen = terminal.until(&["ENDED 0"]);
    assert!(screen.contains("Roundtable Paused") && screen.contains("s2s roundtable resume"), "{screen}");
    assert_eq!(folder.only()["status"], "paused");
    let args = ["roundtable", "resume", "--panel", "script:calm.yaml"];
    let Some(terminal) = Terminal::running(&folder, (80, 60), &args, &[]) else { return };
    // Round 1 is not asked again; what was left is asked first.
    terminal.until(&["Recap of round 2", "How would you like to proceed?", MENU]);
    terminal.press(&["Down"]);
    terminal.until(&["> Skip to the conclusion"]);
    terminal.press(&["Enter"]);
    terminal.until(&["ENDED 0"]);
    let minutes = folder.only();
    assert_eq!((&minutes["status"], &minutes["total_rounds"]), (&"completed".into(), &2.into()));
}

#[test]
fn an_escalation_is_answered_at_the_keyboard() {
    let folder = Folder::project();
    slow(&folder, UNSURE);
    let Some(terminal) = Terminal::running(&folder, (60, 60), &start("script:slow.yaml", &[]), &[]) else { return };
    terminal.until(&[PROCEED, MENU]);
    terminal.press(&["Down"]);
    terminal.until(&["> Give your own decision"]);
    terminal.press(&["Enter"]);
    terminal.until(&["Your decision:"]);
    terminal.press(&["-l", "REST, with versions"]);
    terminal.press(&["Enter"]);
    terminal.until(&["ENDED 0"]);
    let ruling = folder.only()["escalations"][0]["ruling"].clone();
    assert_eq!((&ruling["choice"], &ruling["by"]), (&"decide".into(), &"person".into()));
    assert_eq!(ruling["text"], "REST, with versions");
}

#[test]
fn h1_a_person_types_an_answer_and_sees_nobody_elses_before() {
    let folder = Folder::project();
    slow(&folder, CALM);
    let args = start("script:slow.yaml", &["--max-rounds", "1", "--human", "Anna:product-manager"]);
    let Some(terminal) = Terminal::running(&folder, (80, 50), &args, &[]) else { return };
    terminal.until(&[ANSWER, MENU]);
    let steps: [(&[&str], &str); 5] = [
        (&["Enter"], "Your position:"),
        (&["-l", "I know the partners"], "I know the partners"),
        (&["Enter"], "Why?"),
        (&["Enter"], "How sure are you"),
        (&["Enter"], "What worries you"),
    ];
    for (keys, next) in steps {
        terminal.press(keys);
        let screen = terminal.until(&[next]);
        assert!(!screen.contains("Use REST"), "blind: {screen}");
    }
    terminal.press(&["Enter"]);
    terminal.until(&["ENDED 0"]);
    let all = terminal.scrollback();
    let (mine, theirs) = (all.find("Your answer is in.").unwrap(), all.find("Use REST").unwrap());
    assert!(mine < theirs, "{all}");
    assert_eq!(folder.only()["rounds"][0]["confidence"]["anna"], 0.7);
}

#[test]
fn h1_a_person_writes_in_an_editor_that_has_the_terminal_to_itself() {
    let folder = Folder::project();
    slow(&folder, CALM);
    // An editor that shows its file and waits for a line, as a person would.
    let editor = "#!/bin/sh\nsed -n 1,8p \"$1\"\necho EDITING\nread line\nprintf 'Position: %s\\nConfidence: 0.9\\n' \"$line\" > \"$1\"\n";
    folder.write("editor.sh", editor);
    let path = folder.path().join("editor.sh");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let variables = [("VISUAL", String::new()), ("EDITOR", path.display().to_string())];
    let args = start("script:slow.yaml", &["--max-rounds", "1", "--human", "Anna:product-manager"]);
    let Some(terminal) = Terminal::running(&folder, (80, 50), &args, &variables) else { return };
    terminal.until(&[ANSWER, MENU]);
    terminal.press(&["Down"]);
    terminal.until(&["> Write it in your editor"]);
    terminal.press(&["Enter"]);
    let screen = terminal.until(&["EDITING"]);
    assert!(!screen.contains("Use REST") && !screen.contains("thinking"), "blind and alone: {screen}");
    terminal.press(&["-l", "I know the partners"]);
    let screen = terminal.until(&["I know the partners"]);
    assert!(!screen.contains("thinking"), "{screen}");
    terminal.press(&["Enter"]);
    terminal.until(&["ENDED 0"]);
    assert_eq!(folder.only()["rounds"][0]["confidence"]["anna"], 0.9);
}

#[test]
fn ctrl_c_in_the_middle_of_a_round_and_resume_go_on_from_there() {
    let folder = Folder::project();
    let stuck = "  - {round: 2, kind: response, seat: technical-lead, delay_ms: 600000, reply: {position: late, confidence: 0.7}}\n";
    slow(&folder, &format!("{CALM}{stuck}"));
    let Some(terminal) = Terminal::running(&folder, (80, 50), &start("script:slow.yaml", &[]), &[]) else { return };
    let in_round_2 = |screen: &str| screen.contains("Round 2 of") && screen.contains("2 of 3 answered");
    terminal.until_it(in_round_2, "two answers of round 2");
    terminal.press(&["C-c"]);
    let screen = terminal.until(&["ENDED 130"]);
    assert!(screen.contains("s2s roundtable resume") && !screen.contains("thinking"), "{screen}");
    let id = folder.ids().remove(0);
    let args = ["roundtable", "resume", &id, "--panel", "script:calm.yaml"];
    let Some(terminal) = Terminal::running(&folder, (80, 50), &args, &[]) else { return };
    terminal.until(&["ENDED 0"]);
    assert_eq!(folder.only()["status"], "completed");
    let tape = folder.read(&format!(".s2s/sessions/{id}/tape.jsonl"));
    let asked = |seat: &str| tape.matches(&format!("\"type\":\"asked\",\"call\":\"r2.response.{seat}.")).count();
    assert_eq!((asked("product-manager"), asked("software-architect"), asked("technical-lead")), (1, 1, 2));
    folder.run(&["session", "verify", &id]).ok();
}
