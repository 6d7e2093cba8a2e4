//! The course of a session: what follows from a commit, a ruling, an intervention (L1, D1, D8, E8),
//! and the fold of a whole record, which walks the same way (S4). Given what happened; hands on the
//! next open round, or the end. Deliberately absent: the calls of a round.

use crate::closing::BALLOT_QUESTION;
use crate::decide::{Situation, decide, unused_probe};
use crate::open_round::{OpenRound, Slot};
use crate::opening::Opening;
use crate::record::{
    Because, Decision, Escalation, Intervention, InterventionKind, RoundKind, RuledBy, Ruling, RulingChoice,
    SeatResponse,
};
use crate::reply::{Action, Question};
use crate::session::{ContextChange, Misfit, Past, Session};

impl Session {
    /// The session that this record tells of (S4).
    pub fn fold(opening: Opening, past: Past) -> Self {
        let mut session = Self::open(opening);
        let mut escalations = past.escalations.into_iter().peekable();
        let mut interventions = past.interventions.into_iter().peekable();
        let legacy_phase = past.current_phase.and_then(|name| session.opening.settings.method.phase_index(&name));
        for round in past.rounds {
            let number = round.number;
            while let Some(intervention) = interventions.next_if(|intervention| intervention.after_round < number) {
                session.intervene(intervention);
            }
            session.ending = None;
            session.ledger.absorb(&session.opening, &round);
            let mut decision = round.decision.clone();
            session.answers.push(round.responses.clone());
            session.rounds.push(round);
            if let Some(escalation) = escalations.next_if(|escalation| escalation.round <= number) {
                if let Some(ruling) = escalation.ruling.clone() {
                    decision = session.take_ruling(&escalation, &ruling);
                }
                session.escalations.push(escalation);
            }
            session.carry_out(&decision);
        }
        session.escalations.extend(escalations);
        interventions.for_each(|intervention| session.intervene(intervention));
        let undecided = session.rounds.last().is_some_and(|round| round.decision.because.is_empty());
        if let (true, Some(phase)) = (undecided, legacy_phase) {
            session.enter_phase(phase);
        }
        session.outcome = past.outcome;
        session.find_way_back();
        session
    }

    /// A record that says "escalate" without its question (no run of ours leaves one) goes on as if the
    /// question had been answered, instead of holding its last round twice.
    fn find_way_back(&mut self) {
        let adrift = self.open.number as usize != self.rounds.len() + 1;
        if adrift && !self.is_over() && self.pending().is_none() {
            let decision = self.decide_again();
            self.carry_out(&decision);
        }
    }

    /// Gives back the answers of a committed round that the minutes do not hold. Only what the round
    /// counted is taken: a reply that was refused, or a vote on nothing, was never part of it.
    pub fn remember(&mut self, round: u32, mut answers: Vec<SeatResponse>) {
        let index = round.saturating_sub(1) as usize;
        let (Some(slot), Some(round)) = (self.answers.get_mut(index), self.rounds.get(index)) else { return };
        answers.retain(|answer| round.confidence.contains_key(&answer.participant));
        for answer in &mut answers {
            answer.votes.retain(|point, _| round.tallies.iter().any(|tally| tally.point == *point));
        }
        slot.get_or_insert(answers);
    }

    pub(crate) fn committed(&mut self) -> Result<(), Misfit> {
        let Some(ready) = self.ready.take() else {
            return Err(Misfit { event: "committed".into(), state: "no round is ready".into() });
        };
        let decision = ready.round.decision.clone();
        self.rounds.push(ready.round);
        self.answers.push(Some(ready.answers));
        self.escalations.extend(ready.escalation);
        self.carry_out(&decision);
        Ok(())
    }

    pub(crate) fn ruled(&mut self, mut ruling: Ruling) -> Result<(), Misfit> {
        let event = || format!("ruling \"{}\"", ruling.choice);
        let Some(escalation) = self.pending().cloned() else {
            return Err(Misfit { event: event(), state: "no escalation is pending".into() });
        };
        if let Some(state) = unfit(&escalation, &ruling) {
            return Err(Misfit { event: event(), state });
        }
        ruling.then = None;
        let decision = self.take_ruling(&escalation, &ruling);
        ruling.then = Some(decision.clone());
        if let Some(pending) = self.escalations.last_mut() {
            pending.ruling = Some(ruling);
        }
        self.carry_out(&decision);
        Ok(())
    }

    /// The effects of a ruling, and the decision on the same proposal without the settled causes (D8).
    fn take_ruling(&mut self, escalation: &Escalation, ruling: &Ruling) -> Decision {
        self.ledger.rule(&self.opening, escalation, ruling);
        if ruling.choice == RulingChoice::AcceptContext {
            let text = ruling.text.clone().filter(|text| !text.trim().is_empty());
            let text = text.unwrap_or_else(|| self.challenged());
            self.context_changes.push(ContextChange { round: escalation.round, text });
        }
        ruling.then.clone().unwrap_or_else(|| self.decide_again())
    }

    /// What the seats would put in place of the context: their suggestions, else their objections.
    fn challenged(&self) -> String {
        let challenges = self.rounds.last().map_or(&[][..], |round| &round.context_challenges);
        let texts: Vec<&str> = challenges.iter().map(|c| c.suggestion.as_deref().unwrap_or(&c.challenge)).collect();
        texts.join("\n")
    }

    /// D8: the rules on the proposal of the last round, with no cause left.
    fn decide_again(&self) -> Decision {
        let Some(round) = self.rounds.last() else { return Decision::default() };
        let situation = Situation { opening: &self.opening, ledger: &self.ledger, round, causes: &[] };
        let verdict = decide(&situation);
        let mut decision = Decision { taken: verdict.taken, because: verdict.because, ..round.decision.clone() };
        if verdict.target.is_some() {
            decision.next_focus = verdict.target;
        }
        decision
    }

    pub(crate) fn intervene(&mut self, intervention: Intervention) {
        match intervention.kind {
            InterventionKind::Skip => {
                self.skipped = true;
                self.skip_to_end();
            }
            InterventionKind::Budget => self.stop_spending(intervention.text.as_deref()),
            InterventionKind::Resume => self.open.start_again(),
            InterventionKind::Extend => self.extend(intervention.rounds),
            InterventionKind::Interjection | InterventionKind::Pause | InterventionKind::Close => {}
        }
        self.interventions.push(intervention);
        self.make_room();
    }

    /// L8: what a person said to the table is taken up by the next question. Where there would be none, because the
    /// table would conclude or the next question is a fixed one, a discussion round comes first. The same in
    /// whatever order a ruling and an interjection are told, so that a record folds to what happened.
    fn make_room(&mut self) {
        if self.pending().is_some() || self.is_under_way() || self.unheard().next().is_none() {
            return;
        }
        let spent = |done: &Intervention| done.kind == InterventionKind::Budget;
        if self.ending.is_some() {
            let skipped_since = self.skipped && self.skipped_last();
            if !skipped_since && !self.interventions.iter().any(spent) {
                self.extend(Some(1));
            }
        } else if self.open.kind == RoundKind::Ballot || self.open.probing {
            self.open_next(RoundKind::Discussion, None);
        }
    }

    /// Whether the last word of a person was to skip to the end, whatever was said to the table before.
    fn skipped_last(&self) -> bool {
        use InterventionKind::{Interjection, Skip};
        let mut words = self.interventions.iter().rev().filter(|done| matches!(done.kind, Interjection | Skip));
        words.next().is_some_and(|done| done.kind == Skip)
    }

    /// D9: the end is put off; what a person said, if anything, is before the table.
    fn extend(&mut self, rounds: Option<u32>) {
        if self.outcome.is_some() || self.ending.take().is_none() {
            return;
        }
        self.skipped = false;
        self.ledger.extend(rounds.unwrap_or(1));
        self.open_next(RoundKind::Discussion, None);
    }

    /// D1. Before the first commit there is nothing to conclude: it holds from that commit on.
    fn skip_to_end(&mut self) {
        if let Some(round) = self.rounds.last() {
            let because = vec![Because { rule: "D1".into(), text: "A person asked to skip to the end".into() }];
            self.ending = Some(Decision { taken: Action::Conclude, because, ..round.decision.clone() });
        }
    }

    /// D2 for budgets: the session ends with what it has; the round under way, if any, is given up.
    /// Before the first commit there is nothing to conclude, and the driver pauses instead.
    fn stop_spending(&mut self, text: Option<&str>) {
        let Some(round) = self.rounds.last() else { return };
        let text = text.unwrap_or("Reached the budget").to_owned();
        let because = vec![Because { rule: "D2".into(), text }];
        self.ending = Some(Decision { taken: Action::Conclude, because, ..round.decision.clone() });
        self.open = OpenRound::over(self.rounds.len() as u32);
    }

    /// Carries out a decision: the end, or the next round in its phase.
    fn carry_out(&mut self, decision: &Decision) {
        self.open = OpenRound::over(self.rounds.len() as u32);
        if self.skipped {
            return self.skip_to_end();
        }
        match decision.taken {
            Action::Conclude => self.ending = Some(decision.clone()),
            Action::Escalate => {}
            Action::Phase => self.enter_phase(self.ledger.phase + 1),
            Action::Continue => {
                let rule = |id: &str| decision.because.iter().any(|because| because.rule == id);
                let kind = if rule("B6") { RoundKind::Ballot } else { RoundKind::Discussion };
                let probe = if rule("B5") { unused_probe(&self.ledger) } else { None };
                self.open_next(kind, probe);
            }
        }
        self.make_room();
    }

    fn enter_phase(&mut self, index: usize) {
        let last = self.opening.settings.method.phases.len() - 1;
        if index != self.ledger.phase {
            self.ledger.phase = index.min(last);
            self.ledger.rounds_in_phase = 0;
        }
        self.open_next(RoundKind::Discussion, None);
    }

    pub(crate) fn open_next(&mut self, kind: RoundKind, probe: Option<&'static str>) {
        let needs_sides = self.opening.settings.method.two_sides && self.opening.sides.is_none();
        self.open = OpenRound {
            number: self.rounds.len() as u32 + 1,
            kind,
            probing: probe.is_some(),
            sides: if needs_sides { Slot::default() } else { Slot::Done(()) },
            ..OpenRound::default()
        };
        let fixed = |question: &str, focus: &str| Question {
            question: question.to_owned(),
            focus: focus.to_owned(),
            ..Question::default()
        };
        match (kind, probe) {
            (RoundKind::Ballot, _) => self.pose(fixed(BALLOT_QUESTION, "Votes")),
            (_, Some(question)) => self.pose(fixed(question, "Testing our assumptions")),
            _ => {}
        }
    }
}

/// Why a ruling does not answer this escalation, if it does not (E8, E10).
fn unfit(escalation: &Escalation, ruling: &Ruling) -> Option<String> {
    if !escalation.options.contains(&ruling.choice) {
        let options: Vec<&str> = escalation.options.iter().map(|choice| choice.as_str()).collect();
        return Some(format!("{} offers {}", escalation.id, options.join(", ")));
    }
    let own = matches!(ruling.choice, RulingChoice::Decide | RulingChoice::AcceptContext);
    if own && ruling.by == RuledBy::Policy {
        return Some(format!("only a person may choose \"{}\"", ruling.choice));
    }
    let says_nothing = ruling.text.as_ref().is_none_or(|text| text.trim().is_empty());
    let silent = ruling.choice == RulingChoice::Decide && says_nothing;
    silent.then(|| format!("an own decision on {} needs its text", escalation.id))
}
