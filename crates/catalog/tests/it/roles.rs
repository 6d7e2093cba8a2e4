//! Who could be seated: built-in roles, the project's own, and agent files, good and hostile ones.

use std::fs;
use std::path::Path;

use s2s_catalog::{Catalog, CatalogError, MAX_ROLE_BYTES, RoleOrigin, RoleRow};

fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
    fs::write(path, text).expect("a file");
}

fn project() -> (tempfile::TempDir, Catalog) {
    let dir = tempfile::tempdir().expect("a folder");
    let catalog = Catalog::with_project(&dir.path().join(".s2s"), Some(&dir.path().join(".claude/agents")));
    (dir, catalog)
}

fn row<'r>(rows: &'r [RoleRow], id: &str) -> &'r RoleRow {
    rows.iter().find(|row| row.id == id).expect(id)
}

#[test]
fn every_role_is_listed_with_where_it_comes_from_and_what_it_ignores() {
    let (dir, catalog) = project();
    let own = "---\nname: qa-lead\ndescription: Ours\ncolor: red\n---\nYou test.\n";
    write(dir.path(), ".s2s/roles/qa-lead.md", own);
    let agent = "---\nname: x\ndescription: Knows data\nmodel: opus\ntools: Read, Grep\nskills: [sql]\nhooks: {a: 1}\n---\nYou know data.\n";
    write(dir.path(), ".claude/agents/Data_Expert.v2.md", agent);
    let (rows, problems) = catalog.roles();
    assert_eq!(problems, []);
    assert_eq!(rows.len(), 12);
    let architect = row(&rows, "software-architect");
    assert_eq!((architect.origin, architect.overrides), (RoleOrigin::BuiltIn, false));
    assert!(architect.ignored.is_empty());
    let qa = row(&rows, "qa-lead");
    assert_eq!(
        (qa.origin, qa.overrides, qa.ignored.as_slice()),
        (RoleOrigin::Project, true, &["color".to_owned()][..])
    );
    let expert = row(&rows, "project:Data_Expert.v2");
    assert_eq!((expert.origin, expert.overrides), (RoleOrigin::ClaudeAgent, false));
    assert_eq!(expert.ignored, ["tools", "hooks"]);
    let role = expert.role.as_ref().expect("a role");
    assert_eq!((role.model.as_deref(), role.skills.as_slice()), (Some("opus"), &["sql".to_owned()][..]));
    assert_eq!(role.title, "Data Expert.v2");
}

#[test]
fn another_tools_keys_without_a_value_are_as_if_not_there() {
    let (dir, catalog) = project();
    write(dir.path(), ".claude/agents/a.md", "---\nname: a\ndescription:\nmodel:\nskills:\ntools:\n---\nText.\n");
    let role = catalog.role("project:a").expect("a role").value;
    assert_eq!((role.description.as_str(), role.model, role.skills.len()), ("", None, 0));
}

/// An agent file with this text is a problem at this line, in these words, and no other role suffers.
#[track_caller]
fn check_bad(name: &str, text: impl AsRef<[u8]>, line: u32, words: &str) {
    let (dir, catalog) = project();
    write(dir.path(), &format!(".claude/agents/{name}.md"), text);
    let (rows, problems) = catalog.roles();
    assert_eq!(problems, []);
    assert_eq!(rows.len(), 12);
    let bad = row(&rows, &format!("project:{name}"));
    assert!(bad.role.is_none());
    let problem = bad.problems.first().expect("a problem");
    assert!(problem.file.ends_with(&format!("{name}.md")), "{problem}");
    assert_eq!(problem.line, line, "{problem}");
    assert!(problem.to_string().contains(words), "{problem}");
    assert!(!problem.to_string().contains('\u{1b}'), "{problem:?}");
    assert!(rows.iter().filter(|row| row.problems.is_empty()).count() == 11);
    let error = catalog.role(&format!("project:{name}")).expect_err("not seated");
    assert!(matches!(error, CatalogError::Bad { .. }), "{error}");
    assert!(catalog.role("qa-lead").is_ok());
}

#[test]
fn a_bad_agent_file_is_a_problem_with_its_line() {
    check_bad("a", "no frontmatter", 1, "there is no frontmatter");
    check_bad("a", "", 1, "there is no frontmatter");
    check_bad("a", "---\nname: a\n", 2, "no end");
    check_bad("a", "---\nname: a\n---\n \n", 4, "no text below");
    check_bad("a", "---\nname: a\nmodel: [x]\n---\nText.\n", 3, "text");
    check_bad("a", "---\nname: a\n---\nText.\nRed: \u{1b}[31m\n", 5, "U+001B");
    check_bad("a", "---\nname: a\n---\nText \u{202e}txet\n", 4, "U+202E");
    // Letters that only a model would read.
    check_bad("a", "---\nname: a\n---\nText.\n\nMore\u{e0041}\u{e0042}\n", 6, "U+E0041");
    check_bad("a", "---\nname: a\ntitle: \"\\e[2J\"\n---\nText.\n", 3, "U+001B");
    check_bad("a", format!("---\nname: a\ntitle: {}\n---\nText.\n", "x".repeat(81)), 3, "title is too long");
    check_bad("a", format!("---\nname: a\n---\n{}", "x".repeat(MAX_ROLE_BYTES + 1)), 4, "at most 65536 bytes");
    check_bad("a", b"---\nname: a\n---\nText.\n\xff\n", 5, "UTF-8");
    check_bad("a", b"---\nname: a\n---\n\0\n", 4, "binary");
    check_bad("a", vec![b'x'; 2 << 20], 0, "too large");
    check_bad("two words", "---\nname: a\n---\nText.\n", 0, "no seat can be called `project:two words`");
    check_bad("a,b", "---\nname: a\n---\nText.\n", 0, "rename the file");
    check_bad("-x", "---\nname: a\n---\nText.\n", 0, "rename the file");
    check_bad(&"x".repeat(65), "---\nname: a\n---\nText.\n", 0, "rename the file");
}

#[test]
fn what_a_script_needs_is_not_hidden() {
    let (dir, catalog) = project();
    let text = "---\nname: a\n---\nپاسخ می\u{200c}دهد. 👩\u{200d}💻 caf\u{e9}\u{a0}!\r\n\tTab.\n";
    write(dir.path(), ".claude/agents/a.md", text);
    assert!(catalog.role("project:a").is_ok());
}

#[test]
fn an_own_role_is_held_to_the_same_limits() {
    let (dir, catalog) = project();
    let text = "---\nname: dba\ndescription: \"a\\u202eb\"\n---\nText.\u{7}\n";
    write(dir.path(), ".s2s/roles/dba.md", text);
    let CatalogError::Bad { problems } = catalog.role("dba").expect_err("bad") else { panic!("bad") };
    let places: Vec<u32> = problems.iter().map(|problem| problem.line).collect();
    assert_eq!(places, [3, 5], "{problems:?}");
}

#[test]
fn a_folder_that_is_none_and_a_stray_file_are_said() {
    let (dir, catalog) = project();
    write(dir.path(), ".s2s/roles/dba.txt", "x");
    write(dir.path(), ".claude/agents", "a file");
    let (rows, problems) = catalog.roles();
    assert_eq!(rows.len(), 11, "the others are still there");
    let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert!(said.iter().any(|line| line.contains("dba.txt") && line.contains("is not read")), "{said:?}");
    assert!(said.iter().any(|line| line.contains("agents") && line.contains("cannot be read")), "{said:?}");
}
