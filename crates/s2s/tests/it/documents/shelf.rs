//! Where documents go: a place for each kind, names that are taken, files that are there already, what is in the way.

use super::hostile::{HOSTILE, all_say};
use super::*;

#[test]
fn c1_each_kind_has_its_place() {
    let project = tempfile::tempdir().unwrap();
    let shelf = shelf(project.path());
    for (kind, place) in [
        (OutputType::Adr, "docs/decisions/20260102-030405-postgres-vs-mongodb-for-order.md"),
        (OutputType::Requirements, "docs/specifications/requirements.md"),
        (OutputType::Architecture, "docs/architecture/postgres-vs-mongodb-for-order-20260102-030405.md"),
        (OutputType::Summary, ".s2s/sessions/20260102-030405-test-summary.md"),
    ] {
        let record = split().of_type(kind);
        assert_eq!(record.write(&shelf).unwrap(), [place]);
        assert_eq!(fs::read_to_string(project.path().join(place)).unwrap(), record.document(kind));
    }
}

#[test]
fn c1_a_name_that_is_taken_is_never_written_over() {
    let project = tempfile::tempdir().unwrap();
    let shelf = shelf(project.path());
    let folder = project.path().join("docs/decisions");
    fs::create_dir_all(folder.join("20260102-030405-rest-or-graphql-2.md")).unwrap();
    fs::write(folder.join("20260102-030405-rest-or-graphql.md"), "mine").unwrap();
    let panel = || script(&agreeable_with_votes());
    let one = hold_as(&Table::default(), panel(), "20260102-030405-one");
    let two = hold_as(&Table::default(), panel(), "20260102-030405-two");
    assert_eq!(one.write(&shelf).unwrap(), ["docs/decisions/20260102-030405-rest-or-graphql-3.md"]);
    assert_eq!(two.write(&shelf).unwrap(), ["docs/decisions/20260102-030405-rest-or-graphql-4.md"]);
    assert_eq!(fs::read_to_string(folder.join("20260102-030405-rest-or-graphql.md")).unwrap(), "mine");
    assert_eq!(files(&folder).len(), 4, "nothing half written is left");
}

#[test]
fn c1_a_second_call_finds_what_the_first_wrote() {
    for kind in KINDS {
        let project = tempfile::tempdir().unwrap();
        let shelf = shelf(project.path());
        let record = split().of_type(*kind);
        let first = record.write(&shelf).unwrap();
        let path = project.path().join(&first[0]);
        let edited = fs::read_to_string(&path).unwrap() + "\nA remark by a reader.\n";
        fs::write(&path, &edited).unwrap();
        assert_eq!(record.write(&shelf).unwrap(), first);
        assert_eq!(fs::read_to_string(&path).unwrap(), edited, "{kind}: what a reader added is kept");
        assert_eq!(files(path.parent().unwrap()).iter().filter(|name| name.ends_with(".md")).count(), 1);
    }
}

#[test]
fn a_marker_that_a_seat_said_is_not_taken_for_one() {
    let project = tempfile::tempdir().unwrap();
    let shelf = shelf(project.path());
    let liar = all_say(HOSTILE).of_type(OutputType::Requirements);
    liar.write(&shelf).unwrap();
    let other = hold_as(&Table::default(), script(&agreeable_with_votes()), "20260102-030405-other");
    other.of_type(OutputType::Requirements).write(&shelf).unwrap();
    let text = fs::read_to_string(project.path().join("docs/specifications/requirements.md")).unwrap();
    assert_eq!(text.matches("\n<!-- s2s session: 20260102-030405-other -->\n").count(), 1);
}

#[test]
fn c1_requirements_are_appended_and_ids_go_on() {
    let project = tempfile::tempdir().unwrap();
    let shelf = shelf(project.path());
    let folder = project.path().join("docs/specifications");
    fs::create_dir_all(&folder).unwrap();
    let old = "# Our requirements\r\n\r\n- REQ-041 Sell parts\r\n- see NFR-7";
    fs::write(folder.join("requirements.md"), old).unwrap();
    let first = split().of_type(OutputType::Requirements);
    first.write(&shelf).unwrap();
    let one = fs::read_to_string(folder.join("requirements.md")).unwrap();
    assert!(one.starts_with(&format!("{old}\r\n\r\n## Requirements from roundtable: Postgres")), "{one}");
    assert!(one.contains("**REQ-042** Keep the order history") && !one.contains("# Requirements\r\n"), "{one}");
    assert!(!one.replace("\r\n", "").contains('\n'), "the line ends stay those of the file");
    let table = Table { topic: "Parts search", ..Table::default() };
    let second = hold_as(&table, script(&agreeable_with_votes()), "20260102-030405-second");
    second.of_type(OutputType::Requirements).write(&shelf).unwrap();
    let two = fs::read_to_string(folder.join("requirements.md")).unwrap();
    assert!(two.starts_with(&one) && two.contains("**REQ-043** Use REST"), "{two}");
}

#[test]
fn an_empty_requirements_file_gets_its_head() {
    let project = tempfile::tempdir().unwrap();
    let shelf = shelf(project.path());
    fs::create_dir_all(project.path().join("docs/specifications")).unwrap();
    let path = project.path().join("docs/specifications/requirements.md");
    fs::write(&path, "").unwrap();
    split().of_type(OutputType::Requirements).write(&shelf).unwrap();
    assert!(fs::read_to_string(&path).unwrap().starts_with("# Requirements\n"));
}

#[test]
fn settings_that_lead_out_of_the_project_are_refused() {
    let project = tempfile::tempdir().unwrap();
    for path in ["../x", "/tmp/x", "docs/../../x"] {
        let mut config = Config::default();
        config.docs.decisions = path.into();
        let failure = Shelf::new(project.path(), &config, templates()).unwrap_err();
        assert_eq!(failure.kind, FailureKind::BadInput);
        assert!(failure.what.contains(path) && failure.next.unwrap().contains("docs.decisions"), "{}", failure.what);
    }
}

#[test]
fn what_stands_in_the_way_is_named_and_stays() {
    let project = tempfile::tempdir().unwrap();
    let shelf = shelf(project.path());
    fs::write(project.path().join("docs"), "a file").unwrap();
    let failure = split().write(&shelf).unwrap_err();
    assert_eq!(failure.what, "cannot make the folder docs/decisions: docs is a file");
    assert_eq!(failure.next.unwrap(), "move docs away or set docs.decisions in .s2s/config.yaml, then resume");
    assert_eq!(fs::read_to_string(project.path().join("docs")).unwrap(), "a file");
}
