//! Reads a file of known models on top of others.
//! Given: YAML text, and whether it is the built-in file. Hands on: [`KnownModels`], or all that is wrong with
//! the file. A project's file may hold models only: an address that a key is sent to is a setting, where it is
//! confirmed. Deliberately absent: where files are.

use s2s_yaml::node::{Fields, Misfit, Misfits, Node, read};

use super::{Ability, Api, KnownModel, KnownModels, KnownProvider, Price};
use crate::strategy::one_line;

const KEYS: &[&str] = &["as_of", "families", "providers", "models"];
const OWN_KEYS: &[&str] = &["models"];
const PROVIDER_KEYS: &[&str] =
    &["name", "api", "base_url", "command", "key", "url", "family", "default", "tiers", "resells", "models_of"];
const MODEL_KEYS: &[&str] = &["model", "context_tokens", "max_output_tokens", "price", "family", "abilities"];
const PRICE_KEYS: &[&str] = &["input", "cached_input", "cache_write", "output"];
const ABILITIES: &[(&str, Ability)] = &[
    ("json_schema", Ability::JsonSchema),
    ("cache", Ability::Cache),
    ("effort", Ability::Effort),
    ("temperature", Ability::Temperature),
];

/// Reads a file on top of what is known; a model that is there already is replaced.
pub(crate) fn read_known(text: &str, below: KnownModels, built_in: bool) -> Result<KnownModels, Vec<Misfit>> {
    let root = read(text).map_err(|flaw| vec![flaw.into()])?;
    let mut misfits = Misfits::default();
    let known = match misfits.keep(root.fields()) {
        Some(top) => known(&top, below, built_in, &mut misfits),
        None => None,
    };
    misfits.into_result(known)
}

fn known(top: &Fields<'_>, mut known: KnownModels, built_in: bool, misfits: &mut Misfits) -> Option<KnownModels> {
    let strangers = top.unknown(if built_in { KEYS } else { OWN_KEYS });
    misfits.0.extend(strangers.into_iter().map(|misfit| match top.get("providers").filter(|_| !built_in) {
        Some(_) if misfit.what.contains("`providers`") => Misfit {
            what: "a project's file of models holds no providers".to_owned(),
            allowed: Some("models; providers belong under `providers:` in .s2s/config.yaml".to_owned()),
            ..misfit
        },
        _ => misfit,
    }));
    if built_in {
        known.as_of = misfits.keep(top.required("as_of").and_then(Node::text)).map(one_line).unwrap_or_default();
        families(top, &mut known, misfits);
        for node in misfits.keep(top.required("providers").and_then(Node::items)).unwrap_or_default() {
            known.providers.extend(misfits.keep(provider(node)));
        }
    }
    for node in misfits.keep(top.required("models").and_then(Node::items)).unwrap_or_default() {
        let Some(model) = misfits.keep(model(node)) else { continue };
        let same = |there: &&mut KnownModel| there.provider == model.provider && there.name == model.name;
        match known.models.iter_mut().find(same) {
            Some(there) => *there = model,
            None => known.models.push(model),
        }
    }
    Some(known)
}

fn families(top: &Fields<'_>, known: &mut KnownModels, misfits: &mut Misfits) {
    let Some(fields) = misfits.keep(top.required("families").and_then(Node::fields)) else { return };
    for entry in fields.entries() {
        if let Some(parts) = misfits.keep(entry.value.texts()) {
            known.families.insert(entry.key.clone(), parts);
        }
    }
}

fn provider(node: &Node) -> Result<KnownProvider, Misfit> {
    let fields = node.fields()?;
    no_strangers(&fields, PROVIDER_KEYS)?;
    let text = |key: &str| fields.get(key).map(|node| node.text().map(str::to_owned)).transpose();
    let list = |key: &str| fields.get(key).map_or(Ok(Vec::new()), Node::texts);
    let apis: Vec<_> = Api::ALL.iter().map(|api| (api.as_str(), *api)).collect();
    let mut tiers = std::collections::BTreeMap::new();
    if let Some(node) = fields.get("tiers") {
        for entry in node.fields()?.entries() {
            tiers.insert(entry.key.clone(), entry.value.text()?.to_owned());
        }
    }
    Ok(KnownProvider {
        name: fields.required("name")?.text()?.to_owned(),
        api: fields.required("api")?.one_of(&apis)?,
        base_url: text("base_url")?,
        command: list("command")?,
        key: list("key")?,
        url: list("url")?,
        family: text("family")?,
        default: text("default")?,
        tiers,
        resells: fields.get("resells").map_or(Ok(false), Node::flag)?,
        models_of: text("models_of")?,
    })
}

fn model(node: &Node) -> Result<KnownModel, Misfit> {
    let fields = node.fields()?;
    no_strangers(&fields, MODEL_KEYS)?;
    let name = fields.required("model")?;
    let Some((provider, model)) = name.text()?.split_once(':').filter(|(p, m)| !p.is_empty() && !m.is_empty()) else {
        let allowed = Some("provider:model, such as local:qwen3".to_owned());
        return Err(Misfit { allowed, ..name.misfit("the name says no provider") });
    };
    let tokens = |key: &str| fields.get(key).map(|node| node.whole(1..=u32::MAX)).transpose();
    let abilities = fields.get("abilities").map_or(Ok(&[][..]), Node::items)?;
    Ok(KnownModel {
        provider: provider.to_owned(),
        name: model.to_owned(),
        context_tokens: tokens("context_tokens")?,
        max_output_tokens: tokens("max_output_tokens")?,
        price: fields.get("price").map(price).transpose()?,
        family: fields.get("family").map(|node| node.text().map(str::to_owned)).transpose()?,
        abilities: abilities.iter().map(|node| node.one_of(ABILITIES)).collect::<Result<_, _>>()?,
    })
}

fn price(node: &Node) -> Result<Price, Misfit> {
    let fields = node.fields()?;
    no_strangers(&fields, PRICE_KEYS)?;
    let dollars = |node: &Node| node.number(0.0..=100_000.0);
    let maybe = |key: &str| fields.get(key).map(dollars).transpose();
    Ok(Price {
        input: dollars(fields.required("input")?)?,
        cached_input: maybe("cached_input")?,
        cache_write: maybe("cache_write")?,
        output: dollars(fields.required("output")?)?,
    })
}

fn no_strangers(fields: &Fields<'_>, allowed: &[&str]) -> Result<(), Misfit> {
    fields.unknown(allowed).into_iter().next().map_or(Ok(()), Err)
}
