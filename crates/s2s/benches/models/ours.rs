//! Our roundtables: five seats, five rounds, everything that belongs to them, from setting the table to the last
//! minutes. Given an address, a number and a store; hands on what it took. Deliberately absent: documents.

use std::ops::Range;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use jiff::Timestamp;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use s2s::Failure;
use s2s::catalog::Catalog;
use s2s::config::Config;
use s2s::convene::{Convened, Request, convene};
use s2s::engine::opening::{FACILITATOR, Workflow};
use s2s::engine::record::Outcome;
use s2s::engine::{Session, Unattended};
use s2s::models::money::Price;
use s2s::models::turn::{Abilities, Capacity, Choice, Outlet};
use s2s::models::{Api, Endpoint, HttpClient, HttpProvider, Key};
use s2s::panel::{Manner, ModelPanel, Panel, Seated};
use s2s::roundtable::{Ended, Notice, Policy, Roundtable, Scribe, Surroundings, interrupt};
use s2s::store::{InMemory, Keeper, Minutes, Sessions};
use tokio::sync::Semaphore;
use tokio::task::{JoinSet, LocalSet};

use crate::figures::{Figures, Start, measured};

pub const SEATS: [&str; 5] = ["software-architect", "technical-lead", "qa-lead", "devops-engineer", "product-manager"];

const CONTEXT: &str = "A web shop with 40,000 customers and a public API that twelve partners call. Two teams of four \
    developers; one of them runs the API, the other the shop. Objectives: partners can change their orders by \
    themselves; a change reaches the warehouse within a minute. Constraints: no new database this year; everything \
    that partners see is versioned and kept for two years; nights and weekends are covered by one person on call.";

struct NoScribe;

impl Scribe for NoScribe {
    fn write(&self, _: &Session, _: &Minutes, _: &Outcome) -> Result<Vec<String>, Failure> {
        Ok(Vec::new())
    }
}

/// What all roundtables of a process share.
pub struct House {
    catalog: Catalog,
    config: Config,
    seats: Vec<String>,
    panel: Arc<dyn Panel>,
}

impl House {
    /// One of so many houses in a process: it takes its share of the files that may be open.
    pub fn new(url: &str, houses: u64) -> Self {
        let mut config = Config::default();
        config.roundtable.limits.min_rounds = 5;
        config.roundtable.limits.max_rounds = 5;
        let endpoint =
            Endpoint { base_url: url.to_owned(), key: Some(Key::new("mock")), ..Endpoint::new(Api::Anthropic) };
        let provider = HttpProvider::new("mock", endpoint, HttpClient::new().unwrap()).unwrap();
        let all = Capacity { max_concurrent: usize::MAX, per_minute: None }.within_open_files();
        let capacity = Capacity { max_concurrent: all.max_concurrent / houses as usize, ..all };
        let choice = Choice {
            outlet: Arc::new(Outlet::new("mock", Arc::new(provider), capacity)),
            model: "mock-large".to_owned(),
            family: "mock".to_owned(),
            price: Some(Price { input: 3.0, cached_input: 0.3, cache_write: 3.75, output: 15.0 }),
            abilities: Abilities::default(),
            max_output_tokens: None,
        };
        let seated = Seated { choices: vec![choice], family: "mock".to_owned() };
        let seats = SEATS.iter().copied().chain([FACILITATOR]).map(|seat| (seat.to_owned(), seated.clone()));
        let panel = Arc::new(ModelPanel::new(seats.collect(), Manner::default()));
        let seats = SEATS.map(String::from).to_vec();
        Self { catalog: Catalog::builtin(), config, seats, panel }
    }

    /// One whole roundtable, in memory or in a folder.
    pub async fn roundtable(&self, number: u64, folder: Option<&Path>) {
        let id = format!("20260101-000000-bench-{number}");
        let request = Request {
            id: &id,
            topic: "REST vs GraphQL for our public API",
            workflow: Workflow::Brainstorm,
            strategy: "standard",
            participants: &self.seats,
            people: &[],
            pro: &[],
            con: &[],
            output_type: None,
            context: CONTEXT,
            register: None,
            parent: None,
        };
        let Convened { opening, charter } = convene(request, &self.catalog, &self.config, &*self.panel).unwrap();
        let (kind, note) = (self.panel.kind(), self.panel.note());
        let minutes = Minutes::new(&opening, Timestamp::now(), kind, &note, "CONTEXT.md").unwrap();
        match folder {
            None => self.run(InMemory::new(minutes), charter).await,
            Some(folder) => self.run(Sessions::new(folder).create(minutes).unwrap(), charter).await,
        }
    }

    async fn run<K: Keeper>(&self, keeper: K, charter: s2s::prompts::Charter) {
        let clock = Arc::new(Timestamp::now);
        let mut table = Roundtable::begin(keeper, charter, Arc::clone(&self.panel), clock).unwrap();
        let (mut audience, mut chair) = (|_: &Notice| {}, Policy(Unattended::Accept));
        let (_stop, interrupt) = interrupt();
        let mut around = Surroundings { audience: &mut audience, chair: &mut chair, scribe: &NoScribe, interrupt };
        let ended = table.run(&mut around).await.unwrap();
        assert!(matches!(ended, Ended::Completed(_)), "{ended:?}");
        assert_eq!(table.session().rounds().len(), 5);
    }
}

/// Runs so many roundtables, so many at once, shared out over threads that have only the store's folder in common.
pub fn run(url: &str, count: u64, at_once: usize, threads: u64, store: &str) -> Figures {
    open_all_files();
    let folder = (store != "memory").then(|| tempfile::tempdir_in(store).unwrap());
    let path = folder.as_ref().map(|folder| folder.path().to_owned());
    let (share, at_once) = (count / threads, at_once.div_ceil(threads as usize));
    measured(threads, |thread, start| {
        let house = Rc::new(House::new(url, threads));
        let first = thread * (share + 1);
        part(&house, first..first + share + 1, at_once, path.as_deref(), start);
    })
}

/// The first roundtable warms up.
fn part(house: &Rc<House>, mut numbers: Range<u64>, at_once: usize, path: Option<&Path>, start: &Start) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    LocalSet::new().block_on(&runtime, async {
        house.roundtable(numbers.start, path).await;
        numbers.next();
        start.wait();
        let (places, mut running) = (Arc::new(Semaphore::new(at_once)), JoinSet::new());
        for number in numbers {
            let place = Arc::clone(&places).acquire_owned().await.unwrap();
            let (house, path) = (Rc::clone(house), path.map(Path::to_owned));
            running.spawn_local(async move {
                house.roundtable(number, path.as_deref()).await;
                drop(place);
            });
        }
        running.join_all().await;
    })
}

/// As many open files as this process may have: each call in flight has a connection.
pub fn open_all_files() {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).unwrap();
}
