//! Who uses what: the model of the facilitator and of every seat, with what is asked instead if one fails.
//! Given the settings, the known models, the roles and the variables; hands on a [`Lineup`], or the first thing
//! that keeps it from standing. Pure: it reads no key, no file, no environment. Deliberately absent: calls,
//! and what they cost.
//!
//! A seat's model, the first that is there: `models.seats` (or `--seat`); `--model` or `S2S_MODEL`; the model in
//! a project's own role file; `models.default`; the model in a built-in role; the default of the first provider
//! whose key is there. The facilitator's likewise, with `models.facilitator` first.

mod choose;
mod define;
mod survey;

use std::collections::{BTreeMap, BTreeSet};

use s2s_catalog::{FOREIGN_PREFIX, KnownModels};
use s2s_engine::counted;
use s2s_engine::opening::FACILITATOR;
use s2s_yaml::node::nearest;

pub use choose::Chosen;
pub use define::{Definition, Lack};
pub use survey::{ProviderRow, define, survey};

use self::choose::{INHERIT, Named, TIERS};
use self::define::Sources;
use crate::Failure;
use crate::clean::clean_line;
use crate::config::{Layer, Resolved};

pub(crate) use self::define::binding_content;

/// How the place of a wish begins that a role's file has.
const BY_ROLE: &str = "the role ";

/// The model that a role's file asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleModel {
    /// As it stands there.
    pub model: String,
    /// Whether the file is the project's own.
    pub from_project: bool,
}

/// The models of one roundtable.
#[derive(Debug, Clone, PartialEq)]
pub struct Lineup {
    /// The facilitator's model, and those asked instead; at least one.
    pub facilitator: Vec<Chosen>,
    /// The same for each seat, in the order of the table.
    pub seats: Vec<(String, Vec<Chosen>)>,
    /// How the providers in use are reached.
    pub providers: BTreeMap<String, Definition>,
    /// Sentences for people: what was chosen and why, what is not used.
    pub notes: Vec<String>,
}

impl Lineup {
    /// Chooses the models; none where nothing is configured and no key is there. `roles` says what a role's file
    /// asks for; `variables` is the environment, of which only names of keys, addresses and HOME are
    /// looked at.
    ///
    /// # Errors
    /// A model's name that means nothing, a provider that is not defined, a key that is not there: for the
    /// providers that are needed, and only for them.
    pub fn resolve(
        settings: &Resolved,
        known: &KnownModels,
        roles: &dyn Fn(&str) -> Option<RoleModel>,
        seats: &[String],
        variables: &BTreeMap<String, String>,
    ) -> Result<Option<Self>, Failure> {
        let sources = Sources { settings, known, variables };
        let mut table = Table { sources, default: None, providers: BTreeMap::new(), notes: Vec::new() };
        table.check_flags(seats)?;
        let asked: Vec<RoleModel> = seats.iter().filter_map(|seat| roles(seat)).collect();
        let models = &settings.config.models;
        let configured = models.default.is_some()
            || models.facilitator.is_some()
            || seats.iter().any(|seat| models.seats.contains_key(seat))
            || asked.iter().any(|role| role.from_project && role.model.contains(':'));
        table.find_default()?;
        if table.default.is_none() && !configured {
            return Ok(None);
        }
        let facilitator = table.chain(FACILITATOR, roles(FACILITATOR))?;
        let mut chains = Vec::new();
        for seat in seats {
            chains.push((seat.clone(), table.chain(seat, roles(seat))?));
        }
        let Table { providers, notes, .. } = table;
        Ok(Some(Self { facilitator, seats: chains, providers, notes }))
    }

    /// The models of a seat or of the facilitator: the one that is asked, then those asked instead.
    pub fn chain(&self, who: &str) -> Option<&[Chosen]> {
        if who == FACILITATOR {
            return Some(&self.facilitator);
        }
        self.seats.iter().find(|(seat, _)| seat == who).map(|(_, chain)| chain.as_slice())
    }

    /// The families of the seats' models, each once.
    pub fn families(&self) -> Vec<&str> {
        let first = self.seats.iter().filter_map(|(_, chain)| chain.first());
        let families: BTreeSet<&str> = first.map(|chosen| chosen.family.as_str()).collect();
        families.into_iter().collect()
    }

    /// How many seats and families there are, for people: `5 seats, 1 model family: claude`.
    pub fn note(&self) -> String {
        let families = self.families();
        let (seats, count) = (counted(self.seats.len(), "seat"), counted(families.len(), "model family"));
        format!("{seats}, {count}: {}", families.join(", "))
    }
}

/// What is known while the models are chosen.
struct Table<'a> {
    sources: Sources<'a>,
    default: Option<Named>,
    providers: BTreeMap<String, Definition>,
    notes: Vec<String>,
}

impl Table<'_> {
    /// A seat that was typed must be at this table; in a file it may be meant for another one.
    fn check_flags(&self, seats: &[String]) -> Result<(), Failure> {
        for seat in self.sources.settings.config.models.seats.keys() {
            let origin = self.sources.settings.origin(&format!("models.seats.{seat}"));
            let typed = origin.filter(|origin| origin.layer == Layer::Flag);
            let Some(origin) = typed.filter(|_| !seats.contains(seat)) else { continue };
            let hint = nearest(seat, seats.iter().map(String::as_str));
            let hint = hint.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            return Err(Failure::bad_input(format!("{}: `{seat}` has no seat at this table{hint}", origin.place()))
                .next(format!("name one of {}", seats.join(", "))));
        }
        Ok(())
    }

    fn find_default(&mut self) -> Result<(), Failure> {
        let automatic = self.automatic();
        let set = self.sources.settings.config.models.default.as_deref().filter(|text| *text != INHERIT);
        let Some(text) = set else {
            if let Some((named, why)) = automatic {
                self.notes.push(format!(
                    "{}:{} is the model where none is named, because {why}.",
                    named.provider, named.model
                ));
                self.default = Some(named);
            }
            return Ok(());
        };
        let place = self.place("models.default");
        if !TIERS.contains(&text) {
            self.default = Some(self.sources.named(text).map_err(|failure| at(&place, failure))?);
            return Ok(());
        }
        let tier = automatic.and_then(|(named, _)| self.sources.tier(text, &named.provider));
        self.default = Some(tier.ok_or_else(|| {
            Failure::bad_input(format!("{place}: `{text}` needs a provider whose key is there, and there is none"))
                .next("set a key, such as ANTHROPIC_API_KEY, or write provider:model")
        })?);
        Ok(())
    }

    /// The default of the first provider whose key is there, and why.
    fn automatic(&self) -> Option<(Named, String)> {
        let names = self.sources.known.providers.iter().map(|provider| provider.name.as_str());
        let ready = names.filter_map(|name| self.sources.define(name).ok()).filter(|provider| provider.lacks.is_none());
        let (provider, key) = ready
            .filter_map(|provider| Some((provider.name.clone(), provider.key?)))
            .find(|(name, _)| self.sources.default_of(name).is_ok())?;
        Some((self.sources.default_of(&provider).ok()?, format!("{key} holds a key")))
    }

    /// The models of one place at the table.
    fn chain(&mut self, who: &str, role: Option<RoleModel>) -> Result<Vec<Chosen>, Failure> {
        let (mut text, place) = self.text_for(who, role);
        if let Some(wish) = text.take_if(|text| who.starts_with(FOREIGN_PREFIX) && self.is_out_of_reach(text, &place)) {
            self.notes.push(format!("The model `{wish}` of {who} is another tool's word; the default is used."));
        }
        let first = self.meant(who, text.as_deref(), &place)?;
        let provider = self.provider(&first.provider).map_err(|failure| at(&place, failure))?;
        if let Some(lack) = &provider.lacks {
            let what = format!("{who} uses {}:{} ({place}), and {}", first.provider, first.model, lack.what);
            return Err(Failure::bad_input(what).next(format!("{}, or choose another model with --model", lack.next)));
        }
        let mut chain = vec![self.sources.chosen(first, &provider)];
        for text in self.sources.settings.config.models.fallback(who).to_vec() {
            let place = format!("models.fallback for {who}");
            let next = self.meant(who, Some(&text), &place)?;
            let provider = self.provider(&next.provider).map_err(|failure| at(&place, failure))?;
            match &provider.lacks {
                Some(lack) => {
                    let note = format!("{text} cannot be asked instead of another model: {}.", lack.what);
                    if !self.notes.contains(&note) {
                        self.notes.push(note);
                    }
                }
                None => {
                    let chosen = self.sources.chosen(next, &provider);
                    if !chain.contains(&chosen) {
                        chain.push(chosen);
                    }
                }
            }
        }
        for chosen in &chain {
            let provider = self.provider(&chosen.provider)?;
            self.providers.insert(chosen.provider.clone(), provider);
        }
        Ok(chain)
    }

    /// Whether the model that an agent file asks for cannot be had here. It was written for another tool, so that
    /// keeps nobody from being seated; what is set for the seat itself, or names a provider of ours, is meant.
    fn is_out_of_reach(&self, text: &str, place: &str) -> bool {
        if !place.starts_with(BY_ROLE) || text == INHERIT || TIERS.contains(&text) {
            return false;
        }
        match self.sources.named(text) {
            Ok(named) => !text.contains(':') && self.provider(&named.provider).is_ok_and(|found| found.lacks.is_some()),
            Err(_) => true,
        }
    }

    /// What is written for a place at the table, and where; none = the default.
    fn text_for(&self, who: &str, role: Option<RoleModel>) -> (Option<String>, String) {
        let models = &self.sources.settings.config.models;
        let own = match who {
            FACILITATOR => models.facilitator.clone().map(|text| (text, "models.facilitator".to_owned())),
            _ => models.seats.get(who).map(|text| (text.clone(), format!("models.seats.{who}"))),
        };
        if let Some((text, path)) = own {
            return (Some(text), self.place(&path));
        }
        let origin = self.sources.settings.origin("models.default");
        let named_now = models.default.is_some() && origin.is_some_and(|origin| origin.layer >= Layer::Environment);
        // A role's file is as untrusted as any: what it says may end up on a screen.
        let by_role = |role: RoleModel| (Some(clean_line(&role.model).into_owned()), format!("{BY_ROLE}{who}"));
        match role {
            _ if named_now => (None, self.place("models.default")),
            Some(role) if role.from_project => by_role(role),
            _ if models.default.is_some() => (None, self.place("models.default")),
            Some(role) => by_role(role),
            None => (None, "the default".to_owned()),
        }
    }

    /// What a text means here: tiers and `inherit` lean on the default.
    fn meant(&mut self, who: &str, text: Option<&str>, place: &str) -> Result<Named, Failure> {
        let text = text.filter(|text| *text != INHERIT);
        if let Some(text) = text.filter(|text| !TIERS.contains(text)) {
            return self.sources.named(text).map_err(|failure| at(place, failure));
        }
        let Some(default) = self.default.clone() else {
            let what = format!("nothing says which model {who} uses");
            return Err(
                Failure::bad_input(what).next("set models.default in your settings, or use --model provider:model")
            );
        };
        let Some(tier) = text else { return Ok(default) };
        Ok(self.sources.tier(tier, &default.provider).unwrap_or_else(|| {
            let note = format!(
                "`{tier}` means nothing at {}; {}:{} is used.",
                default.provider, default.provider, default.model
            );
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
            default
        }))
    }

    fn provider(&self, name: &str) -> Result<Definition, Failure> {
        match self.providers.get(name) {
            Some(there) => Ok(there.clone()),
            None => self.sources.define(name),
        }
    }

    /// A setting and where it was set, in words.
    fn place(&self, path: &str) -> String {
        match self.sources.settings.origin(path) {
            Some(origin) => format!("{path}, {}", origin.place()),
            None => path.to_owned(),
        }
    }
}

fn at(place: &str, failure: Failure) -> Failure {
    Failure { what: format!("{place}: {}", failure.what), ..failure }
}
