//! Living documents over whole sessions: specs, then design, then a brainstorm, and people's edits in between.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use expect_test::expect_file;
use s2s::Failure;
use s2s::config::Config;
use s2s::convene::{Convened, Request, convene};
use s2s::documents::living::{Rack, Settle};
use s2s::documents::{Shelf, Templates};
use s2s::engine::Unattended;
use s2s::engine::opening::{RequirementsFormat, Workflow};
use s2s::register::ProjectRegister;
use s2s::roundtable::{Clock, Policy, Roundtable, Surroundings, interrupt};
use s2s::store::{Minutes, Sessions};
use tempfile::TempDir;

use crate::markdown::well_formed;
use crate::world::{Memory, Still, catalog, script};

/// Every seat supports every point; the synthesis is given.
fn panel_of(synthesis: &str) -> String {
    let votes: Vec<String> = (1..=12).map(|n| format!("C1.{n}: support")).collect();
    let votes = votes.join(", ");
    let seat = |seat: &str| {
        format!(
            "  - {{kind: response, seat: {seat}, reply: {{position: As the facilitator says, confidence: 0.7, votes: {{{votes}}}}}}}\n"
        )
    };
    let seats: String = ["product-manager", "technical-lead"].into_iter().map(seat).collect();
    let question = "  - {kind: question, reply: {action: question, question: What is needed?}}\n";
    let sides = "  - {kind: sides, reply: {pro: [product-manager], con: [technical-lead]}}\n";
    let indented: String = synthesis.lines().map(|line| format!("      {line}\n")).collect();
    format!("replies:\n{sides}{question}{seats}  - kind: synthesis\n    reply:\n{indented}")
}

const HEAD: &str = "action: synthesis\nsynthesis: The seats agree.\nnext_action: conclude\nrecommendation: Do it\n";

pub const SPECS: &str = r#"artifacts:
  - {kind: REQ, title: "Export orders", text: "A clerk exports the orders of a day as CSV", priority: must, acceptance: ["Given 3 orders, when a clerk exports, then the file has 4 lines"], topic: functional-requirements, proposed_by: [product-manager]}
  - {kind: REQ, title: "Search | find <b>orders</b>", text: "A clerk finds an order by its number", priority: should, acceptance: ["Given a number, when searched, then one order is shown"]}
  - {kind: NFR, title: "Quick search", text: "Search answers fast", characteristic: Performance efficiency, target: "p95 < 200 ms", measure: "load test with 50 clerks"}
  - {kind: BR, title: "Paid orders stay", text: "A paid order is never deleted", source: "tax law"}
  - {kind: EX, title: "No mobile app", text: "", reason: "No demand yet"}
  - {kind: OQ, title: "Who may export?"}
"#;

pub const DESIGN: &str = r#"artifacts:
  - {kind: ARCH, title: "Relational store", text: "Orders live in one relational database", options: ["Relational database", "Document store"], consequences: ["Reports are simple", "One more server"], serves: [REQ-001, NFR-001], proposed_by: [technical-lead]}
  - {kind: COMP, title: "Orders", text: "Keeps orders", serves: [REQ-001], uses: [Export]}
  - {kind: COMP, title: "Export", text: "Writes files"}
  - {kind: INT, title: "Order query", text: "By number", between: [Orders, "The \"bank\"] --> x"]}
"#;

const STORM: &str = r#"artifacts:
  - {kind: IDEA, title: "Daily mail", text: "Send the export every morning", impact: high, effort: low}
  - {kind: IDEA, title: "Own app", impact: high, effort: high}
  - {kind: RISK, title: "Clerks leak files", severity: high, likelihood: medium}
  - {kind: MIT, title: "Sign each file", serves: ["Clerks leak files"]}
"#;

/// A project on disk.
pub struct Project {
    folder: TempDir,
    pub sessions: Sessions,
    settle: Arc<Mutex<(Settle, Vec<String>)>>,
    pub warned: Arc<Mutex<Vec<String>>>,
}

impl Project {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(".s2s")).unwrap();
        let sessions = Sessions::new(folder.path().join(".s2s"));
        let settle = Arc::new(Mutex::new((Settle::Mine, Vec::new())));
        Self { folder, sessions, settle, warned: Arc::default() }
    }

    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    fn shelf(&self) -> Shelf {
        let config = Config::default();
        let rack = Rack::new(self.folder.path(), &config, &catalog(), "Order desk").unwrap();
        let (settle, warned) = (Arc::clone(&self.settle), Arc::clone(&self.warned));
        Shelf::new(self.folder.path(), &config, Templates::of(&catalog()).unwrap()).unwrap().with_living(
            rack,
            self.sessions.clone(),
            move |edits| {
                let mut settle = settle.lock().unwrap();
                let new = edits.iter().filter(|edit| !edit.again);
                settle.1.extend(new.map(|edit| format!("{} {}: {}", edit.file, edit.part, edit.mine.trim())));
                vec![settle.0; edits.len()]
            },
            move |failure| warned.lock().unwrap().push(failure.to_string()),
        )
    }

    pub fn hold(&self, id: &str, workflow: Workflow, artifacts: &str) -> Result<Vec<String>, Failure> {
        self.hold_as(id, workflow, artifacts, RequirementsFormat::Srs, false)
    }

    fn hold_as(
        &self,
        id: &str,
        workflow: Workflow,
        artifacts: &str,
        format: RequirementsFormat,
        replace: bool,
    ) -> Result<Vec<String>, Failure> {
        let panel = script(&panel_of(&format!("{HEAD}{artifacts}")));
        let mut config = Config::default();
        config.roundtable.limits.max_rounds = 2;
        config.docs.requirements_format = format;
        let mut register = ProjectRegister::read(&self.sessions)?.for_session(workflow);
        if replace {
            register.retired = register.known.drain(..).map(|artifact| artifact.id).collect();
        }
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
            register: Some(register),
            parent: None,
        };
        let Convened { opening, charter } = convene(request, &catalog(), &config, &*panel)?;
        let minutes = Minutes::new(&opening, Still.now(), panel.kind(), &panel.note(), "CONTEXT.md")?;
        let held = self.sessions.create(minutes)?;
        let mut roundtable = Roundtable::begin(held, charter, panel, Arc::new(Still))?;
        let shelf = self.shelf();
        let mut around = Surroundings {
            audience: &mut Memory::default(),
            chair: &mut Policy(Unattended::Accept),
            scribe: &shelf,
            interrupt: interrupt().1,
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(roundtable.run(&mut around))?;
        Ok(self.sessions.read(id)?.outcome().expect("it ended").files.clone())
    }

    pub fn docs(&self) -> Vec<PathBuf> {
        fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() { walk(&path, found) } else { found.push(path) }
            }
        }
        let mut found = Vec::new();
        walk(&self.path("docs"), &mut found);
        found.sort();
        found
    }
}

const REQUIREMENTS: &str = "docs/specifications/requirements.md";

#[test]
fn specs_design_and_brainstorm_give_their_documents() {
    let project = Project::new();
    assert_eq!(project.hold("1-specs", Workflow::Specs, SPECS).unwrap(), [REQUIREMENTS]);
    let files = project.hold("2-design", Workflow::Design, DESIGN).unwrap();
    let decision = "docs/decisions/ARCH-001-relational-store.md";
    assert_eq!(files, ["docs/architecture/architecture.md", REQUIREMENTS, decision]);
    let storm = project.hold("3-storm", Workflow::Brainstorm, STORM).unwrap();
    assert_eq!(storm[0], "docs/brainstorms/3-storm.md");
    expect_file!["./living/requirements-srs.md"].assert_eq(&project.read(REQUIREMENTS));
    expect_file!["./living/architecture.md"].assert_eq(&project.read("docs/architecture/architecture.md"));
    expect_file!["./living/decision.md"].assert_eq(&project.read(decision));
    expect_file!["./living/brainstorm.md"].assert_eq(&project.read("docs/brainstorms/3-storm.md"));
    project.docs().iter().for_each(|path| well_formed(path));
}

#[test]
fn other_formats_say_the_same() {
    for (format, file) in [(RequirementsFormat::Volere, "volere"), (RequirementsFormat::Simple, "simple")] {
        let project = Project::new();
        project.hold_as("1-specs", Workflow::Specs, SPECS, format, false).unwrap();
        let text = project.read(REQUIREMENTS);
        expect_file![format!("./living/requirements-{file}.md")].assert_eq(&text);
        project.docs().iter().for_each(|path| well_formed(path));
        for id in ["REQ-001", "REQ-002", "NFR-001", "BR-001", "EX-001", "OQ-001"] {
            assert!(text.contains(id), "{file}: {id}");
        }
    }
}

#[test]
fn ids_stay_over_two_merges_and_edits_are_kept() {
    let project = Project::new();
    project.hold("1-specs", Workflow::Specs, SPECS).unwrap();
    let mine = project
        .read(REQUIREMENTS)
        .replace("## 2 Functional requirements\n", "## 2 Functional requirements\n\nMy own words.\n")
        .replace("**Paid orders stay**", "**Paid orders stay for ten years**");
    fs::write(project.path(REQUIREMENTS), &mine).unwrap();
    let amended = r#"artifacts:
  - {id: REQ-001, text: "A clerk exports the orders of a week as CSV"}
  - {kind: REQ, title: "Print orders", text: "On paper", priority: could, acceptance: ["It prints"]}
"#;
    project.hold("2-specs", Workflow::Specs, amended).unwrap();
    let text = project.read(REQUIREMENTS);
    assert!(text.contains("My own words.") && text.contains("orders of a week") && text.contains("### REQ-003"));
    assert!(text.contains("Paid orders stay for ten years"), "an edit inside was not kept");
    let asked = &project.settle.lock().unwrap().1.clone();
    assert!(asked.len() == 1 && asked[0].starts_with("docs/specifications/requirements.md BR-001: "), "{asked:?}");
    project.hold("3-specs", Workflow::Specs, "artifacts: [{id: REQ-003, status: withdrawn}]").unwrap();
    let text = project.read(REQUIREMENTS);
    let place = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words}\n{text}"));
    assert!(place("## 9 No longer in force") < place("- REQ-003 Print orders: withdrawn"));
    assert_eq!(project.settle.lock().unwrap().1.len(), 1, "asked once; nothing new was offered since");
    project.settle.lock().unwrap().0 = Settle::Generated;
    let rule = r#"artifacts: [{id: BR-001, text: "A paid order is kept for ten years"}]"#;
    project.hold("4-specs", Workflow::Specs, rule).unwrap();
    assert!(project.read(REQUIREMENTS).contains("A paid order is kept for ten years"));
}

#[test]
fn an_empty_file_is_made_anew_and_ids_in_a_hand_written_one_are_taken() {
    let project = Project::new();
    fs::create_dir_all(project.path("docs/specifications")).unwrap();
    fs::write(project.path(REQUIREMENTS), "\n").unwrap();
    let rack = Rack::new(project.folder.path(), &Config::default(), &catalog(), "Order desk").unwrap();
    project.hold("1-specs", Workflow::Specs, SPECS).unwrap();
    assert!(project.read(REQUIREMENTS).starts_with("# Software requirements specification: Order desk\n"));
    fs::write(project.path(REQUIREMENTS), "- REQ-041 by hand\n- NFR-7\n").unwrap();
    let numbers = rack.numbers().unwrap();
    assert_eq!((numbers.functional, numbers.quality), (41, 7));
}

#[test]
fn starting_over_keeps_the_old_file_beside() {
    let project = Project::new();
    project.hold("1-specs", Workflow::Specs, SPECS).unwrap();
    let old = project.read(REQUIREMENTS);
    let new = r#"artifacts: [{kind: REQ, title: "Only this", text: "x", priority: must, acceptance: ["y"]}]"#;
    let files = project.hold_as("2-specs", Workflow::Specs, new, RequirementsFormat::Srs, true).unwrap();
    assert_eq!(files, [REQUIREMENTS, "docs/specifications/requirements.before-2-specs.md"]);
    assert_eq!(project.read(&files[1]), old);
    let text = project.read(REQUIREMENTS);
    assert!(text.contains("### REQ-003") && !text.contains("### REQ-001"), "ids are not used twice:\n{text}");
    assert!(text.contains("- REQ-001 Export orders: superseded"), "{text}");
}

#[test]
fn a_document_with_broken_markers_is_refused_and_left_alone() {
    let project = Project::new();
    project.hold("1-specs", Workflow::Specs, SPECS).unwrap();
    let broken = project.read(REQUIREMENTS).replace("<!-- s2s:end rules -->\n", "");
    fs::write(project.path(REQUIREMENTS), &broken).unwrap();
    let said = project.hold("2-specs", Workflow::Specs, "artifacts: [{kind: OQ, title: Why?}]").unwrap_err();
    assert!(said.what.contains("requirements.md, line"), "{said}");
    assert_eq!(project.read(REQUIREMENTS), broken);
    let rack = Rack::new(project.folder.path(), &Config::default(), &catalog(), "Order desk").unwrap();
    let said = rack.check().unwrap_err();
    assert!(said.what.contains("requirements.md, line"), "found before anybody is asked: {said}");
}

#[test]
fn bug_sources_were_listed_in_another_order_once_the_session_was_over() {
    let project = Project::new();
    project.hold("2-specs", Workflow::Specs, SPECS).unwrap();
    project.hold("1-design", Workflow::Design, DESIGN).unwrap();
    let written = project.read(REQUIREMENTS);
    let place = |id: &str| written.find(&format!("- `{id}` (")).unwrap_or_else(|| panic!("{id}\n{written}"));
    let kept = ProjectRegister::read(&project.sessions).unwrap().sessions;
    assert!(kept.is_sorted_by_key(|seen| place(&seen.id)), "{written}");
}

/// Every heading and link of every document is sound, whatever people did to the parts.
fn all_sound(project: &Project) {
    project.docs().iter().for_each(|path| well_formed(path));
}

fn rewrite(project: &Project, file: &str, from: &str, to: &str) {
    let text = project.read(file);
    assert!(text.contains(from), "{from}\n{text}");
    fs::write(project.path(file), text.replace(from, to)).unwrap();
}

const THREE_MORE: &str = r#"artifacts:
  - {kind: REQ, title: "Print orders", text: "On paper", priority: could, acceptance: ["It prints"]}
  - {kind: REQ, title: "Mail orders", text: "As a file", priority: could, acceptance: ["It arrives"]}
  - {kind: REQ, title: "Undo", text: "One step", priority: should, acceptance: ["It is as before"]}
"#;

#[test]
fn bug_one_edit_kept_all_later_artifacts_of_its_section_out() {
    let project = Project::new();
    project.hold("1-specs", Workflow::Specs, SPECS).unwrap();
    rewrite(&project, REQUIREMENTS, "A clerk exports the orders of a day as CSV", "My words on exports");
    project.hold("2-specs", Workflow::Specs, THREE_MORE).unwrap();
    let text = project.read(REQUIREMENTS);
    for id in ["REQ-001", "REQ-002", "REQ-003", "REQ-004", "REQ-005"] {
        assert!(text.contains(&format!("### {id}\n")), "{id}\n{text}");
        assert!(text.contains(&format!("[{id}](#{})", id.to_lowercase())), "{id}\n{text}");
    }
    assert!(text.contains("My words on exports"), "{text}");
    let asked = project.settle.lock().unwrap().1.clone();
    assert!(asked.len() == 1 && asked[0].contains(" REQ-001: "), "{asked:?}");
    all_sound(&project);
}

#[test]
fn bug_links_led_to_anchors_that_an_edit_had_removed() {
    let project = Project::new();
    project.hold("1-specs", Workflow::Specs, SPECS).unwrap();
    project.hold("2-design", Workflow::Design, DESIGN).unwrap();
    let architecture = "docs/architecture/architecture.md";
    rewrite(&project, REQUIREMENTS, "### REQ-001\n", "### How orders leave\n");
    rewrite(&project, architecture, "### COMP-002\n", "### Files\n");
    project.hold("3-specs", Workflow::Specs, THREE_MORE).unwrap();
    all_sound(&project);
    let text = project.read(REQUIREMENTS);
    assert!(text.contains("| REQ-001 Export orders |") && text.contains("| [REQ-002](#req-002) "), "{text}");
    assert!(project.read(architecture).contains("- Uses: COMP-002\n"));
    assert!(!project.read("docs/decisions/ARCH-001-relational-store.md").contains("#req-001"));
    let register = ProjectRegister::read(&project.sessions).unwrap();
    let rack = Rack::new(project.folder.path(), &Config::default(), &catalog(), "Order desk").unwrap();
    let kept = rack.write(&register, &mut |edits| vec![Settle::Mine; edits.len()]).unwrap();
    assert!(kept.changed.is_empty(), "again changes nothing: {kept:?}");
    assert_eq!(kept.kept.iter().map(|kept| kept.part.as_str()).collect::<Vec<_>>(), ["REQ-001", "COMP-002"]);
    assert_eq!(kept.kept[0].missing, ["REQ-001"], "{kept:?}");
    rewrite(&project, architecture, "Writes files\n", "Writes [REQ-001](../specifications/requirements.md#req-001)\n");
    let kept = rack.write(&register, &mut |edits| vec![Settle::Mine; edits.len()]).unwrap();
    assert_eq!(kept.kept[1].dead, ["../specifications/requirements.md#req-001"], "a person's own link is only named");
    rack.write(&register, &mut |edits| vec![Settle::Generated; edits.len()]).unwrap();
    assert!(project.read(REQUIREMENTS).contains("| [REQ-001](#req-001) Export orders |"));
    assert!(project.read("docs/decisions/ARCH-001-relational-store.md").contains("#req-001"));
    all_sound(&project);
}

#[test]
fn one_question_per_document_and_an_answer_per_part() {
    let project = Project::new();
    project.hold("1-specs", Workflow::Specs, SPECS).unwrap();
    let edits =
        [("A clerk exports", "I export"), ("A clerk finds", "I find"), ("- Why: No demand yet", "- Why: I say so")];
    for (from, to) in edits {
        rewrite(&project, REQUIREMENTS, from, to);
    }
    let register = ProjectRegister::read(&project.sessions).unwrap();
    let rack = Rack::new(project.folder.path(), &Config::default(), &catalog(), "Order desk").unwrap();
    let mut questions = Vec::new();
    rack.write(&register, &mut |edits| {
        questions.push(edits.iter().map(|edit| edit.part.clone()).collect::<Vec<_>>());
        edits.iter().map(|edit| if edit.part == "REQ-002" { Settle::Generated } else { Settle::Mine }).collect()
    })
    .unwrap();
    assert_eq!(questions, [["REQ-001", "REQ-002", "EX-001"]]);
    let text = project.read(REQUIREMENTS);
    assert!(text.contains("I export") && !text.contains("I find") && text.contains("I say so"), "{text}");
}

#[test]
fn bug_a_session_that_could_not_be_read_lost_its_parts_when_another_ended() {
    let project = Project::new();
    project.hold("1-specs", Workflow::Specs, SPECS).unwrap();
    let before = project.read(REQUIREMENTS);
    fs::write(project.path(".s2s/sessions/1-specs.yaml"), "id: [").unwrap();
    assert_eq!(project.hold("2-specs", Workflow::Specs, SPECS).unwrap(), [""; 0]);
    assert_eq!(project.read(REQUIREMENTS), before);
    let warned = project.warned.lock().unwrap().clone();
    let words = ["the documents were not written", "session 1-specs"];
    assert!(warned.len() == 1 && words.iter().all(|word| warned[0].contains(word)), "{warned:?}");
}

#[test]
fn bug_a_plan_that_cannot_be_read_kept_a_session_from_its_end() {
    let project = Project::new();
    fs::create_dir_all(project.path(".s2s/plans")).unwrap();
    fs::write(project.path(".s2s/plans/PLAN-001.yaml"), "tasks: [").unwrap();
    assert_eq!(project.hold("1-specs", Workflow::Specs, SPECS).unwrap(), [REQUIREMENTS]);
    let warned = project.warned.lock().unwrap().clone();
    assert!(warned.len() == 1 && warned[0].contains(".s2s/plans/PLAN-001.yaml"), "{warned:?}");
}
