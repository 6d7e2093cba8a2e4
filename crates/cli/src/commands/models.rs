//! `s2s models`: providers, known models, who would sit with which; and `s2s models trust`.
//! Given the settings in force, in a project or outside of one; prints, and asks no model. `trust` keeps what a
//! person confirms. Deliberately absent: the choice of models (`s2s::lineup`) and what is doubtful (`s2s::secrets`).

use s2s::Failure;
use s2s::catalog::{Api, Catalog, KnownModels};
use s2s::config::{Panel, Resolved};
use s2s::engine::opening::{FACILITATOR, Workflow};
use s2s::lineup::{Chosen, Definition, Lineup, define, survey};
use s2s::models::{Command, CommandProvider};
use s2s::project;
use s2s::secrets::trust::{self, Doubtful, Store};
use serde_json::json;

use crate::args::{Models, ModelsCommand};
use crate::asking;
use crate::console::Console;
use crate::screen::{self, Known, Offered, Provided, Sits, Sitting};
use crate::seating::models::{known, lineup, trust_file, trust_store, variables};
use crate::workplace;

/// Lists providers and models, or confirms a provider.
pub fn models(typed: &Models, console: &Console) -> Result<u8, Failure> {
    let cwd = workplace::here()?;
    let project = project::find(&cwd);
    let settings = workplace::settings(&cwd, project.as_ref(), &[])?;
    let catalog = workplace::catalog(project.as_ref());
    match &typed.what {
        None => list(&settings, &catalog, console),
        Some(ModelsCommand::Trust { provider }) => {
            let definition = define(provider, &settings, &known(&catalog)?, &variables())?;
            confirm(&definition, console)
        }
    }
}

fn list(settings: &Resolved, catalog: &Catalog, console: &Console) -> Result<u8, Failure> {
    let known = known(catalog)?;
    // Without a place for confirmations nothing is confirmed; that is what is shown.
    let store = trust_store().ok();
    let providers = providers(settings, &known, store.as_ref());
    let offered = offered(settings, &known);
    let sitting = sitting(settings, catalog);
    if console.json {
        let value = json!({
            "schema": 1, "providers": providers, "prices_as_of": known.as_of, "known": offered, "table": sitting,
        });
        return console.print_json(&value).map(|()| 0);
    }
    console.print(&screen::models(&providers, &offered, &known.as_of, &sitting, &console.style)).map(|()| 0)
}

/// Every provider, and whether it can be used. Programs are looked for; keys are not read.
fn providers(settings: &Resolved, known: &KnownModels, store: Option<&Store>) -> Vec<Provided> {
    let variables = variables();
    let row = |row: s2s::lineup::ProviderRow| {
        // The provider's name stands right above.
        let short = |what: String| match what.strip_prefix(&format!("there is no key for {}: ", row.name)) {
            Some(rest) => rest.to_owned(),
            None => what,
        };
        let mut why_not = row.usable.err().map(short);
        let mut notes = Vec::new();
        if let Ok(definition) = define(&row.name, settings, known, &variables) {
            notes.extend(definition.overruled.clone());
            if definition.api == Api::Command {
                let command =
                    Command { argv: definition.command.clone(), pass: definition.env.clone(), ..<_>::default() };
                match CommandProvider::new(&row.name, command, &variables) {
                    Ok(program) => {
                        why_not = why_not.or_else(|| program.found().err().map(|fault| fault.what));
                        notes.extend(program.notes().iter().cloned());
                    }
                    Err(fault) => why_not = Some(fault.what),
                }
            }
            let doubtful = trust::doubtful(&definition);
            let doubtful = doubtful.filter(|doubtful| !store.is_some_and(|store| store.knows(doubtful)));
            why_not = why_not.or_else(|| doubtful.map(|doubtful| unconfirmed(&doubtful)));
        }
        Provided {
            api: row.api.map(Api::as_str),
            target: row.target,
            usable: why_not.is_none(),
            why_not,
            default_model: row.default_model,
            from: row.from,
            notes,
            name: row.name,
        }
    };
    survey(settings, known, &variables).into_iter().map(row).collect()
}

fn unconfirmed(doubtful: &Doubtful) -> String {
    format!("this project defines it ({}); look at it, then: s2s models trust {}", doubtful.place, doubtful.provider)
}

/// The known models by provider, with the prices in force; then those that only have a price.
fn offered(settings: &Resolved, known: &KnownModels) -> Vec<Known> {
    let prices = &settings.config.prices;
    let mut by_provider: Vec<Known> = Vec::new();
    let mut add = |provider: &str, offered: Offered| match by_provider.iter_mut().find(|k| k.provider == provider) {
        Some(there) => there.models.push(offered),
        None => by_provider.push(Known { provider: provider.to_owned(), models: vec![offered] }),
    };
    for model in &known.models {
        let set = prices.get(&format!("{}:{}", model.provider, model.name)).copied();
        let family = known.family_of(&model.name).map(str::to_owned).or_else(|| model.family.clone());
        let family = family.or_else(|| known.provider(&model.provider)?.family.clone());
        let offered = Offered {
            model: model.name.clone(),
            context_tokens: model.context_tokens,
            price: set.or(model.price),
            price_set: set.is_some(),
            abilities: model.abilities.clone(),
            family,
        };
        add(&model.provider, offered);
    }
    for (name, price) in prices {
        let Some((provider, model)) = name.split_once(':') else { continue };
        if known.models.iter().any(|there| there.provider == provider && there.name == model) {
            continue;
        }
        let family = known.family_of(model).map(str::to_owned);
        let (price, abilities) = (Some(*price), Vec::new());
        let model = model.to_owned();
        add(provider, Offered { model, context_tokens: None, price, price_set: true, abilities, family });
    }
    by_provider
}

/// Who would sit with which model in the workflow that is taken when none is named.
fn sitting(settings: &Resolved, catalog: &Catalog) -> Sitting {
    let workflow = Workflow::default();
    let empty = |panel, says: String, next| Sitting {
        workflow: workflow.to_string(),
        panel,
        says,
        next,
        seats: Vec::new(),
        notes: Vec::new(),
    };
    if let Some((panel, says)) = other_panel(settings) {
        return empty(Some(panel), says, None);
    }
    match lineup(settings, catalog, settings.config.participants(workflow)) {
        Ok(Some(lineup)) => Sitting {
            panel: Some("models"),
            says: format!("{}.", lineup.note()),
            seats: seats(&lineup),
            notes: lineup.notes.clone(),
            ..empty(None, String::new(), None)
        },
        Ok(None) => empty(Some("offline"), OFFLINE.to_owned(), Some(KEY.to_owned())),
        Err(failure) => empty(None, failure.what, failure.next),
    }
}

/// What is said where no model is configured.
pub const OFFLINE: &str = "The offline panel answers: no model is configured, and no provider's key is set.";
/// What to do about it.
pub const KEY: &str = "set a key such as ANTHROPIC_API_KEY, or `models.default` in the settings, to have models answer";

/// The panel that the settings name, where it is not one of models.
pub fn other_panel(settings: &Resolved) -> Option<(&'static str, String)> {
    let place = settings.origin("panel").map(|origin| origin.place()).unwrap_or_default();
    match &settings.config.panel {
        Panel::Auto | Panel::Models => None,
        Panel::Offline => Some(("offline", format!("The offline panel answers, as `panel` says ({place})."))),
        Panel::Script(file) => {
            Some(("script", format!("The script {} answers, as `panel` says ({place}).", file.display())))
        }
    }
}

fn seats(lineup: &Lineup) -> Vec<Sits> {
    let facilitator = (FACILITATOR, lineup.facilitator.as_slice());
    let others = lineup.seats.iter().map(|(seat, chain)| (seat.as_str(), chain.as_slice()));
    let sits = |(seat, chain): (&str, &[Chosen])| Sits {
        seat: seat.to_owned(),
        models: chain.iter().map(Chosen::name).collect(),
        family: chain.first().map(|chosen| chosen.family.clone()).unwrap_or_default(),
    };
    std::iter::once(facilitator).chain(others).map(sits).collect()
}

/// Confirms what a project says of a provider: once, for this person.
fn confirm(definition: &Definition, console: &Console) -> Result<u8, Failure> {
    let name = &definition.name;
    let Some(doubtful) = trust::doubtful(definition) else {
        let says =
            format!("There is nothing to confirm: no file of this project says where `{name}` is or what it runs.");
        return told(console, name, None, &says, false);
    };
    let (mut store, file) = (trust_store()?, trust_file()?);
    let file = file.display();
    if store.knows(&doubtful) {
        let says = format!("`{name}` is confirmed already; that is kept in {file}.");
        return told(console, name, Some(&doubtful), &says, true);
    }
    if !console.json {
        console.print(&format!(
            "`{name}` would {}.\nThe project says so at {}.\n",
            doubtful.what_it_would_do, doubtful.place
        ))?;
    }
    if console.attended && !asking::confirm(&format!("Do you trust the provider \"{name}\" of this project?"), false)? {
        return Err(Failure::failed(format!("`{name}` is not confirmed; nothing was changed")));
    }
    store.confirm(&doubtful)?;
    let says = format!("Confirmed, for you alone; kept in {file}. Remove its line there to be asked again.");
    told(console, name, Some(&doubtful), &says, true)
}

fn told(
    console: &Console,
    name: &str,
    doubtful: Option<&Doubtful>,
    says: &str,
    confirmed: bool,
) -> Result<u8, Failure> {
    if !console.json {
        return console.print(&format!("{says}\n")).map(|()| 0);
    }
    let would = doubtful.map(|doubtful| doubtful.what_it_would_do.as_str());
    let place = doubtful.map(|doubtful| doubtful.place.as_str());
    let value =
        json!({"schema": 1, "provider": name, "would": would, "place": place, "confirmed": confirmed, "says": says});
    console.print_json(&value).map(|()| 0)
}
