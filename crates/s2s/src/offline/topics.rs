//! A table of topics as people put them, with the subjects and options that are read from each: over all built-in
//! playbooks. A row is a topic and what is found: `playbook: option option ?unknown`, two subjects parted by ` | `,
//! `-` where no playbook covers it. To add a subject, add rows; nothing else has to change.

use super::subject::subjects;
use super::test_table::playbooks;

/// Checks rows of `topic => what is found`.
fn check(rows: &str) {
    let playbooks = playbooks();
    let mut wrong = Vec::new();
    for row in rows.lines().map(str::trim).filter(|row| !row.is_empty()) {
        let (topic, expected) = row.split_once(" => ").expect("a row has ` => `");
        let told = subjects(&playbooks, topic).into_iter().map(|subject| {
            let named = subject.named.iter().map(|&at| subject.playbook.options[at].id.clone());
            let unknown = subject.unknown.iter().map(|one| format!("?{}", one.replace(' ', "_")));
            let words: Vec<String> = named.chain(unknown).collect();
            format!("{}: {}", subject.playbook.name, words.join(" ")).trim_end().to_owned()
        });
        let told: Vec<String> = told.collect();
        let found = if told.is_empty() { "-".to_owned() } else { told.join(" | ") };
        if found != expected {
            wrong.push(format!("{topic}\n    expected {expected}\n    found    {found}"));
        }
    }
    assert!(wrong.is_empty(), "{} rows are read otherwise:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn subject_and_options_are_found_in_any_order_and_case() {
    check(
        "
        REST vs GraphQL for our public API => api-style: rest graphql
        graphql versus rest? => api-style: graphql rest
        Should we move from REST to gRPC between services => api-style: rest grpc
        Which API style for the partner portal => api-style:
        Should we use GraphQL? => api-style: graphql
        Is GraphQL the right thing for us? => api-style: graphql
        Protobuf or JSON-RPC => api-style: grpc http-rpc
        Replace our REST API with GraphQL => api-style: rest graphql
        WE NEED TO DECIDE BETWEEN GRPC AND REST => api-style: grpc rest
        REST, GraphQL or gRPC? => api-style: rest graphql grpc
        Choose a database for orders => database-kind:
        Postgres or MongoDB for the product catalogue => database-kind: relational document
        SQL vs NoSQL => database-kind: relational
        relational, document or graph database => database-kind: relational document graph
        DynamoDB vs PostgreSQL => database-kind: key-value relational
        Do we need a graph database instead of Postgres? => database-kind: graph relational
        migrate from mysql to mongo => database-kind: relational document
        Monolith or microservices for a new product => monolith-or-services: modular-monolith microservices
        microservices vs monolith => monolith-or-services: microservices modular-monolith
        Should we break up the monolith? => monolith-or-services: modular-monolith
        Serverless functions or a modular monolith => monolith-or-services: functions modular-monolith
        Kafka or RabbitMQ for order events => queue-or-stream: stream broker
        Do we need Kafka or is a transactional outbox enough => queue-or-stream: stream outbox
        Queue or stream between the services => queue-or-stream: job-queue stream
        Which message queue should we use => queue-or-stream: job-queue
        Keycloak vs Auth0 => sign-in: self-hosted-provider managed-provider
        Compare Keycloak with own login => sign-in: self-hosted-provider own-passwords
        Passkeys or passwords for sign-in => sign-in: passkeys own-passwords
        How should people log in: OIDC or our own auth? => sign-in: managed-provider own-passwords
        How should customers sign in => sign-in:
        JWT or server sessions => sessions-or-tokens: signed-tokens server-sessions
        Sessions vs tokens for the web app => sessions-or-tokens: server-sessions signed-tokens
        Should we use refresh tokens? => sessions-or-tokens: refresh-tokens
        ",
    );
}

#[test]
fn an_option_that_no_playbook_knows_is_carried_as_unknown() {
    check(
        "
        REST vs SOAP => api-style: rest ?SOAP
        SOAP or GraphQL => api-style: graphql ?SOAP
        Should we use Apache Thrift or gRPC for internal calls? => api-style: grpc ?Apache_Thrift
        REST, Thrift or gRPC => api-style: rest grpc ?Thrift
        Move from SOAP to GraphQL => api-style: graphql ?SOAP
        Replace Apache Thrift with gRPC => api-style: grpc ?Apache_Thrift
        Stay with SOAP or move to GraphQL => api-style: graphql ?SOAP
        GraphQL instead of a custom protocol => api-style: graphql ?custom_protocol
        Postgres or Google Cloud Spanner for orders => database-kind: relational ?Google_Cloud_Spanner
        Which database: CockroachDB or TiDB? => database-kind: ?CockroachDB ?TiDB
        Kafka or Apache Pulsar => queue-or-stream: stream
        Kafka or keep the outbox => queue-or-stream: stream outbox
        GraphQL or not => api-style: graphql
        Should we use Postgres for orders or invoices? => database-kind: relational
        ",
    );
}

#[test]
fn other_letters_are_read_as_people_mean_them() {
    check(
        "
        ＲＥＳＴ　ｖｓ　ＧｒａｐｈＱＬ => api-style: rest graphql
        PostgreSQL还是MongoDB？ => database-kind: relational document
        KafkaかRabbitMQか、どちらを使うべき？ => queue-or-stream: stream broker
        REST или GraphQL для мобильного приложения? => api-style: rest graphql
        Postgres oder MongoDB für die Aufträge? => database-kind: relational document
        Kafka ou RabbitMQ pour les événements ? => queue-or-stream: stream broker
        ¿Keycloak o Auth0 para la autenticación? => sign-in: self-hosted-provider managed-provider
        “REST” vs. “GraphQL” — which? => api-style: rest graphql
        REST или SOAP => api-style: rest ?SOAP
        Wie nennen wir das Projekt? => -
        どのロゴの色にしますか => -
        ",
    );
}

#[test]
fn two_questions_in_one_topic_are_both_read() {
    check(
        "
        REST or GraphQL, and Postgres or MongoDB? => api-style: rest graphql | database-kind: relational document
        Postgres or MongoDB; REST or gRPC => database-kind: relational document | api-style: rest grpc
        Which database and which API style for the shop? => api-style: | database-kind:
        Monolith or microservices, and should we use Kafka? => monolith-or-services: modular-monolith microservices | queue-or-stream: stream
        REST or GraphQL for our microservices => api-style: rest graphql
        Kafka or RabbitMQ for a monolith on Postgres => queue-or-stream: stream broker
        ",
    );
}

#[test]
fn what_no_playbook_covers_is_left_alone() {
    check(
        "
        How should we name our branches => -
        Which colour for the logo => -
        Plan the rest of the quarter => -
        Improve the login page copy => -
        Pagination of the REST endpoints => -
        Which REST client library for our Android app => -
        Which ORM for Postgres => -
        How do we hash passwords => -
        Which log format should we use => -
        What went wrong with our Kafka upgrade? => -
        Who presents at the next sprint review? => -
        Postgres for orders or invoices => -
        ",
    );
    assert!(subjects(&playbooks(), "").is_empty());
    assert!(subjects(&playbooks(), "\u{202e}\u{0}🎉").is_empty());
}
