//! Artifacts: what a synthesis may propose, what becomes of it, and when a topic is covered (A5).

use std::collections::BTreeMap;

use jiff::Timestamp;
use s2s_engine::artifact::{ArtifactKind, ArtifactStatus, Change, Details, MOST_OF_A_KIND, Proposal, Register};
use s2s_engine::event::Event;
use s2s_engine::opening::{Coverage, Opening, Topic, Workflow};
use s2s_engine::record::{Intervention, InterventionKind, Round, Usage};
use s2s_engine::reply::{Action, Answer, Choice, Conflict, Question, Response, Synthesis, TopicCoverage, Vote};
use s2s_engine::step::{CallKind, Step};
use s2s_engine::strategy::Asks;
use s2s_engine::{Past, Session, Standing, next_step};

use crate::table::opening;

fn specs() -> Opening {
    let register = Register { kinds: ArtifactKind::of_workflow(Workflow::Specs).to_vec(), ..Register::default() };
    Opening { workflow: Workflow::Specs, register: Some(register), ..opening(&["a", "b", "c"], "standard") }
}

fn proposal(kind: &str, title: &str, text: &str) -> Proposal {
    Proposal { kind: Some(kind.into()), title: title.into(), text: text.into(), ..Proposal::default() }
}

fn proposing(artifacts: Vec<Proposal>) -> Synthesis {
    Synthesis { synthesis: "So it is.".into(), artifacts, ..Synthesis::default() }
}

/// Holds one round: everybody votes as `vote` says, the facilitator sums up as given.
fn hold(session: &mut Session, synthesis: Synthesis, vote: impl Fn(&str, &str) -> Choice) -> Round {
    loop {
        let briefs = match next_step(session) {
            Step::Ask(briefs) => briefs,
            Step::Commit { round, .. } => {
                let round = round.clone();
                session.apply(Event::Committed).unwrap();
                return round;
            }
            other => panic!("{other:?}"),
        };
        for brief in briefs {
            let answer = match brief.call.kind {
                CallKind::Question => Answer::Question(Question { question: "What?".into(), ..Question::default() }),
                CallKind::Response | CallKind::Followup => {
                    let votes = brief.ballot.iter().map(|point| {
                        let choice = vote(&brief.call.seat, point);
                        (point.clone(), Vote { choice, reason: Some("no".into()) })
                    });
                    let votes: BTreeMap<_, _> = votes.collect();
                    Answer::Response(Response { position: "p".into(), confidence: 0.7, votes, ..Response::default() })
                }
                CallKind::Synthesis => Answer::Synthesis(Box::new(synthesis.clone())),
                CallKind::Sides => panic!("no sides"),
            };
            let (call, at) = (brief.call.clone(), Timestamp::UNIX_EPOCH);
            session.apply(Event::Asked { call: call.clone(), at }).unwrap();
            let usage = Usage::default();
            session.apply(Event::Answered { call, at, answer, doubts: vec![], stand_in: None, usage }).unwrap();
        }
    }
}

fn support(_: &str, _: &str) -> Choice {
    Choice::Support
}

fn doubts(round: &Round) -> Vec<&str> {
    round.doubts.iter().map(|doubt| doubt.what.as_str()).collect()
}

fn status(session: &Session, id: &str) -> ArtifactStatus {
    session.artifact(id.parse().unwrap()).unwrap().status()
}

#[test]
fn f1_the_engine_gives_ids_and_the_panel_votes_on_each() {
    let mut session = Session::open(specs());
    let round = hold(
        &mut session,
        proposing(vec![
            Proposal { id: Some("REQ-900".into()), ..proposal("REQ", "Export", "A user exports orders as CSV") },
            proposal("nfr", "Fast", "Search answers at once"),
            proposal("OQ", "Who pays?", ""),
        ]),
        support,
    );
    let ids: Vec<String> = round.artifacts.iter().map(|artifact| artifact.id.to_string()).collect();
    assert_eq!(ids, ["REQ-001", "NFR-001", "OQ-001"]);
    assert_eq!(
        round.consensus,
        ["REQ-001 Export: A user exports orders as CSV", "NFR-001 Fast: Search answers at once"]
    );
    assert_eq!(round.artifacts[0].point.as_deref(), Some("C1.1"));
    assert_eq!(round.artifacts[2].point, None);
    assert_eq!(
        doubts(&round),
        [
            "gave the id \"REQ-900\", which the project does not have; it is REQ-001",
            "REQ-001 lacks priority, acceptance",
            "NFR-001 lacks characteristic, target, measure",
        ]
    );
    let round = hold(&mut session, proposing(vec![]), |seat, point| {
        if seat == "a" || point == "C1.1" { Choice::Support } else { Choice::Block }
    });
    assert_eq!(round.tallies.iter().map(|tally| tally.carried).collect::<Vec<_>>(), [true, false]);
    let kept = session.artifact("REQ-001".parse().unwrap()).unwrap();
    assert_eq!((kept.current().standing, kept.status()), (Some(Standing::Carried), ArtifactStatus::Active));
    assert_eq!(status(&session, "NFR-001"), ArtifactStatus::Withdrawn);
    assert_eq!(status(&session, "OQ-001"), ArtifactStatus::Open);
    // V3: what was voted down is a conflict, and every conflict has its artifact.
    assert_eq!(status(&session, "CONF-001"), ArtifactStatus::Open);
}

#[test]
fn f2_changes_are_added_and_one_that_is_voted_down_leaves_what_stood_before() {
    let mut session = Session::open(specs());
    hold(&mut session, proposing(vec![proposal("REQ", "Export", "CSV"), proposal("OQ", "Who pays?", "")]), support);
    let answered = Proposal {
        id: Some("OQ-001".into()),
        status: Some("resolved".into()),
        details: Details { answer: Some("The shop".into()), ..Details::default() },
        ..Proposal::default()
    };
    let round = hold(
        &mut session,
        proposing(vec![
            Proposal { id: Some("req-1".into()), text: "CSV and XML".into(), ..Proposal::default() },
            answered,
            proposal("REQ", "export", "YAML"),
        ]),
        support,
    );
    assert_eq!(round.artifacts.iter().map(|a| a.change).collect::<Vec<_>>(), [Change::Amended, Change::Resolved]);
    assert_eq!(round.artifacts[0].title, "Export");
    assert_eq!(doubts(&round), ["changed REQ-001 twice in one round; the first counts"]);
    assert_eq!(round.consensus, ["REQ-001 is amended in round 2: Export: CSV and XML"]);
    assert_eq!(status(&session, "OQ-001"), ArtifactStatus::Resolved);
    assert_eq!(status(&session, "REQ-001"), ArtifactStatus::Amended);
    hold(&mut session, proposing(vec![]), |_, _| Choice::Block);
    let kept = session.artifact("REQ-001".parse().unwrap()).unwrap();
    assert_eq!((kept.current().artifact.text.as_str(), kept.status()), ("CSV", ArtifactStatus::Active));
    assert_eq!(kept.versions.len(), 2, "nothing is lost");
    let again = proposing(vec![proposal("REQ", "Export", "csv")]);
    assert_eq!(hold(&mut session, again, support).artifacts, [], "said again is nothing new");
}

#[test]
fn f3_references_are_checked_and_may_name_titles_of_the_same_round() {
    let kinds = ArtifactKind::of_workflow(Workflow::Design).to_vec();
    let known = proposal_known();
    let register = Register { kinds, known, ..Register::default() };
    let mut session = Session::open(Opening { register: Some(register), workflow: Workflow::Design, ..specs() });
    let round = hold(
        &mut session,
        proposing(vec![
            Proposal { serves: vec!["REQ-007".into(), "REQ-999".into()], ..proposal("ARCH", "Use a queue", "t") },
            Proposal { uses: vec!["Billing".into(), "Orders".into()], ..proposal("COMP", "Orders", "t") },
            proposal("COMP", "Billing", "t"),
            Proposal {
                details: Details { between: vec!["orders".into(), "The bank".into()], ..Details::default() },
                ..proposal("INT", "Pay", "t")
            },
            proposal("REQ", "New", "t"),
            Proposal { id: Some("REQ-007".into()), text: "other".into(), ..Proposal::default() },
            Proposal { proposed_by: vec!["a".into(), "A".into(), "zoe".into()], ..proposal("OQ", "Why?", "") },
        ]),
        support,
    );
    let shown = |at: usize| &round.artifacts[at];
    assert_eq!(shown(0).serves.iter().map(ToString::to_string).collect::<Vec<_>>(), ["REQ-007"]);
    assert_eq!(shown(1).uses.iter().map(ToString::to_string).collect::<Vec<_>>(), ["COMP-002"]);
    assert_eq!(shown(3).details.between, ["COMP-001", "The bank"]);
    assert_eq!(shown(4).proposed_by, ["a".into()]);
    let said = doubts(&round).join("\n");
    for part in [
        "ARCH-001 names \"REQ-999\" under `serves`, which is not there",
        "COMP-001 names itself under `uses`",
        "proposed \"New\" as REQ; this session keeps ARCH, COMP, INT, OQ",
        "would change REQ-007, which another workflow keeps; it stays as it is",
        "said that \"zoe\" proposed OQ-001, who was not asked",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
}

fn proposal_known() -> Vec<s2s_engine::artifact::Artifact> {
    let mut session = Session::open(specs());
    let round = hold(&mut session, proposing(vec![proposal("REQ", "Export", "CSV")]), support);
    let mut known = round.artifacts;
    known[0].id.number = 7;
    known
}

#[test]
fn f4_numbers_go_on_from_the_project_and_have_an_end() {
    let mut opening = specs();
    let register = opening.register.as_mut().unwrap();
    register.known = proposal_known();
    register.last = BTreeMap::from([(ArtifactKind::Req, 11)]);
    opening.settings.limits.max_rounds = 100;
    opening.settings.limits.min_rounds = 100;
    let mut session = Session::open(opening);
    let mut given = 0;
    for n in 0..=MOST_OF_A_KIND / 10 {
        let many = (0..10).map(|m| proposal("REQ", &format!("Title {n} {m}"), "t")).collect();
        let round = hold(&mut session, proposing(many), support);
        if n == 0 {
            assert_eq!(round.artifacts[0].id.to_string(), "REQ-012");
        }
        given += round.artifacts.len() as u32;
    }
    assert_eq!(given, MOST_OF_A_KIND);
    let thirteen = (0..13).map(|m| proposal("BR", &format!("Rule {m}"), "t")).collect();
    let round = hold(&mut session, proposing(thirteen), support);
    assert_eq!(round.artifacts.len(), 12);
    assert!(doubts(&round).iter().any(|doubt| doubt.contains("more than 12 artifacts")), "{:?}", round.doubts);
}

#[test]
fn f5_one_that_stands_in_for_another_supersedes_it() {
    let mut session = Session::open(specs());
    hold(&mut session, proposing(vec![proposal("REQ", "Export", "CSV")]), support);
    let new = Proposal { supersedes: vec!["REQ-001".into()], ..proposal("REQ", "Reports", "PDF") };
    let gone = Proposal { id: Some("REQ-002".into()), status: Some("withdrawn".into()), ..Proposal::default() };
    hold(&mut session, proposing(vec![new]), support);
    assert_eq!(status(&session, "REQ-001"), ArtifactStatus::Superseded);
    let old = session.artifact("REQ-001".parse().unwrap()).unwrap();
    assert_eq!(old.current().artifact.superseded_by.map(|id| id.to_string()).as_deref(), Some("REQ-002"));
    hold(&mut session, proposing(vec![gone]), support);
    assert_eq!(status(&session, "REQ-002"), ArtifactStatus::Withdrawn);
}

#[test]
fn f6_a_session_that_keeps_none_says_so() {
    let mut session = Session::open(Opening { register: None, ..specs() });
    let round = hold(&mut session, proposing(vec![proposal("REQ", "Export", "CSV")]), support);
    assert_eq!((round.artifacts.len(), round.consensus.len()), (0, 0));
    assert_eq!(doubts(&round), ["proposed artifacts, which this session does not keep"]);
}

#[test]
fn a5_a_topic_is_covered_once_its_criteria_are_met_and_it_has_its_artifacts() {
    let mut opening = specs();
    let topic = |least, criteria| Topic { id: "t".into(), name: "Topic".into(), critical: false, least, criteria };
    opening.agenda = vec![topic(2, 2)];
    opening.settings.limits.min_rounds = 1;
    let mut session = Session::open(opening);
    let claim = |met: &[u32], titles: &[&str]| {
        let made = titles.iter().map(|title| Proposal { topic: Some("Topic".into()), ..proposal("REQ", title, "x") });
        let covered = TopicCoverage { topic: "t".into(), status: Coverage::Covered, met: met.to_vec() };
        Synthesis {
            agenda_coverage: vec![covered],
            next_action: Action::Conclude,
            recommendation: Some("do it".into()),
            ..proposing(made.collect())
        }
    };
    let round = hold(&mut session, claim(&[1, 7], &["One"]), support);
    assert_eq!(session.coverage(), [Coverage::Partial]);
    assert_eq!(round.agenda_coverage[0].met, [1]);
    let said = "said that \"Topic\" is covered; it is not yet (1 artifact of at least 2; not met: 2)";
    assert!(doubts(&round).contains(&said), "{:?}", round.doubts);
    assert!(round.decision.because.iter().any(|b| b.rule == "B3"), "{:?}", round.decision);
    let round = hold(&mut session, claim(&[2], &["Two"]), support);
    assert_eq!(session.coverage(), [Coverage::Covered]);
    assert!(!round.decision.because.iter().any(|b| b.rule == "B3"), "{:?}", round.decision);
}

#[test]
fn a5_open_questions_counted_as_the_artifacts_that_a_topic_needs() {
    let mut opening = specs();
    opening.agenda = vec![Topic { id: "t".into(), name: "Topic".into(), critical: true, least: 2, criteria: 1 }];
    opening.settings.limits.min_rounds = 1;
    let mut session = Session::open(opening);
    let claim = |met: &[u32], made: &[(&str, &str)]| {
        let on_topic =
            |(kind, title): &(&str, &str)| Proposal { topic: Some("t".into()), ..proposal(kind, title, "x") };
        Synthesis {
            agenda_coverage: vec![TopicCoverage { topic: "t".into(), status: Coverage::Covered, met: met.to_vec() }],
            next_action: Action::Conclude,
            recommendation: Some("x".into()),
            ..proposing(made.iter().map(on_topic).collect())
        }
    };
    let round = hold(&mut session, claim(&[], &[("REQ", "Export"), ("OQ", "Who pays?")]), support);
    let said = "said that \"Topic\" is covered; it is not yet (1 artifact of at least 2; not met: 1)";
    assert!(doubts(&round).contains(&said), "{:?}", round.doubts);
    assert_eq!((session.coverage(), session.artifacts_on("t")), (&[Coverage::Partial][..], 1));
    assert!(session.is_held_up_by(0), "a criterion is not met");
    // All is said that can be said here: the session may end, and is not accepted.
    let round = hold(&mut session, claim(&[1], &[]), support);
    assert!(!round.decision.because.iter().any(|b| b.rule == "B3"), "{:?}", round.decision);
    assert_eq!(session.coverage(), [Coverage::Partial]);
    let Step::Finish(outcome) = next_step(&session) else { panic!("does not end") };
    assert_eq!(outcome.reasons, ["Topic \"Topic\" has 1 artifact of at least 2"]);
    let said = &round.decision.because[0].text;
    assert_eq!(said, "Nothing is left to decide after 2 rounds; still open: 1 question");
}

#[test]
fn nothing_was_said_to_be_open_while_questions_were() {
    for (kind, expected) in [
        ("OQ", "Nothing is left to decide after 2 rounds; still open: 1 question"),
        ("REQ", "Nothing is open after 2 rounds"),
    ] {
        let mut opening = specs();
        opening.settings.limits.min_rounds = 1;
        let mut session = Session::open(opening);
        let ending =
            |made| Synthesis { next_action: Action::Conclude, recommendation: Some("x".into()), ..proposing(made) };
        hold(&mut session, ending(vec![proposal(kind, "Who pays?", "x"), proposal("REQ", "Export", "CSV")]), support);
        let round = hold(&mut session, ending(vec![]), support);
        assert_eq!(round.decision.because[0].text, expected);
    }
}

#[test]
fn a_change_of_what_is_served_alone_was_no_change() {
    let mut opening = specs();
    opening.settings.limits.min_rounds = 9;
    let mut session = Session::open(opening);
    let made = [proposal("REQ", "Export", "CSV"), proposal("REQ", "Import", "CSV"), proposal("BR", "Rule", "x")];
    hold(&mut session, proposing(made.to_vec()), support);
    let serving =
        |id: &str| Proposal { id: Some("BR-001".into()), serves: vec![id.to_owned()], ..proposal("BR", "Rule", "x") };
    for (id, changes) in [("REQ-001", 1), ("REQ-001", 0), ("REQ-002", 1)] {
        assert_eq!(hold(&mut session, proposing(vec![serving(id)]), support).artifacts.len(), changes, "{id}");
    }
    let rule = &session.artifact("BR-001".parse().unwrap()).unwrap().current().artifact;
    assert_eq!(rule.serves, ["REQ-002".parse().unwrap()]);
}

#[test]
fn where_nobody_is_asked_the_thirteenth_artifact_was_dropped() {
    let mut opening = specs();
    opening.settings.method.phases.iter_mut().for_each(|phase| phase.asks = Asks::None);
    let mut session = Session::open(opening);
    let many = |kind: &str| (0..90).map(|n| proposal(kind, &format!("Title {n}"), "t")).collect::<Vec<_>>();
    let all = [many("REQ"), many("BR"), many("EX")].concat();
    let round = hold(&mut session, proposing(all), support);
    assert_eq!(round.artifacts.len(), 200);
    assert!(doubts(&round).iter().any(|doubt| doubt.contains("more than 200 artifacts")), "{:?}", round.doubts);
}

#[test]
fn c4_a_topic_with_only_open_questions_is_not_accepted() {
    for (kind, expected) in [("OQ", vec!["Topic \"Topic\" has only open questions"]), ("REQ", vec![])] {
        let mut opening = specs();
        opening.agenda = vec![Topic { id: "t".into(), name: "Topic".into(), critical: false, least: 1, criteria: 0 }];
        opening.settings.limits.min_rounds = 1;
        let mut session = Session::open(opening);
        let on_topic = Proposal { topic: Some("t".into()), ..proposal(kind, "Who pays", "x") };
        let ending = Synthesis {
            agenda_coverage: vec![TopicCoverage { topic: "t".into(), status: Coverage::Covered, met: vec![] }],
            next_action: Action::Conclude,
            recommendation: Some("x".into()),
            ..proposing(vec![on_topic, proposal("REQ", "Export", "CSV")])
        };
        for _ in 0..8 {
            let Step::Ask(_) = next_step(&session) else { break };
            hold(&mut session, ending.clone(), support);
        }
        let Step::Finish(outcome) = next_step(&session) else { panic!("{kind} does not end") };
        assert_eq!(outcome.reasons, expected, "{kind}");
    }
}

#[test]
fn d9_a_person_may_ask_for_more_rounds_at_the_end() {
    let mut opening = specs();
    opening.settings.limits.max_rounds = 1;
    let mut session = Session::open(opening.clone());
    let ending = Synthesis { next_action: Action::Conclude, recommendation: Some("x".into()), ..proposing(vec![]) };
    hold(&mut session, ending.clone(), support);
    assert!(matches!(next_step(&session), Step::Finish(_)));
    let at = Timestamp::UNIX_EPOCH;
    let kind = InterventionKind::Extend;
    let more =
        Intervention { at, after_round: 1, kind, text: Some("Name the costs".into()), by: None, rounds: Some(2) };
    session.apply(Event::Intervened(more)).unwrap();
    let round = hold(&mut session, ending.clone(), support);
    assert_eq!(round.decision.taken, Action::Continue, "{:?}", round.decision);
    hold(&mut session, ending, support);
    assert!(matches!(next_step(&session), Step::Finish(_)));
    let past =
        Past { rounds: session.rounds().to_vec(), interventions: session.interventions().to_vec(), ..Past::default() };
    let folded = Session::fold(opening, past);
    assert_eq!(folded.last_decision(), session.last_decision());
    assert!(matches!(next_step(&folded), Step::Finish(_)));
}

#[test]
fn s4_artifacts_folded_from_the_rounds_are_those_that_were_lived() {
    let mut session = Session::open(specs());
    let clash = Conflict { id: "format".into(), description: "CSV or XML".into(), ..Conflict::default() };
    let first = Synthesis { conflicts: vec![clash], ..proposing(vec![proposal("REQ", "Export", "CSV")]) };
    hold(&mut session, first, support);
    hold(&mut session, proposing(vec![proposal("REQ", "Export", "XML"), proposal("BR", "Rule", "t")]), support);
    let past = Past { rounds: session.rounds().to_vec(), ..Past::default() };
    let folded = Session::fold(specs(), past);
    assert_eq!(folded.artifacts().collect::<Vec<_>>(), session.artifacts().collect::<Vec<_>>());
    assert_eq!(folded.artifacts().count(), 3);
}
