//! From what is on disk to what an audience is told, in the order in which it happened.
//! Given lines of the tape and minutes; hands on the notices that the driver told. An answer of the round under way is
//! told as soon as it is on the tape, unless a person sits at the table who has not answered yet: whoever watches
//! could be that person, and a round is blind for everybody (L3). Deliberately absent: files and time.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use jiff::Timestamp;
use s2s_engine::event::Event;
use s2s_engine::opening::SeatId;
use s2s_engine::record::{Intervention, InterventionKind};
use s2s_engine::step::{CallId, CallKind};
use s2s_engine::{Past, Session};
use s2s_models::money::Amount;
use s2s_store::{Minutes, StoreError, TapeLine, Taped};

use crate::failure::Failure;
use crate::roundtable::{Audience, ConflictShown, Notice, Spent, TopicShown, amount_of, end_of, event_of, lost};

/// The model of a seat that a person answers for.
const HUMAN: &str = "human";

/// What was told so far.
#[derive(Debug)]
pub(super) struct Telling {
    session: Session,
    rounds_told: usize,
    /// Lines of the tape that are not told yet.
    lines: VecDeque<TapeLine>,
    /// What happened in the round under way; the minutes do not have it.
    events: Vec<Event>,
    /// Calls in flight: since when, and what was reserved for each.
    in_flight: BTreeMap<CallId, (Timestamp, Amount)>,
    spent: Spent,
    /// What was told of it.
    spent_told: Spent,
    humans: BTreeSet<SeatId>,
    /// Those of them who have answered in the round under way, or will not.
    humans_done: BTreeSet<SeatId>,
    /// Answers that wait for theirs.
    held_back: Vec<Notice>,
    raised: BTreeSet<String>,
    settled: BTreeSet<String>,
    interventions_told: usize,
    shown_sides: bool,
    shown_round: u32,
    shown_question: u32,
    warned: bool,
}

impl Telling {
    pub(super) fn of(minutes: &Minutes, from_start: bool) -> Result<Self, StoreError> {
        let rounds_told = if from_start { 0 } else { minutes.rounds().len() };
        let humans = minutes.seats().iter().filter(|seat| is_human(&seat.model)).map(|seat| seat.id.clone());
        let mut telling = Self {
            session: folded(minutes, rounds_told, true)?,
            rounds_told,
            lines: VecDeque::new(),
            events: Vec::new(),
            in_flight: BTreeMap::new(),
            spent: Spent::default(),
            spent_told: Spent::default(),
            humans: humans.collect(),
            humans_done: BTreeSet::new(),
            held_back: Vec::new(),
            raised: BTreeSet::new(),
            settled: BTreeSet::new(),
            interventions_told: 0,
            shown_sides: false,
            shown_round: 0,
            shown_question: 0,
            warned: false,
        };
        if !from_start {
            let settled = minutes.escalations().iter().filter(|raised| raised.ruling.is_some());
            telling.settled = settled.map(|raised| raised.id.clone()).collect();
            telling.raised.clone_from(&telling.settled);
            telling.interventions_told = minutes.interventions().len();
        }
        Ok(telling)
    }

    pub(super) fn session(&self) -> &Session {
        &self.session
    }

    pub(super) fn rounds_told(&self) -> usize {
        self.rounds_told
    }

    /// Takes new lines; those of rounds that are not told any more only count as spent.
    pub(super) fn take(&mut self, lines: Vec<TapeLine>) {
        self.lines.extend(lines.into_iter().filter(|line| line.what.call().is_some()));
    }

    /// Tells what is there, up to this many committed rounds; says whether anything was told.
    pub(super) fn advance(
        &mut self,
        minutes: &Minutes,
        committed: usize,
        audience: &mut dyn Audience,
    ) -> Result<bool, Failure> {
        let mut told = self.people(minutes, audience)?;
        loop {
            let open = self.rounds_told as u32 + 1;
            while let Some(line) = self.lines.pop_front_if(|line| round_of(line) <= open) {
                told |= round_of(&line) == open;
                self.line(&line, audience);
            }
            if self.rounds_told >= committed {
                if !self.waits_for_a_person() {
                    self.tell_spent(audience);
                }
                return Ok(told);
            }
            self.commit(minutes, audience)?;
            self.people(minutes, audience)?;
            told = true;
        }
    }

    fn line(&mut self, line: &TapeLine, audience: &mut dyn Audience) {
        let Some(call) = line.what.call() else { return };
        // A round that a budget gave up is on the tape alone.
        let past = call.round as usize <= self.rounds_told || call.round != self.session.round_number();
        if let Taped::Asked(asked) = &line.what {
            if is_human(&asked.model) {
                self.humans.insert(call.seat.clone());
            }
            // Asked again without an end: the call was lost, and counts at its most (L7).
            if let Some((_, lost)) = self.in_flight.insert(call.clone(), (line.at, amount_of(&lost(asked)))) {
                self.lose(lost);
            }
            // A follow-up is beside the record, and told to whoever asked (L9).
            if past || call.kind == CallKind::Followup {
                return;
            }
            self.progress(audience);
            self.humans_done.remove(&call.seat);
            self.apply(Event::Asked { call: call.clone(), at: line.at }, line.seq, audience);
            let (call, seat, model) = (call.to_string(), call.seat.to_string(), asked.model.clone());
            audience.notice(&Notice::CallStarted { call, seat, model });
            return;
        }
        let spent = match &line.what {
            Taped::Answered(answered) => amount_of(&answered.usage),
            Taped::Failed(failed) => amount_of(&failed.usage),
            _ => Amount::default(),
        };
        self.spent.amount = self.spent.amount + spent;
        let asked_at = self.in_flight.remove(call).map_or(line.at, |(at, _)| at);
        let Some(event) = event_of(line.at, &line.what) else { return };
        if past {
            return;
        }
        let ended = Notice::CallEnded {
            call: call.to_string(),
            seat: call.seat.to_string(),
            end: end_of(&event),
            duration_ms: line.at.duration_since(asked_at).as_millis().max(0) as u64,
            cost_usd: spent.usd,
            spent_usd: self.spent.amount.usd,
        };
        self.apply(event, line.seq, audience);
        if call.kind == CallKind::Response && self.humans.contains(&call.seat) {
            self.humans_done.insert(call.seat.clone());
        }
        match call.kind == CallKind::Response && self.waits_for_a_person() {
            true => self.held_back.push(ended),
            false => {
                self.let_go(audience);
                audience.notice(&ended);
                self.tell_spent(audience);
            }
        }
    }

    /// Counts a call that its run was cut off from, at what was reserved for it (L7).
    fn lose(&mut self, most: Amount) {
        self.spent.amount = self.spent.amount + most;
        self.spent.lost = self.spent.lost + most;
    }

    /// Tells what was spent, where that is news.
    fn tell_spent(&mut self, audience: &mut dyn Audience) {
        if self.spent != self.spent_told {
            self.spent_told = self.spent;
            audience.notice(&self.spent.told());
        }
    }

    /// Nobody drives the session any more: what is in flight will not come.
    pub(super) fn close_the_bill(&mut self, audience: &mut dyn Audience) {
        for (_, most) in std::mem::take(&mut self.in_flight).into_values() {
            self.lose(most);
        }
        self.tell_spent(audience);
    }

    /// Whether a person was asked in the round under way and has not answered.
    fn waits_for_a_person(&self) -> bool {
        self.session.asked().iter().any(|seat| self.humans.contains(seat) && !self.humans_done.contains(seat))
    }

    fn let_go(&mut self, audience: &mut dyn Audience) {
        self.held_back.drain(..).for_each(|notice| audience.notice(&notice));
    }

    fn apply(&mut self, event: Event, seq: u64, audience: &mut dyn Audience) {
        match self.session.apply(event.clone()) {
            Ok(()) => self.events.push(event),
            // The calls are told all the same; the round itself will be, when it is committed.
            Err(misfit) if !self.warned => {
                self.warned = true;
                let text = format!("The tape does not fit the minutes at line {seq}: {misfit}.");
                audience.notice(&Notice::Warned { text });
            }
            Err(_) => {}
        }
    }

    /// Tells a committed round, as it was when it was committed.
    fn commit(&mut self, minutes: &Minutes, audience: &mut dyn Audience) -> Result<(), Failure> {
        self.progress(audience);
        self.let_go(audience);
        self.tell_spent(audience);
        self.rounds_told += 1;
        self.events.clear();
        self.humans_done.clear();
        self.session = folded(minutes, self.rounds_told, false)?;
        if let Some(round) = minutes.rounds().get(self.rounds_told - 1) {
            audience.notice(&Notice::RoundCommitted {
                round: Box::new(round.clone()),
                open_conflicts: self.session.open_conflicts().map(ConflictShown::from).collect(),
                agenda: TopicShown::all(&self.session),
            });
        }
        self.fold_again(minutes)
    }

    /// Tells what people were asked and did after the rounds told so far; says whether there was anything.
    fn people(&mut self, minutes: &Minutes, audience: &mut dyn Audience) -> Result<bool, Failure> {
        let mut told = false;
        for escalation in minutes.escalations().iter().filter(|raised| raised.round as usize <= self.rounds_told) {
            if self.raised.insert(escalation.id.clone()) {
                let mut asked = escalation.clone();
                asked.ruling = None;
                audience.notice(&Notice::EscalationRaised { escalation: Box::new(asked) });
                told = true;
            }
            if let Some(ruling) = escalation.ruling.clone()
                && self.settled.insert(escalation.id.clone())
            {
                audience.notice(&Notice::EscalationSettled { id: escalation.id.clone(), ruling });
                told = true;
            }
        }
        let done = minutes.interventions().iter().skip(self.interventions_told);
        for done in done.take_while(|done| done.after_round as usize <= self.rounds_told) {
            self.interventions_told += 1;
            told = true;
            if let Some(notice) = told_of(done) {
                audience.notice(&notice);
            }
        }
        if told {
            self.fold_again(minutes)?;
        }
        Ok(told)
    }

    /// The session with all that is known now, and with what happened in the round under way.
    fn fold_again(&mut self, minutes: &Minutes) -> Result<(), Failure> {
        self.session = folded(minutes, self.rounds_told, true)?;
        if self.session.has_ended() || self.session.pending().is_some() {
            return Ok(());
        }
        let open = self.session.round_number();
        for event in self.events.iter().filter(|event| round_in(event) == Some(open)) {
            // What fitted before fits again, unless the round was given up meanwhile.
            let _ = self.session.apply(event.clone());
        }
        Ok(())
    }

    /// The sides once they are known, a round's head once, and its question once it is posed.
    fn progress(&mut self, audience: &mut dyn Audience) {
        let session = &self.session;
        if let Some(sides) = session.opening().sides.as_ref().filter(|_| !self.shown_sides) {
            self.shown_sides = true;
            let names = |seats: &[SeatId]| seats.iter().map(ToString::to_string).collect();
            let (pro, con) = (names(&sides.pro), names(&sides.con));
            audience.notice(&Notice::SidesTaken { proposal: sides.proposal.clone(), pro, con });
        }
        let number = session.round_number();
        if self.shown_round < number {
            self.shown_round = number;
            audience.notice(&Notice::RoundStarted {
                round: number,
                max_rounds: session.opening().settings.limits.max_rounds,
                phase: session.phase().name.clone(),
                kind: session.round_kind(),
                agenda: TopicShown::all(session),
            });
        }
        if let Some(question) = session.question()
            && self.shown_question < number
        {
            self.shown_question = number;
            audience.notice(&Notice::QuestionPosed {
                round: number,
                question: question.question.clone(),
                focus: question.focus.clone(),
                asked: session.asked().iter().map(ToString::to_string).collect(),
                probing: session.is_probing(),
            });
        }
    }
}

/// The session after this many rounds; `with` what people decided after the last of them, or as it was before.
fn folded(minutes: &Minutes, rounds: usize, with: bool) -> Result<Session, StoreError> {
    let all = minutes.rounds();
    let last = rounds as u32;
    let mut escalations: Vec<_> = minutes.escalations().iter().filter(|raised| raised.round <= last).cloned().collect();
    if !with {
        escalations.iter_mut().filter(|raised| raised.round == last).for_each(|raised| raised.ruling = None);
    }
    let before = |done: &&Intervention| done.after_round < last || (with && done.after_round == last);
    let past = Past {
        rounds: all[..rounds].to_vec(),
        escalations,
        interventions: minutes.interventions().iter().filter(before).cloned().collect(),
        current_phase: Some(all.get(rounds).map_or(minutes.current_phase(), |next| next.phase.as_str()).to_owned()),
        outcome: minutes.outcome().filter(|_| with && rounds == all.len()).cloned(),
    };
    Ok(Session::fold(minutes.opening()?, past))
}

/// What to say of something that was done between rounds; a pause is told by itself.
fn told_of(done: &Intervention) -> Option<Notice> {
    let said = done.text.as_deref().unwrap_or_default();
    let noted = |text: String| Some(Notice::Noted { text });
    match done.kind {
        InterventionKind::Budget => {
            let text = if said.is_empty() { "Reached the budget" } else { said };
            Some(Notice::Warned { text: format!("{text}. The session concludes with what it has.") })
        }
        InterventionKind::Interjection => noted(format!("Said to the table: {said}")),
        InterventionKind::Skip => noted("A person asked to skip to the end.".to_owned()),
        InterventionKind::Extend => noted("A person asked for more rounds.".to_owned()),
        InterventionKind::Resume => noted("The session was paused, and is taken up again.".to_owned()),
        _ => None,
    }
}

fn is_human(model: &str) -> bool {
    model == HUMAN || model.strip_prefix(HUMAN).is_some_and(|rest| rest.starts_with(':'))
}

fn round_of(line: &TapeLine) -> u32 {
    line.what.call().map_or(0, |call| call.round)
}

fn round_in(event: &Event) -> Option<u32> {
    match event {
        Event::Asked { call, .. }
        | Event::Answered { call, .. }
        | Event::Refused { call, .. }
        | Event::Failed { call, .. } => Some(call.round),
        _ => None,
    }
}
