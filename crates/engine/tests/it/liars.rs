//! A world in which everyone lies: openings, replies and people drawn from a seed.
//! A reply is a pure function of the seed, the call and how often that call was answered before, so
//! that a resumed session hears what the undisturbed one heard. Deliberately absent: any rule.

use jiff::{SignedDuration, Timestamp};
use s2s_engine::event::Event;
use s2s_engine::opening::{Coverage, Limits, Opening, OutputType, SeatId, Sides, Topic, Triggers};
use s2s_engine::record::{Escalation, Intervention, InterventionKind, RuledBy, Ruling, Usage};
use s2s_engine::reply::{
    Action, Answer, Choice, Conflict, ContextChallenge, Question, Resolution, ResolutionType, Response, Synthesis,
    TopicCoverage, Vote,
};
use s2s_engine::step::{Brief, CallId, CallKind};
use s2s_engine::strategy::{Participation, Policy, PolicyRule};
use s2s_engine::{NEEDS_RESOLUTION, Unattended};

use crate::strategies::NAMES;
use crate::table::opening;

/// SplitMix64: small, fast, and the same on every machine.
pub struct Dice(u64);

impl Dice {
    /// Dice for a seed and anything that names the throw.
    pub fn of(seed: u64, name: impl std::fmt::Display) -> Self {
        let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let mut dice = Self(name.to_string().bytes().fold(seed ^ 0xcbf2_9ce4_8422_2325, mix));
        dice.next();
        dice
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    fn some(&mut self, from: &[&str], most: usize) -> Vec<String> {
        (0..self.below(most + 1)).map(|_| self.pick(from).to_owned()).collect()
    }
}

/// What one seed gives.
pub struct Liars {
    pub seed: u64,
    pub opening: Opening,
    pub unattended: Unattended,
    /// How often a call fails, and how often its reply is garbage, in percent.
    faults: usize,
    /// Whether the table means well: without some that do, no session would ever be accepted.
    gentle: bool,
}

const CLAIMS: [&str; 9] =
    ["Use REST", "use rest.", "Use JSON", "Use XML", "", "  ", "Use REST for the API", "書き込み", "Needs resolution"];
const CONFLICTS: [&str; 8] = ["cache", "Cache", "auth", "use-rest", "use-json", NEEDS_RESOLUTION, "", "書き込み"];
const NAMED: [&str; 8] = ["a", "B", "c", "d", "e", "nobody", "all", "facilitator"];
const TOPICS: [&str; 4] = ["users", "RULES", "nfr", "elsewhere"];
const SAID: [&str; 6] = ["yes", "no", "a legal question", "non-legal", "", "SECURITY first"];

impl Liars {
    pub fn new(seed: u64) -> Self {
        let mut dice = Dice::of(seed, "opening");
        let families = ["one", "two", ""];
        let seats: Vec<String> = ["a", "b", "c", "d", "e"][..2 + dice.below(4)]
            .iter()
            .map(|seat| format!("{seat}={}", dice.pick(&families)))
            .collect();
        let ids: Vec<&str> = seats.iter().map(String::as_str).collect();
        let mut opening = opening(&ids, dice.pick(&NAMES));
        let settings = &mut opening.settings;
        settings.limits = Limits {
            min_rounds: dice.below(5) as u32,
            max_rounds: dice.below(12) as u32,
            max_rounds_per_phase: dice.below(5) as u32,
            ..Limits::default()
        };
        settings.escalation = Triggers {
            max_rounds_per_conflict: dice.below(4) as u32,
            confidence_below: dice.pick(&[0.0, 0.3, 0.6]),
            critical_keywords: vec!["legal".to_owned(), "security".to_owned()],
        };
        let rules = [
            PolicyRule::Unanimous,
            PolicyRule::SimpleMajority,
            PolicyRule::WeightedMajority,
            PolicyRule::Consent,
            PolicyRule::FacilitatorJudgment,
        ];
        settings.policy = Policy { rule: dice.pick(&rules), threshold: dice.pick(&[0.5, 0.6, 1.0]) };
        settings.family_share = dice.pick(&[0.5, 0.2, 1.0]);
        settings.verbose = dice.chance(30);
        settings.method.participation = dice.pick(&[Participation::Parallel, Participation::Sequential]);
        for phase in &mut settings.method.phases {
            phase.min_rounds = dice.below(4) as u32;
            phase.tracks = dice.chance(60);
        }
        let topic = |id: &str, critical: bool| Topic {
            id: id.to_owned(),
            name: id.to_uppercase(),
            critical,
            least: 0,
            criteria: 0,
        };
        let agenda = [topic("users", true), topic("rules", false), topic("nfr", dice.chance(50))];
        opening.agenda = agenda[..dice.below(4)].to_vec();
        let unattended = dice.pick(&[Unattended::Pause, Unattended::Accept, Unattended::Continue]);
        let faults = dice.pick(&[0, 5, 20, 60]);
        Self { seed, opening, unattended, faults, gentle: seed.is_multiple_of(4) }
    }

    /// What comes of a call that was answered `before` times already.
    pub fn reply(&self, brief: &Brief, before: usize, at: Timestamp) -> Event {
        let call = brief.call.clone();
        let mut dice = Dice::of(self.seed, format_args!("{call} {before}"));
        let usage = Usage { output_tokens: dice.below(100) as u64, ..Usage::default() };
        if dice.chance(self.faults) {
            return Event::Failed { call, at, error: "stalled".to_owned(), usage: Default::default() };
        }
        if dice.chance(self.faults) {
            return Event::Refused { call, at, reason: "garbage".to_owned(), usage };
        }
        let answer = match call.kind {
            CallKind::Sides => Answer::Sides(self.sides(&mut dice)),
            CallKind::Question => Answer::Question(question(&mut dice)),
            CallKind::Response | CallKind::Followup => Answer::Response(self.response(&mut dice, brief)),
            CallKind::Synthesis => Answer::Synthesis(Box::new(self.synthesis(&mut dice))),
        };
        let doubts = dice.some(&["repaired"], 1);
        Event::Answered { call, at, answer, doubts, stand_in: None, usage }
    }

    fn response(&self, dice: &mut Dice, brief: &Brief) -> Response {
        if !self.gentle {
            return response(dice, brief);
        }
        let support = Vote { choice: Choice::Support, reason: None };
        Response {
            position: "yes".to_owned(),
            confidence: dice.pick(&[0.6, 0.8, 0.9]),
            votes: brief.ballot.iter().map(|point| (point.clone(), support.clone())).collect(),
            ..Response::default()
        }
    }

    fn synthesis(&self, dice: &mut Dice) -> Synthesis {
        let lies = synthesis(dice);
        if !self.gentle {
            return lies;
        }
        let covered =
            |topic: &Topic| TopicCoverage { topic: topic.id.clone(), status: Coverage::Covered, met: Vec::new() };
        Synthesis {
            synthesis: "So it is.".to_owned(),
            recommendation: Some("do it".to_owned()),
            conflicts: lies.conflicts.into_iter().filter(|_| dice.chance(20)).collect(),
            agenda_coverage: self.opening.agenda.iter().map(covered).collect(),
            context_challenges: Vec::new(),
            ..lies
        }
    }

    fn sides(&self, dice: &mut Dice) -> Sides {
        let mut sides = Sides::default();
        for seat in &self.opening.seats {
            if dice.chance(95) {
                let side = if dice.chance(50) { &mut sides.pro } else { &mut sides.con };
                side.push(seat.id.clone());
            }
        }
        sides
    }

    /// What a person or the policy makes of an escalation.
    pub fn ruling(&self, escalation: &Escalation) -> Ruling {
        if let Some(ruling) = self.unattended.ruling(escalation) {
            return ruling;
        }
        let mut dice = Dice::of(self.seed, &escalation.id);
        Ruling {
            choice: dice.pick(&escalation.options),
            text: Some("so be it".to_owned()),
            rounds: dice.pick(&[None, Some(0), Some(1), Some(4), Some(u32::MAX)]),
            by: RuledBy::Person,
            name: None,
            at: escalation.at,
            then: None,
        }
    }

    /// What a person does at this moment of a round, if anything.
    pub fn intervention(&self, moment: &str, after_round: u32, at: Timestamp) -> Option<Intervention> {
        let mut dice = Dice::of(self.seed, format_args!("{moment} {after_round}"));
        let kind = match dice.below(100) {
            0..2 => InterventionKind::Skip,
            2..8 => InterventionKind::Interjection,
            _ => return None,
        };
        let said = kind == InterventionKind::Interjection && moment == "before the round";
        let text = said.then(|| dice.pick(&SAID).to_owned());
        Some(Intervention { at, after_round, kind, text, by: None, rounds: None })
    }
}

/// The time of the n-th event.
pub fn tick(n: usize) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_millis(n as i64)
}

fn question(dice: &mut Dice) -> Question {
    Question {
        question: dice.pick(&["What now?", "Which rules?", "Which users?", " "]).to_owned(),
        focus: dice.pick(&["", "this"]).to_owned(),
        context_summary: String::new(),
        participants: if dice.chance(40) { dice.some(&NAMED, 4) } else { Vec::new() },
    }
}

fn response(dice: &mut Dice, brief: &Brief) -> Response {
    let mut response = Response {
        position: dice.pick(&SAID).to_owned(),
        rationale: dice.some(&SAID, 2),
        concerns: dice.some(&SAID, 1),
        confidence: dice.pick(&[0.0, 0.2, 0.5, 0.7, 0.8, 0.9, 1.0, 1.0, 1.5, f64::NAN]),
        context_challenge: dice.chance(5).then(|| dice.pick(&SAID).to_owned()),
        ..Response::default()
    };
    let choices = [Choice::Support, Choice::Support, Choice::Support, Choice::StandAside, Choice::Block];
    let unasked = ["C1.1".to_owned(), "C99.1".to_owned(), String::new()];
    for point in brief.ballot.iter().chain(&unasked) {
        if dice.chance(80) {
            let reason = dice.chance(50).then(|| dice.pick(&SAID).to_owned());
            response.votes.insert(point.clone(), Vote { choice: dice.pick(&choices), reason });
        }
    }
    response
}

fn synthesis(dice: &mut Dice) -> Synthesis {
    let seats = |dice: &mut Dice| dice.some(&NAMED, 2);
    let conflict = |dice: &mut Dice| Conflict {
        id: dice.pick(&CONFLICTS).to_owned(),
        description: dice.pick(&SAID).to_owned(),
        positions: seats(dice).into_iter().map(|seat| (SeatId::from(seat), "held".to_owned())).collect(),
    };
    let resolution = |dice: &mut Dice| Resolution {
        conflict_id: dice.pick(&CONFLICTS).to_owned(),
        resolution: "settled".to_owned(),
        resolution_type: dice.pick(ResolutionType::ALL),
    };
    let coverage = |dice: &mut Dice| TopicCoverage {
        topic: dice.pick(&TOPICS).to_owned(),
        status: dice.pick(&[Coverage::Pending, Coverage::Partial, Coverage::Covered]),
        met: Vec::new(),
    };
    let challenge = |dice: &mut Dice| ContextChallenge {
        participant: dice.pick(&NAMED).into(),
        challenge: "it is not so".to_owned(),
        suggestion: dice.chance(50).then(|| "it is so".to_owned()),
    };
    let many = if dice.chance(2) { 40 } else { 3 };
    Synthesis {
        synthesis: dice.pick(&["So it is.", "So it is.", "So it is.", " "]).to_owned(),
        consensus: dice.some(&CLAIMS, many),
        conflicts: (0..dice.below(2)).map(|_| conflict(dice)).collect(),
        resolved: (0..dice.below(4)).map(|_| resolution(dice)).collect(),
        next_action: dice.pick(&[
            Action::Continue,
            Action::Phase,
            Action::Conclude,
            Action::Conclude,
            Action::Escalate,
        ]),
        next_focus: dice.chance(50).then(|| dice.pick(&SAID).to_owned()),
        escalation_reason: dice.chance(50).then(|| dice.pick(&SAID).to_owned()),
        recommendation: dice.chance(80).then(|| dice.pick(&["do it", "accepted", "do it", " "]).to_owned()),
        output_type: dice.chance(20).then(|| dice.pick(OutputType::ALL)),
        agenda_coverage: (0..dice.below(4)).map(|_| coverage(dice)).collect(),
        context_challenges: if dice.chance(5) { vec![challenge(dice)] } else { Vec::new() },
        artifacts: Vec::new(),
    }
}

/// The call that an event ends, if it ends one.
pub fn ended_call(event: &Event) -> Option<&CallId> {
    match event {
        Event::Answered { call, .. } | Event::Refused { call, .. } | Event::Failed { call, .. } => Some(call),
        _ => None,
    }
}
