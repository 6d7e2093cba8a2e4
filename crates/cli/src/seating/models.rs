//! Seats a panel of models: who uses what, whether it is trusted, and whether its cost can be kept.
//! Given the settings, the environment and the seats; hands on the panel, none where no model is configured
//! and no key is there. Deliberately absent: the choice itself (`s2s::lineup`), and calls.

use std::collections::BTreeMap;
use std::env;
use std::path::PathBuf;
use std::sync::Arc;

use s2s::catalog::{Catalog, KnownModels, Source};
use s2s::config::{Layer, Resolved};
use s2s::engine::opening::FACILITATOR;
use s2s::lineup::{Lineup, RoleModel};
use s2s::panel::{Assembled, Means, assemble};
use s2s::secrets::trust::{self, Doubtful};
use s2s::store::{Minutes, Taped};
use s2s::{Failure, FailureKind};

use super::Seating;
use crate::asking;
use crate::console::Console;
use crate::signals::Signals;
use crate::workplace::Workplace;

/// The environment, as far as it is text.
pub fn variables() -> BTreeMap<String, String> {
    env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))).collect()
}

/// What the catalog knows of models.
pub fn known(catalog: &Catalog) -> Result<KnownModels, Failure> {
    Ok(catalog.known_models()?.value)
}

/// Who uses what, for these seats; none where nothing is configured and no key is there.
pub fn lineup(settings: &Resolved, catalog: &Catalog, seats: &[String]) -> Result<Option<Lineup>, Failure> {
    let role = |id: &str| {
        let entry = catalog.role(id).ok()?;
        Some(RoleModel { model: entry.value.model?, from_project: matches!(entry.source, Source::File(_)) })
    };
    Lineup::resolve(settings, &known(catalog)?, &role, seats, &variables())
}

/// A panel of models; none where nothing is configured and no key is there.
pub fn seat(
    workplace: &Workplace,
    settings: &Resolved,
    seats: &[String],
    console: &Console,
) -> Result<Option<Seating>, Failure> {
    let Some(lineup) = lineup(settings, &workplace.catalog, seats)? else { return Ok(None) };
    confirm_all(&lineup, console)?;
    let variables = variables();
    let means =
        Means { variables: &variables, project: Some(&workplace.project.root), models: &settings.config.models };
    let Assembled { panel, notes } = runtime()?.block_on(async {
        // A key may come from a program; whoever leaves now must not leave it behind.
        let mut signals = Signals::new()?;
        tokio::select! {
            assembled = assemble(&lineup, means) => assembled,
            () = signals.next() => Err(left()),
        }
    })?;
    let unpriced = panel.unpriced();
    if settings.config.roundtable.limits.max_cost_usd.is_some() && !unpriced.is_empty() {
        return Err(Failure::bad_input(format!(
            "a budget in dollars cannot be kept: the price of {} is not known",
            unpriced.join(", ")
        ))
        .next("give the price under `prices:` in the settings, or use --max-tokens or --max-calls instead"));
    }
    let notes = lineup.notes.into_iter().chain(notes).collect();
    Ok(Some(Seating { panel: Arc::new(panel), notes, again: String::new(), models_again: String::new(), desk: None }))
}

fn left() -> Failure {
    Failure { kind: FailureKind::Interrupted, ..Failure::failed("left before anybody was asked; nothing was sent") }
}

/// The settings for a session that goes on: its seats keep their models (S7), unless a flag names others.
pub fn settings_of(workplace: &Workplace, minutes: &Minutes) -> Resolved {
    let mut settings = workplace.settings.clone();
    let typed = |path: &str| settings.origin(path).is_some_and(|origin| origin.layer == Layer::Flag);
    let all = typed("models.default");
    let keeps = |seat: &str| !all && !typed(&format!("models.seats.{seat}"));
    let kept: Vec<(String, String)> = minutes
        .seats()
        .iter()
        .filter(|seat| keeps(&seat.id) && seat.model.contains(':'))
        .map(|seat| (seat.id.to_string(), seat.model.clone()))
        .collect();
    let facilitator = (!all && !typed("models.facilitator")).then(|| facilitator_of(workplace, minutes)).flatten();
    let budget = minutes.settings().filter(|_| !typed("roundtable.limits.max_cost_usd"));
    let budget = budget.map(|settings| settings.limits.max_cost_usd);
    settings.config.models.seats.extend(kept);
    if facilitator.is_some() {
        settings.config.models.facilitator = facilitator;
    }
    if let Some(budget) = budget {
        settings.config.roundtable.limits.max_cost_usd = budget;
    }
    settings
}

/// The facilitator's model as the tape names it; the minutes name those of the seats alone.
fn facilitator_of(workplace: &Workplace, minutes: &Minutes) -> Option<String> {
    let tape = workplace.sessions.tape(minutes.id()).ok()?;
    let asked = tape.lines.iter().rev().find_map(|line| match &line.what {
        Taped::Asked(asked) if *asked.call.seat == *FACILITATOR => Some(asked.model.clone()),
        _ => None,
    });
    asked.filter(|model| model.contains(':'))
}

/// A runtime for reading keys and asking once.
pub fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| Failure::failed(format!("cannot start the runtime: {error}")))
}

/// What this person has confirmed.
pub fn trust_store() -> Result<trust::Store, Failure> {
    trust::Store::open(&trust_file()?)
}

/// Where this person's confirmations are kept.
pub fn trust_file() -> Result<PathBuf, Failure> {
    let from = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = from("XDG_STATE_HOME").or_else(|| Some(from("HOME")?.join(".local/state")));
    let folder = folder.ok_or_else(|| {
        Failure::failed("there is no place for what you confirm: neither XDG_STATE_HOME nor HOME is set")
            .next("set HOME")
    })?;
    Ok(folder.join("s2s").join("trusted.yaml"))
}

/// Asks about every provider that the project defines and this person has not confirmed. `--yes` does not
/// answer this: whoever wrote the project's file is not the one who runs it.
fn confirm_all(lineup: &Lineup, console: &Console) -> Result<(), Failure> {
    let defined = lineup.providers.values().any(|provider| trust::doubtful(provider).is_some());
    if !defined {
        return Ok(());
    }
    let mut store = trust_store()?;
    for doubtful in trust::untrusted(lineup, &store) {
        if !console.attended {
            return Err(unconfirmed(&doubtful));
        }
        console.note(&format!("{} ({})", doubtful.what_it_would_do, doubtful.place));
        if !asking::confirm(&format!("Do you trust the provider \"{}\" of this project?", doubtful.provider), false)? {
            return Err(unconfirmed(&doubtful));
        }
        store.confirm(&doubtful)?;
    }
    Ok(())
}

fn unconfirmed(doubtful: &Doubtful) -> Failure {
    let Doubtful { provider, what_it_would_do, place, .. } = doubtful;
    Failure::bad_input(format!(
        "the provider \"{provider}\" of this project is not confirmed: {what_it_would_do} ({place})"
    ))
    .next(format!("look at it, then confirm it once: s2s models trust {provider}"))
}
