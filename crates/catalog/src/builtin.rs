//! The built-in files, embedded in the binary. Written by hand, so that building needs no script;
//! a test fails if a file under `data/` is not in this table.
//! Hands on: names and texts. Deliberately absent: parsing.

use crate::Kind;

/// A file in the binary.
pub(crate) struct BuiltIn {
    pub(crate) kind: Kind,
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
}

macro_rules! files {
    ($($kind:ident in $folder:literal, $ending:literal: $($name:literal)*;)+) => {
        &[$($(BuiltIn {
            kind: Kind::$kind,
            name: $name,
            text: include_str!(concat!("../data/", $folder, "/", $name, $ending)),
        },)*)+]
    };
}

/// Every built-in file, by kind and then in the order of lists.
pub(crate) const FILES: &[BuiltIn] = files! {
    Strategy in "strategies", ".yaml": "standard" "disney" "debate" "consensus-driven" "six-hats" "direct";
    Agenda in "agendas", ".yaml": "specs" "design";
    Role in "roles", ".md":
        "software-architect" "technical-lead" "qa-lead" "devops-engineer" "product-manager"
        "business-analyst" "security-champion" "ux-researcher" "documentation-specialist"
        "facilitator" "human";
    Prompt in "prompts", ".md.j2":
        "facilitator" "seat" "sides" "question" "response" "synthesis" "followup" "plan" "aside";
    Template in "templates", ".md.j2":
        "adr" "requirements" "architecture" "summary" "role"
        "requirements-srs" "requirements-volere" "requirements-simple" "architecture-arc42" "decision" "brainstorm" "plan";
    Playbook in "playbooks", ".yaml":
        "access-control" "api-style" "api-versioning" "background-jobs" "branching-model" "build-or-buy"
        "caching" "ci-cd-shape" "cut-over" "data-retention" "database-kind" "deployment-target" "error-handling"
        "feature-flags" "file-storage" "frontend-rendering" "infrastructure-as-code" "language-runtime"
        "monolith-or-services" "multi-tenancy" "observability" "queue-or-stream" "release-strategy"
        "repository-layout" "schema-changes" "search" "sessions-or-tokens" "sign-in" "state-management"
        "sync-or-async" "test-strategy";
    Constraints in "constraints", ".yaml": "general";
    Words in "words", ".yaml": "en";
    Models in "models", ".yaml": "models";
};

/// The built-in file of this kind and name.
pub(crate) fn find(kind: Kind, name: &str) -> Option<&'static BuiltIn> {
    FILES.iter().find(|file| file.kind == kind && file.name == name)
}

/// The names of all built-in files of a kind.
pub(crate) fn names(kind: Kind) -> impl Iterator<Item = &'static str> {
    FILES.iter().filter(move |file| file.kind == kind).map(|file| file.name)
}

/// How problems in a built-in file name it.
pub(crate) fn label(kind: Kind, name: &str) -> String {
    format!("built-in {}/{name}{}", kind.folder(), kind.ending())
}
