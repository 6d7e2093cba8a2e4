//! Whole sessions, read as a person would: one transcript for each strategy, kept beside this file and compared word for
//! word; and every playbook under every strategy, searched for sentences that are said twice.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use s2s_catalog::playbook::Playbook;

use super::subject::subjects;
use super::test_table::{BRAINSTORM, Held, hold, opening, playbooks};
use super::tests::{STRATEGIES, sentences};

const SHOP: &str = "# Shop\nAn online shop for garden tools, with apps for partners.\n\n## Constraints\n- Two developers, \
     deadline in twelve weeks\n- Payments are handled by a partner\n- We already run Postgres\n";

/// A session as it could be read aloud.
fn transcript(held: &Held) -> String {
    let session = &held.session;
    let mut text = format!("# {}\n", session.opening().topic);
    let line = |text: &mut String, what: &str| {
        let _ = writeln!(text, "{what}");
    };
    for round in session.rounds() {
        line(&mut text, &format!("\n## Round {}, {}\n{}\n", round.number, round.phase, round.question));
        for (_, seat, said) in held.responses.iter().filter(|(number, _, _)| *number == round.number) {
            line(&mut text, &format!("{seat} ({:.2}): {}", said.confidence, said.position));
            said.rationale.iter().for_each(|reason| line(&mut text, &format!("  + {reason}")));
            said.concerns.iter().for_each(|concern| line(&mut text, &format!("  - {concern}")));
            for (point, vote) in &said.votes {
                let reason = vote.reason.as_deref().unwrap_or_default();
                line(
                    &mut text,
                    format!("  {} {}: {reason}", point.as_str(), vote.choice.as_str()).trim_end_matches(": "),
                );
            }
        }
        line(&mut text, &format!("\n{}", round.synthesis));
    }
    line(&mut text, "\n## Points");
    for point in session.points() {
        line(&mut text, &format!("{} {:?}: {}", point.id.as_str(), point.standing, point.text));
    }
    let advice = session.rounds().iter().rev().find_map(|round| round.decision.recommendation.as_ref());
    line(&mut text, &format!("\n## Recommendation\n{}", advice.map_or("", String::as_str)));
    text
}

#[test]
fn a_session_of_each_strategy_reads_as_it_did() {
    let kept = |strategy: &str, topic: &str, seats: &[&str], context: &str| {
        let told = transcript(&hold(opening(topic, strategy, seats, context)));
        expect_test::expect_file![format!("transcripts/{strategy}.txt")].assert_eq(&told);
    };
    kept("standard", "REST or GraphQL, and Postgres or MongoDB?", &BRAINSTORM, SHOP);
    kept("disney", "Kafka or RabbitMQ for order events", &["devops-engineer", "software-architect", "qa-lead"], SHOP);
    kept(
        "debate",
        "Monolith or microservices for the shop",
        &["technical-lead", "product-manager", "devops-engineer"],
        SHOP,
    );
    kept(
        "consensus-driven",
        "Which identity provider for sign-in? It must run on premises.",
        &["security-champion", "ux-researcher", "business-analyst"],
        SHOP,
    );
    kept(
        "six-hats",
        "Should we move from server-rendered pages to a single page app?",
        &["ux-researcher", "documentation-specialist", "technical-lead"],
        SHOP,
    );
}

/// A topic that puts two options of a playbook to the choice.
fn topic_for(all: &[Playbook], playbook: &Playbook) -> String {
    let name = playbook.names.iter().find(|name| !name.starts_with('~')).expect("a firm name");
    let alias =
        |at: usize| playbook.options[at].aliases.iter().find(|alias| !alias.starts_with('~')).expect("a firm one");
    let topic = format!("Which {name} for us: {} or {}?", alias(0), alias(1));
    let read = subjects(all, &topic);
    assert_eq!(read.first().map(|subject| &subject.playbook.name), Some(&playbook.name), "{topic}");
    topic
}

#[test]
fn no_sentence_is_said_twice_in_any_playbook_under_any_strategy() {
    let all = playbooks();
    let panels = [
        &["product-manager", "qa-lead", "devops-engineer"][..],
        &["security-champion", "ux-researcher", "technical-lead"],
    ];
    let mut wrong = Vec::new();
    for (at, playbook) in all.iter().enumerate() {
        let topic = topic_for(&all, playbook);
        for (turn, strategy) in STRATEGIES.iter().enumerate() {
            let held = hold(opening(&topic, strategy, panels[(at + turn) % 2], ["", SHOP][turn % 2]));
            let (mut by_round, mut by_seat) = (BTreeSet::new(), BTreeSet::new());
            for (round, seat, response) in &held.responses {
                for sentence in sentences(response) {
                    let twice = !by_round.insert((*round, sentence.clone()))
                        | !by_seat.insert((seat.clone(), sentence.clone()));
                    if twice {
                        wrong.push(format!("{}, {strategy}, round {round}, {seat}: {sentence}", playbook.name));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
