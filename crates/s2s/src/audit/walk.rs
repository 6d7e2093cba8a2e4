//! One walk through a recorded session: the tape's events in order, with people's decisions from the
//! minutes. Given minutes and tape; hands on each call, commit and end as the engine comes to it.

use std::collections::VecDeque;

use s2s_engine::counted;
use s2s_engine::event::Event;
use s2s_engine::record::{InterventionKind, Outcome, Round, Ruling};
use s2s_engine::step::{Brief, CallKind, Step};
use s2s_engine::{Past, Session, next_step};
use s2s_store::{Asked, ContextChange, Minutes, Status, StoreError, TapeLine, Taped};

use super::Finding;
use crate::roundtable::{event_of, remembered};

/// What the walk has come to.
pub(super) enum Walked {
    /// A call that was made, with the brief the engine has for it.
    Asked { line: u64, brief: Option<Brief>, asked: Box<Asked> },
    /// A round the engine would commit.
    Committed { round: Box<Round> },
    /// The end the engine comes to.
    Finished { outcome: Box<Outcome> },
    /// The record does not fit itself; the walk ends here.
    Broken(Finding),
}

/// A walk under way.
pub(super) struct Walk<'m> {
    minutes: &'m Minutes,
    session: Session,
    lines: VecDeque<&'m TapeLine>,
    /// Rounds that have no tape and were taken as given.
    given: usize,
    over: bool,
    pub(super) notes: Vec<String>,
}

impl<'m> Walk<'m> {
    /// Stands before the first round that has a tape.
    pub(super) fn start(minutes: &'m Minutes, tape: &'m [TapeLine]) -> Result<Self, StoreError> {
        let first_taped = tape.iter().find_map(|line| line.what.call().map(|call| call.round)).unwrap_or(u32::MAX);
        let given = minutes.rounds().iter().take_while(|round| round.number < first_taped).count();
        let mut notes = Vec::new();
        if given > 0 {
            let rounds = counted(given, "round");
            notes.push(format!("There is no tape of {rounds} at the start; what stands in the minutes was taken"));
        }
        let mut opening = minutes.opening()?;
        let dealt = |line: &TapeLine| line.what.call().is_some_and(|call| call.kind == CallKind::Sides);
        if given == 0 && tape.iter().any(dealt) {
            opening.sides = None;
        }
        let up_to = |round: u32| round as usize <= given;
        let past = Past {
            rounds: minutes.rounds()[..given].to_vec(),
            escalations: minutes.escalations().iter().filter(|x| up_to(x.round)).cloned().collect(),
            interventions: minutes
                .interventions()
                .iter()
                .filter(|i| given > 0 && up_to(i.after_round))
                .cloned()
                .collect(),
            current_phase: (given == minutes.rounds().len()).then(|| minutes.current_phase().to_owned()),
            outcome: None,
        };
        let mut session = Session::fold(opening, past);
        remembered(&mut session, tape);
        let of_a_round = |line: &&TapeLine| line.what.call().is_some_and(|call| call.kind != CallKind::Followup);
        let lines = tape.iter().filter(of_a_round).collect();
        let mut walk = Self { minutes, session, lines, given, over: false, notes };
        if given == 0 {
            // What was said before the first round; a session that has not begun takes any of it.
            let _ = walk.intervene();
        }
        Ok(walk)
    }

    /// The session as far as the walk has come.
    pub(super) fn session(&self) -> &Session {
        &self.session
    }

    /// The next thing of note; none at the end of the record.
    pub(super) fn next_walked(&mut self) -> Option<Walked> {
        while !self.over {
            match next_step(&self.session) {
                Step::Ask(_) | Step::Pause(_) => {
                    let Some(line) = self.lines.pop_front() else { break };
                    if let Some(walked) = self.take_line(line) {
                        return Some(walked);
                    }
                }
                Step::Commit { round, .. } => {
                    let round = Box::new(round.clone());
                    if self.minutes.rounds().len() < round.number as usize {
                        // The run died between the last reply and the commit.
                        break;
                    }
                    if let Some(broken) = self.tell(Event::Committed, "round") {
                        return Some(broken);
                    }
                    if self.session.pending().is_none()
                        && let Some(broken) = self.intervene()
                    {
                        return Some(broken);
                    }
                    return Some(Walked::Committed { round });
                }
                Step::Escalate(escalation) => {
                    let kept = self.minutes.escalations().iter().find(|kept| kept.id == escalation.id);
                    let Some(ruling) = kept.and_then(|kept| kept.ruling.clone()) else { break };
                    let place = escalation.id.clone();
                    let asked_anew = Ruling { then: None, ..ruling };
                    if let Some(broken) = self.tell(Event::Ruled(Box::new(asked_anew)), &place) {
                        return Some(broken);
                    }
                    if let Some(broken) = self.intervene() {
                        return Some(broken);
                    }
                }
                Step::Finish(outcome) => {
                    self.over = true;
                    return Some(Walked::Finished { outcome });
                }
                Step::Rest => break,
            }
        }
        self.over = true;
        None
    }

    fn take_line(&mut self, line: &TapeLine) -> Option<Walked> {
        let event = event_of(line.at, &line.what)?;
        if let Some(broken) = self.tell(event, &format!("tape line {}", line.seq)) {
            return Some(broken);
        }
        let Taped::Asked(asked) = &line.what else { return None };
        let brief = match next_step(&self.session) {
            Step::Ask(briefs) => briefs.into_iter().find(|brief| brief.call == asked.call),
            _ => None,
        };
        Some(Walked::Asked { line: line.seq, brief, asked: Box::new(asked.clone()) })
    }

    fn tell(&mut self, event: Event, place: &str) -> Option<Walked> {
        let misfit = self.session.apply(event).err()?;
        self.over = true;
        Some(Walked::Broken(Finding { place: place.to_owned(), what: misfit.to_string() }))
    }

    /// What people did after the round just committed; pauses and resumptions change nothing here.
    fn intervene(&mut self) -> Option<Walked> {
        let (minutes, held) = (self.minutes, self.session.rounds().len() as u32);
        use InterventionKind::{Budget, Extend, Interjection, Skip};
        let spoke = |kind| matches!(kind, Skip | Interjection | Budget | Extend);
        let mut said = minutes.interventions().iter().filter(|i| i.after_round == held && spoke(i.kind));
        said.find_map(|done| self.tell(Event::Intervened(done.clone()), &format!("intervention after round {held}")))
    }

    /// What is amiss at the end of a walk that did not break: rounds without a tape, or a tape that
    /// says more than the minutes led to.
    pub(super) fn loose_end(&self) -> Option<Finding> {
        let missing = self.minutes.rounds().len().saturating_sub(self.session.rounds().len());
        if missing > 0 {
            let last = if missing == 1 { "round".to_owned() } else { counted(missing, "round") };
            let what = format!("the tape ends before the last {last}");
            return Some(Finding { place: "tape".to_owned(), what });
        }
        // A round that a budget ended before its commit is on the tape alone.
        let held = self.minutes.rounds().len() as u32;
        let stopped = self.minutes.interventions().iter().any(|done| done.kind == InterventionKind::Budget);
        let given_up = |line: &&&TapeLine| stopped && line.what.call().is_some_and(|call| call.round == held + 1);
        let line = self.lines.iter().find(|line| !given_up(line))?;
        let what = "nothing called for this line or what follows it".to_owned();
        Some(Finding { place: format!("tape line {}", line.seq), what })
    }

    /// The whole file written anew from what the walk came to; none where rounds were taken as given.
    pub(super) fn rebuilt(&self, minutes: &Minutes) -> Result<Option<String>, StoreError> {
        let (Some(panel), 0) = (minutes.panel(), self.given) else { return Ok(None) };
        let mut opening = self.session.opening().clone();
        if self.session.rounds().is_empty() {
            opening.sides = minutes.sides().cloned();
        }
        let source = &minutes.context().source;
        let mut anew = Minutes::new(&opening, minutes.started(), panel, minutes.panel_note(), source)?;
        for round in self.session.rounds() {
            anew.push_round(round.clone())?;
        }
        for escalation in self.session.escalations() {
            anew.push_escalation(escalation.clone())?;
        }
        for change in self.session.context_changes() {
            let by = minutes.context().changes.iter().find(|kept| kept.round == change.round);
            let by = by.map(|kept| kept.by.clone()).unwrap_or_default();
            anew.push_context_change(ContextChange { round: change.round, text: change.text.clone(), by })?;
        }
        for intervention in minutes.interventions() {
            anew.push_intervention(intervention.clone())?;
        }
        anew.set_phase(minutes.current_phase());
        if let Some(outcome) = minutes.outcome() {
            anew.set_outcome(outcome.clone())?;
        }
        if let Some(at) = minutes.paused_at() {
            anew.set_status(Status::Paused, at);
        }
        let at = minutes.completed_at().or(minutes.paused_at()).unwrap_or(minutes.started());
        anew.set_status(minutes.status(), at);
        anew.to_yaml().map(Some)
    }
}
