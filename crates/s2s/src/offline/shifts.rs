//! What a context changes, over subjects that know nothing of the words themselves: shift a constraint, and the expected
//! seat changes its mind; name an option, and it is taken, left or lifted, and that is said.

use s2s_engine::Session;

use super::table::Table;
use super::test_table::{BRAINSTORM, hold, opening, panel};

/// The option that a seat likes best, by id.
fn favourite(seat: &str, topic: &str, context: &str) -> String {
    let session = Session::open(opening(topic, "standard", &[seat], context));
    let panel = panel();
    let tables = Table::all(&session, &panel.playbooks, &panel.roles);
    let table = tables.first().expect("the topic is covered");
    table.option(table.views[0].favourite()).id.clone()
}

#[test]
fn a_constraint_of_any_project_shifts_the_seat_it_should_in_every_subject() {
    for (seat, topic, before, context, after) in [
        ("software-architect", "Which permission model should we use", "attribute-policies", "A tiny team.", "roles"),
        ("product-manager", "Which feature flags tool", "hosted", "There is a limited budget.", "config-flags"),
        ("security-champion", "Which monitoring tool", "hosted-suite", "We fall under the GDPR.", "self-hosted"),
        ("qa-lead", "How do we ship schema changes", "versioned-scripts", "It is mission critical.", "expand-contract"),
        ("software-architect", "Which message queue should we use", "stream", "There is low traffic.", "outbox"),
        ("software-architect", "Which release strategy", "rolling", "High availability is promised.", "canary"),
        (
            "ux-researcher",
            "Which identity provider",
            "managed-provider",
            "No vendor: we fear vendor lock-in.",
            "self-hosted-provider",
        ),
        (
            "technical-lead",
            "Which infrastructure as code tool",
            "declarative",
            "We already use Pulumi.",
            "general-language",
        ),
        ("qa-lead", "Which test strategy", "integration", "The launch date is fixed, in 8 weeks.", "pyramid"),
    ] {
        assert_eq!(favourite(seat, topic, ""), before, "{seat} on {topic} without a context");
        assert_eq!(favourite(seat, topic, context), after, "{seat} on {topic} with {context:?}");
    }
}

#[test]
fn what_the_context_demands_or_rules_out_holds_for_everyone_and_is_said() {
    let context = "An internal tool. We must use GraphQL.";
    let held =
        hold(opening("REST or GraphQL", "standard", &["devops-engineer", "security-champion", "qa-lead"], context));
    for (_, seat, response) in held.responses.iter().filter(|(round, _, _)| *round == 1) {
        assert!(response.position.contains("GraphQL"), "{seat}: {}", response.position);
        let said = response.rationale.iter().any(|reason| reason.contains("\"must use GraphQL\""));
        assert!(said, "{seat}: {:#?}", response.rationale);
    }
    let last = held.session.rounds().iter().rev().find_map(|round| round.decision.recommendation.clone());
    let last = last.expect("a recommendation");
    assert!(last.contains("The context says \"must use GraphQL\", which leaves GraphQL"), "{last}");
    let sign_in = "Which identity provider for sign-in";
    for seat in ["technical-lead", "product-manager", "security-champion"] {
        assert_ne!(favourite(seat, sign_in, "It must run on premises."), "managed-provider", "{seat}");
    }
    let all_out = favourite("qa-lead", "REST or GraphQL", "No REST. No GraphQL.");
    assert!(!["rest", "graphql"].contains(&all_out.as_str()), "what is ruled out is not taken: {all_out}");
}

#[test]
fn an_option_that_is_not_in_the_topic_but_demanded_competes() {
    assert_eq!(favourite("technical-lead", "REST or GraphQL", "gRPC is mandatory here."), "grpc");
}

#[test]
fn both_subjects_of_a_topic_are_decided_and_voted_on() {
    for strategy in super::tests::STRATEGIES {
        let held = hold(opening("REST or GraphQL, and Postgres or MongoDB?", strategy, &BRAINSTORM, ""));
        let carried = held.session.points().iter().filter(|point| point.standing == s2s_engine::Standing::Carried);
        let texts: Vec<&str> = carried.map(|point| point.text.as_str()).collect();
        for choice in ["Offer the API as REST", "Postgres: keep the main data"] {
            assert!(texts.iter().any(|text| text.starts_with(choice)), "{strategy}: {texts:#?}");
        }
        let last = held.session.rounds().iter().rev().find_map(|round| round.decision.recommendation.clone());
        let last = last.expect("a recommendation");
        assert!(last.contains("API style: ") && last.contains("Kind of database: "), "{strategy}: {last}");
    }
}

#[test]
fn a_language_that_the_context_states_was_weighed_against_all_others() {
    let session = Session::open(opening("The parcel desk", "standard", &["product-manager"], ""));
    let panel = panel();
    let stated = |text: &str| {
        let table = Table::on(&session, &panel.playbooks, &panel.roles, text).expect("a playbook knows it");
        table.option(table.strongest()).id.clone()
    };
    assert_eq!(stated("We use Rust for everything"), "systems");
    assert_eq!(stated("Use GraphQL for the app"), "graphql");
}
