//! Validation of a whole project: a sound one has no findings, and each thing that is wrong is one, with its place.

use expect_test::{Expect, expect};
use s2s::engine::artifact::{Artifact, Change};
use s2s::engine::opening::{Opening, Workflow};
use s2s::engine::record::Round;
use s2s::register::{Finding, ProjectRegister, Report, check_text, validate};
use s2s::store::{Minutes, Sessions};
use serde_json::json;

use super::made::{artifact, carrying, complete, id, keep, opening, proposing, register, topic, two_rounds};

const SPECS: &str = "20260103-030405-specs";

struct Project {
    folder: tempfile::TempDir,
    sessions: Sessions,
}

impl Project {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let sessions = Sessions::new(folder.path().join(".s2s"));
        Self { folder, sessions }
    }

    fn report(&self, only: Option<&str>) -> Report {
        validate(&self.sessions, self.folder.path(), &[], only).unwrap()
    }

    #[track_caller]
    fn finds(&self, expected: Expect) {
        expected.assert_eq(&shown(&self.report(None).findings));
    }
}

fn shown(findings: &[Finding]) -> String {
    let line = |finding: &Finding| {
        let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
        let round = finding.round.map(|round| format!(" r{round}")).unwrap_or_default();
        assert!(!finding.next.is_empty());
        format!("{} {}{line}{round} {}\n", finding.severity.as_str(), finding.file.display(), finding.what)
    };
    findings.iter().map(line).collect()
}

fn specs() -> Opening {
    opening(SPECS, Workflow::Specs, Some(register(Workflow::Specs, vec![])), None)
}

/// One session with these rounds and nothing else.
#[track_caller]
fn check(opening: Opening, rounds: Vec<Round>, expected: Expect) {
    let project = Project::new();
    keep(&project.sessions, complete(&opening, 0, rounds), false);
    project.finds(expected);
}

#[test]
fn a_sound_project_has_no_findings_and_says_what_was_checked() {
    let project = Project::new();
    super::register::project(&project.sessions);
    let report = project.report(None);
    assert_eq!(shown(&report.findings), "");
    assert_eq!((report.sessions, report.rounds, report.artifacts, report.tallies), (4, 8, 11, 10));
    assert_eq!(report.notes, Vec::<String>::new());
    assert_eq!(project.report(Some(SPECS)).sessions, 1);
}

#[test]
fn a_large_project_is_sound_too() {
    let project = Project::new();
    assert_eq!(super::made::large(&project.sessions, 12, 4), 48);
    project.finds(expect![""]);
}

#[test]
fn ids_that_the_engine_did_not_give() {
    let known = vec![artifact("REQ-004", &[])];
    let opening = Opening { register: Some(register(Workflow::Specs, known)), ..specs() };
    let made = ["REQ-005", "REQ-007", "REQ-002", "REQ-300", "REQ-005", "ARCH-001"].map(|id| artifact(id, &[])).to_vec();
    let unknown = Artifact { change: Change::Withdrawn, ..artifact("BR-009", &[]) };
    let rounds = two_rounds(made.into_iter().chain([unknown]).collect());
    check(
        opening,
        rounds,
        expect![[r#"
            warning .s2s/sessions/20260103-030405-specs.yaml was opened with artifacts that no session holds any more: REQ-004
            error .s2s/sessions/20260103-030405-specs.yaml:136 r1 REQ-005 is made a second time
            error .s2s/sessions/20260103-030405-specs.yaml:146 r1 REQ-007 stands where REQ-006 is due: the engine gives numbers in order
            error .s2s/sessions/20260103-030405-specs.yaml:156 r1 REQ-002 is new here, but the project had used the numbers up to 4 before
            error .s2s/sessions/20260103-030405-specs.yaml:166 r1 REQ-300 is above REQ-104, the last number kept for this session
            error .s2s/sessions/20260103-030405-specs.yaml:186 r1 ARCH-001: this session does not keep ARCH
            error .s2s/sessions/20260103-030405-specs.yaml:198 r1 BR-009 is withdrawn here, but was neither made before nor known at the start
            warning .s2s/sessions/20260103-030405-specs.yaml:198 r1 BR-009 is withdrawn here, but no session that can be read has made it
        "#]],
    );
}

#[test]
fn kinds_of_another_workflow_and_seats_and_topics_that_are_not_there() {
    let opening =
        Opening { register: Some(register(Workflow::Design, vec![])), agenda: vec![topic("scope", 0, 0)], ..specs() };
    let stranger =
        Artifact { proposed_by: vec!["nobody".into()], topic: Some("costs".into()), ..artifact("ARCH-001", &[]) };
    check(
        opening,
        two_rounds(vec![stranger]),
        expect![[r#"
        error .s2s/sessions/20260103-030405-specs.yaml was opened to propose ARCH, which specs sessions do not
        error .s2s/sessions/20260103-030405-specs.yaml was opened to propose COMP, which specs sessions do not
        error .s2s/sessions/20260103-030405-specs.yaml was opened to propose INT, which specs sessions do not
        error .s2s/sessions/20260103-030405-specs.yaml:128 r1 ARCH-001 was proposed by `nobody`, who is not at the table
        error .s2s/sessions/20260103-030405-specs.yaml:128 r1 ARCH-001 belongs to `costs`, which is not on the agenda
    "#]],
    );
}

#[test]
fn references_that_lead_nowhere() {
    let mut int = artifact("ARCH-001", &["REQ-099", "ARCH-001"]);
    int.details.between = vec!["COMP-077".into(), "the bank".into()];
    int.uses = vec![id("COMP-050")];
    let opening = opening(SPECS, Workflow::Design, Some(register(Workflow::Design, vec![])), None);
    check(
        opening,
        two_rounds(vec![int]),
        expect![[r#"
        error .s2s/sessions/20260103-030405-specs.yaml:125 r1 ARCH-001 names REQ-099 under `serves`, which is not there
        error .s2s/sessions/20260103-030405-specs.yaml:125 r1 ARCH-001 names itself under `serves`
        error .s2s/sessions/20260103-030405-specs.yaml:125 r1 ARCH-001 names COMP-050 under `uses`, which is not there
        error .s2s/sessions/20260103-030405-specs.yaml:125 r1 ARCH-001 names COMP-077 under `between`, which is not there
    "#]],
    );
}

#[test]
fn a_reference_to_what_a_removed_session_held_is_a_warning() {
    let known = vec![artifact("IDEA-001", &[])];
    let opening = Opening { register: Some(register(Workflow::Specs, known)), ..specs() };
    check(
        opening,
        two_rounds(vec![artifact("REQ-001", &["IDEA-001"])]),
        expect![[r#"
            warning .s2s/sessions/20260103-030405-specs.yaml was opened with artifacts that no session holds any more: IDEA-001
            warning .s2s/sessions/20260103-030405-specs.yaml:130 r1 REQ-001 names IDEA-001 under `serves`, which no session holds any more
        "#]],
    );
}

#[test]
fn the_same_id_made_in_two_sessions() {
    let project = Project::new();
    for session in ["20260103-030405-one", "20260103-030406-two"] {
        let opening = Opening { id: session.into(), ..specs() };
        keep(&project.sessions, complete(&opening, 0, two_rounds(vec![artifact("REQ-001", &[])])), false);
    }
    project.finds(expect![[r#"
        error .s2s/sessions/20260103-030405-one.yaml:126 r1 REQ-001 is made here and in 20260103-030406-two
        error .s2s/sessions/20260103-030406-two.yaml:126 r1 REQ-001 is made here and in 20260103-030405-one
    "#]]);
}

#[test]
fn two_with_one_title_a_lack_of_fields_and_something_superseded_are_warnings() {
    let same = Artifact { title: "title  OF req-001".into(), ..artifact("REQ-002", &[]) };
    let bare = Artifact { details: Default::default(), ..artifact("REQ-003", &[]) };
    let serving = artifact("REQ-004", &["REQ-005"]);
    let rounds = {
        let old = artifact("REQ-005", &[]);
        let gone = Artifact {
            change: Change::Superseded,
            superseded_by: Some(id("REQ-001")),
            proposed_by: vec![],
            ..old.clone()
        };
        let first = proposing(1, vec![artifact("REQ-001", &[]), same, bare, serving, old]);
        let second = Round { artifacts: vec![gone], ..carrying(2, &super::made::points(&first)) };
        vec![first, second]
    };
    check(
        specs(),
        rounds,
        expect![[r#"
        warning .s2s/sessions/20260103-030405-specs.yaml:140 r1 REQ-002 has the same title as REQ-001: title  OF req-001
        warning .s2s/sessions/20260103-030405-specs.yaml:150 r1 REQ-003 lacks priority, acceptance
        warning .s2s/sessions/20260103-030405-specs.yaml:157 r1 REQ-004 names REQ-005 under `serves`, which is superseded
    "#]],
    );
}

#[test]
fn parents_that_are_gone_or_go_round() {
    let project = Project::new();
    for (own, parent) in [("a", "b"), ("b", "a"), ("c", "c"), ("d", "gone")] {
        let opening = opening(own, Workflow::Specs, None, Some(parent));
        keep(&project.sessions, complete(&opening, 0, vec![carrying(1, &[])]), false);
    }
    project.finds(expect![[r#"
        error .s2s/sessions/a.yaml goes on from itself, by way of b
        error .s2s/sessions/b.yaml goes on from itself, by way of a
        error .s2s/sessions/c.yaml goes on from itself
        warning .s2s/sessions/d.yaml goes on from gone, which is not in the project
    "#]]);
}

#[test]
fn points_that_are_not_the_artifacts_own() {
    let mut round = proposing(
        1,
        vec![artifact("REQ-001", &[]), artifact("REQ-002", &[]), artifact("REQ-003", &[]), artifact("OQ-001", &[])],
    );
    round.artifacts[0].point = None;
    round.artifacts[1].point = Some("C1.9".into());
    round.artifacts[2].point = Some("C1.1".into());
    round.artifacts[3].point = Some("C1.2".into());
    let second = carrying(2, &["C1.1".into(), "C1.2".into(), "C1.3".into()]);
    check(
        specs(),
        vec![round, second],
        expect![[r#"
        error .s2s/sessions/20260103-030405-specs.yaml:128 r1 REQ-001 was not put to the vote: it has no point
        error .s2s/sessions/20260103-030405-specs.yaml:137 r1 REQ-002 names the point C1.9, which this round does not claim
        error .s2s/sessions/20260103-030405-specs.yaml:147 r1 REQ-003 names the point C1.1, which is about something else
        warning .s2s/sessions/20260103-030405-specs.yaml:157 r1 OQ-001 is open in an accepted outcome: Title of OQ-001
        error .s2s/sessions/20260103-030405-specs.yaml:157 r1 OQ-001 names the point C1.2, but nobody votes on it
    "#]],
    );
}

#[test]
fn a5_covered_topics_have_their_artifacts_and_criteria() {
    let opening = Opening { agenda: vec![topic("scope", 2, 1), topic("data", 1, 2), topic("fine", 1, 1)], ..specs() };
    let on = |name: &str, topic: &str| Artifact { topic: Some(topic.into()), ..artifact(name, &[]) };
    let mut rounds = two_rounds(vec![on("REQ-001", "scope"), on("REQ-002", "data"), on("REQ-003", "fine")]);
    let covered = |topic: &str| json!({ "topic": topic, "status": "covered", "met": [1] });
    rounds[0].agenda_coverage = serde_json::from_value(json!(["scope", "data", "fine"].map(covered))).unwrap();
    check(
        opening,
        rounds,
        expect![[r#"
        error .s2s/sessions/20260103-030405-specs.yaml:116 r1 "On scope" is covered with 1 of at least 2 artifacts
        error .s2s/sessions/20260103-030405-specs.yaml:116 r1 "On data" is covered with 1 of 2 criteria met
    "#]],
    );
}

#[test]
fn a5_a_topic_whose_artifacts_were_taken_back_is_a_warning() {
    let opening = Opening { agenda: vec![topic("scope", 1, 0)], ..specs() };
    let mut rounds = two_rounds(vec![Artifact { topic: Some("scope".into()), ..artifact("REQ-001", &[]) }]);
    rounds[0].agenda_coverage = serde_json::from_value(json!([{ "topic": "scope", "status": "covered" }])).unwrap();
    rounds[1].tallies[0] = serde_json::from_value(json!({
        "point": "C1.1", "policy": "simple_majority", "share": 0.0, "carried": false,
        "block": super::made::SEATS.map(|seat| json!({ "seat": seat, "reason": "no" })),
    }))
    .unwrap();
    check(
        opening,
        rounds,
        expect![[r#"
        warning .s2s/sessions/20260103-030405-specs.yaml "On scope" is covered, but 0 of at least 1 artifacts are left in the end
    "#]],
    );
}

#[test]
fn v2_tallies_that_do_not_follow_from_their_votes() {
    let mut rounds = two_rounds(vec![artifact("REQ-001", &[]), artifact("REQ-002", &[]), artifact("REQ-003", &[])]);
    let tallies = &mut rounds[1].tallies;
    tallies[0].carried = false;
    tallies[1].support.pop();
    tallies[2].policy = "unanimous".into();
    check(
        specs(),
        rounds,
        expect![[r#"
        error .s2s/sessions/20260103-030405-specs.yaml:179 r2 the tally of C1.1 says not carried, 100 % support; its votes give carried, 100 % support
        error .s2s/sessions/20260103-030405-specs.yaml:179 r2 the tally of C1.2 does not count every seat once
        error .s2s/sessions/20260103-030405-specs.yaml:179 r2 the tally of C1.3 was counted by `unanimous`; the session's policy is `simple_majority`
    "#]],
    );
}

#[test]
fn v2_votes_on_the_tape_that_are_not_those_of_the_tally() {
    let project = Project::new();
    let mut rounds = two_rounds(vec![artifact("REQ-001", &[])]);
    // In itself the tally is right; the tape has three in support.
    let tally = &mut rounds[1].tallies[0];
    let block = tally.support.pop().unwrap();
    tally.block = serde_json::from_value(json!([{ "seat": block, "reason": "no" }])).unwrap();
    tally.share = 0.6667;
    keep(&project.sessions, complete(&specs(), 0, rounds), true);
    project.finds(expect![[r#"
        error .s2s/sessions/20260103-030405-specs.yaml:157 r2 the tally of C1.1 lists for `support`: software-architect, technical-lead; the answers give: qa-lead, software-architect, technical-lead
        error .s2s/sessions/20260103-030405-specs.yaml:157 r2 the tally of C1.1 lists for `block`: qa-lead; the answers give: nobody
    "#]]);
}

#[test]
fn a_session_without_a_tape_is_a_note() {
    let project = Project::new();
    keep(&project.sessions, complete(&specs(), 0, two_rounds(vec![artifact("REQ-001", &[])])), false);
    let report = project.report(None);
    assert_eq!(shown(&report.findings), "");
    assert_eq!(report.notes, [format!("{SPECS} has no tape; its votes were only counted from the tallies themselves")]);
}

#[test]
fn a_damaged_tape_is_a_finding_and_the_minutes_are_still_checked() {
    let project = Project::new();
    keep(&project.sessions, complete(&specs(), 0, two_rounds(vec![artifact("REQ-001", &["REQ-009"])])), true);
    let tape = project.sessions.tape_path(SPECS);
    let text = std::fs::read_to_string(&tape).unwrap().replacen("So be it", "So be IT", 1);
    std::fs::write(&tape, text).unwrap();
    let found = project.report(None).findings;
    assert_eq!(found.len(), 2, "{}", shown(&found));
    assert!(found.iter().any(|finding| finding.file.ends_with("tape.jsonl")), "{}", shown(&found));
}

#[test]
fn c4_an_accepted_outcome_leaves_nothing_open() {
    let mut rounds = vec![proposing(1, vec![artifact("REQ-001", &[]), artifact("OQ-001", &[])])];
    rounds[0].conflicts =
        serde_json::from_value(json!([{ "id": "cost", "description": "Too dear?", "positions": {} }])).unwrap();
    check(
        specs(),
        rounds,
        expect![[r#"
        error .s2s/sessions/20260103-030405-specs.yaml the outcome is accepted, but the conflict "cost" is open
        error .s2s/sessions/20260103-030405-specs.yaml the outcome is accepted, but nobody voted on C1.1
        warning .s2s/sessions/20260103-030405-specs.yaml:139 r1 OQ-001 is open in an accepted outcome: Title of OQ-001
    "#]],
    );
}

#[test]
fn edited_minutes_and_files_that_are_none_are_findings_and_the_rest_is_checked() {
    let project = Project::new();
    super::register::project(&project.sessions);
    let path = project.sessions.minutes_path(SPECS);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("They agree", "They agreed", 1)).unwrap();
    std::fs::write(project.sessions.minutes_path("20260101-000000-none"), "no session").unwrap();
    project.finds(expect![[r#"
        error .s2s/sessions/20260101-000000-none.yaml this is not a session file: no fields in it
        error .s2s/sessions/20260103-030405-specs.yaml:110 r1 round 1 or the head of the file is not as it was committed: the digest of round 1 does not hold
        warning .s2s/sessions/20260104-030405-design.yaml goes on from 20260103-030405-specs, which cannot be read
        warning .s2s/sessions/20260104-030405-design.yaml REQ-003 is in no session that can be read
        warning .s2s/sessions/20260105-030405-specs-again.yaml goes on from 20260103-030405-specs, which cannot be read
        warning .s2s/sessions/20260105-030405-specs-again.yaml REQ-001, REQ-002, REQ-003 are in no session that can be read
    "#]]);
    let other = project.report(Some("20260102-030405-ideas"));
    assert_eq!(shown(&other.findings), "");
    assert_eq!(other.notes.len(), 2, "{:?}", other.notes);
}

#[test]
fn documents_are_there_and_hold_the_ids_of_the_project() {
    let project = Project::new();
    let mut minutes: Minutes =
        complete(&specs(), 0, two_rounds(vec![artifact("REQ-001", &[]), artifact("REQ-002", &[])]));
    let mut outcome = minutes.outcome().unwrap().clone();
    outcome.files = vec!["docs/requirements.md".into(), "docs/gone.md".into()];
    minutes.set_outcome(outcome).unwrap();
    keep(&project.sessions, minutes, false);
    std::fs::create_dir(project.folder.path().join("docs")).unwrap();
    let text =
        "# Requirements\n\n## REQ-001 First\n\n## REQ-002 Second\n\nSee REQ-01 and REQ-099.\n\n## REQ-001 Again\n";
    std::fs::write(project.folder.path().join("docs/requirements.md"), text).unwrap();
    project.finds(expect![[r#"
        warning docs/requirements.md:7 `REQ-01` is written REQ-001 everywhere else
        error docs/requirements.md:7 REQ-099 is not in the project: no session made it
        error docs/requirements.md:9 REQ-001 is defined a second time; the first is in line 3
        warning docs/gone.md the document docs/gone.md is not there any more
    "#]]);
}

#[track_caller]
fn check_document(text: &str, expected: Expect) {
    let project = Project::new();
    super::register::project(&project.sessions);
    let register = ProjectRegister::read(&project.sessions).unwrap();
    expected.assert_eq(&shown(&check_text("requirements.md", text, &register, &[])));
}

#[test]
fn a_hand_edited_requirements_file_with_broken_ids() {
    check_document(
        "# Requirements\n### REQ-001: Fast\n- **REQ-002** old\n- **REQ-003, unvoted** x (from `REQ-003`)\n\
         ### REQ-003 again\n| REQ-001 | REQ-0O4 | REQ_003 | ARCH-1 |\nREQ-055, and REQ-055 again. RISK-0\n",
        expect![[r#"
            warning requirements.md:3 REQ-002 is superseded by REQ-004
            error requirements.md:5 REQ-003 is defined a second time; the first is in line 4
            error requirements.md:6 `REQ-0O4` looks like an id and is none
            error requirements.md:6 `REQ_003` looks like an id and is none
            warning requirements.md:6 `ARCH-1` is written ARCH-001 everywhere else
            error requirements.md:7 REQ-055 is not in the project: no session made it
            error requirements.md:7 `RISK-0` looks like an id and is none
        "#]],
    );
}

#[test]
fn words_that_are_no_ids_and_what_is_not_shown_are_left_alone() {
    check_document(
        "<!-- s2s REQ-900 -->\n<!--\nREQ-901\n-->\n```yaml\nid: REQ-902\n```\nThe REQ-driven INT-ernal EX-post COMP-LEX way.\n\
         XREQ-903 REQ-904-b https://example.org/REQ-905/x\nREQ-002 is superseded. ~~REQ-002~~\n```mermaid\nREQ-001 --> REQ-003\n```\n",
        expect![""],
    );
}

#[test]
fn bug_the_nodes_of_a_diagram_were_taken_for_broken_ids() {
    check_document(
        "## REQ-001 Fast\n```mermaid\nflowchart LR\n    COMP_001[\"COMP-001 Orders\"] --> REQ_9x\n```\n~~~\nREQ-777\n~~~\nREQ-777\n",
        expect![[r#"
            error requirements.md:9 REQ-777 is not in the project: no session made it
        "#]],
    );
}

/// A session with a document beside it.
fn with_document(name: &str, text: &str) -> Project {
    let project = Project::new();
    super::register::project(&project.sessions);
    let opened = opening("20260106-030405-more", Workflow::Specs, Some(register(Workflow::Specs, vec![])), None);
    let mut minutes = complete(&opened, 900, vec![]);
    let mut outcome = minutes.outcome().unwrap().clone();
    outcome.files = vec![name.into()];
    minutes.set_outcome(outcome).unwrap();
    keep(&project.sessions, minutes, false);
    std::fs::write(project.folder.path().join(name), text).unwrap();
    project
}

#[test]
fn bug_one_unreadable_session_drowned_in_what_followed_from_it() {
    let project = with_document("requirements.md", "## REQ-001 One\n## REQ-003 Three\nREQ-077, REQ-078, REQ-0x\n");
    let path = project.sessions.minutes_path(SPECS);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("They agree", "They agreed", 1)).unwrap();
    project.finds(expect![[r#"
        error .s2s/sessions/20260103-030405-specs.yaml:110 r1 round 1 or the head of the file is not as it was committed: the digest of round 1 does not hold
        warning requirements.md REQ-003, REQ-077, REQ-078 are in no session that can be read
        error requirements.md:3 `REQ-0x` looks like an id and is none
        warning .s2s/sessions/20260104-030405-design.yaml goes on from 20260103-030405-specs, which cannot be read
        warning .s2s/sessions/20260104-030405-design.yaml REQ-003 is in no session that can be read
        warning .s2s/sessions/20260105-030405-specs-again.yaml goes on from 20260103-030405-specs, which cannot be read
        warning .s2s/sessions/20260105-030405-specs-again.yaml REQ-001, REQ-002, REQ-003 are in no session that can be read
    "#]]);
}

#[test]
fn bug_documents_that_were_put_aside_were_checked() {
    let text = "## REQ-999 Old\n## REQ-999 Old\n";
    with_document("requirements.before-20260106-030405-more.md", text).finds(expect![""]);
    with_document("architecture.before-20260106-030405-more.md", text).finds(expect![""]);
}

#[test]
fn bug_each_open_question_was_a_warning_of_its_own() {
    let asked = (1..=7).map(|n| artifact(&format!("OQ-{n:03}"), &[])).collect();
    check(
        specs(),
        two_rounds(asked),
        expect![[r#"
        warning .s2s/sessions/20260103-030405-specs.yaml 7 questions are open in an accepted outcome: OQ-001, OQ-002, OQ-003, OQ-004, OQ-005, 2 more
    "#]],
    );
}
