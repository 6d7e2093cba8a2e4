//! Records in a real folder: found, marked in both, indexed, and mended after a crash.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::*;
use crate::documents::living::{Edit, Settle};

fn project(files: &[(&str, &str)]) -> (TempDir, Config) {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir_all(home.path().join(".s2s")).unwrap();
    fs::create_dir_all(home.path().join("docs/decisions")).unwrap();
    for (name, text) in files {
        fs::write(home.path().join("docs/decisions").join(name), text).unwrap();
    }
    (home, Config::default())
}

fn text(root: &Path, name: &str) -> String {
    fs::read_to_string(root.join("docs/decisions").join(name)).unwrap()
}

fn record(title: &str, status: &str) -> String {
    format!("---\nstatus: {status}\ndate: 2026-01-02\n---\n\n# {title}\n\nWords.\n")
}

fn never(edit: &Edit) -> Settle {
    panic!("asked about {edit:?}")
}

const GENERATED: &str =
    "---\n# s2s:part meta 00\nstatus: accepted\n# s2s:end meta\n---\n\n# ARCH-001: Events\n\nMine.\n";

fn three() -> (TempDir, Config) {
    project(&[
        ("0001-rest.md", &record("REST for partners", "accepted")),
        ("0002-graphql.md", &record("GraphQL for partners", "accepted")),
        ("ARCH-001-events.md", GENERATED),
    ])
}

#[test]
fn a_record_is_found_by_what_a_person_would_type() {
    let (home, config) = three();
    let all = Decisions::read(home.path(), &config).unwrap();
    for (typed, name) in [
        ("0001-rest", "0001-rest"),
        ("2", "0002-graphql"),
        ("ADR-0002", "0002-graphql"),
        ("adr-1", "0001-rest"),
        ("arch-1", "ARCH-001"),
        ("ARCH-001", "ARCH-001"),
        ("docs/decisions/ARCH-001-events.md", "ARCH-001"),
        ("graph", "0002-graphql"),
        ("EVENTS", "ARCH-001"),
    ] {
        assert_eq!(all.find(typed).unwrap().name, name, "{typed}");
    }
    let said = all.find("1").unwrap_err();
    assert!(said.what.contains("0001-rest  REST for partners\n  ARCH-001  Events"), "{said}");
    assert!(all.find("partners").unwrap_err().what.contains("could be any of"));
    assert!(all.find("0001-rset").unwrap_err().what.contains("did you mean 0001-rest?"));
    assert!(all.find("  ").is_err());
}

#[test]
fn both_are_marked_and_nothing_else_changes() {
    let (home, config) = three();
    let done = supersede(home.path(), &config, "0001", "0002", Some("nobody uses REST")).unwrap();
    assert_eq!(done.changed, ["docs/decisions/0002-graphql.md", "docs/decisions/0001-rest.md"]);
    assert_eq!(
        text(home.path(), "0001-rest.md"),
        "---\nstatus: superseded by 0002-graphql\ndate: 2026-01-02\n---\n\n# REST for partners\n\n\
         - Superseded by [GraphQL for partners](0002-graphql.md): nobody uses REST\n\nWords.\n"
    );
    let new = record("GraphQL for partners", "accepted")
        .replace("Words", "- Supersedes [REST for partners](0001-rest.md): nobody uses REST\n\nWords");
    assert_eq!(text(home.path(), "0002-graphql.md"), new);
    let all = Decisions::read(home.path(), &config).unwrap();
    assert_eq!(all.rows[0].superseded_by.as_deref(), Some("0002-graphql"));
    assert_eq!(all.rows[1].supersedes, ["0001-rest"]);
    assert!(!all.rows[0].is_live() && all.rows.iter().all(|row| row.problems.is_empty()), "{:?}", all.rows);
    let again = supersede(home.path(), &config, "0001", "0002", None).unwrap();
    assert_eq!(again.changed, [""; 0]);
}

#[test]
fn a_crash_in_between_is_seen_and_mended() {
    let (home, config) = three();
    supersede(home.path(), &config, "0001", "0002", None).unwrap();
    let whole = (text(home.path(), "0001-rest.md"), text(home.path(), "0002-graphql.md"));
    for (half, before) in [
        ("0001-rest.md", record("REST for partners", "accepted")),
        ("0002-graphql.md", record("GraphQL for partners", "accepted")),
    ] {
        fs::write(home.path().join("docs/decisions").join(half), before).unwrap();
        let all = Decisions::read(home.path(), &config).unwrap();
        let seen = all.rows[0]
            .problems
            .iter()
            .any(|problem| problem.contains("s2s adr supersede 0001-rest --by 0002-graphql"));
        assert_eq!(seen, half == "0001-rest.md", "{:?}", all.rows[0]);
        supersede(home.path(), &config, "0001", "0002", None).unwrap();
        assert_eq!((text(home.path(), "0001-rest.md"), text(home.path(), "0002-graphql.md")), whole);
    }
}

#[test]
fn what_makes_no_sense_is_refused_and_changes_nothing() {
    let (home, config) = three();
    let folder = home.path().join("docs/decisions");
    fs::write(folder.join("0003-soap.md"), record("SOAP", "superseded by 0001-rest")).unwrap();
    fs::write(folder.join("0004-twice.md"), "---\nstatus: a\nstatus: b\n---\n# Twice\n").unwrap();
    let before = || -> Vec<String> { names(&folder).unwrap().iter().map(|name| text(home.path(), name)).collect() };
    let kept = before();
    for (old, new, words) in [
        ("0001", "0001", "cannot supersede itself"),
        ("0001", "0009", "there is no decision"),
        ("0009", "0001", "there is no decision"),
        ("0001", "0003", "round in a circle"),
        ("0002", "0003", "no longer holds itself: superseded by 0001-rest"),
        ("0003", "0002", "superseded by 0001-rest already"),
        ("ARCH-001", "0002", "only a session can supersede it"),
        ("0004", "0002", "0004-twice.md, line 3"),
        ("0002", "0004", "0004-twice.md, line 3"),
    ] {
        let said = supersede(home.path(), &config, old, new, None);
        match said {
            Err(failure) => assert!(failure.what.contains(words) && failure.next.is_some(), "{old} {new}: {failure:?}"),
            Ok(done) => panic!("{old} by {new}: {done:?}"),
        }
        assert_eq!(before(), kept, "{old} by {new}");
    }
}

#[test]
fn where_one_file_cannot_be_written_neither_is() {
    let (home, config) = three();
    let path = home.path().join("docs/decisions/0001-rest.md");
    let mut mode = fs::metadata(&path).unwrap().permissions();
    mode.set_readonly(true);
    fs::set_permissions(&path, mode).unwrap();
    let said = supersede(home.path(), &config, "0001", "0002", None).unwrap_err();
    assert!(said.what.contains("0001-rest.md") && said.next.unwrap().contains("same command"), "{}", said.what);
    assert_eq!(text(home.path(), "0002-graphql.md"), record("GraphQL for partners", "accepted"));
    let left = fs::read_dir(home.path().join("docs/decisions")).unwrap().count();
    assert_eq!(left, 3, "no temporary file stays");
}

#[test]
fn a_generated_record_may_take_a_place_and_keeps_its_generated_parts() {
    let (home, config) = three();
    supersede(home.path(), &config, "0001", "ARCH-001", None).unwrap();
    assert!(text(home.path(), "0001-rest.md").contains("status: superseded by ARCH-001\n"));
    let new = text(home.path(), "ARCH-001-events.md");
    assert_eq!(new, GENERATED.replace("Mine.", "- Supersedes [REST for partners](0001-rest.md)\n\nMine."));
}

#[test]
fn bad_files_are_rows_with_their_problem() {
    let (home, config) = three();
    let folder = home.path().join("docs/decisions");
    fs::write(folder.join("bytes.md"), b"# a\n\xff\n").unwrap();
    fs::write(folder.join("open.md"), "---\nstatus: a\n").unwrap();
    fs::write(folder.join("none.md"), "# No status\n").unwrap();
    fs::write(folder.join("lost.md"), record("Lost", "superseded by 0099-gone")).unwrap();
    fs::write(folder.join("ARCH-001-other.md"), GENERATED).unwrap();
    fs::create_dir(folder.join("folder.md")).unwrap();
    fs::write(folder.join("notes.txt"), "no record").unwrap();
    let all = Decisions::read(home.path(), &config).unwrap();
    let problem = |name: &str| all.rows.iter().find(|row| row.name == name).unwrap().problems.join("; ");
    for (name, words) in [
        ("bytes", "line 2: not UTF-8 text"),
        ("open", "line 1, column 1: the front matter begins here and never ends"),
        ("none", "no status"),
        ("lost", "superseded by \"0099-gone\", which is not here"),
        ("ARCH-001-other", "a second file of ARCH-001"),
        ("folder", "not a plain file"),
    ] {
        assert!(problem(name).contains(words), "{name}: {}", problem(name));
    }
    assert_eq!(all.rows.len(), 9);
    assert_eq!(problem("0001-rest"), "");
}

#[test]
fn the_index_keeps_what_people_write_around_it() {
    let (home, config) = three();
    supersede(home.path(), &config, "0001", "0002", None).unwrap();
    let index = write_index(home.path(), &config, &mut never).unwrap();
    assert_eq!((index.path.as_str(), index.changed), ("docs/decisions/README.md", true));
    let table = "| Decision | Status | Date |\n|---|---|---|\n\
        | [REST for partners](0001-rest.md) | superseded by [GraphQL for partners](0002-graphql.md) | 2026-01-02 |\n\
        | [GraphQL for partners](0002-graphql.md) | accepted | 2026-01-02 |\n\
        | [ARCH-001: Events](ARCH-001-events.md) | accepted |  |\n";
    assert!(text(home.path(), "README.md").contains(table), "{}", text(home.path(), "README.md"));
    assert!(!write_index(home.path(), &config, &mut never).unwrap().changed);
    let path = home.path().join("docs/decisions/README.md");
    let mine = format!("My words.\n\n{}\nMore.\n", text(home.path(), "README.md"));
    fs::write(&path, &mine).unwrap();
    fs::write(home.path().join("docs/decisions/0003-x.md"), record("X | y", "proposed")).unwrap();
    assert!(write_index(home.path(), &config, &mut never).unwrap().changed);
    let now = text(home.path(), "README.md");
    assert!(now.starts_with("My words.\n") && now.ends_with("\nMore.\n") && now.contains("X \\| y"), "{now}");
    fs::write(&path, now.replace("| proposed |", "| mine |")).unwrap();
    let kept = write_index(home.path(), &config, &mut |_| Settle::Mine).unwrap();
    assert!(kept.kept && text(home.path(), "README.md").contains("| mine |"));
}

#[test]
fn titles_with_backticks_and_bars_read_the_same_in_the_index() {
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
    let titles = ["Use `a|b` and `c`", "`x` or | `y|z` | ``w``", "Pipes | in [brackets] and *stars*", "A lone ` here"];
    let (home, config) = project(&[]);
    for (at, title) in titles.iter().enumerate() {
        fs::write(home.path().join(format!("docs/decisions/000{at}-x.md")), record(title, "accepted")).unwrap();
    }
    write_index(home.path(), &config, &mut never).unwrap();
    let index = text(home.path(), "README.md");
    let (mut rows, mut cells, mut linked) = (Vec::new(), 0, None);
    for event in Parser::new_ext(&index, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::TableCell) => cells += 1,
            Event::Start(Tag::Link { .. }) => linked = Some(String::new()),
            Event::Text(text) | Event::Code(text) if linked.is_some() => linked.as_mut().unwrap().push_str(&text),
            Event::End(TagEnd::Link) => rows.extend(linked.take()),
            _ => {}
        }
    }
    assert_eq!(cells, 3 * (1 + titles.len()), "{index}");
    let bare = |text: &str| text.replace('`', "");
    let read: Vec<String> = rows.iter().map(|row| bare(row)).collect();
    assert_eq!(read, titles.map(bare), "{index}");
}
