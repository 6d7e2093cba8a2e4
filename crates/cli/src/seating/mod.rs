//! Seats the panel: who answers in this run.
//! Given the setting (or the panel that a session's minutes name) and the catalog; hands on the panel and
//! what to know about the choice. Deliberately absent: the panels themselves.

pub mod models;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use s2s::Failure;
use s2s::catalog::Catalog;
use s2s::config::{self, Layer};
use s2s::panel::{HumanPanel, OfflinePanel, Panel, ScriptPanel};
use s2s::store::{Minutes, Panel as PanelKind};

use crate::console::Console;
use crate::desk::Desk;
use crate::screen::shell;
use crate::workplace::{Workplace, shown};

/// The largest script that is read.
const MAX_SCRIPT_BYTES: u64 = 64 << 20;

/// Who answers, and what to know about it.
pub struct Seating {
    /// The panel.
    pub panel: Arc<dyn Panel>,
    /// Sentences for people.
    pub notes: Vec<String>,
    /// The flags that name this panel in every further run, with a blank before; empty = none are needed.
    pub again: String,
    /// Those among the typed flags that name models, in the same way.
    pub models_again: String,
    /// Where people answer, if any take part.
    pub desk: Option<Desk>,
}

impl Seating {
    /// With people at the table, who answer at a desk.
    pub fn with_people(self, people: Vec<String>, desk: Desk) -> Self {
        if people.is_empty() {
            return self;
        }
        let panel = HumanPanel::new(self.panel, people, Arc::new(desk.clone()));
        Self { panel: Arc::new(panel), desk: Some(desk), ..self }
    }
}

/// The panel that the settings ask for, for these seats.
pub fn seat(workplace: &Workplace, seats: &[String], console: &Console) -> Result<Seating, Failure> {
    match &workplace.settings.config.panel {
        config::Panel::Offline => Ok(offline(&workplace.catalog, seats)),
        config::Panel::Script(file) => script(workplace, file),
        config::Panel::Models => models::seat(workplace, &workplace.settings, seats, console)?.ok_or_else(no_model),
        // With no model configured the panel's own note says who answers instead.
        config::Panel::Auto => match models::seat(workplace, &workplace.settings, seats, console)? {
            Some(seating) => Ok(seating),
            None => Ok(offline(&workplace.catalog, seats)),
        },
    }
}

fn no_model() -> Failure {
    Failure::bad_input("no model is configured, and no provider's key is in the environment")
        .next("set a key such as ANTHROPIC_API_KEY, or models.default in the settings; `s2s models` lists providers")
}

/// The panel that a kept session goes on with: the one it began with (S7), the same people among it.
pub fn seat_again(workplace: &Workplace, minutes: &Minutes, desk: Desk, console: &Console) -> Result<Seating, Failure> {
    let people = minutes.seats().iter().filter(|seat| seat.is_human()).map(|seat| seat.id.to_string());
    Ok(without_people(workplace, minutes, console)?.with_people(people.collect(), desk))
}

/// The panel of a kept session, without the people at the table.
pub fn without_people(workplace: &Workplace, minutes: &Minutes, console: &Console) -> Result<Seating, Failure> {
    let asked = &workplace.settings.config.panel;
    let named = workplace.settings.origin("panel").is_some_and(|origin| origin.layer == Layer::Flag);
    match (minutes.panel(), asked) {
        // The plugin's sessions name no panel: what is asked for holds from here on.
        (None, _) => seat(workplace, &seats_of(minutes), console),
        (Some(PanelKind::Offline), config::Panel::Script(_) | config::Panel::Models) if named => {
            Err(keeps(minutes, "the offline panel"))
        }
        (Some(PanelKind::Offline), _) => Ok(offline(&workplace.catalog, &seats_of(minutes))),
        (Some(PanelKind::Script), config::Panel::Script(file)) => script(workplace, file),
        (Some(PanelKind::Script), config::Panel::Offline | config::Panel::Models) if named => {
            Err(keeps(minutes, "a scripted panel"))
        }
        (Some(PanelKind::Script), _) => {
            let id = minutes.id();
            Err(Failure::bad_input(format!("session {id} is held with a scripted panel, and no script is named"))
                .next(format!("name it again: s2s roundtable resume {id} --panel script:FILE")))
        }
        (Some(PanelKind::Models), config::Panel::Offline | config::Panel::Script(_)) if named => {
            Err(keeps(minutes, "models"))
        }
        (Some(PanelKind::Models), _) => {
            let settings = models::settings_of(workplace, minutes);
            models::seat(workplace, &settings, &seats_of(minutes), console)?.ok_or_else(no_model)
        }
    }
}

fn seats_of(minutes: &Minutes) -> Vec<String> {
    minutes.seats().iter().filter(|seat| !seat.is_human()).map(|seat| seat.id.to_string()).collect()
}

fn keeps(minutes: &Minutes, panel: &str) -> Failure {
    Failure::bad_input(format!("session {} began with {panel} and keeps it", minutes.id()))
        .next("leave --panel out, or start a new session")
}

fn offline(catalog: &Catalog, seats: &[String]) -> Seating {
    let (panel, notes) = OfflinePanel::for_seats(catalog, seats);
    Seating { panel: Arc::new(panel), notes, again: String::new(), models_again: String::new(), desk: None }
}

/// What a command that goes on with this session needs, where only the minutes are known.
pub fn script_named(minutes: &Minutes) -> &'static str {
    if minutes.panel() == Some(PanelKind::Script) { " --panel script:FILE" } else { "" }
}

/// From a settings file a script is found from the project, from a flag or variable from here.
fn script_path(workplace: &Workplace, file: &Path) -> PathBuf {
    let in_file = workplace.settings.origin("panel").is_some_and(|origin| origin.layer <= Layer::Project);
    if in_file { workplace.project.root.join(file) } else { workplace.cwd.join(file) }
}

fn script(workplace: &Workplace, file: &Path) -> Result<Seating, Failure> {
    let path = &script_path(workplace, file);
    let name = shown(&workplace.cwd, path);
    let refuse = |why: String| {
        Err(Failure::bad_input(format!("the script {name} cannot be used: {why}"))
            .next("name a YAML file of replies: --panel script:FILE (format: docs/script-panel.md)"))
    };
    match fs::metadata(path) {
        Ok(about) if !about.is_file() => return refuse("it is not a regular file".to_owned()),
        Ok(about) if about.len() > MAX_SCRIPT_BYTES => return refuse("it is larger than 64 MB".to_owned()),
        Ok(_) => {}
        Err(error) => return refuse(error.to_string()),
    }
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => return refuse(error.to_string()),
    };
    let panel = ScriptPanel::read(&name, &text)?;
    let flag = workplace.settings.origin("panel").is_some_and(|origin| origin.layer == Layer::Flag);
    let again = if flag { format!(" --panel script:{}", shell(&file.display().to_string())) } else { String::new() };
    Ok(Seating { panel: Arc::new(panel), notes: Vec::new(), again, models_again: String::new(), desk: None })
}
