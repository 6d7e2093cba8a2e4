//! What a shell offers on Tab: bash with its script, as readline calls it; zsh and fish where they are installed, and
//! for all of them the lines that their scripts read.

use std::process::{Command, Stdio};

use super::harness::{Folder, finish};
use super::work::project;

/// The words of a line as readline breaks them: at blanks, and `=` and `:` are words of their own.
fn broken(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut glued = false;
    for c in line.chars() {
        match c {
            ' ' => glued = false,
            '=' | ':' => {
                words.push(c.to_string());
                glued = false;
            }
            c if glued => words.last_mut().unwrap().push(c),
            c => {
                words.push(c.to_string());
                glued = true;
            }
        }
    }
    if line.ends_with(' ') {
        words.push(String::new());
    }
    words
}

/// A shell in the folder that finds the binary by its name.
fn shell(folder: &Folder, program: &str) -> Command {
    let mut command = Command::new(program);
    folder.settle(&mut command);
    let beside = std::path::Path::new(env!("CARGO_BIN_EXE_s2s")).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap();
    let path = std::env::join_paths([beside].into_iter().chain(std::env::split_paths(&path))).unwrap();
    command.env("PATH", path).stdin(Stdio::null());
    command
}

/// What bash would put in place of the last part of the line.
fn bash(folder: &Folder, line: &str) -> Vec<String> {
    const ASK: &str = r#"
        source <(s2s completions bash)
        COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=("${@:2}") COMP_CWORD=$(($# - 2))
        _s2s s2s "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        ((${#COMPREPLY[@]})) && printf '%s\n' "${COMPREPLY[@]}"
        exit 0"#;
    let mut command = shell(folder, "bash");
    command.args(["--norc", "-c", ASK, "bash", line]).args(broken(line));
    let run = finish(command.spawn().unwrap()).ok();
    assert_eq!(run.err, "");
    run.out.lines().map(str::to_owned).collect()
}

/// The lines that a shell's script reads.
fn lines(folder: &Folder, shell: &str, words: &[&str]) -> Vec<String> {
    let index = (words.len() - 1).to_string();
    let run = folder.run(&[&["__complete", shell, &index, "--"], words].concat()).ok();
    assert_eq!(run.err, "");
    run.out.lines().map(str::to_owned).collect()
}

#[test]
fn bash_offers_commands_flags_strategies_and_roles() {
    let folder = Folder::project();
    assert_eq!(bash(&folder, "s2s roundtable st"), ["start"]);
    assert_eq!(bash(&folder, "s2s roundtable start --strat"), ["--strategy"]);
    let strategies = bash(&folder, "s2s roundtable start --strategy ");
    assert!(
        strategies.contains(&"six-hats".to_owned()) && !strategies.contains(&"direct".to_owned()),
        "{strategies:?}"
    );
    assert_eq!(bash(&folder, "s2s roundtable start --strategy=deb"), ["debate"]);
    assert_eq!(bash(&folder, "s2s roundtable start --participants qa-lead,techn"), ["qa-lead,technical-lead"]);
    assert_eq!(bash(&folder, "s2s roundtable start --participants qa-lead,qa-l"), [""; 0]);
    assert_eq!(bash(&folder, "s2s roundtable start --seat qa-l"), ["qa-lead="]);
    let models = bash(&folder, "s2s roundtable start --seat qa-lead=anthropic:");
    assert!(!models.is_empty() && models.iter().all(|model| model.starts_with("claude")), "{models:?}");
    assert_eq!(bash(&folder, "s2s role show technical-l"), ["technical-lead"]);
    assert_eq!(bash(&folder, "s2s catalog show strategy deb"), ["debate"]);
    assert_eq!(bash(&folder, "s2s completions f"), ["fish"]);
}

#[test]
fn bash_breaks_words_at_a_colon_and_a_project_s_role_still_completes() {
    let folder = Folder::project();
    folder.write(
        ".claude/agents/data-expert.md",
        "---\nname: data-expert\ndescription: Knows data\n---\nYou know data.\n",
    );
    assert_eq!(bash(&folder, "s2s role show project:data"), ["data-expert"]);
    assert_eq!(bash(&folder, "s2s roundtable start --participants qa-lead,project:data"), ["data-expert"]);
}

#[test]
fn sessions_artifacts_tasks_and_plans_complete() {
    let folder = project();
    folder.run(&["specs", "--panel", "script:first.yaml", "--strategy", "standard", "--quiet"]).ok();
    folder.run(&["plan", "--panel", "offline"]).ok();
    let id = folder.ids().remove(0);
    for command in ["roundtable show", "session cost", "design --from", "specs --session"] {
        assert_eq!(bash(&folder, &format!("s2s {command} 2")), [id.as_str()], "{command}");
    }
    assert!(bash(&folder, "s2s trace REQ-").contains(&"REQ-001".to_owned()));
    assert!(bash(&folder, "s2s trace TASK-").contains(&"TASK-001".to_owned()));
    assert_eq!(bash(&folder, "s2s plan show "), ["PLAN-001"]);
    assert!(bash(&folder, "s2s plan close T").contains(&"TASK-001".to_owned()));
    let told = lines(&folder, "fish", &["s2s", "session", "show", ""]);
    assert!(told[0].starts_with(&format!("{id}\tcompleted: ")), "{told:?}");
}

#[test]
fn zsh_and_fish_get_a_few_words_on_each() {
    let folder = Folder::project();
    let fish = lines(&folder, "fish", &["s2s", "roundtable", "start", "--strategy", "deb"]);
    assert!(fish[0].starts_with("debate\t") && fish[0].len() > 20, "{fish:?}");
    let zsh = lines(&folder, "zsh", &["s2s", "roundtable", "start", "--model", "anthropic:"]);
    assert!(zsh[0].starts_with("anthropic\\:claude"), "{zsh:?}");
    let zsh = lines(&folder, "zsh", &["s2s", "ini"]);
    assert_eq!(zsh, ["init:Make this folder a project, or complete it; nothing is over…"]);
}

#[test]
fn nothing_that_goes_wrong_is_said_and_nothing_steers_the_terminal() {
    let bare = Folder::bare();
    assert_eq!(bash(&bare, "s2s session show 2"), [""; 0]);
    assert!(bash(&bare, "s2s roundtable start --strategy ").contains(&"debate".to_owned()));
    for words in
        [&["__complete"][..], &["__complete", "bash", "x", "--", "s2s"], &["__complete", "csh", "1", "--", "s2s", ""]]
    {
        let run = bare.run(words).ok();
        assert_eq!((run.out.as_str(), run.err.as_str()), ("", ""));
    }
    let folder = Folder::project();
    folder.write(
        ".s2s/sessions/20260101-000000-evil.yaml",
        "id: 20260101-000000-evil\ntopic: \"a\\e[2J\\nb\\u202e\"\nstatus: paused\n",
    );
    folder.write(".s2s/sessions/20260102-000000-bad.yaml", "id: [");
    let told = lines(&folder, "fish", &["s2s", "session", "show", ""]);
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told.iter().all(|line| line.chars().filter(|c| c.is_control()).eq(['\t'])), "{told:?}");
    folder.write(".s2s/config.yaml", "roundtable: [");
    assert_eq!(bash(&folder, "s2s adr show A"), [""; 0]);
    assert!(bash(&folder, "s2s roundtable start --strategy ").contains(&"debate".to_owned()));
}

#[test]
fn the_scripts_of_other_shells_run_where_those_are_installed() {
    let folder = Folder::project();
    let zsh = r#"autoload -Uz compinit && compinit -u -D; source <(s2s completions zsh)
        _describe() { shift; print -l -- "${(@P)2}" }
        words=(s2s roundtable start --strategy deb) CURRENT=5; _s2s"#;
    let fish = "s2s completions fish | source; complete --do-complete 's2s roundtable start --strategy deb'";
    for (program, flags, ask) in [("zsh", &["-f", "-c"][..], zsh), ("fish", &["--no-config", "-c"], fish)] {
        let mut command = shell(&folder, program);
        command.args(flags).arg(ask);
        match command.spawn() {
            Ok(child) => {
                finish(child).ok().shows(&["debate"]);
            }
            Err(error) => eprintln!("{program} cannot be run here: {error}"),
        }
    }
}

#[test]
fn bug_ask_offered_every_role_instead_of_who_sat_at_the_table() {
    let folder = Folder::project();
    folder
        .start(&["--quiet", "--participants", "qa-lead,technical-lead", "--human", "Anna", "--on-absent", "pass"])
        .ok();
    let id = folder.ids().remove(0);
    assert_eq!(bash(&folder, &format!("s2s ask {id} ")), ["qa-lead", "technical-lead", "facilitator"]);
    assert_eq!(bash(&folder, &format!("s2s ask {} te", &id[..12])), ["technical-lead"]);
    let seats = ["qa-lead", "technical-lead", "anna", "facilitator"];
    assert_eq!(bash(&folder, &format!("s2s show {id} --seat ")), seats);
    assert_eq!(bash(&folder, "s2s show --seat "), seats, "the current session's");
    assert_eq!(bash(&folder, &format!("s2s roundtable resume {id} --ask te")), ["technical-lead="]);
    assert_eq!(bash(&folder, &format!("s2s roundtable answer {id} --as ")), ["anna"]);
    folder
        .run(&["roundtable", "start", "Another", "--panel", "script:calm.yaml", "--strategy", "standard", "--quiet"])
        .ok();
    assert_eq!(bash(&folder, &format!("s2s ask {id} qa")), ["qa-lead"], "not the newest session's");
    assert_eq!(bash(&folder, &format!("s2s show {id} --round ")), ["1", "2", "3"]);
    assert_eq!(bash(&folder, "s2s roundtable start --human anna:security"), ["security-champion"]);
    let told = lines(&folder, "fish", &["s2s", "ask", &id, "tech"]);
    assert_eq!(told, ["technical-lead\tTechnical Lead"]);
    assert_eq!(bash(&Folder::bare(), "s2s ask 2026 te"), [""; 0]);
}
