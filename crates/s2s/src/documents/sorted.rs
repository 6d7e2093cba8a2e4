//! Which heading a point belongs under: quality characteristics of ISO/IEC 25010:2023, sections of arc42.
//! Tables of words as data; the heading with most hits wins, the first of equals. A point that fits nowhere
//! keeps its general place. Sorting only: a wrong guess moves a statement, it never changes one.

use super::words::{hits, words};

/// A heading and the words that point to it.
pub(crate) struct Heading {
    pub(crate) name: &'static str,
    /// With commas between them.
    words: &'static str,
}

/// The quality characteristics of ISO/IEC 25010:2023 besides functional suitability.
pub(crate) const QUALITY: &[Heading] = &[
    Heading {
        name: "Performance efficiency",
        words: "latency, response time, throughput, p50, p95, p99, milliseconds, ms, requests per second, rps, \
              memory, cpu, capacity, concurrent, load, performance, payload, cold start",
    },
    Heading {
        name: "Compatibility",
        words: "interoperable, interoperability, compatible, compatibility, backward, backwards, coexist, \
              versioning, deprecate, deprecation, standard format, openapi, breaking change, integrates",
    },
    Heading {
        name: "Interaction capability",
        words: "usability, usable, accessible, accessibility, wcag, screen reader, onboarding, \
              user error, error message, localised, localized, keyboard, inclusive, self-explanatory",
    },
    Heading {
        name: "Reliability",
        words: "availability, uptime, downtime, failover, recover, recovery, rto, rpo, backup, \
              retry, retries, idempotent, fault, outage, degrade, redundant, data loss, durable, slo",
    },
    Heading {
        name: "Security",
        words: "security, secure, authentication, authorisation, authorization, encrypt, encrypted, encryption, \
              secret, token, password, passkey, mfa, oauth, audit log, privacy, personal data, gdpr, \
              confidential, attack, abuse, rate limit, access control, least privilege, tls",
    },
    Heading {
        name: "Maintainability",
        words: "maintainable, maintainability, modular, modularity, testable, test coverage, refactor, \
              readable, reuse, coupling, documented, documentation, code review, lint, observability, \
              tracing, analysable, schema check",
    },
    Heading {
        name: "Flexibility",
        words: "scale, scales, scalable, scalability, portable, portability, install, installable, adapt, \
              adaptable, configurable, replaceable, vendor lock-in, migrate, migration, elastic, \
              multi-tenant",
    },
    Heading {
        name: "Safety",
        words: "safety, fail-safe, fail safe, hazard, harm, injury, interlock, emergency stop, safe state",
    },
];

/// The sections of arc42 that points are sorted into; what fits none is solution strategy.
pub(super) const SECTIONS: &[Heading] = &[
    Heading {
        name: "Context and Scope",
        words: "external, third-party, third party, partner, partners, outside system, upstream, downstream, \
              consumer, client, integration, integrate, public api, webhook, legacy system",
    },
    Heading {
        name: "Building Block View",
        words: "component, module, service, boundary, boundaries, layer, library, interface, owns, gateway, \
              adapter, domain model, database, package, crate",
    },
    Heading {
        name: "Runtime View",
        words: "flow, sequence, at runtime, request path, then calls, event-driven, asynchronous, synchronous, \
              workflow, saga, poll, polling, callback, startup, shutdown",
    },
    Heading {
        name: "Deployment View",
        words: "deploy, deployed, deployment, container, kubernetes, cluster, region, host, node, cdn, \
              serverless, edge, on-premise, on-premises, data centre, data center, rollout",
    },
    Heading {
        name: "Cross-cutting Concepts",
        words: "logging, tracing, monitoring, observability, error handling, caching, cache, transaction, \
              naming, convention, versioning, authentication, authorisation, authorization, configuration, \
              feature flag, validation, pagination, i18n, idempotency, schema registry, every endpoint",
    },
];

/// Words that show that a statement can be checked.
const CHECKING: &str = "measure, measured, metric, test, tested, testing, verify, verified, monitor, monitored, monitoring, \
      alert, audit, benchmark, p95, p99, slo, threshold, dashboard, acceptance, review, checked, lint, \
      budget, fail the build, ci, load-test, rehearse, restore a backup";

/// Words that show that a statement says when to think again.
const REVIEWING: &str = "look at this decision again, look at this again, revisit, reconsider, re-evaluate, reevaluate, \
      decide again, think again";

/// Words that show that a statement asks for something to be found out first.
const ASKING: &str = "find out, answer first, to be clarified, open question, to be decided, tbd";

/// Whether a text asks rather than decides.
pub(super) fn asks(text: &str) -> bool {
    text.trim_end().ends_with(['?', '？']) || hits(&words(text), ASKING) > 0
}

/// Whether a text speaks of a check.
pub(super) fn speaks_of_check(text: &str) -> bool {
    hits(&words(text), CHECKING) > 0
}

/// Whether a text says when to think again.
pub(super) fn speaks_of_review(text: &str) -> bool {
    hits(&words(text), REVIEWING) > 0
}

/// The heading that fits a text best, with how many words point to it.
pub(crate) fn best(headings: &'static [Heading], text: &str) -> Option<(&'static Heading, usize)> {
    let text = words(text);
    let mut best: Option<(&Heading, usize)> = None;
    for heading in headings {
        let found = hits(&text, heading.words);
        if found > best.map_or(0, |(_, most)| most) {
            best = Some((heading, found));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(headings: &'static [Heading], text: &str) -> &'static str {
        best(headings, text).map_or("", |(heading, _)| heading.name)
    }

    #[test]
    fn a_point_goes_where_most_of_its_words_point() {
        for (text, quality) in [
            ("95 % of searches answer with a p95 latency under 200 ms", "Performance efficiency"),
            ("Clients keep working: breaking changes are versioned and deprecated for a year", "Compatibility"),
            ("All forms can be used with a keyboard and a screen reader (WCAG 2.2 AA)", "Interaction capability"),
            ("99.9 % availability per month, recovery within 15 minutes", "Reliability"),
            ("Personal data is encrypted at rest and access is written to an audit log", "Security"),
            ("Every module is testable alone and documented", "Maintainability"),
            ("The system scales to ten times today's orders without a migration", "Flexibility"),
            ("The press stops in a safe state when the interlock opens", "Safety"),
            ("A customer can cancel an order until it ships", ""),
        ] {
            assert_eq!(name(QUALITY, text), quality, "{text}");
        }
        assert!(asks("Who pays?") && asks("Find out before building: the load") && !asks("Ask nobody"));
        for (text, section) in [
            ("Partners integrate through the public API only", "Context and Scope"),
            ("The billing component owns its schema", "Building Block View"),
            ("An order event starts the saga", "Runtime View"),
            ("Two regions, one cluster each", "Deployment View"),
            ("Pagination and error handling are the same on every endpoint", "Cross-cutting Concepts"),
            ("Start as small as possible", ""),
        ] {
            assert_eq!(name(SECTIONS, text), section, "{text}");
        }
    }
}
