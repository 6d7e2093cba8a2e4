//! A whole offline roundtable, on disk and in memory: how long it takes, and how much of that is the
//! disk making sure. Run with `cargo bench -p s2s`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a benchmark")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use s2s::Failure;
use s2s::catalog::Catalog;
use s2s::config::Config;
use s2s::convene::{Convened, Request, convene};
use s2s::engine::opening::Workflow;
use s2s::engine::record::Outcome;
use s2s::engine::{Session, Unattended};
use s2s::panel::{OfflinePanel, Panel};
use s2s::roundtable::{Audience, Clock, Notice, Policy, Roundtable, Scribe, Surroundings, interrupt};
use s2s::store::{InMemory, Keeper, Minutes, Sessions, StoreError, Tape, TapeEntry};

const TOPIC: &str = "REST vs GraphQL for our public API";

fn main() {
    report_syncs();
    divan::main();
}

struct Wall;

impl Clock for Wall {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

struct Nobody;

impl Audience for Nobody {
    fn notice(&mut self, _: &Notice) {}
}

impl Scribe for Nobody {
    fn write(&self, _: &Session, _: &Minutes, _: &Outcome) -> Result<Vec<String>, Failure> {
        Ok(Vec::new())
    }
}

/// A keeper that measures how long the one inside takes.
struct Timed<K> {
    inner: K,
    spent: Duration,
    writes: u32,
}

impl<K: Keeper> Keeper for Timed<K> {
    fn minutes(&self) -> &Minutes {
        self.inner.minutes()
    }

    fn save(&mut self, minutes: Minutes) -> Result<(), StoreError> {
        let start = Instant::now();
        let done = self.inner.save(minutes);
        self.spent += start.elapsed();
        self.writes += 1;
        done
    }

    fn append(&mut self, entries: Vec<TapeEntry>, sync: bool) -> Result<(), StoreError> {
        let start = Instant::now();
        let done = self.inner.append(entries, sync);
        self.spent += start.elapsed();
        self.writes += u32::from(sync);
        done
    }

    fn tape(&self) -> Result<Tape, StoreError> {
        self.inner.tape()
    }

    fn keep_matrices(&mut self, matrices: &[serde_json::Value]) -> Result<(), StoreError> {
        let start = Instant::now();
        let done = self.inner.keep_matrices(matrices);
        self.spent += start.elapsed();
        self.writes += 1;
        done
    }
}

fn panel(catalog: &Catalog) -> Arc<dyn Panel> {
    Arc::new(OfflinePanel::from_catalog(catalog).0)
}

fn convened(panel: &dyn Panel, catalog: &Catalog) -> (Minutes, s2s::prompts::Charter) {
    let config = Config::default();
    let request = Request {
        id: "20260101-000000-rest-vs-graphql",
        topic: TOPIC,
        workflow: Workflow::Brainstorm,
        strategy: "standard",
        participants: config.participants(Workflow::Brainstorm),
        people: &[],
        pro: &[],
        con: &[],
        output_type: None,
        context: "A web shop. Two developers. Partners call our API.",
        register: None,
        parent: None,
    };
    let Convened { opening, charter } = convene(request, catalog, &config, panel).unwrap();
    let minutes = Minutes::new(&opening, Timestamp::UNIX_EPOCH, panel.kind(), &panel.note(), "CONTEXT.md").unwrap();
    (minutes, charter)
}

fn run<K: Keeper>(keeper: K, charter: s2s::prompts::Charter, panel: Arc<dyn Panel>) -> Roundtable<K> {
    let mut table = Roundtable::begin(keeper, charter, panel, Arc::new(Wall)).unwrap();
    let mut chair = Policy(Unattended::Accept);
    let mut around =
        Surroundings { audience: &mut Nobody, chair: &mut chair, scribe: &Nobody, interrupt: interrupt().1 };
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(table.run(&mut around)).unwrap();
    table
}

/// Says once what the disk costs in one run.
fn report_syncs() {
    let catalog = Catalog::builtin();
    let panel = panel(&catalog);
    let (minutes, charter) = convened(&*panel, &catalog);
    let folder = tempfile::tempdir_in(".").unwrap();
    let start = Instant::now();
    let held = Sessions::new(folder.path()).create(minutes).unwrap();
    let created = start.elapsed();
    let table = run(Timed { inner: held, spent: created, writes: 1 }, charter, panel);
    let whole = start.elapsed();
    let rounds = table.session().rounds().len();
    let keeper = table.into_keeper();
    let share = keeper.spent.as_secs_f64() / whole.as_secs_f64() * 100.0;
    println!(
        "one offline roundtable on disk: {rounds} rounds, {whole:.1?} in all, {:.1?} ({share:.0} %) in {} synced writes",
        keeper.spent, keeper.writes
    );
}

#[divan::bench]
fn offline_roundtable_on_disk(bencher: divan::Bencher<'_, '_>) {
    let catalog = Catalog::builtin();
    let panel = panel(&catalog);
    bencher.with_inputs(|| (convened(&*panel, &catalog), tempfile::tempdir_in(".").unwrap())).bench_values(
        |((minutes, charter), folder)| {
            let held = Sessions::new(folder.path()).create(minutes).unwrap();
            let table = run(held, charter, panel.clone());
            (table.session().rounds().len(), folder)
        },
    );
}

#[divan::bench]
fn offline_roundtable_in_memory(bencher: divan::Bencher<'_, '_>) {
    let catalog = Catalog::builtin();
    let panel = panel(&catalog);
    bencher.with_inputs(|| convened(&*panel, &catalog)).bench_values(|(minutes, charter)| {
        run(InMemory::new(minutes), charter, panel.clone()).session().rounds().len()
    });
}
