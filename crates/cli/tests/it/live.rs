//! The live view in a real terminal: every state of a seat, at three widths, in colour and without, resized, stopped,
//! killed. A mock of the providers holds the calls open, so that the screen stands still while it is read.

use std::process::Command;

use expect_test::expect_file;

use super::harness::{Folder, TOPIC};
use super::mocked::{MODEL, Mock};
use super::tmux::Terminal;

/// One seat answers, one stops in the middle, one is told to come back later, one fails, one says nothing.
const HELD: &str = r##"
piece_bytes: 24
rules:
  - {prompt: "# Product Manager", say: "position: Offer REST to partners\nrationale: [known]\nconfidence: 0.72\nconcerns: []"}
  - {prompt: "# Software Architect", act: stall}
  - {prompt: "# Technical Lead", act: {rate_limit: {seconds: 900}}}
  - {prompt: "# DevOps Engineer", act: {status: 400}}
  - {prompt: "# QA Lead", act: hang}
"##;

const SEATS: &str = "product-manager,software-architect,technical-lead,devops-engineer,qa-lead";
const NAMES: [&str; 5] = ["product-manager", "software-architect", "technical-lead", "devops-engineer", "qa-lead"];

/// A session whose first round never ends.
fn held(size: (usize, usize), mock: &Mock, folder: &Folder, more: &[(&'static str, &str)]) -> Option<Terminal> {
    let model = format!("openai:{MODEL}");
    let args = ["roundtable", "start", TOPIC, "--strategy", "standard", "--participants", SEATS, "--model", &model];
    let mut variables = mock.variables();
    variables
        .extend([("S2S_CALL_TIMEOUT_SECONDS", "3000".to_owned()), ("S2S_IDLE_TIMEOUT_SECONDS", "3000".to_owned())]);
    variables.extend(more.iter().map(|(name, value)| (*name, (*value).to_owned())));
    Terminal::running(folder, size, &args, &variables)
}

/// Everybody is where this round leaves them.
const STANDING: [&str; 4] = ["0.72", "answering", "try 2", "no answer"];

/// The lines of the region without its status, with every time the same, and clipped where no time can move it.
fn region(screen: &str, columns: usize) -> String {
    let from = screen.find("Question").map_or(0, |at| screen[..at].rfind('\n').map_or(0, |end| end + 1));
    let lines = screen[from..].lines().filter(|line| !line.contains("Round 1") && !line.contains("tokens"));
    let lines = lines.map(timeless).filter(|line| line.trim() != "0 s");
    lines.map(|line| if line.contains('…') { cut(&line, columns - 12) } else { line }).collect::<Vec<_>>().join("\n")
        + "\n"
}

/// The first columns of a line; what colours it takes none.
fn cut(line: &str, columns: usize) -> String {
    let (mut left, mut in_color) = (columns, false);
    let kept = line.chars().take_while(|c| {
        let counts = !in_color && *c != '\u{1b}';
        in_color = (in_color || *c == '\u{1b}') && *c != 'm';
        left -= usize::from(counts && left > 0);
        left > 0
    });
    format!("{}…", kept.collect::<String>())
}

/// A line with `0 s` for every time in it.
fn timeless(line: &str) -> String {
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    for at in 1..words.len() {
        let is_number = !words[at - 1].is_empty() && words[at - 1].chars().all(|c| c.is_ascii_digit());
        if is_number && words[at].split('\u{1b}').next() == Some("s") {
            words[at - 1] = "0".to_owned();
        }
    }
    words.join(" ")
}

#[test]
fn every_seat_has_its_line_at_three_widths_and_ctrl_c_leaves_ordinary_text() {
    for columns in [60, 80, 120] {
        let folder = Folder::project();
        let mock = Mock::start(&folder, HELD);
        let Some(terminal) = held((columns, 30), &mock, &folder, &[]) else { return };
        let screen = terminal.until(&STANDING);
        expect_file![format!("screens/live-{columns}.txt")].assert_eq(&region(&screen, columns));
        assert!(screen.contains("Round 1 of at most 20 · discussion"), "{screen}");
        assert!(columns < 80 || screen.contains("1 of 5 answered, 1 failed"), "{screen}");
        assert!(screen.contains("tokens") && screen.contains(" of about $"), "{screen}");
        assert!(terminal.has_cursor());
        terminal.press(&["C-c"]);
        terminal.until(&["ENDED 130"]);
        let all = terminal.scrollback();
        for gone in ["answering", "thinking", "of at most 20 · "] {
            assert_eq!(all.matches(gone).count(), usize::from(gone.starts_with("of")), "{gone:?} in {all}");
        }
        for kept in ["Question", "product-manager (0.72): Offer REST", "try 2 follows", "it was interrupted"] {
            assert!(all.contains(kept), "{kept:?} is not in {all}");
        }
    }
}

#[test]
fn colour_says_nothing_alone_and_no_color_is_honoured() {
    let folder = Folder::project();
    let mock = Mock::start(&folder, HELD);
    let Some(terminal) = held((80, 30), &mock, &folder, &[]) else { return };
    terminal.until(&STANDING);
    let colored = region(&terminal.in_color(), 80).replace('\u{1b}', "␛");
    expect_file!["screens/live-colour.txt"].assert_eq(&colored);
    let other = Folder::project();
    let Some(plain) = held((80, 30), &mock, &other, &[("NO_COLOR", "1")]) else { return };
    plain.until(&STANDING);
    assert!(!plain.in_color().contains('\u{1b}'), "{}", plain.in_color());
    assert_eq!(region(&plain.screen(), 80), region(&terminal.screen(), 80));
}

#[test]
fn a_resize_in_the_middle_leaves_one_region_that_fits() {
    let folder = Folder::project();
    let mock = Mock::start(&folder, HELD);
    let Some(terminal) = held((120, 40), &mock, &folder, &[]) else { return };
    terminal.until(&STANDING);
    let once = |screen: &str| {
        let of =
            |name: &str| screen.lines().filter(|line| line.contains(name) && !line.contains("Participants")).count();
        NAMES.iter().all(|name| of(name) <= 1)
    };
    for (columns, rows) in [(60, 30), (100, 30), (45, 12), (120, 9), (80, 30)] {
        terminal.resize(columns, rows);
        let small = rows < 12;
        let fits = |screen: &str| {
            let has_all = small || NAMES.iter().all(|name| screen.contains(&name[..10.min(name.len())]));
            let wide = columns < 80 || screen.contains("tokens");
            has_all && wide && once(screen) && screen.contains("Round 1 of at most 20")
        };
        terminal.until_it(fits, &format!("one region in {columns} x {rows}"));
    }
    terminal.press(&["C-c"]);
    terminal.until(&["ENDED 130"]);
    let all = terminal.scrollback();
    assert!(!all.contains("answering") && !all.contains("thinking"), "something is left behind: {all}");
}

#[test]
fn more_seats_than_rows_are_counted() {
    let folder = Folder::project();
    let mock = Mock::start(&folder, HELD);
    let Some(terminal) = held((80, 7), &mock, &folder, &[]) else { return };
    let screen = terminal.until(&["more:", "Round 1 of at most 20"]);
    assert!(screen.lines().count() <= 7, "{screen}");
    terminal.press(&["C-c"]);
    terminal.until(&["ENDED 130"]);
}

#[test]
fn a_kill_leaves_a_terminal_with_a_cursor() {
    let folder = Folder::project();
    let mock = Mock::start(&folder, HELD);
    let Some(terminal) = held((80, 30), &mock, &folder, &[]) else { return };
    terminal.until(&STANDING);
    let id = folder.ids().remove(0);
    let pid = folder.read(&format!(".s2s/sessions/{id}/.lock"));
    assert!(Command::new("kill").args(["-KILL", pid.trim()]).status().unwrap().success());
    terminal.until(&["ENDED 137"]);
    assert!(terminal.has_cursor());
}

#[test]
fn ctrl_z_finds_a_clean_terminal_and_the_view_comes_back() {
    let folder = Folder::project();
    let mock = Mock::start(&folder, HELD);
    let Some(terminal) = held((80, 30), &mock, &folder, &[]) else { return };
    terminal.until(&STANDING);
    terminal.press(&["C-z"]);
    terminal.until_it(|screen| screen.contains("Round 1") && !screen.contains("thinking"), "no region");
    let id = folder.ids().remove(0);
    let pid = folder.read(&format!(".s2s/sessions/{id}/.lock"));
    assert!(Command::new("kill").args(["-CONT", pid.trim()]).status().unwrap().success());
    terminal.until(&STANDING);
    terminal.press(&["C-c"]);
    terminal.until(&["ENDED 130"]);
    assert!(!terminal.scrollback().contains("thinking"));
}

#[test]
fn bug_the_table_was_drawn_over_a_person_who_writes() {
    let folder = Folder::project();
    // Long enough for the view to be drawn at all.
    let mock = Mock::start(&folder, &format!("latency_ms: 600\n{HELD}"));
    let model = format!("openai:{MODEL}");
    let args = ["roundtable", "start", TOPIC, "--strategy", "standard", "--participants", SEATS, "--human", "anna"];
    let args = [&args[..], &["--model", &model]].concat();
    let Some(terminal) = Terminal::running(&folder, (80, 40), &args, &mock.variables()) else { return };
    terminal.until(&["How would you like to answer?"]);
    for (keys, next) in [("", "Your position:"), ("REST", "Why?"), ("known", "How sure"), ("", "What worries you")] {
        let keys: Vec<&str> = [keys, "Enter"].into_iter().filter(|key| !key.is_empty()).collect();
        terminal.press(&keys);
        let screen = terminal.until(&[next]);
        assert!(!screen.contains("waiting") && !screen.contains("answered"), "{screen}");
    }
}
