//! Reads the question: which playbook covers a topic, and which of its options the topic names.
//! Given playbooks and a topic; hands on a [`Subject`], or none if no playbook covers it. An option that
//! no playbook knows is carried as unknown and never scored. Deliberately absent: any weighing.

use std::ops::Range;

use s2s_catalog::playbook::Playbook;

use super::words::{Token, find, quote, tokens};

/// What a topic is about.
#[derive(Debug, Clone)]
pub(super) struct Subject<'p> {
    /// What is known about it.
    pub playbook: &'p Playbook,
    /// Options the topic names, in its order.
    pub named: Vec<usize>,
    /// Options that compete: those named, or all if fewer than two are.
    pub focus: Vec<usize>,
    /// Options named that the playbook does not know.
    pub unknown: Vec<String>,
    /// Options that the topic calls by a name of their own, such as a product.
    pub called: Vec<(usize, String)>,
    /// Names of the topic that stand for the same option, so that nothing here can part them.
    pub alike: Vec<String>,
}

/// Words that say that something is to be chosen.
const CHOICE: [&str; 36] = [
    "adopt",
    "best",
    "between",
    "choice",
    "choose",
    "choosing",
    "compare",
    "decide",
    "drop",
    "evaluate",
    "instead",
    "introduce",
    "kind",
    "migrate",
    "migration",
    "move",
    "need",
    "or",
    "own",
    "pick",
    "prefer",
    "replace",
    "right",
    "select",
    "start",
    "stay",
    "switch",
    "type",
    "use",
    "using",
    "versus",
    "vs",
    "what",
    "which",
    "with",
    "without",
];

/// The subject of a topic.
pub(super) fn recognise<'p>(playbooks: &'p [Playbook], topic: &str) -> Option<Subject<'p>> {
    let tokens = tokens(topic);
    let chooses = tokens.iter().any(|token| CHOICE.contains(&token.word.as_str()));
    let mut best: Option<(usize, Subject<'p>)> = None;
    for playbook in playbooks {
        let Some((weight, subject)) = covers(playbook, &tokens, chooses) else { continue };
        if best.as_ref().is_none_or(|(most, _)| weight > *most) {
            best = Some((weight, subject));
        }
    }
    best.map(|(_, subject)| subject)
}

/// The option that a text names first.
pub(super) fn first_option(playbook: &Playbook, text: &str) -> Option<usize> {
    matches(playbook, &tokens(text)).first().map(|found| found.option)
}

/// How strongly a playbook covers the topic, if it does.
fn covers<'p>(playbook: &'p Playbook, tokens: &[Token], chooses: bool) -> Option<(usize, Subject<'p>)> {
    if playbook.unless.iter().any(|other| !find(other, tokens).is_empty()) {
        return None;
    }
    let names = phrases(&playbook.names).filter(|(_, name)| !find(name, tokens).is_empty());
    let (mut firm_names, mut weak_names) = (0, 0);
    names.for_each(|(weak, _)| if weak { weak_names += 1 } else { firm_names += 1 });
    let found = matches(playbook, tokens);
    let mut named: Vec<usize> = Vec::new();
    for one in &found {
        if !named.contains(&one.option) {
            named.push(one.option);
        }
    }
    let firm_options = found.iter().filter(|one| !one.weak).count();
    let anything_else = firm_names + weak_names > 0 || named.len() > 1;
    let covered = firm_names > 0
        || (named.len() > 1 && (firm_options > 0 || chooses))
        || (chooses && (firm_options > 0 || weak_names > 0))
        || (!named.is_empty() && weak_names > 0 && anything_else);
    if !covered {
        return None;
    }
    let spoken_for: Vec<Range<usize>> = phrases(&playbook.names).flat_map(|(_, name)| find(name, tokens)).collect();
    let unknown = unknown(tokens, &found, &spoken_for);
    let focus = match named.len() {
        0 | 1 => (0..playbook.options.len()).collect(),
        _ => named.clone(),
    };
    let weight = 6 * named.len() + 3 * firm_options + 3 * firm_names + weak_names;
    let (called, alike) = called(playbook, tokens, &found, &named);
    Some((weight, Subject { playbook, named, focus, unknown, called, alike }))
}

/// What the topic calls the options, where it has names of its own for them; and names that mean the same one.
fn called(
    playbook: &Playbook,
    tokens: &[Token],
    found: &[Found],
    named: &[usize],
) -> (Vec<(usize, String)>, Vec<String>) {
    let (mut called, mut alike) = (Vec::new(), Vec::new());
    for &option in named {
        let mut names: Vec<String> = Vec::new();
        for one in found.iter().filter(|one| one.option == option && is_name(playbook, tokens, one)) {
            let name = quote(tokens, one.place.clone());
            if !names.contains(&name) {
                names.push(name);
            }
        }
        match names.as_slice() {
            [name] => called.push((option, name.clone())),
            [_, _, ..] if alike.is_empty() => alike = names,
            _ => {}
        }
    }
    (called, alike)
}

/// Whether the words found are a name like `Kafka`, and not the option's own words.
fn is_name(playbook: &Playbook, among: &[Token], found: &Found) -> bool {
    let mut own = tokens(&playbook.options[found.option].name);
    own.retain(|token| token.word.len() > 2);
    let known = |token: &Token| own.iter().any(|word| token.word.starts_with(word.word.trim_end_matches('s')));
    let words = &among[found.place.clone()];
    words.iter().all(|token| token.raw.starts_with(char::is_uppercase)) && !words.iter().any(known)
}

#[derive(Debug)]
struct Found {
    option: usize,
    weak: bool,
    place: Range<usize>,
}

/// Every place where an option is named, the longest reading of each, in the order of the text.
fn matches(playbook: &Playbook, tokens: &[Token]) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for (option, known) in playbook.options.iter().enumerate() {
        let name = std::iter::once((false, known.name.as_str()));
        for (weak, alias) in name.chain(phrases(&known.aliases)) {
            let places = find(alias, tokens).into_iter().filter(|place| names_a_thing(tokens, place));
            found.extend(places.map(|place| Found { option, weak, place }));
        }
    }
    // A longer reading wins over a shorter one inside it, a firm one over a weak one of the same words.
    found.sort_by_key(|one| (one.place.start, std::cmp::Reverse(one.place.end), one.weak));
    let mut kept: Vec<Found> = Vec::new();
    for one in found {
        if kept.iter().all(|other| one.place.start >= other.place.end) {
            kept.push(one);
        }
    }
    kept
}

/// "the rest of the system" names no option, and neither does "a stream of complaints".
fn names_a_thing(tokens: &[Token], place: &Range<usize>) -> bool {
    let after = tokens.get(place.end).is_some_and(|token| token.word == "of");
    let before = place.start > 0 && tokens[place.start - 1].word == "the";
    let plain_rest = before && place.len() == 1 && tokens[place.start].raw == "rest";
    !after && !plain_rest
}

fn phrases(list: &[String]) -> impl Iterator<Item = (bool, &str)> {
    list.iter().map(|phrase| match phrase.strip_prefix('~') {
        Some(common) => (true, common),
        None => (false, phrase.as_str()),
    })
}

/// Words that stand beside "or" and "vs" without being an option.
const NO_OPTION: [&str; 40] = [
    "a",
    "an",
    "and",
    "another",
    "any",
    "anything",
    "api",
    "apis",
    "approach",
    "architecture",
    "both",
    "buy",
    "build",
    "database",
    "databases",
    "db",
    "do",
    "else",
    "for",
    "in",
    "is",
    "just",
    "keep",
    "not",
    "nothing",
    "one",
    "only",
    "other",
    "our",
    "plain",
    "rather",
    "should",
    "something",
    "stay",
    "store",
    "the",
    "to",
    "use",
    "we",
    "with",
];

/// What stands across a "vs" or "or" from a known option and is not one itself.
fn unknown(tokens: &[Token], found: &[Found], names: &[Range<usize>]) -> Vec<String> {
    let inside = |at: usize| found.iter().any(|one| one.place.contains(&at));
    let mut unknown = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if !matches!(token.word.as_str(), "vs" | "versus" | "or") {
            continue;
        }
        // Up to three words on each side, so that "or keep the outbox" still finds the outbox.
        let left: Vec<usize> = (at.saturating_sub(3)..at).rev().collect();
        let right: Vec<usize> = (at + 1..tokens.len().min(at + 4)).collect();
        let known = |side: &[usize]| side.iter().any(|&near| inside(near));
        let strange = match (known(&left), known(&right)) {
            (true, false) => right.first(),
            (false, true) => left.first(),
            _ => None,
        };
        let strange = strange.filter(|near| !names.iter().any(|name| name.contains(near)));
        let strange = strange.map(|&near| &tokens[near]).filter(|near| !NO_OPTION.contains(&near.word.as_str()));
        if let Some(strange) = strange.filter(|strange| !unknown.contains(&strange.raw)) {
            unknown.push(strange.raw.clone());
        }
    }
    unknown
}

#[cfg(test)]
mod tests {
    use super::super::test_table::playbooks;
    use super::*;

    fn check(topic: &str, expected: &str) {
        let playbooks = playbooks();
        let found = recognise(&playbooks, topic).map_or_else(
            || "none".to_owned(),
            |subject| {
                let ids: Vec<&str> = subject.named.iter().map(|&at| subject.playbook.options[at].id.as_str()).collect();
                let unknown: Vec<String> = subject.unknown.iter().map(|word| format!(" ?{word}")).collect();
                format!("{}: {}{}", subject.playbook.name, ids.join(" "), unknown.concat()).trim_end().to_owned()
            },
        );
        assert_eq!(found, expected, "{topic}");
    }

    #[test]
    fn a_topic_about_something_else_is_not_answered_with_the_same_words() {
        for topic in [
            "Should we use Redis as cache",
            "Which REST client library for our Android app",
            "Deploy on Kubernetes or plain VMs with Postgres",
            "Which ORM for Postgres",
            "How do we hash passwords",
            "Monorepo or one repository per service",
            "Which log format should we use",
        ] {
            check(topic, "none");
        }
    }

    #[test]
    fn subject_and_options_are_found_in_any_order_and_case() {
        check("REST vs GraphQL for our public API", "api-style: rest graphql");
        check("graphql versus rest?", "api-style: graphql rest");
        check("Should we move from REST to gRPC between services", "api-style: rest grpc");
        check("Which API style for the partner portal", "api-style:");
        check("Should we use GraphQL?", "api-style: graphql");
        check("Protobuf or JSON-RPC", "api-style: grpc http-rpc");
        check("Choose a database for orders", "database-kind:");
        check("Postgres or MongoDB for the product catalogue", "database-kind: relational document");
        check("SQL vs NoSQL", "database-kind: relational");
        check("Compare Keycloak with own login", "sign-in: self-hosted-provider own-passwords");
        check("relational, document or graph database", "database-kind: relational document graph");
        check("DynamoDB vs PostgreSQL", "database-kind: key-value relational");
        check("Monolith or microservices for a new product", "monolith-or-services: modular-monolith microservices");
        check("microservices vs monolith", "monolith-or-services: microservices modular-monolith");
        check("Should we break up the monolith?", "monolith-or-services: modular-monolith");
        check("Serverless functions or a modular monolith", "monolith-or-services: functions modular-monolith");
        check("Kafka or RabbitMQ for order events", "queue-or-stream: stream broker");
        check("Do we need Kafka or is a transactional outbox enough", "queue-or-stream: stream outbox");
        check("Queue or stream between the services", "queue-or-stream: job-queue stream");
        check("Which message queue should we use", "queue-or-stream: job-queue");
        check("Keycloak vs Auth0", "sign-in: self-hosted-provider managed-provider");
        check("Passkeys or passwords for sign-in", "sign-in: passkeys own-passwords");
        check("How should people log in: OIDC or our own auth?", "sign-in: managed-provider own-passwords");
        check("How should customers sign in", "sign-in:");
        check("JWT or server sessions", "sessions-or-tokens: signed-tokens server-sessions");
        check("Sessions vs tokens for the web app", "sessions-or-tokens: server-sessions signed-tokens");
        check("Should we use refresh tokens?", "sessions-or-tokens: refresh-tokens");
    }

    #[test]
    fn an_option_that_no_playbook_knows_is_carried_as_unknown() {
        check("REST vs SOAP", "api-style: rest ?SOAP");
        check("SOAP or GraphQL", "api-style: graphql ?SOAP");
        check("Kafka or keep the outbox", "queue-or-stream: stream outbox");
        check("GraphQL or not", "api-style: graphql");
    }

    #[test]
    fn what_no_playbook_covers_is_left_alone() {
        for topic in [
            "",
            "How should we name our branches",
            "Which colour for the logo",
            "Plan the rest of the quarter",
            "Improve the login page copy",
            "Pagination of the REST endpoints",
            "Wie nennen wir das Projekt?",
            "\u{202e}\u{0}🎉",
        ] {
            check(topic, "none");
        }
    }
}
