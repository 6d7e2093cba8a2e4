//! Makes a panel of a lineup: keys read, providers reached through one client, limits kept, prices known.
//! Given who uses what, the variables and how to ask; hands on a [`ModelPanel`] and what to know about it, or
//! what stands in the way. Deliberately absent: who uses what (`lineup`), and whether a project's provider is
//! trusted (`secrets::trust`), which comes before this.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use s2s_catalog::{Ability, Api};
use s2s_engine::opening::FACILITATOR;
use s2s_models::money::Price;
use s2s_models::turn::{Abilities, Capacity, Choice, Outlet};
use s2s_models::{Command, CommandProvider, Endpoint, Fault, HttpClient, HttpProvider, Key, Patience, Provider};

use super::{Manner, ModelPanel, Seated};
use crate::config::Models;
use crate::failure::Failure;
use crate::lineup::{Chosen, Definition, Lineup};

/// What a panel is made with.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// The environment: keys, and what agent programs may see.
    pub variables: &'a BTreeMap<String, String>,
    /// The project, in which no key may lie.
    pub project: Option<&'a Path>,
    /// How models are asked.
    pub models: &'a Models,
}

/// A panel, and sentences for people about it.
pub struct Assembled {
    /// The panel.
    pub panel: ModelPanel,
    /// What to know about how its providers are used.
    pub notes: Vec<String>,
}

/// A provider that can be asked, with what to know about it.
pub struct Reached {
    /// The provider.
    pub provider: Arc<dyn Provider>,
    /// The same, where it is reached over HTTP: it can list its models.
    pub over_http: Option<HttpProvider>,
    /// Whether the program is there, where it is one.
    pub found: Result<(), Failure>,
    /// What to know about it.
    pub notes: Vec<String>,
}

/// Makes the panel of a lineup.
///
/// # Errors
/// A key that cannot be read, an address or a program that cannot be used.
pub async fn assemble(lineup: &Lineup, means: Means<'_>) -> Result<Assembled, Failure> {
    let client = HttpClient::new().map_err(failure)?;
    let (mut outlets, mut notes) = (BTreeMap::new(), Vec::new());
    for (name, definition) in &lineup.providers {
        let reached = reach(definition, &client, means).await?;
        reached.found?;
        notes.extend(reached.notes);
        let capacity = Capacity {
            max_concurrent: definition.max_concurrent.map_or(Capacity::default().max_concurrent, |n| n as usize),
            per_minute: definition.requests_per_minute,
        };
        outlets.insert(name.as_str(), Arc::new(Outlet::new(name, reached.provider, capacity.within_open_files())));
    }
    let mut seats = BTreeMap::new();
    let facilitator = (FACILITATOR, lineup.facilitator.as_slice());
    let others = lineup.seats.iter().map(|(seat, chain)| (seat.as_str(), chain.as_slice()));
    for (seat, chain) in others.chain([facilitator]) {
        let choices = chain.iter().filter_map(|chosen| {
            let outlet = outlets.get(chosen.provider.as_str())?;
            Some(choice(chosen, &lineup.providers[&chosen.provider], outlet))
        });
        let family = chain.first().map(|chosen| chosen.family.clone()).unwrap_or_default();
        seats.insert(seat.to_owned(), Seated { choices: choices.collect(), family });
    }
    Ok(Assembled { panel: ModelPanel::new(seats, manner(means.models)), notes })
}

/// Makes one provider ready to be asked; its key is read, and nothing is sent.
///
/// # Errors
/// As [`assemble`].
pub async fn reach(definition: &Definition, client: &HttpClient, means: Means<'_>) -> Result<Reached, Failure> {
    let Some(api) = s2s_models::Api::from_name(definition.api.as_str()) else {
        let command = Command { argv: definition.command.clone(), pass: definition.env.clone(), ..Command::default() };
        let provider = CommandProvider::new(&definition.name, command, means.variables).map_err(failure)?;
        let notes = provider.notes().to_vec();
        let found = provider.found().map(drop).map_err(failure);
        return Ok(Reached { provider: Arc::new(provider), over_http: None, found, notes });
    };
    let key = match &definition.key {
        None => None,
        Some(source) => {
            let secret = source.read(means.variables, means.project, definition.folder.as_deref()).await;
            let named = |failure: Failure| {
                let what = format!("no key for {}: {}", definition.name, failure.what);
                Failure { what, ..failure }
            };
            Some(Key::new(secret.map_err(named)?.expose()))
        }
    };
    let headers = definition.headers.iter().map(|(name, value)| (name.clone(), Key::new(value))).collect();
    let endpoint = Endpoint {
        base_url: definition.base_url.clone().unwrap_or_else(|| Endpoint::new(api).base_url),
        key,
        key_from: definition.key.as_ref().map(ToString::to_string).unwrap_or_default(),
        key_header: definition.key_header.clone(),
        headers,
        ..Endpoint::new(api)
    };
    let provider = HttpProvider::new(definition.name.as_str(), endpoint, client.clone()).map_err(failure)?;
    Ok(Reached { provider: Arc::new(provider.clone()), over_http: Some(provider), found: Ok(()), notes: Vec::new() })
}

/// How models are asked, as the settings say.
pub fn manner(models: &Models) -> Manner {
    Manner {
        max_output_tokens: models.max_output_tokens,
        temperature: models.temperature,
        effort: models.effort,
        patience: Patience {
            deadline: Duration::from_secs(models.call_timeout_seconds.into()),
            idle: Duration::from_secs(models.idle_timeout_seconds.into()),
        },
    }
}

fn choice(chosen: &Chosen, definition: &Definition, outlet: &Arc<Outlet>) -> Choice {
    let known = chosen.known.as_ref();
    // What a person sets for a model that is not known is sent: they know it better.
    let can = |ability| known.is_none_or(|known| known.can(ability));
    let shape = definition.json_schema.unwrap_or_else(|| known.is_some_and(|known| known.can(Ability::JsonSchema)));
    Choice {
        outlet: Arc::clone(outlet),
        model: chosen.model.clone(),
        family: chosen.family.clone(),
        price: price_of(chosen, definition),
        abilities: Abilities { shape, temperature: can(Ability::Temperature), effort: can(Ability::Effort) },
        max_output_tokens: known.and_then(|known| known.max_output_tokens),
    }
}

/// What a model costs. One on this machine costs nothing, unless it is known from a provider that asks for money: then
/// this machine only passes it on, at a price that nobody told us.
pub fn price_of(chosen: &Chosen, definition: &Definition) -> Option<Price> {
    let local = || {
        (definition.api == Api::Ollama || (definition.is_on_this_machine() && chosen.known.is_none()))
            .then(Price::default)
    };
    let stated = chosen.price.map(|price| Price {
        input: price.input,
        cached_input: price.cached_input.unwrap_or(price.input),
        cache_write: price.cache_write.unwrap_or(price.input),
        output: price.output,
    });
    stated.or_else(local)
}

fn failure(fault: Fault) -> Failure {
    let failure = Failure::bad_input(fault.what);
    match fault.next {
        Some(next) => failure.next(next),
        None => failure,
    }
}
