//! From an idea to an architecture: `specs`, `design` and `brainstorm` with scripted panels that propose artifacts.

use serde_json::{Value, json};

use super::harness::{Folder, Run, finish};
use super::terminal::{ENTER, Person};

const DOWN: &str = "\x1b[B";
const REVIEW: &str = "Is this what you want to keep?";

const CONTEXT: &str = "# Partner shop\n\nA web shop for partners, kept by two developers. Partners see their orders \
                       and export them.\n\n## Objectives\n\nSupport calls fall by half within a year.\n\n## Scope\n\n\
                       Orders and invoices; no payments at all.\n";

/// Requirements enough for every topic that must have some; the facilitator makes up an id.
pub const FIRST: &str = r#"
        - {kind: REQ, id: REQ-900, title: "Export orders", text: "A partner exports orders as CSV", topic: functional-requirements, priority: must, acceptance: ["a file comes"], proposed_by: [qa-lead]}
        - {kind: REQ, title: "See orders", text: "A partner sees its orders", topic: functional-requirements, priority: must, acceptance: ["a list comes"]}
        - {kind: REQ, title: "Come back", text: "A partner finds the way back", topic: user-workflows, priority: should, acceptance: ["a way"]}
        - {kind: NFR, title: "Fast lists", text: "Lists come fast", topic: nfr-measurable, characteristic: performance, target: "1 s", measure: "p95"}
        - {kind: OQ, title: "Who pays?"}"#;

/// A later panel changes the first and adds one.
pub const SECOND: &str = r#"
        - {id: REQ-001, text: "A partner exports orders as CSV or JSON"}
        - {kind: REQ, title: "Print orders", text: "A partner prints orders", topic: functional-requirements, priority: could, acceptance: ["paper"]}"#;

pub const THIRD: &str = r#"
        - {id: REQ-002, status: withdrawn}
        - {kind: REQ, title: "Search orders", text: "A partner searches orders", topic: functional-requirements, priority: should, acceptance: ["hits"]}"#;

/// Starting over needs everything anew.
const ANEW: &str = r#"
        - {kind: REQ, title: "Send orders", text: "A partner sends orders", topic: functional-requirements, priority: must, acceptance: ["sent"]}
        - {kind: REQ, title: "Stop orders", text: "A partner stops orders", topic: functional-requirements, priority: must, acceptance: ["stopped"]}
        - {kind: REQ, title: "Sign in", text: "A partner signs in", topic: user-workflows, priority: must, acceptance: ["in"]}
        - {kind: NFR, title: "Always there", text: "It is there", topic: nfr-measurable, characteristic: reliability, target: "99 %", measure: "a month"}"#;

pub const DESIGN: &str = r#"
        - {kind: ARCH, title: "One service", text: "One service serves all", topic: high-level-arch, options: ["one", "many"], consequences: ["simple"], serves: [REQ-001]}
        - {kind: COMP, title: "Orders", text: "Keeps orders", topic: components, serves: [REQ-001, REQ-777]}
        - {kind: COMP, title: "Exports", text: "Writes files", topic: components, uses: [Orders]}"#;

const TOPICS: [&str; 11] = [
    "user-workflows",
    "functional-requirements",
    "business-rules",
    "nfr-measurable",
    "acceptance-criteria",
    "out-of-scope",
    "high-level-arch",
    "components",
    "data-flow",
    "tech-choices",
    "integration",
];

/// A panel that proposes these in round 1, votes for all of them in round 2, and has met every criterion.
pub fn script(artifacts: &str) -> String {
    let covered =
        TOPICS.map(|topic| format!("        - {{topic: {topic}, status: covered, met: [1, 2, 3]}}\n")).concat();
    format!(
        r#"
replies:
  - {{kind: sides, reply: {{pro: [software-architect], con: [technical-lead, devops-engineer], proposal: "One service"}}}}
  - {{kind: question, reply: {{action: question, question: "What is needed?", participants: all, focus: "All of it"}}}}
  - {{kind: response, reply: {{position: "This", rationale: ["known"], confidence: 0.7, votes: {{C1.1: support, C1.2: support, C1.3: support, C1.4: support}}}}}}
  - round: 1
    kind: synthesis
    reply:
      action: synthesis
      synthesis: "So far."
      next_action: continue
      artifacts:{artifacts}
  - kind: synthesis
    reply:
      action: synthesis
      synthesis: "All agree."
      next_action: conclude
      recommendation: "Build the export first"
      agenda_coverage:
{covered}"#
    )
}

pub fn project() -> Folder {
    let folder = Folder::project();
    folder.write(".s2s/CONTEXT.md", CONTEXT);
    let scripts =
        [("first", FIRST), ("second", SECOND), ("third", THIRD), ("anew", ANEW), ("design", DESIGN), ("none", " []")];
    for (name, artifacts) in scripts {
        folder.write(&format!("{name}.yaml"), script(artifacts));
    }
    folder
}

/// Works out requirements with one of the scripts.
fn specs(folder: &Folder, script: &str, more: &[&str]) -> Run {
    let panel = format!("script:{script}.yaml");
    let mut args = vec!["specs", "--panel", &panel, "--strategy", "standard"];
    args.extend(more);
    folder.run(&args)
}

#[test]
fn bug_of_two_that_began_at_once_the_second_was_refused() {
    let folder = project();
    let begin = |script: &str| {
        let panel = format!("script:{script}.yaml");
        folder.command(&["specs", "--new", "--panel", &panel, "--strategy", "standard", "--quiet"]).spawn().unwrap()
    };
    let both = [begin("first"), begin("anew"), begin("first")];
    for run in both.map(finish) {
        run.ok();
    }
    assert_eq!(folder.ids().len(), 3);
    folder.run(&["session", "validate"]).ok();
}

/// The minutes of the session that was not there before; ids of one second are in the order of their topics.
pub fn newest(folder: &Folder, before: &[String]) -> Value {
    let new: Vec<String> = folder.ids().into_iter().filter(|id| !before.contains(id)).collect();
    assert_eq!(new.len(), 1, "{new:?}");
    folder.minutes(&new[0])
}

/// `REQ-001 created` and so on, over all rounds of a session.
pub fn changes(minutes: &Value) -> Vec<String> {
    let rounds = minutes["rounds"].as_array().unwrap().iter();
    let artifacts = rounds.flat_map(|round| round["artifacts"].as_array().cloned().unwrap_or_default());
    artifacts.map(|one| format!("{} {}", one["id"].as_str().unwrap(), one["change"].as_str().unwrap())).collect()
}

/// The ids of a list of artifacts, whether they are maps or lines of JSON.
fn ids(value: &Value) -> Vec<String> {
    let id = |one: &Value| match one {
        Value::String(line) => serde_json::from_str::<Value>(line).unwrap()["id"].as_str().unwrap().to_owned(),
        map => map["id"].as_str().unwrap().to_owned(),
    };
    value.as_array().map(Vec::as_slice).unwrap_or_default().iter().map(id).collect()
}

#[test]
fn specs_need_no_topic_and_an_invented_id_is_not_taken() {
    let folder = project();
    let shown =
        ["Requirements for Partner shop", "+ REQ-001 Export orders", "3 REQ (functional requirement): 3 carried"];
    specs(&folder, "first", &["--format", "volere"]).ok().shows(&shown).shows(&["OQ-001: Who pays?", "0/2 artifacts"]);
    let minutes = folder.only();
    let made = ["REQ-001", "REQ-002", "REQ-003", "NFR-001", "OQ-001"].map(|id| format!("{id} created"));
    assert_eq!(changes(&minutes), made);
    assert!(minutes["rounds"][0]["doubts"].to_string().contains("REQ-900"), "{}", minutes["rounds"][0]["doubts"]);
    assert_eq!(minutes["settings"]["requirements_format"], "volere");
    folder.run(&["roundtable", "show"]).ok().shows(&["+ REQ-002 See orders"]);
}

#[test]
fn ids_stay_over_two_merges() {
    let folder = project();
    specs(&folder, "first", &["--quiet"]).ok();
    specs(&folder, "second", &[]).ok().shows(&["The project has 3 REQ, 1 NFR", "~ REQ-001 amended"]);
    specs(&folder, "third", &["--merge"]).ok().shows(&["- REQ-002 withdrawn", "+ REQ-005 Search orders"]);
    let all = folder.ids();
    assert_eq!(changes(&folder.minutes(&all[1])), ["REQ-001 amended", "REQ-004 created"]);
    let last = folder.minutes(&all[2]);
    assert_eq!(changes(&last), ["REQ-002 withdrawn", "REQ-005 created"]);
    assert_eq!(ids(&last["register"]["known"]), ["REQ-001", "REQ-002", "REQ-003", "REQ-004", "NFR-001", "OQ-001"]);
    let first = last["register"]["known"][0].as_str().unwrap_or_default();
    assert!(first.contains("\"text\":\"A partner exports orders as CSV or JSON\""), "{first}");
}

#[test]
fn replace_starts_over_and_no_number_comes_back() {
    let folder = project();
    specs(&folder, "first", &["--quiet"]).ok();
    specs(&folder, "anew", &["--replace"]).ok().shows(&["Starts over: 3 REQ, 1 NFR"]);
    let register = folder.minutes(&folder.ids()[1])["register"].clone();
    assert_eq!(register["retired"], json!(["REQ-001", "REQ-002", "REQ-003", "NFR-001"]));
    assert_eq!(ids(&register["known"]), ["OQ-001"]);
    specs(&folder, "none", &["--max-rounds", "1"]).ok().shows(&["The project has 3 REQ, 1 NFR"]);
    let known = folder.minutes(&folder.ids()[2])["register"]["known"].clone();
    assert_eq!(ids(&known), ["REQ-004", "REQ-005", "REQ-006", "NFR-002", "OQ-001"]);
}

#[test]
fn a_design_goes_on_from_the_requirements_and_names_what_it_serves() {
    let folder = project();
    specs(&folder, "first", &["--quiet"]).ok();
    let id = folder.ids().remove(0);
    folder.run(&["design", "--panel", "script:design.yaml", "--from", &id, "--strategy", "standard"]).ok();
    let minutes = newest(&folder, std::slice::from_ref(&id));
    assert_eq!((&minutes["parent"], &minutes["topic"]), (&json!(id), &"Architecture for Partner shop".into()));
    assert_eq!(changes(&minutes), ["ARCH-001 created", "COMP-001 created", "COMP-002 created"]);
    let made = &minutes["rounds"][0];
    assert_eq!(
        (&made["artifacts"][0]["serves"], &made["artifacts"][2]["uses"]),
        (&json!(["REQ-001"]), &json!(["COMP-001"]))
    );
    assert!(made["doubts"].to_string().contains("REQ-777"), "{}", made["doubts"]);
    let context = minutes["context"]["text"].as_str().unwrap();
    for part in
        ["A web shop", "Recommendation: Build the export first", "REQ-002 See orders: A partner sees its orders"]
    {
        assert!(context.contains(part), "{part}: {context}");
    }
}

#[test]
fn bug_validate_failed_on_our_own_fresh_documents() {
    let folder = project();
    specs(&folder, "first", &["--quiet"]).ok();
    folder.run(&["design", "--panel", "script:design.yaml", "--strategy", "standard", "--quiet"]).ok();
    assert!(folder.read("docs/architecture/architecture.md").contains("COMP_001"), "there is a diagram");
    folder.run(&["session", "validate"]).ok();
}

#[test]
fn from_needs_a_finished_session() {
    let folder = project();
    specs(&folder, "first", &["--from", "20200101"]).is(2).says(&["20200101"]);
    folder.run(&["roundtable", "start", "Orders", "--panel", "script:unsure.yaml", "--strategy", "standard"]).is(3);
    let id = folder.ids().remove(0);
    specs(&folder, "first", &["--new", "--from", &id]).is(2).says(&["is paused", "s2s roundtable resume"]);
    assert_eq!(folder.ids().len(), 1);
}

#[test]
fn c4_without_a_roundtable_the_outcome_is_only_proposed_and_says_why() {
    let folder = project();
    let args = ["specs", "--skip-roundtable", "--panel", "script:first.yaml"];
    folder.run(&args).ok().shows(&["No seat was asked: drawn from CONTEXT.md.", "facilitator speaks alone"]);
    let minutes = folder.only();
    assert_eq!((&minutes["total_rounds"], &minutes["strategy"]), (&1.into(), &"direct".into()));
    let outcome = &minutes["outcome"];
    assert_eq!(outcome["status"], "proposed");
    assert!(outcome["reasons"][0].as_str().unwrap().starts_with("No seat was asked"), "{outcome}");
    assert!(minutes["panel_note"].as_str().unwrap().starts_with("No seat was asked: drawn from CONTEXT.md."));
    assert_eq!(changes(&minutes).len(), 5);
    folder.write(".s2s/CONTEXT.md", "# Partner shop\n");
    folder.run(&args).is(2).says(&["says nothing yet", "leave --skip-roundtable out"]);
}

#[test]
fn each_workflow_has_its_strategy_and_settings_and_flags_go_over_it() {
    let strategy = |folder: &Folder, args: &[&str]| {
        let mut all = args.to_vec();
        all.extend(["--panel", "script:none.yaml", "--max-rounds", "1", "--quiet"]);
        let before = folder.ids();
        folder.run(&all).ok();
        newest(folder, &before)["strategy"].as_str().unwrap().to_owned()
    };
    let folder = project();
    assert_eq!(strategy(&folder, &["specs"]), "consensus-driven");
    assert_eq!(strategy(&folder, &["design"]), "debate");
    assert_eq!(strategy(&folder, &["brainstorm", "choose between colours"]), "disney");
    folder.write(".s2s/config.yaml", "roundtable:\n  strategies:\n    brainstorm: six-hats\n");
    assert_eq!(strategy(&folder, &["brainstorm", "more colours"]), "six-hats");
    assert_eq!(strategy(&folder, &["brainstorm", "no colours", "--strategy", "Standard"]), "standard");
    folder.write(".s2s/config.yaml", "roundtable:\n  strategies:\n    specs: loud\n");
    specs(&folder, "none", &[]).is(2).says(&["config.yaml:3", "loud"]);
    folder.run(&["brainstorm"]).is(2).says(&["topic is empty"]);
}

#[test]
fn past_decisions_on_the_same_subject_are_named() {
    let folder = project();
    let brainstorm = ["brainstorm", "Faster order exports", "--panel", "script:none.yaml", "--max-rounds", "1"];
    folder.run(&brainstorm).ok();
    let again = ["brainstorm", "Exports of an order", "--panel", "script:none.yaml", "--max-rounds", "1"];
    folder.run(&again).ok().shows(&["Decided before on this subject: session", "-faster-order-exports"]);
}

#[test]
fn a_session_is_gone_on_with_by_the_command_of_its_workflow() {
    let folder = project();
    let unsure = script(FIRST).replace("confidence: 0.7", "confidence: 0.3");
    folder.write("first.yaml", unsure);
    specs(&folder, "first", &[]).is(3);
    let id = folder.ids().remove(0);
    let go_on = ["--session", &id, "--panel", "script:first.yaml", "--on-escalation", "continue"];
    folder.run(&[&["design"], &go_on[..]].concat()).is(2).says(&["is a specs session", "s2s roundtable resume"]);
    folder.run(&["specs", "--session", &id, "--from", &id]).is(2).says(&["cannot be used with"]);
    folder.run(&[&["specs"], &go_on[..]].concat()).ok();
    assert_eq!(folder.minutes(&id)["status"], "completed");
}

#[test]
fn bug_an_archived_session_would_give_numbers_that_another_one_has() {
    let folder = project();
    folder.write("unsure-specs.yaml", script(FIRST).replace("confidence: 0.7", "confidence: 0.3"));
    specs(&folder, "unsure-specs", &[]).is(3);
    let id = folder.ids().remove(0);
    specs(&folder, "anew", &["--new"]).ok();
    let made = changes(&folder.minutes(&folder.ids()[1]));
    assert_eq!(made, ["REQ-004", "REQ-005", "REQ-006", "NFR-002"].map(|id| format!("{id} created")));
    let resume = ["roundtable", "resume", &id, "--panel", "script:unsure-specs.yaml", "--on-escalation", "continue"];
    folder.run(&resume).is(2).says(&["REQ numbers", "s2s specs --from"]);
    assert_eq!(folder.minutes(&id)["status"], "archived");
}

#[test]
fn a_person_cancels_and_nothing_is_begun() {
    let folder = project();
    specs(&folder, "first", &["--quiet"]).ok();
    let args = ["specs", "--panel", "script:second.yaml", "--strategy", "standard"];
    let Some(mut person) = Person::at(&folder, &args) else { return };
    person.answers("The project has 3 REQ, 1 NFR already", &format!("{DOWN}{DOWN}{ENTER}"));
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    assert!(seen.contains("nothing was begun"), "{seen}");
    assert_eq!(folder.ids().len(), 1);
}

#[test]
fn d9_a_person_refines_and_then_approves() {
    let folder = project();
    let args = ["specs", "--panel", "script:first.yaml", "--strategy", "standard"];
    let Some(mut person) = Person::at(&folder, &args) else { return };
    person.answers(REVIEW, &format!("{DOWN}{ENTER}"));
    person.answers("What is to be refined?", &format!("The export{ENTER}"));
    person.answers("How many more rounds?", &format!("1{ENTER}")).answers(REVIEW, ENTER);
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    let minutes = folder.only();
    assert_eq!((&minutes["status"], &minutes["total_rounds"]), (&"completed".into(), &4.into()));
    let asked = &minutes["interventions"][0];
    assert_eq!((&asked["kind"], &asked["text"], &asked["rounds"]), (&"extend".into(), &"The export".into(), &1.into()));
}

#[test]
fn d9_a_person_may_decide_later() {
    let folder = project();
    let args = ["specs", "--panel", "script:first.yaml", "--strategy", "standard"];
    let Some(mut person) = Person::at(&folder, &args) else { return };
    person.answers(REVIEW, &format!("{DOWN}{DOWN}{DOWN}{ENTER}"));
    let (code, seen) = person.leaves();
    assert_eq!(code, 0, "{seen}");
    let id = folder.ids().remove(0);
    assert_eq!(folder.minutes(&id)["status"], "paused");
    folder.run(&["specs", "--session", &id, "--panel", "script:first.yaml"]).ok();
    assert_eq!(folder.minutes(&id)["status"], "completed");
}

#[test]
fn programs_are_told_of_artifacts() {
    let folder = project();
    let run = specs(&folder, "first", &["--json"]).ok();
    let events: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |name: &str| events.iter().find(|event| event["event"] == name).cloned().unwrap();
    let committed = of("round_committed");
    assert_eq!(ids(&committed["round"]["artifacts"]).len(), 5);
    let topic = &committed["agenda"][1];
    assert_eq!((&topic["artifacts"], &topic["least"]), (&2.into(), &2.into()));
    let left = of("review_opened");
    let req = json!({"kind": "REQ", "all": 3, "carried": 3, "unvoted": 0, "withdrawn": 0});
    assert_eq!((&left["artifacts"][0], &left["open_questions"]), (&req, &json!(["OQ-001: Who pays?"])));
}
