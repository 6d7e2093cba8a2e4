//! What a trial of the panel found wrong, as sessions: each test is named after what the record said and should not.

use s2s_engine::Session;

use super::table::Table;
use super::test_table::{BRAINSTORM, Held, hold, opening, panel};

/// A session of three seats held to its end.
fn held(topic: &str, strategy: &str, context: &str) -> Held {
    hold(opening(topic, strategy, &BRAINSTORM, context))
}

/// The last recommendation.
fn advice(held: &Held) -> String {
    let last = held.session.rounds().iter().rev().find_map(|round| round.decision.recommendation.clone());
    last.expect("a recommendation")
}

/// Looks at the first table of a topic.
fn at_table<R>(topic: &str, context: &str, look: impl Fn(&Table<'_>) -> R) -> R {
    let session = Session::open(opening(topic, "standard", &BRAINSTORM, context));
    let panel = panel();
    let tables = Table::all(&session, &panel.playbooks, &panel.roles);
    look(tables.first().expect("the topic is covered"))
}

#[test]
fn bug_a_road_to_an_option_was_what_the_seat_weighs_most_and_not_what_speaks_for_it() {
    for (topic, context) in [
        ("REST oder GraphQL", ""),
        ("Self-hosted Keycloak or Auth0 for sign-in?", "There is no cloud."),
        ("Postgres or MongoDB?", "We must use MongoDB."),
    ] {
        at_table(topic, context, |table| {
            for seat in 0..table.views.len() {
                let option = table.leaning(seat, 0);
                let rival = table.views[seat].rival_of(option);
                if let Some(road) = table.road(seat, option) {
                    assert!(table.score(option, road) > table.score(rival, road), "{topic}: {}", table.about(road));
                }
            }
        });
        let first = held(topic, "standard", context).session.rounds()[0].synthesis.clone();
        let roads = first.split("different roads: ").nth(1).and_then(|rest| rest.split('.').next()).unwrap_or_default();
        at_table(topic, context, |table| {
            let (option, rival) = (table.strongest(), table.views[0].rival_of(table.strongest()));
            for c in
                (0..table.playbook().criteria.len()).filter(|&c| roads.contains(&format!("for {}", table.about(c))))
            {
                assert!(table.score(option, c) > table.score(rival, c), "{topic}: {roads}");
            }
        });
    }
}

#[test]
fn bug_the_red_hat_felt_right_about_the_weakest_side() {
    let topic = "Self-hosted Keycloak or Auth0 for sign-in?";
    let context = "There is no cloud.";
    let told = held(topic, "six-hats", context);
    at_table(topic, context, |table| {
        let (option, rival) = (table.strongest(), table.views[0].rival_of(table.strongest()));
        for (_, seat, said) in &told.responses {
            let Some(about) = said.position.split("feels right when I think of ").nth(1) else { continue };
            let c = (0..table.playbook().criteria.len()).find(|&c| about.starts_with(table.about(c)));
            let c = c.expect("a criterion");
            assert!(table.score(option, c) > table.score(rival, c), "{seat}: {}", said.position);
        }
    });
}

#[test]
fn bug_the_proposal_of_a_debate_was_ruled_out() {
    let told = held("Monolith vs microservices for our internal tool", "debate", "We must use microservices.");
    let proposal = told.session.opening().sides.clone().expect("sides").proposal;
    assert!(proposal.starts_with("Microservices rather than a modular monolith: "), "{proposal}");
}

#[test]
fn bug_the_seat_for_which_it_is_closest_was_the_farthest() {
    for (topic, context) in [
        ("Self-hosted Keycloak or Auth0 for sign-in?", "There is no cloud."),
        ("Postgres or MongoDB?", "We must use MongoDB."),
    ] {
        let told = held(topic, "standard", context);
        let said: Vec<&String> = told.session.rounds().iter().map(|round| &round.synthesis).collect();
        assert!(!said.iter().any(|said| said.contains("It is closest for")), "{said:#?}");
    }
}

#[test]
fn bug_a_topic_that_asks_whether_was_answered_by_its_own_words() {
    let topic = "Is it wise to replace our login with passkeys only?";
    at_table(topic, "", |table| assert!(table.subject.barred.is_empty(), "{:?}", table.bounds));
    let context = "Our standard is MongoDB but we can deviate. No MongoDB experience.";
    at_table("Postgres or MongoDB?", context, |table| assert!(table.bounds.is_empty(), "{:?}", table.bounds));
}

#[test]
fn bug_a_list_of_the_record_read_before_before() {
    let told = held("Kafka or RabbitMQ for order events", "standard", "");
    for (_, seat, said) in &told.responses {
        let all = [vec![said.position.clone()], said.rationale.clone(), said.concerns.clone()].concat().join(" ");
        assert!(!all.contains("before before") && !all.contains("GRPC"), "{seat}: {all}");
    }
    assert!(!advice(&told).is_empty());
}

#[test]
fn bug_what_was_ruled_out_was_recommended_and_accepted() {
    let context = "There is no cloud. No Kubernetes.";
    let told = held("Serverless or Kubernetes?", "standard", context);
    at_table("Serverless or Kubernetes?", context, |table| {
        assert!(table.none_left && !table.subject.barred.contains(&table.strongest()), "{:?}", table.subject.barred);
    });
    assert!(told.causes.iter().any(|rule| rule == "E2"), "{:?}", told.causes);
    let advice = advice(&told);
    for words in ["\"no cloud\"", "\"No Kubernetes\"", "weighed instead, though not asked about: "] {
        assert!(advice.contains(words), "{words}: {advice}");
    }
}

#[test]
fn bug_a_demand_for_what_nobody_knows_was_lost() {
    let told = held("GraphQL or REST or SOAP?", "standard", "SOAP is mandatory for the tax office.");
    assert!(
        advice(&told).contains("The context says \"SOAP is mandatory\"; no playbook knows SOAP"),
        "{}",
        advice(&told)
    );
    assert!(told.causes.iter().any(|rule| rule == "E2"), "{:?}", told.causes);
    let context = "We must use Stripe Billing. Stripe Billing is forbidden by our bank.";
    let told = held("Should we write our own billing or buy Stripe Billing?", "standard", context);
    assert!(told.causes.iter().any(|rule| rule == "E5"), "{:?}", told.causes);
    let told = held("REST or GraphQL?", "standard", "We must use GraphQL. GraphQL is forbidden.");
    assert!(told.causes.iter().any(|rule| rule == "E5"), "{:?}", told.causes);
}

#[test]
fn bug_a_statement_before_the_question_decided_the_subject() {
    let of = |topic: &str| at_table(topic, "", |table| table.playbook().name.clone());
    assert_eq!(of("We use Postgres. How should we search products?"), "search");
    assert_eq!(of("REST vs. GraphQL?"), "api-style");
    at_table("REST vs. GraphQL?", "", |table| assert_eq!(table.subject.named.len(), 2));
}

#[test]
fn bug_another_kind_was_recommended_over_the_products_that_were_asked_about() {
    for topic in ["Redis, Memcached or Hazelcast as a cache?", "MySQL vs PostgreSQL"] {
        for strategy in super::tests::STRATEGIES {
            let told = held(topic, strategy, "");
            assert!(advice(&told).starts_with("This panel cannot choose between "), "{strategy}: {}", advice(&told));
            assert!(told.causes.iter().any(|rule| rule == "E2"), "{strategy}: {:?}", told.causes);
            let choices = at_table(topic, "", |table| {
                (0..table.playbook().options.len()).map(|option| table.decide(option)).collect::<Vec<_>>()
            });
            let claimed = told.session.points().iter().find(|point| choices.contains(&point.text));
            assert!(claimed.is_none(), "{strategy}: {claimed:?}");
        }
    }
}

#[test]
fn bug_what_nothing_weighs_looked_as_if_it_was() {
    let told = held("Postgres or MongoDB?", "standard", "We are audited every year. GDPR applies. Five devs.");
    let first = &told.session.rounds()[0].synthesis;
    let told = first.split("Heard, but nothing here weighs it: ").nth(1).unwrap_or_default();
    assert!(told.contains("\"GDPR\" (compliance)"), "{first}");
    assert!(first.contains("audited") && first.contains("Five devs"), "{first}");
}

#[test]
fn bug_a_role_said_the_same_lines_in_every_session() {
    let lines = |topic: &str| {
        let told = held(topic, "standard", "");
        let concerns = told.responses.iter().filter(|(_, seat, _)| seat == "software-architect");
        concerns.flat_map(|(_, _, said)| said.concerns.clone()).collect::<Vec<_>>().join("\n")
    };
    let topics = ["REST or GraphQL?", "Postgres or MongoDB?", "SPA or server-rendered pages?", "Kafka or RabbitMQ?"];
    let with = |words: &str| topics.iter().filter(|topic| lines(topic).to_lowercase().contains(words)).count();
    assert!(with("two components may write the same data") < topics.len());
    assert!(with("which two or three quality goals") < topics.len());
}

#[test]
fn bug_the_words_of_the_context_came_three_times_a_round() {
    let told = held("Shared tables or a schema per tenant for multi-tenancy?", "standard", "There are 2000 tenants.");
    for round in told.session.rounds() {
        let all = told.responses.iter().filter(|(number, _, _)| *number == round.number);
        let times =
            all.flat_map(|(_, _, said)| &said.rationale).filter(|line| line.contains("\"2000 tenants\"")).count();
        assert!(times < 2, "{times} times in round {}", round.number);
    }
}

#[test]
fn bug_words_that_lead_to_an_option_were_not_weighed() {
    at_table("Terraform, Pulumi or clicking in the console?", "", |table| {
        assert!(table.subject.unknown.is_empty(), "{:?}", table.subject.unknown);
    });
}
