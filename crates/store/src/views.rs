//! Looking things up in the minutes: the plain readers.
//! Given the minutes; hands out what they hold, by reference. Deliberately absent: changes (see
//! `minutes.rs`) and anything derived that is the engine's to say.

use jiff::Timestamp;
use s2s_engine::artifact::Register;
use s2s_engine::opening::{Seat, Settings, Sides, Topic, Workflow};
use s2s_engine::record::{Escalation, Intervention, InterventionKind, Outcome, Round};
use serde_json::{Map, Value};

use crate::minutes::Minutes;
use crate::nouns::{ContextGiven, Panel, Status};

impl Minutes {
    /// The session's id.
    pub fn id(&self) -> &str {
        &self.head.id
    }

    /// The question before the table.
    pub fn topic(&self) -> &str {
        &self.head.topic
    }

    /// The kind of work.
    pub fn workflow(&self) -> Workflow {
        self.head.workflow
    }

    /// The strategy's name.
    pub fn strategy(&self) -> &str {
        &self.head.strategy
    }

    /// The session that this one goes on from.
    pub fn parent(&self) -> Option<&str> {
        self.head.parent.as_deref()
    }

    /// The name of the decision record that is put to the panel again here.
    pub fn reopens(&self) -> Option<&str> {
        self.document.get("reopens").and_then(serde_json::Value::as_str)
    }

    /// The artifacts it may propose and refer to; none where it keeps no artifacts.
    pub fn register(&self) -> Option<&Register> {
        self.head.register.as_ref()
    }

    /// Where the session stands.
    pub fn status(&self) -> Status {
        self.head.status
    }

    /// When it started.
    pub fn started(&self) -> Timestamp {
        self.head.started
    }

    /// When it was paused, while it is.
    pub fn paused_at(&self) -> Option<Timestamp> {
        self.head.paused_at
    }

    /// When it ended.
    pub fn completed_at(&self) -> Option<Timestamp> {
        self.head.completed_at
    }

    /// Who answered; none in a legacy session.
    pub fn panel(&self) -> Option<Panel> {
        self.head.panel
    }

    /// The panel in words for people.
    pub fn panel_note(&self) -> &str {
        &self.head.panel_note
    }

    /// The seats, in order.
    pub fn seats(&self) -> &[Seat] {
        &self.head.seats
    }

    /// The sides of a debate, once known.
    pub fn sides(&self) -> Option<&Sides> {
        self.head.sides.as_ref()
    }

    /// The frozen settings; none in a legacy session that was not adopted.
    pub fn settings(&self) -> Option<&Settings> {
        self.head.settings.as_ref()
    }

    /// The context it started with, and its changes.
    pub fn context(&self) -> &ContextGiven {
        &self.head.context
    }

    /// The context as it holds now: the last change, or the text at the start.
    pub fn context_now(&self) -> &str {
        let context = &self.head.context;
        context.changes.last().map_or(&context.text, |change| &change.text)
    }

    /// The topics to cover.
    pub fn agenda(&self) -> &[Topic] {
        &self.head.agenda
    }

    /// The phase it is in.
    pub fn current_phase(&self) -> &str {
        &self.head.current_phase
    }

    /// The committed rounds, in order.
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// How many rounds are committed.
    pub fn total_rounds(&self) -> u32 {
        u32::try_from(self.rounds.len()).unwrap_or(u32::MAX)
    }

    /// The digest of a round as it stands in the file, by number; none in a legacy round.
    pub fn digest(&self, number: u32) -> Option<&str> {
        let index = (number as usize).checked_sub(1)?;
        self.raw_rounds.get(index)?.digest.as_deref()
    }

    /// The escalations, in order.
    pub fn escalations(&self) -> &[Escalation] {
        &self.escalations
    }

    /// The escalation that waits for a ruling.
    pub fn pending(&self) -> Option<&Escalation> {
        self.escalations.last().filter(|escalation| escalation.ruling.is_none())
    }

    /// What people did between rounds.
    pub fn interventions(&self) -> &[Intervention] {
        &self.interventions
    }

    /// How the session was last put away, while it is: when, by whom and why. None for one that was archived by a
    /// version that did not say.
    pub fn closing(&self) -> Option<&Intervention> {
        let closed = self.status() == Status::Archived;
        self.interventions.iter().rev().find(|done| closed && done.kind == InterventionKind::Close)
    }

    /// The last time that anything in the minutes tells of.
    pub fn last_at(&self) -> Timestamp {
        let rounds = self.rounds.iter().map(|round| round.timestamp);
        let raised = self.escalations.iter().filter_map(|escalation| escalation.at);
        let done = self.interventions.iter().map(|done| done.at);
        let own = self.paused_at().into_iter().chain(self.completed_at());
        rounds.chain(raised).chain(done).chain(own).fold(self.started(), Timestamp::max)
    }

    /// How it ended.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// Whether it was written by the original plugin and not adopted since: no schema version.
    pub fn is_legacy(&self) -> bool {
        self.head.schema_version.is_none()
    }

    /// How many rounds at the start have no digest of their own, because a legacy session held them.
    pub fn undigested(&self) -> usize {
        self.raw_rounds.iter().take_while(|round| round.digest.is_none()).count()
    }

    /// The fields of the file besides `rounds`, `total_rounds` and `seal`, unknown ones included.
    pub fn document(&self) -> &Map<String, Value> {
        &self.document
    }
}
