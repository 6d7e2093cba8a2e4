//! How a provider is reached in this run: the built-in provider, the settings over it, and the variables that
//! its own tools read. Given all three; hands on a [`Definition`], with what it lacks to be used. Deliberately
//! absent: keys themselves (only where one is found), and any call.

use std::collections::BTreeMap;
use std::path::PathBuf;

use s2s_catalog::{Api, KnownModels, KnownProvider};
use s2s_yaml::node::nearest;
use serde_json::Value;

use crate::Failure;
use crate::config::{Layer, Origin, PROVIDER_FIELDS, Provider, Resolved, address};
use crate::secrets::KeySource;

/// How a provider is reached.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// How it is spoken to.
    pub api: Api,
    /// Where it is; none for a command.
    pub base_url: Option<String>,
    /// The program that answers, with its arguments; empty for all others.
    pub command: Vec<String>,
    /// Variables that this program gets besides the usual ones.
    pub env: Vec<String>,
    /// Where its key is found; none = it needs none.
    pub key: Option<KeySource>,
    /// The header that carries the key, where it is not the usual one.
    pub key_header: Option<String>,
    /// Further headers.
    pub headers: BTreeMap<String, String>,
    /// Whether its models can be held to a JSON Schema; none = as is known of the model.
    pub json_schema: Option<bool>,
    /// The most calls at the same time.
    pub max_concurrent: Option<u32>,
    /// The most calls in a minute.
    pub requests_per_minute: Option<u32>,
    /// The family of its models, where the settings say one.
    pub family: Option<String>,
    /// Where the definition comes from, in words.
    pub from: String,
    /// Where the program that prints its key runs: the folder of the settings that name it; none = here.
    pub folder: Option<PathBuf>,
    /// What is set and has no say, in a sentence for a person.
    pub overruled: Option<String>,
    /// Why it cannot be used, if so.
    pub lacks: Option<Lack>,
    /// What a project's file says of where something is sent or what is run; to be confirmed by the user.
    pub from_project: Vec<(String, Origin)>,
}

/// What keeps a provider from being used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lack {
    /// What is missing.
    pub what: String,
    /// What to do about it.
    pub next: String,
}

impl Definition {
    /// Whether it is reached on this machine, where nobody asks for money.
    pub fn is_on_this_machine(&self) -> bool {
        let url = self.base_url.as_deref().and_then(|url| address::read(url).ok());
        url.is_some_and(|url| address::is_loopback(&url))
    }

    /// Where it is or what is run, in a few words. An address's query is left out.
    pub fn target(&self) -> String {
        match &self.base_url {
            Some(url) => url.split('?').next().unwrap_or(url).to_owned(),
            None => self.command.join(" "),
        }
    }
}

/// All that says how providers are reached.
#[derive(Clone, Copy)]
pub(super) struct Sources<'a> {
    pub settings: &'a Resolved,
    pub known: &'a KnownModels,
    pub variables: &'a BTreeMap<String, String>,
}

impl<'a> Sources<'a> {
    /// Every provider's name: the built-in ones in their order, then those of the settings.
    pub fn names(&self) -> Vec<&'a str> {
        let mut names: Vec<&str> = self.known.providers.iter().map(|provider| provider.name.as_str()).collect();
        let own = self.settings.config.providers.keys().map(String::as_str);
        names.extend(own.filter(|name| self.known.provider(name).is_none()));
        names
    }

    /// How the provider of this name is reached.
    pub fn define(&self, name: &str) -> Result<Definition, Failure> {
        let built_in = self.known.provider(name);
        let set = self.settings.config.providers.get(name);
        if built_in.is_none() && set.is_none() {
            return Err(self.unknown(name));
        }
        let nothing = Provider::default();
        let set = set.unwrap_or(&nothing);
        let Some(api) = set.api.or_else(|| built_in.map(|known| known.api)) else {
            let apis: Vec<_> = Api::ALL.iter().map(|api| api.as_str()).collect();
            let next = format!("add `providers.{name}.api`: {}", apis.join(", "));
            return Err(
                Failure::bad_input(format!("the provider `{name}` does not say how it is spoken to")).next(next)
            );
        };
        let (base_url, variable) = self.base_url(api, set, built_in)?;
        let command = set.command.clone().or_else(|| built_in.map(|known| known.command.clone())).unwrap_or_default();
        let command = self.anchored(self.with_home(command)?, name, "command");
        let is_command = api == Api::Command;
        let missing = match is_command {
            true => command.is_empty().then_some("command: [program, argument]"),
            false => base_url.is_none().then_some("base_url: https://host/v1"),
        };
        if let Some(missing) = missing {
            let what = format!("the provider `{name}` does not say where it is");
            let what = if is_command { format!("the provider `{name}` names no program") } else { what };
            return Err(Failure::bad_input(what).next(format!("add `providers.{name}.{missing}`")));
        }
        let (key, lacks) = if is_command { (None, None) } else { self.key(name, set, built_in, base_url.as_deref())? };
        let from_project = self.of_project(name, variable.is_some());
        let runs = matches!(key, Some(KeySource::Command(_)));
        let folder = runs.then(|| self.folder(name, "api_key_command")).flatten();
        Ok(Definition {
            from: self.from(name, variable),
            api,
            base_url: base_url.filter(|_| !is_command),
            command: if is_command { command } else { Vec::new() },
            env: set.env.clone().unwrap_or_default(),
            key,
            key_header: set.key_header.clone(),
            headers: set.headers.clone().unwrap_or_default(),
            json_schema: set.json_schema,
            max_concurrent: set.max_concurrent,
            requests_per_minute: set.requests_per_minute,
            family: set.family.clone(),
            folder,
            overruled: variable.and_then(|variable| self.overruled(name, variable)),
            lacks,
            from_project,
            name: name.to_owned(),
        })
    }

    fn unknown(&self, name: &str) -> Failure {
        let names = self.names();
        let hint =
            nearest(name, names.iter().copied()).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        Failure::bad_input(format!("there is no provider `{name}`{hint}"))
            .next(format!("use one of {}, or define it under `providers:` in your settings", names.join(", ")))
    }

    fn set(&self, name: &str) -> Option<&'a str> {
        self.variables.get(name).map(|value| value.trim()).filter(|value| !value.is_empty())
    }

    /// The address, and the variable that named it. A variable is nearer to the person than any file (T1).
    fn base_url(
        &self,
        api: Api,
        set: &Provider,
        built_in: Option<&'a KnownProvider>,
    ) -> Result<(Option<String>, Option<&'a str>), Failure> {
        let named = built_in.and_then(|known| known.url.iter().find_map(|name| Some((name.as_str(), self.set(name)?))));
        let Some((variable, text)) = named else {
            let own = built_in.and_then(|known| known.base_url.clone());
            return Ok((set.base_url.clone().or(own), None));
        };
        let text = match api {
            Api::Ollama => ollama_host(text),
            _ => text.trim_end_matches('/').to_owned(),
        };
        let url = address::read(&text).map_err(|what| {
            Failure::bad_input(format!("the variable {variable} holds no good address: {what}")).next(address::RULE)
        })?;
        if address::is_exposed(&url) && set.allow_http != Some(true) {
            let name = built_in.map_or("", |known| known.name.as_str());
            let what = format!("{variable} names an http:// address, which everyone on the way can read");
            let next = format!("use https://, or set `providers.{name}.allow_http: true` if that is meant");
            return Err(Failure::bad_input(what).next(next));
        }
        // Google's own tools name the host alone.
        let whole = if api == Api::Gemini && url.path() == "/" { format!("{text}/v1beta") } else { text };
        Ok((Some(whole), Some(variable)))
    }

    fn key(
        &self,
        name: &str,
        set: &Provider,
        built_in: Option<&'a KnownProvider>,
        base_url: Option<&str>,
    ) -> Result<(Option<KeySource>, Option<Lack>), Failure> {
        let program = set
            .api_key_command
            .clone()
            .map(|argv| Ok::<_, Failure>(self.anchored(self.with_home(argv)?, name, "api_key_command")))
            .transpose()?;
        let named = [
            ("api_key_env", set.api_key_env.clone().map(KeySource::Env)),
            ("api_key_command", program.map(KeySource::Command)),
            ("api_key_file", set.api_key_file.clone().map(|path| KeySource::File(path.into()))),
        ];
        let layer = |field: &str| self.origin(name, field).map(|origin| origin.layer);
        let mut named: Vec<_> =
            named.into_iter().filter_map(|(field, source)| Some((layer(field), field, source?))).collect();
        named.sort_by_key(|(layer, ..)| *layer);
        if let Some((top, field, source)) = named.pop() {
            if let Some((_, other, _)) = named.last().filter(|(layer, ..)| *layer == top) {
                let what = format!("the provider `{name}` has two sources for its key: {other} and {field}");
                return Err(Failure::bad_input(what).next("keep one of them"));
            }
            let lack = match &source {
                KeySource::Env(variable) if self.set(variable).is_none() => {
                    Some(no_key(name, std::slice::from_ref(variable)))
                }
                _ => None,
            };
            return Ok((Some(source), lack));
        }
        let names = built_in.map_or(&[][..], |known| known.key.as_slice());
        if let Some(variable) = names.iter().find(|variable| self.set(variable).is_some()) {
            return Ok((Some(KeySource::Env(variable.clone())), None));
        }
        // A server on this machine may well want no key.
        let near = base_url.and_then(|url| address::read(url).ok()).is_some_and(|url| address::is_loopback(&url));
        let lack = (!names.is_empty() && !near).then(|| no_key(name, names));
        Ok((None, lack))
    }

    /// A program with its `~/` filled in: no shell does that, and a folder named `~` is not meant.
    fn with_home(&self, mut argv: Vec<String>) -> Result<Vec<String>, Failure> {
        let Some(program) = argv.first_mut() else { return Ok(argv) };
        let Some(rest) = program.strip_prefix("~/") else { return Ok(argv) };
        let Some(home) = self.set("HOME").filter(|home| home.starts_with('/')) else {
            let what = format!("the program {program} starts with ~, and HOME is not set");
            return Err(Failure::bad_input(what).next("name its full path"));
        };
        *program = format!("{}/{rest}", home.trim_end_matches('/'));
        Ok(argv)
    }

    /// The folder of the settings that set a field of a provider.
    fn folder(&self, name: &str, field: &str) -> Option<PathBuf> {
        self.settings.folders.get(&self.origin(name, field)?.layer).cloned()
    }

    /// A program that is named by its way from the settings, with its whole path: wherever a person stands, it is the
    /// same one, and what was confirmed for one project does not hold for another's.
    fn anchored(&self, mut argv: Vec<String>, name: &str, field: &str) -> Vec<String> {
        if let (Some(program), Some(folder)) = (argv.first_mut(), self.folder(name, field))
            && program.contains('/')
        {
            let way = program.trim_start_matches("./");
            *program = folder.join(way).display().to_string();
        }
        argv
    }

    fn origin(&self, name: &str, field: &str) -> Option<&'a Origin> {
        self.settings.origin(&format!("providers.{name}.{field}"))
    }

    fn of_project(&self, name: &str, other_address: bool) -> Vec<(String, Origin)> {
        let binding = PROVIDER_FIELDS.iter().filter(|field| field.binding);
        let in_force = binding.filter(|field| !(other_address && field.name == "base_url"));
        let set = in_force.filter_map(|field| Some((field.name.to_owned(), self.origin(name, field.name)?.clone())));
        set.filter(|(_, origin)| origin.layer == Layer::Project).collect()
    }

    /// A variable is nearer than any file: the file's address has no say then.
    fn overruled(&self, name: &str, variable: &str) -> Option<String> {
        let origin = self.origin(name, "base_url").filter(|origin| origin.layer > Layer::BuiltIn)?;
        Some(format!("{variable} says where it is; `base_url` of {} has no say while it is set", origin.place()))
    }

    fn from(&self, name: &str, variable: Option<&str>) -> String {
        // The highest layer, and in it the field that stands first.
        let fields = PROVIDER_FIELDS.iter().rev().filter_map(|field| self.origin(name, field.name));
        let set = fields.max_by_key(|origin| origin.layer).map(ToString::to_string);
        let built_in = self.known.provider(name).map(|_| "built-in".to_owned());
        let parts = [built_in, set, variable.map(str::to_owned)];
        parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }
}

fn no_key(provider: &str, variables: &[String]) -> Lack {
    let either = variables.join(" or ");
    Lack { what: format!("there is no key for {provider}: {either} is not set"), next: format!("set {either}") }
}

/// Ollama's variable may hold a host alone, and names the address it listens on.
fn ollama_host(text: &str) -> String {
    let whole = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
    let Ok(mut url) = url::Url::parse(&whole) else { return whole };
    if url.host_str() == Some("0.0.0.0") {
        let _ = url.set_host(Some("127.0.0.1"));
    }
    if url.port().is_none() && !text.contains("://") {
        let _ = url.set_port(Some(11434));
    }
    url.as_str().trim_end_matches('/').to_owned()
}

/// What decides where something is sent or what is run, written the same way whoever asks.
pub(crate) fn binding_content(definition: &Definition) -> Value {
    let url = definition.base_url.as_deref().and_then(|url| address::read(url).ok());
    let mut content = serde_json::json!({
        "api": definition.api.as_str(),
        "origin": url.map(|url| address::origin(&url)),
        "key": definition.key.as_ref().map(KeySource::spelled),
        "key_header": definition.key_header,
        "headers": definition.headers,
        "command": definition.command,
        "env": definition.env,
    });
    // Arguments may name files, and these are found from there.
    if let Some(folder) = &definition.folder {
        content["folder"] = folder.display().to_string().into();
    }
    content
}
