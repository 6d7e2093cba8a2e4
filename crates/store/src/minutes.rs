//! The minutes: what a session has decided, as one document.
//! Holds the document as it was read (unknown fields included, order kept) and beside it the typed
//! view that the engine folds; every change goes to both. Committed rounds are kept as they are and
//! never made anew (S3). Deliberately absent: files, and any judgement of what is written down.

use std::sync::Arc;

use jiff::Timestamp;
use s2s_engine::artifact::Register;
use s2s_engine::opening::{Opening, Seat, Settings, Sides, Topic, Workflow};
use s2s_engine::record::{Escalation, Intervention, InterventionKind, Outcome, Round, Ruling};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::chain;
use crate::error::StoreError;
use crate::known;
use crate::layout::is_settled;
use crate::nouns::{Adoption, ContextChange, ContextGiven, Panel, Status};
use crate::written::{RawRound, Written};

/// The newest schema that this program reads, and the one it writes.
pub const SCHEMA_VERSION: u64 = 1;

/// The typed view of everything but the rounds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Head {
    pub schema_version: Option<u64>,
    pub id: String,
    pub topic: String,
    pub workflow: Workflow,
    pub strategy: String,
    pub status: Status,
    pub started: Timestamp,
    pub paused_at: Option<Timestamp>,
    pub completed_at: Option<Timestamp>,
    pub panel: Option<Panel>,
    pub panel_note: String,
    pub seats: Vec<Seat>,
    pub sides: Option<Sides>,
    pub settings: Option<Settings>,
    pub context: ContextGiven,
    pub agenda: Vec<Topic>,
    pub register: Option<Register>,
    pub parent: Option<String>,
    pub current_phase: String,
}

/// The minutes of one session.
#[derive(Debug, Clone, PartialEq)]
pub struct Minutes {
    /// Every top-level field but `rounds`, `total_rounds` and `seal`, as in the file.
    pub(crate) document: Map<String, Value>,
    /// The rounds as in the file, digests included. Shared, because they never change.
    pub(crate) raw_rounds: Vec<Arc<RawRound>>,
    /// The digest of the last round; none while there is no round, since the head can still change.
    pub(crate) last_digest: Option<String>,
    pub(crate) head: Head,
    pub(crate) rounds: Vec<Round>,
    /// With the position of each in the document, where entries of another shape may stand between.
    pub(crate) escalations: Vec<Escalation>,
    pub(crate) escalation_rows: Vec<usize>,
    pub(crate) interventions: Vec<Intervention>,
    pub(crate) outcome: Option<Outcome>,
    /// The text of the parts that hardly ever change.
    pub(crate) settled: Written,
}

impl Minutes {
    /// The minutes of a session that starts now.
    ///
    /// # Errors
    /// If the opening holds a value that could not be read back.
    pub fn new(
        opening: &Opening,
        started: Timestamp,
        panel: Panel,
        panel_note: &str,
        context_source: &str,
    ) -> Result<Self, StoreError> {
        let settings = &opening.settings;
        let first_phase = settings.method.phases.first().map_or("", |phase| phase.name.as_str());
        let mut document = json!({
            "schema_version": SCHEMA_VERSION,
            "id": opening.id,
            "topic": opening.topic,
            "workflow_type": opening.workflow,
            "strategy": settings.method.name,
            "status": Status::Active,
            "started": started,
            "paused_at": null,
            "completed_at": null,
            "panel": panel,
            "panel_note": panel_note,
            "participants": opening.seats,
            "settings": settings,
            "context": ContextGiven { source: context_source.to_owned(), text: opening.context.clone(), changes: Vec::new() },
            "agenda": opening.agenda,
            "current_phase": first_phase,
            "escalations": [],
            "interventions": [],
            "outcome": null,
        });
        if let (Some(sides), Some(map)) = (&opening.sides, document.as_object_mut()) {
            map.insert("debate_sides".to_owned(), to_value(sides)?);
        }
        if let (Some(register), Some(map)) = (&opening.register, document.as_object_mut()) {
            let value = known::folded(register).map_err(|error| StoreError::refused(error.to_string()))?;
            map.insert("register".to_owned(), value);
        }
        if let (Some(parent), Some(map)) = (&opening.parent, document.as_object_mut()) {
            map.insert("parent".to_owned(), Value::from(parent.as_str()));
        }
        let minutes = Self::from_document(document)?;
        if minutes.opening()? != *opening {
            return Err(StoreError::refused("the opening of the session holds a value that cannot be written down"));
        }
        Ok(minutes)
    }

    /// Adds a committed round. Its number must be the next one.
    ///
    /// # Errors
    /// If it is not, if the round could not be read back, or if the minutes would grow too large.
    pub fn push_round(&mut self, round: Round) -> Result<(), StoreError> {
        let expected = self.rounds.len() as u64 + 1;
        if u64::from(round.number) != expected {
            return Err(StoreError::refused(format!("round {} where round {expected} is due", round.number)));
        }
        let mut raw = to_value(&round)?;
        if Round::deserialize(&raw).ok().as_ref() != Some(&round) {
            return Err(StoreError::refused(format!("round {} holds a number that is not finite", round.number)));
        }
        self.check_room(&raw)?;
        let digest = chain::digest_of_round(&self.chained(), &raw);
        if let Value::Object(map) = &mut raw {
            map.insert("digest".to_owned(), Value::from(digest.as_str()));
        }
        self.raw_rounds.push(Arc::new(RawRound::new(raw)));
        self.rounds.push(round);
        self.last_digest = Some(digest);
        Ok(())
    }

    /// Adds an escalation, pending or with its ruling.
    ///
    /// # Errors
    /// If one is pending already (E10), or the value could not be read back.
    pub fn push_escalation(&mut self, escalation: Escalation) -> Result<(), StoreError> {
        if let Some(pending) = self.pending() {
            return Err(StoreError::refused(format!("a second escalation while {} is pending", pending.id)));
        }
        let row = self.push_to("escalations", to_value(&escalation)?)?;
        self.escalation_rows.push(row);
        self.escalations.push(escalation);
        Ok(())
    }

    /// Settles the pending escalation (E10).
    ///
    /// # Errors
    /// If none is pending.
    pub fn set_ruling(&mut self, ruling: Ruling) -> Result<(), StoreError> {
        let raw = to_value(&ruling)?;
        let pending = self.escalations.last_mut().filter(|escalation| escalation.ruling.is_none());
        let row = self.escalation_rows.last().copied();
        let place = row.and_then(|row| self.document.get_mut("escalations")?.get_mut(row)?.as_object_mut());
        let (Some(pending), Some(place)) = (pending, place) else {
            return Err(StoreError::refused("a ruling without a pending escalation"));
        };
        place.insert("ruling".to_owned(), raw);
        pending.ruling = Some(ruling);
        Ok(())
    }

    /// Adds what a person did between rounds.
    ///
    /// # Errors
    /// If the value could not be written down.
    pub fn push_intervention(&mut self, intervention: Intervention) -> Result<(), StoreError> {
        self.push_to("interventions", to_value(&intervention)?)?;
        self.interventions.push(intervention);
        Ok(())
    }

    /// Notes that a ruling changed the context from here on (E8).
    ///
    /// # Errors
    /// If the value could not be written down.
    pub fn push_context_change(&mut self, change: ContextChange) -> Result<(), StoreError> {
        let raw = to_value(&change)?;
        let context = self.document.entry("context").or_insert_with(|| json!({ "source": "", "text": "" }));
        let Value::Object(context) = context else {
            return Err(StoreError::refused("`context` is not a map"));
        };
        match context.entry("changes").or_insert_with(|| json!([])) {
            Value::Array(changes) => changes.push(raw),
            other => *other = json!([raw]),
        }
        self.head.context.changes.push(change);
        self.settled = Written::default();
        Ok(())
    }

    /// Sets where the session stands, with the time of a pause or of the end.
    pub fn set_status(&mut self, status: Status, at: Timestamp) {
        self.head.status = status;
        self.put("status", Value::from(status.as_str()));
        match status {
            Status::Active => self.set_time("paused_at", None),
            Status::Paused => self.set_time("paused_at", Some(at)),
            Status::Completed => self.set_time("completed_at", Some(at)),
            Status::Archived => {}
        }
    }

    /// Puts the session away unfinished: who did it and why stands with what people did between rounds.
    ///
    /// # Errors
    /// If the value could not be written down.
    pub fn close(&mut self, at: Timestamp, by: &str, reason: Option<&str>) -> Result<(), StoreError> {
        let after_round = self.total_rounds();
        let (text, by) = (reason.map(str::to_owned), Some(by.to_owned()));
        let kind = InterventionKind::Close;
        self.push_intervention(Intervention { at, after_round, kind, text, by, rounds: None })?;
        self.set_status(Status::Archived, at);
        Ok(())
    }

    /// Sets the phase the session is in.
    pub fn set_phase(&mut self, phase: &str) {
        phase.clone_into(&mut self.head.current_phase);
        self.put("current_phase", Value::from(phase));
    }

    /// Sets the sides of a debate (T3), which may be known only after the start.
    ///
    /// # Errors
    /// Once a round is committed: the sides are part of what its digest covers.
    pub fn set_sides(&mut self, sides: Sides) -> Result<(), StoreError> {
        if !self.rounds.is_empty() && self.head.sides.as_ref() != Some(&sides) {
            return Err(StoreError::refused("other sides after the first round"));
        }
        self.put("debate_sides", to_value(&sides)?);
        self.head.sides = Some(sides);
        Ok(())
    }

    /// Notes the decision record that is put to the panel again, so that it can be marked whoever ends the session.
    ///
    /// # Errors
    /// Once a round is committed: it is part of what its digest covers.
    pub fn set_reopens(&mut self, record: &str) -> Result<(), StoreError> {
        if !self.rounds.is_empty() {
            return Err(StoreError::refused("another record to reopen after the first round"));
        }
        self.put("reopens", Value::from(record));
        Ok(())
    }

    /// Sets the outcome, or what became known of it later, such as the paths of its documents.
    ///
    /// # Errors
    /// If the value could not be written down.
    pub fn set_outcome(&mut self, outcome: Outcome) -> Result<(), StoreError> {
        let raw = to_value(&outcome)?;
        match (self.document.get_mut("outcome"), raw) {
            (Some(Value::Object(old)), Value::Object(new)) => old.extend(new),
            (_, raw) => self.put("outcome", raw),
        }
        self.outcome = Some(outcome);
        Ok(())
    }

    /// Makes a legacy session one of ours: it gets settings, and digests from the next round on.
    ///
    /// # Errors
    /// If it is not a legacy one, or a value could not be written down.
    pub fn adopt(&mut self, adoption: Adoption) -> Result<(), StoreError> {
        if !self.is_legacy() || self.undigested() < self.rounds.len() {
            return Err(StoreError::refused("new settings for a session that has its own"));
        }
        let head = &mut self.head;
        head.schema_version = Some(SCHEMA_VERSION);
        let fields = [
            ("schema_version", Value::from(SCHEMA_VERSION)),
            ("id", Value::from(head.id.as_str())),
            ("topic", Value::from(head.topic.as_str())),
            ("workflow_type", to_value(&head.workflow)?),
            ("status", to_value(&head.status)?),
            ("started", to_value(&head.started)?),
            ("paused_at", to_value(&head.paused_at)?),
            ("completed_at", to_value(&head.completed_at)?),
            ("panel", to_value(&adoption.panel)?),
            ("panel_note", Value::from(adoption.panel_note.as_str())),
            ("participants", to_value(&adoption.seats)?),
            ("settings", to_value(&adoption.settings)?),
            ("context", to_value(&adoption.context)?),
            ("agenda", to_value(&adoption.agenda)?),
        ];
        let Adoption { settings, seats, panel, panel_note, context, agenda } = adoption;
        head.settings = Some(settings);
        head.seats = seats;
        head.panel = Some(panel);
        head.panel_note = panel_note;
        head.context = context;
        head.agenda = agenda;
        for (key, value) in fields {
            self.put(key, value);
        }
        // The head is part of the chain: what the old rounds hang on has just changed.
        self.last_digest = None;
        let mut last = self.chained();
        for round in &self.raw_rounds {
            last = chain::digest_of_round(&last, &round.value()?);
        }
        self.last_digest = (!self.raw_rounds.is_empty()).then_some(last);
        Ok(())
    }

    /// What the session started with, for the engine.
    ///
    /// # Errors
    /// For a legacy session that was not adopted: it has no settings.
    pub fn opening(&self) -> Result<Opening, StoreError> {
        let head = &self.head;
        let settings = head.settings.clone().ok_or_else(|| StoreError::NoSettings { id: head.id.clone() })?;
        Ok(Opening {
            id: head.id.clone(),
            topic: head.topic.clone(),
            workflow: head.workflow,
            seats: head.seats.clone(),
            sides: head.sides.clone(),
            settings,
            agenda: head.agenda.clone(),
            context: head.context.text.clone(),
            register: head.register.clone(),
            parent: head.parent.clone(),
        })
    }

    /// The digest that the next round hangs on.
    pub(crate) fn chained(&self) -> String {
        self.last_digest.clone().unwrap_or_else(|| chain::digest_of_head(&self.document))
    }

    fn put(&mut self, key: &str, value: Value) {
        if is_settled(key) {
            self.settled = Written::default();
        }
        self.document.insert(key.to_owned(), value);
    }

    fn set_time(&mut self, key: &str, at: Option<Timestamp>) {
        self.put(key, at.map_or(Value::Null, |at| Value::from(at.to_string())));
        match key {
            "paused_at" => self.head.paused_at = at,
            _ => self.head.completed_at = at,
        }
    }

    /// Appends to a list of the document; a missing or `null` one is begun. Gives the position.
    fn push_to(&mut self, key: &str, value: Value) -> Result<usize, StoreError> {
        self.check_room(&value)?;
        let list = self.document.entry(key).or_insert_with(|| json!([]));
        if list.is_null() {
            *list = json!([]);
        }
        let list = list.as_array_mut().ok_or_else(|| StoreError::refused(format!("`{key}` is not a list")))?;
        list.push(value);
        Ok(list.len() - 1)
    }

    /// What could be written but never read again is not taken in.
    fn check_room(&self, more: &Value) -> Result<(), StoreError> {
        let values: usize = self.raw_rounds.iter().map(|round| round.count).sum::<usize>()
            + self.document.values().map(count).sum::<usize>()
            + count(more);
        if values > s2s_yaml::MAX_NODES / 2 {
            return Err(StoreError::Full { id: self.head.id.clone(), what: format!("{values} values") });
        }
        Ok(())
    }
}

/// Values in a tree, keys counted as the reader counts them.
pub(crate) fn count(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(count).sum::<usize>(),
        Value::Object(map) => 1 + map.values().map(|value| 1 + count(value)).sum::<usize>(),
        _ => 1,
    }
}

fn to_value<T: Serialize>(value: &T) -> Result<Value, StoreError> {
    serde_json::to_value(value).map_err(|error| StoreError::refused(format!("a value that cannot be written: {error}")))
}
