//! Every provider there is, and whether it can be used: for `s2s models` and `s2s doctor`.
//! Given the same as a lineup, without a table; hands on rows. Deliberately absent: asking any of them.

use std::collections::BTreeMap;

use s2s_catalog::{Api, KnownModels};

use super::define::{Definition, Sources};
use crate::Failure;
use crate::config::Resolved;

/// One provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderRow {
    /// Its name.
    pub name: String,
    /// How it is spoken to; none where that is not said.
    pub api: Option<Api>,
    /// Its address, or the command that is run.
    pub target: String,
    /// Whether it can be used, or why not. A program is not looked for and a key is not read.
    pub usable: Result<(), String>,
    /// The model that is taken when none is named.
    pub default_model: Option<String>,
    /// Where its definition comes from.
    pub from: String,
}

/// How one provider is reached, whoever uses it.
///
/// # Errors
/// When there is no such provider, or its definition says too little or contradicts itself.
pub fn define(
    name: &str,
    settings: &Resolved,
    known: &KnownModels,
    variables: &BTreeMap<String, String>,
) -> Result<Definition, Failure> {
    Sources { settings, known, variables }.define(name)
}

/// Every provider: the built-in ones in the order in which a default is sought, then those of the settings.
pub fn survey(settings: &Resolved, known: &KnownModels, variables: &BTreeMap<String, String>) -> Vec<ProviderRow> {
    let sources = Sources { settings, known, variables };
    let row = |name: &str| {
        let default_model = known.provider(name).and_then(|provider| provider.default.clone());
        match sources.define(name) {
            Ok(provider) => ProviderRow {
                name: name.to_owned(),
                api: Some(provider.api),
                target: provider.target(),
                usable: provider.lacks.map_or(Ok(()), |lack| Err(lack.what)),
                default_model,
                from: provider.from,
            },
            Err(failure) => ProviderRow {
                name: name.to_owned(),
                api: None,
                target: String::new(),
                usable: Err(failure.what),
                default_model,
                from: String::new(),
            },
        }
    };
    sources.names().into_iter().map(row).collect()
}
