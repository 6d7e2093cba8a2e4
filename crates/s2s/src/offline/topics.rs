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
        Monorepo? => repository-layout: monorepo
        Where do we put uploaded PDFs? => file-storage:
        How do we log in our users? => sign-in:
        How should we search products? => search:
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
        Which message queue should we use => queue-or-stream:
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
fn every_shipped_subject_is_found_as_people_ask_for_it() {
    check(
        "
        RBAC or ABAC for our back office? => access-control: roles attribute-policies
        Which permission model fits shared documents => access-control:
        Should we version our API in the URL or in a header? => api-versioning: url-version header-version
        Which API versioning strategy for partners => api-versioning:
        cron jobs vs a workflow engine for nightly reports => background-jobs: scheduled-runs workflow-engine
        Sidekiq or Temporal for background jobs => background-jobs: queue-workers workflow-engine
        Trunk based development or gitflow => branching-model: trunk gitflow
        Which branching strategy should we use? => branching-model:
        Build or buy the billing module => build-or-buy:
        In-process cache or a shared cache for product pages? => caching: in-process shared
        Do we need a cache? => caching:
        Should we use Redis as cache => caching: shared
        Continuous deployment or release trains => ci-cd-shape: every-merge release-train
        Self-hosted runners vs GitOps with Argo CD => ci-cd-shape: own-server gitops
        Big bang or strangler fig for the old ERP? => cut-over: big-bang strangler
        Which migration strategy for the mainframe => cut-over:
        Soft delete vs hard delete of customer records => data-retention: soft-delete hard-delete
        Which retention policy for logs of customers? => data-retention:
        Kubernetes or plain VMs => deployment-target: orchestrator vms
        Deploy on Kubernetes or plain VMs with Postgres => deployment-target: orchestrator vms
        Where to host the new service: serverless or a single server => deployment-target: functions single-server
        Circuit breaker or retries with backoff => error-handling: circuit-breaker bounded-retries
        Which retry policy between services? => error-handling:
        LaunchDarkly or our own table for feature flags => feature-flags: hosted own-table
        S3 or local disk for uploads? => file-storage: managed-objects local-disk
        Store uploaded files in the database or in object storage => file-storage: database-files managed-objects
        SPA or server-rendered pages for the shop => frontend-rendering: spa server-pages
        SSR vs static site generation => frontend-rendering: hydrated static
        Terraform or Pulumi => infrastructure-as-code: declarative general-language
        Should we move from CloudFormation to Terraform? => infrastructure-as-code: provider-templates declarative
        Rust or Go for the new gateway? => language-runtime: systems lean-compiled
        Which programming language for the backend => language-runtime:
        Python vs TypeScript => language-runtime: dynamic typescript
        Schema per tenant or database per tenant => multi-tenancy: schema-per-tenant database-per-tenant
        Datadog or self hosted Grafana? => observability: hosted-suite self-hosted
        Which monitoring tool should we introduce => observability:
        Blue-green or canary releases => release-strategy: blue-green canary
        Monorepo or one repository per service => repository-layout: monorepo per-service
        Expand and contract vs a maintenance window for schema changes => schema-changes: expand-contract maintenance-window
        Flyway or declarative migrations => schema-changes: versioned-scripts declared-schema
        Elasticsearch or Postgres full text search => search: search-cluster database-search
        Algolia vs Meilisearch for the catalogue => search: hosted-search light-engine
        Redux or Zustand => state-management: central-store small-stores
        Synchronous calls or events between order and stock? => sync-or-async: calls events
        Unit tests or end-to-end tests first? => test-strategy: pyramid end-to-end
        ",
    );
}

#[test]
fn what_is_put_to_the_choice_wins_over_what_is_only_mentioned() {
    check(
        "
        Redis or Memcached for product pages => caching: shared
        Kafka or RabbitMQ for background jobs => queue-or-stream: stream broker
        Which database for our microservices on Kubernetes => database-kind:
        Should we use Terraform for our Kubernetes cluster? => infrastructure-as-code: declarative
        REST or GraphQL for a TypeScript front end on AWS Lambda => api-style: rest graphql
        Monolith or microservices in Go with Postgres? => monolith-or-services: modular-monolith microservices
        Postgres or MongoDB for a multi-tenant shop => database-kind: relational document
        Feature flags with LaunchDarkly or in our own config files, deployed to Kubernetes => feature-flags: hosted config-flags
        Test strategy for our GraphQL API: contract tests or end-to-end tests? => test-strategy: contracts end-to-end
        Canary releases or blue-green on Kubernetes with Argo => release-strategy: canary blue-green
        Version our REST API by URL or by header => api-versioning: url-version header-version
        Sessions or JWT behind Keycloak => sessions-or-tokens: server-sessions signed-tokens
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
        Monorepo or many repositories, and GitHub flow or trunk based? => repository-layout: monorepo per-service | branching-model: short-branches trunk
        Kubernetes or VMs; Terraform or Ansible? => deployment-target: orchestrator vms | infrastructure-as-code: declarative config-management
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
