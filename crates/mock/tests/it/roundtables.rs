//! The usual replies lead whole roundtables to their end, whatever the strategy, the agenda and the format.
//! Given the real engine and prompts; every reply comes off the wire.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use jiff::Timestamp;
use s2s::Failure;
use s2s::catalog::Catalog;
use s2s::config::Config;
use s2s::convene::{Request, convene};
use s2s::engine::opening::Workflow;
use s2s::engine::record::Outcome;
use s2s::engine::{Session, Unattended};
use s2s::models::Reply;
use s2s::panel::{Answering, Call, Panel};
use s2s::roundtable::{CallEnd, Ended, Notice, Policy, Roundtable, Scribe, Surroundings, interrupt};
use s2s::store::{InMemory, Minutes, Panel as PanelKind};
use s2s_mock::{Format, Plan, Server};

use crate::client::{access, body, path, post};

/// Every call over a socket, in one format after the other.
struct OverTheWire {
    url: String,
    next: AtomicUsize,
}

impl Panel for OverTheWire {
    fn ask(&self, call: Call<'_>) -> Answering {
        let format = Format::ALL[self.next.fetch_add(1, Ordering::Relaxed) % Format::ALL.len()];
        let asked = body(format, &call.prompt.system, &call.prompt.user).to_string();
        let url = self.url.clone();
        Box::pin(async move {
            let got = post(&url, path(format), access(format), asked.as_bytes()).await;
            Ok(Reply::free(got.said(format)))
        })
    }

    fn kind(&self) -> PanelKind {
        PanelKind::Models
    }

    fn note(&self) -> String {
        "A mock of several models.".to_owned()
    }

    fn seat_model(&self, seat: &str) -> (String, String) {
        (format!("mock:{seat}"), seat.to_owned())
    }
}

struct Nothing;

impl Scribe for Nothing {
    fn write(&self, _: &Session, _: &Minutes, _: &Outcome) -> Result<Vec<String>, Failure> {
        Ok(Vec::new())
    }
}

async fn hold(strategy: &str, workflow: Workflow) -> (Ended, Vec<String>, usize) {
    let server = Server::start(Plan::calm()).await.unwrap();
    let panel = Arc::new(OverTheWire { url: server.url().to_owned(), next: AtomicUsize::new(0) });
    let catalog = Catalog::builtin();
    let participants = ["software-architect", "technical-lead", "qa-lead"].map(String::from);
    let request = Request {
        id: "mock",
        topic: "REST vs GraphQL for \"public\" APIs: which?",
        workflow,
        strategy,
        participants: &participants,
        people: &[],
        pro: &[],
        con: &[],
        output_type: None,
        context: "A web shop. Two developers.",
        register: None,
        parent: None,
    };
    let table = convene(request, &catalog, &Config::default(), &*panel).unwrap();
    let clock = Arc::new(|| Timestamp::UNIX_EPOCH);
    let minutes = Minutes::new(&table.opening, clock(), panel.kind(), &panel.note(), "given").unwrap();
    let mut roundtable = Roundtable::begin(InMemory::new(minutes), table.charter, panel, clock).unwrap();
    let mut odd = Vec::new();
    let mut audience = |notice: &Notice| {
        let usual = match notice {
            Notice::EscalationRaised { .. } | Notice::Warned { .. } => false,
            Notice::CallEnded { end: CallEnd::Answered { doubts, .. }, .. } => doubts.is_empty(),
            Notice::CallEnded { .. } => false,
            _ => true,
        };
        if !usual {
            odd.push(format!("{notice:?}"));
        }
    };
    let mut chair = Policy(Unattended::Pause);
    let (_stop, interrupt) = interrupt();
    let mut around = Surroundings { audience: &mut audience, chair: &mut chair, scribe: &Nothing, interrupt };
    let ended = roundtable.run(&mut around).await.unwrap();
    (ended, odd, roundtable.session().rounds().len())
}

#[tokio::test]
async fn every_strategy_comes_to_its_end_in_a_few_rounds() {
    for strategy in ["standard", "disney", "debate", "consensus-driven", "six-hats"] {
        let (ended, odd, rounds) = hold(strategy, Workflow::Brainstorm).await;
        let Ended::Completed(outcome) = ended else { panic!("{strategy}: {ended:?}; {odd:?}") };
        assert!(odd.is_empty(), "{strategy}: {odd:?}");
        assert!(!outcome.consensus.is_empty(), "{strategy}: {outcome:?}");
        assert!((2..=9).contains(&rounds), "{strategy}: {rounds} rounds");
    }
}

#[tokio::test]
async fn an_agenda_is_covered() {
    for workflow in [Workflow::Specs, Workflow::Design] {
        let (ended, odd, rounds) = hold("standard", workflow).await;
        assert!(matches!(ended, Ended::Completed(_)), "{workflow:?}: {ended:?}; {odd:?}");
        assert!(odd.is_empty() && rounds <= 5, "{workflow:?}: {rounds} rounds; {odd:?}");
    }
}
