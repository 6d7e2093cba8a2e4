//! A thousand offline roundtables in a row in one process: time and memory, in memory and on disk, with documents.
//! Run with `cargo bench -p s2s --bench thousand`; `-- 100` holds a hundred. Topics are made of the playbooks' own options, so
//! every subject comes up. Memory is what the system says of this process; elsewhere than on Linux it is left out.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a benchmark")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use s2s::Failure;
use s2s::catalog::{Catalog, Kind};
use s2s::config::Config;
use s2s::convene::{Convened, Request, convene};
use s2s::documents::{Shelf, Templates};
use s2s::engine::opening::Workflow;
use s2s::engine::record::Outcome;
use s2s::engine::{Session, Unattended};
use s2s::panel::{OfflinePanel, Panel};
use s2s::roundtable::{Audience, Notice, Policy, Roundtable, Scribe, Surroundings, interrupt};
use s2s::store::{InMemory, Keeper, Minutes, Sessions};

const CONTEXTS: [&str; 3] =
    ["", "A web shop. Two developers, a deadline in May.", "Twelve teams, personal data, an audit every year."];

struct Nobody;

impl Audience for Nobody {
    fn notice(&mut self, _: &Notice) {}
}

impl Scribe for Nobody {
    fn write(&self, _: &Session, _: &Minutes, _: &Outcome) -> Result<Vec<String>, Failure> {
        Ok(Vec::new())
    }
}

fn main() {
    let many = std::env::args().skip(1).find_map(|arg| arg.parse().ok()).unwrap_or(1_000);
    let catalog = Catalog::builtin();
    let topics = topics(&catalog);
    let panel: Arc<dyn Panel> = Arc::new(OfflinePanel::from_catalog(&catalog).0);
    println!("{many} offline roundtables in a row over {} topics; memory before the first: {}", topics.len(), memory());
    let hold = |number: usize| {
        let (minutes, charter) = convened(number, &topics, &*panel, &catalog);
        run(InMemory::new(minutes), charter, &panel, &Nobody);
    };
    measure("in memory, without documents", many, hold);
    let folder = tempfile::tempdir_in(".").unwrap();
    let dir = folder.path().join(".s2s");
    std::fs::create_dir_all(&dir).unwrap();
    let shelf = Shelf::new(folder.path(), &Config::default(), Templates::of(&catalog).unwrap()).unwrap();
    let sessions = Sessions::new(&dir);
    let hold = |number: usize| {
        let (minutes, charter) = convened(number, &topics, &*panel, &catalog);
        run(sessions.create(minutes).unwrap(), charter, &panel, &shelf);
    };
    measure("on disk, with documents and matrices", many, hold);
}

/// Two options of each playbook, in words.
fn topics(catalog: &Catalog) -> Vec<String> {
    let mut topics = Vec::new();
    for name in catalog.names(Kind::Playbook) {
        let playbook = catalog.playbook(&name).unwrap().value;
        for pair in playbook.options.windows(2) {
            topics.push(format!("{}: {} or {}", playbook.subject, pair[0].name, pair[1].name));
        }
    }
    topics
}

fn convened(
    number: usize,
    topics: &[String],
    panel: &dyn Panel,
    catalog: &Catalog,
) -> (Minutes, s2s::prompts::Charter) {
    let config = Config::default();
    let id = format!("20260101-000000-{number}");
    let request = Request {
        id: &id,
        topic: &topics[number % topics.len()],
        workflow: Workflow::Brainstorm,
        strategy: "standard",
        participants: config.participants(Workflow::Brainstorm),
        people: &[],
        pro: &[],
        con: &[],
        output_type: None,
        context: CONTEXTS[number % CONTEXTS.len()],
        register: None,
        parent: None,
    };
    let Convened { opening, charter } = convene(request, catalog, &config, panel).unwrap();
    let minutes = Minutes::new(&opening, Timestamp::UNIX_EPOCH, panel.kind(), &panel.note(), "CONTEXT.md").unwrap();
    (minutes, charter)
}

fn run<K: Keeper>(keeper: K, charter: s2s::prompts::Charter, panel: &Arc<dyn Panel>, scribe: &dyn Scribe) {
    let clock = Arc::new(|| Timestamp::UNIX_EPOCH);
    let mut table = Roundtable::begin(keeper, charter, Arc::clone(panel), clock).unwrap();
    let mut chair = Policy(Unattended::Accept);
    let mut around = Surroundings { audience: &mut Nobody, chair: &mut chair, scribe, interrupt: interrupt().1 };
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(table.run(&mut around)).unwrap();
}

fn measure(what: &str, many: usize, mut hold: impl FnMut(usize)) {
    let mut times: Vec<Duration> = Vec::with_capacity(many);
    let mut early = String::new();
    let start = Instant::now();
    for number in 0..many {
        let begun = Instant::now();
        hold(number);
        times.push(begun.elapsed());
        if number + 1 == many.div_ceil(10) {
            early = memory();
        }
    }
    let whole = start.elapsed();
    times.sort();
    let at = |share: usize| times.get(many * share / 100).or(times.last()).copied().unwrap_or_default();
    println!(
        "{what}: {whole:.1?} in all; each p50 {:.1?}, p99 {:.1?}, most {:.1?}; memory after a tenth {early}, at the end {}",
        at(50),
        at(99),
        times.last().copied().unwrap_or_default(),
        memory()
    );
}

/// What this process holds now, and held at most.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let of = |key: &str| {
        let line = status.lines().find(|line| line.starts_with(key))?;
        let kb: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(format!("{:.1} MB", kb / 1024.0))
    };
    match (of("VmRSS:"), of("VmHWM:")) {
        (Some(now), Some(most)) => format!("{now} (most {most})"),
        _ => "not known here".to_owned(),
    }
}
