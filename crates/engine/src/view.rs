//! What prompts, screens and documents may look at: the session from outside.
//! Given a folded session; hands on references. Deliberately absent: any change.

use crate::artifact::ArtifactId;
use crate::decide::{first_topic, holds_up};
use crate::holding::Holding;
use crate::ledger::{Ledger, OpenConflict, Point};
use crate::open_round::Slot;
use crate::opening::{Coverage, Opening, SeatId};
use crate::record::{Decision, Escalation, Intervention, Outcome, Round, RoundKind, SeatResponse};
use crate::reply::{Question, Response};
use crate::session::{ContextChange, Session};
use crate::strategy::Phase;

impl Session {
    /// What the session started with; sides as they are now.
    pub fn opening(&self) -> &Opening {
        &self.opening
    }

    /// The phase of the round under way.
    pub fn phase(&self) -> &Phase {
        &self.opening.settings.method.phases[self.ledger.phase]
    }

    /// Its position, from 0.
    pub fn phase_index(&self) -> usize {
        self.ledger.phase
    }

    /// The number of the round under way, from 1.
    pub fn round_number(&self) -> u32 {
        self.open.number
    }

    /// The kind of the round under way.
    pub fn round_kind(&self) -> RoundKind {
        self.open.kind
    }

    /// Whether the round under way tests an easy consensus.
    pub fn is_probing(&self) -> bool {
        self.open.probing
    }

    /// Discussion rounds held in this phase.
    pub fn rounds_in_phase(&self) -> u32 {
        self.ledger.rounds_in_phase
    }

    /// Committed rounds.
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// The synthesis of the last committed round.
    pub fn last_synthesis(&self) -> Option<&str> {
        self.rounds.last().map(|round| round.synthesis.as_str())
    }

    /// Every point claimed so far.
    pub fn points(&self) -> &[Point] {
        &self.ledger.points
    }

    /// The point with this id.
    pub fn point(&self, id: &str) -> Option<&Point> {
        self.ledger.point(id)
    }

    /// The open conflicts, by id.
    pub fn open_conflicts(&self) -> impl Iterator<Item = &OpenConflict> {
        self.ledger.conflicts.values()
    }

    /// The coverage of each agenda topic, in agenda order.
    pub fn coverage(&self) -> &[Coverage] {
        &self.ledger.coverage
    }

    /// The artifacts it keeps, by id: its own, and those the project had before.
    pub fn artifacts(&self) -> impl Iterator<Item = &Holding> {
        self.ledger.holdings.all()
    }

    /// The artifact with this id.
    pub fn artifact(&self, id: ArtifactId) -> Option<&Holding> {
        self.ledger.holdings.get(id)
    }

    /// Live artifacts under an agenda topic. Open questions and conflicts do not count: they claim nothing (A5).
    pub fn artifacts_on(&self, topic: &str) -> u32 {
        self.ledger.holdings.on_topic(topic)
    }

    /// Whether the session may not end yet because of this topic, by its place on the agenda (B3, A5).
    pub fn is_held_up_by(&self, topic: usize) -> bool {
        holds_up(&self.opening, &self.ledger, topic).is_some()
    }

    /// The criteria of each agenda topic that are met, in agenda order (A5).
    pub fn criteria_met(&self) -> &[std::collections::BTreeSet<u32>] {
        &self.ledger.met
    }

    /// The name of the first pending topic, critical ones first (A2).
    pub fn pending_topic(&self) -> Option<&str> {
        let index = first_topic(&self.opening, &self.ledger.coverage, |_, c| c == Coverage::Pending)?;
        Some(&self.opening.agenda[index].name)
    }

    /// The question of the round under way, once it is posed.
    pub fn question(&self) -> Option<&Question> {
        self.open.posed.value().map(|posed| &posed.question)
    }

    /// The seats asked in the round under way.
    pub fn asked(&self) -> &[SeatId] {
        self.open.posed.value().map_or(&[], |posed| &posed.asked)
    }

    /// The answers given so far in the round under way, in seat order.
    pub fn responses(&self) -> impl Iterator<Item = (&SeatId, &Response)> {
        self.open.responses.iter().filter_map(|(seat, slot)| Some((seat, slot.value()?)))
    }

    /// The asked seats that gave no answer in the round under way (L5).
    pub fn silent(&self) -> impl Iterator<Item = &SeatId> {
        self.open.responses.iter().filter(|(_, slot)| matches!(slot, Slot::Lost(_))).map(|(seat, _)| seat)
    }

    /// The answers of a committed round, where they are known.
    pub fn answers_of(&self, round: u32) -> Option<&[SeatResponse]> {
        self.answers.get(round.checked_sub(1)? as usize)?.as_deref()
    }

    /// The escalation that waits for a ruling.
    pub fn pending(&self) -> Option<&Escalation> {
        self.escalations.last().filter(|escalation| escalation.ruling.is_none())
    }

    /// Whether a person answers for this seat.
    pub fn is_human(&self, seat: &str) -> bool {
        self.opening.seats.iter().any(|known| &*known.id == seat && known.is_human())
    }

    /// The people who are asked in the round under way and have not answered.
    pub fn people_missing(&self) -> impl Iterator<Item = &SeatId> {
        let missing = self.open.responses.iter().filter(|(_, slot)| slot.attempt().is_some());
        missing.map(|(seat, _)| seat).filter(|seat| self.is_human(seat))
    }

    /// Whether anybody was asked in the round under way. Until then people may still speak to the table (L8).
    pub fn is_under_way(&self) -> bool {
        self.open.first_at.is_some()
    }

    /// What people said to the table since the last committed round.
    pub fn unheard(&self) -> impl Iterator<Item = &str> {
        let held = self.rounds.len() as u32;
        let since = self.interventions.iter().filter(move |done| done.after_round == held);
        since.filter_map(|done| done.said_to_the_table())
    }

    /// All escalations.
    pub fn escalations(&self) -> &[Escalation] {
        &self.escalations
    }

    /// What people did between rounds.
    pub fn interventions(&self) -> &[Intervention] {
        &self.interventions
    }

    /// Changes of the context by rulings.
    pub fn context_changes(&self) -> &[ContextChange] {
        &self.context_changes
    }

    /// The decision that leads to what is next: the last round's, or the one after its ruling.
    pub fn last_decision(&self) -> Option<&Decision> {
        let ruled = self.escalations.last().filter(|x| x.round as usize == self.rounds.len());
        let then = ruled.and_then(|x| x.ruling.as_ref()).and_then(|ruling| ruling.then.as_ref());
        self.ending.as_ref().or(then).or_else(|| self.rounds.last().map(|round| &round.decision))
    }

    /// Whether every call of the session has been made.
    pub fn has_ended(&self) -> bool {
        self.is_over()
    }

    /// How the session ended, once it is closed.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    pub(crate) fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The side of a seat, where the strategy has two: `pro` or `con`.
    pub fn side_of(&self, seat: &str) -> Option<&'static str> {
        let sides = self.opening.sides.as_ref()?;
        let on = |side: &[SeatId]| side.iter().any(|id| &**id == seat);
        if on(&sides.pro) { Some("pro") } else { on(&sides.con).then_some("con") }
    }
}
