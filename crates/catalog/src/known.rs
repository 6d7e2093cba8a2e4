//! Known models: what providers there are, what models cost and can do, and what family a name tells.
//! Given: the built-in file and a project's additions (`read.rs` reads them). Hands on: [`KnownModels`], to be
//! asked by name. Deliberately absent: who uses which model, keys, and any call.

mod read;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub(crate) use read::read_known;

/// What is known of providers and models.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct KnownModels {
    /// The day by which the prices are known to hold, such as `2026-10-10`.
    pub as_of: String,
    /// The built-in providers, in the order in which a default is sought.
    pub providers: Vec<KnownProvider>,
    /// The models, in the order of the files.
    pub models: Vec<KnownModel>,
    /// Each family with the parts of names that tell it.
    pub families: BTreeMap<String, Vec<String>>,
}

/// The way a provider is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Api {
    /// Chat completions, as OpenAI and many others have them.
    #[serde(rename = "openai")]
    OpenAi,
    /// OpenAI's Responses.
    #[serde(rename = "openai-responses")]
    OpenAiResponses,
    /// Anthropic's Messages.
    Anthropic,
    /// Google's Gemini.
    Gemini,
    /// Ollama's own.
    Ollama,
    /// A program that reads the prompt on its standard input.
    Command,
}

impl Api {
    /// Every way, in the order of lists.
    pub const ALL: &'static [Self] =
        &[Self::OpenAi, Self::OpenAiResponses, Self::Anthropic, Self::Gemini, Self::Ollama, Self::Command];

    /// The word for it in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::OpenAiResponses => "openai-responses",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
            Self::Command => "command",
        }
    }
}

/// A built-in provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KnownProvider {
    /// Its name, as in `provider:model`.
    pub name: String,
    /// How it is spoken to.
    pub api: Api,
    /// Where it is; none for a command.
    pub base_url: Option<String>,
    /// The command that is run; empty for all others. `{model}` stands for the model's name.
    pub command: Vec<String>,
    /// Variables that may hold its key; none = it needs no key.
    pub key: Vec<String>,
    /// Variables that name another address for it.
    pub url: Vec<String>,
    /// The family of its models, where a name tells none.
    pub family: Option<String>,
    /// The model that is taken when none is named.
    pub default: Option<String>,
    /// What `opus`, `sonnet` and `haiku` mean there.
    pub tiers: BTreeMap<String, String>,
    /// Whether it passes other providers' models on at their price.
    pub resells: bool,
    /// The provider whose models it has too.
    pub models_of: Option<String>,
}

/// A known model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KnownModel {
    /// The provider that has it.
    pub provider: String,
    /// The provider's name for it.
    pub name: String,
    /// How many tokens prompt and reply may have together.
    pub context_tokens: Option<u32>,
    /// How many tokens a reply may have.
    pub max_output_tokens: Option<u32>,
    /// What it costs.
    pub price: Option<Price>,
    /// Its family, where the file says one.
    pub family: Option<String>,
    /// What it can do.
    pub abilities: Vec<Ability>,
}

impl KnownModel {
    /// Whether it can do this.
    pub fn can(&self, ability: Ability) -> bool {
        self.abilities.contains(&ability)
    }
}

/// What a model costs, in US dollars per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// What is sent.
    pub input: f64,
    /// Of this, what the provider reads from its cache; none = as `input`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_input: Option<f64>,
    /// Of this, what the provider writes to its cache; none = as `input`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<f64>,
    /// What comes back.
    pub output: f64,
}

/// What a model can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ability {
    /// It can be held to a JSON Schema.
    JsonSchema,
    /// Repeated beginnings of prompts cost less.
    Cache,
    /// It can be told how hard to think.
    Effort,
    /// It takes a temperature.
    Temperature,
}

impl KnownModels {
    /// The built-in provider of this name.
    pub fn provider(&self, name: &str) -> Option<&KnownProvider> {
        self.providers.iter().find(|provider| provider.name == name)
    }

    /// The model of a provider: by its name, or by its name with a date behind it. A provider that passes
    /// others' models on has them under `vendor/model`.
    pub fn model(&self, provider: &str, name: &str) -> Option<&KnownModel> {
        let about = self.provider(provider);
        let owner = about.and_then(|about| about.models_of.as_deref()).unwrap_or(provider);
        let own = self.models.iter().filter(|model| model.provider == owner);
        let found = best(own.map(|model| (model, model.name.as_str())), name);
        if found.is_some() || !about.is_some_and(|about| about.resells) {
            return found;
        }
        self.alike(name)
    }

    /// A model of any provider whose name says that it is the same one: `anthropic/claude-opus-5.5` is
    /// `claude-opus-5-5`. What it can do holds elsewhere too; what it costs may not.
    pub fn alike(&self, name: &str) -> Option<&KnownModel> {
        let wanted = plain(name);
        let all: Vec<_> = self.models.iter().map(|model| (model, plain(&model.name))).collect();
        best(all.iter().map(|(model, name)| (*model, name.as_str())), &wanted)
    }

    /// The models that have this name, whoever the provider.
    pub fn named(&self, name: &str) -> Vec<&KnownModel> {
        let is_it = |model: &&KnownModel| model.name == name || dated(name, &model.name);
        self.models.iter().filter(is_it).collect()
    }

    /// The family that a model's name tells: of the name itself, else of the vendor before it.
    pub fn family_of(&self, name: &str) -> Option<&str> {
        let name = name.to_lowercase();
        let last = name.rsplit('/').next().unwrap_or(&name);
        self.first_family(last).or_else(|| self.first_family(&name))
    }

    fn first_family(&self, name: &str) -> Option<&str> {
        let parts = self.families.iter().flat_map(|(family, parts)| parts.iter().map(move |part| (family, part)));
        let found = parts.filter_map(|(family, part)| Some((starts_at(name, part)?, part.len(), family)));
        // The earliest part; of two that start together the longer.
        found.min_by_key(|(at, length, _)| (*at, usize::MAX - *length)).map(|(_, _, family)| family.as_str())
    }
}

/// The model with exactly this name, else the one of which it is a dated version.
fn best<'m, 'n>(models: impl Iterator<Item = (&'m KnownModel, &'n str)>, wanted: &str) -> Option<&'m KnownModel> {
    let fits = models.filter(|(_, name)| *name == wanted || dated(wanted, name));
    fits.max_by_key(|(_, name)| name.len()).map(|(model, _)| model)
}

/// Whether `name` is `base` with a date, `latest` or `preview` behind it. Anything else is another model.
fn dated(name: &str, base: &str) -> bool {
    let Some(rest) = name.strip_prefix(base).and_then(|rest| rest.strip_prefix(['-', '@', ':'])) else { return false };
    let date = rest.strip_prefix("preview-").unwrap_or(rest);
    let digits = date.bytes().filter(u8::is_ascii_digit).count();
    let is_date = digits >= 4 && date.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    is_date || rest == "latest" || rest == "preview"
}

/// A name without its vendor, and with one sign between numbers.
fn plain(name: &str) -> String {
    let last = name.rsplit('/').next().unwrap_or(name);
    last.to_lowercase().replace('.', "-")
}

/// Where a part of a name starts as a word of its own. `o3` is one in `o3-mini`, not in `foo3` or `o30`.
fn starts_at(name: &str, part: &str) -> Option<usize> {
    let ends_in_digit = part.ends_with(|c: char| c.is_ascii_digit());
    name.match_indices(part).map(|(at, _)| at).find(|at| {
        let before = name[..*at].chars().next_back();
        let after = name[*at + part.len()..].chars().next();
        let goes_on = ends_in_digit && after.is_some_and(char::is_alphanumeric);
        !goes_on && !before.is_some_and(char::is_alphanumeric)
    })
}
