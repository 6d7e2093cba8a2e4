//! From a brief to a prompt: what a seat or the facilitator is told, and nothing else (L3).
//! Given the folded session, the brief and the charter; hands on a prompt. Pure: the same session and
//! brief always give the same text, which is how a session can be verified later. Deliberately
//! absent: the session file, other seats' answers of a blind round, and who answers.

mod artifacts;
mod followup;
mod values;

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use s2s_catalog::{CatalogError, render};
use s2s_engine::Session;
use s2s_engine::opening::{FACILITATOR, SeatId};
use s2s_engine::step::{Brief, CallKind};
use s2s_models::Prompt;
use s2s_store::{Opened, TapeEntry, TapeLine, Taped};

pub use followup::Followed;
pub(crate) use followup::{followed_up_on, followup_prompt};
pub(crate) use values::{FacilitatorValues, SeatValues, SystemValues};

/// The role texts and prompt templates a session started with and keeps (S7).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Charter {
    /// Role texts by seat id, the facilitator's among them.
    pub roles: BTreeMap<String, Arc<str>>,
    /// Prompt templates by name, and the agenda's notes under `agenda`.
    pub prompts: BTreeMap<String, Arc<str>>,
}

/// The prompt templates a charter needs.
pub const PROMPTS: [&str; 7] = ["facilitator", "seat", "question", "response", "synthesis", "sides", "followup"];

impl Charter {
    /// The charter as the first entry of a tape.
    pub(crate) fn entry(&self, at: Timestamp) -> TapeEntry {
        let opened = Opened { roles: self.roles.clone(), prompts: self.prompts.clone() };
        TapeEntry { at, what: Taped::Opened(opened) }
    }

    /// The charter that a tape holds.
    pub fn on_tape(tape: &[TapeLine]) -> Option<Self> {
        tape.iter().find_map(|line| match &line.what {
            Taped::Opened(opened) => Some(Self { roles: opened.roles.clone(), prompts: opened.prompts.clone() }),
            _ => None,
        })
    }

    fn prompt(&self, name: &str) -> &str {
        self.prompts.get(name).map_or("", |text| text)
    }

    /// The system part for a seat: the same in every round, so that a provider's cache can serve it. It
    /// changes only with the sides of a debate and with a context that a ruling changed.
    fn system(&self, session: &Session, seat: &SeatId) -> Result<String, CatalogError> {
        let template = if **seat == *FACILITATOR { "facilitator" } else { "seat" };
        let role = self.roles.get(&**seat).map_or("", |text| text).trim();
        render(template, self.prompt(template), SystemValues::new(session, seat, role, self.prompt("agenda")))
    }
}

/// System parts that were rendered before: they change only with the sides and with the context.
#[derive(Debug, Default)]
pub(crate) struct Systems {
    by_seat: BTreeMap<SeatId, (Stamp, Arc<str>)>,
}

/// What a system part depends on besides the opening: whether sides are taken, and how often the context changed.
type Stamp = (bool, usize);

impl Systems {
    fn of(&mut self, session: &Session, seat: &SeatId, charter: &Charter) -> Result<Arc<str>, CatalogError> {
        let now: Stamp = (session.opening().sides.is_some(), session.context_changes().len());
        if let Some((then, system)) = self.by_seat.get(seat)
            && *then == now
        {
            return Ok(Arc::clone(system));
        }
        let system: Arc<str> = charter.system(session, seat)?.into();
        self.by_seat.insert(seat.clone(), (now, Arc::clone(&system)));
        Ok(system)
    }
}

/// The prompt for one call.
pub fn prompt_for(session: &Session, brief: &Brief, charter: &Charter) -> Result<Prompt, CatalogError> {
    let mut prompts = prompts_with(session, std::slice::from_ref(brief), charter, &mut Systems::default())?;
    // One brief, one prompt.
    Ok(prompts.pop().unwrap_or_default())
}

/// As [`prompt_for`], over the calls of a step and many steps of one session and charter.
pub(crate) fn prompts_with(
    session: &Session,
    briefs: &[Brief],
    charter: &Charter,
    systems: &mut Systems,
) -> Result<Vec<Prompt>, CatalogError> {
    let mut prompts: Vec<Prompt> = Vec::with_capacity(briefs.len());
    // What the last seat was shown: in a blind round mostly what the next one is shown too.
    let mut shown: Option<SeatValues<'_>> = None;
    for brief in briefs {
        let name = brief.call.kind.as_str();
        let text = charter.prompt(name);
        let user = match brief.call.kind {
            CallKind::Response => {
                let values = SeatValues::new(session, brief);
                let user = match prompts.last() {
                    Some(last) if shown.as_ref() == Some(&values) => last.user.clone(),
                    _ => render(name, text, &values)?,
                };
                shown = Some(values);
                user
            }
            _ => {
                shown = None;
                render(name, text, FacilitatorValues::new(session, brief, charter.prompt("agenda")))?
            }
        };
        prompts.push(Prompt { system: systems.of(session, &brief.call.seat, charter)?, user });
    }
    Ok(prompts)
}
