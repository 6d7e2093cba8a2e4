//! Seats and a facilitator that lie, err, stall and disagree; a crash after every line of the tape.
//! Whatever they do, the session ends within its limits, and for every prefix of the tape a crash and
//! a resume give the same minutes and ask no answered call again. In memory and virtual time.
//! `S2S_SEEDS` says how many seeds are tried (default 10; each one crashes at every line).

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use s2s::engine::Unattended;
use s2s::engine::record::{Escalation, Intervention, Outcome, Round, Usage};
use s2s::engine::step::CallKind;
use s2s::models::{Fault, FaultKind, Reply, Stop};
use s2s::panel::{Answering, Call, Panel};
use s2s::roundtable::{Ended, Paused, Roundtable};
use s2s::store::{InMemory, Keeper, Minutes, Panel as PanelKind, Taped};

use crate::world::{Table, run, take_up};

/// Random numbers from a seed and a name: the same call gets the same reply in every run.
struct Dice(u64);

impl Dice {
    fn of(seed: u64, name: &str) -> Self {
        let mut state = seed ^ 0x9e37_79b9_7f4a_7c15;
        for byte in name.bytes() {
            state = (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        Self(state)
    }

    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % sides
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.roll(of.len() as u64) as usize]
    }
}

struct Liars(u64);

impl Panel for Liars {
    fn ask(&self, call: Call<'_>) -> Answering {
        let id = &call.brief.call;
        let mut dice = Dice::of(self.0, &id.to_string());
        let delay = Duration::from_millis(dice.roll(5_000));
        let result = match dice.roll(24) {
            0 => Err(Fault::new(FaultKind::Timeout, "stalled")),
            1 => Ok(Reply::free("")),
            2 => Ok(Reply::free("Certainly! Here is my view: it depends {[(")),
            3 => Ok(Reply { stop: Stop::Length, ..Reply::free("position: \"it wa") }),
            _ => Ok(Reply::free(match id.kind {
                CallKind::Sides => sides(&mut dice),
                CallKind::Question => question(&mut dice),
                CallKind::Response | CallKind::Followup => response(&mut dice, &call.brief.ballot),
                CallKind::Synthesis => synthesis(&mut dice),
            })),
        };
        Box::pin(async move {
            tokio::time::sleep(delay).await;
            result
        })
    }

    fn kind(&self) -> PanelKind {
        PanelKind::Script
    }

    fn note(&self) -> String {
        "No language model took part: these are liars.".into()
    }

    fn seat_model(&self, seat: &str) -> (String, String) {
        (format!("{}:m", &seat[..1]), seat[..1].to_owned())
    }
}

fn sides(dice: &mut Dice) -> String {
    dice.one(&["pro: [qa-lead]\ncon: [technical-lead, software-architect]", "pro: [qa-lead]", "pro: [nobody]\ncon: []"])
        .into()
}

fn question(dice: &mut Dice) -> String {
    let asked = dice.one(&["all", "all", "[qa-lead]", "[nobody, technical-lead]", "[ghost]"]);
    format!("action: question\nquestion: Number {}?\nparticipants: {asked}\nfocus: f", dice.roll(9))
}

fn response(dice: &mut Dice, ballot: &[String]) -> String {
    let concern = dice.one(&["none worth a word", "this is a legal matter", "security", "it is non-blocking"]);
    let confidence = dice.roll(11) as f64 / 10.0;
    let mut text = format!(
        "position: Position number {}\nconfidence: {confidence}\nconcerns: [{concern}]\nvotes:\n",
        dice.roll(99)
    );
    for point in ballot {
        let vote = dice.one(&["support", "support", "support", "stand_aside", "block: no"]);
        writeln!(text, "  {point}: \"{vote}\"").expect("a string");
    }
    text.push_str("  C99.9: support\n");
    if dice.roll(12) == 0 {
        text.push_str("context_challenge: The scope is wrong\n");
    }
    text
}

fn synthesis(dice: &mut Dice) -> String {
    let mut text = format!("action: synthesis\nsynthesis: Sum {}.\n", dice.roll(99));
    writeln!(text, "consensus: [\"Point {}\", \"Point {}\"]", dice.roll(6), dice.roll(6)).expect("a string");
    if dice.roll(2) == 0 {
        let id = dice.one(&["one", "two", "three", "needs-resolution"]);
        writeln!(text, "conflicts: [{{id: {id}, description: d, positions: {{qa-lead: a, ghost: b}}}}]")
            .expect("a string");
    }
    if dice.roll(2) == 0 {
        let id = dice.one(&["one", "two", "three", "never-opened"]);
        writeln!(text, "resolved: [{{conflict_id: {id}, resolution: r, resolution_type: user}}]").expect("a string");
    }
    let topic = dice.one(&["user-workflows", "functional-requirements", "nothing-of-ours"]);
    writeln!(text, "agenda_coverage: [{{topic: {topic}, status: {}}}]", dice.one(&["covered", "partial", "pending"]))
        .expect("a string");
    writeln!(text, "next_action: {}", dice.one(&["continue", "phase", "conclude", "conclude", "escalate"]))
        .expect("a string");
    if dice.roll(8) > 0 {
        text.push_str("recommendation: Do it\n");
    }
    text
}

fn seeds() -> u64 {
    std::env::var("S2S_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(10)
}

fn table(dice: &mut Dice) -> (Table, Unattended) {
    let strategy = dice.one(&["standard", "disney", "debate", "consensus-driven", "six-hats"]);
    let strategy = ["standard", "disney", "debate", "consensus-driven", "six-hats"]
        .into_iter()
        .find(|s| *s == strategy)
        .expect("one");
    let mut table = Table { strategy, ..Table::default() };
    if dice.roll(3) == 0 {
        table.workflow = s2s::engine::opening::Workflow::Specs;
    }
    let limits = &mut table.config.roundtable.limits;
    limits.min_rounds = 1 + dice.roll(3) as u32;
    limits.max_rounds = 8 + dice.roll(4) as u32;
    limits.max_rounds_per_phase = 1 + dice.roll(4) as u32;
    table.config.roundtable.verbose = dice.roll(2) == 0;
    (table, if dice.roll(2) == 0 { Unattended::Accept } else { Unattended::Continue })
}

/// Runs to the end, or to a pause because nobody answered: the liars would only stay silent again.
async fn to_the_end(mut table: Roundtable<InMemory>, policy: Unattended) -> InMemory {
    match run(&mut table, policy).await.0 {
        Ended::Completed(_) | Ended::Paused(Paused::NobodyAnswered(_)) => table.into_keeper(),
        Ended::Paused(other) => panic!("paused: {other}"),
    }
}

/// The minutes without what a crash may change: how often a call in flight was made.
fn essence(minutes: &Minutes) -> (Vec<Round>, Vec<Escalation>, Option<Outcome>) {
    let plain = |round: &Round| Round { usage: Usage { calls: 0, duration_ms: 0, ..round.usage }, ..round.clone() };
    (minutes.rounds().iter().map(plain).collect(), minutes.escalations().to_vec(), minutes.outcome().cloned())
}

#[tokio::test(start_paused = true)]
async fn l7_after_a_crash_at_any_line_the_minutes_are_the_same_and_nothing_is_asked_twice() {
    let (mut crashes, mut completed) = (0, 0);
    for seed in 0..seeds() {
        let mut dice = Dice::of(seed, "table");
        let (table, policy) = table(&mut dice);
        let panel: Arc<dyn Panel> = Arc::new(Liars(seed));
        let first = to_the_end(table.begin(panel.clone()), policy).await;
        let whole = essence(first.minutes());
        completed += u64::from(whole.2.is_some());
        assert!(whole.0.len() as u32 <= table.config.roundtable.limits.max_rounds, "seed {seed}");
        assert_eq!(s2s::store::validate(first.minutes()), [], "seed {seed}");
        let replayed = s2s::audit::replay(first.minutes(), first.lines()).expect("replays");
        assert!(replayed.is_clean(), "seed {seed}: {:?}", replayed.findings);
        let verified = s2s::audit::verify(first.minutes(), first.lines()).expect("verifies");
        assert!(verified.is_clean(), "seed {seed}: {:?}", verified.findings);
        for cut in 1..first.lines().len() {
            let tape = first.lines()[..cut].to_vec();
            let open = tape.iter().filter_map(|line| line.what.call()).map(|call| call.round).max().unwrap_or(1);
            let minutes = minutes_before(&table, &panel, first.minutes(), open);
            let answered: BTreeSet<String> = tape.iter().filter_map(answered_call).collect();
            let resumed = to_the_end(take_up(minutes, tape, panel.clone()), policy).await;
            assert!(essence(resumed.minutes()) == whole, "seed {seed}, crash after line {cut}: other minutes");
            let again = resumed.lines()[cut..].iter().filter_map(|line| match &line.what {
                Taped::Asked(asked) => Some(asked.call.to_string()),
                _ => None,
            });
            for call in again {
                assert!(!answered.contains(&call), "seed {seed}, crash after line {cut}: {call} was asked twice");
            }
            crashes += 1;
        }
    }
    println!("{} seeds, {completed} completed, {crashes} crashes", seeds());
}

fn answered_call(line: &s2s::store::TapeLine) -> Option<String> {
    match &line.what {
        Taped::Answered(answered) => Some(answered.call.to_string()),
        _ => None,
    }
}

/// The minutes as they were when this round was open.
fn minutes_before(table: &Table, panel: &Arc<dyn Panel>, whole: &Minutes, open: u32) -> Minutes {
    let keeper = table.begin(panel.clone()).into_keeper();
    let mut minutes = keeper.into_parts().0;
    if open > 1
        && let Some(sides) = whole.sides()
    {
        minutes.set_sides(sides.clone()).expect("sides");
    }
    for round in whole.rounds().iter().filter(|round| round.number < open) {
        minutes.push_round(round.clone()).expect("a round");
    }
    for escalation in whole.escalations().iter().filter(|escalation| escalation.round < open) {
        minutes.push_escalation(escalation.clone()).expect("an escalation");
    }
    let earlier = |i: &&Intervention| i.after_round < open.saturating_sub(1);
    for intervention in whole.interventions().iter().filter(earlier) {
        minutes.push_intervention(intervention.clone()).expect("an intervention");
    }
    for change in &whole.context().changes {
        if change.round < open {
            minutes.push_context_change(change.clone()).expect("a change");
        }
    }
    minutes
}
