//! The test table: a scenario in text → a session driven to its end → a trace in text.
//!
//! A scenario is a head and rounds. Head lines: `strategy NAME`, `seats a b c` (`a=family`),
//! `limits min=1 max=9 phase=10`, `conflict N`, `floor 0.5`, `words x y`, `policy RULE 0.6`,
//! `share 0.5`, `agenda topic! other` (`!` = critical), `on accept`, `workflow specs`, `output adr`,
//! `verbose`, `show asks`, `minround PHASE N`. A round starts with `r`; its lines are the replies
//! (`q:`, `sides:`, `s:`, `SEAT:`, tries parted by `;`, `refuse` and `fail` are faults), the claims
//! of its synthesis (`claim:`, `conflict:`, `resolve:`, `cover:`, `challenge:`, `next:`, `type:`) and
//! what a person does after it (`rule:`, `skip`, `budget:`, `say:`, `resume`, `standin: SEAT FAMILY`).
//! What is not said: seats answer with confidence 0.7 and support what is put to them.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;

use expect_test::Expect;
use jiff::{SignedDuration, Timestamp};
use s2s_engine::event::Event;
use s2s_engine::opening::{FACILITATOR, Opening, OutputType, Seat, SeatId, Settings, Topic, Triggers};
use s2s_engine::record::{Intervention, InterventionKind, Round, RoundKind, RuledBy, StandIn, Usage};
use s2s_engine::reply::{Action, Answer, Conflict, ContextChallenge, Resolution, Synthesis, TopicCoverage};
use s2s_engine::step::{Brief, CallKind, PauseCause, Step};
use s2s_engine::strategy::Policy;
use s2s_engine::{Session, Unattended, next_step};

use crate::said::{question, response, ruling, sides};
use crate::strategies::strategy;

/// Plays the scenario and compares its trace.
#[track_caller]
pub fn check(scenario: &str, trace: Expect) {
    trace.assert_eq(&play(scenario).trace);
}

/// A played scenario.
pub struct Played {
    pub session: Session,
    pub trace: String,
}

/// One round of a scenario.
#[derive(Default)]
struct Turn {
    replies: BTreeMap<String, VecDeque<String>>,
    synthesis: Synthesis,
    rulings: VecDeque<String>,
    after: Vec<(InterventionKind, String)>,
    resumes: u32,
    stand_ins: BTreeMap<String, String>,
}

/// A table with what will be said at it.
pub struct Table {
    pub opening: Opening,
    policy: Unattended,
    show_asks: bool,
    turns: Vec<Turn>,
    clock: Timestamp,
    trace: String,
}

/// An opening with these seats and strategy, and settings that let rules be seen one at a time.
pub fn opening(seats: &[&str], strategy_name: &str) -> Opening {
    let method = strategy(strategy_name);
    let seat = |id: &&str| {
        let (id, family) = id.split_once('=').unwrap_or((id, "one"));
        Seat { id: id.into(), name: id.to_uppercase(), model: "test".to_owned(), family: family.to_owned() }
    };
    Opening {
        id: "20260101-000000-topic".to_owned(),
        topic: "the topic".to_owned(),
        workflow: Default::default(),
        seats: seats.iter().map(seat).collect(),
        sides: None,
        settings: Settings {
            limits: Default::default(),
            escalation: Triggers::default(),
            policy: method.policy,
            family_share: 0.5,
            verbose: false,
            interactive: false,
            output_type: None,
            requirements_format: None,
            method,
        },
        agenda: Vec::new(),
        context: String::new(),
        register: None,
        parent: None,
    }
}

pub fn play(scenario: &str) -> Played {
    let mut table = Table::read(scenario);
    let session = Session::open(table.opening.clone());
    let session = table.drive(session);
    Played { session, trace: table.trace }
}

fn pairs(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split_whitespace().map(|pair| pair.split_once('=').unwrap_or((pair, "")))
}

impl Table {
    pub fn read(scenario: &str) -> Self {
        let lines: Vec<&str> = scenario.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let head_end = lines.iter().position(|line| *line == "r").unwrap_or(lines.len());
        let mut table = Self {
            opening: opening(&["a", "b", "c"], "standard"),
            policy: Unattended::Pause,
            show_asks: false,
            turns: Vec::new(),
            clock: Timestamp::UNIX_EPOCH,
            trace: String::new(),
        };
        lines[..head_end].iter().for_each(|line| table.read_head(line));
        for line in &lines[head_end..] {
            match *line {
                "r" => table.turns.push(Turn::new(table.turns.len() + 1)),
                line => table.turns.last_mut().unwrap().read(line),
            }
        }
        table
    }

    fn read_head(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let settings = &mut self.opening.settings;
        match word {
            "strategy" => {
                settings.method = strategy(rest);
                settings.policy = settings.method.policy;
            }
            "seats" => {
                let ids: Vec<&str> = rest.split_whitespace().collect();
                self.opening.seats = opening(&ids, "standard").seats;
            }
            "limits" => pairs(rest).for_each(|(name, value)| {
                let value: u32 = value.parse().unwrap();
                match name {
                    "min" => settings.limits.min_rounds = value,
                    "max" => settings.limits.max_rounds = value,
                    "phase" => settings.limits.max_rounds_per_phase = value,
                    _ => panic!("limit {name}"),
                }
            }),
            "conflict" => settings.escalation.max_rounds_per_conflict = rest.parse().unwrap(),
            "floor" => settings.escalation.confidence_below = rest.parse().unwrap(),
            "words" => settings.escalation.critical_keywords = rest.split_whitespace().map(String::from).collect(),
            "share" => settings.family_share = rest.parse().unwrap(),
            "policy" => {
                let (rule, threshold) = rest.split_once(' ').unwrap_or((rest, "0.6"));
                let rule = serde_json::from_value(rule.into()).unwrap();
                settings.policy = Policy { rule, threshold: threshold.parse().unwrap() };
            }
            "agenda" => {
                let topic = |word: &str| Topic {
                    id: word.trim_end_matches('!').to_owned(),
                    name: word.trim_end_matches('!').to_uppercase(),
                    critical: word.ends_with('!'),
                    least: 0,
                    criteria: 0,
                };
                self.opening.agenda = rest.split_whitespace().map(topic).collect();
            }
            "minround" => {
                let (phase, rounds) = rest.split_once(' ').unwrap();
                let index = settings.method.phase_index(phase).unwrap();
                settings.method.phases[index].min_rounds = rounds.parse().unwrap();
            }
            "on" => self.policy = rest.parse().unwrap(),
            "workflow" => self.opening.workflow = rest.parse().unwrap(),
            "output" => settings.output_type = Some(rest.parse().unwrap()),
            "verbose" => settings.verbose = true,
            "show" => self.show_asks = true,
            _ => panic!("head line {line:?}"),
        }
    }

    /// What the session is opened with.
    pub fn opening(&self) -> &Opening {
        &self.opening
    }

    fn now(&mut self) -> Timestamp {
        self.clock += SignedDuration::from_secs(1);
        self.clock
    }

    /// Drives the session until it rests, pauses, or the scenario ends. Bounded: no rule may loop.
    pub fn drive(&mut self, mut session: Session) -> Session {
        for _ in 0..2_000 {
            match next_step(&session) {
                Step::Rest => return session,
                Step::Finish(outcome) => {
                    self.note(format!("end {}: {}", outcome.status, outcome.output_type));
                    outcome.reasons.iter().for_each(|reason| self.note(format!("  because: {reason}")));
                    outcome.consensus.iter().for_each(|point| self.note(format!("  point {point}")));
                    outcome.unresolved.iter().for_each(|item| self.note(format!("  unresolved {item}")));
                    session.apply(Event::Finished(outcome)).unwrap();
                }
                Step::Commit { round, .. } => {
                    let (number, lines) = (round.number, describe(round));
                    self.trace.push_str(&lines);
                    session.apply(Event::Committed).unwrap();
                    self.intervene(&mut session, number);
                }
                Step::Escalate(_) => {
                    if !self.rule(&mut session) {
                        return session;
                    }
                }
                Step::Pause(PauseCause::NobodyAnswered(errors)) => {
                    let errors: Vec<String> = errors.iter().map(|(seat, error)| format!("{seat} {error}")).collect();
                    self.note(format!("paused: nobody answered ({})", errors.join(", ")));
                    let number = session.round_number();
                    let turn = &mut self.turns[number as usize - 1];
                    if turn.resumes == 0 {
                        return session;
                    }
                    turn.resumes -= 1;
                    let at = self.now();
                    let kind = InterventionKind::Resume;
                    let resume = Intervention { at, after_round: number - 1, kind, text: None, by: None, rounds: None };
                    session.apply(Event::Intervened(resume)).unwrap();
                }
                Step::Ask(briefs) => {
                    assert!(!briefs.is_empty(), "an empty question to nobody");
                    if self.turns.len() < session.round_number() as usize {
                        self.note("(the scenario ends here)".to_owned());
                        return session;
                    }
                    self.answer_all(&mut session, briefs);
                }
            }
        }
        panic!("the session does not end:\n{}", self.trace);
    }

    fn note(&mut self, line: String) {
        self.trace.push_str(&line);
        self.trace.push('\n');
    }

    fn intervene(&mut self, session: &mut Session, number: u32) {
        for (kind, text) in std::mem::take(&mut self.turns[number as usize - 1].after) {
            let at = self.now();
            let text = (!text.is_empty()).then_some(text);
            let done = Intervention { at, after_round: number, kind, text, by: None, rounds: None };
            session.apply(Event::Intervened(done)).unwrap();
        }
    }

    /// Rules as the scenario or the policy says; false = nobody does.
    fn rule(&mut self, session: &mut Session) -> bool {
        let pending = session.pending().unwrap().clone();
        let causes: Vec<String> = pending.causes.iter().map(|c| format!("{} {}", c.rule, c.subject)).collect();
        let options: Vec<&str> = pending.options.iter().map(|choice| choice.as_str()).collect();
        let line = format!("{} {} [{}]", pending.id, causes.join(", "), options.join(" "));
        let Some(turn) = self.turns.get_mut(pending.round as usize - 1) else { return false };
        let by_person = turn.rulings.pop_front().map(|line| ruling(&line));
        let Some(ruling) = by_person.or_else(|| self.policy.ruling(&pending)) else {
            self.note(format!("{line} waits for a person"));
            return false;
        };
        let by = if ruling.by == RuledBy::Person { "person" } else { "policy" };
        let choice = ruling.choice;
        session.apply(Event::Ruled(Box::new(ruling))).unwrap();
        let then = session.escalations().last().and_then(|x| x.ruling.as_ref()?.then.clone()).unwrap();
        let because: Vec<String> = then.because.iter().map(|b| format!("{} {}", b.rule, b.text)).collect();
        self.note(format!("{line} {choice} by {by} -> {}: {}", then.taken, because.join("; ")));
        true
    }

    fn answer_all(&mut self, session: &mut Session, briefs: Vec<Brief>) {
        for brief in &briefs {
            if self.show_asks {
                let ballot = if brief.ballot.is_empty() { String::new() } else { format!(" on {:?}", brief.ballot) };
                let retry = brief.retry_reason.as_ref().map_or(String::new(), |reason| format!(" again: {reason}"));
                self.note(format!("  ask {}{ballot}{retry}", brief.call));
            }
            let at = self.now();
            session.apply(Event::Asked { call: brief.call.clone(), at }).unwrap();
        }
        for brief in briefs {
            let event = self.answer(&brief);
            session.apply(event).unwrap();
        }
    }

    /// The reply that the scenario gives to a call.
    pub fn answer(&mut self, brief: &Brief) -> Event {
        let (at, call) = (self.now(), brief.call.clone());
        let usage = Usage { output_tokens: 10, ..Usage::default() };
        let number = call.round;
        let turn = &mut self.turns[number as usize - 1];
        let key = match call.kind {
            CallKind::Sides => "sides",
            CallKind::Question => "q",
            CallKind::Synthesis => "s",
            CallKind::Response | CallKind::Followup => &call.seat,
        };
        let said = turn.replies.get_mut(key).and_then(VecDeque::pop_front).unwrap_or_default();
        match said.as_str() {
            "fail" => return Event::Failed { call, at, error: "timed out".to_owned(), usage: Usage::default() },
            "refuse" => return Event::Refused { call, at, reason: "not YAML".to_owned(), usage },
            _ => {}
        }
        let answer = match call.kind {
            CallKind::Sides => Answer::Sides(sides(&said)),
            CallKind::Question => Answer::Question(question(&said, number)),
            CallKind::Response | CallKind::Followup => Answer::Response(response(&said, &call.seat, brief)),
            CallKind::Synthesis => {
                let mut synthesis = turn.synthesis.clone();
                if said == "empty" {
                    synthesis.synthesis.clear();
                }
                Answer::Synthesis(Box::new(synthesis))
            }
        };
        let family = self.turns[number as usize - 1].stand_ins.get(&*call.seat);
        let stand_in = family.map(|family| StandIn { model: format!("{family}:m"), family: family.clone() });
        Event::Answered { call, at, answer, doubts: Vec::new(), stand_in, usage }
    }
}

impl Turn {
    fn new(number: usize) -> Self {
        let synthesis = Synthesis { synthesis: format!("Summary {number}"), ..Synthesis::default() };
        Self { synthesis, ..Self::default() }
    }

    fn read(&mut self, line: &str) {
        let (word, rest) = line.split_once(':').map_or((line, ""), |(word, rest)| (word, rest.trim()));
        match word {
            "claim" => self.synthesis.consensus.extend(rest.split(';').map(|text| text.trim().to_owned())),
            "conflict" => {
                let (id, held) = rest.split_once(' ').unwrap_or((rest, ""));
                let positions = pairs(held).map(|(seat, held)| (SeatId::from(seat), held.to_owned())).collect();
                let description = format!("About {id}");
                self.synthesis.conflicts.push(Conflict { id: id.to_owned(), description, positions });
            }
            "resolve" => {
                let (id, kind) = rest.split_once(' ').unwrap_or((rest, "consensus"));
                let resolution_type = kind.parse().unwrap();
                let resolution = "settled".to_owned();
                self.synthesis.resolved.push(Resolution { conflict_id: id.to_owned(), resolution, resolution_type });
            }
            "cover" => self.synthesis.agenda_coverage.extend(pairs(rest).map(|(topic, status)| TopicCoverage {
                topic: topic.to_owned(),
                status: status.parse().unwrap(),
                met: Vec::new(),
            })),
            "challenge" => {
                let (seat, suggestion) = rest.split_once(' ').unwrap();
                self.synthesis.context_challenges.push(ContextChallenge {
                    participant: seat.into(),
                    challenge: "heard".to_owned(),
                    suggestion: Some(suggestion.to_owned()),
                });
            }
            "next" => {
                let (action, recommendation) = rest.split_once(' ').unwrap_or((rest, "do it"));
                self.synthesis.next_action = action.parse().unwrap();
                let wants = matches!(self.synthesis.next_action, Action::Conclude | Action::Escalate);
                let said = recommendation != "do it" || wants;
                self.synthesis.recommendation = said.then(|| recommendation.trim_matches('-').to_owned());
            }
            "type" => self.synthesis.output_type = Some(rest.parse::<OutputType>().unwrap()),
            "rule" => self.rulings.push_back(rest.to_owned()),
            "skip" => self.after.push((InterventionKind::Skip, String::new())),
            "budget" => self.after.push((InterventionKind::Budget, rest.to_owned())),
            "say" => self.after.push((InterventionKind::Interjection, rest.to_owned())),
            "resume" => self.resumes += 1,
            "standin" => {
                let (seat, family) = rest.split_once(' ').unwrap();
                self.stand_ins.insert(seat.to_owned(), family.to_owned());
            }
            "all" => ["a", "b", "c", "d", "e"].iter().for_each(|seat| self.replies(seat, rest)),
            who => self.replies(who, rest),
        }
    }

    fn replies(&mut self, who: &str, tries: &str) {
        let tries = tries.split(';').map(|reply| reply.trim().to_owned()).collect();
        self.replies.insert(who.to_owned(), tries);
    }
}

/// A committed round in a few lines.
pub fn describe(round: &Round) -> String {
    let mut out = String::new();
    let kind = match (round.kind, round.probing) {
        (RoundKind::Ballot, _) => " ballot",
        (_, true) => " probing",
        _ => "",
    };
    let join = |ids: &[SeatId]| ids.iter().map(|id| &**id).collect::<Vec<_>>().join(" ");
    let degraded = if round.degraded.is_empty() { String::new() } else { format!(" degraded {:?}", round.degraded) };
    let _ = writeln!(out, "r{} {}{kind} asked [{}]{degraded}", round.number, round.phase, join(&round.asked));
    if !round.no_response.is_empty() {
        let _ = writeln!(out, "  no response [{}]", join(&round.no_response));
    }
    for tally in &round.tallies {
        let block: Vec<String> = tally.block.iter().map(|b| format!("{}={}", b.seat, b.reason)).collect();
        let result = if tally.carried { "carried" } else { "failed" };
        let _ = writeln!(
            out,
            "  vote {} +[{}] ~[{}] -[{}] ?[{}] share {} {result}",
            tally.point,
            join(&tally.support),
            join(&tally.stand_aside),
            block.join(" "),
            join(&tally.no_vote),
            tally.share
        );
    }
    for (index, point) in round.consensus.iter().enumerate() {
        let _ = writeln!(out, "  point C{}.{} {point}", round.number, index + 1);
    }
    for conflict in &round.conflicts {
        let held: Vec<String> = conflict.positions.iter().map(|(seat, held)| format!("{seat}={held}")).collect();
        let _ = writeln!(out, "  conflict {} [{}]", conflict.id, held.join(" "));
    }
    for resolved in &round.resolved {
        let _ = writeln!(out, "  resolved {} ({})", resolved.conflict_id, resolved.resolution_type);
    }
    for doubt in &round.doubts {
        let who = if &*doubt.seat == FACILITATOR { "facilitator" } else { &doubt.seat };
        let _ = writeln!(out, "  doubt {who}: {}", doubt.what);
    }
    let because: Vec<String> = round.decision.because.iter().map(|b| format!("{} {}", b.rule, b.text)).collect();
    let next = round.decision.next_focus.as_ref().map_or(String::new(), |focus| format!(" (next: {focus})"));
    let _ = writeln!(out, "  {} -> {}: {}{next}", round.decision.proposed, round.decision.taken, because.join("; "));
    out
}
