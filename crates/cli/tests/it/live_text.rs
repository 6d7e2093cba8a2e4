//! What the live view leaves behind is what a plain run prints: in a real terminal, line by line. And it stays away where
//! it is not wanted, makes room for questions, and draws no more than ten times a second.

use std::time::Instant;

use super::harness::{Folder, TOPIC};
use super::mocked::{MODEL, Mock};
use super::terminal::Person;
use super::tmux::Terminal;

/// Long enough to be seen.
const SLOW: &str = "latency_ms: 500\n";

fn args(more: &[&'static str]) -> Vec<&'static str> {
    const MODEL_NAME: &str = "openai:gpt-6-luna";
    assert!(MODEL_NAME.ends_with(MODEL));
    let mut args = vec!["roundtable", "start", TOPIC, "--strategy", "standard", "--model", MODEL_NAME];
    args.extend(["--on-escalation", "accept"]);
    args.extend(more);
    args
}

/// What was printed, without what differs from run to run: ids, times, the order of answers.
fn told(all: &str) -> Vec<String> {
    let words = |line: &str| {
        let bare = |word: &str| word.chars().filter(|c| !c.is_ascii_digit() && *c != '.').collect::<String>();
        let kept = line.split(' ').map(bare).filter(|word| !matches!(word.as_str(), "" | "ms" | "s" | "min"));
        kept.collect::<Vec<_>>().join(" ")
    };
    let mut lines: Vec<String> =
        all.lines().filter(|line| !line.contains(" (0.") && !line.is_empty()).map(words).collect();
    lines.sort();
    lines
}

#[test]
fn a_finished_run_leaves_the_text_of_a_plain_one() {
    let mut runs = Vec::new();
    for more in [&[][..], &["--no-live"][..]] {
        let folder = Folder::project();
        let mock = Mock::start(&folder, SLOW);
        let Some(terminal) = Terminal::running(&folder, (100, 30), &args(more), &mock.variables()) else { return };
        if more.is_empty() {
            terminal.until(&["thinking"]);
            terminal.until(&["sums up"]);
        }
        terminal.until(&["ENDED 0"]);
        let all = terminal.scrollback();
        assert!(!all.contains("thinking"), "{all}");
        assert_eq!(all.matches("Recap of round").count(), 3, "{all}");
        assert_eq!(all.matches("So far").count(), 3, "{all}");
        runs.push(told(&all));
    }
    assert_eq!(runs[0], runs[1]);
}

#[test]
fn where_it_is_not_wanted_there_is_no_live_view() {
    // A flag, or a variable and its value.
    let ways = [("--no-live", "", ""), ("--quiet", "", ""), ("", "S2S_LIVE", "false"), ("", "TERM", "dumb")];
    for (flag, name, value) in ways {
        let folder = Folder::project();
        let mock = Mock::start(&folder, SLOW);
        let mut variables = mock.variables();
        variables.extend(Some((name, value.to_owned())).filter(|_| !name.is_empty()));
        let flags = Some(flag).filter(|flag| !flag.is_empty());
        let Some(person) = Person::with(&folder, &args(flags.as_slice()), &variables) else { return };
        let (code, seen) = person.leaves();
        assert_eq!(code, 0, "{seen}");
        assert!(!seen.contains("\x1b[?2026h") && !seen.contains("\x1b[J"), "{flag} {name}: {seen:?}");
        assert!(value != "dumb" || !seen.contains('✓'), "marks are ASCII: {seen}");
    }
    let folder = Folder::project();
    folder.write(".s2s/config.yaml", "version: 1\nroundtable:\n  live: false\n");
    let mock = Mock::start(&folder, SLOW);
    let Some(person) = Person::with(&folder, &args(&[]), &mock.variables()) else { return };
    assert!(!person.leaves().1.contains("\x1b[?2026h"));
}

#[test]
fn a_flood_of_pieces_is_drawn_ten_times_a_second_at_most() {
    let folder = Folder::project();
    let mock = Mock::start(&folder, "pace_ms: 1\npiece_bytes: 1\n");
    let Some(person) = Person::with(&folder, &args(&[]), &mock.variables()) else { return };
    let began = Instant::now();
    let (code, seen) = person.leaves();
    let most = began.elapsed().as_millis() / 100 + 10;
    assert_eq!(code, 0, "{seen}");
    let drawn = seen.matches("\x1b[?2026h").count();
    assert!(drawn > 3 && (drawn as u128) <= most, "{drawn} drawings, at most {most}");
}

#[test]
fn a_question_to_a_person_finds_a_clean_screen() {
    let folder = Folder::project();
    folder.write("slow.yaml", format!("default: {{delay_ms: 600}}\n{}", super::harness::UNSURE.trim_start()));
    let args = ["roundtable", "start", TOPIC, "--panel", "script:slow.yaml", "--strategy", "standard"];
    let Some(terminal) = Terminal::running(&folder, (80, 30), &args, &[]) else { return };
    terminal.until(&["thinking"]);
    let screen = terminal.until(&["How would you like to proceed?", "Accept"]);
    assert!(!screen.contains("thinking") && !screen.contains("sums up"), "{screen}");
    terminal.press(&["Enter"]);
    terminal.until(&["ENDED 0"]);
    assert!(!terminal.scrollback().contains("thinking"));
}

/// Until then the screens were never told that they may read along: nobody saw a reply before it was whole.
#[test]
fn bug_the_screen_read_along_and_the_run_did_not_know() {
    let folder = Folder::project();
    let mock = Mock::start(&folder, "pace_ms: 40\npiece_bytes: 8\n");
    let Some(terminal) = Terminal::running(&folder, (100, 30), &args(&[]), &mock.variables()) else { return };
    terminal.until(&["answering"]);
    terminal.press(&["C-c"]);
    terminal.until(&["ENDED 130"]);
}

/// Also for whoever does not read along: a program, a pipe.
#[test]
fn a_further_try_is_told_with_its_reason() {
    for (more, told) in [("--json", "\"event\":\"call_retried\""), ("--no-live", "try 2 follows: provider error")] {
        let folder = Folder::project();
        let mock = Mock::start(&folder, "rules: [{call: 2, act: {status: 500}}]\n");
        let mut command = folder.command(&args(&[]));
        let run = super::harness::finish(command.arg(more).envs(mock.variables()).spawn().unwrap()).ok();
        assert!(run.out.contains(told), "{}", run.out);
        assert!(more != "--json" || run.out.contains("\"event\":\"spent\""), "{}", run.out);
    }
}
