//! The ADR of a session that was weighed: decision, options, reasons and voices are those of the matrix, whatever words
//! the topic has for them. Whole sessions of the offline panel, over topics that were told wrongly once.

use std::sync::{Arc, LazyLock};

use s2s::catalog::{Catalog, Kind};
use s2s::documents::{Beside, Templates, render_beside};
use s2s::engine::opening::OutputType;
use s2s::engine::{Standing, Unattended};
use s2s::matrix::Matrix;
use s2s::panel::{OfflinePanel, Panel};
use s2s::store::Keeper;

use crate::world::{Table, run};

/// The shipped panel and templates, read once.
static PANEL: LazyLock<Arc<dyn Panel>> = LazyLock::new(|| Arc::new(OfflinePanel::from_catalog(&Catalog::builtin()).0));
static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| Templates::of(&Catalog::builtin()).expect("shipped ones"));

/// A session that has ended.
struct Ended {
    adr: String,
    matrices: Vec<Matrix>,
    /// What the panel carried.
    carried: Vec<String>,
}

impl Ended {
    /// The lines of the head that begin like this.
    fn head(&self, what: &str) -> Vec<&str> {
        let head = self.adr.split("\n## ").next().unwrap();
        head.lines().filter_map(|line| line.strip_prefix(&format!("- **{what}**: "))).collect()
    }

    fn section(&self, title: &str) -> &str {
        let from = self.adr.split(&format!("\n{title}\n")).nth(1);
        let from = from.unwrap_or_else(|| panic!("{title} in {}", self.adr));
        from.split("\n#").next().unwrap()
    }

    fn options(&self) -> Vec<&str> {
        self.section("## Considered Options").lines().filter_map(|line| line.strip_prefix("- ")).collect()
    }
}

async fn held(topic: &str, strategy: &'static str, context: &'static str) -> Ended {
    let seats = ["product-manager", "software-architect", "technical-lead"].map(String::from).to_vec();
    let topic: &'static str = topic.to_owned().leak();
    let mut table = Table { topic, strategy, context, seats, ..Table::default() }.begin(PANEL.clone());
    run(&mut table, Unattended::Accept).await;
    let kept = table.keeper().matrices().unwrap();
    let matrices: Vec<Matrix> = kept.into_iter().map(|value| serde_json::from_value(value).unwrap()).collect();
    let minutes = table.keeper().minutes();
    let beside = Beside { matrices: &matrices, ..Beside::default() };
    let outcome = minutes.outcome().unwrap();
    let adr = render_beside(OutputType::Adr, table.session(), minutes, outcome, &TEMPLATES, &beside).unwrap();
    let points = table.session().points().iter().filter(|point| point.standing == Standing::Carried);
    let carried = points.map(|point| point.text.clone()).collect();
    Ended { adr, matrices, carried }
}

const BANK: &str = "SaaS startup, B2B. No cloud services are allowed by our bank customers. Tight budget, juniors.";

#[tokio::test]
async fn bug_the_adr_does_not_name_the_winner_although_it_was_carried() {
    for (topic, strategy, context, winner) in [
        ("Self-hosted Keycloak or Auth0 for sign-in?", "six-hats", BANK, "Keycloak"),
        ("Monolith vs microservices for our internal tool", "debate", "", "A modular monolith"),
        ("should our nightly imports run in cron or in Temporal?", "standard", "Five developers.", ""),
        ("monorepo vs polyrepo", "debate", "", ""),
        ("Should we move to microservices?", "standard", "", ""),
        ("Should we write our own billing or buy Stripe Billing?", "standard", "", ""),
    ] {
        let ended = held(topic, strategy, context).await;
        let decisions = ended.head("Decision");
        let leader = &ended.matrices[0].options[ended.matrices[0].result.leader].name;
        let winner = if winner.is_empty() { leader } else { winner };
        let begins = decisions[0].to_lowercase().starts_with(&format!("**{}**, ", winner.to_lowercase()));
        assert!(decisions.len() == 1 && begins, "{topic}: {winner}, {decisions:?}");
        assert!(!ended.adr.contains("No option was chosen"), "{topic}");
        let section = ended.section(&format!("### {}", &decisions[0][2..].split("**").next().unwrap()));
        assert!(!section.contains("Nobody held it") && section.contains("- Good, because: "), "{topic}: {section}");
    }
}

#[tokio::test]
async fn bug_a_side_point_is_named_as_the_decision() {
    for (topic, strategy) in [
        ("Should we write more unit tests or end-to-end tests?", "six-hats"),
        ("Feature flags in configuration or a hosted service?", "disney"),
        ("graphql oder rest oder grpc", "disney"),
    ] {
        let ended = held(topic, strategy, "").await;
        let decision = ended.head("Decision")[0];
        let side = ["Find out", "First step", "Evaluate a switch"].iter().any(|start| decision.starts_with(start));
        assert!(!side && decision.starts_with("**"), "{topic}: {decision}");
    }
}

#[tokio::test]
async fn bug_why_praises_the_option_that_lost() {
    for (topic, strategy) in [
        ("Should we write more unit tests or end-to-end tests?", "six-hats"),
        ("Self-hosted Keycloak or Auth0 for sign-in?", "six-hats"),
        ("REST or GraphQL", "disney"),
        ("Monolith vs microservices for our internal tool", "debate"),
    ] {
        let ended = held(topic, strategy, "").await;
        let (reasons, costs, matrix) = (ended.head("Why"), ended.head("What it costs"), &ended.matrices[0]);
        let winner = &matrix.options[matrix.result.leader];
        assert!(!reasons.is_empty() && !costs.is_empty(), "{topic}: {}", ended.adr);
        for reason in &reasons {
            let told = |at: usize| reason.contains(&winner.why[at]) && winner.cells[at] > 3.0;
            let own = (0..matrix.criteria.len()).any(told);
            let source = format!("playbook {}, as of {})", matrix.playbook, matrix.as_of);
            assert!((own || reason.contains(" does worse: ")) && reason.ends_with(&source), "{topic}: {reason}");
        }
    }
}

#[tokio::test]
async fn bug_considered_options_are_not_those_that_were_weighed() {
    for (topic, strategy, context, expected) in [
        ("REST oder GraphQL", "standard", "", &["REST", "GraphQL"][..]),
        ("PostgreSQL 还是 MongoDB 做订单数据库", "debate", "", &["PostgreSQL", "MongoDB"]),
        ("REST vs SOAP", "standard", "", &["REST", "SOAP: not weighed, since no playbook knows it"]),
        ("Self-hosted Keycloak or Auth0 for sign-in?", "six-hats", BANK, &["Keycloak", "Auth0: ruled out: “No cloud”"]),
    ] {
        let ended = held(topic, strategy, context).await;
        let options = ended.options();
        assert!(expected.iter().all(|option| options.contains(option)), "{topic}: {options:?}");
        let matrix = &ended.matrices[0];
        assert_eq!(options.len(), matrix.options.len() + matrix.set_aside().count(), "{topic}: {options:?}");
    }
}

#[tokio::test]
async fn bug_two_subjects_are_mixed_up_in_the_adr() {
    let ended = held("REST or GraphQL, and Postgres or MongoDB?", "standard", "").await;
    let decisions = ended.head("Decision");
    assert!(decisions.len() == 2 && decisions[0].starts_with("**API style: REST**, "), "{decisions:?}");
    assert!(decisions[1].starts_with("**Kind of database: Postgres**, "), "{decisions:?}");
    let rest = ended.section("### API style: REST");
    assert!(!rest.contains("Kind of database") && !rest.contains("Postgres"), "{rest}");
    assert!(rest.contains("**Product Manager**: ") && rest.contains("as of "), "{rest}");
    assert!(!ended.section("## Decision Drivers").contains(" · "), "{}", ended.adr);
    let why = ended.head("Why").join("\n");
    assert!(why.contains("API style: ") && why.contains("Kind of database: "), "{why}");
}

#[tokio::test]
async fn bug_readings_of_the_context_are_listed_under_options() {
    let context = "A team of 4 developers, a deadline in May. We already run RabbitMQ.";
    let ended = held("Kafka or RabbitMQ for order events", "standard", context).await;
    let pros = ended.adr.split("\n## Pros and Cons of the Options\n").nth(1).unwrap();
    let pros = pros.split("\n## ").next().unwrap();
    assert!(!pros.contains("Also said") && !pros.contains("- Neutral"), "{pros}");
    assert!(!pros.contains("in the context as a reason"), "{pros}");
}

/// Every playbook under a strategy: what was carried as a choice is the decision.
async fn every_playbook_under(strategy: &'static str) {
    let catalog = Catalog::builtin();
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for name in catalog.names(Kind::Playbook) {
        let playbook = catalog.playbook(&name).unwrap().value;
        let firm = |names: &[String]| names.iter().find(|name| !name.starts_with('~')).unwrap().clone();
        let (one, other) = (firm(&playbook.options[0].aliases), firm(&playbook.options[1].aliases));
        let topic = format!("Which {} for us: {one} or {other}?", firm(&playbook.names));
        let ended = held(&topic, strategy, "A web shop. Two developers.").await;
        let Some(matrix) = ended.matrices.iter().find(|matrix| matrix.playbook == playbook.name) else {
            wrong.push(format!("{topic}: no matrix"));
            continue;
        };
        let chosen = playbook.options.iter().filter(|option| {
            let decide = option.decide.trim_end_matches('.').to_lowercase();
            ended.carried.iter().any(|point| point.to_lowercase().contains(&decide))
        });
        for option in chosen {
            seen += 1;
            let name = &matrix.options.iter().find(|known| known.id == option.id).unwrap().name;
            let title = format!("{name}**, ").to_lowercase();
            if !ended.head("Decision").iter().any(|decision| decision.to_lowercase().contains(&title)) {
                wrong.push(format!("{topic}: {name}, {:?}", ended.head("Decision")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 20, "only {seen} choices carried");
}

#[tokio::test]
async fn a_choice_that_carried_is_the_decision_in_every_playbook_standard() {
    every_playbook_under("standard").await;
}

#[tokio::test]
async fn a_choice_that_carried_is_the_decision_in_every_playbook_disney() {
    every_playbook_under("disney").await;
}

#[tokio::test]
async fn a_choice_that_carried_is_the_decision_in_every_playbook_debate() {
    every_playbook_under("debate").await;
}

#[tokio::test]
async fn a_choice_that_carried_is_the_decision_in_every_playbook_consensus_driven() {
    every_playbook_under("consensus-driven").await;
}

#[tokio::test]
async fn a_choice_that_carried_is_the_decision_in_every_playbook_six_hats() {
    every_playbook_under("six-hats").await;
}
