//! `s2s show`: the whole, a round, a seat, the conflicts; rendered, and through a pager where that is long.

use std::process::{Command, Stdio};

use super::harness::{Folder, TOPIC, skipped};
use super::terminal::Person;

/// Answers in Markdown, and a conflict that is settled in round 2.
const RICH: &str = r###"
replies:
  - {kind: question, reply: {action: question, question: "Which way?", participants: all, focus: "Ways"}}
  - {kind: response, reply: {position: "Use **REST**, see [the guide](https://example.com/rest).\n\n| way | cost |\n|---|---|\n| REST | low |\n\n```sh\ncurl -I /v1\n```", rationale: ["known &#27;[31m to *all*"], confidence: 0.7, concerns: []}}
  - {round: 1, kind: synthesis, reply: {action: synthesis, synthesis: "## Where we are\n\n1. REST\n2. GraphQL", consensus: ["Use REST"], conflicts: [{id: caching, description: "Who caches?", positions: {technical-lead: "The proxy", product-manager: "The app"}}], next_action: continue, next_focus: "Costs"}}
  - {round: 2, kind: synthesis, reply: {action: synthesis, synthesis: "Settled.", resolved: [{conflict_id: caching, resolution: "The proxy caches", resolution_type: consensus}], next_action: continue}}
  - {kind: synthesis, reply: {action: synthesis, synthesis: "All agree.", next_action: conclude, recommendation: "Use REST", output_type: adr}}
"###;

fn held() -> (Folder, String) {
    let folder = Folder::project();
    folder.write("rich.yaml", RICH);
    folder
        .run(&[
            "roundtable",
            "start",
            TOPIC,
            "--panel",
            "script:rich.yaml",
            "--strategy",
            "standard",
            "--yes",
            "--quiet",
        ])
        .ok();
    let id = folder.ids().remove(0);
    (folder, id)
}

#[test]
fn markdown_is_drawn_and_what_hides_in_it_is_not() {
    let (folder, id) = held();
    let shown = folder.run(&["show", &id]).ok();
    let shown =
        shown.shows(&["Use REST, see the guide (https://example.com/rest).", "way  │ cost", "─┼─", "    curl -I /v1"]);
    let shown = shown.shows(&["Where we are", "1. REST", "2. GraphQL", "- known [31m to all"]);
    assert!(!shown.out.contains("**") && !shown.out.contains('\u{1b}'), "{}", shown.out);
    for other in [["roundtable", "show"], ["session", "show"]] {
        assert_eq!(folder.run(&[other[0], other[1], &id]).ok().out, shown.out);
    }
}

#[test]
fn a_round_a_seat_and_the_conflicts_are_shown_alone() {
    let (folder, id) = held();
    let round = folder.run(&["show", &id, "--round", "2"]).ok().shows(&["Round 2", "Settled."]);
    assert!(!round.out.contains("Where we are") && !round.out.contains("Outcome"), "{}", round.out);
    folder.run(&["show", &id, "--round", "9"]).is(2).says(&["no round 9", "s2s show"]);
    let seat = folder
        .run(&["show", &id, "--seat", "Technical-Lead"])
        .ok()
        .shows(&["technical-lead (confidence 0.70)", "The proxy"]);
    assert!(!seat.out.contains("product-manager (confidence"), "{}", seat.out);
    folder.run(&["show", &id, "--seat", "tecnical-lead"]).is(2).says(&["did you mean \"technical-lead\"?"]);
    folder.run(&["show", &id, "--seat", "facilitator", "--round", "1"]).ok().shows(&["Where we are"]);
    let lives = folder.run(&["show", &id, "--conflicts"]).ok();
    lives.shows(&[
        "caching",
        "Who caches?",
        "in round 1",
        "The app",
        "Settled",
        "in round 2, by consensus",
        "The proxy caches",
    ]);
    let json = folder.run(&["show", &id, "--conflicts", "--json"]).ok().json();
    let life = &json["conflicts"][0];
    assert_eq!((&life["opened"], &life["age"], &life["settled"]["round"]), (&1.into(), &2.into(), &2.into()));
    let json = folder.run(&["show", &id, "--seat", "technical-lead", "--round", "1", "--json"]).ok().json();
    assert_eq!((json["rounds"].as_array().unwrap().len(), &json["seat"]), (1, &"technical-lead".into()));
    assert!(json["rounds"][0]["response"]["position"].as_str().unwrap().contains("**REST**"), "as it was said");
}

#[test]
fn a_long_text_goes_through_the_pager_and_a_broken_one_hides_nothing() {
    let (folder, id) = held();
    let less = [("PAGER", "less".to_owned())];
    let Some(mut person) = Person::with(&folder, &["show", &id], &less) else { return };
    // The first page is there, the end is not; `G` goes to the end, `q` leaves.
    person.answers("Roundtable Discussion", "G").answers("Outcome", "q");
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    let own = [("S2S_PAGER", "head -n 1; echo PAGED".to_owned()), ("PAGER", "false".to_owned())];
    let Some(person) = Person::with(&folder, &["show", &id], &own) else { return };
    let (code, seen) = person.leaves();
    assert!(code == 0 && seen.contains("PAGED") && !seen.contains("Outcome"), "{code} {seen}");
    let broken = [("S2S_PAGER", "/nowhere/pager -x".to_owned())];
    let Some(person) = Person::with(&folder, &["show", &id], &broken) else { return };
    let (code, seen) = person.leaves();
    assert!(code == 0 && seen.contains("did not work") && seen.contains("Outcome"), "{code} {seen}");
    let Some(person) = Person::with(&folder, &["show", &id, "--no-pager"], &own) else { return };
    let (code, seen) = person.leaves();
    assert!(code == 0 && seen.contains("Outcome") && !seen.contains("PAGED"), "{code} {seen}");
    let Some(person) = Person::with(&folder, &["show", &id, "--conflicts"], &own) else { return };
    let (code, seen) = person.leaves();
    assert!(code == 0 && seen.contains("The proxy caches") && !seen.contains("PAGED"), "short: {code} {seen}");
}

/// A terminal of its own under tmux; it ends with the test.
struct Tmux<'f> {
    folder: &'f Folder,
    socket: String,
}

impl<'f> Tmux<'f> {
    /// Runs a line of a shell in 80 by 24 characters; none where there is no tmux.
    fn run(folder: &'f Folder, line: &str) -> Option<Self> {
        let tmux = Self { folder, socket: format!("s2s-shown-{}", std::process::id()) };
        let kept = format!("TERM=xterm {line}; echo CODE=$?; exec cat");
        let begun = tmux.told(&["new-session", "-d", "-x", "80", "-y", "24", &kept]);
        if begun.is_none() {
            skipped("tmux cannot be run here");
        }
        begun.map(|_| tmux)
    }

    fn told(&self, args: &[&str]) -> Option<String> {
        let mut command = Command::new("tmux");
        command.args(["-f", "/dev/null", "-L", &self.socket]).args(args);
        self.folder.settle(&mut command);
        let output = command.env("TERM", "xterm").stderr(Stdio::null()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// The screen, once this is on it.
    fn until(&self, part: &str) -> String {
        let mut screen = String::new();
        for _ in 0..3_000 {
            screen = self.told(&["capture-pane", "-p"]).unwrap();
            if screen.contains(part) {
                return screen;
            }
        }
        panic!("{part:?} never came onto the screen: {screen}");
    }
}

impl Drop for Tmux<'_> {
    fn drop(&mut self) {
        self.told(&["kill-server"]);
    }
}

#[test]
fn less_turns_the_pages_in_a_real_terminal() {
    let (folder, id) = held();
    let line = format!("env -u PAGER -u LESS '{}' show {id}", env!("CARGO_BIN_EXE_s2s"));
    let Some(tmux) = Tmux::run(&folder, &line) else { return };
    let first = tmux.until("Participants");
    assert!(!first.contains("CODE="), "it waits for a key: {first}");
    tmux.told(&["send-keys", "G"]).unwrap();
    tmux.until("Output");
    // Ctrl-C is the pager's, and does not end what it shows.
    tmux.told(&["send-keys", "C-c"]).unwrap();
    tmux.told(&["send-keys", "q"]).unwrap();
    tmux.until("CODE=0");
}
