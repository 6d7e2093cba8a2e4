//! A project's own roles at the table: starting files, agent files, and the offline panel without a playbook for them.

use std::fs;
use std::path::Path;

use s2s::catalog::{Catalog, Kind, Role};
use s2s::config::Config;
use s2s::convene::{Request, convene};
use s2s::engine::opening::Workflow;
use s2s::engine::reply::Answer;
use s2s::engine::step::Step;
use s2s::engine::{Session, next_step};
use s2s::panel::OfflinePanel;
use s2s::project::{NewRole, Project, init, new_role};
use s2s::{Failure, FailureKind};

const AGENT: &str = "---\nname: dba\ndescription: Knows data\ntools: Read\n---\nYou know data.\n\n\
    - What happens to old rows?\n- **Bold?**\n1. Who may delete a customer?\nnot a question\n- Which index serves this?\n";

fn project() -> (tempfile::TempDir, Project, Catalog) {
    let home = tempfile::tempdir().unwrap();
    init(home.path());
    let project = Project { root: home.path().to_owned(), dir: home.path().join(".s2s") };
    let catalog = Catalog::with_project(&project.dir, Some(&home.path().join(".claude/agents")));
    (home, project, catalog)
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn a_new_role_is_whole_and_can_be_seated_as_it_is() {
    let (_home, project, catalog) = project();
    let new = NewRole {
        name: "data-protection",
        title: Some("Data \"Protection\": Officer"),
        description: Some("Says what may be kept: for whom, and how long? #1"),
        from: None,
    };
    let written = new_role(&project, &catalog, &new).unwrap();
    assert!(!written.overrides);
    let entry = catalog.role("data-protection").unwrap();
    assert_eq!(entry.value, written.role);
    let role = &entry.value;
    assert_eq!(role.title, "Data \"Protection\": Officer");
    assert_eq!(role.description, "Says what may be kept: for whom, and how long? #1");
    for part in ["care about", "ask first", "leave to others", "disagree", "would not accept"] {
        assert!(role.body.contains(part), "{part}: {}", role.body);
    }
    assert!(role.weighs.len() == 16 && !role.checklist.is_empty() && !role.blocks.is_empty());
    assert_eq!(catalog.check().problems, [], "the whole catalog is good");
    let (_, notes) = OfflinePanel::for_seats(&catalog, &["data-protection".to_owned(), "qa-lead".to_owned()]);
    assert_eq!(notes, [""; 0], "it has all that the offline panel needs");
    // Nothing is overwritten.
    let before = entry.text;
    let again = new_role(&project, &catalog, &NewRole { name: "data-protection", ..NewRole::default() }).unwrap_err();
    assert!(again.what.contains("is there already") && again.kind == FailureKind::BadInput, "{again:?}");
    assert_eq!(catalog.show(Kind::Role, "data-protection").unwrap().text, before);
}

#[test]
fn a_new_role_can_start_from_any_other() {
    let (home, project, catalog) = project();
    for id in Catalog::builtin().names(Kind::Role) {
        let name = if id == "facilitator" { id.clone() } else { format!("our-{id}") };
        let new = NewRole { name: &name, from: Some(&id), ..NewRole::default() };
        let written = new_role(&project, &catalog, &new).unwrap().role;
        let source = Catalog::builtin().role(&id).unwrap().value;
        assert_eq!((&written.weighs, &written.checklist), (&source.weighs, &source.checklist));
        assert_eq!((&written.blocks, &written.description), (&source.blocks, &source.description));
        assert!(written.body.starts_with(&format!("# {}\n", written.title)), "{}", written.body);
    }
    write(&home.path().join(".claude/agents/dba.md"), AGENT);
    let new = NewRole { name: "dba", from: Some("project:dba"), title: Some("DBA"), ..NewRole::default() };
    let written = new_role(&project, &catalog, &new).unwrap().role;
    assert_eq!((written.title.as_str(), written.description.as_str()), ("DBA", "Knows data"));
    assert!(written.body.contains("Who may delete a customer?"));
    let over = new_role(&project, &catalog, &NewRole { name: "qa-lead", ..NewRole::default() }).unwrap();
    assert!(over.overrides);
    assert_eq!(catalog.check().problems, []);
}

#[test]
fn what_cannot_be_a_role_is_refused_and_nothing_is_written() {
    let (home, project, catalog) = project();
    let long = "x".repeat(65);
    for name in ["", "..", "../x", "a/b", "A", "two words", "-x", "x-", "project:x", "é", "readme", "a.b", "a\n", &long]
    {
        let failure = new_role(&project, &catalog, &NewRole { name, ..NewRole::default() }).unwrap_err();
        assert_eq!(failure.kind, FailureKind::BadInput, "{name:?}");
        assert!(failure.next.as_ref().unwrap().contains("s2s role new "), "{name:?}: {failure:?}");
        assert!(!failure.what.contains('\n'), "{failure:?}");
    }
    let told = |new: NewRole<'_>| new_role(&project, &catalog, &new).unwrap_err().what;
    let dba = NewRole { name: "dba", ..NewRole::default() };
    assert!(told(NewRole { name: "facilitator", ..dba }).contains("chairs the table"));
    assert!(told(NewRole { from: Some("qa-led"), ..dba }).contains("did you mean `qa-lead`"));
    assert!(told(NewRole { title: Some(" \u{200b} "), ..dba }).contains("--name is empty"));
    assert!(told(NewRole { title: Some(&"x".repeat(81)), ..dba }).contains("at most 80"));
    assert!(told(NewRole { description: Some(&"x".repeat(501)), ..dba }).contains("at most 500"));
    assert!(!project.dir.join("roles").exists());
    // What is typed is cleaned, not obeyed.
    let typed = NewRole { title: Some("D\u{1b}[31mBA\u{202e}\n---\nname: x"), ..dba };
    assert_eq!(new_role(&project, &catalog, &typed).unwrap().role.title, "DBA --- name: x");
    drop(home);
}

#[cfg(unix)]
#[test]
fn a_folder_of_roles_that_leads_out_of_the_project_is_not_written_to() {
    use std::os::unix::fs::symlink;
    let (home, project, catalog) = project();
    let elsewhere = tempfile::tempdir().unwrap();
    symlink(elsewhere.path(), project.dir.join("roles")).unwrap();
    let failure = new_role(&project, &catalog, &NewRole { name: "dba", ..NewRole::default() }).unwrap_err();
    assert!(failure.what.contains("is a link"), "{failure:?}");
    fs::remove_file(project.dir.join("roles")).unwrap();
    fs::write(project.dir.join("roles"), "a file").unwrap();
    let failure = new_role(&project, &catalog, &NewRole { name: "dba", ..NewRole::default() }).unwrap_err();
    assert!(failure.what.contains("cannot make the folder") && failure.next.is_some(), "{failure:?}");
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    drop(home);
}

/// A session with these seats, and the panel that answers for them.
fn seated(catalog: &Catalog, topic: &str, seats: &[&str]) -> Result<(Session, OfflinePanel, Vec<String>), Failure> {
    let participants: Vec<String> = seats.iter().map(|seat| (*seat).to_owned()).collect();
    let (panel, notes) = OfflinePanel::for_seats(catalog, &participants);
    let request = Request {
        id: "20260102-030405-x",
        topic,
        workflow: Workflow::Brainstorm,
        strategy: "standard",
        participants: &participants,
        people: &[],
        pro: &[],
        con: &[],
        output_type: None,
        context: "",
        register: None,
        parent: None,
    };
    let table = convene(request, catalog, &Config::default(), &panel)?;
    Ok((Session::open(table.opening), panel, notes))
}

/// What each seat says in the first round: position, rationale and concerns.
fn first_round(catalog: &Catalog, topic: &str, seats: &[&str]) -> Vec<(String, Vec<String>, Vec<String>)> {
    use s2s::engine::event::Event;
    let (mut session, panel, _) = seated(catalog, topic, seats).unwrap();
    let at = jiff::Timestamp::UNIX_EPOCH;
    loop {
        let Step::Ask(briefs) = next_step(&session) else { panic!("nobody is asked") };
        let mut said = Vec::new();
        for brief in briefs {
            let answer = panel.offline().answer(&session, &brief);
            if let Answer::Response(response) = &answer {
                said.push((response.position.clone(), response.rationale.clone(), response.concerns.clone()));
                continue;
            }
            session.apply(Event::Asked { call: brief.call.clone(), at }).unwrap();
            let (doubts, stand_in, usage) = (Vec::new(), None, Default::default());
            session.apply(Event::Answered { call: brief.call, at, answer, doubts, stand_in, usage }).unwrap();
        }
        if !said.is_empty() {
            return said;
        }
    }
}

#[test]
fn an_agent_without_a_playbook_of_its_own_answers_and_says_so() {
    let (home, _, catalog) = project();
    write(&home.path().join(".claude/agents/dba.md"), AGENT);
    write(&home.path().join(".claude/agents/mute.md"), "---\nname: mute\n---\nYou say little.\n");
    let seats = ["project:dba", "project:mute", "qa-lead"];
    let (_, _, notes) = seated(&catalog, "Anything", &seats).unwrap();
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(notes[0].contains("project:dba has no playbook of its own"), "{notes:?}");

    let known = first_round(&catalog, "REST or GraphQL for our API", &seats);
    for (at, own) in [(0, "playbook of its own"), (1, "no weights of its own")] {
        let (position, rationale, _) = &known[at];
        assert!(position.contains("REST") || position.contains("GraphQL"), "{position}");
        assert!(rationale.iter().any(|reason| reason.contains(own)), "{rationale:?}");
    }
    assert!(!known[2].1.iter().any(|reason| reason.contains("of its own")), "{:?}", known[2].1);

    let unknown = first_round(&catalog, "How should we name our branches", &seats);
    assert!(unknown[0].0.contains("what happens to old rows?"), "{:?}", unknown[0]);
    assert!(unknown[0].2.iter().any(|concern| concern.contains("Who may delete a customer?")), "{:?}", unknown[0]);
    assert!(unknown[0].1.iter().any(|reason| reason.contains("stands in its text")), "{:?}", unknown[0]);
    assert!(unknown[1].0.contains('?'), "{:?}", unknown[1]);
    assert!(unknown[1].1.iter().any(|reason| reason.contains("anybody would ask")), "{:?}", unknown[1]);
    assert!(unknown[2].1.iter().all(|reason| !reason.contains("playbook of its own")), "{:?}", unknown[2]);
}

#[test]
fn bug_a_role_seated_under_its_prefix_lost_its_weights_offline() {
    let (_home, project, catalog) = project();
    let new = NewRole { name: "ops", from: Some("devops-engineer"), ..NewRole::default() };
    new_role(&project, &catalog, &new).unwrap();
    let plain = first_round(&catalog, "Monolith or microservices", &["ops", "qa-lead"]);
    assert_eq!(first_round(&catalog, "Monolith or microservices", &["project:ops", "qa-lead"]), plain);
    let whole = OfflinePanel::from_catalog(&catalog).0;
    let (session, panel, _) = seated(&catalog, "Monolith or microservices", &["project:ops", "qa-lead"]).unwrap();
    let Step::Ask(briefs) = next_step(&session) else { panic!("asked") };
    assert_eq!(whole.offline().answer(&session, &briefs[0]), panel.offline().answer(&session, &briefs[0]));
}

#[test]
fn nobody_sits_twice_under_two_names_and_the_facilitator_never() {
    let (_home, project, catalog) = project();
    new_role(&project, &catalog, &NewRole { name: "dba", ..NewRole::default() }).unwrap();
    let refused = |seats: &[&str]| seated(&catalog, "x", seats).err().expect("refused").what;
    assert!(refused(&["dba", "project:dba"]).contains("are the same role"));
    let own = NewRole { name: "facilitator", from: Some("facilitator"), ..NewRole::default() };
    new_role(&project, &catalog, &own).unwrap();
    assert!(refused(&["project:facilitator", "qa-lead"]).contains("facilitator's own file"));
    assert!(seated(&catalog, "x", &["dba", "qa-lead"]).is_ok());
}

#[test]
fn a_bad_agent_file_stops_only_the_table_it_is_seated_at() {
    let (home, _, catalog) = project();
    write(&home.path().join(".claude/agents/bad.md"), "---\nname: bad\n---\nText \u{1b}[2J\n");
    assert!(seated(&catalog, "x", &["qa-lead", "technical-lead"]).is_ok());
    let failure = seated(&catalog, "x", &["qa-lead", "project:bad"]).err().expect("refused");
    assert!(failure.what.contains("bad.md:4:6") && failure.what.contains("U+001B"), "{failure:?}");
}

#[test]
fn a_role_text_is_read_back_as_it_was_written() {
    let (_home, project, catalog) = project();
    let hostile = "a: b # c \\ \" ' --- {{ x }} {% y %} 日本 👩\u{200d}💻";
    let new = NewRole { name: "x", title: Some(hostile), description: Some(hostile), from: None };
    let role = new_role(&project, &catalog, &new).unwrap().role;
    assert_eq!((role.title.as_str(), role.description.as_str()), (hostile, hostile));
    assert!(role.body.contains(hostile));
    let text = catalog.show(Kind::Role, "x").unwrap().text;
    assert_eq!(Role::parse("x", &text).unwrap(), role);
}
