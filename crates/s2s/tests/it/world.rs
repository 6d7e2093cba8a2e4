//! A small world for tests: a table in memory, a clock that stands still, an audience that remembers.

use std::sync::Arc;

use jiff::Timestamp;
use s2s::catalog::Catalog;
use s2s::config::Config;
use s2s::convene::{Convened, Request, convene};
use s2s::engine::opening::Workflow;
use s2s::engine::record::{Escalation, Outcome, Ruling};
use s2s::engine::{Session, Unattended};
use s2s::models::turn::{Abilities, Capacity, Choice, Outlet};
use s2s::models::{Api, Endpoint, HttpClient, HttpProvider, Key};
use s2s::panel::{Panel, Participant, ScriptPanel, Seated};
use s2s::prompts::Charter;
use s2s::roundtable::{
    Audience, Chair, Clock, Deciding, Ended, Interrupt, Notice, Policy, Roundtable, Scribe, Surroundings, Word,
    interrupt,
};
use s2s::store::{InMemory, Minutes, TapeLine};
use s2s::{Failure, catalog};
use s2s_mock::Server;

/// A clock that stands still, so that two runs can be compared.
pub struct Still;

impl Clock for Still {
    fn now(&self) -> Timestamp {
        "2026-01-02T03:04:05Z".parse().expect("a time")
    }
}

/// A seat that the mock server answers for, over its real wire format.
pub fn mocked(server: &Server) -> Seated {
    let endpoint =
        Endpoint { base_url: server.url().to_owned(), key: Some(Key::new("mock")), ..Endpoint::new(Api::Anthropic) };
    let provider = HttpProvider::new("mock", endpoint, HttpClient::new().unwrap()).unwrap();
    let choice = Choice {
        outlet: Arc::new(Outlet::new("mock", Arc::new(provider), Capacity::default())),
        model: "mock-large".to_owned(),
        family: "mock".to_owned(),
        price: None,
        abilities: Abilities::default(),
        max_output_tokens: None,
    };
    Seated { choices: vec![choice], family: "mock".to_owned() }
}

/// Writes nothing.
pub struct NoScribe;

impl Scribe for NoScribe {
    fn write(&self, _: &Session, _: &Minutes, _: &Outcome) -> Result<Vec<String>, Failure> {
        Ok(vec!["docs/out.md".to_owned()])
    }
}

/// Remembers what it was told.
#[derive(Default)]
pub struct Memory(pub Vec<Notice>);

impl Audience for Memory {
    fn notice(&mut self, notice: &Notice) {
        self.0.push(notice.clone());
    }
}

/// Says the same word after every round, and rules by policy.
pub struct Says(pub Word, pub Unattended);

impl Chair for Says {
    fn rule<'a>(&'a mut self, _: &'a Session, escalation: &'a Escalation) -> Deciding<'a, Option<Ruling>> {
        Box::pin(std::future::ready(self.1.ruling(escalation)))
    }

    fn after_round<'a>(&'a mut self, _: &'a Session) -> Deciding<'a, Word> {
        Box::pin(std::future::ready(self.0.clone()))
    }
}

/// What a test table is set with.
pub struct Table {
    pub config: Config,
    pub strategy: &'static str,
    pub seats: Vec<String>,
    pub workflow: Workflow,
    pub context: &'static str,
    pub topic: &'static str,
}

impl Default for Table {
    fn default() -> Self {
        Self {
            config: Config::default(),
            strategy: "standard",
            seats: ["software-architect", "technical-lead", "qa-lead"].map(String::from).to_vec(),
            workflow: Workflow::Brainstorm,
            context: "A web shop. Two developers.",
            topic: "REST or GraphQL",
        }
    }
}

impl Table {
    pub fn convened(&self, panel: &dyn Panel) -> Convened {
        self.convened_with(panel, &[])
    }

    /// With these people at the table.
    pub fn convened_with(&self, panel: &dyn Panel, people: &[Participant]) -> Convened {
        let request = Request {
            id: "20260102-030405-test",
            topic: self.topic,
            workflow: self.workflow,
            strategy: self.strategy,
            participants: &self.seats,
            people,
            pro: &[],
            con: &[],
            output_type: None,
            context: self.context,
            register: None,
            parent: None,
        };
        convene(request, &catalog(), &self.config, panel).expect("the table can be set")
    }

    pub fn begin(&self, panel: Arc<dyn Panel>) -> Roundtable<InMemory> {
        begin_with(self.convened(&*panel), panel)
    }
}

pub fn catalog() -> catalog::Catalog {
    Catalog::builtin()
}

/// Takes a session up again from its record.
pub fn take_up(minutes: Minutes, tape: Vec<TapeLine>, panel: Arc<dyn Panel>) -> Roundtable<InMemory> {
    let keeper = InMemory::with_tape(minutes, tape);
    Roundtable::take_up(keeper, Charter::default(), panel, Arc::new(Still)).expect("is taken up").0
}

pub fn script(text: &str) -> Arc<dyn Panel> {
    Arc::new(ScriptPanel::read("test.yaml", text).expect("a good script"))
}

/// Runs to the end with this policy.
pub async fn run(table: &mut Roundtable<InMemory>, policy: Unattended) -> (Ended, Vec<Notice>) {
    run_with(table, &mut Policy(policy), interrupt().1).await
}

pub async fn run_with(
    table: &mut Roundtable<InMemory>,
    chair: &mut dyn Chair,
    interrupt: Interrupt,
) -> (Ended, Vec<Notice>) {
    let mut audience = Memory::default();
    let mut around = Surroundings { audience: &mut audience, chair, scribe: &NoScribe, interrupt };
    let ended = table.run(&mut around).await.expect("runs");
    (ended, audience.0)
}

/// A panel that agrees: every round one new point, and the end as soon as it is allowed.
pub const AGREEABLE: &str = r#"
replies:
  - {kind: sides, reply: "pro: [software-architect, qa-lead]\ncon: [technical-lead]"}
  - {kind: question, reply: {action: question, question: Which one?, context_summary: A web shop with two developers, participants: all, focus: cost}}
  - {kind: response, seat: software-architect, reply: {position: Take the plain one because it is simple to keep, confidence: 0.8, rationale: [It is known to all of us here]}}
  - {kind: response, seat: technical-lead, reply: {position: I would go with what the team can already do, confidence: 0.75, rationale: [Skill is what we have least of]}}
  - {kind: response, seat: qa-lead, reply: {position: Whatever can be tested without a browser is fine by me, confidence: 0.7, rationale: [Contract tests are cheap there]}}
  - {kind: synthesis, reply: {action: synthesis, synthesis: They lean to REST., consensus: [Use REST], next_action: conclude, recommendation: Use REST, output_type: adr}}
"#;

/// The same with votes for the point.
pub fn agreeable_with_votes() -> String {
    AGREEABLE
        .replace("confidence: 0.8,", "confidence: 0.8, votes: {C1.1: support},")
        .replace("confidence: 0.75,", "confidence: 0.75, votes: {C1.1: support},")
        .replace("confidence: 0.7,", "confidence: 0.7, votes: {C1.1: support},")
}

/// Begins a session from a table that was set and then changed.
pub fn begin_with(convened: Convened, panel: Arc<dyn Panel>) -> Roundtable<InMemory> {
    let Convened { opening, charter } = convened;
    let minutes = Minutes::new(&opening, Still.now(), panel.kind(), &panel.note(), "CONTEXT.md").expect("minutes");
    Roundtable::begin(InMemory::new(minutes), charter, panel, Arc::new(Still)).expect("begins")
}
