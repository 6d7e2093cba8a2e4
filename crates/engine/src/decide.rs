//! The decision (D1 to D8, B1 to B6, P1): what the rules allow after a round, whatever was proposed.
//! Given the account after the round, the proposal and the causes that fired; hands on the action with
//! its reasons. Deliberately absent: the round's text, and any change of state.

use crate::ledger::Ledger;
use crate::opening::{Coverage, Opening};
use crate::record::{Because, Cause, Round};
use crate::reply::Action;
use crate::strategy::Asks;
use crate::words::counted;

/// The four questions that test an easy consensus (P1).
pub const PROBING_QUESTIONS: [&str; 4] = [
    "What edge cases might we be missing?",
    "What assumptions are we making that could be wrong?",
    "What would a skeptic say about this approach?",
    "What's the worst thing that could happen if we're wrong?",
];

/// Everything a decision rests on.
pub(crate) struct Situation<'a> {
    pub opening: &'a Opening,
    pub ledger: &'a Ledger,
    pub round: &'a Round,
    pub causes: &'a [Cause],
}

/// What is taken, why, and what the next question must target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub taken: Action,
    pub because: Vec<Because>,
    pub target: Option<String>,
}

impl Verdict {
    fn of(taken: Action, rule: &str, text: impl Into<String>) -> Self {
        Self { taken, because: vec![because(rule, text)], target: None }
    }
}

fn because(rule: &str, text: impl Into<String>) -> Because {
    Because { rule: rule.to_owned(), text: text.into() }
}

/// Runs the rules in their order; the first that applies is taken.
pub(crate) fn decide(at: &Situation<'_>) -> Verdict {
    at.forced_end().or_else(|| at.escalates()).or_else(|| at.moves_on()).unwrap_or_else(|| at.proposal())
}

impl Situation<'_> {
    fn proposed(&self) -> Action {
        self.round.decision.proposed
    }

    fn in_last_phase(&self) -> bool {
        self.ledger.phase + 1 == self.opening.settings.method.phases.len()
    }

    /// D2 for rounds. (D1 and budgets come in after the commit: see `Session::intervene`.)
    fn forced_end(&self) -> Option<Verdict> {
        let most = self.opening.settings.limits.max_rounds.max(self.ledger.extended_until);
        let text = "Reached maximum rounds limit";
        (self.ledger.total_rounds >= most).then(|| Verdict::of(Action::Conclude, "D2", text))
    }

    /// D3.
    fn escalates(&self) -> Option<Verdict> {
        if self.causes.is_empty() {
            return None;
        }
        let because = self.causes.iter().map(|cause| because(&cause.rule, &cause.text)).collect();
        Some(Verdict { taken: Action::Escalate, because, target: None })
    }

    /// L2 for a phase without seats, and D4.
    fn moves_on(&self) -> Option<Verdict> {
        if self.in_last_phase() {
            return None;
        }
        let phase = &self.opening.settings.method.phases[self.ledger.phase];
        let held = self.ledger.rounds_in_phase;
        if phase.asks == Asks::None && held >= phase.min_rounds {
            return Some(Verdict::of(Action::Phase, "L2", format!("\"{}\" asks no seats and is done", phase.name)));
        }
        let most = self.opening.settings.limits.max_rounds_per_phase;
        if held >= most {
            return Some(Verdict::of(
                Action::Phase,
                "D4",
                format!("\"{}\" has held its {}", phase.name, counted(most, "round")),
            ));
        }
        let text = || format!("\"{}\" has held {held} of {} rounds", phase.name, phase.min_rounds);
        (phase.asks == Asks::None).then(|| Verdict::of(Action::Continue, "L2", text()))
    }

    /// D5 to D7.
    fn proposal(&self) -> Verdict {
        let last = self.in_last_phase();
        let done = last && self.ledger.conflicts.is_empty() && self.ledger.carried >= 3;
        match self.proposed() {
            Action::Phase if !last => self.next_phase("D5"),
            Action::Conclude if !last => self.next_phase("B4"),
            Action::Conclude | Action::Phase => self.conclude(),
            _ if done => self.conclude(),
            _ => Verdict::of(Action::Continue, "D7", "The discussion goes on"),
        }
    }

    /// D5 and B4: on to the next phase, if this one may be left.
    fn next_phase(&self, rule: &str) -> Verdict {
        let method = &self.opening.settings.method;
        let phase = &method.phases[self.ledger.phase];
        let held = self.ledger.rounds_in_phase;
        if held < phase.min_rounds {
            let text = format!("\"{}\" has held {held} of at least {} rounds", phase.name, phase.min_rounds);
            return Verdict::of(Action::Continue, rule, text);
        }
        if method.first_asking_phase() == Some(self.ledger.phase)
            && let Some(pending) = first_topic(self.opening, &self.ledger.coverage, |_, c| c == Coverage::Pending)
        {
            let topic = self.opening.agenda[pending].name.clone();
            let text = format!("\"{topic}\" is still pending, so \"{}\" is not left", phase.name);
            return Verdict { target: Some(topic), ..Verdict::of(Action::Continue, "A4", text) };
        }
        let next = &method.phases[self.ledger.phase + 1].name;
        let text = match rule {
            "B4" => format!("\"{next}\" has not been held yet"),
            _ => format!("\"{}\" has done its work; \"{next}\" comes next", phase.name),
        };
        Verdict::of(Action::Phase, rule, text)
    }

    /// D6: every block that applies, in order; none = the end.
    fn conclude(&self) -> Verdict {
        let limits = &self.opening.settings.limits;
        let total = self.ledger.total_rounds;
        let mut because_of = Vec::new();
        let mut target = None;
        if total < self.ledger.granted_until {
            let left = self.ledger.granted_until - total;
            because_of.push(because("E8", format!("A person asked to go on; rounds left: {left}")));
        }
        if total < limits.min_rounds {
            let text = format!("Minimum rounds not reached ({total}/{}), continuing", limits.min_rounds);
            because_of.push(because("B1", text));
        }
        if let Some(conflict) = self.ledger.conflicts.values().next() {
            let text = match self.ledger.conflicts.len() {
                1 => format!("\"{}\" is still open", conflict.id),
                more => format!("{more} conflicts are still open, first \"{}\"", conflict.id),
            };
            because_of.push(because("B2", text));
            target = Some(conflict.description.clone());
        }
        if let Some((topic, state)) = self.blocking_topic() {
            because_of.push(because("B3", format!("\"{topic}\" {state}")));
            target.get_or_insert(topic);
        } else if self.easy_consensus() {
            let text = "Everyone agrees at once and is sure: one probing question first";
            because_of.push(because("B5", text));
        }
        if because_of.is_empty() {
            let unvoted = self.ledger.unvoted().count() as u64;
            if unvoted > 0 {
                let text = format!("{} without a vote: a ballot round", counted(unvoted, "point"));
                because_of.push(because("B6", text));
            }
        }
        if because_of.is_empty() {
            return Verdict::of(Action::Conclude, "D6", self.at_the_end(total));
        }
        Verdict { taken: Action::Continue, because: because_of, target }
    }

    /// What is said at the end: nothing holds it up, which is not the same as nothing being open.
    fn at_the_end(&self, total: u32) -> String {
        let rounds = counted(total, "round");
        match self.ledger.holdings.open_questions() {
            0 => format!("Nothing is open after {rounds}"),
            open => format!("Nothing is left to decide after {rounds}; still open: {}", counted(open, "question")),
        }
    }

    /// B3: the first topic that holds the end up, critical ones first.
    fn blocking_topic(&self) -> Option<(String, String)> {
        let topics = &self.opening.agenda;
        let holding = |critical: bool| {
            (0..topics.len())
                .filter(move |&at| topics[at].critical == critical)
                .find_map(|at| holds_up(self.opening, self.ledger, at).map(|why| (topics[at].name.clone(), why)))
        };
        holding(true).or_else(|| holding(false))
    }

    /// P1.
    fn easy_consensus(&self) -> bool {
        let phase = &self.opening.settings.method.phases[self.ledger.phase];
        phase.asks == Asks::All
            && self.ledger.conflicts.is_empty()
            && self.ledger.total_rounds <= 2
            && !self.round.confidence.is_empty()
            && self.round.confidence.values().all(|&confidence| confidence >= 0.8)
            && unused_probe(self.ledger).is_some()
    }
}

/// Why a topic holds the end up, if it does. B3: it is pending, or critical and only touched; A5: it has too few
/// artifacts. One that lacks nothing but artifacts, and has open questions in their place, does not: nobody at the
/// table can say more. It stays partial, and the outcome is not accepted (C4).
pub(crate) fn holds_up(opening: &Opening, ledger: &Ledger, index: usize) -> Option<String> {
    let (topic, coverage) = (&opening.agenda[index], ledger.coverage[index]);
    let has = ledger.holdings.on_topic(&topic.id);
    let short = has < topic.least;
    let met = (1..=topic.criteria).all(|number| ledger.met[index].contains(&number));
    let asked = short && met && has + ledger.holdings.asked_on(&topic.id) >= topic.least;
    match coverage {
        Coverage::Pending => Some(format!("is {coverage}")),
        Coverage::Partial if topic.critical && !asked => Some(format!("is {coverage}")),
        _ if short && !asked => Some(format!("has {} of at least {}", counted(has, "artifact"), topic.least)),
        _ => None,
    }
}

/// The first topic that is open in this sense, critical ones first (A2).
pub(crate) fn first_topic(
    opening: &Opening,
    coverage: &[Coverage],
    open: impl Fn(bool, Coverage) -> bool,
) -> Option<usize> {
    let open = |&index: &usize| open(opening.agenda[index].critical, coverage[index]);
    let topics = || (0..opening.agenda.len()).filter(open);
    topics().find(|&index| opening.agenda[index].critical).or_else(|| topics().next())
}

/// The first probing question that this session has not asked.
pub(crate) fn unused_probe(ledger: &Ledger) -> Option<&'static str> {
    PROBING_QUESTIONS.into_iter().find(|question| !ledger.probes_used.iter().any(|used| used == question))
}
