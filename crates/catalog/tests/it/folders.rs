//! A project's files over the built-in ones.

use std::fs;
use std::path::Path;

use s2s_catalog::{Catalog, CatalogError, Kind, Source};

fn write(dir: &Path, file: &str, text: &str) {
    let path = dir.join(file);
    fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
    fs::write(path, text).expect("a file");
}

const ROLE: &str = "---\nname: NAME\ndescription: \"d\"\nmodel: inherit\nskills: \"a, b ,\"\nweighs: {cost: 2.5}\n---\n\nText of the role.\n";

#[test]
fn a_project_file_of_the_same_name_wins_and_a_new_one_adds() {
    let dir = tempfile::tempdir().expect("a folder");
    write(dir.path(), "roles/qa-lead.md", &ROLE.replace("NAME", "qa-lead"));
    write(dir.path(), "roles/lawyer.md", &ROLE.replace("NAME", "lawyer"));
    let catalog = Catalog::with_project(dir.path(), None);
    let role = catalog.role("qa-lead").expect("a role");
    assert_eq!(role.source, Source::File(dir.path().join("roles/qa-lead.md")));
    assert_eq!(role.value.title, "Qa Lead");
    assert_eq!(&*role.value.body, "Text of the role.");
    assert_eq!(role.value.skills, ["a", "b"]);
    assert_eq!(role.value.model, None);
    assert_eq!(role.value.weighs["cost"], 2.5);
    assert_eq!(catalog.role("lawyer").expect("a role").value.title, "Lawyer");
    assert_eq!(catalog.role("technical-lead").expect("a role").source, Source::BuiltIn);
    let listed: Vec<_> = catalog.list().into_iter().filter(|l| l.source != Source::BuiltIn).collect();
    let seen: Vec<_> = listed.iter().map(|l| (l.name.as_str(), l.overrides)).collect();
    assert_eq!(seen, [("qa-lead", true), ("lawyer", false)]);
}

#[test]
fn a3_a_workflow_without_agenda_is_free_form_until_the_project_writes_one() {
    let dir = tempfile::tempdir().expect("a folder");
    let catalog = Catalog::with_project(dir.path(), None);
    assert_eq!(catalog.agenda("brainstorm"), Ok(None));
    let specs = catalog.agenda("specs").expect("good").expect("there").value;
    let critical: Vec<_> = specs.topics().into_iter().filter(|t| t.critical).map(|t| t.id).collect();
    assert_eq!(critical, ["user-workflows", "functional-requirements"]);
    write(
        dir.path(),
        "agendas/brainstorm.yaml",
        "workflow: brainstorm\nsummary: s\ntopics:\n  - {id: a, name: A, about: a, questions: [q], done_when: [d]}\n",
    );
    let own = catalog.agenda("brainstorm").expect("good").expect("there").value;
    assert_eq!(own.topics().len(), 1);
    let unknown = catalog.agenda("spec").expect_err("unknown").to_string();
    assert_eq!(unknown, "there is no agenda `spec` (did you mean `specs`?); known: specs, design, brainstorm");
}

#[test]
fn an_agent_file_of_the_project_can_be_seated() {
    let dir = tempfile::tempdir().expect("a folder");
    let agents = dir.path().join(".claude/agents");
    write(
        &agents,
        "data-expert.md",
        "---\nname: something else\ndescription: Knows data\ntools: [\"Read\"]\ncolor: red\nmodel: opus\nfuture: {key: 1}\n---\nYou know data.\n",
    );
    // Not YAML: a colon in the text of a plain value.
    write(
        &agents,
        "loose.md",
        "---\r\nname: loose\r\ndescription: Use this when: the user asks\\n<example>user: \"hi\"</example>\r\nmodel: inherit\r\n---\r\nText.\r\n",
    );
    write(&agents, "README.md", "notes");
    let catalog = Catalog::with_project(&dir.path().join(".s2s"), Some(&agents));
    let expert = catalog.role("project:data-expert").expect("a role").value;
    assert_eq!((expert.id.as_str(), expert.title.as_str()), ("project:data-expert", "Data Expert"));
    assert_eq!((expert.description.as_str(), expert.model.as_deref()), ("Knows data", Some("opus")));
    let loose = catalog.role("project:loose").expect("a role").value;
    assert!(loose.description.starts_with("Use this when: the user"), "{}", loose.description);
    assert_eq!((loose.model, &*loose.body), (None, "Text."));
    let names = catalog.names(Kind::Role);
    assert_eq!(&names[11..], ["project:data-expert", "project:loose"]);
    assert_eq!(catalog.check().problems, []);
    assert!(catalog.role("data-expert").is_err(), "only under its own name");
    let near = catalog.role("project:data-expret").expect_err("unknown").to_string();
    assert!(near.contains("did you mean `project:data-expert`?"), "{near}");
}

#[test]
fn bug_a_role_of_the_project_was_not_found_under_its_prefix() {
    let dir = tempfile::tempdir().expect("a folder");
    let (own, agents) = (dir.path().join(".s2s"), dir.path().join(".claude/agents"));
    let text = Catalog::builtin().show(Kind::Role, "qa-lead").expect("a role").text.replace("qa-lead", "dba");
    write(&own.join("roles"), "dba.md", &text);
    let catalog = Catalog::with_project(&own, Some(&agents));
    let found = catalog.role("project:dba").expect("the project's own role");
    assert_eq!(found.source, Source::File(own.join("roles/dba.md")));
    write(&agents, "dba.md", "---\nname: dba\ndescription: Knows data\n---\nYou know data.\n");
    assert_eq!(catalog.role("project:dba").expect("the agent").source, Source::File(agents.join("dba.md")));
    // A built-in role is not the project's.
    let said = catalog.role("project:qa-lead").expect_err("unknown").to_string();
    assert!(said.contains(".claude/agents/qa-lead.md") && said.contains(".s2s/roles/qa-lead.md"), "{said}");
}

#[test]
fn an_unknown_name_suggests_the_nearest_and_lists_all() {
    let catalog = Catalog::builtin();
    assert_eq!(
        catalog.strategy("debat").expect_err("unknown").to_string(),
        "there is no strategy `debat` (did you mean `debate`?); known: standard, disney, debate, \
         consensus-driven, six-hats, direct"
    );
    assert_eq!(
        "rolle".parse::<Kind>().expect_err("unknown").to_string(),
        "the catalog has no kind `rolle` (did you mean `role`?); known: strategy, agenda, role, \
         prompt, template, playbook, constraints, words, models"
    );
    assert_eq!("roles".parse::<Kind>(), Ok(Kind::Role));
}

#[test]
fn a_name_never_leads_out_of_the_folder() {
    let dir = tempfile::tempdir().expect("a folder");
    write(dir.path(), "secret.md", &ROLE.replace("NAME", "secret"));
    write(dir.path(), ".s2s/roles/x.md", &ROLE.replace("NAME", "x"));
    let agents = dir.path().join(".s2s/roles");
    let catalog = Catalog::with_project(&dir.path().join(".s2s"), Some(&agents));
    let absolute = dir.path().join("secret").display().to_string();
    let names = ["../../secret", "..\\secret", ".hidden", "", "a\0b", "project:../../secret", &absolute];
    for name in names {
        let error = catalog.role(name).expect_err("refused");
        assert!(matches!(error, CatalogError::Unknown { .. }), "{name}: {error}");
        assert!(catalog.show(Kind::Role, name).is_err(), "{name}");
    }
}

#[test]
fn a_bad_file_is_shown_as_it_is_and_never_replaced_by_the_built_in_one() {
    let dir = tempfile::tempdir().expect("a folder");
    write(dir.path(), "strategies/debate.yaml", "name: debate\n");
    let catalog = Catalog::with_project(dir.path(), None);
    assert_eq!(catalog.show(Kind::Strategy, "debate").expect("shown").text, "name: debate\n");
    let error = catalog.strategy("debate").expect_err("bad");
    assert!(matches!(&error, CatalogError::Bad { problems } if problems.len() == 3), "{error}");
}

#[test]
fn a_playbook_is_called_as_its_file() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = Catalog::builtin().show(Kind::Playbook, "api-style").expect("shown").text;
    write(dir.path(), "playbooks/api-style.yaml", &text);
    write(dir.path(), "playbooks/own.yaml", &text);
    let catalog = Catalog::with_project(dir.path(), None);
    assert!(catalog.playbook("api-style").is_ok());
    let error = catalog.playbook("own").expect_err("another name").to_string();
    assert!(error.ends_with("the name is `api-style`, but the file is called `own`; they must be the same"), "{error}");
}

/// These would hang or never end if they were simply opened and read.
#[cfg(unix)]
#[test]
fn a_device_or_a_link_in_circles_is_a_problem() {
    use std::os::unix::fs::symlink;
    let dir = tempfile::tempdir().expect("a folder");
    let roles = dir.path().join("roles");
    fs::create_dir(&roles).expect("a folder");
    symlink("/dev/zero", roles.join("endless.md")).expect("a link");
    symlink(roles.join("circle.md"), roles.join("circle.md")).expect("a link");
    let problems = Catalog::with_project(dir.path(), None).check().problems;
    let said: Vec<_> = problems.iter().map(|problem| problem.what.as_str()).collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].starts_with("cannot be read: "), "{said:?}");
    assert_eq!(said[1], "is not a regular file");
}

#[test]
fn a_report_can_be_handed_on_as_json() {
    let report = serde_json::to_value(Catalog::builtin().check()).expect("json");
    assert_eq!(report["strategies"][0]["source"], "built-in");
    assert_eq!(report["strategies"][0]["bounds"]["most_calls"], 200);
}
