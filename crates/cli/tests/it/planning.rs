//! `s2s plan`: by rule and by a script, on a project with requirements and an architecture.

use std::sync::Arc;

use jiff::Timestamp;
use s2s::Failure;
use s2s::catalog::Catalog;
use s2s::config::Config;
use s2s::convene::{Convened, Request, convene};
use s2s::engine::opening::Workflow;
use s2s::engine::record::Outcome;
use s2s::engine::{Session, Unattended};
use s2s::panel::{Panel, ScriptPanel};
use s2s::register::ProjectRegister;
use s2s::roundtable::{Audience, Notice, Policy, Roundtable, Scribe, Surroundings, interrupt};
use s2s::store::{Minutes, Sessions};

use crate::harness::Folder;

struct Nothing;

impl Scribe for Nothing {
    fn write(&self, _: &Session, _: &Minutes, _: &Outcome) -> Result<Vec<String>, Failure> {
        Ok(Vec::new())
    }
}

impl Audience for Nothing {
    fn notice(&mut self, _: &Notice) {}
}

/// Holds a session that leaves these artifacts in the project's register.
pub fn hold(folder: &Folder, id: &str, workflow: Workflow, artifacts: &str) {
    let votes: Vec<String> = (1..=9).map(|n| format!("C1.{n}: support")).collect();
    let text = format!(
        "replies:\n  - {{kind: question, reply: {{action: question, question: What?}}}}\n  - {{kind: response, reply: {{position: Yes, \
         confidence: 0.8, votes: {{{}}}}}}}\n  - kind: synthesis\n    reply: {{action: synthesis, synthesis: Agreed., next_action: \
         conclude, recommendation: Do it, artifacts: [{artifacts}]}}\n",
        votes.join(", ")
    );
    let panel: Arc<dyn Panel> = Arc::new(ScriptPanel::read("test.yaml", &text).unwrap());
    let sessions = Sessions::new(folder.path().join(".s2s"));
    let mut config = Config::default();
    config.roundtable.limits.max_rounds = 2;
    let request = Request {
        id,
        topic: "An order desk",
        workflow,
        strategy: "standard",
        participants: &["product-manager", "technical-lead"].map(String::from),
        people: &[],
        pro: &[],
        con: &[],
        output_type: None,
        context: "A shop.",
        register: Some(ProjectRegister::read(&sessions).unwrap().for_session(workflow)),
        parent: None,
    };
    let Convened { opening, charter } = convene(request, &Catalog::builtin(), &config, &*panel).unwrap();
    let clock = Arc::new(|| Timestamp::UNIX_EPOCH);
    let minutes = Minutes::new(&opening, clock(), panel.kind(), &panel.note(), "given").unwrap();
    let mut table = Roundtable::begin(sessions.create(minutes).unwrap(), charter, panel, clock).unwrap();
    let mut around = Surroundings {
        audience: &mut Nothing,
        chair: &mut Policy(Unattended::Accept),
        scribe: &Nothing,
        interrupt: interrupt().1,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(table.run(&mut around)).unwrap();
}

pub fn designed() -> Folder {
    let folder = Folder::project();
    let specs = "{kind: REQ, title: Export orders, priority: must, acceptance: [It has 4 lines]}, {kind: NFR, title: Quick, \
                 characteristic: Performance efficiency, target: 200 ms, measure: load test}";
    hold(&folder, "1-specs", Workflow::Specs, specs);
    hold(&folder, "2-design", Workflow::Design, "{kind: COMP, title: Orders, serves: [REQ-001]}");
    folder
}

#[test]
fn without_requirements_it_says_what_to_run_first() {
    let folder = Folder::project();
    folder.run(&["plan", "--panel", "offline"]).is(2).says(&["no requirements yet", "s2s specs"]);
    folder.run(&["plan", "list"]).ok().shows(&["There is no plan yet"]);
    folder.run(&["plan", "show"]).is(2).says(&["there is no plan yet", "s2s plan"]);
    folder.run(&["plan", "check"]).is(2).says(&["there is no plan yet"]);
    folder.run(&["plan", "close", "TASK-001"]).is(2).says(&["there is no task TASK-001"]);
    Folder::bare().run(&["plan"]).is(2).says(&["s2s init"]);
}

#[test]
fn bug_a_broken_plan_kept_everything_else_from_being_shown() {
    let folder = designed();
    folder.run(&["plan", "--panel", "offline"]).ok();
    folder.run(&["session", "validate"]).ok();
    let file = ".s2s/plans/PLAN-001.yaml";
    let text = folder.read(file);
    folder.write(file, format!("{text}x: [\n"));

    folder.run(&["session", "validate"]).is(1).shows(&[file, "this plan cannot be read", "2 sessions"]);
    let json = folder.run(&["session", "validate", "--json"]).is(1).json();
    assert_eq!(json["report"]["findings"].as_array().unwrap().len(), 1, "{json}");
    assert_eq!(json["report"]["findings"][0]["file"], file);

    folder.run(&["trace"]).ok().shows(&["REQ-001", "COMP-001"]).says(&[file, "cannot be read"]);
    folder.run(&["trace", "REQ-001"]).ok().shows(&["Export orders"]).says(&[file, "cannot be read"]);
    let json = folder.run(&["trace", "--json"]).ok().json();
    assert_eq!(json["unread_plans"][0]["file"], file);
    let json = folder.run(&["trace", "REQ-001", "--json"]).ok().json();
    assert_eq!(json["unread_plans"][0]["file"], file);
    folder.run(&[]).ok().shows(&["So far:", "plan: cannot be read (.s2s/plans/PLAN-001.yaml)", "s2s session validate"]);
}

#[test]
fn a_plan_is_made_shown_closed_and_checked() {
    let folder = designed();
    folder
        .run(&["plan", "--dry-run", "--panel", "offline"])
        .ok()
        .shows(&["Nothing was written", "3 tasks in 3 groups"]);
    assert!(!folder.path().join(".s2s/plans").exists());
    let made = folder.run(&["plan", "--panel", "offline"]).ok();
    let made = made.shows(&["PLAN-001 is new", "planned by the rules", "Document: docs/plans/plan.md"]);
    assert_eq!(made.err, "");
    assert!(folder.read("docs/plans/plan.md").contains("### TASK-003"));
    folder.run(&["plan", "--panel", "offline"]).ok().shows(&["PLAN-001 is up to date"]);
    folder.run(&["plan", "show"]).ok().shows(&[
        "Group 1\n  [ ] TASK-001 Set up COMP-001 Orders\n",
        "  [ ] TASK-002 Implement REQ-001 Export orders\n      serves REQ-001; after TASK-001\n",
        "      check (NFR-001): 200 ms (measured by: load test)\n",
    ]);
    folder.run(&["plan", "close", "TASK-002", "--note", "merged"]).ok().shows(&["TASK-002 is closed", "TASK-001"]);
    let shown = folder.run(&["plan", "show", "plan-1", "--json"]).ok().json();
    assert_eq!((&shown["plan"]["tasks"][1]["status"], &shown["groups"][0][0]), (&"done".into(), &"TASK-001".into()));
    folder.run(&["plan", "check"]).ok().shows(&["warning: PLAN-001 TASK-002: it is done, but TASK-001"]);
    hold(&folder, "3-specs", Workflow::Specs, "{kind: REQ, title: Print, priority: must, acceptance: [It prints]}");
    folder.run(&["plan", "check"]).is(1).shows(&["error: REQ-002: no task serves \"Print\""]);
    let checked = folder.run(&["plan", "check", "--json"]).is(1).json();
    assert_eq!((&checked["sound"], &checked["findings"][1]["place"]), (&false.into(), &"REQ-002".into()));
    folder.run(&["plan", "--panel", "offline"]).ok().shows(&["brought up to date: 1 new"]);
    folder.run(&["plan", "--new", "--panel", "offline"]).ok().shows(&["PLAN-002 is new"]);
    folder.run(&["plan", "list"]).ok().shows(&["PLAN-001 (superseded)", "PLAN-002 (open)"]);
    let listed = folder.run(&["plan", "list", "--json"]).ok().json();
    assert_eq!(listed["plans"][0]["done"], 1);
}

#[test]
fn a_script_plans_and_its_flaws_are_doubted() {
    let folder = designed();
    let reply = "{tasks: [{key: a, title: All, serves: [REQ-001, NFR-001], depends_on: [nobody]}]}";
    folder.write("plan.yaml", format!("replies: [{{kind: plan, reply: {reply}}}]"));
    let made = folder.run(&["plan", "--panel", "script:plan.yaml", "--json"]).ok().json();
    assert_eq!(made["doubts"][0], "\"All\" waits for \"nobody\", which is no task; left out");
    assert_eq!(made["document"], "docs/plans/plan.md");
    assert!(folder.read(".s2s/plans/PLAN-001/calls.jsonl").lines().count() == 4);
    assert!(folder.read("docs/plans/plan.md").contains("which is no task; left out"));
}

#[test]
fn a_hand_edited_plan_with_a_cycle_is_found_and_left_alone() {
    let folder = designed();
    folder.run(&["plan", "--panel", "offline"]).ok();
    let text = folder.read(".s2s/plans/PLAN-001.yaml");
    let first = "    serves:\n      - COMP-001\n";
    assert!(text.contains(first), "{text}");
    folder.write(".s2s/plans/PLAN-001.yaml", text.replace(first, &format!("{first}    depends_on: [TASK-002]\n")));
    folder.run(&["plan", "check"]).is(1).shows(&["wait for each other: TASK-001 → TASK-002"]);
    folder.write(".s2s/plans/PLAN-001.yaml", text.replace("TASK-003", "TASK-many"));
    folder.run(&["plan", "check"]).is(2).says(&["PLAN-001.yaml:", "TASK-many", "^^^^"]);
}

#[test]
fn bug_an_unreadable_session_took_its_tasks_and_artifacts_with_it() {
    let folder = designed();
    folder.run(&["docs"]).ok();
    folder.run(&["plan", "--panel", "offline"]).ok();
    let files = [".s2s/plans/PLAN-001.yaml", "docs/plans/plan.md", "docs/architecture/architecture.md"];
    let before = files.map(|file| folder.read(file));
    let text = folder.read(".s2s/sessions/2-design.yaml");
    folder.write(".s2s/sessions/2-design.yaml", text.replacen("Agreed.", "Agreed!", 1));
    let commands = [
        &["plan", "--panel", "offline"][..],
        &["plan", "--new", "--panel", "offline"],
        &["plan", "close", "TASK-001"],
        &["docs"],
    ];
    for command in commands {
        folder.run(command).is(1).says(&["session 2-design cannot be read", "nothing was written", "restore its file"]);
    }
    assert_eq!(files.map(|file| folder.read(file)), before);
    folder.run(&["plan", "check"]).is(1).says(&["Session 2-design cannot be read"]);
    folder.write(".s2s/sessions/2-design.yaml", text);
    folder.run(&["plan", "--panel", "offline"]).ok().shows(&["PLAN-001 is up to date"]);
}

#[test]
fn bug_a_plan_with_errors_was_no_failure() {
    let folder = designed();
    folder.write("plan.yaml", "replies: [{kind: plan, reply: {tasks: [{key: a, title: All, serves: [REQ-009]}]}}]");
    let run = ["plan", "--panel", "script:plan.yaml"];
    folder.run(&run).is(1).shows(&["error: PLAN-001 TASK-001: it serves nothing"]).says(&["the plan has one error"]);
    let made = folder.run(&[&run[..], &["--json"]].concat()).is(1).json();
    assert_eq!(made["findings"][0]["weight"], "error");
}
