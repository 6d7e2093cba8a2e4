//! Turns what a person wrote for a model into a provider and a model.
//! Given `provider:model`, a provider, a bare model, a tier or `inherit`; hands on what is meant, or a failure
//! that shows the form. Deliberately absent: whose model it is.

use s2s_catalog::{KnownModel, Price};
use s2s_yaml::node::nearest;
use serde::Serialize;

use super::define::{Definition, Sources};
use crate::Failure;

/// Words in role files that stand for a class of models.
pub(super) const TIERS: &[&str] = &["opus", "sonnet", "haiku"];
/// The word in role files for "as the others".
pub(super) const INHERIT: &str = "inherit";

/// A model, and what is known of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Chosen {
    /// The provider's name.
    pub provider: String,
    /// The provider's name for the model.
    pub model: String,
    /// Its family: models of one origin count together (V2).
    pub family: String,
    /// What is known of it; its price may be another at this provider.
    pub known: Option<KnownModel>,
    /// What it costs; none = unknown.
    pub price: Option<Price>,
}

impl Chosen {
    /// `provider:model`.
    pub fn name(&self) -> String {
        format!("{}:{}", self.provider, self.model)
    }
}

/// A provider and a model, before anything is looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    pub provider: String,
    pub model: String,
}

impl Sources<'_> {
    /// What a text names, tiers aside.
    pub fn named(&self, text: &str) -> Result<Named, Failure> {
        let names = self.names();
        let model = text.split_once(':').map_or(text, |(_, model)| model);
        if model.trim_start().starts_with('-') {
            let what = format!("`{text}`: no model's name begins with `-`, and a program would take it for a switch");
            return Err(Failure::bad_input(what).next("write provider:model; `s2s models` lists those that are known"));
        }
        if text.trim_start().starts_with(':') {
            let what = format!("`{text}` names no provider before the `:`");
            return Err(Failure::bad_input(what).next("write provider:model; `s2s models` lists both"));
        }
        if let Some((provider, model)) = text.split_once(':') {
            return match (names.contains(&provider), model) {
                (true, "") => self.default_of(provider),
                (true, _) => Ok(Named { provider: provider.to_owned(), model: model.to_owned() }),
                (false, _) => Err(self.no_such_provider(text, provider)),
            };
        }
        if names.contains(&text) {
            return self.default_of(text);
        }
        let found = self.known.named(text);
        // Of several providers with this model, one that can be used.
        let usable = |model: &&&KnownModel| self.define(&model.provider).is_ok_and(|provider| provider.lacks.is_none());
        match found.iter().find(usable).or(found.first()) {
            Some(model) => Ok(Named { provider: model.provider.clone(), model: text.to_owned() }),
            None => Err(self.no_such_model(text)),
        }
    }

    /// The model that a provider takes when none is named.
    pub fn default_of(&self, provider: &str) -> Result<Named, Failure> {
        match self.known.provider(provider).and_then(|known| known.default.clone()) {
            Some(model) => Ok(Named { provider: provider.to_owned(), model }),
            None => Err(Failure::bad_input(format!("`{provider}` does not say which model"))
                .next(format!("write {provider}:MODEL; `s2s models` lists those that are known"))),
        }
    }

    /// What a tier means at a provider.
    pub fn tier(&self, tier: &str, provider: &str) -> Option<Named> {
        let model = self.known.provider(provider)?.tiers.get(tier)?.clone();
        Some(Named { provider: provider.to_owned(), model })
    }

    fn no_such_provider(&self, text: &str, provider: &str) -> Failure {
        let names = self.names();
        let failure = match nearest(provider, names.iter().copied()) {
            Some(near) => format!("`{text}`: there is no provider `{provider}`; did you mean `{near}`?"),
            None => format!("`{text}`: there is no provider `{provider}`"),
        };
        Failure::bad_input(failure)
            .next(format!("write provider:model with one of {}, or define it under `providers:`", names.join(", ")))
    }

    fn no_such_model(&self, text: &str) -> Failure {
        let models = self.known.models.iter().map(|model| model.name.as_str());
        let known = models.chain(self.names()).chain(TIERS.iter().copied());
        let near = self.known.alike(text).map(|model| model.name.as_str()).or_else(|| nearest(text, known));
        let what = match near {
            Some(near) => format!("`{text}` does not say whose model it is; did you mean `{near}`?"),
            None => format!("`{text}` does not say whose model it is"),
        };
        Failure::bad_input(what).next("write provider:model, for example anthropic:claude-opus-5-5 or ollama:llama3.3")
    }

    /// What is known of a named model.
    pub fn chosen(&self, named: Named, provider: &Definition) -> Chosen {
        let own = self.known.model(&named.provider, &named.model).cloned();
        // The same model elsewhere can do the same; it may cost something else.
        let known = own.or_else(|| Some(KnownModel { price: None, ..self.known.alike(&named.model)?.clone() }));
        let set = self.settings.config.prices.get(&format!("{}:{}", named.provider, named.model)).copied();
        let told = provider.family.clone().or_else(|| self.known.family_of(&named.model).map(str::to_owned));
        let told = told.or_else(|| known.as_ref()?.family.clone());
        let family = told.or_else(|| self.known.provider(&named.provider)?.family.clone());
        Chosen {
            family: family.unwrap_or_else(|| named.provider.clone()),
            price: set.or_else(|| known.as_ref()?.price),
            provider: named.provider,
            model: named.model,
            known,
        }
    }
}
