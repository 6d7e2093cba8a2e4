//! Plans over whole projects on disk: by rule, by a script, by a model behind its wire format, and people in between.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use expect_test::expect_file;
use s2s::Failure;
use s2s::config::Config;
use s2s::documents::living::{Asking, Edit, Rack, Settle, Written};
use s2s::engine::opening::{FACILITATOR, Workflow};
use s2s::panel::{Manner, ModelPanel, OfflinePanel, Panel};
use s2s::plan::{self, Made, Plan, PlanStatus, Plans, Request, TaskId, TaskStatus, document};
use s2s::register::ProjectRegister;
use s2s::roundtable::{Budgets, Clock};
use s2s::{FailureKind, plan::Weight};
use s2s_mock::Server;
use serde_json::Value;

use crate::living::{DESIGN, Project, SPECS};
use crate::markdown::well_formed;
use crate::world::{Still, catalog, mocked, script};

const PLAN_MD: &str = "docs/plans/plan.md";

/// A project with requirements and an architecture.
fn designed() -> Project {
    let project = Project::new();
    project.hold("1-specs", Workflow::Specs, SPECS).unwrap();
    project.hold("2-design", Workflow::Design, DESIGN).unwrap();
    project
}

fn offline() -> Arc<dyn Panel> {
    Arc::new(OfflinePanel::from_catalog(&catalog()).0)
}

fn plans(project: &Project) -> Vec<Plan> {
    Plans::new(&project.path(".s2s")).all().unwrap()
}

async fn planning(project: &Project, panel: &dyn Panel, new: bool, budgets: Budgets) -> Result<Made, Failure> {
    let prepared = plan::prepare(Request {
        dir: &project.path(".s2s"),
        sessions: &project.sessions,
        catalog: &catalog(),
        context: "A shop.",
        decisions: &plan::decision_titles(&project.path("docs/decisions")),
        new,
    })?;
    prepared.carry_out(panel, budgets, &Still).await
}

fn planned_within(project: &Project, panel: &dyn Panel, new: bool, budgets: Budgets) -> Result<Made, Failure> {
    runtime().block_on(planning(project, panel, new, budgets))
}

fn planned(project: &Project, panel: &dyn Panel) -> Result<Made, Failure> {
    planned_within(project, panel, false, Budgets::default())
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

fn written(project: &Project, settle: &mut Asking<'_>) -> Written {
    let rack = Rack::new(&project.path(""), &Config::default(), &catalog(), "Order desk").unwrap();
    let register = ProjectRegister::read(&project.sessions).unwrap();
    document::write(&rack, &plans(project), &register, settle).unwrap().expect("there is a plan")
}

fn never(edits: &[Edit]) -> Vec<Settle> {
    panic!("asked about {edits:?}")
}

fn calls(project: &Project) -> Vec<Value> {
    let text = project.read(".s2s/plans/PLAN-001/calls.jsonl");
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_plan_by_rule_is_kept_shown_and_linked() {
    let project = designed();
    let made = planned(&project, &*offline()).unwrap();
    assert!(made.is_new && made.findings.is_empty() && made.doubts.is_empty(), "{made:?}");
    let closed = plan::close(&Plans::new(&project.path(".s2s")), "task-2", Some("merged\n"), Still.now()).unwrap();
    assert_eq!((closed.task, closed.already), (Some(TaskId(2)), false));
    assert_eq!(written(&project, &mut never).files, [PLAN_MD]);
    expect_file!["./planning/plan.md"].assert_eq(&project.read(PLAN_MD));
    expect_file!["./planning/PLAN-001.yaml"].assert_eq(&project.read(".s2s/plans/PLAN-001.yaml"));
    project.docs().iter().for_each(|path| well_formed(path));
    assert!(written(&project, &mut never).changed.is_empty(), "again changes nothing");
    let register = ProjectRegister::read(&project.sessions).unwrap();
    assert_eq!(plan::check(&plans(&project), &register), []);
    let (links, _) = plan::task_links(&project.path("")).unwrap();
    let about = |id: &str| links.iter().filter(|link| link.serves.contains(&id.parse().unwrap())).count();
    assert_eq!((links.len(), about("REQ-001"), about("NFR-001")), (plans(&project)[0].tasks.len(), 1, 1));
    assert_eq!(links.iter().filter(|link| link.done).map(|link| link.id.as_str()).collect::<Vec<_>>(), ["TASK-002"]);
}

#[test]
fn ids_stay_over_two_merges_and_people_keep_their_words() {
    let project = designed();
    planned(&project, &*offline()).unwrap();
    written(&project, &mut never);
    let first = plans(&project).remove(0);
    assert!(planned(&project, &*offline()).unwrap().changes.is_nothing());
    assert_eq!(plans(&project), std::slice::from_ref(&first), "nothing new: nothing written");
    let mine = project.read(PLAN_MD).replace("## 2 Order\n", "## 2 Order\n\nMy own words.\n");
    fs::write(project.path(PLAN_MD), mine.replace("There", "Here")).unwrap();
    let file = project.path(".s2s/plans/PLAN-001.yaml");
    let owned = fs::read_to_string(&file).unwrap().replace("by: the rules\n", "by: the rules\nowner: Ann\n");
    fs::write(&file, owned).unwrap();
    let specs = r#"artifacts:
  - {id: REQ-002, status: withdrawn}
  - {kind: REQ, title: "Print orders", text: "On paper", priority: could, acceptance: ["It prints"]}
"#;
    project.hold("3-specs", Workflow::Specs, specs).unwrap();
    let made = planned(&project, &*offline()).unwrap();
    assert_eq!((made.changes.added.len(), made.changes.dropped.len()), (1, 1), "{:?}", made.changes);
    written(&project, &mut |edits| vec![Settle::Mine; edits.len()]);
    let text = project.read(PLAN_MD);
    assert!(text.contains("My own words.") && text.contains("REQ-002 is withdrawn"), "{text}");
    project.docs().iter().for_each(|path| well_formed(path));
    let second = plans(&project).remove(0);
    assert_eq!(second.rest.get("owner"), Some(&Value::from("Ann")), "what others wrote stays");
    for task in second.counting().filter(|task| !made.changes.added.contains(&task.id)) {
        let before = first.task(task.id).expect("an id that was there");
        assert_eq!((before.serves[0], before.title.as_str()), (task.serves[0], task.title.as_str()));
    }
    assert_eq!(second.history.len(), 2);
}

#[test]
fn a_new_plan_stands_in_the_place_of_the_old_and_uses_no_id_twice() {
    let project = designed();
    let first = planned(&project, &*offline()).unwrap().plan;
    let done = first.tasks.iter().find(|task| task.title.contains("REQ-001")).unwrap();
    plan::close(&Plans::new(&project.path(".s2s")), &done.id.to_string(), None, Still.now()).unwrap();
    let made = planned_within(&project, &*offline(), true, Budgets::default()).unwrap();
    let all = plans(&project);
    assert_eq!(all.iter().map(|plan| plan.status).collect::<Vec<_>>(), [PlanStatus::Superseded, PlanStatus::Open]);
    assert!(made.plan.tasks.iter().all(|task| first.task(task.id).is_none()));
    assert!(!made.plan.tasks.iter().any(|task| task.title.contains("REQ-001")), "what is done is not planned again");
    let register = ProjectRegister::read(&project.sessions).unwrap();
    assert_eq!(plan::check(&all, &register), []);
    let closed = plan::close(&Plans::new(&project.path(".s2s")), "PLAN-002", None, Still.now()).unwrap();
    assert_eq!(closed.open.len(), made.plan.tasks.len());
    let lonely = plan::check(&plans(&project), &register);
    assert!(!lonely.is_empty() && lonely.iter().all(|one| one.weight == Weight::Error), "open work of a closed plan");
}

const FLAWED: &str = r#"
replies:
  - kind: plan
    reply:
      tasks:
        - {key: store, title: Make the store, serves: [ARCH-001, COMP-009], depends_on: [export], estimate: 2 days}
        - {key: export, title: Export, serves: [REQ-001], depends_on: [store, "Something else"]}
        - {key: TASK-077, title: Search, serves: ["Search | find <b>orders</b>"], depends_on: [Make the store]}
"#;

#[test]
fn a_plan_with_flaws_is_asked_for_once_more_and_the_rest_is_doubted() {
    let project = designed();
    let made = planned(&project, &*script(FLAWED)).unwrap();
    let lines = calls(&project);
    assert_eq!(
        lines.iter().map(|line| line["call"].as_str().unwrap()).collect::<Vec<_>>(),
        ["plan.1", "plan.1", "plan.2", "plan.2"]
    );
    let asked = |at: usize| lines[at]["prompt"]["user"].as_str().unwrap().to_owned();
    assert!(asked(0).contains("REQ-001 Export orders (must)") && asked(0).contains("ARCH-001"), "{}", asked(0));
    assert!(!asked(0).contains("could not be used") && asked(2).contains("could not be used"), "{}", asked(2));
    for flaw in [
        "\"Make the store\" serves \"COMP-009\", which is no artifact",
        "\"Export\" waits for \"Something else\"",
        "\"Search\" calls itself TASK-077",
        "wait for each other: \"Make the store\" → \"Export\" → \"Make the store\"",
        "no task serves NFR-001 \"Quick search\"",
    ] {
        assert!(asked(2).contains(flaw), "{flaw}: {}", asked(2));
        assert!(made.plan.doubts().iter().any(|doubt| doubt.contains(flaw)), "{flaw}: {:?}", made.plan.doubts());
    }
    let shape = |task: &plan::Task| (task.id.0, task.depends_on.clone(), task.acceptance.len());
    let kept = plans(&project).remove(0);
    assert_eq!(kept.by, "script");
    let shapes: Vec<_> = kept.tasks.iter().map(shape).collect();
    assert_eq!(shapes, [(1, vec![], 0), (2, vec![TaskId(1)], 1), (3, vec![TaskId(1)], 1)]);
    assert_eq!(kept.tasks[0].estimate.as_deref(), Some("2 days"));
}

#[test]
fn a_mended_plan_has_no_doubts_and_a_fault_leaves_all_as_it_was() {
    let project = designed();
    let good = r#"
  - kind: plan
    attempt: 2
    reply:
      tasks:
        - {key: a, title: All of it, serves: [REQ-001, REQ-002, NFR-001]}
"#;
    let made = planned(&project, &*script(&format!("{FLAWED}{good}"))).unwrap();
    assert_eq!((made.doubts, made.plan.tasks.len()), (Vec::new(), 1));
    let before = project.read(".s2s/plans/PLAN-001.yaml");
    for (reply, kind) in [("fault: timeout", FailureKind::NoAnswer), ("reply: no plan today", FailureKind::NoAnswer)] {
        let panel = script(&format!("replies:\n  - {{kind: plan, {reply}}}\n"));
        let failure = planned(&project, &*panel).unwrap_err();
        assert_eq!(failure.kind, kind, "{failure}");
        assert!(failure.next.is_some());
    }
    let none = Budgets { calls: Some(0), ..Budgets::default() };
    let failure = planned_within(&project, &*script(FLAWED), false, none).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Budget, "{failure}");
    assert_eq!(project.read(".s2s/plans/PLAN-001.yaml"), before);
}

#[test]
fn a_model_plans_behind_its_wire_format() {
    let project = designed();
    let reply = r#"{"tasks": [{"key": "a", "title": "All of it", "text": "", "serves": ["REQ-001", "REQ-002", "NFR-001"], "depends_on": [], "estimate": ""}]}"#;
    let say = format!("say: [{}]", Value::from(reply));
    let runtime = runtime();
    let server = runtime.block_on(Server::start(s2s_mock::Plan::from_yaml(&say).unwrap())).unwrap();
    let seated = mocked(&server);
    let panel = ModelPanel::new(BTreeMap::from([(FACILITATOR.to_owned(), seated)]), Manner::default());
    let made = runtime.block_on(planning(&project, &panel, false, Budgets::default())).unwrap();
    assert_eq!((made.plan.by.as_str(), made.plan.tasks.len()), ("mock:mock-large", 1));
    assert_eq!(made.plan.tasks[0].estimate, None);
    let lines = calls(&project);
    assert_eq!(lines[1]["reply"].as_str(), Some(reply), "the reply is kept as it came");
    assert!(lines[1]["usage"]["output_tokens"].as_u64().is_some_and(|tokens| tokens > 0), "{}", lines[1]);
}

#[test]
fn bad_ground_is_told_and_nothing_is_lost() {
    let project = Project::new();
    let failure = planned(&project, &*offline()).unwrap_err();
    assert!(failure.what.contains("no requirements yet") && failure.next.unwrap().contains("s2s specs"));
    assert!(!project.path(".s2s/plans").exists());
    let project = designed();
    planned(&project, &*offline()).unwrap();
    let store = Plans::new(&project.path(".s2s"));
    let file = project.path(".s2s/plans/PLAN-001.yaml");
    let good = fs::read_to_string(&file).unwrap();
    for (text, words) in [
        (good.replace("id: TASK-003", "id: TASK-x"), "PLAN-001.yaml:"),
        (good.replace("id: PLAN-001", "id: PLAN-007"), "PLAN-001.yaml holds the plan PLAN-007"),
        (good.replace("tasks:", "tasks: ["), "PLAN-001.yaml:"),
    ] {
        fs::write(&file, &text).unwrap();
        let failure = planned(&project, &*offline()).unwrap_err();
        assert!(failure.what.contains(words), "{words}: {failure}");
        assert_eq!(fs::read_to_string(&file).unwrap(), text, "a broken file is left alone");
    }
    fs::write(&file, &good).unwrap();
    for (name, words) in [
        ("TASK-099", "there is no task TASK-099"),
        ("PLAN-009", "there is no plan"),
        ("x", "neither a plan nor a task"),
    ] {
        let failure = plan::close(&store, name, None, Still.now()).unwrap_err();
        assert!(failure.what.contains(words) && failure.next.is_some(), "{failure}");
    }
    let held = store.lock().unwrap();
    assert!(store.lock().unwrap_err().what.contains("another `s2s plan`"));
    drop(held);
    let again = plan::close(&store, "TASK-001", None, Still.now()).unwrap();
    assert!(!again.already && plan::close(&store, "TASK-001", None, Still.now()).unwrap().already);
    assert_eq!(plans(&project)[0].task(TaskId(1)).unwrap().status, TaskStatus::Done);
}

#[test]
fn bug_the_plan_linked_to_what_a_later_session_had_taken_away() {
    let project = designed();
    planned(&project, &*offline()).unwrap();
    written(&project, &mut never);
    let before = project.read(PLAN_MD);
    let renamed = "artifacts:\n  - {id: REQ-001, title: Export all orders}\n  - {id: REQ-002, status: withdrawn}\n";
    project.hold("3-specs", Workflow::Specs, renamed).unwrap();
    assert_ne!(project.read(PLAN_MD), before);
    assert!(written(&project, &mut never).changed.is_empty(), "it was brought up to date when the session ended");
    project.docs().iter().for_each(|path| well_formed(path));
}
