//! The panel as a whole: sessions held to their end in memory, over strategies, playbooks and panels.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use s2s_engine::has_word;
use s2s_engine::opening::{Coverage, Workflow};
use s2s_engine::record::{RoundKind, RulingChoice};
use s2s_engine::reply::{Choice, Response};
use s2s_engine::strategy::PolicyRule;
use s2s_engine::{Session, Standing, next_step};
use s2s_models::Stop;

use super::test_table::{BRAINSTORM, Held, agenda, hold, hold_by, opening, panel};

pub(super) const STRATEGIES: [&str; 5] = ["standard", "disney", "debate", "consensus-driven", "six-hats"];
const NINE: [&str; 9] = [
    "software-architect",
    "technical-lead",
    "qa-lead",
    "devops-engineer",
    "product-manager",
    "business-analyst",
    "security-champion",
    "ux-researcher",
    "documentation-specialist",
];
const TOPICS: [&str; 8] = [
    "REST vs GraphQL for our public API",
    "Which database should we use for orders and reports",
    "Monolith or microservices for the new product",
    "Kafka or a job queue for telemetry",
    "Which identity provider for sign-in of consumers",
    "Should we use GraphQL for the mobile app?",
    "Do we need Kafka or is a transactional outbox enough",
    "JWT or server sessions for our web app",
];
const PROJECT: &str = "# Shop\nAn online shop for garden tools.\n\n## Objectives\n- Sell more to returning customers\n\n\
     ## Constraints\n- Two developers, deadline in twelve weeks\n- Payments are handled by a partner\n";

/// Every strategy with every topic; panels and contexts take turns. Held once for all tests.
fn every_session(check: impl FnMut(&(String, Held))) {
    static SESSIONS: OnceLock<Vec<(String, Held)>> = OnceLock::new();
    let sessions = SESSIONS.get_or_init(|| {
        let panels = [&BRAINSTORM[..], &["qa-lead", "devops-engineer", "ux-researcher", "security-champion"], &NINE];
        let pairs = STRATEGIES.iter().flat_map(|strategy| TOPICS.iter().map(move |topic| (strategy, topic)));
        let held = pairs.enumerate().map(|(at, (strategy, topic))| {
            let (seats, context) = (panels[at % 3], ["", PROJECT][at % 2]);
            let name = format!("{strategy}, {topic}, {} seats, {} bytes", seats.len(), context.len());
            (name, hold(opening(topic, strategy, seats, context)))
        });
        held.collect()
    });
    sessions.iter().for_each(check);
}

pub(super) fn sentences(response: &Response) -> Vec<String> {
    let texts = std::iter::once(&response.position).chain(&response.rationale).chain(&response.concerns);
    let cut = |text: &String| text.to_lowercase().split(". ").map(|one| one.trim().to_owned()).collect::<Vec<_>>();
    texts.flat_map(cut).filter(|sentence| sentence.len() > 12).collect()
}

#[test]
fn nobody_repeats_a_sentence_in_a_round_or_over_rounds() {
    every_session(|(name, held)| {
        let mut by_round: BTreeSet<(u32, String)> = BTreeSet::new();
        let mut by_seat: BTreeSet<(String, String)> = BTreeSet::new();
        for (round, seat, response) in &held.responses {
            for sentence in sentences(response) {
                assert!(by_round.insert((*round, sentence.clone())), "{name}: twice in round {round}: {sentence}");
                assert!(by_seat.insert((seat.clone(), sentence.clone())), "{name}: {seat} repeats: {sentence}");
            }
        }
    });
}

#[test]
fn e3_words_are_never_said_without_meaning_them() {
    every_session(|(name, held)| {
        for (round, seat, response) in &held.responses {
            for text in std::iter::once(&response.position).chain(&response.concerns) {
                for word in &held.session.opening().settings.escalation.critical_keywords {
                    assert!(!has_word(text, word), "{name}: {seat} in round {round}: {text}");
                }
            }
        }
    });
}

#[test]
fn e2_a_covered_topic_does_not_escalate_for_low_confidence() {
    every_session(|(name, held)| {
        for (round, seat, response) in &held.responses {
            let range = 0.5..=0.9;
            assert!(range.contains(&response.confidence), "{name}: {seat} in round {round}: {}", response.confidence);
        }
        assert!(!held.causes.iter().any(|rule| rule != "E1"), "{name}: {:?}", held.causes);
    });
}

#[test]
fn sessions_end_with_something_decided() {
    every_session(|(name, held)| {
        let rounds = held.session.rounds();
        let phases = held.session.opening().settings.method.phases.len();
        assert!(rounds.len() <= phases.max(3) + 5, "{name}: {} rounds", rounds.len());
        let carried = held.session.points().iter().filter(|point| point.standing == Standing::Carried).count();
        assert!(carried >= 3, "{name}: {carried} points carried of {:?}", held.session.points());
    });
}

#[test]
fn positions_are_never_empty_and_every_round_has_reasons_or_votes() {
    every_session(|(name, held)| {
        for (round, seat, response) in &held.responses {
            assert!(response.position.len() > 20, "{name}: {seat} in round {round}: {:?}", response.position);
            assert!(
                !response.position.contains("{}") && !response.position.contains(".."),
                "{name}: {}",
                response.position
            );
        }
    });
}

#[test]
fn the_same_session_gives_the_same_text() {
    for strategy in STRATEGIES {
        let once = hold(opening(TOPICS[0], strategy, &BRAINSTORM, PROJECT));
        let again = hold(opening(TOPICS[0], strategy, &BRAINSTORM, PROJECT));
        assert_eq!(once.replies, again.replies, "{strategy}");
    }
}

#[test]
fn answers_differ_by_role_and_by_phase() {
    let held = hold(opening(TOPICS[0], "six-hats", &NINE, PROJECT));
    let in_round = |(round, _, response): &(u32, String, Response)| (*round, response.position.clone());
    let different: BTreeSet<(u32, String)> = held.responses.iter().map(in_round).collect();
    assert_eq!(held.responses.len(), different.len(), "{different:#?}");
    let of = |phase: &str| {
        let number = held.session.rounds().iter().find(|round| round.phase == phase).map(|round| round.number);
        let first = held.responses.iter().find(|(round, _, _)| Some(*round) == number);
        first.map(|(_, _, response)| response.position.clone()).unwrap_or_default()
    };
    assert!(of("white").contains("the fact I miss"), "{}", of("white"));
    assert!(of("black").contains("expect to fail"), "{}", of("black"));
    assert!(of("yellow").contains("The best thing"), "{}", of("yellow"));
    assert!(of("green").contains("need not be all one thing"), "{}", of("green"));
}

#[test]
fn t3_a_debate_has_two_even_sides_that_argue_against_each_other() {
    let held = hold(opening(TOPICS[0], "debate", &BRAINSTORM, ""));
    let sides = held.session.opening().sides.clone().expect("sides are dealt");
    assert_eq!((sides.pro.len(), sides.con.len()), (2, 1));
    assert!(sides.proposal.contains("REST"), "{}", sides.proposal);
    for (round, seat, response) in held.responses.iter().filter(|(round, _, _)| *round == 1) {
        let ours =
            if held.session.side_of(seat) == Some("pro") { "The case for REST" } else { "The case against REST" };
        assert!(response.position.contains(ours), "{seat} in round {round}: {}", response.position);
    }
    assert_eq!(held.session.rounds().last().map(|round| round.kind), Some(RoundKind::Ballot));
}

#[test]
fn e2_an_unknown_topic_gets_questions_low_confidence_and_an_escalation() {
    for strategy in STRATEGIES {
        let held = hold(opening("How should we name our branches", strategy, &BRAINSTORM, PROJECT));
        assert!(held.responses.iter().all(|(_, _, response)| response.confidence < 0.5), "{strategy}");
        assert!(held.causes.iter().any(|rule| rule == "E2"), "{strategy}: {:?}", held.causes);
        assert!(held.session.points().is_empty(), "{strategy}: a question is no decision");
        let last =
            held.session.rounds().last().and_then(|round| round.decision.recommendation.clone()).unwrap_or_default();
        assert!(last.contains("Do not decide") && last.contains('?'), "{strategy}: {last}");
        let open = held.responses.iter().flat_map(|(_, _, response)| &response.concerns);
        assert!(open.clone().any(|concern| concern.starts_with("Open question: ")), "{strategy}");
        let first = &held.responses[0].2;
        assert!(first.position.contains('?') || first.position.contains("no as long as"), "{}", first.position);
        let mut said = BTreeSet::new();
        for (_, seat, response) in &held.responses {
            for sentence in sentences(response) {
                assert!(said.insert((seat.clone(), sentence.clone())), "{strategy}: {seat} repeats: {sentence}");
            }
        }
    }
}

#[test]
fn e2_an_option_nobody_knows_lowers_confidence_and_is_named() {
    let held = hold(opening("REST vs SOAP", "standard", &BRAINSTORM, ""));
    assert!(held.causes.iter().any(|rule| rule == "E2"));
    let first = &held.session.rounds()[0];
    assert!(first.synthesis.contains("SOAP was not weighed: no playbook knows it"), "{}", first.synthesis);
    assert!(first.context_summary.contains("SOAP"), "{}", first.context_summary);
}

#[test]
fn e5_is_raised_once_and_only_by_a_context_that_contradicts_itself() {
    let context = "One team of 3 people. Our many teams release independently every day.";
    let held = hold(opening(TOPICS[2], "standard", &BRAINSTORM, context));
    let challenges: Vec<u32> =
        held.responses.iter().filter(|(_, _, r)| r.context_challenge.is_some()).map(|(round, _, _)| *round).collect();
    assert_eq!(challenges, [1]);
    assert!(held.causes.iter().any(|rule| rule == "E5"));
}

#[test]
fn what_the_context_says_is_in_the_answer() {
    let held = hold(opening(TOPICS[2], "standard", &BRAINSTORM, PROJECT));
    let first: Vec<&String> =
        held.responses.iter().filter(|(round, _, _)| *round == 1).flat_map(|(_, _, r)| &r.rationale).collect();
    assert!(
        first.iter().any(|reason| reason.contains("\"Two developers\"") && reason.contains("context")),
        "{first:#?}"
    );
}

#[test]
fn seats_that_differ_a_little_meet_and_say_why() {
    let held = hold(opening(
        "Postgres or MongoDB for a product catalogue",
        "standard",
        &["product-manager", "technical-lead", "qa-lead"],
        "",
    ));
    let rounds = held.session.rounds();
    assert!(!rounds[0].conflicts.is_empty(), "{}", rounds[0].synthesis);
    let id = &rounds[0].conflicts[0].id;
    assert!(rounds.iter().any(|round| round.resolved.iter().any(|one| one.conflict_id == *id)), "{id} is resolved");
    assert!(held.responses.iter().any(|(_, _, response)| response.position.contains("I come round to")));
}

#[test]
fn e1_seats_that_differ_much_hold_on_and_a_person_is_asked() {
    let context = "Web and mobile apps with dashboards.";
    let held = hold(opening("REST or GraphQL", "standard", &["ux-researcher", "security-champion"], context));
    assert!(held.causes.iter().any(|rule| rule == "E1"), "{:?}", held.causes);
    assert!(held.responses.iter().any(|(_, _, response)| response.position.starts_with("I hold on to")));
}

#[test]
fn e7_a_split_table_that_is_told_to_go_on_names_the_weights_and_ends() {
    let context = "Web and mobile apps with dashboards.";
    for strategy in ["standard", "consensus-driven", "disney", "six-hats"] {
        for seats in [&["ux-researcher", "security-champion"][..], &NINE] {
            let held = hold_by(opening("REST or GraphQL", strategy, seats, context), RulingChoice::Continue);
            let (rounds, name) = (held.session.rounds(), format!("{strategy}, {} seats", seats.len()));
            assert!(rounds.len() <= 10, "{name}: {} rounds", rounds.len());
            let positions: BTreeSet<_> = held.responses.iter().map(|(_, seat, said)| (seat, &said.position)).collect();
            assert_eq!(positions.len(), held.responses.len(), "{name}: a seat repeats itself");
            let split = held.causes.iter().any(|rule| rule == "E1");
            let ends = rounds.iter().flat_map(|round| &round.resolved);
            let by_weights =
                ends.clone().any(|one| one.resolution.contains("a difference of weights and not of facts"));
            let met = ends.clone().any(|one| one.resolution.contains("have come together"));
            assert!(!split || by_weights || met, "{name}: {rounds:#?}");
            assert!(held.session.points().iter().all(|point| point.standing == Standing::Carried), "{name}");
        }
    }
}

#[test]
fn v3_a_choice_that_was_blocked_comes_back_with_what_answers_the_objection() {
    let seats = ["ux-researcher", "product-manager", "business-analyst", "security-champion"];
    let mut opening = opening("REST or GraphQL", "debate", &seats, "Web and mobile apps with dashboards.");
    opening.settings.policy.rule = PolicyRule::Consent;
    let held = hold(opening);
    let points = held.session.points();
    assert!(points.iter().any(|point| point.standing == Standing::Failed), "{points:#?}");
    let amended = points.iter().find(|point| point.text.contains("to meet the objection")).expect("it comes back");
    assert_eq!(amended.standing, Standing::Carried, "{points:#?}");
}

#[test]
fn an_option_keeps_the_name_that_the_topic_gives_it() {
    let held = hold(opening("Kafka or RabbitMQ for order events", "standard", &BRAINSTORM, PROJECT));
    let first = &held.session.rounds()[0];
    assert!(first.context_summary.contains("RabbitMQ as a message broker"), "{}", first.context_summary);
    for (round, seat, response) in held.responses.iter().filter(|(round, _, _)| *round == 1) {
        let named = ["Kafka", "RabbitMQ"].iter().any(|name| response.position.contains(name));
        assert!(named, "{seat} in round {round}: {}", response.position);
    }
    let held = hold(opening("Kafka or Kinesis", "standard", &BRAINSTORM, ""));
    assert!(held.session.rounds()[0].synthesis.contains("cannot choose between them"));
    assert!(held.causes.iter().any(|rule| rule == "E2"), "what cannot be told apart is not decided with confidence");
}

#[test]
fn v1_a_seat_that_loses_what_it_counts_most_blocks_with_the_reason() {
    let seats = ["ux-researcher", "product-manager", "business-analyst", "security-champion"];
    let held = hold(opening("REST or GraphQL", "debate", &seats, "Web and mobile apps with dashboards."));
    let votes = |seat: &str| {
        let of_seat = held.responses.iter().filter(|(_, id, _)| id == seat);
        of_seat.flat_map(|(_, _, response)| response.votes.clone().into_values()).collect::<Vec<_>>()
    };
    let blocks: Vec<_> = votes("security-champion").into_iter().filter(|vote| vote.choice == Choice::Block).collect();
    assert_eq!(blocks.len(), 1, "the choice is blocked, and nothing that merely follows from it: {blocks:?}");
    let reason = blocks[0].reason.clone().unwrap_or_default();
    assert!(reason.starts_with("I count "), "{reason}");
    assert!(votes("security-champion").iter().any(|vote| vote.choice == Choice::Support), "common ground is supported");
    assert!(votes("ux-researcher").iter().all(|vote| vote.choice == Choice::Support));
}

#[test]
fn a2_an_agenda_is_gone_through_topic_by_topic() {
    for workflow in [Workflow::Design, Workflow::Specs] {
        for topic in [TOPICS[2], "The checkout of our shop"] {
            let mut opening =
                opening(topic, "standard", &["software-architect", "technical-lead", "devops-engineer"], PROJECT);
            opening.workflow = workflow;
            opening.agenda = agenda(workflow);
            let topics = opening.agenda.len();
            let held = hold(opening);
            assert!(held.session.coverage().iter().all(|coverage| *coverage == Coverage::Covered), "{topic}");
            assert!(held.session.rounds().len() <= topics + 2, "{topic}: {}", held.session.rounds().len());
        }
    }
}

#[test]
fn a_clear_case_carries_every_point() {
    let held = hold(opening(TOPICS[0], "standard", &BRAINSTORM, PROJECT));
    let carried: Vec<&str> =
        held.session.points().iter().filter(|p| p.standing == Standing::Carried).map(|p| p.text.as_str()).collect();
    assert!(carried.iter().any(|text| text.starts_with("Offer the API as REST")), "{carried:#?}");
    assert_eq!(held.session.points().len(), carried.len(), "every point was carried");
}

#[test]
fn a_reply_is_yaml_in_the_shape_asked_of_a_model() {
    let panel = panel();
    let session = Session::open(opening(TOPICS[0], "standard", &BRAINSTORM, PROJECT));
    let s2s_engine::step::Step::Ask(briefs) = next_step(&session) else { panic!("a question comes first") };
    let reply = panel.reply(&session, &briefs[0]);
    assert!(reply.starts_with("action: question\nquestion: "), "{reply}");
    let value = s2s_yaml::to_value(&reply).expect("it is YAML");
    for key in ["action", "question", "context_summary", "participants", "focus"] {
        assert!(value.get(key).is_some(), "{key} in {reply}");
    }
    assert!(reply.contains("Constraints: Two developers"), "{reply}");
}

#[test]
fn every_reply_is_read_back_as_it_was_meant_without_a_doubt() {
    every_session(|(name, held)| {
        for (kind, text, answer) in &held.replies {
            let read = crate::reading::read(*kind, text, Stop::End);
            let read = read.unwrap_or_else(|refusal| panic!("{name}: {refusal:?} in {text}"));
            assert_eq!(read.answer, *answer, "{name}: {text}");
            assert!(read.doubts.is_empty(), "{name}: {:?} in {text}", read.doubts);
        }
    });
}
