//! The way from an idea to a plan, as a person finds it: what each step names as the next one, what `s2s` alone says
//! of it, what a session that kept artifacts shows, and that all of it fits a terminal.

use unicode_width::UnicodeWidthStr;

use super::harness::{Folder, Run};
use super::work::{project, script};

const IDEAS: &str = r#"
        - {kind: IDEA, title: "A page of orders", text: "Partners see a page"}
        - {kind: RISK, title: "Too slow", text: "It may be slow", severity: low, likelihood: low}"#;

fn specs(folder: &Folder, more: &[&str]) -> Run {
    let mut args = vec!["specs", "--panel", "script:first.yaml", "--strategy", "standard"];
    args.extend(more);
    folder.run(&args)
}

/// Whether anything that was printed is wider than a terminal of 80 columns.
#[track_caller]
fn fits(run: &Run) {
    let wide: Vec<&str> = run.out.lines().filter(|line| line.width() > 80).collect();
    assert!(wide.is_empty(), "{wide:#?}");
}

#[test]
fn workflows_take_the_sides_of_a_debate_from_flags() {
    let folder = project();
    let short = ["--max-rounds", "1", "--quiet", "--new"];
    let sides = |args: &[&str]| {
        let before = folder.ids();
        folder.run(&[args, &short].concat()).ok();
        super::work::newest(&folder, &before)["debate_sides"].clone()
    };
    let design = sides(&["design", "--panel", "script:design.yaml", "--con", "technical-lead"]);
    assert_eq!(design["pro"], serde_json::json!(["software-architect", "devops-engineer"]));
    assert_eq!(design["con"], serde_json::json!(["technical-lead"]));
    let panel = ["--panel", "script:first.yaml"];
    let args = ["specs", "--strategy", "debate", "--pro", "qa-lead", "--con", "product-manager,business-analyst"];
    assert_eq!(sides(&[&args[..], &panel].concat())["pro"], serde_json::json!(["qa-lead"]));
    folder.run(&["specs", "--pro", "qa-lead"]).is(2).says(&["\"consensus-driven\" has none", "--strategy debate"]);
    folder.run(&["design", "--pro", "a,,b"]).is(2).says(&["--pro \"a,,b\" has an empty name"]);
    folder.run(&["design", "--pro", "a", "--session", "2026"]).is(2).says(&["--pro"]);
    folder.run(&["design", "--con", "a", "--skip-roundtable"]).is(2).says(&["--con"]);
}

#[test]
fn the_end_of_a_workflow_names_the_next_one() {
    let folder = project();
    folder.write("ideas.yaml", script(IDEAS));
    let brainstorm = ["brainstorm", "Partners and orders", "--panel", "script:ideas.yaml", "--strategy", "standard"];
    let ended = folder.run(&brainstorm).ok();
    let id = folder.ids().remove(0);
    let next = format!("s2s specs --from {id}");
    ended.shows(&[&next]);
    let last = specs(&folder, &["--json"]).ok().out.lines().last().map(serde_json::from_str::<serde_json::Value>);
    let last = last.unwrap().unwrap();
    assert_eq!((&last["event"], &last["next"]), (&"session_completed".into(), &"s2s design".into()));
    let design = ["design", "--panel", "script:design.yaml", "--strategy", "standard", "--quiet"];
    folder.run(&design).ok().shows(&["s2s plan ", "make tasks of it"]);
    let free = folder.start(&["--json"]).ok();
    assert!(!free.out.lines().last().unwrap().contains("\"next\":"), "a free discussion leads nowhere by itself");
}

#[test]
fn init_and_s2s_alone_name_the_workflows() {
    let folder = Folder::bare();
    let way = "or s2s brainstorm \"your idea\", then s2s specs, s2s design, s2s plan";
    let made = folder.run(&["init", "--yes"]).ok().shows(&["Fill in .s2s/CONTEXT.md", "roundtable start", way]);
    fits(&made);
    let home = folder.run(&[]).ok().shows(&["Next:    s2s roundtable start", "or  s2s brainstorm"]);
    fits(&home);
    let told = Folder::bare();
    let answers = ["--objective", "Fewer calls", "--constraint", "Two developers"];
    let made = told.run(&[&["init", "--yes"], &answers[..]].concat()).ok();
    assert!(!made.out.contains("Fill in"), "the objectives are filled in: {}", made.out);
    made.shows(&["Say more in .s2s/CONTEXT.md"]);
}

#[test]
fn s2s_alone_says_how_far_the_way_is_gone() {
    let folder = project();
    let says = |line: &str, next: &str| {
        let run = folder.run(&[]).ok().shows(&[line, &format!("Next:    {next}")]);
        fits(&run);
        let value = folder.run(&["--json"]).ok().json();
        assert!(value["next"].as_str().unwrap().starts_with(next), "{value}");
        value["progress"].clone()
    };
    folder.write("ideas.yaml", script(IDEAS));
    let brainstorm = ["brainstorm", "Partners and orders", "--panel", "script:ideas.yaml", "--strategy", "standard"];
    folder.run(&brainstorm).ok();
    says("So far:  requirements: none, architecture: none, plan: none", "s2s specs --from 2");
    specs(&folder, &["--quiet"]).ok();
    says("So far:  requirements: 4, architecture: none, plan: none", "s2s design");
    folder.run(&["design", "--panel", "script:design.yaml", "--strategy", "standard", "--quiet"]).ok();
    says("So far:  requirements: 4, architecture: 3, plan: none", "s2s plan");
    folder.run(&["plan", "--panel", "offline"]).ok();
    let progress = says("architecture: 3, plan: 7 of 7 tasks open", "s2s plan show PLAN-001");
    let plan = serde_json::json!({ "id": "PLAN-001", "open": 7, "tasks": 7 });
    assert_eq!(progress, serde_json::json!({ "ideas": 1, "requirements": 4, "architecture": 3, "plan": plan }));
    folder.run(&["plan", "close", "PLAN-001"]).ok();
    // What cannot be read is told elsewhere; this still answers.
    folder.write(".s2s/sessions/20260101-000000-broken.yaml", "id: [");
    says("requirements: 4, architecture: 3", "s2s plan");
}

#[test]
fn a_shown_session_counts_the_artifacts_of_its_agenda_and_lists_them() {
    let folder = project();
    specs(&folder, &["--quiet"]).ok();
    let agenda = [
        "── Agenda and artifacts",
        "Functional requirements (critical) 2/2 artifacts",
        "Measurable qualities 1/1 artifact",
    ];
    let first = "REQ-001  Export orders\n                           functional requirement, active; carried: 3 support";
    let list = [first, "NFR-001  Fast lists", "OQ-001  Who pays?", "open question, open\n"];
    for command in [["session", "show"], ["roundtable", "show"]] {
        let shown = folder.run(&command).ok().shows(&agenda).shows(&list);
        fits(&shown);
    }
    let minutes = folder.only();
    let (one, topics) = (&minutes["artifacts"][0], minutes["coverage"].as_array().unwrap());
    assert_eq!((&one["id"], &one["kind"], &one["status"]), (&"REQ-001".into(), &"REQ".into(), &"active".into()));
    assert_eq!(one["tally"]["carried"], true);
    assert!(topics.iter().any(|topic| topic["least"] == 2 && topic["artifacts"] == 2), "{topics:?}");
    // Without a tape, the minutes still tell.
    std::fs::remove_file(folder.path().join(format!(".s2s/sessions/{}/tape.jsonl", folder.ids()[0]))).unwrap();
    folder.run(&["session", "show"]).ok().shows(&agenda).shows(&list);
}

#[test]
fn requirements_without_a_roundtable_say_so() {
    let folder = project();
    let marked = "No seat was asked: drawn from CONTEXT.md.";
    for format in ["srs", "volere", "simple"] {
        let panel = ["--panel", "script:first.yaml", "--format", format, "--quiet", "--replace"];
        folder.run(&[&["specs", "--skip-roundtable"], &panel[..]].concat()).ok();
        let text = folder.read("docs/specifications/requirements.md");
        assert!(text.contains(marked), "{format}: {text}");
        assert!(text.contains("not voted on") || text.contains("unvoted"), "{format}: {text}");
    }
    for id in folder.ids() {
        assert!(folder.read(&format!(".s2s/sessions/{id}.yaml")).contains(&format!("panel_note: \"{marked}")), "{id}");
    }
    folder.run(&["design", "--skip-roundtable", "--panel", "script:design.yaml", "--quiet"]).ok();
    assert!(folder.read("docs/architecture/architecture.md").contains(marked));
}

#[test]
fn plans_bills_and_checks_fit_80_columns() {
    let folder = project();
    let long = "A partner exports the orders of any month, of any year and of any shop as one file".repeat(2);
    folder.write("long.yaml", script(super::work::FIRST).replace("a file comes", &long));
    folder.run(&["specs", "--panel", "script:long.yaml", "--strategy", "standard", "--quiet"]).ok();
    fits(&folder.run(&["plan", "--panel", "offline"]).ok());
    let shown = folder.run(&["plan", "show"]).ok().shows(&["      check (REQ-001): A partner exports"]);
    fits(&shown);
    fits(&folder.run(&["session", "cost"]).ok());
    fits(&folder.run(&["session", "verify"]).ok());
    fits(&folder.run(&["session", "replay"]).ok());
}
